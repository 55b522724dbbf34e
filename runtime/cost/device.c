/*
 * A modelled device: an operator takes launch + max(flops / peak, bytes / bandwidth).
 *
 * A view, which gives the same elements another shape, takes nothing.  An operator with a `cost` has
 * that price.
 */
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/mem.h"
#include "cost/cost.h"
#include "tensor/at.h"
#include "tensor/infer.h"

struct tn_costs {
	struct tn_ctx *ctx;
	double launch_ns, peak_gflops, bandwidth_gbs;
	const char *label;
	struct arena arena;
};

/* ---- devices --------------------------------------------------------------------------------------------- */

static bool
refuse_device(const struct tn_program *p, const char *name, struct tn_error *e)
{
	struct buf names = {0};
	int i;

	for (i = 0; i < p->ndevice; i++)
		buf_printf(&names, "%s%s", i ? ", " : "", p->device[i].name);
	if (p->ndevice)
		tn_fail(e, TN_E_IO, "no device is called '%s': there are %s", name, names.at);
	else
		tn_fail(e, TN_E_IO, "no device is called '%s': the rules describe none", name);
	buf_free(&names);
	return false;
}

/* a figure of the device; `least`: what it must be more than */
static bool
figure(const struct tn_device *d, const char *key, double least, double *out, struct tn_error *e)
{
	int i;

	for (i = 0; i < d->nkey; i++) {
		if (strcmp(d->key[i], key) != 0)
			continue;
		*out = d->value[i];
		return *out > least || tn_fail(e, TN_E_INPUT, "device %s: %s is too small", d->name, key);
	}
	return tn_fail(e, TN_E_INPUT, "device %s: (%s …) is missing", d->name, key);
}

struct tn_costs *
tn_costs_device(struct tn_ctx *ctx, const struct tn_program *p, const char *device, struct tn_error *e)
{
	const struct tn_device *d = NULL;
	struct tn_costs *costs;
	int i;

	for (i = 0; i < p->ndevice; i++)
		if (strcmp(p->device[i].name, device) == 0)
			d = &p->device[i];
	if (!d) {
		refuse_device(p, device, e);
		return NULL;
	}
	costs = mem_alloc(sizeof *costs);
	costs->ctx = ctx;
	costs->label = arena_printf(&costs->arena, "modelled %s", d->name);
	if (figure(d, "launch-ns", -1, &costs->launch_ns, e) && figure(d, "peak-gflops", 0, &costs->peak_gflops, e) &&
	    figure(d, "bandwidth-gbs", 0, &costs->bandwidth_gbs, e))
		return costs;
	tn_costs_free(costs);
	return NULL;
}

void
tn_costs_free(struct tn_costs *costs)
{
	if (!costs)
		return;
	arena_free(&costs->arena);
	mem_free(costs);
}

const char *
tn_costs_label(const struct tn_costs *costs)
{
	return costs->label;
}

/* ---- prices ------------------------------------------------------------------------------------------------ */

/* nanoseconds by the operator's own expression; false: it cannot be computed here */
static bool
declared_price(struct tn_costs *costs, const struct tn_op *op, tn_attrs attrs, const struct tn_source in[], int nin,
    const int64_t sizes[], double *ns)
{
	struct tn_ctx *c = costs->ctx;
	tn_type *at = mem_alloc(((size_t)nin + 1) * sizeof *at);
	struct tn_infer s = {.ctx = c, .op = op, .attrs = at_attrs(c, attrs, sizes), .nin = nin, .in = at};
	struct walk w = {0};
	bool ok = s.attrs != TN_NONE;
	int i;

	for (i = 0; i < nin; i++) {
		at[i] = at_type(c, in[i].type, sizes);
		ok &= at[i] != TN_NONE;
	}
	ok = ok && walk_start(&w, &s) && walk_bind(&w);
	for (i = 0; ok && i < op->nlet; i++)
		w.var[op->let[i].var] = walk_eval(&w, op->let[i].x);
	ok = ok && calc_real(walk_eval(&w, op->cost), ns);
	walk_end(&w);
	mem_free(at);
	return ok;
}

/* whole nanoseconds that sums of many still hold */
static int64_t
whole_ns(double ns)
{
	return ns > 0 ? (int64_t)fmin(ceil(ns), 1e15) : 0;
}

int64_t
tn_costs_op(struct tn_costs *costs, const struct tn_op *op, tn_attrs attrs, const struct tn_source in[], int nin, tn_type out,
    const int64_t sizes[])
{
	double flops, bytes, ns;

	if (view_is_free(op))
		return 0;
	if (op->cost)
		return declared_price(costs, op, attrs, in, nin, sizes, &ns) ? whole_ns(ns) : TN_COST_NEVER;
	if (!op_work(costs->ctx, op, attrs, in, nin, out, sizes, &flops, &bytes))
		return TN_COST_NEVER;
	/* a gigaflop or gigabyte in a second is one flop or byte in a nanosecond */
	return whole_ns(costs->launch_ns + fmax(flops / costs->peak_gflops, bytes / costs->bandwidth_gbs));
}
