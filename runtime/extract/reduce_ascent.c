/*
 * Nodes too dear for any choice that is cheaper than the best one known, by dual ascent: ascent.h.
 *
 * Some cheapest choice has only what the roots need; the others go.
 */
#include "base/mem.h"
#include "extract/ascent.h"
#include "extract/reduce.h"

void
step_ascent(struct reduction *r)
{
	struct prog *p = r->p;
	struct arena arena = {0}, *kept = p->arena;
	struct tn_problem problem;
	struct ascent a;
	bool *keep;
	uint32_t c, n;

	p->arena = &arena;
	problem = prog_problem(p);
	p->arena = kept;
	ascent_make(&a, &problem, &r->watch);
	keep = mem_alloc(prog_widest(p));
	for (c = 0; c < p->nclass; c++) {
		for (n = problem.first[c]; n < problem.first[c + 1]; n++)
			keep[n - problem.first[c]] = cost_add(p->constant, ascent_with(&a, &problem, c, n)) < r->limits->upper;
		prog_filter(p, c, keep);
	}
	mem_free(keep);
	ascent_free(&a);
	arena_free(&arena);
}
