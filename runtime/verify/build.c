/* Results: terms over what the patterns bound, made as an applier makes them. */
#include <string.h>

#include "base/num.h"
#include "verify/instance.h"

int
instance_node(struct instance *in, const struct vnode *v)
{
	vec_push(&in->node, *v);
	return (int)in->node.n - 1;
}

const struct tn_shape *
instance_shape(const struct instance *in, int node)
{
	tn_type type = in->node.at[node].type;

	return type == TN_NONE ? NULL : tn_type_get(in->ctx, type);
}

struct tn_array
instance_array(const struct instance *in, int node)
{
	const struct tn_shape *t = instance_shape(in, node);
	struct tn_array a = {.dtype = t->dtype, .rank = t->rank};

	memcpy(a.dim, t->dim, (size_t)t->rank * sizeof a.dim[0]);
	return a;
}

tn_val
instance_default(struct instance *in, const struct tn_attr_decl *decl)
{
	struct usual made;
	uint32_t i;

	for (i = 0; i < in->usual.n; i++)
		if (in->usual.at[i].decl == decl)
			return in->usual.at[i].value;
	made = (struct usual){decl, attr_default(in->ctx, decl)};
	vec_push(&in->usual, made);
	return made.value;
}

bool
instance_number(const struct instance *in, tn_val v, struct tn_number *out)
{
	const struct tn_value *value = tn_val_get(in->ctx, v);

	if (value->kind == TN_K_FLOAT)
		*out = domain_meant(value->u.f);
	else if (value->kind == TN_K_INT || value->kind == TN_K_DIM || value->kind == TN_K_AXIS || value->kind == TN_K_BOOL)
		*out = number_make(value->u.i, 1);
	else
		return false;
	return true;
}

int
instance_operator(struct instance *in, const struct tn_op *op, tn_attrs attrs, const int kid[], int nkid)
{
	struct vnode v = {.kind = V_OPERATOR, .op = op, .nkid = nkid, .elem = -1}, number;
	struct tn_infer infer = {.ctx = in->ctx, .op = op, .nin = nkid};
	tn_type type[KIDS_MAX];
	int i;

	for (i = 0; i < nkid; i++)
		type[i] = in->node.at[kid[i]].type;
	v.attrs = infer.attrs = tn_attrs_normalise(in->ctx, op, attrs, type, nkid);
	infer.in = type;
	if (v.attrs == TN_NONE || !tn_infer_run(&infer))
		return -1;
	v.type = infer.out;
	for (i = 0; i < nkid; i++) {
		v.kid[i] = kid[i];
		if (in->node.at[kid[i]].type != TN_NONE)
			continue;
		number = in->node.at[kid[i]];
		number.type = type[i];
		v.kid[i] = instance_node(in, &number);
	}
	return instance_node(in, &v);
}

/* ---- terms -------------------------------------------------------------------------------------------- */

struct kids {
	int n, at[KIDS_MAX];
};

static bool
put_kid(struct kids *k, int node)
{
	if (node < 0 || k->n == KIDS_MAX)
		return false;
	k->at[k->n++] = node;
	return true;
}

/* how many elements the sequences in t have; 0: there are none in it */
static int
run_length(const struct instance *in, const struct tn_term *t)
{
	int i, n = 0;

	if (t->kind == TN_T_REST)
		return in->now.var[t->var].n;
	for (i = 0; i < t->nkid && n == 0; i++)
		n = run_length(in, t->kid[i]);
	return n;
}

/* the operands that one term stands for */
static bool
put_operands(struct instance *in, const struct tn_term *t, int elem, struct kids *k)
{
	const struct bound *b = t->var >= 0 ? &in->now.var[t->var] : NULL;
	int i, n, outer = in->elem;
	bool ok = true;

	switch (t->kind) {
	case TN_T_REST:
		if (elem >= 0)
			return elem < b->n && put_kid(k, b->run[elem]);
		for (i = 0; i < b->n; i++)
			if (!put_kid(k, b->run[i]))
				return false;
		return true;
	case TN_T_MAP:
		n = t->var >= 0 && in->rule->var[t->var].kind == TN_R_TENSORS ? b->n : run_length(in, t->kid[0]);
		for (i = 0; i < n && ok; i++) {
			in->elem = i;
			ok = put_kid(k, build_term(in, t->kid[0], i));
		}
		in->elem = outer;
		return ok && n > 0;
	default:
		return put_kid(k, build_term(in, t, elem));
	}
}

static tn_attrs
result_attrs(struct instance *in, const struct tn_term *t, const struct tn_op *op)
{
	const struct bound *capture = t->capture >= 0 ? &in->now.var[t->capture] : NULL;
	tn_val value[TERMS_MAX];
	bool is_late = false;
	int i, k, n = 0;

	if (op->nattr > TERMS_MAX || (capture && (!capture->is_set || capture->op != op)))
		return TN_NONE;
	for (i = 0; i < op->nattr; i++)
		value[i] = capture ? tn_attrs_get(in->ctx, capture->record, &n)[i] : instance_default(in, &op->attr[i]);
	for (k = 0; k < t->nbind; k++) {
		const struct tn_attr_decl *a = &op->attr[t->bind[k].attr];

		value[t->bind[k].attr] = calc_attr(in->ctx, compute(in, t->bind[k].x, &is_late), (enum tn_kind)a->kind, a->enums);
	}
	for (i = 0; i < op->nattr; i++)
		if (value[i] == TN_NONE || is_late)
			return TN_NONE;
	return tn_attrs_make(in->ctx, value, op->nattr);
}

static int
build_operator(struct instance *in, const struct tn_term *t, int elem)
{
	const struct tn_op *op = &in->text->op[t->op];
	struct kids k = {0};
	tn_attrs attrs;
	int i;

	for (i = 0; i < t->nkid; i++)
		if (!put_operands(in, t->kid[i], elem, &k))
			return -1;
	attrs = result_attrs(in, t, op);
	return attrs == TN_NONE ? -1 : instance_operator(in, op, attrs, k.at, k.n);
}

/* A let is one for all elements. */
static int
build_let(struct instance *in, const struct tn_term *t)
{
	int outer = in->elem, node;

	in->elem = -1;
	node = build_operator(in, t, -1);
	in->elem = outer;
	return node;
}

int
build_term(struct instance *in, const struct tn_term *t, int elem)
{
	struct vnode v = {.kind = V_NUMBER, .type = TN_NONE, .elem = -1, .num = t->num};
	bool is_late = false;
	struct tn_v x;
	tn_val val;

	switch (t->kind) {
	case TN_T_VAR:
		return in->now.var[t->var].is_set ? in->now.var[t->var].node : -1;
	case TN_T_NUM:
		return instance_node(in, &v);
	case TN_T_ATTR:
		x = compute(in, &(struct tn_x){.kind = TN_X_VAR, .var = t->var}, &is_late);
		val = calc_attr(in->ctx, x, TN_K_FLOAT, NULL);
		return val != TN_NONE && instance_number(in, val, &v.num) ? instance_node(in, &v) : -1;
	case TN_T_REST:
		return elem >= 0 && elem < in->now.var[t->var].n ? in->now.var[t->var].run[elem] : -1;
	case TN_T_OP:
		return t->is_let ? build_let(in, t) : build_operator(in, t, elem);
	default:
		return -1;
	}
}
