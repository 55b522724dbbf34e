/*
 * Descendants; see reach.h.
 *
 * Classes that lie on a common cycle are one component; components are numbered children first, so that
 * nothing is below what has a smaller number.  Few enough have a row of bits each, the components below
 * them; else the graph is searched, where the numbers allow it.
 */
#include <string.h>

#include "saturate/reach.h"

#ifdef TN_TEST
enum { MAX_BITS = 1 << 12 };
#else
enum { MAX_BITS = 1 << 29 };	/* 64 MiB */
#endif

struct reach {
	const struct tn_egraph *g;
	tn_id nid;
	bool *is_leaf;		/* class: constant */
	uint32_t *component;	/* class; TN_NONE: it has no rows */
	bool *is_cyclic;	/* component */
	uint32_t ncomponent;
	uint64_t *bits;		/* component: nword words of those below it, itself if it is cyclic; NULL: too many */
	uint32_t nword;
	uint32_t *seen, search;	/* class: the search that came by last */
	VEC(tn_id) stack;
};

/* ---- children ------------------------------------------------------------------------------------------ */

/* A walk over the children of all nodes of a class. */
struct walk {
	const struct tn_row *row, *end;
	unsigned kid;
};

static struct walk
walk_begin(const struct reach *r, tn_id class)
{
	const struct snapshot *s = &r->g->snap;
	struct walk w = {snapshot_first(r->g, class), NULL, 0};

	if (w.row && !r->is_leaf[class])
		w.end = (const struct tn_row *)&s->row[s->class_row[class + 1]];
	else
		w.row = NULL;
	return w;
}

/* the next child; TN_NONE: there is none */
static tn_id
walk_next(struct walk *w)
{
	while (w->row != w->end) {
		if (w->kid < w->row->nkid)
			return w->row->kid[w->kid++];
		w->row = tn_row_next(w->row);
		w->kid = 0;
	}
	return TN_NONE;
}

/* ---- components, by Tarjan's way --------------------------------------------------------------------------- */

struct frame {
	tn_id class;
	struct walk walk;
};

struct numbering {
	struct reach *r;
	uint32_t *low, *index, next;	/* class: 0 is unseen */
	VEC(tn_id) open;
	VEC(struct frame) frame;
};

/* the classes opened since this one are a component */
static void
close_component(struct numbering *n, tn_id class)
{
	struct reach *r = n->r;
	uint32_t size = 0;
	tn_id c;

	do {
		c = vec_pop(&n->open);
		r->component[c] = r->ncomponent;
		size++;
	} while (c != class);
	r->is_cyclic[r->ncomponent++] = size > 1;
}

static void
enter(struct numbering *n, tn_id class)
{
	n->index[class] = n->low[class] = ++n->next;
	vec_push(&n->open, class);
	vec_push(&n->frame, ((struct frame){class, walk_begin(n->r, class)}));
}

static void
number_from(struct numbering *n, tn_id from)
{
	struct reach *r = n->r;
	struct frame *f;
	tn_id c, kid;

	enter(n, from);
	while (n->frame.n) {
		f = &n->frame.at[n->frame.n - 1];
		c = f->class;
		kid = walk_next(&f->walk);
		if (kid != TN_NONE && !n->index[kid])
			enter(n, kid);
		else if (kid != TN_NONE && r->component[kid] == TN_NONE)
			n->low[c] = n->index[kid] < n->low[c] ? n->index[kid] : n->low[c];
		if (kid != TN_NONE)
			continue;
		n->frame.n--;
		if (n->low[c] == n->index[c])
			close_component(n, c);
		if (n->frame.n) {
			tn_id up = n->frame.at[n->frame.n - 1].class;

			n->low[up] = n->low[c] < n->low[up] ? n->low[c] : n->low[up];
		}
	}
}

static void
number_components(struct reach *r)
{
	struct numbering n = {.r = r, .low = mem_alloc(r->nid * sizeof *n.low), .index = mem_alloc(r->nid * sizeof *n.index)};
	struct walk w;
	tn_id c, kid;

	for (c = 0; c < r->nid; c++)
		if (snapshot_first(r->g, c) && !n.index[c])
			number_from(&n, c);
	for (c = 0; c < r->nid; c++)
		for (w = walk_begin(r, c); (kid = walk_next(&w)) != TN_NONE; )
			if (kid == c)
				r->is_cyclic[r->component[c]] = true;
	mem_free(n.low);
	mem_free(n.index);
	vec_free(&n.open);
	vec_free(&n.frame);
}

