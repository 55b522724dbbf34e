/* Pricing graphs and e-graphs; see price.h. */
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "cmd/price.h"

/* a declared operator on operands of these types */
static int64_t
price_node(struct tn_costs *costs, const struct tn_program *p, unsigned op, tn_attrs attrs, const tn_type in[], int nin,
    tn_type out,
    const int64_t sizes[])
{
	if (op < TN_CORE)
		return 0;
	return tn_costs_op(costs, &p->op[op], attrs, in, nin, out, sizes);
}

/* a number's tensor is not read: it goes by no type */
static tn_type
operand_type(unsigned op, tn_type type)
{
	return op == TN_FILL ? TN_NONE : type;
}

int64_t
price_graph(struct tn_costs *costs, const struct tn_graph *g, const int64_t sizes[])
{
	bool *constant = tn_graph_constants(g), *needed = mem_alloc(g->nnode);
	int64_t sum = 0;
	VEC(tn_type) in = {0};
	uint32_t i, k;

	for (i = 0; i < g->noutput; i++)
		needed[g->output[i].node] = true;
	for (i = g->nnode; i-- > 0;) {
		const struct tn_gnode *n = &g->node[i];

		if (!needed[i])
			continue;
		in.n = 0;
		for (k = 0; k < n->nkid; k++) {
			needed[g->kid[n->kid + k]] = true;
			vec_push(&in, operand_type(g->node[g->kid[n->kid + k]].op, g->node[g->kid[n->kid + k]].type));
		}
		if (!constant[i])
			sum += price_node(costs, g->program, n->op, n->attrs, in.at, (int)in.n, n->type, sizes);
	}
	vec_free(&in);
	mem_free(needed);
	mem_free(constant);
	return sum;
}

struct pricing {
	struct tn_costs *costs;
	struct tn_tensors *t;
	struct tn_egraph *g;
	const struct tn_program *program;
	const int64_t *sizes;
	bool (*can_write)(void *, const struct tn_op *, tn_attrs);
	void *arg;
	uint32_t *number;	/* problem class of an e-class */
	tn_id *constant;	/* per e-class id: of a constant class the e-node it is made by, else TN_NONE */
	VEC(uint32_t) first, kid_first, kid;
	VEC(int64_t) cost;
	VEC(tn_id) class, node;
	VEC(tn_type) in;
};

/* number the live classes in order of id */
static void
number_classes(struct pricing *p)
{
	tn_id c, n = tn_nids(p->g);

	p->number = mem_alloc(n * sizeof *p->number);
	for (c = 0; c < n; c++)
		if (tn_find(p->g, c) == c) {
			p->number[c] = p->class.n;
			vec_push(&p->class, c);
		}
}

static int64_t
price_enode(struct pricing *p, tn_id class, const struct tn_node *n)
{
	unsigned k;

	if (n->op < TN_CORE || tn_tensors_is_constant(p->t, class))
		return 0;
	if (p->can_write && !p->can_write(p->arg, &p->program->op[n->op], n->attrs))
		return TN_COST_NEVER;
	p->in.n = 0;
	for (k = 0; k < n->nkid; k++)
		vec_push(&p->in, tn_tensors_is_uniform(p->t, n->kid[k]) ? TN_NONE : tn_tensors_type(p->t, n->kid[k]));
	return price_node(p->costs, p->program, n->op, n->attrs, p->in.at, (int)p->in.n, tn_tensors_type(p->t, class), p->sizes);
}

/* a constant class is folded whatever makes it: one node, that costs nothing and needs nothing */
static bool
add_constant(struct pricing *p, tn_id class)
{
	if (p->constant[class] == TN_NONE)
		return false;
	vec_push(&p->node, p->constant[class]);
	vec_push(&p->cost, 0);
	vec_push(&p->kid_first, p->kid.n);
	vec_push(&p->first, p->node.n);
	return true;
}

