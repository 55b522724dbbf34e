/* Messages inside a graph: nodes, attributes, tensors, value infos; see model.h. */
#include <string.h>

#include "onnx/model.h"

enum { LONGEST_NAME = 1 << 20 };

typedef VEC(int64_t) ints;
typedef VEC(float) floats;
typedef VEC(uint32_t) values;
typedef VEC(struct span) spans;

/* a string field that serves as a name */
static bool
get_name(const struct wire_field *f, struct span *out)
{
	*out = f->bytes;
	return f->type == WIRE_BYTES && f->bytes.n <= LONGEST_NAME;
}

/* repeated integers, packed or one by one */
static bool
get_ints(const struct wire_field *f, ints *list)
{
	struct wire w = wire_over(f->bytes);
	uint64_t v;

	if (f->type == WIRE_VARINT) {
		vec_push(list, (int64_t)f->value);
		return true;
	}
	if (f->type != WIRE_BYTES)
		return false;
	while (w.at < w.end) {
		if (!wire_varint(&w, &v))
			return false;
		vec_push(list, (int64_t)v);
	}
	return true;
}

static float
float_of(uint32_t bits)
{
	float v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

/* repeated floats, packed or one by one */
static bool
get_floats(const struct wire_field *f, floats *list)
{
	const unsigned char *p = f->bytes.at;
	size_t i;

	if (f->type == WIRE_FIXED32) {
		vec_push(list, float_of((uint32_t)f->value));
		return true;
	}
	if (f->type != WIRE_BYTES || f->bytes.n % 4 != 0)
		return false;
	for (i = 0; i < f->bytes.n; i += 4, p += 4)
		vec_push(list, float_of(p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24));
	return true;
}

static const void *
keep(struct arena *a, const void *from, uint32_t n, size_t size)
{
	return n ? arena_dup(a, from, n * size) : NULL;
}

/* ---- attributes ------------------------------------------------------------------------------- */

/* files of the first ONNX version state no type: it is told by the field that is there */
static enum onnx_attr_type
type_by_field(uint32_t number)
{
	switch (number) {
	case F_ATTRIBUTE_F: return ATTR_FLOAT;
	case F_ATTRIBUTE_I: return ATTR_INT;
	case F_ATTRIBUTE_S: return ATTR_STRING;
	case F_ATTRIBUTE_T: return ATTR_TENSOR;
	case F_ATTRIBUTE_G: return ATTR_GRAPH;
	case F_ATTRIBUTE_FLOATS: return ATTR_FLOATS;
	case F_ATTRIBUTE_INTS: return ATTR_INTS;
	case F_ATTRIBUTE_STRINGS: return ATTR_STRINGS;
	case F_ATTRIBUTE_GRAPHS: return ATTR_GRAPHS;
	default: return ATTR_UNDEFINED;
	}
}

/* one field of an attribute */
static bool
attr_field(const struct wire_field *f, struct onnx_attr *a, ints *il, floats *fl)
{
	switch (f->number) {
	case F_ATTRIBUTE_NAME:
		return get_name(f, &a->name);
	case F_ATTRIBUTE_TYPE:
		a->type = f->value <= INT32_MAX ? (enum onnx_attr_type)(int32_t)f->value : ATTR_UNDEFINED;
		return f->type == WIRE_VARINT;
	case F_ATTRIBUTE_F:
		a->f = float_of((uint32_t)f->value);
		return f->type == WIRE_FIXED32;
	case F_ATTRIBUTE_I:
		a->i = (int64_t)f->value;
		return f->type == WIRE_VARINT;
	case F_ATTRIBUTE_S:
		a->s = f->bytes;
		return f->type == WIRE_BYTES;
	case F_ATTRIBUTE_T:
		a->t = f->bytes;
		return f->type == WIRE_BYTES;
	case F_ATTRIBUTE_FLOATS:
		return get_floats(f, fl);
	case F_ATTRIBUTE_INTS:
		return get_ints(f, il);
	case F_ATTRIBUTE_REF:
		a->is_reference = true;
		return true;
	default:
		return true;
	}
}

static bool
parse_attr(struct arena *mem, struct span body, struct onnx_attr *a)
{
	struct wire w = wire_over(body);
	struct wire_field f;
	enum wire_status status;
	enum onnx_attr_type seen = ATTR_UNDEFINED;
	ints il = {0};
	floats fl = {0};
	bool ok = true;

	while (ok && (status = wire_next(&w, &f)) != WIRE_END) {
		ok = status == WIRE_FIELD && attr_field(&f, a, &il, &fl);
		if (ok && type_by_field(f.number))
			seen = type_by_field(f.number);
	}
	if (a->type == ATTR_UNDEFINED)
		a->type = seen;
	if (a->type == ATTR_FLOATS) {
		a->n = fl.n;
		a->floats = keep(mem, fl.at, fl.n, sizeof *fl.at);
	} else if (a->type == ATTR_INTS) {
		a->n = il.n;
		a->ints = keep(mem, il.at, il.n, sizeof *il.at);
	}
	vec_free(&il);
	vec_free(&fl);
	return ok;
}

const struct onnx_attr *
node_attr(const struct onnx_node *n, const char *name)
{
	uint32_t i;

	for (i = 0; i < n->nattr; i++)
		if (span_is(n->attr[i].name, name))
			return &n->attr[i];
	return NULL;
}

/* ---- names that subgraphs use of the graph around them ---------------------------------------- */

struct scope {
	struct onnx_model *m;
	int depth;
};

static bool scan_graph(struct scope, struct span graph, spans *uses);

/* names a node uses go to `uses`, those it makes to `defined` */
static bool
scan_node(struct scope s, struct span body, spans *uses, struct map *defined)
{
	struct wire w = wire_over(body), inner;
	struct wire_field f, g;
	enum wire_status status, st;

	while ((status = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.number != F_NODE_INPUT && f.number != F_NODE_OUTPUT && f.number != F_NODE_ATTRIBUTE)
			continue;
		if (f.type != WIRE_BYTES || f.bytes.n > UINT32_MAX)
			return false;
		if (f.number == F_NODE_ATTRIBUTE) {
			inner = wire_over(f.bytes);
			while ((st = wire_next(&inner, &g)) == WIRE_FIELD)
				if ((g.number == F_ATTRIBUTE_G || g.number == F_ATTRIBUTE_GRAPHS) &&
				    (g.type != WIRE_BYTES || !scan_graph(s, g.bytes, uses)))
					return false;
			if (st != WIRE_END)
				return false;
		} else if (f.bytes.n && f.bytes.n <= LONGEST_NAME) {
			map_put(&s.m->names, f.bytes.at, f.bytes.n, 0, NULL);
			if (f.number == F_NODE_INPUT)
				vec_push(uses, f.bytes);
			else
				map_put(defined, f.bytes.at, f.bytes.n, 0, NULL);
		}
	}
	return status == WIRE_END;
}

/* the name field of an initializer, input or output */
static bool
name_in(struct span body, uint32_t number, struct span *name)
{
	struct wire w = wire_over(body);
	struct wire_field f;
	enum wire_status status;

	*name = (struct span){0};
	while ((status = wire_next(&w, &f)) == WIRE_FIELD)
		if (f.number == number && !get_name(&f, name))
			return false;
	return status == WIRE_END;
}

/* one field of a subgraph */
static bool
scan_field(struct scope s, const struct wire_field *f, spans *uses, struct map *defined)
{
	struct span name, body = f->bytes;
	struct wire w;
	struct wire_field v;

	switch (f->number) {
	case F_GRAPH_NODE:
		return f->type == WIRE_BYTES && scan_node(s, body, uses, defined);
	case F_GRAPH_SPARSE_INITIALIZER:
		w = wire_over(body);
		while (f->type == WIRE_BYTES && wire_next(&w, &v) == WIRE_FIELD)
			if (v.number == F_SPARSE_VALUES)
				body = v.bytes;
		/* fall through */
	case F_GRAPH_INITIALIZER:
	case F_GRAPH_INPUT:
	case F_GRAPH_OUTPUT:
		if (f->type != WIRE_BYTES ||
		    !name_in(body, f->number == F_GRAPH_INPUT || f->number == F_GRAPH_OUTPUT ? F_VALUE_NAME : F_TENSOR_NAME, &name))
			return false;
		if (name.n == 0)
			return true;
		map_put(&s.m->names, name.at, name.n, 0, NULL);
		if (f->number == F_GRAPH_OUTPUT)
			vec_push(uses, name);
		else
			map_put(defined, name.at, name.n, 0, NULL);
		return true;
	default:
		return true;
	}
}

/* append the names that the graph uses and does not define */
static bool
scan_graph(struct scope s, struct span graph, spans *uses)
{
	struct wire w = wire_over(graph);
	struct wire_field f;
	enum wire_status status;
	struct map defined = {0};
	spans own = {0};
	bool ok = ++s.depth <= ONNX_DEPTH;
	uint32_t i;

	while (ok && (status = wire_next(&w, &f)) != WIRE_END)
		ok = status == WIRE_FIELD && scan_field(s, &f, &own, &defined);
	for (i = 0; ok && i < own.n; i++)
		if (!map_get(&defined, own.at[i].at, own.at[i].n))
			vec_push(uses, own.at[i]);
	map_free(&defined);
	vec_free(&own);
	return ok;
}

/* what the node's subgraphs use, each value once */
static bool
find_captures(struct onnx_model *m, struct onnx_node *n)
{
	struct wire w = wire_over(n->body), inner;
	struct wire_field f, g;
	struct map seen = {0};
	spans uses = {0};
	values list = {0};
	bool ok = true, is_new;
	uint32_t i;

	while (ok && wire_next(&w, &f) == WIRE_FIELD) {
		if (f.number != F_NODE_ATTRIBUTE)
			continue;
		inner = wire_over(f.bytes);
		while (ok && wire_next(&inner, &g) == WIRE_FIELD)
			if (g.number == F_ATTRIBUTE_G || g.number == F_ATTRIBUTE_GRAPHS)
				ok = g.type == WIRE_BYTES && scan_graph((struct scope){m, 0}, g.bytes, &uses);
	}
	for (i = 0; i < uses.n; i++) {
		map_put(&seen, uses.at[i].at, uses.at[i].n, 0, &is_new);
		if (is_new)
			vec_push(&list, model_value(m, uses.at[i]));
	}
	n->ncapture = list.n;
	n->capture = keep(&m->mem, list.at, list.n, sizeof *list.at);
	map_free(&seen);
	vec_free(&uses);
	vec_free(&list);
	return ok;
}

/* ---- nodes ------------------------------------------------------------------------------------ */

struct node_lists {
	values in, out;
	VEC(struct onnx_attr) attr;
};

static bool
node_field(struct onnx_model *m, const struct wire_field *f, struct onnx_node *n, struct node_lists *l)
{
	struct onnx_attr a = {0};
	struct span name;

	switch (f->number) {
	case F_NODE_INPUT:
	case F_NODE_OUTPUT:
		if (!get_name(f, &name))
			return false;
		if (f->number == F_NODE_INPUT)
			vec_push(&l->in, name.n ? model_value(m, name) : ONNX_NONE);
		else
			vec_push(&l->out, name.n ? model_value(m, name) : ONNX_NONE);
		return true;
	case F_NODE_NAME:
		return get_name(f, &n->name);
	case F_NODE_OP:
		return get_name(f, &n->op);
	case F_NODE_DOMAIN:
		return get_name(f, &n->domain);
	case F_NODE_OVERLOAD:
		n->has_overload = f->bytes.n != 0;
		return true;
	case F_NODE_ATTRIBUTE:
		if (f->type != WIRE_BYTES || !parse_attr(&m->mem, f->bytes, &a))
			return false;
		a.whole = f->whole;
		vec_push(&l->attr, a);
		return true;
	default:
		return true;
	}
}

bool
parse_node(struct onnx_model *m, struct wire_field field, struct onnx_node *n, struct tn_error *e)
{
	struct wire w = wire_over(field.bytes);
	struct wire_field f;
	enum wire_status status;
	struct node_lists l = {0};
	bool ok = field.type == WIRE_BYTES;

	*n = (struct onnx_node){.whole = field.whole, .body = field.bytes};
	while (ok && (status = wire_next(&w, &f)) != WIRE_END)
		ok = status == WIRE_FIELD && node_field(m, &f, n, &l);
	n->nin = l.in.n;
	n->nout = l.out.n;
	n->nattr = l.attr.n;
	n->in = keep(&m->mem, l.in.at, l.in.n, sizeof *l.in.at);
	n->out = keep(&m->mem, l.out.at, l.out.n, sizeof *l.out.at);
	n->attr = keep(&m->mem, l.attr.at, l.attr.n, sizeof *l.attr.at);
	vec_free(&l.in);
	vec_free(&l.out);
	vec_free(&l.attr);
	if (!ok)
		return tn_fail(e, TN_E_INPUT, "node %u is malformed", m->node.n);
	if (!find_captures(m, n))
		return tn_fail(e, TN_E_INPUT, "%s: a subgraph is malformed, or nested deeper than %d",
		    node_text(&m->mem, n), ONNX_DEPTH);
	if (n->nin > TN_MAX_OPERANDS || n->ncapture > TN_MAX_OPERANDS - n->nin)
		return tn_fail(e, TN_E_INPUT, "%s: more than %d inputs", node_text(&m->mem, n), TN_MAX_OPERANDS);
	return true;
}

/* ---- tensors and value infos ------------------------------------------------------------------ */

enum tn_dtype
dtype_of_onnx(int64_t type)
{
	switch (type) {
#define X(number, name, field) case number: return TN_##name;
	ONNX_DTYPES(X)
#undef X
	default: return TN_UNTYPED;
	}
}

int64_t
dtype_to_onnx(enum tn_dtype dtype)
{
	switch (dtype) {
#define X(number, name, field) case TN_##name: return number;
	ONNX_DTYPES(X)
#undef X
	default: return 0;
	}
}

bool
parse_tensor(struct arena *mem, struct span body, struct onnx_tensor *t)
{
	struct wire w = wire_over(body);
	struct wire_field f;
	enum wire_status status;
	ints dims = {0};
	bool ok = true;

	*t = (struct onnx_tensor){.body = body};
	while (ok && (status = wire_next(&w, &f)) != WIRE_END) {
		ok = status == WIRE_FIELD;
		if (!ok)
			break;
		switch (f.number) {
		case F_TENSOR_DIMS:
			ok = get_ints(&f, &dims);
			break;
		case F_TENSOR_TYPE:
			t->type = (int64_t)f.value;
			break;
		case F_TENSOR_NAME:
			ok = get_name(&f, &t->name);
			break;
		case F_TENSOR_RAW:
			t->raw = f.bytes;
			t->has_raw = true;
			break;
		case F_TENSOR_SEGMENT:
			t->is_segment = true;
			break;
		case F_TENSOR_LOCATION:
			t->is_external = f.value == TENSOR_EXTERNAL;
			break;
		}
	}
	t->dtype = dtype_of_onnx(t->type);
	t->rank = dims.n;
	t->dim = keep(mem, dims.at, dims.n, sizeof *dims.at);
	vec_free(&dims);
	return ok;
}

/* TensorShapeProto.Dimension */
static bool
parse_dim(struct span body, struct onnx_dim *d)
{
	struct wire w = wire_over(body);
	struct wire_field f;
	enum wire_status status;

	*d = (struct onnx_dim){0};
	while ((status = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.number == F_DIM_VALUE && f.type == WIRE_VARINT) {
			*d = (struct onnx_dim){.has_value = true, .value = (int64_t)f.value};
		} else if (f.number == F_DIM_PARAM) {
			if (!get_name(&f, &d->param))
				return false;
			d->has_value = false;
		}
	}
	return status == WIRE_END;
}

/* TypeProto.Tensor */
static bool
parse_tensor_type(struct arena *mem, struct span body, struct onnx_info *info)
{
	struct wire w = wire_over(body), shape;
	struct wire_field f, g;
	enum wire_status status, st;
	VEC(struct onnx_dim) dims = {0};
	struct onnx_dim d;
	bool ok = true;

	while (ok && (status = wire_next(&w, &f)) != WIRE_END) {
		ok = status == WIRE_FIELD;
		if (ok && f.number == F_TENSORTYPE_ELEM) {
			info->type = (int64_t)f.value;
		} else if (ok && f.number == F_TENSORTYPE_SHAPE) {
			info->has_shape = true;
			shape = wire_over(f.bytes);
			while (ok && (st = wire_next(&shape, &g)) != WIRE_END) {
				ok = st == WIRE_FIELD && (g.number != F_SHAPE_DIM || (g.type == WIRE_BYTES && parse_dim(g.bytes, &d)));
				if (ok && g.number == F_SHAPE_DIM)
					vec_push(&dims, d);
			}
		}
	}
	info->rank = dims.n;
	info->dim = keep(mem, dims.at, dims.n, sizeof *dims.at);
	info->dtype = dtype_of_onnx(info->type);
	vec_free(&dims);
	return ok;
}

bool
parse_info(struct arena *mem, struct span body, struct onnx_info *info)
{
	struct wire w = wire_over(body), type;
	struct wire_field f, g;
	enum wire_status status, st;

	*info = (struct onnx_info){.body = body};
	while ((status = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.number == F_VALUE_NAME && !get_name(&f, &info->name))
			return false;
		if (f.number != F_VALUE_TYPE)
			continue;
		type = wire_over(f.bytes);
		while ((st = wire_next(&type, &g)) == WIRE_FIELD) {
			if (g.number != F_TYPE_TENSOR)
				continue;
			info->is_tensor = true;
			if (g.type != WIRE_BYTES || !parse_tensor_type(mem, g.bytes, info))
				return false;
		}
		if (st != WIRE_END)
			return false;
	}
	return status == WIRE_END;
}
