/*
 * Prices: from a table of measurements where it has a line for the operator, else modelled.
 *
 * A view, which gives the same elements another shape, takes nothing.
 */
#include <math.h>

#include "base/arena.h"
#include "base/mem.h"
#include "cost/cost.h"
#include "tensor/at.h"
#include "tensor/print.h"

struct tn_costs {
	struct tn_ctx *ctx;
	struct device device;
	double scale;			/* of the device's prices */
	struct table *table;		/* NULL: all is modelled */
	const char *label, *model;	/* model: "t4", "cpu times 1.25" */
	tn_measure_fn *measure;		/* of what the table lacks; NULL: that is modelled */
	void *arg;
	struct arena arena;
};

struct tn_costs *
tn_costs_device(struct tn_ctx *ctx, const struct tn_program *p, const char *device, struct tn_error *e)
{
	struct tn_costs *costs = mem_alloc(sizeof *costs);

	costs->ctx = ctx;
	costs->scale = 1;
	costs->model = arena_printf(&costs->arena, "%s", device);
	costs->label = arena_printf(&costs->arena, "modelled %s", device);
	if (device_find(p, device, &costs->device, e))
		return costs;
	tn_costs_free(costs);
	return NULL;
}

static void
set_scale(struct tn_costs *costs, const char *model, double scale)
{
	costs->scale = scale;
	costs->model = arena_printf(&costs->arena, "%s times %.4g", model, scale);
}

/* prices from the table, which it takes over: the message of a device that is missing begins with `whose` */
static struct tn_costs *
with_table(struct tn_ctx *ctx, const struct tn_program *p, struct table *table, const char *whose, struct tn_error *e)
{
	struct tn_costs *costs;
	struct tn_error inner;
	const char *model;
	double scale;

	model = table_model(table, &scale);
	costs = tn_costs_device(ctx, p, model, &inner);
	if (!costs) {
		tn_fail(e, TN_E_INPUT, "%s: %s", whose, inner.msg);
		table_free(table);
		return NULL;
	}
	costs->table = table;
	costs->label = table_identity(table);
	set_scale(costs, model, scale);
	return costs;
}

struct tn_costs *
tn_costs_read(struct tn_ctx *ctx, const struct tn_program *p, const char *path, const char *target, struct tn_error *e)
{
	struct table *table = table_read(path, target, e);

	return table ? with_table(ctx, p, table, path, e) : NULL;
}

struct tn_costs *
tn_costs_of(struct tn_ctx *ctx, const struct tn_program *p, const struct tn_costs_table *table, struct tn_error *e)
{
	return with_table(ctx, p, table_of(table), table->identity, e);
}

struct tn_costs *
tn_costs_new(struct tn_ctx *ctx, const struct tn_program *p, const char *identity, const char *device, struct tn_error *e)
{
	struct tn_costs *costs = tn_costs_device(ctx, p, device, e);

	if (!costs)
		return NULL;
	costs->table = table_new(identity, device);
	costs->label = table_identity(costs->table);
	return costs;
}

void
tn_costs_measure(struct tn_costs *costs, tn_measure_fn *measure, void *arg)
{
	costs->measure = measure;
	costs->arg = arg;
}

void
tn_costs_rescale(struct tn_costs *costs)
{
	double old;

	if (costs->table)
		set_scale(costs, table_model(costs->table, &old), table_scale(costs->table));
}

bool
tn_costs_put(struct tn_costs *costs, const char *signature, const struct tn_measurement *m)
{
	return table_put(costs->table, signature, m, false);
}

const char *
tn_costs_put_text(struct tn_costs *costs, char *line)
{
	return table_put_text(costs->table, line);
}

const char *
tn_costs_line(const struct tn_costs *costs, uint32_t i, struct tn_measurement *m)
{
	return costs->table ? table_line(costs->table, i, m) : NULL;
}

void
tn_costs_write(const struct tn_costs *costs, FILE *f)
{
	if (costs->table)
		table_write(costs->table, f);
}

void
tn_costs_free(struct tn_costs *costs)
{
	if (!costs)
		return;
	table_free(costs->table);
	arena_free(&costs->arena);
	mem_free(costs);
}

const char *
tn_costs_label(const struct tn_costs *costs)
{
	return costs->label;
}

const char *
tn_costs_model(const struct tn_costs *costs)
{
	return costs->model;
}

/* ---- signatures ---------------------------------------------------------------------------------------------- */

