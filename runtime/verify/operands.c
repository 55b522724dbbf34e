/*
 * Open operands.  Extents are chosen name by name, each so that no condition of the operator is broken and its result gets
 * no extent that is too small; where the draw is aimed, so that the result has the same extents under another record.
 */
#include <assert.h>

#include "verify/operands.h"

enum { CANDIDATES = 12 };

/* The operator being looked at, under its record and, if there is one, the other. */
struct look {
	struct instance *in;
	const struct choice *c;
	const struct reach *reach;
	struct tn_infer infer[2];
	struct walk w[2];
	int n;				/* records */
};

/* ---- what depends on what ----------------------------------------------------------------------------------- */

/* a set of variables: those from 63 on count as one */
static uint64_t
set_of(int var)
{
	return UINT64_C(1) << (var < 63 ? var : 63);
}

/* Does it ask for the extents that all operands of a list have?  Then it cannot be computed before they are there. */
static bool
asks_for_all(const struct tn_x *x)
{
	int i;

	if (x->kind == TN_X_TOTAL)
		return true;
	for (i = 0; i < x->nkid; i++)
		if (asks_for_all(x->kid[i]))
			return true;
	return false;
}

/* the variables that x asks for, and those that these are computed from */
static uint64_t
variables_in(const struct tn_op *op, const uint64_t let[], const struct tn_x *x)
{
	uint64_t set = 0;
	int i;

	if (x->kind == TN_X_VAR || x->kind == TN_X_EXTENT || x->kind == TN_X_SWITCH) {
		set = set_of(x->var);
		for (i = 0; i < op->nlet; i++)
			if (op->let[i].var == x->var)
				set |= let[i];
	}
	for (i = 0; i < x->nkid; i++)
		set |= variables_in(op, let, x->kid[i]);
	return set;
}

static bool
is_extent_of_result(const struct tn_op *op, int var)
{
	int i;

	for (i = 0; i < op->nout && op->out[i] != var; i++)
		;
	return i < op->nout;
}

static bool
has_sequences(const struct tn_op *op)
{
	int i, k;

	for (i = 0; i < op->nin; i++)
		for (k = 0; k < op->in[i].nitem; k++)
			if (op->in[i].item[k].is_seq)
				return true;
	return false;
}

/* found once for each operator */
static const struct reach *
reach_of(struct instance *in, const struct tn_op *op)
{
	struct reach *r;
	uint32_t k;
	int i;

	for (k = 0; k < in->reach.n; k++)
		if (in->reach.at[k]->op == op)
			return in->reach.at[k];
	r = arena_new(&in->arena, struct reach);
	*r = (struct reach){.op = op, .where = arena_news(&in->arena, (size_t)op->nwhere + 1, uint64_t),
	    .let = arena_news(&in->arena, (size_t)op->nlet + 1, uint64_t), .is_out = arena_news(&in->arena, (size_t)op->nlet + 1, bool),
	    .has_sequences = has_sequences(op)};
	for (i = 0; i < op->nlet; i++) {
		r->let[i] = asks_for_all(op->let[i].x) ? 0 : set_of(op->let[i].var) | variables_in(op, r->let, op->let[i].x);
		r->is_out[i] = is_extent_of_result(op, op->let[i].var);
	}
	for (i = 0; i < op->nwhere; i++)
		r->where[i] = asks_for_all(op->where[i].cond) ? 0 : variables_in(op, r->let, op->where[i].cond);
	vec_push(&in->reach, r);
	return r;
}

/* ---- what is admitted ------------------------------------------------------------------------------------------ */

static bool
is_false(struct tn_v v)
{
	return v.kind == TN_VV_BOOL && v.u.i == TN_FALSE;
}

/* The extent that the result should have where this variable is one of its; 0: any. */
static tn_dim
wanted_extent(const struct choice *c, int var)
{
	const struct tn_op *op = c->types.op;
	int i;

	for (i = 0; c->wanted && op->nout == c->wanted->rank && i < op->nout; i++)
		if (op->out[i] == var)
			return c->wanted->dim[i];
	return 0;
}

/* A let, computed as far as that is possible: is it fit to be an extent of the result, if it is one? */
static bool
let_fits(struct look *l, const struct tn_let *let, bool is_out)
{
	tn_dim wanted = is_out ? wanted_extent(l->c, let->var) : 0;
	struct tn_v v[2] = {0};
	int i;

	for (i = 0; i < l->n; i++)
		v[i] = l->w[i].var[let->var] = walk_eval(&l->w[i], let->x);
	if (!is_out || v[0].kind != TN_VV_INT)
		return true;
	return v[0].u.i >= l->c->least && (wanted == 0 || v[0].u.i == wanted) &&
	    (l->n == 1 || (v[1].kind == TN_VV_INT && v[1].u.i == v[0].u.i));
}

