/* Random terms: the attributes of an operator, as a pattern wants them. */
#include "tests/oracle/random_place.h"

int64_t
random_int_of(const struct drawing *d, tn_val v)
{
	const struct tn_value *x = tn_val_get(d->ctx, v);

	return x->kind == TN_K_DIM ? x->u.dim : x->kind == TN_K_FLOAT ? (int64_t)x->u.f : x->u.i;
}

/* the value as one of the attribute's kind */
tn_val
random_value_as(const struct drawing *d, tn_val v, enum tn_kind kind)
{
	const struct tn_value *x = tn_val_get(d->ctx, v);
	struct tn_value to = *x;

	if (x->kind == kind)
		return v;
	to.kind = kind;
	if (kind == TN_K_FLOAT)
		to.u.f = (double)random_int_of(d, v);
	else if (kind == TN_K_DIM)
		to.u.dim = random_int_of(d, v);
	else if (kind != TN_K_INTS && kind != TN_K_DIMS)
		to.u.i = random_int_of(d, v);
	return tn_val_make(d->ctx, &to);
}

/* [1 2 $i ..h]: what is not bound is drawn and bound */
static tn_val
list_value(struct drawing *d, const struct tn_attr_decl *a, const struct tn_x *x, tn_val drawn)
{
	int64_t list[TN_MAX_RANK];
	struct tn_value v = {.kind = a->kind, .u.list = list}, one = {.kind = TN_K_INT};
	const struct tn_value *from = tn_val_get(d->ctx, drawn);
	int i;

	for (i = 0; i < x->nkid && i < TN_MAX_RANK; i++) {
		const struct tn_x *e = x->kid[i];

		if (e->sort == TN_S_LIST)
			return drawn;		/* ..h: nothing is known of its length */
		if (e->kind == TN_X_NUM)
			list[v.n++] = e->num.num;
		else if (e->kind == TN_X_VAR && d->value[e->var] != TN_NONE)
			list[v.n++] = random_int_of(d, d->value[e->var]);
		else {
			list[v.n] = from->n > (uint32_t)i ? from->u.list[i] : random_below(d, 3);
			one.u.i = list[v.n++];
			if (e->kind == TN_X_VAR)
				d->value[e->var] = tn_val_make(d->ctx, &one);
		}
	}
	return tn_val_make(d->ctx, &v);
}

/* what a pattern says of an attribute, or TN_NONE */
static tn_val
pattern_value(struct drawing *d, const struct tn_attr_decl *a, const struct tn_x *x)
{
	struct tn_value v = {.kind = a->kind};

	if (x->kind == TN_X_VAR)
		return d->value[x->var] == TN_NONE ? TN_NONE : random_value_as(d, d->value[x->var], (enum tn_kind)a->kind);
	if (x->kind == TN_X_LIST)
		return list_value(d, a, x, random_attr(d->r, a, &(struct seq){x->nkid, {0}}, -1));
	if (x->kind != TN_X_NUM && x->kind != TN_X_TEXT)
		return TN_NONE;
	if (a->kind == TN_K_FLOAT)
		v.u.f = tn_number_double(x->num);
	else if (a->kind == TN_K_DIM)
		v.u.dim = x->num.num;
	else if (a->kind == TN_K_STRING)
		v.u.s = x->text;
	else
		v.u.i = x->num.num;
	return tn_val_make(d->ctx, &v);
}

/* attributes that the pattern or a captured record say */
void
random_known_attrs(struct drawing *d, struct place *p)
{
	const struct tn_term *t = p->term;
	const tn_val *from = t->capture >= 0 && d->record[t->capture] != TN_NONE ? tn_attrs_get(d->ctx, d->record[t->capture], NULL) : NULL;
	int i;

	for (i = 0; i < p->op->nattr; i++)
		p->val[i] = from ? from[i] : TN_NONE;
	for (i = 0; i < t->nbind; i++)
		p->val[t->bind[i].attr] = pattern_value(d, &p->op->attr[t->bind[i].attr], t->bind[i].x);
	for (i = 0; i < p->op->nattr; i++)		/* groups, and numbers of axes */
		if (p->op->attr[i].kind == TN_K_INT && p->val[i] == TN_NONE)
			p->val[i] = random_attr(d->r, &p->op->attr[i], &random_unknown, -1);
}

/* the others, and what variables stand for them */
tn_attrs
random_other_attrs(struct drawing *d, struct place *p)
{
	const struct tn_term *t = p->term;
	tn_attrs record;
	int i;

	for (i = 0; i < p->op->nattr; i++)
		if (p->val[i] == TN_NONE)
			p->val[i] = random_attr(d->r, &p->op->attr[i], p->first.n < 0 ? &p->wanted : &p->first, -1);
	for (i = 0; i < t->nbind; i++)
		if (t->bind[i].x->kind == TN_X_VAR && d->value[t->bind[i].x->var] == TN_NONE)
			d->value[t->bind[i].x->var] = p->val[t->bind[i].attr];
	record = tn_attrs_make(d->ctx, p->val, p->op->nattr);
	if (t->capture >= 0)
		d->record[t->capture] = record;
	return record;
}
