/* Types of results that no Tenon operator infers: of opaque operators, and what value infos state. */
#include <string.h>

#include "onnx/lower.h"

/* ---- value infos ------------------------------------------------------------------------------ */

/* the names of extents that the model states */
static bool
is_param(const struct tn_onnx *x, const char *name)
{
	return map_get(&x->params, name, strlen(name)) != NULL;
}

/* axis i of a value, of which nothing is known: a symbol that no other extent has */
static tn_dim
unknown_dim(struct tn_onnx *x, const char *stem, uint32_t i)
{
	const char *name = arena_printf(&x->mem, "%s_%u", stem, i);

	while (is_param(x, name))
		name = arena_printf(&x->mem, "%s'", name);
	return tn_dim_sym(x->ctx, name);
}

/* axis i of a value info */
static tn_dim
info_dim(struct tn_onnx *x, const struct onnx_dim *d, const char *stem, uint32_t axis)
{
	uint32_t i;

	if (d->has_value && d->value >= 0 && d->value <= TN_DIM_MAX)
		return d->value;
	if (d->has_value || d->param.n == 0)
		return unknown_dim(x, stem, axis);
	for (i = 0; i < x->narrowing.n; i++)
		if (span_is(d->param, x->narrowing.at[i].name))
			return x->narrowing.at[i].size;
	return tn_dim_sym(x->ctx, onnx_str(x, d->param));
}

tn_type
onnx_info_type(struct tn_onnx *x, const struct onnx_info *info, const char *stem)
{
	struct tn_shape s = {.dtype = info->dtype, .rank = -1};
	uint32_t i;

	if (!info->is_tensor || info->dtype == TN_UNTYPED)
		return TN_NONE;
	if (info->has_shape && info->rank <= TN_MAX_RANK) {
		s.rank = (int)info->rank;
		for (i = 0; i < info->rank; i++)
			s.dim[i] = info_dim(x, &info->dim[i], stem, i);
	}
	return tn_type_make(x->ctx, &s);
}

/* ---- common operators ------------------------------------------------------------------------- */

struct typing {
	struct tn_onnx *x;
	const struct onnx_node *n;
	struct lower l;
};

/* Fill out[0]; false: not known. */
typedef bool type_fn(struct typing *, struct tn_shape *out);

static const struct tn_shape *
operand(struct typing *t, uint32_t i)
{
	tn_type type = low_has(&t->l, i) ? onnx_type(t->x, t->n->in[i]) : TN_NONE;
	const struct tn_shape *s = type == TN_NONE ? NULL : tn_type_get(t->x->ctx, type);

	return s && s->rank >= 0 ? s : NULL;
}

/* that of the first operand */
static bool
type_same(struct typing *t, struct tn_shape *out)
{
	const struct tn_shape *s = operand(t, 0);

	if (s)
		*out = *s;
	return s != NULL;
}

static bool
type_cast(struct typing *t, struct tn_shape *out)
{
	if (!type_same(t, out))
		return false;
	out->dtype = dtype_of_onnx(low_int(&t->l, "to", 0));
	return out->dtype != TN_UNTYPED;
}

static bool
type_not(struct typing *t, struct tn_shape *out)
{
	bool ok = type_same(t, out);

	out->dtype = TN_BOOL;
	return ok;
}

/* the common shape of the operands, with the first one's dtype */
static bool
broadcast(struct typing *t, struct tn_shape *out)
{
	const struct tn_shape *s;
	uint32_t i;

	for (i = 0; i < t->n->nin; i++) {
		s = operand(t, i);
		if (!s)
			return false;
		if (i == 0)
			*out = *s;
		else if (!shape_broadcast(t->x->ctx, out, s, out))
			return false;
	}
	return t->n->nin > 0;
}

static bool
type_arithmetic(struct typing *t, struct tn_shape *out)
{
	return broadcast(t, out);
}

static bool
type_compare(struct typing *t, struct tn_shape *out)
{
	bool ok = broadcast(t, out);

	out->dtype = TN_BOOL;
	return ok;
}

static bool
type_where(struct typing *t, struct tn_shape *out)
{
	const struct tn_shape *x = operand(t, 1);
	bool ok = x && broadcast(t, out);

	if (ok)
		out->dtype = x->dtype;
	return ok;
}

static bool
type_shape(struct typing *t, struct tn_shape *out)
{
	const struct tn_shape *s = operand(t, 0);

	if (!s || node_attr(t->n, "start") || node_attr(t->n, "end"))
		return false;
	*out = (struct tn_shape){TN_I64, 1, {s->rank}};
	return true;
}

