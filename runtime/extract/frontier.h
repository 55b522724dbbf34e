/* Acyclic components that are thin: solved class by class. */
#ifndef EXTRACT_FRONTIER_H
#define EXTRACT_FRONTIER_H

#include "extract/prog.h"

/* The cheapest choice among those that cost less than `upper`: pick[] and *cost, -1 if there is none.  False: the
 * program has a cycle or is too wide, or it is late. */
bool frontier_solve(const struct prog *, const struct prog_limits *, int64_t upper, uint32_t pick[], int64_t *cost);

#endif
