/* Raising of operators that work element by element. */
#include <math.h>
#include <string.h>

#include "onnx/raise.h"

bool
raise_unary(struct raise *r)
{
	struct ref in = r_in(r, 0);

	r_make(r, r->onnx, &in, 1, NULL, true);
	return true;
}

/* Since opset `broadcasts` broadcasting gives the result's shape, or one operand is whole. */
static bool
raise_pair(struct raise *r, int64_t broadcasts)
{
	const struct tn_shape *out = r_shape(r, r->b);
	struct tn_shape a, b, both;
	struct ref in[2];

	if (r->opset < broadcasts) {
		in[0] = r_in(r, 0);
		in[1] = r_in(r, 1);
	} else {
		in[0] = r_spread(r, 0, &a);
		in[1] = r_spread(r, 1, &b);
		if (!shape_broadcast(r->ctx, &a, &b, &both) || both.rank != out->rank ||
		    memcmp(both.dim, out->dim, (size_t)out->rank * sizeof *out->dim) != 0)
			in[0] = r_in(r, 0);
	}
	r_make(r, r->onnx, in, 2, NULL, true);
	return true;
}

bool
raise_binary(struct raise *r)
{
	return raise_pair(r, 7);
}

bool
raise_extreme(struct raise *r)
{
	return raise_pair(r, 8);
}

bool
raise_clip(struct raise *r)
{
	double min = r_float(r, "min"), max = r_float(r, "max");
	bool has_min = min != -INFINITY, has_max = max != INFINITY;
	struct ref in[3] = {{0}};
	struct buf attrs = {0};
	enum tn_dtype dtype = r_shape(r, r->b)->dtype;
	int n = 1;

	in[0] = r_in(r, 0);
	if (r->opset < 11) {
		if (has_min)
			attr_float(&attrs, "min", min);
		if (has_max)
			attr_float(&attrs, "max", max);
	} else {
		if (has_min)
			in[1] = r_number(r, min, dtype);
		if (has_max)
			in[2] = r_number(r, max, dtype);
		n = has_max ? 3 : has_min ? 2 : 1;
	}
	r_make(r, r->onnx, in, n, &attrs, true);
	return true;
}

bool
raise_leaky_relu(struct raise *r)
{
	struct ref in = r_in(r, 0);
	struct buf attrs = {0};

	attr_float(&attrs, "alpha", r_float(r, "alpha"));
	r_make(r, r->onnx, &in, 1, &attrs, true);
	return true;
}

bool
raise_hard_sigmoid(struct raise *r)
{
	struct ref in = r_in(r, 0);
	struct buf attrs = {0};

	attr_float(&attrs, "alpha", r_float(r, "alpha"));
	attr_float(&attrs, "beta", r_float(r, "beta"));
	r_make(r, r->onnx, &in, 1, &attrs, true);
	return true;
}

/* An operator that the rule files declare with (onnx "Name" "domain"). */
bool
raise_declared(struct raise *r)
{
	struct ref *in = arena_news(&r->p->mem, r->n->nkid + 1u, struct ref);
	const struct tn_value *v;
	struct buf attrs = {0};
	int i;

	for (i = 0; i < r->n->nkid; i++)
		in[i] = r_in(r, i);
	for (i = 0; i < r->op->nattr; i++) {
		const char *name = r->op->attr[i].name;

		v = r_attr(r, name);
		if (!v || v->kind == TN_K_DIMS)
			return false;
		if (v->kind == TN_K_FLOAT)
			attr_float(&attrs, name, v->u.f);
		else if (v->kind == TN_K_INTS)
			attr_ints(&attrs, name, v->u.list, v->n);
		else if (v->kind == TN_K_STRING)
			attr_text(&attrs, name, v->u.s);
		else
			attr_int(&attrs, name, v->u.i);
	}
	r_make(r, r->op->onnx, in, r->n->nkid, &attrs, true);
	r->p->made.at[r->p->made.n - 1].domain = r->op->onnx_domain ? r->op->onnx_domain : "";
	return true;
}
