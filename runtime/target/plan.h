/*
 * A plan: the steps of a graph at given sizes, and where its values lie.
 *
 * build.c makes steps and values, place.c finds places for buffers, run.c runs and times them.
 */
#ifndef TARGET_PLAN_H
#define TARGET_PLAN_H

#include "base/arena.h"
#include "base/vec.h"
#include "target/target.h"

/* Something in a buffer, seen in some way, or a constant. */
struct value {
	struct tn_tensor view;		/* data: of a constant */
	uint32_t buffer;		/* TN_NONE: a constant */
};

struct buffer {
	size_t bytes, offset;
	uint32_t from, to;		/* the step that makes it and the last that reads it */
	bool is_kept;			/* inputs, which a run must not overwrite, and outputs */
	uint32_t lies_in;		/* the buffer whose place it takes over; TN_NONE: it has its own */
};

/* A value that was brought into another layout: done once for all that want it so. */
struct reordered {
	struct value from, to;
	enum tn_layout layout;
};

struct step {
	struct tn_plan_step said;
	struct tn_job job;
	void *kernel;
	uint32_t *in, out;		/* buffers; TN_NONE: a constant */
	const void **at;		/* addresses, once all have their places */
	void *result;
};

struct tn_plan {
	struct arena mem;
	struct tn_target *target;
	struct tn_graph *g;		/* a copy, folded */
	const int64_t *sizes;
	struct value *value;		/* by node */
	bool *is_needed;		/* by node: does a step or an output read it? */
	VEC(struct buffer) buffer;
	VEC(struct step) step;
	VEC(struct reordered) reordered;
	struct value *output;		/* by output, row-major */
	uint32_t *input;		/* buffer by input; TN_NONE: nothing reads it */
	char *block, *scratch;		/* memory of the target */
	size_t bytes, apart;
};

/* False and error: an operator has no kernel, or an extent is not known at these sizes. */
bool plan_build(struct tn_plan *, struct tn_error *);
/* Memory for all, and every step's addresses. */
bool plan_place(struct tn_plan *, struct tn_error *);

#endif
