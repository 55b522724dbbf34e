/*
 * Rationals, exact, of 63 bits each part: arithmetic, division and order together.  What does not fit is
 * drawn again.  Infinities are only bounds: max, min and comparisons know them, arithmetic does not.
 */
#include <stdio.h>

#include "base/num.h"
#include "ref/domain.h"
#include "tenon/eval.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

static union elem
of(int64_t num, int64_t den)
{
	return (union elem){.ratio = {num, den}};
}

static union elem
trouble(struct domain_run *run, enum domain_trouble what)
{
	if (run->trouble != DOMAIN_LACKS)
		run->trouble = what;
	return of(0, 1);
}

static uwide
gcd(uwide a, uwide b)
{
	uwide t;

	while (b) {
		t = a % b;
		a = b;
		b = t;
	}
	return a;
}

/* num/den in lowest terms, if that fits */
static union elem
reduced(struct domain_run *run, wide num, wide den)
{
	uwide size = num < 0 ? -(uwide)num : (uwide)num, by;

	if (den == 0)
		return trouble(run, DOMAIN_REDRAW);
	if (den < 0) {
		num = -num;
		den = -den;
	}
	by = gcd(size, (uwide)den);
	num /= (wide)by;
	den /= (wide)by;
	if (num > INT64_MAX || num < -INT64_MAX || den > INT64_MAX)
		return trouble(run, DOMAIN_REDRAW);
	return of((int64_t)num, (int64_t)den);
}

static bool
is_infinite(union elem a)
{
	return a.ratio.den == 0;
}

static int
ratio_order(union elem a, union elem b)
{
	wide x, y;

	if (is_infinite(a) || is_infinite(b)) {
		int64_t s = is_infinite(a) ? a.ratio.num : 0, t = is_infinite(b) ? b.ratio.num : 0;

		return (s > t) - (s < t);
	}
	x = (wide)a.ratio.num * b.ratio.den;
	y = (wide)b.ratio.num * a.ratio.den;
	return (x > y) - (x < y);
}

/* the whole part, rounded down */
static union elem
floored(struct domain_run *run, union elem a)
{
	return run->trouble ? a : of(num_floordiv(a.ratio.num, a.ratio.den), 1);
}

static union elem
keyed(struct domain_run *run, enum tn_fn fn, union elem a, union elem b)
{
	uint64_t word[4] = {(uint64_t)a.ratio.num, (uint64_t)a.ratio.den, (uint64_t)b.ratio.num, (uint64_t)b.ratio.den};
	uint64_t r = domain_keyed(run, fn, word, fn == TN_F_POW ? 4 : 2);

	run->is_keyed = true;
	if (run->reach && r >> 63)
		return of((int64_t)(r % (2 * (uint64_t)run->reach + 1)) - run->reach, 1);
	return of((int64_t)(r % 23) - 11, 1);
}

static union elem
arith(struct domain_run *run, enum tn_fn fn, union elem a, union elem b)
{
	wide an = a.ratio.num, ad = a.ratio.den, bn = b.ratio.num, bd = b.ratio.den;
	union elem q;

	if (is_infinite(a) || is_infinite(b))
		return trouble(run, DOMAIN_LACKS);
	switch (fn) {
	case TN_F_ADD: return reduced(run, an * bd + bn * ad, ad * bd);
	case TN_F_SUB: return reduced(run, an * bd - bn * ad, ad * bd);
	case TN_F_MUL: return reduced(run, an * bn, ad * bd);
	case TN_F_FLOORDIV: return floored(run, reduced(run, an * bd, ad * bn));
	case TN_F_MOD:
		q = floored(run, reduced(run, an * bd, ad * bn));
		return reduced(run, an * bd - (wide)q.ratio.num * bn * ad, ad * bd);
	case TN_F_CEILDIV:
		q = floored(run, reduced(run, -an * bd, ad * bn));
		return of(-q.ratio.num, 1);
	default: return reduced(run, an * bd, ad * bn);
	}
}

static union elem
ratio_fn(struct domain_run *run, enum tn_fn fn, union elem a, union elem b)
{
	switch (fn) {
	case TN_F_MAX: return ratio_order(a, b) >= 0 ? a : b;
	case TN_F_MIN: return ratio_order(a, b) <= 0 ? a : b;
	case TN_F_NEG: return of(-a.ratio.num, a.ratio.den);
	case TN_F_ABS: return of(tn_int_abs(a.ratio.num), a.ratio.den);
	case TN_F_POW:
		if (b.ratio.den == 1 && tn_int_abs(b.ratio.num) <= DOMAIN_POWER_MAX && !is_infinite(a))
			return domain_power(run, a, b.ratio.num);
		return keyed(run, fn, a, b);
	case TN_F_EXP: case TN_F_LOG: case TN_F_SQRT: case TN_F_ERF: case TN_F_TANH: case TN_F_SIGMOID:
		return keyed(run, fn, a, b);
	default: return arith(run, fn, a, b);
	}
}

static union elem
ratio_number(struct domain_run *run, struct tn_number n)
{
	wide num = n.num, den = n.den;
	int i;

	if (n.den == 0)
		return n.num ? of(n.num < 0 ? -1 : 1, 0) : trouble(run, DOMAIN_LACKS);
	for (i = 0; i < n.exp10 && i < 18; i++)
		num *= 10;
	for (i = 0; i > n.exp10 && i > -18; i--)
		den *= 10;
	return n.exp10 > 18 || n.exp10 < -18 ? trouble(run, DOMAIN_LACKS) : reduced(run, num, den);
}

static bool
ratio_equal(union elem a, union elem b)
{
	return a.ratio.num == b.ratio.num && a.ratio.den == b.ratio.den;
}

/* small whole numbers: all kinds, all below 0, all above, many that are equal, halves */
static union elem
ratio_draw(struct domain_run *run, unsigned way)
{
	int64_t r = rng_below(&run->rng, 17);

	switch (way % 5) {
	case 1: return of(-1 - r, 1);
	case 2: return of(1 + r, 1);
	case 3: return of(r % 3 - 1, 1);
	case 4: return reduced(run, r - 8, 2);
	default: return of(r - 8, 1);
	}
}

static int64_t
ratio_index(union elem a)
{
	return a.ratio.den == 1 && tn_int_abs(a.ratio.num) <= INT32_MAX ? a.ratio.num : TN_OUTSIDE;
}

static size_t
ratio_print(union elem a, char *out, size_t size)
{
	if (a.ratio.den == 1)
		return (size_t)snprintf(out, size, "%lld", (long long)a.ratio.num);
	return (size_t)snprintf(out, size, "%lld/%lld", (long long)a.ratio.num, (long long)a.ratio.den);
}

const struct domain domain_ratio = {"rationals", ratio_fn, domain_each, ratio_number, ratio_order, ratio_equal, ratio_draw,
    ratio_index, ratio_print};