/* Does all that depends on these variables fit, as far as they are bound? */
static bool
fits(struct look *l, uint64_t set)
{
	const struct tn_op *op = l->c->types.op;
	int i, k;

	for (i = 0; i < op->nlet; i++)
		if (l->reach->let[i] & set && !let_fits(l, &op->let[i], l->reach->is_out[i]))
			return false;
	for (i = 0; i < op->nwhere; i++)
		for (k = 0; k < l->n && l->reach->where[i] & set; k++)
			if (is_false(walk_eval(&l->w[k], op->where[i].cond)))
				return false;
	return true;
}

static void
bind(struct look *l, int var, int operand, struct tn_v v)
{
	int i;

	for (i = 0; i < l->n; i++) {
		l->w[i].var[var] = v;
		l->w[i].by[var] = (int16_t)operand;
	}
}

/* ---- choices --------------------------------------------------------------------------------------------------- */

/* An axis that is to be chosen. */
struct spot {
	int operand, item;		/* of the operand's declaration */
	int axis, rank;			/* rank 0: not known yet */
};

/* The extent that the axis must have for what is aimed at; 0: any. */
static tn_dim
aimed_extent(const struct look *l, const struct spot *s)
{
	const struct target *aim = l->c->aim;
	const struct tn_operand *d = infer_operand(l->c->types.op, s->operand);
	const struct tn_shape *first;

	if (!aim || s->operand != aim->operand)
		return 0;
	if (aim->other == AIM_SQUARE)
		return s->item == aim->axis + 1 ? l->w[0].var[d->item[aim->axis].var].u.i : 0;
	first = l->c->types.type[0] == TN_NONE ? NULL : tn_type_get(l->in->ctx, l->c->types.type[0]);
	return first && s->axis < first->rank ? first->dim[s->axis] : 0;
}

/* what the result or a guard wants; 0: nothing, or for once not that */
static tn_dim
wish(struct look *l, const struct spot *s)
{
	tn_dim wanted = wanted_extent(l->c, infer_operand(l->c->types.op, s->operand)->item[s->item].var);

	if (rng_below(&l->in->rng, 8) == 0)
		return 0;
	return wanted > 0 || l->c->var[s->operand] < 0 ? wanted : wish_extent(l->in, l->c->var[s->operand], s->axis, s->rank);
}

/* as is wished, as it was, or any, or small */
static tn_dim
candidate(struct look *l, const struct spot *s, int i)
{
	tn_dim was = i == 0 ? wish(l, s) : 0;

	if (i <= 1 && was == 0 && l->c->like)
		was = near_extent(l->in, l->c->like, s->operand, s->axis);
	return was > 0 ? was : i < CANDIDATES / 2 ? choose_extent(l->in) : i - CANDIDATES / 2 + 1;
}

static bool
choose_dim(struct look *l, const struct spot *s)
{
	const struct target *aim = l->c->aim;
	int i, var = infer_operand(l->c->types.op, s->operand)->item[s->item].var;
	tn_dim aimed = aimed_extent(l, s);
	bool is_long = aim && aim->other == AIM_SQUARE && aim->operand == s->operand && aim->axis == s->item;

	for (i = 0; i < (aimed > 0 ? 1 : CANDIDATES); i++) {
		tn_dim extent = aimed > 0 ? aimed : candidate(l, s, i);

		if (is_long && extent < 2)
			continue;
		bind(l, var, s->operand, calc_int(extent));
		if (fits(l, set_of(var)))
			return true;
	}
	return false;
}

static bool
choose_dims(struct look *l, int operand, const struct tn_item *item)
{
	struct tn_v count;
	int n = (int)rng_below(&l->in->rng, 3), i;
	int64_t *list;

	if (item->count >= 0) {
		count = calc_value(tn_val_get(l->in->ctx, l->w[0].attr[item->count]));
		n = count.kind == TN_VV_INT && count.u.i >= 0 && count.u.i <= TN_MAX_RANK ? (int)count.u.i : 0;
	}
	list = scratch_list(&l->w[0].scratch, (size_t)n);
	for (i = 0; i < n; i++)
		list[i] = choose_extent(l->in);
	bind(l, item->var, operand, calc_items((uint32_t)n, list));
	return fits(l, set_of(item->var));
}

