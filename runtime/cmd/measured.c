/*
 * tenon optimize --measure: what the table lacks is measured before anything is chosen.
 *
 * Prices do not change while choices are compared: the whole e-graph is measured first, then what is left to the model is scaled
 * by the ratio of what was measured.  Only forms that folding makes are measured after that, and reorders of what runs.
 */
#include <string.h>
#include <unistd.h>

#include "cmd/optimize.h"
#include "cmd/prices.h"

/* the target that --target or the table names, cut to size; false: none, said */
static bool
find_name(const struct optimize *z, char *name, size_t size, struct tn_error *e)
{
	const struct optimize_options *o = z->o;
	struct tn_costs *costs = NULL;
	const char *from = o->target;

	if (!from && o->costs && access(o->costs, F_OK) == 0) {
		costs = tn_costs_read(z->ctx, prices_program(z->program), o->costs, NULL, e);
		if (!costs)
			return false;
		from = tn_costs_label(costs);
	}
	if (from)
		snprintf(name, size, "%.*s", (int)strcspn(from, " "), from);
	tn_costs_free(costs);
	return from || tn_fail(e, TN_E_IO, "--measure: on which target? say --target");
}

/* those of an optimizer, which must be of this identity */
static struct tn_costs *
compiled_costs(const struct optimize *z, const char *identity, struct tn_error *e)
{
	struct tn_costs *costs = optimizer_costs(z->o->compiled, z->ctx, e);

	if (!costs || strcmp(tn_costs_label(costs), identity) == 0)
		return costs;
	tn_fail(e, TN_E_INPUT, "the costs are of '%s', and here is '%s'", tn_costs_label(costs), identity);
	tn_costs_free(costs);
	return NULL;
}

struct tn_costs *
measured_open(struct optimize *z, struct tn_error *e)
{
	struct tn_costs *costs = NULL;
	const char *identity, *device;
	char name[64];

	if (!find_name(z, name, sizeof name, e) || !(z->race.target = race_target(z, name, e)))
		return NULL;
	identity = tn_target_identity(z->race.target);
	device = prices_device(z->program, NULL, name);
	if (z->o->compiled && z->o->compiled->costs)
		costs = compiled_costs(z, identity, e);
	else if (z->o->costs)
		z->measuring.journal = journal_open(z->o->costs, z->ctx, z->program, identity, device, &costs, e);
	else
		costs = tn_costs_new(z->ctx, prices_program(z->program), identity, device, e);
	if (costs) {
		z->measuring.ctx = z->ctx;
		z->measuring.target = z->race.target;
		measuring_start(&z->measuring, costs);
	}
	return costs;
}

bool
measured_all(struct optimize *z, const struct tn_pricing *how, struct tn_error *e)
{
	sizes_list first = {z->sizes.at, 1, 0};		/* costs are counted there */
	bool ok = !z->measuring.target || measuring_all(&z->measuring, z->costs, z->tensors, &first, how, e);

	if (ok && z->measuring.target)
		tn_costs_rescale(z->costs);
	return ok;
}

bool
measured_done(const struct optimize *z, struct tn_error *e)
{
	return !z->measuring.failure.code || tn_fail(e, z->measuring.failure.code, "%s", z->measuring.failure.msg);
}

bool
measured_write(const struct optimize *z, struct tn_error *e)
{
	return !z->measuring.journal || journal_finish(z->measuring.journal, z->costs, e);
}
