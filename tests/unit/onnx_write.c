/*
 * What a changed graph is written as: names stay where values stay, results replaced keep their
 * names, what is no longer used goes, interfaces and unknown fields stay, tensors move where they must.
 */
#include <sys/stat.h>

#include "onnx/lower.h"
#include "tests/unit/onnx_build.h"

static char in_path[300], out_path[300];

/* ---- models as text: "a = Relu(x)" lines, then initializers ----------------------------------- */

static void
model_to_text(const struct onnx_model *m, struct buf *b)
{
	uint32_t i, k;

	for (i = 0; i < m->node.n; i++) {
		const struct onnx_node *n = &m->node.at[i];

		for (k = 0; k < n->nout; k++)
			buf_printf(b, "%s%.*s", k ? " " : "", SPAN_TEXT(m->value.at[n->out[k]].name));
		buf_printf(b, " = %.*s", SPAN_TEXT(n->op));
		for (k = 0; k < n->nin; k++)
			if (n->in[k] == ONNX_NONE)
				buf_puts(b, " _");
			else
				buf_printf(b, " %.*s", SPAN_TEXT(m->value.at[n->in[k]].name));
		buf_puts(b, "\n");
	}
	for (i = 0; i < m->init.n; i++)
		buf_printf(b, "init %.*s\n", SPAN_TEXT(m->init.at[i].name));
	for (i = 0; i < m->info.n; i++)
		buf_printf(b, "info %.*s\n", SPAN_TEXT(m->info.at[i].name));
}

/* ---- graphs to change: copies whose nodes keep their origins ---------------------------------- */

static struct tn_graph *
copy_graph(const struct tn_graph *g)
{
	struct tn_graph *copy = tn_graph_new(ctx, &program, g->name);
	uint32_t i;

	for (i = 0; i < g->nnode; i++) {
		const struct tn_gnode *n = &g->node[i];
		struct tn_weight w;

		if (n->op == TN_INPUT) {
			tn_graph_input(copy, g->input[index_of(g, i)].name, n->type);
		} else if (n->op == TN_WEIGHT) {
			w = g->weight[index_of(g, i)];
			w.is_owned = false;
			tn_graph_weight(copy, &w);
		} else if (n->op == TN_FILL) {
			int count;

			tn_graph_fill(copy, tn_val_get(ctx, tn_attrs_get(ctx, n->attrs, &count)[0])->u.f, n->type);
		} else if (n->op == TN_OPAQUE) {
			tn_graph_opaque(copy, &g->kid[n->kid], n->nkid, n->origin);
		} else if (n->op == TN_RESULT) {
			tn_graph_result(copy, g->kid[n->kid], (int)index_of(g, i), n->type);
		} else {
			tn_graph_node(copy, n->op, n->attrs, &g->kid[n->kid], n->nkid, n->origin, NULL);
		}
	}
	for (i = 0; i < g->noutput; i++)
		tn_graph_output(copy, g->output[i].name, g->output[i].node);
	return copy;
}

/* node number of the last node of the operator */
static uint32_t
find_node(const struct tn_graph *g, const char *op)
{
	uint32_t i;

	for (i = g->nnode; i-- > 0;)
		if (strcmp(g->node[i].op == TN_INPUT ? "input" : g->node[i].op < TN_CORE ? "" : program.op[g->node[i].op].name, op) == 0)
			return i;
	printf("no %s in the graph\n", op);
	exit(1);
}

/* every user of `from` uses `to` */
static void
replace(struct tn_graph *g, uint32_t from, uint32_t to)
{
	uint32_t i, k;

	for (i = to + 1; i < g->nnode; i++)
		for (k = 0; k < g->node[i].nkid; k++)
			if (g->kid[g->node[i].kid + k] == from)
				g->kid[g->node[i].kid + k] = to;
	for (i = 0; i < g->noutput; i++)
		if (g->output[i].node == from)
			g->output[i].node = to;
}

/* the node itself becomes another operator of some of its operands, as one that a rule made */
static void
become(struct tn_graph *g, uint32_t node, const char *op, const uint32_t kid[], uint16_t nkid)
{
	g->node[node].op = (uint16_t)tn_op_named(&program, op);
	g->node[node].attrs = 0;
	g->node[node].origin = TN_NONE;
	g->node[node].nkid = nkid;
	memcpy(&g->kid[g->node[node].kid], kid, nkid * sizeof *kid);
}

