/* Broadcasting: see onnx.h. */
#include "onnx/onnx.h"

/* neither a number nor a bare symbol */
static bool
is_reckoned(const struct tn_ctx *c, tn_dim d)
{
	return !tn_dim_is_num(d) && d != TN_DIM_BAD && tn_dim_symbol(c, d) < 0;
}

/*
 * Are extents that cannot be told apart or together taken for equal? What a model adds it can add:
 * reckoned extents, like those of a feature map and one resized to it, are equal at every size at
 * which the model is of use.  A bare symbol may as well be 1, so it is not.
 */
static bool
taken_for_equal(struct tn_ctx *c, tn_dim a, tn_dim b)
{
	return tn_dim_eq(c, a, b) == TN_UNKNOWN && is_reckoned(c, a) && is_reckoned(c, b);
}

bool
shape_broadcast(struct tn_ctx *c, const struct tn_shape *a, const struct tn_shape *b, struct tn_shape *out)
{
	struct tn_shape r = {.dtype = a->dtype, .rank = a->rank > b->rank ? a->rank : b->rank};
	int i, ia, ib;
	tn_dim da, db;

	if (a->rank < 0 || b->rank < 0)
		return false;
	for (i = 0; i < r.rank; i++) {
		ia = i - (r.rank - a->rank);
		ib = i - (r.rank - b->rank);
		da = ia < 0 ? 1 : a->dim[ia];
		db = ib < 0 ? 1 : b->dim[ib];
		if (da == 1)
			r.dim[i] = db;
		else if (db == 1 || tn_dim_eq(c, da, db) == TN_TRUE || taken_for_equal(c, da, db))
			r.dim[i] = da;
		else
			return false;
	}
	*out = r;
	return true;
}
