/*
 * What costs predict of a plan: of each step what the operators cost that it computes, also those that are computed with
 * another one; of a reorder what the transpose costs that it is.  What is made up takes nothing, and is not priced.
 */
#include "base/mem.h"
#include "base/num.h"
#include "cost/cost.h"
#include "target/plan.h"
#include "tensor/same_op.h"

static void
note_node(void *arg, uint32_t node, const char *signature, int64_t ns, bool is_measured)
{
	(void)signature, (void)is_measured;
	((int64_t *)arg)[node] = ns;
}

static int64_t
sum(int64_t a, int64_t b)
{
	int64_t ns;

	return a == TN_COST_NEVER || b == TN_COST_NEVER || !num_add(a, b, &ns) ? TN_COST_NEVER : ns;
}

static tn_type
row_of(struct tn_ctx *c, enum tn_dtype dtype, int64_t n, int64_t rows, int64_t columns)
{
	return tn_type_make(c, &(struct tn_shape){.dtype = dtype, .rank = 3, .dim = {n, rows, columns}});
}

static bool
has_channels_last(const struct tn_tensor *t)
{
	return t->rank == 4 && view_is_ordered(t, TN_CHANNELS_LAST) && !view_is_ordered(t, TN_ROW_MAJOR);
}

/*
 * The transpose that the reorder is, of images as [images channels places] or [images places channels]; where the order stays
 * it is a copy.
 */
static int64_t
price_reorder(const struct tn_plan *p, const struct tn_job *job, struct tn_costs *costs, struct tn_bill *bill)
{
	struct tn_ctx *c = p->g->ctx;
	unsigned op = op_standard(p->g->program, "transpose");
	const struct tn_tensor *in = &job->in[0];
	bool is_image = in->rank == 4, was_last = has_channels_last(in), is_last = has_channels_last(&job->out);
	int64_t perm[] = {0, was_last == is_last ? 1 : 2, was_last == is_last ? 2 : 1};
	int64_t n = is_image ? in->dim[0] : 1, channels = is_image ? in->dim[1] : 1, places;
	enum price_source source;
	tn_type from, to;
	int64_t ns;
	tn_val v;

	if (op == TN_NONE || view_count(in) == 0)
		return 0;
	places = view_count(in) / (n * channels);
	from = row_of(c, in->dtype, n, was_last ? places : channels, was_last ? channels : places);
	to = row_of(c, in->dtype, n, is_last ? places : channels, is_last ? channels : places);
	v = tn_val_make(c, &(struct tn_value){.kind = TN_K_INTS, .n = 3, .u.list = perm});
	ns = costs_price(costs, &p->g->program->op[op], tn_attrs_make(c, &v, 1), &(struct tn_source){.type = from, .stored = from}, 1,
	    to, p->sizes, &source);
	bill->measured += source == PRICE_MEASURED;
	bill->measured_now += source == PRICE_MEASURED_NOW;
	bill->modelled += source == PRICE_MODELLED && ns > 0;
	return ns;
}

/* a step's nodes: its own, and those that are computed with it */
static int64_t
price_nodes(const struct tn_plan_step *s, const int64_t node_ns[])
{
	int64_t ns = node_ns[s->node];
	int i;

	for (i = 0; i < 2; i++)
		if (s->with[i] != TN_NONE)
			ns = sum(ns, node_ns[s->with[i]]);
	return ns;
}

void
tn_plan_price(const struct tn_plan *p, struct tn_costs *costs, int64_t ns[], struct tn_bill *bill)
{
	int64_t *node_ns = mem_alloc(((size_t)p->g->nnode + 1) * sizeof *node_ns), price;
	struct tn_bill_lines each = {note_node, node_ns};
	uint32_t i;

	tn_costs_graph(costs, p->g, p->sizes, &each, bill);
	for (i = 0; i < p->step.n; i++) {
		const struct step *s = &p->step.at[i];

		if (s->said.node != TN_NONE) {
			price = s->said.where == TN_MADE_UP ? -1 : price_nodes(&s->said, node_ns);
		} else {
			price = price_reorder(p, &s->job, costs, bill);
			bill->ns = sum(bill->ns, price);
		}
		if (ns)
			ns[i] = price;
	}
	mem_free(node_ns);
}
