/* The numbers that a rule and the definitions of its operators mention: where these begin to matter lies beside them. */
#ifndef VERIFY_NUMBERS_H
#define VERIFY_NUMBERS_H

#include "base/rand.h"
#include "base/vec.h"
#include "tenon/rule.h"

struct numbers {
	VEC(int64_t) whole;		/* that an extent or an attribute may be, in the order in which they stand */
	VEC(int64_t) limit;		/* those that something is computed with or compared with, and that small draws seldom pass */
	VEC(struct tn_number) value;	/* of elements, those that ordinary draws do not lie around */
	int64_t most;			/* no value is larger */
};

void numbers_find(struct numbers *, const struct tn_program_text *, const struct tn_rule *);
void numbers_free(struct numbers *);
/* One of the whole ones or a neighbour; false: there are none. */
bool numbers_whole(const struct numbers *, struct rng *, int64_t *out);
/* One of the limits, itself; false: there are none. */
bool numbers_limit(const struct numbers *, struct rng *, int64_t *out);
/* An element's value at, beside, between or beyond them; there is one at least. */
struct tn_number numbers_value(const struct numbers *, struct rng *);

#endif
