/*
 * Numbers must tell.  A rule that puts another number where one was matched is wrong only where the number matters
 * and the shape lets it pass: a stride of 3 is taken for one of 2 only where both give two windows.  One that takes an axis
 * for another shows only where both are as long, and one that lacks a guard where what it computes gets below 0.  Such
 * instances are rare, so half of the draws are aimed: at each number of the left side's attributes in turn, so that with
 * another number there its operator gives a result of the same shape and of other values; at equal extents; at operands of
 * one type; at each sign of a difference.
 */
#include <string.h>

#include "base/num.h"
#include "verify/instance.h"

enum { AIMED_FROM = 4, RARE_FROM = 64, LOST_MAX = 96, VAIN_MAX = 3, TELLS_MAX = 6, HOPELESS = 1000 };

/* Some numbers never tell: two tensors joined along another axis have another shape, whatever they are. */
static bool
is_hopeless(const struct target *t)
{
	return t->nhit == 0 && t->ntry >= HOPELESS;
}

void
aim_next(struct instance *in)
{
	uint32_t i;

	in->aim = NULL;
	in->instead = TN_NONE;
	in->ntell = 0;
	if (in->near.found.n < AIMED_FROM && in->near.nafresh < RARE_FROM)
		return;
	if (!in->target.n || (!in->is_aimed && rng_below(&in->rng, 2) == 0))
		return;
	for (i = 0; i < in->target.n && is_hopeless(&in->target.at[in->naim % in->target.n]); i++)
		in->naim++;
	if (i < in->target.n)
		in->aim = &in->target.at[in->naim % in->target.n];
}

/* the first instance is there: near to it more may come of what did not */
static void
hope_again(struct instance *in)
{
	uint32_t i;

	for (i = 0; i < in->target.n; i++)
		if (!in->target.at[i].nhit)
			in->target.at[i].ntry = 0;
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
	if (is_instance && !in->near.found.n)
		hope_again(in);
	in->nlost = is_instance ? 0 : in->nlost + 1;
	if (!is_instance && in->nlost < (unsigned)LOST_MAX >> t->nvain)
		return;
	t->nvain += !is_instance && t->nvain < VAIN_MAX;
	in->naim++;
	in->nlost = 0;
}

/* ---- where it is ------------------------------------------------------------------------------------------------ */

bool
aim_is_at(const struct instance *in, const struct tn_term *t)
{
	return in->aim && in->aim->term == t && in->elem <= 0 && in->mapped == 0 && !is_hopeless(in->aim);
}

static bool
is_at_sign(const struct instance *in)
{
	return in->aim && in->aim->other == AIM_SIGN && !is_hopeless(in->aim);
}

bool
aim_allows(struct instance *in)
{
	bool is_late = false;
	struct tn_v v = is_at_sign(in) ? compute(in, in->aim->difference, &is_late) : CALC_BAD;

	if (is_late || v.kind != TN_VV_INT || !tn_dim_is_num(v.u.i))
		return compute_allows(in);
	in->aim->ntry++;
	if ((v.u.i > 0) - (v.u.i < 0) != in->aim->sign || !compute_allows(in))
		return false;
	in->aim->nhit++;
	return true;
}

/* ---- other numbers ---------------------------------------------------------------------------------------------- */

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

/* with the item so many more than a number that the rule says */
static tn_val
with_said(struct instance *in, tn_val val, int item, int more)
{
	struct tn_value v = *tn_val_get(in->ctx, val);
	int64_t list[2 * TN_MAX_RANK], *at = number_of(&v, list, item), said;

	return at && numbers_limit(&in->numbers, &in->rng, &said) && num_add(said, more, at) ? tn_val_make(in->ctx, &v) : val;
}

/*
 * The number itself tells where it is 2 in the record and 1 in the rule.  Of a pad behind that is not enough, since
 * what is read there is 0 either way: there another item, the pad before, has the number.
 */
tn_val
aim_choose(struct instance *in, const struct tn_attr_decl *a, tn_val chosen)
{
	tn_val usual;
	int item = in->aim->item;

	if (in->aim->other == AIM_SAID && chosen != TN_NONE)
		return with_said(in, chosen, item, 1 + (int)rng_below(&in->rng, 2));
	if (in->aim->other != AIM_USUAL || a->kind == TN_K_AXIS)
		return chosen;
	usual = instance_default(in, a);
	if (usual == TN_NONE || chosen == TN_NONE || rng_below(&in->rng, 3) == 0)
		return chosen;
	if (a->nelem > 1 && rng_below(&in->rng, 3) == 0) {
		item = (int)rng_below(&in->rng, (uint32_t)a->nelem);
		return with_more(in, usual, item, usual, 1);
	}
	return with_more(in, rng_below(&in->rng, 4) ? usual : chosen, item, usual, 2);
}

