/*
 * The snapshot that search runs on: a row a live node, grouped by class and inside by operator, by two
 * stable counting sorts, so that rows of one operator in one class are in order of birth.
 *
 * A row is new if its node was just made, one of its children changed, or its own class was absorbed; if
 * what is known of a class changed, its rows and those of its users are new too.  Stamps keep when.
 */
#include <string.h>

#include "egraph/egraph.h"

enum { ROW_WORDS = 3 };		/* of a row without children */

_Static_assert(sizeof(struct tn_row) == ROW_WORDS * sizeof(uint32_t), "a row is words");

/* ---- what became new -------------------------------------------------------------------------------- */

static void
stamp_users(struct tn_egraph *g, tn_id class)
{
	uint32_t use;

	for (use = g->class[class].use; use != TN_NONE; use = *egraph_use_next(g, use))
		g->stamp[egraph_use_parent(g, use)] = g->clock;
}

static void
stamp_rows(struct tn_egraph *g, tn_id class)
{
	uint32_t n, i;
	const tn_id *node = tn_class_nodes(g, class, &n);

	for (i = 0; i < n; i++)
		g->stamp[node[i]] = g->clock;
}

/*
 * Rows of classes that were absorbed since the last snapshot, found in it.  A number without an analysis is
 * known by its node alone: where a node without children goes to, users see something new.
 */
static void
stamp_absorbed(struct tn_egraph *g)
{
	const struct snapshot *s = &g->snap;
	uint32_t i, k, last;
	tn_id gone, n;

	for (i = 0; i < g->absorbed.n; i++) {
		gone = g->absorbed.at[i];
		if (gone >= s->nid) {
			if (g->node[gone].nkid == 0)
				stamp_users(g, egraph_find(g, gone));
			continue;
		}
		if (s->class_row[gone] == s->class_row[gone + 1])
			continue;
		last = s->row[s->class_row[gone + 1]];
		for (k = s->row[s->class_row[gone]]; k < last; k++) {
			n = s->row_node[k];
			g->stamp[n] = g->clock;
			if (g->node[n].nkid == 0)
				stamp_users(g, egraph_find(g, gone));
		}
	}
	g->absorbed.n = g->nrekeyed = 0;
}

/* ---- sorting ------------------------------------------------------------------------------------------ */

/* Has the node a row? */
static bool
has_row(const struct tn_egraph *g, tn_id n)
{
	return !egraph_is_dead(g, n) && !egraph_is_excluded(g, n);
}

/* Per class the words of its rows, into class_row[c + 1], and its operators; per operator its rows, into
 * op_first[op + 1].  Paths of the union-find become one step long. */
static void
count(struct tn_egraph *g)
{
	struct snapshot *s = &g->snap;
	const struct enode *e;
	tn_id n, c;

	memset(s->class_row, 0, ((size_t)g->n + 1) * sizeof *s->class_row);
	memset(s->class_ops, 0, (size_t)g->n * sizeof *s->class_ops);
	memset(s->op_first, 0, ((size_t)g->nop + 2) * sizeof *s->op_first);
	for (n = 0; n < g->n; n++) {
		e = &g->node[n];
		c = egraph_find(g, n);
		g->leader[n] = c;
		if (!has_row(g, n))
			continue;
		s->class_row[c + 1] += ROW_WORDS + e->nkid;
		s->class_ops[c] |= UINT64_C(1) << (e->op & 63);
		s->op_first[e->op + 2]++;
	}
}

/* op_row: live nodes by operator, in order of birth */
static void
sort_by_op(struct tn_egraph *g)
{
	struct snapshot *s = &g->snap;
	uint32_t i, *first = s->op_first;
	tn_id n;

	for (i = 2; i < g->nop + 2; i++)
		first[i] += first[i - 1];
	for (n = 0; n < g->n; n++)
		if (has_row(g, n))
			s->op_row[first[g->node[n].op + 1]++] = n;
}

/* class_row[c + 1]: where the rows of class c begin, one word being left before them; the sum of all words */
static void
place_classes(struct tn_egraph *g)
{
	struct snapshot *s = &g->snap;
	uint64_t at = 0;
	uint32_t words;
	tn_id c;

	for (c = 0; c < g->n; c++) {
		words = s->class_row[c + 1];
		s->class_row[c + 1] = (uint32_t)at + (words > 0);
		at += words + (words > 0);
	}
	if (at >= UINT32_MAX)
		mem_oom((size_t)at * sizeof *s->row);
	s->nword = (uint32_t)at;
}

