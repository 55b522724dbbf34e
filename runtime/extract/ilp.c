/*
 * The 0-1 program of extraction, solved part by part, cycles cut as they appear.
 *
 * A column per node that may be chosen, y_c the sum over class c's.  Costs are whole numbers.
 *
 *	a class the roots are known to need:	y_c = 1
 *	any other:				y_c <= 1
 *	child u of class c:			sum of c's nodes with child u <= sum of u's nodes that do not need c
 *
 * What is known without solving (find_usable, find_needed): nodes with a child that has no finite derivation
 * are out; a class is needed if it is a root or a child of all usable nodes of a needed class.  Rows
 * for needed children fall away, and what is left splits into components that share no row; those
 * are solved one by one.
 *
 * A solution may be cyclic.  For a set S of classes that depend on each other in it, and each A in S,
 *
 *	y_A <= sum over C in S of C's nodes with no child in S
 *
 * holds in every acyclic choice (the class of S lowest in it has no child in S) and not in this one.
 * The cuts are added, the components they touch become one, and that is solved again.  There are
 * finitely many such S, so this ends.
 *
 * Proof: the incumbent is optimal if every component's optimum, cycles allowed, adds up to its cost.
 * When time runs out, what bounds a component is its relaxation, or what was known before.
 */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "extract/choice.h"
#include "extract/lp.h"

typedef VEC(uint32_t) list;

struct cut {
	uint32_t from, n;	/* classes of S, in ilp.cut_class */
};

struct ilp {
	const struct tn_problem *p;
	const struct ilp_limits *limits;
	bool *usable;		/* node */
	bool *needed;		/* class */
	uint32_t *leader;	/* class: union-find of components */
	int *column;		/* node: in the program being built, or -1 */
	uint32_t *node;		/* class: solution */
	VEC(struct cut) cut;
	list cut_class;
	VEC(int) col;
	VEC(double) coef;
	double *x;
	uint32_t *mark, stamp;	/* class */
};

/* what became of one component */
struct part {
	list class;
	int64_t bound;		/* proven for the cost of its nodes */
	bool is_solved;
};

static uint32_t
leader(struct ilp *s, uint32_t c)
{
	while (s->leader[c] != c)
		c = s->leader[c] = s->leader[s->leader[c]];
	return c;
}

static void
join(struct ilp *s, uint32_t a, uint32_t b)
{
	a = leader(s, a);
	b = leader(s, b);
	if (a < b)
		s->leader[b] = a;
	else
		s->leader[a] = b;
}

static bool
has_child(const struct tn_problem *p, uint32_t n, uint32_t c)
{
	uint32_t i;

	for (i = p->kid_first[n]; i < p->kid_first[n + 1]; i++)
		if (p->kid[i] == c)
			return true;
	return false;
}

/* nodes that can stand in some acyclic choice: priced, not their own child, all children derivable */
static void
find_usable(struct ilp *s)
{
	const struct tn_problem *p = s->p;
	uint32_t *tree = mem_alloc(p->nclass * sizeof *tree), c, n, i;

	for (c = 0; c < p->nclass; c++)
		tree[c] = TN_NONE;
	extract_derivable(p, tree);
	for (c = 0; c < p->nclass; c++)
		for (n = p->first[c]; n < p->first[c + 1]; n++) {
			s->usable[n] = p->cost[n] != TN_COST_NEVER && !has_child(p, n, c);
			for (i = p->kid_first[n]; i < p->kid_first[n + 1]; i++)
				s->usable[n] &= tree[p->kid[i]] != TN_NONE;
		}
	mem_free(tree);
}

/* is c a child of every usable node of its class `of`? */
static bool
is_child_of_all(const struct ilp *s, uint32_t of, uint32_t c)
{
	uint32_t n;

	for (n = s->p->first[of]; n < s->p->first[of + 1]; n++)
		if (s->usable[n] && !has_child(s->p, n, c))
			return false;
	return true;
}

static void
find_needed(struct ilp *s)
{
	const struct tn_problem *p = s->p;
	list todo = {0};
	uint32_t i, n, c;

	for (i = 0; i < p->nroot; i++)
		if (!s->needed[p->root[i]]) {
			s->needed[p->root[i]] = true;
			vec_push(&todo, p->root[i]);
		}
	while (todo.n) {
		c = vec_pop(&todo);
		for (n = p->first[c]; n < p->first[c + 1] && !s->usable[n]; n++)
			;
		for (i = p->kid_first[n]; i < p->kid_first[n + 1]; i++)
			if (!s->needed[p->kid[i]] && is_child_of_all(s, c, p->kid[i])) {
				s->needed[p->kid[i]] = true;
				vec_push(&todo, p->kid[i]);
			}
	}
	vec_free(&todo);
}

