/*
 * Raising: a graph node to new ONNX nodes, in the words of the model's opset.  Broadcasting that the
 * consumer does itself needs no Expand, a bias of zeros no operand.
 */
#ifndef ONNX_RAISE_H
#define ONNX_RAISE_H

#include "onnx/plan.h"

struct raise {
	struct plan *p;
	const struct tn_graph *g;
	struct tn_ctx *ctx;
	uint32_t b;			/* the node */
	const struct tn_gnode *n;
	const struct tn_op *op;
	const char *onnx;		/* the table's ONNX operator */
	int64_t opset;
	uint64_t key;			/* place of what is made, in order of making */
};

typedef bool raise_fn(struct raise *);

/* Make what the node needs; plan_fail() where there are no words for it. */
void raise_node(struct plan *, uint32_t b);

struct raise_row {
	const char *tenon;
	int64_t opset;
	raise_fn *raise;
	const char *onnx;
};
/* NULL: the operator has none, or only the name of one that has. */
const struct raise_row *raise_row(const struct tn_op *);

/* ---- the node's attributes and operands ------------------------------------------------------- */

const struct tn_value *r_attr(const struct raise *, const char *name);
const struct tn_value *r_attr_of(const struct raise *, uint32_t node, const char *name);
int64_t r_int(const struct raise *, const char *name);
double r_float(const struct raise *, const char *name);
uint32_t r_kid(const struct raise *, int i);
const struct tn_shape *r_shape(const struct raise *, uint32_t node);
/* Operand i, whole. */
struct ref r_in(struct raise *, int i);
struct ref r_need(struct raise *, uint32_t node);
/* The operand as a user that broadcasts may have it: without its expand, a fill as a number. Its shape goes to *s. */
struct ref r_spread(struct raise *, int i, struct tn_shape *s);
bool r_is_fill(const struct raise *, uint32_t node, double *value);

/* ---- what is made ----------------------------------------------------------------------------- */

/* A node with one result: the graph node's value if `last`, else a new name. Attributes are freed. */
struct ref r_make(struct raise *, const char *op, const struct ref in[], int nin, struct buf *attrs, bool last);
struct ref r_make_many(struct raise *, const char *op, const struct ref in[], int nin, struct buf *attrs,
    const struct ref out[], int nout);
/* A one-dimensional i64 tensor. */
struct ref r_ints(struct raise *, const int64_t v[], int n);
struct ref r_number(struct raise *, double, enum tn_dtype);
struct ref r_tensor(struct raise *, const char *stem, const struct made_tensor *);
/* A one-dimensional i64 tensor of extents, reckoned from shapes where they are symbolic: first from that of node
 * `at_hand`, if it is one. */
struct ref r_extents(struct raise *, const tn_dim[], int n, uint32_t at_hand);
/* The result under another shape. */
struct ref r_reshape(struct raise *, struct ref, const struct tn_shape *from, const struct tn_shape *to, uint32_t node,
    bool last);

void attr_int(struct buf *, const char *name, int64_t);
void attr_ints(struct buf *, const char *name, const int64_t v[], size_t n);
void attr_float(struct buf *, const char *name, double);
void attr_floats(struct buf *, const char *name, const float v[], size_t n);
void attr_text(struct buf *, const char *name, const char *);

#define RAISE(tenon, opset, raise, onnx) raise_fn raise;
#include "onnx/map.def"
raise_fn raise_fill, raise_weight, raise_declared;

#endif
