/*
 * Single choices.  Extents are small and mostly different, so that a mistaken axis shows, and sometimes all the
 * same, so that shape checks let axes be exchanged; attributes get what their kind makes likely, so that shape
 * checks are often met.
 */
#include <string.h>

#include "base/num.h"
#include "verify/instance.h"

enum { RANK_USUAL = 5 };

static uint32_t
below(struct instance *in, uint32_t n)
{
	return rng_below(&in->rng, n);
}

/* once in so many times a number that the rule mentions, or a neighbour of it */
static bool
is_mentioned(struct instance *in, uint32_t times, int64_t least, int64_t *out)
{
	return below(in, times) == 0 && numbers_whole(&in->numbers, &in->rng, out) && *out >= least;
}

tn_dim
choose_extent(struct instance *in)
{
	static const int64_t extent[] = {1, 2, 3, 5, 7, 4, 6, 2, 3};
	const struct tn_shape *t;
	int64_t said;

	if (is_mentioned(in, 8, 1, &said))
		return said;
	if (in->node.n && below(in, 2)) {
		t = instance_shape(in, (int)below(in, in->node.n));
		if (t && t->rank > 0)
			return t->dim[below(in, (uint32_t)t->rank)];
	}
	if (in->is_larger && below(in, 2))
		return 4 + below(in, 9);
	return extent[below(in, sizeof extent / sizeof *extent)];
}

void
choose_shape(struct instance *in, int least, struct tn_shape *out)
{
	const struct tn_shape *t = in->node.n && below(in, 3) ? instance_shape(in, (int)below(in, in->node.n)) : NULL;
	static const int more[] = {0, 0, 1, 1, 2, 2, 3, 4};
	int64_t said;
	bool is_same;
	int i;

	*out = (struct tn_shape){.dtype = in->dtype};
	if (t && t->rank >= least) {
		*out = *t;
		return;
	}
	out->rank = least + (least > 2 ? 0 : more[below(in, sizeof more / sizeof *more)]);
	if (is_mentioned(in, 8, least, &said) && said < TN_MAX_RANK)	/* a number of axes, or the last of them */
		out->rank = (int)(said + below(in, 2));
	is_same = below(in, 4) == 0;
	for (i = 0; i < out->rank; i++)
		out->dim[i] = out->rank > RANK_USUAL ? 1 + below(in, 2) : i && is_same ? out->dim[0] : choose_extent(in);
}

/* ---- lists --------------------------------------------------------------------------------------------- */

struct items {
	int n;
	int64_t at[TN_MAX_RANK];
};

static void
shuffle(struct instance *in, struct items *l)
{
	int i, j;
	int64_t t;

	for (i = l->n - 1; i > 0; i--) {
		j = (int)below(in, (uint32_t)i + 1);
		t = l->at[i];
		l->at[i] = l->at[j];
		l->at[j] = t;
	}
}

/* the extents with neighbours taken together, one split, an axis of 1 more */
static struct items
regrouped(struct instance *in, const struct tn_shape *first)
{
	struct items l = {.n = first->rank};
	int64_t product;
	int i;

	memcpy(l.at, first->dim, (size_t)l.n * sizeof l.at[0]);
	i = l.n >= 2 && below(in, 2) ? (int)below(in, (uint32_t)l.n - 1) : -1;
	if (i >= 0 && num_mul(l.at[i], l.at[i + 1], &product) && tn_dim_is_num(product)) {
		l.at[i] = product;
		memmove(&l.at[i + 1], &l.at[i + 2], (size_t)(l.n - i - 2) * sizeof l.at[0]);
		l.n--;
	}
	if (l.n && l.n < TN_MAX_RANK && below(in, 3) == 0) {
		i = (int)below(in, (uint32_t)l.n);
		memmove(&l.at[i + 1], &l.at[i], (size_t)(l.n - i) * sizeof l.at[0]);
		l.at[i] = l.at[i + 1] % 2 == 0 && below(in, 2) ? 2 : 1;
		l.at[i + 1] /= l.at[i];
		l.n++;
	}
	if (below(in, 4) == 0)
		shuffle(in, &l);
	return l;
}

/* the extents where they are 1 made longer, with axes put between */
static struct items
stretched(struct instance *in, const struct tn_shape *first)
{
	struct items l = {0};
	int i;

	for (i = 0; i < first->rank && l.n < TN_MAX_RANK; i++) {
		if (below(in, 5) == 0 && l.n < TN_MAX_RANK - 1)
			l.at[l.n++] = choose_extent(in);
		l.at[l.n++] = first->dim[i] == 1 && below(in, 2) ? choose_extent(in) : first->dim[i];
	}
	if (l.n < TN_MAX_RANK && below(in, 3) == 0)
		l.at[l.n++] = choose_extent(in);
	return l;
}

static struct items
shape_list(struct instance *in, const struct tn_shape *first)
{
	const struct tn_shape *wanted = wanted_shape(in);
	struct tn_shape other;
	struct items l;

	switch (below(in, 6)) {
	case 0:
		return stretched(in, first);
	case 1: case 2: case 3:
		if (wanted)
			other = *wanted;
		else
			choose_shape(in, first->rank > 1 ? first->rank : 1, &other);
		l.n = other.rank;
		memcpy(l.at, other.dim, (size_t)l.n * sizeof l.at[0]);
		return l;
	default:
		return regrouped(in, first);
	}
}

