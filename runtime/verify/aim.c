/*
 * Numbers must tell.  A rule that puts another number where one was matched is wrong only where the number matters
 * and the shape lets it pass: a stride of 3 is taken for one of 2 only where both give two windows.  Such instances
 * are rare, so half of the draws are aimed, at each number of the left side's attributes in turn: with another number
 * there its operator has to give a result of the same shape and of other values.
 */
#include <string.h>

#include "base/num.h"
#include "verify/values.h"

enum { AIMED_FROM = 4, LOST_MAX = 48, VAIN_MAX = 3, TELLS_MAX = 6 };

/* ---- what there is to be aimed at ---------------------------------------------------------------------------- */

/* Does what the pattern says leave a number open? */
static bool
is_open(const struct tn_x *x)
{
	int i;

	if (x->kind == TN_X_ANY || x->kind == TN_X_VAR)
		return true;
	for (i = 0; i < x->nkid; i++)
		if (is_open(x->kid[i]))
			return true;
	return false;
}

/* the numbers of an attribute that the pattern leaves open */
static int
open_numbers(const struct tn_op *op, const struct tn_term *t, int attr)
{
	const struct tn_attr_decl *a = &op->attr[attr];
	const struct tn_x *x = named_attr(t, attr);

	if (x ? !is_open(x) : t->capture < 0 || !a->init)
		return 0;
	return a->kind == TN_K_INTS ? a->nelem : a->kind == TN_K_INT || a->kind == TN_K_AXIS;
}

/* Was what the pattern captures captured by another before? */
static bool
is_captured(const struct instance *in, const struct tn_term *t)
{
	uint32_t i;

	for (i = 0; i < in->target.n; i++)
		if (in->target.at[i].term->capture == t->capture && in->target.at[i].other == AIM_USUAL)
			return true;
	return false;
}

/* What was captured can only be replaced as a whole; with what has a name a rule can compute, or mistake it. */
static void
find_at(struct instance *in, const struct tn_term *t)
{
	const struct tn_op *op = &in->text->op[t->op];
	struct target one = {.term = t};
	bool is_again = is_captured(in, t);
	int n;

	for (one.attr = 0; one.attr < op->nattr; one.attr++) {
		n = is_again && !named_attr(t, one.attr) ? 0 : open_numbers(op, t, one.attr);
		for (one.item = 0; one.item < n; one.item++) {
			one.other = named_attr(t, one.attr) ? AIM_MORE : AIM_USUAL;
			vec_push(&in->target, one);
			one.other = AIM_EXCHANGED;
			if (named_attr(t, one.attr) && one.item + 1 < n)
				vec_push(&in->target, one);
		}
	}
}

static bool
is_found(const struct instance *in, const struct tn_term *t)
{
	uint32_t i;

	for (i = 0; i < in->target.n; i++)
		if (in->target.at[i].term == t)
			return true;
	return false;
}

static void
find_in(struct instance *in, const struct tn_term *t)
{
	int i;

	if (t->kind == TN_T_OP && !is_found(in, t))
		find_at(in, t);
	for (i = 0; i < t->nkid; i++)
		find_in(in, t->kid[i]);
}

void
aim_find(struct instance *in)
{
	int i;

	for (i = 0; i < in->rule->narrow; i++)
		find_in(in, in->rule->arrow[i].from);
}

void
aim_next(struct instance *in)
{
	in->aim = NULL;
	in->ntell = 0;
	if (in->target.n && in->near.found.n >= AIMED_FROM && (in->is_aimed || rng_below(&in->rng, 2)))
		in->aim = &in->target.at[in->naim % in->target.n];
}

/*
 * An aimed draw is done: the next is aimed elsewhere, so that each number has its share of the instances, not of the
 * draws.  What was in vain is tried less long the next time.
 */
void
aim_note(struct instance *in, bool is_instance)
{
	struct target *t = in->aim;

	if (!t)
		return;
	in->nlost = is_instance ? 0 : in->nlost + 1;
	t->ninstance += is_instance;
	if (!is_instance && in->nlost < (unsigned)LOST_MAX >> t->nvain)
		return;
	t->nvain += !is_instance && t->nvain < VAIN_MAX;
	in->naim++;
	in->nlost = 0;
}

/* ---- draws ----------------------------------------------------------------------------------------------------- */

