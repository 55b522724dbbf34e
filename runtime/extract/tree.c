/*
 * Tree greedy: the least cost where shared parts are paid for at each use.
 *
 * Knuth's generalisation of Dijkstra's algorithm to superior functions (Inf. Proc. Letters 6(1),
 * 1977): classes are settled in order of rising cost, a node is ready when its last child is
 * settled, and the first ready node of a class is its cheapest.  A node's children are settled
 * before its class, so the choice is acyclic, zero costs included.
 */
#include "base/mem.h"
#include "base/vec.h"
#include "extract/choice.h"

struct ready {
	int64_t cost;
	uint32_t node;
};
typedef VEC(struct ready) heap;

/* by cost, then by node, so that the order is one */
static bool
before(struct ready a, struct ready b)
{
	return a.cost != b.cost ? a.cost < b.cost : a.node < b.node;
}

static void
heap_push(heap *h, struct ready r)
{
	uint32_t i = h->n;

	vec_push(h, r);
	for (; i && before(r, h->at[(i - 1) / 2]); i = (i - 1) / 2)
		h->at[i] = h->at[(i - 1) / 2];
	h->at[i] = r;
}

static struct ready
heap_pop(heap *h)
{
	struct ready top = h->at[0], last = h->at[--h->n];
	uint32_t i = 0, k;

	while ((k = 2 * i + 1) < h->n) {
		if (k + 1 < h->n && before(h->at[k + 1], h->at[k]))
			k++;
		if (!before(h->at[k], last))
			break;
		h->at[i] = h->at[k];
		i = k;
	}
	if (h->n)
		h->at[i] = last;
	return top;
}

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

		c = class[r.node];
		if (node[c] != TN_NONE)
			continue;
		node[c] = r.node;
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
