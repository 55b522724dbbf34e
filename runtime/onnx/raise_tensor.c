/* Tensors that raisings need: constants, shapes, fills. */
#include <string.h>

#include "base/num.h"
#include "onnx/raise.h"
#include "tensor/element.h"

/* a tensor under its name; equal ones are one */
struct ref
r_tensor(struct raise *r, const char *stem, const struct made_tensor *from)
{
	struct made_tensor t = *from;
	struct buf key = {0};
	uint32_t *at;
	bool is_new = true, is_small = t.n <= 4096;

	/* large ones are told apart by where their data is */
	buf_put(&key, &t.dtype, sizeof t.dtype);
	buf_put(&key, &t.rank, sizeof t.rank);
	buf_put(&key, t.dim, (size_t)t.rank * sizeof *t.dim);
	if (is_small && t.n)
		buf_put(&key, t.data, t.n);
	else
		buf_put(&key, &t.data, sizeof t.data);
	at = map_put(&r->p->constants, key.at, key.n, r->p->tensor.n, &is_new);
	buf_free(&key);
	if (!is_new)
		return r->p->tensor.at[*at].name;
	if (is_small)
		t.data = arena_dup(&r->p->mem, t.n ? t.data : "", t.n);
	t.name = plan_fresh(r->p, stem);
	vec_push(&r->p->tensor, t);
	return t.name;
}

struct ref
r_ints(struct raise *r, const int64_t v[], int n)
{
	struct made_tensor t = {.dtype = TN_I64, .rank = 1, .dim = {n}, .data = v, .n = (size_t)n * sizeof *v};

	return r_tensor(r, "", &t);
}

/* v as an element of the dtype; false: not one of the floats */
static bool
encode(double v, enum tn_dtype dtype, char out[8])
{
	if (dtype_is_float(dtype))
		element_store(dtype, &v, 1, out);
	return dtype_is_float(dtype);
}

struct ref
r_number(struct raise *r, double v, enum tn_dtype dtype)
{
	char bytes[8];
	struct made_tensor t = {.dtype = dtype, .data = bytes, .n = dtype_size(dtype)};

	if (!encode(v, dtype, bytes))
		plan_fail(r->p, "a number of an element type that has none is wanted");
	return r_tensor(r, "", &t);
}

bool
raise_weight(struct raise *r)
{
	const struct tn_weight *w = &r->g->weight[graph_index(r->g, r->b)];
	const struct tn_shape *s = r_shape(r, r->b);
	struct made_tensor t = {.dtype = s->dtype, .rank = s->rank, .data = w->data, .n = w->size_bytes};

	memcpy(t.dim, s->dim, sizeof t.dim);
	t.name = r->p->place[r->b].name;
	if (t.name.kind == REF_VALUE)
		r->p->by[t.name.id] = BY_TENSOR;
	vec_push(&r->p->tensor, t);
	return true;
}

/* ---- extents ---------------------------------------------------------------------------------- */

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

/* a node with the extent among its own that comes before: at hand, an input, or one to be written anyway; *axis: where */
static uint32_t
find_extent(const struct raise *r, tn_dim d, uint32_t at_hand, int *axis)
{
	const struct tn_shape *s;
	uint32_t b, pass;

	for (pass = 0; pass < 3; pass++)
		for (b = pass ? 0 : at_hand; b < (pass ? r->b : at_hand + 1); b++) {
			if ((pass == 1 && r->g->node[b].op != TN_INPUT) || (pass == 2 && !r->p->place[b].is_needed) ||
			    r->g->node[b].op == TN_OPAQUE)
				continue;
			s = r_shape(r, b);
			for (*axis = 0; *axis < s->rank; ++*axis)
				if (s->dim[*axis] == d)
					return b;
		}
	return TN_NONE;
}

