/* What lowerings are made of: see lower.h. */
#include <string.h>

#include "base/num.h"
#include "onnx/lower.h"
#include "tensor/element.h"
#include "tensor/same_op.h"

/* ---- attributes and operands ------------------------------------------------------------------ */

int64_t
low_int(const struct lower *l, const char *name, int64_t otherwise)
{
	const struct onnx_attr *a = node_attr(l->n, name);

	return a && a->type == ATTR_INT ? onnx_cut(a->i) : otherwise;
}

double
low_float(const struct lower *l, const char *name, double otherwise)
{
	const struct onnx_attr *a = node_attr(l->n, name);

	return a && a->type == ATTR_FLOAT ? (double)a->f : otherwise;
}

bool
low_is(const struct lower *l, const char *name, const char *text)
{
	const struct onnx_attr *a = node_attr(l->n, name);

	return !a || (a->type == ATTR_STRING && span_is(a->s, text));
}

bool
low_ints(const struct lower *l, const char *name, uint32_t n, int64_t otherwise, int64_t out[])
{
	const struct onnx_attr *a = node_attr(l->n, name);
	uint32_t i;

	if (a && (a->type != ATTR_INTS || a->n != n))
		return false;
	for (i = 0; i < n; i++)
		out[i] = a ? onnx_cut(a->ints[i]) : otherwise;
	return true;
}

bool
low_has(const struct lower *l, uint32_t i)
{
	return i < l->n->nin && l->n->in[i] != ONNX_NONE;
}

const struct sym *
low_extents(const struct lower *l, uint32_t i, const char *name)
{
	const struct onnx_attr *a = node_attr(l->n, name);
	struct sym *s;
	tn_dim *at;
	uint32_t k;

	if (low_has(l, i))
		return a ? NULL : onnx_sym(l->x, l->n->in[i]);
	if (!a || a->type != ATTR_INTS)
		return NULL;
	s = arena_new(&l->x->mem, struct sym);
	at = arena_news(&l->x->mem, a->n + 1, tn_dim);
	*s = (struct sym){TN_I64, 1, a->n, at};
	for (k = 0; k < a->n; k++)
		at[k] = onnx_cut(a->ints[k]);
	return s;
}

bool
low_number(const struct lower *l, uint32_t i, double *out)
{
	struct onnx_tensor t;
	struct tensor_data d;
	bool ok;

	if (!low_has(l, i) || !onnx_constant(l->x, l->n->in[i], &t) || !dtype_is_float(t.dtype))
		return false;
	if (!tensor_read(&l->x->files, &t, &d, NULL))
		return false;
	ok = d.n == dtype_size(t.dtype);
	if (ok)
		element_load(t.dtype, d.at, 1, out);
	if (d.is_owned)
		mem_free((void *)(uintptr_t)d.at);
	/* numbers of a graph are f32's */
	return ok && (t.dtype != TN_F64 || (double)(float)*out == *out);
}

int
low_floats(const struct lower *l, uint32_t i, const char *name, float out[TN_MAX_RANK])
{
	const struct onnx_attr *a = node_attr(l->n, name);
	struct onnx_tensor t;
	struct tensor_data d;
	int n = -1;

	if (a && a->type == ATTR_FLOATS && a->n && a->n <= TN_MAX_RANK) {
		memcpy(out, a->floats, a->n * sizeof *out);
		return (int)a->n;
	}
	if (!low_has(l, i) || !onnx_constant(l->x, l->n->in[i], &t) || t.dtype != TN_F32 || t.rank != 1 ||
	    !tensor_read(&l->x->files, &t, &d, NULL))
		return -1;
	if (d.n && d.n <= TN_MAX_RANK * sizeof *out) {
		n = (int)(d.n / sizeof *out);
		memcpy(out, d.at, d.n);
	}
	if (d.is_owned)
		mem_free((void *)(uintptr_t)d.at);
	return n;
}

const struct tn_shape *
low_shape(const struct lower *l, uint32_t node)
{
	return tn_type_get(l->g->ctx, l->g->node[node].type);
}

bool
low_axis(int64_t given, int rank, int *axis)
{
	*axis = (int)(given < 0 ? given + rank : given);
	return given >= -rank && given < rank;
}

/* ---- making nodes ----------------------------------------------------------------------------- */

uint32_t
low_op(struct lower *l, unsigned op, const uint32_t kid[], int nkid, const struct low_attr attr[], int nattr)
{
	tn_attrs attrs;
	int i;

	for (i = 0; i < nkid; i++)
		if (kid[i] == TN_NONE)
			return TN_NONE;
	if (op == TN_NONE)
		return TN_NONE;
	attrs = map_record(l->g->ctx, &l->x->program->op[op], attr, nattr);
	if (attrs == TN_NONE)
		return TN_NONE;
	return tn_graph_node(l->g, op, attrs, kid, nkid, l->origin, NULL);
}

