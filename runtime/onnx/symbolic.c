/*
 * Integer nodes evaluated in extents: shapes, their parts, and what is reckoned with them.
 *
 * Huge numbers of bounds ("to the end") are cut to TN_DIM_MAX, which no extent reaches.
 */
#include <string.h>

#include "base/num.h"
#include "onnx/lower.h"

typedef tn_dim pair_fn(struct tn_ctx *, tn_dim, tn_dim);

struct eval {
	struct tn_onnx *x;
	struct lower l;		/* for its readers of operands and attributes */
	pair_fn *pair;		/* the table's */
};

typedef const struct sym *eval_fn(struct eval *);

static struct sym *
make(struct tn_onnx *x, enum tn_dtype dtype, int rank, uint32_t n, tn_dim **at)
{
	struct sym *s = arena_new(&x->mem, struct sym);

	*at = arena_news(&x->mem, n ? n : 1, tn_dim);
	*s = (struct sym){dtype, rank, n, *at};
	return s;
}

static bool
is_index(enum tn_dtype dtype)
{
	return dtype == TN_I64 || dtype == TN_I32;
}

/* a constant of rank 0 or 1 */
static const struct sym *
from_tensor(struct tn_onnx *x, const struct onnx_tensor *t)
{
	struct tensor_data d;
	struct sym *s;
	tn_dim *at;
	uint32_t i, n = t->rank ? (uint32_t)t->dim[0] : 1;
	int32_t narrow;
	int64_t wide;

	if (!is_index(t->dtype) || t->rank > 1 || (t->rank && (t->dim[0] < 0 || t->dim[0] > SYM_MOST)) ||
	    !tensor_read(&x->files, t, &d, NULL))
		return NULL;
	s = make(x, t->dtype, (int)t->rank, n, &at);
	for (i = 0; i < n; i++)
		if (t->dtype == TN_I64) {
			memcpy(&wide, (const char *)d.at + i * sizeof wide, sizeof wide);
			at[i] = onnx_cut(wide);
		} else {
			memcpy(&narrow, (const char *)d.at + i * sizeof narrow, sizeof narrow);
			at[i] = narrow;
		}
	if (d.is_owned)
		mem_free((void *)(uintptr_t)d.at);
	return s;
}

const struct sym *
onnx_sym(struct tn_onnx *x, uint32_t value)
{
	struct onnx_tensor t;

	if (!x->sym_of[value] && onnx_constant(x, value, &t))
		x->sym_of[value] = from_tensor(x, &t);
	return x->sym_of[value];
}

/* operand i, or NULL */
static const struct sym *
operand(struct eval *v, uint32_t i)
{
	return low_has(&v->l, i) ? onnx_sym(v->x, v->l.n->in[i]) : NULL;
}

/* ---- where extents come from ------------------------------------------------------------------ */

static const struct tn_shape *
operand_shape(struct eval *v)
{
	tn_type t = low_has(&v->l, 0) ? onnx_type(v->x, v->l.n->in[0]) : TN_NONE;
	const struct tn_shape *s = t == TN_NONE ? NULL : tn_type_get(v->x->ctx, t);

	return s && s->rank >= 0 ? s : NULL;
}

static const struct sym *
eval_shape(struct eval *v)
{
	const struct tn_shape *s = operand_shape(v);
	int64_t from = low_int(&v->l, "start", 0), to;
	struct sym *r;
	tn_dim *at;

	if (!s)
		return NULL;
	to = low_int(&v->l, "end", s->rank);
	from = from < 0 ? from + s->rank : from;
	to = to < 0 ? to + s->rank : to;
	from = from < 0 ? 0 : from > s->rank ? s->rank : from;
	to = to < from ? from : to > s->rank ? s->rank : to;
	r = make(v->x, TN_I64, 1, (uint32_t)(to - from), &at);
	memcpy(at, s->dim + from, (size_t)(to - from) * sizeof *at);
	return r;
}

static const struct sym *
eval_size(struct eval *v)
{
	const struct tn_shape *s = operand_shape(v);
	struct sym *r;
	tn_dim *at;
	int i;

	if (!s)
		return NULL;
	r = make(v->x, TN_I64, 0, 1, &at);
	for (at[0] = 1, i = 0; i < s->rank; i++)
		at[0] = tn_dim_mul(v->x->ctx, at[0], s->dim[i]);
	return at[0] == TN_DIM_BAD ? NULL : r;
}

