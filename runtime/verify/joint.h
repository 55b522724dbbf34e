/* Which kinds of values the parameters of an operator had together, pair by pair. */
#ifndef VERIFY_JOINT_H
#define VERIFY_JOINT_H

#include "base/buf.h"
#include "verify/instance.h"

enum { KINDS_MAX = 128 };

/* A kind of value that a parameter had: "r even", "groups 2". */
struct kind {
	const char *name;
	int param;			/* its number among the operator's: attributes' items first, then extents */
	int value;			/* of an enum or bool itself; of a number the class that joint.c puts it in */
	const struct tn_enum *enums;
	bool is_bool, is_extent;
};

struct joint_op {
	const struct tn_op *op;
	int n;
	struct kind kind[KINDS_MAX];
	uint64_t with[KINDS_MAX][KINDS_MAX / 64];	/* kinds that it was met with, those after it alone */
};

struct joint {
	VEC(struct joint_op *) op;
};

/* One use of an operator. */
void joint_note(struct joint *, const struct instance *, const struct vnode *);
/* A line for each operator: "conv2d: 612 of 640 pairs of kinds, not groups 2 with c odd, …"; malloc'ed. */
char *joint_text(const struct joint *);
/* A line for each pair that was not met, of kinds that were; malloc'ed, or NULL if there is none. */
char *joint_apart(const struct joint *);
void joint_free(struct joint *);

#endif
