/*
 * Times of runs, and of steps by operator; see bench.h.
 *
 * With costs, an operator's prediction stands beside what its steps took, and the sum beside those of all and beside the run.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/vec.h"
#include "cmd/bench.h"
#include "cmd/cmd.h"

enum { MOST_ROUNDS = 20 };		/* of each step */

/* Steps of one operator. */
struct kind {
	const char *op;
	uint32_t n;
	bool is_priced;			/* else it is made up */
	double ns, predicted_ns;
};

struct bench {
	const struct job *j;
	struct tn_costs *costs;		/* NULL: nothing is predicted */
	int64_t *predicted;		/* per step, nanoseconds; -1: it is made up; NULL without costs */
	struct tn_bill bill;
	VEC(struct kind) kinds;
	double sum, run;		/* 10th percentiles of steps added up, and of runs */
};

/* ---- predictions -------------------------------------------------------------------------------------------- */

/* what must never be chosen takes as long as it takes: it is predicted to take forever */
static double
whole_ns(int64_t ns)
{
	return ns == TN_COST_NEVER ? HUGE_VAL : (double)ns;
}

/* "   predicted     12.345 us ( +3 %)" */
static void
print_prediction(double predicted, double measured)
{
	if (predicted < HUGE_VAL)
		printf("  predicted %10.3f us (%+4.0f %%)", predicted / 1e3, measured > 0 ? 100 * (predicted / measured - 1) : 0);
	else
		printf("  predicted %20s", "not to be chosen");
}

/* ---- steps --------------------------------------------------------------------------------------------------- */

static int
by_time(const void *a, const void *b)
{
	const struct kind *x = a, *y = b;

	return (x->ns < y->ns) - (x->ns > y->ns);
}

static struct kind *
kind_of(struct bench *b, const char *op)
{
	uint32_t k;

	for (k = 0; k < b->kinds.n; k++)
		if (strcmp(b->kinds.at[k].op, op) == 0)
			return &b->kinds.at[k];
	vec_push(&b->kinds, (struct kind){.op = op});
	return &b->kinds.at[k];
}

/* the 10th percentile of the step's times goes to its operator */
static void
add_step(struct bench *b, uint32_t step, double ns[], uint64_t rounds)
{
	const struct tn_plan_step *s = tn_plan_step(b->j->plan, step);
	struct kind *kind = kind_of(b, s->op);
	double low;

	qsort(ns, rounds, sizeof *ns, num_by_value);
	low = num_percentile(ns, rounds, 0.1);
	kind->n++;
	kind->ns += low;
	kind->is_priced = b->predicted && b->predicted[step] >= 0;
	kind->predicted_ns += kind->is_priced ? whole_ns(b->predicted[step]) : 0;
	b->sum += low;
}

/* whole runs, step by step: one by itself would find everything in the caches */
static bool
time_steps(struct bench *b, uint64_t rounds, struct tn_error *e)
{
	uint32_t n = tn_plan_steps(b->j->plan), i;
	double *ns = mem_alloc(((size_t)n * rounds + 1) * sizeof *ns), *of_step = mem_alloc((rounds + 1) * sizeof *of_step);
	bool ok = true;
	uint64_t r;

	for (r = 0; ok && r < rounds; r++)
		ok = interrupted ? tn_fail(e, TN_E_INTERRUPT, "interrupted") : tn_plan_time_steps(b->j->plan, ns + r * n, e);
	for (i = 0; ok && i < n; i++) {
		for (r = 0; r < rounds; r++)
			of_step[r] = ns[r * n + i];
		add_step(b, i, of_step, rounds);
	}
	mem_free(of_step);
	mem_free(ns);
	return ok;
}

static void
print_steps(struct bench *b)
{
	uint32_t i;

	if (b->kinds.n)
		qsort(b->kinds.at, b->kinds.n, sizeof *b->kinds.at, by_time);
	for (i = 0; i < b->kinds.n; i++) {
		const struct kind *k = &b->kinds.at[i];

		printf("%10.3f us  %5.1f %%", k->ns / 1e3, b->sum > 0 ? 100 * k->ns / b->sum : 0);
		if (k->is_priced)
			print_prediction(k->predicted_ns, k->ns);
		else if (b->costs)
			printf("%32s", "");
		printf("  %u %s\n", k->n, k->op);
	}
	printf("%10.3f us  steps   ", b->sum / 1e3);
	if (b->costs)
		print_prediction(whole_ns(b->bill.ns), b->sum);
	printf("  all of a run\n");
}

/* ---- runs ---------------------------------------------------------------------------------------------------- */

static bool
time_runs(struct bench *b, uint64_t n, struct tn_error *e)
{
	double *ns = mem_alloc((n + 1) * sizeof *ns);
	bool ok = true;
	uint64_t i;

	for (i = 0; ok && i < n; i++)
		ok = interrupted ? tn_fail(e, TN_E_INTERRUPT, "interrupted") : tn_plan_time(b->j->plan, &ns[i], e);
	if (ok) {
		qsort(ns, n, sizeof *ns, num_by_value);
		b->run = num_percentile(ns, n, 0.1);
		printf("%" PRIu64 " runs on %s: 10 %% within %.3f us, half within %.3f us, 90 %% within %.3f us\n", n,
		    tn_target_identity(b->j->target), b->run / 1e3, num_percentile(ns, n, 0.5) / 1e3, num_percentile(ns, n, 0.9) / 1e3);
	}
	mem_free(ns);
	return ok;
}

static void
print_whole(const struct bench *b)
{
	printf("%10.3f us  a run   ", b->run / 1e3);
	print_prediction(whole_ns(b->bill.ns), b->run);
	printf(", from %u operators measured and %u modelled as %s\n", b->bill.measured, b->bill.modelled,
	    tn_costs_model(b->costs));
}

bool
bench_print(const struct job *j, uint64_t n, struct tn_costs *costs, struct tn_error *e)
{
	struct bench b = {.j = j, .costs = costs};
	bool ok;

	if (costs) {
		b.predicted = mem_alloc(((size_t)tn_plan_steps(j->plan) + 1) * sizeof *b.predicted);
		tn_plan_price(j->plan, costs, b.predicted, &b.bill);
	}
	ok = time_runs(&b, n, e) && time_steps(&b, n < MOST_ROUNDS ? n : MOST_ROUNDS, e);
	if (ok)
		print_steps(&b);
	if (ok && costs)
		print_whole(&b);
	vec_free(&b.kinds);
	mem_free(b.predicted);
	return ok;
}
