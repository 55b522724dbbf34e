/*
 * What a graph costs: the sum over what its outputs need.
 *
 * Inputs, weights, numbers and opaque operators cost nothing.  An operand whose maker every user takes
 * along (view.c) is not made and costs nothing either.
 */
#include "base/mem.h"
#include "base/num.h"
#include "base/vec.h"
#include "cost/cost.h"

struct bill {
	struct tn_costs *costs;
	const struct tn_graph *g;
	const int64_t *sizes;
	const struct tn_bill_lines *each;
	bool *is_needed;
	VEC(struct tn_source) in;
	struct tn_bill *sum;
};

/* operand i of the node as it lies in memory; what it is read of is needed */
static struct tn_source
read_operand(struct bill *b, uint32_t node, int i)
{
	struct tn_source s;

	b->is_needed[view_operand(b->g, node, i, &s)] = true;
	return s;
}

/* tell of the operator that was priced */
static void
tell(const struct bill *b, uint32_t node, int64_t ns, bool is_measured)
{
	const struct tn_gnode *n = &b->g->node[node];
	const struct tn_op *op = &b->g->program->op[n->op];
	size_t len = tn_costs_signature(b->g->ctx, op, n->attrs, b->in.at, n->nkid, n->type, b->sizes, NULL, 0);
	char *text = mem_alloc(len + 1);

	tn_costs_signature(b->g->ctx, op, n->attrs, b->in.at, n->nkid, n->type, b->sizes, text, len + 1);
	b->each->tell(b->each->arg, node, text, ns, is_measured);
	mem_free(text);
}

static void
add_operator(struct bill *b, uint32_t node)
{
	const struct tn_gnode *n = &b->g->node[node];
	const struct tn_op *op = &b->g->program->op[n->op];
	enum price_source source;
	int64_t ns;
	int i;

	b->in.n = 0;
	for (i = 0; i < n->nkid; i++)
		vec_push(&b->in, read_operand(b, node, i));
	ns = costs_price(b->costs, op, n->attrs, b->in.at, n->nkid, n->type, b->sizes, &source);
	if (b->each)
		tell(b, node, ns, source != PRICE_MODELLED);
	b->sum->operators++;
	b->sum->measured += source == PRICE_MEASURED;
	b->sum->measured_now += source == PRICE_MEASURED_NOW;
	b->sum->modelled += source == PRICE_MODELLED && ns > 0;
	if (ns == TN_COST_NEVER || b->sum->ns == TN_COST_NEVER || !num_add(b->sum->ns, ns, &b->sum->ns))
		b->sum->ns = TN_COST_NEVER;
}

void
tn_costs_graph(struct tn_costs *costs, const struct tn_graph *g, const int64_t sizes[], const struct tn_bill_lines *each,
    struct tn_bill *sum)
{
	struct bill b = {.costs = costs, .g = g, .sizes = sizes, .each = each, .is_needed = mem_alloc((size_t)g->nnode + 1), .sum = sum};
	uint32_t i, k;

	*sum = (struct tn_bill){0};
	for (i = 0; i < g->noutput; i++)
		b.is_needed[g->output[i].node] = true;
	for (i = g->nnode; i-- > 0;) {
		const struct tn_gnode *n = &g->node[i];

		if (!b.is_needed[i])
			continue;
		if (n->op >= TN_CORE) {
			add_operator(&b, i);
			continue;
		}
		sum->operators += n->op == TN_OPAQUE;
		for (k = 0; k < n->nkid; k++)
			b.is_needed[g->kid[n->kid + k]] = true;
	}
	vec_free(&b.in);
	mem_free(b.is_needed);
}
