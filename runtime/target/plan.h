/*
 * A plan: the steps of a graph at given sizes, and where its values lie.
 *
 * value.c has what no step makes, build.c makes steps, place.c finds places for buffers, run.c runs and times them, price.c
 * predicts that; host.c is for what the target has no kernel for.
 */
#ifndef TARGET_PLAN_H
#define TARGET_PLAN_H

#include "base/arena.h"
#include "base/vec.h"
#include "target/target.h"

/* Something in a buffer, seen in some way, or a constant. */
struct value {
	struct tn_tensor view;		/* data: of a constant; rank -1: an opaque operator's, of which no shape is known */
	uint32_t buffer;		/* TN_NONE: a constant, or of no known shape */
	int64_t skip;			/* elements of the buffer before the view's first */
	uint32_t maker;			/* the slice that would copy it out of its buffer, as it is; TN_NONE: it is there */
};

struct buffer {
	size_t bytes, offset;
	uint32_t from, to;		/* the step that makes it and the last that reads it */
	bool is_kept;			/* inputs and what is made up, which no run may overwrite, and outputs */
	uint32_t lies_in;		/* the buffer whose place it takes over; TN_NONE: it has its own */
};

/* A value that was brought into another layout: done once for all that want it so. */
struct reordered {
	struct value from, to;
	enum tn_layout layout;
};

/* What the reference executor does of a plan. */
struct host {
	struct tn_graph *one;		/* the operator alone, on inputs; NULL: an opaque one */
	tn_attrs attrs;			/* of the opaque one */
	int nin;
	uint32_t nout;
	struct value *in, *out;
	struct tn_array *operand;	/* what it was given when it ran last */
	struct tn_array *made;		/* results of the opaque one */
};

struct step {
	struct tn_plan_step said;
	struct tn_job job;
	void *kernel;
	struct host *host;		/* in place of a kernel, or NULL */
	uint32_t *in, out;		/* buffers; TN_NONE: a constant, no one result */
	size_t *skip;			/* bytes of the operand's buffer before it */
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
	uint32_t *fused;		/* by sum, and by relu of one: the node whose step computes it too; or TN_NONE */
	bool *is_deferred;		/* by node: its step is that of a sum */
	VEC(struct buffer) buffer;
	VEC(struct step) step;
	VEC(struct reordered) reordered;
	struct value *output;		/* by output, row-major */
	uint32_t *input;		/* buffer by input; TN_NONE: nothing reads it */
	char *block, *scratch;		/* memory of the target */
	size_t bytes, scratch_bytes, apart;
};

/* False and error: an operator has no kernel, or an extent is not known at these sizes. */
bool plan_build(struct tn_plan *, struct tn_error *);
/* Memory for all, and every step's addresses. */
bool plan_place(struct tn_plan *, struct tn_error *);

/* ---- value.c ----------------------------------------------------------------------------------------------------- */

/* The type at the plan's sizes; false and error: it has no shape there that memory can have. */
bool plan_shape(struct tn_plan *, tn_type, struct tn_shape *, struct tn_error *);
/* A dense tensor of that shape, nowhere yet. */
struct tn_tensor plan_tensor(const struct tn_shape *, enum tn_layout);
/* A new buffer for the tensor, made by step `from`. */
uint32_t plan_buffer(struct tn_plan *, const struct tn_tensor *, uint32_t from);
/* The value of an input, a weight or a number; false and error. */
bool leaf_value(struct tn_plan *, uint32_t node, struct value *, struct tn_error *);

/* ---- fuse.c ------------------------------------------------------------------------------------------------------ */

/* Find the sums that are computed with an operand of theirs: fused[] and is_deferred[]. */
void fuse_sums(struct tn_plan *);

/* ---- host.c ------------------------------------------------------------------------------------------------------ */

/* The tensor's elements, which lie from `from` on, as an array, row by row; of rank -1 and without elements if it is so. */
void host_load(const struct tn_tensor *, const void *from, struct tn_array *);
/* A value brought over, and an array brought to a dense one. */
bool host_get(const struct tn_plan *, const struct value *, struct tn_array *, struct tn_error *);
bool host_put(const struct tn_plan *, const struct value *, const struct tn_array *, struct tn_error *);

/* The node's operator on these operands, with one result; an opaque one with results of these nodes.  out[] is to be set.
 * NULL and error. */
struct host *host_operator(struct tn_plan *, uint32_t node, const struct value in[], struct tn_error *);
struct host *host_opaque(struct tn_plan *, uint32_t node, const struct value in[], const uint32_t result[], uint32_t n,
    struct tn_error *);
void host_free(struct host *);
bool host_run(struct tn_plan *, struct host *, struct tn_error *);
/* What stands for the results, by node, of a graph's opaque operator at these sizes; NULL and error. */
struct tn_array *host_make_up(const struct tn_graph *, uint32_t opaque, const int64_t sizes[], const uint32_t result[],
    uint32_t n, struct tn_error *);

/* ---- check.c, rounding.c ----------------------------------------------------------------------------------------- */

/* tn_plan_check(); large[i] is how large what is added up in output i may be, NULL: as large as what comes of it. */
bool plan_check(const struct tn_plan *, const struct tn_graph *, const struct tn_array in[], const struct tn_array out[],
    const double large[], const volatile int *interrupted, struct tn_difference *, struct tn_error *);

/* What slack has to be for a result of this type where the target rounds factors; false: it does not. */
bool rounding_slack(const struct tn_target *, enum tn_dtype, struct tn_slack *);
/* large[] of plan_check() for the graph on these inputs, which is freed with mem_free; NULL and error. */
double *rounding_large(const struct tn_graph *, const struct tn_array in[], const int64_t sizes[], struct tn_error *);

#endif
