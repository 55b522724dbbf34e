/* Components are solved to the proven optimum, with each cut family alone and none: against brute force on random e-graphs. */
#include <string.h>

#include "base/mem.h"
#include "extract/prog.h"
#include "problems.h"

/* solve all components of the reduced program; the sum of costs, the sum of bounds, and the choice */
static int64_t
solve_parts(const struct prog *p, const struct prog_limits *limits, const struct component_options *options, uint32_t node[], int64_t *bound)
{
	uint32_t n, i, c, *pick = mem_alloc(p->nclass * sizeof *pick);
	struct prog **part = prog_split(p, &n);
	int64_t cost = p->constant, low;

	*bound = p->constant;
	memset(pick, 0xff, p->nclass * sizeof *pick);
	prog_expand(p, pick, node);
	for (i = 0; i < n; i++) {
		for (c = 0; c < part[i]->nclass; c++)
			pick[c] = TN_NONE;
		cost += component_solve(part[i], limits, options, pick, &low);
		*bound += low;
		prog_expand(part[i], pick, node);
	}
	mem_free(pick);
	return cost;
}

static bool
try(const struct tn_problem *problem, int64_t best, uint32_t reductions_off, uint32_t cuts_off, struct component_report *report)
{
	struct prog_limits limits = {.upper = COST_MAX, .off = reductions_off};
	struct component_options options = {.off = cuts_off, .report = report};
	struct arena arena = {0};
	struct prog *p = prog_new(problem, &arena);
	uint32_t *node = mem_alloc(problem->nclass * sizeof *node);
	int64_t cost, bound;
	bool ok = true;

	memset(node, 0xff, problem->nclass * sizeof *node);
	if (prog_reduce(p, &limits, NULL)) {
		cost = solve_parts(p, &limits, &options, node, &bound);
		ok = cost == best && bound == best && choice_settle(problem, node, NULL) == best;
		if (!ok)
			printf("cheapest %" PRId64 ", found %" PRId64 ", bound %" PRId64 ", reductions off %x, cuts off %x\n", best, cost, bound,
			    reductions_off, cuts_off);
	} else {
		ok = best < 0;
	}
	mem_free(node);
	arena_free(&arena);
	return ok;
}

/* a choice as cheap as the bound that is asked for is not looked for: the bound stays there */
static bool
stays_below(const struct tn_problem *problem, int64_t best)
{
	struct prog_limits limits = {.upper = COST_MAX};
	struct component_options options = {0};
	struct arena arena = {0};
	struct prog *p = prog_new(problem, &arena), **part;
	uint32_t n, pick[64];
	int64_t bound = 0;
	bool ok = true;

	if (prog_reduce(p, &limits, NULL)) {
		part = prog_split(p, &n);
		if (n == 1 && part[0]->nclass <= 64) {
			memset(pick, 0xff, sizeof pick);
			limits.upper = best - p->constant;
			component_solve(part[0], &limits, &options, pick, &bound);
			ok = bound == limits.upper;
		}
	}
	arena_free(&arena);
	return ok;
}

/* stopped at any moment it has a valid choice, and a bound that holds */
static bool
stops(const struct tn_problem *problem, int64_t best, struct rng *g)
{
	int interrupted = rng_below(g, 3) == 0;
	struct prog_limits limits = {.upper = COST_MAX, .off = rng_below(g, 2) ? (1u << NSTEP) - 1 : 0};
	struct component_options options = {0};
	struct arena arena = {0};
	struct prog *p = prog_new(problem, &arena);
	uint32_t *node = mem_alloc(problem->nclass * sizeof *node);
	int64_t cost, bound, settled;
	bool ok = true;

	memset(node, 0xff, problem->nclass * sizeof *node);
	if (prog_reduce(p, &limits, NULL)) {
		limits.interrupted = &interrupted;
		limits.deadline_s = clock_now() + 2e-3 * rng_unit(g);
		cost = solve_parts(p, &limits, &options, node, &bound);
		settled = choice_settle(problem, node, NULL);
		ok = bound <= best && best <= settled && settled <= cost;
	}
	mem_free(node);
	arena_free(&arena);
	return ok;
}

enum { NWAY = NCUT + 2 };
static const uint32_t cuts_off[NWAY] = {6, 5, 3, 7, 0};	/* one family alone, none, all */

/* small ones against brute force */
static bool
try_small(const struct random *r, struct rng *g, struct component_report report[])
{
	uint32_t all = (1u << NSTEP) - 1, *node = mem_alloc(r->p.nclass * sizeof *node), k;
	int64_t best = extract_brute(&r->p, node);
	bool ok = true;

	for (k = 0; ok && k < NWAY; k++)
		ok = try(&r->p, best, rng_below(g, 3) ? all : 0, cuts_off[k], &report[k]);
	ok = ok && (best < 0 || stays_below(&r->p, best));
	mem_free(node);
	return ok;
}

/* larger ones against the published program with cycles cut as they appear, by lp_solve's own branching */
static bool
try_large(const struct random *r, struct rng *g, struct component_report report[])
{
	uint32_t all = (1u << NSTEP) - 1, *node = mem_alloc(r->p.nclass * sizeof *node), k;
	struct tn_extract_options plain = {.method = TN_ILP_PLAIN, .cycles = TN_LAZY};
	struct tn_choice *choice = tn_extract(&r->p, &plain, NULL);
	int64_t best = choice ? choice->cost : -1;
	bool ok = !choice || choice->is_proven;

	tn_choice_free(choice);
	for (k = 0; ok && k < NWAY; k++)
		ok = try(&r->p, best, rng_below(g, 3) ? all : 0, cuts_off[k], &report[k]);
	ok = ok && (best < 0 || stops(&r->p, best, g));
	mem_free(node);
	return ok;
}

int
main(void)
{
	struct component_report report[NWAY] = {0};
	struct rng g = {11};
	struct random r = {0};
	bool ok = true;
	uint32_t k;
	int i;

	for (i = 0; ok && i < 14000; i++) {
		random_make(&r, &g, i % 7 ? 10 : 60);
		ok = i % 7 ? try_small(&r, &g, report) : try_large(&r, &g, report);
		if (!ok) {
			printf("random e-graph %d:\n", i);
			random_show(&r);
		}
	}
	random_free(&r);
	/* none of it was idle */
	for (k = 0; ok && k < NWAY; k++)
		if (report[k].branches == 0 || (k < NCUT && report[k].cut[k] == 0)) {
			printf("way %u: %" PRIu64 " branches, %" PRIu64 " cuts\n", k, report[k].branches, k < NCUT ? report[k].cut[k] : 0);
			ok = false;
		}
	return !ok;
}
