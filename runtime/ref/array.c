/* Arrays of doubles: made, filled, read from weights of every element type. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/rand.h"
#include "ref/execute.h"
#include "tensor/at.h"
#include "tensor/element.h"

bool
array_make(const struct tn_ctx *c, tn_type type, const int64_t sizes[], struct tn_array *a, struct tn_error *e)
{
	struct tn_shape t;
	int64_t n;

	t = *tn_type_get(c, type);
	*a = (struct tn_array){.dtype = t.dtype, .rank = -1};
	if (t.rank < 0 || !dtype_size(t.dtype))
		return true;
	if (!at_shape(c, type, sizes, &t))
		return tn_fail(e, TN_E_INPUT, "the shape of a tensor is not known at these sizes");
	if (!at_count(t.rank, t.dim, &n) || n > TN_MOST_ELEMENTS)
		return tn_fail(e, TN_E_INPUT, "a tensor of more than %" PRId64 " elements is not computed", TN_MOST_ELEMENTS);
	*a = (struct tn_array){.dtype = t.dtype, .rank = t.rank};
	memcpy(a->dim, t.dim, (size_t)t.rank * sizeof t.dim[0]);
	a->v = mem_alloc(((size_t)n + 1) * sizeof *a->v);
	return true;
}

int64_t
array_count(const struct tn_array *a)
{
	int64_t n = a->rank >= 0;
	int i;

	for (i = 0; i < a->rank; i++)
		n *= a->dim[i];
	return n;
}

/* Roots, logarithms and their like are undefined on some of these, and on few of them all. */
static double
draw(struct rng *r, uint64_t seed)
{
	double x = rng_normal(r);

	switch (seed % DRAW_KINDS) {
	case 1: return x;
	case 2: return fabs(x);
	case 3: return 2 * rng_unit(r) - 1;
	case 4: return 1 + fabs(x);
	default: return -fabs(x);
	}
}

void
array_draw(struct tn_array *a, struct rng *r, uint64_t seed)
{
	int64_t i, n = array_count(a);

	for (i = 0; i < n; i++)
		a->v[i] = dtype_is_float(a->dtype) ? element_round(a->dtype, draw(r, seed)) : rng_below(r, a->dtype == TN_BOOL ? 2 : 4);
}

bool
array_load(struct tn_array *a, const struct tn_weight *w, struct tn_error *e)
{
	size_t n = (size_t)array_count(a);

	if (w->size_bytes < n * dtype_size(a->dtype))
		return tn_fail(e, TN_E_INPUT, "weight %s: %zu bytes are too few", w->name, w->size_bytes);
	element_load(a->dtype, w->data, n, a->v);
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
