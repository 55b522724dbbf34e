/*
 * A restricted program as heuristic (relaxation enforced neighbourhood, Berthold, Math. Prog. Comp. 6, 2014):
 * only the nodes that the relaxation holds some of, and those of the best choice known, so that there
 * always is one.  It reduces to little and is solved like any other, as far as a number of relaxations goes.
 * Its bounds say nothing about the whole.
 */
#include "base/mem.h"
#include "extract/component.h"

#define ZERO 1e-6
enum { RELAXATIONS = 150 };

void
task_rens(struct solver *s, struct task *t, const struct relax *r, const struct cut_pool *pool)
{
	bool *keep = mem_alloc((size_t)r->ncol + 1);
	uint32_t col, c;

	if (s->is_restricted) {
		mem_free(keep);
		return;
	}
	for (col = 0; col < r->ncol; col++)
		keep[col] = r->x[col] > ZERO;
	for (c = 0; c < t->p->nclass; c++)
		if (t->pick[c] != TN_NONE)
			keep[r->first[c] + t->pick[c]] = true;
	s->is_restricted = true;
	s->left = RELAXATIONS;
	task_part(s, t, r->first, keep, NULL, pool);
	s->is_restricted = false;
	mem_free(keep);
}
