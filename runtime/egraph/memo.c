/*
 * The hash-cons: open addressing, 8 bytes a slot, at most 0.6 full.  Nothing is deleted: a node that was
 * keyed again leaves its old slot behind, which no longer compares equal, and goes when the table is
 * made anew.
 *
 * A slot's place is its hash scaled to the table's size, so that a larger table holds its nodes in the same
 * order and is filled from front to back.
 */
#include "egraph/memo.h"

#ifdef TN_TEST
enum { FIRST = 4 };
#else
enum { FIRST = 1024 };
#endif

uint32_t
memo_hash_many(uint16_t op, tn_attrs attrs, const tn_id kid[], int nkid)
{
	uint64_t h = ((uint64_t)attrs << 32 | (uint32_t)op << 16 | (uint32_t)nkid) * UINT64_C(0x9e3779b97f4a7c15);
	int i;

	for (i = 0; i < nkid; i++)
		h = memo_mix(h + kid[i]);
	return (uint32_t)((h ^ h >> 29) * UINT64_C(0xff51afd7ed558ccd) >> 32);
}

tn_id
memo_seek_many(const struct tn_egraph *g, uint32_t hash, uint16_t op, tn_attrs attrs, const tn_id kid[], int nkid, uint32_t *slot)
{
	const struct enode *e;
	uint32_t i;
	tn_id n;

	*slot = 0;
	if (!g->nslot)
		return TN_NONE;
	for (i = memo_place(g, hash); g->slot[i].node; i = memo_next(g, i)) {
		n = g->slot[i].node - 1;
		e = &g->node[n];
		if (g->slot[i].hash == hash && e->op == op && e->attrs == attrs && e->nkid == nkid &&
		    memcmp(&g->many_kid.at[e->kid[0]], kid, (size_t)nkid * sizeof *kid) == 0)
			return n;
	}
	*slot = i;
	return TN_NONE;
}

/* the free slot for a hash that is not to be looked for */
static uint32_t
free_slot(const struct tn_egraph *g, uint32_t hash)
{
	uint32_t i = memo_place(g, hash);

	while (g->slot[i].node)
		i = memo_next(g, i);
	return i;
}

/* is the slot not the one that its node is found by? */
static bool
is_stale(const struct tn_egraph *g, struct slot s)
{
	const struct enode *e = &g->node[s.node - 1];

	return (e->nkid & NODE_DEAD) || memo_hash(e->op, e->attrs, egraph_const_kids(g, s.node - 1), e->nkid) != s.hash;
}

/*
 * A table 0.4 full of the live nodes; stale slots are sought out only if there are many.  Slots that wrapped
 * around the old table's end come last.
 */
static void
renew(struct tn_egraph *g)
{
	struct slot *old = g->slot, s;
	struct region old_region = g->slot_region;
	uint32_t nold = g->nslot, start = 0, i;
	bool has_many_stale = g->used > g->nlive + g->nlive / 4;
	uint64_t want = (uint64_t)(has_many_stale ? g->nlive : g->used) * 5 / 2;

	if (want > UINT32_MAX)
		mem_oom(want * sizeof *g->slot);
	g->nslot = want < FIRST ? FIRST : (uint32_t)want;
	g->slot = region_reserve(&g->slot_region, g->nslot, sizeof *g->slot);
	g->used = 0;
	while (start < nold && old[start].node)
		start++;
	for (i = 0; i < nold; i++) {
		s = old[start + i < nold ? start + i : start + i - nold];
		if (!s.node || (has_many_stale && is_stale(g, s)))
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
	g->slot[slot] = (struct slot){hash, node + 1};
	g->used++;
}
