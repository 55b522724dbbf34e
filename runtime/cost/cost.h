/*
 * What the parts of costs share: work counted with operands as they lie in memory, and what an operator
 * takes along that its operand was made by.
 */
#ifndef COST_COST_H
#define COST_COST_H

#include "tenon/tenon.h"

/* ---- work.c ------------------------------------------------------------------------------------------- */

/* tn_op_work with bytes of what is stored; false: not known at these sizes. */
bool op_work(struct tn_ctx *, const struct tn_op *, tn_attrs, const struct tn_source in[], int nin, tn_type out,
    const int64_t sizes[], double *flops, double *bytes);

/* ---- view.c ------------------------------------------------------------------------------------------- */

/* Are the result's elements the operand's in its order, so that nothing moves? */
bool view_is_free(const struct tn_op *);
/*
 * Does `user` read its operand i from the source of `maker` (of these attributes, type and source type)?
 * Then *s says how: an operator that works element by element on several operands repeats them itself, a
 * product of matrices swaps the last two axes itself.
 */
bool view_is_taken(struct tn_ctx *, const struct tn_op *user, int i, const struct tn_op *maker, tn_attrs, tn_type type,
    tn_type from, struct tn_source *s);

#endif
