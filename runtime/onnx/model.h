/*
 * An ONNX model as parsed: nodes, attributes, tensors, value infos, as spans of the mapped file.
 *
 * Values are numbered; a value is what a name of the main graph stands for.  What a subgraph uses
 * of the graph around it is listed with the node that holds it.
 */
#ifndef ONNX_MODEL_H
#define ONNX_MODEL_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "onnx/schema.h"
#include "onnx/wire.h"
#include "tenon/op.h"

#define ONNX_NONE UINT32_MAX	/* an operand left out; no node, no initializer */
#define ONNX_DEPTH 64		/* subgraphs in subgraphs */

struct onnx_attr {
	struct span name, s, t, whole;
	enum onnx_attr_type type;
	bool is_reference;	/* to an attribute of the function around */
	int64_t i;
	float f;
	uint32_t n;		/* INTS, FLOATS */
	const int64_t *ints;
	const float *floats;
};

struct onnx_node {
	struct span whole;	/* the field with its tag */
	struct span body, name, op, domain;
	uint32_t nin, nout, nattr, ncapture;
	const uint32_t *in;	/* values, ONNX_NONE where left out */
	const uint32_t *out;
	const struct onnx_attr *attr;
	const uint32_t *capture;	/* values its subgraphs use of this graph */
	bool has_overload;
};

/* A tensor's description; its data is read by tensor.c. */
struct onnx_tensor {
	struct span body, name, raw;
	int64_t type;		/* as ONNX numbers them */
	enum tn_dtype dtype;	/* UNTYPED: one we have not */
	bool has_raw, is_external, is_segment, is_sparse;
	uint32_t rank;
	const int64_t *dim;
	struct span whole;	/* of an initializer: the field with its tag */
};

struct onnx_dim {
	bool has_value;
	int64_t value;
	struct span param;	/* empty: none */
};

/* ValueInfoProto: of an input, output or value. */
struct onnx_info {
	struct span whole, body, name;
	bool is_tensor, has_shape;
	int64_t type;
	enum tn_dtype dtype;
	uint32_t rank;
	const struct onnx_dim *dim;
};

struct onnx_value {
	struct span name;
	uint32_t node, out;	/* made by this node as this result, or ONNX_NONE */
	uint32_t init;		/* initializer, or ONNX_NONE */
	uint32_t input;		/* graph input, or ONNX_NONE */
	uint32_t info;		/* value info, or ONNX_NONE */
	bool is_output;
};

struct onnx_opset {
	struct span domain;
	int64_t version;
};

/* A function of the model's own, in place of an operator. */
struct onnx_function {
	struct span domain, name;
	struct span whole;	/* the field with its tag */
};

struct onnx_model {
	struct arena mem;
	struct span file;
	struct span graph_whole, graph, graph_name;
	int64_t ir_version;
	bool has_training;
	VEC(struct onnx_opset) opset;
	VEC(struct onnx_function) function;
	VEC(struct onnx_node) node;
	VEC(struct onnx_tensor) init;
	VEC(struct onnx_info) input;
	VEC(struct onnx_info) output;
	VEC(struct onnx_info) info;
	VEC(struct onnx_value) value;
	struct map value_of;	/* name: value */
	struct map names;	/* every name of a value, also inside subgraphs */
};

/* Parse the mapped file, which must outlive the model.  False: error, and the model is to be freed all the same. */
bool model_parse(struct onnx_model *, struct span file, struct tn_error *);
void model_free(struct onnx_model *);
/* Version of an operator set, the default one for ""; 0: not imported. */
int64_t model_opset(const struct onnx_model *, struct span domain);
/* Is the operator one of the model's own functions? */
bool model_has_function(const struct onnx_model *, const struct onnx_node *);
const struct onnx_attr *node_attr(const struct onnx_node *, const char *name);
/* "" and "ai.onnx" */
bool domain_is_default(struct span);
/* For messages: "Conv 'conv_1'". */
const char *node_text(struct arena *, const struct onnx_node *);

/* parse_*.c: one message each; false where it is malformed */
bool parse_node(struct onnx_model *, struct wire_field, struct onnx_node *, struct tn_error *);
bool parse_tensor(struct arena *, struct span, struct onnx_tensor *);
bool parse_info(struct arena *, struct span, struct onnx_info *);
/* The number of the value of this name, made if new. */
uint32_t model_value(struct onnx_model *, struct span name);
enum tn_dtype dtype_of_onnx(int64_t);
int64_t dtype_to_onnx(enum tn_dtype);

#endif
