/*
 * Numbers for symbolic extents: at which sizes costs are counted and values compared.
 *
 * --at x=1,3,48,192 says them; without it some are found at which every operator of the model has
 * a shape: 1 for leading axes, multiples of 32 for the others.
 */
#ifndef CMD_SIZES_H
#define CMD_SIZES_H

#include "base/buf.h"
#include "cmd/option.h"
#include "tenon/tenon.h"

/* One set of sizes: per symbol of the context, 0 where the model does not use it. */
typedef VEC(int64_t *) sizes_list;

/* The sets that --at names, one for each "NAME=a,b,…[;NAME=…]", or one that was found.  False: error. */
bool sizes_choose(struct tn_ctx *, const struct tn_graph *, const strings *at, sizes_list *, struct tn_error *);
/* Has an input no elements at these sizes? */
bool sizes_empty(const struct tn_graph *, const int64_t sizes[]);
/* "x [1 3 48 192]" for each input. */
void sizes_print(const struct tn_graph *, const int64_t sizes[], struct buf *);
void sizes_free(sizes_list *);

#endif
