/* The exact program and both greedies against brute force on random e-graphs, cycles and all. */
#include <string.h>

#include "problems.h"

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
		random_make(&r, &g, 8);
		if (!try(&r)) {
			printf("random e-graph %d:\n", i);
			random_show(&r);
			return 1;
		}
	}
	random_free(&r);
	return 0;
}
