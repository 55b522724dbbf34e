/* Two graphs as one, so that what both compute is computed once. */
#ifndef REF_MERGE_H
#define REF_MERGE_H

#include "base/vec.h"
#include "tenon/graph.h"

/* Two nodes whose values must be equal. */
struct pair {
	uint32_t a, b;
	const char *name;		/* for people: "output y" */
};

enum { IN_A = 1, IN_B = 2 };

/* Equal nodes of both are one; inputs are the first graph's.  Its outputs are none: see the pairs. */
struct merged {
	struct tn_graph *g;
	uint8_t *in;			/* per node: the graphs it is in */
	VEC(struct pair) pair;		/* both graphs are equal if all of these are; none of them twice */
};

/*
 * Opaque operators are the same ones by what is said of them and by origin; they stand on a's operands,
 * and b's must have equal values.  by_origin: so it is with all operators that were read from one place,
 * which makes many small pairs of a few large ones.
 *
 * False: they cannot be equal; `why` says how they differ.  merged_free follows in any case.
 */
bool merge_graphs(struct merged *, const struct tn_graph *a, const struct tn_graph *b, bool by_origin, char *why, size_t size);
void merged_free(struct merged *);

/*
 * What some of the pairs are computed from, as a graph with two outputs a pair.  Values that both graphs
 * compute are not followed up further than `depth` of them, counted from the pairs: the last ones become
 * inputs, after those of the merged graph.  Constants are followed to their end.
 */
struct tn_graph *merged_cut(const struct merged *, const uint32_t pair[], uint32_t npair, uint32_t depth);

#endif