static uint32_t
kid_of(const struct tn_graph *g, uint32_t node, uint32_t i)
{
	return g->kid[g->node[node].kid + i];
}

/* ---- changes ---------------------------------------------------------------------------------- */

/* x (clip(x + 3, 0, 6) / 6) as one hard swish */
static void
fuse_hard_swish(struct tn_graph *g)
{
	uint32_t mul = find_node(g, "mul");

	become(g, mul, "hard-swish", (uint32_t[]){kid_of(g, mul, 0)}, 1);
}

static void
swap_add(struct tn_graph *g)
{
	uint32_t add = find_node(g, "add");

	become(g, add, "add", (uint32_t[]){kid_of(g, add, 1), kid_of(g, add, 0)}, 2);
}

static void
drop_relu(struct tn_graph *g)
{
	uint32_t relu = find_node(g, "relu");

	replace(g, relu, kid_of(g, relu, 0));
}

static uint32_t
make(struct tn_graph *g, const char *name, const uint32_t kid[], int nkid, const struct low_attr attr[], int nattr)
{
	unsigned op = tn_op_named(&program, name);
	struct tn_error e = {0};
	uint32_t n = tn_graph_node(g, op, map_record(ctx, &program.op[op], attr, nattr), kid, nkid, TN_NONE, &e);

	if (n == TN_NONE) {
		printf("%s: %s\n", name, e.msg);
		exit(1);
	}
	return n;
}

/* the output is two slices of the input, the other way round */
static void
slice_and_join(struct tn_graph *g)
{
	uint32_t x = find_node(g, "input"), a, b;

	a = make(g, "slice", &x, 1, (struct low_attr[]){LOW_INT("axis", 0), LOW_INT("from", 0), LOW_INT("to", 2)}, 3);
	b = make(g, "slice", &x, 1, (struct low_attr[]){LOW_INT("axis", 0), LOW_INT("from", 2), LOW_INT("to", 6)}, 3);
	g->output[0].node = make(g, "concat", (uint32_t[]){b, a}, 2, &LOW_INT("axis", 0), 1);
}

/* operands of the product merged with an equal node, as an e-graph merges them */
static void
merge_twins(struct tn_graph *g)
{
	uint32_t a = TN_NONE, i;

	for (i = 0; i < g->nnode; i++)
		if (strcmp(program.op[g->node[i].op].name, "relu") == 0) {
			if (a != TN_NONE)
				replace(g, i, a);
			a = i;
		}
}

static void
merge_twins_and_swap(struct tn_graph *g)
{
	merge_twins(g);
	swap_add(g);
}

/* the output is a fill of another shape: extents that no tensor of the file has */
static void
fill_reckoned(struct tn_graph *g)
{
	tn_dim h = tn_dim_sym(ctx, "h"), n = tn_dim_sym(ctx, "n");
	tn_dim half = tn_dim_div(ctx, tn_dim_add(ctx, h, 1), 2);
	struct tn_shape s = {TN_F32, 2, {tn_dim_mul(ctx, h, n), tn_dim_sub(ctx, tn_dim_mul(ctx, 3, half), 2)}};

	g->output[0].node = tn_graph_fill(g, 0.5, tn_type_make(ctx, &s));
}

/* the sum of zeros is zeros */
static void
fill_sum(struct tn_graph *g)
{
	uint32_t sum = find_node(g, "reshape");

	g->node[sum] = g->node[tn_graph_fill(g, 0, g->node[sum].type)];
}

static void
nothing(struct tn_graph *g)
{
	(void)g;
}

