/* Lowering of operators that move elements. */
#include <string.h>

#include "onnx/lower.h"

bool
lower_concat(struct lower *l)
{
	int axis;

	if (!node_attr(l->n, "axis") || !low_axis(low_int(l, "axis", 0), low_shape(l, l->in[0])->rank, &axis))
		return false;
	l->out[0] = low_node(l, l->op, l->in, (int)l->n->nin, &LOW_INT("axis", axis), 1);
	return l->out[0] != TN_NONE;
}

bool
lower_transpose(struct lower *l)
{
	int rank = low_shape(l, l->in[0])->rank, i;
	int64_t perm[TN_MAX_RANK];

	if (!low_ints(l, "perm", (uint32_t)rank, 0, perm))
		return false;
	for (i = 0; i < rank && !node_attr(l->n, "perm"); i++)
		perm[i] = rank - 1 - i;
	l->out[0] = low_transpose(l, l->in[0], perm, rank);
	return l->out[0] != TN_NONE;
}

/* ---- shapes ----------------------------------------------------------------------------------- */

/* the extent that -1 stands for: all elements over the others */
static tn_dim
rest(struct tn_ctx *c, const struct tn_shape *s, const tn_dim dim[], int rank, int at)
{
	tn_dim all = 1, others = 1;
	int i;

	for (i = 0; i < s->rank; i++)
		all = tn_dim_mul(c, all, s->dim[i]);
	for (i = 0; i < rank; i++)
		if (i != at)
			others = tn_dim_mul(c, others, dim[i]);
	return others == 0 ? TN_DIM_BAD : tn_dim_div(c, all, others);
}

bool
lower_reshape(struct lower *l)
{
	const struct sym *shape = low_extents(l, 1, "shape");
	struct tn_shape s = *low_shape(l, l->in[0]);
	tn_dim dim[TN_MAX_RANK];
	bool copies = low_int(l, "allowzero", 0) == 0;
	int i, at = -1;

	if (!shape || shape->rank != 1 || shape->n > TN_MAX_RANK)
		return false;
	for (i = 0; i < (int)shape->n; i++) {
		dim[i] = shape->at[i];
		if (dim[i] == 0 && copies) {
			if (i >= s.rank)
				return false;
			dim[i] = s.dim[i];
		} else if (dim[i] == -1) {
			if (at >= 0)
				return false;
			at = i;
		} else if (dim[i] == TN_DIM_BAD || tn_dim_le(l->g->ctx, 0, dim[i]) != TN_TRUE) {
			return false;
		}
	}
	if (at >= 0)
		dim[at] = rest(l->g->ctx, &s, dim, (int)shape->n, at);
	if (at >= 0 && dim[at] == TN_DIM_BAD)
		return false;
	l->out[0] = low_reshape(l, l->in[0], (int)shape->n, dim);
	return l->out[0] != TN_NONE;
}

bool
lower_flatten(struct lower *l)
{
	struct tn_shape s = *low_shape(l, l->in[0]);
	tn_dim dim[2] = {1, 1};
	int64_t axis = low_int(l, "axis", 1);
	int i;

	if (axis < 0)
		axis += s.rank;
	if (axis < 0 || axis > s.rank)
		return false;
	for (i = 0; i < s.rank; i++)
		dim[i >= axis] = tn_dim_mul(l->g->ctx, dim[i >= axis], s.dim[i]);
	l->out[0] = low_reshape(l, l->in[0], 2, dim);
	return l->out[0] != TN_NONE;
}

/* Of a list of no axes some take none off and some all: it stays opaque. */
bool
lower_squeeze(struct lower *l)
{
	const struct sym *axes = low_extents(l, 1, "axes");
	struct tn_shape s = *low_shape(l, l->in[0]);
	bool goes[TN_MAX_RANK] = {false};
	tn_dim dim[TN_MAX_RANK];
	uint32_t k;
	int i, n = 0, axis;

	if (axes ? axes->n == 0 : low_has(l, 1) || node_attr(l->n, "axes"))
		return false;
	for (k = 0; axes && k < axes->n; k++) {
		if (!low_axis(axes->at[k], s.rank, &axis) || s.dim[axis] != 1)
			return false;
		goes[axis] = true;
	}
	for (i = 0; i < s.rank; i++) {
		if (!axes && !tn_dim_is_num(s.dim[i]))
			return false;
		if (!axes)
			goes[i] = s.dim[i] == 1;
		if (!goes[i])
			dim[n++] = s.dim[i];
	}
	l->out[0] = low_reshape(l, l->in[0], n, dim);
	return l->out[0] != TN_NONE;
}

