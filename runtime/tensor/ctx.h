/* Inside of the context: the pools behind tenon/ctx.h. */
#ifndef TENSOR_CTX_H
#define TENSOR_CTX_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "expr/dims.h"
#include "tenon/ctx.h"

/* Things interned by their bytes; at[] are their copies, which never move. */
struct pool {
	struct map map;
	VEC(const void *) at;
};

struct record {
	uint32_t n;
	const tn_val *val;
};

/* What inference found before. */
struct inferred {
	bool ok;
	tn_type out;
	const tn_type *in;	/* with the shapes of numbers filled in */
};

struct tn_ctx {
	struct arena arena;
	struct dims *dims;
	struct pool str, val, attrs, type;
	struct map infer_map;
	VEC(struct inferred) inferred;
};

/* Number of the thing under the key, TN_NONE if it is not there yet. */
uint32_t pool_find(const struct pool *, const void *key, size_t size);
/* Put what stands under the key; its copy belongs to the context. */
uint32_t pool_put(struct pool *, const void *key, size_t size, const void *thing);

#endif
