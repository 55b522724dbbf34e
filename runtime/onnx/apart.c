/* Taking nodes apart; see apart.h. */
#include <string.h>

#include "onnx/apart.h"
#include "onnx/lower.h"

/* the value of the attribute, its number in *index; NULL: there is none */
static const struct tn_value *
attr_of(const struct apart *a, unsigned op, tn_attrs attrs, const char *name, int *index)
{
	const struct tn_op *o = &a->program->op[op];
	int count;
	const tn_val *v = tn_attrs_get(a->ctx, attrs, &count);

	for (*index = 0; *index < o->nattr && *index < count; ++*index)
		if (strcmp(o->attr[*index].name, name) == 0)
			return tn_val_get(a->ctx, v[*index]);
	return NULL;
}

static bool
is_op(const struct apart *a, unsigned op, const char *name)
{
	return strcmp(a->program->op[op].name, name) == 0;
}

/* a part by its operator's name; a kid that is TN_NONE is passed on */
static uint32_t
make_named(const struct apart *a, const char *name, const uint32_t kid[], int nkid, const struct low_attr attr[], int nattr)
{
	unsigned op = tn_op_named(a->program, name);
	tn_attrs attrs = op == TN_NONE ? TN_NONE : map_record(a->ctx, &a->program->op[op], attr, nattr);
	int i;

	for (i = 0; i < nkid; i++)
		if (kid[i] == TN_NONE)
			return TN_NONE;
	return attrs == TN_NONE ? TN_NONE : a->make(a->arg, op, attrs, kid, nkid);
}

/* ---- activations ---------------------------------------------------------------------------------------- */

/* the activation that an `act` attribute names, which is an operator's name too; NULL: none */
static const char *
activation(const struct apart *a, unsigned op, tn_attrs attrs)
{
	int i;
	const struct tn_value *v = attr_of(a, op, attrs, "act", &i);
	const struct tn_enum *enums = v && v->kind == TN_K_ENUM ? a->program->op[op].attr[i].enums : NULL;

	return enums && v->u.i ? enums->value[v->u.i] : NULL;
}

static tn_attrs
without_activation(const struct apart *a, unsigned op, tn_attrs attrs)
{
	int i;

	attr_of(a, op, attrs, "act", &i);
	return tn_attrs_with(a->ctx, attrs, i, tn_val_make(a->ctx, &(struct tn_value){.kind = TN_K_ENUM}));
}

static uint32_t
make_hard_swish(const struct apart *a, uint32_t x)
{
	uint32_t gate = make_named(a, "hard-sigmoid", &x, 1, (struct low_attr[]){
		LOW_FLOAT("alpha", 1.0 / 6), LOW_FLOAT("beta", 0.5)}, 2);

	return make_named(a, "mul", (uint32_t[]){x, gate}, 2, NULL, 0);
}

/* the parts that rules know it by */
static uint32_t
make_gelu(const struct apart *a, uint32_t x)
{
	tn_type t = a->type(a->arg, x);
	uint32_t half = make_named(a, "mul", (uint32_t[]){x, a->fill(a->arg, 0.5, t)}, 2, NULL, 0);
	uint32_t share = make_named(a, "div", (uint32_t[]){x, a->fill(a->arg, 1.4142135623730951, t)}, 2, NULL, 0);

	share = make_named(a, "erf", &share, 1, NULL, 0);
	share = make_named(a, "add", (uint32_t[]){share, a->fill(a->arg, 1, t)}, 2, NULL, 0);
	return make_named(a, "mul", (uint32_t[]){half, share}, 2, NULL, 0);
}

/* ---- products ------------------------------------------------------------------------------------------- */

static const struct tn_shape *
shape(const struct apart *a, uint32_t id)
{
	return tn_type_get(a->ctx, a->type(a->arg, id));
}

/* A bias is an operand of Gemm, which is for matrices; of other products it is an Add. */
static bool
has_loose_bias(const struct apart *a, unsigned op, const uint32_t kid[], int nkid)
{
	return is_op(a, op, "matmul") && nkid == 3 && !a->is_zero(a->arg, kid[2]) &&
	    (a->opset < 7 || shape(a, kid[0])->rank != 2 || shape(a, kid[1])->rank != 2);
}

/* the product without its bias, and the bias spread over it */
static uint32_t
make_loose_bias(const struct apart *a, unsigned op, tn_attrs attrs, const uint32_t kid[])
{
	tn_type bias = a->type(a->arg, kid[2]);
	struct tn_shape to;
	uint32_t sum[2];
	int64_t axis;

	sum[0] = a->make(a->arg, op, attrs, (uint32_t[]){kid[0], kid[1], a->fill(a->arg, 0, bias)}, 3);
	if (sum[0] == TN_NONE)
		return TN_NONE;
	to = *shape(a, sum[0]);
	axis = to.rank - 1;
	sum[1] = to.rank == 1 ? kid[2] : make_named(a, "expand", &kid[2], 1, (struct low_attr[]){
		LOW_LIST("axes", 1, &axis), LOW_LIST("shape", to.rank, to.dim)}, 2);
	return make_named(a, "add", sum, 2, NULL, 0);
}

