/* Element types: their names and sizes, from the one table in tenon/op.h. */
#ifndef BASE_DTYPE_H
#define BASE_DTYPE_H

#include <stdbool.h>
#include <stddef.h>

#include "tenon/op.h"

/* Bytes of an element; 0 where they differ from one to the next (strings). */
size_t dtype_size(enum tn_dtype);
/* "f32", "i64"; "?" for TN_UNTYPED. */
const char *dtype_name(enum tn_dtype);
/* By that name, or in full: float32, bfloat16, int64, uint8.  TN_UNTYPED: no name of a type. */
enum tn_dtype dtype_named(const char *);
bool dtype_is_float(enum tn_dtype);

#endif
