/*
 * What compiled shape functions are made of: extents and lists of extents, conditions, and the
 * steps of a shape check.  The tree walker takes the same steps, so that both say the same.
 *
 * tn_infer_run has done what needs no code of an operator's own before it calls op->shape: there
 * are as many operands as declared, none is TN_NONE, and their element types are admitted.  What is
 * left is ranks, equal extents, `where`, and the shape of the result:
 *
 *	static bool
 *	shape_matmul(struct tn_infer *s)
 *	{
 *		…
 *		if (!tn_infer_count(s, 0, &r_b) || !tn_infer_in(s, 0, r_b + 1, true, &a))
 *			return false;
 *		r_m = a->rank - r_b - 1;
 *		…
 *		tn_infer_put(&out, r_m, &a->dim[r_b]);
 *		tn_infer_put(&out, 1, &n);
 *		return tn_infer_out(s, &out);
 *	}
 */
#ifndef TENON_INFER_H
#define TENON_INFER_H

#include "ctx.h"

/* A list of whole numbers or extents, by value. */
struct tn_dims {
	int n;			/* how many, or one of the next two */
	tn_dim d[TN_MAX_RANK];	/* the first of them where an attribute has more */
};
#define TN_DIMS_BAD (-1)	/* cannot be computed: passed on; conditions on it are unknown */
#define TN_DIMS_EACH (-2)	/* a number, d[0], that goes with every element of the other operand */

typedef tn_dim tn_dim_fn(struct tn_ctx *, tn_dim, tn_dim);
typedef enum tn_tri tn_tri_fn(struct tn_ctx *, tn_dim, tn_dim);

static inline enum tn_tri
tn_tri_of(bool b)
{
	return b ? TN_TRUE : TN_FALSE;
}

static inline enum tn_tri
tn_tri_not(enum tn_tri a)
{
	return a == TN_UNKNOWN ? TN_UNKNOWN : a == TN_TRUE ? TN_FALSE : TN_TRUE;
}

static inline enum tn_tri
tn_tri_and(enum tn_tri a, enum tn_tri b)
{
	return a == TN_FALSE || b == TN_FALSE ? TN_FALSE : a == TN_TRUE ? b : a;
}

static inline enum tn_tri
tn_tri_or(enum tn_tri a, enum tn_tri b)
{
	return tn_tri_not(tn_tri_and(tn_tri_not(a), tn_tri_not(b)));
}

/* Conditions and operations that ctx.h leaves to be composed. */
static inline enum tn_tri
tn_dim_ne(struct tn_ctx *c, tn_dim a, tn_dim b)
{
	return tn_tri_not(tn_dim_eq(c, a, b));
}

static inline enum tn_tri
tn_dim_gt(struct tn_ctx *c, tn_dim a, tn_dim b)
{
	return tn_dim_lt(c, b, a);
}

static inline enum tn_tri
tn_dim_ge(struct tn_ctx *c, tn_dim a, tn_dim b)
{
	return tn_dim_le(c, b, a);
}

static inline tn_dim
tn_dim_exactdiv(struct tn_ctx *c, tn_dim a, tn_dim b)
{
	return tn_dim_divides(c, b, a) == TN_TRUE ? tn_dim_div(c, a, b) : TN_DIM_BAD;
}

static inline tn_dim
tn_dim_if(enum tn_tri c, tn_dim a, tn_dim b)
{
	return c == TN_TRUE || a == b ? a : c == TN_FALSE ? b : TN_DIM_BAD;
}

/* ---- lists --------------------------------------------------------------------------------------- */

static inline struct tn_dims
tn_dims_each(tn_dim d)
{
	return (struct tn_dims){TN_DIMS_EACH, {d}};
}

static inline struct tn_dims
tn_dims_one(tn_dim d)
{
	return (struct tn_dims){1, {d}};
}

TN_API struct tn_dims tn_dims_of(int n, const tn_dim d[]);
TN_API struct tn_dims tn_dims_join(struct tn_dims, struct tn_dims);
/* f of each pair of elements; bad where the lengths differ. */
TN_API struct tn_dims tn_dims_map(struct tn_ctx *, tn_dim_fn *f, struct tn_dims, struct tn_dims);
/* Does f hold for all pairs; false where the lengths differ. */
TN_API enum tn_tri tn_dims_all(struct tn_ctx *, tn_tri_fn *f, struct tn_dims, struct tn_dims);
TN_API struct tn_dims tn_dims_ones(struct tn_dims);
TN_API struct tn_dims tn_dims_permute(struct tn_dims, struct tn_dims perm);	/* i is l[perm[i]] */
TN_API struct tn_dims tn_dims_unpermute(struct tn_dims, struct tn_dims perm);	/* perm[i] is l[i] */
TN_API struct tn_dims tn_dims_range(tn_dim from, tn_dim to);			/* from … to - 1 */
TN_API tn_dim tn_dims_product(struct tn_ctx *, struct tn_dims);
TN_API tn_dim tn_dims_length(struct tn_dims);
TN_API tn_dim tn_dims_at(struct tn_dims, tn_dim i);				/* negative: from the end */
TN_API enum tn_tri tn_dims_is_permutation(struct tn_dims);
/* May axis i of the extents become axis axes[i] of shape: is it 1 there, or the same? */
TN_API enum tn_tri tn_dims_broadcasts(struct tn_ctx *, struct tn_dims extents, struct tn_dims axes, struct tn_dims shape);

/* ---- attributes ------------------------------------------------------------------------------------- */

TN_API tn_dim tn_infer_attr(const struct tn_infer *, int attr);			/* INT, BOOL, ENUM, DTYPE, DIM, AXIS */
TN_API tn_dim tn_infer_elem(const struct tn_infer *, int attr, int i);		/* sh of [sh sw] */
TN_API struct tn_dims tn_infer_list(const struct tn_infer *, int attr);		/* INTS, DIMS */

/* ---- steps; false where the check does not hold, after saying why ------------------------------------- */

/* The number of axes that attribute `attr` gives to a sequence. */
TN_API bool tn_infer_count(struct tn_infer *, int attr, int *out);
/* Shape of operand i, which must have `rank` axes, or at least as many. */
TN_API bool tn_infer_in(struct tn_infer *, int i, int rank, bool or_more, const struct tn_shape **);
/* Extents that bear one name must be equal. */
TN_API bool tn_infer_same(struct tn_infer *, const char *name, int n, const tn_dim a[], const tn_dim b[]);
/* Number i of the operator's `where`s. */
TN_API bool tn_infer_where(struct tn_infer *, int i, enum tn_tri);
/* Append to the result's shape; a list that is bad or does not fit is found by tn_infer_out. */
TN_API void tn_infer_put(struct tn_shape *, int n, const tn_dim d[]);
/* Give the result its element type, check its extents, intern it. */
TN_API bool tn_infer_out(struct tn_infer *, struct tn_shape *);

#endif
