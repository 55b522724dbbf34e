/*
 * The extraction problem of an e-graph of tensors: its classes and e-nodes with prices.
 *
 * A constant class is folded whatever makes it: one node, that costs nothing and needs nothing.  An e-node
 * that takes along what its operand is made by (view.c) stands in the problem once more, reading the source.
 * The graph's own nodes are preferred.
 */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "cost/cost.h"
#include "tensor/at.h"

enum { MOST_VIEWS = 2 };	/* operands of one e-node that may be read of their source */

/* Problem node `node` reads, in place of the class, the source of `view`, an e-node of the class. */
struct taken {
	uint32_t node;
	tn_id class, view;
};

/* An operand of the e-node at hand: whole, and as its maker's source. */
struct operand {
	tn_id class;
	struct tn_source whole;
	tn_id view, source;		/* view TN_NONE: no maker is taken along */
	struct tn_source at;
};

struct tn_priced {
	struct tn_costs *costs;
	struct tn_tensors *t;
	struct tn_egraph *g;
	const struct tn_graph *graph;
	const int64_t *sizes;
	const struct tn_pricing *how;
	struct tn_problem problem;
	uint32_t *number;		/* problem class of an e-class */
	tn_id *constant;		/* per e-class id: of a constant class the e-node it is made by, else TN_NONE */
	VEC(uint32_t) first;
	VEC(uint32_t) kid_first;
	VEC(uint32_t) kid;
	VEC(int64_t) cost;
	VEC(tn_id) class;		/* e-class of problem class, e-node of problem node */
	VEC(tn_id) node;
	VEC(struct taken) taken;	/* in order of problem nodes */
	uint32_t *root, *prefer;
	VEC(struct operand) operand;
	VEC(struct tn_source) in;
};

static const struct tn_op *
op_of(const struct tn_priced *p, unsigned op)
{
	return &p->graph->program->op[op];
}

/* a constant class that folds */
static bool
is_constant(const struct tn_priced *p, tn_id class)
{
	return p->constant[class] != TN_NONE && !(p->how->is_made && p->how->is_made[class]);
}

/* ---- what operands are read of ------------------------------------------------------------------------------- */

static double
elements(const struct tn_priced *p, tn_type type)
{
	struct tn_shape s;
	double n = 1;
	int i;

	if (!at_shape(p->graph->ctx, type, p->sizes, &s))
		return HUGE_VAL;
	for (i = 0; i < s.rank; i++)
		n *= (double)s.dim[i];
	return n;
}

/* Does the operator take along, for its operand i, what the e-node is made of? */
static bool
takes(const struct tn_priced *p, const struct tn_op *op, int i, tn_id enode, struct operand *o)
{
	struct tn_node e = tn_node_at(p->g, enode);

	if (e.op < TN_CORE || e.nkid != 1)
		return false;
	o->view = enode;
	o->source = tn_find(p->g, e.kid[0]);
	return view_is_taken(p->graph->ctx, op, i, op_of(p, e.op), e.attrs, tn_tensors_type(p->t, enode),
	    tn_tensors_type(p->t, o->source), &o->at);
}

/* the maker of the operand's class that least is read of; a constant class has one */
static void
find_view(const struct tn_priced *p, const struct tn_op *op, int i, struct operand *o)
{
	struct operand other = *o;
	const tn_id *node = &p->constant[o->class];
	double least = HUGE_VAL, size;
	uint32_t n = 1, k;

	if (!is_constant(p, o->class))
		node = tn_class_nodes(p->g, o->class, &n);
	for (k = 0; k < n; k++)
		if (takes(p, op, i, node[k], &other) && (size = elements(p, other.at.stored)) < least) {
			least = size;
			*o = other;
		}
}

