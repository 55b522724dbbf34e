/*
 * The hash-cons: open addressing, 8 bytes a slot, at most 0.6 full.  Nothing is deleted: a node that was
 * keyed again leaves its old slot behind, which no longer compares equal, and goes when the table is
 * made anew.
 *
 * The slot number is the top of the hash, so that a table twice as large holds its nodes in the same order
 * and is filled from front to back.
 */
#include <string.h>

#include "egraph/egraph.h"

#ifdef TN_TEST
enum { FIRST_BITS = 2 };
#else
enum { FIRST_BITS = 10 };
#endif

uint32_t
memo_hash(uint16_t op, tn_attrs attrs, const tn_id kid[], int nkid)
{
	uint64_t h = ((uint64_t)attrs << 32 | (uint32_t)op << 16 | (uint32_t)nkid) * UINT64_C(0x9e3779b97f4a7c15);
	int i;

	for (i = 0; i + 1 < nkid; i += 2) {
		h += (uint64_t)kid[i + 1] << 32 | kid[i];
		h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
	}
	if (i < nkid) {
		h += kid[i];
		h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
	}
	return (uint32_t)((h ^ h >> 29) * UINT64_C(0xff51afd7ed558ccd) >> 32);
}

static bool
has_key(const struct tn_egraph *g, tn_id n, struct enode key, const tn_id kid[], int nkid)
{
	const struct enode *e = &g->node[n];

	if (nkid <= NODE_INLINE)
		return memcmp(e, &key, sizeof key) == 0;
	return e->op == key.op && e->attrs == key.attrs && e->nkid == nkid &&
	    memcmp(&g->many_kid.at[e->kid[0]], kid, (size_t)nkid * sizeof *kid) == 0;
}

tn_id
memo_seek(const struct tn_egraph *g, uint32_t hash, uint16_t op, tn_attrs attrs, const tn_id kid[], int nkid, uint32_t *slot)
{
	struct enode key = {attrs, op, (uint16_t)nkid, {nkid > 0 ? kid[0] : 0, nkid > 1 ? kid[1] : 0}};
	uint32_t i, mask = g->nslot - 1;

	*slot = 0;
	if (!g->nslot)
		return TN_NONE;
	for (i = hash >> g->shift; g->slot[i].node != TN_NONE; i = (i + 1) & mask)
		if (g->slot[i].hash == hash && has_key(g, g->slot[i].node, key, kid, nkid))
			return g->slot[i].node;
	*slot = i;
	return TN_NONE;
}

/* the free slot for a hash that is not to be looked for */
static uint32_t
free_slot(const struct tn_egraph *g, uint32_t hash)
{
	uint32_t i = hash >> g->shift, mask = g->nslot - 1;

	while (g->slot[i].node != TN_NONE)
		i = (i + 1) & mask;
	return i;
}

/* is the slot the one that its node is found by? */
static bool
is_stale(const struct tn_egraph *g, struct slot s)
{
	const struct enode *e = &g->node[s.node];

	return egraph_is_dead(g, s.node) || memo_hash(e->op, e->attrs, egraph_const_kids(g, s.node), e->nkid) != s.hash;
}

/*
 * A larger table, or one as large without its stale slots if there are many of those.  Slots that wrapped
 * around the old table's end come last.
 */
static void
renew(struct tn_egraph *g)
{
	struct slot *old = g->slot, s;
	struct region old_region = g->slot_region;
	uint32_t nold = g->nslot, start = 0, i;
	bool has_many_stale = g->used > g->nlive + g->nlive / 4;
	uint64_t want = nold ? nold : UINT64_C(1) << FIRST_BITS;

	while ((double)(g->nlive + 1) > 0.45 * (double)want)
		want *= 2;
	if (want == nold && !has_many_stale)
		want *= 2;
	g->nslot = (uint32_t)want;
	g->shift = 32 - (uint32_t)__builtin_ctz(g->nslot);
	g->slot = region_reserve(&g->slot_region, g->nslot, sizeof *g->slot);
	memset(g->slot, 0xff, g->nslot * sizeof *g->slot);
	g->used = 0;
	while (start < nold && old[start].node != TN_NONE)
		start++;
	for (i = 0; i < nold; i++) {
		s = old[(start + i) & (nold - 1)];
		if (s.node == TN_NONE || (has_many_stale && is_stale(g, s)))
			continue;
		g->slot[free_slot(g, s.hash)] = s;
		g->used++;
	}
	region_release(&old_region);
}

void
memo_put(struct tn_egraph *g, uint32_t slot, uint32_t hash, tn_id node)
{
	if (g->used + 1 > (uint64_t)g->nslot * 6 / 10) {
		renew(g);
		slot = free_slot(g, hash);
	}
	g->slot[slot] = (struct slot){hash, node};
	g->used++;
}
