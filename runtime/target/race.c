/*
 * Plans that take turns on a target, so that whatever else the machine does falls on all of them.
 *
 * A plan's time is the 10th percentile over all rounds.  What the machine does in one part of the rounds it does to all plans, so
 * the noise of a comparison is told from the ratios in the parts, not from the times.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/num.h"
#include "tenon/target.h"

enum { FEWEST = 20, MOST = 100 };

#define ENOUGH_S 10.0
#define TIE 0.05			/* gains below it say nothing, however quiet the machine is */
#define LOW 0.1				/* the percentile */

/* one run of each, another one first in each round */
static bool
run_round(struct tn_plan *const plan[], uint32_t n, uint32_t round, double *ns[], struct tn_error *e)
{
	uint32_t k, i;

	for (k = 0; k < n; k++) {
		i = (round + k) % n;
		if (!tn_plan_time(plan[i], &ns[i][round], e))
			return false;
	}
	return true;
}

/* 10th percentile of the rounds, which are sorted */
static double
low(double ns[], uint32_t n)
{
	qsort(ns, n, sizeof *ns, num_by_value);
	return num_percentile(ns, n, LOW);
}

static void
find_lap(const double ns[], uint32_t nround, struct tn_lap *lap)
{
	double copy[MOST];
	uint32_t i, from, to;

	for (i = 0; i < TN_LAP_PARTS; i++) {
		from = nround * i / TN_LAP_PARTS;
		to = nround * (i + 1) / TN_LAP_PARTS;
		memcpy(copy, ns + from, (to - from) * sizeof *copy);
		lap->part_ns[i] = low(copy, to - from);
	}
	memcpy(copy, ns, nround * sizeof *copy);
	lap->ns = low(copy, nround);
}

bool
tn_plans_race(struct tn_plan *const plan[], uint32_t n, const volatile int *interrupted, struct tn_lap lap[], uint32_t *rounds,
    struct tn_error *e)
{
	double **ns = mem_alloc(((size_t)n + 1) * sizeof *ns), start, warm;
	bool ok = true;
	uint32_t i, r;

	for (i = 0; i < n; i++)
		ns[i] = mem_alloc(MOST * sizeof **ns);
	for (i = 0; ok && i < n; i++)
		ok = tn_plan_time(plan[i], &warm, e);
	start = clock_now();
	for (r = 0; ok && r < MOST && (r < FEWEST || clock_now() - start < ENOUGH_S); r++)
		ok = interrupted && *interrupted ? tn_fail(e, TN_E_INTERRUPT, "interrupted") : run_round(plan, n, r, ns, e);
	for (i = 0; i < n; i++) {
		if (ok)
			find_lap(ns[i], r, &lap[i]);
		mem_free(ns[i]);
	}
	*rounds = r;
	mem_free(ns);
	return ok;
}

static double
share(double a, double b)
{
	return b > 0 ? a / b : 1;
}

double
tn_lap_ratio(const struct tn_lap *a, const struct tn_lap *b, double *noise)
{
	double ratio = share(a->ns, b->ns), most = 0;
	uint32_t i;

	for (i = 0; i < TN_LAP_PARTS; i++)
		most = fmax(most, fabs(share(a->part_ns[i], b->part_ns[i]) - ratio));
	if (noise)
		*noise = most;
	return ratio;
}

bool
tn_lap_beats(const struct tn_lap *a, const struct tn_lap *b)
{
	double noise, ratio = tn_lap_ratio(a, b, &noise);

	return ratio < 1 - fmax(TIE, noise);
}
