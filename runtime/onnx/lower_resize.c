/*
 * Resize, and Upsample as it was called before: what repeats elements.
 *
 * Element i of an axis of n, resized by s, is read at x(i), which is then rounded.  With i = q s + r, r < s, that is
 * element q, as the operator upsample has it, if s is a whole number and
 *
 *	asymmetric, x = i/s = q + r/s			floor; round_prefer_floor if (s - 1)/s is at most 1/2
 *	half_pixel and its kin, x = (i + 1/2)/s - 1/2	either rounding, as x - q is between -1/2 and 1/2 and never one of them
 *	tf_half_pixel_for_nn, x = (i + 1/2)/s		floor; round_prefer_floor if s is 1
 *	any other, s = 1				any
 *	any, n = 1					any, as there is no other element
 *
 * Where only axes of extent 1 grow it is an expand, whatever lies between elements.
 */
#include <string.h>

#include "onnx/lower.h"

/* ---- the shape ---------------------------------------------------------------------------------- */

/* the whole part of extent times scale, where the scale is a whole number or the extent known */
static tn_dim
scaled(struct tn_ctx *c, tn_dim d, float scale)
{
	if (!(scale > 0 && scale < 1e6f))
		return TN_DIM_BAD;
	if (scale == (float)(int)scale)
		return tn_dim_mul(c, d, (int)scale);
	return tn_dim_is_num(d) && d < 1 << 24 ? (tn_dim)((float)d * scale) : TN_DIM_BAD;
}

/* which axes are meant, in order; false: there are none such */
static bool
meant_axes(const struct lower *l, int rank, int axis[TN_MAX_RANK], int *n)
{
	const struct onnx_attr *a = node_attr(l->n, "axes");
	int i;

	*n = a ? (int)a->n : rank;
	if (*n > rank || (a && a->type != ATTR_INTS))
		return false;
	for (i = 0; i < *n; i++)
		if (!low_axis(a ? a->ints[i] : i, rank, &axis[i]))
			return false;
	return true;
}

/*
 * The result's shape from scales, operand 1 before opset 11, then 2, or from sizes, operand 3.  Elements are read by scales as
 * they are said, extents are rounded down: is_whole is false if a scale says more than extents do, as 1.2 of 4 elements does.
 */
static bool
resized(const struct lower *l, const struct tn_shape *from, struct tn_shape *to, bool *is_whole)
{
	const struct sym *sizes = low_has(l, 3) ? onnx_sym(l->x, l->n->in[3]) : NULL;
	int axis[TN_MAX_RANK], n, i;
	float scale[TN_MAX_RANK];

	if (!low_is(l, "keep_aspect_ratio_policy", "stretch") || !meant_axes(l, from->rank, axis, &n) ||
	    (node_attr(l->n, "coordinate_transformation_mode") && low_is(l, "coordinate_transformation_mode", "tf_crop_and_resize")))
		return false;
	*to = *from;
	*is_whole = true;
	if (low_has(l, 3) ? !sizes || (int)sizes->n != n : low_floats(l, l->x->opset < 11 ? 1 : 2, "scales", scale) != n)
		return false;
	for (i = 0; i < n; i++) {
		tn_dim d = from->dim[axis[i]];

		to->dim[axis[i]] = sizes ? sizes->at[i] : scaled(l->g->ctx, d, scale[i]);
		if (to->dim[axis[i]] == TN_DIM_BAD || tn_dim_le(l->g->ctx, 0, to->dim[axis[i]]) != TN_TRUE)
			return false;
		*is_whole &= sizes || d == 1 || scale[i] == (float)(int)scale[i];
	}
	return true;
}

bool
resize_shape(const struct lower *l, const struct tn_shape *from, struct tn_shape *to)
{
	bool is_whole;

	return resized(l, from, to, &is_whole);
}

/* ---- the elements ------------------------------------------------------------------------------- */

enum { FACTOR_MOST = 64 };	/* tried where an extent is not a number */

