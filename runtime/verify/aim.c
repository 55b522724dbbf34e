/*
 * Captured numbers must tell.  A rule that puts a number of its own where one was captured is wrong only where
 * the number matters and the shape lets it pass: a stride of 3 is taken for one of 2 only where both give two
 * windows.  Such instances are rare, so some are aimed at: another number in one place of a captured record
 * has to give a result of the same shape and of other values.
 */
#include <string.h>

#include "base/num.h"
#include "verify/values.h"

/* the numbers of an attribute that are captured, and have defaults */
static int
captured_numbers(const struct instance *in, const struct tn_term *t, int attr)
{
	const struct tn_attr_decl *a = &in->text->op[t->op].attr[attr];

	if (!a->init || named_attr(t, attr))
		return 0;
	return a->kind == TN_K_INTS ? a->nelem : a->kind == TN_K_INT || a->kind == TN_K_AXIS;
}

/* Attribute and item of the number aimed at, which goes round; false: nothing numeric is captured. */
static bool
find_target(const struct instance *in, const struct tn_term *t, int *attr, int *item)
{
	int i, n = 0;

	for (i = 0; i < in->text->op[t->op].nattr; i++)
		n += captured_numbers(in, t, i);
	if (n == 0)
		return false;
	*item = (int)(in->aim % (unsigned)n);
	for (*attr = 0; *item >= captured_numbers(in, t, *attr); ++*attr)
		*item -= captured_numbers(in, t, *attr);
	return true;
}

bool
aim_is_near(const struct instance *in, const struct tn_term *t)
{
	return in->aim && t->capture >= 0 && !in->now.var[t->capture].is_set;
}

bool
aim_is_at(const struct instance *in, const struct tn_term *t, int attr)
{
	int a, item;

	return aim_is_near(in, t) && find_target(in, t, &a, &item) && a == attr;
}

/* A value with one number, the item, more than the default by so many; TN_NONE: there is no such number. */
static tn_val
with_more(struct instance *in, const struct tn_attr_decl *a, tn_val is, int item, int more)
{
	tn_val usual = instance_default(in, a);
	const struct tn_value *from;
	struct tn_value v;
	int64_t list[2 * TN_MAX_RANK], number;

	if (usual == TN_NONE || is == TN_NONE)
		return TN_NONE;
	from = tn_val_get(in->ctx, usual);
	v = *tn_val_get(in->ctx, is);
	if (v.kind == TN_K_INTS && (v.n > sizeof list / sizeof *list || v.n != from->n))
		return TN_NONE;
	if (!num_add(v.kind == TN_K_INTS ? from->u.list[item] : from->u.i, more, &number))
		return TN_NONE;
	if (v.kind == TN_K_INTS) {
		memcpy(list, v.u.list, v.n * sizeof *list);
		list[item] = number;
		v.u.list = list;
	} else {
		v.u.i = number;
	}
	return tn_val_make(in->ctx, &v);
}

/*
 * The number itself tells where it is 2 in the record and 1 in the rule.  Of a pad behind that is not enough, since
 * what is read there is 0 either way: there another item, the pad before, has the number.
 */
tn_val
aim_choose(struct instance *in, const struct tn_term *t, tn_val chosen)
{
	const struct tn_attr_decl *a;
	int attr, item;

	if (rng_below(&in->rng, 3) == 0 || !find_target(in, t, &attr, &item))
		return chosen;
	a = &in->text->op[t->op].attr[attr];
	if (a->nelem > 1 && rng_below(&in->rng, 3) == 0)
		return with_more(in, a, instance_default(in, a), (int)rng_below(&in->rng, (uint32_t)a->nelem), 1);
	return with_more(in, a, rng_below(&in->rng, 4) ? instance_default(in, a) : chosen, item, 2);
}

bool
aim_hits(struct instance *in, const struct tn_term *t, int node)
{
	const struct vnode *x = &in->node.at[node];
	tn_type type[KIDS_MAX];
	tn_val value[TERMS_MAX], is;
	struct tn_infer infer = {.ctx = in->ctx, .op = x->op, .nin = x->nkid, .in = type};
	const struct tn_attr_decl *a;
	int attr, item, i;

	if (!find_target(in, t, &attr, &item))
		return true;
	a = &x->op->attr[attr];
	memcpy(value, tn_attrs_get(in->ctx, x->attrs, NULL), (size_t)x->op->nattr * sizeof *value);
	is = value[attr];
	value[attr] = with_more(in, a, rng_below(&in->rng, 4) ? instance_default(in, a) : is, item, 1);
	if (value[attr] == TN_NONE || value[attr] == is)
		return false;
	for (i = 0; i < x->nkid; i++)
		type[i] = in->node.at[x->kid[i]].type;
	infer.attrs = tn_attrs_normalise(in->ctx, x->op, tn_attrs_make(in->ctx, value, x->op->nattr), type, x->nkid);
	return infer.attrs != TN_NONE && tn_infer_run(&infer) && infer.out == x->type &&
	    instance_is_small(in, node) && values_tell(in, node, infer.attrs);
}
