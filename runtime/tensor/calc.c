/* Values of the rule language: arithmetic, logic, and to and from attributes. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "tensor/calc.h"

enum { BLOCK = 512 };		/* list elements that need no arena */

int64_t *
scratch_list(struct scratch *s, size_t n)
{
	int64_t *at;

	if (!s->at) {
		s->cap = BLOCK;
		s->at = mem_alloc(s->cap * sizeof *s->at);
	}
	if (n > s->cap - s->n)
		return arena_news(&s->more, n, int64_t);
	at = s->at + s->n;
	s->n += (uint32_t)n;
	return at;
}

void
scratch_reset(struct scratch *s)
{
	s->n = 0;
	if (s->more.last)
		arena_free(&s->more);
}

void
scratch_free(struct scratch *s)
{
	arena_free(&s->more);
	mem_free(s->at);
	*s = (struct scratch){0};
}

/* ---- values from elsewhere ------------------------------------------------------------------------- */

struct tn_v
calc_number(struct tn_number n)
{
	if (number_is_int(n) && tn_dim_is_num(n.num))
		return calc_int(n.num);
	return (struct tn_v){.kind = TN_VV_REAL, .u.f = tn_number_double(n)};
}

struct tn_v
calc_value(const struct tn_value *v)
{
	uint32_t i;

	switch (v->kind) {
	case TN_K_FLOAT:
		return (struct tn_v){.kind = TN_VV_REAL, .u.f = v->u.f};
	case TN_K_BOOL:
		return calc_bool(v->u.i ? TN_TRUE : TN_FALSE);
	case TN_K_STRING:
		return (struct tn_v){.kind = TN_VV_STRING, .u.s = v->u.s};
	case TN_K_DTYPE:
		return (struct tn_v){.kind = TN_VV_DTYPE, .u.i = v->u.i};
	case TN_K_ENUM:
		return (struct tn_v){.kind = TN_VV_ENUM, .u.i = v->u.i};
	case TN_K_INTS:
		for (i = 0; i < v->n; i++)
			if (!tn_dim_is_num(v->u.list[i]))
				return CALC_BAD;
		return calc_items(v->n, v->u.list);
	case TN_K_DIMS:
		return calc_items(v->n, v->u.list);
	case TN_K_DIM:
		return calc_int(v->u.dim);
	default:
		return tn_dim_is_num(v->u.i) ? calc_int(v->u.i) : CALC_BAD;
	}
}

bool
calc_real(struct tn_v v, double *out)
{
	if (v.kind == TN_VV_REAL)
		*out = v.u.f;
	else if (v.kind == TN_VV_INT && tn_dim_is_num(v.u.i))
		*out = (double)v.u.i;
	else
		return false;
	return true;
}

/* a list as an attribute: extents, or numbers only */
static tn_val
list_attr(struct tn_ctx *c, struct tn_v v, enum tn_kind kind)
{
	uint32_t i;

	if (v.kind != TN_VV_LIST)
		return TN_NONE;
	for (i = 0; i < v.n; i++)
		if (v.u.list[i] == TN_DIM_BAD || (kind == TN_K_INTS && !tn_dim_is_num(v.u.list[i])))
			return TN_NONE;
	return tn_val_make(c, &(struct tn_value){.kind = kind, .n = v.n, .u.list = v.u.list});
}

tn_val
calc_attr(struct tn_ctx *c, struct tn_v v, enum tn_kind kind, const struct tn_enum *enums)
{
	struct tn_value out = {.kind = kind};
	bool ok;

	switch (kind) {
	case TN_K_INT:
	case TN_K_AXIS:
		ok = v.kind == TN_VV_INT && tn_dim_is_num(v.u.i);
		break;
	case TN_K_DIM:
		ok = v.kind == TN_VV_INT && v.u.i != TN_DIM_BAD;
		break;
	case TN_K_BOOL:
		ok = v.kind == TN_VV_BOOL && v.u.i != TN_UNKNOWN;
		v.u.i = v.u.i == TN_TRUE;
		break;
	case TN_K_DTYPE:
		ok = v.kind == TN_VV_DTYPE;
		break;
	case TN_K_ENUM:
		ok = v.kind == TN_VV_ENUM && v.u.i >= 0 && (!enums || v.u.i < enums->nvalue);
		break;
	case TN_K_FLOAT:
		ok = calc_real(v, &out.u.f);
		return ok ? tn_val_make(c, &out) : TN_NONE;
	case TN_K_STRING:
		out.u.s = v.u.s;
		return v.kind == TN_VV_STRING ? tn_val_make(c, &out) : TN_NONE;
	default:
		return list_attr(c, v, kind);
	}
	out.u.i = v.u.i;
	return ok ? tn_val_make(c, &out) : TN_NONE;
}