/* operand i of an e-node; how many so far may be read of their source */
static int
put_operand(struct tn_priced *p, const struct tn_node *n, int i, int nview)
{
	tn_id class = tn_find(p->g, n->kid[i]);
	tn_type type = tn_tensors_type(p->t, class);
	struct operand o = {.class = class, .whole = {.type = type, .stored = type}, .view = TN_NONE};

	if (tn_tensors_uniform(p->t, class) == TN_NONE)
		find_view(p, op_of(p, n->op), i, &o);
	else if (view_takes_number(op_of(p, n->op), i))
		o.whole.stored = TN_NONE;
	/* what a constant is made by is settled */
	if (o.view != TN_NONE && is_constant(p, class)) {
		o.whole = o.at;
		o.view = TN_NONE;
	}
	if (nview == MOST_VIEWS || !p->how->with_views)
		o.view = TN_NONE;
	vec_push(&p->operand, o);
	return nview + (o.view != TN_NONE);
}

/* ---- nodes --------------------------------------------------------------------------------------------------- */

static void
end_node(struct tn_priced *p, tn_id enode, int64_t cost)
{
	vec_push(&p->node, enode);
	vec_push(&p->cost, cost);
	vec_push(&p->kid_first, p->kid.n);
}

/* The declared e-node, reading of their source those operands that have a view and whose bit is set. */
static void
add_reading(struct tn_priced *p, tn_id enode, const struct tn_node *n, unsigned mask)
{
	unsigned bit = 1;
	uint32_t i;

	p->in.n = 0;
	for (i = 0; i < p->operand.n; i++) {
		const struct operand *o = &p->operand.at[i];
		bool is_taken = o->view != TN_NONE && (mask & bit);

		if (o->view != TN_NONE)
			bit <<= 1;
		if (is_taken)
			vec_push(&p->taken, ((struct taken){p->node.n, o->class, o->view}));
		vec_push(&p->in, is_taken ? o->at : o->whole);
		vec_push(&p->kid, p->number[is_taken ? o->source : o->class]);
	}
	end_node(p, enode, tn_costs_op(p->costs, op_of(p, n->op), n->attrs, p->in.at, n->nkid, tn_tensors_type(p->t, enode), p->sizes));
}

static void
add_enode(struct tn_priced *p, tn_id enode)
{
	struct tn_node n = tn_node_at(p->g, enode);
	bool may = !p->how->can_choose || p->how->can_choose(p->how->arg, enode);
	unsigned mask;
	int i, nview = 0;

	if (n.op < TN_CORE || !may) {
		for (i = 0; i < n.nkid; i++)
			vec_push(&p->kid, p->number[tn_find(p->g, n.kid[i])]);
		end_node(p, enode, may ? 0 : TN_COST_NEVER);
		return;
	}
	p->operand.n = 0;
	for (i = 0; i < n.nkid; i++)
		nview = put_operand(p, &n, i, nview);
	for (mask = 0; mask < 1u << nview; mask++)
		add_reading(p, enode, &n, mask);
}

static void
add_class(struct tn_priced *p, tn_id class)
{
	uint32_t n, i;
	const tn_id *node = tn_class_nodes(p->g, class, &n);

	if (is_constant(p, class))
		end_node(p, p->constant[class], 0);
	for (i = 0; i < n && !is_constant(p, class); i++)
		add_enode(p, node[i]);
	vec_push(&p->first, p->node.n);
}

/* number the live classes in order of id */
static void
number_classes(struct tn_priced *p)
{
	tn_id c, n = tn_nids(p->g);

	p->number = mem_alloc(((size_t)n + 1) * sizeof *p->number);
	for (c = 0; c < n; c++)
		if (tn_find(p->g, c) == c) {
			p->number[c] = p->class.n;
			vec_push(&p->class, c);
		}
}

/* ---- the graph's own nodes ------------------------------------------------------------------------------------- */

static tn_id
class_of(const struct tn_priced *p, uint32_t node)
{
	return tn_find(p->g, tn_tensors_classes(p->t)[node]);
}

/* is the e-node the graph's node? */
static bool
is_same(const struct tn_priced *p, const struct tn_gnode *n, tn_id enode)
{
	struct tn_node e = tn_node_at(p->g, enode);
	unsigned k;

	if (e.op != n->op || e.nkid != n->nkid || e.attrs != n->attrs)
		return false;
	for (k = 0; k < e.nkid; k++)
		if (tn_find(p->g, e.kid[k]) != class_of(p, p->graph->kid[n->kid + k]))
			return false;
	return true;
}

