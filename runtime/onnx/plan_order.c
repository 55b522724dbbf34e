/* The order of planned nodes: each after what it uses, and originals in their order; see plan.h. */
#include "onnx/plan.h"

/* the item that defines a name, or -1 */
static int64_t
definer(const struct plan *p, struct ref r, const int64_t of_made[])
{
	r = plan_resolve(p, r);
	return r.kind == REF_VALUE && p->by[r.id] >= 0 ? p->by[r.id] : r.kind == REF_MADE ? of_made[r.id] : -1;
}

/* refs of an item's operands */
static uint32_t
operands(const struct plan *p, const struct item *it, const struct ref **in)
{
	const struct onnx_node *n;

	if (it->node == ONNX_NONE) {
		*in = p->made.at[it->made].in;
		return p->made.at[it->made].nin;
	}
	n = &p->x->model.node.at[it->node];
	*in = it->in;
	return n->nin + n->ncapture;
}

/* where each item is to stand, and which one defines each made name, or -1 */
static void
find_places(const struct plan *p, uint64_t key[], int64_t of_made[])
{
	uint32_t i, k;

	for (i = 0; i < p->name.n; i++)
		of_made[i] = -1;
	for (i = 0; i < p->item.n; i++) {
		const struct item *it = &p->item.at[i];
		const struct made_node *made = it->node == ONNX_NONE ? &p->made.at[it->made] : NULL;

		key[i] = made ? made->key : ((uint64_t)it->node + 1) << 32;
		for (k = 0; made && k < made->nout; k++)
			if (made->out[k].kind == REF_MADE)
				of_made[made->out[k].id] = i;
	}
}

bool
plan_order(struct plan *p)
{
	uint32_t *first = mem_alloc((p->item.n + 2) * sizeof *first), i, k, n;
	int64_t *of_made = mem_alloc((p->name.n + 1) * sizeof *of_made), d;
	uint64_t *key = mem_alloc((p->item.n + 1) * sizeof *key);
	VEC(uint32_t) need = {0};
	const struct ref *in;
	bool ok;

	find_places(p, key, of_made);
	for (i = 0; i < p->item.n; i++) {
		n = operands(p, &p->item.at[i], &in);
		for (k = 0; k < n; k++) {
			d = definer(p, in[k], of_made);
			if (d >= 0)
				vec_push(&need, (uint32_t)d);
		}
		first[i + 1] = need.n;
	}
	p->order = arena_news(&p->mem, p->item.n + 1, uint32_t);
	ok = order_items(p->item.n, first, need.at, key, p->order);
	mem_free(first);
	mem_free(of_made);
	mem_free(key);
	vec_free(&need);
	return ok;
}
