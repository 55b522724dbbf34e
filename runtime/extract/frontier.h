/* Acyclic components that are thin: solved class by class. */
#ifndef EXTRACT_FRONTIER_H
#define EXTRACT_FRONTIER_H

#include "extract/prog.h"

enum frontier_result {
	FRONTIER_DONE,
	FRONTIER_MORE,		/* so many looks do not do */
	FRONTIER_NEVER,		/* the program has a cycle or is too wide, or it is late */
};

/* The cheapest choice among those that cost less than `upper`: pick[] and *cost, -1 if there is none.  most_looks: how
 * often to look at a state, 0 as often as is ever worth it. */
enum frontier_result frontier_solve(const struct prog *, const struct prog_limits *, int64_t upper, uint64_t most_looks,
    uint32_t pick[], int64_t *cost);

#endif
