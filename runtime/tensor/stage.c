/*
 * Results of rules: staged, their shapes checked, and only then added and united with the root.
 *
 * A node that is in the e-graph already is not staged but named by its class.  A number has no type
 * until an operator it is an operand of, or the root, gives it one; then it is a fill.
 */
#include <string.h>

#include "saturate/apply.h"
#include "tensor/calc.h"
#include "tensor/element.h"

enum { FEW = 16 };		/* operands and attributes that need no heap */

struct tn_search *
tn_apply_search(struct tn_apply *a)
{
	return a->search;
}

static bool
is_staged(tn_id id)
{
	return id & STAGED;		/* TN_NONE is tested before */
}

static struct staged *
staged_at(struct tn_apply *a, tn_id id)
{
	return &a->staged.at[id & ~STAGED];
}

/* type of a class or staged node; TN_NONE of a number or where nothing is known */
static tn_type
type_of(struct tn_apply *a, tn_id id)
{
	const struct tensor_data *d;

	if (is_staged(id))
		return staged_at(a, id)->type;
	d = search_data(a->search, id);
	return d ? d->type : TN_NONE;
}

static const struct tn_op *
op_of(const struct tn_apply *a, unsigned op)
{
	return &a->search->program->op[op];
}

/* ---- staging --------------------------------------------------------------------------------------- */

static tn_id
stage(struct tn_apply *a, struct staged n, const tn_id kid[])
{
	int i;

	n.kid = a->kid.n;
	n.class = TN_NONE;
	for (i = 0; i < n.nkid; i++)
		vec_push(&a->kid, kid[i]);
	vec_push(&a->staged, n);
	return STAGED | (a->staged.n - 1);
}

/* the node's class if it is there, else staged */
static tn_id
find_or_stage(struct tn_apply *a, unsigned op, tn_attrs attrs, tn_type type, const tn_id kid[], int nkid)
{
	bool all_there = true;
	tn_id class;
	int i;

	for (i = 0; i < nkid; i++)
		all_there &= !is_staged(kid[i]);
	if (all_there && (class = tn_lookup(a->g, (uint16_t)op, attrs, kid, nkid)) != TN_NONE)
		return class;
	return stage(a, (struct staged){.op = (uint16_t)op, .nkid = (uint16_t)nkid, .attrs = attrs, .type = type}, kid);
}

tn_attrs
fill_attrs(struct tn_ctx *c, double value, tn_type type)
{
	const struct tn_shape *t = tn_type_get(c, type);
	tn_val v[3];

	v[0] = tn_val_make(c, &(struct tn_value){.kind = TN_K_FLOAT, .u.f = element_round(t->dtype, value)});
	v[1] = tn_val_make(c, &(struct tn_value){.kind = TN_K_DIMS, .n = (uint32_t)t->rank, .u.list = t->dim});
	v[2] = tn_val_make(c, &(struct tn_value){.kind = TN_K_DTYPE, .u.i = t->dtype});
	return tn_attrs_make(c, v, 3);
}

/* the number as a tensor of this type */
static tn_id
give_type(struct tn_apply *a, double x, tn_type type)
{
	struct tn_ctx *c = a->search->ctx;
	const struct tn_shape *t = type == TN_NONE ? NULL : tn_type_get(c, type);

	if (!t || t->rank < 0 || !element_fits(t->dtype, x))
		return TN_NONE;
	return find_or_stage(a, TN_FILL, fill_attrs(c, x, type), type, NULL, 0);
}

/* Operands as given, then defaults; false if there are too few.  kid[] and in[] have room for n. */
static bool
take_operands(struct tn_apply *a, const struct tn_op *op, const tn_id given[], int ngiven, int n, tn_id kid[], tn_type in[])
{
	struct tn_number d;
	int i;

	for (i = 0; i < n; i++) {
		if (i >= ngiven && !op->in[i].has_default)
			return false;
		d = i >= ngiven ? op->in[i].init : (struct tn_number){0, 1, 0};
		kid[i] = i < ngiven ? given[i] : tn_num(a, d.num, d.den, d.exp10);
		if (kid[i] == TN_NONE)
			return false;
		in[i] = type_of(a, kid[i]);
		if (in[i] == TN_NONE && !(is_staged(kid[i]) && staged_at(a, kid[i])->is_number))
			return false;
	}
	return true;
}

