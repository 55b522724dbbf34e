/*
 * Prices: what a graph costs, and the extraction problem of an e-graph of tensors.
 *
 * A weight-only part is folded into a weight and costs nothing, before as after.  Inputs, weights,
 * fills and opaque operators cost nothing either: they are the same in every choice.
 */
#ifndef CMD_PRICE_H
#define CMD_PRICE_H

#include "tenon/tenon.h"

/* Nanoseconds, summed over the nodes that outputs need. */
int64_t price_graph(struct tn_costs *, const struct tn_graph *, const int64_t sizes[]);

/* A tn_problem with the arrays it points to, and the way back. */
struct priced {
	struct tn_problem problem;
	uint32_t *first, *kid_first, *kid, *root, *prefer;
	int64_t *cost;
	tn_id *class, *node;	/* e-class of problem class, e-node of problem node */
	tn_id *constant;	/* per e-class id: how a constant class is made, else TN_NONE */
};

/*
 * The problem of everything in the e-graph, the graph's outputs as roots and its nodes preferred.
 * can_write (NULL: everything) says which operators the writer has words for; others are not chosen
 * unless they stand in a constant part.
 */
void price_egraph(struct tn_costs *, struct tn_tensors *, const struct tn_graph *, const int64_t sizes[],
    bool (*can_write)(void *, const struct tn_op *, tn_attrs), void *arg, struct priced *);
void priced_free(struct priced *);
/* The problem as JSON that tenon extract reads: "(conv2d :stride [1 1])" are the operators, nanoseconds the costs. */
void priced_write(const struct priced *, const struct tn_program *, struct tn_ctx *, const struct tn_egraph *, FILE *);
/* The choice as e-node per e-class id (tn_nids of them), for tn_tensors_graph; caller frees. */
tn_id *priced_choice(const struct priced *, const struct tn_egraph *, const struct tn_choice *);

#endif
