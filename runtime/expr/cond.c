/*
 * Conditions on extents: true, false or unknown.
 *
 * e >= 0 holds if every coefficient does once each atom is its least value plus something; if that
 * does not settle it, divisions are bounded by what they divide, k*div(e, k) in e - k + 1 … e; last,
 * by the extents known to be at least 0 because a given model has them.
 */
#include "base/num.h"
#include "expr/poly.h"

enum { TRIES = 32 };		/* ways to bound one expression */

/* ---- ranges ---------------------------------------------------------------------------------------- */

/* p with each atom x written as its least value plus x */
static bool
shift(struct dims *p, const struct poly *q, struct poly *out)
{
	struct poly t, u, factor;
	uint32_t i, j;

	out->n = 0;
	for (i = 0; i < q->n; i++) {
		struct mono m = p->mono.at[q->term[i].mono];

		t = (struct poly){.n = 1, .term[0] = {0, q->term[i].coef}};
		for (j = 0; j < m.n; j++) {
			factor.n = 0;
			poly_add_term(&factor, 0, p->atom.at[m.atom[j]].lo);
			poly_add_term(&factor, mono_intern(p, &m.atom[j], 1), 1);
			if (!poly_mul(p, &t, &factor, &u))
				return false;
			t = u;
		}
		if (!poly_add(out, &t, 1))
			return false;
	}
	return true;
}

/* the most a monomial of shifted atoms can be */
static int64_t
shifted_most(const struct dims *p, uint32_t mono)
{
	struct mono m = p->mono.at[mono];
	int64_t most = 1;
	uint32_t j;

	for (j = 0; j < m.n; j++)
		if (p->atom.at[m.atom[j]].hi == p->atom.at[m.atom[j]].lo)
			return 0;
	for (j = 0; j < m.n; j++) {
		struct atom a = p->atom.at[m.atom[j]];

		if (a.hi == NO_BOUND || !coef_mul(most, a.hi - a.lo, &most))
			return NO_BOUND;
	}
	return most;
}

/* add coef * most onto a bound, which may be lost (`none`) */
static void
widen(int64_t *bound, int64_t none, int64_t coef, int64_t most)
{
	int64_t t;

	if (*bound != none && (most == NO_BOUND || !coef_mul(coef, most, &t) || !coef_add(*bound, t, bound)))
		*bound = none;
}

/* Bounds of q: *lo may be -NO_BOUND, *hi NO_BOUND. */
void
poly_range(struct dims *p, const struct poly *q, int64_t *lo, int64_t *hi)
{
	struct poly s;
	uint32_t i;

	*lo = -NO_BOUND;
	*hi = NO_BOUND;
	if (!shift(p, q, &s))
		return;
	*lo = *hi = poly_constant(&s);
	for (i = 0; i < s.n; i++) {
		if (s.term[i].mono == 0)
			continue;
		if (s.term[i].coef < 0)
			widen(lo, -NO_BOUND, s.term[i].coef, shifted_most(p, s.term[i].mono));
		else
			widen(hi, NO_BOUND, s.term[i].coef, shifted_most(p, s.term[i].mono));
	}
}

/* ---- at least 0 --------------------------------------------------------------------------------------- */

/* the highest-numbered division below `below` in q, or -1 */
static int64_t
highest_div(const struct dims *p, const struct poly *q, int64_t below)
{
	int64_t best = -1;
	uint32_t i, j;

	for (i = 0; i < q->n; i++) {
		struct mono m = p->mono.at[q->term[i].mono];

		for (j = 0; j < m.n; j++)
			if (p->atom.at[m.atom[j]].sym < 0 && m.atom[j] > best && m.atom[j] < below)
				best = m.atom[j];
	}
	return best;
}

/*
 * A lower bound of k*q + k - 1 without atom = div(e, k): for c > 0 c*k*div(e, k) >= c*e - c*(k - 1),
 * for c < 0 it is >= c*e.  As q is whole, q >= 0 if k*q + k - 1 >= 0.
 */
static bool
without_div(struct dims *p, const struct poly *q, uint32_t atom, struct poly *out)
{
	struct atom a = p->atom.at[atom];
	uint32_t one = mono_intern(p, &atom, 1), i, rest, again;
	struct poly e;
	int64_t c;

	poly_load(p, a.e, &e);
	out->n = 0;
	if (!poly_add_term(out, 0, a.k - 1))
		return false;
	for (i = 0; i < q->n; i++) {
		struct term t = q->term[i];

		if (!mono_quotient(p, t.mono, one, &rest)) {
			if (!coef_mul(t.coef, a.k, &c) || !poly_add_term(out, t.mono, c))
				return false;
			continue;
		}
		if (mono_quotient(p, rest, one, &again) || !poly_mul_term(p, &e, (struct term){rest, t.coef}, out))
			return false;
		if (t.coef > 0 && (!coef_mul(-t.coef, a.k - 1, &c) || !poly_add_term(out, rest, c)))
			return false;
	}
	return true;
}

