/* Reading: a parsed model becomes a graph, node by node. */
#include <string.h>

#include "onnx/file.h"
#include "onnx/lower.h"
#include "tensor/same_op.h"

/* ---- nodes ------------------------------------------------------------------------------------ */

/* does the row admit the node's attributes, each of its own kind? */
static bool
attributes_fit(const struct onnx_node *n, const char *names)
{
	static const struct {
		const char *names;
		enum onnx_attr_type type;
	} kinds[] = {
		{" axes dilations ends kernel_shape output_padding pads perm split starts strides ", ATTR_INTS},
		{" alpha beta cubic_coeff_a epsilon extrapolation_value max min momentum ratio ", ATTR_FLOAT},
		{" approximate auto_pad coordinate_transformation_mode keep_aspect_ratio_policy mode nearest_mode round_mode ", ATTR_STRING},
		{" scales ", ATTR_FLOATS},
	};
	char padded[256], word[64];
	uint32_t i;
	size_t k;

	snprintf(padded, sizeof padded, " %s ", names);
	for (i = 0; i < n->nattr; i++) {
		const struct onnx_attr *a = &n->attr[i];
		enum onnx_attr_type want = ATTR_INT;

		if (a->is_reference || a->name.n == 0 || a->name.n > 40 || memchr(a->name.at, ' ', a->name.n))
			return false;
		snprintf(word, sizeof word, " %.*s ", SPAN_TEXT(a->name));
		if (!strstr(padded, word))
			return false;
		for (k = 0; k < sizeof kinds / sizeof *kinds; k++)
			if (strstr(kinds[k].names, word))
				want = kinds[k].type;
		if (a->type != want && !(span_is(a->name, "value") && (a->type == ATTR_FLOAT || a->type == ATTR_TENSOR)))
			return false;
	}
	return true;
}

/* one number that an elementwise operator takes as a fill */
static bool
is_number(const struct lower *l, uint32_t i)
{
	double v;

	return low_number(l, i, &v);
}

/* graph nodes of the operands that are tensors; false: the row does not fit, or a type is not known */
static bool
fit_operands(struct lower *l, const char *letters, uint32_t in[])
{
	const struct tn_shape *s;
	uint32_t i;

	for (i = 0; letters[i] == 'T' || letters[i] == 'B'; i++)
		if (!low_has(l, i))
			return false;
	for (i = 0; i < l->n->nin; i++) {
		char letter = map_letter(letters, i);

		in[i] = TN_NONE;
		if (!letter || (!low_has(l, i) && letters[strlen(letters) - 1] == '*'))
			return false;
		if (!low_has(l, i) || strchr("snf", letter) || (letter == 'B' && is_number(l, i)))
			continue;
		in[i] = onnx_materialise(l->x, l->n->in[i], NULL);
		if (in[i] == TN_NONE)
			return false;
		s = low_shape(l, in[i]);
		if (s->rank < 0 || s->dtype == TN_UNTYPED)
			return false;
	}
	return true;
}

/* what the program's declarations call the operator; every operand must be there */
static bool
declared_row(const struct tn_onnx *x, const struct onnx_node *n, struct lower_row *row)
{
	unsigned op = map_declared(x->program, n);

	if (op == TN_NONE)
		return false;
	*row = (struct lower_row){NULL, "T*", NULL, 1, 0, lower_declared, x->program->op[op].name};
	return true;
}

/* the graph as it was before a lowering that failed */
static void
undo(struct tn_graph *g, uint32_t nnode, uint32_t nkid, uint32_t nweight)
{
	g->nnode = nnode;
	g->nkid = nkid;
	while (g->nweight > nweight) {
		g->nweight--;
		if (g->weight[g->nweight].is_owned)
			mem_free((void *)(uintptr_t)g->weight[g->nweight].data);
	}
}

/* every result that anything uses was made */
static bool
results_made(const struct onnx_node *n, const uint32_t out[], const bool is_used[])
{
	uint32_t i;

	for (i = 0; i < n->nout; i++)
		if (n->out[i] != ONNX_NONE && is_used[n->out[i]] && out[i] == TN_NONE)
			return false;
	return true;
}

