/* The extraction of tenon optimize. */
#ifndef CMD_CHOOSE_H
#define CMD_CHOOSE_H

#include "cmd/optimize.h"

/* Bytes that folding may add to the graph's weights. */
size_t choose_growth(const struct tn_graph *, uint64_t percent);
/* From the saturated e-graph to the result and its price, beside the original's. */
bool choose_result(struct optimize *, struct tn_error *);

#endif
