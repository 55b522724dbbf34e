/* Lowering of convolutions, pooling and matrix products. */
#include <string.h>

#include "onnx/lower.h"

/* ---- windows ---------------------------------------------------------------------------------- */

struct window {
	int64_t kernel[2], strides[2], dilations[2], pads[4];	/* pads: top left bottom right */
};

/* Is each number along axis i one that can be reckoned with? */
static bool
is_sane(const struct window *w, int i)
{
	return w->kernel[i] >= 1 && w->kernel[i] <= INT32_MAX && w->strides[i] >= 1 && w->strides[i] <= INT32_MAX &&
	    w->dilations[i] >= 1 && w->dilations[i] <= INT32_MAX && w->pads[i] >= 0 && w->pads[i] <= INT32_MAX &&
	    w->pads[i + 2] >= 0 && w->pads[i + 2] <= INT32_MAX;
}

/* what auto_pad and ceil_mode make of the pads along axis i of extent d */
static bool
set_pads(const struct lower *l, struct window *w, int i, tn_dim d, bool is_ceil)
{
	int64_t size, total, begin, *first = &w->pads[i], *last = &w->pads[i + 2];

	if (!is_sane(w, i) || (tn_dim_is_num(d) && d > TN_DIM_MAX / 2))
		return false;
	size = (w->kernel[i] - 1) * w->dilations[i] + 1;
	if (low_is(l, "auto_pad", "NOTSET")) {
		/* padding up to where the last window ends; the executors drop windows beyond that */
		if (!is_ceil || w->strides[i] == 1)
			return true;
		if (!tn_dim_is_num(d) || d + *first + *last < size)
			return false;
		total = (d + *first + *last - size) % w->strides[i];
		*last += total ? w->strides[i] - total : 0;
		return *last < size;
	}
	*first = *last = 0;
	if (low_is(l, "auto_pad", "VALID"))
		return !is_ceil;
	if (w->strides[i] == 1) {
		total = size - 1;
	} else {
		if (!tn_dim_is_num(d))
			return false;
		total = ((d + w->strides[i] - 1) / w->strides[i] - 1) * w->strides[i] + size - d;
		if (total < 0)
			total = 0;
	}
	begin = low_is(l, "auto_pad", "SAME_UPPER") ? total / 2 : total - total / 2;
	*first = begin;
	*last = total - begin;
	return low_is(l, "auto_pad", "SAME_UPPER") || low_is(l, "auto_pad", "SAME_LOWER");
}

/* kernel[] is set; the other attributes, for an NCHW operand */
static bool
read_window(const struct lower *l, const struct tn_shape *x, struct window *w)
{
	bool is_ceil = low_int(l, "ceil_mode", 0) != 0;

	return x->rank == 4 && low_ints(l, "strides", 2, 1, w->strides) && low_ints(l, "dilations", 2, 1, w->dilations) &&
	    low_ints(l, "pads", 4, 0, w->pads) && set_pads(l, w, 0, x->dim[2], is_ceil) && set_pads(l, w, 1, x->dim[3], is_ceil);
}

/* the kernel's extents, which kernel_shape may repeat */
static bool
read_kernel(const struct lower *l, const struct tn_shape *k, struct window *w)
{
	int64_t stated[2];
	int i;

	if (k->rank != 4 || !low_ints(l, "kernel_shape", 2, 0, stated))
		return false;
	for (i = 0; i < 2; i++) {
		w->kernel[i] = k->dim[2 + i];
		if (!tn_dim_is_num(w->kernel[i]) || (node_attr(l->n, "kernel_shape") && stated[i] != w->kernel[i]))
			return false;
	}
	return true;
}

/* the bias, or zeros as long as axis i of the kernel times `times` */
static uint32_t
bias(struct lower *l, const struct tn_shape *k, int i)
{
	struct tn_shape s = {k->dtype, 1, {k->dim[i]}};

	return low_has(l, 2) ? l->in[2] : low_fill(l, 0, &s);
}

