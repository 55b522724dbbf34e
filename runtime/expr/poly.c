/* Polynomials over atoms: sums, products, and the tables that make equal ones one. */
#include <string.h>

#include "base/num.h"
#include "expr/poly.h"

bool
coef_mul(int64_t a, int64_t b, int64_t *out)
{
	return num_mul(a, b, out) && tn_dim_is_num(*out);
}

bool
coef_add(int64_t a, int64_t b, int64_t *out)
{
	return num_add(a, b, out) && tn_dim_is_num(*out);
}

/* ---- monomials ----------------------------------------------------------------------------------- */

uint32_t
mono_intern(struct dims *p, const uint32_t atom[], uint32_t n)
{
	bool is_new;
	uint32_t at = *map_put(&p->mono_map, atom, n * sizeof *atom, p->mono.n, &is_new);
	struct mono m;

	if (is_new) {
		m = (struct mono){n, arena_dup(&p->arena, atom, n * sizeof *atom)};
		vec_push(&p->mono, m);
	}
	return at;
}

bool
mono_mul(struct dims *p, uint32_t x, uint32_t y, uint32_t *out)
{
	struct mono a = p->mono.at[x], b = p->mono.at[y];
	uint32_t atom[MONO_DEGREE], n = 0, i = 0, j = 0;

	if (a.n + b.n > MONO_DEGREE)
		return false;
	while (i < a.n || j < b.n)
		atom[n++] = j == b.n || (i < a.n && a.atom[i] <= b.atom[j]) ? a.atom[i++] : b.atom[j++];
	*out = mono_intern(p, atom, n);
	return true;
}

bool
mono_quotient(struct dims *p, uint32_t x, uint32_t y, uint32_t *out)
{
	struct mono a = p->mono.at[x], b = p->mono.at[y];
	uint32_t atom[MONO_DEGREE], n = 0, i, j = 0;

	for (i = 0; i < a.n; i++) {
		if (j < b.n && a.atom[i] == b.atom[j])
			j++;
		else
			atom[n++] = a.atom[i];
	}
	if (j < b.n)
		return false;
	*out = mono_intern(p, atom, n);
	return true;
}

/* The greater has more of the lowest-numbered atom in which they differ. */
int
mono_order(const struct dims *p, uint32_t x, uint32_t y)
{
	struct mono a = p->mono.at[x], b = p->mono.at[y];
	uint32_t i;

	for (i = 0; i < a.n && i < b.n; i++)
		if (a.atom[i] != b.atom[i])
			return a.atom[i] < b.atom[i] ? 1 : -1;
	return (a.n > b.n) - (a.n < b.n);
}

/* ---- polynomials ------------------------------------------------------------------------------------ */

bool
poly_add_term(struct poly *p, uint32_t mono, int64_t coef)
{
	uint32_t lo = 0, hi = p->n, mid;

	if (coef == 0)
		return true;
	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (p->term[mid].mono < mono)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < p->n && p->term[lo].mono == mono) {
		if (!coef_add(p->term[lo].coef, coef, &p->term[lo].coef))
			return false;
		if (p->term[lo].coef == 0) {
			p->n--;
			memmove(&p->term[lo], &p->term[lo + 1], (p->n - lo) * sizeof *p->term);
		}
		return true;
	}
	if (p->n == TN_DIM_TERMS)
		return false;
	memmove(&p->term[lo + 1], &p->term[lo], (p->n - lo) * sizeof *p->term);
	p->term[lo] = (struct term){mono, coef};
	p->n++;
	return true;
}

bool
poly_add(struct poly *to, const struct poly *p, int64_t factor)
{
	uint32_t i;
	int64_t c;

	for (i = 0; i < p->n; i++)
		if (!coef_mul(p->term[i].coef, factor, &c) || !poly_add_term(to, p->term[i].mono, c))
			return false;
	return true;
}

bool
poly_mul_term(struct dims *p, const struct poly *a, struct term t, struct poly *to)
{
	uint32_t i, mono;
	int64_t c;

	for (i = 0; i < a->n; i++)
		if (!coef_mul(a->term[i].coef, t.coef, &c) || !mono_mul(p, a->term[i].mono, t.mono, &mono) ||
		    !poly_add_term(to, mono, c))
			return false;
	return true;
}

bool
poly_mul(struct dims *p, const struct poly *a, const struct poly *b, struct poly *out)
{
	uint32_t i;

	out->n = 0;
	for (i = 0; i < b->n; i++)
		if (!poly_mul_term(p, a, b->term[i], out))
			return false;
	return true;
}

int64_t
poly_constant(const struct poly *p)
{
	return p->n && p->term[0].mono == 0 ? p->term[0].coef : 0;
}

bool
poly_load(const struct dims *p, tn_dim d, struct poly *out)
{
	struct poly_ref r;

	out->n = 0;
	if (tn_dim_is_num(d))
		return poly_add_term(out, 0, d);
	if (!dims_is_symbolic(d))
		return false;
	r = dims_ref(p, d);
	out->n = r.n;
	memcpy(out->term, r.term, r.n * sizeof *r.term);
	return true;
}

/* how many atoms the polynomial shows written out, at most DIM_SIZE + 1 */
static uint32_t
written_size(const struct dims *p, const struct poly *q)
{
	uint32_t i, j, size = q->n;

	for (i = 0; i < q->n; i++) {
		struct mono m = p->mono.at[q->term[i].mono];

		for (j = 0; j < m.n; j++)
			size += p->atom.at[m.atom[j]].size;
		if (size > DIM_SIZE)
			return DIM_SIZE + 1;
	}
	return size;
}

tn_dim
poly_intern(struct dims *p, const struct poly *q)
{
	int64_t key[2 * TN_DIM_TERMS];
	struct poly_ref r;
	uint32_t i, at, size;
	bool is_new;

	if (q->n == 0)
		return 0;
	if (q->n == 1 && q->term[0].mono == 0)
		return q->term[0].coef;
	if ((size = written_size(p, q)) > DIM_SIZE)
		return TN_DIM_BAD;
	for (i = 0; i < q->n; i++) {
		key[2 * i] = q->term[i].mono;
		key[2 * i + 1] = q->term[i].coef;
	}
	at = *map_put(&p->poly_map, key, 2 * q->n * sizeof *key, p->poly.n, &is_new);
	if (is_new) {
		r = (struct poly_ref){q->n, size, arena_dup(&p->arena, q->term, q->n * sizeof *q->term)};
		vec_push(&p->poly, r);
	}
	return SYMBOLIC + at;
}

/* ---- atoms -------------------------------------------------------------------------------------------- */

uint32_t
atom_div(struct dims *p, tn_dim e, int64_t k)
{
	const int64_t key[2] = {e, k};
	bool is_new;
	uint32_t at = *map_put(&p->atom_map, key, sizeof key, p->atom.n, &is_new);
	struct atom a = {.sym = -1, .size = dims_ref(p, e).size + 1, .e = e, .k = k};
	struct poly q;

	if (!is_new)
		return at;
	poly_load(p, e, &q);
	poly_range(p, &q, &a.lo, &a.hi);
	a.lo = a.lo > 0 ? a.lo / k : 0;		/* nothing in e is negative */
	if (a.hi != NO_BOUND)
		a.hi /= k;
	vec_push(&p->atom, a);
	return at;
}
