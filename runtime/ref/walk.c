/*
 * The tree walker: the value of each result element by walking the operator's def.
 *
 * It is the slow obvious version that compiled defs and flat forms are compared with, and it computes in
 * any domain.  Inside a reduction a read outside of its operand is absent: a product is absent if a factor
 * is, a sum takes the absent as 0, and the reduction leaves an absent body out.  Outside of any reduction
 * the read itself is 0.
 */
#include <string.h>

#include "base/mem.h"
#include "ref/value.h"

static struct number
whole(int64_t i)
{
	return (struct number){.i = i};
}

static struct number
real(union elem f)
{
	return (struct number){.is_real = true, .f = f};
}

static struct number
real_number(struct eval *e, struct tn_number n)
{
	return real(e->run->domain->number(e->run, n));
}

static struct number
real_whole(struct eval *e, int64_t i)
{
	return real_number(e, (struct tn_number){i, 1, 0});
}

/* the number as an element */
static union elem
elem(struct eval *e, struct number v)
{
	return v.is_real ? v.f : real_whole(e, v.i).f;
}

/* the number, 0 where it is absent */
static struct number
or_zero(struct eval *e, struct number v)
{
	if (!v.is_absent)
		return v;
	return v.is_real ? real_whole(e, 0) : whole(0);
}

int64_t
eval_whole(struct eval *e, const struct tn_x *x, bool *absent)
{
	struct number v = eval_number(e, x);

	*absent |= v.is_absent;
	return v.is_real ? e->run->domain->index(v.f) : v.i;
}

/* ---- reads ------------------------------------------------------------------------------------------- */

/* the element under the indices; false: outside */
static bool
find(struct eval *e, const struct tn_x *x, union elem *out)
{
	int operand = e->w.op->in[x->var].is_variadic ? e->picked : x->var;
	const struct tn_array *a;
	struct tn_list at = {0};
	bool absent = false;
	int64_t offset = 0;
	int i;

	for (i = 0; i < x->nkid; i++)
		at = tn_list_join(at, x->kid[i]->sort == TN_S_LIST ? eval_items(e, x->kid[i], &absent)
		    : tn_list_one(eval_whole(e, x->kid[i], &absent)));
	if (absent || operand < 0)
		return false;
	a = &e->ev->in[operand];
	if (at.n != a->rank)
		return false;
	for (i = 0; i < a->rank; i++) {
		if (!tn_inside(at.i[i], a->dim[i]))
			return false;
		offset = offset * a->dim[i] + at.i[i];
	}
	*out = e->elem ? e->elem[operand][offset] : (union elem){.real = a->v[offset]};
	return true;
}

static struct number
read(struct eval *e, const struct tn_x *x)
{
	struct number v = {.is_real = true};

	if (!find(e, x, &v.f)) {
		v.f = real_whole(e, 0).f;
		v.is_absent = e->depth > 0;
	}
	if (x->sort != TN_S_INT)
		return v;
	v.i = e->run->domain->index(v.f);
	v.is_real = false;
	return v;
}

/* the first read of the picked operand in x is inside */
static bool
is_hit(struct eval *e, const struct tn_x *x)
{
	union elem unused;
	int i;

	if (x->kind == TN_X_READ && e->w.op->in[x->var].is_variadic)
		return find(e, x, &unused);
	for (i = 0; i < x->nkid; i++)
		if (x->kid[i] && is_hit(e, x->kid[i]))
			return true;
	return false;
}

static struct number
pick(struct eval *e, const struct tn_x *x)
{
	struct number v = real_whole(e, 0);

	v.is_absent = e->depth > 0;
	for (e->picked = x->var; e->picked < e->ev->nin; e->picked++)
		if (is_hit(e, x->kid[0])) {
			v = eval_number(e, x->kid[0]);
			break;
		}
	e->picked = -1;
	return v;
}

static int64_t
before(const struct eval *e, int var)
{
	int64_t sum = 0;
	int i, first = e->w.op->nin - 1;

	for (i = first; i < e->picked; i++)
		sum += e->w.star[var].list[i - first];
	return sum;
}

/* ---- functions --------------------------------------------------------------------------------------- */

