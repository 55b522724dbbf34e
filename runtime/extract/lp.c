/*
 * lp_solve behind lp.h.
 *
 * Measured on e-graphs: its defaults for branching, scaling and pricing are within noise of
 * the best; steepest-edge pricing is ten times slower.  Row presolve is left off: what it would find
 * is taken out before.
 */
#include <lpsolve/lp_lib.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/vec.h"
#include "extract/lp.h"

struct row {
	int type, from, n;	/* terms */
	double right;
};

struct lp {
	lprec *p;		/* NULL: not made yet */
	int ncol;
	REAL *coef;		/* lp_solve turns signs in the caller's array: it gets this copy */
	int *col;
	bool *is_real;		/* column: never a whole number by force */
	/* before it is made */
	double *cost, *upper;
	VEC(struct row) row;
	VEC(int) term_col;
	VEC(double) term_coef;
	double deadline_s;
	const volatile int *interrupted;
};

struct lp *
lp_new(int ncol)
{
	struct lp *lp = mem_alloc(sizeof *lp);
	int i;

	lp->ncol = ncol;
	lp->coef = mem_alloc(((size_t)ncol + 1) * sizeof *lp->coef);
	lp->col = mem_alloc(((size_t)ncol + 1) * sizeof *lp->col);
	lp->is_real = mem_alloc((size_t)ncol);
	lp->cost = mem_alloc((size_t)ncol * sizeof *lp->cost);
	lp->upper = mem_alloc((size_t)ncol * sizeof *lp->upper);
	for (i = 0; i < ncol; i++)
		lp->upper[i] = 1;
	return lp;
}

/* what only serves until the solver has it */
static void
free_first(struct lp *lp)
{
	mem_free(lp->cost);
	mem_free(lp->upper);
	lp->cost = lp->upper = NULL;
	vec_free(&lp->row);
	vec_free(&lp->term_col);
	vec_free(&lp->term_coef);
}

void
lp_free(struct lp *lp)
{
	if (lp->p)
		delete_lp(lp->p);
	free_first(lp);
	mem_free(lp->coef);
	mem_free(lp->col);
	mem_free(lp->is_real);
	mem_free(lp);
}

void
lp_cost(struct lp *lp, int col, double cost)
{
	lp->cost[col] = cost;
}

void
lp_row(struct lp *lp, int n, const int col[], const double coef[], enum lp_sense sense, double right)
{
	static const int type[] = {[LP_LE] = LE, [LP_GE] = GE, [LP_EQ] = EQ};
	int i;

	if (!lp->p) {
		vec_push(&lp->row, ((struct row){type[sense], (int)lp->term_col.n, n, right}));
		for (i = 0; i < n; i++) {
			vec_push(&lp->term_col, col[i]);
			vec_push(&lp->term_coef, coef[i]);
		}
		return;
	}
	for (i = 0; i < n; i++) {
		lp->col[i] = col[i] + 1;
		lp->coef[i] = coef[i];
	}
	add_constraintex(lp->p, n, lp->coef, lp->col, type[sense], right);
}

/* the terms of the first rows by column, then the columns with their costs, one by one */
static void
add_columns(struct lp *lp)
{
	int *at = mem_alloc(((size_t)lp->ncol + 2) * sizeof *at), *row = mem_alloc((lp->term_col.n + 1) * sizeof *row), i, k, n, to;
	double *coef = mem_alloc((lp->term_col.n + 1) * sizeof *coef);
	REAL *one_coef = mem_alloc(((size_t)lp->row.n + 1) * sizeof *one_coef);
	int *one_row = mem_alloc(((size_t)lp->row.n + 1) * sizeof *one_row);

	for (i = 0; i < (int)lp->term_col.n; i++)
		at[lp->term_col.at[i] + 2]++;
	for (i = 2; i < lp->ncol + 2; i++)
		at[i] += at[i - 1];
	for (i = 0; i < (int)lp->row.n; i++)
		for (k = lp->row.at[i].from; k < lp->row.at[i].from + lp->row.at[i].n; k++) {
			to = at[lp->term_col.at[k] + 1]++;
			row[to] = i + 1;
			coef[to] = lp->term_coef.at[k];
		}
	for (i = 0; i < lp->ncol; i++) {
		one_row[0] = 0;
		one_coef[0] = lp->cost[i];
		for (n = 1, k = at[i]; k < at[i + 1]; k++, n++) {
			one_row[n] = row[k];
			one_coef[n] = coef[k];
		}
		add_columnex(lp->p, n, one_coef, one_row);
		set_upbo(lp->p, i + 1, lp->upper[i]);
	}
	mem_free(at);
	mem_free(row);
	mem_free(coef);
	mem_free(one_coef);
	mem_free(one_row);
}

/*
 * The solver would factorise its basis anew when pivots have become slow by the clock, and where it goes from there
 * depends on that.  The flag that says so has no other use, and is never set.
 */
static void __WINAPI
set_untimed_action(int *action, int mask)
{
	set_action(action, mask & ~ACTION_TIMEDREINVERT);
}

/*
 * It moves bounds by random numbers where it is stuck.  The first one asked for seeds rand() with the time of day; after
 * that the seed is ours, the same for each solve.
 */
static void
fix_seed(struct lp *lp)
{
	rand_uniform(lp->p, 1);
	srand(1);
}

/*
 * Make the solver's program of the columns and the rows so far.  It takes time in proportion to the columns to
 * add a row, but not to the rows to add a column.
 */
