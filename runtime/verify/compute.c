/* What a rule's expressions are in an instance; everything is a number here, so nothing is unknown. */
#include "base/num.h"
#include "verify/instance.h"

enum { OPERANDS = 32 };

static bool
holds(struct tn_v v)
{
	return v.kind == TN_VV_BOOL && v.u.i == TN_TRUE;
}

bool
compute_same(struct instance *in, struct tn_v a, struct tn_v b)
{
	return holds(calc_call(&in->calc, TN_F_EQ, 2, (const struct tn_v[]){a, b}));
}

/* what is asked of a tensor: dim, shape, rank, constant, dtype, and of two: != */
static struct tn_v
ask(struct instance *in, const struct tn_x *x, bool *is_late)
{
	const struct tn_rvar *decl = &in->rule->var[x->kid[0]->var];
	struct bound *v = &in->now.var[x->kid[0]->var];
	const struct tn_shape *shape;

	if (x->fn == TN_F_NE) {
		const struct bound *w = &in->now.var[x->kid[1]->var];

		*is_late |= !v->is_set || !w->is_set;
		return v->is_set && w->is_set ? calc_bool(tn_tri_of(v->node != w->node)) : CALC_BAD;
	}
	if (x->fn == TN_F_CONSTANT)
		return calc_bool(tn_tri_of(in->constants >> (x->kid[0]->var & 63) & 1));
	if (!v->is_set && decl->kind == TN_R_TERM) {
		v->node = build_term(in, decl->term, -1);
		v->is_set = v->node >= 0;
	}
	if (!v->is_set) {
		*is_late = true;
		return CALC_BAD;
	}
	shape = instance_shape(in, decl->kind == TN_R_TENSORS ? v->run[in->elem >= 0 ? in->elem : 0] : v->node);
	switch (x->fn) {
	case TN_F_SHAPE:
		return calc_shape(shape);
	case TN_F_RANK:
		return calc_int(shape->rank);
	case TN_F_DTYPE_OF:
		return (struct tn_v){.kind = TN_VV_DTYPE, .u.i = shape->dtype};
	default:
		return calc_call(&in->calc, TN_F_AT, 2, (const struct tn_v[]){calc_shape(shape), compute(in, x->kid[1], is_late)});
	}
}

static struct tn_v
variable(struct instance *in, const struct tn_x *x, bool *is_late)
{
	const struct bound *v = &in->now.var[x->var];

	if (in->rule->var[x->var].kind == TN_R_LET)
		return compute(in, in->rule->var[x->var].x, is_late);
	*is_late |= !v->is_set;
	return v->is_set ? calc_value(tn_val_get(in->ctx, v->value)) : CALC_BAD;
}

/* the sum of a value over the siblings before this one */
static struct tn_v
sum_before(struct instance *in, const struct tn_x *x, bool *is_late)
{
	struct tn_v sum = calc_int(0);
	int elem = in->elem;

	for (in->elem = 0; in->elem < elem; in->elem++)
		sum = calc_call(&in->calc, TN_F_ADD, 2, (const struct tn_v[]){sum, compute(in, x->kid[0], is_late)});
	in->elem = elem;
	return sum;
}

/* An IF looks at one side only, as it does everywhere else. */
struct tn_v
compute(struct instance *in, const struct tn_x *x, bool *is_late)
{
	struct tn_v kid[OPERANDS];
	int i;

	switch (x->kind) {
	case TN_X_NUM:
		return x->sort == TN_S_BOOL ? calc_bool(tn_tri_of(x->num.num != 0)) : calc_number(x->num);
	case TN_X_TEXT:
		if (x->sort == TN_S_STRING)
			return (struct tn_v){.kind = TN_VV_STRING, .u.s = x->text};
		return (struct tn_v){.kind = x->sort == TN_S_DTYPE ? TN_VV_DTYPE : x->sort == TN_S_ENUM ? TN_VV_ENUM : TN_VV_BOOL,
		    .u.i = x->num.num};
	case TN_X_VAR:
		return variable(in, x, is_late);
	case TN_X_BEFORE:
		return sum_before(in, x, is_late);
	case TN_X_CALL:
	case TN_X_LIST:
		break;
	default:
		return CALC_BAD;
	}
	if (x->nkid > OPERANDS)
		return CALC_BAD;
	if (x->kind == TN_X_CALL && x->nkid && x->kid[0]->sort == TN_S_TENSOR)
		return ask(in, x, is_late);
	for (i = 0; i < x->nkid; i++)
		kid[i] = compute(in, x->kid[i], is_late);
	return x->kind == TN_X_LIST ? calc_list(&in->calc, x->nkid, kid) : calc_call(&in->calc, (enum tn_fn)x->fn, x->nkid, kid);
}