/* -a, |a|, a */
static struct number
sign(struct eval *e, enum tn_fn fn, struct number a)
{
	bool negate = fn == TN_F_SUB || fn == TN_F_NEG;

	if (!negate && fn != TN_F_ABS)
		return a;
	if (a.is_real)
		a.f = e->run->domain->fn(e->run, negate ? TN_F_NEG : TN_F_ABS, a.f, a.f);
	else
		a.i = negate ? -a.i : tn_int_abs(a.i);
	return a;
}

/* one step of (fn a b …); of whole numbers if both are */
static struct number
arith2(struct eval *e, enum tn_fn fn, struct number a, struct number b)
{
	bool is_real = a.is_real || b.is_real || fn == TN_F_DIVR;
	struct number r;

	if (is_real && fn != TN_F_MUL) {
		a = or_zero(e, a);
		b = or_zero(e, b);
	}
	r = is_real ? real(e->run->domain->fn(e->run, fn, elem(e, a), elem(e, b))) : whole(whole_fn(fn, a.i, b.i));
	r.is_absent = a.is_absent || b.is_absent || (fn == TN_F_EXACTDIV && !is_real && !tn_int_divides(b.i, a.i));
	return r;
}

/* (fn a b …) as ((a fn b) fn …), all as reals if one is */
static struct number
arith(struct eval *e, const struct tn_x *x)
{
	struct number r = eval_number(e, x->kid[0]);
	int i;

	if (x->nkid == 1)
		return sign(e, (enum tn_fn)x->fn, r);
	if (x->sort == TN_S_REAL && !r.is_real) {
		r.f = elem(e, r);
		r.is_real = true;
	}
	for (i = 1; i < x->nkid; i++)
		r = arith2(e, (enum tn_fn)x->fn, r, eval_number(e, x->kid[i]));
	return r;
}

/* a number that is unordered is unequal to all, and nothing else */
static bool
compare_real(struct eval *e, enum tn_fn fn, union elem a, union elem b)
{
	const struct domain *d = e->run->domain;
	int order;

	if (!d->order && (fn == TN_F_EQ || fn == TN_F_NE))
		return d->equal(a, b) == (fn == TN_F_EQ);
	if (!d->order) {
		e->run->trouble = DOMAIN_LACKS;
		return false;
	}
	order = d->order(a, b);
	if (order == 2)
		return fn == TN_F_NE;
	return whole_fn(fn, order, 0);
}

static bool
compare2(struct eval *e, enum tn_fn fn, struct number a, struct number b)
{
	a = or_zero(e, a);
	b = or_zero(e, b);
	if (a.is_real || b.is_real)
		return compare_real(e, fn, elem(e, a), elem(e, b));
	return whole_fn(fn, a.i, b.i);
}

static bool
compare_lists(enum tn_fn fn, struct tn_list a, struct tn_list b)
{
	int64_t i, n = a.n >= 0 ? a.n : b.n;

	if (a.n == -1 || b.n == -1 || n < 0 || (a.n >= 0 && b.n >= 0 && a.n != b.n))
		return false;
	for (i = 0; i < n; i++)
		if (!whole_fn(fn, a.i[a.n < 0 ? 0 : i], b.i[b.n < 0 ? 0 : i]))
			return false;
	return true;
}

/* (fn a b c): each with its neighbour */
static bool
compare(struct eval *e, const struct tn_x *x)
{
	bool is_list = false, holds = true, absent = false;
	int i;

	for (i = 0; i < x->nkid; i++)
		is_list |= x->kid[i]->sort == TN_S_LIST;
	for (i = 0; i + 1 < x->nkid && holds; i++)
		holds = is_list ? compare_lists((enum tn_fn)x->fn, eval_items(e, x->kid[i], &absent), eval_items(e, x->kid[i + 1], &absent))
		    : compare2(e, (enum tn_fn)x->fn, eval_number(e, x->kid[i]), eval_number(e, x->kid[i + 1]));
	return holds && !absent;
}

static bool
truth(struct eval *e, const struct tn_x *x)
{
	struct number v = or_zero(e, eval_number(e, x));

	return v.is_real ? compare_real(e, TN_F_NE, v.f, real_whole(e, 0).f) : v.i != 0;
}

