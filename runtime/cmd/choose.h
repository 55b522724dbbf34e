/* The extraction of tenon optimize. */
#ifndef CMD_CHOOSE_H
#define CMD_CHOOSE_H

#include "cmd/optimize.h"

/* From the saturated e-graph to the result and its price, beside the original's. */
bool choose_result(struct optimize *, struct tn_error *);

#endif