static bool
type_size(struct typing *t, struct tn_shape *out)
{
	(void)t;
	*out = (struct tn_shape){.dtype = TN_I64};
	return true;
}

static bool
type_gather(struct typing *t, struct tn_shape *out)
{
	const struct tn_shape *s = operand(t, 0), *index = operand(t, 1);
	int axis, i;

	if (!s || !index || !low_axis(low_int(&t->l, "axis", 0), s->rank, &axis) || s->rank - 1 + index->rank > TN_MAX_RANK)
		return false;
	*out = (struct tn_shape){.dtype = s->dtype};
	for (i = 0; i < axis; i++)
		out->dim[out->rank++] = s->dim[i];
	for (i = 0; i < index->rank; i++)
		out->dim[out->rank++] = index->dim[i];
	for (i = axis + 1; i < s->rank; i++)
		out->dim[out->rank++] = s->dim[i];
	return true;
}

static bool
type_resize(struct typing *t, struct tn_shape *out)
{
	const struct tn_shape *s = operand(t, 0);

	return s && resize_shape(&t->l, s, out);
}

/* a convolution along one or three axes */
static bool
type_conv(struct typing *t, struct tn_shape *out)
{
	const struct tn_shape *x = operand(t, 0), *k = operand(t, 1);
	int64_t strides[TN_MAX_RANK], dilations[TN_MAX_RANK], pads[2 * TN_MAX_RANK];
	struct tn_ctx *c = t->x->ctx;
	uint32_t i, n;
	tn_dim d;

	if (!x || !k || x->rank < 3 || k->rank != x->rank || !low_is(&t->l, "auto_pad", "NOTSET"))
		return false;
	n = (uint32_t)x->rank - 2;
	if (!low_ints(&t->l, "strides", n, 1, strides) || !low_ints(&t->l, "dilations", n, 1, dilations) ||
	    !low_ints(&t->l, "pads", 2 * n, 0, pads))
		return false;
	*out = (struct tn_shape){x->dtype, x->rank, {x->dim[0], k->dim[0]}};
	for (i = 0; i < n; i++) {
		d = tn_dim_add(c, x->dim[2 + i], tn_dim_add(c, pads[i], pads[n + i]));
		d = tn_dim_sub(c, d, tn_dim_add(c, 1, tn_dim_mul(c, dilations[i], tn_dim_sub(c, k->dim[2 + i], 1))));
		d = strides[i] < 1 ? TN_DIM_BAD : tn_dim_add(c, 1, tn_dim_div(c, d, strides[i]));
		if (d == TN_DIM_BAD || tn_dim_le(c, 0, d) == TN_FALSE)
			return false;
		out->dim[2 + i] = d;
	}
	return true;
}

static const struct {
	const char *op;
	type_fn *type;
} types[] = {
#define TYPE(onnx, type) {#onnx, type},
#include "onnx/map.def"
};

/* what a value info or graph output says of a value */
static tn_type
stated(struct tn_onnx *x, uint32_t value)
{
	const struct onnx_value *v = &x->model.value.at[value];
	const char *stem = onnx_str(x, v->name);
	uint32_t i;

	if (v->info != ONNX_NONE)
		return onnx_info_type(x, &x->model.info.at[v->info], stem);
	for (i = 0; v->is_output && i < x->model.output.n; i++)
		if (span_equal(x->model.output.at[i].name, v->name))
			return onnx_info_type(x, &x->model.output.at[i], stem);
	return TN_NONE;
}

void
onnx_opaque_types(struct tn_onnx *x, const struct onnx_node *n, tn_type out[])
{
	struct typing t = {x, n, {.x = x, .g = x->graph, .n = n}};
	struct tn_shape s, unknown = {.dtype = TN_UNTYPED, .rank = -1};
	bool is_known = domain_is_default(n->domain) && !model_has_function(&x->model, n);
	uint32_t i;
	size_t k;

	for (i = 0; i < n->nout; i++) {
		out[i] = TN_NONE;
		for (k = 0; i == 0 && is_known && k < sizeof types / sizeof *types; k++)
			if (span_is(n->op, types[k].op) && types[k].type(&t, &s))
				out[i] = tn_type_make(x->ctx, &s);
		if (out[i] == TN_NONE && n->out[i] != ONNX_NONE)
			out[i] = stated(x, n->out[i]);
		if (out[i] == TN_NONE)
			out[i] = tn_type_make(x->ctx, &unknown);
	}
}
