/*
 * Nodes too dear for any choice that is cheaper than the best one known.
 *
 * Where node n of class A is chosen, so is known(n) = always(A) and must of n's children, and each of these classes
 * costs at least its cheapest node.  If that, n's own cost and the constant reach the known cost, n goes:
 * the known choice is kept elsewhere.
 */
#include "base/mem.h"
#include "extract/reduce.h"

/* the least cost of the classes in the set but not in `without` */
static int64_t
least_cost(const struct reduction *r, const uint64_t set[], const uint64_t without[])
{
	uint64_t bits;
	int64_t cost = 0;
	uint32_t w;

	for (w = 0; w < r->must.words; w++)
		for (bits = without ? set[w] & ~without[w] : set[w]; bits; bits &= bits - 1)
			cost = cost_add(cost, r->least[w * 64 + (uint32_t)__builtin_ctzll(bits)]);
	return cost;
}

void
step_bound(struct reduction *r)
{
	struct prog *p = r->p;
	uint64_t *set, *always;
	uint32_t c, n;
	int64_t base, cost;
	bool *keep;

	if (!r->must.set || !r->always.set)
		return;
	set = mem_alloc(r->must.words * sizeof *set);
	keep = mem_alloc(prog_widest(p));
	for (c = 0; c < p->nclass; c++) {
		if (!p->class[c].nnode)
			continue;
		if (watch_late(&r->watch, (uint64_t)(1 + p->class[c].nnode) * r->must.words))
			break;
		always = must_of(&r->always, c);
		base = cost_add(p->constant, least_cost(r, always, NULL) - r->least[c]);
		for (n = 0; n < p->class[c].nnode; n++) {
			must_node(&r->must, &p->class[c].node[n], set);
			cost = cost_add(base, p->class[c].node[n].cost);
			keep[n] = cost < r->limits->upper && cost_add(cost, least_cost(r, set, always)) < r->limits->upper;
		}
		prog_filter(p, c, keep);
	}
	mem_free(set);
	mem_free(keep);
}