static const struct given {
	const char *what, *model;
	void (*change)(struct tn_graph *);
	const char *want;
} cases[] = {
	{"an opset without HardSwish has HardSigmoid",
	 "opset 9; in x f32 n 3; i c f32 = 3; i d f32 = 6; Neg x -> a; Add a c -> b; Clip b -> e min=0.0 max=6.0; Div e d -> f;"
	 "Mul a f -> h; Abs h -> y; info h f32 n 3; info b f32 n 3; out y", fuse_hard_swish,
	 "a = Neg x\nvalue_1 = HardSigmoid a\nh = Mul a value_1\ny = Abs h\ninfo h\n"},
	{"HardSwish takes the place and name of what it replaces",
	 "opset 14; in x f32 n 3; i c f32 = 3; i d f32 = 6; i z f32 = 0; Neg x -> a; Add a c -> b; Clip b z d -> e; Div e d -> f;"
	 "Mul a f -> h; Abs h -> y; out y", fuse_hard_swish, "a = Neg x\nh = HardSwish a\ny = Abs h\n"},
	{"what comes before and after a change is what it was",
	 "in x f32 n 3; w k f32 3 3; w b f32 3; MatMul x k -> a; Relu a -> r; Add r b -> s; Sigmoid s -> y; out y", swap_add,
	 "a = MatMul x k\nr = Relu a\ns = Add b r\ny = Sigmoid s\ninit k\ninit b\n"},
	{"an output whose node is gone is given its name", "in x f32 n 3; Neg x -> a; Relu a -> y; Abs a -> z; out y; out z", drop_relu,
	 "a = Neg x\nz = Abs a\ny = Identity a\n"},
	{"an output that is an input", "in x f32 n 3; Relu x -> y; out y", drop_relu, "y = Identity x\n"},
	{"slices that tile become one Split",
	 "in x f32 6 2; Relu x -> y; out y", slice_and_join,
	 "value_2 value_1 = Split x value_3\ny = Concat value_1 value_2\ninit value_3\n"},
	{"equal nodes that were merged come out once",
	 "in x f32 n 3; Relu x -> a; Relu x -> b; Add a b -> y; out y", merge_twins, "a = Relu x\ny = Add a a\n"},
	{"and those that were not come out as they were",
	 "in x f32 n 3; Relu x -> a; Relu x -> b; Add a b -> y; out y", nothing, "a = Relu x\nb = Relu x\ny = Add a b\n"},
	{"and once where something else changed too", "in x f32 n 3; w k f32 3; Relu x -> a; Relu x -> b; Mul a b -> c; Add c k -> y; out y",
	 merge_twins_and_swap, "a = Relu x\nc = Mul a a\ny = Add k c\ninit k\n"},
	{"a shape that is reckoned with is reckoned with still",
	 "in x f32 n 3 h w; Abs x -> q; Relu q -> p; Shape p -> s; w i i64 = 0 1; Gather s i -> a; w m i64 = -1; Concat a m -> t axis=0;"
	 "Neg x -> v; Reshape v t -> y; Abs p -> z; out y; out z", drop_relu,
	 "q = Abs x\ns = Shape q\na = Gather s i\nt = Concat a m\nv = Neg x\ny = Reshape v t\nz = Abs q\ninit i\ninit m\n"},
	{"an extent that no tensor has is reckoned from those that are there",
	 "in x f32 n 3 h; Relu x -> y; out y", fill_reckoned,
	 "value_2 = Shape x\nvalue_4 = Gather value_2 value_3\nvalue_6 = Gather value_2 value_5\nvalue_7 = Mul value_4 value_6\n"
	 "value_10 = Add value_9 value_6\nvalue_11 = Div value_10 value_5\nvalue_12 = Mul value_8 value_11\n"
	 "value_13 = Sub value_12 value_5\nvalue_14 = Concat value_7 value_13\ny = Expand value_1 value_14\n"},
	{"a shape that the original reckons from what is now made with it",
	 "opset 11; in x f32 n 3; Shape x -> s; ConstantOfShape s -> c; ReduceSum c -> q axes=[1] keepdims=0; Shape q -> t; a:Of t -> y;"
	 "out y", fill_sum,
	 "value_2 = Shape x\nvalue_4 = Gather value_2 value_3\nq = Expand value_1 value_4\nt = Shape q\ny = Of t\n"},
	{"nothing", "in x f32 n 3; Relu x -> y; Abs x -> dead; out y", nothing, "y = Relu x\ndead = Abs x\n"},
};

/* is the written file, read again, of the types it was to have? */
static void
check_types(const struct given *c, const struct tn_graph *g)
{
	struct tn_error e = {0};
	struct tn_onnx *y = tn_onnx_open(ctx, &program, out_path, NULL, &e);
	const struct tn_graph *again = y ? tn_onnx_graph(y) : NULL;
	uint32_t i;

	if (!again || again->noutput != g->noutput) {
		printf("%s: %s\n", c->what, again ? "other outputs" : e.msg);
		failures++;
	}
	for (i = 0; again && i < again->noutput && i < g->noutput; i++)
		if (again->node[again->output[i].node].type != g->node[g->output[i].node].type) {
			printf("%s: output %u has another type when it is read again\n", c->what, i);
			failures++;
		}
	tn_onnx_close(y);
}

