/* Random attributes and operand shapes for any operator, often enough ones that its checks admit. */
#ifndef TENSOR_RANDOM_OP_H
#define TENSOR_RANDOM_OP_H

#include "base/rand.h"
#include "tenon/match.h"

/* Operands that are drawn at most, and variables that an operator may have. */
#define MAX_IN 8
#define MAX_NAMES 64

struct random_op {
	struct tn_ctx *ctx;
	struct rng rng;
	int nsym;		/* symbols that extents may be made of; 0: numbers alone */
	int64_t scale;		/* largest extent */
	int64_t large;		/* but of one in six, here and there; 0: of none */
};

struct seq {
	int n;
	tn_dim d[TN_MAX_RANK];
};

/* A value of the attribute's kind; `first` is the shape of the first operand, `count` the axes that the
 * attribute stands for, or -1. */
tn_val random_attr(struct random_op *, const struct tn_attr_decl *, const struct seq *first, int64_t count);
/* A record, and the types of *nin operands, up to two more than are declared. */
tn_attrs random_op(struct random_op *, const struct tn_op *, tn_type in[MAX_IN], int *nin);

#endif