static bool
logic(struct eval *e, const struct tn_x *x)
{
	int i;

	if (x->fn == TN_F_NOT)
		return !truth(e, x->kid[0]);
	for (i = 0; i < x->nkid; i++)
		if (truth(e, x->kid[i]) == (x->fn == TN_F_OR))
			return x->fn == TN_F_OR;
	return x->fn == TN_F_AND;
}

/* a number made of lists */
static struct number
of_list(struct eval *e, const struct tn_x *x)
{
	bool absent = false;
	struct tn_list l = eval_items(e, x->kid[0], &absent);
	struct number v;

	switch (x->fn) {
	case TN_F_PRODUCT: v = whole(tn_list_product(l)); break;
	case TN_F_LENGTH: v = whole(tn_list_length(l)); break;
	case TN_F_AT: v = whole(tn_list_at(l, eval_whole(e, x->kid[1], &absent))); break;
	default: v = whole(tn_list_flatten(l, eval_items(e, x->kid[1], &absent)));
	}
	v.is_absent = absent;
	return v;
}

static struct number
call(struct eval *e, const struct tn_x *x)
{
	struct number a, b;

	switch (x->fn) {
	case TN_F_POW: case TN_F_EXP: case TN_F_LOG: case TN_F_SQRT: case TN_F_ERF: case TN_F_TANH: case TN_F_SIGMOID:
		a = or_zero(e, eval_number(e, x->kid[0]));
		b = x->nkid > 1 ? or_zero(e, eval_number(e, x->kid[1])) : a;
		return real(e->run->domain->fn(e->run, (enum tn_fn)x->fn, elem(e, a), elem(e, b)));
	case TN_F_EQ: case TN_F_NE: case TN_F_LT: case TN_F_LE: case TN_F_GT: case TN_F_GE: case TN_F_DIVIDES:
		return whole(compare(e, x));
	case TN_F_AND: case TN_F_OR: case TN_F_NOT:
		return whole(logic(e, x));
	case TN_F_IF:
		a = or_zero(e, eval_number(e, x->kid[truth(e, x->kid[0]) ? 1 : 2]));
		return x->sort == TN_S_REAL ? real(elem(e, a)) : a;
	case TN_F_PRODUCT: case TN_F_LENGTH: case TN_F_AT: case TN_F_FLATTEN:
		return of_list(e, x);
	default:
		return arith(e, x);
	}
}

/* ---- reductions -------------------------------------------------------------------------------------- */

/* what a reduction has come to */
struct sum {
	union elem at;
	bool is_any;			/* the largest of nothing is -inf, which not every domain has */
};

static void
reduce_one(struct eval *e, const struct tn_x *x, struct sum *sum)
{
	struct number v = eval_number(e, x->kid[0]);

	if (v.is_absent)
		return;
	sum->at = sum->is_any ? e->run->domain->fn(e->run, (enum tn_fn)x->fn, sum->at, elem(e, v)) : elem(e, v);
	sum->is_any = true;
}

/* the body for every value of iterators from `i` on */
static void
reduce_from(struct eval *e, const struct tn_x *x, int i, struct sum *sum)
{
	struct tn_list extents;
	bool absent = false;
	int64_t n, k;
	int var;

	if (i == x->niter) {
		reduce_one(e, x, sum);
		return;
	}
	var = x->iter[i];
	extents = x->kid[i + 1] ? tn_list_one(eval_whole(e, x->kid[i + 1], &absent)) : eval_bound(&e->w, e->picked, var);
	n = extents.n < 0 || absent ? 0 : tn_list_product(extents);
	e->is_index[var] = true;
	for (k = 0; k < n; k++) {
		e->index[var] = tn_list_unflatten(k, extents);
		reduce_from(e, x, i + 1, sum);
	}
	e->is_index[var] = false;
}

static struct number
reduce(struct eval *e, const struct tn_x *x)
{
	struct sum sum = {real_whole(e, 0).f, x->fn == TN_F_ADD};

	e->depth++;
	reduce_from(e, x, 0, &sum);
	e->depth--;
	if (sum.is_any)
		return real(sum.at);
	return real_number(e, (struct tn_number){.num = x->fn == TN_F_MAX ? -1 : 1});
}

/* ---- expressions --------------------------------------------------------------------------------------- */

