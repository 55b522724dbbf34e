/*
 * A function over a rule's variables, as guards and appliers are: expressions of the rule language
 * as C text of type struct tn_v.
 *
 * A variable has a name of its own once the text has used it; then it must be declared.  Values of
 * lets and results are local constants, put before the statement that asks for them first.
 */
#ifndef GEN_FUNC_H
#define GEN_FUNC_H

#include "gen/gen.h"

/* A term of the result that has a name. */
struct made {
	const struct tn_term *term;
	const char *name;
};

/* The sum of a value over the siblings before the one at hand. */
struct sum {
	const struct tn_x *x;
	const char *name;
};

struct func {
	const struct gen *g;
	const struct plan *p;
	struct emit body;
	int depth;
	bool in_apply;
	struct names names;
	const char **name;		/* by variable */
	const char **count;		/* of ?xs... in an applier: how many */
	const char *index;		/* inside a map: which element of ?xs... is meant; else NULL */
	VEC(struct made) made;
	VEC(struct sum) sum;
};

void func_begin(struct func *, const struct gen *, const struct plan *, bool in_apply);
void func_end(struct func *);
/* A new local name. */
const char *func_name(struct func *, const char *stem);
/* The variable's name, used from now on. */
const char *func_var(struct func *, int var);
const char *func_value(struct func *, const struct tn_x *);
/* Have the two expressions one value, whatever their place? */
bool func_same(const struct tn_x *, const struct tn_x *);
/* The name of a sum that has one, or NULL. */
const char *func_sum(const struct func *, const struct tn_x *);
/* A condition as a C condition. */
const char *func_condition(struct func *, const struct tn_x *);
/* The class of a tensor variable, the class or staged node of a let's term (apply.c). */
const char *func_tensor(struct func *, int var);
/* Address of the first of ?xs...; f->count is how many. */
const char *apply_sequence(struct func *, int var);
const char *apply_term(struct func *, const struct tn_term *);

#endif