/* are there axes that may be exchanged, any with any? */
static bool
is_square(const struct tn_shape *t)
{
	int i;

	for (i = 1; i < t->rank && t->dim[i] == t->dim[0]; i++)
		;
	return t->rank >= 2 && i == t->rank;
}

/* 0 … n - 1 in order, in any order, ascending with gaps, each any of them; or small numbers */
static struct items
axes_list(struct instance *in, const struct tn_shape *first)
{
	struct items l = {.n = first->rank};
	uint32_t kind = is_square(first) && below(in, 2) ? 2 : below(in, 8);
	int i, at = 0;

	if (kind == 3 && l.n)
		l.n = 1 + (int)below(in, (uint32_t)l.n);
	for (i = 0; i < l.n; i++) {
		if (kind == 1 || kind == 3)
			at += (int)below(in, 2);
		if (kind != 4 || !is_mentioned(in, 4, INT64_MIN, &l.at[i]))
			l.at[i] = kind == 4 ? (int64_t)below(in, 4) - 1 : kind == 5 ? (int64_t)below(in, (uint32_t)l.n) : at++;
	}
	if (kind == 2 || kind == 6)
		shuffle(in, &l);
	return l;
}

/* kernel sizes, strides, pads: few different numbers, often all the same */
static struct items
named_list(struct instance *in, int n)
{
	struct items l = {.n = n};
	int64_t base = below(in, 4);
	bool is_same = below(in, 3) == 0;
	int i;

	for (i = 0; i < n; i++)
		if (!is_mentioned(in, 4, INT64_MIN, &l.at[i]))
			l.at[i] = is_same ? base : below(in, 3) == 0 ? below(in, 4) : below(in, 3);
	return l;
}

/* ---- values --------------------------------------------------------------------------------------------- */

/* fractions of small denominator: what guards and lets make of them is exact again */
tn_val
choose_float(struct instance *in)
{
	static const double value[] = {2, -1, 0.5, 3, 1, -0.25, 6, 0, 0.125, -3, 4};

	if (in->numbers.value.n && below(in, 8) == 0)
		return tn_val_make(in->ctx, &(struct tn_value){.kind = TN_K_FLOAT,
		    .u.f = tn_number_double(in->numbers.value.at[below(in, in->numbers.value.n)])});
	return tn_val_make(in->ctx, &(struct tn_value){.kind = TN_K_FLOAT, .u.f = value[below(in, sizeof value / sizeof *value)]});
}

/* the type that operands share, mostly; what is put into another one is not always kept */
static enum tn_dtype
choose_type(struct instance *in)
{
	static const enum tn_dtype type[] = {TN_F32, TN_I64, TN_I32, TN_BOOL, TN_U8};

	return below(in, 2) ? in->dtype : type[below(in, sizeof type / sizeof *type)];
}

static int64_t
choose_int(struct instance *in)
{
	int64_t said;

	if (is_mentioned(in, 4, INT64_MIN, &said))
		return said;
	return below(in, 3) == 0 ? choose_extent(in) : below(in, 4);
}

/* is it a number of axes? */
static bool
counts_axes(const struct tn_op *op, int attr)
{
	int i, k;

	for (i = 0; i < op->nin; i++)
		for (k = 0; k < op->in[i].nitem; k++)
			if (op->in[i].item[k].count == attr)
				return true;
	return false;
}

tn_val
choose_attr(struct instance *in, const struct tn_op *op, int attr, const struct tn_shape *first)
{
	const struct tn_attr_decl *a = &op->attr[attr];
	struct tn_value v = {.kind = (enum tn_kind)a->kind};
	struct items l = {0};

	switch (a->kind) {
	case TN_K_FLOAT:
		return choose_float(in);
	case TN_K_INT:
		v.u.i = counts_axes(op, attr) ? below(in, (uint32_t)first->rank + 1) : choose_int(in);
		break;
	case TN_K_AXIS: v.u.i = below(in, (uint32_t)first->rank + 1); break;
	case TN_K_BOOL: v.u.i = below(in, 2); break;
	case TN_K_DTYPE: v.u.i = choose_type(in); break;
	case TN_K_ENUM: v.u.i = below(in, (uint32_t)a->enums->nvalue); break;
	case TN_K_STRING: v.u.s = tn_ctx_str(in->ctx, "text", 4); break;
	case TN_K_DIM: v.u.dim = below(in, 2) ? choose_extent(in) : below(in, 6); break;
	case TN_K_DIMS: l = shape_list(in, first); break;
	default: l = a->nelem ? named_list(in, a->nelem) : axes_list(in, first);
	}
	if (a->kind == TN_K_DIMS || a->kind == TN_K_INTS) {
		v.n = (uint32_t)l.n;
		v.u.list = l.at;
	}
	return tn_val_make(in->ctx, &v);
}
