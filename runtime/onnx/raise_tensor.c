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

/* a tensor as the value of the node, under its name */
static void
put_tensor(struct raise *r, struct made_tensor *t)
{
	t->name = r->p->place[r->b].name;
	if (t->name.kind == REF_VALUE)
		r->p->by[t->name.id] = BY_TENSOR;
	vec_push(&r->p->tensor, *t);
}

bool
raise_weight(struct raise *r)
{
	const struct tn_weight *w = &r->g->weight[graph_index(r->g, r->b)];
	const struct tn_shape *s = r_shape(r, r->b);
	struct made_tensor t = {.dtype = s->dtype, .rank = s->rank, .data = w->data, .n = w->size_bytes};

	memcpy(t.dim, s->dim, sizeof t.dim);
	put_tensor(r, &t);
	return true;
}

/* ---- other shapes ------------------------------------------------------------------------------ */

/* Does a 0 in a Reshape's shape, which copies an extent, say no other than 0? */
static bool
zeros_are_copies(const struct tn_shape *from, const struct tn_shape *to)
{
	int i;

	for (i = 0; i < to->rank; i++)
		if (to->dim[i] == 0 && (i >= from->rank || from->dim[i] != 0))
			return false;
	return true;
}

/* The shape operand of a Reshape: 0 copies an extent, -1 is what is left; only beyond that it is reckoned. */
struct ref
r_reshape(struct raise *r, struct ref x, const struct tn_shape *from, const struct tn_shape *to, uint32_t node, bool last)
{
	int64_t want[TN_MAX_RANK] = {0};
	int i, unknown = 0;
	bool has_zero = false;
	struct ref in[2] = {x};
	struct buf attrs = {0};

	if (r->opset < 5)
		plan_fail(r->p, "there are no words in opset %lld for a Reshape", (long long)r->opset);
	for (i = 0; i < to->rank; i++) {
		has_zero |= to->dim[i] == 0;
		want[i] = to->dim[i];
		if (tn_dim_is_num(to->dim[i]))
			continue;
		want[i] = i < from->rank && from->dim[i] == to->dim[i] ? 0 : -1;
		unknown += want[i] == -1;
	}
	in[1] = unknown <= 1 && !has_zero ? r_ints(r, want, to->rank) : r_extents(r, to->dim, to->rank, node);
	if (has_zero && !zeros_are_copies(from, to)) {
		if (r->opset < 14)
			plan_fail(r->p, "there are no words in opset %lld for a Reshape to no elements", (long long)r->opset);
		attr_int(&attrs, "allowzero", 1);
	}
	return r_make(r, "Reshape", in, 2, &attrs, last);
}

/* ---- fills ------------------------------------------------------------------------------------ */

enum { FILL_MOST = 1024, FILL_ALL = 1 << 24 };	/* elements that are written out, and where there is no Expand */

/* how many elements the shape has; -1: that is not known, or they are too many to be written out */
static int64_t
count_elements(const struct tn_shape *s)
{
	int64_t n = 1;
	int k;

	for (k = 0; k < s->rank; k++)
		if (!tn_dim_is_num(s->dim[k]) || !num_mul(n, s->dim[k], &n) || n > FILL_ALL)
			return -1;
	return n;
}

/* a tensor of this element n times, as the value of the node */
static void
make_filled(struct raise *r, const struct tn_shape *s, const char *element, int64_t n)
{
	size_t size = dtype_size(s->dtype);
	struct made_tensor t = {.dtype = s->dtype, .rank = s->rank, .n = (size_t)n * size};
	char *data = arena_alloc(&r->p->mem, t.n);
	int64_t i;

	for (i = 0; i < n; i++)
		memcpy(data + (size_t)i * size, element, size);
	t.data = data;
	memcpy(t.dim, s->dim, sizeof t.dim);
	put_tensor(r, &t);
}

/* a small one whole, a large one by its shape */
bool
raise_fill(struct raise *r)
{
	const struct tn_shape *s = r_shape(r, r->b);
	int64_t n = count_elements(s);
	struct ref in[2];
	char element[8];
	double v;

	if (!r_is_fill(r, r->b, &v) || !encode(v, s->dtype, element) || (n < 0 && r->opset < 8))
		return false;
	if (n < 0 || (n > FILL_MOST && r->opset >= 8)) {
		in[0] = r_number(r, v, s->dtype);
		in[1] = r_extents(r, s->dim, s->rank, TN_NONE);
		r_make(r, "Expand", in, 2, NULL, true);
	} else {
		make_filled(r, s, element, n);
	}
	return true;
}
