/* The exact program and both greedies against brute force on random e-graphs, cycles and all. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/rand.h"
#include "base/vec.h"
#include "tenon/tenon.h"

struct random {
	struct tn_problem p;
	VEC(uint32_t) first, kid_first, kid, root, prefer;
	VEC(int64_t) cost;
};

/* a few classes of a few nodes; children anywhere, so cycles, repeated and own children happen */
static void
make(struct random *r, struct rng *g)
{
	uint32_t nclass = 1 + rng_below(g, 8), c, n, k, nn, nk;

	r->first.n = r->kid_first.n = r->kid.n = r->root.n = r->prefer.n = r->cost.n = 0;
	vec_push(&r->first, 0);
	vec_push(&r->kid_first, 0);
	for (c = 0; c < nclass; c++) {
		nn = rng_below(g, 10) ? 1 + rng_below(g, 3) : 0;
		for (n = 0; n < nn; n++) {
			nk = rng_below(g, 4);
			for (k = 0; k < nk; k++)
				vec_push(&r->kid, rng_below(g, nclass));
			vec_push(&r->kid_first, r->kid.n);
			vec_push(&r->cost, rng_below(g, 12) ? (int64_t)rng_below(g, 6) : TN_COST_NEVER);
		}
		vec_push(&r->first, r->cost.n);
		vec_push(&r->prefer, nn ? r->first.at[c] + rng_below(g, nn) : TN_NONE);
	}
	nn = 1 + rng_below(g, 2);
	for (n = 0; n < nn; n++)
		vec_push(&r->root, rng_below(g, nclass));
	r->p = (struct tn_problem){nclass, r->cost.n, r->root.n, r->first.at, r->kid_first.at, r->kid.at, r->cost.at,
	    r->root.at, rng_below(g, 2) ? r->prefer.at : NULL};
}

static void
show(const struct random *r)
{
	uint32_t c, n, k;

	for (c = 0; c < r->p.nclass; c++)
		for (n = r->p.first[c]; n < r->p.first[c + 1]; n++) {
			printf("class %u node %u cost %" PRId64 ":", c, n, r->p.cost[n]);
			for (k = r->p.kid_first[n]; k < r->p.kid_first[n + 1]; k++)
				printf(" %u", r->p.kid[k]);
			printf("\n");
		}
	for (k = 0; k < r->p.nroot; k++)
		printf("root %u\n", r->p.root[k]);
}

/* the cost of each method where there is a choice, and that all agree whether there is one */
static bool
try(const struct random *r)
{
	static const enum tn_method method[] = {TN_BRUTE, TN_ILP, TN_DAG, TN_TREE};
	struct tn_extract_options how = {0};
	struct tn_choice *got[4];
	struct tn_error e;
	bool ok = true;
	int i;

	for (i = 0; i < 4; i++) {
		how.method = method[i];
		got[i] = tn_extract(&r->p, &how, &e);
	}
	for (i = 1; i < 4; i++)
		ok &= !got[i] == !got[0];
	if (ok && got[0]) {
		ok &= got[1]->cost == got[0]->cost && got[1]->is_proven && got[1]->bound == got[1]->cost;
		ok &= got[2]->cost >= got[0]->cost && got[3]->cost >= got[0]->cost;
		if (!ok)
			printf("brute %" PRId64 " ilp %" PRId64 " bound %" PRId64 " dag %" PRId64 " tree %" PRId64 "\n",
			    got[0]->cost, got[1]->cost, got[1]->bound, got[2]->cost, got[3]->cost);
	}
	for (i = 0; i < 4; i++)
		tn_choice_free(got[i]);
	return ok;
}

/* of two equally cheap choices the preferred one is taken */
static bool
prefers_original(void)
{
	static const uint32_t first[] = {0, 2}, kid_first[] = {0, 0, 0}, root[] = {0}, prefer[] = {1};
	static const int64_t cost[] = {7, 7};
	struct tn_extract_options how = {.method = TN_ILP};
	struct tn_problem p = {1, 2, 1, first, kid_first, NULL, cost, root, prefer};
	struct tn_choice *c = tn_extract(&p, &how, NULL);
	bool ok = c && c->node[0] == 1 && c->is_proven;

	tn_choice_free(c);
	return ok;
}

/* what is wrong in a problem is said, not followed */
static bool
refuses_bad(void)
{
	static const uint32_t first[] = {0, 1}, kid_first[] = {0, 1}, kid[] = {5}, root[] = {0};
	static const int64_t cost[] = {1}, negative[] = {-1};
	struct tn_extract_options how = {.method = TN_ILP};
	struct tn_problem p = {1, 1, 1, first, kid_first, kid, cost, root, NULL};
	struct tn_error e = {0};
	bool ok = !tn_extract(&p, &how, &e) && strstr(e.msg, "no class 5");

	p.cost = negative;
	return ok && !tn_extract(&p, &how, &e) && strstr(e.msg, "negative");
}

int
main(void)
{
	struct rng g = {1};
	struct random r = {0};
	int i;

	if (!prefers_original() || !refuses_bad()) {
		printf("a fixed case failed\n");
		return 1;
	}
	for (i = 0; i < 10000; i++) {
		make(&r, &g);
		if (!try(&r)) {
			printf("random e-graph %d:\n", i);
			show(&r);
			return 1;
		}
	}
	vec_free(&r.first);
	vec_free(&r.kid_first);
	vec_free(&r.kid);
	vec_free(&r.root);
	vec_free(&r.prefer);
	vec_free(&r.cost);
	return 0;
}
