/*
 * Any bytes as a model: read, or refused with a message.  What is read is written unchanged, raised anew, and rewritten
 * by the built-in rules; the first is read again as the same graph, the others as ones with the same interface.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "onnx/onnx.h"
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/* where models are written: a place of this process, cleared when it ends well */
static char written[64];

static void
clear(void)
{
	unlink(written);
}

static const char *
place(void)
{
	if (!*written) {
		snprintf(written, sizeof written, "/tmp/tenon-fuzz-%ld.onnx", (long)getpid());
		atexit(clear);
	}
	return written;
}

static void
wrong(const char *what, const struct tn_error *e)
{
	fprintf(stderr, "%s: %s\n", what, e->msg);
	__builtin_trap();
}

/* names, and types where both are known, of inputs and outputs */
static bool
same_interface(const struct tn_graph *a, const struct tn_graph *b)
{
	uint32_t i;

	if (a->ninput != b->ninput || a->noutput != b->noutput)
		return false;
	for (i = 0; i < a->ninput; i++)
		if (strcmp(a->input[i].name, b->input[i].name) != 0 || a->input[i].type != b->input[i].type)
			return false;
	for (i = 0; i < a->noutput; i++)
		if (strcmp(a->output[i].name, b->output[i].name) != 0)
			return false;
	return true;
}

/* what was written, read again; a model that cannot be written was said to be so */
static void
read_again(struct tn_ctx *ctx, struct tn_onnx *x, bool is_unchanged)
{
	struct tn_error e = {0};
	struct tn_onnx *y = tn_onnx_open(ctx, &tn_builtin, place(), NULL, &e);

	if (!y)
		wrong(is_unchanged ? "unchanged, it cannot be read" : "raised anew, it cannot be read", &e);
	if (!same_interface(tn_onnx_graph(x), tn_onnx_graph(y)))
		wrong("the interface changed", &e);
	if (is_unchanged && !tn_graphs_same(tn_onnx_graph(x), tn_onnx_graph(y)))
		wrong("unchanged, it is another graph", &e);
	tn_onnx_close(y);
}

/* ---- rewritten ------------------------------------------------------------------------------------------ */

enum { NODES_MOST = 100, SIZE = 2, ELEMENTS_MOST = 1 << 20 };

/* every symbol SIZE; NULL: the graph is large, or has no shapes or large ones then */
static int64_t *
small_sizes(const struct tn_graph *g)
{
	int64_t *sizes = mem_alloc(((size_t)tn_dim_nsym(g->ctx) + 1) * sizeof *sizes), n, all;
	bool ok = g->nnode <= NODES_MOST;
	const struct tn_shape *s;
	uint32_t i;
	int k;

	for (k = 0; k < tn_dim_nsym(g->ctx); k++)
		sizes[k] = SIZE;
	for (i = 0; ok && i < g->nnode; i++) {
		s = tn_type_get(g->ctx, g->node[i].type);
		for (all = 1, k = 0; ok && g->node[i].op != TN_OPAQUE && k < s->rank; k++) {
			ok = tn_dim_at(g->ctx, s->dim[k], sizes, &n) && n >= 0 && n < ELEMENTS_MOST;
			all = ok ? all * (n + 1) : 0;
			ok = ok && all < ELEMENTS_MOST;
		}
	}
	if (ok)
		return sizes;
	mem_free(sizes);
	return NULL;
}

struct writing {
	const struct tn_onnx *x;
	struct tn_tensors *t;
};

static bool
can_write(void *arg, tn_id enode)
{
	const struct writing *w = arg;

	return tn_onnx_can_write(w->x, w->t, enode);
}

/* the greedy choice after a few iterations, folded; NULL: there is none that can be written */
static struct tn_graph *
rewritten(const struct tn_onnx *x, const int64_t sizes[])
{
	static const struct tn_limits limits = {.iterations = 3, .nodes = 300, .scheduler = TN_BACKOFF};
	const struct tn_graph *g = tn_onnx_graph(x);
	struct writing w = {x, tn_tensors_new(g->ctx, &tn_builtin, g, true)};
	struct tn_pricing how = {can_write, &w, NULL, false};
	struct tn_costs *costs = tn_costs_device(g->ctx, &tn_builtin, "t4", NULL);
	struct tn_error e = {0};
	struct tn_graph *made = NULL, *chosen;
	struct tn_priced *priced;
	struct tn_choice *choice;
	tn_id *node;

	tn_report_free(tn_saturate(tn_tensors_egraph(w.t), tn_tensors_search(w.t), &tn_builtin, &limits, NULL, NULL));
	if (!tn_onnx_take_apart(x, w.t))
		wrong("the parts contradict something", &e);
	priced = tn_costs_egraph(costs, w.t, sizes, &how);
	choice = tn_extract(tn_priced_problem(priced), &(struct tn_extract_options){.method = TN_DAG}, &e);
	if (choice) {
		node = tn_priced_choice(priced, choice);
		chosen = tn_tensors_graph(w.t, g, node, NULL, &e);
		made = chosen ? tn_onnx_legal(x, chosen, NULL, &e) : NULL;
		if (made)
			tn_graph_fold(made, &(struct tn_fold){.growth_bytes = 1 << 16}, NULL);
		tn_graph_free(chosen);
		mem_free(node);
	}
	tn_choice_free(choice);
	tn_priced_free(priced);
	tn_costs_free(costs);
	tn_tensors_free(w.t);
	return made;
}

static void
rewrite(struct tn_ctx *ctx, struct tn_onnx *x)
{
	int64_t *sizes = small_sizes(tn_onnx_graph(x));
	struct tn_graph *g = sizes ? rewritten(x, sizes) : NULL;
	struct tn_error e = {0};

	if (g && tn_onnx_write(x, g, place(), &e))
		read_again(ctx, x, false);
	else if (g && e.code == TN_E_DEFECT && !strstr(e.msg, "no words"))
		wrong("what the rules made cannot be written", &e);
	tn_graph_free(g);
	mem_free(sizes);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_ctx *ctx = tn_ctx_new();
	struct tn_error e = {0};
	char path[64];
	int fd = make_file(data, size, path);
	struct tn_onnx *x = tn_onnx_open(ctx, &tn_builtin, path, NULL, &e);

	if (!x && e.msg[0] == '\0')
		__builtin_trap();
	if (x) {
		if (tn_onnx_write(x, tn_onnx_graph(x), place(), &e))
			read_again(ctx, x, true);
		if (onnx_write_anew(x, tn_onnx_graph(x), place(), &e))
			read_again(ctx, x, false);
		rewrite(ctx, x);
	}
	tn_onnx_close(x);
	tn_ctx_free(ctx);
	close(fd);
	return 0;
}
