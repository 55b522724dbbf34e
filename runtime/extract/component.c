/*
 * One component, from a first choice to a proven one.
 *
 * Dual ascent gives a bound, a choice and rows to begin with (ascent.h), then the relaxation gives a bound and a hint.
 * The bound takes nodes out and forces classes (bound.c); when enough went, the program is rebuilt without them, which
 * lets reductions and splits go on.  The hint gives better choices (guide.c, rens.c), which makes the bound take more out.
 * What the relaxation gets wrong is cut off (separate.h); when nothing is found to cut, the program is taken apart in two
 * (branch.c).
 *
 * Every choice is checked and costed on the program it belongs to, and every bound is the exact one of bound.c or
 * follows from the reductions, so neither depends on the solver's tolerances.  The clock is asked only whether
 * the deadline has passed: without one, equal inputs and seeds go the same way.
 */
#include "extract/component.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"

const char *const cut_name[NCUT] = {"ascent", "loop", "flow"};

enum {
	ENOUGH_OUT = 60,	/* one in so many nodes is out: the program is rebuilt */
	AGE = 6,		/* solves that a cut may be idle */
	FLOW_ENOUGH = 10,	/* cuts in a round, of one kind and then the next … */
	FLOW_MOST = 30,		/* … and of each */
};

#define MOST_ROWS (UINT64_C(1) << 29)	/* words looked at for rows of the ascent, part of a second */

static bool
solver_stops(const struct solver *s)
{
	return prog_out_of_time(&s->limits) || (s->is_restricted && s->left == 0);
}

bool
task_offer(struct task *t, uint32_t node[])
{
	int64_t cost = choice_settle(&t->problem, node, NULL);

	if (cost < 0 || cost >= t->cost)
		return false;
	t->cost = cost;
	if (cost < t->upper)
		t->upper = cost;
	prog_pick(&t->problem, node);
	memcpy(t->pick, node, t->p->nclass * sizeof *node);
	return true;
}

static void
raise(struct task *t, int64_t bound)
{
	if (bound > t->upper)
		bound = t->upper;
	if (bound > t->bound)
		t->bound = bound;
}

/* the ascent's bound and choice */
static void
use_ascent(struct solver *s, struct task *t, uint32_t node[])
{
	struct watch watch = {.limits = &s->limits};

	ascent_make(&t->ascent, &t->problem, &watch);
	if (t->ascent.bound > t->bound)
		t->bound = t->ascent.bound;
	if (t->cost > t->bound && ascent_choose(&t->ascent, &t->problem, node, &s->limits) >= 0)
		task_offer(t, node);
}

/* the task of a program, with a choice by greed or by ascent; false: there is none */
static bool
task_open(struct solver *s, struct task *t, const struct prog *p)
{
	uint32_t *node = mem_alloc(p->nclass * sizeof *node);

	*t = (struct task){.p = p, .problem = prog_problem(p), .cost = INT64_MAX, .upper = INT64_MAX,
	    .bound = prog_root_cost(p)};
	t->pick = mem_alloc(p->nclass * sizeof *t->pick);
	if (extract_dag(&t->problem, node, &s->limits) >= 0)
		task_offer(t, node);
	if (!(s->options->off & 1 << CUT_ASCENT))
		use_ascent(s, t, node);
	mem_free(node);
	return t->cost != INT64_MAX;
}

static void
task_close(struct task *t)
{
	mem_free(t->pick);
	ascent_free(&t->ascent);
}

/* ---- a program's parts ------------------------------------------------------------------------------------------- */

/* the parts' choices as one of the whole */
static void
offer_parts(struct task *t, const struct prog *q, const struct task part[], uint32_t n)
{
	uint32_t *none = mem_alloc(q->nclass * sizeof *none), *node = mem_alloc(t->p->nclass * sizeof *node), c, k;

	memset(none, 0xff, q->nclass * sizeof *none);
	memset(node, 0xff, t->p->nclass * sizeof *node);
	prog_expand(q, none, node);
	for (k = 0; k < n; k++)
		prog_expand(part[k].p, part[k].pick, node);
	for (c = 0; c < t->p->nclass; c++)
		if (node[c] != TN_NONE)
			node[c] += t->problem.first[c];
	task_offer(t, node);
	mem_free(none);
	mem_free(node);
}

/* the index of the part to solve next: the smallest not solved yet, the first of equals */
static uint32_t
next_part(const struct task part[], const bool done[], uint32_t n)
{
	uint32_t k, best = TN_NONE;

	for (k = 0; k < n; k++)
		if (!done[k] && (best == TN_NONE || part[k].problem.nnode < part[best].problem.nnode))
			best = k;
	return best;
}

static void task_solve(struct solver *, struct task *, const struct cut_pool *);

/* Solve the parts one by one: each is asked for what leaves the sum below t->upper, given the others' bounds. */
static int64_t
solve_parts(struct solver *s, struct task *t, const struct prog *q, struct task part[], uint32_t n, const struct cut_pool *pool)
{
	bool *done = mem_alloc((size_t)n + 1);
	int64_t bound = q->constant, before;
	uint32_t i, k;

	for (k = 0; k < n; k++)
		bound = cost_add(bound, part[k].bound);
	offer_parts(t, q, part, n);
	for (i = 0; i < n && bound < t->upper; i++) {
		k = next_part(part, done, n);
		done[k] = true;
		before = part[k].bound;
		part[k].upper = t->upper - (bound - before);
		if (part[k].cost < part[k].upper)
			part[k].upper = part[k].cost;
		task_solve(s, &part[k], pool);
		bound += part[k].bound - before;
		offer_parts(t, q, part, n);
	}
	mem_free(done);
	return bound < t->upper ? bound : t->upper;
}

