/* A model as parsed: see model.h. */
#include <string.h>

#include "onnx/model.h"

uint32_t
model_value(struct onnx_model *m, struct span name)
{
	bool is_new;
	uint32_t v = *map_put(&m->value_of, name.at, name.n, m->value.n, &is_new);
	struct onnx_value value = {name, ONNX_NONE, 0, ONNX_NONE, ONNX_NONE, ONNX_NONE, false};

	if (is_new) {
		vec_push(&m->value, value);
		map_put(&m->names, name.at, name.n, 0, NULL);
	}
	return v;
}

bool
domain_is_default(struct span domain)
{
	return domain.n == 0 || span_is(domain, "ai.onnx");
}

int64_t
model_opset(const struct onnx_model *m, struct span domain)
{
	uint32_t i;

	for (i = 0; i < m->opset.n; i++)
		if (span_equal(m->opset.at[i].domain, domain) ||
		    (domain_is_default(domain) && domain_is_default(m->opset.at[i].domain)))
			return m->opset.at[i].version;
	return 0;
}

bool
model_has_function(const struct onnx_model *m, const struct onnx_node *n)
{
	uint32_t i;

	for (i = 0; i < m->function.n; i++)
		if (span_equal(m->function.at[i].name, n->op) && (span_equal(m->function.at[i].domain, n->domain) ||
		    (domain_is_default(n->domain) && domain_is_default(m->function.at[i].domain))))
			return true;
	return false;
}

const char *
node_text(struct arena *a, const struct onnx_node *n)
{
	if (n->name.n == 0)
		return arena_printf(a, "%.*s", SPAN_TEXT(n->op));
	return arena_printf(a, "%.*s '%.*s'", SPAN_TEXT(n->op), SPAN_TEXT(n->name));
}

/* ---- the main graph --------------------------------------------------------------------------- */

/* an initializer, dense or sparse, and the value it gives */
static bool
add_init(struct onnx_model *m, struct wire_field field, bool is_sparse, struct tn_error *e)
{
	struct wire w = wire_over(field.bytes);
	struct wire_field f;
	struct onnx_tensor t;
	struct span body = field.bytes;
	uint32_t v;

	while (is_sparse && field.type == WIRE_BYTES && wire_next(&w, &f) == WIRE_FIELD)
		if (f.number == F_SPARSE_VALUES)
			body = f.bytes;
	if (field.type != WIRE_BYTES || !parse_tensor(&m->mem, body, &t))
		return tn_fail(e, TN_E_INPUT, "initializer %u is malformed", m->init.n);
	t.whole = field.whole;
	t.is_sparse = is_sparse;
	if (t.name.n) {
		v = model_value(m, t.name);
		if (m->value.at[v].init != ONNX_NONE)
			return tn_fail(e, TN_E_INPUT, "initializer '%.*s' is there twice", SPAN_TEXT(t.name));
		m->value.at[v].init = m->init.n;
	}
	vec_push(&m->init, t);
	return true;
}

static bool
add_node(struct onnx_model *m, struct wire_field f, struct tn_error *e)
{
	struct onnx_node n;
	uint32_t i;

	if (!parse_node(m, f, &n, e))
		return false;
	for (i = 0; i < n.nout; i++) {
		struct onnx_value *v;

		if (n.out[i] == ONNX_NONE)
			continue;
		v = &m->value.at[n.out[i]];
		if (v->node != ONNX_NONE)
			return tn_fail(e, TN_E_INPUT, "'%.*s' is the result of two nodes", SPAN_TEXT(v->name));
		v->node = m->node.n;
		v->out = i;
	}
	vec_push(&m->node, n);
	return true;
}

/* a graph input, output or value info */
static bool
add_info(struct onnx_model *m, struct wire_field f, struct tn_error *e)
{
	struct onnx_info info;
	uint32_t v;

	if (f.type != WIRE_BYTES || !parse_info(&m->mem, f.bytes, &info))
		return tn_fail(e, TN_E_INPUT, "an input, output or value info of the graph is malformed");
	info.whole = f.whole;
	v = info.name.n ? model_value(m, info.name) : ONNX_NONE;
	if (f.number == F_GRAPH_INPUT) {
		if (v == ONNX_NONE || m->value.at[v].input != ONNX_NONE)
			return tn_fail(e, TN_E_INPUT, "a graph input has no name, or another's");
		m->value.at[v].input = m->input.n;
		vec_push(&m->input, info);
	} else if (f.number == F_GRAPH_OUTPUT) {
		if (v == ONNX_NONE)
			return tn_fail(e, TN_E_INPUT, "a graph output has no name");
		m->value.at[v].is_output = true;
		vec_push(&m->output, info);
	} else {
		if (v != ONNX_NONE)
			m->value.at[v].info = m->info.n;
		vec_push(&m->info, info);
	}
	return true;
}

