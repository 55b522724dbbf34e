/*
 * A lower bound without a solver: dual ascent over the rows of relax.h.
 *
 * A set S of classes with a root in it gives
 *
 *	sum over the nodes of S's classes that have no child in S:  x  >=  1
 *
 * since the chosen class of S that stands lowest is chosen by such a node.  The sets are found one after another, and each
 * takes the least cost that its nodes have left from all of them: that is what it adds to the bound.  What is left of the
 * costs, at least 0, is paid on top by whatever choice.  All in whole numbers.
 *
 * As in Wong, Math. Prog. 28, 1984, for Steiner trees; sets are grown as in LM-cut (Helmert and Domshlak, ICAPS 2009), whose
 * problem is this one: a class is a fact, a node an action.
 */
#ifndef EXTRACT_ASCENT_H
#define EXTRACT_ASCENT_H

#include "base/vec.h"
#include "extract/choice.h"
#include "extract/limits.h"

struct ascent {
	int64_t bound;		/* no choice costs less */
	int64_t *left;		/* of each node's cost */
	int64_t *below;		/* per class: what a derivation of it takes of left at least; COST_MAX: there is none */
	int64_t *above;		/* per class: what a way to it from a root takes of left at least; COST_MAX: there is none */
	VEC(uint32_t) end;	/* set i of those kept: member[end[i - 1]] … member[end[i] - 1], its root first */
	VEC(uint32_t) member;
};

/* Late, the bound is lower, and true. */
void ascent_make(struct ascent *, const struct tn_problem *, struct watch *);
void ascent_free(struct ascent *);
/* What a choice with node n of class c costs at least, if it has only what the roots need. */
int64_t ascent_with(const struct ascent *, const struct tn_problem *, uint32_t c, uint32_t n);
/* A choice of nodes that have nothing left as far as they go, then single swaps; its cost, -1: there is none. */
int64_t ascent_choose(const struct ascent *, const struct tn_problem *, uint32_t node[], const struct prog_limits *);

#endif
