/*
 * What the reductions share: the program, and facts about it that are made once a round.
 *
 * A step may take nodes and edges away; facts made before stay true, if weaker than they could be:
 * what is said of every choice of the program is said of every choice of a part of it.  Only steps that
 * join classes (contract, inline), or need no facts (ascent), come before these are made.
 */
#ifndef EXTRACT_REDUCE_H
#define EXTRACT_REDUCE_H

#include "extract/dominator.h"
#include "extract/must.h"

struct reduction {
	struct prog *p;
	const struct prog_limits *limits;
	struct watch watch;
	struct scc scc;
	struct must must, always;	/* set NULL: too large or too late, steps that need them rest */
	struct dominators dom;
	int64_t *least;			/* the cheapest node of each class */
	uint32_t *pick;			/* of each class a node (index), acyclic over all classes; not to be taken away */
};

/* One step each, over the whole program, or as much of it as there is time for.  step_trim is false where a root has no
 * derivation left. */
bool step_trim(struct reduction *);
void step_contract(struct reduction *);
void step_inline(struct reduction *);
void step_ascent(struct reduction *);
void step_force(struct reduction *);
void step_edge(struct reduction *);
void step_cycle(struct reduction *);
void step_dominance(struct reduction *);
void step_override(struct reduction *);
void step_bound(struct reduction *);

/* users[first[c]] … users[first[c + 1] - 1]: the nodes with class c as a child, in order. */
struct prog_user {
	uint32_t class, node;
};
struct prog_user *prog_users(const struct prog *, uint32_t **first);
/* prog_filter that keeps r->pick[c] on its node, which stays. */
void reduction_filter(struct reduction *, uint32_t c, const bool keep[]);
/* What all nodes of a root have in common is a root: of roots with at most `most` nodes.  (reduce_force.c) */
void prog_spread_roots(struct prog *, uint32_t most);
/* Room for a flag, or a word, per node of the largest class. */
uint32_t prog_widest(const struct prog *);

#endif