static bool
has_taken(const struct tn_priced *p, uint32_t node, tn_id class, uint32_t *from)
{
	uint32_t i;

	while (*from < p->taken.n && p->taken.at[*from].node < node)
		++*from;
	for (i = *from; i < p->taken.n && p->taken.at[i].node == node; i++)
		if (p->taken.at[i].class == class)
			return true;
	return false;
}

/* Does the problem's node read its operands as the graph's node does: of the source of those that are views? */
static bool
reads_alike(const struct tn_priced *p, const struct tn_gnode *n, uint32_t node, uint32_t *from)
{
	struct tn_source s;
	uint32_t k;

	for (k = 0; n->op >= TN_CORE && k < n->nkid; k++) {
		uint32_t kid = p->graph->kid[n->kid + k];
		const struct tn_gnode *q = &p->graph->node[kid];
		tn_id class = class_of(p, kid);
		bool is_view = p->how->with_views && !is_constant(p, class) && tn_tensors_uniform(p->t, class) == TN_NONE &&
		    q->op >= TN_CORE && q->nkid == 1 && view_is_taken(p->graph->ctx, op_of(p, n->op), (int)k, op_of(p, q->op),
		    q->attrs, q->type, p->graph->node[p->graph->kid[q->kid]].type, &s);

		if (is_view != has_taken(p, node, class, from))
			return false;
	}
	return true;
}

/* the problem's node of the class that is the graph's node and reads alike, or any that is it */
static uint32_t
find_own(const struct tn_priced *p, const struct tn_gnode *n, uint32_t class)
{
	uint32_t j, from = 0, any = TN_NONE;

	for (j = p->first.at[class]; j < p->first.at[class + 1]; j++) {
		if (!is_same(p, n, p->node.at[j]))
			continue;
		if (reads_alike(p, n, j, &from))
			return j;
		if (any == TN_NONE)
			any = j;
	}
	return any;
}

/* the original's node of each class; the first one where several fell together */
static void
find_preferred(struct tn_priced *p)
{
	size_t bytes = ((size_t)p->class.n + 1) * sizeof *p->prefer;
	uint32_t i, c;

	p->prefer = mem_alloc(bytes);
	memset(p->prefer, 0xff, bytes);
	for (c = 0; c < p->class.n; c++)
		if (is_constant(p, p->class.at[c]))
			p->prefer[c] = p->first.at[c];
	for (i = 0; i < p->graph->nnode; i++) {
		c = p->number[class_of(p, i)];
		if (p->prefer[c] == TN_NONE)
			p->prefer[c] = find_own(p, &p->graph->node[i], c);
	}
}

/* ---- constants -------------------------------------------------------------------------------------------------- */

/* Are there symbols among its extents? */
static bool
has_symbols(const struct tn_priced *p, tn_id class)
{
	const struct tn_shape *s = tn_type_get(p->graph->ctx, tn_tensors_type(p->t, class));
	int i;

	for (i = 0; i < s->rank && tn_dim_is_num(s->dim[i]); i++)
		;
	return i < s->rank;
}

/* Operands are constant, and none is a number of unknown extents that must lie in memory: that is never folded. */
static bool
has_constant_kids(const struct tn_priced *p, tn_id enode)
{
	struct tn_node e = tn_node_at(p->g, enode);
	tn_id kid;
	int k;

	for (k = 0; k < (int)e.nkid; k++) {
		kid = tn_find(p->g, e.kid[k]);
		if (p->constant[kid] == TN_NONE)
			return false;
		if (e.op >= TN_CORE && tn_tensors_uniform(p->t, kid) != TN_NONE && has_symbols(p, kid) &&
		    !view_takes_number(op_of(p, e.op), k))
			return false;
	}
	return true;
}

