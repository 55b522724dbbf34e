/*
 * The one value of a result, found by evaluating its def with every read giving its operand's value.
 *
 * A read may be outside of its operand.  Each index is bounded, least and most, over all indices of
 * the result and of reductions; a read that is not inside for certain is one that may be missing,
 * and what that does depends on the value: a missing 0 in a sum changes nothing.
 */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "tensor/element.h"
#include "tensor/infer.h"
#include "tensor/uniform.h"

/* A value of the def: known, and perhaps a term that some indices leave out. */
struct known {
	bool is_known, may_miss;
	double v;
};

/* Bounds of an index, or of each index of a list; BAD where there are none. */
struct bounds {
	int n;
	bool is_list;
	tn_dim lo[TN_MAX_RANK], hi[TN_MAX_RANK];
};

struct uniform {
	struct walk w;
	const tn_val *values;
	struct known *let;		/* by variable: values of lets in def */
	struct bounds *index;		/* by variable: of indices */
	int depth;			/* reductions around */
};

static const struct known unknown = {false, false, 0};

static struct known eval(struct uniform *, const struct tn_x *);

static struct known
known(double v)
{
	return (struct known){true, false, v};
}

/* ---- bounds of indices ----------------------------------------------------------------------------------- */

static struct bounds
no_bounds(void)
{
	return (struct bounds){.n = 1, .lo = {TN_DIM_BAD}, .hi = {TN_DIM_BAD}};
}

/* one element, or all of a list */
static struct bounds
exactly(struct tn_v v)
{
	struct bounds b = {.n = 1};
	uint32_t i;

	if (v.kind == TN_VV_INT) {
		b.lo[0] = b.hi[0] = v.u.i;
		return b;
	}
	if (v.kind != TN_VV_LIST || v.n > TN_MAX_RANK)
		return no_bounds();
	b.is_list = true;
	b.n = (int)v.n;
	for (i = 0; i < v.n; i++)
		b.lo[i] = b.hi[i] = v.u.list[i];
	return b;
}

/* 0 … extent - 1 for each */
static struct bounds
within(struct uniform *u, struct tn_v extents)
{
	struct bounds b = exactly(extents);
	int i;

	for (i = 0; i < b.n; i++) {
		b.lo[i] = 0;
		b.hi[i] = tn_dim_sub(u->w.calc.ctx, b.hi[i], 1);
	}
	return b;
}

/* product of two bounds, the second one number */
static void
scale(struct tn_ctx *c, tn_dim lo, tn_dim hi, tn_dim k, tn_dim *out_lo, tn_dim *out_hi)
{
	bool up = tn_dim_le(c, 0, k) == TN_TRUE, down = tn_dim_le(c, k, 0) == TN_TRUE;

	*out_lo = up ? tn_dim_mul(c, lo, k) : down ? tn_dim_mul(c, hi, k) : TN_DIM_BAD;
	*out_hi = up ? tn_dim_mul(c, hi, k) : down ? tn_dim_mul(c, lo, k) : TN_DIM_BAD;
}

/* one element of a binary function of indices */
static void
bound2(struct tn_ctx *c, enum tn_fn fn, const tn_dim a[2], const tn_dim b[2], tn_dim out[2])
{
	out[0] = out[1] = TN_DIM_BAD;
	switch (fn) {
	case TN_F_ADD:
		out[0] = tn_dim_add(c, a[0], b[0]);
		out[1] = tn_dim_add(c, a[1], b[1]);
		break;
	case TN_F_SUB:
		out[0] = tn_dim_sub(c, a[0], b[1]);
		out[1] = tn_dim_sub(c, a[1], b[0]);
		break;
	case TN_F_MUL:
		if (b[0] == b[1])
			scale(c, a[0], a[1], b[0], &out[0], &out[1]);
		else if (a[0] == a[1])
			scale(c, b[0], b[1], a[0], &out[0], &out[1]);
		break;
	case TN_F_FLOORDIV:
		if (b[0] == b[1] && tn_dim_is_num(b[0]) && b[0] > 0) {
			out[0] = tn_dim_div(c, a[0], b[0]);
			out[1] = tn_dim_div(c, a[1], b[0]);
		}
		break;
	case TN_F_MOD:
		if (b[0] == b[1] && tn_dim_lt(c, 0, b[0]) == TN_TRUE) {
			out[0] = 0;
			out[1] = tn_dim_sub(c, b[0], 1);
		}
		break;
	default:
		break;
	}
}

