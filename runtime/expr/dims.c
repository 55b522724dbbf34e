/* Extents: symbols, arithmetic, division, evaluation and substitution.  Numbers go the short way. */
#include <stdio.h>
#include <string.h>

#include "base/num.h"
#include "expr/poly.h"

struct dims *
dims_new(void)
{
	struct dims *p = mem_alloc(sizeof *p);

	mono_intern(p, NULL, 0);
	return p;
}

void
dims_free(struct dims *p)
{
	if (!p)
		return;
	map_free(&p->mono_map);
	map_free(&p->atom_map);
	map_free(&p->poly_map);
	map_free(&p->sym_map);
	vec_free(&p->mono);
	vec_free(&p->atom);
	vec_free(&p->poly);
	vec_free(&p->sym);
	vec_free(&p->fact);
	arena_free(&p->arena);
	mem_free(p);
}

/* ---- symbols -------------------------------------------------------------------------------------- */

static tn_dim
atom_dim(struct dims *p, uint32_t atom)
{
	struct poly q = {0};

	poly_add_term(&q, mono_intern(p, &atom, 1), 1);
	return poly_intern(p, &q);
}

static tn_dim
symbol_dim(struct dims *p, uint32_t sym)
{
	return atom_dim(p, p->sym.at[sym].atom);
}

static uint32_t
add_symbol(struct dims *p, const char *name)
{
	struct atom a = {.sym = (int32_t)p->sym.n, .size = 1, .lo = 1, .hi = NO_BOUND};
	struct symbol s = {name, p->atom.n};
	const int64_t key[2] = {-1, a.sym};

	map_put(&p->atom_map, key, sizeof key, p->atom.n, NULL);
	vec_push(&p->atom, a);
	vec_push(&p->sym, s);
	return p->sym.n - 1;
}

tn_dim
dims_sym(struct dims *p, const char *name)
{
	bool is_new;
	uint32_t *at = map_put(&p->sym_map, name, strlen(name), p->sym.n, &is_new);

	return symbol_dim(p, is_new ? add_symbol(p, arena_str(&p->arena, name, strlen(name))) : *at);
}

int
dims_nsym(const struct dims *p)
{
	return (int)p->sym.n;
}

const char *
dims_symname(const struct dims *p, int i)
{
	return p->sym.at[i].name;
}

/* the atom that the extent is by itself; NULL: it is none */
static const struct atom *
find_atom(const struct dims *p, tn_dim d)
{
	struct poly_ref r;
	struct mono m;

	if (!dims_is_symbolic(d))
		return NULL;
	r = dims_ref(p, d);
	m = p->mono.at[r.term[0].mono];
	return r.n == 1 && r.term[0].coef == 1 && m.n == 1 ? &p->atom.at[m.atom[0]] : NULL;
}

int
dims_symbol(const struct dims *p, tn_dim d)
{
	const struct atom *a = find_atom(p, d);

	return a ? a->sym : -1;
}

/* ---- parts -------------------------------------------------------------------------------------------- */

bool
dims_quotient(const struct dims *p, tn_dim d, tn_dim *e, int64_t *k)
{
	const struct atom *a = find_atom(p, d);

	if (!a || a->sym >= 0)
		return false;
	*e = a->e;
	*k = a->k;
	return true;
}

uint32_t
dims_terms(struct dims *p, tn_dim d, struct dims_term out[])
{
	struct poly_ref r = dims_ref(p, d);
	uint32_t i, k;

	for (i = 0; i < r.n; i++) {
		struct mono m = p->mono.at[r.term[i].mono];

		out[i].coef = r.term[i].coef;
		out[i].n = m.n;
		for (k = 0; k < m.n; k++)
			out[i].factor[k] = atom_dim(p, m.atom[k]);
	}
	return r.n;
}

/* ---- sums and products ------------------------------------------------------------------------------ */

/* a + factor * b */
static tn_dim
combine(struct dims *p, tn_dim a, tn_dim b, int64_t factor)
{
	struct poly x, y;

	if (!poly_load(p, a, &x) || !poly_load(p, b, &y) || !poly_add(&x, &y, factor))
		return TN_DIM_BAD;
	return poly_intern(p, &x);
}

