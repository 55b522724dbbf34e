/* Shapes of operands that are open. */
#ifndef VERIFY_OPERANDS_H
#define VERIFY_OPERANDS_H

#include "verify/near.h"

/* An operator whose attributes are chosen and whose operands are not all. */
struct choice {
	struct types types;
	tn_attrs attrs;
	tn_attrs other;			/* the result's extents must be the same under these too; TN_NONE: there are none */
	const struct target *aim;	/* what operands must be, or NULL */
	const int16_t *var;		/* by open operand: its variable, or -1 */
	const struct tn_shape *wanted;	/* the shape that the result should have, or NULL */
	const struct kept *like;	/* what it was in an instance that was found, or NULL */
	tn_dim least;			/* what the result's computed extents are at least */
};

/* Types of all open operands that have none yet; false: none were found that go together. */
bool operands_choose(struct instance *, const struct choice *);

#endif
