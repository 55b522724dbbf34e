/* The operators of a program as C. */
#ifndef GEN_OPS_H
#define GEN_OPS_H

#include "base/buf.h"
#include "tenon/rule.h"

/* Defines the arrays ops[], and enums[] and devices[] where there are any, and all they refer to. */
void ops_text(struct buf *, const struct tn_program_text *);

#endif
