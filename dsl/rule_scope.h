/*
 * A rule under construction, and what names mean inside it.
 *
 *	check_rule.c	the form: clauses, `for` written out, both ways of `<=>`
 *	rule_body.c	one way of one instance: left sides, guards, right sides
 *	rule_term.c	patterns and results
 *	rule_value.c	attributes and their values
 *	rule_scope.c	variables, lets
 *	siblings.c	what only rules over siblings have
 *	lint.c, cover.c, cover_index.c	what is legal but wrong
 */
#ifndef DSL_RULE_SCOPE_H
#define DSL_RULE_SCOPE_H

#include <string.h>

#include "dsl/check.h"

struct let_form {
	const struct sexp *name, *body;		/* (let name body) */
	enum { LET_NEW, LET_OPEN, LET_DONE, LET_BROKEN } state;
	int var;				/* TN_R_LET or TN_R_TERM, once it has one; else -1 */
	const struct tn_term *term;		/* of a tensor */
	uint32_t size;				/* terms, items and values of it, written out */
	bool has_any;				/* a pattern with ?_ or $_: it cannot be built */
	bool is_used;
	bool is_seen;				/* by a walk over forms, so that it ends */
};

/* what is known of a variable beside what the typed rule says of it */
struct var_use {
	uint32_t n;				/* how often it stands anywhere */
	const struct tn_enum *enums;		/* the value of an enum: which */
	const bool *named;			/* ..c: by attribute, is it named beside it on the left */
};

/* a value on a left side that is computed: typed when all variables are bound */
struct deferred {
	const struct tn_x **to;
	const struct sexp *value;
	const struct tn_op *op;
	const struct tn_attr_decl *attr;	/* the value is an item of it if is_item */
	bool is_item;
};

struct rule_scope {
	struct scope s;				/* first: hooks get a pointer to it */
	const struct sexp *form;		/* the instance: `for` written out */
	struct tn_span left;			/* a left side, for notes */
	VEC(struct tn_rvar) var;
	VEC(struct var_use) use;
	VEC(struct let_form) let;
	VEC(struct deferred) deferred;
	VEC(struct tn_arrow) arrow;
	VEC(const struct tn_x *) when;
	VEC(const struct sexp *) unbound;	/* said already */
	uint32_t size;				/* terms and items so far, lets written out */
	uint32_t nany;				/* ?_ and $_ so far */
	bool is_left;				/* names that are not bound are bound now */
	bool is_siblings;			/* the rule's one arrow stands for all siblings at once */
	bool has_element;			/* ?x of ?x... has a shape here: of an element of a map, or of one sibling */
	bool has_before;			/* in a sibling's result */
	enum { MAP_NONE, MAP_NAMED, MAP_ALL } map;	/* inside (f …)...: ?xs... are elements, or every name is one */
};

enum { RULE_SIZE = 4096 };	/* terms and items of one rule, lets written out */

void rule_scope_begin(struct rule_scope *, const struct sexp *form);
void rule_scope_free(struct rule_scope *);
/* A variable of one of the kinds ?x, ?xs..., $a, ..c; -1 if there is none. */
int rule_scope_find(const struct rule_scope *, const struct sexp *atom);
int rule_scope_add(struct rule_scope *, const struct sexp *atom, enum tn_rvkind, enum tn_sort, int op);
struct let_form *rule_scope_let(struct rule_scope *, const struct sexp *atom);
/* Is it a name that nothing binds yet? */
bool rule_is_new(struct rule_scope *, const struct sexp *atom);
/* "unbound variable '?w'", with the nearest that is bound. */
void rule_unbound(struct check *, struct rule_scope *, const struct sexp *atom);
/* A note: where the operator is declared. */
void rule_note_op(struct check *, const struct tn_op *);
/* How the user writes it. */
const char *rule_spelling(struct check *, const struct sexp *atom);

static inline bool
is_arrow(const struct sexp *s)
{
	return is_clause(s, "=>") || is_clause(s, "<=>");
}

