/* Results of scalar rules: no shapes to check, so nodes are added at once. */
#include "egraph/egraph.h"
#include "saturate/apply.h"

tn_id
tn_new_scalar(struct tn_apply *a, unsigned op, const tn_id kid[], int nkid)
{
	int i;

	for (i = 0; i < nkid; i++)
		if (kid[i] == TN_NONE)
			return TN_NONE;
	return tn_add(a->g, (uint16_t)op, 0, kid, nkid);
}

/* Does a node that was added for t close a cycle through the root? */
static bool
would_close(struct tn_apply *a, tn_id root, tn_id t)
{
	unsigned i;
	tn_id n;

	for (n = a->floor; a->closes && t >= a->floor && n < a->g->n; n++) {
		const tn_id *kid = egraph_const_kids(a->g, n);

		for (i = 0; i < egraph_nkid(&a->g->node[n]); i++)
			if (kid[i] < a->floor && a->closes(a->run, root, kid[i]))
				return a->is_closed = true;
	}
	return false;
}

bool
tn_join_scalar(struct tn_apply *a, tn_id root, tn_id t)
{
	if (t == TN_NONE || would_close(a, root, t))
		return false;
	a->nunion += tn_union(a->g, root, t, &a->reason);
	return true;
}

bool
tn_join_all_scalar(struct tn_apply *a, int n, const tn_id root[], const tn_id t[])
{
	int i;

	for (i = 0; i < n; i++)
		if (t[i] == TN_NONE || would_close(a, root[i], t[i]))
			return false;
	for (i = 0; i < n; i++)
		a->nunion += tn_union(a->g, root[i], t[i], &a->reason);
	return n > 0;
}
