/* An operator under construction, and what names mean inside it. */
#ifndef DSL_OP_SCOPE_H
#define DSL_OP_SCOPE_H

#include "dsl/check.h"

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
	int picked;			/* variadic operand of the pick around, or -1 */
};

void op_scope_begin(struct op_scope *, const struct sexp *form);
void op_scope_free(struct op_scope *);
/* A variable by name; -1 if none is seen.  is_seq tells ..d from d. */
int op_scope_find(const struct op_scope *, const char *name, bool is_seq);
int op_scope_add(struct op_scope *, const char *name, enum tn_varkind, enum tn_sort, int attr, int elem);
int op_scope_operand(const struct op_scope *, const char *name);

/* Calls that mean something only inside an operator: reads, reductions, picks. */
const struct tn_x *op_call(struct scope *, struct check *, const struct sexp *, bool *is_mine);
/* (def (let v E) … E) */
void op_check_def(struct check *, struct op_scope *, const struct sexp *clause);
/* Say where a read that may be outside stands under a function that is not linear. */
bool op_check_reads(struct check *, const struct op_scope *, const struct tn_x *def);
/* Is the definition the same with operands 0 and 1 exchanged? */
bool op_is_commutative(const struct tn_op *);

#endif