/* (=> PATTERN... RESULT...) */
static inline bool
is_siblings(const struct sexp *arrow)
{
	return arrow->kid->next && arrow->kid->next->next && arrow->kid->next->next->kind == S_DOTS;
}

/* The pattern or the result of an arrow that has both. */
static inline const struct sexp *
arrow_side(const struct sexp *arrow, bool is_result)
{
	const struct sexp *s = arrow->kid->next;

	return !is_result ? s : is_siblings(arrow) ? s->next->next : s->next;
}

static inline bool
is_wild(const struct sexp *atom)
{
	return strcmp(atom->text, "_") == 0;
}

/* Count terms or items; false, said once, where they are more than people write. */
bool rule_grow(struct check *, struct rule_scope *, uint32_t by, struct tn_span at);
/* A pattern (is_left) or a result; NULL: said. */
const struct tn_term *rule_term(struct check *, struct rule_scope *, const struct sexp *);
/* The term of a tensor let; NULL: said. */
const struct tn_term *rule_let_term(struct check *, struct rule_scope *, struct let_form *, const struct sexp *at);
/* The same, variables compared by number. */
bool term_equal(const struct tn_term *, const struct tn_term *);
/* The same but for what the operands are. */
bool term_same_node(const struct tn_term *, const struct tn_term *);

/* :name VALUE … and ..c of a term, from s on; false: said. */
bool rule_attributes(struct check *, struct rule_scope *, const struct sexp *form, const struct sexp *s, struct tn_term *);
/* A list pattern: [..h $i $j], names bound as they come; NULL: said. */
const struct tn_x *rule_list_pattern(struct check *, struct rule_scope *, const struct tn_op *, const struct tn_attr_decl *,
    const struct sexp *);
/* An arrow of siblings and what stands beside it; false: said. */
bool siblings_arrow(struct check *, const struct sexp *form, const struct sexp *arrow);
/* Is there a ?xs... in the pattern, as there must be?  False: said. */
bool siblings_pattern(struct check *, const struct rule_scope *, const struct sexp *pattern);
/* A condition on a sibling asks of nothing else that only the whole has; false: said. */
bool siblings_guard(struct check *, const struct rule_scope *, const struct tn_x *);
/* (before E): the sum of E over the siblings before this one; NULL, said, or not *is_mine. */
const struct tn_x *siblings_before(struct check *, struct rule_scope *, const struct sexp *call, bool *is_mine);
/* A value that differs from sibling to sibling where none is meant; false: said. */
bool siblings_value(struct check *, const struct rule_scope *, const struct tn_x *, const struct sexp *at);
/* Type what was deferred; false: said. */
bool rule_deferred(struct check *, struct rule_scope *);

/* One way of one instance.  warns: say what is unused.  False: something was said. */
bool rule_body(struct check *, const struct sexp *form, const char *name, const char *doc, bool is_back, bool warns);
void rule_declare_lets(struct rule_scope *);

/* Rule b is rule a under other names; b is a case of a. */
bool rule_is_same(const struct tn_program_text *, const struct tn_rule *a, const struct tn_rule *b);
bool rule_covers(const struct tn_program_text *, const struct tn_rule *a, const struct tn_rule *b);

/* Which rules may cover which (cover_index.c). */
struct rule_index {
	VEC(uint64_t) feature;		/* of rule r: feature[first[r]] … feature[first[r + 1] - 1], sorted */
	VEC(uint32_t) first;
	struct map filed;		/* from a feature to the last of the rules that are filed under it … */
	VEC(uint32_t) next;		/* … and from each to the one before it, or UINT32_MAX */
	VEC(uint32_t) found;
};

void rule_index_make(struct rule_index *, const struct tn_program_text *);
/* Rules that may cover this one, in order, into found: no other does. */
void rule_index_find(struct rule_index *, uint32_t rule);
void rule_index_free(struct rule_index *);
/* Are the sides the same, with operands of commutative operators in any order? */
bool rule_is_idle(const struct tn_program_text *, const struct tn_arrow *);

#endif
