/* Random extraction problems, small enough for brute force. */
#ifndef PROBLEMS_H
#define PROBLEMS_H

#include <inttypes.h>
#include <stdio.h>

#include "base/rand.h"
#include "base/vec.h"
#include "tenon/tenon.h"

struct random {
	struct tn_problem p;
	VEC(uint32_t) first, kid_first, kid, root, prefer;
	VEC(int64_t) cost;
};

/*
 * A few classes of a few nodes.  Children lie anywhere, so cycles, repeated and own children and unreachable parts
 * happen; in two problems of three most lie further on, so that a choice has some depth.
 */
static inline void
random_make(struct random *r, struct rng *g, uint32_t most)
{
	uint32_t nclass = 1 + rng_below(g, most), ahead = rng_below(g, 3) ? 3 + rng_below(g, 5) : 0, c, n, k, nn, nk, u;

	r->first.n = r->kid_first.n = r->kid.n = r->root.n = r->prefer.n = r->cost.n = 0;
	vec_push(&r->first, 0);
	vec_push(&r->kid_first, 0);
	for (c = 0; c < nclass; c++) {
		nn = rng_below(g, 15) ? 1 + rng_below(g, 3) : 0;
		for (n = 0; n < nn; n++) {
			nk = rng_below(g, 4);
			for (k = 0; k < nk; k++) {
				u = rng_below(g, nclass);
				if (rng_below(g, 10) < ahead && c + 1 < nclass)
					u = c + 1 + rng_below(g, nclass - c - 1);
				vec_push(&r->kid, u);
			}
			vec_push(&r->kid_first, r->kid.n);
			vec_push(&r->cost, rng_below(g, 20) ? (int64_t)rng_below(g, 6) : TN_COST_NEVER);
		}
		vec_push(&r->first, r->cost.n);
		vec_push(&r->prefer, nn ? r->first.at[c] + rng_below(g, nn) : TN_NONE);
	}
	nn = 1 + rng_below(g, 2);
	for (n = 0; n < nn; n++)
		vec_push(&r->root, ahead ? rng_below(g, (nclass + 3) / 4) : rng_below(g, nclass));
	r->p = (struct tn_problem){nclass, r->cost.n, r->root.n, r->first.at, r->kid_first.at, r->kid.at, r->cost.at,
	    r->root.at, rng_below(g, 2) ? r->prefer.at : NULL};
}

static inline void
random_show(const struct random *r)
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

static inline void
random_free(struct random *r)
{
	vec_free(&r->first);
	vec_free(&r->kid_first);
	vec_free(&r->kid);
	vec_free(&r->root);
	vec_free(&r->prefer);
	vec_free(&r->cost);
}

#endif
