/*
 * Finding rows that the relaxation breaks: sets S whose row (relax.h) x does not satisfy by more than eps.
 * Whatever a method guesses, a row is added only after its violation was computed from the row itself.
 *
 * Cuts that were tried and not kept: those that cbc 2.10.8 finds at the root, of one kind alone, in the first rows of
 * relax.h (1), and in what so many rounds of the two methods below make of them, no column taken out (2).  Per cent of
 * the distance from that relaxation to the optimum that goes, and cbc's seconds for it, with its relaxations (Clp):
 *
 *		   ours			 Gomory (1)	zero-half (1)	Gomory (2)	zero-half (2)
 *	vgg	 96.6 (188-279 rounds)	  0.0  0.0	  0.0  0.0	 94.1  2.2	  0.0  0.0
 *	bert	 90.3 (138)		 28.5  6.4	  0.1  0.1	 22.4  0.5	  0.0  0.1
 *	nasrnn	 67.3 (60)		 23.0  0.2	  0.0  0.2	 72.9  1.7	 16.3  0.5
 *	cls	 61.4 (20)		 86.4  1.7	  0.7  0.1	 68.9  2.6	  0.0  0.0
 *	cls	 99.5 (60)					  4.2  0.1	  7.9  0.4
 *
 * On nasneta the first relaxation of every component that needs one leaves no distance.  Zero-half cuts give little.
 * Gomory cuts replace neither method, but go on where these slow down, on nasrnn above all.  They need rows of
 * the tableau, which lp_solve's interface does not give, and coefficients other than 1 and -1 in bound.c, each cut
 * derived again in exact numbers.
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
