/* The number of choices in random e-graphs against all of them, one after another; and that graphs are no more. */
#include <math.h>
#include <string.h>

#include "extract/choice.h"
#include "problems.h"

enum { MOST = 8 };

struct walk {
	const struct tn_problem *p;
	uint32_t node[MOST];			/* per class: the one chosen */
	bool has[MOST];				/* is there a finite derivation? */
	bool reached[MOST];
	uint64_t choices, graphs;
	VEC(uint64_t) known;			/* graphs seen, as numbers */
};

static bool
can_take(const struct walk *w, uint32_t n)
{
	uint32_t k;

	for (k = w->p->kid_first[n]; k < w->p->kid_first[n + 1]; k++)
		if (!w->has[w->p->kid[k]])
			return false;
	return w->p->cost[n] != TN_COST_NEVER;
}

/* over and over, until no class is added */
static void
derive(struct walk *w)
{
	uint32_t round, c, n;

	for (round = 0; round < w->p->nclass; round++)
		for (c = 0; c < w->p->nclass; c++)
			for (n = w->p->first[c]; n < w->p->first[c + 1]; n++)
				w->has[c] |= can_take(w, n);
}

static void
reach(struct walk *w, uint32_t c)
{
	uint32_t n, k;

	if (w->reached[c])
		return;
	w->reached[c] = true;
	for (n = w->p->first[c]; n < w->p->first[c + 1]; n++)
		for (k = w->p->kid_first[n]; can_take(w, n) && k < w->p->kid_first[n + 1]; k++)
			reach(w, w->p->kid[k]);
}

/* The choice at hand is one; what the roots need of it, if that is acyclic, is a graph. */
static void
visit(struct walk *w)
{
	uint32_t trial[MOST], c;
	uint64_t number = 0, i;

	w->choices++;
	memcpy(trial, w->node, sizeof trial);
	if (choice_settle(w->p, trial, NULL) < 0)
		return;
	for (c = 0; c < w->p->nclass; c++)
		number = number * 4 + (trial[c] == TN_NONE ? 3 : trial[c] - w->p->first[c]);
	for (i = 0; i < w->known.n; i++)
		if (w->known.at[i] == number)
			return;
	vec_push(&w->known, number);
	w->graphs++;
}

static void
enumerate(struct walk *w, uint32_t c)
{
	uint32_t n;

	if (c == w->p->nclass) {
		visit(w);
		return;
	}
	if (!w->reached[c]) {
		w->node[c] = TN_NONE;
		enumerate(w, c + 1);
		return;
	}
	for (n = w->p->first[c]; n < w->p->first[c + 1]; n++)
		if (can_take(w, n)) {
			w->node[c] = n;
			enumerate(w, c + 1);
		}
}

static bool
try(const struct tn_problem *p)
{
	struct walk w = {.p = p};
	double got = tn_problem_log2_choices(p);
	bool ok;
	uint32_t k;

	derive(&w);
	for (k = 0; k < p->nroot; k++)
		reach(&w, p->root[k]);
	enumerate(&w, 0);
	ok = w.choices ? fabs(got - log2((double)w.choices)) < 1e-9 : got < 0;
	ok &= w.graphs <= w.choices;
	if (!ok)
		printf("2^%g choices, but %" PRIu64 " were found, and %" PRIu64 " graphs\n", got, w.choices, w.graphs);
	vec_free(&w.known);
	return ok;
}

int
main(void)
{
	struct rng g = {1};
	struct random r = {0};
	bool ok = true;
	int i;

	for (i = 0; ok && i < 2000; i++) {
		random_make(&r, &g, MOST);
		ok = try(&r.p);
	}
	if (!ok)
		random_show(&r);
	random_free(&r);
	return !ok;
}