static void
add_class(struct pricing *p, tn_id class)
{
	uint32_t n, i, k;
	const tn_id *node = tn_class_nodes(p->g, class, &n);

	if (add_constant(p, class))
		return;
	for (i = 0; i < n; i++) {
		struct tn_node e = tn_node_at(p->g, node[i]);

		vec_push(&p->node, node[i]);
		vec_push(&p->cost, price_enode(p, class, &e));
		for (k = 0; k < e.nkid; k++)
			vec_push(&p->kid, p->number[tn_find(p->g, e.kid[k])]);
		vec_push(&p->kid_first, p->kid.n);
	}
	vec_push(&p->first, p->node.n);
}


/* is the e-node the graph's node? */
static bool
is_same(const struct pricing *p, const struct tn_graph *graph, const struct tn_gnode *n, tn_id enode)
{
	struct tn_node e = tn_node_at(p->g, enode);
	const tn_id *class = tn_tensors_classes(p->t);
	unsigned k;

	if (e.op != n->op || e.nkid != n->nkid || e.attrs != n->attrs)
		return false;
	for (k = 0; k < e.nkid; k++)
		if (tn_find(p->g, e.kid[k]) != tn_find(p->g, class[graph->kid[n->kid + k]]))
			return false;
	return true;
}

static bool
has_constant_kids(const struct pricing *p, tn_id enode)
{
	struct tn_node e = tn_node_at(p->g, enode);
	unsigned k;

	for (k = 0; k < e.nkid; k++)
		if (p->constant[tn_find(p->g, e.kid[k])] == TN_NONE)
			return false;
	return true;
}

/* the e-node of its class that the graph's node is, or TN_NONE */
static tn_id
enode_of(const struct pricing *p, const struct tn_graph *graph, uint32_t i)
{
	uint32_t n, k;
	const tn_id *node = tn_class_nodes(p->g, tn_tensors_classes(p->t)[i], &n);

	for (k = 0; k < n; k++)
		if (is_same(p, graph, &graph->node[i], node[k]))
			return node[k];
	return TN_NONE;
}

/* how each constant class is made, without going round in a circle: as the original does, then in any way */
static void
settle_constants(struct pricing *p, const struct tn_graph *graph)
{
	size_t bytes = tn_nids(p->g) * sizeof *p->constant;
	uint32_t i, k, n;
	const tn_id *node;
	bool more = true;
	tn_id c, e;

	p->constant = mem_alloc(bytes);
	memset(p->constant, 0xff, bytes);
	for (i = 0; i < graph->nnode; i++) {
		c = tn_find(p->g, tn_tensors_classes(p->t)[i]);
		if (!tn_tensors_is_constant(p->t, c) || p->constant[c] != TN_NONE)
			continue;
		e = enode_of(p, graph, i);
		if (e != TN_NONE && has_constant_kids(p, e))
			p->constant[c] = e;
	}
	while (more) {
		more = false;
		for (i = 0; i < p->class.n; i++) {
			c = p->class.at[i];
			if (!tn_tensors_is_constant(p->t, c) || p->constant[c] != TN_NONE)
				continue;
			node = tn_class_nodes(p->g, c, &n);
			for (k = 0; k < n && p->constant[c] == TN_NONE; k++)
				if (has_constant_kids(p, node[k])) {
					p->constant[c] = node[k];
					more = true;
				}
		}
	}
}

/* the original's node of each class; the first one where several fell together */
static uint32_t *
find_preferred(const struct pricing *p, const struct tn_graph *graph)
{
	uint32_t *prefer = mem_alloc(p->class.n * sizeof *prefer), i, j, c;
	const tn_id *class = tn_tensors_classes(p->t);

	memset(prefer, 0xff, p->class.n * sizeof *prefer);
	for (i = 0; i < graph->nnode; i++) {
		c = p->number[tn_find(p->g, class[i])];
		if (prefer[c] != TN_NONE)
			continue;
		for (j = p->first.at[c]; j < p->first.at[c + 1]; j++)
			if (is_same(p, graph, &graph->node[i], p->node.at[j])) {
				prefer[c] = j;
				break;
			}
	}
	return prefer;
}

