/*
 * Sums that the step before computes as well: an operator's result that only a sum reads, with the relu behind it where
 * that is all that reads the sum.
 */
#include "cost/cost.h"
#include "target/plan.h"
#include "tensor/same_op.h"

/* by node: how many operands of needed nodes it is, through views that these take along, and how many outputs */
static uint32_t *
count_uses(struct tn_plan *p)
{
	const struct tn_graph *g = p->g;
	uint32_t *uses = arena_news(&p->mem, (size_t)g->nnode + 1, uint32_t), i, k;
	struct tn_source s;

	for (i = 0; i < g->noutput; i++)
		uses[g->output[i].node]++;
	for (i = 0; i < g->nnode; i++)
		for (k = 0; p->is_needed[i] && k < g->node[i].nkid; k++)
			uses[g->node[i].op >= TN_CORE ? view_operand(g, i, (int)k, &s) : g->kid[g->node[i].kid + k]]++;
	return uses;
}

/* has the node no activation of its own? */
static bool
is_bare(const struct tn_graph *g, const struct tn_gnode *n)
{
	const struct tn_op *op = &g->program->op[n->op];
	const tn_val *v = tn_attrs_get(g->ctx, n->attrs, NULL);
	int i;

	for (i = 0; i < op->nattr; i++)
		if (op->attr[i].kind == TN_K_ENUM && tn_val_get(g->ctx, v[i])->u.i != 0)
			return false;
	return true;
}

/* can operand k of the sum be computed with it?  The other one must be there as a whole, not as a number or repeated. */
static bool
can_join(const struct tn_plan *p, const uint32_t uses[], uint32_t sum, int k)
{
	const struct tn_graph *g = p->g;
	uint32_t node = g->kid[g->node[sum].kid + (uint32_t)k], other = g->kid[g->node[sum].kid + 1 - (uint32_t)k];
	const struct tn_target_plugin *plugin = p->target->plugin;
	struct tn_source s;

	return node != other && uses[node] == 1 && g->node[node].op >= TN_CORE && g->node[other].op != TN_WEIGHT &&
	    g->node[other].op != TN_FILL && view_operand(g, sum, k, &s) == node && view_operand(g, sum, 1 - k, &s) == other &&
	    plugin->adds(p->target->state, &g->program->op[g->node[node].op]) && is_bare(g, &g->node[node]);
}

void
fuse_sums(struct tn_plan *p)
{
	const struct tn_graph *g = p->g;
	unsigned add = op_standard(g->program, "add"), relu = op_standard(g->program, "relu");
	uint32_t *uses = count_uses(p), i, kid;
	int k;

	p->fused = arena_news(&p->mem, (size_t)g->nnode + 1, uint32_t);
	p->is_deferred = arena_news(&p->mem, (size_t)g->nnode + 1, bool);
	for (i = 0; i < g->nnode; i++) {
		p->fused[i] = TN_NONE;
		if (!p->is_needed[i] || !p->target->plugin->adds)
			continue;
		for (k = 1; g->node[i].op == add && p->fused[i] == TN_NONE && k >= 0; k--) {
			kid = g->kid[g->node[i].kid + (uint32_t)k];
			if (can_join(p, uses, i, k)) {
				p->fused[i] = kid;
				p->is_deferred[kid] = true;
			}
		}
		if (g->node[i].op != relu)
			continue;
		kid = g->kid[g->node[i].kid];
		if (g->node[kid].op == add && uses[kid] == 1 && p->fused[kid] != TN_NONE) {
			p->fused[i] = kid;
			p->is_deferred[kid] = true;
		}
	}
}