static void
check(const struct given *c)
{
	struct tn_error e = {0};
	struct tn_onnx *x = open_text(c->model, in_path, &e);
	struct tn_graph *g;
	struct span file = {0};
	struct onnx_model m = {.ir_version = 0};
	struct buf text = {0}, bytes = {0};
	bool ok;

	if (!x) {
		printf("%s: %s\n", c->what, e.msg);
		failures++;
		return;
	}
	g = copy_graph(tn_onnx_graph(x));
	c->change(g);
	ok = tn_onnx_write(x, g, out_path, &e);
	if (ok) {
		read_file(out_path, &bytes);
		file = (struct span){(const unsigned char *)bytes.at, bytes.n};
		ok = model_parse(&m, file, &e);
	}
	if (ok)
		model_to_text(&m, &text);
	if (!ok || strncmp(text.at, c->want, strlen(c->want)) != 0) {
		printf("%s: found\n%swanted\n%s", c->what, ok ? text.at : e.msg, c->want);
		failures++;
	}
	if (ok)
		check_types(c, g);
	model_free(&m);
	tn_graph_free(g);
	tn_onnx_close(x);
	buf_free(&text);
	buf_free(&bytes);
}

/* ---- the frame -------------------------------------------------------------------------------- */

static void
require(bool ok, const char *what)
{
	if (!ok) {
		printf("%s\n", what);
		failures++;
	}
}

/* --shape states numbers in the interface and nowhere else */
static void
narrow(void)
{
	static const char *const shape[] = {"x=2,3,8"};
	struct tn_onnx_options o = {1, shape, false};
	struct buf model = {0}, bytes = {0};
	struct tn_error e = {0};
	struct tn_onnx *x, *y;

	build_model("in x f32 n 3 h; in z f32 n m; Relu x -> a; Abs z -> b; info a f32 n 3 h; out a f32 n 3 h; out b f32 n m", &model);
	write_file(in_path, model.at, model.n);
	x = tn_onnx_open(ctx, &program, in_path, &o, &e);
	require(x && tn_onnx_write(x, tn_onnx_graph(x), out_path, &e), e.msg);
	y = tn_onnx_open(ctx, &program, out_path, NULL, &e);
	require(y != NULL, e.msg);
	if (y) {
		const struct onnx_model *m = &y->model;

		require(m->input.at[0].dim[0].value == 2 && m->input.at[0].dim[2].value == 8, "the narrowed input has no numbers");
		require(m->input.at[1].dim[0].value == 2 && span_is(m->input.at[1].dim[1].param, "m"),
		    "another input's symbol is not narrowed");
		require(m->output.at[0].dim[2].value == 8 && span_is(m->output.at[1].dim[1].param, "m"), "the outputs are not narrowed");
		require(m->info.at[0].dim[0].value == 2, "a value info is not narrowed");
	}
	tn_onnx_close(x);
	tn_onnx_close(y);
	o.shape = (const char *const[]){"x=2,4,8"};
	require(!tn_onnx_open(ctx, &program, in_path, &o, &e) && strstr(e.msg, "axis 1 is 3"), "a wrong --shape is taken");
	o.shape = (const char *const[]){"q=2"};
	require(!tn_onnx_open(ctx, &program, in_path, &o, &e) && strstr(e.msg, "no input 'q'"), "a --shape of no input is taken");
	o.shape = (const char *const[]){"x=2,3"};
	require(!tn_onnx_open(ctx, &program, in_path, &o, &e) && strstr(e.msg, "list of 3"), "a short --shape is taken");
	model.n = 0;
	build_model("in x f32 -1 3; Relu x -> y; out y", &model);
	write_file(in_path, model.at, model.n);
	o.shape = (const char *const[]){"x=2,3"};
	x = tn_onnx_open(ctx, &program, in_path, &o, &e);
	require(x && tn_onnx_write(x, tn_onnx_graph(x), out_path, &e), e.msg);
	y = tn_onnx_open(ctx, &program, out_path, NULL, &e);
	require(y && y->model.input.at[0].dim[0].value == 2, "an extent that is not known, as it is below 0, is not narrowed");
	tn_onnx_close(x);
	tn_onnx_close(y);
	buf_free(&model);
	buf_free(&bytes);
}

