/*
 * The relaxation of one component: a column per node, rows, and what the last solve said.
 *
 *	minimise cost x,	0 <= x <= 1,	y_c the sum of class c's columns
 *
 *	root c:			y_c = 1
 *	child u of class A:	sum of A's nodes that need u <= sum of u's nodes that do not need A
 *	any set S, A in S:	y_A <= sum over C in S of C's nodes that need no class of S
 *
 * A node needs what is in must() of its children (must.h), itself not counted.  The second is the third for
 * S = {A, u} without the nodes of A that do not need u, which the third has on both sides.  The third holds
 * for every choice: the class of S lowest in it is chosen by a node that needs none of S, since what a node
 * needs stands below it.  It is complete: a choice of columns that runs in a circle breaks the row of
 * the classes on that circle.
 *
 * All coefficients are 1 or -1, all right sides 0 or 1, and rows are kept here as well as in the solver, so
 * that what the solver says can be checked in whole numbers (bound.c).
 */
#ifndef EXTRACT_RELAX_H
#define EXTRACT_RELAX_H

#include "extract/lp.h"
#include "extract/must.h"
#include "extract/prog.h"

struct relax_row {
	uint32_t from, n;	/* terms */
	uint32_t set, nset;	/* members of S, A first; nset 0: no cut */
	uint32_t idle;		/* solves since the row was last tight */
	bool is_equal;		/* or at most */
	uint8_t right;
};

struct relax {
	const struct prog *p;
	const struct prog_limits *limits;
	struct watch watch;
	bool has_must;
	struct must must;
	uint64_t *need;		/* per column, the set of classes it needs; NULL: too large, made when asked for */
	uint64_t *scratch, *set;
	uint32_t ncol;
	uint32_t *first;	/* columns of class c: first[c] … first[c + 1] - 1 */
	uint32_t *class;	/* of a column */
	bool *is_out;		/* column that no choice cheaper than asked for has */
	bool *is_forced;	/* class that every such choice has */
	double scale;		/* of costs in the solver */
	struct lp *lp;
	VEC(struct relax_row) row;
	VEC(int32_t) term;	/* column + 1, or the negative of it */
	VEC(uint32_t) member;
	VEC(double) dual;	/* per row */
	double *x, *y;		/* per column, per class */
	VEC(int) col;		/* the row being built */
	VEC(double) coef;
	uint32_t nsolve;
};

static inline uint32_t
term_col(int32_t term)
{
	return (uint32_t)(term < 0 ? -term : term) - 1;
}

/* `upper`: about how large costs are.  Out of time some rows are left out: a relaxation still. */
void relax_open(struct relax *, const struct prog *, const struct prog_limits *, int64_t upper);
void relax_close(struct relax *);
/* x, y and dual from the solver; LP_LIMIT: only dual may be new; else they are as they were. */
enum lp_status relax_solve(struct relax *);
/* Take columns out of the program. */
void relax_out(struct relax *, uint32_t col);
/* Take rows that were idle for more than `age` solves away; the solver starts where it was. */
void relax_purge(struct relax *, uint32_t age);

/* The set of classes that the column's node needs; valid until the next call. */
const uint64_t *relax_need(struct relax *, uint32_t col);
/* How far x is from satisfying the row of set S (A its first member) that is furthest from it: that
 * A is put first. */
double relax_violation(struct relax *, uint32_t set[], uint32_t n);
/* Add the row of set S and its first member; false: it says nothing. */
bool relax_cut(struct relax *, const uint32_t set[], uint32_t n);

/* ---- exact numbers: bound.c ----------------------------------------------------------------------------------- */

/*
 * A lower bound on every choice, from the multipliers that the last solve left, in whole numbers: true whatever
 * the solver's tolerances.  Columns that no choice cheaper than `upper` can have go out, classes that each of
 * them must have are forced; *nout counts new ones.
 */
int64_t relax_bound(struct relax *, int64_t upper, uint32_t *nout);

#endif
