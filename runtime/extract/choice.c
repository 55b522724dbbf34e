/* Checking and costing choices; see choice.h. */

#include "base/mem.h"
#include "base/vec.h"
#include "extract/choice.h"

bool
problem_check(const struct tn_problem *p, struct tn_error *e)
{
	uint32_t i;

	for (i = 0; i < p->nclass; i++)
		if (p->first[i] > p->first[i + 1])
			return tn_fail(e, TN_E_INPUT, "class %u: its nodes are out of order", i);
	if (p->nclass ? p->first[0] != 0 || p->first[p->nclass] != p->nnode : p->nnode != 0)
		return tn_fail(e, TN_E_INPUT, "the classes do not cover the nodes");
	for (i = 0; i < p->nnode; i++) {
		if (p->kid_first[i] > p->kid_first[i + 1])
			return tn_fail(e, TN_E_INPUT, "node %u: its children are out of order", i);
		if (p->cost[i] < 0)
			return tn_fail(e, TN_E_INPUT, "node %u: its cost is negative", i);
	}
	for (i = 0; p->nnode && i < p->kid_first[p->nnode]; i++)
		if (p->kid[i] >= p->nclass)
			return tn_fail(e, TN_E_INPUT, "child %u: there is no class %u", i, p->kid[i]);
	for (i = 0; i < p->nroot; i++)
		if (p->root[i] >= p->nclass)
			return tn_fail(e, TN_E_INPUT, "root %u: there is no class %u", i, p->root[i]);
	return true;
}

enum { UNSEEN, OPEN, DONE };

/* depth-first from a class along the choice; -1 and *cycle at a class that is open or has no node */
static int64_t
visit(const struct tn_problem *p, const uint32_t node[], uint32_t from, uint8_t state[], uint32_t *cycle)
{
	struct frame { uint32_t class, kid; };
	VEC(struct frame) stack = {0};
	int64_t cost = 0;

	*cycle = TN_NONE;
	if (state[from] != DONE)
		vec_push(&stack, ((struct frame){from, 0}));
	while (stack.n) {
		struct frame *f = &stack.at[stack.n - 1];
		uint32_t n = node[f->class], c;

		if (n == TN_NONE || p->cost[n] == TN_COST_NEVER) {
			cost = -1;
			break;
		}
		if (f->kid == 0)
			state[f->class] = OPEN;
		if (p->kid_first[n] + f->kid == p->kid_first[n + 1]) {
			state[f->class] = DONE;
			cost = cost_add(cost, p->cost[n]);
			stack.n--;
			continue;
		}
		c = p->kid[p->kid_first[n] + f->kid++];
		if (state[c] == OPEN) {
			*cycle = c;
			cost = -1;
			break;
		}
		if (state[c] == UNSEEN)
			vec_push(&stack, ((struct frame){c, 0}));
	}
	vec_free(&stack);
	return cost;
}

int64_t
choice_settle(const struct tn_problem *p, uint32_t node[], uint32_t *cycle)
{
	uint8_t *state = mem_alloc(p->nclass);
	uint32_t i, on = TN_NONE;
	int64_t cost = 0, more;

	for (i = 0; i < p->nroot && cost >= 0; i++) {
		more = visit(p, node, p->root[i], state, &on);
		cost = more < 0 ? -1 : cost_add(cost, more);
	}
	if (cost >= 0)
		for (i = 0; i < p->nclass; i++)
			if (state[i] != DONE)
				node[i] = TN_NONE;
	if (cycle)
		*cycle = on;
	mem_free(state);
	return cost;
}

uint32_t *
problem_users(const struct tn_problem *p, uint32_t **first)
{
	uint32_t nkid = p->nnode ? p->kid_first[p->nnode] : 0, i, n;
	uint32_t *at = mem_alloc(((size_t)p->nclass + 2) * sizeof *at), *users = mem_alloc(nkid * sizeof *users);

	for (i = 0; i < nkid; i++)
		at[p->kid[i] + 2]++;
	for (i = 2; i < p->nclass + 2; i++)
		at[i] += at[i - 1];
	for (n = 0; n < p->nnode; n++)
		for (i = p->kid_first[n]; i < p->kid_first[n + 1]; i++)
			users[at[p->kid[i] + 1]++] = n;
	*first = at;
	return users;
}

uint32_t *
problem_classes(const struct tn_problem *p)
{
	uint32_t *of = mem_alloc(p->nnode * sizeof *of), c, n;

	for (c = 0; c < p->nclass; c++)
		for (n = p->first[c]; n < p->first[c + 1]; n++)
			of[n] = c;
	return of;
}
