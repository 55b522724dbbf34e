/*
 * Cycles: a class that its own node would be made of.  What would close one is not added where that is
 * known beforehand; what slips through, as classes unite, is found before each snapshot, and the newest
 * node of each cycle is excluded: it is neither matched nor chosen from then on.
 *
 * Nodes are taken in order of age into an acyclic graph of classes, unless they would close a cycle in it.
 * An order of the classes, parents after children, is kept on the way (Pearce and Kelly's algorithm), so that
 * only a child which stands after its parent takes a search.  The oldest node of a class is never excluded:
 * its children had nodes before it.
 *
 * What no input feeds is made once and for all, so that nothing is below it.
 *
 * A run out of time leaves the pass GRACE seconds; then the newest nodes are excluded without being looked at,
 * but for the first of each class.
 */
#include <stdlib.h>
#include <string.h>

#include "egraph/memo.h"
#include "saturate/run.h"

#ifdef TN_TEST
enum { GRACE = 0, CHECK_EVERY = 4 };
#else
enum { GRACE = 1, CHECK_EVERY = 1024 };	/* seconds; nodes between looks at the clock */
#endif

/* A node, or a class, and what it is sorted by. */
struct aged {
	uint32_t age;
	tn_id id;
};

/* A class on the way of a walk, its node at hand and the child of that. */
struct frame {
	tn_id class;
	uint32_t node;
	unsigned kid;
};

struct cycles {
	struct tn_egraph *g;
	uint32_t *age;			/* node: its number, or that of the oldest node it took the place of */
	tn_id naged, cap;
	bool *was_dead;			/* node: its age was handed on */
	/* of one pass; by class */
	bool *is_leaf;			/* constant: nothing below it is a cycle's */
	uint32_t *order;		/* parents stand after children */
	uint32_t *first;		/* class c: nodes node[first[c]] … node[first[c + 1] - 1] */
	tn_id *node;
	bool *is_in;			/* node: it is in the acyclic graph */
	bool *has_in;			/* class: one of its nodes is */
	uint32_t *seen, search;		/* class: the search that came by last */
	VEC(struct frame) frame;
	VEC(tn_id) down, up;		/* classes a search found */
	VEC(uint32_t) places;
	VEC(struct aged) sorted;
};

/* ---- ages ---------------------------------------------------------------------------------------------- */

static tn_id
twin_of(struct tn_egraph *g, tn_id dead)
{
	const struct enode *e = &g->node[dead];
	int nkid = (int)egraph_nkid(e), i;
	tn_id *kid = mem_alloc((size_t)nkid * sizeof *kid), n;
	uint32_t slot;

	for (i = 0; i < nkid; i++)
		kid[i] = egraph_find(g, egraph_const_kids(g, dead)[i]);
	n = memo_seek(g, memo_hash(e->op, e->attrs, kid, nkid), e->op, e->attrs, kid, nkid, &slot);
	mem_free(kid);
	return n;
}

/* Nodes that died since the last pass hand their age on. */
static void
note_ages(struct cycles *z)
{
	struct tn_egraph *g = z->g;
	uint32_t cap = z->cap;
	tn_id n, twin;

	if (g->n > cap) {
		z->cap = vec_grow((void **)&z->age, cap, g->n, sizeof *z->age);
		z->was_dead = mem_resize(z->was_dead, cap * sizeof *z->was_dead, z->cap * sizeof *z->was_dead);
	}
	for (; z->naged < g->n; z->naged++)
		z->age[z->naged] = z->naged;
	for (n = 0; n < g->n; n++) {
		if (!egraph_is_dead(g, n) || z->was_dead[n])
			continue;
		z->was_dead[n] = true;
		twin = twin_of(g, n);
		if (twin != TN_NONE && z->age[n] < z->age[twin])
			z->age[twin] = z->age[n];
	}
}

/* ---- one pass's tables -------------------------------------------------------------------------------------- */

static int
by_age(const void *a, const void *b)
{
	const struct aged *x = a, *y = b;

	return x->age != y->age ? (x->age > y->age) - (x->age < y->age) : (x->id > y->id) - (x->id < y->id);
}

/* may the node lie on a cycle? */
static bool
is_inner(const struct cycles *z, tn_id n)
{
	return !egraph_is_dead(z->g, n) && !egraph_is_excluded(z->g, n) && !z->is_leaf[z->g->leader[n]];
}

static bool
is_constant(const struct run *r, tn_id class)
{
	return r->g->analysis && tn_v_holds(tn_v_constant(r->search, class));
}

static void
find_leaves(struct cycles *z, const struct run *r)
{
	tn_id c;

	for (c = 0; c < z->g->n; c++) {
		z->g->leader[c] = egraph_find(z->g, c);
		z->is_leaf[c] = z->g->leader[c] == c && is_constant(r, c);
	}
}

