/* The extraction of tenon optimize. */
#ifndef CMD_CHOOSE_H
#define CMD_CHOOSE_H

#include "cmd/optimize.h"

/* Bytes that folding may add to the graph's weights. */
size_t choose_growth(const struct tn_graph *, uint64_t percent);
/* A choice as a finalist: its graph, and its price as it would be written.  False, and nothing of it: it is no graph, as
 * the error says.  node_of as for tn_tensors_graph. */
bool choose_graph(struct optimize *, tn_id *enode, uint32_t node_of[], struct finalist *, struct tn_error *);
void choose_release(struct finalist *);
/* finalists.c: more finalists that differ, behind the first. */
void finalists_add(struct optimize *, const struct tn_extract_options *, const struct tn_pricing *);
/* From the saturated e-graph to the result and its price, beside the original's. */
bool choose_result(struct optimize *, struct tn_error *);

#endif
