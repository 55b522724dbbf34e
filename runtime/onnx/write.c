/* Writing: a planned file over the original's frame. */
#include <string.h>

#include "onnx/emit.h"
#include "onnx/file.h"
#include "onnx/plan.h"

enum { LARGE = 1024, ALIGN = 4096 };	/* external tensors: bytes each at least, and where they start */

struct writer {
	struct plan *p;
	const struct onnx_model *m;
	struct arena *mem;
	const char *path;
	bool is_outside;	/* large tensors go to a file of their own */
	bool moves;		/* the file is written to another folder than the original's */
	struct pieces data;	/* of that file */
	struct tn_error *error;
};

/* ---- nodes ------------------------------------------------------------------------------------ */

static void
put_span(struct buf *b, uint32_t number, struct span s)
{
	wire_put_bytes(b, number, s.at, s.n);
}

/* an original node with other names of operands and results */
static void
put_renamed(struct writer *w, const struct item *it, struct buf *body)
{
	const struct onnx_node *n = &w->m->node.at[it->node];
	struct wire wire = wire_over(n->body);
	struct wire_field f;
	uint32_t in = 0, out = 0, v;

	while (wire_next(&wire, &f) == WIRE_FIELD) {
		struct span name = {0};

		if (f.number == F_NODE_INPUT) {
			if (n->in[in] != ONNX_NONE)
				name = plan_name(w->p, it->in[in]);
			in++;
			put_span(body, f.number, name);
		} else if (f.number == F_NODE_OUTPUT) {
			v = n->out[out++];
			if (v != ONNX_NONE && w->p->by[v] != w->p->item_of[it->node])
				name = plan_name(w->p, plan_fresh(w->p, ""));
			else if (v != ONNX_NONE)
				name = w->m->value.at[v].name;
			put_span(body, f.number, name);
		} else {
			buf_put(body, f.whole.at, f.whole.n);
		}
	}
}

static void
put_made(struct writer *w, const struct made_node *n, struct buf *body)
{
	uint32_t i;

	for (i = 0; i < n->nin; i++)
		put_span(body, F_NODE_INPUT, plan_name(w->p, n->in[i]));
	for (i = 0; i < n->nout; i++)
		put_span(body, F_NODE_OUTPUT, plan_name(w->p, n->out[i]));
	put_span(body, F_NODE_NAME, plan_name(w->p, n->out[0]));
	wire_put_text(body, F_NODE_OP, n->op);
	if (n->attrs.n)
		buf_put(body, n->attrs.at, n->attrs.n);
	if (*n->domain)
		wire_put_text(body, F_NODE_DOMAIN, n->domain);
}

static void
put_item(struct writer *w, const struct item *it, struct pieces *to)
{
	struct buf body = {0}, field = {0};

	if (it->node != ONNX_NONE && plan_is_verbatim(w->p, it)) {
		pieces_borrow(to, w->m->node.at[it->node].whole.at, w->m->node.at[it->node].whole.n);
		return;
	}
	if (it->node != ONNX_NONE)
		put_renamed(w, it, &body);
	else
		put_made(w, &w->p->made.at[it->made], &body);
	wire_put_bytes(&field, F_GRAPH_NODE, body.at, body.n);
	pieces_take(to, &field);
	buf_free(&body);
}

static void
put_nodes(struct writer *w, struct pieces *to)
{
	uint32_t i;

	for (i = 0; i < w->p->item.n; i++)
		put_item(w, &w->p->item.at[w->p->order[i]], to);
}

/* ---- tensors ---------------------------------------------------------------------------------- */

static void
put_entry(struct buf *b, const char *key, const char *value)
{
	struct buf entry = {0};

	wire_put_text(&entry, F_ENTRY_KEY, key);
	wire_put_text(&entry, F_ENTRY_VALUE, value);
	wire_put_bytes(b, F_TENSOR_EXTERNAL, entry.at, entry.n);
	buf_free(&entry);
}

