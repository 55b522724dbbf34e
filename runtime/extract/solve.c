/*
 * The reduced program, component by component.
 *
 * Components share no class, so their cheapest choices make the cheapest whole, and their bounds add up.  Of equal
 * components one is solved.  Small ones come first: what they leave of the time, and of the distance to the known
 * cost, is the large ones'.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "extract/ascent.h"
#include "extract/equal.h"
#include "extract/frontier.h"
#include "extract/swap.h"

enum { FEW_LOOKS = 16, FEW_RELAXATIONS = 16 };		/* looks at states, a node */

struct part {
	struct prog *p;
	uint32_t index;			/* among the components */
	uint32_t nnode;
	uint32_t same;			/* place of the equal one that is solved; its own: none before it */
	struct canon canon;
	uint32_t *pick;
	int64_t bound;
	bool is_solved;
};

struct parts {
	const struct prog *whole;
	const struct prog_limits *limits;
	const struct component_options *options;
	struct part *at;		/* by size */
	uint32_t n;
	uint32_t *place;		/* of component i in at[] */
	int64_t bound;			/* of the whole */
};

static int
by_size(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->nnode != y->nnode)
		return x->nnode < y->nnode ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* what a component costs at least */
static int64_t
least_cost(const struct prog *p, const struct prog_limits *limits)
{
	struct tn_problem problem = prog_problem(p);
	struct watch watch = {.limits = limits};
	int64_t bound = prog_root_cost(p);
	struct ascent ascent;

	ascent_make(&ascent, &problem, &watch);
	bound = ascent.bound > bound ? ascent.bound : bound;
	ascent_free(&ascent);
	return bound;
}

/* split, sort, and find the equal ones */
static void
make_parts(struct parts *t, struct tn_extract_report *report)
{
	struct prog **part = prog_split(t->whole, &t->n);
	struct map seen = {0};
	uint32_t i;
	bool is_new;

	t->at = mem_alloc(t->n * sizeof *t->at);
	t->place = mem_alloc(t->n * sizeof *t->place);
	t->bound = t->whole->constant;
	for (i = 0; i < t->n; i++)
		t->at[i] = (struct part){.p = part[i], .index = i, .nnode = prog_nnode(part[i])};
	if (t->n > 1)
		qsort(t->at, t->n, sizeof *t->at, by_size);
	for (i = 0; i < t->n; i++) {
		struct part *one = &t->at[i];

		t->place[one->index] = i;
		one->pick = mem_alloc(one->p->nclass * sizeof *one->pick);
		canon_make(&one->canon, one->p, t->whole->arena);
		one->same = *map_put(&seen, one->canon.text.at, one->canon.text.n * sizeof *one->canon.text.at, i, &is_new);
		one->bound = is_new ? least_cost(one->p, t->limits) : t->at[one->same].bound;
		t->bound = cost_add(t->bound, one->bound);
		report->nequal += !is_new;
	}
	map_free(&seen);
	report->after.components = t->n;
	report->after.largest = t->n ? t->at[t->n - 1].nnode : 0;
}

static void
free_parts(struct parts *t)
{
	uint32_t i;

	for (i = 0; i < t->n; i++) {
		mem_free(t->at[i].pick);
		canon_free(&t->at[i].canon);
	}
	mem_free(t->at);
	mem_free(t->place);
}

static void
raise_bound(struct parts *t, struct part *one, int64_t bound)
{
	if (bound <= one->bound)
		return;
	t->bound = cost_add(t->bound, bound - one->bound);
	one->bound = bound;
}

/* greed, so that there is a choice of the component whatever happens */
static int64_t
first_choice(const struct prog *p, const struct tn_problem *problem, const struct prog_limits *limits, uint32_t pick[])
{
	int64_t cost = extract_dag(problem, pick, limits);

	if (cost > 0)
		cost = extract_local(problem, pick, limits);
	prog_pick(problem, pick);
	return p->nclass ? cost : 0;
}

static int64_t
least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* dynamic programming, if it serves: from the choice in pick[] of that cost to the best one, and the bound */
static enum frontier_result
try_frontier(const struct part *one, const struct prog_limits *limits, uint64_t most_looks, int64_t *cost, int64_t *bound)
{
	uint32_t *found = mem_alloc(one->p->nclass * sizeof *found);
	int64_t upper = least(*cost, limits->upper), got;
	enum frontier_result result = frontier_solve(one->p, limits, upper, most_looks, found, &got);

	if (result == FRONTIER_DONE)
		*bound = got < 0 ? upper : got;
	if (result == FRONTIER_DONE && got >= 0) {
		*cost = got;
		memcpy(one->pick, found, one->p->nclass * sizeof *found);
	}
	mem_free(found);
	return result;
}

/*
 * From the choice in pick[] of that cost to the best one, and the bound.  Dynamic programming is done with most components
 * at once, and where it is not, a few relaxations often are; either may take long, so both are first asked for little.
 */
static int64_t
solve_one(struct parts *t, struct part *one, const struct prog_limits *limits, int64_t cost, int64_t *bound)
{
	struct component_options few = *t->options;
	enum frontier_result thin = try_frontier(one, limits, (uint64_t)FEW_LOOKS * one->nnode, &cost, bound);

	if (thin == FRONTIER_MORE) {
		few.relaxations = FEW_RELAXATIONS;
		cost = component_solve(one->p, limits, &few, one->pick, bound);
		if (*bound >= least(cost, limits->upper))
			return cost;
		thin = try_frontier(one, limits, 0, &cost, bound);
	}
	return thin == FRONTIER_DONE ? cost : component_solve(one->p, limits, t->options, one->pick, bound);
}

/* a share of the time left by size, and only what makes the whole cheaper than what is known */
static void
solve_part(struct parts *t, uint32_t i, uint64_t nodes_left)
{
	struct part *one = &t->at[i];
	struct tn_problem problem = prog_problem(one->p);
	struct prog_limits limits = *t->limits;
	int64_t bound = 0, cost = first_choice(one->p, &problem, t->limits, one->pick);
	double now = clock_now();

	limits.upper = t->limits->upper - (t->bound - one->bound);
	if (limits.deadline_s > now)
		limits.deadline_s = now + (limits.deadline_s - now) * one->nnode / (double)nodes_left;
	cost = solve_one(t, one, &limits, cost, &bound);
	raise_bound(t, one, least(bound, cost));
}

int64_t
prog_solve(const struct prog *p, const struct prog_limits *limits, const struct component_options *options, uint32_t pick[],
    struct tn_extract_report *report)
{
	struct parts t = {.whole = p, .limits = limits, .options = options};
	uint32_t *at = mem_alloc(p->nclass * sizeof *at), *of = mem_alloc(p->nclass * sizeof *of), i, c;
	uint64_t nodes = prog_nnode(p);

	make_parts(&t, report);
	for (i = 0; i < t.n; i++) {
		struct part *one = &t.at[i], *same = &t.at[one->same];

		if (same != one) {
			canon_carry(&same->canon, same->pick, &one->canon, one->pick, one->p->nclass);
			raise_bound(&t, one, same->bound);
		} else {
			solve_part(&t, i, nodes);
		}
		nodes -= one->nnode;
	}
	prog_components(p, of);
	for (c = 0; c < p->nclass; c++)
		pick[c] = t.at[t.place[of[c]]].pick[at[of[c]]++];
	free_parts(&t);
	mem_free(at);
	mem_free(of);
	return t.bound;
}
