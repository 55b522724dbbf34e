/*
 * How a multi-pattern rule's patterns are put together: in which order, on which words, and after which
 * of them a condition can be asked.
 *
 * A match of the whole is a row of words: the rule's variables in their slots, the root of each arrow,
 * and then what only the join needs.
 */
#ifndef GEN_JOIN_H
#define GEN_JOIN_H

#include "gen/gen.h"
#include "tenon/match.h"

/* What a column of a pattern is to the join. */
struct join_column {
	enum tn_column_kind kind;
	bool is_bound, is_each;
	int word;
	uint64_t named;
};

struct part {
	struct plan *plan;		/* of the pattern; of siblings the rule's own */
	int pattern, arrow;
	struct join_column *column;	/* one for each of the plan's */
	bool has_test;
};

struct join {
	struct plan *plan;		/* of the rule */
	int npart, root, nword;
	struct part *part;		/* in the order of joining */
	uint8_t *alike;			/* by arrow */
};

/* Puts the rule's patterns among g's, where they are not there yet, and its conditions into its plan. */
struct join *join_make(struct gen *, struct plan *);
void join_free(struct join *);
/* join2_RULE, …: the conditions asked after a part; the table join_RULE. */
void join_functions(struct gen *, const struct join *);
void join_table(struct gen *, const struct join *);
/* pattern.c: the names of a match's words, and the patterns as data: words_RULE, places_RULE. */
const char *pattern_word(const struct gen *, const struct plan *, int word);
void pattern_tables(struct gen *, const struct plan *);
/* For tenonc -d plan. */
void join_print(const struct gen *, const struct join *, FILE *);

/* alike.c: does exchanging the two arrows leave patterns and conditions the same, under other names? */
bool alike_exchange(const struct tn_rule *, int arrow, int other);

#endif