/* one extent as a tensor of one element */
static struct ref
one_extent(struct raise *r, tn_dim d, uint32_t at_hand)
{
	int axis;
	uint32_t b;
	struct ref in[2];
	struct buf attrs = {0};
	char text[200];

	if (tn_dim_is_num(d))
		return r_ints(r, &d, 1);
	b = find_extent(r, d, at_hand, &axis);
	if (b == TN_NONE) {
		tn_dim_print(r->ctx, d, text, sizeof text);
		plan_fail(r->p, "the extent %s is none of a tensor that is written", text);
		return (struct ref){REF_NONE, 0, ONNX_NONE};
	}
	in[0] = r_need(r, b);
	in[0] = r_make(r, "Shape", in, 1, NULL, false);
	in[1] = r_ints(r, (int64_t[]){axis}, 1);
	attr_int(&attrs, "axis", 0);
	return r_make(r, "Gather", in, 2, &attrs, false);
}

struct ref
r_extents(struct raise *r, const tn_dim dim[], int n, uint32_t at_hand)
{
	struct ref in[TN_MAX_RANK];
	struct buf attrs = {0};
	bool is_known = true;
	uint32_t v;
	int i;

	for (i = 0; i < n; i++)
		is_known &= tn_dim_is_num(dim[i]);
	if (is_known)
		return r_ints(r, dim, n);
	v = original_shape(r, dim, n);
	if (v != ONNX_NONE)
		return plan_demand(r->p, v);
	for (i = 0; i < n; i++)
		in[i] = one_extent(r, dim[i], at_hand);
	if (n == 1)
		return in[0];
	attr_int(&attrs, "axis", 0);
	return r_make(r, "Concat", in, n, &attrs, false);
}

/* The shape operand of a Reshape: 0 copies an extent, -1 is what is left; only beyond that it is reckoned. */
struct ref
r_reshape(struct raise *r, struct ref x, const struct tn_shape *from, const struct tn_shape *to, uint32_t node, bool last)
{
	int64_t want[TN_MAX_RANK] = {0};
	int i, unknown = 0;
	bool has_zero = false;
	struct ref in[2] = {x};

	for (i = 0; i < to->rank; i++) {
		has_zero |= to->dim[i] == 0;
		want[i] = to->dim[i];
		if (tn_dim_is_num(to->dim[i]))
			continue;
		want[i] = i < from->rank && from->dim[i] == to->dim[i] ? 0 : -1;
		unknown += want[i] == -1;
	}
	in[1] = unknown <= 1 && !has_zero ? r_ints(r, want, to->rank) : r_extents(r, to->dim, to->rank, node);
	return r_make(r, "Reshape", in, 2, NULL, last);
}

/* ---- fills ------------------------------------------------------------------------------------ */

enum { FILL_MOST = 1024 };	/* elements that are written out */

/* a small one whole, a large one by its shape */
bool
raise_fill(struct raise *r)
{
	const struct tn_shape *s = r_shape(r, r->b);
	struct made_tensor t = {.dtype = s->dtype, .rank = s->rank};
	struct ref in[2];
	double v;
	int64_t n = 1, i;
	size_t size = dtype_size(s->dtype);
	char *data, bytes[8];
	int k;

	if (!r_is_fill(r, r->b, &v) || !encode(v, s->dtype, bytes))
		return false;
	for (k = 0; k < s->rank; k++)
		if (!tn_dim_is_num(s->dim[k]) || !num_mul(n, s->dim[k], &n))
			n = FILL_MOST + 1;
	if (n > FILL_MOST) {
		in[0] = r_number(r, v, s->dtype);
		in[1] = r_extents(r, s->dim, s->rank, r->b ? r->b - 1 : 0);
		r_make(r, "Expand", in, 2, NULL, true);
		return r->opset >= 8;
	}
	t.n = (size_t)n * size;
	t.data = data = arena_alloc(&r->p->mem, t.n);
	for (i = 0; i < n; i++)
		memcpy(data + (size_t)i * size, bytes, size);
	memcpy(t.dim, s->dim, sizeof t.dim);
	t.name = r->p->place[r->b].name;
	if (t.name.kind == REF_VALUE)
		r->p->by[t.name.id] = BY_TENSOR;
	vec_push(&r->p->tensor, t);
	return true;
}
