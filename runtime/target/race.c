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

enum { FEWEST = 20, MOST = 100 };	/* rounds */

#define ENOUGH_S 10.0
#define TOO_LONG_S 120.0		/* then one in each part does */
#define TIE 0.05			/* gains below it say nothing, however quiet the machine is */
#define LOW 0.1				/* the percentile */

/* Plans that take turns. */
struct race {
	struct tn_plan *const *plan;
	uint32_t n;
	const volatile int *interrupted;
	double start;
};

static bool
run_one(const struct race *z, uint32_t i, double *ns, struct tn_error *e)
{
	if (z->interrupted && *z->interrupted)
		return tn_fail(e, TN_E_INTERRUPT, "interrupted");
	return tn_plan_time(z->plan[i], ns, e);
}

/* one run of each, another one first in each round */
static bool
run_round(const struct race *z, uint32_t round, double *ns[], struct tn_error *e)
{
	uint32_t k, i;

	for (k = 0; k < z->n; k++) {
		i = (round + k) % z->n;
		if (!run_one(z, i, &ns[i][round], e))
			return false;
	}
	return true;
}

/* do they run once more after so many rounds?  Steps on the host may take minutes. */
static bool
goes_on(const struct race *z, uint32_t rounds)
{
	double past = clock_now() - z->start;

	if (rounds < FEWEST)
		return rounds < TN_LAP_PARTS || past < TOO_LONG_S;
	return rounds < MOST && past < ENOUGH_S;
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
	struct race z = {plan, n, interrupted, 0};
	double **ns = mem_alloc(((size_t)n + 1) * sizeof *ns), warm;
	bool ok = true;
	uint32_t i, r;

	for (i = 0; i < n; i++)
		ns[i] = mem_alloc(MOST * sizeof **ns);
	for (i = 0; ok && i < n; i++)
		ok = run_one(&z, i, &warm, e);
	z.start = clock_now();
	for (r = 0; ok && goes_on(&z, r); r++)
		ok = run_round(&z, r, ns, e);
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
