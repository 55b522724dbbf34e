/*
 * Small ONNX models from text, and graphs as text, for the tests of runtime/onnx.
 *
 *	"opset 13; in x f32 1 3 h w; w k f32 4 3 3 3; w s i64 = 1 -1;"
 *	"Conv x k -> y strides=[2,2] auto_pad=SAME_UPPER; out y"
 *
 * A weight has seeded values unless `=` gives them, which without extents is a list; "i" in place of "w" is one number of
 * rank 0.  "_" is an operand or result left out.
 */
#ifndef TESTS_ONNX_BUILD_H
#define TESTS_ONNX_BUILD_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rand.h"
#include "dsl/rule.h"
#include "onnx/onnx.h"

enum { BUILD_WORDS = 2000 };	/* of a statement */

static struct rules rules;
static struct tn_program program;
static struct tn_ctx *ctx;
static int failures;

static inline void
load_program(void)
{
	static const char *const path[] = {"rules/tensor.rules"};

	if (!rules_load(&rules, path, 1)) {
		diag_print(&rules.diags, stdout, false);
		exit(1);
	}
	program = (struct tn_program){.nop = rules.text.nop, .op = rules.text.op, .enums = rules.text.enums, .nenum = rules.text.nenum};
	ctx = tn_ctx_new();
}

static inline void
unload_program(void)
{
	tn_ctx_free(ctx);
	rules_free(&rules);
}

/* ---- models ----------------------------------------------------------------------------------- */

static inline int
is_number(const char *word)
{
	return *word && strspn(word, "-+.0123456789einf") == strlen(word) && (strpbrk(word, "0123456789") || strstr(word, "inf"));
}

/* ValueInfoProto of "NAME DTYPE EXTENT…"; a rank of none: "NAME DTYPE *" */
static inline void
build_info(struct buf *graph, uint32_t number, char *word[], int n)
{
	struct buf shape = {0}, tensor = {0}, type = {0}, info = {0}, dim = {0};
	int i;

	for (i = 2; i < n && *word[2] != '*'; i++) {
		if (is_number(word[i]))
			wire_put_int(&dim, F_DIM_VALUE, atoll(word[i]));
		else if (*word[i] != '?')
			wire_put_text(&dim, F_DIM_PARAM, word[i]);
		wire_put_bytes(&shape, F_SHAPE_DIM, dim.at, dim.n);
		dim.n = 0;
	}
	if (n > 1) {
		wire_put_int(&tensor, F_TENSORTYPE_ELEM, dtype_to_onnx(dtype_named(word[1])));
		if (n < 3 || *word[2] != '*')
			wire_put_bytes(&tensor, F_TENSORTYPE_SHAPE, shape.at, shape.n);
		wire_put_bytes(&type, F_TYPE_TENSOR, tensor.at, tensor.n);
	}
	wire_put_text(&info, F_VALUE_NAME, word[0]);
	if (n > 1)
		wire_put_bytes(&info, F_VALUE_TYPE, type.at, type.n);
	wire_put_bytes(graph, number, info.at, info.n);
	buf_free(&shape), buf_free(&tensor), buf_free(&type), buf_free(&info), buf_free(&dim);
}

static inline void
put_element(struct buf *raw, enum tn_dtype dtype, double v, int64_t wide)
{
	float f = (float)v;
	int32_t narrow = (int32_t)wide;

	if (dtype == TN_F32)
		buf_put(raw, &f, sizeof f);
	else if (dtype == TN_F64)
		buf_put(raw, &v, sizeof v);
	else if (dtype == TN_I64)
		buf_put(raw, &wide, sizeof wide);
	else
		buf_put(raw, &narrow, dtype_size(dtype));
}

