/* Choosing the unit of costs; see unit.h. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extract/choice.h"
#include "extract/unit.h"

enum {
	TENS_MOST = 9,
	SINGLE_TENS_MOST = 7,	/* single precision has no more digits after the point of a number below 1 */
	SUM_BITS = 40,		/* of a sum whose costs are rounded anyway: 12 digits, which a solver can work with */
};

struct costs {
	const struct unit_cost *cost;
	uint32_t n, nclass;
	const uint32_t *first;
	int64_t *whole;
};

static double
value(const struct unit_cost *c)
{
	return c->is_whole ? (double)c->n : c->x;
}

static bool
is_never(const struct unit_cost *c)
{
	return !c->is_whole && isinf(c->x);
}

/* the sum over classes of the dearest node, at most COST_MAX: no choice costs more */
static bool
sum_fits(const struct costs *s)
{
	int64_t sum = 0, most;
	uint32_t c, n;

	for (c = 0; c < s->nclass; c++) {
		for (most = 0, n = s->first[c]; n < s->first[c + 1]; n++)
			if (s->whole[n] != TN_COST_NEVER && s->whole[n] > most)
				most = s->whole[n];
		if (most > COST_MAX - sum)
			return false;
		sum += most;
	}
	return true;
}

/* the same of the values themselves */
static double
sum_value(const struct costs *s)
{
	double sum = 0, most;
	uint32_t c, n;

	for (c = 0; c < s->nclass; c++) {
		for (most = 0, n = s->first[c]; n < s->first[c + 1]; n++)
			if (!is_never(&s->cost[n]))
				most = fmax(most, value(&s->cost[n]));
		sum += most;
	}
	return sum;
}

/*
 * Are all costs multiples of 10^-tens, as what is read from such a decimal?  Both k and 10^tens are
 * exact, so that k / 10^tens is the double nearest to the decimal.
 */
static bool
as_tens(struct costs *s, int tens, bool is_single)
{
	static const double ten[TENS_MOST + 1] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
	uint32_t i;

	for (i = 0; i < s->n; i++) {
		const struct unit_cost *c = &s->cost[i];
		double k, x;

		if (is_never(c)) {
			s->whole[i] = TN_COST_NEVER;
			continue;
		}
		if (c->is_whole && tens == 0) {
			s->whole[i] = c->n;
			continue;
		}
		x = value(c);
		k = nearbyint(x * ten[tens]);
		if (k > 0x1p53 || (c->is_whole && (int64_t)x != c->n))
			return false;
		if (is_single ? (double)(float)(k / ten[tens]) != x : k / ten[tens] != x)
			return false;
		s->whole[i] = (int64_t)k;
	}
	return sum_fits(s);
}

static bool
is_all_single(const struct costs *s)
{
	uint32_t i;

	for (i = 0; i < s->n; i++) {
		double x = value(&s->cost[i]);

		if (!is_never(&s->cost[i]) && (x > 0x1p60 || (double)(float)x != x))
			return false;
	}
	return true;
}

/* round to multiples of 2^-twos; *is_exact: nothing changed.  False: they do not fit. */
static bool
as_twos(struct costs *s, int twos, bool *is_exact)
{
	uint32_t i;

	*is_exact = true;
	for (i = 0; i < s->n; i++) {
		const struct unit_cost *c = &s->cost[i];
		double x;

		if (is_never(c)) {
			s->whole[i] = TN_COST_NEVER;
			continue;
		}
		if (c->is_whole && twos == 0) {
			s->whole[i] = c->n;
			continue;
		}
		x = nearbyint(ldexp(value(c), twos));
		if (x > (double)COST_MAX)
			return false;
		s->whole[i] = (int64_t)x;
		*is_exact &= ldexp(x, -twos) == value(c) && (!c->is_whole || (value(c) < 0x1p63 && (int64_t)value(c) == c->n));
	}
	return sum_fits(s);
}

