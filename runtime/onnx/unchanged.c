/* Would the file be the original? See plan.h. */
#include "onnx/plan.h"

bool
plan_is_verbatim(const struct plan *p, const struct item *it)
{
	const struct onnx_node *n = &p->x->model.node.at[it->node];
	uint32_t i, v;

	for (i = 0; i < n->nin + n->ncapture; i++) {
		v = i < n->nin ? n->in[i] : n->capture[i - n->nin];
		if (v != ONNX_NONE && !span_equal(plan_name(p, it->in[i]), p->x->model.value.at[v].name))
			return false;
	}
	for (i = 0; i < n->nout; i++)
		if (n->out[i] != ONNX_NONE && p->by[n->out[i]] != p->item_of[it->node])
			return false;
	return true;
}

/* does every node that the outputs need come out? what they do not need may go with the rest */
static bool
all_come_out(const struct plan *p)
{
	const struct onnx_model *m = &p->x->model;
	bool *live = mem_alloc(m->value.n + 1), ok = true;
	uint32_t i, k, v;

	for (i = 0; i < m->value.n; i++)
		live[i] = m->value.at[i].is_output;
	for (i = m->node.n; ok && i-- > 0;) {
		const struct onnx_node *n = &m->node.at[p->x->order[i]];
		bool is_live = false;

		for (k = 0; k < n->nout; k++)
			is_live |= n->out[k] != ONNX_NONE && live[n->out[k]];
		for (k = 0; is_live && k < n->nin + n->ncapture; k++) {
			v = k < n->nin ? n->in[k] : n->capture[k - n->nin];
			if (v != ONNX_NONE)
				live[v] = true;
		}
		ok = !is_live || p->item_of[p->x->order[i]] >= 0;
	}
	mem_free(live);
	return ok;
}

bool
plan_is_unchanged(const struct plan *p)
{
	uint32_t i;

	if (p->made.n || p->tensor.n)
		return false;
	for (i = 0; i < p->item.n; i++)
		if (!plan_is_verbatim(p, &p->item.at[i]))
			return false;
	return all_come_out(p);
}
