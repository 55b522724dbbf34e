/*
 * Which class of the last snapshot lies below which: over the children of any of its nodes.
 *
 * What no input feeds is made once and for all, whatever is equal to it, and so has nothing below.
 */
#ifndef SATURATE_REACH_H
#define SATURATE_REACH_H

#include "egraph/egraph.h"

struct reach;

/* Of the snapshot as it is now; good until the next. */
struct reach *reach_make(const struct tn_egraph *, struct tn_search *);
/* Is `to` below `from`?  Not if they are one, unless a cycle leads back to it.  Both are classes of the snapshot. */
bool reach_has(struct reach *, tn_id from, tn_id to);
void reach_free(struct reach *);

#endif
