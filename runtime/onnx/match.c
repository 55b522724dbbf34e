/* Is a node of the new graph what an original ONNX node was read as? */
#include <string.h>

#include "onnx/plan.h"

struct match {
	const struct tn_onnx *x;
	const struct tn_graph *g;	/* the new one; the old is x->graph */
	const struct onnx_node *n;
	uint32_t *what;
};

uint32_t
graph_index(const struct tn_graph *g, uint32_t node)
{
	int n;
	const tn_val *v = tn_attrs_get(g->ctx, g->node[node].attrs, &n);

	return n == 1 ? (uint32_t)tn_val_get(g->ctx, v[0])->u.i : TN_NONE;
}

bool
match_weight(const struct tn_graph *ga, uint32_t a, const struct tn_graph *gb, uint32_t b)
{
	const struct tn_weight *wa, *wb;

	if (ga->node[a].op != TN_WEIGHT || gb->node[b].op != TN_WEIGHT)
		return false;
	wa = &ga->weight[graph_index(ga, a)];
	wb = &gb->weight[graph_index(gb, b)];
	return wa->type == wb->type && wa->size_bytes == wb->size_bytes &&
	    (wa->data == wb->data || wa->size_bytes == 0 || memcmp(wa->data, wb->data, wa->size_bytes) == 0);
}

static uint32_t
operand(const struct onnx_node *n, uint32_t i)
{
	return i < n->nin ? n->in[i] : n->capture[i - n->nin];
}

/* a is an operand of the ONNX node: bind it to b, the same wherever it stands */
static bool
bind(struct match *m, uint32_t a, uint32_t b, bool *is_operand)
{
	uint32_t i, v;

	*is_operand = false;
	for (i = 0; i < m->n->nin + m->n->ncapture; i++) {
		v = operand(m->n, i);
		if (v == ONNX_NONE || m->x->node_of[v] != a)
			continue;
		if (m->what[i] != TN_NONE && m->what[i] != b)
			return false;
		m->what[i] = b;
		*is_operand = true;
	}
	return true;
}

/* same operator and attributes, whatever the operands */
static bool
same_node(const struct match *m, uint32_t a, uint32_t b)
{
	const struct tn_gnode *na = &m->x->graph->node[a], *nb = &m->g->node[b];

	if (na->op != nb->op || na->nkid != nb->nkid)
		return false;
	if (na->op == TN_WEIGHT)
		return match_weight(m->x->graph, a, m->g, b);
	if (na->op == TN_OPAQUE)
		return na->origin == nb->origin;
	return na->attrs == nb->attrs && (na->op == TN_RESULT || na->type == nb->type);
}

/* What one ONNX node made is a few levels deep at most, so this recursion is bounded. */
static bool
match_tree(struct match *m, uint32_t a, uint32_t b)
{
	const struct tn_gnode *na = &m->x->graph->node[a], *nb = &m->g->node[b];
	bool is_operand;
	uint32_t i;

	if (!bind(m, a, b, &is_operand))
		return false;
	if (is_operand)
		return true;
	if (!same_node(m, a, b))
		return false;
	for (i = 0; i < na->nkid; i++)
		if (!match_tree(m, m->x->graph->kid[na->kid + i], m->g->kid[nb->kid + i]))
			return false;
	return true;
}

bool
match_node(const struct tn_onnx *x, const struct tn_graph *g, uint32_t k, uint32_t a, uint32_t b, uint32_t what[])
{
	struct match m = {x, g, &x->model.node.at[k], what};
	uint32_t i;

	for (i = 0; i < m.n->nin + m.n->ncapture; i++)
		what[i] = TN_NONE;
	return match_tree(&m, a, b);
}
