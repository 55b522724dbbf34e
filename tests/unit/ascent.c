/*
 * Dual ascent says nothing that is not so: what it says of every choice, and of the choices with a node, holds for all
 * choices of random e-graphs; it goes on until nothing is left of some derivation of each root, and its bound is
 * the optimum nearly always.
 */
#include <string.h>

#include "base/mem.h"
#include "extract/ascent.h"
#include "problems.h"

struct count {
	uint32_t choices, exact;	/* e-graphs that have a choice and time enough; where the bound is its cost */
};

static uint32_t asked;

/* a clock that is asked with every step of work in this build */
static double
tick(void)
{
	return ++asked;
}

/* is the settled choice of that cost as dear as is said? */
static bool
holds(const struct tn_problem *p, const struct ascent *a, const uint32_t node[], int64_t cost)
{
	int64_t paid = a->bound;
	uint32_t c;

	for (c = 0; c < p->nclass; c++) {
		if (node[c] == TN_NONE)
			continue;
		if (ascent_with(a, p, c, node[c]) > cost)
			return false;
		paid = cost_add(paid, a->left[node[c]]);
	}
	return paid <= cost;
}

/* are all choices?  The cheapest one's cost, -1: there is none. */
static bool
check(const struct tn_problem *p, const struct ascent *a, int64_t *least)
{
	uint32_t *now = mem_alloc(p->nclass * sizeof *now), *node = mem_alloc(p->nclass * sizeof *node), c;
	bool ok = true;
	int64_t cost;

	for (c = 0; c < p->nclass; c++)
		now[c] = p->first[c] < p->first[c + 1] ? p->first[c] : TN_NONE;
	*least = -1;
	do {
		memcpy(node, now, p->nclass * sizeof *node);
		cost = choice_settle(p, node, NULL);
		if (cost < 0)
			continue;
		*least = *least < 0 || cost < *least ? cost : *least;
		ok = holds(p, a, node, cost);
	} while (ok && extract_next(p, now));
	mem_free(now);
	mem_free(node);
	return ok;
}

static bool
try(const struct random *r, struct rng *g, struct count *count)
{
	struct prog_limits limits = {.clock = tick, .deadline_s = rng_below(g, 3) ? 0 : 1 + rng_below(g, 60)};
	struct watch watch = {.limits = &limits};
	struct ascent a;
	int64_t least;
	uint32_t i;
	bool ok;

	asked = 0;
	ascent_make(&a, &r->p, &watch);
	ok = check(&r->p, &a, &least);
	for (i = 0; i < r->p.nroot && ok && least >= 0 && !watch.is_late; i++)
		ok = a.below[r->p.root[i]] == 0;
	count->choices += least >= 0 && !watch.is_late;
	count->exact += least >= 0 && !watch.is_late && a.bound == least;
	if (!ok)
		printf("bound %" PRId64 "\n", a.bound);
	ascent_free(&a);
	return ok;
}

int
main(void)
{
	struct rng g = {11};
	struct random r = {0};
	struct count count = {0};
	int i;

	for (i = 0; i < 20000; i++) {
		random_make(&r, &g, 9);
		if (!try(&r, &g, &count)) {
			printf("random e-graph %d:\n", i);
			random_show(&r);
			return 1;
		}
	}
	random_free(&r);
	printf("%u of %u bounds are the optimum\n", count.exact, count.choices);
	return count.exact < 0.994 * count.choices;
}
