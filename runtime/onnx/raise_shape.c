/* Raising of operators that move elements. */
#include <string.h>

#include "onnx/raise.h"

bool
raise_concat(struct raise *r)
{
	struct ref *in = arena_news(&r->p->mem, r->n->nkid, struct ref);
	struct buf attrs = {0};
	int i;

	for (i = 0; i < r->n->nkid; i++)
		in[i] = r_in(r, i);
	attr_int(&attrs, "axis", r_int(r, "axis"));
	r_make(r, r->onnx, in, r->n->nkid, &attrs, true);
	return true;
}

bool
raise_transpose(struct raise *r)
{
	const struct tn_value *perm = r_attr(r, "perm");
	struct ref in = r_in(r, 0);
	struct buf attrs = {0};

	attr_ints(&attrs, "perm", perm->u.list, perm->n);
	r_make(r, r->onnx, &in, 1, &attrs, true);
	return true;
}

bool
raise_reshape(struct raise *r)
{
	r_reshape(r, r_in(r, 0), r_shape(r, r_kid(r, 0)), r_shape(r, r->b), r_kid(r, 0), true);
	return true;
}

bool
raise_expand(struct raise *r)
{
	const struct tn_value *axes = r_attr(r, "axes");
	const struct tn_shape *from = r_shape(r, r_kid(r, 0)), *to = r_shape(r, r->b);
	struct tn_shape aligned = {.dtype = to->dtype, .rank = to->rank};
	struct ref in[2];
	int i;

	in[0] = r_in(r, 0);
	for (i = 0; i < to->rank; i++)
		aligned.dim[i] = 1;
	for (i = 0; i < from->rank; i++) {
		if (i && axes->u.list[i] <= axes->u.list[i - 1])
			return false;
		aligned.dim[axes->u.list[i]] = from->dim[i];
	}
	for (i = 0; i < from->rank && axes->u.list[i] == to->rank - from->rank + i; i++)
		;
	if (i < from->rank)
		in[0] = r_reshape(r, in[0], from, &aligned, r_kid(r, 0), false);
	in[1] = r_extents(r, to->dim, to->rank, r_kid(r, 0));
	r_make(r, r->onnx, in, 2, NULL, true);
	return true;
}

/* rows from … to - 1 of a tensor of rank 4 */
static struct ref
make_rows(struct raise *r, struct ref x, int64_t from, int64_t to)
{
	struct ref in[4] = {x};
	struct buf attrs = {0};

	if (r->opset < 10) {
		attr_ints(&attrs, "axes", &(int64_t){0}, 1);
		attr_ints(&attrs, "ends", &to, 1);
		attr_ints(&attrs, "starts", &from, 1);
		return r_make(r, "Slice", in, 1, &attrs, false);
	}
	in[1] = r_ints(r, &from, 1);
	in[2] = r_ints(r, &to, 1);
	in[3] = r_ints(r, &(int64_t){0}, 1);
	return r_make(r, "Slice", in, 4, NULL, false);
}

static struct ref
make_pad(struct raise *r, struct ref x, const int64_t pads[], int n, bool last)
{
	struct ref in[2] = {x};
	struct buf attrs = {0};

	attr_text(&attrs, "mode", "constant");
	if (r->opset < 11)
		attr_ints(&attrs, "pads", pads, (size_t)n);
	else
		in[1] = r_ints(r, pads, n);
	return r_make(r, "Pad", in, r->opset < 11 ? 1 : 2, &attrs, last);
}

bool
raise_pad(struct raise *r)
{
	const struct tn_value *before = r_attr(r, "before"), *after = r_attr(r, "after");
	int64_t pads[2 * TN_MAX_RANK] = {0};
	uint32_t n = before->n;

	if (n > TN_MAX_RANK || after->n != n)
		return false;
	memcpy(pads, before->u.list, n * sizeof *pads);
	memcpy(pads + n, after->u.list, n * sizeof *pads);
	make_pad(r, r_in(r, 0), pads, 2 * (int)n, true);
	return true;
}

/* each group's rows padded to their place among the channels of `by` groups, one below the other */
bool
raise_group_merge(struct raise *r)
{
	const struct tn_shape *k = r_shape(r, r_kid(r, 0));
	int64_t groups = r_int(r, "groups"), by = r_int(r, "by"), rows, i;
	struct buf attrs = {0};
	struct ref *part, in;

	if (k->rank != 4 || !tn_dim_is_num(k->dim[0]) || !tn_dim_is_num(k->dim[1]) || groups < 1 || groups > k->dim[0])
		return false;
	rows = k->dim[0] / groups;
	part = arena_news(&r->p->mem, (size_t)groups, struct ref);
	in = r_in(r, 0);
	for (i = 0; i < groups; i++) {
		int64_t before = i % by * k->dim[1], pads[8] = {0, before, 0, 0, 0, (by - 1) * k->dim[1] - before, 0, 0};

		part[i] = make_pad(r, make_rows(r, in, i * rows, (i + 1) * rows), pads, 8, false);
	}
	attr_int(&attrs, "axis", 0);
	r_make(r, "Concat", part, (int)groups, &attrs, true);
	return true;
}