bool
lower_unsqueeze(struct lower *l)
{
	const struct sym *axes = low_extents(l, 1, "axes");
	struct tn_shape s = *low_shape(l, l->in[0]);
	bool is_new[TN_MAX_RANK] = {false};
	tn_dim dim[TN_MAX_RANK];
	uint32_t k;
	int i, from = 0, rank, axis;

	if (!axes || axes->n > (uint32_t)(TN_MAX_RANK - s.rank))
		return false;
	rank = s.rank + (int)axes->n;
	for (k = 0; k < axes->n; k++) {
		if (!low_axis(axes->at[k], rank, &axis) || is_new[axis])
			return false;
		is_new[axis] = true;
	}
	for (i = 0; i < rank; i++)
		dim[i] = is_new[i] ? 1 : s.dim[from++];
	l->out[0] = low_reshape(l, l->in[0], rank, dim);
	return l->out[0] != TN_NONE;
}

bool
lower_expand(struct lower *l)
{
	const struct sym *shape = low_extents(l, 1, "shape");
	struct tn_shape s = *low_shape(l, l->in[0]), want = {.dtype = s.dtype}, to;
	int i;

	if (!shape || shape->rank != 1 || shape->n > TN_MAX_RANK)
		return false;
	want.rank = (int)shape->n;
	for (i = 0; i < want.rank; i++) {
		want.dim[i] = shape->at[i];
		if (want.dim[i] == TN_DIM_BAD || tn_dim_le(l->g->ctx, 0, want.dim[i]) != TN_TRUE)
			return false;
	}
	if (!shape_broadcast(l->g->ctx, &s, &want, &to))
		return false;
	l->out[0] = low_broadcast(l, l->in[0], &to);
	return l->out[0] != TN_NONE;
}

/* one value everywhere; integers are the syms' affair */
bool
lower_constant_of_shape(struct lower *l)
{
	const struct sym *shape = low_extents(l, 0, "");
	const struct onnx_attr *a = node_attr(l->n, "value");
	struct tn_shape s = {.dtype = TN_F32};
	struct onnx_tensor t;
	struct tensor_data d;
	float v = 0;
	uint32_t i;

	if (!shape || shape->rank != 1 || shape->n > TN_MAX_RANK)
		return false;
	if (a && (!parse_tensor(&l->x->mem, a->t, &t) || t.dtype != TN_F32 || !tensor_read(&l->x->files, &t, &d, NULL)))
		return false;
	if (a) {
		if (d.n == sizeof v)
			memcpy(&v, d.at, sizeof v);
		if (d.is_owned)
			mem_free((void *)(uintptr_t)d.at);
		if (d.n != sizeof v)
			return false;
	}
	s.rank = (int)shape->n;
	for (i = 0; i < shape->n; i++) {
		s.dim[i] = shape->at[i];
		if (s.dim[i] == TN_DIM_BAD || tn_dim_le(l->g->ctx, 0, s.dim[i]) != TN_TRUE)
			return false;
	}
	l->out[0] = low_fill(l, (double)v, &s);
	return true;
}

/* ---- parts ------------------------------------------------------------------------------------ */

/* a bound of a slice along an axis of extent d, between 0 and d; BAD: it cannot be told */
static tn_dim
bound(struct tn_ctx *c, tn_dim v, tn_dim d)
{
	static const tn_dim huge = INT32_MAX;

	if (v == TN_DIM_BAD)
		return TN_DIM_BAD;
	if (tn_dim_is_num(v) && v >= huge)
		return d;
	if (tn_dim_is_num(v) && v <= -huge)
		return 0;
	if (tn_dim_lt(c, v, 0) == TN_TRUE)
		v = tn_dim_add(c, v, d);
	else if (tn_dim_le(c, 0, v) != TN_TRUE)
		return TN_DIM_BAD;
	return tn_dim_max(c, 0, tn_dim_min(c, v, d));
}