static struct number
variable(struct eval *e, int var)
{
	if (e->w.op->var[var].kind == TN_V_VALUE)
		return e->let[var];
	if (e->is_index[var])
		return whole(e->index[var].i[0]);
	if (e->w.var[var].kind == TN_VV_REAL)
		return e->elem ? real_number(e, domain_meant(e->w.var[var].u.f)) : real((union elem){.real = e->w.var[var].u.f});
	return whole(eval_bound(&e->w, e->picked, var).i[0]);
}

struct number
eval_number(struct eval *e, const struct tn_x *x)
{
	union elem unused;

	switch (x->kind) {
	case TN_X_NUM:
		return x->sort == TN_S_INT && x->num.den == 1 && x->num.exp10 == 0 ? whole(x->num.num) : real_number(e, x->num);
	case TN_X_TEXT:
		return whole(x->num.num);
	case TN_X_VAR:
		return variable(e, x->var);
	case TN_X_EXTENT:
		return whole(eval_bound(&e->w, e->picked, x->var).i[0]);
	case TN_X_CALL:
		return call(e, x);
	case TN_X_LET:
		e->let[x->var] = eval_number(e, x->kid[0]);
		return eval_number(e, x->kid[1]);
	case TN_X_SWITCH:
		return eval_number(e, x->kid[e->w.var[x->var].u.i]);
	case TN_X_REDUCE:
		return reduce(e, x);
	case TN_X_READ:
		return read(e, x);
	case TN_X_INSIDE:
		return real_whole(e, find(e, x->kid[0], &unused));
	case TN_X_PICK:
		return pick(e, x);
	case TN_X_BEFORE:
		return whole(before(e, x->var));
	default:
		e->run->trouble = DOMAIN_LACKS;
		return real_whole(e, 0);
	}
}

/* ---- elements ------------------------------------------------------------------------------------------ */

/* the indices of result element `flat` */
static void
place(struct eval *e, int64_t flat)
{
	const struct tn_op *op = e->w.op;
	struct tn_list extents;
	int64_t n;
	int i;

	for (i = op->nout - 1; i >= 0; i--) {
		extents = eval_bound(&e->w, e->picked, op->out[i]);
		n = tn_list_product(extents);
		e->index[op->out[i]] = tn_list_unflatten(tn_int_mod(flat, n), extents);
		flat = tn_int_div(flat, n);
	}
}

static void
begin(struct eval *e)
{
	const struct tn_op *op = e->w.op;
	size_t n = (size_t)op->nvar + 1;
	int i;

	e->index = mem_alloc(n * sizeof *e->index);
	e->let = mem_alloc(n * sizeof *e->let);
	e->is_index = mem_alloc(n);
	for (i = 0; i < op->nout; i++)
		e->is_index[op->out[i]] = true;
}

/* elements from … to of the result into out[] */
static bool
walk_elements(struct eval *e, union elem *out)
{
	struct tn_eval *ev = e->ev;
	struct tn_infer s;
	bool ok;
	int64_t i;

	if (!ev->op->def)
		return false;
	ok = eval_bind(&e->w, &s, ev);
	if (ok)
		begin(e);
	for (i = ev->from; i < ev->to && ok; i++) {
		place(e, i);
		out[i - ev->from] = elem(e, or_zero(e, eval_number(e, ev->op->def)));
		ok = !e->run->trouble;
	}
	eval_unbind(&e->w, &s);
	mem_free(e->index);
	mem_free(e->let);
	mem_free(e->is_index);
	return ok;
}

bool
domain_eval(struct domain_run *run, struct tn_eval *ev, const union elem *const in[], union elem *out)
{
	struct eval e = {.ev = ev, .run = run, .elem = in, .picked = -1};

	return walk_elements(&e, out);
}

void
tn_eval_walk(struct tn_eval *ev)
{
	struct domain_run run = domain_start(&domain_real, 0);
	struct eval e = {.ev = ev, .run = &run, .picked = -1};
	int64_t n = ev->to - ev->from, i;
	union elem *out = mem_alloc((size_t)(n > 0 ? n : 0) * sizeof *out);
	bool ok = walk_elements(&e, out);

	for (i = 0; i < n; i++)
		ev->out->v[ev->from + i] = ok ? out[i].real : NAN;
	mem_free(out);
}

void
tn_eval_run(struct tn_eval *ev)
{
	if (ev->op->eval)
		ev->op->eval(ev);
	else
		tn_eval_walk(ev);
}
