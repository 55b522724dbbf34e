/* Tensors as strided views of buffers; see view.h. */
#include <string.h>

#include "base/dtype.h"
#include "base/num.h"
#include "target/view.h"

/* the i-th axis from the fastest on; c w h n with channels last */
static int
axis_at(const struct tn_tensor *t, enum tn_layout layout, int i)
{
	static const int last[] = {1, 3, 2, 0};

	return layout == TN_CHANNELS_LAST && t->rank == 4 ? last[i] : t->rank - 1 - i;
}

void
view_dense(struct tn_tensor *t, enum tn_layout layout)
{
	int64_t step = 1;
	int i, axis;

	for (i = 0; i < t->rank; i++) {
		axis = axis_at(t, layout, i);
		t->stride[axis] = step;
		step *= t->dim[axis];
	}
}

int64_t
view_count(const struct tn_tensor *t)
{
	int64_t n = 1;
	int i;

	for (i = 0; i < t->rank; i++)
		n *= t->dim[i];
	return n;
}

int64_t
view_reach(const struct tn_tensor *t)
{
	int64_t last = 0;
	int i;

	for (i = 0; i < t->rank; i++) {
		if (t->dim[i] == 0)
			return 0;
		last += (t->dim[i] - 1) * t->stride[i];
	}
	return last + 1;
}

/* an extent of 0 makes no elements, but strides all the same */
bool
view_can_be(const struct tn_shape *s)
{
	int64_t bytes = (int64_t)dtype_size(s->dtype);
	int i;

	for (i = 0; i < s->rank; i++)
		if (!num_mul(bytes, s->dim[i] ? s->dim[i] : 1, &bytes))
			return false;
	return s->rank >= 0 && bytes > 0;
}

bool
view_same(const struct tn_tensor *a, const struct tn_tensor *b)
{
	int i;

	if (a->dtype != b->dtype || a->rank != b->rank)
		return false;
	for (i = 0; i < a->rank; i++)
		if (a->dim[i] != b->dim[i] || (a->dim[i] != 1 && a->stride[i] != b->stride[i]))
			return false;
	return true;
}

bool
view_is_dense(const struct tn_tensor *t, enum tn_layout layout)
{
	struct tn_tensor dense = *t;

	view_dense(&dense, layout);
	return view_same(t, &dense);
}

bool
view_is_ordered(const struct tn_tensor *t, enum tn_layout layout)
{
	int64_t reach = 1;
	int i, axis, seen = 0;

	for (i = 0; i < t->rank; i++) {
		axis = axis_at(t, layout, i);
		if (t->dim[axis] == 1)
			continue;
		if (seen++ ? t->stride[axis] < reach : t->stride[axis] != 1)
			return false;
		reach = t->stride[axis] * t->dim[axis];
	}
	return true;
}

bool
view_is_shaped(const struct tn_tensor *t, const struct tn_tensor *like)
{
	return t->dtype == like->dtype && t->rank == like->rank && memcmp(t->dim, like->dim, (size_t)t->rank * sizeof *t->dim) == 0;
}

bool
view_can_slice(const struct tn_tensor *t, int axis, int64_t from, int64_t step, int64_t extent)
{
	int64_t whole = t->dim[axis], last;

	if (extent == 0)
		return from >= 0 && from <= whole;
	return from >= 0 && num_mul(extent - 1, step, &last) && num_add(last, from, &last) && last < whole;
}

void
view_slice(const struct tn_tensor *t, int axis, int64_t from, int64_t step, int64_t extent, struct tn_tensor *out, int64_t *skip)
{
	*out = *t;
	*skip = from * t->stride[axis];
	out->dim[axis] = extent;
	out->stride[axis] *= step;
}

bool
view_reshape(const struct tn_tensor *t, const struct tn_shape *to, struct tn_tensor *out)
{
	bool is_one = view_count(t) > 0;
	int i;

	*out = *t;
	out->rank = to->rank;
	memcpy(out->dim, to->dim, (size_t)to->rank * sizeof *out->dim);
	/* one element everywhere is so under any shape */
	for (i = 0; i < t->rank; i++)
		is_one = is_one && (t->stride[i] == 0 || t->dim[i] == 1);
	if (is_one && t->rank) {
		memset(out->stride, 0, sizeof out->stride);
		return true;
	}
	view_dense(out, TN_ROW_MAJOR);
	return view_is_dense(t, TN_ROW_MAJOR);
}

void
view_expand(const struct tn_tensor *t, const int64_t axes[], const struct tn_shape *to, struct tn_tensor *out)
{
	int i;

	*out = *t;
	out->rank = to->rank;
	memset(out->stride, 0, sizeof out->stride);
	memcpy(out->dim, to->dim, (size_t)to->rank * sizeof *out->dim);
	for (i = 0; i < t->rank; i++)
		if (t->dim[i] != 1)
			out->stride[axes[i]] += t->stride[i];
}

void
view_permute(const struct tn_tensor *t, const int64_t perm[], struct tn_tensor *out)
{
	int i;

	*out = *t;
	for (i = 0; i < t->rank; i++) {
		out->dim[i] = t->dim[perm[i]];
		out->stride[i] = t->stride[perm[i]];
	}
}
