/* Values that no step makes: inputs, weights and numbers; and what every value has, a shape at these sizes and a buffer. */
#include <string.h>

#include "base/dtype.h"
#include "target/plan.h"
#include "tensor/at.h"
#include "tensor/data.h"
#include "tensor/element.h"
#include "tensor/weight.h"

bool
plan_shape(struct tn_plan *p, tn_type type, struct tn_shape *s, struct tn_error *e)
{
	if (tn_type_get(p->g->ctx, type)->rank >= 0 && at_shape(p->g->ctx, type, p->sizes, s) && view_can_be(s))
		return true;
	return tn_fail(e, TN_E_INPUT, "a tensor has no shape at these sizes, too many elements, or they are no numbers");
}

struct tn_tensor
plan_tensor(const struct tn_shape *s, enum tn_layout layout)
{
	struct tn_tensor t = {.dtype = s->dtype, .rank = s->rank};

	memcpy(t.dim, s->dim, (size_t)s->rank * sizeof *t.dim);
	view_dense(&t, layout);
	return t;
}

uint32_t
plan_buffer(struct tn_plan *p, const struct tn_tensor *t, uint32_t from)
{
	struct buffer b = {.bytes = (size_t)view_count(t) * dtype_size(t->dtype), .from = from, .to = from, .lies_in = TN_NONE};

	vec_push(&p->buffer, b);
	return p->buffer.n - 1;
}

/* a number as the one element of its type */
static bool
fill_value(struct tn_plan *p, const struct tn_gnode *n, struct value *v, struct tn_error *e)
{
	struct tn_shape s;
	double x = fill_of(p->g->ctx, n->attrs);
	void *data = arena_alloc(&p->mem, sizeof x);

	if (!plan_shape(p, n->type, &s, e))
		return false;
	element_store(s.dtype, &x, 1, data);
	v->view = plan_tensor(&s, TN_ROW_MAJOR);
	memset(v->view.stride, 0, sizeof v->view.stride);
	v->view.data = data;
	return true;
}

static bool
weight_value(struct tn_plan *p, const struct tn_gnode *n, struct value *v, struct tn_error *e)
{
	const struct tn_weight *w = weight_of(p->g, n);
	struct tn_shape s;
	size_t count;

	if (dtype_size(tn_type_get(p->g->ctx, n->type)->dtype) == 0) {
		v->view.rank = -1;
		return true;
	}
	if (!plan_shape(p, n->type, &s, e))
		return false;
	if (!weight_count(p->g->ctx, w, &count))
		return tn_fail(e, TN_E_INPUT, "weight %s: its data is not there", w->name);
	v->view = plan_tensor(&s, TN_ROW_MAJOR);
	v->view.data = w->data;
	/* one value everywhere is a number, however it is written */
	if (count && weight_uniform(p->g->ctx, w) != TN_NONE)
		memset(v->view.stride, 0, sizeof v->view.stride);
	return true;
}

static bool
input_value(struct tn_plan *p, uint32_t node, struct value *v, struct tn_error *e)
{
	const struct tn_gnode *n = &p->g->node[node];
	struct tn_shape s;
	int count;
	int64_t input = tn_val_get(p->g->ctx, tn_attrs_get(p->g->ctx, n->attrs, &count)[0])->u.i;

	if (!plan_shape(p, n->type, &s, e))
		return false;
	v->view = plan_tensor(&s, TN_ROW_MAJOR);
	v->buffer = plan_buffer(p, &v->view, 0);
	p->buffer.at[v->buffer].is_kept = true;
	p->input[input] = v->buffer;
	return true;
}

bool
leaf_value(struct tn_plan *p, uint32_t node, struct value *v, struct tn_error *e)
{
	const struct tn_gnode *n = &p->g->node[node];

	switch (n->op) {
	case TN_INPUT:
		return input_value(p, node, v, e);
	case TN_WEIGHT:
		return weight_value(p, n, v, e);
	default:
		return fill_value(p, n, v, e);
	}
}
