/* Data in files beside the model, where the model is written to another folder or over them: see plan.h. */
#include <string.h>

#include "base/path.h"
#include "onnx/file.h"
#include "onnx/plan.h"

/* ---- tensors inside nodes --------------------------------------------------------------------- */

static bool node_has_external(struct span node, int depth);

static bool
is_external(struct span tensor)
{
	struct wire w = wire_over(tensor);
	struct wire_field f;
	bool found = false;

	while (wire_next(&w, &f) == WIRE_FIELD)
		if (f.number == F_TENSOR_LOCATION)
			found = f.value == TENSOR_EXTERNAL;
	return found;
}

static bool
sparse_is_external(struct span sparse)
{
	struct wire w = wire_over(sparse);
	struct wire_field f;

	while (wire_next(&w, &f) == WIRE_FIELD)
		if ((f.number == F_SPARSE_VALUES || f.number == F_SPARSE_INDICES) && is_external(f.bytes))
			return true;
	return false;
}

/* of a subgraph; one that is too deep to be looked at counts as having some */
static bool
graph_has_external(struct span graph, int depth)
{
	struct wire w = wire_over(graph);
	struct wire_field f;

	while (depth < ONNX_DEPTH && wire_next(&w, &f) == WIRE_FIELD)
		if ((f.number == F_GRAPH_NODE && node_has_external(f.bytes, depth)) ||
		    (f.number == F_GRAPH_INITIALIZER && is_external(f.bytes)) ||
		    (f.number == F_GRAPH_SPARSE_INITIALIZER && sparse_is_external(f.bytes)))
			return true;
	return depth >= ONNX_DEPTH;
}

static bool
attr_has_external(struct span attr, int depth)
{
	struct wire w = wire_over(attr);
	struct wire_field f;

	while (wire_next(&w, &f) == WIRE_FIELD)
		if (((f.number == F_ATTRIBUTE_T || f.number == F_ATTRIBUTE_TENSORS) && is_external(f.bytes)) ||
		    ((f.number == F_ATTRIBUTE_SPARSE || f.number == F_ATTRIBUTE_SPARSES) && sparse_is_external(f.bytes)) ||
		    ((f.number == F_ATTRIBUTE_G || f.number == F_ATTRIBUTE_GRAPHS) && graph_has_external(f.bytes, depth + 1)))
			return true;
	return false;
}

static bool
node_has_external(struct span node, int depth)
{
	struct wire w = wire_over(node);
	struct wire_field f;

	while (wire_next(&w, &f) == WIRE_FIELD)
		if (f.number == F_NODE_ATTRIBUTE && attr_has_external(f.bytes, depth))
			return true;
	return false;
}

static bool
function_has_external(struct span field)
{
	struct wire w = wire_over(field), inner;
	struct wire_field f, g;

	while (wire_next(&w, &f) == WIRE_FIELD) {
		inner = wire_over(f.bytes);
		while (wire_next(&inner, &g) == WIRE_FIELD)
			if (g.number == F_FUNCTION_NODE && node_has_external(g.bytes, 0))
				return true;
	}
	return false;
}

/* anything but initializers of types that are known, which can be put into the file */
static bool
has_fixed_external(const struct onnx_model *m)
{
	uint32_t i;

	for (i = 0; i < m->init.n; i++)
		if (m->init.at[i].is_sparse ? sparse_is_external(m->init.at[i].whole)
		    : m->init.at[i].is_external && !tensor_is_known(&m->init.at[i]))
			return true;
	for (i = 0; i < m->node.n; i++)
		if (node_has_external(m->node.at[i].body, 0))
			return true;
	for (i = 0; i < m->function.n; i++)
		if (function_has_external(m->function.at[i].whole))
			return true;
	return false;
}

/* ---- where the file goes ---------------------------------------------------------------------- */

bool
external_moves(const struct tn_onnx *x, const char *path)
{
	struct arena mem = {0};
	const char *from = x->files.folder, *to = arena_str(&mem, path, file_folder(path));
	bool moves = strcmp(from, to) != 0 && !path_is_same_file(*from ? from : ".", *to ? to : ".");

	arena_free(&mem);
	return moves;
}

bool
external_check(const struct tn_onnx *x, const char *path, struct tn_error *e)
{
	struct arena mem = {0};
	const char *data = arena_printf(&mem, "%s.data", path);
	bool ok = true;
	uint32_t i;

	for (i = 0; ok && i < x->files.file.n && !path_is_same_file(x->path, path); i++)
		if (path_is_same_file(x->files.file.at[i].path, path) || path_is_same_file(x->files.file.at[i].path, data))
			ok = tn_fail(e, TN_E_IO, "%s: tensors of the input lie in '%s', which would be written over", path,
			    x->files.file.at[i].path);
	if (ok && external_moves(x, path) && has_fixed_external(&x->model))
		ok = tn_fail(e, TN_E_INPUT, "%s: the input has tensors inside nodes, or of types that are not known, in files beside it, and "
		    "can only be written to its own folder", path);
	arena_free(&mem);
	return ok;
}