static struct bounds
bound_pair(struct tn_ctx *c, enum tn_fn fn, struct bounds a, struct bounds b)
{
	struct bounds r = {.is_list = a.is_list || b.is_list, .n = a.is_list ? a.n : b.n};
	int i;

	if (a.is_list && b.is_list && a.n != b.n)
		return no_bounds();
	for (i = 0; i < r.n; i++) {
		int x = a.is_list ? i : 0, y = b.is_list ? i : 0;
		tn_dim out[2];

		bound2(c, fn, (const tn_dim[]){a.lo[x], a.hi[x]}, (const tn_dim[]){b.lo[y], b.hi[y]}, out);
		r.lo[i] = out[0];
		r.hi[i] = out[1];
	}
	return r;
}

static struct bounds bound(struct uniform *, const struct tn_x *);

/* extents, axes, permutations: known whatever the indices are; BAD if they are not */
static struct tn_v
fixed(struct uniform *u, const struct tn_x *x)
{
	struct bounds b = bound(u, x);
	int64_t *list;
	int i;

	for (i = 0; i < b.n; i++)
		if (b.lo[i] != b.hi[i] || b.lo[i] == TN_DIM_BAD)
			return CALC_BAD;
	if (!b.is_list)
		return calc_int(b.lo[0]);
	list = scratch_list(&u->w.scratch, (size_t)b.n);
	memcpy(list, b.lo, (size_t)b.n * sizeof *list);
	return calc_items((uint32_t)b.n, list);
}

/* permute and unpermute move bounds as they move indices */
static struct bounds
bound_permuted(struct uniform *u, const struct tn_x *x)
{
	struct bounds l = bound(u, x->kid[0]), r = l;
	struct tn_v p = fixed(u, x->kid[1]);
	uint32_t i;

	if (p.kind != TN_VV_LIST || !l.is_list || (int)p.n != l.n ||
	    !tn_v_holds(calc_call(&u->w.calc, TN_F_PERMUTATION, 1, &p)))
		return no_bounds();
	for (i = 0; i < p.n; i++) {
		int64_t to = x->fn == TN_F_PERMUTE ? (int64_t)i : p.u.list[i], from = x->fn == TN_F_PERMUTE ? p.u.list[i] : (int64_t)i;

		r.lo[to] = l.lo[from];
		r.hi[to] = l.hi[from];
	}
	return r;
}

/* offset of an index that is within the extents: 0 … product - 1 */
static struct bounds
bound_flat(struct uniform *u, const struct tn_x *x)
{
	struct tn_v extents = fixed(u, x->kid[1]);
	struct bounds index = bound(u, x->kid[0]), limit;
	int i;

	if (extents.kind != TN_VV_LIST || !index.is_list || index.n != (int)extents.n)
		return no_bounds();
	limit = within(u, extents);
	for (i = 0; i < index.n; i++)
		if (tn_dim_le(u->w.calc.ctx, 0, index.lo[i]) != TN_TRUE ||
		    tn_dim_le(u->w.calc.ctx, index.hi[i], limit.hi[i]) != TN_TRUE)
			return no_bounds();
	return within(u, calc_call(&u->w.calc, TN_F_PRODUCT, 1, &extents));
}

/* index of an offset that lies in 0 … product - 1 */
static struct bounds
bound_unflat(struct uniform *u, const struct tn_x *x)
{
	struct tn_ctx *c = u->w.calc.ctx;
	struct tn_v extents = fixed(u, x->kid[1]), size;
	struct bounds offset = bound(u, x->kid[0]);

	if (extents.kind != TN_VV_LIST)
		return no_bounds();
	size = calc_call(&u->w.calc, TN_F_PRODUCT, 1, &extents);
	if (tn_dim_le(c, 0, offset.lo[0]) != TN_TRUE || tn_dim_lt(c, offset.hi[0], size.u.i) != TN_TRUE)
		return no_bounds();
	return within(u, extents);
}

