/*
 * Hash map from byte strings to numbers.  Keys are copied.  There is no iteration, on purpose: the
 * order would be the hash's, and what we print must not depend on it.  Keep a VEC beside it.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct map_slot;

struct map {
	struct map_slot *slot;
	uint32_t n, cap;	/* cap is a power of two; load at most one half */
	struct arena keys;
};

/* The number under the key, or NULL; good until the next map_put. */
uint32_t *map_get(const struct map *, const void *key, size_t len);
/* Where the key's number is, made with `value` if it was not there. *is_new may be NULL. */
uint32_t *map_put(struct map *, const void *key, size_t len, uint32_t value, bool *is_new);
void map_free(struct map *);
uint64_t hash_bytes(const void *, size_t);

#endif