/* "NAME DTYPE EXTENT… = NUMBER…", with extents, numbers or both; "i" in place of "w" and one number: rank 0 */
static inline void
build_weight(struct buf *graph, char *word[], int n, int is_scalar, uint64_t seed)
{
	enum tn_dtype dtype = dtype_named(word[1]);
	struct rng rng = {seed};
	struct buf raw = {0}, tensor = {0};
	int first, i;
	long all = 1;

	for (first = 2; first < n && *word[first] != '='; first++) {
		wire_put_int(&tensor, F_TENSOR_DIMS, atoll(word[first]));
		all *= atol(word[first]);
	}
	if (first == 2 && n > 2 && !is_scalar)
		wire_put_int(&tensor, F_TENSOR_DIMS, n - 3);
	for (i = first + 1; i < n; i++)
		put_element(&raw, dtype, strtod(word[i], NULL), strtoll(word[i], NULL, 10));
	for (i = 0; i < all && first == n; i++)
		put_element(&raw, dtype, rng_unit(&rng) + 0.5, 1);
	wire_put_int(&tensor, F_TENSOR_TYPE, dtype_to_onnx(dtype));
	wire_put_text(&tensor, F_TENSOR_NAME, word[0]);
	wire_put_bytes(&tensor, F_TENSOR_RAW, raw.at, raw.n);
	wire_put_bytes(graph, F_GRAPH_INITIALIZER, tensor.at, tensor.n);
	buf_free(&raw), buf_free(&tensor);
}

/* a tensor of one f32, or i64, as an attribute's value */
static inline void
put_tensor(struct buf *attr, const char *number)
{
	enum tn_dtype dtype = strpbrk(number, ".ef") ? TN_F32 : TN_I64;
	struct buf tensor = {0}, raw = {0};

	put_element(&raw, dtype, strtod(number, NULL), strtoll(number, NULL, 10));
	wire_put_int(&tensor, F_TENSOR_DIMS, 1);
	wire_put_int(&tensor, F_TENSOR_TYPE, dtype_to_onnx(dtype));
	wire_put_bytes(&tensor, F_TENSOR_RAW, raw.at, raw.n);
	wire_put_bytes(attr, F_ATTRIBUTE_T, tensor.at, tensor.n);
	buf_free(&tensor), buf_free(&raw);
}

/* name=[1,2] ints, name=[1.0,2.0] floats, name={0.5} tensor, name=0.5 float, name=3 int, name=word string */
static inline void
build_attr(struct buf *node, char *text)
{
	struct buf a = {0};
	char *eq = strchr(text, '='), *at;

	*eq++ = '\0';
	wire_put_text(&a, F_ATTRIBUTE_NAME, text);
	if (*eq == '[' && strchr(eq, '.')) {
		for (at = strtok(eq + 1, ",]"); at; at = strtok(NULL, ",]"))
			wire_put_float(&a, F_ATTRIBUTE_FLOATS, strtof(at, NULL));
		wire_put_int(&a, F_ATTRIBUTE_TYPE, ATTR_FLOATS);
	} else if (*eq == '[') {
		for (at = strtok(eq + 1, ",]"); at; at = strtok(NULL, ",]"))
			wire_put_int(&a, F_ATTRIBUTE_INTS, atoll(at));
		wire_put_int(&a, F_ATTRIBUTE_TYPE, ATTR_INTS);
	} else if (*eq == '{') {
		put_tensor(&a, eq + 1);
		wire_put_int(&a, F_ATTRIBUTE_TYPE, ATTR_TENSOR);
	} else if (!is_number(eq)) {
		wire_put_text(&a, F_ATTRIBUTE_S, eq);
		wire_put_int(&a, F_ATTRIBUTE_TYPE, ATTR_STRING);
	} else if (strpbrk(eq, ".ef")) {
		wire_put_float(&a, F_ATTRIBUTE_F, strtof(eq, NULL));
		wire_put_int(&a, F_ATTRIBUTE_TYPE, ATTR_FLOAT);
	} else {
		wire_put_int(&a, F_ATTRIBUTE_I, atoll(eq));
		wire_put_int(&a, F_ATTRIBUTE_TYPE, ATTR_INT);
	}
	wire_put_bytes(node, F_NODE_ATTRIBUTE, a.at, a.n);
	buf_free(&a);
}

