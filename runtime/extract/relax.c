/* Rows and columns of a component's relaxation; see relax.h. */
#include "extract/relax.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

enum { NEED_BYTES = 1 << 28 };	/* sets per column are kept up to this */
#define TIGHT 1e-7

static void
number_columns(struct relax *r)
{
	const struct prog *p = r->p;
	uint32_t c, n;

	r->ncol = prog_nnode(p);
	r->first = mem_alloc(((size_t)p->nclass + 1) * sizeof *r->first);
	r->class = mem_alloc(((size_t)r->ncol + 1) * sizeof *r->class);
	for (c = 0; c < p->nclass; c++) {
		r->first[c + 1] = r->first[c] + p->class[c].nnode;
		for (n = r->first[c]; n < r->first[c + 1]; n++)
			r->class[n] = c;
	}
}

static const struct prog_node *
node_of(const struct relax *r, uint32_t col)
{
	uint32_t c = r->class[col];

	return &r->p->class[c].node[col - r->first[c]];
}

/* without must-sets a node needs its children, which is less but true */
static void
make_need(const struct relax *r, uint32_t col, uint64_t set[])
{
	const struct prog_node *node = node_of(r, col);
	uint32_t k;

	if (r->has_must) {
		must_node(&r->must, node, set);
		return;
	}
	memset(set, 0, r->must.words * sizeof *set);
	for (k = 0; k < node->nkid; k++)
		bit_put(set, node->kid[k]);
}

const uint64_t *
relax_need(struct relax *r, uint32_t col)
{
	if (r->need)
		return r->need + (size_t)col * r->must.words;
	r->watch.work += r->must.words;
	make_need(r, col, r->scratch);
	return r->scratch;
}

static void
find_needs(struct relax *r)
{
	struct scc scc;
	uint32_t col;

	scc_make(&scc, r->p);
	r->has_must = must_make(&r->must, r->p, &scc, &r->watch);
	scc_free(&scc);
	r->must.words = r->p->nclass / 64 + 1;
	r->scratch = mem_alloc(r->must.words * sizeof *r->scratch);
	r->set = mem_alloc(r->must.words * sizeof *r->set);
	if (r->ncol > NEED_BYTES / sizeof *r->need / r->must.words)
		return;
	r->need = mem_alloc(((size_t)r->ncol + 1) * r->must.words * sizeof *r->need);
	for (col = 0; col < r->ncol; col++)
		make_need(r, col, r->need + (size_t)col * r->must.words);
}

static void
term(struct relax *r, uint32_t col, bool is_plus)
{
	vec_push(&r->term, is_plus ? (int32_t)col + 1 : -(int32_t)col - 1);
}

static void
send_row(struct relax *r, const struct relax_row *row)
{
	uint32_t i;

	r->col.n = r->coef.n = 0;
	for (i = row->from; i < row->from + row->n; i++) {
		vec_push(&r->col, (int)term_col(r->term.at[i]));
		vec_push(&r->coef, r->term.at[i] < 0 ? -1 : 1);
	}
	lp_row(r->lp, (int)r->col.n, r->col.at, r->coef.at, row->is_equal ? LP_EQ : LP_LE, row->right);
}

/* the terms pushed since `from` become a row */
static void
add_row(struct relax *r, uint32_t from, bool is_equal, uint8_t right)
{
	struct relax_row row = {.from = from, .n = r->term.n - from, .is_equal = is_equal, .right = right};

	vec_push(&r->row, row);
	vec_push(&r->dual, 0);
	send_row(r, &row);
}

/* y_c = 1 */
static void
root_row(struct relax *r, uint32_t c)
{
	uint32_t col, from = r->term.n;

	for (col = r->first[c]; col < r->first[c + 1]; col++)
		term(r, col, true);
	add_row(r, from, true, 1);
}

/* A's nodes that need u, against u's nodes that do not need A */
static void
child_row(struct relax *r, uint32_t a, uint32_t u)
{
	uint32_t col, from = r->term.n;
	bool is_limited = !r->p->class[u].is_root;

	if (watch_late(&r->watch, r->first[a + 1] - r->first[a] + r->first[u + 1] - r->first[u]))
		return;
	for (col = r->first[a]; col < r->first[a + 1]; col++)
		if (bit_has(relax_need(r, col), u))
			term(r, col, true);
	for (col = r->first[u]; col < r->first[u + 1]; col++)
		if (bit_has(relax_need(r, col), a))
			is_limited = true;
		else
			term(r, col, false);
	if (is_limited)
		add_row(r, from, false, 0);
	else
		r->term.n = from;
}

static void
base_rows(struct relax *r)
{
	const struct prog *p = r->p;
	uint32_t *seen = mem_alloc(p->nclass * sizeof *seen), c, n, k, u;

	for (c = 0; c < p->nclass; c++) {
		if (p->class[c].is_root)
			root_row(r, c);
		for (n = 0; n < p->class[c].nnode && !r->watch.is_late; n++)
			for (k = 0; k < p->class[c].node[n].nkid; k++) {
				u = p->class[c].node[n].kid[k];
				if (u == c || seen[u] == c + 1)
					continue;
				seen[u] = c + 1;
				child_row(r, c, u);
			}
	}
	mem_free(seen);
}

static void
make_lp(struct relax *r)
{
	uint32_t col;

	r->lp = lp_new((int)r->ncol);
	for (col = 0; col < r->ncol; col++) {
		lp_cost(r->lp, (int)col, (double)node_of(r, col)->cost * r->scale);
		if (r->is_out[col])
			lp_fix_zero(r->lp, (int)col);
	}
}

