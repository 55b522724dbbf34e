/*
 * What there is to be aimed at, aim.c, in a rule: numbers of the patterns' attributes, axes and operands that might be taken
 * for each other, and differences that the rule computes.
 */
#include "verify/instance.h"

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

static bool
is_open_list(const struct tn_op *op, const struct tn_term *t, int attr)
{
	const struct tn_x *x = named_attr(t, attr);

	return op->attr[attr].kind == TN_K_INTS && !op->attr[attr].nelem && (x ? is_open(x) : t->capture >= 0);
}

/* Has the axis a name of its own? */
static bool
is_named(const struct tn_operand *d, int axis)
{
	return axis < d->nitem && !d->item[axis].is_seq;
}

/* Was what the pattern captures captured by another before? */
static bool
is_captured(const struct instance *in, const struct tn_term *t)
{
	const struct target *a;
	uint32_t i;

	for (i = 0; i < in->target.n; i++) {
		a = &in->target.at[i];
		if (a->attr >= 0 && a->term->capture == t->capture && !named_attr(a->term, a->attr))
			return true;
	}
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
			one.other = AIM_SAID;
			if (named_attr(t, one.attr) && in->numbers.limit.n)
				vec_push(&in->target, one);
			one.other = AIM_EXCHANGED;
			if (named_attr(t, one.attr) && one.item + 1 < n)
				vec_push(&in->target, one);
		}
		one.item = -1;
		one.other = AIM_MORE;
		if (is_open_list(op, t, one.attr) && (named_attr(t, one.attr) || !is_again))
			vec_push(&in->target, one);
	}
}

/* Axes that have names might be taken for each other, and so might operands, where they are equally long. */
static void
find_operands(struct instance *in, const struct tn_term *t)
{
	const struct tn_op *op = &in->text->op[t->op];
	struct target one = {.term = t, .attr = -1};
	const struct tn_operand *d;
	int i;

	for (i = 0; i < t->nkid && t->kid[i]->kind != TN_T_REST && t->kid[i]->kind != TN_T_MAP; i++) {
		if (t->kid[i]->kind != TN_T_VAR)
			continue;
		d = infer_operand(op, i);
		one.operand = i;
		one.other = AIM_SQUARE;
		for (one.axis = 0; one.axis + 1 < d->nitem; one.axis++)
			if (is_named(d, one.axis) && is_named(d, one.axis + 1))
				vec_push(&in->target, one);
		one.other = AIM_ALIKE;
		if (i == 1 && !op->is_commutative && !same_items(d, infer_operand(op, 0)))
			vec_push(&in->target, one);
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

	if (t->kind == TN_T_OP && !is_found(in, t)) {
		find_at(in, t);
		find_operands(in, t);
	}
	for (i = 0; i < t->nkid; i++)
		find_in(in, t->kid[i]);
}

/* Where a rule subtracts, it may hold for one sign of the difference alone. */
static void
find_differences(struct instance *in, const struct tn_x *x)
{
	struct target one = {.attr = -1, .other = AIM_SIGN, .difference = x};
	bool is_one = x->kind == TN_X_CALL && x->fn == TN_F_SUB && x->nkid > 1 && x->sort == TN_S_INT;
	uint32_t k;
	int i;

	for (k = 0; k < in->target.n && is_one; k++)		/* lets are shared */
		is_one = in->target.at[k].difference != x;
	for (one.sign = -1; one.sign <= 1 && is_one; one.sign++)
		vec_push(&in->target, one);
	for (i = 0; i < x->nkid; i++)
		find_differences(in, x->kid[i]);
}

static void
find_in_result(struct instance *in, const struct tn_term *t)
{
	int i;

	for (i = 0; i < t->nbind; i++)
		find_differences(in, t->bind[i].x);
	for (i = 0; i < t->nkid; i++)
		find_in_result(in, t->kid[i]);
}

void
aim_find(struct instance *in)
{
	const struct tn_rule *r = in->rule;
	int i;

	for (i = 0; i < r->narrow; i++)
		find_in(in, r->arrow[i].from);
	for (i = 0; i < r->narrow && !r->is_siblings; i++)
		find_in_result(in, r->arrow[i].to);
	for (i = 0; i < r->nvar && !r->is_siblings; i++)
		if (r->var[i].kind == TN_R_LET)
			find_differences(in, r->var[i].x);
		else if (r->var[i].kind == TN_R_TERM)
			find_in_result(in, r->var[i].term);
}
