/* Neighbours of instances that were found. */
#ifndef VERIFY_NEAR_H
#define VERIFY_NEAR_H

#include "verify/instance.h"

/* Types of an operator's operands that are being chosen. */
struct types {
	const struct tn_op *op;
	int n;
	const bool *is_open;		/* a leaf, whose type is free */
	tn_type *type;			/* TN_NONE: not chosen, or a number's */
};

/* The instance is one: keep what its operators were. */
void near_keep(struct instance *);
/* Which of them the next draw is near to, if any. */
void near_choose(struct instance *);
/* What the pattern's operator was there; NULL: nothing. */
const struct kept *near_of(const struct instance *, const struct tn_term *, int elem);
/* Mostly what the attribute was, or nearly; TN_NONE: choose it anew. */
tn_val near_attr(struct instance *, const struct kept *, int attr);
/* Types of open operands, mostly as they were but for an axis or two.  Those whose axes are named one by one are left to be
 * chosen name by name, so that conditions are met.  false: none of it fits. */
bool near_types(struct instance *, const struct kept *, struct types *);
/* Mostly the extent that the axis had there, or nearly; 0: choose it anew. */
tn_dim near_extent(struct instance *, const struct kept *, int operand, int axis);
void near_free(struct near *);

#endif