uint32_t
low_node(struct lower *l, const char *name, const uint32_t kid[], int nkid, const struct low_attr attr[], int nattr)
{
	return low_op(l, op_standard(l->x->program, name), kid, nkid, attr, nattr);
}

uint32_t
low_fill(struct lower *l, double v, const struct tn_shape *s)
{
	uint32_t n = tn_graph_fill(l->g, v, tn_type_make(l->g->ctx, s));

	l->g->node[n].origin = l->origin;
	return n;
}

static const struct tn_weight *
weight_of(const struct lower *l, uint32_t node)
{
	return &l->g->weight[graph_index(l->g, node)];
}

/* Another view of a weight: it is a weight too, so that nothing is left to be folded. */
static uint32_t
derive(struct lower *l, uint32_t node, const char *how, const struct tn_shape *s, const void *data, bool is_owned)
{
	const struct tn_weight *w = weight_of(l, node);
	const char *name = arena_printf(&l->x->mem, "%s_%s", w->name, how);
	struct tn_weight made = {tn_ctx_str(l->g->ctx, name, strlen(name)), tn_type_make(l->g->ctx, s), data,
	    w->size_bytes, is_owned, NULL};
	uint32_t n = tn_graph_weight(l->g, &made);

	l->g->node[n].origin = l->origin;
	return n;
}

uint32_t
low_reshape(struct lower *l, uint32_t node, int rank, const tn_dim dim[])
{
	struct tn_shape s = {0};
	int64_t n = 1;
	int i;

	if (node == TN_NONE || rank > TN_MAX_RANK)
		return TN_NONE;
	s = *low_shape(l, node);
	if (s.rank == rank && (rank == 0 || memcmp(s.dim, dim, (size_t)rank * sizeof *dim) == 0))
		return node;
	s.rank = rank;
	for (i = 0; i < rank; i++) {
		s.dim[i] = dim[i];
		if (!tn_dim_is_num(dim[i]) || dim[i] < 0 || !num_mul(n, dim[i], &n))
			n = -1;
	}
	if (l->g->node[node].op == TN_WEIGHT && n >= 0 && (uint64_t)n * dtype_size(s.dtype) == weight_of(l, node)->size_bytes)
		return derive(l, node, "reshaped", &s, weight_of(l, node)->data, false);
	return low_node(l, "reshape", &node, 1, &LOW_LIST("shape", rank, dim), 1);
}

/* a matrix's elements in the other order */
static void *
transposed(const struct tn_weight *w, const struct tn_shape *s)
{
	size_t size = dtype_size(s->dtype), rows = (size_t)s->dim[0], columns = (size_t)s->dim[1], i, k;
	char *to = mem_alloc(w->size_bytes + 1);
	const char *from = w->data;

	for (i = 0; i < rows; i++)
		for (k = 0; k < columns; k++)
			memcpy(to + (k * rows + i) * size, from + (i * columns + k) * size, size);
	return to;
}

uint32_t
low_transpose(struct lower *l, uint32_t node, const int64_t perm[], int rank)
{
	struct tn_shape s, to;

	if (node == TN_NONE)
		return TN_NONE;
	s = *low_shape(l, node);
	if (l->g->node[node].op != TN_WEIGHT || rank != 2 || perm[0] != 1 || perm[1] != 0)
		return low_node(l, "transpose", &node, 1, &LOW_LIST("perm", rank, perm), 1);
	to = (struct tn_shape){s.dtype, 2, {s.dim[1], s.dim[0]}};
	return derive(l, node, "transposed", &to, transposed(weight_of(l, node), &s), true);
}

uint32_t
low_broadcast(struct lower *l, uint32_t node, const struct tn_shape *to)
{
	const struct tn_shape *s;
	int64_t axes[TN_MAX_RANK];
	bool is_same;
	int i;

	if (node == TN_NONE)
		return TN_NONE;
	s = low_shape(l, node);
	is_same = s->rank == to->rank;
	for (i = 0; i < s->rank; i++) {
		axes[i] = to->rank - s->rank + i;
		/* extents that differ and are not 1 were taken for equal */
		is_same = is_same && (s->dim[i] == to->dim[i] || s->dim[i] != 1);
	}
	if (is_same)
		return node;
	return low_node(l, "expand", &node, 1, (struct low_attr[]){
		LOW_LIST("axes", s->rank, axes), LOW_LIST("shape", to->rank, to->dim)}, 2);
}