/* "matmul f32 [8 6] f32 [6 4] t number :batch 0 :act none -> f32 [8 4]"; false: not known at these sizes */
static bool
put_signature(struct buf *b, struct tn_ctx *c, const struct tn_op *op, tn_attrs attrs, const struct tn_source in[], int nin,
    tn_type out, const int64_t sizes[])
{
	const tn_val *v;
	tn_type at;
	int i, n;

	buf_puts(b, op->name);
	for (i = 0; i < nin; i++) {
		at = in[i].stored == TN_NONE ? TN_NONE : at_type(c, in[i].stored, sizes);
		if (at == TN_NONE && in[i].stored != TN_NONE)
			return false;
		buf_putc(b, ' ');
		if (at == TN_NONE)
			buf_puts(b, "number");
		else
			print_type(b, c, at);
		if (in[i].is_transposed)
			buf_puts(b, " t");
	}
	attrs = at_attrs(c, attrs, sizes);
	at = at_type(c, out, sizes);
	if (attrs == TN_NONE || at == TN_NONE)
		return false;
	v = tn_attrs_get(c, attrs, &n);
	for (i = 0; i < op->nattr && i < n; i++) {
		buf_printf(b, " :%s ", op->attr[i].name);
		print_val(b, c, op->attr[i].enums, v[i]);
	}
	buf_puts(b, " -> ");
	print_type(b, c, at);
	return true;
}

size_t
tn_costs_signature(struct tn_ctx *c, const struct tn_op *op, tn_attrs attrs, const struct tn_source in[], int nin, tn_type out,
    const int64_t sizes[], char *text, size_t size)
{
	struct buf b = {0};
	size_t n = 0;

	if (put_signature(&b, c, op, attrs, in, nin, out, sizes)) {
		n = b.n;
		if (size)
			snprintf(text, size, "%s", b.at);
	}
	buf_free(&b);
	return n;
}

/* ---- prices ---------------------------------------------------------------------------------------------------- */

/* whole nanoseconds that sums of many still hold */
static int64_t
whole_ns(double ns)
{
	return ns > 0 ? (int64_t)fmin(ceil(ns), 1e15) : 0;
}

/* from the table, or measured now and then in it; else *ns is left alone */
static enum price_source
find_measured(struct tn_costs *costs, const struct tn_op *op, tn_attrs attrs, const struct tn_source in[], int nin, tn_type out,
    const int64_t sizes[], int64_t *ns)
{
	struct buf b = {0};
	struct tn_measurement m;
	double modelled;
	bool found = false, is_new = false;

	if (costs->table && put_signature(&b, costs->ctx, op, attrs, in, nin, out, sizes)) {
		found = table_find(costs->table, b.at, ns, &is_new);
		if (!found && costs->measure && costs->measure(costs->arg, b.at, op, attrs, in, nin, out, sizes, &m)) {
			found = is_new = table_put(costs->table, b.at, &m, true);
			*ns = m.ns;
		}
		if (found && costs->measure && device_price(&costs->device, costs->ctx, op, attrs, in, nin, out, sizes, &modelled))
			table_note_model(costs->table, b.at, modelled);
	}
	buf_free(&b);
	return !found ? PRICE_MODELLED : is_new ? PRICE_MEASURED_NOW : PRICE_MEASURED;
}

/*
 * What must not be chosen is priced so many times as the model says: dearer than any other way, but a model that
 * has it, and nothing in its stead, keeps it.
 */
enum { SLOW_TIMES = 1000 };

int64_t
costs_price(struct tn_costs *costs, const struct tn_op *op, tn_attrs attrs, const struct tn_source in[], int nin, tn_type out,
    const int64_t sizes[], enum price_source *source)
{
	int64_t measured;
	double ns, times;

	*source = PRICE_MODELLED;
	if (view_is_free(op))
		return 0;
	*source = find_measured(costs, op, attrs, in, nin, out, sizes, &measured);
	if (*source != PRICE_MODELLED && measured < TN_SLOWEST_NS)
		return measured;
	times = *source != PRICE_MODELLED ? SLOW_TIMES : 1;
	*source = PRICE_MODELLED;
	if (costs->device.has_parts && nin == 1 && view_is_part(costs->ctx, op, attrs, in[0].type, out, sizes))
		return 0;
	if (!device_price(&costs->device, costs->ctx, op, attrs, in, nin, out, sizes, &ns))
		return TN_COST_NEVER;
	return whole_ns(ns * costs->scale * times);
}

int64_t
tn_costs_op(struct tn_costs *costs, const struct tn_op *op, tn_attrs attrs, const struct tn_source in[], int nin, tn_type out,
    const int64_t sizes[])
{
	enum price_source source;

	return costs_price(costs, op, attrs, in, nin, out, sizes, &source);
}
