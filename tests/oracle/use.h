/* What tests of random uses of operators share: arrays of their types, and what a use is, printed. */
#ifndef ORACLE_USE_H
#define ORACLE_USE_H

#include "tenon/match.h"

/* Zeros; a type whose shape is not known ends the test. */
struct tn_array use_array(const struct tn_ctx *, tn_type);
/* "	operand f32 [2 3]" and "	axis 1", a line for each operand and attribute. */
void use_print(const struct tn_ctx *, const struct tn_op *, tn_attrs, int nin, const tn_type in[]);
/* The same of a use that is computed. */
void use_print_eval(const struct tn_eval *);

#endif
