/*
 * Names that are settled before anything is placed: of inputs, outputs, results of opaque operators, and
 * of what their subgraphs use.
 */
#include "onnx/plan.h"

static bool *
find_live(const struct tn_graph *g)
{
	bool *live = mem_alloc(g->nnode + 1);
	uint32_t b, i;

	for (i = 0; i < g->noutput; i++)
		live[g->output[i].node] = true;
	for (b = g->nnode; b-- > 0;)
		for (i = 0; live[b] && i < g->node[b].nkid; i++)
			live[g->kid[g->node[b].kid + i]] = true;
	return live;
}

/* result b of the original node k */
static void
want_result(struct plan *p, uint32_t b, uint32_t k)
{
	uint32_t v = p->x->model.node.at[k].out[graph_index(p->g, b)];

	if (v != ONNX_NONE)
		plan_want(p, b, v);
}

/* the names that an opaque operator's results have, and those that its subgraphs use */
static bool
claim_opaque(struct plan *p, uint32_t b)
{
	const struct tn_gnode *node = &p->g->node[b];
	const struct onnx_node *n;
	uint32_t i, kid = 0;

	if (node->origin >= p->x->model.node.n)
		return node->origin < p->x->model.node.n + p->x->model.init.n ||
		    plan_fail(p, "an opaque operator of the graph is not the model's");
	n = &p->x->model.node.at[node->origin];
	for (i = 0; i < n->nin; i++)
		kid += n->in[i] != ONNX_NONE;
	if (kid + n->ncapture != node->nkid)
		return plan_fail(p, "an opaque operator has lost operands");
	for (i = 0; i < n->ncapture; i++)
		if (!plan_claim(p, p->g->kid[node->kid + kid + i], n->capture[i]))
			return false;
	return true;
}

bool
claim_names(struct plan *p)
{
	const struct onnx_model *m = &p->x->model;
	bool *live = find_live(p->g), ok = p->g->noutput == m->output.n;
	uint32_t b, i, v;

	if (!ok)
		plan_fail(p, "the graph has %u outputs, the model %u", p->g->noutput, m->output.n);
	for (b = 0; ok && b < p->g->nnode; b++) {
		const struct tn_gnode *n = &p->g->node[b];

		if (n->op == TN_INPUT) {
			i = graph_index(p->g, b);
			v = i < p->x->ninput ? p->x->input_value[i] : ONNX_NONE;
			ok = v != ONNX_NONE || plan_fail(p, "the graph has an input that the model has not");
			if (ok) {
				plan_want(p, b, v);
				p->place[b].name = (struct ref){REF_VALUE, v, ONNX_NONE};
				p->place[b].is_done = true;
			}
		} else if (n->op == TN_RESULT && live[b]) {
			i = p->g->node[p->g->kid[n->kid]].origin;
			if (i < m->node.n && graph_index(p->g, b) < m->node.at[i].nout)
				want_result(p, b, i);
			else if (i >= m->node.n && i - m->node.n < m->init.n)
				plan_want(p, b, *map_get(&m->value_of, m->init.at[i - m->node.n].name.at, m->init.at[i - m->node.n].name.n));
		}
	}
	for (i = 0; ok && i < m->output.n; i++)
		ok = plan_claim(p, p->g->output[i].node, *map_get(&m->value_of, m->output.at[i].name.at, m->output.at[i].name.n));
	for (b = 0; ok && b < p->g->nnode; b++)
		if (live[b] && p->g->node[b].op == TN_OPAQUE)
			ok = claim_opaque(p, b);
	mem_free(live);
	return ok;
}
