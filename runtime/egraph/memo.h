/*
 * The hash-cons: which node has a key.  Keys of nodes whose children stand in themselves are 16 bytes, and
 * are hashed and compared as two words, here, where the compiler can put it in line.
 */
#ifndef EGRAPH_MEMO_H
#define EGRAPH_MEMO_H

#include <string.h>

#include "egraph/egraph.h"

/* The live node with the key, or TN_NONE; then *slot is where it belongs. */
tn_id memo_seek_many(const struct tn_egraph *, uint32_t hash, uint16_t op, tn_attrs, const tn_id kid[], int nkid, uint32_t *slot);
uint32_t memo_hash_many(uint16_t op, tn_attrs, const tn_id kid[], int nkid);
/* A node that was sought and not found, with the slot given then. */
void memo_put(struct tn_egraph *, uint32_t slot, uint32_t hash, tn_id node);

/* nkid is at most NODE_INLINE */
static inline struct enode
memo_key(uint16_t op, tn_attrs attrs, const tn_id kid[], int nkid)
{
	return (struct enode){attrs, op, (uint16_t)nkid, {nkid > 0 ? kid[0] : 0, nkid > 1 ? kid[1] : 0}};
}

static inline uint64_t
memo_mix(uint64_t h)
{
	return (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
}

static inline uint32_t
memo_hash_key(struct enode key)
{
	uint64_t w[2], h;

	memcpy(w, &key, sizeof w);
	h = memo_mix(w[0] * UINT64_C(0x9e3779b97f4a7c15) + w[1]);
	return (uint32_t)((h ^ h >> 29) * UINT64_C(0xff51afd7ed558ccd) >> 32);
}

static inline bool
memo_same(const struct enode *a, const struct enode *b)
{
	uint64_t x[2], y[2];

	memcpy(x, a, sizeof x);
	memcpy(y, b, sizeof y);
	return x[0] == y[0] && x[1] == y[1];
}

static inline uint32_t
memo_place(const struct tn_egraph *g, uint32_t hash)
{
	return (uint32_t)((uint64_t)hash * g->nslot >> 32);
}

static inline uint32_t
memo_next(const struct tn_egraph *g, uint32_t place)
{
	return place + 1 < g->nslot ? place + 1 : 0;
}

static inline tn_id
memo_seek_key(const struct tn_egraph *g, uint32_t hash, struct enode key, uint32_t *slot)
{
	uint32_t i;

	*slot = 0;
	if (!g->nslot)
		return TN_NONE;
	for (i = memo_place(g, hash); g->slot[i].node; i = memo_next(g, i))
		if (g->slot[i].hash == hash && memo_same(&g->node[g->slot[i].node - 1], &key))
			return g->slot[i].node - 1;
	*slot = i;
	return TN_NONE;
}

static inline uint32_t
memo_hash(uint16_t op, tn_attrs attrs, const tn_id kid[], int nkid)
{
	return nkid <= NODE_INLINE ? memo_hash_key(memo_key(op, attrs, kid, nkid)) : memo_hash_many(op, attrs, kid, nkid);
}

static inline tn_id
memo_seek(const struct tn_egraph *g, uint32_t hash, uint16_t op, tn_attrs attrs, const tn_id kid[], int nkid, uint32_t *slot)
{
	return nkid <= NODE_INLINE ? memo_seek_key(g, hash, memo_key(op, attrs, kid, nkid), slot) :
	    memo_seek_many(g, hash, op, attrs, kid, nkid, slot);
}

#endif