/* classes some usable node can reach from the roots, grouped: a class and its children that are not needed go together */
static void
find_parts(struct ilp *s, bool reached[])
{
	const struct tn_problem *p = s->p;
	list todo = {0};
	uint32_t i, n, c, u;

	for (c = 0; c < p->nclass; c++)
		s->leader[c] = c;
	for (i = 0; i < p->nroot; i++)
		if (!reached[p->root[i]]) {
			reached[p->root[i]] = true;
			vec_push(&todo, p->root[i]);
		}
	while (todo.n) {
		c = vec_pop(&todo);
		for (n = p->first[c]; n < p->first[c + 1]; n++) {
			for (i = p->kid_first[n]; s->usable[n] && i < p->kid_first[n + 1]; i++) {
				u = p->kid[i];
				if (!s->needed[u])
					join(s, c, u);
				if (!reached[u]) {
					reached[u] = true;
					vec_push(&todo, u);
				}
			}
		}
	}
	vec_free(&todo);
}

static void
term(struct ilp *s, int col, double coef)
{
	vec_push(&s->col, col);
	vec_push(&s->coef, coef);
}

static void
row(struct ilp *s, struct lp *lp, enum lp_sense sense, double right)
{
	lp_row(lp, (int)s->col.n, s->col.at, s->coef.at, sense, right);
	s->col.n = s->coef.n = 0;
}

/* the class's usable nodes, each with the coefficient */
static void
class_terms(struct ilp *s, uint32_t c, double coef)
{
	uint32_t n;

	for (n = s->p->first[c]; n < s->p->first[c + 1]; n++)
		if (s->usable[n])
			term(s, s->column[n], coef);
}

/* the nodes of class u that do not need class c below them: the others cannot serve c, each with the coefficient */
static void
serving_terms(struct ilp *s, uint32_t c, uint32_t u, double coef)
{
	const struct tn_problem *p = s->p;
	uint32_t n, i;

	for (n = p->first[u]; n < p->first[u + 1]; n++) {
		bool needs = false;

		for (i = p->kid_first[n]; s->usable[n] && i < p->kid_first[n + 1]; i++)
			needs |= p->kid[i] == c;
		if (s->usable[n] && !needs)
			term(s, s->column[n], coef);
	}
}

/* y_c = 1 or <= 1, and for each child that is not needed: who has it <= who can serve c of it */
static void
class_rows(struct ilp *s, struct lp *lp, uint32_t c)
{
	const struct tn_problem *p = s->p;
	uint32_t n, m, i, u;

	class_terms(s, c, 1);
	row(s, lp, s->needed[c] ? LP_EQ : LP_LE, 1);
	s->stamp++;
	for (n = p->first[c]; n < p->first[c + 1]; n++)
		for (i = p->kid_first[n]; s->usable[n] && i < p->kid_first[n + 1]; i++) {
			u = p->kid[i];
			if (s->needed[u] || s->mark[u] == s->stamp)
				continue;
			s->mark[u] = s->stamp;
			for (m = n; m < p->first[c + 1]; m++)
				if (s->usable[m] && has_child(p, m, u))
					term(s, s->column[m], 1);
			serving_terms(s, c, u, -1);
			row(s, lp, LP_LE, 0);
		}
}

/* for each A of the cut's set: y_A - (nodes of the set with no child in it) <= 0 */
static void
cut_rows(struct ilp *s, struct lp *lp, struct cut cut)
{
	const struct tn_problem *p = s->p;
	const uint32_t *set = &s->cut_class.at[cut.from];
	uint32_t a, k, n, i;

	s->stamp++;
	for (k = 0; k < cut.n; k++)
		s->mark[set[k]] = s->stamp;
	for (a = 0; a < cut.n; a++) {
		for (k = 0; k < cut.n; k++)
			for (n = p->first[set[k]]; n < p->first[set[k] + 1]; n++) {
				bool inside = false;

				for (i = p->kid_first[n]; i < p->kid_first[n + 1]; i++)
					inside |= s->mark[p->kid[i]] == s->stamp;
				/* a node of A itself without a child in S stands on both sides and falls away */
				if (s->usable[n] && (k == a) == inside)
					term(s, s->column[n], k == a ? 1 : -1);
			}
		row(s, lp, LP_LE, 0);
	}
}

