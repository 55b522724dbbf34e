/*
 * Override: a node that another can stand for, where everything below is chosen anew.
 *
 * Nodes a and b of class A, and a choice with b.  G is what the fixed pick, acyclic over all classes, chooses below
 * a; A is not in it.  Choose a in A and the pick in all of G, and keep the rest.  Nothing in G points out of it,
 * and it is acyclic, so no cycle passes G or A, and others were none before.  A class x of G that was chosen
 * cost at least its cheapest node; a class that was not costs its pick; a class x in must of b's children
 * that A dominates and that is not in G is needed no longer.  So if, known(b) being what is chosen along with b,
 *
 *	cost(a) + sum over x in G of (pick(x) - (least(x) if x in known(b)))
 *	    <= cost(b) + sum of least(x) over x in must of b's children, A dominates x, x not in G
 *
 * then b goes, if a is still there.  Unlike dominance this needs nothing of components, and works inside cycles.
 * Nodes of the pick stay, one class is looked at after another, and each step speaks of the program as it is then.
 */
#include "base/mem.h"
#include "extract/reduce.h"

struct override {
	struct reduction *r;
	uint64_t *below, *known;	/* of b */
	uint32_t *mark, stamp;		/* stamp: in G */
	VEC(uint32_t) chosen;		/* G */
};

/* G of node a; false if class c is in it, or it is late */
static bool
choose(struct override *o, uint32_t c, const struct prog_node *a)
{
	const struct prog *p = o->r->p;
	uint32_t i = 0, k, u;

	o->stamp++;
	o->chosen.n = 0;
	for (;;) {
		if (watch_late(&o->r->watch, 1 + a->nkid))
			return false;
		for (k = 0; k < a->nkid; k++) {
			u = a->kid[k];
			if (u == c)
				return false;
			if (o->mark[u] == o->stamp)
				continue;
			o->mark[u] = o->stamp;
			vec_push(&o->chosen, u);
		}
		if (i == o->chosen.n)
			return true;
		u = o->chosen.at[i++];
		a = &p->class[u].node[o->r->pick[u]];
	}
}

static int64_t
pick_cost(const struct override *o, uint32_t c)
{
	return o->r->p->class[c].node[o->r->pick[c]].cost;
}

/* what choosing G costs more at least: as if all of it were known */
static int64_t
least_loss(const struct override *o)
{
	int64_t cost = 0;
	uint32_t i;

	for (i = 0; i < o->chosen.n; i++)
		cost = cost_add(cost, pick_cost(o, o->chosen.at[i]) - o->r->least[o->chosen.at[i]]);
	return cost;
}

/* what is gained where only b needs it; with G: of what G needs, the rest */
static int64_t
gain(const struct override *o, uint32_t c, bool with_chosen)
{
	const struct reduction *r = o->r;
	int64_t cost = 0;
	uint64_t bits;
	uint32_t w, x;

	o->r->watch.work += r->must.words;
	for (w = 0; w < r->must.words; w++)
		for (bits = o->below[w]; bits; bits &= bits - 1) {
			x = w * 64 + (uint32_t)__builtin_ctzll(bits);
			if (dominates(&r->dom, c, x) && !(with_chosen && o->mark[x] == o->stamp))
				cost = cost_add(cost, r->least[x]);
		}
	return cost;
}

static bool
is_overridden(struct override *o, uint32_t c, const struct prog_node *a, const struct prog_node *b, int64_t loss)
{
	uint32_t i, x;

	o->r->watch.work += o->chosen.n + (uint64_t)b->nkid * o->r->must.words;
	must_node(&o->r->must, b, o->known);
	bit_join(o->known, must_of(&o->r->always, c), o->r->must.words);
	for (i = 0; i < o->chosen.n; i++) {
		x = o->chosen.at[i];
		if (!bit_has(o->known, x))
			loss = cost_add(loss, o->r->least[x]);
	}
	if (loss > cost_add(b->cost, gain(o, c, false)) - a->cost)
		return false;
	return loss <= cost_add(b->cost, gain(o, c, true)) - a->cost;
}

static void
look_at_class(struct override *o, uint32_t c, bool keep[], int64_t most[])
{
	struct reduction *r = o->r;
	const struct prog_class *class = &r->p->class[c];
	uint32_t a, b, left = class->nnode;
	int64_t loss;

	for (b = 0; b < class->nnode; b++) {
		keep[b] = true;
		if (watch_late(&r->watch, (uint64_t)class->node[b].nkid * r->must.words))
			return;
		must_node(&r->must, &class->node[b], o->below);
		most[b] = cost_add(class->node[b].cost, gain(o, c, false));
	}
	for (a = 0; a < class->nnode; a++) {
		if (!keep[a] || !choose(o, c, &class->node[a]))
			continue;
		loss = least_loss(o);
		for (b = class->nnode; b-- > 0; ) {
			if (watch_late(&r->watch, 1))
				break;
			if (a == b || !keep[b] || b == r->pick[c] || cost_add(loss, class->node[a].cost) > most[b])
				continue;
			must_node(&r->must, &class->node[b], o->below);
			keep[b] = !is_overridden(o, c, &class->node[a], &class->node[b], loss);
			left -= !keep[b];
		}
	}
	if (left < class->nnode)
		reduction_filter(r, c, keep);
}

void
step_override(struct reduction *r)
{
	struct override o = {.r = r};
	uint32_t c;
	int64_t *most;
	bool *keep;

	if (!r->must.set || !r->always.set)
		return;
	o.below = mem_alloc(r->must.words * sizeof *o.below);
	o.known = mem_alloc(r->must.words * sizeof *o.known);
	o.mark = mem_alloc(r->p->nclass * sizeof *o.mark);
	keep = mem_alloc(prog_widest(r->p));
	most = mem_alloc(prog_widest(r->p) * sizeof *most);
	for (c = 0; c < r->p->nclass && !r->watch.is_late; c++)
		if (r->p->class[c].nnode > 1)
			look_at_class(&o, c, keep, most);
	mem_free(o.below);
	mem_free(o.known);
	mem_free(o.mark);
	mem_free(keep);
	mem_free(most);
	vec_free(&o.chosen);
}
