/* Lists of indices in the flat form, item by item, and the reads they stand for; as items.c does it. */
#include "ref/flat_code.h"

static const struct flat_list bad = {.n = -1};

static struct flat_list
each(struct flat_number v)
{
	struct flat_list l = {.n = LIST_EACH};

	l.i[0] = v;
	return l;
}

struct flat_list
flat_bound(struct flattener *b, int var)
{
	struct tn_list bound = eval_bound(&b->w, b->picked, var);
	struct flat_list l = {.n = (int)bound.n};
	int i;

	for (i = 0; i < l.n; i++)
		l.i[i] = flat_known(bound.i[i]);
	return l;
}

static struct flat_list
joined(struct flat_list l, struct flat_list next)
{
	int i;

	if (l.n < 0 || next.n < 0 || l.n + next.n > TN_MAX_RANK)
		return bad;
	for (i = 0; i < next.n; i++)
		l.i[l.n++] = next.i[i];
	return l;
}

/* the number as an index; *there is narrowed to where it is one */
static struct flat_number
index_of(struct flattener *b, const struct tn_x *x, int *there)
{
	struct flat_number v = flat_number(b, x);

	*there = flat_and(b, *there, v.there);
	v.there = ALL;
	if (v.is_real)
		v = (struct flat_number){.reg = flat_whole_reg(b, v), .there = ALL};
	return v;
}

static struct flat_list
list_of(struct flattener *b, const struct tn_x *x, int *there)
{
	struct flat_list l = {0}, one;
	int i;

	for (i = 0; i < x->nkid; i++) {
		if (x->kid[i]->sort == TN_S_LIST) {
			one = flat_items(b, x->kid[i], there);
		} else {
			one.n = 1;
			one.i[0] = index_of(b, x->kid[i], there);
		}
		l = joined(l, one);
	}
	return l;
}

/* ---- functions ------------------------------------------------------------------------------------------- */

static struct flat_list
mapped(struct flattener *b, enum tn_fn fn, struct flat_list x, struct flat_list y)
{
	struct flat_list l = {.n = x.n == LIST_EACH ? y.n : x.n};
	int i;

	if (x.n == -1 || y.n == -1 || (x.n >= 0 && y.n >= 0 && x.n != y.n))
		return bad;
	for (i = 0; i < (l.n == LIST_EACH ? 1 : l.n); i++)
		l.i[i] = flat_whole_fn(b, fn, x.i[x.n == LIST_EACH ? 0 : i], y.i[y.n == LIST_EACH ? 0 : i]);
	return l;
}

static struct flat_list
unflatten(struct flattener *b, struct flat_number offset, struct flat_list extents)
{
	struct flat_number extent;
	int a;

	for (a = extents.n - 1; a >= 0; a--) {
		extent = extents.i[a];
		extents.i[a] = a == 0 ? offset : flat_whole_fn(b, TN_F_MOD, offset, extent);
		offset = flat_whole_fn(b, TN_F_FLOORDIV, offset, extent);
	}
	return extents;
}

/* is every item a number already? */
static bool
is_known(struct flattener *b, struct flat_list l)
{
	int i;

	for (i = 0; i < l.n; i++)
		if (!l.i[i].is_known) {
			b->is_beyond = true;
			return false;
		}
	return true;
}

static struct flat_list
range(struct flattener *b, struct flat_number from, struct flat_number to)
{
	struct flat_list l = {0};
	int64_t i;

	if (!from.is_known || !to.is_known) {
		b->is_beyond = true;
		return bad;
	}
	if (to.k - from.k > TN_MAX_RANK)
		return bad;
	for (i = from.k; i < to.k; i++)
		l.i[l.n++] = flat_known(i);
	return l;
}

static struct flat_list
permuted(struct flattener *b, struct flat_list l, struct flat_list perm, bool is_undone)
{
	struct flat_list to = {.n = perm.n};
	int i;

	if (perm.n < 0 || l.n < 0 || (is_undone && perm.n != l.n) || !is_known(b, perm))
		return bad;
	for (i = 0; i < perm.n; i++) {
		if (!tn_inside(perm.i[i].k, l.n))
			return bad;
		if (is_undone)
			to.i[perm.i[i].k] = l.i[i];
		else
			to.i[i] = l.i[perm.i[i].k];
	}
	return to;
}