static bool
try_lowering(struct tn_onnx *x, uint32_t node, const struct lower_row *row, const bool is_used[])
{
	const struct onnx_node *n = &x->model.node.at[node];
	uint32_t *in = mem_alloc((n->nin + 1) * sizeof *in), *out = mem_alloc((n->nout + 1) * sizeof *out);
	struct lower l = {x, x->graph, n, node, row->tenon, in, out};
	uint32_t i, nnode, nkid, nweight;
	bool ok = n->nout > 0 && fit_operands(&l, row->operands, in);

	if (ok) {
		for (i = 0; i < n->nout; i++)
			out[i] = TN_NONE;
		nnode = x->graph->nnode;
		nkid = x->graph->nkid;
		nweight = x->graph->nweight;
		ok = row->lower(&l) && results_made(n, out, is_used);
		if (!ok)
			undo(x->graph, nnode, nkid, nweight);
	}
	for (i = 0; ok && i < n->nout; i++)
		if (n->out[i] != ONNX_NONE)
			x->node_of[n->out[i]] = out[i];
	mem_free(in);
	mem_free(out);
	return ok;
}

static bool
lower_node(struct tn_onnx *x, uint32_t node, const bool is_used[])
{
	const struct onnx_node *n = &x->model.node.at[node];
	const struct lower_row *row = domain_is_default(n->domain) ? map_row(n->op) : NULL;
	unsigned op = row ? tn_op_named(x->program, row->tenon) : TN_NONE;
	struct lower_row own;

	if (x->model.has_training || n->ncapture || n->has_overload || model_has_function(&x->model, n))
		return false;
	if (row && (op == TN_NONE || !op_is_namesake(&x->program->op[op])))
		return x->opset >= row->since && (row->until == 0 || x->opset <= row->until) && attributes_fit(n, row->attributes) &&
		    try_lowering(x, node, row, is_used);
	return declared_row(x, n, &own) && try_lowering(x, node, &own, is_used);
}

/* all operands of a node that stays opaque */
static bool
read_opaque(struct tn_onnx *x, uint32_t node, struct tn_error *e)
{
	const struct onnx_node *n = &x->model.node.at[node];
	uint32_t i;

	for (i = 0; i < n->nin; i++)
		if (n->in[i] != ONNX_NONE && onnx_materialise(x, n->in[i], e) == TN_NONE)
			return false;
	for (i = 0; i < n->ncapture; i++)
		if (onnx_materialise(x, n->capture[i], e) == TN_NONE)
			return false;
	onnx_make_opaque(x, node);
	return true;
}

static bool
read_node(struct tn_onnx *x, uint32_t node, const bool is_used[], struct tn_error *e)
{
	const struct onnx_node *n = &x->model.node.at[node];
	struct onnx_tensor t;

	if (n->nout == 1 && n->out[0] != ONNX_NONE && onnx_constant(x, n->out[0], &t))
		return true;
	if (!x->model.has_training && !model_has_function(&x->model, n) && onnx_eval_sym(x, node)) {
		x->is_sym_node[node] = true;
		return true;
	}
	return lower_node(x, node, is_used) || read_opaque(x, node, e);
}

/* ---- the graph -------------------------------------------------------------------------------- */

/* nodes in topological order: the file's, if it is one */
static bool
find_order(struct tn_onnx *x, struct tn_error *e)
{
	const struct onnx_model *m = &x->model;
	uint32_t *first = mem_alloc((m->node.n + 1) * sizeof *first), i, k;
	uint64_t *key = mem_alloc((m->node.n + 1) * sizeof *key);
	VEC(uint32_t) need = {0};
	bool ok;

	for (i = 0; i < m->node.n; i++) {
		const struct onnx_node *n = &m->node.at[i];

		key[i] = i;
		for (k = 0; k < n->nin; k++)
			if (n->in[k] != ONNX_NONE && m->value.at[n->in[k]].node != ONNX_NONE)
				vec_push(&need, m->value.at[n->in[k]].node);
		for (k = 0; k < n->ncapture; k++)
			if (m->value.at[n->capture[k]].node != ONNX_NONE)
				vec_push(&need, m->value.at[n->capture[k]].node);
		first[i + 1] = need.n;
	}
	x->order = arena_news(&x->mem, m->node.n + 1, uint32_t);
	ok = order_items(m->node.n, first, need.at, key, x->order);
	mem_free(first);
	mem_free(key);
	vec_free(&need);
	return ok || tn_fail(e, TN_E_INPUT, "the graph has a cycle");
}

/* is the value an operand of anything, or an output? */
static bool *
find_used(const struct onnx_model *m)
{
	bool *used = mem_alloc(m->value.n + 1);
	uint32_t i, k;

	for (i = 0; i < m->node.n; i++) {
		for (k = 0; k < m->node.at[i].nin; k++)
			if (m->node.at[i].in[k] != ONNX_NONE)
				used[m->node.at[i].in[k]] = true;
		for (k = 0; k < m->node.at[i].ncapture; k++)
			used[m->node.at[i].capture[k]] = true;
	}
	for (i = 0; i < m->value.n; i++)
		used[i] |= m->value.at[i].is_output;
	return used;
}

