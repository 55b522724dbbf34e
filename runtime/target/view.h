/* Tensors as they lie in memory: for the library and for plug-ins, which link it too. */
#ifndef TARGET_VIEW_H
#define TARGET_VIEW_H

#include "tenon/target.h"

/* Strides of a dense tensor of t->dim in the layout; channels last only for rank 4. */
void view_dense(struct tn_tensor *t, enum tn_layout);
int64_t view_count(const struct tn_tensor *);
/* Elements of memory from the first to the last that it reads; 0 where it has none. */
int64_t view_reach(const struct tn_tensor *);
/* Can its elements, strides and bytes be counted? */
bool view_can_be(const struct tn_shape *);
/* Are both of one type and shape? */
bool view_is_shaped(const struct tn_tensor *, const struct tn_tensor *like);
/* Do both lie alike?  Strides of axes of extent 1 do not matter. */
bool view_same(const struct tn_tensor *, const struct tn_tensor *);
bool view_is_dense(const struct tn_tensor *, enum tn_layout);
/* The same, but for gaps: a part of what is dense. */
bool view_is_ordered(const struct tn_tensor *, enum tn_layout);
/*
 * The tensor under another shape, without moving an element; false: its elements are not in row-major order.
 * Extents of `to` are numbers.
 */
bool view_reshape(const struct tn_tensor *, const struct tn_shape *to, struct tn_tensor *out);
/* Does that slice lie within the axis?  What a def reads outside of it is 0, which no view shows. */
bool view_can_slice(const struct tn_tensor *, int axis, int64_t from, int64_t step, int64_t extent);
/* Every step-th along the axis, extent of them: from the from-th on, which is *skip elements further. */
void view_slice(const struct tn_tensor *, int axis, int64_t from, int64_t step, int64_t extent, struct tn_tensor *out,
    int64_t *skip);
/* Operand axis i at axis axes[i] of the shape, all others repeated. */
void view_expand(const struct tn_tensor *, const int64_t axes[], const struct tn_shape *to, struct tn_tensor *out);
/* Axis i is the operand's axis perm[i]. */
void view_permute(const struct tn_tensor *, const int64_t perm[], struct tn_tensor *out);

#endif
