/* Weights as values. */
#include "tensor/weight.h"

#include <math.h>

#include "tensor/at.h"
#include "tensor/element.h"

const struct tn_weight *
weight_of(const struct tn_graph *g, const struct tn_gnode *n)
{
	return &g->weight[tn_val_get(g->ctx, tn_attrs_get(g->ctx, n->attrs, NULL)[0])->u.i];
}

bool
weight_count(const struct tn_ctx *c, const struct tn_weight *w, size_t *n)
{
	const struct tn_shape *t = tn_type_get(c, w->type);
	size_t size = dtype_size(t->dtype);
	int64_t count;
	int i;

	for (i = 0; i < t->rank; i++)
		if (!tn_dim_is_num(t->dim[i]) || t->dim[i] < 0)
			return false;
	if (t->rank < 0 || !size || !at_count(t->rank, t->dim, &count) || (uint64_t)count > w->size_bytes / size)
		return false;
	*n = (size_t)count;
	return true;
}

tn_val
weight_uniform(struct tn_ctx *c, const struct tn_weight *w)
{
	enum tn_dtype dtype = tn_type_get(c, w->type)->dtype;
	size_t size = dtype_size(dtype), n, i;
	double x;

	if (!weight_count(c, w, &n) || n == 0 || !w->data)
		return TN_NONE;
	for (i = 1; i < n; i++)
		if (memcmp((const char *)w->data + i * size, w->data, size) != 0)
			return TN_NONE;
	if (!element_load(dtype, w->data, 1, &x) || x != (double)(float)x)
		return TN_NONE;
	return tn_val_make(c, &(struct tn_value){.kind = TN_K_FLOAT, .u.f = x});
}