bool
lower_conv(struct lower *l)
{
	const struct tn_shape *x = low_shape(l, l->in[0]), k = *low_shape(l, l->in[1]);
	struct window w;

	if (!read_kernel(l, &k, &w) || !read_window(l, x, &w))
		return false;
	l->out[0] = low_node(l, l->op, (uint32_t[]){l->in[0], l->in[1], bias(l, &k, 0)}, 3, (struct low_attr[]){
		LOW_LIST("strides", 2, w.strides), LOW_LIST("pads", 4, w.pads), LOW_LIST("dilations", 2, w.dilations),
		LOW_INT("groups", low_int(l, "group", 1))}, 4);
	return l->out[0] != TN_NONE;
}

bool
lower_conv_transpose(struct lower *l)
{
	const struct tn_shape *x = low_shape(l, l->in[0]), k = *low_shape(l, l->in[1]);
	struct window w;
	int64_t extra[2];

	if (!low_is(l, "auto_pad", "NOTSET") || low_int(l, "group", 1) != 1 || !low_ints(l, "output_padding", 2, 0, extra) ||
	    !read_kernel(l, &k, &w) || !read_window(l, x, &w) || w.dilations[0] != 1 || w.dilations[1] != 1)
		return false;
	l->out[0] = low_node(l, l->op, (uint32_t[]){l->in[0], l->in[1], bias(l, &k, 1)}, 3, (struct low_attr[]){
		LOW_LIST("strides", 2, w.strides), LOW_LIST("pads", 4, w.pads), LOW_LIST("extra", 2, extra)}, 3);
	return l->out[0] != TN_NONE;
}

bool
lower_pool(struct lower *l)
{
	bool counts = low_int(l, "count_include_pad", 0) != 0;
	struct window w;
	struct low_attr attr[4];
	int n = 3;

	if (!node_attr(l->n, "kernel_shape") || !low_ints(l, "kernel_shape", 2, 1, w.kernel) ||
	    !read_window(l, low_shape(l, l->in[0]), &w) || w.dilations[0] != 1 || w.dilations[1] != 1 ||
	    low_int(l, "storage_order", 0) != 0 || (counts && low_int(l, "ceil_mode", 0) != 0))
		return false;
	attr[0] = LOW_LIST("kernel", 2, w.kernel);
	attr[1] = LOW_LIST("strides", 2, w.strides);
	attr[2] = LOW_LIST("pads", 4, w.pads);
	if (counts)
		attr[n++] = LOW_INT("count-pads", 1);
	l->out[0] = low_node(l, l->op, l->in, 1, attr, n);
	return l->out[0] != TN_NONE;
}

/* ---- matrix products -------------------------------------------------------------------------- */

/* a matmul with bias c, or none where TN_NONE is meant: `has_bias` */
static uint32_t
product(struct lower *l, uint32_t a, uint32_t b, int batch, bool has_bias, uint32_t c)
{
	const struct tn_shape *s;
	struct tn_shape zero = {0};

	if (a == TN_NONE || b == TN_NONE)
		return TN_NONE;
	if (!has_bias) {
		s = low_shape(l, b);
		zero = (struct tn_shape){s->dtype, 1, {s->dim[s->rank - 1]}};
		c = low_fill(l, 0, &zero);
	}
	return low_node(l, "matmul", (uint32_t[]){a, b, c}, 3, &LOW_INT("batch", batch), 1);
}

