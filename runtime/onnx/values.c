/* Values: which are constants, of which type they are, and the nodes they become when asked for; see onnx.h. */
#include <inttypes.h>
#include <string.h>

#include "onnx/lower.h"

/* ---- constants -------------------------------------------------------------------------------- */

/* the tensor of a Constant node, which has many spellings */
static bool
constant_node(const struct tn_onnx *x, const struct onnx_node *n, struct onnx_tensor *t)
{
	const struct onnx_attr *a = n->nattr == 1 ? &n->attr[0] : NULL;
	struct arena *mem = (struct arena *)(uintptr_t)&x->mem;
	int64_t *dim;

	if (!a || !span_is(n->op, "Constant") || !domain_is_default(n->domain) || a->is_reference)
		return false;
	if (a->type == ATTR_TENSOR && span_is(a->name, "value"))
		return parse_tensor(mem, a->t, t);
	*t = (struct onnx_tensor){.has_raw = true, .rank = a->type == ATTR_FLOATS || a->type == ATTR_INTS};
	t->dim = dim = arena_new(mem, int64_t);
	*dim = a->n;
	t->dtype = a->type == ATTR_FLOAT || a->type == ATTR_FLOATS ? TN_F32 : TN_I64;
	t->type = dtype_to_onnx(t->dtype);
	if (a->type == ATTR_FLOATS && span_is(a->name, "value_floats"))
		t->raw = (struct span){(const unsigned char *)a->floats, a->n * sizeof *a->floats};
	else if (a->type == ATTR_INTS && span_is(a->name, "value_ints"))
		t->raw = (struct span){(const unsigned char *)a->ints, a->n * sizeof *a->ints};
	else if (a->type == ATTR_FLOAT && span_is(a->name, "value_float"))
		t->raw = (struct span){(const unsigned char *)&a->f, sizeof a->f};
	else if (a->type == ATTR_INT && span_is(a->name, "value_int"))
		t->raw = (struct span){(const unsigned char *)&a->i, sizeof a->i};
	else
		return false;
	return true;
}

bool
onnx_constant(const struct tn_onnx *x, uint32_t value, struct onnx_tensor *t)
{
	const struct onnx_value *v = &x->model.value.at[value];

	if (v->node != ONNX_NONE) {
		if (!constant_node(x, &x->model.node.at[v->node], t))
			return false;
	} else if (v->init != ONNX_NONE && (v->input == ONNX_NONE || x->fold_overridable)) {
		*t = x->model.init.at[v->init];
	} else {
		return false;
	}
	t->name = v->name;
	return tensor_is_known(t);
}

static tn_type
tensor_type(struct tn_onnx *x, const struct onnx_tensor *t)
{
	struct tn_shape s = {.dtype = t->dtype, .rank = (int)t->rank};
	uint32_t i;

	for (i = 0; i < t->rank; i++) {
		s.dim[i] = t->dim[i];
		if (t->dim[i] < 0 || t->dim[i] > TN_DIM_MAX)
			return TN_NONE;
	}
	return tn_type_make(x->ctx, &s);
}

tn_type
onnx_type(struct tn_onnx *x, uint32_t value)
{
	const struct sym *s = x->sym_of[value];
	struct tn_shape shape = {0};
	struct onnx_tensor t;

	if (x->node_of[value] != TN_NONE)
		return x->graph->node[x->node_of[value]].type;
	if (s) {
		shape = (struct tn_shape){s->dtype, s->rank, {s->n}};
		return tn_type_make(x->ctx, &shape);
	}
	return onnx_constant(x, value, &t) ? tensor_type(x, &t) : TN_NONE;
}

/* ---- values that become nodes when asked for -------------------------------------------------- */

static uint32_t
make_weight(struct tn_onnx *x, const struct onnx_tensor *t, struct tn_error *e)
{
	struct tensor_data d;
	struct tn_weight w = {0};

	if (!tensor_read(&x->files, t, &d, e))
		return TN_NONE;
	w = (struct tn_weight){onnx_str(x, t->name), tensor_type(x, t), d.at, d.n, d.is_owned, NULL};
	return tn_graph_weight(x->graph, &w);
}

/* a sym of numbers as a weight; TN_NONE: it has others */
static uint32_t
make_numbers(struct tn_onnx *x, uint32_t value)
{
	const struct sym *s = x->sym_of[value];
	size_t size = dtype_size(s->dtype), i;
	struct tn_shape shape = {s->dtype, s->rank, {s->n}};
	struct tn_weight w = {0};
	int32_t narrow;
	char *at;

	for (i = 0; i < s->n; i++)
		if (s->at[i] >= TN_DIM_MAX || s->at[i] <= -TN_DIM_MAX)
			return TN_NONE;
	at = mem_alloc(s->n * size + 1);
	for (i = 0; i < s->n; i++) {
		narrow = (int32_t)s->at[i];
		memcpy(at + i * size, s->dtype == TN_I32 ? (const void *)&narrow : &s->at[i], size);
	}
	w = (struct tn_weight){onnx_str(x, x->model.value.at[value].name), tn_type_make(x->ctx, &shape), at, s->n * size, true, NULL};
	return tn_graph_weight(x->graph, &w);
}

