/*
 * The reference executor against results that nobody here computed: ONNX's own tests of single operators, as Debian's
 * libonnx-testdata has them.
 *
 *	testdata FOLDER		of folders with model.onnx and test_data_set_0/{input,output}_N.pb
 *
 * A test is ours where the mapping table (runtime/onnx/map.def) lists all its operators.  Operands that the table wants as
 * constants (shapes, axes, bounds) are given the test's values; the others stay inputs.  Where an operator has further
 * results that Tenon does not compute (a mask, a mean), the first one is asked for alone.  Each is computed twice: as read,
 * and after it was raised anew, written, and read again.  Prints a Markdown table by operator, then what is not computed,
 * with the reason, and what differs; the last line counts.  Status 0: no test fails.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "onnx/file.h"
#include "onnx/lower.h"
#include "tensor/element.h"
#include "tenon/compile.h"

enum outcome { PASS, FIRST, UNSUPPORTED, FAIL, NOT_OURS };
static const char *const outcome_name[] = {"pass", "first result", "not computed", "fail"};
enum { MOST = 32, LONGEST = 600 };	/* inputs or outputs of a test; a path */

/* the count of one ONNX operator */
struct row {
	char op[64];
	int n[NOT_OURS];
};

struct report {
	const char *scratch;	/* where models are written */
	VEC(struct row) row;
	int n[NOT_OURS + 1];
	struct buf unsupported, failed;
};

/* one test as it lies on disk; spans are mapped files */
struct test {
	const char *folder, *name;
	struct span model, input[MOST], output[MOST];
	int ninput, noutput;
	struct onnx_model m;
};

/* ---- reading ------------------------------------------------------------------------------------------------ */

static int
map_all(const char *folder, const char *name, const char *stem, struct span out[])
{
	char path[LONGEST];
	int n;

	for (n = 0; n < MOST; n++) {
		snprintf(path, sizeof path, "%s/%s/test_data_set_0/%s_%d.pb", folder, name, stem, n);
		if (access(path, R_OK) != 0 || !file_map(path, &out[n], NULL))
			break;
	}
	return n;
}

static bool
test_open(struct test *t, const char *folder, const char *name, struct tn_error *e)
{
	char path[LONGEST];

	*t = (struct test){.folder = folder, .name = name};
	snprintf(path, sizeof path, "%s/%s/model.onnx", folder, name);
	if (!file_map(path, &t->model, e) || !model_parse(&t->m, t->model, e))
		return false;
	t->ninput = map_all(folder, name, "input", t->input);
	t->noutput = map_all(folder, name, "output", t->output);
	return true;
}

static void
test_close(struct test *t)
{
	int i;

	model_free(&t->m);
	for (i = 0; i < t->ninput; i++)
		file_unmap(&t->input[i]);
	for (i = 0; i < t->noutput; i++)
		file_unmap(&t->output[i]);
	file_unmap(&t->model);
}

/* a TensorProto as an array; false: its elements are no numbers, or it is malformed */
static bool
load(struct span file, struct tn_array *a)
{
	struct arena mem = {0};
	struct tensor_files files = {.folder = ""};
	struct onnx_tensor t;
	struct tensor_data d;
	bool ok = parse_tensor(&mem, file, &t) && t.rank <= TN_MAX_RANK && tensor_read(&files, &t, &d, NULL);
	int64_t n = 1;
	uint32_t i;

	if (ok) {
		*a = (struct tn_array){.dtype = t.dtype, .rank = (int)t.rank};
		for (i = 0; i < t.rank; i++)
			n *= a->dim[i] = t.dim[i];
		a->v = mem_alloc(((size_t)n + 1) * sizeof *a->v);
		element_load(t.dtype, d.at, (size_t)n, a->v);
		if (d.is_owned)
			mem_free((void *)(uintptr_t)d.at);
	}
	tensor_files_free(&files);
	arena_free(&mem);
	return ok;
}

/* ---- which tests are ours, and which inputs are constants ----------------------------------------------------- */

/* evaluated in extents, or the data itself: no operator of the table */
static bool
is_reckoned(const struct onnx_node *n)
{
	return span_is(n->op, "Constant") || span_is(n->op, "Shape");
}

static bool
is_ours(const struct onnx_model *m)
{
	uint32_t i;

	for (i = 0; i < m->node.n; i++)
		if (!domain_is_default(m->node.at[i].domain) || model_has_function(m, &m->node.at[i]) ||
		    (!is_reckoned(&m->node.at[i]) && !map_row(m->node.at[i].op)))
			return false;
	return m->node.n > 0;
}

