/* Facts about extraction programs against their definitions, on random e-graphs: components, dominators, must-sets;
 * then choices that swap nodes, equal programs, and dynamic programming. */
#include <string.h>

#include "base/mem.h"
#include "extract/dominator.h"
#include "extract/equal.h"
#include "extract/frontier.h"
#include "extract/must.h"
#include "extract/swap.h"
#include "problems.h"

enum { MOST = 16 };

/* the classes that `from` reaches without passing `without` */
static void
reach(const struct prog *p, uint32_t from, uint32_t without, bool reached[])
{
	uint32_t n, k;

	if (from == without || reached[from])
		return;
	reached[from] = true;
	for (n = 0; n < p->class[from].nnode; n++)
		for (k = 0; k < p->class[from].node[n].nkid; k++)
			reach(p, p->class[from].node[n].kid[k], without, reached);
}

/* in one component: each reaches the other; children's numbers are not larger */
static bool
scc_holds(const struct prog *p)
{
	bool to[MOST][MOST] = {{false}}, ok = true;
	struct scc s;
	uint32_t a, b;

	scc_make(&s, p);
	for (a = 0; a < p->nclass; a++)
		reach(p, a, TN_NONE, to[a]);
	for (a = 0; a < p->nclass; a++)
		for (b = 0; b < p->nclass; b++) {
			ok &= (s.of[a] == s.of[b]) == (to[a][b] && to[b][a]);
			ok &= !to[a][b] || s.of[b] <= s.of[a];
		}
	for (a = 0; a < p->nclass; a++)
		ok &= a < s.first[s.n] && s.of[s.member[a]] < s.n && s.first[s.of[s.member[a]]] <= a && a < s.first[s.of[s.member[a]] + 1];
	scc_free(&s);
	return ok;
}

/* a dominates b: without a no root reaches b */
static bool
dominators_hold(const struct prog *p)
{
	struct dominators d;
	bool with[MOST] = {false}, ok = true;
	uint32_t a, b;

	dominators_make(&d, p);
	for (a = 0; a < p->nclass; a++)
		if (p->class[a].is_root)
			reach(p, a, TN_NONE, with);
	for (a = 0; a < p->nclass; a++) {
		bool without[MOST] = {false};

		for (b = 0; b < p->nclass; b++)
			if (p->class[b].is_root)
				reach(p, b, a, without);
		for (b = 0; b < p->nclass; b++)
			ok &= dominates(&d, a, b) == (a != b && with[a] && with[b] && !without[b]);
	}
	dominators_free(&d);
	return ok;
}

/* the first choice that picks turns into, or false after the last */
static bool
next(const struct prog *p, uint32_t pick[])
{
	uint32_t c;

	for (c = 0; c < p->nclass; c++) {
		if (p->class[c].nnode && ++pick[c] < p->class[c].nnode)
			return true;
		pick[c] = 0;
	}
	return false;
}

/* what is always chosen with a class is so in every valid choice with only what is needed, and must stands below */
static bool
must_holds(const struct prog *p, const struct tn_problem *problem)
{
	uint32_t pick[MOST] = {0}, node[MOST], c, u;
	struct must must, always;
	struct prog_limits limits = {.upper = COST_MAX};
	struct watch watch = {.limits = &limits};
	struct scc s;
	bool ok = true;

	scc_make(&s, p);
	ok &= must_make(&must, p, &s, &watch) && must_always(&always, p, &s, &must, &watch);
	do {
		for (c = 0; c < p->nclass; c++)
			node[c] = p->class[c].nnode ? problem->first[c] + pick[c] : TN_NONE;
		if (choice_settle(problem, node, NULL) < 0)
			continue;
		for (c = 0; c < p->nclass; c++) {
			struct prog_class one[MOST];
			struct prog chosen = {.nclass = p->nclass, .class = one};
			bool below[MOST] = {false};

			if (node[c] == TN_NONE)
				continue;
			for (u = 0; u < p->nclass; u++)
				one[u] = (struct prog_class){.node = p->class[u].node + pick[u], .nnode = node[u] != TN_NONE};
			reach(&chosen, c, TN_NONE, below);
			for (u = 0; u < p->nclass; u++)
				ok &= (!must_has(&must, c, u) || below[u]) && (!must_has(&always, c, u) || node[u] != TN_NONE);
		}
	} while (ok && next(p, pick));
	must_free(&must);
	must_free(&always);
	scc_free(&s);
	return ok;
}

/* swaps against settling the whole choice anew */
static bool
swap_holds(const struct tn_problem *p, struct rng *g)
{
	uint32_t node[MOST], fallback[MOST], trial[MOST], i, c, n;
	int64_t cost, want;
	struct swap *s;
	bool ok = true, did;

	extract_derivable(p, fallback);
	memcpy(node, fallback, sizeof node);
	cost = choice_settle(p, node, NULL);
	if (cost < 0)
		return true;
	s = swap_new(p, node, fallback);
	memcpy(node, fallback, sizeof node);
	for (i = 0; ok && i < 40; i++) {
		c = rng_below(g, p->nclass);
		if (swap_node(s, c) == TN_NONE)
			continue;
		n = p->first[c] + rng_below(g, p->first[c + 1] - p->first[c]);
		memcpy(trial, node, sizeof trial);
		trial[c] = n;
		want = choice_settle(p, trial, NULL);
		did = swap_try(s, c, n);
		ok &= did == (want >= 0) && (!did || swap_cost(s) == want);
		if (did && rng_below(g, 2)) {
			swap_undo(s);
			did = false;
		}
		if (did) {
			node[c] = n;
			cost = want;
		}
		ok &= swap_cost(s) == cost;
	}
	swap_free(s);
	return ok;
}

