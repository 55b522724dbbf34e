/* Random adds and unions, rebuilt at random times: classes, nodes, look-ups and an analysis as the slow e-graph says. */
#include <stdio.h>

#include "base/rand.h"
#include "tenon/egraph.h"
#include "tests/oracle/congruence.h"

enum { ROUNDS = 400, STEPS = 300, OPS = 7, MOST_KIDS = 5 };

static struct congruence slow;
static tn_id fast[CONGRUENCE_TERMS];	/* the class that each slow term was given */

/* ---- an analysis: the least height of a term in the class ---------------------------------------------- */

static void
make(void *arg, const struct tn_egraph *g, const struct tn_node *n, void *data)
{
	int *height = data, i;

	(void)arg;
	for (i = 0; i < n->nkid; i++)
		if (*(const int *)tn_data(g, n->kid[i]) > *height)
			*height = *(const int *)tn_data(g, n->kid[i]);
	++*height;
}

static bool
merge(void *arg, void *into, const void *from, bool *failed)
{
	int *a = into;
	const int *b = from;

	(void)arg, (void)failed;
	if (*b >= *a)
		return false;
	*a = *b;
	return true;
}

static const struct tn_analysis analysis = {.size = sizeof(int), .make = make, .merge = merge};

/* ---- steps ------------------------------------------------------------------------------------------------ */

static int
random_kids(struct rng *r, int op, int kid[])
{
	static const int arity[OPS] = {0, 1, 2, 2, 3, 4, 5};
	int i;

	for (i = 0; i < arity[op]; i++)
		kid[i] = (int)rng_below(r, (uint32_t)slow.n);
	return arity[op];
}

static void
to_fast(const int kid[], tn_id to[], int n)
{
	int i;

	for (i = 0; i < n; i++)
		to[i] = fast[kid[i]];
}

static void
add(struct tn_egraph *g, struct rng *r)
{
	int op = slow.n ? (int)rng_below(r, OPS) : 0, kid[MOST_KIDS] = {0}, n = random_kids(r, op, kid);
	int attrs = (int)rng_below(r, op ? 2 : 6), term;
	tn_id k[MOST_KIDS] = {0};

	to_fast(kid, k, n);
	term = congruence_add(&slow, op, attrs, kid, n);
	fast[term] = tn_add(g, (uint16_t)op, (tn_attrs)attrs, k, n);
}

static void
unite(struct tn_egraph *g, struct rng *r)
{
	uint32_t a = rng_below(r, (uint32_t)slow.n), b = rng_below(r, (uint32_t)slow.n);

	congruence_union(&slow, (int)a, (int)b);
	tn_union(g, fast[a], fast[b], NULL);
}

/* ---- comparing ------------------------------------------------------------------------------------------------ */

static const char *
compare_lookups(const struct tn_egraph *g, struct rng *r)
{
	int i, op, kid[MOST_KIDS] = {0}, n, attrs, term;
	tn_id k[MOST_KIDS] = {0}, found;

	for (i = 0; i < 20; i++) {
		op = (int)rng_below(r, OPS);
		n = random_kids(r, op, kid);
		attrs = (int)rng_below(r, op ? 2 : 6);
		to_fast(kid, k, n);
		found = tn_lookup(g, (uint16_t)op, (tn_attrs)attrs, k, n);
		term = congruence_add(&slow, op, attrs, kid, n);
		slow.n--;
		while (--term >= 0 && !congruence_same_node(&slow, term, slow.n))
			;
		if (term < 0 ? found != TN_NONE : found == TN_NONE || tn_find(g, found) != tn_find(g, fast[term]))
			return "a look-up finds another class";
	}
	return NULL;
}

static const char *
compare(struct tn_egraph *g, struct rng *r)
{
	static int height[CONGRUENCE_TERMS];
	int a, b;

	congruence_close(&slow);
	congruence_heights(&slow, height);
	if (!tn_rebuild(g))
		return "a contradiction where none can be";
	if ((int)tn_nnodes(g) != congruence_nodes(&slow))
		return "another count of nodes";
	if ((int)tn_nclasses(g) != congruence_classes(&slow))
		return "another count of classes";
	for (a = 0; a < slow.n; a++) {
		if (*(const int *)tn_data(g, fast[a]) != height[a])
			return "another result of the analysis";
		for (b = 0; b < a; b++)
			if ((tn_find(g, fast[a]) == tn_find(g, fast[b])) != (slow.class[a] == slow.class[b]))
				return "two terms are equal in one and not in the other";
	}
	return tn_egraph_check(g) ? tn_egraph_check(g) : compare_lookups(g, r);
}

static const char *
play(uint64_t seed)
{
	struct rng r = {seed};
	struct tn_egraph_config config = {.analysis = &analysis, .with_proof = seed % 2};
	struct tn_egraph *g = tn_egraph_new(&config);
	uint32_t steps = rng_below(&r, STEPS), i, every = 1 + rng_below(&r, 40), unions = 1 + rng_below(&r, 8);
	const char *wrong = NULL;

	slow.n = 0;
	for (i = 0; i < steps && !wrong; i++) {
		if (slow.n && rng_below(&r, 10) < unions)
			unite(g, &r);
		else
			add(g, &r);
		if (rng_below(&r, every) == 0)
			wrong = compare(g, &r);
	}
	if (!wrong)
		wrong = compare(g, &r);
	tn_egraph_free(g);
	return wrong;
}

int
main(void)
{
	const char *wrong;
	uint64_t seed;

	for (seed = 1; seed <= ROUNDS; seed++) {
		wrong = play(seed);
		if (wrong) {
			printf("seed %llu: %s\n", (unsigned long long)seed, wrong);
			return 1;
		}
	}
	return 0;
}
