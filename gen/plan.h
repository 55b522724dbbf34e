/*
 * How one rule is matched: a list of steps, each a loop over nodes or a test, in the order in which
 * the generated code takes them.  Rules that begin with equal steps share them (tree.h).
 *
 * No step binds a variable: a variable is a place (struct ref) that its uses name.
 */
#ifndef GEN_PLAN_H
#define GEN_PLAN_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "tenon/rule.h"

/* Places.  Nodes are numbered as loops bind them; n0 is the root. */
enum ref_kind {
	REF_NONE,
	REF_ROOT,	/* class of n0 */
	REF_CLASS,	/* operand i of the node */
	REF_ATTR,	/* attribute i */
	REF_ITEM,	/* item j of list attribute i; below 0: from the end */
	REF_ITEMS,	/* items of list attribute i but the first j and the last k */
	REF_RECORD,	/* all attributes */
	REF_UNIFORM,	/* the one value that operand i holds everywhere */
	REF_REST,	/* operands from i on */
	REF_MAPPED,	/* operand i of each node of a map */
};

/* What stands at `node`. */
enum ref_node {
	NODE_ONE,
	NODE_SWAPPED,	/* one whose operands 0 and 1 are tried in both orders */
	NODE_FIRST,	/* the first node of a map */
	NODE_EACH,	/* each node of a map: a test on it is one on all */
};

struct ref {
	uint8_t kind;
	uint8_t at;			/* enum ref_node */
	int node;
	int i, j, k;
};

enum step_kind {
	STEP_ROOT,	/* for each node with operator op */
	STEP_NODES,	/* for each node with operator op of class a */
	STEP_ORDERS,	/* for both orders of node's operands */
	STEP_MAPS,	/* for each choice of nodes with operator op for classes a, in both orders if `i` */
	STEP_COUNT,	/* node has i operands, or more if `or_more` */
	STEP_IS_NEW,	/* one of the nodes is new: of n0 … node */
	STEP_SAME,	/* classes, runs or records (but attributes in mask) a and b are the same */
	STEP_SAME_VALUE,	/* attribute values a and b say the same, and are the same if `i` (one kind) */
	STEP_NUMBER,	/* class a holds num everywhere */
	STEP_UNIFORM,	/* there is a value at a */
	STEP_IS_NUMBER,	/* attribute a is num */
	STEP_IS_CODE,	/* a bool, dtype or value of an enum a is number num, called text: x */
	STEP_IS_TEXT,	/* string a is text */
	STEP_IS_AXIS,	/* a is axis num, below 0, of class b */
	STEP_LENGTH,	/* list a has i items, or more if `or_more` */
	STEP_IS_LIST,	/* list a is the numbers of list x */
	STEP_ITEM,	/* item a is num */
	STEP_EQUALS,	/* attribute a equals x, an expression of the rule's variables: test i of the rule */
	STEP_GUARD,	/* condition i of the rule */
	STEP_YIELD,
};

struct step {
	uint8_t kind;
	bool or_more;
	int node;			/* the node bound or tested */
	int op;
	int i;
	struct ref a, b;
	struct tn_number num;
	const char *text;
	uint64_t mask;			/* SAME of captured records: attributes that are not compared, a bit each */
	const struct tn_x *x;
	int rule;			/* EQUALS, GUARD, YIELD: they are a rule's own; else -1 */
};

enum { SLOT_NONE = -1 };

/*
 * What each match of a multi-pattern rule's pattern carries to the join: a variable (var), the class of a
 * let's term that other patterns have too (term), or an attribute that must equal an expression (x).
 * Columns go by place, so that patterns that are equal up to renaming have the same ones.
 */
struct column {
	struct ref ref;
	uint8_t kind;			/* enum tn_kind of a value; TN_NKINDS: it is none */
	uint64_t named;			/* of a record: attributes named beside it */
	int var;			/* or -1 */
	const struct tn_term *term;
	const struct tn_x *x;		/* of a variable: the condition that binds it, if no pattern does */
};

/* The distinct terms of a pattern or result, each after its operands: lets make them DAGs. */
struct terms {
	VEC(const struct tn_term *) list;
	struct map known;
};

struct plan {
	const struct tn_program_text *text;
	const struct tn_rule *rule;
	int number;			/* the rule's */
	VEC(struct step) step;		/* of a multi-pattern rule: conditions, `node` being the part after which they are asked */
	VEC(struct column) column;	/* of a pattern that is joined */
	struct ref *place;		/* by variable; REF_NONE: not known while matching */
	const struct tn_term **captured;	/* by capture: the term of the node whose record is at its place */
	int *slot;			/* by variable: word of a match; SLOT_NONE: computed where it is used */
	int nslot;
	bool *is_late;			/* by condition: only the applier can tell */
	VEC(uint8_t) node_is;		/* by node: NODE_ONE, NODE_SWAPPED, NODE_EACH (a map) */
	int nequals;
	int depth;			/* height of the pattern */
};

/* Plan of rule number i; of a rule of several arrows only the slots (join.h).  Lives in the arena. */
void plan_make(struct plan *, const struct tn_program_text *, int i, struct arena *);
/* Plan of one of its several patterns, by itself: no conditions, but columns. */
void plan_part(struct plan *, const struct tn_program_text *, int i, int arrow, struct arena *);
/* Is the rule matched by a join? */
bool plan_is_joined(const struct tn_rule *);
void plan_free(struct plan *);
/* Can the matcher compute x by now? */
bool plan_is_known(const struct plan *, const struct tn_x *);
/* The condition (= LIST [… var …]) that binds a variable which no pattern binds, and which item of
 * the list it is; NULL if a pattern does.  Items from a run ..h on are counted from the end. */
const struct tn_x *plan_binder(const struct plan *, int var, int *item);
/* The number of items of a list pattern before its run ..h; all, if it has none. */
int plan_run(const struct tn_x *list);
/* Height of the rule's patterns, in operators. */
int plan_depth(const struct tn_rule *);
/* Has every operator of the rule rank 0 and no attributes? */
bool plan_is_scalar(const struct plan *);
void terms_add(struct terms *, const struct tn_term *);
void terms_free(struct terms *);
/* An order of places; 0: they are one. */
int ref_compare(struct ref, struct ref);
bool step_same(const struct step *, const struct step *);
/* Are the patterns equal up to the names of their variables? */
bool plan_same(const struct plan *, const struct plan *);

#endif