/* Rows from op_row's order, each with its node for its class; op_row becomes where they begin. */
static void
put_rows(struct tn_egraph *g)
{
	struct snapshot *s = &g->snap;
	const tn_id *kid;
	struct tn_row *r;
	uint32_t i, k, *at;
	tn_id n;

	for (i = 0; i < s->nrow; i++) {
		n = s->op_row[i];
		at = &s->class_row[g->leader[n] + 1];
		r = (struct tn_row *)&s->row[*at];
		s->op_row[i] = *at;
		r->class = n;
		r->attrs = g->node[n].attrs;
		r->op = g->node[n].op;
		r->nkid = g->node[n].nkid & NODE_MAX_KIDS;
		r->is_new = 0;
		kid = egraph_const_kids(g, n);
		for (k = 0; k < r->nkid; k++)
			r->kid[k] = kid[k];
		*at += ROW_WORDS + r->nkid;
	}
}

/* Rows in the order they stand: their nodes go to row_node, and the word before each class is set. */
static void
number_rows(struct tn_egraph *g)
{
	struct snapshot *s = &g->snap;
	struct tn_row *r;
	uint32_t i = 0, at = 0;
	tn_id n, c;

	while (at < s->nword) {
		s->row[at++] = i;
		c = g->leader[((struct tn_row *)&s->row[at])->class];
		for (; at < s->class_row[c + 1]; at += ROW_WORDS + r->nkid) {
			r = (struct tn_row *)&s->row[at];
			n = r->class;
			r->class = c;
			s->row_node[i++] = n;
		}
	}
	s->row[s->nword] = s->nrow;
}

/* room for the counts of nop operators */
static void
need_ops(struct snapshot *s, uint32_t nop)
{
	uint32_t old = s->op_cap;

	if (nop + 2 <= old)
		return;
	s->op_cap = nop + 2;
	s->op_first = mem_resize(s->op_first, old * sizeof *s->op_first, s->op_cap * sizeof *s->op_first);
	s->near_first = mem_resize(s->near_first, old * sizeof *s->near_first, s->op_cap * sizeof *s->near_first);
}

/* Room for the words of all rows: more than was reserved only where most nodes have many children. */
static void
need_words(struct snapshot *s)
{
	size_t want = ((size_t)s->nword + 1) * sizeof *s->row;

	if (want <= s->row_region.size_bytes)
		return;
	region_release(&s->row_region);
	s->row = region_reserve(&s->row_region, 2 * want, 1);
}

void
snapshot_take(struct tn_egraph *g)
{
	struct snapshot *s = &g->snap;
	uint32_t i;

	stamp_absorbed(g);
	s->nrow = (uint32_t)(g->nlive - tn_nexcluded(g));
	s->nop = g->nop;
	s->nid = g->n;
	need_ops(s, g->nop);
	count(g);
	sort_by_op(g);
	place_classes(g);
	need_words(s);
	put_rows(g);
	number_rows(g);
	for (i = 0; i < g->renewed.n; i++) {
		stamp_users(g, egraph_find(g, g->renewed.at[i]));
		stamp_rows(g, g->renewed.at[i]);
	}
	g->renewed.n = 0;
	g->clock++;
}

void
snapshot_reserve(struct tn_egraph *g)
{
	struct snapshot *s = &g->snap;
	size_t n = (size_t)g->max + 1;

	s->row = region_reserve(&s->row_region, n, (1 + ROW_WORDS + NODE_INLINE) * sizeof *s->row);
	s->row_node = region_reserve(&s->row_node_region, n, sizeof *s->row_node);
	s->op_row = region_reserve(&s->op_row_region, n, sizeof *s->op_row);
	s->class_row = region_reserve(&s->class_row_region, n, sizeof *s->class_row);
	s->class_ops = region_reserve(&s->class_ops_region, n, sizeof *s->class_ops);
	s->near_row = region_reserve(&s->near_row_region, n, sizeof *s->near_row);
	s->near_class = region_reserve(&s->near_class_region, n, sizeof *s->near_class);
}

void
snapshot_release(struct tn_egraph *g)
{
	struct snapshot *s = &g->snap;

	region_release(&s->row_region);
	region_release(&s->row_node_region);
	region_release(&s->op_row_region);
	region_release(&s->class_row_region);
	region_release(&s->class_ops_region);
	region_release(&s->near_row_region);
	region_release(&s->near_class_region);
	mem_free(s->op_first);
	mem_free(s->near_first);
}

