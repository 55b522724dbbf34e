/* Writing a graph that no model was read for: over a frame that has its inputs and outputs. */
#include <string.h>

#include "onnx/apart.h"
#include "onnx/plan.h"

enum { IR_VERSION = 8 };

/* an extent as a dimension: a number, a symbol, or the text of an expression */
static void
put_dim(struct tn_ctx *c, tn_dim d, struct buf *shape)
{
	struct buf dim = {0};
	char text[256];

	if (tn_dim_is_num(d)) {
		wire_put_int(&dim, F_DIM_VALUE, d);
	} else if (tn_dim_symbol(c, d) >= 0) {
		wire_put_text(&dim, F_DIM_PARAM, tn_dim_symname(c, tn_dim_symbol(c, d)));
	} else {
		tn_dim_print(c, d, text, sizeof text);
		wire_put_text(&dim, F_DIM_PARAM, text);
	}
	wire_put_bytes(shape, F_SHAPE_DIM, dim.at, dim.n);
	buf_free(&dim);
}

static void
put_info(struct tn_ctx *c, uint32_t number, const char *name, tn_type t, struct buf *graph)
{
	const struct tn_shape *s = tn_type_get(c, t);
	struct buf shape = {0}, tensor = {0}, type = {0}, info = {0};
	int i;

	for (i = 0; i < s->rank; i++)
		put_dim(c, s->dim[i], &shape);
	wire_put_int(&tensor, F_TENSORTYPE_ELEM, dtype_to_onnx(s->dtype));
	if (s->rank >= 0)
		wire_put_bytes(&tensor, F_TENSORTYPE_SHAPE, shape.at, shape.n);
	wire_put_bytes(&type, F_TYPE_TENSOR, tensor.at, tensor.n);
	wire_put_text(&info, F_VALUE_NAME, name);
	wire_put_bytes(&info, F_VALUE_TYPE, type.at, type.n);
	wire_put_bytes(graph, number, info.at, info.n);
	buf_free(&shape);
	buf_free(&tensor);
	buf_free(&type);
	buf_free(&info);
}

static void
put_opset(const char *domain, int64_t version, struct buf *model)
{
	struct buf b = {0};

	wire_put_text(&b, F_OPSET_DOMAIN, domain);
	wire_put_int(&b, F_OPSET_VERSION, version);
	wire_put_bytes(model, F_MODEL_OPSET, b.at, b.n);
	buf_free(&b);
}

/* the model without nodes and tensors, with every domain that its operators have */
static void
put_frame(const struct tn_graph *g, struct buf *model)
{
	struct buf graph = {0};
	struct map seen = {0};
	bool is_new;
	uint32_t i;

	wire_put_text(&graph, F_GRAPH_NAME, g->name ? g->name : "");
	for (i = 0; i < g->ninput; i++)
		put_info(g->ctx, F_GRAPH_INPUT, g->input[i].name, g->input[i].type, &graph);
	for (i = 0; i < g->noutput; i++)
		put_info(g->ctx, F_GRAPH_OUTPUT, g->output[i].name, g->node[g->output[i].node].type, &graph);
	wire_put_int(model, F_MODEL_IR_VERSION, IR_VERSION);
	wire_put_text(model, F_MODEL_PRODUCER, "tenon");
	wire_put_bytes(model, F_MODEL_GRAPH, graph.at, graph.n);
	put_opset("", EXPORT_OPSET, model);
	for (i = 0; i < g->nnode; i++) {
		const char *domain = g->program->op[g->node[i].op].onnx_domain;

		if (!domain || !*domain)
			continue;
		map_put(&seen, domain, strlen(domain), 0, &is_new);
		if (is_new)
			put_opset(domain, 1, model);
	}
	map_free(&seen);
	buf_free(&graph);
}

/* an opened model around the frame's bytes */
static bool
open_frame(struct tn_onnx *x, const struct tn_graph *g, struct tn_error *e)
{
	uint32_t i;

	if (!model_parse(&x->model, x->file, e))
		return false;
	x->opset = EXPORT_OPSET;
	x->graph = tn_graph_new(g->ctx, g->program, "");
	x->node_of = arena_news(&x->mem, x->model.value.n + 1, uint32_t);
	x->sym_of = arena_news(&x->mem, x->model.value.n + 1, const struct sym *);
	x->narrowed = arena_news(&x->mem, x->model.input.n + 1, const int64_t *);
	x->input_value = arena_news(&x->mem, x->model.input.n + 1, uint32_t);
	for (i = 0; i < x->model.value.n; i++)
		x->node_of[i] = TN_NONE;
	for (i = 0; i < x->model.input.n; i++)
		x->input_value[x->ninput++] = model_value(&x->model, x->model.input.at[i].name);
	return true;
}

bool
tn_onnx_export(const struct tn_graph *g, const char *path, struct tn_error *e)
{
	struct tn_onnx x = {.ctx = g->ctx, .program = g->program, .path = "", .files = {.folder = ""}};
	struct buf frame = {0};
	bool ok;

	put_frame(g, &frame);
	x.file = (struct span){(const unsigned char *)frame.at, frame.n};
	ok = open_frame(&x, g, e) && onnx_write_within(&x, g, path, ONNX_INSIDE, e);
	if (x.graph)
		tn_graph_free(x.graph);
	model_free(&x.model);
	arena_free(&x.mem);
	buf_free(&frame);
	return ok;
}
