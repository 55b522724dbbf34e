/* Elements of integer and boolean type. */
#ifndef VERIFY_WHOLE_H
#define VERIFY_WHOLE_H

#include "base/rand.h"
#include "tenon/rule.h"

/* The types that rules are checked in besides floats, one of each kind, up to TN_UNTYPED. */
extern const enum tn_dtype whole_types[];

/* Does every operator of both sides whose operands share a type admit this one? */
bool whole_admits(const struct tn_program_text *, const struct tn_rule *, enum tn_dtype);
/* A whole number as it is after it was stored: it wraps; a boolean is 0 or 1. */
int64_t whole_stored(enum tn_dtype, int64_t);
/* An element: small ones, none that is 0, the largest and smallest of the type. */
int64_t whole_draw(struct rng *, enum tn_dtype, unsigned way);
enum { WHOLE_WAYS = 3 };

#endif
