/*
 * Inside of shape inference.
 *
 *	infer.c		tn_infer_run: what was found before, numbers, compiled or walked
 *	bind.c		operands: counts, element types, extents bound to names, numbers filled in
 *	walk.c		the tree: lets, wheres, the result
 *	steps.c		what compiled shape functions call
 *	dims.c		lists of extents by value, for them
 */
#ifndef TENSOR_INFER_H
#define TENSOR_INFER_H

#include "tensor/calc.h"

/* d*: the extent that each variadic operand has for itself, in order. */
struct star {
	int n;
	int64_t *list;
};

/* An operator's variables on given operands. */
struct walk {
	struct tn_infer *s;
	const struct tn_op *op;
	const tn_val *attr;
	struct tn_v *var;		/* by variable; BAD: not bound, or cannot be computed */
	struct star *star;		/* by variable, of STAR ones */
	int16_t *by;			/* declared operand that bound it, or -1 */
	bool *is_settled;		/* by operand: its axes have been bound */
	struct scratch scratch;
	struct calc calc;
	void *block;			/* memory of the arrays */
};

bool walk_start(struct walk *, struct tn_infer *);
/* The same where operands are still to be chosen, those among them that tell the element type. */
bool walk_start_open(struct walk *, struct tn_infer *);
void walk_end(struct walk *);
/* Bind names to the extents of the operands that are there. */
bool walk_bind_known(struct walk *);
/* The same, and fill in those that are numbers. */
bool walk_bind(struct walk *);
struct tn_v walk_eval(struct walk *, const struct tn_x *);

/* The declaration of operand i of a call; a variadic one goes on for ever. */
const struct tn_operand *infer_operand(const struct tn_op *, int i);
/* Number of operands, their element types, the record's length. */
bool infer_check(struct tn_infer *);
/* The element type that `type` of a declaration means here; UNTYPED if no operand tells. */
enum tn_dtype infer_dtype(const struct tn_infer *, int type);
/* A result extent must not be negative; `name` may be NULL. */
bool infer_extent(struct tn_infer *, const char *name, tn_dim);
/* Say why not, with the operator's name before it, and return false. */
bool infer_refuse(struct tn_infer *, const char *fmt, ...) TN_PRINTF(2, 3);

/* Text of a value, for messages. */
struct buf;
void infer_put_value(struct buf *, struct tn_ctx *, const struct tn_attr_decl *, struct tn_v);

#endif
