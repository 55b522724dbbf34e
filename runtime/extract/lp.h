/*
 * A 0-1 program and the solver behind it: the only door to lp_solve.
 *
 * Columns are between 0 and 1 unless said otherwise, rows are sums of columns against a right side.  An engine other than
 * lp_solve would stand behind the same calls.
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

/* Costs are given before the first solve; rows before it come cheaper than rows after it. */
struct lp *lp_new(int ncol);
void lp_free(struct lp *);
void lp_cost(struct lp *, int col, double);
void lp_row(struct lp *, int n, const int col[], const double coef[], enum lp_sense, double right);
/* Between 0 and upper, whole numbers or not; otherwise a column is 0-1. */
void lp_range(struct lp *, int col, double upper, bool is_whole);
void lp_fix_zero(struct lp *, int col);
/*
 * Minimise.  With is_relaxed columns may be fractions.  Costs are whole numbers: values closer than a half are equal.
 * x[ncol] and *value are set for OPTIMAL and FEASIBLE.
 */
enum lp_status lp_solve(struct lp *, bool is_relaxed, double time_s, const volatile int *interrupted,
    double x[], double *value);
/*
 * Minimise with columns as fractions, from where the last call ended; rows added and columns fixed since then are
 * taken in.  For OPTIMAL x[ncol] and the rows' multipliers dual[] are set, as the solver has them: to its tolerances.
 * For LIMIT dual[] is what it had by then.
 */
enum lp_status lp_relax(struct lp *, double deadline_s, const volatile int *interrupted, double x[], double dual[]);

/*
 * Where the last lp_relax ended, to start a like program there: per row and per column, is it basic, and if
 * not, is it at its upper limit?
 */
enum lp_place { LP_LOWER, LP_UPPER, LP_BASIC };
void lp_basis(const struct lp *, uint8_t row[], uint8_t col[]);
/* False: as many must be basic as there are rows. */
bool lp_start(struct lp *, const uint8_t row[], const uint8_t col[]);

#endif
