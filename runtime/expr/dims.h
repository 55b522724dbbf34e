/*
 * The pool of extents: quasi-affine expressions in normal form, interned.
 *
 * A tn_dim is a number, or SYMBOLIC plus the index of an interned polynomial over atoms.  An atom is
 * a symbol (a whole number, at least 1) or div(e, k) where all coefficients of e lie in 0 … k - 1, so
 * that every atom is at least 0.  tenon/ctx.h says what each operation gives; tn_ctx owns one pool.
 *
 *	poly.c		polynomials being worked on; interning of monomials, atoms, polynomials
 *	dims.c		symbols, arithmetic, division, evaluation
 *	cond.c		ranges and conditions
 *	print.c		text
 */
#ifndef EXPR_DIMS_H
#define EXPR_DIMS_H

#include "tenon/ctx.h"

struct dims;

struct dims *dims_new(void);
void dims_free(struct dims *);

tn_dim dims_sym(struct dims *, const char *name);
int dims_nsym(const struct dims *);
const char *dims_symname(const struct dims *, int i);
int dims_symbol(const struct dims *, tn_dim);

tn_dim dims_add(struct dims *, tn_dim, tn_dim);
tn_dim dims_sub(struct dims *, tn_dim, tn_dim);
tn_dim dims_mul(struct dims *, tn_dim, tn_dim);
tn_dim dims_div(struct dims *, tn_dim, tn_dim);
tn_dim dims_mod(struct dims *, tn_dim, tn_dim);
tn_dim dims_ceildiv(struct dims *, tn_dim, tn_dim);
tn_dim dims_max(struct dims *, tn_dim, tn_dim);
tn_dim dims_min(struct dims *, tn_dim, tn_dim);

enum tn_tri dims_eq(struct dims *, tn_dim, tn_dim);
enum tn_tri dims_le(struct dims *, tn_dim, tn_dim);
enum tn_tri dims_lt(struct dims *, tn_dim, tn_dim);
enum tn_tri dims_divides(struct dims *, tn_dim d, tn_dim n);
/* From now on d is known to be at least 0: it is an extent of a model that is given. */
void dims_assume(struct dims *, tn_dim d);
/* How many such facts there are: what was unknown may have become true when it changes. */
uint32_t dims_nfact(const struct dims *);

enum { DIMS_FACTORS = 16 };
/* A term of an expression: coef times its factors, each a symbol or a quotient. */
struct dims_term {
	int64_t coef;
	uint32_t n;
	tn_dim factor[DIMS_FACTORS];
};
/* The terms, at most TN_DIM_TERMS, of which a symbolic extent is the sum; returns how many. */
uint32_t dims_terms(struct dims *, tn_dim, struct dims_term[]);
/* Is the extent div(e, k) by itself? */
bool dims_quotient(const struct dims *, tn_dim, tn_dim *e, int64_t *k);

bool dims_at(const struct dims *, tn_dim, const int64_t sizes[], int64_t *out);
size_t dims_print(const struct dims *, tn_dim, char *out, size_t size);

#endif