/* does a node want the value as a constant: integers, or a number? */
static bool
wants_constant(const struct onnx_model *m, uint32_t value)
{
	const struct lower_row *row;
	uint32_t i, k;
	char letter;

	for (i = 0; i < m->node.n; i++) {
		row = map_row(m->node.at[i].op);
		for (k = 0; row && k < m->node.at[i].nin; k++) {
			letter = map_letter(row->operands, k);
			if (m->node.at[i].in[k] == value && letter && strchr("snf", letter))
				return true;
		}
	}
	return false;
}

/* the input's number among the test's, or -1 if it stays an input */
static int
constant_input(const struct test *t, struct span name)
{
	uint32_t i, k;

	for (i = 0; i < t->m.input.n && i < (uint32_t)t->ninput; i++) {
		if (!span_equal(t->m.input.at[i].name, name))
			continue;
		for (k = 0; k < t->m.value.n; k++)
			if (t->m.value.at[k].input == i)
				return wants_constant(&t->m, k) ? (int)i : -1;
	}
	return -1;
}

/* the input's values as an initializer of its name; of two names in a tensor the last one holds */
static void
put_constant(const struct test *t, int k, struct buf *graph)
{
	struct span name = t->m.input.at[k].name;
	struct buf tensor = {0};

	buf_put(&tensor, t->input[k].at, t->input[k].n);
	wire_put_bytes(&tensor, F_TENSOR_NAME, name.at, name.n);
	wire_put_bytes(graph, F_GRAPH_INITIALIZER, tensor.at, tensor.n);
	buf_free(&tensor);
}

/* the node without its results but the first */
static void
put_cut(struct span node, struct buf *graph)
{
	struct wire w = wire_over(node);
	struct wire_field f;
	struct buf cut = {0};
	int n = 0;

	while (wire_next(&w, &f) == WIRE_FIELD)
		if (f.number != F_NODE_OUTPUT || n++ == 0)
			buf_put(&cut, f.whole.at, f.whole.n);
	wire_put_bytes(graph, F_GRAPH_NODE, cut.at, cut.n);
	buf_free(&cut);
}

/* the test's graph, as it is computed here */
static void
put_graph(const struct test *t, bool first_alone, struct buf *graph)
{
	struct wire w = wire_over(t->m.graph);
	struct wire_field f;
	uint32_t input = 0, output = 0;
	int k;

	while (wire_next(&w, &f) == WIRE_FIELD) {
		k = f.number == F_GRAPH_INPUT ? constant_input(t, t->m.input.at[input++].name) : -1;
		if (k >= 0)
			put_constant(t, k, graph);
		else if (first_alone && f.number == F_GRAPH_NODE)
			put_cut(f.bytes, graph);
		else if (f.number != F_GRAPH_OUTPUT || output++ == 0 || !first_alone)
			buf_put(graph, f.whole.at, f.whole.n);
	}
}

