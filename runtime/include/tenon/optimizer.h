/* Optimizers for one target, as tenonc makes them with --costs or --target: rules and costs are compiled in. */
#ifndef TENON_OPTIMIZER_H
#define TENON_OPTIMIZER_H

#include "match.h"
#include "table.h"

#define TN_OPTIMIZER_ABI 1

struct tn_optimizer {
	unsigned abi;				/* TN_OPTIMIZER_ABI */
	const struct tn_program *program;
	const char *target;			/* whose costs these are, or the device that models all of them */
	const struct tn_costs_table *costs;	/* NULL: all are modelled */
};

/*
 * The whole of such a program: what tenon optimize does with these rules and costs, with its options but those that name
 * others.  The exit status.  It alone in the library prints and catches interrupts.
 */
TN_API int tn_optimizer_main(const struct tn_optimizer *, int argc, char **argv);

#endif
