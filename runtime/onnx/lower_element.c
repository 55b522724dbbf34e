/* Lowering of operators that work element by element. */
#include <math.h>
#include <string.h>

#include "onnx/lower.h"

bool
lower_unary(struct lower *l)
{
	l->out[0] = low_node(l, l->op, l->in, 1, NULL, 0);
	return l->out[0] != TN_NONE;
}

/* operand i, spread over the shape: a number is a fill */
static uint32_t
spread(struct lower *l, uint32_t i, const struct tn_shape *to)
{
	double v;

	if (l->in[i] != TN_NONE)
		return low_broadcast(l, l->in[i], to);
	return low_number(l, i, &v) ? low_fill(l, v, to) : TN_NONE;
}

/* the shape of operand i */
static const struct tn_shape *
shape_of(struct lower *l, uint32_t i)
{
	tn_type t = l->n->in[i] == ONNX_NONE ? TN_NONE : onnx_type(l->x, l->n->in[i]);
	const struct tn_shape *s = t == TN_NONE ? NULL : tn_type_get(l->g->ctx, t);

	return s && s->rank >= 0 ? s : NULL;
}

bool
lower_variadic(struct lower *l)
{
	struct tn_shape to = {0};
	const struct tn_shape *s;
	uint32_t i, kid[2];

	for (i = 0; i < l->n->nin; i++) {
		s = shape_of(l, i);
		if (!s || (i && s->dtype != to.dtype))
			return false;
		if (i == 0)
			to = *s;
		else if (!shape_broadcast(l->g->ctx, &to, s, &to))
			return false;
	}
	if (i == 0)
		return false;
	kid[0] = spread(l, 0, &to);
	for (i = 1; i < l->n->nin; i++) {
		kid[1] = spread(l, i, &to);
		kid[0] = low_node(l, l->op, kid, 2, NULL, 0);
	}
	l->out[0] = kid[0];
	return l->out[0] != TN_NONE;
}

bool
lower_binary(struct lower *l)
{
	return l->n->nin == 2 && lower_variadic(l);
}

bool
lower_identity(struct lower *l)
{
	l->out[0] = l->in[0];
	return true;
}

/* only one that changes nothing */
bool
lower_cast(struct lower *l)
{
	l->out[0] = l->in[0];
	return dtype_of_onnx(low_int(l, "to", 0)) == low_shape(l, l->in[0])->dtype;
}

/* inference: the mask is not asked for, and training_mode not on */
bool
lower_dropout(struct lower *l)
{
	l->out[0] = l->in[0];
	return !low_has(l, 2);
}

/* Of bounds that cross ONNX says since opset 13 that all is max, as the definition here does. */
bool
lower_clip(struct lower *l)
{
	bool by_operand = l->x->opset >= 11;
	double min = -INFINITY, max = INFINITY;

	if (by_operand && (node_attr(l->n, "min") || node_attr(l->n, "max")))
		return false;
	if (by_operand && ((low_has(l, 1) && !low_number(l, 1, &min)) || (low_has(l, 2) && !low_number(l, 2, &max))))
		return false;
	if (!by_operand) {
		min = low_float(l, "min", min);
		max = low_float(l, "max", max);
	}
	if (isnan(min) || isnan(max) || (min > max && l->x->opset < 13))
		return false;
	l->out[0] = low_node(l, l->op, l->in, 1, (struct low_attr[]){LOW_FLOAT("min", min), LOW_FLOAT("max", max)}, 2);
	return l->out[0] != TN_NONE;
}

bool
lower_leaky_relu(struct lower *l)
{
	l->out[0] = low_node(l, l->op, l->in, 1, &LOW_FLOAT("alpha", low_float(l, "alpha", 0.01f)), 1);
	return l->out[0] != TN_NONE;
}

bool
lower_hard_sigmoid(struct lower *l)
{
	l->out[0] = low_node(l, l->op, l->in, 1, (struct low_attr[]){
		LOW_FLOAT("alpha", low_float(l, "alpha", 0.2f)), LOW_FLOAT("beta", low_float(l, "beta", 0.5))}, 2);
	return l->out[0] != TN_NONE;
}

bool
lower_gelu(struct lower *l)
{
	return low_is(l, "approximate", "none") && lower_unary(l);
}

/* No number of the attribute lies where the names of expressions do. */
static bool
is_plain(const struct onnx_attr *a)
{
	uint32_t i;

	for (i = 0; a->type == ATTR_INTS && i < a->n; i++)
		if (onnx_cut(a->ints[i]) != a->ints[i])
			return false;
	return a->type != ATTR_INT || onnx_cut(a->i) == a->i;
}

/* An operator of the rule files declared with (onnx "Name"): the same operands and attributes. */
bool
lower_declared(struct lower *l)
{
	struct low_attr attr[32];
	const struct onnx_attr *a;
	uint32_t i;

	if (l->n->nattr > sizeof attr / sizeof *attr)
		return false;
	for (i = 0; i < l->n->nattr; i++) {
		a = &l->n->attr[i];
		attr[i] = (struct low_attr){.name = onnx_str(l->x, a->name)};
		if (!is_plain(a))
			return false;
		if (a->type == ATTR_INT)
			attr[i].n = -1, attr[i].i = a->i;
		else if (a->type == ATTR_FLOAT)
			attr[i].n = -2, attr[i].f = (double)a->f;
		else if (a->type == ATTR_INTS)
			attr[i].n = (int)a->n, attr[i].list = a->ints;
		else
			return false;
	}
	l->out[0] = low_op(l, tn_op_named(l->x->program, l->op), l->in, (int)l->n->nin, attr, (int)l->n->nattr);
	return l->out[0] != TN_NONE;
}