/* Nodes by class. */
static void
group_nodes(struct cycles *z)
{
	struct tn_egraph *g = z->g;
	tn_id n;

	for (n = 0; n < g->n; n++)
		if (is_inner(z, n))
			z->first[g->leader[n] + 2]++;
	for (n = 2; n < g->n + 2; n++)
		z->first[n] += z->first[n - 1];
	for (n = 0; n < g->n; n++)
		if (is_inner(z, n))
			z->node[z->first[g->leader[n] + 1]++] = n;
}

/* The first order: as a walk leaves the classes, so that only a child that leads back stands after its parent. */
static void
order_from(struct cycles *z, tn_id from, uint32_t *next)
{
	struct frame *f;
	tn_id n, kid;

	z->seen[from] = true;
	vec_push(&z->frame, ((struct frame){from, z->first[from], 0}));
	while (z->frame.n) {
		f = &z->frame.at[z->frame.n - 1];
		if (f->node == z->first[f->class + 1]) {
			z->order[f->class] = (*next)++;
			z->frame.n--;
			continue;
		}
		n = z->node[f->node];
		if (f->kid == egraph_nkid(&z->g->node[n])) {
			f->node++;
			f->kid = 0;
			continue;
		}
		kid = egraph_const_kids(z->g, n)[f->kid++];
		if (z->is_leaf[kid] || z->seen[kid])
			continue;
		z->seen[kid] = true;
		vec_push(&z->frame, ((struct frame){kid, z->first[kid], 0}));
	}
}

static void
order_classes(struct cycles *z)
{
	uint32_t next = 0;
	tn_id c;

	for (c = 0; c < z->g->n; c++)
		if (z->g->leader[c] == c && !z->is_leaf[c] && !z->seen[c])
			order_from(z, c, &next);
	memset(z->seen, 0, z->g->n * sizeof *z->seen);
}

/* ---- the order ---------------------------------------------------------------------------------------------- */

static void
sort_classes(struct cycles *z, tn_id *at, uint32_t n)
{
	uint32_t i;

	vec_reserve(&z->sorted, n);
	for (i = 0; i < n; i++)
		z->sorted.at[i] = (struct aged){z->order[at[i]], at[i]};
	qsort(z->sorted.at, n, sizeof *z->sorted.at, by_age);
	for (i = 0; i < n; i++)
		at[i] = z->sorted.at[i].id;
}

/* Classes below `from` that do not stand before `to`, into z->down; true if `to` is one of them. */
static bool
search_down(struct cycles *z, tn_id from, tn_id to)
{
	uint32_t at, i, k;
	tn_id c, n, kid;

	z->search++;
	z->down.n = 0;
	z->seen[from] = z->search;
	vec_push(&z->down, from);
	for (at = 0; at < z->down.n; at++) {
		c = z->down.at[at];
		if (c == to)
			return true;
		for (i = z->first[c]; i < z->first[c + 1]; i++) {
			n = z->node[i];
			for (k = 0; z->is_in[n] && k < egraph_nkid(&z->g->node[n]); k++) {
				kid = egraph_const_kids(z->g, n)[k];
				if (z->is_leaf[kid] || z->seen[kid] == z->search || z->order[kid] < z->order[to])
					continue;
				z->seen[kid] = z->search;
				vec_push(&z->down, kid);
			}
		}
	}
	return false;
}

/* Classes above `from` that do not stand after `to`, into z->up. */
static void
search_up(struct cycles *z, tn_id from, tn_id to)
{
	uint32_t at, use;
	tn_id n, c;

	z->search++;
	z->up.n = 0;
	z->seen[from] = z->search;
	vec_push(&z->up, from);
	for (at = 0; at < z->up.n; at++)
		for (use = z->g->class[z->up.at[at]].use; use != TN_NONE; use = *egraph_use_next(z->g, use)) {
			n = egraph_use_parent(z->g, use);
			c = z->g->leader[n];
			if (!z->is_in[n] || z->seen[c] == z->search || z->order[c] > z->order[to])
				continue;
			z->seen[c] = z->search;
			vec_push(&z->up, c);
		}
}

/* A child that stands after its parent: what is below it and what is above the parent change places. */
static void
reorder(struct cycles *z, tn_id parent, tn_id kid)
{
	uint32_t i, n = 0;

	search_down(z, kid, parent);
	search_up(z, parent, kid);
	sort_classes(z, z->down.at, z->down.n);
	sort_classes(z, z->up.at, z->up.n);
	z->places.n = 0;
	vec_reserve(&z->places, z->down.n + z->up.n);
	for (i = 0; i < z->down.n; i++)
		vec_push(&z->places, z->down.at[i]);
	for (i = 0; i < z->up.n; i++)
		vec_push(&z->places, z->up.at[i]);
	sort_classes(z, z->places.at, z->places.n);
	for (i = 0; i < z->places.n; i++)
		z->places.at[i] = z->order[z->places.at[i]];
	for (i = 0; i < z->down.n; i++)
		z->order[z->down.at[i]] = z->places.at[n++];
	for (i = 0; i < z->up.n; i++)
		z->order[z->up.at[i]] = z->places.at[n++];
}

