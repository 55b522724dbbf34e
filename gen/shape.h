/* Making one shape function: what shape.c and shape_x.c share. */
#ifndef GEN_SHAPE_H
#define GEN_SHAPE_H

#include "base/buf.h"
#include "gen/names.h"
#include "tenon/rule.h"

struct shape {
	struct arena *arena;
	const struct tn_op *op;
	struct names names;
	struct buf text;		/* statements */
	struct buf shapes, dims, ints;	/* declarations, without their type */
	const char **value;		/* by variable, as C; of a sequence an operand binds: its first extent's address */
	const char **length;		/* of such a sequence: how many */
	const char **place;		/* of d*: its axis */
	const char *star;		/* inside (sum [xs] …): the extent of the operand at hand */
	bool *is_used;
	bool uses_ctx;
	bool is_declined;		/* something is there that only the tree walker does */
};

void shape_stmt(struct shape *, const char *text);
/* C text of type tn_dim, struct tn_dims, enum tn_tri.  Statements it needs are put before. */
const char *shape_dim(struct shape *, const struct tn_x *);
const char *shape_list(struct shape *, const struct tn_x *);
const char *shape_cond(struct shape *, const struct tn_x *);
/* The variable's value, made if this is its first use. */
const char *shape_var(struct shape *, int var);

#endif
