/*
 * An acyclic component by dynamic programming over what is demanded.
 *
 * Classes are taken in an order where users come before what they use.  Having decided on the first i classes, all that
 * matters for the rest is which later classes are demanded: a state.  Of two ways to one state the cheaper one is
 * kept.  A state that demands less than another, at no more cost, beats it: what completes the other completes it.
 * So does the known cost, where the state's cost and the least it still needs reach it:
 *
 *	least(u) = min over u's nodes of (cost + max of least over the children)
 *
 * one way down from a demanded class is paid in full, and each root not decided yet at its cheapest node (roots
 * count nothing in least).
 *
 * Few states are met where the component is long and thin, whatever its size, as chains of affine operators are.  Wide
 * ones have too many: then this gives up, and the linear program is asked.
 */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "extract/frontier.h"
#include "extract/scc.h"

enum { MOST_ALIVE = 20000, MOST_STATES = 400000 };

struct state {
	int64_t cost;
	uint32_t before;		/* the state it came from */
	uint32_t class, node;		/* by this decision */
	uint32_t set, n;		/* demanded classes, ascending: in frontier.set */
};

struct frontier {
	const struct prog *p;
	uint32_t *order;
	int64_t *least;
	int64_t roots;			/* the undecided ones' least cost */
	VEC(struct state) state;
	VEC(uint32_t) set, alive, next;
	int64_t upper;
};

/* ---- the order ------------------------------------------------------------------------------------------------------ */

/* for each class its distinct user classes not taken yet */
static void
count_users(const struct prog *p, uint32_t nuser[], uint32_t mark[])
{
	uint32_t c, n, k, u;

	for (c = 0; c < p->nclass; c++)
		mark[c] = TN_NONE;
	for (c = 0; c < p->nclass; c++)
		for (n = 0; n < p->class[c].nnode; n++)
			for (k = 0; k < p->class[c].node[n].nkid; k++) {
				u = p->class[c].node[n].kid[k];
				if (mark[u] != c) {
					mark[u] = c;
					nuser[u]++;
				}
			}
	for (c = 0; c < p->nclass; c++)
		mark[c] = TN_NONE;
}

/* children of the class that nothing taken has demanded yet */
static uint32_t
count_new(const struct prog *p, uint32_t c, const bool met[], uint32_t mark[], uint32_t stamp)
{
	uint32_t n, k, u, count = 0;

	for (n = 0; n < p->class[c].nnode; n++)
		for (k = 0; k < p->class[c].node[n].nkid; k++) {
			u = p->class[c].node[n].kid[k];
			if (!met[u] && !p->class[u].is_root && mark[u] != stamp) {
				mark[u] = stamp;
				count++;
			}
		}
	return count;
}

/* take a class: its children may be ready now */
static void
take(const struct prog *p, uint32_t c, bool met[], uint32_t nuser[], uint32_t mark[], uint32_t stamp)
{
	uint32_t n, k, u;

	for (n = 0; n < p->class[c].nnode; n++)
		for (k = 0; k < p->class[c].node[n].nkid; k++) {
			u = p->class[c].node[n].kid[k];
			if (mark[u] == stamp)
				continue;
			mark[u] = stamp;
			met[u] = true;
			nuser[u]--;
		}
}

/* users first; among the ready ones, the class that demands the fewest new ones, those already demanded before others */
static void
find_order(struct frontier *f)
{
	const struct prog *p = f->p;
	uint32_t *nuser = mem_alloc(p->nclass * sizeof *nuser), *mark = mem_alloc(p->nclass * sizeof *mark), i, c, best, cost, least;
	bool *met = mem_alloc(p->nclass), *taken = mem_alloc(p->nclass);
	uint32_t stamp = 0;

	count_users(p, nuser, mark);
	for (i = 0; i < p->nclass; i++) {
		best = TN_NONE;
		least = TN_NONE;
		for (c = 0; c < p->nclass && least > 0; c++) {
			if (taken[c] || nuser[c])
				continue;
			cost = 2 * count_new(p, c, met, mark, stamp++) + !met[c];
			if (cost < least) {
				least = cost;
				best = c;
			}
		}
		taken[best] = true;
		take(p, best, met, nuser, mark, stamp++);
		f->order[i] = best;
	}
	mem_free(nuser);
	mem_free(mark);
	mem_free(met);
	mem_free(taken);
}

