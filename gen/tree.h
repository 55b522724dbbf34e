/*
 * The decision tree of one root operator: the plans of its rules, equal beginnings merged.
 *
 * Every match of every rule is wanted, so the order of branches does not matter; it is that of the
 * rules.
 */
#ifndef GEN_TREE_H
#define GEN_TREE_H

#include "gen/gen.h"

enum { TREE_RULES = 3 };

struct tree {
	struct step step;
	struct tree *kid, *last, *next;		/* branches; the last of them; sibling */
	int nrule;				/* rules that pass here */
	int rule[TREE_RULES];			/* the first of them */
};

/* NULL: no rule has this root.  Lives in g's arena. */
struct tree *tree_make(struct gen *, int op);
/* "Root mul: 2 rules." and the drawing, each line after `head`. */
void tree_draw(const struct gen *, const struct tree *, struct emit *, const char *head);
/* match_OP */
void match_function(struct gen *, const struct tree *);

#endif