/* ONNX's words for it were Upsample, with scales as attribute and then as operand, before Resize was more than that. */
bool
raise_upsample(struct raise *r)
{
	const struct tn_value *list = r_attr(r, "scales");
	struct made_tensor none = {.dtype = TN_F32, .rank = 1, .data = ""}, t;
	float scales[TN_MAX_RANK];
	struct ref in[3] = {r_in(r, 0)};
	struct buf attrs = {0};
	uint32_t i, at = r->opset < 11 ? 1 : 2;

	if (list->n > TN_MAX_RANK)
		return false;
	if (list->n == 0) {
		r_make(r, "Identity", in, 1, NULL, true);
		return true;
	}
	for (i = 0; i < list->n; i++)
		scales[i] = (float)list->u.list[i];
	attr_text(&attrs, "mode", "nearest");
	if (r->opset < 9) {
		attr_floats(&attrs, "scales", scales, list->n);
		r_make(r, "Upsample", in, 1, &attrs, true);
		return true;
	}
	if (r->opset >= 11) {
		attr_text(&attrs, "coordinate_transformation_mode", "asymmetric");
		attr_text(&attrs, "nearest_mode", "floor");
	}
	if (r->opset == 11 || r->opset == 12)	/* where no region of interest had to be said */
		in[1] = r_tensor(r, "", &none);
	t = (struct made_tensor){.dtype = TN_F32, .rank = 1, .dim = {list->n}, .data = scales, .n = list->n * sizeof *scales};
	in[at] = r_tensor(r, "", &t);
	r_make(r, r->opset < 10 ? "Upsample" : r->onnx, in, (int)at + 1, &attrs, true);
	return true;
}

/* ---- slices ----------------------------------------------------------------------------------- */

struct part {
	uint32_t node;
	int64_t from, to;
};

/* axis and bounds of node b, if it is a slice of x with known bounds and step 1 */
static bool
is_part(struct raise *r, uint32_t b, uint32_t x, int64_t axis, struct part *part)
{
	struct raise other = *r;

	other.b = b;
	other.n = &r->g->node[b];
	if (other.n->op != r->n->op || r->g->kid[other.n->kid] != x || r_int(&other, "axis") != axis || r_int(&other, "step") != 1)
		return false;
	*part = (struct part){b, r_int(&other, "from"), r_int(&other, "to")};
	return tn_dim_is_num(part->from) && tn_dim_is_num(part->to);
}

/* put part[from …] in order of place; false: they do not tile 0 … end */
static bool
tile(struct part part[], int n, int64_t end)
{
	struct part moved;
	int64_t at = 0;
	int i, k;

	for (i = 0; i < n; i++) {
		for (k = i; k < n && part[k].from != at; k++)
			;
		if (k == n)
			return false;
		moved = part[i];
		part[i] = part[k];
		part[k] = moved;
		at = part[i].to;
	}
	return n >= 2 && at == end;
}

enum { PARTS_MOST = 64 };

/*
 * The new slices of one tensor that tile it as one Split.  Nodes are placed from the last back, so the
 * others stand before this one.
 */
static bool
raise_split(struct raise *r)
{
	uint32_t x = r_kid(r, 0), b;
	int64_t axis = r_int(r, "axis"), sizes[PARTS_MOST];
	struct part part[PARTS_MOST];
	struct ref out[PARTS_MOST], in[2];
	struct buf attrs = {0};
	int n = 0, i;

	for (b = 0; b <= r->b && n < PARTS_MOST; b++)
		if (r->p->place[b].is_needed && !r->p->place[b].is_done && (b == r->b || r->g->node[b].origin == TN_NONE) &&
		    is_part(r, b, x, axis, &part[n]))
			n++;
	if (!tile(part, n, r_shape(r, x)->dim[axis]))
		return false;
	for (i = 0; i < n; i++) {
		if (part[i].node != r->b)
			r->p->place[part[i].node].name = plan_new_name(r->p, part[i].node, "");
		out[i] = r->p->place[part[i].node].name;
		sizes[i] = part[i].to - part[i].from;
		r->p->place[part[i].node].is_done = true;
	}
	in[0] = r_in(r, 0);
	attr_int(&attrs, "axis", axis);
	if (r->opset < 13)
		attr_ints(&attrs, "split", sizes, (size_t)n);
	else
		in[1] = r_ints(r, sizes, n);
	r_make_many(r, "Split", in, r->opset < 13 ? 1 : 2, &attrs, out, n);
	return true;
}

/* A bound as a number, counted from the end of a symbolic axis; TN_DIM_BAD: it has none. */
static int64_t
bound_number(struct raise *r, tn_dim v)
{
	tn_dim d = r_shape(r, r_kid(r, 0))->dim[r_int(r, "axis")], back;

	if (tn_dim_is_num(v))
		return v;
	back = tn_dim_sub(r->ctx, v, d);
	return back == 0 ? TN_DIM_MAX : tn_dim_is_num(back) && back < 0 ? back : TN_DIM_BAD;
}

/* a bound as a tensor of one element */
static struct ref
bound(struct raise *r, tn_dim v)
{
	int64_t n = bound_number(r, v);

	return n == TN_DIM_BAD ? r_extents(r, &v, 1, r_kid(r, 0)) : r_ints(r, &n, 1);
}

bool
raise_slice(struct raise *r)
{
	int64_t axis = r_int(r, "axis"), step = r_int(r, "step");
	tn_dim from = r_int(r, "from"), to = r_int(r, "to");
	struct ref in[5];
	struct buf attrs = {0};

	if (step == 1 && r->opset >= 2 && raise_split(r))
		return true;
	in[0] = r_in(r, 0);
	if (r->opset < 10) {
		from = bound_number(r, from);
		to = bound_number(r, to);
		if (step != 1 || from == TN_DIM_BAD || to == TN_DIM_BAD)
			return false;
		attr_ints(&attrs, "axes", &axis, 1);
		attr_ints(&attrs, "ends", &to, 1);
		attr_ints(&attrs, "starts", &from, 1);
		r_make(r, r->onnx, in, 1, &attrs, true);
		return true;
	}
	in[1] = bound(r, from);
	in[2] = bound(r, to);
	in[3] = r_ints(r, &axis, 1);
	in[4] = r_ints(r, &step, 1);
	r_make(r, r->onnx, in, step == 1 ? 4 : 5, NULL, true);
	return true;
}
