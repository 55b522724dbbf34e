/*
 * The state of applying one rule's matches, shared by saturate (which drives) and tensor/stage.c
 * (which stages, checks and adds: tn_new … tn_join and their scalar forms; tn_seq is saturate's).
 */
#ifndef SATURATE_APPLY_H
#define SATURATE_APPLY_H

#include "base/vec.h"
#include "tenon/match.h"

#define STAGED (UINT32_C(1) << 31)	/* top bit of a staged id; the rest is its index */

/* A node that is to be, or a number that waits for its place to give it a shape. */
struct staged {
	uint16_t op, nkid;
	bool is_number;
	bool is_needed;		/* by the result that is being joined */
	tn_attrs attrs;
	uint32_t kid;		/* first of nkid in tn_apply.kid: classes or staged */
	tn_type type;
	double number;
	tn_id class;		/* once added, else TN_NONE */
};

/* A number that was added, by its text. */
struct added_number {
	int64_t num, den;
	int exp10;
	bool is_set;
	tn_id class;
};
enum { APPLY_NUMBERS = 16 };

struct tn_apply {
	struct tn_egraph *g;
	struct added_number number[APPLY_NUMBERS];	/* by num, the last of those that share a place */
	struct tn_search *search;
	const struct tn_matches *matches;	/* the rule's, for tn_seq */
	struct tn_reason reason;		/* rule and substitution of the match at hand */
	uint64_t nunion;			/* classes joined so far */
	/* Would a new node over the leaf in the root's class close a cycle?  NULL: cycles are let be. */
	bool (*closes)(void *run, tn_id root, tn_id leaf);
	void *run;
	bool is_closed;				/* the application was refused for that */
	tn_id floor;				/* nodes from here on were added by it, while cycles are asked for */
	VEC(struct staged) staged;
	VEC(tn_id) kid;
};

/* Before each application. */
static inline void
apply_begin(struct tn_apply *a)
{
	a->staged.n = 0;
	a->kid.n = 0;
	tn_search_reset(a->search);
}

static inline void
apply_free(struct tn_apply *a)
{
	vec_free(&a->staged);
	vec_free(&a->kid);
}

#endif
