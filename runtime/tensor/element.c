/* Conversions between stored elements and doubles; little-endian machines only, as models are. */
#include "tensor/element.h"

#include <math.h>
#include <string.h>

/* ---- floats with fewer bits --------------------------------------------------------------------- */

static double
load_f16(uint16_t h)
{
	int exp = h >> 10 & 31, frac = h & 1023;
	double x = exp == 31 ? (frac ? (double)NAN : (double)INFINITY) : exp ? ldexp(1024 + frac, exp - 25) : ldexp(frac, -24);

	return h >> 15 ? -x : x;
}

static uint16_t
store_f16(double x)
{
	uint16_t sign = signbit(x) ? 0x8000 : 0;
	double a = fabs(x), unit;
	int exp;

	if (isnan(x))
		return 0x7e00;
	if (a >= 65520)			/* half way beyond the largest, 65504 */
		return sign | 0x7c00;
	frexp(a, &exp);
	unit = ldexp(1, (exp < -13 ? -13 : exp) - 11);
	a = rint(a / unit) * unit;	/* to nearest, ties to even */
	frexp(a, &exp);
	if (a == 0 || exp < -13)
		return sign | (uint16_t)ldexp(a, 24);
	return sign | (uint16_t)(((exp + 14) << 10) + (int)ldexp(a, 11 - exp) - 1024);
}

static double
load_bf16(uint16_t h)
{
	uint32_t bits = (uint32_t)h << 16;
	float f;

	memcpy(&f, &bits, sizeof f);
	return (double)f;
}

/* by way of f32, whose rounding to odd keeps the second rounding right */
static uint16_t
store_bf16(double x)
{
	float f = (float)x;
	uint32_t bits;

	if (isnan(x))
		return 0x7fc0;
	memcpy(&bits, &f, sizeof bits);
	if (isfinite(f) && (double)f != x) {
		if (fabs((double)f) > fabs(x))
			bits--;
		bits |= 1;
	}
	return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* ---- whole numbers -------------------------------------------------------------------------------- */

/* the 64 bits of a whole number, towards zero; what is none is 0 */
static uint64_t
whole_bits(double x)
{
	double high;

	x = trunc(x);
	if (!isfinite(x) || fabs(x) >= 0x1p64)
		return 0;
	if (x >= 0)
		return (uint64_t)x;
	high = -x;
	return ~(uint64_t)high + 1;
}

/* ---- doors ------------------------------------------------------------------------------------------ */

#define LOAD(type) do { \
	type v; \
	for (i = 0; i < n; i++) { \
		memcpy(&v, at + i * sizeof v, sizeof v); \
		to[i] = (double)v; \
		exact &= sizeof v < 8 || fabs(to[i]) < 0x1p53; \
	} \
} while (0)

bool
element_load(enum tn_dtype d, const void *from, size_t n, double *to)
{
	const char *at = from;
	bool exact = true;
	uint16_t half;
	size_t i;

	switch (d) {
	case TN_F16: case TN_BF16:
		for (i = 0; i < n; i++) {
			memcpy(&half, at + 2 * i, sizeof half);
			to[i] = d == TN_F16 ? load_f16(half) : load_bf16(half);
		}
		break;
	case TN_F32: LOAD(float); break;
	case TN_F64:
		if (n)
			memcpy(to, at, n * sizeof *to);
		break;
	case TN_I8: LOAD(int8_t); break;
	case TN_I16: LOAD(int16_t); break;
	case TN_I32: LOAD(int32_t); break;
	case TN_I64: LOAD(int64_t); break;
	case TN_U8: case TN_BOOL: LOAD(uint8_t); break;
	case TN_U16: LOAD(uint16_t); break;
	case TN_U32: LOAD(uint32_t); break;
	case TN_U64: LOAD(uint64_t); break;
	default: return false;
	}
	return exact;
}

/* the sign of a NaN, which it got in computing, is the machine's */
static double
plain(double x)
{
	return isnan(x) ? (double)NAN : x;
}

static void
store_one(enum tn_dtype d, double x, char *to)
{
	uint64_t bits;
	uint16_t half;
	float f;

	x = plain(x);
	switch (d) {
	case TN_F16: case TN_BF16:
		half = d == TN_F16 ? store_f16(x) : store_bf16(x);
		memcpy(to, &half, sizeof half);
		break;
	case TN_F32:
		f = (float)x;
		memcpy(to, &f, sizeof f);
		break;
	case TN_F64:
		memcpy(to, &x, sizeof x);
		break;
	case TN_BOOL:
		*to = x != 0;
		break;
	default:
		bits = whole_bits(x);
		memcpy(to, &bits, dtype_size(d));
	}
}

/* most are */
static void
store_f32(const double *from, size_t n, char *to)
{
	size_t i;
	float f;

	for (i = 0; i < n; i++) {
		f = (float)plain(from[i]);
		memcpy(to + i * sizeof f, &f, sizeof f);
	}
}

void
element_store(enum tn_dtype d, const double *from, size_t n, void *to)
{
	size_t i, size = dtype_size(d);

	if (d == TN_F32)
		store_f32(from, n, to);
	else
		for (i = 0; i < n; i++)
			store_one(d, from[i], (char *)to + i * size);
}

double
element_round(enum tn_dtype d, double x)
{
	char bytes[8];
	double r = x;

	if (dtype_size(d)) {
		store_one(d, x, bytes);
		element_load(d, bytes, 1, &r);
	}
	return r;
}

bool
element_fits(enum tn_dtype d, double x)
{
	if (!dtype_size(d) || isnan(x))
		return false;
	if (d == TN_F16 || d == TN_BF16 || d == TN_F32)
		return isfinite(element_round(d, x)) || !isfinite(x);
	return (double)(float)x == x && element_round(d, x) == x;
}

bool
element_holds(enum tn_dtype d, double x)
{
	return element_fits(d, x) && (d == TN_F32 || element_round(d, x) == x);
}
