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

#include "base/mem.h"
#include "base/rand.h"
#include "extract/frontier.h"
#include "extract/scc.h"

enum { MOST_ALIVE = 20000, MOST_STATES = 400000, MOST_LOOKS = 1 << 24 };

#ifdef TN_TEST
enum { FIRST = 2 };
#else
enum { FIRST = 64 };		/* slots */
#endif

struct state {
	int64_t cost;
	uint32_t before;		/* the state it came from */
	uint32_t class, node;		/* by this decision */
	uint32_t set, n;		/* demanded classes, ascending: in frontier.set */
	uint64_t hash;			/* the sum of their codes, so that of a set with one class less is at hand */
};

/* Open addressing over next[]: states by their sets. */
struct seen {
	struct { uint64_t hash; uint32_t place; } *slot;	/* place 0: free; else that in next[], plus 1 */
	uint32_t cap, n;
};

struct frontier {
	const struct prog *p;
	uint32_t *order;
	uint64_t *code;			/* per class: a random number */
	struct seen seen;
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

/* the new state's set, after those of the others: s's without class c, and the node's children that are no roots */
static void
push_set(struct frontier *f, const struct state *s, uint32_t c, const struct prog_node *node, struct state *made)
{
	uint32_t i = 0, k = 0, u;

	made->set = f->set.n;
	made->hash = 0;
	vec_reserve(&f->set, f->set.n + s->n + node->nkid);
	while (i < s->n || k < node->nkid) {
		u = k == node->nkid || (i < s->n && set_of(f, s)[i] < node->kid[k]) ? set_of(f, s)[i] : node->kid[k];
		if (u != c && !f->p->class[u].is_root) {
			vec_push(&f->set, u);
			made->hash += f->code[u];
		}
		i += i < s->n && set_of(f, s)[i] == u;
		k += k < node->nkid && node->kid[k] == u;
	}
	made->n = f->set.n - made->set;
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

/* is a's set b's without its element at `skip`, or b's where b has none there? */
static bool
is_set(const struct frontier *f, const struct state *a, const struct state *b, uint32_t skip)
{
	const uint32_t *x = set_of(f, a), *y = set_of(f, b);
	bool is_less = skip < b->n;

	return a->n + is_less == b->n && memcmp(x, y, (is_less ? skip : b->n) * sizeof *x) == 0 &&
	    (!is_less || memcmp(x + skip, y + skip + 1, (a->n - skip) * sizeof *x) == 0);
}

/* the slot of the state whose set is s's without its element at `skip`, or the free one where that belongs */
static uint32_t
find(const struct frontier *f, const struct state *s, uint32_t skip)
{
	uint64_t hash = s->hash - (skip < s->n ? f->code[set_of(f, s)[skip]] : 0);
	uint32_t mask = f->seen.cap - 1, i = (uint32_t)hash & mask;

	for (;; i = (i + 1) & mask)
		if (!f->seen.slot[i].place || (f->seen.slot[i].hash == hash &&
		    is_set(f, &f->state.at[f->next.at[f->seen.slot[i].place - 1]], s, skip)))
			return i;
}

/* room for one state more */
static void
grow(struct seen *seen)
{
	struct seen old = *seen;
	uint32_t i, k;

	if (2 * (old.n + 1) <= old.cap)
		return;
	seen->cap = old.cap ? 2 * old.cap : FIRST;
	seen->slot = mem_alloc(seen->cap * sizeof *seen->slot);
	for (i = 0; i < old.cap; i++) {
		if (!old.slot[i].place)
			continue;
		for (k = (uint32_t)old.slot[i].hash & (seen->cap - 1); seen->slot[k].place; k = (k + 1) & (seen->cap - 1))
			;
		seen->slot[k] = old.slot[i];
	}
	mem_free(old.slot);
}

/* keep the state if no other one with its set is as cheap */
static void
keep(struct frontier *f, uint32_t index)
{
	const struct state *s = &f->state.at[index];
	uint32_t at, *other;

	grow(&f->seen);
	at = find(f, s, s->n);
	if (!f->seen.slot[at].place) {
		vec_push(&f->next, index);
		f->seen.slot[at].hash = s->hash;
		f->seen.slot[at].place = (uint32_t)f->next.n;
		f->seen.n++;
		return;
	}
	other = &f->next.at[f->seen.slot[at].place - 1];
	if (s->cost < f->state.at[*other].cost)
		*other = index;
}

/* decide on class c in one state */
static void
decide(struct frontier *f, uint32_t index, uint32_t c)
{
	const struct prog_class *class = &f->p->class[c];
	struct state made;
	uint32_t n;

	for (n = 0; n < class->nnode; n++) {
		const struct state *s = &f->state.at[index];

		made = (struct state){.cost = cost_add(s->cost, class->node[n].cost), .before = index, .class = c, .node = n};
		push_set(f, s, c, &class->node[n], &made);
		if (is_too_dear(f, &made)) {
			f->set.n = made.set;
			continue;
		}
		vec_push(&f->state, made);
		keep(f, (uint32_t)f->state.n - 1);
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
is_beaten(const struct frontier *f, const struct state *s)
{
	uint32_t skip, place;

	for (skip = 0; skip < s->n; skip++) {
		place = f->seen.slot[find(f, s, skip)].place;
		if (place && f->state.at[f->next.at[place - 1]].cost <= s->cost)
			return true;
	}
	return false;
}

/* one class further; false: too many states, or too late */
static bool
advance(struct frontier *f, uint32_t c)
{
	uint32_t i;

	f->next.n = 0;
	f->seen.n = 0;
	if (f->seen.cap)
		memset(f->seen.slot, 0, f->seen.cap * sizeof *f->seen.slot);
	f->looks += f->alive.n;
	for (i = 0; i < f->alive.n && f->state.n <= MOST_STATES && !watch_late(&f->watch, 1); i++)
		if (f->p->class[c].is_root || has(f, &f->state.at[f->alive.at[i]], c))
			decide(f, f->alive.at[i], c);
		else
			keep(f, f->alive.at[i]);
	f->alive.n = 0;
	for (i = 0; i < f->next.n && !watch_late(&f->watch, f->state.at[f->next.at[i]].n); i++)
		if (!is_beaten(f, &f->state.at[f->next.at[i]]))
			vec_push(&f->alive, f->next.at[i]);
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
frontier_solve(const struct prog *p, const struct prog_limits *limits, int64_t upper, uint64_t most_looks, uint32_t pick[],
    int64_t *cost)
{
	struct frontier f = {.p = p, .upper = upper, .most_looks = most_looks ? most_looks : UINT64_MAX, .watch = {.limits = limits}};
	enum frontier_result result;
	struct rng rng = {0};
	uint32_t i;
	bool ok;

	if (!is_acyclic(p))
		return FRONTIER_NEVER;
	f.order = mem_alloc(p->nclass * sizeof *f.order);
	f.least = mem_alloc(p->nclass * sizeof *f.least);
	f.code = mem_alloc(p->nclass * sizeof *f.code);
	for (i = 0; i < p->nclass; i++)
		f.code[i] = rng_next(&rng);
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
	mem_free(f.code);
	mem_free(f.seen.slot);
	vec_free(&f.state);
	vec_free(&f.set);
	vec_free(&f.alive);
	vec_free(&f.next);
	return result;
}
