/*
 * The flat form of a def: what the tree walker would do at extents and attributes that are known, as a
 * list of steps over lanes.  A lane is an element of the result.  Lists of indices are gone: each index is
 * a number of its own; steps that do not depend on the iterator of a reduction stand before its loop, equal
 * steps are one, and what is the same in all lanes is computed once.
 *
 * Rules are checked on it, in every domain; it gives what the walker gives, which is what tests hold it to.
 */
#ifndef REF_FLAT_H
#define REF_FLAT_H

#include "ref/domain.h"

struct flat;

/*
 * For elements from … to of ev's result; ev's arrays say shapes alone.  NULL: there is no def, or a list's
 * length is known only when its elements are.
 */
struct flat *flat_new(const struct tn_eval *ev);
void flat_free(struct flat *);
/* As domain_eval; run again and again with other draws. */
bool flat_run(struct flat *, struct domain_run *, const union elem *const in[], union elem *out);

#endif
