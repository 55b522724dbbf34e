/*
 * Dominance: of two nodes of a class the one that another can always stand for, at no more cost.
 *
 * Nodes a and b of class A, and a choice with b.  known(b) = always(A) and must of b's children: these classes are
 * chosen too.  Let every child u of a that is not in must of b's children be in another strongly connected component
 * than A.  Choose a instead; keep all other choices; where a's children, or theirs in turn, are not
 * chosen, choose their nodes of the fixed pick, which is acyclic over all classes.  The newly chosen classes come from a's
 * children outside known(b), found along the pick and stopping at known(b), so
 *
 *	cost(a) + cost of the pick in the classes so found <= cost(b)
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

struct dominance {
	struct reduction *r;
	uint64_t *below, *known;	/* of b */
	uint32_t *mark, stamp;
	VEC(uint32_t) todo;
};

/* do the nodes that a newly needs cost at most `most`? */
static bool
is_affordable(struct dominance *d, const struct prog_node *a, int64_t most)
{
	const struct prog *p = d->r->p;
	uint32_t k, u;
	bool ok = true;

	d->stamp++;
	d->todo.n = 0;
	for (;;) {
		for (k = 0; ok && k < a->nkid; k++) {
			u = a->kid[k];
			if (bit_has(d->known, u) || d->mark[u] == d->stamp)
				continue;
			d->mark[u] = d->stamp;
			most -= p->class[u].node[d->r->pick[u]].cost;
			ok = most >= 0;
			vec_push(&d->todo, u);
		}
		if (!ok || !d->todo.n)
			return ok;
		u = vec_pop(&d->todo);
		a = &p->class[u].node[d->r->pick[u]];
	}
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
	return is_affordable(d, a, b->cost - a->cost);
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
		if (b == d->r->pick[c])
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
	for (c = 0; c < r->p->nclass; c++)
		if (r->p->class[c].nnode > 1)
			look_at_class(&d, c, keep);
	mem_free(d.below);
	mem_free(d.known);
	mem_free(d.mark);
	mem_free(keep);
	vec_free(&d.todo);
}
