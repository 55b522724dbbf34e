/*
 * Files that are wrong are refused with a message, whatever is wrong with them: every prefix of a
 * model, every byte of it changed, cycles, deep nesting, shapes and places that lie.
 */
#include "tests/unit/onnx_build.h"

/* open the bytes; what it says must contain `want` (NULL: it may be fine or not, but nothing else) */
static void
expect(const char *name, const void *at, size_t n, const char *want)
{
	char path[300];
	struct tn_error e = {0};
	struct tn_onnx *x;

	snprintf(path, sizeof path, "%s", scratch("bad.onnx"));
	write_file(path, at, n);
	x = tn_onnx_open(ctx, &program, path, NULL, &e);
	if (want && (x || !strstr(e.msg, want))) {
		printf("%s: %s, wanted: %s\n", name, x ? "opened" : e.msg, want);
		failures++;
	}
	if (!x && (e.code != TN_E_INPUT && e.code != TN_E_IO)) {
		printf("%s: code %d: %s\n", name, e.code, e.msg);
		failures++;
	}
	tn_onnx_close(x);
	unlink(path);
}

static const char small[] = "in x f32 n 3 4 4; w k f32 2 3 1 1; Conv x k -> a; i c f32 = 6; Clip a c -> b;"
    "w s i64 = 0 -1; Reshape b s -> y; Shape y -> z; out y; out z";

static void
cut_and_change(void)
{
	struct buf model = {0};
	struct rng rng = {1};
	size_t i;
	char *copy;

	build_model(small, &model);
	for (i = 0; i < model.n; i += i < 40 ? 1 : 7)
		expect("prefix", model.at, i, NULL);
	copy = malloc(model.n);
	for (i = 0; i < model.n; i++) {
		memcpy(copy, model.at, model.n);
		copy[i] = (char)rng_next(&rng);
		if (i % 5 == 0)
			copy[rng_below(&rng, (uint32_t)model.n)] = (char)rng_next(&rng);
		expect("changed byte", copy, model.n, NULL);
	}
	free(copy);
	buf_free(&model);
}

/* a node whose subgraph holds such a node, `depth` deep */
static void
nest(struct buf *model, int depth)
{
	struct buf inner = {0}, graph = {0}, attr = {0}, node = {0};
	int i;

	for (i = 0; i < depth; i++) {
		wire_put_text(&attr, F_ATTRIBUTE_NAME, "body");
		wire_put_bytes(&attr, F_ATTRIBUTE_G, inner.at, inner.n);
		wire_put_int(&attr, F_ATTRIBUTE_TYPE, ATTR_GRAPH);
		wire_put_text(&node, F_NODE_OP, "Loop");
		wire_put_bytes(&node, F_NODE_ATTRIBUTE, attr.at, attr.n);
		inner.n = 0;
		wire_put_bytes(&inner, F_GRAPH_NODE, node.at, node.n);
		attr.n = node.n = 0;
	}
	buf_put(&graph, inner.at, inner.n);
	wire_put_bytes(model, F_MODEL_GRAPH, graph.at, graph.n);
	buf_free(&inner);
	buf_free(&graph);
	buf_free(&attr);
	buf_free(&node);
}

static void
nested(void)
{
	struct buf model = {0};

	nest(&model, 30);
	expect("30 deep", model.at, model.n, NULL);
	model.n = 0;
	nest(&model, 70);
	expect("70 deep", model.at, model.n, "nested deeper than 64");
	model.n = 0;
	nest(&model, 3000);
	expect("3000 deep", model.at, model.n, "nested deeper than 64");
	buf_free(&model);
}

/* a model with one initializer of these fields */
static void
with_tensor(const char *name, const int64_t dim[], size_t rank, int64_t type, size_t raw, const char *location, const char *want)
{
	struct buf t = {0}, entry = {0}, graph = {0}, out = {0}, model = {0};
	char zeros[64] = {0};

	wire_put_ints(&t, F_TENSOR_DIMS, dim, rank);
	wire_put_int(&t, F_TENSOR_TYPE, type);
	wire_put_text(&t, F_TENSOR_NAME, "y");
	if (location) {
		wire_put_text(&entry, F_ENTRY_KEY, "location");
		wire_put_text(&entry, F_ENTRY_VALUE, location);
		wire_put_bytes(&t, F_TENSOR_EXTERNAL, entry.at, entry.n);
		wire_put_int(&t, F_TENSOR_LOCATION, TENSOR_EXTERNAL);
	} else {
		wire_put_bytes(&t, F_TENSOR_RAW, zeros, raw);
	}
	wire_put_bytes(&graph, F_GRAPH_INITIALIZER, t.at, t.n);
	wire_put_text(&out, F_VALUE_NAME, "y");
	wire_put_bytes(&graph, F_GRAPH_OUTPUT, out.at, out.n);
	wire_put_bytes(&model, F_MODEL_GRAPH, graph.at, graph.n);
	expect(name, model.at, model.n, want);
	buf_free(&t), buf_free(&entry), buf_free(&graph), buf_free(&out), buf_free(&model);
}

static void
tensors(void)
{
	static const int64_t two[] = {2}, huge[] = {INT64_MAX / 2, 4, 4}, minus[] = {-1}, large[] = {1 << 30, 64}, none[] = {INT64_MAX, 0};

	with_tensor("short data", two, 1, 1, 4, NULL, "4 bytes of data where its shape wants 8");
	with_tensor("long data", two, 1, 1, 12, NULL, "12 bytes of data where its shape wants 8");
	with_tensor("overflow", huge, 3, 1, 4, NULL, "negative or too large");
	with_tensor("an extent that is none, times 0", none, 2, 1, 0, NULL, "negative or too large");
	with_tensor("negative", minus, 1, 1, 4, NULL, "negative or too large");
	with_tensor("large", large, 2, 1, 4, NULL, "4 bytes of data");
	with_tensor("absolute", two, 1, 1, 0, "/etc/passwd", "not beneath the model's folder");
	with_tensor("upwards", two, 1, 1, 0, "a/../../b", "not beneath the model's folder");
	with_tensor("nowhere", two, 1, 1, 0, "no-such-file", "No such file");
}

static void
graphs(void)
{
	static const struct {
		const char *text, *want;
	} cases[] = {
		{"in x f32 2; Relu b -> a; Relu a -> b; out b", "cycle"},
		{"in x f32 2; Relu x -> y; Neg x -> y; out y", "result of two nodes"},
		{"in x f32 2; Relu x -> x; out x", "result of a node and an input"},
		{"in x f32 2; Relu z -> y; out y", "'z' is used and nothing defines it"},
		{"in x f32 2; out q", "'q' is used and nothing defines it"},
		{"in x f32 2; Dropout x q -> y; out y", "'q' is used and nothing defines it"},
		{"w k f32 2; w k f32 2; out k", "there twice"},
		{"in x f32 2; in x f32 2; out x", "no name, or another's"},
	};
	struct buf model = {0};
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		build_model(cases[i].text, &model);
		expect(cases[i].text, model.at, model.n, cases[i].want);
		model.n = 0;
	}
	buf_free(&model);
	expect("empty", "", 0, "no graph");
	expect("text", "this is no model", 16, "not an ONNX model");
}

int
main(void)
{
	load_program();
	cut_and_change();
	nested();
	tensors();
	graphs();
	unload_program();
	return failures != 0;
}