/* the shape of an open operand: names that nothing has bound are chosen */
static bool
choose_operand(struct look *l, int i)
{
	struct walk *w = &l->w[0];
	const struct tn_operand *decl = infer_operand(w->op, i);
	struct tn_shape shape = {.dtype = infer_dtype(w->s, decl->type)};
	struct spot s = {.operand = i, .rank = l->reach->has_sequences ? 0 : decl->nitem};
	int k;

	if (shape.dtype == TN_UNTYPED)
		shape.dtype = l->in->dtype;
	for (k = 0; k < decl->nitem; k++) {
		const struct tn_item *item = &decl->item[k];
		struct tn_v v;

		if (w->op->var[item->var].kind == TN_V_STAR) {
			v = calc_int(choose_extent(l->in));
		} else {
			s.item = k;
			s.axis = shape.rank;
			if (w->by[item->var] < 0 && !(item->is_seq ? choose_dims(l, i, item) : choose_dim(l, &s)))
				return false;
			v = w->var[item->var];
		}
		tn_infer_put(&shape, v.kind == TN_VV_INT ? 1 : (int)v.n, v.kind == TN_VV_INT ? &v.u.i : v.u.list);
	}
	if (shape.rank < 0 || shape.rank > TN_MAX_RANK)
		return false;
	l->c->types.type[i] = tn_type_make(l->in->ctx, &shape);
	return true;
}

/* An operand that has its type already is made what is aimed at, if it is open. */
static void
aim_type(struct instance *in, const struct choice *c)
{
	tn_type *type = c->aim ? &c->types.type[c->aim->operand] : NULL;
	struct tn_shape t;
	tn_dim *d;
	int axis;

	if (!type || !c->types.is_open[c->aim->operand])
		return;
	if (c->aim->other == AIM_ALIKE)
		*type = c->types.type[0];
	if (c->aim->other == AIM_ALIKE || *type == TN_NONE)
		return;
	t = *tn_type_get(in->ctx, *type);
	axis = aim_axis(infer_operand(c->types.op, c->aim->operand), c->aim->axis, t.rank);
	if (axis < 0 || axis + 1 >= t.rank)
		return;
	d = &t.dim[axis];
	d[0] = d[1] = d[0] > 1 ? d[0] : d[1] > 1 ? d[1] : 2;
	*type = tn_type_make(in->ctx, &t);
}

/* Extents of open operands that have their types already become as guards ask for. */
static void
wish_types(struct instance *in, const struct choice *c)
{
	struct tn_shape t;
	tn_dim asked;
	int i, axis;

	for (i = 0; i < c->types.n; i++) {
		if (!c->types.is_open[i] || c->types.type[i] == TN_NONE || c->var[i] < 0 || rng_below(&in->rng, 8) == 0)
			continue;
		t = *tn_type_get(in->ctx, c->types.type[i]);
		for (axis = 0; axis < t.rank; axis++) {
			asked = wish_extent(in, c->var[i], axis, t.rank);
			t.dim[axis] = asked > 0 ? asked : t.dim[axis];
		}
		c->types.type[i] = tn_type_make(in->ctx, &t);
	}
}

/* The operands that are there are bound, under both records.  Where axes have no names of their own each record lays them out
 * its own way: there one is enough. */
static bool
start(struct look *l)
{
	const struct types *t = &l->c->types;
	tn_attrs attrs[2] = {l->c->attrs, l->c->other};
	bool ok = true;
	int i, n = l->c->other == TN_NONE || l->reach->has_sequences ? 1 : 2;

	for (i = 0; i < n && ok; i++) {
		l->infer[i] = (struct tn_infer){.ctx = l->in->ctx, .op = t->op, .attrs = attrs[i], .nin = t->n, .in = t->type};
		ok = walk_start_open(&l->w[i], &l->infer[i]) && walk_bind_known(&l->w[i]);
		l->n++;
	}
	return ok && fits(l, UINT64_MAX);
}

bool
operands_choose(struct instance *in, const struct choice *c)
{
	struct look l = {.in = in, .c = c, .reach = reach_of(in, c->types.op)};
	bool ok;
	int i;

	if (in->rule->nwhen)
		wish_types(in, c);
	aim_type(in, c);
	ok = start(&l);
	for (i = 0; i < c->types.n && ok; i++)
		ok = !c->types.is_open[i] || c->types.type[i] != TN_NONE || choose_operand(&l, i);
	assert(!ok || fits(&l, UINT64_MAX));		/* what was looked at bit by bit fits as a whole */
	for (i = 0; i < l.n; i++)
		walk_end(&l.w[i]);
	return ok;
}
