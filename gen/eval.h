/* Operators' functions as C text: what gen_ops (ops.c) is made of. */
#ifndef GEN_EVAL_H
#define GEN_EVAL_H

#include <stdbool.h>

#include "base/buf.h"
#include "tenon/rule.h"

struct names;

/* eval_NAME, given the names of the operators up to this one.  False, and nothing put, where the def must be left to
 * the tree walker. */
bool gen_eval(struct buf *, const struct tn_op *, const char *name, const struct names *ops);
/* shape_NAME, likewise. */
bool gen_shape(struct buf *, const struct tn_op *, const char *name, const struct names *ops);

#endif
