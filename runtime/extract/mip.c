/* Building mixed 0-1 programs; see mip.h. */
#include <stdlib.h>

#include "base/mem.h"
#include "extract/mip.h"
#include "extract/scc.h"

static void
add_col(struct mip *m, char letter, uint32_t number, double upper, bool is_whole, int64_t cost)
{
	vec_push(&m->col, ((struct mip_col){letter, is_whole, number, upper, cost}));
}

static void
begin_row(struct mip *m, enum lp_sense sense, int64_t right)
{
	vec_push(&m->row, ((struct mip_row){sense, right, m->term.n, 0}));
}

static void
add_term(struct mip *m, uint32_t col, int64_t coef)
{
	vec_push(&m->term, ((struct mip_term){col, coef}));
	m->row.at[m->row.n - 1].n++;
}

static void
add_class(struct mip *m, const struct tn_problem *p, uint32_t class, int64_t coef)
{
	uint32_t n;

	for (n = p->first[class]; n < p->first[class + 1]; n++)
		add_term(m, n, coef);
}

/* A class's nodes are columns of the same numbers.  A root named twice has one row. */
static void
add_nodes_and_roots(struct mip *m, const struct tn_problem *p)
{
	bool *done = mem_alloc(p->nclass);
	uint32_t i;

	for (i = 0; i < p->nnode; i++)
		add_col(m, 'x', i, p->cost[i] == TN_COST_NEVER ? 0 : 1, true, p->cost[i] == TN_COST_NEVER ? 0 : p->cost[i]);
	for (i = 0; i < p->nroot; i++) {
		if (done[p->root[i]])
			continue;
		done[p->root[i]] = true;
		begin_row(m, LP_EQ, 1);
		add_class(m, p, p->root[i], 1);
	}
	mem_free(done);
}

static bool
is_repeated(const struct tn_problem *p, uint32_t n, uint32_t at)
{
	uint32_t i;

	for (i = p->kid_first[n]; i < at; i++)
		if (p->kid[i] == p->kid[at])
			return true;
	return false;
}

/* the rows of node n of class c and one child */
static void
add_child(struct mip *m, const struct tn_problem *p, enum tn_cycles cycles, uint32_t c, uint32_t n, uint32_t u)
{
	if (u == c) {		/* the class is above itself: the rows say x_n < 1 */
		if (cycles != TN_LAZY) {
			begin_row(m, LP_LE, 0);
			add_term(m, n, 1);
		}
		return;
	}
	begin_row(m, LP_LE, 0);
	add_term(m, n, 1);
	add_class(m, p, u, -1);
	if (cycles == TN_LAZY)
		return;
	begin_row(m, LP_GE, 1 - (int64_t)p->nclass);
	add_term(m, p->nnode + c, 1);
	add_term(m, p->nnode + u, -1);
	add_term(m, n, -(int64_t)p->nclass);
}

void
mip_published(struct mip *m, const struct tn_problem *p, enum tn_cycles cycles)
{
	uint32_t c, n, i;

	add_nodes_and_roots(m, p);
	for (c = 0; c < p->nclass && cycles != TN_LAZY; c++)
		add_col(m, 't', c, p->nclass - 1, cycles == TN_WHOLE_ORDER, 0);
	for (c = 0; c < p->nclass; c++)
		for (n = p->first[c]; n < p->first[c + 1]; n++)
			for (i = p->kid_first[n]; i < p->kid_first[n + 1]; i++)
				if (!is_repeated(p, n, i))
					add_child(m, p, cycles, c, n, p->kid[i]);
}

/* ---- the reduced program ------------------------------------------------------------------------------- */

struct edge {
	uint32_t child, node;
};