/* "OP IN… -> OUT… ATTR=…"; "domain:OP" */
static inline void
build_node(struct buf *graph, char *word[], int n)
{
	struct buf node = {0};
	char *colon = strchr(word[0], ':');
	uint32_t number = F_NODE_INPUT;
	int i;

	for (i = 1; i < n && !strchr(word[i], '='); i++) {
		if (strcmp(word[i], "->") == 0)
			number = F_NODE_OUTPUT;
		else
			wire_put_text(&node, number, strcmp(word[i], "_") == 0 ? "" : word[i]);
	}
	if (colon)
		*colon = '\0';
	wire_put_text(&node, F_NODE_OP, colon ? colon + 1 : word[0]);
	for (; i < n; i++)
		build_attr(&node, word[i]);
	if (colon)
		wire_put_text(&node, F_NODE_DOMAIN, word[0]);
	wire_put_bytes(graph, F_GRAPH_NODE, node.at, node.n);
	buf_free(&node);
}

/* the model's bytes; graph fields stand in the order of their numbers, as writers put them */
static inline void
build_model(const char *text, struct buf *model)
{
	static const uint32_t order[] = {F_GRAPH_NODE, F_GRAPH_INITIALIZER, F_GRAPH_INPUT, F_GRAPH_OUTPUT, F_GRAPH_VALUE_INFO};
	struct buf graph = {0}, opset = {0};
	static char *word[BUILD_WORDS];
	char *copy = NULL, *line, *save, *w, *inner;
	int n, version = 13;
	size_t pass;
	uint64_t seed = 1;

	for (pass = 0; pass < sizeof order / sizeof *order; pass++) {
		copy = strdup(text);
		for (line = strtok_r(copy, ";", &save); line; line = strtok_r(NULL, ";", &save)) {
			for (n = 0, w = strtok_r(line, " \t\n", &inner); w && n < BUILD_WORDS; w = strtok_r(NULL, " \t\n", &inner))
				word[n++] = w;
			if (n == 0)
				continue;
			if (strcmp(word[0], "opset") == 0)
				version = atoi(word[1]);
			else if (strcmp(word[0], "in") == 0 && order[pass] == F_GRAPH_INPUT)
				build_info(&graph, F_GRAPH_INPUT, word + 1, n - 1);
			else if (strcmp(word[0], "out") == 0 && order[pass] == F_GRAPH_OUTPUT)
				build_info(&graph, F_GRAPH_OUTPUT, word + 1, n - 1);
			else if (strcmp(word[0], "info") == 0 && order[pass] == F_GRAPH_VALUE_INFO)
				build_info(&graph, F_GRAPH_VALUE_INFO, word + 1, n - 1);
			else if ((strcmp(word[0], "w") == 0 || strcmp(word[0], "i") == 0) && order[pass] == F_GRAPH_INITIALIZER)
				build_weight(&graph, word + 1, n - 1, *word[0] == 'i', seed++);
			else if (((*word[0] >= 'A' && *word[0] <= 'Z') || strchr(word[0], ':')) && order[pass] == F_GRAPH_NODE)
				build_node(&graph, word, n);
		}
		free(copy);
		if (pass == 0)
			wire_put_text(&graph, F_GRAPH_NAME, "g");
	}
	wire_put_int(model, F_MODEL_IR_VERSION, 8);
	wire_put_text(model, F_MODEL_PRODUCER, "test");
	wire_put_bytes(model, F_MODEL_GRAPH, graph.at, graph.n);
	wire_put_text(&opset, F_OPSET_DOMAIN, "");
	wire_put_int(&opset, F_OPSET_VERSION, version);
	wire_put_bytes(model, F_MODEL_OPSET, opset.at, opset.n);
	buf_free(&graph), buf_free(&opset);
}

