/*
 * One component, from a first choice to a proven one.
 *
 * The relaxation gives a bound and a hint.  The bound takes nodes out and forces classes (bound.c); when enough went,
 * the program is rebuilt without them, which lets reductions and splits go on.  The hint gives better choices
 * (guide.c, rens.c), which makes the bound take more out.  What the relaxation gets wrong is cut off (separate.h);
 * when nothing is found to cut, the program is taken apart in two (branch.c).
 *
 * Every choice is checked and costed on the program it belongs to, and every bound is the exact one of bound.c or
 * follows from the reductions, so neither depends on the solver's tolerances.  The clock is asked only whether
 * the deadline has passed: without one, equal inputs and seeds go the same way.
 */
#include "extract/component.h"

#include <assert.h>
		switch (relax_solve(r)) {
		case LP_OPTIMAL:
			break;
		case LP_INFEASIBLE:
			return round && nout ? REBUILD : BRANCH;
		default:
			return solver_stops(s) ? DONE : BRANCH;
		}
		raise(t, relax_bound(r, t->upper, &more));
		s->report->relaxations++;
		s->report->out += more;
		if (t->bound >= t->upper)
			return DONE;
		improve(s, t, r, round);
		if (t->bound >= t->upper)
			return DONE;
		nout += more;
		if (nout * ENOUGH_OUT > r->ncol)
			return REBUILD;
		while (separate(s, r, eps[step]) == 0)
			if (++step == sizeof eps / sizeof *eps)
				return nout ? REBUILD : BRANCH;
		if (r->row.n > 2 * base)
			relax_purge(r, AGE);
	}
	return DONE;
}

void
task_solve(struct solver *s, struct task *t, const struct cut_pool *pool)
{
	struct cut_pool mine = {0};
	struct relax r;

	if (t->bound >= t->upper || solver_stops(s))
		return;
	if (t->problem.nnode == t->p->nclass) {		/* there is but one choice, and it is known */
		raise(t, t->cost);
		return;
	}
	s->report->programs++;
	relax_open(&r, t->p, &s->limits, t->upper);
	if (pool)
		pool_use(pool, &r);
	switch (rounds(s, t, &r)) {
	case DONE:
		break;
	case REBUILD:
		rebuild(s, t, &r);
		break;
	case BRANCH:
		pool_add(&mine, &r);
		task_branch(s, t, &r, &mine);
		pool_free(&mine);
		break;
	}
	relax_close(&r);
}

int64_t
component_solve(const struct prog *p, const struct prog_limits *limits, const struct component_options *options, uint32_t pick[], int64_t *bound)
{
	struct component_report report = {0};
	struct solver s = {.limits = *limits, .options = options, .report = options->report ? options->report : &report, .rng = {options->seed}};
	struct arena arena = {0};
	struct task t;
	uint32_t *node = mem_alloc(p->nclass * sizeof *node), c;

	if (!task_open(&t, p))
		assert(!"a component has a choice");
	for (c = 0; c < p->nclass; c++)
		node[c] = pick[c] == TN_NONE ? TN_NONE : t.problem.first[c] + pick[c];
	task_offer(&t, node);
	if (limits->upper < t.upper)
		t.upper = limits->upper;
	task_solve(&s, &t, NULL);
	memcpy(pick, t.pick, p->nclass * sizeof *pick);
	*bound = t.bound < t.upper ? t.bound : t.upper;
	arena_free(&arena);
	mem_free(t.pick);
	mem_free(node);
	return t.cost;
}