static struct flat_list
broadcast(struct flattener *b, struct flat_list index, struct flat_list extents, struct flat_list axes)
{
	struct flat_list to = {.n = extents.n};
	int i;

	if (index.n < 0 || extents.n < 0 || axes.n != extents.n || !is_known(b, extents) || !is_known(b, axes))
		return bad;
	for (i = 0; i < extents.n; i++) {
		if (!tn_inside(axes.i[i].k, index.n))
			return bad;
		to.i[i] = extents.i[i].k == 1 ? flat_known(0) : index.i[axes.i[i].k];
	}
	return to;
}

static struct flat_list
call(struct flattener *b, const struct tn_x *x, int *there)
{
	struct flat_list l, other, zero = each(flat_known(0));
	int i;

	switch (x->fn) {
	case TN_F_UNFLATTEN:
		other = flat_items(b, x->kid[1], there);
		return unflatten(b, index_of(b, x->kid[0], there), other);
	case TN_F_RANGE:
		return range(b, x->nkid == 2 ? index_of(b, x->kid[0], there) : flat_known(0), index_of(b, x->kid[x->nkid == 2], there));
	default:
		break;
	}
	l = flat_items(b, x->kid[0], there);
	if (x->fn == TN_F_ONES)
		for (i = 0; i < l.n; i++)
			l.i[i] = flat_known(1);
	if (x->fn == TN_F_NEG || (x->fn == TN_F_SUB && x->nkid == 1))
		return mapped(b, TN_F_SUB, zero, l);
	if (x->fn == TN_F_ABS)
		return mapped(b, TN_F_MAX, l, mapped(b, TN_F_SUB, zero, l));
	if (x->nkid == 1)
		return l;
	other = flat_items(b, x->kid[1], there);
	if (x->fn == TN_F_PERMUTE || x->fn == TN_F_UNPERMUTE)
		return permuted(b, l, other, x->fn == TN_F_UNPERMUTE);
	if (x->fn == TN_F_BROADCAST)
		return broadcast(b, l, other, flat_items(b, x->kid[2], there));
	l = mapped(b, (enum tn_fn)x->fn, l, other);
	for (i = 2; i < x->nkid; i++)
		l = mapped(b, (enum tn_fn)x->fn, l, flat_items(b, x->kid[i], there));
	return l;
}

struct flat_list
flat_items(struct flattener *b, const struct tn_x *x, int *there)
{
	if (x->sort != TN_S_LIST)
		return each(index_of(b, x, there));
	switch (x->kind) {
	case TN_X_VAR:
		return b->is_index[x->var] ? b->index[x->var] : flat_bound(b, x->var);
	case TN_X_EXTENT:
		return flat_bound(b, x->var);
	case TN_X_CALL:
		return call(b, x, there);
	case TN_X_LIST:
		return list_of(b, x, there);
	default:
		return bad;
	}
}

/* ---- reads ------------------------------------------------------------------------------------------------ */

int
flat_find(struct flattener *b, const struct tn_x *x, int *operand, struct flat_number *offset)
{
	int there = ALL, i;
	struct flat_list at = list_of(b, x, &there);
	const struct tn_array *a;

	*operand = b->w.op->in[x->var].is_variadic ? b->picked : x->var;
	*offset = flat_known(0);
	if (*operand < 0)
		return NONE;
	a = &b->ev->in[*operand];
	if (at.n != a->rank)
		return NONE;
	for (i = 0; i < a->rank; i++) {
		there = flat_and(b, there, flat_inside(b, at.i[i], a->dim[i]));
		*offset = flat_whole_fn(b, TN_F_ADD, flat_whole_fn(b, TN_F_MUL, *offset, flat_known(a->dim[i])), at.i[i]);
	}
	return there;
}
