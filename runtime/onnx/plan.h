/*
 * The plan of a file to write: which nodes and tensors of the original come out as they were, which
 * are new, and who bears which name.
 *
 * Graph nodes are visited users first.  A user that comes out as the very node it was says which
 * original value each of its operands stands for; the operand then takes that name, and comes out as
 * the original node too where it matches.  What matches nothing is raised (raise.h).  Original
 * values that a node needs and the graph does not have (shapes reckoned with in integers) come out
 * with all that they need.
 */
#ifndef ONNX_PLAN_H
#define ONNX_PLAN_H

#include "base/buf.h"
#include "onnx/onnx.h"

/* A name, told when all is planned. */
struct ref {
	enum { REF_NONE, REF_NODE, REF_VALUE, REF_MADE } kind;
	uint32_t id;		/* graph node, original value, or made name */
	uint32_t value;		/* NODE: the original value's name, if it has that; or ONNX_NONE */
};

/* A node that was not there. */
struct made_node {
	const char *op, *domain;
	uint32_t nin;
	const struct ref *in;
	uint32_t nout;
	const struct ref *out;
	struct buf attrs;	/* AttributeProto fields */
	uint64_t key;		/* its place */
};

/* A tensor that was not there. */
struct made_tensor {
	struct ref name;
	enum tn_dtype dtype;
	int rank;
	int64_t dim[TN_MAX_RANK];
	const void *data;
	size_t n;
};

enum { BY_NOBODY = -1, BY_INPUT = -2, BY_INIT = -3, BY_TENSOR = -4 };	/* or: item of plan.item */

/* An original node that comes out, maybe with other operands; or a made one. */
struct item {
	uint32_t node;		/* original, or ONNX_NONE */
	uint32_t made;
	struct ref *in;		/* of an original: operands, then captures */
};

/* What is known of a graph node to be written. */
struct place {
	bool is_needed, is_done;
	uint64_t key;		/* of its first user */
	struct ref name;	/* once done */
	VEC(uint32_t) want;	/* original values it stands for */
};

struct plan {
	struct tn_onnx *x;
	const struct tn_graph *g;
	bool is_strict;		/* nodes that are the same twice come out once */
	bool is_anew;		/* nothing of the original but opaque operators */
	bool reckons;		/* extents come from nodes before alone, none from the original's reckoning */
	struct arena mem;
	struct place *place;	/* by graph node */
	uint32_t *owner;	/* by original value: the graph node that stands for it */
	int64_t *by;		/* by original value: what defines its name */
	bool *is_must;		/* by original value: the name must be there */
	uint32_t *equal;	/* by graph node: the original graph's node of the same value, or TN_NONE */
	uint32_t *first_value, *next_value;	/* by original graph node, original value: the values it is */
	int64_t *item_of;	/* by original node: its item, or -1 */
	bool *keeps;		/* by initializer */
	VEC(struct item) item;
	uint32_t *order;	/* of items, each after what it uses */
	VEC(struct made_node) made;
	VEC(struct made_tensor) tensor;
	VEC(const char *) name;	/* made names */
	struct map names;	/* those in use */
	struct map constants;	/* made tensors by content */
	VEC(uint32_t) demand;	/* original values to be there by name */
	uint32_t counter;	/* of fresh names */
	struct tn_error *error;
	bool failed;
};

/* Plan g over the original; false: error. */
bool onnx_plan_make(struct plan *, struct tn_onnx *, const struct tn_graph *, bool is_strict, struct tn_error *);
/* The same with nothing of the original but opaque operators. */
bool onnx_plan_anew(struct plan *, struct tn_onnx *, const struct tn_graph *, struct tn_error *);
void onnx_plan_free(struct plan *);
/* plan_order.c: set p->order; false: there is a cycle */
bool plan_order(struct plan *);
/* Would the file be the original's? */
bool plan_is_unchanged(const struct plan *);
/* Does an original node come out with the operands and results it had? */
bool plan_is_verbatim(const struct plan *, const struct item *);
/* The ref of what defines a ref's name: a VALUE or a MADE name; and that name. */
struct ref plan_resolve(const struct plan *, struct ref);
struct span plan_name(const struct plan *, struct ref);

/* Graph node b stands for the original value, unless another does. */
void plan_want(struct plan *, uint32_t b, uint32_t value);
/* The same for a name that the file must have; false: another does. */
bool plan_claim(struct plan *, uint32_t b, uint32_t value);
/* claim.c: the names that must be there; false: two values would bear one. */
bool claim_names(struct plan *);

/* ---- for raisings ----------------------------------------------------------------------------- */

struct ref plan_fresh(struct plan *, const char *stem);
/* The graph node's value, wanted by a user at `key`. */
struct ref plan_need(struct plan *, uint32_t node, uint64_t key);
/* The original value under its own name. */
struct ref plan_demand(struct plan *, uint32_t value);
/* Name of a new value: one that it stands for and nothing else gives, or a fresh one. */
struct ref plan_new_name(struct plan *, uint32_t node, const char *stem);
bool plan_fail(struct plan *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* external.c: is the path in another folder than the model was read from? */
bool external_moves(const struct tn_onnx *, const char *path);
/* May the model be written there?  False: error, as tensors' data would be lost or left behind. */
bool external_check(const struct tn_onnx *, const char *path, struct tn_error *);

/* equal.c: for each node of g the original graph's node that has the same value for certain, or TN_NONE */
void find_equal(const struct tn_onnx *, const struct tn_graph *g, uint32_t equal[]);
/* match.c: is graph node b what original node k made as a, with operands bound to what[] (by operand, TN_NONE where
 * not)? */
bool match_node(const struct tn_onnx *, const struct tn_graph *, uint32_t k, uint32_t a, uint32_t b, uint32_t what[]);
bool match_weight(const struct tn_graph *, uint32_t a, const struct tn_graph *, uint32_t b);

#endif