static bool
write_model(const struct test *t, bool first_alone, const char *path)
{
	struct wire w = wire_over(t->model);
	struct wire_field f;
	struct buf graph = {0}, model = {0};
	FILE *to = fopen(path, "wb");
	bool ok;

	put_graph(t, first_alone, &graph);
	while (wire_next(&w, &f) == WIRE_FIELD) {
		if (f.number == F_MODEL_GRAPH)
			wire_put_bytes(&model, F_MODEL_GRAPH, graph.at, graph.n);
		else
			buf_put(&model, f.whole.at, f.whole.n);
	}
	ok = to && fwrite(model.at, 1, model.n, to) == model.n;
	ok = to && fclose(to) == 0 && ok;
	buf_free(&graph), buf_free(&model);
	return ok;
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

/* the operator that stayed opaque, or NULL */
static const struct onnx_node *
opaque(const struct tn_onnx *x)
{
	const struct tn_graph *g = tn_onnx_graph(x);
	uint32_t i;

	for (i = 0; i < g->nnode; i++)
		if (g->node[i].op == TN_OPAQUE && g->node[i].origin < x->model.node.n)
			return &x->model.node.at[g->node[i].origin];
	return NULL;
}

static bool
is_word(const char *list, struct span word)
{
	const char *at = list;
	size_t n;

	for (; *at; at += n, at += *at == ' ') {
		n = strcspn(at, " ");
		if (n == word.n && memcmp(at, word.at, n) == 0)
			return true;
	}
	return false;
}

/* why the table does not take the node, as far as that can be seen from outside */
static void
reason(const struct tn_onnx *x, const struct onnx_node *n, char why[LONGEST])
{
	const struct lower_row *row = map_row(n->op);
	const struct tn_shape *s;
	const struct onnx_value *v;
	size_t used = (size_t)snprintf(why, LONGEST, "%.*s", SPAN_TEXT(n->op));
	uint32_t i;

	for (i = 0; row && i < n->nattr; i++)
		if (!is_word(row->attributes, n->attr[i].name)) {
			snprintf(why + used, LONGEST - used, " with %.*s, which is not mapped", SPAN_TEXT(n->attr[i].name));
			return;
		}
	for (i = 0; i < n->nin && used < LONGEST / 2; i++) {
		v = n->in[i] == ONNX_NONE ? NULL : &x->model.value.at[n->in[i]];
		if (!v || v->input == ONNX_NONE)
			continue;
		s = tn_type_get(x->ctx, x->graph->node[x->node_of[n->in[i]]].type);
		used += (size_t)snprintf(why + used, LONGEST - used, "%s %s of rank %d", used > n->op.n ? "," : " of", dtype_name(s->dtype),
		    s->rank);
	}
	for (i = 0; i < n->nattr && used < LONGEST / 2; i++)
		used += (size_t)snprintf(why + used, LONGEST - used, " %.*s%s", SPAN_TEXT(n->attr[i].name), n->attr[i].type != ATTR_INT ? ""
		    : n->attr[i].i ? "=1" : "=0");
	if (n->nout > 1)
		snprintf(why + used, LONGEST - used, ", %u results", (unsigned)n->nout);
}

/* the bytes of an input: the test's, or the model's own default; n 0: there are none */
static struct span
input_bytes(const struct test *t, const char *name)
{
	uint32_t i;

	for (i = 0; i < t->m.input.n && i < (uint32_t)t->ninput; i++)
		if (span_is(t->m.input.at[i].name, name))
			return t->input[i];
	for (i = 0; i < t->m.init.n; i++)
		if (span_is(t->m.init.at[i].name, name))
			return t->m.init.at[i].body;
	return (struct span){0};
}

/* the arrays of the graph's inputs, by name; false: one is not there */
static bool
load_inputs(const struct test *t, const struct tn_graph *g, struct tn_array in[MOST])
{
	uint32_t i;

	for (i = 0; i < g->ninput; i++)
		if (!load(input_bytes(t, g->input[i].name), &in[i]))
			return false;
	return true;
}

/* the graph's values beside the test's; false: reason */
static bool
agrees(const struct test *t, const struct tn_graph *g, char why[LONGEST])
{
	struct tn_array in[MOST] = {{0}}, want, *got = NULL;
	struct tn_error e = {0};
	struct tn_difference d = {0};
	uint32_t i;
	bool ok = g->ninput <= MOST && load_inputs(t, g, in);

	snprintf(why, LONGEST, "its inputs are not read");
	if (ok) {
		got = tn_execute(g, &(struct tn_exec){.input = in}, &e);
		ok = got && g->noutput <= (uint32_t)t->noutput;
		snprintf(why, LONGEST, "%s", got ? "it has more outputs than the test" : e.msg);
	}
	for (i = 0; ok && i < g->noutput; i++) {
		ok = load(t->output[i], &want);
		snprintf(why, LONGEST, "output %u is not read", (unsigned)i);
		if (!ok)
			break;
		tn_arrays_compare(&want, &got[i], g->output[i].name, &d);
		ok = !d.differs;
		snprintf(why, LONGEST, "%s", d.where);
		mem_free(want.v);
	}
	if (got)
		tn_arrays_free(got, g->noutput);
	for (i = 0; i < MOST; i++)
		mem_free(in[i].v);
	return ok;
}

/* raised anew, written, read again */
static bool
agrees_again(const struct test *t, struct tn_onnx *x, const char *path, char why[LONGEST])
{
	struct tn_error e = {0};
	struct tn_onnx *y;
	bool ok = onnx_write_anew(x, tn_onnx_graph(x), path, &e);

	snprintf(why, LONGEST, "not written: %s", e.msg);
	if (!ok)
		return false;
	y = tn_onnx_open(x->ctx, x->program, path, NULL, &e);
	snprintf(why, LONGEST, "what was written is not read: %s", e.msg);
	ok = y && agrees(t, tn_onnx_graph(y), why);
	tn_onnx_close(y);
	return ok;
}

static enum outcome
run(const struct test *t, bool first_alone, const char *scratch, char why[LONGEST])
{
	struct tn_ctx *ctx = tn_ctx_new();
	struct tn_error e = {0};
	struct tn_onnx *x = NULL;
	enum outcome is = FAIL;
	char path[LONGEST], again[LONGEST];

	snprintf(path, sizeof path, "%s/model.onnx", scratch);
	snprintf(again, sizeof again, "%s/again.onnx", scratch);
	if (!write_model(t, first_alone, path))
		snprintf(why, LONGEST, "the model is not written");
	else if (!(x = tn_onnx_open(ctx, &tn_builtin, path, NULL, &e)))
		snprintf(why, LONGEST, "%s", e.msg);
	else if (opaque(x)) {
		is = UNSUPPORTED;
		reason(x, opaque(x), why);
	} else if (agrees(t, tn_onnx_graph(x), why) && agrees_again(t, x, again, why))
		is = first_alone ? FIRST : PASS;
	tn_onnx_close(x);
	tn_ctx_free(ctx);
	return is;
}

/* with all results, or else with the first alone; what is not computed either way keeps the first reason */
static enum outcome
run_either(const struct test *t, const char *scratch, char why[LONGEST])
{
	enum outcome is = run(t, false, scratch, why), first;
	char other[LONGEST] = "";

	if (is != UNSUPPORTED || t->m.node.n != 1 || t->m.node.at[0].nout < 2)
		return is;
	first = run(t, true, scratch, other);
	if (first == FAIL)
		memcpy(why, other, LONGEST);
	return first;
}

/* ---- the report ----------------------------------------------------------------------------------------------------- */

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct row *)a)->op, ((const struct row *)b)->op);
}

