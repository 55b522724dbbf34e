/*
 * A modelled device: an operator takes launch + max(flops / peak, bytes / bandwidth).  An operator with a
 * `cost` has that price.
 */
#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cost/cost.h"
#include "tensor/at.h"
#include "tensor/infer.h"

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

/* a figure that may be left out */
static double
optional_figure(const struct tn_device *d, const char *key, double otherwise)
{
	int i;

	for (i = 0; i < d->nkey; i++)
		if (strcmp(d->key[i], key) == 0)
			return d->value[i];
	return otherwise;
}

bool
device_find(const struct tn_program *p, const char *name, struct device *out, struct tn_error *e)
{
	const struct tn_device *d = NULL;
	int i;

	for (i = 0; i < p->ndevice; i++)
		if (strcmp(p->device[i].name, name) == 0)
			d = &p->device[i];
	if (!d)
		return refuse_device(p, name, e);
	out->has_parts = optional_figure(d, "parts-in-place", 0) != 0;
	return figure(d, "launch-ns", -1, &out->launch_ns, e) && figure(d, "peak-gflops", 0, &out->peak_gflops, e) &&
	    figure(d, "bandwidth-gbs", 0, &out->bandwidth_gbs, e);
}

/* ---- prices ------------------------------------------------------------------------------------------------ */

/* nanoseconds by the operator's own expression; false: it cannot be computed here */
static bool
declared_price(struct tn_ctx *c, const struct tn_op *op, tn_attrs attrs, const struct tn_source in[], int nin,
    const int64_t sizes[], double *ns)
{
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

bool
device_price(const struct device *d, struct tn_ctx *c, const struct tn_op *op, tn_attrs attrs, const struct tn_source in[],
    int nin, tn_type out, const int64_t sizes[], double *ns)
{
	double flops, bytes;

	if (op->cost)
		return declared_price(c, op, attrs, in, nin, sizes, ns);
	if (!op_work(c, op, attrs, in, nin, out, sizes, &flops, &bytes))
		return false;
	/* a gigaflop or gigabyte in a second is one flop or byte in a nanosecond */
	*ns = d->launch_ns + fmax(flops / d->peak_gflops, bytes / d->bandwidth_gbs);
	return true;
}