void
relax_open(struct relax *r, const struct prog *p, const struct prog_limits *limits, int64_t upper)
{
	int exponent;

	*r = (struct relax){.p = p, .limits = limits, .watch = {.limits = limits}};
	number_columns(r);
	find_needs(r);
	/* a power of two: costs stay exact as far as they fit a double */
	frexp((double)upper, &exponent);
	r->scale = ldexp(1, 12 - exponent);
	r->is_out = mem_alloc((size_t)r->ncol + 1);
	r->is_forced = mem_alloc((size_t)p->nclass + 1);
	r->x = mem_alloc(((size_t)r->ncol + 1) * sizeof *r->x);
	r->y = mem_alloc(((size_t)p->nclass + 1) * sizeof *r->y);
	make_lp(r);
	base_rows(r);
}

void
relax_close(struct relax *r)
{
	lp_free(r->lp);
	must_free(&r->must);
	mem_free(r->need);
	mem_free(r->scratch);
	mem_free(r->set);
	mem_free(r->first);
	mem_free(r->class);
	mem_free(r->is_out);
	mem_free(r->is_forced);
	mem_free(r->x);
	mem_free(r->y);
	vec_free(&r->row);
	vec_free(&r->term);
	vec_free(&r->member);
	vec_free(&r->dual);
	vec_free(&r->col);
	vec_free(&r->coef);
}

/* how much room the row has left at x */
static double
slack(const struct relax *r, const struct relax_row *row)
{
	double sum = row->right;
	uint32_t i;

	for (i = row->from; i < row->from + row->n; i++)
		sum -= r->term.at[i] < 0 ? -r->x[term_col(r->term.at[i])] : r->x[term_col(r->term.at[i])];
	return sum;
}

enum lp_status
relax_solve(struct relax *r)
{
	enum lp_status status = lp_relax(r->lp, r->limits->deadline_s, r->limits->interrupted, r->x, r->dual.at);
	uint32_t c, col, i;

	r->nsolve++;
	if (status != LP_OPTIMAL)
		return status;
	for (c = 0; c < r->p->nclass; c++)
		for (r->y[c] = 0, col = r->first[c]; col < r->first[c + 1]; col++)
			r->y[c] += r->x[col];
	for (i = 0; i < r->row.n; i++)
		if (slack(r, &r->row.at[i]) > TIGHT)
			r->row.at[i].idle++;
		else
			r->row.at[i].idle = 0;
	return status;
}

void
relax_out(struct relax *r, uint32_t col)
{
	r->is_out[col] = true;
	lp_fix_zero(r->lp, (int)col);
}

void
relax_purge(struct relax *r, uint32_t age)
{
	uint8_t *row = mem_alloc((size_t)r->row.n + 1), *col = mem_alloc((size_t)r->ncol + 1);
	uint32_t i, kept = 0;

	lp_basis(r->lp, row, col);
	lp_free(r->lp);
	make_lp(r);
	for (i = 0; i < r->row.n; i++) {
		/* an idle row's slack is basic: without both, the rest is a basis still */
		if (r->row.at[i].nset && r->row.at[i].idle > age && row[i] == LP_BASIC)
			continue;
		row[kept] = row[i];
		r->dual.at[kept] = r->dual.at[i];
		r->row.at[kept] = r->row.at[i];
		send_row(r, &r->row.at[kept++]);
	}
	r->row.n = r->dual.n = kept;
	lp_start(r->lp, row, col);
	mem_free(row);
	mem_free(col);
}

static void
mark_set(struct relax *r, const uint32_t set[], uint32_t n)
{
	uint32_t i;

	memset(r->set, 0, r->must.words * sizeof *r->set);
	for (i = 0; i < n; i++)
		bit_put(r->set, set[i]);
}

/* does the column's node need a class of the set marked? */
static bool
needs_set(struct relax *r, uint32_t col)
{
	const uint64_t *need = relax_need(r, col);
	uint32_t w;

	for (w = 0; w < r->must.words; w++)
		if (need[w] & r->set[w])
			return true;
	return false;
}

double
relax_violation(struct relax *r, uint32_t set[], uint32_t n)
{
	uint32_t i, col, most = 0;
	double right = 0;

	mark_set(r, set, n);
	for (i = 0; i < n; i++) {
		if (r->y[set[i]] > r->y[set[most]])
			most = i;
		for (col = r->first[set[i]]; col < r->first[set[i] + 1]; col++)
			if (r->x[col] > 0 && !needs_set(r, col))
				right += r->x[col];
	}
	i = set[most];
	set[most] = set[0];
	set[0] = i;
	return r->y[i] - right;
}

bool
relax_cut(struct relax *r, const uint32_t set[], uint32_t n)
{
	uint32_t i, col, from = r->term.n, nplus;

	mark_set(r, set, n);
	for (col = r->first[set[0]]; col < r->first[set[0] + 1]; col++)
		if (!r->is_out[col] && needs_set(r, col))
			term(r, col, true);
	nplus = r->term.n - from;
	if (nplus == 0)
		return false;
	for (i = 1; i < n; i++)
		for (col = r->first[set[i]]; col < r->first[set[i] + 1]; col++)
			if (!r->is_out[col] && !needs_set(r, col))
				term(r, col, false);
	add_row(r, from, false, 0);
	r->row.at[r->row.n - 1].set = r->member.n;
	r->row.at[r->row.n - 1].nset = n;
	for (i = 0; i < n; i++)
		vec_push(&r->member, set[i]);
	return true;
}
