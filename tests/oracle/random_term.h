/* Random graphs that a rule's left sides may be found in, from the operators' declarations alone. */
#ifndef RANDOM_TERM_H
#define RANDOM_TERM_H

#include "tenon/rule.h"
#include "tenon/tenon.h"
#include "tensor/random_op.h"

struct random_term {
	struct random_op *r;
	const struct tn_program *program;
	const struct tn_op *op;		/* the typed program's, in the same order */
	bool all_weights;		/* leaves are weights, or else each one that or an input */
};

/* Each left side is an output.  NULL: what was drawn does not fit together; most draws do not. */
struct tn_graph *random_left_sides(const struct random_term *, const struct tn_rule *);

#endif
