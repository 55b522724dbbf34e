/* Raising of convolutions, pooling, matrix products, reductions and normalisations. */
#include <string.h>

#include "onnx/raise.h"

static void
put_list(struct raise *r, struct buf *attrs, const char *onnx, const char *name)
{
	const struct tn_value *v = r_attr(r, name);

	if (v)
		attr_ints(attrs, onnx, v->u.list, v->n);
}

/* ONNX has no padding that cuts off, but in a Pad. */
static bool
pads_fit(const struct raise *r)
{
	const struct tn_value *pads = r_attr(r, "pads");
	uint32_t i;

	for (i = 0; pads && i < pads->n && pads->u.list[i] >= 0; i++)
		;
	return pads && i == pads->n;
}

/* kernel_shape, from the kernel's last two axes, if they are known */
static void
put_kernel_shape(struct raise *r, struct buf *attrs)
{
	const struct tn_shape *k = r_shape(r, r_kid(r, 1));

	if (tn_dim_is_num(k->dim[2]) && tn_dim_is_num(k->dim[3]))
		attr_ints(attrs, "kernel_shape", &k->dim[2], 2);
}

/* is operand i zeros? they need not be written */
static bool
is_zero(const struct raise *r, int i)
{
	double v;

	return r_is_fill(r, r_kid(r, i), &v) && v == 0;
}

/* a convolution of either kind: x, kernel, bias */
static void
make_conv(struct raise *r, struct buf *attrs)
{
	struct ref in[3];
	int n = is_zero(r, 2) ? 2 : 3, i;

	for (i = 0; i < n; i++)
		in[i] = r_in(r, i);
	r_make(r, r->onnx, in, n, attrs, true);
}

bool
raise_conv(struct raise *r)
{
	struct buf attrs = {0};

	if (!pads_fit(r))
		return false;
	put_list(r, &attrs, "dilations", "dilations");
	attr_int(&attrs, "group", r_int(r, "groups"));
	put_kernel_shape(r, &attrs);
	put_list(r, &attrs, "pads", "pads");
	put_list(r, &attrs, "strides", "strides");
	make_conv(r, &attrs);
	return true;
}

bool
raise_conv_transpose(struct raise *r)
{
	const struct tn_value *extra = r_attr(r, "extra");
	struct buf attrs = {0};

	if (!pads_fit(r))
		return false;
	put_kernel_shape(r, &attrs);
	if (extra && (extra->u.list[0] || extra->u.list[1]))
		put_list(r, &attrs, "output_padding", "extra");
	put_list(r, &attrs, "pads", "pads");
	put_list(r, &attrs, "strides", "strides");
	make_conv(r, &attrs);
	return true;
}

bool
raise_pool(struct raise *r)
{
	struct ref in = r_in(r, 0);
	struct buf attrs = {0};

	if (!pads_fit(r))
		return false;
	if (r_attr(r, "count-pads"))
		attr_int(&attrs, "count_include_pad", r_int(r, "count-pads"));
	put_list(r, &attrs, "kernel_shape", "kernel");
	put_list(r, &attrs, "pads", "pads");
	put_list(r, &attrs, "strides", "strides");
	r_make(r, r->onnx, &in, 1, &attrs, true);
	return true;
}

/* ---- matrix products -------------------------------------------------------------------------- */

/* the operand of a transposed matrix; TN_NONE: it is none */
static uint32_t
transposed(const struct raise *r, uint32_t node)
{
	const struct tn_gnode *n = &r->g->node[node];
	const struct tn_value *perm;

	if (strcmp(r->g->program->op[n->op].name, "transpose") != 0)
		return TN_NONE;
	perm = r_attr_of(r, node, "perm");
	return perm && perm->n == 2 && perm->u.list[0] == 1 ? r->g->kid[n->kid] : TN_NONE;
}

/* x w + c of matrices as one Gemm */
static void
make_gemm(struct raise *r)
{
	struct buf attrs = {0};
	uint32_t w = transposed(r, r_kid(r, 1));
	struct ref in[3];
	int n = is_zero(r, 2) ? 2 : 3;

	in[0] = r_in(r, 0);
	in[1] = w != TN_NONE ? r_need(r, w) : r_in(r, 1);
	if (n == 3)
		in[2] = r_in(r, 2);
	if (w != TN_NONE)
		attr_int(&attrs, "transB", 1);
	r_make(r, "Gemm", in, n, &attrs, true);
}

