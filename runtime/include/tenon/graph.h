/*
 * The tensor graph: a model as nodes of the program's operators in topological order.
 *
 * A graph owns its nodes and names; types, attribute values and extents belong to its context, the
 * operators to the program.  Weight data may be borrowed from a mapped file (see tn_weight).
 */
#ifndef TENON_GRAPH_H
#define TENON_GRAPH_H

#include <stdio.h>

#include "match.h"

/* Node n's value; operands come before their users. */
struct tn_gnode {
	uint16_t op;		/* TN_FILL, TN_INPUT, TN_WEIGHT, TN_OPAQUE, TN_RESULT or a declared operator */
	uint16_t nkid;
	tn_attrs attrs;
	tn_type type;		/* TN_OPAQUE: unknown; its TN_RESULTs have types */
	uint32_t kid;		/* first operand, in tn_graph.kid */
	uint32_t origin;	/* what it was read from: the importer's number, or TN_NONE */
};

struct tn_input {
	const char *name;
	tn_type type;
};

/* A constant tensor, row-major, little-endian, in its own dtype. */
struct tn_weight {
	const char *name;	/* "" if made by folding */
	tn_type type;		/* dims are numbers */
	const void *data;	/* size_bytes of them */
	size_t size_bytes;
	bool is_owned;		/* malloc'ed and freed by the graph; else borrowed from the model */
	const char *seed;	/* ":seed 7", where the text said the elements so, to write it again; or NULL */
};

struct tn_output {
	const char *name;
	uint32_t node;
};

struct tn_graph {
	struct tn_ctx *ctx;
	const struct tn_program *program;
	const char *name;
	const void *source;		/* the model whose parts the origins number; NULL: none that is open */
	uint32_t nnode, ninput, nweight, noutput, nkid;
	struct tn_gnode *node;
	uint32_t *kid;
	struct tn_input *input;
	struct tn_weight *weight;
	struct tn_output *output;
	uint32_t cap[5];		/* of node, kid, input, weight, output */
};

/* A graph without nodes; the name is copied. */
TN_API struct tn_graph *tn_graph_new(struct tn_ctx *, const struct tn_program *, const char *name);
TN_API void tn_graph_free(struct tn_graph *);
/*
 * Each returns the number of the new node.  kid[] are numbers of earlier nodes; origin is what the node was read
 * from, or TN_NONE.  Node types are inferred: TN_NONE and error where a shape check fails, or where there are more
 * than TN_MAX_OPERANDS; an opaque node, which has no error, must not have more.
 */
TN_API uint32_t tn_graph_input(struct tn_graph *, const char *name, tn_type);
TN_API uint32_t tn_graph_weight(struct tn_graph *, const struct tn_weight *);		/* takes over owned data */
/* The value everywhere, as f32 holds it and an element of the type, whose rank is known. */
TN_API uint32_t tn_graph_fill(struct tn_graph *, double value, tn_type);
TN_API uint32_t tn_graph_node(struct tn_graph *, unsigned op, tn_attrs, const uint32_t kid[], int nkid,
    uint32_t origin, struct tn_error *);
TN_API uint32_t tn_graph_opaque(struct tn_graph *, const uint32_t kid[], int nkid, uint32_t origin);
/* What an opaque operator is: of two with one text, on equal operands, the results are equal.  Without it
 * only those of one model, by origin, are the same ones. */
TN_API void tn_graph_describe(struct tn_graph *, uint32_t opaque, const char *text);
/* Result p, from 0, of an opaque operator. */
TN_API uint32_t tn_graph_result(struct tn_graph *, uint32_t opaque, int p, tn_type);
/* The node is an output of that name, after those that are there. */
TN_API void tn_graph_output(struct tn_graph *, const char *name, uint32_t node);
/* The node of another graph of the context, on these operands; a weight's data is borrowed.  TN_NONE and error. */
TN_API uint32_t tn_graph_copy_node(struct tn_graph *, const struct tn_graph *from, uint32_t node, const uint32_t kid[],
    struct tn_error *);
/* The same graph, which borrows the weights' data; NULL and error. */
TN_API struct tn_graph *tn_graph_copy(const struct tn_graph *, struct tn_error *);
/* The operator's number in the program by name, or TN_NONE. */
TN_API unsigned tn_op_named(const struct tn_program *, const char *name);

/*
 * Text form, in the rule files' syntax:
 *
 *	(graph NAME
 *	  (input x f32 [1 3 h w])
 *	  (weight k f32 [8 3 3 3] :seed 7)        ; seeded; :seed 7 :between [0 1]; :data [0.5 1 …]; :fill 0.5
 *	  (let y (conv2d x k :strides [1 1]))
 *	  (let o (opaque y 12 "Resize …"))        ; its number in the model it is from, and what it is
 *	  (output (relu (result o 0 f32 [1 8 u v])) "z"))
 *
 * Operands may be operators in their place; numbers are fills of the shape that their place gives; a
 * trailing default operand may be left out, and an attribute that is as declared.  A name is quoted if it
 * looks like something else.  What is written reads back as the same graph, but for the bits of a NaN.
 * Errors name file:line:col.
 */
TN_API struct tn_graph *tn_graph_read(struct tn_ctx *, const struct tn_program *, const char *path, struct tn_error *);
/* The same of text in memory; `name` goes into errors. */
TN_API struct tn_graph *tn_graph_parse(struct tn_ctx *, const struct tn_program *, const char *name,
    const char *text, size_t len, struct tn_error *);
/* Without the data of weights larger than a line what is written is for people: reading it says so. */
TN_API void tn_graph_write(const struct tn_graph *, FILE *, bool with_data);
/* A drawing for Graphviz. */
TN_API void tn_graph_dot(const struct tn_graph *, FILE *);

/* Is the node reached by no graph input and no opaque operator? one byte a node, caller frees. */
TN_API bool *tn_graph_constants(const struct tn_graph *);
/* Does an output need the node? one byte a node, caller frees. */
TN_API bool *tn_graph_needed(const struct tn_graph *);

#endif
