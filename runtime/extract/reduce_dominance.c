/*
 * Dominance: of two nodes of a class the one that another can always stand for, at no more cost.
 *
 * Nodes a and b of class A, and a choice with b.  known(b) = always(A) and must of b's children: these classes are
 * chosen too.  Let every child u of a that is not in must of b's children be in another strongly connected component
 * than A.  Choose a instead; keep all other choices; where a's children, or theirs in turn, are not
 * chosen, choose nodes for them along a tree: any node for the first classes down, then those of the fixed pick, which is
 * acyclic over all classes, stopping at known(b).  Where a class stands in the tree more than once, its
 * lowest place counts, so what is newly chosen is acyclic and costs no more than the tree.  So
 *
 *	cost(a) + cost of the tree <= cost(b)
 *
 * means that the new choice costs no more.  It is acyclic: old classes point at old ones, new ones at new and old, and
 * a cycle would pass A.  But a child in must of b's children was below A, and did not reach it; any other child of a
 * is in a component that cannot, by whatever nodes.
 *
 * So b goes, if a is still there.  Nodes of the pick stay, one class is looked at after another, and each step
 * speaks of the program as it is then.
 */
#include "base/mem.h"
#include "extract/reduce.h"

enum { DEPTH = 2 };			/* classes down that all nodes are tried; then the pick */

struct dominance {
	struct reduction *r;
	uint64_t *below, *known;	/* of b */
	uint32_t *mark, stamp;
	VEC(uint32_t) todo;
};

static int64_t class_cost(struct dominance *, uint32_t u, int64_t most, int depth);

/* what the pick costs from class u on, outside known(b) and what was met before; more than `most`: too much, or too late */
static int64_t
pick_cost(struct dominance *d, uint32_t u, int64_t most)
{
	const struct prog *p = d->r->p;
	const struct prog_node *node;
	int64_t cost = 0;
	uint32_t k;

	d->stamp++;
	d->mark[u] = d->stamp;
	d->todo.n = 0;
	vec_push(&d->todo, u);
	while (d->todo.n && cost <= most) {
		u = vec_pop(&d->todo);
		node = &p->class[u].node[d->r->pick[u]];
		cost = watch_late(&d->r->watch, 1 + node->nkid) ? COST_MAX : cost_add(cost, node->cost);
		for (k = 0; k < node->nkid; k++)
			if (!bit_has(d->known, node->kid[k]) && d->mark[node->kid[k]] != d->stamp) {
				d->mark[node->kid[k]] = d->stamp;
				vec_push(&d->todo, node->kid[k]);
			}
	}
	return cost;
}

/* the least that is found for a way to choose the children of a node, as a tree; more than `most`: too much */
static int64_t
kids_cost(struct dominance *d, const struct prog_node *a, int64_t most, int depth)
{
	int64_t cost = 0;
	uint32_t k;

	for (k = 0; k < a->nkid && cost <= most; k++)
		if (!bit_has(d->known, a->kid[k]))
			cost = cost_add(cost, class_cost(d, a->kid[k], most - cost, depth));
	return cost;
}

static int64_t
class_cost(struct dominance *d, uint32_t u, int64_t most, int depth)
{
	const struct prog_class *class = &d->r->p->class[u];
	int64_t least = pick_cost(d, u, most), cost;
	uint32_t n;

	for (n = 0; depth > 0 && n < class->nnode; n++) {
		cost = class->node[n].cost;
		if (cost > most || cost >= least)
			continue;
		cost = cost_add(cost, kids_cost(d, &class->node[n], (least < most ? least : most) - cost, depth - 1));
		least = cost < least ? cost : least;
	}
	return least;
}

static bool
is_dominated(struct dominance *d, uint32_t c, const struct prog_node *a, const struct prog_node *b)
{
	const struct scc *scc = &d->r->scc;
	uint32_t k;

	if (a->cost > b->cost)
		return false;
	for (k = 0; k < a->nkid; k++)
		if (!bit_has(d->below, a->kid[k]) && scc->of[a->kid[k]] == scc->of[c])
			return false;
	return kids_cost(d, a, b->cost - a->cost, DEPTH) <= b->cost - a->cost;
}

static void
look_at_class(struct dominance *d, uint32_t c, bool keep[])
{
	struct prog *p = d->r->p;
	const struct prog_class *class = &p->class[c];
	uint32_t a, b, left = class->nnode;

	for (b = 0; b < class->nnode; b++)
		keep[b] = true;
	for (b = class->nnode; b-- > 0; ) {
		if (b == d->r->pick[c] || watch_late(&d->r->watch, class->nnode + (uint64_t)class->node[b].nkid * d->r->must.words))
			continue;
		must_node(&d->r->must, &class->node[b], d->below);
		must_node(&d->r->must, &class->node[b], d->known);
		bit_join(d->known, must_of(&d->r->always, c), d->r->must.words);
		for (a = 0; keep[b] && a < class->nnode; a++)
			keep[b] = a == b || !keep[a] || !is_dominated(d, c, &class->node[a], &class->node[b]);
		left -= !keep[b];
	}
	if (left < class->nnode)
		reduction_filter(d->r, c, keep);
}

void
step_dominance(struct reduction *r)
{
	struct dominance d = {.r = r};
	uint32_t c;
	bool *keep;

	if (!r->must.set || !r->always.set)
		return;
	d.below = mem_alloc(r->must.words * sizeof *d.below);
	d.known = mem_alloc(r->must.words * sizeof *d.known);
	d.mark = mem_alloc(r->p->nclass * sizeof *d.mark);
	keep = mem_alloc(prog_widest(r->p));
	for (c = 0; c < r->p->nclass && !r->watch.is_late; c++)
		if (r->p->class[c].nnode > 1)
			look_at_class(&d, c, keep);
	mem_free(d.below);
	mem_free(d.known);
	mem_free(d.mark);
	mem_free(keep);
	vec_free(&d.todo);
}
