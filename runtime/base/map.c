/* Open addressing with linear probing; see map.h. */
#include <string.h>

#include "base/map.h"
#include "base/mem.h"

#ifdef TN_TEST
enum { FIRST = 2 };
#else
enum { FIRST = 16 };
#endif

struct map_slot {
	const void *key;	/* NULL: free */
	uint32_t len, value;
	uint64_t hash;
};

uint64_t
hash_bytes(const void *data, size_t len)
{
	const unsigned char *p = data;
	uint64_t h = UINT64_C(0x9e3779b97f4a7c15) ^ len, w;

	for (; len >= 8; len -= 8, p += 8) {
		memcpy(&w, p, 8);
		h = (h ^ w) * UINT64_C(0xff51afd7ed558ccd);
		h ^= h >> 32;
	}
	w = 0;
	if (len)
		memcpy(&w, p, len);
	h = (h ^ w) * UINT64_C(0xc4ceb9fe1a85ec53);
	return h ^ h >> 29;
}

/* the slot that holds the key, or the free one where it belongs */
static struct map_slot *
seek(const struct map *m, const void *key, size_t len, uint64_t hash)
{
	uint32_t i = (uint32_t)hash & (m->cap - 1);
	struct map_slot *s;

	for (;; i = (i + 1) & (m->cap - 1)) {
		s = &m->slot[i];
		if (!s->key || (s->hash == hash && s->len == len && memcmp(s->key, key, len) == 0))
			return s;
	}
}

static void
rehash(struct map *m)
{
	struct map_slot *old = m->slot;
	uint32_t i, n = m->cap;

	m->cap = n ? 2 * n : FIRST;
	m->slot = mem_alloc(m->cap * sizeof *m->slot);
	for (i = 0; i < n; i++)
		if (old[i].key)
			*seek(m, old[i].key, old[i].len, old[i].hash) = old[i];
	mem_free(old);
}

uint32_t *
map_get(const struct map *m, const void *key, size_t len)
{
	struct map_slot *s;

	if (!m->n)
		return NULL;
	s = seek(m, key, len, hash_bytes(key, len));
	return s->key ? &s->value : NULL;
}

uint32_t *
map_put(struct map *m, const void *key, size_t len, uint32_t value, bool *is_new)
{
	uint64_t hash = hash_bytes(key, len);
	struct map_slot *s;

	if (2 * (m->n + 1) > m->cap)
		rehash(m);
	s = seek(m, key, len, hash);
	if (is_new)
		*is_new = !s->key;
	if (!s->key) {
		*s = (struct map_slot){arena_str(&m->keys, key, len), (uint32_t)len, value, hash};
		m->n++;
	}
	return &s->value;
}

void
map_free(struct map *m)
{
	mem_free(m->slot);
	arena_free(&m->keys);
	*m = (struct map){0};
}
