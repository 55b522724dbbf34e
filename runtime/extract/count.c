/*
 * How many choices an e-graph holds, as it is counted in papers: the product of the numbers of nodes over the
 * classes that the roots reach.
 *
 * Nodes that no finite derivation can take are not counted.  A choice may be cyclic, and two may differ where no
 * root needs it, so that there are fewer graphs: it is an upper bound.
 */
#include <math.h>

#include "base/mem.h"
#include "base/vec.h"
#include "extract/choice.h"

static bool
is_derivable(const struct tn_problem *p, uint32_t n, const uint32_t derivation[])
{
	uint32_t k;

	for (k = p->kid_first[n]; k < p->kid_first[n + 1]; k++)
		if (derivation[p->kid[k]] == TN_NONE)
			return false;
	return p->cost[n] != TN_COST_NEVER;
}

double
tn_problem_log2_choices(const struct tn_problem *p)
{
	uint32_t *derivation = mem_alloc(((size_t)p->nclass + 1) * sizeof *derivation), c, n, k, count;
	bool *reached = mem_alloc((size_t)p->nclass + 1);
	VEC(uint32_t) todo = {0};
	double log2_all = 0;

	extract_derivable(p, derivation);
	for (k = 0; k < p->nroot; k++)
		vec_push(&todo, p->root[k]);
	while (todo.n) {
		c = vec_pop(&todo);
		if (reached[c])
			continue;
		reached[c] = true;
		for (count = 0, n = p->first[c]; n < p->first[c + 1]; n++) {
			if (!is_derivable(p, n, derivation))
				continue;
			count++;
			for (k = p->kid_first[n]; k < p->kid_first[n + 1]; k++)
				vec_push(&todo, p->kid[k]);
		}
		log2_all += count ? log2(count) : -INFINITY;
	}
	vec_free(&todo);
	mem_free(reached);
	mem_free(derivation);
	return log2_all;
}
