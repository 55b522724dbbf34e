/* An operator under construction, and what names mean inside it. */
#ifndef DSL_OP_SCOPE_H
#define DSL_OP_SCOPE_H

#include "dsl/check.h"

enum { NAMES_LIMIT = 4096 };	/* variables of an operator, those of the functions it calls included */

struct op_scope {
	struct scope s;			/* first: hooks get a pointer to it */
	const struct sexp *form;
	struct tn_op op;
	VEC(struct tn_var) var;
	VEC(bool) is_visible;		/* per variable: its name means it now */
	VEC(bool) is_bound;		/* per variable: an index in def here (out, or a reduction around) */
	VEC(struct tn_attr_decl) attr;
	VEC(struct tn_operand) in;
	VEC(struct tn_where) where;
	VEC(struct tn_let) let;
	VEC(int16_t) out;
	bool is_def;			/* names of dims are indices */
	bool is_const;			/* defaults of attributes: no names at all */
	bool is_full;			/* too many names: said at the end */
	int picked;			/* variadic operand of the pick or sum around, or -1 */
};

void op_scope_begin(struct op_scope *, const struct sexp *form);
void op_scope_free(struct op_scope *);
/* "nothing here is called 'hh'", with the nearest that is. */
void op_scope_unknown(struct check *, struct op_scope *, const struct sexp *atom);
/* A variable by name; -1 if none is seen.  is_seq tells ..d from d. */
int op_scope_find(const struct op_scope *, const char *name, bool is_seq);
int op_scope_add(struct op_scope *, const char *name, enum tn_varkind, enum tn_sort, int attr, int elem);
int op_scope_operand(const struct op_scope *, const char *name);

/* The clauses of an operator, in the order in which they lean on each other. */
void op_check_attr(struct check *, struct op_scope *, const struct sexp *clause);
void op_check_in(struct check *, struct op_scope *, const struct sexp *clause);
/* Once all operands are known. */
void op_check_axis(struct check *, struct op_scope *, const struct sexp *clause);
/* Names of lets first: their order does not matter. */
void op_declare_let(struct check *, struct op_scope *, const struct sexp *clause);
void op_check_let(struct check *, struct op_scope *, const struct sexp *clause);
/* Put lets in order of use; a cycle is said at its first let. */
void op_sort_lets(struct check *, struct op_scope *);
/* Say which lets nothing names. */
void op_check_unused(struct check *, const struct op_scope *);
/* An element type by name or by attribute, as tn_operand.type; -1: said. */
int op_element_type(struct check *, struct op_scope *, const struct sexp *);

/* Calls that mean something only inside an operator: reads, reductions, picks. */
const struct tn_x *op_call(struct scope *, struct check *, const struct sexp *, bool *is_mine);
/* (def (let v E) … E) */
void op_check_def(struct check *, struct op_scope *, const struct sexp *clause);
/* Say where a read that may be outside stands under a function that is not linear. */
bool op_check_reads(struct check *, const struct op_scope *, const struct tn_x *def);
/* Is the definition the same with operands 0 and 1 exchanged? */
bool op_is_commutative(const struct tn_op *);

#endif
