/*
 * The obvious matcher of typed rules: every node of a class is tried for every pattern, and nothing is
 * clever.  Generated matchers must find the same.
 */
#ifndef ORACLE_SLOW_H
#define ORACLE_SLOW_H

#include "base/vec.h"
#include "tenon/match.h"
#include "tenon/rule.h"

struct slow {
	const struct tn_program_text *text;
	struct tn_ctx *ctx;
	const struct tn_egraph *g;	/* rebuilt */
	struct tn_search *search;
};

/* Matches as text, "root: value value …", so that those of two matchers can be compared. */
struct slow_rows {
	VEC(char *) at;
};

/* Adds the matches of a rule: the variables with slot[var] >= 0, in order of slots.  Of several arrows, every
 * set of classes is tried, as long as they are different and none is below another (what is constant has
 * nothing below); where they are exchangeable, older nodes come first. */
void slow_match(const struct slow *, const struct tn_rule *, const int slot[], bool are_exchangeable, struct slow_rows *);
/* Adds a match of a generated matcher; run gives the classes of ?xs..., root its arrows' roots. */
void slow_add(const struct slow *, const struct tn_rule *, const int slot[], const uint32_t row[], const tn_id root[],
    const tn_id *(*run)(const void *arg, uint32_t word, int *n), const void *arg, struct slow_rows *);
/* Each once, in order. */
void slow_sort(struct slow_rows *);
void slow_free(struct slow_rows *);

#endif
