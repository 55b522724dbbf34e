/* Values and types as text at the end of a buffer: what tn_val_print and tn_type_print cut to size. */
#ifndef TENSOR_PRINT_H
#define TENSOR_PRINT_H

#include "base/buf.h"
#include "tenon/ctx.h"

/* The value as rule files write it; enums names a value of an enum, else NULL. */
void print_val(struct buf *, const struct tn_ctx *, const struct tn_enum *enums, tn_val);
/* "f32 [1 3 h w]" */
void print_type(struct buf *, const struct tn_ctx *, tn_type);

#endif
