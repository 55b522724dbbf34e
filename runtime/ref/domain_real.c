/* Doubles: what the reference executor computes in. */
#include <math.h>
#include <stdio.h>

#include "ref/domain.h"
#include "tenon/eval.h"

static union elem
of(double v)
{
	return (union elem){.real = v};
}

static union elem
real_fn(struct domain_run *run, enum tn_fn fn, union elem a, union elem b)
{
	double x = a.real, y = b.real;

	(void)run;
	switch (fn) {
	case TN_F_ADD: return of(x + y);
	case TN_F_SUB: return of(x - y);
	case TN_F_MUL: return of(x * y);
	case TN_F_FLOORDIV: return of(tn_real_div(x, y));
	case TN_F_MOD: return of(tn_real_mod(x, y));
	case TN_F_CEILDIV: return of(tn_real_ceildiv(x, y));
	case TN_F_MAX: return of(tn_real_max(x, y));
	case TN_F_MIN: return of(tn_real_min(x, y));
	case TN_F_NEG: return of(-x);
	case TN_F_ABS: return of(fabs(x));
	case TN_F_POW: return of(pow(x, y));
	case TN_F_EXP: return of(exp(x));
	case TN_F_LOG: return of(log(x));
	case TN_F_SQRT: return of(sqrt(x));
	case TN_F_ERF: return of(erf(x));
	case TN_F_TANH: return of(tanh(x));
	case TN_F_SIGMOID: return of(tn_real_sigmoid(x));
	default: return of(x / y);
	}
}

static union elem
real_number(struct domain_run *run, struct tn_number n)
{
	(void)run;
	return of(tn_number_double(n));
}

/* 2: unordered, which is neither less, equal nor more */
static int
real_order(union elem a, union elem b)
{
	return isnan(a.real) || isnan(b.real) ? 2 : (a.real > b.real) - (a.real < b.real);
}

static bool
real_equal(union elem a, union elem b)
{
	return a.real == b.real || (isnan(a.real) && isnan(b.real));
}

static union elem
real_draw(struct domain_run *run, unsigned way)
{
	double v = rng_normal(&run->rng);

	switch (way % 8) {
	case 1: return of(-fabs(v));
	case 2: return of(fabs(v));
	case 3: return of(8 * v);
	case 4: return of(30 * v);
	case 5: return of(1e-3 * v);
	case 6: return of(200 * v);
	case 7: return of(1e-6 * v);
	default: return of(v);
	}
}

bool
domain_is_far(unsigned way)
{
	return way % 8 == 3 || way % 8 == 4 || way % 8 == 6;
}

static int64_t
real_index(union elem a)
{
	return tn_real_index(a.real);
}

static size_t
real_print(union elem a, char *out, size_t size)
{
	return (size_t)snprintf(out, size, "%.9g", isnan(a.real) ? fabs(a.real) : a.real);
}

const struct domain domain_real = {"doubles", real_fn, domain_each, real_number, real_order, real_equal, real_draw,
    real_index, real_print};
