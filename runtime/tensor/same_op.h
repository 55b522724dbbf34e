/* Are two declarations, perhaps of two programs, one operator? */
#ifndef TENSOR_SAME_OP_H
#define TENSOR_SAME_OP_H

#include "tenon/match.h"

/* Of one name, with equal attributes, shapes, conditions and definition. */
bool op_is_same(const struct tn_op *, const struct tn_op *);

#endif