/* leading axes of both made the same; false: they cannot be told */
static bool
same_batch(struct lower *l, uint32_t *a, uint32_t *b, int *batch)
{
	struct tn_shape s = *low_shape(l, *a), t = *low_shape(l, *b), lead, sa, sb;
	int rs = s.rank - 2, rt = t.rank - 2;

	sa = (struct tn_shape){.dtype = s.dtype, .rank = rs};
	sb = (struct tn_shape){.dtype = s.dtype, .rank = rt};
	memcpy(sa.dim, s.dim, (size_t)rs * sizeof *s.dim);
	memcpy(sb.dim, t.dim, (size_t)rt * sizeof *t.dim);
	if (!shape_broadcast(l->g->ctx, &sa, &sb, &lead) || lead.rank > TN_MAX_RANK - 2)
		return false;
	*batch = lead.rank;
	sa = sb = lead;
	sa.rank = sb.rank = lead.rank + 2;
	memcpy(&sa.dim[lead.rank], &s.dim[rs], 2 * sizeof *s.dim);
	memcpy(&sb.dim[lead.rank], &t.dim[rt], 2 * sizeof *t.dim);
	*a = low_broadcast(l, *a, &sa);
	*b = low_broadcast(l, *b, &sb);
	return true;
}

/* vectors become matrices and the axis is taken off again */
bool
lower_matmul(struct lower *l)
{
	uint32_t a = l->in[0], b = l->in[1], r;
	struct tn_shape s = *low_shape(l, a), t = *low_shape(l, b), out;
	bool row = s.rank == 1, column = t.rank == 1;
	int batch = 0;

	if (s.rank < 1 || t.rank < 1)
		return false;
	if (row)
		a = low_reshape(l, a, 2, (tn_dim[]){1, s.dim[0]});
	if (column)
		b = low_reshape(l, b, 2, (tn_dim[]){t.dim[0], 1});
	if (a == TN_NONE || b == TN_NONE || (t.rank > 2 && !same_batch(l, &a, &b, &batch)))
		return false;
	r = product(l, a, b, batch, false, TN_NONE);
	if (r == TN_NONE)
		return false;
	out = *low_shape(l, r);
	if (column)
		out.rank--;
	if (row) {
		out.rank--;
		if (!column)
			out.dim[out.rank - 1] = out.dim[out.rank];
	}
	l->out[0] = row || column ? low_reshape(l, r, out.rank, out.dim) : r;
	return l->out[0] != TN_NONE;
}

/* `node` times a number */
static uint32_t
scaled(struct lower *l, uint32_t node, double by)
{
	struct tn_shape s;

	if (by == 1 || node == TN_NONE)
		return node;
	s = *low_shape(l, node);
	return low_node(l, "mul", (uint32_t[]){node, low_fill(l, by, &s)}, 2, NULL, 0);
}

bool
lower_gemm(struct lower *l)
{
	static const int64_t swap[] = {1, 0};
	double alpha = low_float(l, "alpha", 1), beta = low_float(l, "beta", 1);
	uint32_t a = l->in[0], b = l->in[1], c = low_has(l, 2) && beta != 0 ? l->in[2] : TN_NONE, r;
	struct tn_shape s, to;
	bool has_bias = false;

	if (low_shape(l, a)->rank != 2 || low_shape(l, b)->rank != 2)
		return false;
	if (low_int(l, "transA", 0))
		a = low_transpose(l, a, swap, 2);
	if (low_int(l, "transB", 0))
		b = low_transpose(l, b, swap, 2);
	if (a == TN_NONE || b == TN_NONE)
		return false;
	if (c != TN_NONE && alpha == 1) {
		s = *low_shape(l, c);
		has_bias = s.rank >= 1 && s.rank <= 2 && s.dim[s.rank - 1] == low_shape(l, b)->dim[1] && (s.rank == 1 || s.dim[0] == 1);
		if (has_bias)
			c = scaled(l, low_reshape(l, c, 1, &s.dim[s.rank - 1]), beta);
	}
	r = scaled(l, product(l, a, b, 0, has_bias, c), alpha);
	if (c != TN_NONE && !has_bias && r != TN_NONE) {
		to = *low_shape(l, r);
		if (!shape_broadcast(l->g->ctx, low_shape(l, c), &to, &s) || memcmp(s.dim, to.dim, 2 * sizeof *s.dim) != 0)
			return false;
		r = low_node(l, "add", (uint32_t[]){r, low_broadcast(l, scaled(l, c, beta), &to)}, 2, NULL, 0);
	}
	l->out[0] = r;
	return r != TN_NONE;
}
