/* Inside of comparing graphs: the way that is taken where computing all of it takes too long. */
#ifndef REF_COMPARE_H
#define REF_COMPARE_H

#include "tenon/tenon.h"

/*
 * Each region that differs by itself, on random values at its border.  True: all are equal, and so are the
 * graphs.  False: one is not, which says nothing of the graphs, or deadline_s of clock_now passed (0: none).
 */
bool compare_regions(const struct tn_graph *, const struct tn_graph *, const struct tn_comparing *, double deadline_s,
    struct tn_difference *, struct tn_error *);

#endif
