/* Attributes of patterns: those that are named, those that ..c captures, and defaults for the others. */
#include "verify/near.h"

/* The operator whose attributes are drawn. */
struct record {
	const struct tn_term *term;
	const struct tn_op *op;
	const struct kept *like;	/* what it was in an instance that was found; NULL: choose afresh */
	const struct tn_shape *first;
};

/* a value that is free: as it was, or chosen, or such that the number aimed at tells */
static tn_val
choose_value(struct instance *in, const struct record *r, int attr)
{
	tn_val val = r->like ? near_attr(in, r->like, attr) : TN_NONE;

	if (val == TN_NONE)
		val = choose_attr(in, r->op, attr, r->first);
	if (aim_is_at(in, r->term) && in->aim->attr == attr)
		val = aim_choose(in, &r->op->attr[attr], val);
	return val;
}

/* what a guard asks for of an attribute's variable, mostly; BAD: nothing */
static struct tn_v
wished(struct instance *in, const struct tn_x *x)
{
	return x->kind == TN_X_VAR && in->rule->nwhen && rng_below(&in->rng, 8) ? wish_attr(in, x->var) : CALC_BAD;
}

/* what the list has where the same variable stands before; BAD: it does not */
static struct tn_v
said_before(const struct tn_x *x, int i, const uint32_t at[], const int64_t list[])
{
	int k;

	for (k = 0; k < i && x->kid[i]->kind == TN_X_VAR && x->kid[i]->sort != TN_S_LIST; k++)
		if (x->kid[k]->kind == TN_X_VAR && x->kid[k]->var == x->kid[i]->var)
			return calc_int(list[at[k]]);
	return CALC_BAD;
}

/* a list whose items are said in part: the others are chosen */
static tn_val
draw_list(struct instance *in, const struct record *r, int attr, const struct tn_x *x)
{
	const struct tn_attr_decl *a = &r->op->attr[attr];
	const tn_val free = choose_value(in, r, attr);
	const struct tn_value *chosen;
	int64_t list[2 * TN_MAX_RANK];
	struct tn_v v;
	uint32_t n = 0, at[2 * TN_MAX_RANK];
	bool is_late;
	int i, k, len;

	if (free == TN_NONE)
		return TN_NONE;
	chosen = tn_val_get(in->ctx, free);
	for (i = 0; i < x->nkid && i < 2 * TN_MAX_RANK && n < TN_MAX_RANK; i++) {
		at[i] = n;
		is_late = x->kid[i]->kind == TN_X_ANY;
		v = is_late ? CALC_BAD : compute(in, x->kid[i], &is_late);
		len = x->kid[i]->sort != TN_S_LIST ? 1 : (int)chosen->n > x->nkid - 1 ? (int)chosen->n - (x->nkid - 1) : 0;
		if (is_late)
			v = said_before(x, i, at, list);
		if (is_late && v.kind == TN_VV_BAD)
			v = wished(in, x->kid[i]);
		if (v.kind == TN_VV_LIST)
			len = (int)v.n;
		for (k = 0; k < len && n < TN_MAX_RANK; k++, n++)
			list[n] = v.kind == TN_VV_INT ? v.u.i : v.kind == TN_VV_LIST ? v.u.list[k] : n < chosen->n ? chosen->u.list[n] : 1;
	}
	return tn_val_make(in->ctx, &(struct tn_value){.kind = (enum tn_kind)a->kind, .n = n, .u.list = list});
}

/* an attribute that the pattern names */
static tn_val
draw_named(struct instance *in, const struct record *r, int attr, const struct tn_x *x)
{
	const struct tn_attr_decl *a = &r->op->attr[attr];
	bool is_late = false;
	struct tn_v v;
	tn_val val;

	if (x->kind == TN_X_ANY)
		return choose_value(in, r, attr);
	if (x->kind == TN_X_LIST) {
		val = draw_list(in, r, attr, x);
		return val != TN_NONE && compute_list(in, val, x) ? val : TN_NONE;
	}
	v = compute(in, x, &is_late);
	if (!is_late)
		return calc_attr(in->ctx, v, (enum tn_kind)a->kind, a->enums);
	v = wished(in, x);
	val = v.kind == TN_VV_BAD ? choose_value(in, r, attr) : calc_attr(in->ctx, v, (enum tn_kind)a->kind, a->enums);
	if (val == TN_NONE)
		return TN_NONE;
	if (x->kind == TN_X_VAR && in->rule->var[x->var].kind != TN_R_LET) {
		in->now.var[x->var].is_set = true;
		in->now.var[x->var].value = val;
	} else {
		if (in->now.nwaiting == SEEN_MAX)
			return TN_NONE;
		in->now.waiting[in->now.nwaiting++] = (struct equation){.is = val, .wanted = x};
	}
	return val;
}

/* one that ..c captures: as it was, or the default, or anything */
static tn_val
draw_captured(struct instance *in, const struct record *r, int attr, const struct bound *capture)
{
	tn_val usual;

	if (capture->is_set)
		return capture->op == r->op ? tn_attrs_get(in->ctx, capture->record, NULL)[attr] : TN_NONE;
	if (r->like || (aim_is_at(in, r->term) && in->aim->attr == attr))
		return choose_value(in, r, attr);
	usual = instance_default(in, &r->op->attr[attr]);
	return usual != TN_NONE && rng_below(&in->rng, 2) ? usual : choose_value(in, r, attr);
}

const struct tn_x *
named_attr(const struct tn_term *t, int attr)
{
	int i;

	for (i = 0; i < t->nbind; i++)
		if (t->bind[i].attr == attr)
			return t->bind[i].x;
	return NULL;
}

tn_attrs
draw_attrs(struct instance *in, const struct tn_term *t, const struct kept *like, const struct tn_shape *first)
{
	const struct tn_op *op = &in->text->op[t->op];
	const struct record r = {t, op, like, first};
	struct bound *capture = t->capture >= 0 ? &in->now.var[t->capture] : NULL;
	tn_val value[TERMS_MAX];
	const struct tn_x *x;
	tn_attrs record;
	int i;

	if (op->nattr > TERMS_MAX)
		return TN_NONE;
	for (i = 0; i < op->nattr; i++) {
		x = named_attr(t, i);
		value[i] = x ? draw_named(in, &r, i, x) : capture ? draw_captured(in, &r, i, capture) :
		    instance_default(in, &op->attr[i]);
		if (value[i] == TN_NONE)
			return TN_NONE;
	}
	record = tn_attrs_make(in->ctx, value, op->nattr);
	if (capture && !capture->is_set)
		*capture = (struct bound){.is_set = true, .record = record, .op = op};
	return record;
}

/* is it one value whenever it is asked for? */
static bool
is_settled(const struct instance *in, const struct tn_x *x)
{
	int i;

	if (x->kind == TN_X_ANY)
		return false;
	if (x->kind == TN_X_VAR && in->rule->var[x->var].kind == TN_R_LET)
		return is_settled(in, in->rule->var[x->var].x);
	if (x->kind == TN_X_VAR)
		return in->now.var[x->var].is_set;
	for (i = 0; i < x->nkid; i++)
		if (!is_settled(in, x->kid[i]))
			return false;
	return true;
}

bool
attrs_are_settled(const struct instance *in, const struct tn_term *t)
{
	int i;

	for (i = 0; i < t->nbind; i++)
		if (!is_settled(in, t->bind[i].x))
			return false;
	return t->capture < 0 || in->now.var[t->capture].is_set;
}