tn_dim
dims_add(struct dims *p, tn_dim a, tn_dim b)
{
	int64_t sum;

	if (tn_dim_is_num(a) && tn_dim_is_num(b))
		return coef_add(a, b, &sum) ? sum : TN_DIM_BAD;
	return combine(p, a, b, 1);
}

tn_dim
dims_sub(struct dims *p, tn_dim a, tn_dim b)
{
	int64_t sum;

	if (tn_dim_is_num(a) && tn_dim_is_num(b))
		return coef_add(a, -b, &sum) ? sum : TN_DIM_BAD;
	return combine(p, a, b, -1);
}

tn_dim
dims_mul(struct dims *p, tn_dim a, tn_dim b)
{
	struct poly x, y, xy;
	int64_t product;

	if (tn_dim_is_num(a) && tn_dim_is_num(b))
		return coef_mul(a, b, &product) ? product : TN_DIM_BAD;
	if (!poly_load(p, a, &x) || !poly_load(p, b, &y) || !poly_mul(p, &x, &y, &xy))
		return TN_DIM_BAD;
	return poly_intern(p, &xy);
}

/* ---- division ----------------------------------------------------------------------------------------- */

/* split e = k*a + r with r's coefficients in 0 … k - 1 */
static bool
split(const struct poly *e, int64_t k, struct poly *a, struct poly *r)
{
	uint32_t i;

	a->n = r->n = 0;
	for (i = 0; i < e->n; i++)
		if (!poly_add_term(a, e->term[i].mono, num_floordiv(e->term[i].coef, k)) ||
		    !poly_add_term(r, e->term[i].mono, num_floormod(e->term[i].coef, k)))
			return false;
	return true;
}

/* div(g*e + c, g*k) = div(e + div(c, g), k), c the constant */
static void
cancel_common(struct poly *r, int64_t *k)
{
	struct poly q = {0};
	int64_t g = *k;
	uint32_t i;

	for (i = 0; i < r->n; i++)
		if (r->term[i].mono != 0)
			g = num_gcd(g, r->term[i].coef);
	if (g == 1)
		return;
	for (i = 0; i < r->n; i++)
		poly_add_term(&q, r->term[i].mono, r->term[i].coef / g);
	*r = q;
	*k /= g;
}

/* the place in r of a term that is a bare div atom with coefficient 1, or -1 */
static int
find_inner_div(const struct dims *p, const struct poly *r)
{
	uint32_t i;

	for (i = 0; i < r->n; i++) {
		struct mono m = p->mono.at[r->term[i].mono];

		if (m.n == 1 && r->term[i].coef == 1 && p->atom.at[m.atom[0]].sym < 0)
			return (int)i;
	}
	return -1;
}

/* floor(e / k), k > 0, added onto *to; recursion ends because each step unwraps one division */
static bool
divide_number(struct dims *p, const struct poly *e, int64_t k, struct poly *to)
{
	struct poly a, r, inner;
	struct atom in;
	uint32_t mono, atom;
	int64_t lo, hi;
	tn_dim d;
	int i;

	if (!split(e, k, &a, &r) || !poly_add(to, &a, 1))
		return false;
	cancel_common(&r, &k);
	poly_range(p, &r, &lo, &hi);
	if (r.n == 0 || hi < k)		/* coefficients and atoms are at least 0, so r is */
		return true;
	if ((i = find_inner_div(p, &r)) >= 0) {		/* div(div(x, a) + s, b) = div(x + a*s, a*b) */
		in = p->atom.at[p->mono.at[r.term[i].mono].atom[0]];
		poly_load(p, in.e, &inner);
		return poly_add_term(&r, r.term[i].mono, -1) && poly_add(&inner, &r, in.k) &&
		    coef_mul(k, in.k, &k) && divide_number(p, &inner, k, to);
	}
	if ((d = poly_intern(p, &r)) == TN_DIM_BAD)
		return false;
	atom = atom_div(p, d, k);
	mono = mono_intern(p, &atom, 1);
	return poly_add_term(to, mono, 1);
}

static struct term
leading(const struct dims *p, const struct poly *q)
{
	struct term t = q->term[0];
	uint32_t i;

	for (i = 1; i < q->n; i++)
		if (mono_order(p, q->term[i].mono, t.mono) > 0)
			t = q->term[i];
	return t;
}

