/* Are two declarations, perhaps of two programs, one operator? */
#ifndef TENSOR_SAME_OP_H
#define TENSOR_SAME_OP_H

#include "tenon/match.h"

/* Of one name, with equal attributes, shapes, conditions and definition. */
bool op_is_same(const struct tn_op *, const struct tn_op *);
/* Has it the name of a standard operator, and is another one? */
bool op_is_namesake(const struct tn_op *);
/* The standard operator of that name, if the program has it; else TN_NONE. */
unsigned op_standard(const struct tn_program *, const char *name);

#endif
