/* Choosing sizes; see sizes.h. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/sizes.h"

/* does the operator's shape check hold at these sizes? What was not known of the model may not. */
static bool
check_holds(const struct tn_graph *g, const struct tn_gnode *n, const int64_t sizes[])
{
	tn_type *in = mem_alloc(((size_t)n->nkid + 1) * sizeof *in);
	double flops, bytes;
	uint32_t k;
	bool ok;

	for (k = 0; k < n->nkid; k++)
		in[k] = g->node[g->kid[n->kid + k]].type;
	ok = n->op < TN_CORE || tn_op_work(g->ctx, &g->program->op[n->op], n->attrs, in, n->nkid, n->type, sizes, &flops, &bytes);
	mem_free(in);
	return ok;
}

/* does every node have a shape, with no extent below 0, at these sizes? */
static bool
shapes_hold(const struct tn_graph *g, const int64_t sizes[])
{
	const struct tn_shape *s;
	uint32_t i;
	int k;
	int64_t n;

	for (i = 0; i < g->nnode; i++) {
		if (g->node[i].op == TN_OPAQUE)
			continue;
		s = tn_type_get(g->ctx, g->node[i].type);
		for (k = 0; k < s->rank; k++)
			if (!tn_dim_at(g->ctx, s->dim[k], sizes, &n) || n < 0)
				return false;
		if (!check_holds(g, &g->node[i], sizes))
			return false;
	}
	return true;
}

/* set the symbols of one input from "a,b,c"; false: error */
static bool
bind_input(const struct tn_graph *g, const struct tn_input *in, const char *text, int64_t sizes[], struct tn_error *e)
{
	const struct tn_shape *s = tn_type_get(g->ctx, in->type);
	char *end;
	long long n;
	int k, sym;

	for (k = 0; k < s->rank; k++, text = *end ? end + 1 : end) {
		n = strtoll(text, &end, 10);
		if (end == text || n < 1 || (*end && *end != ','))
			return tn_fail(e, TN_E_IO, "--at %s: '%s' is not a list of %d extents", in->name, text, s->rank);
		if (tn_dim_is_num(s->dim[k])) {
			if (s->dim[k] != n)
				return tn_fail(e, TN_E_INPUT, "--at %s: axis %d is %" PRId64 " in the model, not %lld", in->name, k, s->dim[k], n);
			continue;
		}
		sym = tn_dim_symbol(g->ctx, s->dim[k]);
		if (sym < 0)
			continue;
		if (sizes[sym] && sizes[sym] != n)
			return tn_fail(e, TN_E_INPUT, "--at %s: axis %d is %lld here and %" PRId64 " elsewhere", in->name, k, n, sizes[sym]);
		sizes[sym] = n;
	}
	return *text ? tn_fail(e, TN_E_IO, "--at %s: more than %d extents", in->name, s->rank) : true;
}

/* one "NAME=a,b;NAME=c,d" */
static bool
bind_all(const struct tn_graph *g, const char *text, int64_t sizes[], struct tn_error *e)
{
	char *copy = strdup(text), *part, *save, *eq;
	bool ok = true;
	uint32_t i;

	for (part = strtok_r(copy, ";", &save); ok && part; part = strtok_r(NULL, ";", &save)) {
		eq = strrchr(part, '=');
		if (!eq) {
			ok = tn_fail(e, TN_E_IO, "--at: '%s' is not NAME=a,b,…", part);
			break;
		}
		*eq = '\0';
		for (i = 0; i < g->ninput && strcmp(g->input[i].name, part) != 0; i++)
			;
		ok = i < g->ninput ? bind_input(g, &g->input[i], eq + 1, sizes, e)
		    : tn_fail(e, TN_E_IO, "--at: the model has no input '%s'", part);
	}
	free(copy);
	return ok;
}

/* sizes of the symbols that have none: those of a leading axis are 1, those of others try multiples of 32, then small
   numbers */
