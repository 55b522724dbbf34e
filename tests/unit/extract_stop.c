/*
 * Each phase of extraction stops soon after its time is up, on a large e-graph and a clock that counts how often it
 * is asked (in this build with every step of work): with a valid choice, and hardly asking again.
 */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "extract/frontier.h"
#include "extract/relax.h"
#include "extract/swap.h"
#include "problems.h"

enum { LARGE = 350000, SMALL = 20000, AGAIN = 100 };

static uint64_t asked;

static double
tick(void)
{
	return (double)++asked;
}

/* a long e-graph: children mostly a little further on, some a little before where is_cyclic */
static void
make(struct random *r, struct rng *g, uint32_t nclass, bool is_cyclic)
{
	uint32_t c, n, k, nn, nk, u;

	r->first.n = r->kid_first.n = r->kid.n = r->root.n = r->cost.n = 0;
	vec_push(&r->first, 0);
	vec_push(&r->kid_first, 0);
	for (c = 0; c < nclass; c++) {
		nn = 1 + rng_below(g, 3);
		for (n = 0; n < nn; n++) {
			nk = c + 8 < nclass ? 1 + rng_below(g, 3) : 0;
			for (k = 0; k < nk; k++) {
				u = c + 1 + rng_below(g, 8);
				if (is_cyclic && n && c > 50 && rng_below(g, 4) == 0)
					u = c - rng_below(g, 50);
				vec_push(&r->kid, u);
			}
			vec_push(&r->kid_first, r->kid.n);
			vec_push(&r->cost, (int64_t)rng_below(g, 100));
		}
		vec_push(&r->first, r->cost.n);
	}
	vec_push(&r->root, 0);
	r->p = (struct tn_problem){nclass, r->cost.n, 1, r->first.at, r->kid_first.at, r->kid.at, r->cost.at, r->root.at, NULL};
}

/* was the clock asked up to the deadline, but hardly beyond? */
static bool
in_time(const char *what, const struct prog_limits *limits)
{
	bool ok = (double)asked < limits->deadline_s + AGAIN;

	if (!ok)
		printf("%s: asked %" PRIu64 " times, the deadline was %.0f\n", what, asked, limits->deadline_s);
	asked = 0;
	return ok;
}

/* the parts of the solver that look at all of a component */
static bool
try_parts(const struct prog *p, const struct prog_limits *limits, uint32_t pick[])
{
	struct relax r;
	int64_t cost;
	bool ok = frontier_solve(p, limits, COST_MAX, 0, pick, &cost) != FRONTIER_DONE;

	ok &= in_time("frontier", limits);
	relax_open(&r, p, limits, COST_MAX);
	relax_close(&r);
	return ok & in_time("relaxation", limits);
}

static bool
try(const struct tn_problem *problem, double deadline)
{
	struct prog_limits limits = {.upper = COST_MAX, .deadline_s = deadline, .clock = tick};
	struct component_options options = {0};
	struct tn_extract_report report = {0};
	struct arena arena = {0};
	struct prog *p = prog_new(problem, &arena);
	uint32_t *node = mem_alloc(problem->nclass * sizeof *node), *pick = mem_alloc(problem->nclass * sizeof *pick);
	int64_t cost, local, bound;
	bool ok;

	asked = 0;
	cost = extract_dag(problem, node, &limits);
	ok = in_time("greed", &limits) && cost >= 0 && choice_settle(problem, node, NULL) == cost;
	limits.deadline_s = fmin(deadline, 30);		/* a step of it can be long */
	local = extract_local(problem, node, &limits);
	ok = ok && in_time("local search", &limits) && local <= cost && choice_settle(problem, node, NULL) == local;
	limits.deadline_s = deadline;
	ok = ok && prog_reduce(p, &limits, NULL) && in_time("reductions", &limits) && try_parts(p, &limits, pick);
	if (ok) {
		limits.deadline_s = 1;
		bound = prog_solve(p, &limits, &options, pick, &report);
		memset(node, 0xff, problem->nclass * sizeof *node);
		prog_expand(p, pick, node);
		cost = choice_settle(problem, node, NULL);
		ok = in_time("components", &limits) && cost >= bound;
	}
	mem_free(node);
	mem_free(pick);
	arena_free(&arena);
	return ok;
}

int
main(void)
{
	struct rng g = {5};
	struct random r = {0};
	double deadline;
	bool ok;

	make(&r, &g, LARGE, true);
	ok = try(&r.p, 1000);
	for (deadline = 1; ok && deadline < 1e6; deadline *= 100) {
		make(&r, &g, SMALL, rng_below(&g, 2));
		ok = try(&r.p, deadline);
	}
	random_free(&r);
	return !ok;
}