/* ---- softmax -------------------------------------------------------------------------------------------- */

/* before opset 13 only the last axis is one by itself: another is brought there and back */
static bool
is_turned(const struct apart *a, unsigned op, tn_attrs attrs, const uint32_t kid[])
{
	int i;
	const struct tn_value *axis = a->opset < 13 && is_op(a, op, "softmax") ? attr_of(a, op, attrs, "axis", &i) : NULL;

	return axis && axis->u.i != shape(a, kid[0])->rank - 1;
}

static uint32_t
make_turned(const struct apart *a, unsigned op, tn_attrs attrs, uint32_t x)
{
	int64_t perm[TN_MAX_RANK], axis;
	int i, rank = shape(a, x)->rank, at;
	struct low_attr turn;

	axis = attr_of(a, op, attrs, "axis", &at)->u.i;
	for (i = 0; i < rank; i++)
		perm[i] = i;
	perm[axis] = rank - 1;
	perm[rank - 1] = axis;
	turn = LOW_LIST("perm", rank, perm);
	x = make_named(a, "transpose", &x, 1, &turn, 1);
	x = make_named(a, "softmax", &x, 1, &LOW_INT("axis", rank - 1), 1);
	return make_named(a, "transpose", &x, 1, &turn, 1);
}

/* ---- expand --------------------------------------------------------------------------------------------- */

/* the axes of an expand that are not in the result's order: ONNX's has them so; NULL */
static const struct tn_value *
turned_axes(const struct apart *a, unsigned op, tn_attrs attrs)
{
	int i;
	uint32_t k;
	const struct tn_value *axes = is_op(a, op, "expand") ? attr_of(a, op, attrs, "axes", &i) : NULL;

	for (k = 1; axes && k < axes->n; k++)
		if (axes->u.list[k] < axes->u.list[k - 1])
			return axes;
	return NULL;
}

/* the operand transposed into their order, and then expanded */
static uint32_t
make_ordered(const struct apart *a, unsigned op, tn_attrs attrs, uint32_t x)
{
	const struct tn_value *axes = turned_axes(a, op, attrs);
	struct tn_value to;
	int64_t perm[TN_MAX_RANK], sorted[TN_MAX_RANK];
	int i, k, at, n = (int)axes->n;

	for (i = 0; i < n; i++) {
		for (k = i; k > 0 && sorted[k - 1] > axes->u.list[i]; k--) {
			sorted[k] = sorted[k - 1];
			perm[k] = perm[k - 1];
		}
		sorted[k] = axes->u.list[i];
		perm[k] = i;
	}
	to = *attr_of(a, op, attrs, "shape", &at);
	x = make_named(a, "transpose", &x, 1, &LOW_LIST("perm", n, perm), 1);
	return make_named(a, "expand", &x, 1, (struct low_attr[]){
		LOW_LIST("axes", n, sorted), LOW_LIST("shape", (int)to.n, to.u.list)}, 2);
}

/* ---- all ------------------------------------------------------------------------------------------------ */

static bool
is_old_swish(const struct apart *a, unsigned op)
{
	return a->opset < 14 && is_op(a, op, "hard-swish");
}

static bool
is_old_gelu(const struct apart *a, unsigned op)
{
	return a->opset < 20 && is_op(a, op, "gelu");
}

bool
apart_must(const struct apart *a, unsigned op, tn_attrs attrs, const uint32_t kid[], int nkid)
{
	return is_old_swish(a, op) || is_old_gelu(a, op) || is_turned(a, op, attrs, kid) || turned_axes(a, op, attrs) ||
	    has_loose_bias(a, op, kid, nkid) || activation(a, op, attrs) != NULL;
}

uint32_t
apart_make(const struct apart *a, unsigned op, tn_attrs attrs, const uint32_t kid[], int nkid)
{
	const char *act = activation(a, op, attrs);
	uint32_t made;

	if (is_old_swish(a, op))
		return make_hard_swish(a, kid[0]);
	if (is_old_gelu(a, op))
		return make_gelu(a, kid[0]);
	if (is_turned(a, op, attrs, kid))
		return make_turned(a, op, attrs, kid[0]);
	if (turned_axes(a, op, attrs))
		return make_ordered(a, op, attrs, kid[0]);
	if (act)
		attrs = without_activation(a, op, attrs);
	if (has_loose_bias(a, op, kid, nkid))
		made = make_loose_bias(a, op, attrs, kid);
	else
		made = a->make(a->arg, op, attrs, kid, nkid);
	return act ? make_named(a, act, &made, 1, NULL, 0) : made;
}
