/*
 * What a choice cannot do without: per class, the classes that stand below it in every derivation.
 *
 *	must(A) = {A} and, of all usable nodes of A, what is common to: the union of must over its children
 *
 * taken as the greatest fixpoint.  By induction on the height of a derivation any fixpoint is contained
 * in every finite one.  Bit sets, so only for e-graphs of moderate size.
 */
#ifndef EXTRACT_MUST_H
#define EXTRACT_MUST_H

#include "tenon/tenon.h"

struct must {
	uint32_t words;
	uint64_t *below;	/* per class: must */
	uint64_t *above;	/* per class: strict dominators, ancestors on every way from the roots */
};

/* False: too large, nothing is made. */
bool must_make(struct must *, const struct tn_problem *, const bool usable[]);
void must_free(struct must *);

static inline bool
must_has(const struct must *m, uint32_t class, uint32_t other)
{
	return m->below[(size_t)class * m->words + other / 64] >> other % 64 & 1;
}

/*
 * Take away nodes that no acyclic choice can use: a node that needs its own class, or a strict
 * dominator D of it, below itself (D stands above the class in every choice that needs the class).
 * True if any went.
 */
bool must_filter(const struct must *, const struct tn_problem *, bool usable[]);

#endif
