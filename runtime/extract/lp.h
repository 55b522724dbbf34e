/*
 * A 0-1 program and the solver behind it: the only door to lp_solve.
 *
 * Columns are binary, rows are sums of columns against a right side.  An engine other than lp_solve
 * would stand behind the same calls.
 */
#ifndef EXTRACT_LP_H
#define EXTRACT_LP_H

#include <stdbool.h>
#include <stdint.h>

struct lp;

enum lp_sense { LP_LE, LP_GE, LP_EQ };
enum lp_status {
	LP_OPTIMAL,	/* x is the best */
	LP_INFEASIBLE,
	LP_FEASIBLE,	/* the limit came first; x is the best so far */
	LP_LIMIT,	/* the limit came first and there is no x */
	LP_FAILED,	/* the solver gave up: numerical trouble */
};

struct lp *lp_new(int ncol);
void lp_free(struct lp *);
void lp_cost(struct lp *, int col, double);
void lp_row(struct lp *, int n, const int col[], const double coef[], enum lp_sense, double right);
/*
 * Minimise.  With is_relaxed columns may be fractions.  Costs are whole numbers: values closer than a half are equal.
 * x[ncol] and *value are set for OPTIMAL and FEASIBLE.
 */
enum lp_status lp_solve(struct lp *, bool is_relaxed, double time_s, const volatile int *interrupted,
    double x[], double *value);

#endif
