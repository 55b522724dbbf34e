/* What guards ask of the snapshot: values of attributes, shapes, uniform and constant tensors. */
#include "base/mem.h"
#include "base/num.h"
#include "egraph/egraph.h"
#include "tensor/calc.h"
#include "tensor/element.h"

struct tn_search *
tn_search_new(struct tn_ctx *c, const struct tn_program *p, const struct tn_egraph *g)
{
	struct tn_search *s = mem_alloc(sizeof *s);

	*s = (struct tn_search){.ctx = c, .program = p, .egraph = g};
	return s;
}

void
tn_search_free(struct tn_search *s)
{
	if (s)
		scratch_free(&s->scratch);
	mem_free(s);
}

void
tn_search_reset(struct tn_search *s)
{
	scratch_reset(&s->scratch);
}

const struct tensor_data *
search_data(const struct tn_search *s, tn_id class)
{
	return tn_data(s->egraph, class);
}

/* ---- values ------------------------------------------------------------------------------------------ */

tn_val
tn_attr(const struct tn_search *s, tn_attrs attrs, int i)
{
	return tn_attrs_get(s->ctx, attrs, NULL)[i];
}

struct tn_v
tn_v_attr(const struct tn_search *s, tn_val v)
{
	return calc_value(tn_val_get(s->ctx, v));
}

struct tn_v
tn_v_num(int64_t num, int64_t den, int exp10)
{
	return calc_number((struct tn_number){num, den, exp10});
}

struct tn_v
tn_v_call(struct tn_search *s, enum tn_fn fn, int n, const struct tn_v v[])
{
	return calc_call(&(struct calc){s->ctx, &s->scratch}, fn, n, v);
}

struct tn_v
tn_v_list(struct tn_search *s, int n, const struct tn_v v[])
{
	return calc_list(&(struct calc){s->ctx, &s->scratch}, n, v);
}

tn_val
tn_v_val(struct tn_search *s, struct tn_v v, enum tn_kind kind, const struct tn_enum *enums)
{
	return calc_attr(s->ctx, v, kind, enums);
}

/* ---- shapes --------------------------------------------------------------------------------------------- */

/* the type's shape, NULL if it is not known */
static const struct tn_shape *
known_shape(const struct tn_search *s, tn_id class)
{
	const struct tensor_data *d = search_data(s, class);
	const struct tn_shape *t = d && d->type != TN_NONE ? tn_type_get(s->ctx, d->type) : NULL;

	return t && t->rank >= 0 ? t : NULL;
}

struct tn_v
tn_v_shape(struct tn_search *s, tn_id class)
{
	return calc_shape(known_shape(s, class));
}

struct tn_v
tn_v_dim(struct tn_search *s, tn_id class, struct tn_v i)
{
	return calc_call(&(struct calc){s->ctx, &s->scratch}, TN_F_AT, 2, (const struct tn_v[]){tn_v_shape(s, class), i});
}

struct tn_v
tn_v_rank(struct tn_search *s, tn_id class)
{
	const struct tn_shape *t = known_shape(s, class);

	return t ? calc_int(t->rank) : CALC_BAD;
}

struct tn_v
tn_v_dtype(struct tn_search *s, tn_id class)
{
	const struct tensor_data *d = search_data(s, class);

	if (!d || d->type == TN_NONE)
		return CALC_BAD;
	return (struct tn_v){.kind = TN_VV_DTYPE, .u.i = tn_type_get(s->ctx, d->type)->dtype};
}

struct tn_v
tn_v_constant(struct tn_search *s, tn_id class)
{
	const struct tensor_data *d = search_data(s, class);

	return d ? calc_bool(tn_tri_of(d->is_constant)) : CALC_BAD;
}

struct tn_v
tn_v_distinct(struct tn_search *s, tn_id a, tn_id b)
{
	return calc_bool(tn_tri_of(tn_find(s->egraph, a) != tn_find(s->egraph, b)));
}

/* ---- numbers ----------------------------------------------------------------------------------------------- */

/* Is x, as f32 holds it, the number: the very number if f32 holds that, else one that rounds to about it. */
static bool
is_number(double x, struct tn_number n)
{
	double want = tn_number_double(n);

	return tn_float_near(x, want, (double)(float)want == want);
}

bool
tn_val_is(const struct tn_search *s, tn_val a, int64_t num, int64_t den, int exp10)
{
	const struct tn_value *v = tn_val_get(s->ctx, a);
	struct tn_number n = {num, den, exp10};

	switch (v->kind) {
	case TN_K_FLOAT:
		return is_number(v->u.f, n);
	case TN_K_INT:
	case TN_K_AXIS:
	case TN_K_DIM:
		return number_is_int(n) && v->u.i == num;
	default:
		return false;
	}
}

bool
tn_attrs_same(const struct tn_search *s, tn_attrs a, tn_attrs b, uint64_t named)
{
	const tn_val *x, *y;
	int nx, ny, i;

	x = tn_attrs_get(s->ctx, a, &nx);
	y = tn_attrs_get(s->ctx, b, &ny);
	if (a == b || nx != ny)
		return a == b;
	for (i = 0; i < nx; i++)
		if (x[i] != y[i] && !(i < 64 && named >> i & 1))
			return false;
	return true;
}

tn_attrs
tn_attrs_rest(const struct tn_search *s, tn_attrs attrs, uint64_t named)
{
	tn_val *rest;
	const tn_val *v;
	int n, i;

	if (!named)
		return attrs;
	v = tn_attrs_get(s->ctx, attrs, &n);
	rest = mem_alloc((size_t)n * sizeof *rest);
	for (i = 0; i < n; i++)
		rest[i] = i < 64 && named >> i & 1 ? TN_NONE : v[i];
	attrs = tn_attrs_make(s->ctx, rest, n);
	mem_free(rest);
	return attrs;
}

/* Without an analysis, of scalars, the value of the class's fill: no operator comes before it. */
static tn_val
fill_value(const struct tn_search *s, tn_id class)
{
	const struct tn_row *n = snapshot_first(s->egraph, class);

	return n && n->op == TN_FILL ? tn_attrs_get(s->ctx, n->attrs, NULL)[0] : TN_NONE;
}

tn_val
tn_uniform(const struct tn_search *s, tn_id class)
{
	const struct tensor_data *d = search_data(s, class);

	return d ? d->uniform : fill_value(s, class);
}

/* Is x the number as a tensor of fewer bits than f32's holds it? */
static bool
is_rounded(const struct tn_search *s, tn_id class, double x, struct tn_number n)
{
	const struct tn_shape *t = known_shape(s, class);
	double want = tn_number_double(n);

	return t && (t->dtype == TN_F16 || t->dtype == TN_BF16) && element_fits(t->dtype, want) && element_round(t->dtype, want) == x;
}

bool
tn_uniform_is(const struct tn_search *s, tn_id class, int64_t num, int64_t den, int exp10)
{
	tn_val v = tn_uniform(s, class);
	struct tn_number n = {num, den, exp10};

	return v != TN_NONE && (is_number(tn_val_get(s->ctx, v)->u.f, n) || is_rounded(s, class, tn_val_get(s->ctx, v)->u.f, n));
}