/* with any item one more or less */
static tn_val
nudged(struct instance *in, tn_val val)
{
	const struct tn_value *v = tn_val_get(in->ctx, val);

	return v->n ? with_more(in, val, (int)rng_below(&in->rng, v->n), val, rng_below(&in->rng, 2) ? 1 : -1) : TN_NONE;
}

/* what stands instead */
static tn_val
another(struct instance *in, const struct tn_attr_decl *a, tn_val is)
{
	int item = in->aim->item;
	tn_val usual;

	if (item < 0)
		return nudged(in, is);
	switch (in->aim->other) {
	case AIM_MORE:
		return with_more(in, is, item, is, 1);
	case AIM_SAID:
		return with_said(in, is, item, 0);
	case AIM_EXCHANGED:
		return exchanged(in, is, item);
	default:
		usual = instance_default(in, a);
		return with_more(in, rng_below(&in->rng, 4) ? usual : is, item, usual, 1);
	}
}

/* ---- other records ----------------------------------------------------------------------------------------------- */

/* are they the same variables, or lists of the same? */
static bool
say_the_same(const struct tn_x *a, const struct tn_x *b)
{
	int i;

	if (a->kind == TN_X_VAR || a->kind != TN_X_LIST || b->kind != TN_X_LIST || a->nkid != b->nkid)
		return a->kind == TN_X_VAR && b->kind == TN_X_VAR && a->var == b->var;
	for (i = 0; i < a->nkid && say_the_same(a->kid[i], b->kid[i]); i++)
		;
	return i == a->nkid;
}

/* Has another operator of the pattern what is aimed at, under the same name or capture? */
static bool
has_too(const struct instance *in, const struct tn_term *t)
{
	const struct target *aim = in->aim;
	const struct tn_x *a, *b;

	if (aim->attr < 0 || t->op != aim->term->op)
		return false;
	a = named_attr(t, aim->attr);
	b = named_attr(aim->term, aim->attr);
	return a && b ? say_the_same(a, b) : a == b && t->capture >= 0 && t->capture == aim->term->capture;
}

tn_attrs
aim_other(struct instance *in, const struct tn_term *t, tn_attrs attrs)
{
	const struct tn_op *op = &in->text->op[t->op];
	tn_val is;
	int attr;

	if (!in->aim || in->aim->other == AIM_SIGN || is_hopeless(in->aim))
		return TN_NONE;
	attr = in->aim->attr;
	if (!aim_is_at(in, t))
		return in->instead != TN_NONE && has_too(in, t) ? tn_attrs_with(in->ctx, attrs, attr, in->instead) : TN_NONE;
	in->aim->ntry++;
	if (attr < 0)
		return attrs;
	is = tn_attrs_get(in->ctx, attrs, NULL)[attr];
	in->instead = another(in, &op->attr[attr], is);
	return in->instead == TN_NONE || in->instead == is ? TN_NONE : tn_attrs_with(in->ctx, attrs, attr, in->instead);
}

int
aim_axis(const struct tn_operand *d, int item, int rank)
{
	int i, before = 0, behind = 0;

	for (i = 0; i < d->nitem; i++)
		*(i < item ? &before : &behind) += d->item[i].is_seq;
	return !before ? item : behind ? -1 : rank - (d->nitem - item);
}

/* Are the operands what they should be? */
static bool
is_as_aimed(const struct instance *in, const struct vnode *x)
{
	const struct target *aim = in->aim;
	const struct tn_shape *t = instance_shape(in, x->kid[aim->operand]);
	int axis;

	if (aim->other == AIM_ALIKE)
		return in->node.at[x->kid[0]].type == in->node.at[x->kid[1]].type && instance_count(in, x->kid[0]) > 1;
	axis = t ? aim_axis(infer_operand(x->op, aim->operand), aim->axis, t->rank) : -1;
	return axis >= 0 && axis + 1 < t->rank && t->dim[axis] > 1 && t->dim[axis] == t->dim[axis + 1];
}

static bool
tells(struct instance *in, int node, tn_attrs other)
{
	const struct vnode *x = &in->node.at[node];
	tn_type type[KIDS_MAX];
	struct tn_infer infer = {.ctx = in->ctx, .op = x->op, .nin = x->nkid, .in = type};
	int i;

	if (!instance_is_small(in, node))
		return false;
	for (i = 0; i < x->nkid; i++) {
		if (!instance_is_small(in, x->kid[i]))
			return false;
		type[i] = in->node.at[x->kid[i]].type;
	}
	if (in->aim->attr < 0)
		return is_as_aimed(in, x);
	infer.attrs = tn_attrs_normalise(in->ctx, x->op, other, type, x->nkid);
	return infer.attrs != TN_NONE && tn_infer_run(&infer) && infer.out == x->type && in->ntell++ < TELLS_MAX &&
	    tells_apart(in, node, infer.attrs);
}

bool
aim_hits(struct instance *in, int node, tn_attrs other)
{
	bool hits = tells(in, node, other);

	in->aim->nhit += hits;
	return hits;
}
