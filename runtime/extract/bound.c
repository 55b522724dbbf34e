/*
 * A bound that does not trust the solver, and what follows from it.
 *
 * For any multipliers Y of the right signs (Y <= 0 for "at most" rows) and every choice x that satisfies the rows,
 *
 *	cost x  >=  Y b + (cost - Y A) x
 *
 * A choice has one node of a class or none, of a root exactly one, so with d = cost - Y A
 *
 *	cost x  >=  L = Y b + sum over roots c: min d_j, j in c + sum over other classes c: min(0, min d_j)
 *
 * which is at least the usual bound with min(0, d_j) for every column.  The solver's multipliers are
 * rounded to multiples of 2^-shift, signs that are wrong by a rounding set to 0; from there on all is in whole
 * numbers, exact, and L is rounded up since costs are whole.  Bad multipliers give a low bound, not a wrong one.
 *
 * A choice with node j of class c has d_j in place of c's share, and one node at least of every class that j
 * needs: where the sum exceeds what is asked for, j goes out.  A choice without class c has 0 in place of c's
 * share: where that exceeds what is asked for, c is forced.
 */
#include "extract/relax.h"

#include <math.h>

#include "base/mem.h"

__extension__ typedef __int128 wide;

enum { SHIFT_MOST = 40, MULTIPLIER_BITS = 60 };	/* rows and terms are fewer than 2^26: sums stay below 2^127 */

/* 2^-shift is the unit: fine, and the largest multiplier still fits */
static int
find_shift(const struct relax *r)
{
	double most = 1;
	uint32_t i;
	int exponent;

	for (i = 0; i < r->row.n; i++)
		if (fabs(r->dual.at[i]) / r->scale > most)
			most = fabs(r->dual.at[i]) / r->scale;
	frexp(most, &exponent);
	if (exponent > MULTIPLIER_BITS)
		return 0;
	return MULTIPLIER_BITS - exponent < SHIFT_MOST ? MULTIPLIER_BITS - exponent : SHIFT_MOST;
}

static int64_t
multiplier(const struct relax *r, uint32_t row, int shift)
{
	double y = ldexp(r->dual.at[row] / r->scale, shift), most = ldexp(1, MULTIPLIER_BITS + 1);

	if (isnan(y) || (y > 0 && !r->row.at[row].is_equal))
		return 0;
	return llround(fmax(-most, fmin(most, y)));
}

/* d for every column; Y b */
static wide
price(const struct relax *r, int shift, wide d[])
{
	wide sum = 0;
	uint32_t c, n, i, k;

	for (c = 0; c < r->p->nclass; c++)
		for (n = 0; n < r->p->class[c].nnode; n++)
			d[r->first[c] + n] = (wide)r->p->class[c].node[n].cost << shift;
	for (i = 0; i < r->row.n; i++) {
		const struct relax_row *row = &r->row.at[i];
		int64_t y = multiplier(r, i, shift);

		if (y == 0)
			continue;
		sum += (wide)y * row->right;
		for (k = row->from; k < row->from + row->n; k++)
			d[term_col(r->term.at[k])] -= r->term.at[k] < 0 ? -(wide)y : y;
	}
	return sum;
}

/* the least d of each class; false: a root has no column left */
static bool
find_least(const struct relax *r, const wide d[], wide least[])
{
	uint32_t c, col;

	for (c = 0; c < r->p->nclass; c++) {
		bool any = false;

		least[c] = 0;
		for (col = r->first[c]; col < r->first[c + 1]; col++)
			if (!r->is_out[col] && (!any || d[col] < least[c])) {
				least[c] = d[col];
				any = true;
			}
		if (!any && r->p->class[c].is_root)
			return false;
	}
	return true;
}

/* what the class adds to the bound */
static wide
share(const struct relax *r, const wide least[], uint32_t c)
{
	return r->p->class[c].is_root || least[c] < 0 ? least[c] : 0;
}

/* what the classes that the column needs add to the bound when they are there; nothing, if it is late */
static wide
needed_extra(struct relax *r, uint32_t col, const wide least[])
{
	const uint64_t *need;
	wide sum = 0;
	uint32_t w, c;
	uint64_t bits;

	if (watch_late(&r->watch, r->must.words))
		return 0;
	need = relax_need(r, col);
	for (w = 0; w < r->must.words; w++)
		for (bits = need[w]; bits; bits &= bits - 1) {
			c = w * 64 + (uint32_t)__builtin_ctzll(bits);
			if (c != r->class[col] && !r->p->class[c].is_root && least[c] > 0)
				sum += least[c];
		}
	return sum;
}

static uint32_t
fix(struct relax *r, wide bound, wide most, const wide d[], const wide least[])
{
	uint32_t col, c, nout = 0;

	for (col = 0; col < r->ncol; col++) {
		wide with = bound - share(r, least, r->class[col]) + d[col];

		if (r->is_out[col] || (with <= most && with + needed_extra(r, col, least) <= most))
			continue;
		relax_out(r, col);
		nout++;
	}
	for (c = 0; c < r->p->nclass; c++)
		if (!r->p->class[c].is_root && !r->is_forced[c] && bound - share(r, least, c) > most) {
			r->is_forced[c] = true;
			nout++;
		}
	return nout;
}

/* the least whole number that is not below sum / 2^shift, within what costs can be */
static int64_t
round_up(wide sum, int shift)
{
	wide up = (sum + (((wide)1 << shift) - 1)) >> shift;

	return up < 0 ? 0 : up > COST_MAX ? COST_MAX : (int64_t)up;
}

int64_t
relax_bound(struct relax *r, int64_t upper, uint32_t *nout)
{
	wide *d = mem_alloc(((size_t)r->ncol + 1) * sizeof *d), *least = mem_alloc(((size_t)r->p->nclass + 1) * sizeof *least);
	int shift = find_shift(r);
	wide sum = price(r, shift, d);
	int64_t bound = upper;
	uint32_t c;

	*nout = 0;
	if (find_least(r, d, least)) {
		for (c = 0; c < r->p->nclass; c++)
			sum += share(r, least, c);
		bound = round_up(sum, shift);
		if (bound < upper)
			*nout = fix(r, sum, (wide)(upper - 1) << shift, d, least);
	}
	mem_free(d);
	mem_free(least);
	return bound < upper ? bound : upper;
}
