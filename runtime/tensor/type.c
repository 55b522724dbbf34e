/* Tensor types, interned. */
#include <assert.h>
#include <string.h>

#include "tensor/ctx.h"

tn_type
tn_type_make(struct tn_ctx *c, const struct tn_shape *shape)
{
	struct tn_shape key;
	tn_type at;
	int i;

	assert(shape->rank <= TN_MAX_RANK);
	memset(&key, 0, sizeof key);		/* padding and unused extents count as bytes */
	key.dtype = shape->dtype;
	key.rank = shape->rank < 0 ? -1 : shape->rank;
	for (i = 0; i < key.rank; i++)
		key.dim[i] = shape->dim[i];
	at = pool_find(&c->type, &key, sizeof key);
	return at != TN_NONE ? at : pool_put(&c->type, &key, sizeof key, arena_dup(&c->arena, &key, sizeof key));
}

const struct tn_shape *
tn_type_get(const struct tn_ctx *c, tn_type t)
{
	return c->type.at.at[t];
}