static void
settle(struct lp *lp)
{
	int i;

	if (lp->p)
		return;
	lp->p = make_lp((int)lp->row.n, 0);
	if (!lp->p)
		mem_oom((size_t)lp->ncol);
	set_verbose(lp->p, NEUTRAL);
	lp->p->set_action = set_untimed_action;
	set_minim(lp->p);
	resize_lp(lp->p, (int)lp->row.n, lp->ncol);
	for (i = 0; i < (int)lp->row.n; i++) {
		set_constr_type(lp->p, i + 1, lp->row.at[i].type);
		set_rh(lp->p, i + 1, lp->row.at[i].right);
	}
	add_columns(lp);
	free_first(lp);
}

void
lp_range(struct lp *lp, int col, double upper, bool is_whole)
{
	if (lp->p)
		set_upbo(lp->p, col + 1, upper);
	else
		lp->upper[col] = upper;
	lp->is_real[col] = !is_whole;
}

void
lp_fix_zero(struct lp *lp, int col)
{
	if (lp->p)
		set_upbo(lp->p, col + 1, 0);
	else
		lp->upper[col] = 0;
}

static int __WINAPI
should_stop(lprec *p, void *arg)
{
	const struct lp *lp = arg;

	(void)p;
	return (lp->interrupted && *lp->interrupted) || (lp->deadline_s > 0 && clock_now() >= lp->deadline_s);
}

/* lp_solve's own limit counts whole seconds; ours is asked as well */
static void
set_limits(struct lp *lp, double deadline_s, const volatile int *interrupted)
{
	double left = deadline_s > 0 ? deadline_s - clock_now() : 0;

	lp->deadline_s = deadline_s;
	lp->interrupted = interrupted;
	fix_seed(lp);
	put_abortfunc(lp->p, should_stop, lp);
	set_timeout(lp->p, deadline_s <= 0 || left > 1e8 ? 0 : left < 1 ? 1 : (long)left + 1);
}

static enum lp_status
status_of(int rc)
{
	switch (rc) {
	case OPTIMAL:
	case PRESOLVED:
		return LP_OPTIMAL;
	case SUBOPTIMAL:
		return LP_FEASIBLE;
	case INFEASIBLE:
		return LP_INFEASIBLE;
	case TIMEOUT:
	case USERABORT:
		return LP_LIMIT;
	default:
		return LP_FAILED;
	}
}

enum lp_status
lp_solve(struct lp *lp, bool is_relaxed, double time_s, const volatile int *interrupted, double x[], double *value)
{
	enum lp_status status;
	int i;

	settle(lp);
	for (i = 1; i <= lp->ncol; i++)
		set_int(lp->p, i, !is_relaxed && !lp->is_real[i - 1]);
	default_basis(lp->p);
	set_limits(lp, clock_now() + time_s, interrupted);
	set_mip_gap(lp->p, TRUE, 1e-11);
	set_mip_gap(lp->p, FALSE, 0);
	status = status_of(solve(lp->p));
	if (status == LP_OPTIMAL || status == LP_FEASIBLE) {
		*value = get_objective(lp->p);
		get_variables(lp->p, x);
	}
	return status;
}

/*
 * The multipliers are made when they are asked for.  PRESOLVE_SENSDUALS, which the manual wants set for them, would
 * compute the ranges of all of them too: that took nine tenths of the time.
 */
enum lp_status
lp_relax(struct lp *lp, double deadline_s, const volatile int *interrupted, double x[], double dual[])
{
	enum lp_status status;
	REAL *y;
	int i;

	settle(lp);
	set_limits(lp, deadline_s, interrupted);
	status = status_of(solve(lp->p));
	if (status == LP_FAILED) {	/* once more, from the start */
		default_basis(lp->p);
		status = status_of(solve(lp->p));
	}
	if (status == LP_FEASIBLE)
		status = LP_LIMIT;
	if (status == LP_OPTIMAL)
		get_variables(lp->p, x);
	if (status != LP_OPTIMAL && status != LP_LIMIT)
		return status;
	if (!get_ptr_dual_solution(lp->p, &y))
		return status == LP_LIMIT ? LP_LIMIT : LP_FAILED;
	for (i = 1; i <= get_Nrows(lp->p); i++)
		dual[i - 1] = y[i];
	return status;
}

/* lp_solve's list: first the basic ones, then the others; negative: at the lower limit; rows before columns */
void
lp_basis(const struct lp *lp, uint8_t row[], uint8_t col[])
{
	int nrow = get_Nrows(lp->p), i, k;
	int *list = mem_alloc(((size_t)nrow + (size_t)lp->ncol + 1) * sizeof *list);

	get_basis(lp->p, list, TRUE);
	for (i = 1; i <= nrow + lp->ncol; i++) {
		uint8_t place = i <= nrow ? LP_BASIC : list[i] < 0 ? LP_LOWER : LP_UPPER;

		k = list[i] < 0 ? -list[i] : list[i];
		if (k >= 1 && k <= nrow)
			row[k - 1] = place;
		else if (k > nrow && k <= nrow + lp->ncol)
			col[k - nrow - 1] = place;
	}
	mem_free(list);
}

bool
lp_start(struct lp *lp, const uint8_t row[], const uint8_t col[])
{
	int nrow, total, i, basic = 1, other, *list;
	bool done;

	settle(lp);
	nrow = get_Nrows(lp->p);
	total = nrow + lp->ncol;
	other = nrow + 1;
	list = mem_alloc(((size_t)total + 1) * sizeof *list);
	for (i = 1; i <= total; i++) {
		uint8_t place = i <= nrow ? row[i - 1] : col[i - nrow - 1];

		if (place == LP_BASIC && basic <= nrow)
			list[basic++] = -i;
		else if (place != LP_BASIC && other <= total)
			list[other++] = place == LP_LOWER ? -i : i;
	}
	done = basic == nrow + 1 && other == total + 1 && set_basis(lp->p, list, TRUE);
	mem_free(list);
	return done;
}
