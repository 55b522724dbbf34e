/* Tables of costs; see prices.h. */
#include <string.h>

#include "cmd/prices.h"

const struct tn_program *
prices_program(const struct tn_program *p)
{
	return p->ndevice ? p : &tn_builtin;
}

struct tn_costs *
prices_read(struct tn_ctx *c, const struct tn_program *p, const char *path, const char *identity, struct tn_error *e)
{
	struct tn_costs *costs = tn_costs_read(c, prices_program(p), path, NULL, e);

	if (!costs || strcmp(tn_costs_label(costs), identity) == 0)
		return costs;
	tn_fail(e, TN_E_INPUT, "%s: these costs are of '%s', not of '%s'", path, tn_costs_label(costs), identity);
	tn_costs_free(costs);
	return NULL;
}