/* The operands' leading axes fit MatMul's own broadcasting unless the left one has other than one axis of rows. */
static void
make_matmul(struct raise *r)
{
	const struct tn_shape *a = r_shape(r, r_kid(r, 0)), *w = r_shape(r, r_kid(r, 1)), *out = r_shape(r, r->b);
	int batch = w->rank - 2, i, rows = a->rank - batch - 1;
	struct tn_shape flat = {.dtype = a->dtype, .rank = batch + 2}, product;
	struct ref in[2];

	in[0] = r_in(r, 0);
	in[1] = r_in(r, 1);
	if (batch == 0 || rows == 1) {
		r_make(r, "MatMul", in, 2, NULL, true);
		return;
	}
	memcpy(flat.dim, a->dim, (size_t)batch * sizeof *a->dim);
	for (flat.dim[batch] = 1, i = 0; i < rows; i++)
		flat.dim[batch] = tn_dim_mul(r->ctx, flat.dim[batch], a->dim[batch + i]);
	flat.dim[batch + 1] = a->dim[a->rank - 1];
	product = flat;
	product.dim[batch + 1] = out->dim[out->rank - 1];
	in[0] = r_reshape(r, in[0], a, &flat, r_kid(r, 0), false);
	in[0] = r_make(r, "MatMul", in, 2, NULL, false);
	r_reshape(r, in[0], &product, out, r_kid(r, 0), true);
}

/* apart.c has made an Add of a bias that Gemm has no place for */
bool
raise_matmul(struct raise *r)
{
	const struct tn_shape *a = r_shape(r, r_kid(r, 0)), *w = r_shape(r, r_kid(r, 1));
	bool is_matrix = a->rank == 2 && w->rank == 2;

	if (is_matrix && (!is_zero(r, 2) || (transposed(r, r_kid(r, 1)) != TN_NONE && r->opset >= 11)))
		make_gemm(r);
	else
		make_matmul(r);
	return true;
}

/* ---- reductions and normalisations ------------------------------------------------------------ */

bool
raise_reduce(struct raise *r)
{
	bool by_operand = r->opset >= 18 || (r->opset >= 13 && strcmp(r->onnx, "ReduceSum") == 0);
	int rank = r_shape(r, r_kid(r, 0))->rank;
	int64_t axes[TN_MAX_RANK] = {0}, axis = r_int(r, "axis"), count = r_int(r, "count"), i;
	struct ref in[2];
	struct buf attrs = {0};

	in[0] = r_in(r, 0);
	if (rank >= 3 && axis == 2 && count == rank - 2 && strcmp(r->onnx, "ReduceMean") == 0) {
		r_make(r, "GlobalAveragePool", in, 1, NULL, true);
		return true;
	}
	if (count == 0) {
		r_make(r, "Identity", in, 1, NULL, true);
		return true;
	}
	for (i = 0; i < count && i < TN_MAX_RANK; i++)
		axes[i] = axis + i;
	if (by_operand)
		in[1] = r_ints(r, axes, (int)count);
	else
		attr_ints(&attrs, "axes", axes, (size_t)count);
	attr_int(&attrs, "keepdims", 1);
	r_make(r, r->onnx, in, by_operand ? 2 : 1, &attrs, true);
	return true;
}

/* before opset 13 the axis is the last one (apart.c) */
bool
raise_softmax(struct raise *r)
{
	struct ref in = r_in(r, 0);
	struct buf attrs = {0};

	attr_int(&attrs, "axis", r_int(r, "axis"));
	r_make(r, r->onnx, &in, 1, &attrs, true);
	return true;
}

/* the first n operands as they are, and epsilon */
static bool
raise_norm(struct raise *r, int n)
{
	struct ref in[5];
	struct buf attrs = {0};
	int i;

	for (i = 0; i < n; i++)
		in[i] = r_in(r, i);
	attr_float(&attrs, "epsilon", r_float(r, "eps"));
	r_make(r, r->onnx, in, n, &attrs, true);
	return true;
}

bool
raise_batch_norm(struct raise *r)
{
	return raise_norm(r, 5);
}

bool
raise_layer_norm(struct raise *r)
{
	return r->opset >= 17 && raise_norm(r, is_zero(r, 2) ? 2 : 3);
}
