/*
 * What folding makes of constants is what the definition says, in the shape that inference says: random uses of every
 * operator on random weights, folded, beside its def walked slowly on the same elements.
 */
#include <math.h>

#include "base/dtype.h"
#include "ref/execute.h"
#include "tensor/data.h"
#include "tensor/element.h"
#include "tensor/random_op.h"
#include "tensor/weight.h"
#include "tests/oracle/use.h"
#include "tests/unit/graphs.h"

enum { TRIES = 2000, ENOUGH = 60, TEXT = 4096 };

struct use {
	const struct tn_op *op;
	tn_attrs attrs;
	int nin;
	tn_type in[MAX_IN], out;
};

/* (graph g (weight w0 f32 [2 3] :seed 7) … (output (slice w0 :axis 0 …) y)) */
static struct tn_graph *
graph_of(const struct use *u, uint32_t seed)
{
	char *forms = NULL, text[TEXT];
	size_t size;
	FILE *f = open_memstream(&forms, &size);
	struct tn_graph *g;
	int i, n;

	for (i = 0; i < u->nin; i++) {
		tn_type_print(c, u->in[i], text, sizeof text);
		fprintf(f, "(weight w%d %s :seed %u) ", i, text, seed + (unsigned)i);
	}
	fprintf(f, "(output (%s", u->op->name);
	for (i = 0; i < u->nin; i++)
		fprintf(f, " w%d", i);
	for (i = 0; i < u->op->nattr; i++) {
		tn_val_print(c, u->op->attr[i].enums, tn_attrs_get(c, u->attrs, &n)[i], text, sizeof text);
		fprintf(f, " :%s %s", u->op->attr[i].name, text);
	}
	fputs(") y)", f);
	fclose(f);
	g = graph(forms);
	free(forms);
	return g;
}

/* by the def, element by element, stored in its type */
static struct tn_array
defined(const struct tn_graph *g, const struct use *u)
{
	struct tn_array in[MAX_IN], out = use_array(c, u->out);
	struct tn_eval ev = {.ctx = c, .op = u->op, .attrs = u->attrs, .nin = u->nin, .in = in, .out = &out, .to = array_count(&out)};
	int64_t k;
	int i;

	for (i = 0; i < u->nin; i++) {
		in[i] = use_array(c, u->in[i]);
		element_load(in[i].dtype, g->weight[i].data, (size_t)array_count(&in[i]), in[i].v);
	}
	tn_eval_walk(&ev);
	for (k = 0; k < array_count(&out); k++)
		out.v[k] = element_round(out.dtype, out.v[k]);
	for (i = 0; i < u->nin; i++)
		free(in[i].v);
	return out;
}

static void
report(const struct use *u, const char *what, int64_t element, double want, double got)
{
	failures++;
	printf("%s: %s; element %lld: %.9g by its def, %.9g folded\n", u->op->name, what, (long long)element, want, got);
	use_print(c, u->op, u->attrs, u->nin, u->in);
}

/* the last digit of what is stored may go either way */
static bool
is_near(enum tn_dtype d, double a, double b)
{
	return a == b || (isnan(a) && isnan(b)) || (dtype_is_float(d) && fabs(a - b) <= 1e-6 * (fabs(a) + fabs(b)));
}

/* the elements of the folded output; false: it was left an operator */
static bool
folded(const struct tn_graph *g, struct tn_array *got)
{
	const struct tn_gnode *n = &g->node[g->output[0].node];
	int64_t i;

	*got = use_array(c, n->type);
	if (n->op == TN_WEIGHT)
		return element_load(got->dtype, weight_of(g, n)->data, (size_t)array_count(got), got->v);
	for (i = 0; n->op == TN_FILL && i < array_count(got); i++)
		got->v[i] = fill_of(c, n->attrs);
	return n->op == TN_FILL;
}

/* false: folding left it alone */
static bool
try_use(const struct use *u, uint32_t seed)
{
	struct tn_graph *g = graph_of(u, seed);
	struct tn_array want, got = {0};
	bool is_folded = false;
	int64_t i;

	if (g->node[g->output[0].node].type != u->out)
		report(u, "another shape was inferred", 0, NAN, NAN);
	want = defined(g, u);
	tn_graph_fold(g, &(struct tn_fold){.growth_bytes = 1 << 20}, NULL);
	is_folded = folded(g, &got);
	if (g->node[g->output[0].node].type != u->out)
		report(u, "it is folded to another shape", 0, NAN, NAN);
	else
		for (i = 0; is_folded && i < array_count(&want); i++)
			if (!is_near(want.dtype, want.v[i], got.v[i])) {
				report(u, "another value", i, want.v[i], got.v[i]);
				break;
			}
	free(want.v);
	free(got.v);
	tn_graph_free(g);
	return is_folded;
}

/* may the graph's text say it? a number that names no weight's type cannot */
static bool
is_sayable(const struct use *u)
{
	int i;

	for (i = 0; i < u->nin; i++)
		if (tn_type_get(c, u->in[i])->rank < 0 || !dtype_size(tn_type_get(c, u->in[i])->dtype))
			return false;
	return u->nin > 0;
}

static int
try_op(const struct tn_op *op, struct random_op *r)
{
	struct use u = {.op = op};
	int i, n = 0;

	for (i = 0; i < TRIES && n < ENOUGH && failures < 5; i++) {
		struct tn_infer s = {.ctx = c, .op = op, .in = u.in};

		u.attrs = random_op(r, op, u.in, &u.nin);
		u.attrs = s.attrs = tn_attrs_normalise(c, op, u.attrs, u.in, u.nin);
		s.nin = u.nin;
		if (u.attrs == TN_NONE || !tn_infer_walk(&s) || !is_sayable(&u))
			continue;
		u.out = s.out;
		n += try_use(&u, (uint32_t)i);
	}
	return n;
}

int
main(void)
{
	int i, n;

	c = tn_ctx_new();
	for (i = TN_CORE; i < tn_builtin.nop && failures < 5; i++) {
		const struct tn_op *op = &tn_builtin.op[i];
		struct random_op r = {.ctx = c, .rng = {(uint64_t)i}, .scale = 4};

		if (!op->def)
			continue;
		n = try_op(op, &r);
		if (n < 5) {
			printf("%s: only %d uses were folded\n", op->name, n);
			failures++;
		}
	}
	tn_ctx_free(c);
	return failures != 0;
}
