/* Tables of costs; see prices.h. */
#include <string.h>

#include "cmd/prices.h"

const struct tn_program *
prices_program(const struct tn_program *p)
{
	return p->ndevice ? p : &tn_builtin;
}

const char *
prices_device(const struct tn_program *program, const char *device, const char *target)
{
	const struct tn_program *p = prices_program(program);
	const char *want = device ? device : target;
	int i;

	for (i = 0; i < p->ndevice; i++)
		if (strcmp(p->device[i].name, want) == 0)
			return want;
	return device || !p->ndevice ? want : p->device[0].name;
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

void
prices_add(struct tn_costs *to, const struct tn_costs *from)
{
	struct tn_measurement m;
	const char *signature;
	uint32_t i;

	for (i = 0; (signature = tn_costs_line(from, i, &m)); i++)
		tn_costs_put(to, signature, &m);
}
