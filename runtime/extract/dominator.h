/*
 * Dominators of the classes: D dominates A if every way from a root to A passes through D.
 *
 * The graph has an edge from each class to the children of its nodes, and a source with an edge to each
 * root.  Semi-dominators, and the immediate ones from them by walking up the tree (Georgiadis, Linear-time
 * algorithms for dominators and related problems, 2005: SNCA).
 */
#ifndef EXTRACT_DOMINATOR_H
#define EXTRACT_DOMINATOR_H

#include "extract/prog.h"

struct dominators {
	uint32_t *parent;	/* immediate dominator; TN_NONE: the source, or not reached */
	uint32_t *order, n;	/* the classes reached, each after its dominator */
	uint32_t *enter, *leave;	/* walk over the tree: what a class dominates lies between; not reached: 0, 0 */
};

void dominators_make(struct dominators *, const struct prog *);
void dominators_free(struct dominators *);

/* Does a dominate b, and is not b? */
static inline bool
dominates(const struct dominators *d, uint32_t a, uint32_t b)
{
	return d->enter[a] < d->enter[b] && d->leave[b] <= d->leave[a];
}

#endif
