/*
 * An opened model: what was parsed, and the graph made of it.
 *
 * node_of says which graph node a value became; an integer value whose elements are known extents
 * (shapes, bounds) has a `sym` and becomes a node only where an opaque operator or an output asks
 * for it.
 */
#ifndef ONNX_ONNX_H
#define ONNX_ONNX_H

#include "onnx/tensor.h"
#include "tenon/tenon.h"

/* An integer tensor of rank 0 or 1 whose elements are extents. */
struct sym {
	enum tn_dtype dtype;
	int rank;
	uint32_t n;
	const tn_dim *at;
};

/* A number of the model as an extent: beyond TN_DIM_MAX lie the names of expressions, and no extent is that large. */
static inline tn_dim
onnx_cut(int64_t v)
{
	return v > TN_DIM_MAX ? TN_DIM_MAX : v < -TN_DIM_MAX ? -TN_DIM_MAX : v;
}

/* --shape: symbol `name` is `size`. */
struct narrowing {
	const char *name;
	int64_t size;
};

struct tn_onnx {
	struct arena mem;
	struct tn_ctx *ctx;
	const struct tn_program *program;
	const char *path;
	struct span file;
	struct onnx_model model;
	struct tensor_files files;
	struct tn_graph *graph;
	int64_t opset;			/* of the default domain */
	bool fold_overridable;
	uint32_t *order;		/* nodes in topological order */
	uint32_t *node_of;		/* by value: graph node, or TN_NONE */
	const struct sym **sym_of;	/* by value, or NULL */
	bool *is_sym_node;		/* by ONNX node: evaluated in extents */
	struct map params;		/* names of extents in value infos */
	VEC(struct narrowing) narrowing;
	const int64_t **narrowed;	/* by graph input: its extents, or NULL */
	bool is_narrowed;		/* any is */
	uint32_t ninput, *input_value;	/* by input of the tensor graph */
};

/* ---- names of the model as the context's strings ---------------------------------------------- */

static inline const char *
onnx_str(struct tn_onnx *x, struct span s)
{
	return tn_ctx_str(x->ctx, s.n ? (const char *)s.at : "", s.n);
}

/* ---- values.c --------------------------------------------------------------------------------- */

/* Graph node of a value, made of its constant or its sym if need be; TN_NONE and error: there is none. */
uint32_t onnx_materialise(struct tn_onnx *, uint32_t value, struct tn_error *);
/* Is the value a constant that no caller can override? Then *t describes it. */
bool onnx_constant(const struct tn_onnx *, uint32_t value, struct onnx_tensor *t);
/* The ONNX node as an opaque operator, whose operands are nodes by now, and its results. */
void onnx_make_opaque(struct tn_onnx *, uint32_t node);
/* Type of a value that a node, a sym or a constant gives; TN_NONE: none does. */
tn_type onnx_type(struct tn_onnx *, uint32_t value);

/* ---- narrow.c: --shape ------------------------------------------------------------------------ */

/* Note what "NAME=a,b,c" says of input NAME; false: error. */
bool onnx_narrow(struct tn_onnx *, const char *text, struct tn_error *);

/* ---- order.c ---------------------------------------------------------------------------------- */

/*
 * Items 0 … n - 1 so that each stands after those it needs (need[first[i]] … need[first[i + 1] - 1]),
 * and otherwise by key and number.  False: there is a cycle.
 */
bool order_items(uint32_t n, const uint32_t first[], const uint32_t need[], const uint64_t key[], uint32_t out[]);

/* ---- write.c ---------------------------------------------------------------------------------- */

#define ONNX_INSIDE ((uint64_t)1900 << 20)	/* protobuf ends at 2 GiB */
/* tn_onnx_write, with tensors in a file of their own if they have more bytes than `inside`. */
bool onnx_write_within(struct tn_onnx *, const struct tn_graph *, const char *path, uint64_t inside, struct tn_error *);
/* tn_onnx_write with every node raised anew but opaque ones: for tests of the raisings. */
bool onnx_write_anew(struct tn_onnx *, const struct tn_graph *, const char *path, struct tn_error *);

/* ---- symbolic.c: integers in extents ---------------------------------------------------------- */

/* What a value holds, in extents; NULL: not known. */
const struct sym *onnx_sym(struct tn_onnx *, uint32_t value);
/* Evaluate a node in extents; true: its results have their syms. */
bool onnx_eval_sym(struct tn_onnx *, uint32_t node);
enum { SYM_MOST = 64 };		/* elements */

/* ---- types.c: results of operators that stay opaque ------------------------------------------- */

void onnx_opaque_types(struct tn_onnx *, const struct onnx_node *, tn_type out[]);
/* Type a value info states; TN_NONE: it states none. */
tn_type onnx_info_type(struct tn_onnx *, const struct onnx_info *, const char *stem);

/* ---- match.c ---------------------------------------------------------------------------------- */

/* The index of an input, weight, opaque operator or result. */
uint32_t graph_index(const struct tn_graph *, uint32_t node);

/* ---- shapes.c: broadcasting ------------------------------------------------------------------- */

/* The common shape of two under ONNX's broadcasting; false: it cannot be told. */
bool shape_broadcast(struct tn_ctx *, const struct tn_shape *, const struct tn_shape *, struct tn_shape *out);

#endif
