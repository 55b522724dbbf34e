/* Prices that are measured on a target as they are asked for, and kept line by line. */
#ifndef CMD_MEASURING_H
#define CMD_MEASURING_H

#include "base/map.h"
#include "cmd/journal.h"
#include "cmd/sizes.h"
#include "tenon/target.h"

struct measuring {
	struct tn_ctx *ctx;
	struct tn_target *target;
	struct journal *journal;	/* NULL: what is measured is not kept */
	uint64_t shard, nshard;		/* only the shard-th of so many parts of the signatures; nshard 0: all */
	struct map missing;		/* signatures that the table lacks: 1 once tried */
	bool is_counting;
	uint32_t measured, refused, left;	/* refused: the target has no kernel */
	double start;
	struct tn_error failure;	/* of the target or the journal: nothing more is measured */
};

/* From now on, until an interrupt, what these costs lack is measured; the other fields of *m are set.  It must stay. */
void measuring_start(struct measuring *, struct tn_costs *);
/* Every e-node at each of the sizes: first it is counted how many are missing, so that it can be told how long they take. */
bool measuring_all(struct measuring *, struct tn_costs *, struct tn_tensors *, const sizes_list *, const struct tn_pricing *,
    struct tn_error *);
/* Give up the journal, whose lines stay. */
void measuring_end(struct measuring *);

#endif