int64_t
task_part(struct solver *s, struct task *t, const uint32_t first[], const bool keep[], const bool root[],
    const struct cut_pool *pool)
{
	struct arena arena = {0};
	struct prog *q = prog_copy(t->p, &arena), **prog;
	struct prog_report report = {0};
	struct task *part;
	uint32_t n = 0, k, c;
	int64_t bound = t->upper;
	bool any = true;

	for (c = 0; c < q->nclass; c++) {
		prog_filter(q, c, keep + first[c]);
		q->class[c].is_root |= root && root[c];
	}
	s->limits.upper = t->upper;
	if (prog_reduce(q, &s->limits, &report)) {
		prog = prog_split(q, &n);
		part = mem_alloc(((size_t)n + 1) * sizeof *part);
		for (k = 0; k < n; k++)
			any &= task_open(s, &part[k], prog[k]);
		if (any)
			bound = solve_parts(s, t, q, part, n, pool);
		for (k = 0; k < n; k++)
			task_close(&part[k]);
		mem_free(part);
	}
	arena_free(&arena);
	return bound;
}

/* ---- the loop ------------------------------------------------------------------------------------------------- */

/* One round of separation; how many cuts were added. */
static uint32_t
separate(struct solver *s, struct relax *r, double eps)
{
	uint32_t n[NCUT] = {0}, by, k, sum = 0;

	if (!(s->options->off & 1 << CUT_LOOP))
		n[CUT_LOOP] = cut_loops(r, eps);
	if (!(s->options->off & 1 << CUT_FLOW))
		for (by = 0; by < NFLOW_KID && n[CUT_FLOW] < FLOW_ENOUGH; by++)
			n[CUT_FLOW] += cut_flows(r, (by + r->nsolve) % NFLOW_KID, &s->rng, eps, FLOW_MOST);
	for (k = 0; k < NCUT; k++) {
		sum += n[k];
		s->report->cut[k] += n[k];
	}
	return sum;
}

/* the program without what is out, and with what is forced */
static void
rebuild(struct solver *s, struct task *t, const struct relax *r)
{
	struct cut_pool pool = {0};
	bool *keep = mem_alloc((size_t)r->ncol + 1);
	uint32_t col;

	for (col = 0; col < r->ncol; col++)
		keep[col] = !r->is_out[col];
	pool_add(&pool, r);
	raise(t, task_part(s, t, r->first, keep, r->is_forced, &pool));
	pool_free(&pool);
	mem_free(keep);
}

/* better choices, seldom the dear ones */
static void
improve(struct solver *s, struct task *t, const struct relax *r, uint32_t round)
{
	struct cut_pool pool = {0};

	if (round % 4 == 0)
		task_guide(s, t, r);
	if (r->ncol > 60 && (round == 2 || round == 12)) {
		pool_add(&pool, r);
		task_rens(s, t, r, &pool);
		pool_free(&pool);
	}
}

enum next { DONE, REBUILD, BRANCH };

static enum next
rounds(struct solver *s, struct task *t, struct relax *r)
{
	static const double eps[] = {1e-2, 1e-3, 1e-4};
	uint32_t round, nout = 0, more, step = 0, base = r->row.n;

	for (round = 0; !solver_stops(s); round++) {
		s->left -= s->is_restricted;
		switch (relax_solve(r)) {
		case LP_OPTIMAL:
			break;
		case LP_INFEASIBLE:
			return round && nout ? REBUILD : BRANCH;
		default:
			if (!solver_stops(s))
				return BRANCH;
			/* multipliers of a solve that was cut short give a bound as well */
			raise(t, relax_bound(r, t->upper, &more));
			return DONE;
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

/* the ascent's sets as rows, as many as pay: the first relaxation gives its bound at least; sets of two are rows already */
static void
add_ascent(struct solver *s, const struct ascent *a, struct relax *r)
{
	uint32_t i, k, c, from = 0;
	uint64_t work = 0;

	for (i = 0; i < a->end.n && work < MOST_ROWS; from = a->end.at[i++]) {
		for (k = from; k < a->end.at[i]; k++) {
			c = a->member.at[k];
			work += (uint64_t)(r->first[c + 1] - r->first[c]) * r->must.words;
		}
		if (a->end.at[i] - from > 2)
			s->report->cut[CUT_ASCENT] += relax_cut(r, a->member.at + from, a->end.at[i] - from);
	}
}

/* Cost, pick, upper and bound of the task get better. */
static void
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
	add_ascent(s, &t->ascent, &r);
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
component_solve(const struct prog *p, const struct prog_limits *limits, const struct component_options *options,
    uint32_t pick[], int64_t *bound)
{
	struct component_report report = {0};
	struct solver s = {.limits = *limits, .options = options, .report = &report, .rng = {options->seed},
	    .is_restricted = options->relaxations, .left = options->relaxations};
	struct task t;
	uint32_t *node = mem_alloc(p->nclass * sizeof *node), c;

	if (options->report)
		s.report = options->report;
	if (!task_open(&s, &t, p))
		assert(!"a component has a choice");
	for (c = 0; c < p->nclass; c++)
		node[c] = pick[c] == TN_NONE ? TN_NONE : t.problem.first[c] + pick[c];
	task_offer(&t, node);
	if (limits->upper < t.upper)
		t.upper = limits->upper;
	task_solve(&s, &t, NULL);
	memcpy(pick, t.pick, p->nclass * sizeof *pick);
	*bound = t.bound < t.upper ? t.bound : t.upper;
	task_close(&t);
	mem_free(node);
	return t.cost;
}