static bool
parse_graph(struct onnx_model *m, struct tn_error *e)
{
	struct wire w = wire_over(m->graph);
	struct wire_field f;
	enum wire_status status;
	bool ok = true;

	while (ok && (status = wire_next(&w, &f)) != WIRE_END) {
		if (status != WIRE_FIELD)
			return tn_fail(e, TN_E_INPUT, "the graph is cut off or malformed");
		switch (f.number) {
		case F_GRAPH_NODE:
			ok = add_node(m, f, e);
			break;
		case F_GRAPH_NAME:
			m->graph_name = f.bytes;
			break;
		case F_GRAPH_INITIALIZER:
		case F_GRAPH_SPARSE_INITIALIZER:
			ok = add_init(m, f, f.number == F_GRAPH_SPARSE_INITIALIZER, e);
			break;
		case F_GRAPH_INPUT:
		case F_GRAPH_OUTPUT:
		case F_GRAPH_VALUE_INFO:
			ok = add_info(m, f, e);
			break;
		}
	}
	return ok;
}

/* has each value of the list a source? */
static bool
check_sources(const struct onnx_model *m, const uint32_t value[], uint32_t n, struct tn_error *e)
{
	const struct onnx_value *v;
	uint32_t i;

	for (i = 0; i < n; i++) {
		v = value[i] == ONNX_NONE ? NULL : &m->value.at[value[i]];
		if (v && v->node == ONNX_NONE && v->init == ONNX_NONE && v->input == ONNX_NONE)
			return tn_fail(e, TN_E_INPUT, "'%.*s' is used and nothing defines it", SPAN_TEXT(v->name));
	}
	return true;
}

/* every value has one source, and what is used has one */
static bool
check_values(const struct onnx_model *m, struct tn_error *e)
{
	const struct onnx_value *v;
	const struct onnx_node *n;
	uint32_t i;

	for (i = 0; i < m->value.n; i++) {
		v = &m->value.at[i];
		if (v->node != ONNX_NONE && (v->init != ONNX_NONE || v->input != ONNX_NONE))
			return tn_fail(e, TN_E_INPUT, "'%.*s' is the result of a node and an input or initializer too",
			    SPAN_TEXT(v->name));
	}
	for (i = 0; i < m->node.n; i++) {
		n = &m->node.at[i];
		if (!check_sources(m, n->in, n->nin, e) || !check_sources(m, n->capture, n->ncapture, e))
			return false;
	}
	return true;
}

/* ---- the model -------------------------------------------------------------------------------- */

/* two strings or a string and a number of a small message */
static bool
small_message(struct span body, uint32_t first, uint32_t second, struct span text[2], int64_t *number)
{
	struct wire w = wire_over(body);
	struct wire_field f;
	enum wire_status status;

	while ((status = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.number == first)
			text[0] = f.bytes;
		if (f.number == second) {
			text[1] = f.bytes;
			*number = (int64_t)f.value;
		}
	}
	return status == WIRE_END;
}

static bool
model_field(struct onnx_model *m, const struct wire_field *f, struct tn_error *e)
{
	struct span text[2] = {{0}, {0}};
	int64_t number = 0;

	switch (f->number) {
	case F_MODEL_IR_VERSION:
		m->ir_version = (int64_t)f->value;
		return true;
	case F_MODEL_TRAINING:
		m->has_training = true;
		return true;
	case F_MODEL_GRAPH:
		if (f->type != WIRE_BYTES || m->graph_whole.n)
			return tn_fail(e, TN_E_INPUT, "not an ONNX model: it has two graphs, or something else in the graph's place");
		m->graph_whole = f->whole;
		m->graph = f->bytes;
		return true;
	case F_MODEL_OPSET:
		if (!small_message(f->bytes, F_OPSET_DOMAIN, F_OPSET_VERSION, text, &number))
			return tn_fail(e, TN_E_INPUT, "an operator set is malformed");
		vec_push(&m->opset, ((struct onnx_opset){text[0], number}));
		return true;
	case F_MODEL_FUNCTION:
		if (!small_message(f->bytes, F_FUNCTION_DOMAIN, F_FUNCTION_NAME, text, &number))
			return tn_fail(e, TN_E_INPUT, "a function is malformed");
		vec_push(&m->function, ((struct onnx_function){text[0], text[1], f->whole}));
		return true;
	default:
		return true;
	}
}

bool
model_parse(struct onnx_model *m, struct span file, struct tn_error *e)
{
	struct wire w = wire_over(file);
	struct wire_field f;
	enum wire_status status;

	*m = (struct onnx_model){.file = file};
	if (file.n > UINT32_MAX && sizeof(size_t) < 8)
		return tn_fail(e, TN_E_INPUT, "the file is too large");
	while ((status = wire_next(&w, &f)) != WIRE_END) {
		if (status != WIRE_FIELD)
			return tn_fail(e, TN_E_INPUT, "not an ONNX model, or cut off");
		if (!model_field(m, &f, e))
			return false;
	}
	if (!m->graph_whole.n)
		return tn_fail(e, TN_E_INPUT, "not an ONNX model: it has no graph");
	return parse_graph(m, e) && check_values(m, e);
}

void
model_free(struct onnx_model *m)
{
	arena_free(&m->mem);
	map_free(&m->value_of);
	map_free(&m->names);
	vec_free(&m->opset);
	vec_free(&m->function);
	vec_free(&m->node);
	vec_free(&m->init);
	vec_free(&m->input);
	vec_free(&m->output);
	vec_free(&m->info);
	vec_free(&m->value);
}