/* Infer, turn numbers into fills, and find or stage the node. */
static tn_id
check_and_stage(struct tn_apply *a, unsigned number, tn_attrs attrs, tn_id kid[], tn_type in[], int n)
{
	struct tn_infer s = {.ctx = a->search->ctx, .op = op_of(a, number), .nin = n, .in = in};
	int i;

	s.attrs = tn_attrs_normalise(s.ctx, s.op, attrs, in, n);
	if (s.attrs == TN_NONE || !tn_infer_run(&s))
		return TN_NONE;
	for (i = 0; i < n; i++) {
		if (is_staged(kid[i]) && staged_at(a, kid[i])->is_number)
			kid[i] = give_type(a, staged_at(a, kid[i])->number, in[i]);
		if (kid[i] == TN_NONE)
			return TN_NONE;
	}
	return find_or_stage(a, number, s.attrs, s.out, kid, n);
}

tn_id
tn_new(struct tn_apply *a, unsigned number, tn_attrs attrs, const tn_id given[], int ngiven)
{
	const struct tn_op *op = op_of(a, number);
	int n = ngiven < op->nin ? op->nin : ngiven;
	tn_id few_kid[FEW], *kid = n <= FEW ? few_kid : mem_alloc((size_t)n * sizeof *kid), id = TN_NONE;
	tn_type few_in[FEW], *in = n <= FEW ? few_in : mem_alloc((size_t)n * sizeof *in);

	if (attrs != TN_NONE && n <= TN_MAX_OPERANDS && take_operands(a, op, given, ngiven, n, kid, in))
		id = check_and_stage(a, number, attrs, kid, in, n);
	if (kid != few_kid)
		mem_free(kid);
	if (in != few_in)
		mem_free(in);
	return id;
}

tn_attrs
tn_rec(struct tn_apply *a, unsigned number, tn_attrs base, int n, const int attr[], const struct tn_v v[])
{
	const struct tn_op *op = op_of(a, number);
	tn_val few[FEW], *val = op->nattr <= FEW ? few : mem_alloc((size_t)op->nattr * sizeof *val);
	const tn_val *from;
	tn_attrs made = TN_NONE;
	bool ok = true;
	int i, nbase = 0;

	memset(val, 0xff, (size_t)op->nattr * sizeof *val);
	if (base != TN_NONE) {
		from = tn_attrs_get(a->search->ctx, base, &nbase);
		ok = nbase == op->nattr;
		if (ok && nbase)
			memcpy(val, from, (size_t)nbase * sizeof *val);
	}
	for (i = 0; i < n; i++)
		val[attr[i]] = tn_v_val(a->search, v[i], (enum tn_kind)op->attr[attr[i]].kind, op->attr[attr[i]].enums);
	for (i = 0; i < op->nattr; i++)
		ok &= val[i] != TN_NONE;
	if (ok)
		made = tn_attrs_make(a->search->ctx, val, op->nattr);
	if (val != few)
		mem_free(val);
	return made;
}

/* ---- numbers ------------------------------------------------------------------------------------------- */

static tn_id
stage_number(struct tn_apply *a, double x)
{
	return stage(a, (struct staged){.is_number = true, .type = TN_NONE, .number = x}, (const tn_id[]){TN_NONE});
}

tn_id
tn_num(struct tn_apply *a, int64_t num, int64_t den, int exp10)
{
	return stage_number(a, tn_number_double((struct tn_number){num, den, exp10}));
}

tn_id
tn_num_val(struct tn_apply *a, tn_val v)
{
	double x;

	if (v == TN_NONE || !calc_real(tn_v_attr(a->search, v), &x))
		return TN_NONE;
	return stage_number(a, x);
}

/* ---- shapes of results --------------------------------------------------------------------------------------- */

static const struct tn_shape *
shape_of(struct tn_apply *a, tn_id id)
{
	tn_type type = id == TN_NONE ? TN_NONE : type_of(a, id);

	return type == TN_NONE ? NULL : tn_type_get(a->search->ctx, type);
}

struct tn_v
tn_a_shape(struct tn_apply *a, tn_id id)
{
	return calc_shape(shape_of(a, id));
}

struct tn_v
tn_a_dim(struct tn_apply *a, tn_id id, struct tn_v i)
{
	return tn_v_call(a->search, TN_F_AT, 2, (const struct tn_v[]){tn_a_shape(a, id), i});
}

struct tn_v
tn_a_rank(struct tn_apply *a, tn_id id)
{
	struct tn_v shape = tn_a_shape(a, id);

	return shape.kind == TN_VV_LIST ? calc_int(shape.n) : CALC_BAD;
}

struct tn_v
tn_a_dtype(struct tn_apply *a, tn_id id)
{
	const struct tn_shape *t = shape_of(a, id);

	return t ? (struct tn_v){.kind = TN_VV_DTYPE, .u.i = t->dtype} : CALC_BAD;
}

/* ---- joining ---------------------------------------------------------------------------------------------------- */