/* 0 where the extent is 1, else that of the result's axis */
static struct bounds
bound_broadcast(struct uniform *u, const struct tn_x *x)
{
	struct bounds index = bound(u, x->kid[0]), r = {.is_list = true};
	struct tn_v extents = fixed(u, x->kid[1]), axes = fixed(u, x->kid[2]);
	uint32_t i;

	if (!index.is_list || extents.kind != TN_VV_LIST || axes.kind != TN_VV_LIST || axes.n != extents.n)
		return no_bounds();
	r.n = (int)axes.n;
	for (i = 0; i < axes.n; i++) {
		int64_t axis = axes.u.list[i];

		if (axis < 0 || axis >= index.n)
			return no_bounds();
		r.lo[i] = index.lo[axis];
		r.hi[i] = tn_dim_eq(u->w.calc.ctx, extents.u.list[i], 1) == TN_TRUE ? 0 : index.hi[axis];
	}
	return r;
}

static struct bounds
bound_list(struct uniform *u, const struct tn_x *x)
{
	struct bounds r = {.is_list = true}, b;
	int i;

	for (i = 0; i < x->nkid; i++) {
		b = bound(u, x->kid[i]);
		if (r.n + b.n > TN_MAX_RANK)
			return no_bounds();
		memcpy(&r.lo[r.n], b.lo, (size_t)b.n * sizeof *b.lo);
		memcpy(&r.hi[r.n], b.hi, (size_t)b.n * sizeof *b.hi);
		r.n += b.n;
	}
	return r;
}

static struct bounds
bound_call(struct uniform *u, const struct tn_x *x)
{
	struct bounds r;
	struct tn_v v[2];
	int i;

	switch (x->fn) {
	case TN_F_PERMUTE:
	case TN_F_UNPERMUTE:
		return bound_permuted(u, x);
	case TN_F_FLATTEN:
		return bound_flat(u, x);
	case TN_F_UNFLATTEN:
		return bound_unflat(u, x);
	case TN_F_BROADCAST:
		return bound_broadcast(u, x);
	case TN_F_ADD:
	case TN_F_SUB:
	case TN_F_MUL:
	case TN_F_FLOORDIV:
	case TN_F_MOD:
		r = bound(u, x->kid[0]);
		if (x->nkid == 1)
			return x->fn == TN_F_SUB ? bound_pair(u->w.calc.ctx, TN_F_SUB, exactly(calc_int(0)), r) : r;
		for (i = 1; i < x->nkid; i++)
			r = bound_pair(u->w.calc.ctx, (enum tn_fn)x->fn, r, bound(u, x->kid[i]));
		return r;
	default:
		if (x->nkid > 2)
			return no_bounds();
		for (i = 0; i < x->nkid; i++)
			v[i] = fixed(u, x->kid[i]);
		return exactly(calc_call(&u->w.calc, (enum tn_fn)x->fn, x->nkid, v));
	}
}

static struct bounds
bound(struct uniform *u, const struct tn_x *x)
{
	const struct tn_var *v;

	switch (x->kind) {
	case TN_X_NUM:
		return exactly(calc_number(x->num));
	case TN_X_EXTENT:
		return exactly(u->w.var[x->var]);
	case TN_X_VAR:
		v = &u->w.op->var[x->var];
		if (v->kind == TN_V_ATTR || v->kind == TN_V_ELEM)
			return exactly(u->w.var[x->var]);
		return v->kind == TN_V_VALUE ? no_bounds() : u->index[x->var];
	case TN_X_LIST:
		return bound_list(u, x);
	case TN_X_CALL:
		return bound_call(u, x);
	default:
		return no_bounds();
	}
}

/* ---- reads ---------------------------------------------------------------------------------------------------- */

