/*
 * The typed pass: shared state and the one expression checker.
 *
 *	check.c		forms of a file in order, includes, enums, functions, devices
 *	check_expr.c	expressions of operators and of rules, over a scope that resolves atoms
 *	check_op.c	operator declarations
 *	check_rule.c	rules: patterns, results, guards (writes out `for`, `<=>`, lets)
 *	lint.c		what is legal but wrong: unused, equal sides, duplicate, covered, product
 *
 * A name that failed to resolve becomes poison (NULL from expr_check) and silences what depends on
 * it: one mistake, one message.
 */
#ifndef DSL_CHECK_H
#define DSL_CHECK_H

#include "base/map.h"
#include "base/vec.h"
#include "dsl/rule.h"
#include "dsl/sexp.h"

struct fn_form {			/* (fn NAME (v …) EXPR), checked where it is called */
	const char *name;
	const struct sexp *form;
	int file_order;			/* a fn sees only earlier ones, so there is no recursion */
};

struct check {
	struct rules *r;
	struct arena *arena;		/* r->arena */
	struct diags *diags;		/* &r->diags */
	VEC(struct tn_op) op;		/* TN_CORE of them first */
	VEC(struct tn_rule) rule;
	VEC(const struct tn_enum *) enums;
	VEC(struct tn_device) device;
	VEC(struct fn_form) fn;
	struct map op_named, enum_named, fn_named, rule_named, device_named;	/* to index in the above */
	struct map included;
};

/* What an atom means here.  resolve returns NULL after having said why. */
struct scope {
	const struct tn_x *(*resolve)(struct scope *, struct check *, const struct sexp *atom);
	/* A read (x …), inside, pick, before; NULL where there are none (rules). */
	const struct tn_x *(*call)(struct scope *, struct check *, const struct sexp *list, bool *is_mine);
	/* New variable of a let, parameter or iterator; -1 where there are none. */
	int (*bind)(struct scope *, struct check *, const struct sexp *name, enum tn_varkind, enum tn_sort);
	void (*unbind)(struct scope *, int var);	/* out of sight again */
	bool is_def;			/* reductions, reads and real functions allowed */
};

/* The typed expression, or NULL (poison, already said).  Any sort if want < 0; INT goes as REAL. */
const struct tn_x *expr_check(struct check *, struct scope *, const struct sexp *, int want_sort);

void check_op(struct check *, const struct sexp *form);
void check_rule(struct check *, const struct sexp *form);
void lint_rules(struct check *);

/* The nearest of n names to `name` if it is near enough to be meant, else NULL: for hints. */
const char *nearest_name(const char *name, const char *const names[], int n);

#endif