/* where in the file beside the model the tensor lies */
static void
put_outside(struct writer *w, const struct made_tensor *t, struct buf *head)
{
	static const char zeros[ALIGN];
	const char *file = w->path + file_folder(w->path);

	if (w->data.n % ALIGN)
		pieces_borrow(&w->data, zeros, ALIGN - (size_t)(w->data.n % ALIGN));
	put_entry(head, "location", arena_printf(w->mem, "%s.data", file));
	put_entry(head, "offset", arena_printf(w->mem, "%llu", (unsigned long long)w->data.n));
	put_entry(head, "length", arena_printf(w->mem, "%zu", t->n));
	wire_put_int(head, F_TENSOR_LOCATION, TENSOR_EXTERNAL);
	pieces_borrow(&w->data, t->data, t->n);
}

static void
put_tensor(struct writer *w, struct span name, const struct made_tensor *t, struct pieces *to)
{
	struct pieces body = {.mem = w->mem};
	struct buf head = {0};

	wire_put_ints(&head, F_TENSOR_DIMS, t->dim, (size_t)t->rank);
	wire_put_int(&head, F_TENSOR_TYPE, dtype_to_onnx(t->dtype));
	put_span(&head, F_TENSOR_NAME, name);
	if (w->is_outside && t->n >= LARGE) {
		put_outside(w, t, &head);
		pieces_take(&body, &head);
	} else {
		wire_put_head(&head, F_TENSOR_RAW, t->n);
		pieces_take(&body, &head);
		pieces_borrow(&body, t->data, t->n);
	}
	pieces_field(to, F_GRAPH_INITIALIZER, &body);
}

/* an original initializer: as it was, unless its data has to move */
static bool
put_init(struct writer *w, uint32_t i, struct pieces *to)
{
	const struct onnx_tensor *init = &w->m->init.at[i];
	struct made_tensor t = {.dtype = init->dtype, .rank = (int)init->rank};
	struct tensor_data d;

	if (!tensor_is_known(init) || !(w->is_outside || (w->moves && init->is_external))) {
		pieces_borrow(to, init->whole.at, init->whole.n);
		return true;
	}
	if (!tensor_read(&w->p->x->files, init, &d, w->error))
		return false;
	t.data = d.is_owned ? arena_dup(w->mem, d.at, d.n) : d.at;
	t.n = d.n;
	if (init->rank)
		memcpy(t.dim, init->dim, init->rank * sizeof *t.dim);
	if (d.is_owned)
		mem_free((void *)(uintptr_t)d.at);
	put_tensor(w, init->name, &t, to);
	return true;
}

static void
put_new_tensors(struct writer *w, struct pieces *to)
{
	uint32_t i;

	for (i = 0; i < w->p->tensor.n; i++)
		put_tensor(w, plan_name(w->p, w->p->tensor.at[i].name), &w->p->tensor.at[i], to);
}

/* ---- value infos ------------------------------------------------------------------------------ */

/* one dimension, with its number if --shape states one */
static void
put_dim(struct writer *w, struct span dim, const int64_t *stated, struct buf *to)
{
	struct wire wire = wire_over(dim);
	struct wire_field f;
	const int64_t *n = stated;
	uint32_t i;

	while (wire_next(&wire, &f) == WIRE_FIELD)
		for (i = 0; !n && f.number == F_DIM_PARAM && i < w->p->x->narrowing.n; i++)
			if (span_is(f.bytes, w->p->x->narrowing.at[i].name))
				n = &w->p->x->narrowing.at[i].size;
	if (n)
		wire_put_int(to, F_DIM_VALUE, *n);
	wire = wire_over(dim);
	while (wire_next(&wire, &f) == WIRE_FIELD)
		if (!n || (f.number != F_DIM_PARAM && f.number != F_DIM_VALUE))
			buf_put(to, f.whole.at, f.whole.n);
}

/* copy of a value info down to its dimensions; `stated` are an input's extents, or NULL */
static void
put_narrowed(struct writer *w, struct span body, int level, const int64_t **stated, struct buf *to)
{
	static const uint32_t path[] = {F_VALUE_TYPE, F_TYPE_TENSOR, F_TENSORTYPE_SHAPE, F_SHAPE_DIM};
	struct wire wire = wire_over(body);
	struct wire_field f;

	while (wire_next(&wire, &f) == WIRE_FIELD) {
		struct buf inner = {0};

		if (f.number != path[level] || f.type != WIRE_BYTES) {
			buf_put(to, f.whole.at, f.whole.n);
			continue;
		}
		if (level < 3) {
			put_narrowed(w, f.bytes, level + 1, stated, &inner);
		} else {
			put_dim(w, f.bytes, *stated, &inner);
			if (*stated)
				++*stated;
		}
		wire_put_bytes(to, f.number, inner.at, inner.n);
		buf_free(&inner);
	}
}

