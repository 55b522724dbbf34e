/* Types and records at given sizes of their symbols: what costs and the executor work with. */
#ifndef TENSOR_AT_H
#define TENSOR_AT_H

#include "tenon/ctx.h"

/* The shape with numbers for extents; false: an extent is not known there, or negative. */
bool at_shape(const struct tn_ctx *, tn_type, const int64_t sizes[], struct tn_shape *);
/* The same as a type; TN_NONE where it is not known. */
tn_type at_type(struct tn_ctx *, tn_type, const int64_t sizes[]);
/* The record with numbers for its extents; TN_NONE where one is not known. */
tn_attrs at_attrs(struct tn_ctx *, tn_attrs, const int64_t sizes[]);
/* Elements of a shape of numbers; false if they are too many to be counted. */
bool at_count(int rank, const int64_t dim[], int64_t *out);

#endif