/* Mark what t is made of: terms made only to be asked their shape stay out. */
static void
mark_needed(struct tn_apply *a, tn_id t)
{
	uint32_t i, k, last = t & ~STAGED;
	struct staged *n;

	for (i = 0; i <= last; i++)
		a->staged.at[i].is_needed = i == last;
	for (i = last + 1; i-- > 0;) {
		n = &a->staged.at[i];
		for (k = 0; n->is_needed && k < n->nkid; k++)
			if (is_staged(a->kid.at[n->kid + k]))
				staged_at(a, a->kid.at[n->kid + k])->is_needed = true;
	}
}

/* Would the new nodes of t close a cycle through the root? */
static bool
would_close(struct tn_apply *a, tn_id root, tn_id t)
{
	uint32_t i, k, last = t & ~STAGED;
	const struct staged *n;
	tn_id kid;

	if (!a->closes || !is_staged(t))
		return false;
	mark_needed(a, t);
	for (i = 0; i <= last; i++) {
		n = &a->staged.at[i];
		for (k = 0; n->is_needed && k < n->nkid; k++) {
			kid = a->kid.at[n->kid + k];
			if (!is_staged(kid) && a->closes(a->run, root, kid))
				return a->is_closed = true;
		}
	}
	return false;
}

/* Add t and what it is made of, operands first. */
static tn_id
add_staged(struct tn_apply *a, tn_id t)
{
	uint32_t i, k, last = t & ~STAGED;
	struct staged *n;

	mark_needed(a, t);
	for (i = 0; i <= last; i++) {
		n = &a->staged.at[i];
		if (!n->is_needed || n->class != TN_NONE)
			continue;
		for (k = 0; k < n->nkid; k++)
			if (is_staged(a->kid.at[n->kid + k]))
				a->kid.at[n->kid + k] = staged_at(a, a->kid.at[n->kid + k])->class;
		n->class = tn_add(a->g, n->op, n->attrs, n->nkid ? &a->kid.at[n->kid] : NULL, n->nkid);
	}
	return a->staged.at[last].class;
}

static bool
unite(struct tn_apply *a, tn_id root, tn_id class)
{
	a->nunion += tn_union(a->g, root, class, &a->reason);
	return true;
}

/* t as what may be united with the root: a number as a fill of its type; TN_NONE: refused */
static tn_id
fit_to(struct tn_apply *a, tn_id root, tn_id t)
{
	tn_type type = type_of(a, root);

	if (t == TN_NONE || type == TN_NONE || tn_type_get(a->search->ctx, type)->rank < 0)
		return TN_NONE;
	if (is_staged(t) && staged_at(a, t)->is_number)
		return give_type(a, staged_at(a, t)->number, type);
	return type_of(a, t) == type ? t : TN_NONE;
}

bool
tn_join(struct tn_apply *a, tn_id root, tn_id t)
{
	t = fit_to(a, root, t);
	if (t == TN_NONE || would_close(a, root, t))
		return false;
	return unite(a, root, is_staged(t) ? add_staged(a, t) : t);
}

bool
tn_join_all(struct tn_apply *a, int n, const tn_id root[], const tn_id t[])
{
	tn_id few[FEW], *fit = n <= FEW ? few : mem_alloc((size_t)n * sizeof *fit);
	bool ok = n > 0;
	int i;

	for (i = 0; i < n && ok; i++) {
		fit[i] = fit_to(a, root[i], t[i]);
		ok = fit[i] != TN_NONE && !would_close(a, root[i], fit[i]);
	}
	for (i = 0; i < n && ok; i++)
		unite(a, root[i], is_staged(fit[i]) ? add_staged(a, fit[i]) : fit[i]);
	if (fit != few)
		mem_free(fit);
	return ok;
}

/* ---- numbers without shapes ------------------------------------------------------------------------------------------------ */

/* a number in an e-graph of scalars: a fill of no type */
static tn_id
add_number(struct tn_apply *a, double x)
{
	struct tn_ctx *c = a->search->ctx;
	tn_type type = tn_type_make(c, &(struct tn_shape){.dtype = TN_UNTYPED});

	return tn_add(a->g, TN_FILL, fill_attrs(c, x, type), NULL, 0);
}

tn_id
tn_num_scalar(struct tn_apply *a, int64_t num, int64_t den, int exp10)
{
	struct added_number *was = &a->number[(uint64_t)num % APPLY_NUMBERS];
	double x = tn_number_double((struct tn_number){num, den, exp10});

	if (was->is_set && was->num == num && was->den == den && was->exp10 == exp10)
		return was->class;
	*was = (struct added_number){num, den, exp10, true, TN_NONE};
	return was->class = add_number(a, x);
}

tn_id
tn_num_val_scalar(struct tn_apply *a, tn_val v)
{
	double x;

	if (v == TN_NONE || !calc_real(tn_v_attr(a->search, v), &x))
		return TN_NONE;
	return add_number(a, x);
}
