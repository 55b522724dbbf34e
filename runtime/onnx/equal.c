/*
 * Which nodes of a new graph have for certain the value of one of the original's: those that are the
 * same operator on equal operands, those that kept their origin, and all above them that so are.
 */
#include <string.h>

#include "onnx/plan.h"

struct equal {
	const struct tn_onnx *x;
	const struct tn_graph *g;
	struct map nodes;		/* of the original graph: operator, record and operands to node */
	struct map weights;		/* of the original graph: name to node */
	uint32_t *equal;
};

/* a node's key, its operands named by nodes of the original graph */
static void
put_key(struct buf *key, const struct tn_gnode *n, const uint32_t kid[])
{
	uint32_t id = n->op == TN_OPAQUE ? n->origin : n->attrs;

	key->n = 0;
	buf_put(key, &n->op, sizeof n->op);
	buf_put(key, &id, sizeof id);
	if (n->op != TN_OPAQUE)
		buf_put(key, &n->type, sizeof n->type);
	if (n->op != TN_OPAQUE && n->nkid)
		buf_put(key, kid, n->nkid * sizeof *kid);
}

static void
index_original(struct equal *q)
{
	const struct tn_graph *o = q->x->graph;
	struct buf key = {0};
	uint32_t i;

	for (i = 0; i < o->nnode; i++) {
		const struct tn_gnode *n = &o->node[i];

		if (n->op == TN_WEIGHT) {
			const char *name = o->weight[graph_index(o, i)].name;

			map_put(&q->weights, name, strlen(name), i, NULL);
			continue;
		}
		put_key(&key, n, n->nkid ? &o->kid[n->kid] : NULL);
		map_put(&q->nodes, key.at, key.n, i, NULL);
	}
	buf_free(&key);
}

/* the original node that an origin names, if the node is still the same operator */
static uint32_t
by_origin(const struct equal *q, const struct tn_gnode *n)
{
	const struct tn_gnode *a;
	const struct onnx_node *k;
	uint32_t i, node;

	if ((n->op < TN_CORE && n->op != TN_FILL) || n->origin >= q->x->model.node.n)
		return TN_NONE;
	k = &q->x->model.node.at[n->origin];
	for (i = 0; i < k->nout; i++) {
		node = k->out[i] == ONNX_NONE ? TN_NONE : q->x->node_of[k->out[i]];
		a = node == TN_NONE ? NULL : &q->x->graph->node[node];
		if (a && a->origin == n->origin && a->op == n->op && a->attrs == n->attrs && a->type == n->type)
			return node;
	}
	return TN_NONE;
}

/* the one on equal operands, or that of the same weight */
static uint32_t
by_structure(const struct equal *q, uint32_t b, struct buf *key, struct buf *kids)
{
	const struct tn_gnode *n = &q->g->node[b];
	const uint32_t *found;
	const char *name;
	uint32_t i;

	if (n->op == TN_WEIGHT) {
		name = q->g->weight[graph_index(q->g, b)].name;
		found = map_get(&q->weights, name, strlen(name));
		return found && match_weight(q->x->graph, *found, q->g, b) ? *found : TN_NONE;
	}
	kids->n = 0;
	for (i = 0; i < n->nkid; i++) {
		uint32_t a = q->equal[q->g->kid[n->kid + i]];

		if (a == TN_NONE && n->op != TN_OPAQUE)
			return TN_NONE;
		buf_put(kids, &a, sizeof a);
	}
	put_key(key, n, (const uint32_t *)(const void *)kids->at);
	found = map_get(&q->nodes, key->at, key->n);
	return found ? *found : TN_NONE;
}

void
find_equal(const struct tn_onnx *x, const struct tn_graph *g, uint32_t equal[])
{
	struct equal q = {.x = x, .g = g, .equal = equal};
	struct buf key = {0}, kids = {0};
	uint32_t b;

	index_original(&q);
	for (b = 0; b < g->nnode; b++) {
		equal[b] = by_origin(&q, &g->node[b]);
		if (equal[b] == TN_NONE)
			equal[b] = by_structure(&q, b, &key, &kids);
	}
	map_free(&q.nodes);
	map_free(&q.weights);
	buf_free(&key);
	buf_free(&kids);
}
