/* The operators of a program as C. */
#ifndef GEN_OPS_H
#define GEN_OPS_H

#include "gen/emit.h"
#include "tenon/rule.h"

/* Defines ops[], and enums[] and devices[] where there are any, and all that they refer to. */
void gen_ops(struct emit *, const struct tn_program_text *);

#endif