/* ---- arithmetic --------------------------------------------------------------------------------------- */

static struct tn_v
int_call(struct tn_ctx *c, enum tn_fn fn, tn_dim a, tn_dim b)
{
	bool by_zero = b == 0 && (fn == TN_F_FLOORDIV || fn == TN_F_MOD || fn == TN_F_CEILDIV || fn == TN_F_EXACTDIV);
	enum tn_tri divides;

	if (by_zero)
		return CALC_BAD;
	switch (fn) {
	case TN_F_ADD: return calc_int(tn_dim_add(c, a, b));
	case TN_F_SUB: return calc_int(tn_dim_sub(c, a, b));
	case TN_F_MUL: return calc_int(tn_dim_mul(c, a, b));
	case TN_F_FLOORDIV: return calc_int(tn_dim_div(c, a, b));
	case TN_F_MOD: return calc_int(tn_dim_mod(c, a, b));
	case TN_F_CEILDIV: return calc_int(tn_dim_ceildiv(c, a, b));
	case TN_F_MAX: return calc_int(tn_dim_max(c, a, b));
	case TN_F_MIN: return calc_int(tn_dim_min(c, a, b));
	case TN_F_EXACTDIV:
		divides = tn_dim_divides(c, b, a);
		return divides == TN_FALSE ? CALC_BAD : calc_int(divides == TN_TRUE ? tn_dim_div(c, a, b) : TN_DIM_BAD);
	default: return CALC_BAD;
	}
}

static struct tn_v
real_call(enum tn_fn fn, double a, double b)
{
	double r;

	switch (fn) {
	case TN_F_ADD: r = a + b; break;
	case TN_F_SUB: r = a - b; break;
	case TN_F_MUL: r = a * b; break;
	case TN_F_DIVR: r = a / b; break;
	case TN_F_FLOORDIV: r = floor(a / b); break;
	case TN_F_MOD: r = a - b * floor(a / b); break;
	case TN_F_CEILDIV: r = ceil(a / b); break;
	case TN_F_MAX: r = tn_real_max(a, b); break;
	case TN_F_MIN: r = tn_real_min(a, b); break;
	case TN_F_POW: r = pow(a, b); break;
	case TN_F_ABS: r = fabs(a); break;
	case TN_F_NEG: r = -a; break;
	case TN_F_EXP: r = exp(a); break;
	case TN_F_LOG: r = log(a); break;
	case TN_F_SQRT: r = sqrt(a); break;
	case TN_F_ERF: r = erf(a); break;
	case TN_F_TANH: r = tanh(a); break;
	case TN_F_SIGMOID: r = tn_real_sigmoid(a); break;
	default: return CALC_BAD;
	}
	return (struct tn_v){.kind = TN_VV_REAL, .u.f = r};
}

static struct tn_v scalar2(struct calc *, enum tn_fn, struct tn_v, struct tn_v);

/* element by element; a scalar goes with every element */
static struct tn_v
list2(struct calc *k, enum tn_fn fn, struct tn_v a, struct tn_v b)
{
	uint32_t n = a.kind == TN_VV_LIST ? a.n : b.n, i;
	int64_t *list;
	struct tn_v x;

	if (a.kind == TN_VV_LIST && b.kind == TN_VV_LIST && a.n != b.n)
		return CALC_BAD;
	list = scratch_list(k->scratch, n);
	for (i = 0; i < n; i++) {
		x = scalar2(k, fn, a.kind == TN_VV_LIST ? calc_int(a.u.list[i]) : a,
		    b.kind == TN_VV_LIST ? calc_int(b.u.list[i]) : b);
		if (x.kind != TN_VV_INT)
			return CALC_BAD;
		list[i] = x.u.i;
	}
	return calc_items(n, list);
}

static struct tn_v
scalar2(struct calc *k, enum tn_fn fn, struct tn_v a, struct tn_v b)
{
	double x, y;

	if (a.kind == TN_VV_BAD || b.kind == TN_VV_BAD)
		return CALC_BAD;
	if (a.kind == TN_VV_LIST || b.kind == TN_VV_LIST)
		return list2(k, fn, a, b);
	if (a.kind == TN_VV_INT && b.kind == TN_VV_INT && fn != TN_F_DIVR && fn != TN_F_POW)
		return int_call(k->ctx, fn, a.u.i, b.u.i);
	return calc_real(a, &x) && calc_real(b, &y) ? real_call(fn, x, y) : CALC_BAD;
}

