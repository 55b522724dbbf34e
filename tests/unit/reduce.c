/*
 * Each reduction alone, and all together, keep a cheapest choice, also where time is up in the middle of one: against brute
 * force on random e-graphs.
 */
#include <string.h>

#include "base/mem.h"
#include "extract/prog.h"
#include "problems.h"

/* the cheapest choice of a program by brute force, part by part, written into the original's node[]; its cost
 * without constant, -1: there is none */
static int64_t
solve_parts(const struct prog *p, uint32_t node[])
{
	uint32_t n, i, *pick;
	struct prog **part = prog_split(p, &n);
	int64_t cost = 0, one;

	for (i = 0; i < n && cost >= 0; i++) {
		struct tn_problem problem = prog_problem(part[i]);

		pick = mem_alloc(problem.nclass * sizeof *pick);
		one = extract_brute(&problem, pick);
		if (one >= 0) {
			prog_pick(&problem, pick);
			prog_expand(part[i], pick, node);
		}
		cost = one < 0 ? -1 : cost + one;
		mem_free(pick);
	}
	return cost;
}

/* solve the reduced program and bring its choice home, by way of the program it is a copy of, if it is; the cost the program
 * says, -1: there is none */
static int64_t
solve(struct prog *p, const struct prog *copied, uint32_t nclass, uint32_t node[])
{
	uint32_t *none = mem_alloc(nclass * sizeof *none), *pick = mem_alloc(nclass * sizeof *pick);
	int64_t cost;

	memset(none, 0xff, nclass * sizeof *none);
	memset(pick, 0xff, nclass * sizeof *pick);
	cost = solve_parts(p, copied ? pick : node);
	if (cost >= 0) {
		prog_expand(p, none, copied ? pick : node);
		if (copied)
			prog_expand(copied, pick, node);
		cost += p->constant;
	}
	mem_free(none);
	mem_free(pick);
	return cost;
}

/* does the reduced program hold a choice of cost `best`, if that is below the limit? */
static bool
try(const struct tn_problem *problem, int64_t best, const struct prog_limits *limits, bool by_copy)
{
	struct arena arena = {0};
	struct prog *p = prog_new(problem, &arena), *copy = by_copy ? prog_copy(p, &arena) : NULL;
	uint32_t *node = mem_alloc(problem->nclass * sizeof *node);
	int64_t cost = -1, settled = -1;
	bool ok;

	memset(node, 0xff, problem->nclass * sizeof *node);
	if (prog_reduce(copy ? copy : p, limits, NULL))
		cost = solve(copy ? copy : p, copy ? p : NULL, problem->nclass, node);
	if (cost >= 0)
		settled = choice_settle(problem, node, NULL);
	if (best < 0 || best >= limits->upper)
		ok = cost < 0 || (best >= 0 && settled >= best && settled <= cost);
	else
		ok = cost >= best && settled == best;
	mem_free(node);
	arena_free(&arena);
	return ok;
}

static uint32_t asked;

/* a clock that is asked with every step of work in this build */
static double
tick(void)
{
	return ++asked;
}

static bool
try_all(const struct random *r, struct rng *g)
{
	uint32_t all = (1u << NSTEP) - 1, step, *node = mem_alloc(r->p.nclass * sizeof *node);
	int64_t best = extract_brute(&r->p, node);
	struct prog_limits limits = {.upper = COST_MAX, .clock = tick};
	bool ok = true;

	mem_free(node);
	for (step = 0; ok && step <= NSTEP; step++) {
		limits.off = step == NSTEP ? 0 : all & ~(1u << step);
		limits.upper = best < 0 || rng_below(g, 2) ? COST_MAX : best + (int64_t)rng_below(g, 3);
		asked = 0;
		limits.deadline_s = rng_below(g, 3) ? 0 : 1 + rng_below(g, 200);
		ok = try(&r->p, best, &limits, rng_below(g, 4) == 0);
	}
	if (!ok)
		printf("step %s, upper %" PRId64 ", cheapest %" PRId64 "\n",
		    step > NSTEP ? "all" : prog_step_name[step - 1], limits.upper, best);
	return ok;
}

int
main(void)
{
	struct rng g = {7};
	struct random r = {0};
	int i;

	for (i = 0; i < 20000; i++) {
		random_make(&r, &g, 9);
		if (!try_all(&r, &g)) {
			printf("random e-graph %d:\n", i);
			random_show(&r);
			return 1;
		}
	}
	random_free(&r);
	return 0;
}