static void
note_params(struct tn_onnx *x, const struct onnx_info *info)
{
	uint32_t i;

	for (i = 0; i < info->rank; i++)
		if (info->dim[i].param.n)
			map_put(&x->params, info->dim[i].param.at, info->dim[i].param.n, 0, NULL);
}

static void
read_input(struct tn_onnx *x, uint32_t i)
{
	const struct onnx_info *in = &x->model.input.at[i];
	struct tn_shape s = {.dtype = TN_UNTYPED, .rank = -1};
	uint32_t value = model_value(&x->model, in->name), k;
	tn_type type = onnx_info_type(x, in, onnx_str(x, in->name));
	struct onnx_tensor t;

	if (onnx_constant(x, value, &t))
		return;
	if (type != TN_NONE)
		s = *tn_type_get(x->ctx, type);
	for (k = 0; x->narrowed[i] && (int)k < s.rank; k++)
		s.dim[k] = x->narrowed[i][k];
	x->input_value[x->ninput++] = value;
	x->node_of[value] = tn_graph_input(x->graph, onnx_str(x, in->name), tn_type_make(x->ctx, &s));
}

static bool
read_graph(struct tn_onnx *x, struct tn_error *e)
{
	const struct onnx_model *m = &x->model;
	uint32_t i, value;
	bool *is_used, ok = true;

	for (i = 0; i < m->value.n; i++)
		x->node_of[i] = TN_NONE;
	for (i = 0; i < m->input.n; i++)
		note_params(x, &m->input.at[i]);
	for (i = 0; i < m->output.n; i++)
		note_params(x, &m->output.at[i]);
	for (i = 0; i < m->info.n; i++)
		note_params(x, &m->info.at[i]);
	for (i = 0; i < m->input.n; i++)
		read_input(x, i);
	is_used = find_used(m);
	for (i = 0; ok && i < m->node.n; i++)
		ok = read_node(x, x->order[i], is_used, e);
	mem_free(is_used);
	for (i = 0; ok && i < m->output.n; i++) {
		value = model_value(&x->model, m->output.at[i].name);
		ok = onnx_materialise(x, value, e) != TN_NONE;
		if (ok)
			tn_graph_output(x->graph, onnx_str(x, m->output.at[i].name), x->node_of[value]);
	}
	return ok;
}

/* ---- opening ---------------------------------------------------------------------------------- */

static bool
read_model(struct tn_onnx *x, const struct tn_onnx_options *o, struct tn_error *e)
{
	uint32_t n;
	int i;

	if (!model_parse(&x->model, x->file, e))
		return false;
	x->opset = model_opset(&x->model, (struct span){0});
	n = x->model.value.n + 1;
	x->node_of = arena_news(&x->mem, n, uint32_t);
	x->sym_of = arena_news(&x->mem, n, const struct sym *);
	x->is_sym_node = arena_news(&x->mem, x->model.node.n + 1, bool);
	x->narrowed = arena_news(&x->mem, x->model.input.n + 1, const int64_t *);
	x->input_value = arena_news(&x->mem, x->model.input.n + 1, uint32_t);
	for (i = 0; o && i < o->nshape; i++)
		if (!onnx_narrow(x, o->shape[i], e))
			return false;
	x->graph = tn_graph_new(x->ctx, x->program, onnx_str(x, x->model.graph_name));
	x->graph->source = x;
	return find_order(x, e) && read_graph(x, e);
}

struct tn_onnx *
tn_onnx_open(struct tn_ctx *ctx, const struct tn_program *program, const char *path, const struct tn_onnx_options *o,
    struct tn_error *e)
{
	struct tn_onnx *x = mem_alloc(sizeof *x);
	struct tn_error inner = {0};
	bool ok;

	x->ctx = ctx;
	x->program = program;
	x->path = arena_str(&x->mem, path, strlen(path));
	x->files.folder = arena_str(&x->mem, path, file_folder(path));
	x->fold_overridable = o && o->fold_overridable;
	ok = file_map(path, &x->file, e);
	if (ok) {
		ok = read_model(x, o, &inner);
		if (!ok)
			tn_fail(e, inner.code, "%s: %s", path, inner.msg);
	}
	if (ok)
		return x;
	tn_onnx_close(x);
	return NULL;
}

void
tn_onnx_close(struct tn_onnx *x)
{
	if (!x)
		return;
	if (x->graph)
		tn_graph_free(x->graph);
	model_free(&x->model);
	tensor_files_free(&x->files);
	file_unmap(&x->file);
	vec_free(&x->narrowing);
	map_free(&x->params);
	arena_free(&x->mem);
	mem_free(x);
}

const struct tn_graph *
tn_onnx_graph(const struct tn_onnx *x)
{
	return x->graph;
}
