/*
 * Inside of random terms: a drawing on its way, and one operator of it.
 *
 *	random_term.c	terms, their operands and leaves
 *	random_value.c	attributes
 *	random_shape.c	extents by name, and shapes made to be what a place wants
 */
#ifndef RANDOM_PLACE_H
#define RANDOM_PLACE_H

#include "tests/oracle/random_term.h"

enum { VARS = 48, KIDS = 8, RUN = 3, SHARED = 32, ATTRS = 16, NAMES = 64, OPS = 6 };

struct drawing {
	const struct random_term *t;
	struct random_op *r;
	struct tn_ctx *ctx;
	const struct tn_rule *rule;
	struct tn_graph *g;
	uint32_t tensor[VARS];
	struct { int n; uint32_t at[RUN]; } run[VARS];
	tn_val value[VARS];
	tn_attrs record[VARS];
	struct { const struct tn_term *term; uint32_t node; } shared[SHARED];
	int nshared, in_map;
	struct { int op; struct seq name[NAMES]; } before[OPS];	/* an operator's last extents */
	int nbefore;
};

/* One operator on its way: extents by name, attributes, operands. */
struct place {
	const struct tn_op *op;
	const struct tn_term *term;
	struct seq name[NAMES], first, wanted;	/* n -1: not known */
	tn_val val[ATTRS];
	struct { const struct tn_term *term; int run, elem; uint32_t node; } kid[KIDS];
	int nkid;
};

static const struct seq random_unknown = {-1, {0}};

static inline int64_t
random_below(struct drawing *d, int64_t n)
{
	return rng_below(&d->r->rng, (uint32_t)n);
}

/* The number of a DIM, FLOAT or whole value; the value as one of another kind. */
int64_t random_int_of(const struct drawing *, tn_val);
tn_val random_value_as(const struct drawing *, tn_val, enum tn_kind);
/* Attributes that the pattern or a captured record say; then the others, and what variables stand for them. */
void random_known_attrs(struct drawing *, struct place *);
tn_attrs random_other_attrs(struct drawing *, struct place *);

/* Names from an operand's shape, and from the result's; those of the operator are remembered for its next use. */
void random_bind(struct drawing *, struct place *, const struct tn_operand *, const struct seq *shape);
void random_bind_result(struct drawing *, struct place *);
void random_remember(struct drawing *, const struct place *);
/* (where (= c (* groups g))): what is known decides the third. */
void random_solve(struct drawing *, struct place *);
/* The shape of an operand from the names.  What is not known is drawn, or if not `all` makes all of it unknown. */
struct seq random_operand_shape(struct drawing *, struct place *, const struct tn_operand *, bool all);
/* Operators whose result's shape no name tells, only an attribute: make it the one that is wanted. */
void random_aim(struct drawing *, struct place *);

#endif