/* is the read inside its operand whatever the indices are */
static bool
is_inside(struct uniform *u, const struct tn_x *read)
{
	const struct tn_shape *t = tn_type_get(u->w.calc.ctx, u->w.s->in[read->var]);
	struct bounds b = bound_list(u, read);
	int i;

	if (t->rank != b.n)
		return false;
	for (i = 0; i < b.n; i++)
		if (tn_dim_le(u->w.calc.ctx, 0, b.lo[i]) != TN_TRUE || tn_dim_lt(u->w.calc.ctx, b.hi[i], t->dim[i]) != TN_TRUE)
			return false;
	return true;
}

static struct known
eval_read(struct uniform *u, const struct tn_x *x)
{
	tn_val value = u->values[x->var];
	struct known r;

	if (value == TN_NONE)
		return unknown;
	r = known(tn_val_get(u->w.calc.ctx, value)->u.f);
	if (is_inside(u, x))
		return r;
	if (u->depth == 0)		/* the read is then 0 */
		return r.v == 0 && !signbit(r.v) ? r : unknown;
	r.may_miss = true;
	return r;
}

/* one of the operands of a variadic list, whichever: they must agree */
static struct known
eval_pick(struct uniform *u, const struct tn_x *x)
{
	int i;

	if (x->kid[0]->kind != TN_X_READ || u->values[x->var] == TN_NONE)
		return unknown;
	for (i = x->var + 1; i < u->w.s->nin; i++)
		if (u->values[i] != u->values[x->var])
			return unknown;
	return known(tn_val_get(u->w.calc.ctx, u->values[x->var])->u.f);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* how many terms a reduction has; also gives its iterators their bounds */
static tn_dim
count_terms(struct uniform *u, const struct tn_x *x)
{
	struct tn_v extent;
	tn_dim n = 1;
	int i;

	for (i = 0; i < x->niter; i++) {
		extent = x->kid[1 + i] ? fixed(u, x->kid[1 + i]) : u->w.var[x->iter[i]];
		u->w.var[x->iter[i]] = extent;
		u->index[x->iter[i]] = within(u, extent);
		if (extent.kind == TN_VV_LIST)
			extent = calc_call(&u->w.calc, TN_F_PRODUCT, 1, &extent);
		n = extent.kind == TN_VV_INT ? tn_dim_mul(u->w.calc.ctx, n, extent.u.i) : TN_DIM_BAD;
	}
	return n;
}

static struct known
eval_reduce(struct uniform *u, const struct tn_x *x)
{
	tn_dim n = count_terms(u, x);
	struct known body;

	u->depth++;
	body = eval(u, x->kid[0]);
	u->depth--;
	if (!body.is_known)
		return unknown;
	if (x->fn == TN_F_ADD) {
		if (body.v == 0)
			return known(0);
		return body.may_miss || !tn_dim_is_num(n) ? unknown : known((double)n * body.v);
	}
	return body.may_miss || tn_dim_lt(u->w.calc.ctx, 0, n) != TN_TRUE ? unknown : known(body.v);
}

static struct tn_v
as_value(const struct tn_x *x, struct known k)
{
	if (x->sort == TN_S_BOOL)
		return calc_bool(tn_tri_of(k.v != 0));
	return (struct tn_v){.kind = TN_VV_REAL, .u.f = k.v};
}

static struct known
eval_if(struct uniform *u, const struct tn_x *x)
{
	struct known c = eval(u, x->kid[0]);

	if (!c.is_known || c.may_miss)
		return unknown;
	return eval(u, x->kid[c.v != 0 ? 1 : 2]);
}

/* A term may miss as a factor or a summand; under any other function the language forbids it. */
static struct known
eval_call(struct uniform *u, const struct tn_x *x)
{
	struct tn_v v[16], r;
	struct known k;
	bool may_miss = false;
	double out;
	int i;

	if (x->fn == TN_F_IF)
		return eval_if(u, x);
	if (x->nkid > 16)
		return unknown;
	for (i = 0; i < x->nkid; i++) {
		k = eval(u, x->kid[i]);
		if (!k.is_known)
			return unknown;
		may_miss |= k.may_miss;
		v[i] = as_value(x->kid[i], k);
	}
	r = calc_call(&u->w.calc, (enum tn_fn)x->fn, x->nkid, v);
	if (r.kind == TN_VV_BOOL)
		return (struct known){r.u.i != TN_UNKNOWN, may_miss, r.u.i == TN_TRUE};
	return calc_real(r, &out) ? (struct known){true, may_miss, out} : unknown;
}

/* a whole number that the indices do not change */
static struct known
eval_whole(struct uniform *u, const struct tn_x *x)
{
	struct tn_v v = fixed(u, x);
	double out;

	return calc_real(v, &out) ? known(out) : unknown;
}

static struct known
eval_var(struct uniform *u, const struct tn_x *x)
{
	struct tn_v v;
	double out;

	if (u->w.op->var[x->var].kind == TN_V_VALUE)
		return u->let[x->var];
	v = u->w.op->var[x->var].kind == TN_V_ATTR ? u->w.var[x->var] : fixed(u, x);
	if (v.kind == TN_VV_BOOL)
		return known(v.u.i == TN_TRUE);
	return calc_real(v, &out) ? known(out) : unknown;
}

static struct known
eval(struct uniform *u, const struct tn_x *x)
{
	struct tn_v v;

	if (x->sort == TN_S_INT && (x->kind == TN_X_CALL || x->kind == TN_X_EXTENT))
		return eval_whole(u, x);
	switch (x->kind) {
	case TN_X_NUM:
		return known(tn_number_double(x->num));
	case TN_X_VAR:
		return eval_var(u, x);
	case TN_X_CALL:
		return eval_call(u, x);
	case TN_X_LET:
		u->let[x->var] = eval(u, x->kid[0]);
		return eval(u, x->kid[1]);
	case TN_X_SWITCH:
		v = u->w.var[x->var];
		return v.kind == TN_VV_ENUM && v.u.i >= 0 && v.u.i < x->nkid ? eval(u, x->kid[v.u.i]) : unknown;
	case TN_X_REDUCE:
		return eval_reduce(u, x);
	case TN_X_READ:
		return eval_read(u, x);
	case TN_X_INSIDE:
		return is_inside(u, x->kid[0]) ? known(1) : unknown;
	case TN_X_PICK:
		return eval_pick(u, x);
	default:
		return unknown;
	}
}

/* ---- the result --------------------------------------------------------------------------------------------------- */

static tn_val
evaluate(struct uniform *u, const struct tn_infer *s)
{
	struct known r;
	int i;

	for (i = 0; i < u->w.op->nlet; i++)
		u->w.var[u->w.op->let[i].var] = walk_eval(&u->w, u->w.op->let[i].x);
	for (i = 0; i < u->w.op->nvar; i++)
		u->index[i] = within(u, u->w.var[i]);
	r = eval(u, u->w.op->def);
	if (!r.is_known || !element_holds(tn_type_get(s->ctx, s->out)->dtype, r.v))
		return TN_NONE;
	return tn_val_make(s->ctx, &(struct tn_value){.kind = TN_K_FLOAT, .u.f = r.v});
}

tn_val
uniform_value(const struct tn_infer *s, const tn_val uniform[])
{
	struct tn_infer again = *s;
	struct uniform u = {.values = uniform};
	tn_val found = TN_NONE;
	bool any = s->nin == 0;
	int i;

	for (i = 0; i < s->nin; i++)
		any |= uniform[i] != TN_NONE;
	if (!s->op->def || !any)
		return TN_NONE;
	again.error = NULL;
	again.keep_unknown = true;
	u.let = mem_alloc(((size_t)s->op->nvar + 1) * sizeof *u.let);
	u.index = mem_alloc(((size_t)s->op->nvar + 1) * sizeof *u.index);
	if (walk_start(&u.w, &again) && walk_bind(&u.w))
		found = evaluate(&u, s);
	walk_end(&u.w);
	mem_free(u.let);
	mem_free(u.index);
	return found;
}
