/*
 * Tree greedy: the least cost where shared parts are paid for at each use.
 *
 * Knuth's generalisation of Dijkstra's algorithm to superior functions (Inf. Proc. Letters 6(1),
 * 1977): classes are settled in order of rising cost, a node is ready when its last child is
 * settled, and the first ready node of a class is its cheapest.  A node's children are settled
 * before its class, so the choice is acyclic, zero costs included.
 */
#include "base/mem.h"
#include "extract/choice.h"
#include "extract/heap.h"

void
extract_derivable(const struct tn_problem *p, uint32_t node[])
{
	uint32_t *first, *users = problem_users(p, &first), *class = problem_classes(p);
	uint32_t *missing = mem_alloc(p->nnode * sizeof *missing), n, c, i;
	int64_t *sum = mem_alloc(p->nnode * sizeof *sum);
	heap h = {0};

	for (c = 0; c < p->nclass; c++)
		node[c] = TN_NONE;
	for (n = 0; n < p->nnode; n++) {
		missing[n] = p->kid_first[n + 1] - p->kid_first[n];
		sum[n] = p->cost[n];
		if (!missing[n] && sum[n] != TN_COST_NEVER)
			heap_push(&h, (struct ready){sum[n], n});
	}
	while (h.n) {
		struct ready r = heap_pop(&h);

		c = class[r.of];
		if (node[c] != TN_NONE)
			continue;
		node[c] = r.of;
		for (i = first[c]; i < first[c + 1]; i++) {
			n = users[i];
			if (p->cost[n] == TN_COST_NEVER)
				continue;
			sum[n] = cost_add(sum[n], r.cost);
			if (!--missing[n])
				heap_push(&h, (struct ready){sum[n], n});
		}
	}
	vec_free(&h);
	mem_free(sum);
	mem_free(missing);
	mem_free(class);
	mem_free(users);
	mem_free(first);
}

int64_t
extract_tree(const struct tn_problem *p, uint32_t node[])
{
	extract_derivable(p, node);
	return choice_settle(p, node, NULL);
}