static void
count(struct report *r, struct span op, enum outcome is)
{
	struct row new = {0};
	uint32_t i;

	snprintf(new.op, sizeof new.op, "%.*s", SPAN_TEXT(op));
	for (i = 0; i < r->row.n && strcmp(r->row.at[i].op, new.op) != 0; i++)
		;
	if (i == r->row.n)
		vec_push(&r->row, new);
	r->row.at[i].n[is]++;
}

static void
one(struct report *r, const char *folder, const char *name)
{
	struct test t;
	struct tn_error e = {0};
	char why[LONGEST] = "";
	enum outcome is = NOT_OURS;

	if (!test_open(&t, folder, name, &e)) {
		is = FAIL;
		snprintf(why, sizeof why, "%s", e.msg);
	} else if (is_ours(&t.m)) {
		is = run_either(&t, r->scratch, why);
		count(r, t.m.node.at[t.m.node.n - 1].op, is);
	}
	r->n[is]++;
	if (is == UNSUPPORTED || is == FAIL)
		buf_printf(is == FAIL ? &r->failed : &r->unsupported, "- %s: %s\n", name, why);
	test_close(&t);
}

static void
print(struct report *r)
{
	uint32_t i;
	int k;

	qsort(r->row.at, r->row.n, sizeof *r->row.at, by_name);
	printf("| operator |");
	for (k = 0; k < NOT_OURS; k++)
		printf(" %s |", outcome_name[k]);
	printf("\n|---|---|---|---|---|\n");
	for (i = 0; i < r->row.n; i++) {
		printf("| %s |", r->row.at[i].op);
		for (k = 0; k < NOT_OURS; k++)
			printf(" %d |", r->row.at[i].n[k]);
		printf("\n");
	}
	if (r->unsupported.n)
		printf("\nNot computed: the operator that stays opaque, with what is peculiar to it\n\n%s", r->unsupported.at);
	if (r->failed.n)
		printf("\nFailed\n\n%s", r->failed.at);
	printf("\n%d passed, %d in their first result, %d failed, %d not computed, %d of operators that are not mapped\n", r->n[PASS],
	    r->n[FIRST], r->n[FAIL], r->n[UNSUPPORTED], r->n[NOT_OURS]);
}

int
main(int argc, char **argv)
{
	char scratch[] = "/tmp/tenon-testdata-XXXXXX", path[LONGEST];
	struct report r = {.scratch = scratch};
	struct dirent **list;
	int i, n;

	if (argc != 2 || (n = scandir(argv[1], &list, NULL, alphasort)) < 0 || !mkdtemp(scratch)) {
		fprintf(stderr, "testdata: a folder of tests is wanted\n");
		return 2;
	}
	for (i = 0; i < n; i++) {
		if (list[i]->d_name[0] != '.')
			one(&r, argv[1], list[i]->d_name);
		free(list[i]);
	}
	free(list);
	print(&r);
	snprintf(path, sizeof path, "%s/model.onnx", scratch), unlink(path);
	snprintf(path, sizeof path, "%s/again.onnx", scratch), unlink(path);
	rmdir(scratch);
	n = r.n[FAIL] || !r.n[PASS];
	vec_free(&r.row);
	buf_free(&r.unsupported), buf_free(&r.failed);
	return n;
}
