/*
 * Loop cuts: what a class holds beyond what stands on leaves (relax_ground) is held up in a circle.  The classes
 * with such an excess, where they depend on each other through columns that are not 0, are the sets tried: any
 * set gives a valid row (relax.h), and a whole-number solution that runs in a circle has no v on that
 * circle and breaks the row of its strongly connected component.
 */
#include <math.h>

#include "base/mem.h"
#include "extract/separate.h"

enum { SWEEPS = 60 };
#define ZERO 1e-7

/* the children decide: least v, at most x */
static double
carried(const struct prog_node *node, double x, const double v[])
{
	uint32_t k;

	for (k = 0; k < node->nkid && x > 0; k++)
		x = fmin(x, v[node->kid[k]]);
	return x;
}

void
relax_ground(const struct relax *r, double v[])
{
	const struct prog *p = r->p;
	uint32_t sweep, c, n;
	double most = 1;

	for (c = 0; c < p->nclass; c++)
		v[c] = 0;
	for (sweep = 0; sweep < SWEEPS && most > ZERO; sweep++)
		for (most = 0, c = p->nclass; c-- > 0; ) {
			double sum = 0;

			if (r->y[c] <= v[c])
				continue;
			for (n = 0; n < p->class[c].nnode; n++)
				sum += carried(&p->class[c].node[n], r->x[r->first[c] + n], v);
			sum = fmin(sum, r->y[c]);
			if (sum - v[c] > most)
				most = sum - v[c];
			v[c] = sum;
		}
}

/* the program of the classes in excess and the columns that are not 0; it shares the children's lists */
static struct prog
excess(const struct relax *r, const double v[], double eps, struct arena *arena)
{
	struct prog view = {.arena = arena, .nclass = r->p->nclass, .class = arena_news(arena, r->p->nclass, struct prog_class)};
	uint32_t c, n;

	for (c = 0; c < view.nclass; c++) {
		const struct prog_class *from = &r->p->class[c];
		struct prog_class *to = &view.class[c];

		if (v[c] >= r->y[c] - eps)
			continue;
		to->node = arena_news(arena, from->nnode, struct prog_node);
		for (n = 0; n < from->nnode; n++)
			if (r->x[r->first[c] + n] > ZERO)
				to->node[to->nnode++] = from->node[n];
	}
	return view;
}

uint32_t
cut_loops(struct relax *r, double eps)
{
	double *v = mem_alloc(r->p->nclass * sizeof *v);
	uint32_t *set = mem_alloc(r->p->nclass * sizeof *set), s, i, n, added = 0;
	struct arena arena = {0};
	struct prog view;
	struct scc scc;

	relax_ground(r, v);
	view = excess(r, v, eps, &arena);
	scc_make(&scc, &view);
	for (s = 0; s < scc.n; s++) {
		n = scc_size(&scc, s);
		if (n < 2)
			continue;
		for (i = 0; i < n; i++)
			set[i] = scc.member[scc.first[s] + i];
		if (relax_violation(r, set, n) > eps)
			added += relax_cut(r, set, n);
	}
	scc_free(&scc);
	arena_free(&arena);
	mem_free(v);
	mem_free(set);
	return added;
}