/* ---- files ------------------------------------------------------------------------------------ */

static inline const char *
scratch(const char *name)
{
	static char path[4][300];
	static int turn;
	const char *folder = getenv("TMP");

	turn = (turn + 1) % 4;
	snprintf(path[turn], sizeof path[turn], "%s/onnx_%ld_%s", folder ? folder : "/tmp", (long)getpid(), name);
	return path[turn];
}

static inline void
write_file(const char *path, const void *at, size_t n)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(at, 1, n, f) != n || fclose(f) != 0) {
		perror(path);
		exit(1);
	}
}

static inline void
read_file(const char *path, struct buf *b)
{
	FILE *f = fopen(path, "rb");
	char part[4096];
	size_t n;

	if (!f) {
		perror(path);
		exit(1);
	}
	while ((n = fread(part, 1, sizeof part, f)) > 0)
		buf_put(b, part, n);
	fclose(f);
}

/* the model of the text opened from a file of its own; NULL and error */
static inline struct tn_onnx *
open_text(const char *text, const char *path, struct tn_error *e)
{
	struct buf model = {0};
	struct tn_onnx *x;

	build_model(text, &model);
	write_file(path, model.at, model.n);
	x = tn_onnx_open(ctx, &program, path, NULL, e);
	buf_free(&model);
	return x;
}

/* ---- graphs as text --------------------------------------------------------------------------- */

static inline int64_t
index_of(const struct tn_graph *g, uint32_t node)
{
	int n;

	return tn_val_get(ctx, tn_attrs_get(ctx, g->node[node].attrs, &n)[0])->u.i;
}

/* op{attributes}(operands), inputs and weights by name, fills as numbers, opaque operators with "?" */
static inline void
node_to_text(const struct tn_onnx *x, const struct tn_graph *g, uint32_t node, struct buf *b)
{
	const struct tn_gnode *n = &g->node[node];
	const struct tn_op *op = &program.op[n->op];
	const tn_val *v;
	char text[200];
	int i, count;

	switch (n->op) {
	case TN_INPUT:
		buf_puts(b, g->input[index_of(g, node)].name);
		return;
	case TN_WEIGHT:
		buf_puts(b, g->weight[index_of(g, node)].name);
		return;
	case TN_FILL:
		v = tn_attrs_get(ctx, n->attrs, &count);
		tn_val_print(ctx, NULL, v[0], text, sizeof text);
		buf_puts(b, text);
		return;
	case TN_RESULT:
		node_to_text(x, g, g->kid[n->kid], b);
		if (index_of(g, node))
			buf_printf(b, ".%d", (int)index_of(g, node));
		return;
	case TN_OPAQUE:
		if (n->origin < x->model.node.n)
			buf_printf(b, "?%.*s", SPAN_TEXT(x->model.node.at[n->origin].op));
		else
			buf_puts(b, "?constant");
		break;
	default:
		v = tn_attrs_get(ctx, n->attrs, &count);
		buf_printf(b, "%s%s", op->name, count ? "{" : "");
		for (i = 0; i < count; i++) {
			tn_val_print(ctx, op->attr[i].enums, v[i], text, sizeof text);
			buf_printf(b, "%s%s", i ? " " : "", text);
		}
		buf_puts(b, count ? "}" : "");
	}
	buf_putc(b, '(');
	for (i = 0; i < n->nkid; i++) {
		if (i)
			buf_putc(b, ' ');
		node_to_text(x, g, g->kid[n->kid + (uint32_t)i], b);
	}
	buf_putc(b, ')');
}

static inline void
graph_to_text(const struct tn_onnx *x, const struct tn_graph *g, struct buf *b)
{
	uint32_t i;

	for (i = 0; i < g->noutput; i++) {
		if (i)
			buf_puts(b, ", ");
		node_to_text(x, g, g->output[i].node, b);
	}
}

#endif
