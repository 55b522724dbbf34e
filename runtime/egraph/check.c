/* Every invariant of an e-graph that was just rebuilt, held slowly and plainly. */
#include <string.h>

#include "egraph/memo.h"

static const char *
check_unions(const struct tn_egraph *g)
{
	tn_id n, c;
	size_t nclass = 0, nlive = 0;
	uint32_t steps;

	for (n = 0; n < g->n; n++) {
		for (c = n, steps = 0; g->leader[c] != c; c = g->leader[c])
			if (g->leader[c] >= g->n || ++steps > g->n)
				return "the union-find has a cycle or leads nowhere";
		nclass += c == n;
		nlive += !egraph_is_dead(g, n);
	}
	if (nclass != g->nclass)
		return "the count of classes is wrong";
	return nlive == g->nlive ? NULL : "the count of live nodes is wrong";
}

/* children canonical, and the memo finds the node itself: so no two have one key */
static const char *
check_nodes(const struct tn_egraph *g)
{
	const struct enode *e;
	const tn_id *kid;
	uint32_t slot;
	unsigned i;
	tn_id n;

	for (n = 0; n < g->n; n++) {
		if (egraph_is_dead(g, n))
			continue;
		e = &g->node[n];
		kid = egraph_const_kids(g, n);
		for (i = 0; i < e->nkid; i++)
			if (kid[i] >= g->n || g->leader[kid[i]] != kid[i])
				return "a child is not canonical";
		if (memo_seek(g, memo_hash(e->op, e->attrs, kid, e->nkid), e->op, e->attrs, kid, e->nkid, &slot) != n)
			return "two live nodes have one key, or the memo does not find a node";
	}
	return g->used <= g->nslot ? NULL : "the memo is over-full";
}

/* Each child of each live node stands once in its class's list of uses. */
static const char *
check_uses(const struct tn_egraph *g)
{
	uint64_t want = 0, found = 0;
	uint32_t use, place;
	tn_id n, c;

	for (n = 0; n < g->n; n++)
		want += egraph_is_dead(g, n) ? 0 : g->node[n].nkid;
	for (c = 0; c < g->n; c++)
		for (use = g->class[c].use; use != TN_NONE; use = *egraph_use_next((struct tn_egraph *)g, use)) {
			n = egraph_use_parent(g, use);
			if (g->leader[c] != c)
				return "an absorbed class has uses";
			if (egraph_is_dead(g, n))
				continue;
			place = use & USE_MANY ? (use & ~USE_MANY) - g->node[n].kid[0] : use % NODE_INLINE;
			if (place >= g->node[n].nkid || egraph_const_kids(g, n)[place] != c)
				return "a use is in another class's list";
			if (++found > want)
				return "a use is listed twice";
		}
	return found == want ? NULL : "a use is in no list";
}

/* Made again and merged, no data changes. */
static const char *
check_analysis(const struct tn_egraph *g)
{
	size_t size = g->analysis->size;
	char *made = mem_alloc(size), *into = mem_alloc(size);
	const char *wrong = NULL;
	bool failed = false;
	struct tn_node node;
	tn_id n;

	for (n = 0; n < g->n && !wrong && !g->is_contradiction; n++) {
		if (egraph_is_dead(g, n))
			continue;
		node = tn_node_at(g, n);
		memset(made, 0, size);
		g->analysis->make(g->analysis->arg, g, &node, made);
		memcpy(into, tn_data(g, n), size);
		if (g->analysis->merge(g->analysis->arg, into, made, &failed) || failed)
			wrong = "the analysis is not at its fixpoint";
	}
	mem_free(made);
	mem_free(into);
	return wrong;
}

static bool
row_is(const struct tn_egraph *g, const struct tn_row *r, tn_id n, tn_id class)
{
	const struct enode *e = &g->node[n];

	return r->class == class && g->leader[n] == class && r->op == e->op && r->nkid == e->nkid && r->attrs == e->attrs &&
	    memcmp(r->kid, egraph_const_kids(g, n), r->nkid * sizeof *r->kid) == 0;
}

/* Rows are the live nodes of each class, by operator and then by birth. */
static const char *
check_classes(const struct tn_egraph *g, const struct tn_view *v)
{
	const struct tn_row *r;
	uint32_t n, i, all = 0;
	const tn_id *node;
	uint64_t ops;
	tn_id c;

	for (c = 0; c < v->nid; c++) {
		if (g->leader[c] != c)
			continue;
		node = tn_class_nodes(g, c, &n);
		ops = 0;
		for (i = 0, r = tn_rows(v, c); i < n; i++, r = tn_row_next(r)) {
			if (!row_is(g, r, node[i], c))
				return "a row is not its node";
			if (i > 0 && (g->node[node[i]].op < g->node[node[i - 1]].op ||
			    (g->node[node[i]].op == g->node[node[i - 1]].op && node[i] <= node[i - 1])))
				return "rows of a class are out of order";
			ops |= UINT64_C(1) << (r->op & 63);
		}
		if (n == 0 || r != tn_rows_end(v, c))
			return "a class's rows do not fill their place";
		if (ops != v->class_ops[c])
			return "a class's operators are wrong";
		all += n;
	}
	return all == g->nlive - tn_nexcluded(g) ? NULL : "a live node has no row";
}

static const char *
check_snapshot(const struct tn_egraph *g)
{
	const struct snapshot *s = &g->snap;
	struct tn_view v = {.row = s->row, .class_row = s->class_row, .class_ops = s->class_ops, .op_row = s->op_row,
	    .op_first = s->op_first, .nid = s->nid};
	uint32_t op, i;

	if (s->nid != g->n || s->nrow != g->nlive - tn_nexcluded(g))
		return "the snapshot is not of this moment";
	for (op = 0; op < s->nop; op++)
		for (i = v.op_first[op]; i < v.op_first[op + 1]; i++)
			if (tn_row_at(&v, v.op_row[i])->op != op)
				return "a row stands under another operator";
	if (s->nop && v.op_first[s->nop] != s->nrow)
		return "rows by operator are not all";
	return check_classes(g, &v);
}

const char *
tn_egraph_check(const struct tn_egraph *g)
{
	const char *wrong = check_unions(g);

	if (g->nrekeyed < g->absorbed.n || g->changed.n)
		return "it was not rebuilt";
	if (!wrong)
		wrong = check_nodes(g);
	if (!wrong)
		wrong = check_uses(g);
	if (!wrong && g->analysis)
		wrong = check_analysis(g);
	return wrong ? wrong : check_snapshot(g);
}