static struct lp *
build(struct ilp *s, struct part *part)
{
	const struct tn_problem *p = s->p;
	uint32_t k, n;
	struct lp *lp;
	int ncol = 0;

	for (k = 0; k < part->class.n; k++)
		for (n = p->first[part->class.at[k]]; n < p->first[part->class.at[k] + 1]; n++)
			if (s->usable[n])
				s->column[n] = ncol++;
	lp = lp_new(ncol);
	for (k = 0; k < part->class.n; k++)
		for (n = p->first[part->class.at[k]]; n < p->first[part->class.at[k] + 1]; n++)
			if (s->usable[n])
				lp_cost(lp, s->column[n], (double)p->cost[n]);
	for (k = 0; k < part->class.n; k++)
		class_rows(s, lp, part->class.at[k]);
	for (k = 0; k < s->cut.n; k++)
		if (leader(s, s->cut_class.at[s->cut.at[k].from]) == leader(s, part->class.at[0]))
			cut_rows(s, lp, s->cut.at[k]);
	s->x = mem_resize(s->x, 0, ((size_t)ncol + 1) * sizeof *s->x);
	return lp;
}

/* the node of each of the part's classes with its column at 1 */
static void
take(struct ilp *s, const struct part *part)
{
	const struct tn_problem *p = s->p;
	uint32_t k, n, c;

	for (k = 0; k < part->class.n; k++) {
		c = part->class.at[k];
		s->node[c] = TN_NONE;
		for (n = p->first[c]; n < p->first[c + 1]; n++)
			if (s->usable[n] && s->x[s->column[n]] > 0.5)
				s->node[c] = n;
	}
}

static bool
out_of_time(const struct ilp *s)
{
	return (s->limits->interrupted && *s->limits->interrupted) ||
	    (s->limits->deadline_s > 0 && clock_now() >= s->limits->deadline_s);
}

static double
time_left(const struct ilp *s)
{
	return s->limits->deadline_s > 0 ? fmax(1, s->limits->deadline_s - clock_now()) : 1e9;
}

static int64_t
larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* a needed class on its own needs no solver */
static bool
is_trivial(struct ilp *s, struct part *part)
{
	uint32_t c = part->class.at[0], n, one = TN_NONE, many = 0;

	if (part->class.n != 1 || !s->needed[c])
		return false;
	/* alone, all its children are needed: the cheapest node will do, the first of equals */
	for (n = s->p->first[c]; n < s->p->first[c + 1]; n++)
		if (s->usable[n]) {
			many++;
			if (one == TN_NONE || s->p->cost[n] < s->p->cost[one])
				one = n;
		}
	s->node[c] = one;
	part->bound = s->p->cost[one];
	return many != 0;
}

/* solve one component; false if the limit came first */
static bool
solve_part(struct ilp *s, struct part *part)
{
	enum lp_status status;
	struct lp *lp;
	double value;
	uint32_t k;

	part->is_solved = true;
	for (k = 0; k < s->cut.n; k++)
		if (leader(s, s->cut_class.at[s->cut.at[k].from]) == leader(s, part->class.at[0]))
			break;
	if (k == s->cut.n && is_trivial(s, part))
		return true;
	if (out_of_time(s))
		return false;
	lp = build(s, part);
	if (lp_solve(lp, true, time_left(s), s->limits->interrupted, s->x, &value) == LP_OPTIMAL)
		part->bound = larger(part->bound, (int64_t)ceil(value - 1e-6 * fmax(1, fabs(value))));
	status = out_of_time(s) ? LP_LIMIT : lp_solve(lp, false, time_left(s), s->limits->interrupted, s->x, &value);
	lp_free(lp);
	if (status == LP_OPTIMAL || status == LP_FEASIBLE)
		take(s, part);
	if (status == LP_OPTIMAL)
		part->bound = (int64_t)llround(value);
	return status == LP_OPTIMAL;
}

