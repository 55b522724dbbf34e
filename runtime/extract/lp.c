/*
 * lp_solve behind lp.h.
 *
 * Measured on e-graphs: its defaults for branching, scaling and pricing are within noise of
 * the best; steepest-edge pricing is ten times slower.  Row presolve is left off: what it would find
 * is taken out before.
 */
#include <lpsolve/lp_lib.h>

#include "base/clock.h"
#include "base/mem.h"
#include "extract/lp.h"

struct lp {
	lprec *p;
	int ncol;
	REAL *coef;	/* lp_solve turns signs in the caller's array: it gets this copy */
	int *col;
	bool *is_real;	/* column: never a whole number by force */
	bool is_open;	/* rows are still kept by row: the first ones, before a solve */
	double deadline_s;
	const volatile int *interrupted;
};

struct lp *
lp_new(int ncol)
{
	struct lp *lp = mem_alloc(sizeof *lp);
	int i;

	lp->p = make_lp(0, ncol);
	if (!lp->p)
		mem_oom((size_t)ncol);
	lp->ncol = ncol;
	lp->coef = mem_alloc(((size_t)ncol + 1) * sizeof *lp->coef);
	lp->col = mem_alloc(((size_t)ncol + 1) * sizeof *lp->col);
	lp->is_real = mem_alloc((size_t)ncol);
	set_verbose(lp->p, NEUTRAL);
	set_minim(lp->p);
	for (i = 1; i <= ncol; i++)
		set_bounds(lp->p, i, 0, 1);
	return lp;
}

void
lp_free(struct lp *lp)
{
	delete_lp(lp->p);
	mem_free(lp->coef);
	mem_free(lp->col);
	mem_free(lp->is_real);
	mem_free(lp);
}

void
lp_cost(struct lp *lp, int col, double cost)
{
	set_obj(lp->p, col + 1, cost);
}

void
lp_row(struct lp *lp, int n, const int col[], const double coef[], enum lp_sense sense, double right)
{
	static const int type[] = {[LP_LE] = LE, [LP_GE] = GE, [LP_EQ] = EQ};
	int i;

	for (i = 0; i < n; i++) {
		lp->col[i] = col[i] + 1;
		lp->coef[i] = coef[i];
	}
	if (!lp->is_open && get_Nrows(lp->p) == 0)
		lp->is_open = set_add_rowmode(lp->p, TRUE);
	add_constraintex(lp->p, n, lp->coef, lp->col, type[sense], right);
}

/* by row is the quick way to add many, by column the only way to solve; lp_solve goes back but once */
static void
settle(struct lp *lp)
{
	if (lp->is_open)
		set_add_rowmode(lp->p, FALSE);
	lp->is_open = false;
}

void
lp_range(struct lp *lp, int col, double upper, bool is_whole)
{
	settle(lp);
	set_upbo(lp->p, col + 1, upper);
	lp->is_real[col] = !is_whole;
}

void
lp_fix_zero(struct lp *lp, int col)
{
	settle(lp);
	set_upbo(lp->p, col + 1, 0);
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
	int nrow = get_Nrows(lp->p), total = nrow + lp->ncol, i, basic = 1, other = nrow + 1;
	int *list = mem_alloc(((size_t)total + 1) * sizeof *list);
	bool done;

	settle(lp);
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
