/*
 * The published program given to the solver as it is: the oracle of everything cleverer in this folder, and
 * what the paper's times are measured on.
 *
 * Without rows against cycles (TN_LAZY) a solution may be cyclic; then every class A on the cycle S gets
 *
 *	y_A <= sum over C in S of C's nodes without a child in S
 *
 * which every acyclic choice satisfies (the class of S lowest in it has no child there), and the program
 * is solved again.  There are finitely many cycles.
 *
 * Nothing is safe against the solver's tolerances here: bounds are its word.
 */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "extract/mip.h"
#include "extract/plain.h"

enum { COST_DIGITS = 9 };	/* beyond, costs are scaled for the solver, and equal to so many digits is equal */

struct plain {
	const struct tn_problem *p;
	const struct prog_limits *limits;
	struct lp *lp;
	double scale;
	double *x;
	uint32_t *node;		/* class: the solver's choice */
	VEC(int) col;
	VEC(double) coef;
};

static double
time_left(const struct plain *s)
{
	return s->limits->deadline_s > 0 ? fmax(s->limits->deadline_s - clock_now(), 0.01) : 1e9;
}

static void
take(struct plain *s)
{
	const struct tn_problem *p = s->p;
	uint32_t c, n;

	for (c = 0; c < p->nclass; c++) {
		s->node[c] = TN_NONE;
		for (n = p->first[c]; n < p->first[c + 1] && s->node[c] == TN_NONE; n++)
			if (s->x[n] > 0.5)
				s->node[c] = n;
	}
}

/* mark the classes of one circle of choices through `on` */
static void
mark_cycle(const struct plain *s, uint32_t on, bool mark[])
{
	const struct tn_problem *p = s->p;
	uint32_t *from = mem_alloc(p->nclass * sizeof *from), *queue = mem_alloc(p->nclass * sizeof *queue), head, tail = 1, i, c;
	bool found = false;

	memset(from, 0xff, p->nclass * sizeof *from);
	queue[0] = on;
	for (head = 0; head < tail && !found; head++) {
		c = queue[head];
		for (i = p->kid_first[s->node[c]]; i < p->kid_first[s->node[c] + 1] && !found; i++) {
			found = p->kid[i] == on;
			if (!found && from[p->kid[i]] == TN_NONE && s->node[p->kid[i]] != TN_NONE) {
				from[p->kid[i]] = c;
				queue[tail++] = p->kid[i];
			}
		}
		for (; found && c != on; c = from[c])
			mark[c] = true;
	}
	mark[on] = true;
	mem_free(from);
	mem_free(queue);
}

static bool
needs_one(const struct tn_problem *p, uint32_t n, const bool mark[])
{
	uint32_t i;

	for (i = p->kid_first[n]; i < p->kid_first[n + 1]; i++)
		if (mark[p->kid[i]])
			return true;
	return false;
}

/* the nodes of a class that are counted on one side only: a node without a child in S has y_A's 1 and the sum's -1 */
static void
cut(struct plain *s, uint32_t on)
{
	const struct tn_problem *p = s->p;
	bool *mark = mem_alloc(p->nclass);
	uint32_t a, c, n;

	mark_cycle(s, on, mark);
	for (a = 0; a < p->nclass; a++) {
		if (!mark[a])
			continue;
		s->col.n = s->coef.n = 0;
		for (c = 0; c < p->nclass; c++)
			for (n = p->first[c]; mark[c] && n < p->first[c + 1]; n++)
				if ((c == a) == needs_one(p, n, mark)) {
					vec_push(&s->col, (int)n);
					vec_push(&s->coef, c == a ? 1 : -1);
				}
		lp_row(s->lp, (int)s->col.n, s->col.at, s->coef.at, LP_LE, 0);
	}
	mem_free(mark);
}

/* solve, cutting cycles, until the solution is none or has none; better choices go to node[] */
static int64_t
run(struct plain *s, uint32_t node[], int64_t upper, int64_t *bound)
{
	const struct tn_problem *p = s->p;
	enum lp_status status;
	uint32_t cycle;
	int64_t cost;
	double value;

	for (;;) {
		status = lp_solve(s->lp, false, time_left(s), s->limits->interrupted, s->x, &value);
		if (status != LP_OPTIMAL && status != LP_FEASIBLE)
			return upper;
		take(s);
		cost = choice_settle(p, s->node, &cycle);
		if (cost >= 0 && cost < upper) {
			upper = cost;
			memcpy(node, s->node, p->nclass * sizeof *node);
		}
		if (status == LP_OPTIMAL && value * s->scale > (double)*bound)
			*bound = s->scale > 1 ? (int64_t)(value * s->scale * (1 - 1e-9)) : (int64_t)llround(value);
		if (cost >= 0 || cycle == TN_NONE || status != LP_OPTIMAL)
			return upper;
		cut(s, cycle);
	}
}

int64_t
extract_plain(const struct tn_problem *p, enum tn_cycles cycles, uint32_t node[], int64_t upper, const struct prog_limits *limits,
    int64_t *bound)
{
	struct plain s = {.p = p, .limits = limits, .scale = fmax(1, (double)upper / pow(10, COST_DIGITS))};
	struct mip m = {0};
	double value;

	mip_published(&m, p, cycles);
	s.lp = mip_lp(&m, s.scale);
	s.x = mem_alloc(m.col.n * sizeof *s.x);
	s.node = mem_alloc(p->nclass * sizeof *s.node);
	*bound = 0;
	if (lp_solve(s.lp, true, time_left(&s), limits->interrupted, s.x, &value) == LP_OPTIMAL)
		*bound = (int64_t)fmax(0, ceil((value - 1e-6 * fmax(1, value)) * s.scale));
	upper = run(&s, node, upper, bound);
	if (*bound > upper)
		*bound = upper;
	lp_free(s.lp);
	mip_free(&m);
	mem_free(s.x);
	mem_free(s.node);
	vec_free(&s.col);
	vec_free(&s.coef);
	return upper;
}