static uint32_t
slice(struct lower *l, uint32_t node, int axis, tn_dim from, tn_dim to, int64_t step)
{
	if (node == TN_NONE || from == TN_DIM_BAD || to == TN_DIM_BAD)
		return TN_NONE;
	if (tn_dim_le(l->g->ctx, from, to) == TN_FALSE)
		to = from;
	return low_node(l, "slice", &node, 1, (struct low_attr[]){
		LOW_INT("axis", axis), LOW_INT("from", from), LOW_INT("to", to), LOW_INT("step", step)}, 4);
}

/* one slice for each axis */
bool
lower_slice(struct lower *l)
{
	const struct sym *starts = low_extents(l, 1, "starts"), *ends = low_extents(l, 2, "ends");
	const struct sym *axes = low_extents(l, 3, "axes"), *steps = low_extents(l, 4, "");
	struct tn_shape s = *low_shape(l, l->in[0]);
	bool done[TN_MAX_RANK] = {false};
	uint32_t i, r = l->in[0];
	int axis;
	tn_dim step;

	if (!starts || !ends || starts->n != ends->n || (!axes && (low_has(l, 3) || node_attr(l->n, "axes"))) ||
	    (!steps && low_has(l, 4)) || (axes && axes->n != starts->n) || (steps && steps->n != starts->n))
		return false;
	for (i = 0; i < starts->n; i++) {
		step = steps ? steps->at[i] : 1;
		if (!low_axis(axes ? axes->at[i] : (int64_t)i, s.rank, &axis) || done[axis] || !tn_dim_is_num(step) || step < 1)
			return false;
		done[axis] = true;
		r = slice(l, r, axis, bound(l->g->ctx, starts->at[i], s.dim[axis]), bound(l->g->ctx, ends->at[i], s.dim[axis]), step);
		if (r == TN_NONE)
			return false;
	}
	l->out[0] = r;
	return true;
}

/* the extent of part i of a split without sizes */
static tn_dim
equal_part(struct lower *l, tn_dim d, uint32_t i)
{
	int64_t parts = l->n->nout, size;

	if (tn_dim_divides(l->g->ctx, parts, d) == TN_TRUE)
		return tn_dim_div(l->g->ctx, d, parts);
	if (!tn_dim_is_num(d) || l->x->opset < 18)
		return TN_DIM_BAD;
	size = (d + parts - 1) / parts;
	return i + 1 < l->n->nout ? size : d - size * (parts - 1);
}

bool
lower_split(struct lower *l)
{
	const struct sym *sizes = low_extents(l, 1, "split");
	struct tn_shape s = *low_shape(l, l->in[0]);
	tn_dim from = 0, to, size;
	uint32_t i;
	int axis;

	if (!low_axis(low_int(l, "axis", 0), s.rank, &axis) || (!sizes && (low_has(l, 1) || node_attr(l->n, "split"))) ||
	    (sizes && sizes->n != l->n->nout) || low_int(l, "num_outputs", l->n->nout) != l->n->nout || l->n->nout == 0)
		return false;
	for (i = 0; i < l->n->nout; i++) {
		size = sizes ? sizes->at[i] : equal_part(l, s.dim[axis], i);
		if (size == TN_DIM_BAD || tn_dim_le(l->g->ctx, 0, size) != TN_TRUE)
			return false;
		to = tn_dim_add(l->g->ctx, from, size);
		l->out[i] = slice(l, l->in[0], axis, from, to, 1);
		if (l->out[i] == TN_NONE)
			return false;
		from = to;
	}
	return from == s.dim[axis];
}

/* zeros only */
bool
lower_pad(struct lower *l)
{
	const struct sym *pads = low_extents(l, 1, "pads");
	uint32_t rank = (uint32_t)low_shape(l, l->in[0])->rank, i;
	double value = low_float(l, "value", 0);

	if (!low_is(l, "mode", "constant") || !pads || pads->n != 2 * rank || low_has(l, 3))
		return false;
	if (low_has(l, 2) && !low_number(l, 2, &value))
		return false;
	for (i = 0; i < 2 * rank; i++)
		if (!tn_dim_is_num(pads->at[i]))
			return false;
	if (value != 0)
		return false;
	l->out[0] = low_node(l, l->op, l->in, 1, (struct low_attr[]){
		LOW_LIST("before", (int)rank, pads->at), LOW_LIST("after", (int)rank, pads->at + rank)}, 2);
	return l->out[0] != TN_NONE;
}