static bool
find_sizes(const struct tn_graph *g, int64_t sizes[])
{
	static const int64_t rest[] = {64, 320, 224, 32, 96, 128, 48, 640, 1, 2, 16, 512, 1280};
	enum { NREST = sizeof rest / sizeof *rest };
	const struct tn_ctx *ctx = g->ctx;
	VEC(int) free_symbol = {0};
	uint32_t i, j;
	bool found = false;
	int k, sym, a, b;

	for (i = 0; i < g->ninput; i++) {
		const struct tn_shape *s = tn_type_get(ctx, g->input[i].type);

		for (k = 0; k < s->rank; k++) {
			sym = tn_dim_is_num(s->dim[k]) ? -1 : tn_dim_symbol(ctx, s->dim[k]);
			if (sym < 0 || sizes[sym])
				continue;
			sizes[sym] = 1;
			if (k > 0)
				vec_push(&free_symbol, sym);
		}
	}
	/* symbols that no input gives (results of opaque operators) take part as small numbers */
	for (k = 0; k < tn_dim_nsym(ctx); k++)
		if (!sizes[k])
			sizes[k] = 4;
	/* the last one goes its own way */
	for (a = 0; !found && a < (free_symbol.n > 0 ? NREST : 1); a++)
		for (b = 0; !found && b < (free_symbol.n > 1 ? NREST : 1); b++) {
			for (j = 0; j < free_symbol.n; j++)
				sizes[free_symbol.at[j]] = rest[j + 1 == free_symbol.n && j ? b : a];
			found = shapes_hold(g, sizes);
		}
	vec_free(&free_symbol);
	return found;
}

bool
sizes_choose(struct tn_ctx *ctx, const struct tn_graph *g, const strings *at, sizes_list *list, struct tn_error *e)
{
	size_t bytes = ((size_t)tn_dim_nsym(ctx) + 1) * sizeof(int64_t);
	uint32_t i;

	for (i = 0; i < at->n || (i == 0 && at->n == 0); i++) {
		int64_t *sizes = mem_alloc(bytes);

		vec_push(list, sizes);
		if (at->n == 0)
			return find_sizes(g, sizes) ? true : tn_fail(e, TN_E_INPUT,
			    "no sizes were found at which the model has shapes; say some with --at");
		if (!bind_all(g, at->at[i], sizes, e))
			return false;
		if (!find_sizes(g, sizes))
			return tn_fail(e, TN_E_INPUT, "--at %s: the model has no shapes at these sizes", at->at[i]);
	}
	return true;
}

bool
sizes_empty(const struct tn_graph *g, const int64_t sizes[])
{
	const struct tn_shape *s;
	uint32_t i;
	int64_t n;
	int k;

	for (i = 0; i < g->ninput; i++) {
		s = tn_type_get(g->ctx, g->input[i].type);
		for (k = 0; k < s->rank; k++)
			if (tn_dim_at(g->ctx, s->dim[k], sizes, &n) && n == 0)
				return true;
	}
	return false;
}

void
sizes_print(const struct tn_graph *g, const int64_t sizes[], struct buf *b)
{
	const struct tn_shape *s;
	uint32_t i;
	int64_t n;
	int k;

	for (i = 0; i < g->ninput; i++) {
		s = tn_type_get(g->ctx, g->input[i].type);
		buf_printf(b, "%s%s [", i ? ", " : "", g->input[i].name);
		for (k = 0; k < s->rank; k++) {
			if (!tn_dim_at(g->ctx, s->dim[k], sizes, &n))
				n = 0;
			buf_printf(b, "%s%" PRId64, k ? " " : "", n);
		}
		buf_putc(b, ']');
	}
}

void
sizes_free(sizes_list *list)
{
	uint32_t i;

	for (i = 0; i < list->n; i++)
		mem_free(list->at[i]);
	vec_free(list);
}