static void
put_info(struct writer *w, const struct onnx_info *info, uint32_t number, const int64_t *stated, struct pieces *to)
{
	struct buf body = {0}, field = {0};

	if (w->p->x->narrowing.n == 0 && !stated) {
		pieces_borrow(to, info->whole.at, info->whole.n);
		return;
	}
	put_narrowed(w, info->body, 0, &stated, &body);
	wire_put_bytes(&field, number, body.at, body.n);
	pieces_take(to, &field);
	buf_free(&body);
}

/* is the name of a value info one of the file's? */
static bool
is_named(const struct writer *w, const struct onnx_info *info)
{
	const uint32_t *v = info->name.n ? map_get(&w->m->value_of, info->name.at, info->name.n) : NULL;

	return !v || w->p->by[*v] != BY_NOBODY || (w->m->value.at[*v].node == ONNX_NONE && w->m->value.at[*v].init == ONNX_NONE);
}

/* ---- graph and model -------------------------------------------------------------------------- */

/* how far the copy of the graph's fields has come */
struct progress {
	uint32_t init, input, output, info;
	bool has_nodes, has_tensors;
};

static bool
put_field(struct writer *w, const struct wire_field *f, struct progress *at, struct pieces *to)
{
	const struct onnx_info *info;

	switch (f->number) {
	case F_GRAPH_NODE:
		if (at->has_nodes)
			return true;
		at->has_nodes = true;
		put_nodes(w, to);
		return true;
	case F_GRAPH_INITIALIZER:
	case F_GRAPH_SPARSE_INITIALIZER:
		return !w->p->keeps[at->init++] || put_init(w, at->init - 1, to);
	case F_GRAPH_INPUT:
		info = &w->m->input.at[at->input];
		put_info(w, info, f->number, w->p->x->narrowed[at->input++], to);
		return true;
	case F_GRAPH_OUTPUT:
		put_info(w, &w->m->output.at[at->output++], f->number, NULL, to);
		return true;
	case F_GRAPH_VALUE_INFO:
		info = &w->m->info.at[at->info++];
		if (is_named(w, info))
			put_info(w, info, f->number, NULL, to);
		return true;
	default:
		pieces_borrow(to, f->whole.at, f->whole.n);
		return true;
	}
}

/* The graph's fields in their order; new tensors follow the initializers that were there, or the nodes. */
static bool
put_graph(struct writer *w, struct pieces *to)
{
	struct wire wire = wire_over(w->m->graph);
	struct wire_field f;
	struct progress at = {0};
	bool ok = true;

	while (ok && wire_next(&wire, &f) == WIRE_FIELD) {
		if (!at.has_nodes && f.number > F_GRAPH_NAME) {
			at.has_nodes = w->m->node.n == 0;
			if (at.has_nodes)
				put_nodes(w, to);
		}
		if (!at.has_tensors && (w->m->init.n ? at.init == w->m->init.n : f.number > F_GRAPH_INITIALIZER)) {
			put_new_tensors(w, to);
			at.has_tensors = true;
		}
		ok = put_field(w, &f, &at, to);
	}
	if (ok && !at.has_nodes)
		put_nodes(w, to);
	if (ok && !at.has_tensors)
		put_new_tensors(w, to);
	return ok && !w->p->failed;
}

static bool
put_model(struct writer *w, struct pieces *to)
{
	struct wire wire = wire_over(w->m->file);
	struct wire_field f;
	bool ok = true;

	while (ok && wire_next(&wire, &f) == WIRE_FIELD) {
		struct pieces graph = {.mem = w->mem};

		if (f.number != F_MODEL_GRAPH) {
			pieces_borrow(to, f.whole.at, f.whole.n);
			continue;
		}
		ok = put_graph(w, &graph);
		if (ok)
			pieces_field(to, f.number, &graph);
		else
			pieces_free(&graph);
	}
	return ok;
}

