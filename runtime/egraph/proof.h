/*
 * What the proof arrays of an e-graph say: which ids were equal when, and by which unions.
 *
 * An id stands for the term that its node was made as: the operator on the children that were given then.  Unions
 * are a forest over ids, as one is recorded only where it joins two classes; so there is one way from an id to an
 * equal one, and all of it was there by the time that they became equal.
 *
 * Times are counted in unions: `before` a union means with the unions that were recorded earlier, and with the
 * nodes that were there when it was.
 */
#ifndef EGRAPH_PROOF_H
#define EGRAPH_PROOF_H

#include "egraph/egraph.h"

struct proof {
	const struct tn_egraph *g;
	uint32_t *up;			/* per id: the union that leads towards the root of its tree, or TN_NONE */
	uint32_t *depth;
	tn_id *leader;			/* union-find that forgets nothing: */
	uint32_t *since;		/* the union that made the leader one */
	uint32_t *member_first;		/* ids of the class whose name is c, by age: member[member_first[c]] … */
	tn_id *member;
};

/* The e-graph keeps its proof and is rebuilt; it stays as it is until proof_close. */
void proof_open(struct proof *, const struct tn_egraph *);
void proof_close(struct proof *);

bool proof_equal(const struct proof *, tn_id a, tn_id b, uint32_t before);
/* Was the node there? */
bool proof_is_made(const struct proof *, tn_id node, uint32_t before);
/* Every union on the way between two equal ids, from a on. */
void proof_way(const struct proof *, tn_id a, tn_id b, void (*step)(void *arg, uint32_t u), void *arg);
/* Are two ids one node by then: one operator and record on equal operands? */
bool proof_is_twin(const struct proof *, tn_id a, tn_id b, uint32_t before);
/* Are both unions of one application of a rule? */
bool proof_is_same_match(const struct tn_egraph *, uint32_t u, uint32_t w);
/* Does the union follow from others by congruence, or was it given?  Neither: it is a rule's. */
bool proof_is_congruence(const struct proof *, uint32_t u);
/* All ids that are equal to it now, by age. */
const tn_id *proof_members(const struct proof *, tn_id, uint32_t *n);
/* Children as they were given when the node was made. */
static inline const tn_id *
proof_kids(const struct proof *p, tn_id node)
{
	return &p->g->proof_kid.at[p->g->birth.at[node]];
}

#endif