/* from the last to the first */
static void
find_least(struct frontier *f)
{
	const struct prog *p = f->p;
	uint32_t i, n, k, c;
	int64_t cost, below, cheapest;

	for (i = p->nclass; i-- > 0; ) {
		c = f->order[i];
		f->least[c] = cheapest = INT64_MAX;
		for (n = 0; n < p->class[c].nnode; n++) {
			const struct prog_node *node = &p->class[c].node[n];

			below = 0;
			for (k = 0; k < node->nkid; k++)
				below = f->least[node->kid[k]] > below ? f->least[node->kid[k]] : below;
			cost = p->class[c].is_root ? below : cost_add(node->cost, below);
			f->least[c] = cost < f->least[c] ? cost : f->least[c];
			cheapest = node->cost < cheapest ? node->cost : cheapest;
		}
		if (p->class[c].is_root)
			f->roots = cost_add(f->roots, cheapest);
	}
}

/* ---- states --------------------------------------------------------------------------------------------------------- */

static const uint32_t *
set_of(const struct frontier *f, const struct state *s)
{
	return f->set.at + s->set;
}

/* the new set, after those of the states: s's without class c, and the node's children that are no roots; its size */
static uint32_t
push_set(struct frontier *f, const struct state *s, uint32_t c, const struct prog_node *node)
{
	uint32_t from = f->set.n, i = 0, k = 0, u;

	vec_reserve(&f->set, f->set.n + s->n + node->nkid);
	while (i < s->n || k < node->nkid) {
		u = k == node->nkid || (i < s->n && set_of(f, s)[i] < node->kid[k]) ? set_of(f, s)[i] : node->kid[k];
		if (u != c && !f->p->class[u].is_root)
			vec_push(&f->set, u);
		i += i < s->n && set_of(f, s)[i] == u;
		k += k < node->nkid && node->kid[k] == u;
	}
	return f->set.n - from;
}

static bool
is_too_dear(const struct frontier *f, const struct state *s)
{
	int64_t most = 0;
	uint32_t i;

	for (i = 0; i < s->n; i++)
		most = f->least[set_of(f, s)[i]] > most ? f->least[set_of(f, s)[i]] : most;
	return cost_add(cost_add(s->cost, most), f->roots) >= f->upper;
}

static uint32_t *
find(const struct frontier *f, const struct map *seen, const struct state *s)
{
	return map_get(seen, set_of(f, s), s->n * sizeof(uint32_t));
}

/* keep the state if no other one with its set is as cheap */
static void
keep(struct frontier *f, struct map *seen, uint32_t index)
{
	const struct state *s = &f->state.at[index];
	bool is_new;
	uint32_t *place = map_put(seen, set_of(f, s), s->n * sizeof(uint32_t), f->next.n, &is_new);

	if (is_new)
		vec_push(&f->next, index);
	else if (s->cost < f->state.at[f->next.at[*place]].cost)
		f->next.at[*place] = index;
}

/* decide on class c in one state */
static void
decide(struct frontier *f, struct map *seen, uint32_t index, uint32_t c)
{
	const struct prog_class *class = &f->p->class[c];
	struct state made;
	uint32_t n;

	for (n = 0; n < class->nnode; n++) {
		const struct state *s = &f->state.at[index];

		made = (struct state){cost_add(s->cost, class->node[n].cost), index, c, n, f->set.n, 0};
		made.n = push_set(f, s, c, &class->node[n]);
		if (is_too_dear(f, &made)) {
			f->set.n = made.set;
			continue;
		}
		vec_push(&f->state, made);
		keep(f, seen, f->state.n - 1);
	}
}

