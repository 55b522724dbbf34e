/*
 * After unions: users of an absorbed class are keyed again, which may find that two nodes have one key
 * and so that two classes are one; then the data of users of changed classes is made again.
 */
#include <assert.h>

#include "egraph/memo.h"

/* children to their classes; true if any moved */
static bool
canonical(struct tn_egraph *g, tn_id n)
{
	tn_id *kid = egraph_kids(g, n), c;
	unsigned i, nkid = egraph_nkid(&g->node[n]);
	bool moved = false;

	for (i = 0; i < nkid; i++) {
		c = egraph_find(g, kid[i]);
		moved |= c != kid[i];
		kid[i] = c;
	}
	return moved;
}

/* Key a node with new children again; if another has the key, that one stays and their classes are one. */
static void
rekey(struct tn_egraph *g, tn_id n)
{
	struct enode *e = &g->node[n];
	const tn_id *kid = egraph_kids(g, n);
	uint32_t hash = memo_hash(e->op, e->attrs, kid, e->nkid), slot;
	tn_id other = memo_seek(g, hash, e->op, e->attrs, kid, e->nkid, &slot);

	g->stamp[n] = g->clock;
	if (other == n)
		return;
	if (other == TN_NONE) {
		memo_put(g, slot, hash, n);
		return;
	}
	e->nkid |= NODE_DEAD;
	g->nlive--;
	if (g->excluded)
		g->excluded[other] &= g->excluded[n];
	tn_union(g, n, other, NULL);
}

/*
 * Users of an absorbed class.  Each goes over to the class it now has as child before it is keyed: a union
 * that this brings about may absorb that class in turn.  Dead users are let go.
 */
static void
rekey_users(struct tn_egraph *g, tn_id gone)
{
	uint32_t use, next;
	tn_id parent, c;
	bool moved;

	for (use = g->class[gone].use; use != TN_NONE; use = next) {
		next = *egraph_use_next(g, use);
		parent = egraph_use_parent(g, use);
		if (egraph_is_dead(g, parent))
			continue;
		moved = canonical(g, parent);
		c = egraph_find(g, gone);
		*egraph_use_next(g, use) = g->class[c].use;
		g->class[c].use = use;
		if (moved)
			rekey(g, parent);
	}
	g->class[gone].use = TN_NONE;
}

/* make the data of a changed class's users again */
static void
remake_users(struct tn_egraph *g, tn_id class)
{
	uint32_t use;
	tn_id n;

	for (use = g->class[class].use; use != TN_NONE; use = *egraph_use_next(g, use)) {
		n = egraph_use_parent(g, use);
		if (egraph_is_dead(g, n))
			continue;
		egraph_make_data(g, n);
		egraph_merge_data(g, egraph_find(g, n), g->made);
	}
}

void
egraph_restore(struct tn_egraph *g)
{
	while (g->nrekeyed < g->absorbed.n || g->changed.n) {
		if (g->nrekeyed < g->absorbed.n)
			rekey_users(g, g->absorbed.at[g->nrekeyed++]);
		else
			remake_users(g, egraph_find(g, vec_pop(&g->changed)));
	}
}

bool
tn_rebuild(struct tn_egraph *g)
{
	egraph_restore(g);
	snapshot_take(g);
#ifdef TN_TEST
	assert(g->is_contradiction || !tn_egraph_check(g));
#endif
	return !g->is_contradiction;
}