/* Take the node in, unless one of its children has its class below it. */
static bool
take_in(struct cycles *z, tn_id n)
{
	tn_id c = z->g->leader[n];
	const tn_id *kid = egraph_const_kids(z->g, n);
	unsigned i, nkid = egraph_nkid(&z->g->node[n]);

	for (i = 0; i < nkid; i++)
		if (kid[i] == c || (!z->is_leaf[kid[i]] && z->order[kid[i]] > z->order[c] && search_down(z, kid[i], c)))
			return false;
	for (i = 0; i < nkid; i++)
		if (!z->is_leaf[kid[i]] && z->order[kid[i]] > z->order[c])
			reorder(z, c, kid[i]);
	return z->is_in[n] = z->has_in[c] = true;
}

/* ---- the pass ---------------------------------------------------------------------------------------------- */

static void
make_tables(struct cycles *z, tn_id n)
{
	z->is_leaf = mem_alloc(n * sizeof *z->is_leaf);
	z->order = mem_alloc(n * sizeof *z->order);
	z->first = mem_alloc(((size_t)n + 2) * sizeof *z->first);
	z->node = mem_alloc(n * sizeof *z->node);
	z->is_in = mem_alloc(n * sizeof *z->is_in);
	z->has_in = mem_alloc(n * sizeof *z->has_in);
	z->seen = mem_alloc(n * sizeof *z->seen);
	z->search = 0;
}

static void
free_tables(struct cycles *z)
{
	mem_free(z->is_leaf);
	mem_free(z->order);
	mem_free(z->first);
	mem_free(z->node);
	mem_free(z->is_in);
	mem_free(z->has_in);
	mem_free(z->seen);
}

void
cycles_exclude(struct run *r)
{
	struct cycles *z = r->cycles;
	struct tn_egraph *g = r->g;
	struct aged *all;
	double start_s = clock_now();
	bool is_late = false;
	uint32_t n = 0, i;
	tn_id id;

	egraph_restore(g);
	if (g->is_contradiction)
		return;
	note_ages(z);
	make_tables(z, g->n);
	find_leaves(z, r);
	group_nodes(z);
	all = mem_alloc(g->nlive * sizeof *all);
	for (id = 0; id < g->n; id++)
		if (is_inner(z, id))
			all[n++] = (struct aged){z->age[id], id};
	qsort(all, n, sizeof *all, by_age);
	order_classes(z);
	for (i = 0; i < n; i++) {
		is_late |= i % CHECK_EVERY == 0 && !run_has_time(r) && clock_now() - start_s >= GRACE;
		if ((is_late && z->has_in[g->leader[all[i].id]]) || !take_in(z, all[i].id))
			egraph_exclude(g, all[i].id);
	}
	mem_free(all);
	free_tables(z);
}

/* ---- before an application ------------------------------------------------------------------------------------ */

/* As far as the last snapshot tells. */
static bool
closes_in_snapshot(void *run, tn_id root, tn_id leaf)
{
	struct run *r = run;

	if (is_constant(r, root) || is_constant(r, leaf))
		return false;
	return egraph_find(r->g, root) == egraph_find(r->g, leaf) || reach_has(run_reach(r), leaf, root);
}

/* As the e-graph is: go up from the root, which is below the leaf or is not. */
static bool
closes_now(void *run, tn_id root, tn_id leaf)
{
	struct run *r = run;
	struct tn_egraph *g = r->g;
	struct cycles *z = r->cycles;
	bool *seen, found = false;
	uint32_t at, use;
	tn_id n, c, to;

	if (is_constant(r, root) || is_constant(r, leaf))
		return false;
	egraph_restore(g);
	seen = mem_alloc(g->n * sizeof *seen);
	to = egraph_find(g, leaf);
	z->up.n = 0;
	vec_push(&z->up, egraph_find(g, root));
	seen[z->up.at[0]] = true;
	for (at = 0; at < z->up.n && !found; at++) {
		found = z->up.at[at] == to;
		for (use = g->class[z->up.at[at]].use; use != TN_NONE && !found; use = *egraph_use_next(g, use)) {
			n = egraph_use_parent(g, use);
			c = egraph_find(g, n);
			if (seen[c] || egraph_is_dead(g, n) || egraph_is_excluded(g, n) || is_constant(r, c))
				continue;
			seen[c] = true;
			vec_push(&z->up, c);
		}
	}
	mem_free(seen);
	return found;
}

void
cycles_begin(struct run *r)
{
	r->cycles = mem_alloc(sizeof *r->cycles);
	r->cycles->g = r->g;
	r->apply.run = r;
	r->apply.closes = r->limits->cycles == TN_FILTER_VANILLA ? closes_now : closes_in_snapshot;
}

void
cycles_end(struct run *r)
{
	struct cycles *z = r->cycles;

	mem_free(z->age);
	mem_free(z->was_dead);
	vec_free(&z->down);
	vec_free(&z->up);
	vec_free(&z->places);
	vec_free(&z->frame);
	vec_free(&z->sorted);
	mem_free(z);
}
