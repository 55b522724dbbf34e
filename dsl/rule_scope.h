/* A rule under construction, and what names mean inside it. */
#ifndef DSL_RULE_SCOPE_H
#define DSL_RULE_SCOPE_H

#include "dsl/check.h"

struct let_form {
	const struct sexp *name, *body;		/* (let name body) */
	enum { LET_NEW, LET_OPEN, LET_DONE, LET_BROKEN } state;
	int var;				/* TN_R_LET or TN_R_TERM, once it has one; else -1 */
	const struct tn_term *term;		/* of a tensor */
	bool is_used;
};

/* a value on a left side that names a let: typed when all variables are bound */
struct deferred {
	struct tn_bind *bind;
	const struct sexp *value;
	const struct tn_attr_decl *attr;
};

struct rule_scope {
	struct scope s;				/* first: hooks get a pointer to it */
	const struct sexp *form;		/* the instance: `for` written out */
	VEC(struct tn_rvar) var;
	VEC(uint32_t) uses;			/* per variable, how often it stands anywhere */
	VEC(struct let_form) let;
	VEC(struct deferred) deferred;
	VEC(struct tn_arrow) arrow;
	VEC(const struct tn_x *) when;
	bool is_left;				/* names that are not bound are bound now */
	bool is_map;				/* inside (f ?xs...)... */
};

void rule_scope_begin(struct rule_scope *, const struct sexp *form);
void rule_scope_free(struct rule_scope *);
/* A variable of one of the kinds ?x, ?xs..., $a, ..c; -1 if there is none. */
int rule_scope_find(const struct rule_scope *, const struct sexp *atom);
int rule_scope_add(struct rule_scope *, const struct sexp *atom, enum tn_rvkind, enum tn_sort, int op);
struct let_form *rule_scope_let(struct rule_scope *, const struct sexp *atom);
/* "no variable '?w' is bound", with the nearest that is. */
void rule_unbound(struct check *, struct rule_scope *, const struct sexp *atom);

/* A pattern (is_left) or a result; NULL: said. */
const struct tn_term *rule_term(struct check *, struct rule_scope *, const struct sexp *);
/* The term of a tensor let; NULL: said. */
const struct tn_term *rule_let_term(struct check *, struct rule_scope *, struct let_form *);
/* The value of an attribute, as a pattern or as an expression; NULL: said. */
const struct tn_x *rule_value(struct check *, struct rule_scope *, const struct tn_attr_decl *, const struct sexp *);
bool term_equal(const struct tn_term *, const struct tn_term *);
/* A guard's list pattern: [..h $i $j], names bound as they come; NULL: said. */
const struct tn_x *rule_list_pattern(struct check *, struct rule_scope *, const struct sexp *);

#endif