/* functions of one number; of whole numbers and lists only negation and absolute value */
static struct tn_v
unary(struct calc *k, enum tn_fn fn, struct tn_v a)
{
	struct tn_v minus;
	double x;

	if (fn == TN_F_SUB || fn == TN_F_NEG) {
		if (a.kind != TN_VV_REAL)
			return scalar2(k, TN_F_SUB, calc_int(0), a);
		fn = TN_F_NEG;
	}
	if (fn == TN_F_ABS && a.kind != TN_VV_REAL) {
		minus = scalar2(k, TN_F_SUB, calc_int(0), a);
		return scalar2(k, TN_F_MAX, a, minus);
	}
	if (fn == TN_F_ADD || fn == TN_F_MUL || fn == TN_F_MAX || fn == TN_F_MIN)
		return a;
	return calc_real(a, &x) ? real_call(fn, x, 0) : CALC_BAD;
}

static struct tn_v
arithmetic(struct calc *k, enum tn_fn fn, int n, const struct tn_v v[])
{
	struct tn_v r = v[0];
	int i;

	if (n == 1)
		return unary(k, fn, r);
	for (i = 1; i < n; i++)
		r = scalar2(k, fn, r, v[i]);
	return r;
}

/* ---- logic ----------------------------------------------------------------------------------------------- */

/* What decides does so even beside something BAD: a guard may test the rank before it asks for an axis. */
static struct tn_v
logic(enum tn_fn fn, int n, const struct tn_v v[])
{
	enum tn_tri decides = fn == TN_F_AND ? TN_FALSE : TN_TRUE, r = fn == TN_F_AND ? TN_TRUE : TN_FALSE;
	bool is_bad = false;
	int i;

	for (i = 0; i < n; i++) {
		if (v[i].kind != TN_VV_BOOL)
			is_bad = true;
		else if ((enum tn_tri)v[i].u.i == decides)
			return calc_bool(decides);
		else if (v[i].u.i == TN_UNKNOWN)
			r = TN_UNKNOWN;
	}
	return is_bad ? CALC_BAD : calc_bool(r);
}

static bool
is_same(struct tn_v a, struct tn_v b)
{
	if (a.kind != b.kind || a.n != b.n)
		return false;
	if (a.kind == TN_VV_LIST)
		return memcmp(a.u.list, b.u.list, a.n * sizeof *a.u.list) == 0;
	return a.kind == TN_VV_REAL ? a.u.f == b.u.f : a.kind == TN_VV_STRING ? strcmp(a.u.s, b.u.s) == 0 : a.u.i == b.u.i;
}

static struct tn_v
choose(struct tn_v cond, struct tn_v yes, struct tn_v no)
{
	if (cond.kind != TN_VV_BOOL)
		return CALC_BAD;
	if (cond.u.i == TN_TRUE || is_same(yes, no))
		return yes;
	if (cond.u.i == TN_FALSE)
		return no;
	if (yes.kind != no.kind)
		return CALC_BAD;
	return yes.kind == TN_VV_INT ? calc_int(TN_DIM_BAD) : yes.kind == TN_VV_BOOL ? calc_bool(TN_UNKNOWN) : CALC_BAD;
}

struct tn_v
calc_call(struct calc *k, enum tn_fn fn, int n, const struct tn_v v[])
{
	switch (fn) {
	case TN_F_ADD: case TN_F_SUB: case TN_F_MUL: case TN_F_DIVR: case TN_F_FLOORDIV: case TN_F_MOD:
	case TN_F_EXACTDIV: case TN_F_CEILDIV: case TN_F_MAX: case TN_F_MIN: case TN_F_POW: case TN_F_ABS:
	case TN_F_NEG: case TN_F_EXP: case TN_F_LOG: case TN_F_SQRT: case TN_F_ERF: case TN_F_TANH:
	case TN_F_SIGMOID:
		return arithmetic(k, fn, n, v);
	case TN_F_EQ: case TN_F_NE: case TN_F_LT: case TN_F_LE: case TN_F_GT: case TN_F_GE: case TN_F_DIVIDES:
		return calc_compare(k, fn, n, v);
	case TN_F_AND: case TN_F_OR:
		return logic(fn, n, v);
	case TN_F_NOT:
		return v[0].kind == TN_VV_BOOL ? calc_bool(tn_tri_not((enum tn_tri)v[0].u.i)) : CALC_BAD;
	case TN_F_IF:
		return choose(v[0], v[1], v[2]);
	default:
		return calc_seq(k, fn, n, v);
	}
}
