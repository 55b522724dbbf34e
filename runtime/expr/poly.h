/* Inside of the pool of extents: see dims.h. */
#ifndef EXPR_POLY_H
#define EXPR_POLY_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "expr/dims.h"

#define SYMBOLIC (INT64_C(1) << 62)	/* handle of polynomial 0 */
#define NO_BOUND INT64_MAX

enum {
	MONO_DEGREE = DIMS_FACTORS,	/* factors of a monomial */
	DIM_SIZE = 256,	/* atoms in an expression written out: bounds recursion and text */
};

/* A product of atoms, by rising number, repeated for powers; monomial 0 is the empty one, 1. */
struct mono {
	uint32_t n;
	const uint32_t *atom;
};

struct atom {
	int32_t sym;		/* symbol number, or -1: div(e, k) */
	uint32_t size;		/* atoms in it written out */
	tn_dim e;
	int64_t k;
	int64_t lo, hi;		/* its range; hi may be NO_BOUND */
};

/* coef * mono; terms of a polynomial stand by rising mono, no coef is 0 */
struct term {
	uint32_t mono;
	int64_t coef;
};

/* A polynomial being worked on. */
struct poly {
	uint32_t n;
	struct term term[TN_DIM_TERMS];
};

/* An interned one. */
struct poly_ref {
	uint32_t n, size;
	const struct term *term;
};

struct symbol {
	const char *name;
	uint32_t atom;
};

struct dims {
	struct arena arena;
	struct map mono_map, atom_map, poly_map, sym_map;
	VEC(struct mono) mono;
	VEC(struct atom) atom;
	VEC(struct poly_ref) poly;
	VEC(struct symbol) sym;
	VEC(tn_dim) fact;	/* known to be at least 0 */
};

static inline bool
dims_is_symbolic(tn_dim d)
{
	return d >= SYMBOLIC && d != TN_DIM_BAD;
}

static inline struct poly_ref
dims_ref(const struct dims *p, tn_dim d)
{
	return p->poly.at[d - SYMBOLIC];
}

/* The working functions return false where a number or the expression grows too large. */
bool poly_load(const struct dims *, tn_dim, struct poly *);	/* false: BAD */
tn_dim poly_intern(struct dims *, const struct poly *);		/* a number if it is one */
bool poly_add_term(struct poly *, uint32_t mono, int64_t coef);
bool poly_add(struct poly *to, const struct poly *, int64_t factor);
bool poly_mul(struct dims *, const struct poly *, const struct poly *, struct poly *out);
bool poly_mul_term(struct dims *, const struct poly *, struct term, struct poly *to);	/* added onto to */
int64_t poly_constant(const struct poly *);
bool coef_mul(int64_t, int64_t, int64_t *out);
bool coef_add(int64_t, int64_t, int64_t *out);

uint32_t mono_intern(struct dims *, const uint32_t atom[], uint32_t n);
bool mono_mul(struct dims *, uint32_t, uint32_t, uint32_t *out);
bool mono_quotient(struct dims *, uint32_t, uint32_t, uint32_t *out);	/* false: does not divide */
int mono_order(const struct dims *, uint32_t, uint32_t);		/* lexicographic, a monomial order */

uint32_t atom_div(struct dims *, tn_dim e, int64_t k);		/* e's coefficients lie in 0 … k - 1 */
void poly_range(struct dims *, const struct poly *, int64_t *lo, int64_t *hi);

#endif
