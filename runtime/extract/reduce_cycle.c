/*
 * Nodes that close a cycle in every choice: must-set against dominators.
 *
 * If a choice has only what is needed, each class A in it is reached from a root, so every dominator D of A stands
 * above A in it.  A node n of A with A or D in must(n) puts it below A as well: a cycle.  So n goes.
 *
 * The walk over the dominator tree keeps the bits of the dominators of where it is.
 */
#include "base/mem.h"
#include "extract/reduce.h"

static bool
meets(const struct must *m, const struct prog_node *node, const uint64_t above[])
{
	uint64_t both = 0;
	uint32_t k, w;

	for (k = 0; k < node->nkid && !both; k++) {
		const uint64_t *set = must_of(m, node->kid[k]);

		for (w = 0; w < m->words; w++)
			both |= set[w] & above[w];
	}
	return both != 0;
}

void
step_cycle(struct reduction *r)
{
	struct prog *p = r->p;
	const struct dominators *d = &r->dom;
	uint64_t *above;
	uint32_t *path, depth = 0, i, n, c;
	bool *keep;

	if (!r->must.set)
		return;
	above = mem_alloc(r->must.words * sizeof *above);
	path = mem_alloc(p->nclass * sizeof *path);
	keep = mem_alloc(prog_widest(p));
	for (i = 0; i < d->n && !r->watch.is_late; i++) {
		c = d->order[i];
		while (depth && !dominates(d, path[depth - 1], c)) {
			depth--;
			above[path[depth] / 64] &= ~(UINT64_C(1) << path[depth] % 64);
		}
		path[depth++] = c;
		bit_put(above, c);
		for (n = 0; n < p->class[c].nnode; n++)
			keep[n] = watch_late(&r->watch, 1 + (uint64_t)p->class[c].node[n].nkid * r->must.words) ||
			    !meets(&r->must, &p->class[c].node[n], above);
		prog_filter(p, c, keep);
	}
	mem_free(above);
	mem_free(path);
	mem_free(keep);
}