/* "Resize 3f0c…": operator, which operands are there, and attributes, which make it the same one in another file */
static void
describe(struct tn_onnx *x, uint32_t opaque, const struct onnx_node *n)
{
	const uint64_t mix = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t hash = n->nin;
	struct buf text = {0};
	uint32_t i;

	for (i = 0; i < n->nin; i++)
		hash = hash * mix ^ (n->in[i] != ONNX_NONE);
	for (i = 0; i < n->nattr; i++)
		hash = hash * mix ^ hash_bytes(n->attr[i].whole.at, n->attr[i].whole.n);
	for (i = 0; model_has_function(&x->model, n) && i < x->model.function.n; i++)
		hash = hash * mix ^ hash_bytes(x->model.function.at[i].whole.at, x->model.function.at[i].whole.n);
	buf_put(&text, n->op.at, n->op.n);
	buf_putc(&text, ' ');
	if (n->domain.n) {
		buf_put(&text, n->domain.at, n->domain.n);
		buf_putc(&text, ' ');
	}
	buf_printf(&text, "%016" PRIx64, hash);
	tn_graph_describe(x->graph, opaque, text.at);
	buf_free(&text);
}

void
onnx_make_opaque(struct tn_onnx *x, uint32_t node)
{
	const struct onnx_node *n = &x->model.node.at[node];
	tn_type *type = mem_alloc((n->nout + 1) * sizeof *type);
	VEC(uint32_t) kid = {0};
	uint32_t i, o;

	for (i = 0; i < n->nin; i++)
		if (n->in[i] != ONNX_NONE)
			vec_push(&kid, x->node_of[n->in[i]]);
	for (i = 0; i < n->ncapture; i++)
		vec_push(&kid, x->node_of[n->capture[i]]);
	onnx_opaque_types(x, n, type);
	o = tn_graph_opaque(x->graph, kid.at, (int)kid.n, node);
	describe(x, o, n);
	for (i = 0; i < n->nout; i++)
		if (n->out[i] != ONNX_NONE)
			x->node_of[n->out[i]] = tn_graph_result(x->graph, o, (int)i, type[i]);
	vec_free(&kid);
	mem_free(type);
}

/* a tensor that Tenon cannot hold (strings, 8-bit floats, sparse): an opaque node without operands */
static uint32_t
make_opaque_constant(struct tn_onnx *x, uint32_t init)
{
	struct tn_shape s = {.dtype = TN_UNTYPED, .rank = -1};
	uint32_t o = tn_graph_opaque(x->graph, NULL, 0, x->model.node.n + init);

	return tn_graph_result(x->graph, o, 0, tn_type_make(x->ctx, &s));
}

/* An operand of a node evaluated in extents that is not yet a graph node; ONNX_NONE: all are. */
static uint32_t
missing(const struct tn_onnx *x, const struct onnx_node *n)
{
	uint32_t i;

	for (i = 0; i < n->nin; i++)
		if (n->in[i] != ONNX_NONE && x->node_of[n->in[i]] == TN_NONE)
			return n->in[i];
	return ONNX_NONE;
}

/* The node of one value, or *first = an operand whose node must be made before. */
static bool
make_value(struct tn_onnx *x, uint32_t value, uint32_t *first, struct tn_error *e)
{
	const struct onnx_value *v = &x->model.value.at[value];
	struct onnx_tensor t;

	*first = ONNX_NONE;
	if (onnx_constant(x, value, &t)) {
		x->node_of[value] = make_weight(x, &t, e);
		return x->node_of[value] != TN_NONE;
	}
	if (v->node == ONNX_NONE && v->init != ONNX_NONE) {
		x->node_of[value] = make_opaque_constant(x, v->init);
		return true;
	}
	if (v->node == ONNX_NONE || !x->is_sym_node[v->node])
		return tn_fail(e, TN_E_INPUT, "'%.*s' is used and nothing defines it", SPAN_TEXT(v->name));
	x->node_of[value] = make_numbers(x, value);
	if (x->node_of[value] != TN_NONE)
		return true;
	*first = missing(x, &x->model.node.at[v->node]);
	if (*first == ONNX_NONE)
		onnx_make_opaque(x, v->node);
	return true;
}

uint32_t
onnx_materialise(struct tn_onnx *x, uint32_t value, struct tn_error *e)
{
	VEC(uint32_t) stack = {0};
	uint32_t first;
	bool ok = true;

	if (x->node_of[value] != TN_NONE)
		return x->node_of[value];
	vec_push(&stack, value);
	while (ok && stack.n) {
		if (x->node_of[stack.at[stack.n - 1]] != TN_NONE) {
			stack.n--;
			continue;
		}
		ok = make_value(x, stack.at[stack.n - 1], &first, e);
		if (first != ONNX_NONE)
			vec_push(&stack, first);
	}
	vec_free(&stack);
	return x->node_of[value];
}
