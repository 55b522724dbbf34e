/* Arrays of doubles: made, filled, read from weights of every element type. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/rand.h"
#include "ref/execute.h"
#include "tensor/at.h"

#define LARGEST (INT64_C(1) << 33)	/* elements of one array */

bool
array_make(const struct tn_ctx *c, tn_type type, const int64_t sizes[], struct tn_array *a, struct tn_error *e)
{
	struct tn_shape t;
	int64_t n;

	if (!at_shape(c, type, sizes, &t))
		return tn_fail(e, TN_E_INPUT, "the shape of a tensor is not known at these sizes");
	if (t.dtype == TN_UNTYPED || t.dtype == TN_STRING)
		return tn_fail(e, TN_E_INPUT, "a tensor's elements are no numbers");
	if (!at_count(t.rank, t.dim, &n) || n > LARGEST)
		return tn_fail(e, TN_E_INPUT, "a tensor is too large to be computed");
	*a = (struct tn_array){.dtype = t.dtype, .rank = t.rank};
	memcpy(a->dim, t.dim, (size_t)t.rank * sizeof t.dim[0]);
	a->v = mem_alloc(((size_t)n + 1) * sizeof *a->v);
	return true;
}

int64_t
array_count(const struct tn_array *a)
{
	int64_t n = 1;
	int i;

	for (i = 0; i < a->rank; i++)
		n *= a->dim[i];
	return n;
}

static bool
is_float(enum tn_dtype d)
{
	return d == TN_F16 || d == TN_BF16 || d == TN_F32 || d == TN_F64;
}

void
array_random(struct tn_array *a, struct rng *r)
{
	int64_t i, n = array_count(a);

	for (i = 0; i < n; i++)
		a->v[i] = is_float(a->dtype) ? (double)(float)rng_normal(r) : rng_below(r, a->dtype == TN_BOOL ? 2 : 4);
}

static double
half(uint16_t bits)
{
	int exponent = bits >> 10 & 31, fraction = bits & 1023;
	double v;

	if (exponent == 31)
		v = fraction ? NAN : INFINITY;
	else
		v = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
	return bits >> 15 ? -v : v;
}

static double
brain(uint16_t bits)
{
	uint32_t wide = (uint32_t)bits << 16;
	float f;

	memcpy(&f, &wide, sizeof f);
	return (double)f;
}

/* one element in its own type, little-endian */
static double
element(enum tn_dtype d, const unsigned char *at)
{
	uint64_t bits = 0;
	size_t size = at_dtype_size(d), i;
	float f;
	double v;

	for (i = 0; i < size; i++)
		bits |= (uint64_t)at[i] << 8 * i;
	switch (d) {
	case TN_F16:
		return half((uint16_t)bits);
	case TN_BF16:
		return brain((uint16_t)bits);
	case TN_F32:
		memcpy(&f, &(uint32_t){(uint32_t)bits}, sizeof f);
		return (double)f;
	case TN_F64:
		memcpy(&v, &bits, sizeof v);
		return v;
	case TN_I8:
		return (int8_t)bits;
	case TN_I16:
		return (int16_t)bits;
	case TN_I32:
		return (int32_t)bits;
	case TN_I64:
		return (double)(int64_t)bits;
	default:
		return (double)bits;
	}
}

bool
array_load(struct tn_array *a, const struct tn_weight *w, struct tn_error *e)
{
	size_t size = at_dtype_size(a->dtype);
	int64_t i, n = array_count(a);

	if (w->size_bytes < (size_t)n * size)
		return tn_fail(e, TN_E_INPUT, "weight %s: %zu bytes are too few", w->name, w->size_bytes);
	for (i = 0; i < n; i++)
		a->v[i] = element(a->dtype, (const unsigned char *)w->data + (size_t)i * size);
	return true;
}

void
tn_arrays_free(struct tn_array *a, uint32_t n)
{
	uint32_t i;

	for (i = 0; a && i < n; i++)
		mem_free(a[i].v);
	mem_free(a);
}
