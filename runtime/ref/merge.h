/* Two graphs as one, so that what both compute is computed once. */
#ifndef REF_MERGE_H
#define REF_MERGE_H

#include "tenon/graph.h"

/*
 * The nodes of both, each of equal ones once; inputs are the first graph's.  Outputs come in pairs to
 * compare, 2i of a and 2i + 1 of b: the graphs' outputs first, then the operands of opaque operators,
 * which are the same ones in both by origin and computed on a's operands.
 *
 * NULL: they cannot be compared; then `why` says how they differ.
 */
struct tn_graph *merge_graphs(const struct tn_graph *a, const struct tn_graph *b, char *why, size_t size);

#endif