size_t
snapshot_bytes(const struct tn_egraph *g)
{
	const struct snapshot *s = &g->snap;
	size_t bytes = (size_t)s->nword * sizeof *s->row + s->nrow * (sizeof *s->row_node + sizeof *s->op_row) +
	    s->nop * sizeof *s->op_first + s->nid * (sizeof *s->class_row + sizeof *s->class_ops);

	return bytes + s->nnear * sizeof *s->near_row + s->nnear_class * sizeof *s->near_class;
}

const tn_id *
tn_class_nodes(const struct tn_egraph *g, tn_id class, uint32_t *n)
{
	const struct snapshot *s = &g->snap;
	tn_id c = tn_find(g, class);
	uint32_t first;

	*n = 0;
	if (c >= s->nid || s->class_row[c] == s->class_row[c + 1])
		return NULL;
	first = s->row[s->class_row[c]];
	*n = s->row[s->class_row[c + 1]] - first;
	return &s->row_node[first];
}

/* ---- views ------------------------------------------------------------------------------------------------ */

static struct tn_row *
row_at(struct snapshot *s, uint32_t word)
{
	return (struct tn_row *)&s->row[word];
}

/* is_new of every row, and near_class 1 for classes that have such a row */
static void
mark_new(struct tn_egraph *g, uint32_t since)
{
	struct snapshot *s = &g->snap;
	uint32_t i = 0, at = 0;
	struct tn_row *r;
	tn_id c;

	memset(s->near_class, 0, s->nid);
	s->nnear_class = s->nid;
	while (at < s->nword) {
		c = row_at(s, ++at)->class;
		for (; at < s->class_row[c + 1]; at += ROW_WORDS + r->nkid) {
			r = row_at(s, at);
			r->is_new = g->stamp[s->row_node[i++]] > since;
			s->near_class[c] |= r->is_new;
		}
	}
}

/* Is the row new, or has a child something new at most `depth` - 1 rows below? */
static bool
is_near(const struct snapshot *s, const struct tn_row *r, int depth)
{
	unsigned i, near;

	if (r->is_new)
		return true;
	for (i = 0; i < r->nkid; i++) {
		near = s->near_class[r->kid[i]];
		if (near && near < (unsigned)depth)
			return true;
	}
	return false;
}

/* near_class: how many rows one goes down, at most `depth`, to find something new; 0: it is further */
static void
spread(struct snapshot *s, int depth)
{
	const struct tn_row *r;
	uint32_t i;
	int d;

	for (d = 2; d < depth; d++)
		for (i = 0; i < s->nrow; i++) {
			r = row_at(s, s->op_row[i]);
			if (!s->near_class[r->class] && is_near(s, r, d))
				s->near_class[r->class] = (uint8_t)d;
		}
}

static void
select_near(struct snapshot *s, int depth)
{
	uint32_t op, i;

	s->nnear = 0;
	for (op = 0; op < s->nop; op++) {
		s->near_first[op] = s->nnear;
		for (i = s->op_first[op]; i < s->op_first[op + 1]; i++)
			if (is_near(s, row_at(s, s->op_row[i]), depth))
				s->near_row[s->nnear++] = s->op_row[i];
	}
	s->near_first[op] = s->nnear;
}

/* The view of all rows, or of those near something new. */
static struct tn_view
view_of(struct snapshot *s, bool near, unsigned nop, struct tn_search *search)
{
	uint32_t op, *first = near ? s->near_first : s->op_first, end;

	/* operators that no node has yet have no rows */
	for (op = s->nop, end = first[op]; op < nop; op++)
		first[op + 1] = end;
	return (struct tn_view){.row = s->row, .class_row = s->class_row, .class_ops = s->class_ops, .nid = s->nid,
	    .is_delta = near, .search = search, .op_row = near ? s->near_row : s->op_row, .op_first = first};
}

struct tn_view
snapshot_view(struct tn_egraph *g, uint32_t since, int depth, unsigned nop, struct tn_search *search)
{
	struct snapshot *s = &g->snap;

	need_ops(s, nop > s->nop ? nop : s->nop);
	if (since > 0) {
		mark_new(g, since);
		spread(s, depth);
		select_near(s, depth);
	}
	return view_of(s, since > 0, nop, search);
}

struct tn_view
snapshot_view_whole(struct tn_egraph *g, uint32_t since, unsigned nop, struct tn_search *search)
{
	need_ops(&g->snap, nop > g->snap.nop ? nop : g->snap.nop);
	mark_new(g, since);
	return view_of(&g->snap, false, nop, search);
}
