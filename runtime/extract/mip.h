/*
 * A mixed 0-1 program as data: built once, then solved by lp.h or written for another solver.
 *
 * Columns are called x and t with a number (x12: node 12 of the problem; t3: the place of class 3 in an
 * order).  One more is 1, carries what every choice costs, and has the program's identity for its name, so that a solution
 * says what it solves.
 */
#ifndef EXTRACT_MIP_H
#define EXTRACT_MIP_H

#include <stdio.h>

#include "base/vec.h"
#include "extract/lp.h"
#include "extract/prog.h"

struct mip_col {
	char letter;		/* x, t, or f: the one with the identity */
	bool is_whole;
	uint32_t number;
	double upper;		/* the lower limit is 0 */
	int64_t cost;
};

struct mip_term {
	uint32_t col;
	int64_t coef;
};

struct mip_row {
	enum lp_sense sense;
	int64_t right;
	uint32_t from, n;	/* terms */
};

enum { MIP_ID = 7 };		/* digits */

struct mip {
	char id[MIP_ID + 2];	/* "f01234ab": of the reduced program */
	VEC(struct mip_col) col;
	VEC(struct mip_term) term;
	VEC(struct mip_row) row;
};

/*
 * The published program of extraction (Yang et al., Equality Saturation for Tensor Graph Superoptimization,
 * MLSys 2021, section 5.1), over M classes, x_n of node n in class c(n):
 *
 *	minimise cost x
 *	a root r:			sum over r of x = 1
 *	n and a child u of it:		x_n <= sum over u of x
 *	n and a child u of it:		t_c(n) - t_u >= 1 - M (1 - x_n),	0 <= t <= M - 1
 *
 * with t real or whole; the paper's t in [0, 1] is this one over M.  Without the last rows (TN_LAZY) the
 * program has cyclic solutions.
 */
void mip_published(struct mip *, const struct tn_problem *, enum tn_cycles);
/*
 * The program of what the reductions left: with sums over the nodes n of
 * A that have child u,
 *
 *	sum x_n <= sum of u's nodes without child A
 *	t_A - t_u >= 1 - k (1 - sum x_n)	A and u in one strongly connected component, of k > 2 classes
 *
 * A node of u that needs A would close a circle; with k = 2 that is all there is.
 */
void mip_reduced(struct mip *, const struct prog *, const struct tn_problem *);
/* The solver's program.  Costs are divided by scale. */
struct lp *mip_lp(const struct mip *, double scale);
/* In the LP format of CPLEX; in MPS, whose lines are good in both the fixed and the free form. */
void mip_write_lp(const struct mip *, FILE *);
void mip_write_mps(const struct mip *, FILE *);
void mip_free(struct mip *);

#endif
