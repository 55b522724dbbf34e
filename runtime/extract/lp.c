/*
 * lp_solve behind lp.h.
 *
 * Measured on e-graphs: its defaults for branching, scaling and pricing are within noise of
 * the best; steepest-edge pricing is ten times slower.  Row presolve is left off: what it would find
 * is taken out before.
 */
#include <lpsolve/lp_lib.h>

#include "base/mem.h"
#include "extract/lp.h"

struct lp {
	lprec *p;
	int ncol;
	REAL *coef;	/* lp_solve turns signs in the caller's array: it gets this copy */
	int *col;
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
	add_constraintex(lp->p, n, lp->coef, lp->col, type[sense], right);
}

struct stop {
	const volatile int *interrupted;
};

static int __WINAPI
should_stop(lprec *p, void *arg)
{
	const struct stop *s = arg;

	(void)p;
	return s->interrupted && *s->interrupted;
}

enum lp_status
lp_solve(struct lp *lp, bool is_relaxed, double time_s, const volatile int *interrupted, double x[], double *value)
{
	struct stop stop = {interrupted};
	int i, rc;

	for (i = 1; i <= lp->ncol; i++)
		set_int(lp->p, i, !is_relaxed);
	default_basis(lp->p);
	put_abortfunc(lp->p, should_stop, &stop);
	set_timeout(lp->p, time_s >= 1 ? (long)time_s : 1);
	set_mip_gap(lp->p, TRUE, 1e-11);
	set_mip_gap(lp->p, FALSE, 0);
	rc = solve(lp->p);
	switch (rc) {
	case OPTIMAL:
	case PRESOLVED:
	case SUBOPTIMAL:
		*value = get_objective(lp->p);
		get_variables(lp->p, x);
		return rc == SUBOPTIMAL ? LP_FEASIBLE : LP_OPTIMAL;
	case INFEASIBLE:
		return LP_INFEASIBLE;
	case TIMEOUT:
	case USERABORT:
		return LP_LIMIT;
	default:
		return LP_FAILED;
	}
}
