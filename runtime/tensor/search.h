/*
 * What guards and appliers ask of: context, program, e-graph, and memory for lists made on the way.
 *
 * Lists in a struct tn_v live until tn_search_reset.
 */
#ifndef TENSOR_SEARCH_H
#define TENSOR_SEARCH_H

#include "base/arena.h"
#include "tensor/data.h"

/* Memory for lists: a fixed block first, an arena where it is full. */
struct scratch {
	int64_t *at;
	uint32_t n, cap;
	struct arena more;
};

int64_t *scratch_list(struct scratch *, size_t n);
void scratch_reset(struct scratch *);
void scratch_free(struct scratch *);

struct tn_search {
	struct tn_ctx *ctx;
	const struct tn_program *program;
	const struct tn_egraph *egraph;
	struct scratch scratch;
};

/* Data of the class an id is in; NULL in an e-graph without an analysis. */
const struct tensor_data *search_data(const struct tn_search *, tn_id);

#endif
