/* A plan under construction: what plan.c and plan_column.c share. */
#ifndef GEN_PLAN_BUILD_H
#define GEN_PLAN_BUILD_H

#include "gen/plan.h"

/* A class that an operator pattern must be found in. */
struct todo {
	const struct tn_term *term;
	struct ref class;
};

/* An attribute that must equal an expression whose variables may not be known yet. */
struct waiting {
	struct ref attr;
	const struct tn_x *x;
};

struct build {
	struct plan *p;
	uint8_t *kind;			/* by variable: enum tn_kind of the value at its place */
	bool *is_placed;		/* by condition */
	VEC(struct todo) todo;		/* last first */
	VEC(struct todo) seen;		/* operator patterns, and the class of each */
	VEC(struct waiting) waiting;
	VEC(int) root_map;		/* by node: the map whose list it goes along with, or the node itself */
	bool is_part;			/* one of several patterns: conditions are asked by the join */
};

/* The attributes that the term names, a bit each. */
uint64_t plan_named(const struct tn_term *);
/* The columns of a pattern that is joined, once all of its steps are made. */
void plan_columns(struct build *);

#endif