/* ---- bits ------------------------------------------------------------------------------------------------- */

static void
add_below(struct reach *r, uint32_t from, uint32_t to)
{
	uint64_t *a = &r->bits[(size_t)from * r->nword];
	const uint64_t *b = &r->bits[(size_t)to * r->nword];
	uint32_t i;

	a[to / 64] |= UINT64_C(1) << to % 64;
	for (i = 0; i <= to / 64; i++)	/* below it are smaller numbers */
		a[i] |= b[i];
}

/* Components in order, each from those of its children, which are done. */
static void
make_bits(struct reach *r)
{
	tn_id *class = mem_alloc(r->nid * sizeof *class), c, kid;
	uint32_t *first = mem_alloc((r->ncomponent + 2) * sizeof *first), i;
	struct walk w;

	r->nword = (r->ncomponent + 63) / 64;
	r->bits = mem_alloc((size_t)r->ncomponent * r->nword * sizeof *r->bits);
	for (c = 0; c < r->nid; c++)
		if (r->component[c] != TN_NONE)
			first[r->component[c] + 2]++;
	for (i = 2; i < r->ncomponent + 2; i++)
		first[i] += first[i - 1];
	for (c = 0; c < r->nid; c++)
		if (r->component[c] != TN_NONE)
			class[first[r->component[c] + 1]++] = c;
	for (i = 0; i < first[r->ncomponent]; i++)
		for (w = walk_begin(r, class[i]); (kid = walk_next(&w)) != TN_NONE; )
			if (r->component[kid] != r->component[class[i]] || r->is_cyclic[r->component[kid]])
				add_below(r, r->component[class[i]], r->component[kid]);
	mem_free(class);
	mem_free(first);
}

/* ---- searching ------------------------------------------------------------------------------------------------ */

/* Go down from a class, but not below the number of what is looked for. */
static bool
search(struct reach *r, tn_id from, tn_id to)
{
	uint32_t least = r->component[to];
	bool found = false;
	struct walk w;
	tn_id kid;

	r->search++;
	vec_push(&r->stack, from);
	while (r->stack.n && !found) {
		w = walk_begin(r, vec_pop(&r->stack));
		while ((kid = walk_next(&w)) != TN_NONE && !found) {
			found = r->component[kid] == least;
			if (r->component[kid] < least || r->seen[kid] == r->search)
				continue;
			r->seen[kid] = r->search;
			vec_push(&r->stack, kid);
		}
	}
	r->stack.n = 0;
	return found;
}

bool
reach_has(struct reach *r, tn_id from, tn_id to)
{
	uint32_t a = from < r->nid ? r->component[from] : TN_NONE, b = to < r->nid ? r->component[to] : TN_NONE;

	if (a == TN_NONE || b == TN_NONE || a < b)
		return false;
	if (a == b)
		return r->is_cyclic[a];
	if (r->bits)
		return r->bits[(size_t)a * r->nword + b / 64] >> b % 64 & 1;
	return search(r, from, to);
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

static void
find_leaves(struct reach *r, struct tn_search *s)
{
	tn_id c;

	for (c = 0; r->g->analysis && c < r->nid; c++)
		r->is_leaf[c] = snapshot_first(r->g, c) && tn_v_holds(tn_v_constant(s, c));
}

struct reach *
reach_make(const struct tn_egraph *g, struct tn_search *s)
{
	struct reach *r = mem_alloc(sizeof *r);

	r->g = g;
	r->nid = g->snap.nid;
	r->is_leaf = mem_alloc(r->nid * sizeof *r->is_leaf);
	r->component = mem_alloc(r->nid * sizeof *r->component);
	r->is_cyclic = mem_alloc(r->nid * sizeof *r->is_cyclic);
	memset(r->component, 0xff, r->nid * sizeof *r->component);
	find_leaves(r, s);
	number_components(r);
	if ((uint64_t)r->ncomponent * r->ncomponent <= MAX_BITS)
		make_bits(r);
	else
		r->seen = mem_alloc(r->nid * sizeof *r->seen);
	return r;
}

void
reach_free(struct reach *r)
{
	if (!r)
		return;
	mem_free(r->is_leaf);
	mem_free(r->component);
	mem_free(r->is_cyclic);
	mem_free(r->bits);
	mem_free(r->seen);
	vec_free(&r->stack);
	mem_free(r);
}