/* settle a constant class by the first of its e-nodes, or that of the graph's node, whose children are settled */
static bool
settle(struct tn_priced *p, tn_id class, const struct tn_gnode *only)
{
	uint32_t n, k;
	const tn_id *node = tn_class_nodes(p->g, class, &n);

	if (!tn_tensors_is_constant(p->t, class) || p->constant[class] != TN_NONE)
		return false;
	for (k = 0; k < n; k++)
		if ((!only || is_same(p, only, node[k])) && has_constant_kids(p, node[k])) {
			p->constant[class] = node[k];
			return true;
		}
	return false;
}

/* how each constant class is made, without going round in a circle: as the original does, then in any way */
static void
settle_constants(struct tn_priced *p)
{
	size_t bytes = ((size_t)tn_nids(p->g) + 1) * sizeof *p->constant;
	bool more = true;
	uint32_t i;

	p->constant = mem_alloc(bytes);
	memset(p->constant, 0xff, bytes);
	for (i = 0; i < p->graph->nnode; i++)
		settle(p, class_of(p, i), &p->graph->node[i]);
	while (more) {
		more = false;
		for (i = 0; i < p->class.n; i++)
			more |= settle(p, p->class.at[i], NULL);
	}
}

/* ---- the whole ---------------------------------------------------------------------------------------------------- */

struct tn_priced *
tn_costs_egraph(struct tn_costs *costs, struct tn_tensors *t, const int64_t sizes[], const struct tn_pricing *how)
{
	struct tn_priced *p = mem_alloc(sizeof *p);
	const struct tn_graph *graph = tn_tensors_source(t);
	uint32_t i;

	*p = (struct tn_priced){.costs = costs, .t = t, .g = tn_tensors_egraph(t), .graph = graph, .sizes = sizes, .how = how};
	number_classes(p);
	settle_constants(p);
	vec_push(&p->first, 0);
	vec_push(&p->kid_first, 0);
	for (i = 0; i < p->class.n; i++)
		add_class(p, p->class.at[i]);
	find_preferred(p);
	p->root = mem_alloc(((size_t)graph->noutput + 1) * sizeof *p->root);
	for (i = 0; i < graph->noutput; i++)
		p->root[i] = p->number[class_of(p, graph->output[i].node)];
	p->problem = (struct tn_problem){p->class.n, p->node.n, graph->noutput, p->first.at, p->kid_first.at, p->kid.at, p->cost.at,
	    p->root, p->prefer};
	return p;
}

void
tn_priced_free(struct tn_priced *p)
{
	if (!p)
		return;
	mem_free(p->number);
	mem_free(p->constant);
	mem_free(p->root);
	mem_free(p->prefer);
	vec_free(&p->first);
	vec_free(&p->kid_first);
	vec_free(&p->kid);
	vec_free(&p->cost);
	vec_free(&p->class);
	vec_free(&p->node);
	vec_free(&p->taken);
	vec_free(&p->operand);
	vec_free(&p->in);
	mem_free(p);
}

const struct tn_problem *
tn_priced_problem(const struct tn_priced *p)
{
	return &p->problem;
}

tn_id
tn_priced_node(const struct tn_priced *p, uint32_t node)
{
	return p->node.at[node];
}

tn_id *
tn_priced_choice(const struct tn_priced *p, const struct tn_choice *choice)
{
	size_t bytes = ((size_t)tn_nids(p->g) + 1) * sizeof(tn_id);
	tn_id *node = mem_alloc(bytes);
	bool *is_chosen = mem_alloc((size_t)p->node.n + 1);
	uint32_t c, i;

	memcpy(node, p->constant, bytes);
	for (c = 0; c < p->class.n; c++)
		if (choice->node[c] != TN_NONE) {
			node[p->class.at[c]] = p->node.at[choice->node[c]];
			is_chosen[choice->node[c]] = true;
		}
	for (i = 0; i < p->taken.n; i++)
		if (is_chosen[p->taken.at[i].node] && node[p->taken.at[i].class] == TN_NONE)
			node[p->taken.at[i].class] = p->taken.at[i].view;
	mem_free(is_chosen);
	return node;
}
