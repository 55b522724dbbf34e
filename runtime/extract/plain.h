/* The published program, solved as it is. */
#ifndef EXTRACT_PLAIN_H
#define EXTRACT_PLAIN_H

#include "extract/prog.h"

/* From a valid choice in node[] of cost `upper` to the best one that the solver finds; *bound is its word. */
int64_t extract_plain(const struct tn_problem *, enum tn_cycles, uint32_t node[], int64_t upper, const struct prog_limits *,
    int64_t *bound);

#endif