/* the fewest binary places that hold every cost, at least 0 */
static int
places(const struct costs *s)
{
	int most = 0, e, k;
	uint32_t i;

	for (i = 0; i < s->n; i++) {
		double x = value(&s->cost[i]), m;

		if (is_never(&s->cost[i]) || x == 0)
			continue;
		m = frexp(x, &e);
		for (k = 53; k > 0 && fmod(ldexp(m, k - 1), 1) == 0; k--)
			;
		if (k - e > most)
			most = k - e;
	}
	return most;
}

static void
set_twos(struct unit *u, int twos, bool is_exact)
{
	*u = (struct unit){UNIT_TWOS, .twos = twos, .size = ldexp(1, -twos), .is_rounded = !is_exact};
}

/* exactly by a power of two if that fits, else rounded to one that leaves the sum `bits` bits */
static void
by_twos(struct unit *u, struct costs *s, int bits)
{
	int twos = places(s), e;
	bool is_exact;

	if (!as_twos(s, twos, &is_exact)) {
		frexp(sum_value(s), &e);
		for (twos = bits - e; !as_twos(s, twos, &is_exact); twos--)
			;
	}
	set_twos(u, twos, is_exact);
}

static void
by_auto(struct unit *u, struct costs *s)
{
	int k;

	for (k = 0; k <= TENS_MOST; k++)
		if (as_tens(s, k, false)) {
			*u = (struct unit){UNIT_TENS, .tens = k, .size = pow(10, -k)};
			return;
		}
	for (k = 0; k <= SINGLE_TENS_MOST && is_all_single(s); k++)
		if (as_tens(s, k, true)) {
			*u = (struct unit){UNIT_TENS, .tens = k, .size = pow(10, -k), .is_single = true};
			return;
		}
	by_twos(u, s, SUM_BITS);
}

static bool
by_size(struct unit *u, struct costs *s, double size, struct tn_error *e)
{
	uint32_t i;

	*u = (struct unit){UNIT_SIZE, .size = size};
	for (i = 0; i < s->n; i++) {
		double x = value(&s->cost[i]), k = nearbyint(x / size);

		if (is_never(&s->cost[i])) {
			s->whole[i] = TN_COST_NEVER;
			continue;
		}
		if (!(k <= (double)COST_MAX))
			return tn_fail(e, TN_E_INPUT, "a cost of %g is too many units of %g", x, size);
		s->whole[i] = (int64_t)k;
		u->is_rounded |= fabs(k * size - x) > 1e-15 * x;
	}
	return sum_fits(s) || tn_fail(e, TN_E_INPUT, "the costs add up to too many units of %g", size);
}

bool
unit_choose(struct unit *u, const char *how, const struct unit_cost cost[], uint32_t nclass, const uint32_t first[],
    int64_t whole[], struct tn_error *e)
{
	struct costs s = {cost, nclass ? first[nclass] : 0, nclass, first, whole};
	char *end;
	double size;

	if (strcmp(how, "auto") == 0)
		by_auto(u, &s);
	else if (strcmp(how, "exact") == 0)
		by_twos(u, &s, 61);
	else {
		size = strtod(how, &end);
		if (end == how || *end || !(size > 0) || isinf(size))
			return tn_fail(e, TN_E_IO, "--unit: '%s' is not auto, exact or a number above 0", how);
		return by_size(u, &s, size, e);
	}
	return true;
}

void
unit_describe(const struct unit *u, char out[64])
{
	const char *how = u->is_rounded ? "rounded to multiples of" : "in units of";

	if (u->kind == UNIT_TWOS && u->twos)
		snprintf(out, 64, "%s 2^%d", how, -u->twos);
	else
		snprintf(out, 64, "%s %g%s", how, u->size, u->is_single ? ", from single precision" : "");
}

void
unit_print(const struct unit *u, int64_t cost, char out[64])
{
	int64_t ten = 1;
	int i;

	if (u->kind != UNIT_TENS) {
		snprintf(out, 64, "%.15g", (double)cost * u->size);
		return;
	}
	for (i = 0; i < u->tens; i++)
		ten *= 10;
	if (ten == 1)
		snprintf(out, 64, "%" PRId64, cost);
	else
		snprintf(out, 64, "%" PRId64 ".%0*" PRId64, cost / ten, u->tens & 15, cost % ten);
}
