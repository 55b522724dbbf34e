/* Inside of the obvious matcher: what its variables are bound to, and a match of it as text. */
#ifndef ORACLE_SLOW_ROWS_H
#define ORACLE_SLOW_ROWS_H

#include "tests/oracle/slow.h"

enum { RUN = 16, VARS = 32 };

struct bound {
	bool is_set;
	tn_id class;		/* ?x, and a let that is a pattern */
	tn_val value;		/* $a, ..h */
	tn_attrs record;	/* ..c */
	uint64_t named;		/* ..c: attributes beside it */
	int n;			/* ?xs... */
	tn_id run[RUN];
};

/* Adds "root: value value …", the variables with slot[var] >= 0 in order of slots. */
void slow_add_row(const struct slow *, const struct tn_rule *, const int slot[], const tn_id root[], const struct bound var[],
    struct slow_rows *);
/* The attributes named beside capture var in the pattern. */
uint64_t slow_named_beside(const struct tn_term *, int var);

#endif
