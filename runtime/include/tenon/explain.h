/*
 * Explanations: how a chosen graph came from the original, as a chain of rule applications that anyone can
 * follow, and that is checked again step by step.  The text is described in tenon(1).
 */
#ifndef TENON_EXPLAIN_H
#define TENON_EXPLAIN_H

#include "tenon.h"

struct tn_chain;

/*
 * The chain from the graph that the e-graph was made of to a choice of its nodes (per class id, TN_NONE: not needed).
 *
 * form		the model whose forms the e-graph was taken apart into (tn_onnx_take_apart), or NULL
 *
 * The e-graph must have kept its proof.  All arguments but the choice must stay.  NULL and error: something
 * in the e-graph is equal without a reason, which is a defect.
 */
TN_API struct tn_chain *tn_chain_make(struct tn_tensors *, const tn_id choice[], const struct tn_onnx *form, struct tn_error *);
/* The chain without a step. */
TN_API struct tn_chain *tn_chain_none(const struct tn_graph *, struct tn_error *);
TN_API void tn_chain_free(struct tn_chain *);
TN_API uint32_t tn_chain_nsteps(const struct tn_chain *);
/* The graph that it leads to: new, with borrowed weights.  NULL and error. */
TN_API struct tn_graph *tn_chain_result(const struct tn_chain *, struct tn_error *);

struct tn_chain_check {
	const int64_t *sizes;		/* of symbols */
	double time_s;			/* of computing one step, 0: no limit */
	const volatile int *interrupted;
	void (*progress)(void *arg, uint32_t done, uint32_t all);
	void *arg;
	/* out: steps compared on random values, steps just like one that was, and those for which there was no time */
	uint32_t ncompared, nalike, nlate;
};
/*
 * Every step again: the rule, applied to its place by itself, gives what the step says, with the substitution that it
 * says, and both sides compute the same on random values.  Then: the equations make each output equal to
 * the original's.  False and error: one does not hold, and which.
 */
TN_API bool tn_chain_check(const struct tn_chain *, struct tn_chain_check *, struct tn_error *);

TN_API void tn_chain_write(const struct tn_chain *, FILE *);
/* A chain from this graph, as it was written.  NULL and error, with its place. */
TN_API struct tn_chain *tn_chain_read(const struct tn_graph *original, const struct tn_onnx *form, const char *path,
    struct tn_error *);

#endif
