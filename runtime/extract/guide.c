/*
 * A choice near to the relaxation: greed over costs that are lower the more of a node x holds, then single swaps by
 * true costs.  Any choice it gives is checked and costed by choice_settle.
 */
#include "base/mem.h"
#include "extract/component.h"
#include "extract/swap.h"

#define STEPS 1024	/* shares of x */

void
task_guide(struct solver *s, struct task *t, const struct relax *r)
{
	struct tn_problem hint = t->problem;
	int64_t *cost = mem_alloc(((size_t)r->ncol + 1) * sizeof *cost);
	uint32_t *node = mem_alloc(t->p->nclass * sizeof *node), col;

	for (col = 0; col < r->ncol; col++) {
		double rest = r->x[col] < 1 ? 1 - r->x[col] : 0;

		cost[col] = r->is_out[col] ? COST_MAX : t->problem.cost[col] / STEPS * (int64_t)(rest * STEPS) +
		    (int64_t)((double)(t->problem.cost[col] % STEPS) * rest);
	}
	hint.cost = cost;
	if (extract_dag(&hint, node, &s->limits) >= 0 && choice_settle(&t->problem, node, NULL) >= 0) {
		extract_local(&t->problem, node, &s->limits);
		task_offer(t, node);
	}
	mem_free(cost);
	mem_free(node);
}
