/* Exact numbers: num/den * 10^exp10 in lowest terms, exp10 0 whenever it fits without. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "tenon/ctx.h"

int
num_by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double
num_percentile(const double sorted[], uint64_t n, double share)
{
	return sorted[(uint64_t)(share * (double)(n - 1))];
}

int64_t
num_gcd(int64_t a, int64_t b)
{
	uint64_t x = a < 0 ? -(uint64_t)a : (uint64_t)a, y = b < 0 ? -(uint64_t)b : (uint64_t)b, t;

	for (; y; x = y, y = t)
		t = x % y;
	return (int64_t)x;
}

int64_t
num_floordiv(int64_t a, int64_t b)
{
	return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

int64_t
num_floormod(int64_t a, int64_t b)
{
	int64_t r = a % b;

	return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

struct tn_number
number_make(int64_t num, int64_t den)
{
	int64_t g = num_gcd(num, den);

	if (den < 0) {
		num = -num;
		den = -den;
	}
	return (struct tn_number){num / g, den / g, 0};
}

/* put num/den * 10^exp into normal form; false if the mantissa would overflow */
static bool
normalise(int64_t num, int64_t den, int exp, struct tn_number *out)
{
	int64_t t;

	if (num == 0)
		exp = 0;
	for (; exp > 0 && num_mul(num, 10, &t); exp--)
		num = t;
	for (; exp < 0 && num % 10 == 0; exp++)
		num /= 10;
	for (; exp < 0 && num_mul(den, 10, &t); exp++)
		den = t;
	if (exp > 0)		/* does not fit: keep the mantissa short */
		for (; num % 10 == 0; exp++)
			num /= 10;
	if (exp < 0) {
		for (; den % 10 == 0 && den > 1; exp--)
			den /= 10;
		while (num % 10 == 0) {
			num /= 10;
			exp++;
		}
	}
	if (exp > 400 || exp < -400)
		return false;
	*out = number_make(num, den);
	out->exp10 = exp;
	return true;
}

/* digits of text[*i…] onto *n, counting those after a point in *places */
static bool
digits(const char *text, size_t len, size_t *i, int64_t *n, int *places, bool *any)
{
	bool point = false;

	for (; *i < len; ++*i) {
		char c = text[*i];

		if (c == '.' && places && !point) {
			point = true;
			continue;
		}
		if (c < '0' || c > '9')
			break;
		if (!num_mul(*n, 10, n) || !num_add(*n, c - '0', n))
			return false;
		*any = true;
		if (point)
			++*places;
	}
	return true;
}

bool
number_parse(const char *text, size_t len, struct tn_number *out)
{
	int64_t num = 0, den = 1, e = 0;
	int places = 0, sign = 1;
	bool any = false, eneg = false;
	size_t i = 0;

	if (i < len && (text[i] == '-' || text[i] == '+'))
		sign = text[i++] == '-' ? -1 : 1;
	if (len - i == 3 && memcmp(text + i, "inf", 3) == 0) {
		*out = (struct tn_number){sign, 0, 0};
		return true;
	}
	if (!digits(text, len, &i, &num, &places, &any) || !any)
		return false;
	if (i < len && text[i] == '/' && places == 0) {
		den = 0;
		any = false;
		i++;
		if (!digits(text, len, &i, &den, NULL, &any) || !any || den == 0)
			return false;
	} else if (i < len && (text[i] == 'e' || text[i] == 'E')) {
		i++;
		if (i < len && (text[i] == '-' || text[i] == '+'))
			eneg = text[i++] == '-';
		any = false;
		if (!digits(text, len, &i, &e, NULL, &any) || !any || e > 1000)
			return false;
	}
	return i == len && normalise(sign * num, den, (int)(eneg ? -e : e) - places, out);
}

bool
number_is_int(struct tn_number n)
{
	return n.den == 1 && n.exp10 == 0;
}

bool
number_equal(struct tn_number a, struct tn_number b)
{
	return a.num == b.num && a.den == b.den && a.exp10 == b.exp10;
}

/* how many decimal places num/den has, or -1 if it does not end, or not within 18 */
static int
decimal_places(int64_t den)
{
	int places = 0;
	int64_t p = 1;

	for (; places <= 18; places++, p *= 10) {
		if (p % den == 0)
			return places;
		if (places == 18)
			break;
	}
	return -1;
}

void
number_print(struct tn_number n, char out[64])
{
	int places, i, len;
	char t[64];
	int64_t mant, p = 1;
	bool minus = n.num < 0;

	if (n.den == 0) {
		snprintf(out, 64, "%s%s", minus ? "-" : "", n.num ? "inf" : "nan");
		return;
	}
	if (n.exp10) {
		snprintf(out, 64, "%" PRId64 "e%d", n.num, (int)n.exp10);
		return;
	}
	places = decimal_places(n.den);
	for (i = 0; i < places; i++)
		p *= 10;
	if (places <= 0 || !num_mul(n.num, p / n.den, &mant)) {
		if (n.den == 1)
			snprintf(out, 64, "%" PRId64, n.num);
		else
			snprintf(out, 64, "%" PRId64 "/%" PRId64, n.num, n.den);
		return;
	}
	snprintf(t, sizeof t, "%0*" PRIu64, places + 1, minus ? -(uint64_t)mant : (uint64_t)mant);
	len = (int)strlen(t);
	snprintf(out, 64, "%s%.*s.%s", minus ? "-" : "", len - places, t, t + len - places);
}

/* The nearest double, except for fractions of more than 2^53 that are not decimal: those may be one off. */
double
tn_number_double(struct tn_number n)
{
	const int64_t exact = INT64_C(1) << 53;
	int64_t mant = n.num, p = 1;
	int places, i;
	char text[64];

	if (n.den == 0)
		return !n.num ? (double)NAN : n.num < 0 ? -INFINITY : INFINITY;
	if (n.exp10 == 0 && n.num >= -exact && n.num <= exact && n.den <= exact)
		return (double)n.num / (double)n.den;
	places = decimal_places(n.den);
	for (i = 0; i < places; i++)
		p *= 10;
	if (places < 0 || !num_mul(n.num, p / n.den, &mant))
		return (double)((long double)n.num / (long double)n.den);
	snprintf(text, sizeof text, "%" PRId64 "e%d", mant, (int)n.exp10 - places);	/* no point: its sign is the locale's */
	return strtod(text, NULL);
}
