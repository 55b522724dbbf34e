/* Random e-graphs over tensors of a few shapes, in which the patterns of a program often occur. */
#ifndef ORACLE_RANDOM_EGRAPH_H
#define ORACLE_RANDOM_EGRAPH_H

#include "base/rand.h"
#include "tenon/rule.h"
#include "tenon/tenon.h"

struct random_egraph {
	struct tn_ctx *ctx;
	const struct tn_program *program;
	const struct tn_program_text *text;
	struct rng rng;
	struct tn_graph *graph;
	struct tn_tensors *tensors;
	struct tn_egraph *g;
	struct tn_search *search;
};

/* A few inputs and numbers. */
void random_egraph_begin(struct random_egraph *, struct tn_ctx *, const struct tn_program *, const struct tn_program_text *, uint64_t seed);
/* Random nodes, instances of patterns, and unions of classes of one type; rebuilt.  False: two values met in one class. */
bool random_egraph_grow(struct random_egraph *);
void random_egraph_end(struct random_egraph *);

#endif
