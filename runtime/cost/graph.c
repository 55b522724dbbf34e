/*
 * What a graph costs: the sum over what its outputs need.
 *
 * Inputs, weights, numbers and opaque operators cost nothing.  An operand whose maker every user takes
 * along (view.c) is not made and costs nothing either.
 */
#include "base/mem.h"
#include "base/vec.h"
#include "cost/cost.h"
#include "tensor/weight.h"

struct bill {
	struct tn_costs *costs;
	const struct tn_graph *g;
	const int64_t *sizes;
	const struct tn_bill_lines *each;
	bool *is_needed;
	VEC(struct tn_source) in;
	struct tn_bill *sum;
};

/* one value everywhere: a number, or a weight that might be one */
static bool
is_number(const struct tn_graph *g, uint32_t node)
{
	const struct tn_gnode *n = &g->node[node];

	return n->op == TN_FILL || (n->op == TN_WEIGHT && weight_uniform(g->ctx, weight_of(g, n)) != TN_NONE);
}

/* operand i of the node as it lies in memory; what it is read of is needed */
static struct tn_source
read_operand(struct bill *b, const struct tn_gnode *n, int i)
{
	const struct tn_graph *g = b->g;
	uint32_t kid = g->kid[n->kid + (uint32_t)i], from;
	const struct tn_gnode *k = &g->node[kid];
	struct tn_source s = {.type = k->type, .stored = k->type};

	if (k->op >= TN_CORE && k->nkid == 1) {
		from = g->kid[k->kid];
		if (view_is_taken(g->ctx, &g->program->op[n->op], i, &g->program->op[k->op], k->attrs, k->type, g->node[from].type, &s))
			kid = from;
	}
	b->is_needed[kid] = true;
	if (is_number(g, kid))
		s.stored = TN_NONE;
	return s;
}

/* tell of the operator that was priced */
static void
tell(const struct bill *b, const struct tn_gnode *n, int64_t ns, bool is_measured)
{
	const struct tn_op *op = &b->g->program->op[n->op];
	size_t len = tn_costs_signature(b->g->ctx, op, n->attrs, b->in.at, n->nkid, n->type, b->sizes, NULL, 0);
	char *text = mem_alloc(len + 1);

	tn_costs_signature(b->g->ctx, op, n->attrs, b->in.at, n->nkid, n->type, b->sizes, text, len + 1);
	b->each->tell(b->each->arg, text, ns, is_measured);
	mem_free(text);
}

static void
add_operator(struct bill *b, const struct tn_gnode *n)
{
	const struct tn_op *op = &b->g->program->op[n->op];
	bool is_measured;
	int64_t ns;
	int i;

	b->in.n = 0;
	for (i = 0; i < n->nkid; i++)
		vec_push(&b->in, read_operand(b, n, i));
	ns = costs_price(b->costs, op, n->attrs, b->in.at, n->nkid, n->type, b->sizes, &is_measured);
	if (b->each)
		tell(b, n, ns, is_measured);
	b->sum->operators++;
	b->sum->measured += is_measured;
	b->sum->modelled += !is_measured && ns > 0;
	b->sum->ns = ns == TN_COST_NEVER || b->sum->ns == TN_COST_NEVER ? TN_COST_NEVER : b->sum->ns + ns;
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
			add_operator(&b, n);
			continue;
		}
		sum->operators += n->op == TN_OPAQUE;
		for (k = 0; k < n->nkid; k++)
			b.is_needed[g->kid[n->kid + k]] = true;
	}
	vec_free(&b.in);
	mem_free(b.is_needed);
}
