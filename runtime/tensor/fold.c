/*
 * Constant folding: weight-only nodes are evaluated and become weights.
 *
 * A folded tensor may be larger than what it was made of, so there is a budget for the whole graph:
 * what is needed by anything else is folded, node by node in order, while the weights of the result stay
 * within it.  Results are rounded to their element type, and nothing whose elements are not floats is
 * touched: integers beyond 2^53 are not exact here.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "tenon/tenon.h"

enum { LARGEST = 1 << 30 };	/* elements of one tensor that is folded */

struct folding {
	struct tn_graph *g;
	bool *constant;
	struct tn_array *value;	/* per node, v NULL: not evaluated */
};

/* the extents of a type as numbers; false if they are not, or too many elements */
static bool
shape_of(const struct tn_graph *g, tn_type type, struct tn_array *a, int64_t *n)
{
	const struct tn_shape *t = tn_type_get(g->ctx, type);
	int i;

	if (t->rank < 0 || (t->dtype != TN_F32 && t->dtype != TN_F64))
		return false;
	a->dtype = t->dtype;
	a->rank = t->rank;
	for (*n = 1, i = 0; i < t->rank; i++) {
		if (!tn_dim_is_num(t->dim[i]) || !num_mul(*n, t->dim[i], n) || *n > LARGEST)
			return false;
		a->dim[i] = t->dim[i];
	}
	return true;
}

static bool
load_weight(struct folding *f, uint32_t node)
{
	const struct tn_graph *g = f->g;
	const struct tn_weight *w = &g->weight[tn_val_get(g->ctx, tn_attrs_get(g->ctx, g->node[node].attrs, &(int){0})[0])->u.i];
	struct tn_array *a = &f->value[node];
	int64_t n, i;
	float x;

	if (!shape_of(g, w->type, a, &n) || w->size_bytes != (size_t)n * (a->dtype == TN_F32 ? 4 : 8))
		return false;
	a->v = mem_alloc((size_t)n * sizeof *a->v);
	for (i = 0; i < n; i++) {
		if (a->dtype == TN_F64) {
			memcpy(&a->v[i], (const char *)w->data + 8 * i, 8);
			continue;
		}
		memcpy(&x, (const char *)w->data + 4 * i, 4);
		a->v[i] = (double)x;
	}
	return true;
}

/* the value of a constant node, its operands' values before; kept until all is folded */
static bool
evaluate(struct folding *f, uint32_t node)
{
	const struct tn_graph *g = f->g;
	const struct tn_gnode *n = &g->node[node];
	struct tn_array *a = &f->value[node], *in;
	struct tn_eval e = {.ctx = g->ctx, .op = &g->program->op[n->op], .attrs = n->attrs, .nin = n->nkid, .out = a};
	bool ok = true;
	int64_t count, i;
	uint32_t k;

	if (a->v)
		return true;
	if (n->op == TN_WEIGHT)
		return load_weight(f, node);
	if (n->op == TN_OPAQUE || n->op == TN_RESULT || !e.op->def || !shape_of(g, n->type, a, &count))
		return false;
	in = mem_alloc(((size_t)n->nkid + 1) * sizeof *in);
	for (k = 0; ok && k < n->nkid; k++) {
		ok = evaluate(f, g->kid[n->kid + k]);
		in[k] = f->value[g->kid[n->kid + k]];
	}
	if (ok) {
		a->v = mem_alloc((size_t)count * sizeof *a->v);
		e.in = in;
		e.to = count;
		tn_eval_run(&e);
		for (i = 0; a->dtype == TN_F32 && i < count; i++)
			a->v[i] = (double)(float)a->v[i];
	}
	mem_free(in);
	return ok;
}

/* the value as a weight of its own */
static struct tn_weight
as_weight(const struct tn_graph *g, const struct tn_array *a, tn_type type)
{
	struct tn_weight w = {.name = "", .type = type, .is_owned = true};
	int64_t n = 1, i;
	char *data;
	float x;

	(void)g;
	for (i = 0; i < a->rank; i++)
		n *= a->dim[i];
	w.size_bytes = (size_t)n * (a->dtype == TN_F32 ? 4 : 8);
	data = malloc(w.size_bytes ? w.size_bytes : 1);
	if (!data)
		mem_oom(w.size_bytes);
	for (i = 0; i < n; i++) {
		if (a->dtype == TN_F64) {
			memcpy(data + 8 * i, &a->v[i], 8);
			continue;
		}
		x = (float)a->v[i];
		memcpy(data + 4 * i, &x, 4);
	}
	w.data = data;
	return w;
}

/* is a constant node used by something that is not, or an output? those are worth folding */
static bool *
find_borders(const struct folding *f)
{
	const struct tn_graph *g = f->g;
	bool *border = mem_alloc((size_t)g->nnode + 1);
	uint32_t i, k;

	for (i = 0; i < g->nnode; i++)
		for (k = 0; !f->constant[i] && k < g->node[i].nkid; k++)
			border[g->kid[g->node[i].kid + k]] = true;
	for (i = 0; i < g->noutput; i++)
		border[g->output[i].node] = true;
	for (i = 0; i < g->nnode; i++)
		border[i] &= f->constant[i] && g->node[i].op >= TN_CORE;
	return border;
}

/* bytes of the weights that outputs still need */
static size_t
needed_bytes(const struct tn_graph *g)
{
	bool *needed = mem_alloc((size_t)g->nnode + 1);
	size_t bytes = 0;
	uint32_t i, k;

	for (i = 0; i < g->noutput; i++)
		needed[g->output[i].node] = true;
	for (i = g->nnode; i-- > 0;) {
		if (!needed[i])
			continue;
		if (g->node[i].op == TN_WEIGHT)
			bytes += g->weight[tn_val_get(g->ctx, tn_attrs_get(g->ctx, g->node[i].attrs, &(int){0})[0])->u.i].size_bytes;
		for (k = 0; k < g->node[i].nkid; k++)
			needed[g->kid[g->node[i].kid + k]] = true;
	}
	mem_free(needed);
	return bytes;
}

/* put a weight in the node's place; true if the budget holds, else as it was */
static bool
replace(struct folding *f, uint32_t node, size_t budget)
{
	struct tn_graph *g = f->g;
	struct tn_gnode before = g->node[node];
	struct tn_weight w = as_weight(g, &f->value[node], before.type);
	uint32_t made = tn_graph_weight(g, &w);

	/* the new weight takes the old place, so that operands still come before their users */
	g->node[node].op = TN_WEIGHT;
	g->node[node].attrs = g->node[made].attrs;
	g->node[node].nkid = 0;
	g->node[node].origin = TN_NONE;
	g->nnode--;
	if (needed_bytes(g) <= budget)
		return true;
	g->node[node] = before;
	g->nweight--;
	free((void *)w.data);
	return false;
}

uint32_t
tn_graph_fold(struct tn_graph *g, size_t growth_bytes, struct tn_error *e)
{
	struct folding f = {.g = g, .constant = tn_graph_constants(g)};
	size_t budget = needed_bytes(g) + growth_bytes;
	uint32_t i, count = g->nnode, folded = 0;
	bool *border;

	(void)e;
	f.value = mem_alloc(((size_t)count + 1) * sizeof *f.value);
	border = find_borders(&f);
	for (i = 0; i < count; i++)
		if (border[i] && evaluate(&f, i) && replace(&f, i, budget))
			folded++;
	for (i = 0; i < count; i++)
		mem_free(f.value[i].v);
	mem_free(f.value);
	mem_free(f.constant);
	mem_free(border);
	return folded;
}
