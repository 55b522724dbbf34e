/*
 * Neighbours of instances.  Where many attributes and guards have to go together an instance is rare, and one that
 * differs from it in an extent or a number is not.  So what was found is kept, operator by operator, and many
 * draws begin there: most of what was chosen is chosen again, and a little of it is changed.
 */
#include "base/num.h"
#include "verify/near.h"

/* so many draws for an instance are few: it is not rare */
enum { OFTEN = 6 };

void
near_keep(struct instance *in)
{
	struct kept k;
	struct span s = {.from = in->near.kept.n, .dtype = in->dtype};
	int i, n;

	for (i = 0; i < in->now.nseen; i++) {
		const struct vnode *x = &in->node.at[in->now.seen[i].node];

		k = (struct kept){.term = in->now.seen[i].term, .elem = in->now.seen[i].elem, .attrs = x->attrs, .n = x->nkid};
		for (n = 0; n < x->nkid; n++)
			k.type[n] = in->node.at[x->kid[n]].type;
		vec_push(&in->near.kept, k);
		s.n++;
	}
	vec_push(&in->near.found, s);
}

void
near_choose(struct instance *in)
{
	uint32_t ndrawn = in->near.nafresh, nfound = in->near.found.n;

	in->near.at = -1;
	if (nfound && rng_below(&in->rng, 8) && (in->aim || ndrawn > OFTEN * nfound))
		in->near.at = (int)rng_below(&in->rng, nfound);
	in->near.nafresh += in->near.at < 0;
}

const struct kept *
near_of(const struct instance *in, const struct tn_term *t, int elem)
{
	const struct kept *k;
	uint32_t i;

	if (in->near.at < 0 || in->near.found.at[in->near.at].dtype != in->dtype)
		return NULL;
	k = &in->near.kept.at[in->near.found.at[in->near.at].from];
	for (i = 0; i < in->near.found.at[in->near.at].n; i++)
		if (k[i].term == t && k[i].elem == elem)
			return &k[i];
	return NULL;
}

void
near_free(struct near *n)
{
	vec_free(&n->kept);
	vec_free(&n->found);
}

/* ---- attributes -------------------------------------------------------------------------------------------- */

/* one of its numbers a little more or less */
static tn_val
nudged(struct instance *in, tn_val val)
{
	static const int by[] = {1, -1, 2, 1};
	struct tn_value v = *tn_val_get(in->ctx, val);
	int64_t list[2 * TN_MAX_RANK], *number = &v.u.i;
	uint32_t i;

	if (v.kind == TN_K_INTS || v.kind == TN_K_DIMS) {
		if (v.n == 0 || v.n > sizeof list / sizeof *list)
			return TN_NONE;
		for (i = 0; i < v.n; i++)
			list[i] = v.u.list[i];
		number = &list[rng_below(&in->rng, v.n)];
		v.u.list = list;
	} else if (v.kind != TN_K_INT && v.kind != TN_K_AXIS && v.kind != TN_K_DIM) {
		return TN_NONE;
	}
	if (!num_add(*number, by[rng_below(&in->rng, 4)], number) || (v.kind == TN_K_AXIS && *number < 0))
		return TN_NONE;
	return tn_val_make(in->ctx, &v);
}

tn_val
near_attr(struct instance *in, const struct kept *k, int attr)
{
	tn_val val = tn_attrs_get(in->ctx, k->attrs, NULL)[attr];

	switch (rng_below(&in->rng, 12)) {
	case 0: return TN_NONE;
	case 1: return nudged(in, val);
	default: return val;
	}
}

/* ---- shapes ---------------------------------------------------------------------------------------------------- */

/* more or less by 1 or 2 */
static tn_dim
nearly(struct instance *in, tn_dim extent)
{
	static const int by[] = {1, -1, 2, -2};

	return extent + by[rng_below(&in->rng, 4)];
}

