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
 * ones have too many: then this gives up, and the linear program is asked.  Most often a few hundred states suffice, or
 * hundreds of thousands do not: how often one is looked at is the caller's to say.
 */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "extract/frontier.h"
#include "extract/scc.h"

enum { MOST_ALIVE = 20000, MOST_STATES = 400000, MOST_LOOKS = 1 << 24 };

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
	uint64_t looks, most_looks;	/* at states, those that a class does not concern included */
	struct watch watch;
};

/* ---- the order ------------------------------------------------------------------------------------------------------ */

struct order {
	const struct prog *p;
	uint32_t *nuser;		/* of each class, those not taken yet */
	bool *met;			/* demanded by one that was taken */
	uint32_t *mark, stamp;
	VEC(uint32_t) ready;		/* classes without users left */
};

static void
count_users(struct order *o)
{
	const struct prog *p = o->p;
	uint32_t c, n, k, u;

	for (c = 0; c < p->nclass; c++) {
		o->stamp++;
		for (n = 0; n < p->class[c].nnode; n++)
			for (k = 0; k < p->class[c].node[n].nkid; k++) {
				u = p->class[c].node[n].kid[k];
				if (o->mark[u] != o->stamp) {
					o->mark[u] = o->stamp;
					o->nuser[u]++;
				}
			}
	}
}

/* children of the class that nothing taken has demanded yet */
static uint32_t
count_new(struct order *o, uint32_t c)
{
	const struct prog *p = o->p;
	uint32_t n, k, u, count = 0;

	o->stamp++;
	for (n = 0; n < p->class[c].nnode; n++)
		for (k = 0; k < p->class[c].node[n].nkid; k++) {
			u = p->class[c].node[n].kid[k];
			if (!o->met[u] && !p->class[u].is_root && o->mark[u] != o->stamp) {
				o->mark[u] = o->stamp;
				count++;
			}
		}
	return count;
}

/* take a class: its children may be ready now */
static void
take(struct order *o, uint32_t c)
{
	const struct prog *p = o->p;
	uint32_t n, k, u;

	o->stamp++;
	for (n = 0; n < p->class[c].nnode; n++)
		for (k = 0; k < p->class[c].node[n].nkid; k++) {
			u = p->class[c].node[n].kid[k];
			if (o->mark[u] == o->stamp)
				continue;
			o->mark[u] = o->stamp;
			o->met[u] = true;
			if (--o->nuser[u] == 0)
				vec_push(&o->ready, u);
		}
}

/* among the ready ones, the class that demands the fewest new ones, those already demanded before others; its place */
static uint32_t
find_next(struct order *o)
{
	uint32_t i, best = 0, least = TN_NONE, cost;

	for (i = 0; i < o->ready.n && least > 0; i++) {
		cost = 2 * count_new(o, o->ready.at[i]) + !o->met[o->ready.at[i]];
		if (cost < least || (cost == least && o->ready.at[i] < o->ready.at[best])) {
			least = cost;
			best = i;
		}
	}
	return best;
}

/* users first; false: too many are ready at a time for this to be thin */
static bool
find_order(struct frontier *f)
{
	struct order o = {.p = f->p};
	uint32_t c, i = 0, best;

	o.nuser = mem_alloc(o.p->nclass * sizeof *o.nuser);
	o.mark = mem_alloc(o.p->nclass * sizeof *o.mark);
	o.met = mem_alloc(o.p->nclass);
	count_users(&o);
	for (c = 0; c < o.p->nclass; c++)
		if (!o.nuser[c])
			vec_push(&o.ready, c);
	while (o.ready.n && o.stamp < MOST_LOOKS && !watch_late(&f->watch, o.ready.n)) {
		best = find_next(&o);
		c = f->order[i++] = o.ready.at[best];
		o.ready.at[best] = o.ready.at[o.ready.n - 1];
		o.ready.n--;
		take(&o, c);
	}
	mem_free(o.nuser);
	mem_free(o.mark);
	mem_free(o.met);
	vec_free(&o.ready);
	return i == o.p->nclass;
}

/* from the last to the first */
static void
find_least(struct frontier *f)
{
	const struct prog *p = f->p;
	uint32_t i, n, k, c;
	int64_t cost, below;

	for (i = p->nclass; i-- > 0; ) {
		c = f->order[i];
		f->least[c] = INT64_MAX;
		for (n = 0; n < p->class[c].nnode; n++) {
			const struct prog_node *node = &p->class[c].node[n];

			below = 0;
			for (k = 0; k < node->nkid; k++)
				below = f->least[node->kid[k]] > below ? f->least[node->kid[k]] : below;
			cost = p->class[c].is_root ? below : cost_add(node->cost, below);
			f->least[c] = cost < f->least[c] ? cost : f->least[c];
		}
	}
	f->roots = prog_root_cost(p);
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

/* one class further; false: too many states, or too late */
static bool
advance(struct frontier *f, uint32_t c)
{
	struct map seen = {0};
	uint32_t i;

	f->next.n = 0;
	f->looks += f->alive.n;
	for (i = 0; i < f->alive.n && !watch_late(&f->watch, 1); i++)
		if (f->p->class[c].is_root || has(f, &f->state.at[f->alive.at[i]], c))
			decide(f, &seen, f->alive.at[i], c);
		else
			keep(f, &seen, f->alive.at[i]);
	f->alive.n = 0;
	for (i = 0; i < f->next.n && !watch_late(&f->watch, f->state.at[f->next.at[i]].n); i++)
		if (!is_beaten(f, &seen, &f->state.at[f->next.at[i]]))
			vec_push(&f->alive, f->next.at[i]);
	map_free(&seen);
	return f->alive.n <= MOST_ALIVE && f->state.n <= MOST_STATES && f->looks <= f->most_looks && !f->watch.is_late;
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

enum frontier_result
frontier_solve(const struct prog *p, const struct prog_limits *limits, int64_t upper, uint64_t most_looks, uint32_t pick[], int64_t *cost)
{
	struct frontier f = {.p = p, .upper = upper, .most_looks = most_looks ? most_looks : UINT64_MAX, .watch = {.limits = limits}};
	enum frontier_result result;
	uint32_t i;
	bool ok;

	if (!is_acyclic(p))
		return FRONTIER_NEVER;
	f.order = mem_alloc(p->nclass * sizeof *f.order);
	f.least = mem_alloc(p->nclass * sizeof *f.least);
	ok = find_order(&f);
	if (ok)
		find_least(&f);
	vec_reserve(&f.set, 1);		/* so that an empty set, too, is somewhere */
	vec_push(&f.state, ((struct state){.class = TN_NONE}));
	vec_push(&f.alive, 0);
	for (i = 0; ok && i < p->nclass; i++) {
		if (p->class[f.order[i]].is_root)
			f.roots -= prog_least(&p->class[f.order[i]]);
		ok = advance(&f, f.order[i]);
	}
	*cost = -1;
	if (ok && f.alive.n && f.state.at[f.alive.at[0]].cost < upper) {
		*cost = f.state.at[f.alive.at[0]].cost;
		trace(&f, pick);
	}
	result = ok ? FRONTIER_DONE : f.looks > f.most_looks ? FRONTIER_MORE : FRONTIER_NEVER;
	mem_free(f.order);
	mem_free(f.least);
	vec_free(&f.state);
	vec_free(&f.set);
	vec_free(&f.alive);
	vec_free(&f.next);
	return result;
}
