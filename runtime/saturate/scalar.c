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

bool
tn_join_scalar(struct tn_apply *a, tn_id root, tn_id t)
{
	if (t == TN_NONE)
		return false;
	a->nunion += tn_union(a->g, root, t, &a->reason);
	return true;
}

bool
tn_join_all_scalar(struct tn_apply *a, int n, const tn_id root[], const tn_id t[])
{
	int i;

	for (i = 0; i < n; i++)
		if (t[i] == TN_NONE)
			return false;
	for (i = 0; i < n; i++)
		tn_join_scalar(a, root[i], t[i]);
	return n > 0;
}
