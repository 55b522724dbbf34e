/*
 * The functions of the rule language on values: what guards, shape checks and lets of rules compute.
 *
 * BAD is a thing that cannot be computed (an index out of range) and is passed on; an extent that
 * is TN_DIM_BAD is one we know nothing of: conditions on it are unknown.
 */
#ifndef TENSOR_CALC_H
#define TENSOR_CALC_H

#include "tensor/search.h"

struct calc {
	struct tn_ctx *ctx;
	struct scratch *scratch;	/* lists made on the way */
};

#define CALC_BAD ((struct tn_v){.kind = TN_VV_BAD})

static inline struct tn_v
calc_int(tn_dim d)
{
	return (struct tn_v){.kind = TN_VV_INT, .u.i = d};
}

static inline struct tn_v
calc_bool(enum tn_tri t)
{
	return (struct tn_v){.kind = TN_VV_BOOL, .u.i = t};
}

static inline struct tn_v
calc_items(uint32_t n, const int64_t *list)
{
	return (struct tn_v){.kind = TN_VV_LIST, .n = n, .u.list = list};
}

/* all extents; BAD if there are none known (NULL) */
static inline struct tn_v
calc_shape(const struct tn_shape *t)
{
	return t && t->rank >= 0 ? calc_items((uint32_t)t->rank, t->dim) : CALC_BAD;
}

/* fn of v[]; those that ask about tensors are BAD here */
struct tn_v calc_call(struct calc *, enum tn_fn, int n, const struct tn_v v[]);
/* [v[0] v[1] …], lists spliced in */
struct tn_v calc_list(struct calc *, int n, const struct tn_v v[]);
struct tn_v calc_number(struct tn_number);
struct tn_v calc_value(const struct tn_value *);
bool calc_real(struct tn_v, double *out);
/* As an attribute value of this kind, TN_NONE if it is not one. */
tn_val calc_attr(struct tn_ctx *, struct tn_v, enum tn_kind, const struct tn_enum *);

/* between calc*.c: functions of lists, and an ARITH function of two scalars or lists */
struct tn_v calc_seq(struct calc *, enum tn_fn, int n, const struct tn_v v[]);
struct tn_v calc_compare(struct calc *, enum tn_fn, int n, const struct tn_v v[]);

#endif
