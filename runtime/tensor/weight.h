/* Weights as values: the one that all elements have, and elements as doubles. */
#ifndef TENSOR_WEIGHT_H
#define TENSOR_WEIGHT_H

#include "tenon/graph.h"

/* The weight that a TN_WEIGHT node stands for. */
const struct tn_weight *weight_of(const struct tn_graph *, const struct tn_gnode *);
/* Number of elements; false if extents are no numbers, elements have no size, or bytes are missing. */
bool weight_count(const struct tn_ctx *, const struct tn_weight *, size_t *n);
/* The FLOAT value that every element has, bit for bit, if f32 holds it; else TN_NONE. */
tn_val weight_uniform(struct tn_ctx *, const struct tn_weight *);

#endif