/* ---- patterns of lists ------------------------------------------------------------------------------ */

static bool
is_pattern_var(const struct instance *in, const struct tn_x *x)
{
	return x->kind == TN_X_VAR && (in->rule->var[x->var].kind == TN_R_ATTR || in->rule->var[x->var].kind == TN_R_SEQ);
}

/* the variable is the item or run of items, or becomes it */
static bool
meet(struct instance *in, int var, struct tn_v part)
{
	struct bound *v = &in->now.var[var];

	if (v->is_set)
		return compute_same(in, calc_value(tn_val_get(in->ctx, v->value)), part);
	v->value = calc_attr(in->ctx, part, part.kind == TN_VV_LIST ? TN_K_DIMS : TN_K_DIM, NULL);
	v->is_set = v->value != TN_NONE;
	return v->is_set;
}

bool
compute_list(struct instance *in, tn_val list, const struct tn_x *pattern)
{
	struct tn_v all = calc_value(tn_val_get(in->ctx, list)), part;
	int i, at = 0, n, nrun = 0;

	for (i = 0; i < pattern->nkid; i++)
		nrun += pattern->kid[i]->sort == TN_S_LIST;
	if (all.kind != TN_VV_LIST || (nrun ? (int)all.n < pattern->nkid - 1 : (int)all.n != pattern->nkid))
		return false;
	for (i = 0; i < pattern->nkid; i++, at += n) {
		const struct tn_x *item = pattern->kid[i];

		n = item->sort == TN_S_LIST ? (int)all.n - (pattern->nkid - 1) : 1;
		part = item->sort == TN_S_LIST ? calc_items((uint32_t)n, all.u.list + at) : calc_int(all.u.list[at]);
		if (item->kind == TN_X_ANY)
			continue;
		if (is_pattern_var(in, item)) {
			if (!meet(in, item->var, part))
				return false;
		} else {
			if (in->now.nwaiting == SEEN_MAX)
				return false;
			in->now.waiting[in->now.nwaiting++] = (struct equation){list, at, n, item};
		}
	}
	return true;
}

/* ---- guards ------------------------------------------------------------------------------------------- */

bool
compute_equations(struct instance *in)
{
	bool is_late = false;
	struct tn_v is;
	int i;

	for (i = 0; i < in->now.nwaiting; i++) {
		const struct equation *q = &in->now.waiting[i];

		is = calc_value(tn_val_get(in->ctx, q->is));
		if (q->n > 0)
			is = q->wanted->sort == TN_S_LIST ? calc_items((uint32_t)q->n, is.u.list + q->item) : calc_int(is.u.list[q->item]);
		if (!compute_same(in, is, compute(in, q->wanted, &is_late)))
			return false;
	}
	in->now.nwaiting = 0;
	return true;
}

/* A list pattern with variables that are not bound yet binds them. */
bool
compute_guard(struct instance *in, const struct tn_x *cond)
{
	const struct tn_x *list = cond->kind == TN_X_CALL && cond->fn == TN_F_EQ && cond->nkid == 2 ? cond->kid[1] : NULL;
	bool is_late = false, binds = false;
	struct tn_v v;
	tn_val val;
	int i;

	for (i = 0; list && list->kind == TN_X_LIST && i < list->nkid; i++)
		binds |= list->kid[i]->kind == TN_X_ANY || (is_pattern_var(in, list->kid[i]) && !in->now.var[list->kid[i]->var].is_set);
	v = compute(in, binds ? cond->kid[0] : cond, &is_late);
	if (!binds)
		return holds(v);
	val = calc_attr(in->ctx, v, TN_K_DIMS, NULL);
	return val != TN_NONE && compute_list(in, val, list) && compute_equations(in);
}

/* A guard that is false already will not become true: what is left to be bound changes nothing of it. */
bool
compute_allows(struct instance *in)
{
	bool is_late;
	struct tn_v v;
	int i;

	for (i = 0; i < in->rule->nwhen && !in->rule->is_siblings; i++) {
		is_late = false;
		v = compute(in, in->rule->when[i], &is_late);
		if (!is_late && v.kind == TN_VV_BOOL && v.u.i == TN_FALSE) {
			in->stage = AT_GUARDS;
			return false;
		}
	}
	return true;
}