static int
by_child(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	if (x->child != y->child)
		return x->child < y->child ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

/* some nodes of class a, edge[0 … n - 1].node, have child u */
static void
add_edges(struct mip *m, const struct prog *q, const struct tn_problem *p, uint32_t a, const struct edge edge[], uint32_t n)
{
	const struct prog_class *u = &q->class[edge->child];
	uint32_t i, out = 0;

	for (i = 0; i < u->nnode; i++)
		out += prog_has_kid(&u->node[i], a);
	if (u->is_root && !out)
		return;
	begin_row(m, LP_LE, 0);
	for (i = 0; i < n; i++)
		add_term(m, edge[i].node, 1);
	for (i = 0; i < u->nnode; i++)
		if (!prog_has_kid(&u->node[i], a))
			add_term(m, p->first[edge->child] + i, -1);
}

/* the same nodes put class a after u in an order of their k classes; place[c] is the column of t_c */
static void
add_order(struct mip *m, const uint32_t place[], uint32_t k, uint32_t a, const struct edge edge[], uint32_t n)
{
	uint32_t i;

	begin_row(m, LP_GE, 1 - (int64_t)k);
	add_term(m, place[a], 1);
	add_term(m, place[edge->child], -1);
	for (i = 0; i < n; i++)
		add_term(m, edge[i].node, -(int64_t)k);
}

void
mip_reduced(struct mip *m, const struct prog *q, const struct tn_problem *p)
{
	uint32_t *place = mem_alloc(q->nclass * sizeof *place), c, i, n, k, to;
	VEC(struct edge) edge = {0};
	struct scc scc;

	scc_make(&scc, q);
	add_nodes_and_roots(m, p);
	for (c = 0; c < q->nclass; c++) {
		place[c] = m->col.n;
		k = scc_size(&scc, scc.of[c]);
		if (k > 2)
			add_col(m, 't', c, k - 1, false, 0);
	}
	add_col(m, 'f', 0, 1, false, q->constant);
	begin_row(m, LP_EQ, 1);
	add_term(m, m->col.n - 1, 1);
	for (c = 0; c < q->nclass; c++) {
		edge.n = 0;
		for (n = p->first[c]; n < p->first[c + 1]; n++)
			for (i = p->kid_first[n]; i < p->kid_first[n + 1]; i++)
				vec_push(&edge, ((struct edge){p->kid[i], n}));
		if (edge.n)
			qsort(edge.at, edge.n, sizeof *edge.at, by_child);
		k = scc_size(&scc, scc.of[c]);
		for (i = 0; i < edge.n; i = to) {
			for (to = i; to < edge.n && edge.at[to].child == edge.at[i].child; to++)
				;
			add_edges(m, q, p, c, &edge.at[i], to - i);
			if (k > 2 && scc.of[edge.at[i].child] == scc.of[c])
				add_order(m, place, k, c, &edge.at[i], to - i);
		}
	}
	scc_free(&scc);
	vec_free(&edge);
	mem_free(place);
}

struct lp *
mip_lp(const struct mip *m, double scale)
{
	struct lp *lp = lp_new((int)m->col.n);
	VEC(int) col = {0};
	VEC(double) coef = {0};
	uint32_t i, k;

	for (i = 0; i < m->col.n; i++) {
		lp_cost(lp, (int)i, (double)m->col.at[i].cost / scale);
		lp_range(lp, (int)i, m->col.at[i].upper, m->col.at[i].is_whole);
	}
	for (i = 0; i < m->row.n; i++) {
		const struct mip_row *r = &m->row.at[i];

		col.n = coef.n = 0;
		for (k = r->from; k < r->from + r->n; k++) {
			vec_push(&col, (int)m->term.at[k].col);
			vec_push(&coef, (double)m->term.at[k].coef);
		}
		lp_row(lp, (int)col.n, col.at, coef.at, r->sense, (double)r->right);
	}
	vec_free(&col);
	vec_free(&coef);
	return lp;
}

void
mip_free(struct mip *m)
{
	vec_free(&m->col);
	vec_free(&m->term);
	vec_free(&m->row);
}