void
price_egraph(struct tn_costs *costs, struct tn_tensors *t, const struct tn_graph *graph, const int64_t sizes[],
    bool (*can_write)(void *, const struct tn_op *, tn_attrs), void *arg, struct priced *out)
{
	struct pricing p = {costs, t, tn_tensors_egraph(t), graph->program, sizes, can_write, arg, .number = NULL};
	const tn_id *class = tn_tensors_classes(t);
	uint32_t i;

	number_classes(&p);
	settle_constants(&p, graph);
	vec_push(&p.first, 0);
	vec_push(&p.kid_first, 0);
	for (i = 0; i < p.class.n; i++)
		add_class(&p, p.class.at[i]);
	*out = (struct priced){.first = p.first.at, .kid_first = p.kid_first.at, .kid = p.kid.at, .cost = p.cost.at,
	    .class = p.class.at, .node = p.node.at, .prefer = find_preferred(&p, graph)};
	out->root = mem_alloc(graph->noutput * sizeof *out->root);
	for (i = 0; i < graph->noutput; i++)
		out->root[i] = p.number[tn_find(p.g, class[graph->output[i].node])];
	out->problem = (struct tn_problem){p.class.n, p.node.n, graph->noutput, out->first, out->kid_first, out->kid,
	    out->cost, out->root, out->prefer};
	out->constant = p.constant;
	mem_free(p.number);
	vec_free(&p.in);
}

void
priced_free(struct priced *p)
{
	mem_free(p->first);
	mem_free(p->kid_first);
	mem_free(p->kid);
	mem_free(p->root);
	mem_free(p->prefer);
	mem_free(p->cost);
	mem_free(p->class);
	mem_free(p->node);
	mem_free(p->constant);
}

tn_id *
priced_choice(const struct priced *p, const struct tn_egraph *g, const struct tn_choice *choice)
{
	tn_id *node = mem_alloc(tn_nids(g) * sizeof *node);
	uint32_t c;

	memcpy(node, p->constant, tn_nids(g) * sizeof *node);
	for (c = 0; c < p->problem.nclass; c++)
		if (choice->node[c] != TN_NONE)
			node[p->class[c]] = p->node[choice->node[c]];
	return node;
}

/* ---- as a file --------------------------------------------------------------------------------------- */

struct priced_text {
	const struct priced *priced;
	const struct tn_program *program;
	struct tn_ctx *ctx;
	const struct tn_egraph *g;
};

/* "conv2d :stride [1 1] :groups 1", "input 0" */
static size_t
op_text(void *arg, uint32_t node, char *out, size_t size)
{
	const struct priced_text *t = arg;
	struct tn_node n = tn_node_at(t->g, t->priced->node[node]);
	const struct tn_op *op = &t->program->op[n.op];
	const tn_val *v;
	int i, count;
	size_t len;

	v = tn_attrs_get(t->ctx, n.attrs, &count);
	len = (size_t)snprintf(out, size, "%s", op->name);
	for (i = 0; i < count; i++) {
		const struct tn_attr_decl *d = i < op->nattr ? &op->attr[i] : NULL;

		len += (size_t)snprintf(len < size ? out + len : NULL, len < size ? size - len : 0, " %s%s%s", d ? ":" : "", d ? d->name : "",
		    d ? " " : "");
		len += tn_val_print(t->ctx, d ? d->enums : NULL, v[i], len < size ? out + len : NULL, len < size ? size - len : 0);
	}
	return len;
}

void
priced_write(const struct priced *p, const struct tn_program *program, struct tn_ctx *ctx, const struct tn_egraph *g, FILE *f)
{
	struct priced_text text = {p, program, ctx, g};

	tn_problem_write(&p->problem, &(struct tn_problem_text){&text, op_text}, f);
}