static const struct sym *
eval_constant_of_shape(struct eval *v)
{
	const struct sym *n = operand(v, 0), *fill;
	const struct onnx_attr *a = node_attr(v->l.n, "value");
	struct onnx_tensor t;
	struct sym *r;
	tn_dim *at;
	uint32_t i;

	if (!n || n->rank != 1 || n->n != 1 || !tn_dim_is_num(n->at[0]) || n->at[0] < 0 || n->at[0] > SYM_MOST ||
	    !a || a->type != ATTR_TENSOR || !parse_tensor(&v->x->mem, a->t, &t))
		return NULL;
	fill = from_tensor(v->x, &t);
	if (!fill || fill->n != 1)
		return NULL;
	r = make(v->x, fill->dtype, 1, (uint32_t)n->at[0], &at);
	for (i = 0; i < r->n; i++)
		at[i] = fill->at[0];
	return r;
}

/* ---- parts and joins -------------------------------------------------------------------------- */

static const struct sym *
eval_same(struct eval *v)
{
	return operand(v, 0);
}

static const struct sym *
eval_cast(struct eval *v)
{
	const struct sym *a = operand(v, 0);
	enum tn_dtype to = dtype_of_onnx(low_int(&v->l, "to", 0));
	struct sym *r;
	tn_dim *at;
	uint32_t i;

	if (!a || !is_index(to))
		return NULL;
	for (i = 0; i < a->n; i++)
		if (to == TN_I32 && tn_dim_is_num(a->at[i]) && (a->at[i] > INT32_MAX || a->at[i] < INT32_MIN))
			return NULL;
	r = make(v->x, to, a->rank, a->n, &at);
	memcpy(at, a->at, a->n * sizeof *at);
	return r;
}

static const struct sym *
eval_gather(struct eval *v)
{
	const struct sym *a = operand(v, 0), *index = operand(v, 1);
	int64_t axis = low_int(&v->l, "axis", 0);
	struct sym *r;
	tn_dim *at;
	uint32_t i;
	int k;

	if (!a || !index || a->rank != 1 || (axis != 0 && axis != -1))
		return NULL;
	r = make(v->x, a->dtype, index->rank, index->n, &at);
	for (i = 0; i < index->n; i++) {
		if (!low_axis(index->at[i], (int)a->n, &k))
			return NULL;
		at[i] = a->at[k];
	}
	return r;
}

/* one bound of a slice of n elements */
static int64_t
clamp(int64_t v, int64_t n)
{
	v = v < 0 ? v + n : v;
	return v < 0 ? 0 : v > n ? n : v;
}

static const struct sym *
eval_slice(struct eval *v)
{
	const struct sym *a = operand(v, 0), *from = low_extents(&v->l, 1, "starts"), *to = low_extents(&v->l, 2, "ends");
	const struct sym *axes = low_extents(&v->l, 3, "axes"), *steps = low_extents(&v->l, 4, "");
	int64_t i, last, step = 1;
	struct sym *r;
	tn_dim *at;

	if (!a || a->rank != 1 || !from || !to || from->n != 1 || to->n != 1 || (axes && (axes->n != 1 ||
	    (axes->at[0] != 0 && axes->at[0] != -1))) || (low_has(&v->l, 3) && !axes) || (low_has(&v->l, 4) && !steps))
		return NULL;
	if (steps)
		step = steps->n == 1 ? steps->at[0] : 0;
	if (!tn_dim_is_num(from->at[0]) || !tn_dim_is_num(to->at[0]) || step < 1 || step > SYM_MOST)
		return NULL;
	i = clamp(from->at[0], a->n);
	last = clamp(to->at[0], a->n);
	r = make(v->x, a->dtype, 1, a->n, &at);
	for (r->n = 0; i < last; i += step)
		at[r->n++] = a->at[i];
	return r;
}

static const struct sym *
eval_concat(struct eval *v)
{
	const struct sym *a;
	struct sym *r;
	tn_dim *at;
	uint32_t i, n = 0;

	for (i = 0; i < v->l.n->nin; i++) {
		a = operand(v, i);
		if (!a || a->rank != 1 || a->dtype != operand(v, 0)->dtype)
			return NULL;
		n += a->n;
		if (n > SYM_MOST)
			return NULL;
	}
	if (i == 0)
		return NULL;
	r = make(v->x, operand(v, 0)->dtype, 1, n, &at);
	for (i = 0; i < v->l.n->nin; i++) {
		a = operand(v, i);
		memcpy(at, a->at, a->n * sizeof *at);
		at += a->n;
	}
	return r;
}

/* the same elements under rank 0 or 1 */
static const struct sym *
with_rank(struct eval *v, const struct sym *a, int rank)
{
	struct sym *r;

	if (!a || (rank == 0 && a->n != 1))
		return NULL;
	r = arena_new(&v->x->mem, struct sym);
	*r = (struct sym){a->dtype, rank, a->n, a->at};
	return r;
}

