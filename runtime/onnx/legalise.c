/*
 * A graph in forms that ONNX has one operator for: what Tenon fuses and ONNX does not is taken apart
 * before it is written.  A part that was read apart is then found again as the very nodes it was.
 */
#include <string.h>

#include "onnx/apart.h"

struct legal {
	const struct tn_graph *from;
	struct tn_graph *to;
	uint32_t *at;		/* node of `to` by node of `from` */
	struct tn_error *error;
};

static uint32_t
make(void *arg, unsigned op, tn_attrs attrs, const uint32_t kid[], int nkid)
{
	struct legal *l = arg;

	return tn_graph_node(l->to, op, attrs, kid, nkid, TN_NONE, l->error);
}

static uint32_t
make_fill(void *arg, double value, tn_type type)
{
	return tn_graph_fill(((struct legal *)arg)->to, value, type);
}

static tn_type
type_of(void *arg, uint32_t node)
{
	return ((struct legal *)arg)->to->node[node].type;
}

static bool
is_zero(void *arg, uint32_t node)
{
	const struct tn_graph *g = ((struct legal *)arg)->to;
	const struct tn_gnode *n = &g->node[node];

	return n->op == TN_FILL && tn_val_get(g->ctx, tn_attrs_get(g->ctx, n->attrs, NULL)[0])->u.f == 0;
}

static uint32_t
copy_node(struct legal *l, const struct apart *a, uint32_t node)
{
	const struct tn_gnode *n = &l->from->node[node];
	uint32_t *kid = mem_alloc((n->nkid + 1u) * sizeof *kid), made, i;

	for (i = 0; i < n->nkid; i++)
		kid[i] = l->at[l->from->kid[n->kid + i]];
	if (n->op >= TN_CORE && apart_must(a, n->op, n->attrs, kid, n->nkid))
		made = apart_make(a, n->op, n->attrs, kid, n->nkid);
	else
		made = tn_graph_copy_node(l->to, l->from, node, kid, l->error);
	mem_free(kid);
	return made;
}

struct tn_graph *
tn_onnx_legal(const struct tn_onnx *x, const struct tn_graph *g, uint32_t at[], struct tn_error *e)
{
	struct legal l = {g, tn_graph_new(g->ctx, g->program, g->name), mem_alloc((g->nnode + 1) * sizeof(uint32_t)), e};
	struct apart a = {g->ctx, g->program, apart_opset(x), &l, make, make_fill, type_of, is_zero};
	bool ok = true;
	uint32_t i;

	l.to->source = g->source;
	for (i = 0; ok && i < g->nnode; i++) {
		l.at[i] = copy_node(&l, &a, i);
		ok = l.at[i] != TN_NONE || tn_fail(e, TN_E_DEFECT, "a node that was there cannot be made again");
	}
	for (i = 0; ok && i < g->noutput; i++)
		tn_graph_output(l.to, g->output[i].name, l.at[g->output[i].node]);
	if (at)
		memcpy(at, l.at, g->nnode * sizeof *at);
	mem_free(l.at);
	if (ok)
		return l.to;
	tn_graph_free(l.to);
	return NULL;
}
