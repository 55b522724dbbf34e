/* Cycles among the classes of an e-graph, of tensors or (t NULL) not, found by a walk, and classes that have no node left. */
#ifndef TESTS_ACYCLIC_H
#define TESTS_ACYCLIC_H

#include "base/mem.h"
#include "tenon/tenon.h"

enum { UNSEEN, OPEN, DONE };

static inline bool
reaches_open(const struct tn_egraph *g, const struct tn_tensors *t, tn_id c, uint8_t state[])
{
	const tn_id *node;
	uint32_t n, i, k;
	bool found = false;

	if (state[c] != UNSEEN)
		return state[c] == OPEN;
	state[c] = t && tn_tensors_is_constant(t, c) ? DONE : OPEN;	/* nothing is below a constant */
	if (state[c] == DONE)
		return false;
	node = tn_class_nodes(g, c, &n);
	for (i = 0; i < n && !found; i++) {
		struct tn_node e = tn_node_at(g, node[i]);

		for (k = 0; k < e.nkid && !found; k++)
			found = reaches_open(g, t, tn_find(g, e.kid[k]), state);
	}
	state[c] = DONE;
	return found;
}

static inline bool
has_cycle(const struct tn_egraph *g, const struct tn_tensors *t)
{
	uint8_t *state = mem_alloc(tn_nids(g));
	bool found = false;
	tn_id c;

	for (c = 0; c < tn_nids(g) && !found; c++)
		found = reaches_open(g, t, tn_find(g, c), state);
	mem_free(state);
	return found;
}

static inline bool
has_empty_class(const struct tn_egraph *g)
{
	uint32_t n;
	tn_id c;

	for (c = 0; c < tn_nids(g); c++)
		if (tn_find(g, c) == c && !tn_class_nodes(g, c, &n))
			return true;
	return false;
}

#endif