/* ---- the whole -------------------------------------------------------------------------------- */

/* bytes of an original initializer as it comes out */
static uint64_t
init_bytes(const struct writer *w, uint32_t i)
{
	const struct onnx_tensor *init = &w->m->init.at[i];
	struct tensor_data d;
	uint64_t n = init->body.n;

	/* what cannot be read is said by put_init() */
	if (w->moves && init->is_external && tensor_read(&w->p->x->files, init, &d, NULL)) {
		n = d.n;
		if (d.is_owned)
			mem_free((void *)(uintptr_t)d.at);
	}
	return n;
}

/* bytes of all tensors that come out as initializers */
static uint64_t
tensor_bytes(const struct writer *w)
{
	uint64_t n = 0;
	uint32_t i;

	for (i = 0; i < w->m->init.n; i++)
		if (w->p->keeps[i])
			n += init_bytes(w, i);
	for (i = 0; i < w->p->tensor.n; i++)
		n += w->p->tensor.at[i].n;
	return n;
}

static bool
has_external(const struct onnx_model *m)
{
	uint32_t i;

	for (i = 0; i < m->init.n; i++)
		if (m->init.at[i].is_external)
			return true;
	return false;
}

static bool
write_plan(struct plan *p, const char *path, uint64_t inside, struct tn_error *e)
{
	struct arena mem = {0};
	struct writer w = {p, &p->x->model, &mem, path, false, external_moves(p->x, path), {.mem = &mem}, e};
	struct pieces model = {.mem = &mem};
	struct new_file file[2] = {{.pieces = &w.data, .path = arena_printf(&mem, "%s.data", path)}, {.pieces = &model, .path = path}};
	bool ok;

	w.is_outside = tensor_bytes(&w) > inside;
	ok = put_model(&w, &model) && (w.data.n ? files_write(file, 2, e) : files_write(file + 1, 1, e));
	pieces_free(&model);
	pieces_free(&w.data);
	arena_free(&mem);
	return ok;
}

/* the original's bytes */
static bool
write_copy(const struct tn_onnx *x, const char *path, struct tn_error *e)
{
	struct pieces bytes = {0};
	struct new_file file = {.pieces = &bytes, .path = path};
	bool ok;

	pieces_borrow(&bytes, x->file.at, x->file.n);
	ok = files_write(&file, 1, e);
	pieces_free(&bytes);
	return ok;
}

/* Write what is unchanged as it was, else what the plan says.  Equal nodes are one, unless it is the original's graph. */
static bool
write_legal(struct tn_onnx *x, const struct tn_graph *g, bool is_original, const char *path, uint64_t inside, struct tn_error *e)
{
	struct plan p;
	bool ok = onnx_plan_make(&p, x, g, !is_original, e);

	if (ok && plan_is_unchanged(&p) && !x->is_narrowed && x->file.n <= inside &&
	    !(has_external(&x->model) && external_moves(x, path)))
		ok = write_copy(x, path, e);
	else if (ok)
		ok = write_plan(&p, path, inside, e);
	onnx_plan_free(&p);
	return ok;
}

bool
onnx_write_within(struct tn_onnx *x, const struct tn_graph *g, const char *path, uint64_t inside, struct tn_error *e)
{
	struct tn_graph *legal = tn_onnx_legal(x, g, NULL, e);
	bool ok = legal && external_check(x, path, e) && write_legal(x, legal, g == x->graph, path, inside, e);

	if (legal)
		tn_graph_free(legal);
	return ok;
}

bool
onnx_write_anew(struct tn_onnx *x, const struct tn_graph *g, const char *path, struct tn_error *e)
{
	struct tn_graph *legal = tn_onnx_legal(x, g, NULL, e);
	struct plan p = {0};
	bool ok = legal && onnx_plan_anew(&p, x, legal, e) && write_plan(&p, path, ONNX_INSIDE, e);

	onnx_plan_free(&p);
	if (legal)
		tn_graph_free(legal);
	return ok;
}

bool
tn_onnx_write(const struct tn_onnx *x, const struct tn_graph *g, const char *path, struct tn_error *e)
{
	return onnx_write_within((struct tn_onnx *)(uintptr_t)x, g, path, ONNX_INSIDE, e);
}