/* in_path's tensors lie in `data`, whose name is out_path's too: it stays; in another folder they are outside again */
static void
keep_data(const char *data)
{
	struct tn_error e = {0};
	struct tn_onnx *x = tn_onnx_open(ctx, &program, in_path, NULL, &e), *y;
	char folder[310], path[330];

	require(x && !onnx_write_within(x, tn_onnx_graph(x), out_path, 1000, &e) && strstr(e.msg, "written over"),
	    "the input's data is written over");
	require(x && !tn_onnx_write(x, tn_onnx_graph(x), data, &e) && strstr(e.msg, "written over"), "or a model is put in its place");
	snprintf(folder, sizeof folder, "%s.d", in_path);
	snprintf(path, sizeof path, "%s/m.onnx", folder);
	mkdir(folder, 0777);
	require(x && onnx_write_within(x, tn_onnx_graph(x), path, 1000, &e), e.msg);
	y = tn_onnx_open(ctx, &program, path, NULL, &e);
	require(y && y->model.init.at[0].is_external, y ? "what lay outside is inside, past the limit" : e.msg);
	tn_onnx_close(x);
	tn_onnx_close(y);
	unlink(path);
	strcat(path, ".data");
	unlink(path);
	rmdir(folder);
}

/* tensors beyond a limit go to a file of their own, are read from there, and come back in another folder */
static void
move_tensors(void)
{
	struct tn_error e = {0};
	struct tn_onnx *x, *y;
	const struct tn_graph *a, *b;
	char data[320];
	uint32_t i;

	x = open_text("in x f32 n 400; w k f32 400 20; w b f32 20; Gemm x k b -> y; out y", in_path, &e);
	require(x && onnx_write_anew(x, tn_onnx_graph(x), out_path, &e), e.msg);
	require(x && onnx_write_within(x, tn_onnx_graph(x), out_path, 1000, &e), e.msg);
	y = tn_onnx_open(ctx, &program, out_path, NULL, &e);
	require(y && y->model.init.at[0].is_external && !y->model.init.at[1].is_external, "the large tensor alone is outside");
	if (x && y) {
		a = tn_onnx_graph(x);
		b = tn_onnx_graph(y);
		for (i = 0; i < a->nweight; i++)
			require(a->weight[i].size_bytes == b->weight[i].size_bytes &&
			    memcmp(a->weight[i].data, b->weight[i].data, a->weight[i].size_bytes) == 0, "data differs outside");
		require(onnx_write_within(y, b, in_path, ONNX_INSIDE, &e), e.msg);
	}
	tn_onnx_close(x);
	tn_onnx_close(y);
	snprintf(data, sizeof data, "%s.data", out_path);
	keep_data(data);
	unlink(data);
}

/* tensors that lie in files beside the model where their name cannot be changed: inside nodes */
static void
keep_inner(void)
{
	struct buf entry = {0}, tensor = {0}, attr = {0}, node = {0}, graph = {0}, out = {0}, model = {0};
	struct tn_error e = {0};
	struct tn_onnx *x;

	wire_put_text(&entry, F_ENTRY_KEY, "location");
	wire_put_text(&entry, F_ENTRY_VALUE, "elsewhere");
	wire_put_bytes(&tensor, F_TENSOR_EXTERNAL, entry.at, entry.n);
	wire_put_int(&tensor, F_TENSOR_LOCATION, TENSOR_EXTERNAL);
	wire_put_text(&attr, F_ATTRIBUTE_NAME, "table");
	wire_put_bytes(&attr, F_ATTRIBUTE_T, tensor.at, tensor.n);
	wire_put_int(&attr, F_ATTRIBUTE_TYPE, ATTR_TENSOR);
	wire_put_text(&node, F_NODE_OUTPUT, "y");
	wire_put_text(&node, F_NODE_OP, "Look");
	wire_put_bytes(&node, F_NODE_ATTRIBUTE, attr.at, attr.n);
	wire_put_bytes(&graph, F_GRAPH_NODE, node.at, node.n);
	wire_put_text(&out, F_VALUE_NAME, "y");
	wire_put_bytes(&graph, F_GRAPH_OUTPUT, out.at, out.n);
	wire_put_bytes(&model, F_MODEL_GRAPH, graph.at, graph.n);
	write_file(in_path, model.at, model.n);
	x = tn_onnx_open(ctx, &program, in_path, NULL, &e);
	require(x && tn_onnx_write(x, tn_onnx_graph(x), out_path, &e), "a tensor inside a node, to the same folder");
	require(x && !tn_onnx_write(x, tn_onnx_graph(x), "/dev/null", &e) && strstr(e.msg, "its own folder"), "and to another");
	tn_onnx_close(x);
	buf_free(&entry), buf_free(&tensor), buf_free(&attr), buf_free(&node), buf_free(&graph), buf_free(&out), buf_free(&model);
}