/* Long division of polynomials; false where there is a rest. */
static bool
divide_exactly(struct dims *p, const struct poly *e, const struct poly *d, struct poly *out)
{
	struct poly rest = *e;
	struct term by, t, q, minus;

	out->n = 0;
	if (d->n == 0)
		return false;
	by = leading(p, d);
	while (rest.n) {
		t = leading(p, &rest);
		if (t.coef % by.coef != 0 || !mono_quotient(p, t.mono, by.mono, &q.mono))
			return false;
		q.coef = t.coef / by.coef;
		minus = (struct term){q.mono, -q.coef};
		if (!poly_add_term(out, q.mono, q.coef) || !poly_mul_term(p, d, minus, &rest))
			return false;
	}
	return true;
}

tn_dim
dims_div(struct dims *p, tn_dim a, tn_dim b)
{
	struct poly x, y, q = {0};

	if (tn_dim_is_num(b)) {
		if (b == 0)
			return TN_DIM_BAD;
		if (tn_dim_is_num(a))
			return num_floordiv(a, b);
		if (!poly_load(p, a, &x))
			return TN_DIM_BAD;
		if (b < 0)
			poly_add(&q, &x, -1);
		y.n = 0;
		return divide_number(p, b < 0 ? &q : &x, b < 0 ? -b : b, &y) ? poly_intern(p, &y) : TN_DIM_BAD;
	}
	if (!poly_load(p, a, &x) || !poly_load(p, b, &y) || !divide_exactly(p, &x, &y, &q))
		return TN_DIM_BAD;
	return poly_intern(p, &q);
}

tn_dim
dims_mod(struct dims *p, tn_dim a, tn_dim b)
{
	if (tn_dim_is_num(b) && b <= 0)
		return TN_DIM_BAD;
	return dims_sub(p, a, dims_mul(p, b, dims_div(p, a, b)));
}

tn_dim
dims_ceildiv(struct dims *p, tn_dim a, tn_dim b)
{
	if (tn_dim_is_num(b) && b > 0)
		return dims_div(p, dims_add(p, a, b - 1), b);
	return dims_sub(p, 0, dims_div(p, dims_sub(p, 0, a), b));
}

enum tn_tri
dims_divides(struct dims *p, tn_dim d, tn_dim n)
{
	struct poly x, y, q;
	uint32_t i;

	if (d == TN_DIM_BAD || !poly_load(p, n, &x))
		return TN_UNKNOWN;
	if (!tn_dim_is_num(d)) {
		poly_load(p, d, &y);
		return divide_exactly(p, &x, &y, &q) ? TN_TRUE : TN_UNKNOWN;
	}
	if (d == 0)
		return dims_eq(p, n, 0);
	for (i = 0; i < x.n; i++)
		if (x.term[i].mono != 0 && x.term[i].coef % d != 0)
			return TN_UNKNOWN;
	return poly_constant(&x) % d == 0 ? TN_TRUE : TN_FALSE;
}

/* ---- values --------------------------------------------------------------------------------------------- */

static bool
atom_at(const struct dims *p, uint32_t atom, const int64_t sizes[], int64_t *out)
{
	struct atom a = p->atom.at[atom];

	if (a.sym >= 0) {
		*out = sizes[a.sym];
		return *out != 0;
	}
	if (!dims_at(p, a.e, sizes, out))
		return false;
	*out = num_floordiv(*out, a.k);
	return true;
}

bool
dims_at(const struct dims *p, tn_dim d, const int64_t sizes[], int64_t *out)
{
	struct poly_ref r;
	int64_t sum = 0, t, v;
	uint32_t i, j;

	if (tn_dim_is_num(d)) {
		*out = d;
		return true;
	}
	if (!dims_is_symbolic(d))
		return false;
	r = dims_ref(p, d);
	for (i = 0; i < r.n; i++) {
		struct mono m = p->mono.at[r.term[i].mono];

		t = r.term[i].coef;
		for (j = 0; j < m.n; j++)
			if (!atom_at(p, m.atom[j], sizes, &v) || !coef_mul(t, v, &t))
				return false;
		if (!coef_add(sum, t, &sum))
			return false;
	}
	*out = sum;
	return true;
}
