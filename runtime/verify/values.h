/* An instance with values: both sides computed in a domain, element by element. */
#ifndef VERIFY_VALUES_H
#define VERIFY_VALUES_H

#include "base/buf.h"
#include "verify/instance.h"

enum outcome {
	SAME,
	DIFFERENT,
	LACKING,		/* the domain has not the functions, or no draw fits */
	UNDEFINED,		/* an operator has no def */
};

/* Where both sides differ, and what the domain had to do. */
struct comparison {
	enum outcome outcome;
	bool is_keyed;		/* a keyed function stood in for one */
	bool is_seen;		/* an element was compared that is no NaN */
	int arrow;
	int64_t element;
	union elem left, right;
	uint32_t degree;	/* prime fields: the largest of a compared element */
	bool is_lowered;	/* and an exp took one to a smaller field */
};

/* A way of drawing, added to any: half of the elements lie around numbers that the rule mentions. */
enum { WAY_MENTIONED = 64 };

struct values;

/* Both sides of the instance made ready; it must stay as it is until values_free. */
struct values *values_new(const struct instance *);
void values_free(struct values *);
/* Both sides of every arrow on one draw. */
struct comparison values_compare(struct values *, const struct domain *, uint64_t seed, unsigned way);
/* The instance, and where its sides differ, for people: lines that end with a newline. */
void values_print(const struct instance *, const struct domain *, const struct comparison *, struct buf *);
/* An instance whose sides have different shapes. */
void values_print_unlike(const struct instance *, struct buf *);
/* All elements of all values, INT64_MAX if they are too many to be counted: how small an instance is. */
int64_t values_size(const struct instance *);

#endif