/* Is q at least 0 everywhere?  Tries subsets of its divisions, those below `below`. */
static bool
is_nonneg(struct dims *p, const struct poly *q, int64_t below, int *tries)
{
	struct poly r;
	int64_t lo, hi, div = below;

	if (--*tries < 0)
		return false;
	poly_range(p, q, &lo, &hi);
	if (lo >= 0)
		return true;
	while ((div = highest_div(p, q, div)) >= 0)
		if (without_div(p, q, (uint32_t)div, &r) && is_nonneg(p, &r, div, tries))
			return true;
	return false;
}

static bool
holds_nonneg(struct dims *p, const struct poly *q)
{
	struct poly f, r;
	int tries = TRIES;
	uint32_t i;

	if (is_nonneg(p, q, p->atom.n, &tries))
		return true;
	for (i = 0; i < p->fact.n; i++) {
		r = *q;
		tries = TRIES;
		if (poly_load(p, p->fact.at[i], &f) && poly_add(&r, &f, -1) && is_nonneg(p, &r, p->atom.n, &tries))
			return true;
	}
	return false;
}

/* is q < 0 everywhere, that is -q - 1 >= 0 */
static bool
holds_negative(struct dims *p, const struct poly *q)
{
	struct poly r = {0};

	return poly_add_term(&r, 0, -1) && poly_add(&r, q, -1) && holds_nonneg(p, &r);
}

void
dims_assume(struct dims *p, tn_dim d)
{
	if (dims_is_symbolic(d) && dims_le(p, 0, d) != TN_TRUE)
		vec_push(&p->fact, d);
}

uint32_t
dims_nfact(const struct dims *p)
{
	return p->fact.n;
}

/* ---- conditions ------------------------------------------------------------------------------------------ */

/* b - a */
static bool
difference(struct dims *p, tn_dim a, tn_dim b, struct poly *out)
{
	struct poly x;

	return poly_load(p, b, out) && poly_load(p, a, &x) && poly_add(out, &x, -1);
}

enum tn_tri
dims_le(struct dims *p, tn_dim a, tn_dim b)
{
	struct poly q;

	if (tn_dim_is_num(a) && tn_dim_is_num(b))
		return a <= b ? TN_TRUE : TN_FALSE;
	if (!difference(p, a, b, &q))
		return TN_UNKNOWN;
	return holds_nonneg(p, &q) ? TN_TRUE : holds_negative(p, &q) ? TN_FALSE : TN_UNKNOWN;
}

enum tn_tri
dims_lt(struct dims *p, tn_dim a, tn_dim b)
{
	enum tn_tri le = dims_le(p, b, a);

	return le == TN_UNKNOWN ? TN_UNKNOWN : le == TN_TRUE ? TN_FALSE : TN_TRUE;
}

enum tn_tri
dims_eq(struct dims *p, tn_dim a, tn_dim b)
{
	struct poly q, r;
	int64_t g = 0;
	uint32_t i;

	if (tn_dim_is_num(a) && tn_dim_is_num(b))
		return a == b ? TN_TRUE : TN_FALSE;
	if (!difference(p, a, b, &q))
		return TN_UNKNOWN;
	if (q.n == 0)
		return TN_TRUE;
	for (i = 0; i < q.n; i++)
		if (q.term[i].mono != 0)
			g = num_gcd(g, q.term[i].coef);
	if (g == 0 || poly_constant(&q) % g != 0)
		return TN_FALSE;
	r = q;
	if (holds_negative(p, &q) || (poly_add_term(&r, 0, -1) && holds_nonneg(p, &r)))
		return TN_FALSE;
	r.n = 0;	/* two normal forms of one function, as h - div(h, 2) and div(h + 1, 2) */
	return holds_nonneg(p, &q) && poly_add(&r, &q, -1) && holds_nonneg(p, &r) ? TN_TRUE : TN_UNKNOWN;
}

tn_dim
dims_max(struct dims *p, tn_dim a, tn_dim b)
{
	enum tn_tri le = dims_le(p, a, b);

	if (le == TN_UNKNOWN && dims_le(p, b, a) == TN_TRUE)
		return a;
	return le == TN_TRUE ? b : le == TN_FALSE ? a : TN_DIM_BAD;
}

tn_dim
dims_min(struct dims *p, tn_dim a, tn_dim b)
{
	enum tn_tri le = dims_le(p, a, b);

	if (le == TN_UNKNOWN && dims_le(p, b, a) == TN_TRUE)
		return b;
	return le == TN_TRUE ? a : le == TN_FALSE ? b : TN_DIM_BAD;
}
