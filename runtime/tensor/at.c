/* Types and records at given sizes of their symbols. */
#include "tensor/at.h"

#include "base/mem.h"
#include "base/num.h"

bool
at_shape(const struct tn_ctx *c, tn_type type, const int64_t sizes[], struct tn_shape *t)
{
	int i;

	*t = *tn_type_get(c, type);
	for (i = 0; i < t->rank; i++)
		if (!tn_dim_at(c, t->dim[i], sizes, &t->dim[i]) || t->dim[i] < 0)
			return false;
	return t->rank >= 0;
}

tn_type
at_type(struct tn_ctx *c, tn_type type, const int64_t sizes[])
{
	struct tn_shape t;

	return at_shape(c, type, sizes, &t) ? tn_type_make(c, &t) : TN_NONE;
}

/* an attribute with its extents as numbers */
static tn_val
at_value(struct tn_ctx *c, tn_val val, const int64_t sizes[])
{
	struct tn_value v = *tn_val_get(c, val);
	int64_t *list;
	bool ok = true;
	uint32_t i;

	if (v.kind == TN_K_DIM)
		return tn_dim_at(c, v.u.dim, sizes, &v.u.dim) ? tn_val_make(c, &v) : TN_NONE;
	if (v.kind != TN_K_DIMS)
		return val;
	list = mem_alloc(((size_t)v.n + 1) * sizeof *list);
	for (i = 0; i < v.n; i++)
		ok &= tn_dim_at(c, v.u.list[i], sizes, &list[i]);
	v.u.list = list;
	val = ok ? tn_val_make(c, &v) : TN_NONE;
	mem_free(list);
	return val;
}

tn_attrs
at_attrs(struct tn_ctx *c, tn_attrs attrs, const int64_t sizes[])
{
	tn_val old, v;
	int i, n;

	tn_attrs_get(c, attrs, &n);
	for (i = 0; i < n; i++) {
		old = tn_attrs_get(c, attrs, NULL)[i];
		v = at_value(c, old, sizes);
		if (v == TN_NONE)
			return TN_NONE;
		if (v != old)
			attrs = tn_attrs_with(c, attrs, i, v);
	}
	return attrs;
}

bool
at_count(int rank, const int64_t dim[], int64_t *out)
{
	int i;

	*out = 1;
	for (i = 0; i < rank; i++)
		if (!num_mul(*out, dim[i], out))
			return false;
	return true;
}
