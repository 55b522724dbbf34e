/* Which results hold one value everywhere. */
#ifndef TENSOR_UNIFORM_H
#define TENSOR_UNIFORM_H

#include "tenon/ctx.h"

/*
 * The one value that an operator's result holds, from its def: a FLOAT value, or TN_NONE.
 *
 * s		inferred: operand types and s->out are there
 * uniform	per operand its one value, or TN_NONE
 */
tn_val uniform_value(const struct tn_infer *s, const tn_val uniform[]);

#endif