/* the whole number of times that d is in e, at least 1; 0: there is none */
static int64_t
factor(struct tn_ctx *c, tn_dim d, tn_dim e)
{
	int64_t s;

	if (tn_dim_is_num(d) && tn_dim_is_num(e) && d > 0)
		return e % d == 0 ? e / d : 0;
	for (s = 1; s <= FACTOR_MOST; s++)
		if (tn_dim_mul(c, d, s) == e)
			return s;
	return 0;
}

/* is a string attribute one of these, or absent and the first of them the default? */
static bool
is_one_of(const struct lower *l, const char *name, const char *otherwise, const char *const words[])
{
	int i;

	for (i = 0; words[i]; i++)
		if (node_attr(l->n, name) ? low_is(l, name, words[i]) : strcmp(otherwise, words[i]) == 0)
			return true;
	return false;
}

/* is element q s + r of the result element q, along an axis of extent d? see above */
static bool
is_repeated(const struct lower *l, tn_dim d, int64_t s)
{
	static const char *const half[] = {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", NULL};
	static const char *const plain[] = {"asymmetric", NULL}, *const shifted[] = {"tf_half_pixel_for_nn", NULL};
	static const char *const rounds[] = {"round_prefer_floor", "round_prefer_ceil", NULL}, *const floors[] = {"floor", NULL};
	static const char *const down[] = {"round_prefer_floor", NULL};
	const char *mode = "coordinate_transformation_mode", *nearest = "nearest_mode";
	/* what neither could be said before opset 11 */
	const char *at = l->x->opset < 11 ? "asymmetric" : "half_pixel", *to = l->x->opset < 11 ? "floor" : "round_prefer_floor";

	if (d == 1)
		return true;
	if (is_one_of(l, mode, at, shifted))
		return is_one_of(l, nearest, to, floors) || (s == 1 && is_one_of(l, nearest, to, down));
	if (s == 1)
		return true;
	if (is_one_of(l, mode, at, half))
		return is_one_of(l, nearest, to, rounds);
	return is_one_of(l, mode, at, plain) && (is_one_of(l, nearest, to, floors) || (s == 2 && is_one_of(l, nearest, to, down)));
}

/* do only axes of extent 1 grow? then what lies between two elements does not matter */
static bool
is_expand(const struct lower *l, const struct tn_shape *from, const struct tn_shape *to)
{
	static const char *const shifted[] = {"tf_half_pixel_for_nn", NULL}, *const known[] = {"nearest", "linear", NULL};
	int i;

	if (!is_one_of(l, "mode", "nearest", known) || is_one_of(l, "coordinate_transformation_mode", "", shifted))
		return false;
	for (i = 0; i < from->rank; i++)
		if (from->dim[i] != to->dim[i] && (from->dim[i] != 1 || tn_dim_le(l->g->ctx, 1, to->dim[i]) != TN_TRUE))
			return false;
	return true;
}

/* any regions of interest do not matter, but they must be there without the node */
bool
lower_resize(struct lower *l)
{
	const struct tn_shape from = *low_shape(l, l->in[0]);
	static const char *const nearest[] = {"nearest", NULL};
	int64_t scales[TN_MAX_RANK];
	struct onnx_tensor roi;
	struct tn_shape to;
	bool is_whole;
	int i;

	if ((l->x->opset >= 11 && low_has(l, 1) && !onnx_constant(l->x, l->n->in[1], &roi)) ||
	    !resized(l, &from, &to, &is_whole) || !is_whole)
		return false;
	if (is_expand(l, &from, &to)) {
		l->out[0] = low_broadcast(l, l->in[0], &to);
		return l->out[0] != TN_NONE;
	}
	if (!is_one_of(l, "mode", "nearest", nearest))
		return false;
	for (i = 0; i < from.rank; i++) {
		scales[i] = factor(l->g->ctx, from.dim[i], to.dim[i]);
		if (scales[i] < 1 || !is_repeated(l, from.dim[i], scales[i]))
			return false;
	}
	l->out[0] = low_node(l, l->op, l->in, 1, &LOW_LIST("scales", from.rank, scales), 1);
	return l->out[0] != TN_NONE;
}