/* an initializer that is an input too may be overridden, unless the user says not */
static void
overridable(void)
{
	struct tn_onnx_options o = {.fold_overridable = true};
	struct tn_error e = {0};
	struct tn_onnx *x = open_text("in x f32 3; in k f32 3; w k f32 3; Add x k -> y; out y", in_path, &e), *y;

	require(x && tn_onnx_graph(x)->ninput == 2 && tn_onnx_graph(x)->nweight == 0, "an overridable initializer is a constant");
	y = tn_onnx_open(ctx, &program, in_path, &o, &e);
	require(y && tn_onnx_graph(y)->ninput == 1 && tn_onnx_graph(y)->nweight == 1, "fold_overridable makes no constant");
	require(y && onnx_write_anew(y, tn_onnx_graph(y), out_path, &e), e.msg);
	tn_onnx_close(x);
	tn_onnx_close(y);
	y = tn_onnx_open(ctx, &program, out_path, NULL, &e);
	require(y && y->model.input.n == 2 && y->model.init.n == 1, "an input's default is lost");
	tn_onnx_close(y);
}

/* a graph without a model, with an operator of a domain of its own */
static void
export(void)
{
	struct tn_graph *g = tn_graph_new(ctx, &program, "made");
	struct tn_shape s = {TN_F32, 2, {tn_dim_sym(ctx, "n"), 4}}, ws = {TN_F32, 2, {4, 4}}, bs = {TN_F32, 1, {4}};
	float data[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
	struct tn_weight w = {"k", tn_type_make(ctx, &ws), data, sizeof data, false, NULL};
	struct tn_value zero = {.kind = TN_K_INT}, relu = {.kind = TN_K_ENUM, .u.i = 1};
	tn_val v[2] = {tn_val_make(ctx, &zero), tn_val_make(ctx, &relu)};
	uint32_t x = tn_graph_input(g, "x", tn_type_make(ctx, &s)), k = tn_graph_weight(g, &w), y_node;
	uint32_t b = tn_graph_fill(g, 0, tn_type_make(ctx, &bs));
	struct tn_error e = {0};
	struct buf text = {0};
	struct tn_onnx *y;

	y_node = tn_graph_node(g, tn_op_named(&program, "matmul"), tn_attrs_make(ctx, v, 2), (uint32_t[]){x, k, b}, 3, TN_NONE, &e);
	tn_graph_output(g, "y", y_node);
	require(tn_onnx_export(g, out_path, &e), e.msg);
	y = tn_onnx_open(ctx, &program, out_path, NULL, &e);
	if (y)
		graph_to_text(y, tn_onnx_graph(y), &text);
	require(y && strcmp(text.at, "relu(matmul{0 none}(x k 0))") == 0, y ? text.at : e.msg);
	require(y && y->opset == 17 && span_is(y->model.input.at[0].dim[0].param, "n"), "the interface of an exported graph");
	tn_onnx_close(y);
	tn_graph_free(g);
	buf_free(&text);
}

int
main(void)
{
	size_t i;

	snprintf(in_path, sizeof in_path, "%s", scratch("in.onnx"));
	snprintf(out_path, sizeof out_path, "%s", scratch("out.onnx"));
	load_program();
	for (i = 0; i < sizeof cases / sizeof *cases; i++)
		check(&cases[i]);
	narrow();
	move_tensors();
	keep_inner();
	overridable();
	export();
	unload_program();
	unlink(in_path);
	unlink(out_path);
	return failures != 0;
}