/* Along an axis of 1 little is told, and what lacks there is seldom seen: it is left more often. */
tn_dim
near_extent(struct instance *in, const struct kept *k, int operand, int axis)
{
	const struct tn_shape *t = k->type[operand] == TN_NONE ? NULL : tn_type_get(in->ctx, k->type[operand]);

	if (!t || axis >= t->rank)
		return 0;
	if (t->dim[axis] == 1 && rng_below(&in->rng, 6) == 0)
		return choose_extent(in);
	switch (rng_below(&in->rng, 24)) {
	case 0: return 0;
	case 1: case 2: return nearly(in, t->dim[axis]);
	default: return t->dim[axis];
	}
}

/* Has each axis of the operand a name? */
static bool
has_names(const struct tn_op *op, int operand)
{
	const struct tn_operand *d = infer_operand(op, operand);
	int i;

	for (i = 0; i < d->nitem; i++)
		if (d->item[i].is_seq)
			return false;
	return true;
}

/* an axis becomes so long, in all open operands that have one in the same place as long as it was */
static void
set_extent(struct instance *in, struct types *s, int axis, tn_dim was, tn_dim to)
{
	struct tn_shape t;
	int i;

	for (i = 0; i < s->n; i++) {
		if (!s->is_open[i] || s->type[i] == TN_NONE)
			continue;
		t = *tn_type_get(in->ctx, s->type[i]);
		if (axis >= t.rank || t.dim[axis] != was)
			continue;
		t.dim[axis] = to;
		s->type[i] = tn_type_make(in->ctx, &t);
	}
}

/* operands that are there already have other shapes now: the others go along */
static void
follow(struct instance *in, const struct kept *k, struct types *s)
{
	const struct tn_shape *was, *is;
	int i, axis;

	for (i = 0; i < s->n; i++) {
		if (s->is_open[i] || s->type[i] == TN_NONE || s->type[i] == k->type[i])
			continue;
		was = tn_type_get(in->ctx, k->type[i]);
		is = tn_type_get(in->ctx, s->type[i]);
		for (axis = 0; axis < is->rank && is->rank == was->rank; axis++)
			if (is->dim[axis] != was->dim[axis])
				set_extent(in, s, axis, was->dim[axis], is->dim[axis]);
	}
}

/* an axis of an open operand becomes longer or shorter, of the others with it or not */
static void
change_extent(struct instance *in, struct types *s)
{
	int i = (int)rng_below(&in->rng, (uint32_t)s->n), axis;
	struct tn_shape t;
	tn_dim was, to;

	if (!s->is_open[i] || s->type[i] == TN_NONE)
		return;
	t = *tn_type_get(in->ctx, s->type[i]);
	if (t.rank == 0)
		return;
	axis = (int)rng_below(&in->rng, (uint32_t)t.rank);
	was = t.dim[axis];
	to = rng_below(&in->rng, 3) ? nearly(in, was) : choose_extent(in);
	if (to < 1)
		return;
	if (rng_below(&in->rng, 2)) {
		set_extent(in, s, axis, was, to);
	} else {
		t.dim[axis] = to;
		s->type[i] = tn_type_make(in->ctx, &t);
	}
}

/* an operand's type, axis by axis what it was, or nearly */
static tn_type
near_type(struct instance *in, const struct kept *k, int operand)
{
	struct tn_shape t = *tn_type_get(in->ctx, k->type[operand]);
	tn_dim extent;
	int i;

	for (i = 0; i < t.rank; i++) {
		extent = near_extent(in, k, operand, i);
		t.dim[i] = extent > 0 ? extent : choose_extent(in);
	}
	return tn_type_make(in->ctx, &t);
}

bool
near_types(struct instance *in, const struct kept *k, struct types *s)
{
	bool is_known = false;
	int i;

	if (k->n != s->n || s->n == 0)
		return false;
	for (i = 0; i < s->n; i++) {
		if (k->type[i] == TN_NONE)
			return false;
		if (s->is_open[i])
			s->type[i] = !has_names(s->op, i) ? k->type[i] : is_known ? TN_NONE : near_type(in, k, i);
		is_known |= s->type[i] != TN_NONE;
	}
	follow(in, k, s);
	for (i = (int)rng_below(&in->rng, 3); i > 0; i--)
		change_extent(in, s);
	return true;
}