static const struct sym *
eval_unsqueeze(struct eval *v)
{
	const struct sym *a = operand(v, 0), *axes = low_extents(&v->l, 1, "axes");

	if (!a || a->rank != 0 || !axes || axes->n != 1 || (axes->at[0] != 0 && axes->at[0] != -1))
		return NULL;
	return with_rank(v, a, 1);
}

static const struct sym *
eval_squeeze(struct eval *v)
{
	const struct sym *a = operand(v, 0), *axes = low_extents(&v->l, 1, "axes");

	if (!a || a->rank != 1 || (axes ? axes->n == 0 : low_has(&v->l, 1) || node_attr(v->l.n, "axes")))
		return NULL;
	return with_rank(v, a, 0);
}

static const struct sym *
eval_reshape(struct eval *v)
{
	const struct sym *a = operand(v, 0), *to = operand(v, 1);

	if (!a || !to || to->rank != 1 || to->n > 1)
		return NULL;
	if (to->n == 1 && to->at[0] != -1 && to->at[0] != (tn_dim)a->n)
		return NULL;
	return with_rank(v, a, (int)to->n);
}

/* ---- arithmetic ------------------------------------------------------------------------------- */

/* division rounds to zero in ONNX, down here: they agree where nothing is negative */
static tn_dim
divide(struct tn_ctx *c, tn_dim a, tn_dim b)
{
	return b != 0 && tn_dim_le(c, 0, a) == TN_TRUE && tn_dim_le(c, 1, b) == TN_TRUE ? tn_dim_div(c, a, b) : TN_DIM_BAD;
}

/* was the number cut? Then nothing can be reckoned with it. */
static bool
is_cut(tn_dim d)
{
	return d == TN_DIM_MAX || d == -TN_DIM_MAX;
}

/* is it, as far as is known, a number of the type? */
static bool
fits(tn_dim d, enum tn_dtype dtype)
{
	return d != TN_DIM_BAD && !is_cut(d) && (dtype == TN_I64 || !tn_dim_is_num(d) || (d >= INT32_MIN && d <= INT32_MAX));
}

/* the row's function on each pair of elements */
static const struct sym *
eval_pairs(struct eval *v)
{
	const struct sym *a = operand(v, 0), *b = operand(v, 1);
	struct sym *r;
	tn_dim *at;
	uint32_t i, n;

	if (!a || !b || v->l.n->nin != 2 || a->dtype != b->dtype || (a->n != b->n && a->n != 1 && b->n != 1))
		return NULL;
	n = a->n == 1 ? b->n : a->n;
	r = make(v->x, a->dtype, a->rank > b->rank ? a->rank : b->rank, n, &at);
	for (i = 0; i < n; i++) {
		tn_dim p = a->at[a->n == 1 ? 0 : i], q = b->at[b->n == 1 ? 0 : i];

		at[i] = is_cut(p) || is_cut(q) ? TN_DIM_BAD : v->pair(v->x->ctx, p, q);
		if (!fits(at[i], a->dtype))
			return NULL;
	}
	return r;
}

static const struct sym *
eval_product(struct eval *v)
{
	const struct sym *a = operand(v, 0);
	struct sym *r;
	tn_dim *at;
	uint32_t i;

	if (!a || a->rank != 1 || low_int(&v->l, "noop_with_empty_axes", 0))
		return NULL;
	r = make(v->x, a->dtype, low_int(&v->l, "keepdims", 1) != 0, 1, &at);
	for (at[0] = 1, i = 0; i < a->n; i++)
		at[0] = is_cut(a->at[i]) ? TN_DIM_BAD : tn_dim_mul(v->x->ctx, at[0], a->at[i]);
	return fits(at[0], a->dtype) ? r : NULL;
}

/* ---- the table -------------------------------------------------------------------------------- */

static const struct {
	const char *op;
	eval_fn *eval;
	pair_fn *pair;
} evals[] = {
#define EVAL(onnx, eval, pair) {#onnx, eval, pair},
#include "onnx/map.def"
};

bool
onnx_eval_sym(struct tn_onnx *x, uint32_t node)
{
	const struct onnx_node *n = &x->model.node.at[node];
	struct eval v = {.x = x, .l = {.x = x, .g = x->graph, .n = n, .origin = node}};
	const struct sym *s;
	size_t i;

	if (!domain_is_default(n->domain) || n->nout != 1 || n->out[0] == ONNX_NONE || n->ncapture)
		return false;
	for (i = 0; i < sizeof evals / sizeof *evals; i++) {
		if (!span_is(n->op, evals[i].op))
			continue;
		v.pair = evals[i].pair;
		s = evals[i].eval(&v);
		if (!s)
			return false;
		x->sym_of[n->out[0]] = s;
		return true;
	}
	return false;
}