/* the classes that depend on each other with `on` in the solution: forward and backward reach meet */
static void
add_cut(struct ilp *s, uint32_t on)
{
	const struct tn_problem *p = s->p;
	list reach = {0};
	uint8_t *hits = mem_alloc(p->nclass);
	uint32_t k, i, c, from = s->cut_class.n;
	bool more = true;

	vec_push(&reach, on);
	hits[on] = 3;
	for (k = 0; k < reach.n; k++) {
		c = reach.at[k];
		for (i = p->kid_first[s->node[c]]; i < p->kid_first[s->node[c] + 1]; i++)
			if (!hits[p->kid[i]]) {
				hits[p->kid[i]] = 1;
				if (s->node[p->kid[i]] != TN_NONE)
					vec_push(&reach, p->kid[i]);
			}
	}
	while (more) {		/* backward, within what is reached */
		more = false;
		for (k = 0; k < reach.n; k++) {
			c = reach.at[k];
			for (i = p->kid_first[s->node[c]]; hits[c] == 1 && i < p->kid_first[s->node[c] + 1]; i++)
				if (hits[p->kid[i]] == 3) {
					hits[c] = 3;
					more = true;
				}
		}
	}
	for (c = 0; c < p->nclass; c++)
		if (hits[c] == 3) {
			vec_push(&s->cut_class, c);
			join(s, on, c);
		}
	vec_push(&s->cut, ((struct cut){from, s->cut_class.n - from}));
	vec_free(&reach);
	mem_free(hits);
}

/* regroup the classes by leader, keeping what is solved where nothing joined; what bounded two parts
 * bounds both together */
static void
regroup(struct ilp *s, const bool reached[], struct part part[])
{
	uint32_t c, l;

	for (c = 0; c < s->p->nclass; c++) {
		l = leader(s, c);
		if (l != c && part[c].class.n) {
			vec_free(&part[c].class);
			part[l].bound = cost_add(part[l].bound, part[c].bound);
			part[l].is_solved = false;
		}
		part[c].class.n = 0;
	}
	for (c = 0; c < s->p->nclass; c++)
		if (reached[c])
			vec_push(&part[leader(s, c)].class, c);
}

static int64_t
bound_of(const struct ilp *s, const struct part part[])
{
	int64_t bound = 0;
	uint32_t c;

	for (c = 0; c < s->p->nclass; c++)
		if (part[c].class.n)
			bound = cost_add(bound, part[c].bound);
	return bound;
}

/* solve all parts, cut cycles, until the whole is acyclic or time is out; better solutions go to node[] */
static int64_t
run(struct ilp *s, const bool reached[], struct part part[], uint32_t node[], int64_t upper, int64_t *bound)
{
	const struct tn_problem *p = s->p;
	uint32_t *trial = mem_alloc(p->nclass * sizeof *trial), c, cycle;
	bool all = true;
	int64_t cost;

	for (;;) {
		for (c = 0; c < p->nclass; c++)
			if (part[c].class.n && !part[c].is_solved)
				all &= solve_part(s, &part[c]);
		*bound = bound_of(s, part);
		memcpy(trial, s->node, p->nclass * sizeof *trial);
		cost = choice_settle(p, trial, &cycle);
		if (cost >= 0 && cost < upper) {
			upper = cost;
			memcpy(node, trial, p->nclass * sizeof *node);
		}
		if (!all || cost >= 0 || *bound >= upper || cycle == TN_NONE || out_of_time(s))
			break;
		add_cut(s, cycle);
		regroup(s, reached, part);
		part[leader(s, cycle)].is_solved = false;
	}
	if (*bound > upper)
		*bound = upper;
	mem_free(trial);
	return upper;
}

int64_t
extract_ilp(const struct tn_problem *p, uint32_t node[], int64_t upper, const struct ilp_limits *limits, int64_t *bound)
{
	struct ilp s = {.p = p, .limits = limits};
	bool *reached = mem_alloc(p->nclass);
	struct part *part = mem_alloc(p->nclass * sizeof *part);
	uint32_t c;

	s.usable = mem_alloc(p->nnode);
	s.needed = mem_alloc(p->nclass);
	s.leader = mem_alloc(p->nclass * sizeof *s.leader);
	s.column = mem_alloc(p->nnode * sizeof *s.column);
	s.node = mem_alloc(p->nclass * sizeof *s.node);
	s.mark = mem_alloc(p->nclass * sizeof *s.mark);
	memset(s.node, 0xff, p->nclass * sizeof *s.node);
	find_usable(&s);
	find_needed(&s);
	find_parts(&s, reached);
	regroup(&s, reached, part);
	upper = run(&s, reached, part, node, upper, bound);

	for (c = 0; c < p->nclass; c++)
		vec_free(&part[c].class);
	mem_free(part);
	mem_free(reached);
	mem_free(s.usable);
	mem_free(s.needed);
	mem_free(s.leader);
	mem_free(s.column);
	mem_free(s.node);
	mem_free(s.mark);
	mem_free(s.x);
	vec_free(&s.cut);
	vec_free(&s.cut_class);
	vec_free(&s.col);
	vec_free(&s.coef);
	return upper;
}