/* the program with its classes and nodes in another order */
static struct prog *
shuffle(const struct prog *p, struct rng *g, struct arena *arena)
{
	struct prog *q = prog_copy(p, arena);
	uint32_t to[MOST], c, n, k, other, t;

	for (c = 0; c < p->nclass; c++)
		to[c] = c;
	for (c = p->nclass; c > 1; c--) {
		other = rng_below(g, c);
		t = to[c - 1];
		to[c - 1] = to[other];
		to[other] = t;
	}
	for (c = 0; c < p->nclass; c++) {
		struct prog_class *class = &q->class[to[c]];

		*class = p->class[c];
		class->node = arena_dup(arena, p->class[c].node, class->nnode * sizeof *class->node);
		for (n = class->nnode; n > 1; n--) {
			struct prog_node swap = class->node[n - 1];

			other = rng_below(g, n);
			class->node[n - 1] = class->node[other];
			class->node[other] = swap;
		}
		for (n = 0; n < class->nnode; n++) {
			struct prog_node *node = &class->node[n];

			node->kid = arena_news(arena, node->nkid + 1, uint32_t);
			for (k = 0; k < p->class[c].nnode && p->class[c].node[k].bundle != node->bundle; k++)
				;
			for (t = 0; t < node->nkid; t++) {
				uint32_t at = t, u = to[p->class[c].node[k].kid[t]];

				for (; at && node->kid[at - 1] > u; at--)
					node->kid[at] = node->kid[at - 1];
				node->kid[at] = u;
			}
		}
	}
	return q;
}

/* equal texts only of equal programs, whose choices carry over; *nequal counts */
static bool
equal_holds(const struct prog *p, struct rng *g, struct arena *arena, uint32_t *nequal)
{
	struct prog *q = shuffle(p, g, arena);
	struct canon a, b;
	uint32_t node[MOST], carried[MOST];
	struct tn_problem problem = prog_problem(p), other = prog_problem(q);
	bool ok = true;
	int64_t cost = extract_tree(&problem, node);
	uint32_t c;

	canon_make(&a, p, arena);
	canon_make(&b, q, arena);
	if (cost >= 0 && a.text.n == b.text.n && memcmp(a.text.at, b.text.at, a.text.n * sizeof *a.text.at) == 0) {
		++*nequal;
		prog_pick(&problem, node);
		canon_carry(&a, node, &b, carried, p->nclass);
		for (c = 0; c < p->nclass; c++)
			if (carried[c] != TN_NONE)
				carried[c] += other.first[c];
		ok = choice_settle(&other, carried, NULL) == cost;
	}
	canon_free(&a);
	canon_free(&b);
	return ok;
}

/* the cheapest below a limit, or that there is none; *nsolved counts */
static bool
frontier_holds(const struct prog *p, struct rng *g, uint32_t *nsolved)
{
	struct tn_problem problem = prog_problem(p);
	struct prog_limits limits = {.upper = COST_MAX};
	uint32_t node[MOST], pick[MOST], c;
	int64_t best = extract_brute(&problem, node), upper = rng_below(g, 2) ? COST_MAX : (int64_t)rng_below(g, 20), cost;

	if (frontier_solve(p, &limits, upper, rng_below(g, 2) ? 0 : 4, pick, &cost) != FRONTIER_DONE)
		return true;
	++*nsolved;
	if (best < 0 || best >= upper)
		return cost == -1;
	for (c = 0; c < p->nclass; c++)
		if (pick[c] != TN_NONE)
			pick[c] += problem.first[c];
	return cost == best && choice_settle(&problem, pick, NULL) == best;
}

int
main(void)
{
	struct rng g = {3};
	struct random r = {0};
	uint32_t nequal = 0, nsolved = 0;
	int i;

	for (i = 0; i < 10000; i++) {
		struct arena arena = {0};
		const char *wrong = NULL;
		struct prog *p;
		struct tn_problem problem;

		random_make(&r, &g, 8);
		p = prog_new(&r.p, &arena);
		problem = prog_problem(p);
		wrong = !scc_holds(p) ? "components" : !dominators_hold(p) ? "dominators" : !must_holds(p, &problem) ? "must" :
		    !swap_holds(&problem, &g) ? "swap" : !equal_holds(p, &g, &arena, &nequal) ? "equal" : NULL;
		if (!wrong && prog_reduce(p, &(struct prog_limits){.upper = COST_MAX, .off = 1u << STEP_DOMINANCE | 1u << STEP_INLINE}, NULL) &&
		    !frontier_holds(p, &g, &nsolved))
			wrong = "frontier";
		arena_free(&arena);
		if (wrong) {
			printf("%s, random e-graph %d:\n", wrong, i);
			random_show(&r);
			return 1;
		}
	}
	random_free(&r);
	if (nequal < 4000 || nsolved < 3000) {
		printf("only %u equal programs were found, %u solved\n", nequal, nsolved);
		return 1;
	}
	return 0;
}