static bool
has(const struct frontier *f, const struct state *s, uint32_t c)
{
	const uint32_t *set = set_of(f, s);
	uint32_t i;

	for (i = 0; i < s->n && set[i] < c; i++)
		;
	return i < s->n && set[i] == c;
}

/* is there a state that demands one class less, and costs no more? */
static bool
is_beaten(struct frontier *f, const struct map *seen, const struct state *s)
{
	struct state less = {.set = f->set.n, .n = s->n - 1};
	uint32_t skip, i, *place;
	bool beaten = false;

	vec_reserve(&f->set, f->set.n + s->n);
	for (skip = 0; skip < s->n && !beaten; skip++) {
		for (i = 0; i < less.n; i++)
			f->set.at[less.set + i] = set_of(f, s)[i < skip ? i : i + 1];
		place = find(f, seen, &less);
		beaten = place && f->state.at[f->next.at[*place]].cost <= s->cost;
	}
	return beaten;
}

/* one class further; false: too many states */
static bool
advance(struct frontier *f, uint32_t c)
{
	struct map seen = {0};
	uint32_t i;

	f->next.n = 0;
	for (i = 0; i < f->alive.n; i++)
		if (f->p->class[c].is_root || has(f, &f->state.at[f->alive.at[i]], c))
			decide(f, &seen, f->alive.at[i], c);
		else
			keep(f, &seen, f->alive.at[i]);
	f->alive.n = 0;
	for (i = 0; i < f->next.n; i++)
		if (!is_beaten(f, &seen, &f->state.at[f->next.at[i]]))
			vec_push(&f->alive, f->next.at[i]);
	map_free(&seen);
	return f->alive.n <= MOST_ALIVE && f->state.n <= MOST_STATES;
}

/* the decisions that led to the last state */
static void
trace(const struct frontier *f, uint32_t pick[])
{
	const struct state *s;
	uint32_t c;

	for (c = 0; c < f->p->nclass; c++)
		pick[c] = TN_NONE;
	for (s = &f->state.at[f->alive.at[0]]; s->class != TN_NONE; s = &f->state.at[s->before])
		pick[s->class] = s->node;
}

static bool
is_acyclic(const struct prog *p)
{
	struct scc scc;
	bool ok;

	scc_make(&scc, p);
	ok = scc.n == p->nclass;
	scc_free(&scc);
	return ok;
}

static int64_t
cheapest(const struct prog_class *class)
{
	int64_t cost = class->node[0].cost;
	uint32_t n;

	for (n = 1; n < class->nnode; n++)
		cost = class->node[n].cost < cost ? class->node[n].cost : cost;
	return cost;
}

bool
frontier_solve(const struct prog *p, const struct prog_limits *limits, int64_t upper, uint32_t pick[], int64_t *cost)
{
	struct frontier f = {.p = p, .upper = upper};
	uint32_t i;
	bool ok = true;

	if (!is_acyclic(p))
		return false;
	f.order = mem_alloc(p->nclass * sizeof *f.order);
	f.least = mem_alloc(p->nclass * sizeof *f.least);
	find_order(&f);
	find_least(&f);
	vec_reserve(&f.set, 1);		/* so that an empty set, too, is somewhere */
	vec_push(&f.state, ((struct state){.class = TN_NONE}));
	vec_push(&f.alive, 0);
	for (i = 0; ok && i < p->nclass; i++) {
		if (p->class[f.order[i]].is_root)
			f.roots -= cheapest(&p->class[f.order[i]]);
		ok = advance(&f, f.order[i]) && !prog_out_of_time(limits);
	}
	*cost = -1;
	if (ok && f.alive.n && f.state.at[f.alive.at[0]].cost < upper) {
		*cost = f.state.at[f.alive.at[0]].cost;
		trace(&f, pick);
	}
	mem_free(f.order);
	mem_free(f.least);
	vec_free(&f.state);
	vec_free(&f.set);
	vec_free(&f.alive);
	vec_free(&f.next);
	return ok;
}