bool
aim_is_at(const struct instance *in, const struct tn_term *t)
{
	return in->aim && in->aim->term == t && in->elem <= 0;
}

/* item of a number list, or the number */
static int64_t *
number_of(struct tn_value *v, int64_t list[], int item)
{
	if (v->kind != TN_K_INTS)
		return &v->u.i;
	if (v->n > 2 * TN_MAX_RANK || item >= (int)v->n)
		return NULL;
	if (v->u.list != list)
		memcpy(list, v->u.list, v->n * sizeof *list);
	v->u.list = list;
	return &list[item];
}

/* The value with the item so many more than that of another value; TN_NONE: there is none. */
static tn_val
with_more(struct instance *in, tn_val val, int item, tn_val than, int more)
{
	struct tn_value v, from;
	int64_t list[2 * TN_MAX_RANK], other[2 * TN_MAX_RANK], *to, *base;

	if (val == TN_NONE || than == TN_NONE)
		return TN_NONE;
	v = *tn_val_get(in->ctx, val);
	from = *tn_val_get(in->ctx, than);
	to = number_of(&v, list, item);
	base = number_of(&from, other, item);
	return to && base && num_add(*base, more, to) ? tn_val_make(in->ctx, &v) : TN_NONE;
}

/* with the item and the next exchanged */
static tn_val
exchanged(struct instance *in, tn_val val, int item)
{
	struct tn_value v = *tn_val_get(in->ctx, val);
	int64_t list[2 * TN_MAX_RANK], *at = number_of(&v, list, item), first;

	if (!at || item + 1 >= (int)v.n)
		return TN_NONE;
	first = at[0];
	at[0] = at[1];
	at[1] = first;
	return tn_val_make(in->ctx, &v);
}

/*
 * The number itself tells where it is 2 in the record and 1 in the rule.  Of a pad behind that is not enough, since
 * what is read there is 0 either way: there another item, the pad before, has the number.
 */
tn_val
aim_choose(struct instance *in, const struct tn_attr_decl *a, tn_val chosen)
{
	tn_val usual = instance_default(in, a);
	int item = in->aim->item;

	if (in->aim->other != AIM_USUAL || a->kind == TN_K_AXIS || usual == TN_NONE || chosen == TN_NONE || rng_below(&in->rng, 3) == 0)
		return chosen;
	if (a->nelem > 1 && rng_below(&in->rng, 3) == 0) {
		item = (int)rng_below(&in->rng, (uint32_t)a->nelem);
		return with_more(in, usual, item, usual, 1);
	}
	return with_more(in, rng_below(&in->rng, 4) ? usual : chosen, item, usual, 2);
}

/* what stands instead */
static tn_val
another(struct instance *in, const struct tn_attr_decl *a, tn_val is)
{
	tn_val usual = instance_default(in, a);

	switch (in->aim->other) {
	case AIM_USUAL: return with_more(in, rng_below(&in->rng, 4) ? usual : is, in->aim->item, usual, 1);
	case AIM_MORE: return with_more(in, is, in->aim->item, is, 1);
	default: return exchanged(in, is, in->aim->item);
	}
}

bool
aim_hits(struct instance *in, int node)
{
	const struct vnode *x = &in->node.at[node];
	tn_type type[KIDS_MAX];
	tn_val value[TERMS_MAX], is;
	struct tn_infer infer = {.ctx = in->ctx, .op = x->op, .nin = x->nkid, .in = type};
	int attr = in->aim->attr, i;

	memcpy(value, tn_attrs_get(in->ctx, x->attrs, NULL), (size_t)x->op->nattr * sizeof *value);
	is = value[attr];
	value[attr] = another(in, &x->op->attr[attr], is);
	if (value[attr] == TN_NONE || value[attr] == is)
		return false;
	for (i = 0; i < x->nkid; i++)
		type[i] = in->node.at[x->kid[i]].type;
	infer.attrs = tn_attrs_normalise(in->ctx, x->op, tn_attrs_make(in->ctx, value, x->op->nattr), type, x->nkid);
	return infer.attrs != TN_NONE && tn_infer_run(&infer) && infer.out == x->type &&
	    instance_is_small(in, node) && in->ntell++ < TELLS_MAX && values_tell(in, node, infer.attrs);
}
