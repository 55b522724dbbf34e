/* Lowering of reductions and normalisations. */
#include <string.h>

#include "onnx/lower.h"

/* ---- reductions ------------------------------------------------------------------------------- */

/* which axes are reduced: all where none are named */
static bool
reduced_axes(const struct lower *l, int rank, bool is_reduced[])
{
	const struct sym *axes = low_extents(l, 1, "axes");
	uint32_t i;
	int axis;

	if (!axes && (low_has(l, 1) || node_attr(l->n, "axes")))
		return false;
	if ((!axes || axes->n == 0) && low_int(l, "noop_with_empty_axes", 0))
		return false;
	for (axis = 0; axis < rank; axis++)
		is_reduced[axis] = !axes || axes->n == 0;
	for (i = 0; axes && i < axes->n; i++) {
		if (!tn_dim_is_num(axes->at[i]) || !low_axis(axes->at[i], rank, &axis))
			return false;
		is_reduced[axis] = true;
	}
	return true;
}

/* one reduction for each run of neighbouring axes */
bool
lower_reduce(struct lower *l)
{
	struct tn_shape s = *low_shape(l, l->in[0]);
	bool is_reduced[TN_MAX_RANK];
	uint32_t r = l->in[0];
	tn_dim kept[TN_MAX_RANK];
	int from, to, n = 0;

	if (s.rank < 1 || !reduced_axes(l, s.rank, is_reduced))
		return false;
	for (from = 0; from < s.rank; from = to) {
		to = from + 1;
		if (!is_reduced[from]) {
			kept[n++] = s.dim[from];
			continue;
		}
		while (to < s.rank && is_reduced[to])
			to++;
		r = low_node(l, l->op, &r, 1, (struct low_attr[]){LOW_INT("axis", from), LOW_INT("count", to - from)}, 2);
	}
	l->out[0] = low_int(l, "keepdims", 1) ? r : low_reshape(l, r, n, kept);
	return l->out[0] != TN_NONE;
}

bool
lower_global_pool(struct lower *l)
{
	const struct tn_shape *s = low_shape(l, l->in[0]);

	if (s->rank < 3)
		return false;
	l->out[0] = low_node(l, l->op, l->in, 1, (struct low_attr[]){LOW_INT("axis", 2), LOW_INT("count", s->rank - 2)}, 2);
	return l->out[0] != TN_NONE;
}

/* ---- normalisations --------------------------------------------------------------------------- */

/* the product of dims from … to - 1 */
static tn_dim
product(struct lower *l, const struct tn_shape *s, int from, int to)
{
	tn_dim p = 1;

	for (; from < to; from++)
		p = tn_dim_mul(l->g->ctx, p, s->dim[from]);
	return p;
}

/* Before opset 13 softmax is over all axes from `axis` on, as one. */
bool
lower_softmax(struct lower *l)
{
	bool is_flat = l->x->opset < 13;
	struct tn_shape s = *low_shape(l, l->in[0]);
	uint32_t r = l->in[0];
	int axis;

	if (!low_axis(low_int(l, "axis", is_flat ? 1 : -1), s.rank, &axis))
		return false;
	is_flat = is_flat && axis != s.rank - 1;
	if (is_flat)
		r = low_reshape(l, r, 2, (tn_dim[]){product(l, &s, 0, axis), product(l, &s, axis, s.rank)});
	r = low_node(l, "softmax", &r, 1, &LOW_INT("axis", is_flat ? 1 : axis), 1);
	l->out[0] = is_flat ? low_reshape(l, r, s.rank, s.dim) : r;
	return l->out[0] != TN_NONE;
}

/* Before opset 14 one with results beside the first is training, whether they are used or not. */
bool
lower_batch_norm(struct lower *l)
{
	uint32_t i;

	if (low_int(l, "spatial", 1) != 1 || low_int(l, "training_mode", 0) != 0)
		return false;
	for (i = 1; l->x->opset < 14 && i < l->n->nout; i++)
		if (l->n->out[i] != ONNX_NONE)
			return false;
	l->out[0] = low_node(l, l->op, l->in, 5, &LOW_FLOAT("eps", low_float(l, "epsilon", 1e-5f)), 1);
	return l->out[0] != TN_NONE;
}

bool
lower_layer_norm(struct lower *l)
{
	struct tn_shape s = *low_shape(l, l->in[0]), v;
	uint32_t bias;
	int axis;

	if (!low_axis(low_int(l, "axis", -1), s.rank, &axis) || axis != s.rank - 1 || low_int(l, "stash_type", 1) != 1 ||
	    s.dtype != TN_F32)
		return false;
	v = (struct tn_shape){s.dtype, 1, {s.dim[axis]}};
	bias = low_has(l, 2) ? l->in[2] : low_fill(l, 0, &v);
	l->out[0] = low_node(l, l->op, (uint32_t[]){l->in[0], l->in[1], bias}, 3,
	    &LOW_FLOAT("eps", low_float(l, "epsilon", 1e-5f)), 1);
	return l->out[0] != TN_NONE;
}
