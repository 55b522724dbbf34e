/*
 * Finding rows that the relaxation breaks: sets S whose row (relax.h) x does not satisfy by more than eps.
 * Whatever a method guesses, a row is added only after its violation was computed from the row itself.
 */
#ifndef EXTRACT_SEPARATE_H
#define EXTRACT_SEPARATE_H

#include "base/rand.h"
#include "extract/relax.h"

/* Classes that x keeps up in circles: loopcut.c.  Returns how many were added, as the other does. */
uint32_t cut_loops(struct relax *, double eps);

/*
 * Which of its children stands for a node in the graph of cut_flows: the one that stands least on leaves, the same but
 * for some noise, the one held least, the one dearest by itself, any.
 */
enum flow_kid { FLOW_WEAK, FLOW_NOISY, FLOW_SCARCE, FLOW_DEAR, FLOW_RANDOM, NFLOW_KID };
/* Classes that cannot send what they hold down to the leaves: flowcut.c.  At most `most`. */
uint32_t cut_flows(struct relax *, enum flow_kid, struct rng *, double eps, uint32_t most);

/*
 * How much of each class stands on leaves: the least v with v_c = min(y_c, sum over c's nodes of min(x, least v
 * of its children)).  In a choice v = y.  v[] from below, so where sweeps are cut short it is too small.
 */
void relax_ground(const struct relax *, double v[]);

#endif
