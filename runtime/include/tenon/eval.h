/*
 * What compiled defs are made of.  The tree walker computes with the same functions, so that both
 * give the same bits.
 *
 * A compiled def computes elements from … to of the result, in row-major order, with each
 * subexpression in the outermost loop it depends on.  Attributes of kind dim and dims are numbers
 * by then.
 */
#ifndef TENON_EVAL_H
#define TENON_EVAL_H

#include <math.h>

#include "ctx.h"

/* ---- numbers --------------------------------------------------------------------------------------- */

/* Rounds down; 0 by 0. */
static inline int64_t
tn_int_div(int64_t a, int64_t b)
{
	if (b == 0)
		return 0;
	return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* At least 0 for b > 0; 0 by 0. */
static inline int64_t
tn_int_mod(int64_t a, int64_t b)
{
	return b == 0 ? 0 : a % b + ((a % b != 0 && (a < 0) != (b < 0)) ? b : 0);
}

static inline int64_t
tn_int_ceildiv(int64_t a, int64_t b)
{
	return -tn_int_div(-a, b);
}

static inline bool
tn_int_divides(int64_t d, int64_t n)
{
	return d != 0 && n % d == 0;
}

static inline int64_t
tn_int_max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline int64_t
tn_int_min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t
tn_int_abs(int64_t a)
{
	return a < 0 ? -a : a;
}

/* The larger; NaN if either is. */
static inline double
tn_real_max(double a, double b)
{
	return a > b || isnan(a) ? a : b;
}

static inline double
tn_real_min(double a, double b)
{
	return a < b || isnan(a) ? a : b;
}

static inline double
tn_real_sigmoid(double a)
{
	return 1 / (1 + exp(-a));
}

static inline double
tn_real_div(double a, double b)
{
	return floor(a / b);
}

static inline double
tn_real_mod(double a, double b)
{
	return a - b * floor(a / b);
}

static inline double
tn_real_ceildiv(double a, double b)
{
	return ceil(a / b);
}

/* An index outside of every axis, that can be multiplied by the extents of the others all the same. */
#define TN_OUTSIDE (-(INT64_C(1) << 31))

/* An element read as an index; what is no number of an axis is outside of all. */
static inline int64_t
tn_real_index(double a)
{
	return fabs(a) <= INT32_MAX ? (int64_t)floor(a) : TN_OUTSIDE;
}

/* ---- places ------------------------------------------------------------------------------------------ */

static inline bool
tn_inside(int64_t i, int64_t n)
{
	return (uint64_t)i < (uint64_t)n;
}

/* Narrow from … to - 1 to those i with 0 <= base + step * i < n. */
static inline void
tn_limit(int64_t *from, int64_t *to, int64_t base, int64_t step, int64_t n)
{
	if (step < 0) {
		base = n - 1 - base;
		step = -step;
	}
	if (step == 0) {
		if (!tn_inside(base, n))
			*to = *from;
	} else if (step == 1) {
		*from = tn_int_max(*from, -base);
		*to = tn_int_min(*to, n - base);
	} else {
		*from = tn_int_max(*from, tn_int_ceildiv(-base, step));
		*to = tn_int_min(*to, tn_int_ceildiv(n - base, step));
	}
}

/* Narrow from … to - 1 to where d divides base + sign * i and the quotient is inside n; `from` is then
 * the first such i, and the others follow at the distance that is returned. */
static inline int64_t
tn_stride(int64_t *from, int64_t *to, int64_t base, int64_t sign, int64_t d, int64_t n)
{
	if (d == 0) {
		*to = *from;
		return 1;
	}
	if (d < 0) {
		base = -base;
		sign = -sign;
		d = -d;
	}
	tn_limit(from, to, base, sign, d * n);
	*from += tn_int_mod(-sign * (base + sign * *from), d);
	return d;
}

/* Elements in n axes from `first` on. */
static inline int64_t
tn_extent(const struct tn_array *x, int64_t first, int64_t n)
{
	int64_t product = 1;

	for (int64_t i = first; i < first + n; i++)
		product *= x->dim[i];
	return product;
}

/* Operands from `first` on are laid one after the other along an axis: the number of the one in
 * which index *i falls.  *i becomes its index there; outside the last where it falls in none. */
static inline int64_t
tn_pick(const struct tn_eval *ev, int64_t first, int64_t axis, int64_t *i)
{
	while (first + 1 < ev->nin && *i >= ev->in[first].dim[axis])
		*i -= ev->in[first++].dim[axis];
	return first;
}

/* Elements of the result that are reduced side by side, at most. */
#ifdef TN_TEST
#define TN_LANES 3
#else
#define TN_LANES 256
#endif

/* The end of a strip of lanes that starts at `from`, of n elements and with so many asked for still. */
static inline int64_t
tn_lanes(int64_t from, int64_t n, int64_t asked)
{
	return from + tn_int_min(TN_LANES, tn_int_min(n - from, asked));
}

/* ---- attributes ---------------------------------------------------------------------------------------- */

static inline const struct tn_value *
tn_eval_value(const struct tn_eval *ev, int attr)
{
	int n;

	return tn_val_get(ev->ctx, tn_attrs_get(ev->ctx, ev->attrs, &n)[attr]);
}

static inline int64_t
tn_eval_attr(const struct tn_eval *ev, int attr)	/* INT, BOOL, ENUM, DTYPE, DIM, AXIS */
{
	return tn_eval_value(ev, attr)->u.i;
}

static inline double
tn_eval_float(const struct tn_eval *ev, int attr)
{
	return tn_eval_value(ev, attr)->u.f;
}

static inline int64_t
tn_eval_elem(const struct tn_eval *ev, int attr, int i)	/* sh of [sh sw] */
{
	return tn_eval_value(ev, attr)->u.list[i];
}

/* ---- lists of indices, where axes are not known before the operator is used ------------------------------ */

struct tn_list {
	int64_t n;			/* at most TN_MAX_RANK; -1: cannot be computed, every read is outside */
	int64_t i[TN_MAX_RANK];
};

TN_API struct tn_list tn_eval_list(const struct tn_eval *, int attr);		/* INTS, DIMS */
TN_API struct tn_list tn_list_extents(const struct tn_array *, int64_t first, int64_t n);
/* Indices of the first element of a row of these extents, and the `col`-th element of that row. */
TN_API struct tn_list tn_list_row(int64_t row, struct tn_list extents, int64_t col);
TN_API int64_t tn_list_rows(struct tn_list extents);				/* product of all but the last */
TN_API int64_t tn_list_cols(struct tn_list extents);				/* the last; 1 if there is none */
TN_API struct tn_list tn_list_each(int64_t);					/* goes with every element */
TN_API struct tn_list tn_list_one(int64_t);						/* a list of one element */
TN_API struct tn_list tn_list_join(struct tn_list, struct tn_list);
/* fn of each pair of elements: ADD SUB MUL FLOORDIV MOD CEILDIV MAX MIN. */
TN_API struct tn_list tn_list_map(enum tn_fn, struct tn_list, struct tn_list);
/* As TN_FNS says of ones, permute, unpermute, broadcast, unflatten, range, flatten, product, length, at. */
TN_API struct tn_list tn_list_ones(struct tn_list);
TN_API struct tn_list tn_list_permute(struct tn_list, struct tn_list perm);
TN_API struct tn_list tn_list_unpermute(struct tn_list, struct tn_list perm);
TN_API struct tn_list tn_list_broadcast(struct tn_list index, struct tn_list extents, struct tn_list axes);
TN_API struct tn_list tn_list_unflatten(int64_t offset, struct tn_list extents);
TN_API struct tn_list tn_list_range(int64_t from, int64_t to);
TN_API int64_t tn_list_flatten(struct tn_list index, struct tn_list extents);
TN_API int64_t tn_list_product(struct tn_list);
TN_API int64_t tn_list_length(struct tn_list);
TN_API int64_t tn_list_at(struct tn_list, int64_t i);				/* negative: from the end */

/* Reads of one operand along a row of the result: element at + step * col, inside from … to - 1. */
struct tn_reads {
	int64_t at, step, from, to;
};
/* Row of reads in the n axes of x from `first` on, whose indices are `a` at column 0 and `b` at
 * column 1, and go on so. */
TN_API struct tn_reads tn_reads_row(const struct tn_array *x, int64_t first, int64_t n, struct tn_list a, struct tn_list b);
/* The same for one read alone. */
TN_API struct tn_reads tn_reads_one(const struct tn_array *x, int64_t first, int64_t n, struct tn_list a);

#endif
