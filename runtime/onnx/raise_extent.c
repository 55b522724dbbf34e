/* Raising of extents: shapes at hand, and what is reckoned from them. */
#include <string.h>

#include "onnx/raise.h"
#include "tensor/ctx.h"

/* Extents on the way: those that are a tensor of one element by now, and nodes whose shape is a tensor. */
struct extents {
	struct raise *r;
	uint32_t at_hand;
	VEC(struct extent_ref) made;
	VEC(struct shape_ref) shape;
};

struct extent_ref {
	tn_dim d;
	struct ref ref;
};

struct shape_ref {
	uint32_t node;
	struct ref ref;
};

static struct ref make_extent(struct extents *, tn_dim);

/* ---- what is there ---------------------------------------------------------------------------- */

/* an original integer value of rank 1 that holds these extents; ONNX_NONE: there is none */
static uint32_t
original_shape(const struct raise *r, const tn_dim dim[], int n)
{
	uint32_t v;

	for (v = 0; v < r->p->x->model.value.n; v++) {
		const struct sym *s = r->p->x->sym_of[v];

		if (s && s->dtype == TN_I64 && s->rank == 1 && (int)s->n == n && memcmp(s->at, dim, (size_t)n * sizeof *dim) == 0)
			return v;
	}
	return ONNX_NONE;
}

/* the axis of node b that is the extent; -1: none is */
static int
axis_of(const struct raise *r, uint32_t b, tn_dim d)
{
	const struct tn_shape *s = r_shape(r, b);
	int axis;

	for (axis = 0; r->g->node[b].op != TN_OPAQUE && axis < s->rank; axis++)
		if (s->dim[axis] == d)
			return axis;
	return -1;
}

/* a node before r->b with the extent among its own: the one at hand, an input, or one to be written anyway; *axis: where */
static uint32_t
find_extent(const struct raise *r, tn_dim d, uint32_t at_hand, int *axis)
{
	uint32_t b;

	if (at_hand != TN_NONE && (*axis = axis_of(r, at_hand, d)) >= 0)
		return at_hand;
	for (b = 0; b < r->b; b++)
		if (r->g->node[b].op == TN_INPUT && (*axis = axis_of(r, b, d)) >= 0)
			return b;
	for (b = 0; b < r->b; b++)
		if (r->p->place[b].is_needed && (*axis = axis_of(r, b, d)) >= 0)
			return b;
	return TN_NONE;
}

static struct ref
make_shape(struct extents *x, uint32_t node)
{
	struct ref ref;
	uint32_t i;

	for (i = 0; i < x->shape.n; i++)
		if (x->shape.at[i].node == node)
			return x->shape.at[i].ref;
	ref = r_need(x->r, node);
	ref = r_make(x->r, "Shape", &ref, 1, NULL, false);
	vec_push(&x->shape, ((struct shape_ref){node, ref}));
	return ref;
}

static struct ref
gather_extent(struct extents *x, uint32_t node, int axis)
{
	struct ref in[2] = {make_shape(x, node), r_ints(x->r, (int64_t[]){axis}, 1)};
	struct buf attrs = {0};

	attr_int(&attrs, "axis", 0);
	return r_make(x->r, "Gather", in, 2, &attrs, false);
}

/* ---- what is reckoned ------------------------------------------------------------------------- */

static struct ref
reckon(struct extents *x, const char *op, struct ref a, struct ref b)
{
	return r_make(x->r, op, (struct ref[]){a, b}, 2, NULL, false);
}

/* the term without its sign */
static struct ref
make_product(struct extents *x, const struct dims_term *t)
{
	int64_t coef = t->coef < 0 ? -t->coef : t->coef;
	struct ref product = {REF_NONE, 0, ONNX_NONE}, factor;
	uint32_t i;

	if (coef != 1 || t->n == 0)
		product = r_ints(x->r, &coef, 1);
	for (i = 0; i < t->n; i++) {
		factor = make_extent(x, t->factor[i]);
		product = product.kind == REF_NONE ? factor : reckon(x, "Mul", product, factor);
	}
	return product;
}

/* what is added, then what is taken off */
static struct ref
make_sum(struct extents *x, tn_dim d)
{
	struct dims_term *term = arena_news(&x->r->p->mem, TN_DIM_TERMS, struct dims_term);
	uint32_t n = dims_terms(x->r->ctx->dims, d, term), i;
	struct ref sum = {REF_NONE, 0, ONNX_NONE}, product;

	for (i = 0; i < n; i++)
		if (term[i].coef > 0) {
			product = make_product(x, &term[i]);
			sum = sum.kind == REF_NONE ? product : reckon(x, "Add", sum, product);
		}
	for (i = 0; i < n; i++)
		if (term[i].coef < 0) {
			if (sum.kind == REF_NONE)
				sum = r_ints(x->r, &(int64_t){0}, 1);
			sum = reckon(x, "Sub", sum, make_product(x, &term[i]));
		}
	return sum;
}

/* Division rounds to zero in ONNX, and down here: a quotient's dividend is never negative. */
static struct ref
reckon_extent(struct extents *x, tn_dim d)
{
	tn_dim e;
	int64_t k;
	char text[200];

	if (tn_dim_symbol(x->r->ctx, d) < 0 && x->r->opset >= 6) {
		if (dims_quotient(x->r->ctx->dims, d, &e, &k))
			return reckon(x, "Div", make_extent(x, e), r_ints(x->r, &k, 1));
		return make_sum(x, d);
	}
	tn_dim_print(x->r->ctx, d, text, sizeof text);
	plan_fail(x->r->p, "the extent %s is none of a tensor that is written", text);
	return (struct ref){REF_NONE, 0, ONNX_NONE};
}

/* one extent as a tensor of one element */
static struct ref
make_extent(struct extents *x, tn_dim d)
{
	struct ref ref;
	uint32_t i, b;
	int axis;

	if (tn_dim_is_num(d))
		return r_ints(x->r, &d, 1);
	for (i = 0; i < x->made.n; i++)
		if (x->made.at[i].d == d)
			return x->made.at[i].ref;
	b = find_extent(x->r, d, x->at_hand, &axis);
	ref = b != TN_NONE ? gather_extent(x, b, axis) : reckon_extent(x, d);
	vec_push(&x->made, ((struct extent_ref){d, ref}));
	return ref;
}

struct ref
r_extents(struct raise *r, const tn_dim dim[], int n, uint32_t at_hand)
{
	struct extents x = {.r = r, .at_hand = at_hand};
	struct ref in[TN_MAX_RANK];
	struct buf attrs = {0};
	bool is_known = true;
	uint32_t v;
	int i;

	for (i = 0; i < n; i++)
		is_known &= tn_dim_is_num(dim[i]);
	if (is_known)
		return r_ints(r, dim, n);
	v = r->p->reckons ? ONNX_NONE : original_shape(r, dim, n);
	if (v != ONNX_NONE)
		return plan_demand(r->p, v);
	for (i = 0; i < n; i++)
		in[i] = make_extent(&x, dim[i]);
	vec_free(&x.made);
	vec_free(&x.shape);
	if (n == 1)
		return in[0];
	attr_int(&attrs, "axis", 0);
	return r_make(r, "Concat", in, n, &attrs, false);
}
