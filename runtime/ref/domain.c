/* What all value domains share: seeds, keyed functions, the numbers that floats mean. */
#include "ref/domain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/num.h"

struct domain_run
domain_start(const struct domain *d, uint64_t seed)
{
	struct domain_run run = {.domain = d, .rng = {seed}, .nlevel = DOMAIN_LEVELS};

	run.key = rng_next(&run.rng);
	return run;
}

uint64_t
domain_keyed(const struct domain_run *run, enum tn_fn fn, const uint64_t word[], int n)
{
	struct rng mix = {run->key ^ (uint64_t)fn << 56};
	int i;

	for (i = 0; i < n; i++)
		mix.state = rng_next(&mix) ^ word[i];
	return rng_next(&mix);
}

void
domain_each(struct domain_run *run, enum tn_fn fn, const struct domain_span *s)
{
	int i;

	for (i = 0; i < s->n; i++)
		if (s->mask[i * s->mgap])
			s->out[i] = run->domain->fn(run, fn, s->a[i * s->agap], s->b[i * s->bgap]);
}

union elem
domain_power(struct domain_run *run, union elem a, int64_t n)
{
	union elem r = run->domain->number(run, number_make(1, 1));
	int64_t i;

	for (i = 0; i < (n < 0 ? -n : n); i++)
		r = run->domain->fn(run, TN_F_MUL, r, a);
	return n < 0 ? run->domain->fn(run, TN_F_DIVR, run->domain->number(run, number_make(1, 1)), r) : r;
}

/* the fraction of smallest denominator within f32's rounding of v, by continued fractions; false: none is simple */
static bool
simplest(double v, struct tn_number *out)
{
	double slack = fabs(v) * 0x1p-24, x = fabs(v), whole;
	int64_t p0 = 0, q0 = 1, p1 = 1, q1 = 0, p2, q2;

	while (q1 < 4096) {
		whole = floor(x);
		if (whole > 0x1p40)
			return false;
		p2 = (int64_t)whole * p1 + p0;
		q2 = (int64_t)whole * q1 + q0;
		p0 = p1, q0 = q1, p1 = p2, q1 = q2;
		if (fabs((double)p1 / (double)q1 - fabs(v)) <= slack) {
			*out = number_make(v < 0 ? -p1 : p1, q1);
			return q1 < 4096;
		}
		if (x == whole)
			return false;
		x = 1 / (x - whole);
	}
	return false;
}

struct tn_number
domain_meant(double v)
{
	struct tn_number n = {.num = v < 0 ? -1 : 1};
	char text[32];

	if (isnan(v))
		return (struct tn_number){0};
	if (isinf(v))
		return n;
	if (v == floor(v) && fabs(v) < 0x1p53)
		return number_make((int64_t)v, 1);
	if (simplest(v, &n))
		return n;
	snprintf(text, sizeof text, "%.8g", v);
	if (!number_parse(text, strlen(text), &n))
		return number_make(0, 1);
	return n;
}
