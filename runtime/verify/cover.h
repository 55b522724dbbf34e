/* How much of each parameter's range the instances of a rule covered. */
#ifndef VERIFY_COVER_H
#define VERIFY_COVER_H

#include "base/buf.h"
#include "verify/instance.h"
#include "verify/joint.h"

/* The values that a parameter of an operator on the left side had. */
struct met {
	const struct tn_op *op;
	const struct tn_attr_decl *attr;	/* NULL: an extent, or the rank, of an operand */
	const char *name;
	bool is_free;				/* a capture's: any value that the operator admits is wanted */
	uint64_t value;				/* bit v for v of an enum or bool; for a number COVER_LEAST + v */
	int64_t least, most;
};

enum { COVER_LEAST = -8, COVER_MOST = COVER_LEAST + 63 };

struct cover {
	VEC(struct met) met;
	struct joint joint;
};

void cover_note(struct cover *, const struct instance *);
/* Has every enum and bool that a capture holds had all its values, and every number more than one? */
bool cover_is_complete(const struct cover *);
/* What was not met: "act tanh, strides but [1]"; malloc'ed, or NULL if nothing is to be said. */
char *cover_unmet(const struct cover *);
/* One line for each operator: "conv2d: strides 1 2 3; groups 1 2 4; r 1 2 3"; malloc'ed. */
char *cover_text(const struct cover *);
void cover_free(struct cover *);

#endif
