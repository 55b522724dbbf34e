/*
 * What a choice cannot do without, as bit sets over the classes.
 *
 *	must(A) = {A} and, of all nodes of A, what is common to: the union of must over the node's children
 *
 * as the greatest fixpoint.  By induction on the height of a derivation any fixpoint is contained in
 * every finite one: where A is chosen, must(A) is chosen, and stands below it.  The greatest one is closed:
 * u in must(A) gives must(u) in must(A).  Taking nodes away leaves all this true, so a stale set is a
 * weaker one, not a wrong one.
 *
 *	always(A) = must(A) and must(root) for all roots, and, if A is no root, of all nodes p (of class P)
 *	            with A as a child, what is common to: always(P) and must over p's children
 *
 * also as the greatest fixpoint: where A is chosen, always(A) is chosen.  By induction on the depth below the
 * roots: a chosen class that is no root is needed by a chosen node above it.
 */
#ifndef EXTRACT_MUST_H
#define EXTRACT_MUST_H

#include "extract/scc.h"

struct must {
	uint32_t words;			/* of 64 bits, in a set */
	uint64_t *set;			/* set of class c: set[c * words] … */
};

/* False, and set NULL: the sets would take more memory than the limits have for them, or more time. */
bool must_make(struct must *, const struct prog *, const struct scc *, struct watch *);
bool must_always(struct must *, const struct prog *, const struct scc *, const struct must *, struct watch *);
void must_free(struct must *);
/* Union of the children's sets; the node's own class is in it only if it needs itself. */
void must_node(const struct must *, const struct prog_node *, uint64_t set[]);

static inline uint64_t *
must_of(const struct must *m, uint32_t class)
{
	return m->set + (size_t)class * m->words;
}

static inline bool
bit_has(const uint64_t set[], uint32_t i)
{
	return set[i / 64] >> i % 64 & 1;
}

static inline void
bit_put(uint64_t set[], uint32_t i)
{
	set[i / 64] |= UINT64_C(1) << i % 64;
}

static inline void
bit_join(uint64_t set[], const uint64_t with[], uint32_t words)
{
	uint32_t w;

	for (w = 0; w < words; w++)
		set[w] |= with[w];
}

/* Is `other` in must(class)? */
static inline bool
must_has(const struct must *m, uint32_t class, uint32_t other)
{
	return bit_has(must_of(m, class), other);
}

/* Does the node need class `other` below it? */
static inline bool
must_node_has(const struct must *m, const struct prog_node *node, uint32_t other)
{
	uint32_t k;

	for (k = 0; k < node->nkid; k++)
		if (must_has(m, node->kid[k], other))
			return true;
	return false;
}

#endif
