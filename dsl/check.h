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

enum { PARAMETERS = 16 };	/* of a function, at most */

struct fn_form {			/* (fn NAME (v …) EXPR), checked where it is called */
	const char *name;
	const struct sexp *form;
	int file_order;			/* a fn sees only earlier ones, so there is no recursion */
	bool is_broken;			/* said where it is declared; calls are poison */
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
	struct map declared;		/* "enum act" to index in place */
	VEC(struct tn_span) place;
	uint32_t fn_limit;		/* inside a fn's body only those before it are seen, and nothing of the caller; else UINT32_MAX */
	uint32_t number;		/* of rules, and of patterns of those that have several */
	bool is_told;			/* that rules of two files have the same names: once is enough */
	uint32_t ncopy;			/* nodes of the form's instances */
	uint32_t depth, size;		/* of what is being checked: nested calls; nodes that functions brought into the form */
};

/* What an atom means here.  The hooks return NULL after having said why. */
struct scope {
	const struct tn_x *(*resolve)(struct scope *, struct check *, const struct sexp *atom);
	/* A call that only this scope knows (a read, a reduction …); NULL and not *is_mine: none of it. */
	const struct tn_x *(*call)(struct scope *, struct check *, const struct sexp *list, bool *is_mine);
	/* A new variable, seen until unbind; -1 after having said why there is none. */
	int (*bind)(struct scope *, struct check *, const struct sexp *name, enum tn_varkind, enum tn_sort);
	void (*unbind)(struct scope *, int var);
	bool has_reals;			/* functions of element values may be called */
	int floor;			/* variables before it are not seen: those of the caller of a fn */
};

/* The typed expression, or NULL (poison, already said).  Any sort if want < 0; INT goes as REAL. */
const struct tn_x *expr_check(struct check *, struct scope *, const struct sexp *, int want_sort);
/* One more level of recursion; false, said, if there are too many.  expr_leave follows in any case. */
bool expr_enter(struct check *, struct tn_span);
void expr_leave(struct check *);
/* Say that functions make too much of the form; what is left of it is not looked at. */
void expr_too_large(struct check *, struct tn_span);
/* Nodes, for the scopes' own calls. */
struct tn_x *expr_new(struct check *, enum tn_xkind, enum tn_sort, struct tn_span);
const struct tn_x *const *expr_kids(struct check *, int n, const struct tn_x *const kid[]);
const struct tn_x *expr_int(struct check *, int64_t, struct tn_span);
const struct tn_x *expr_call(struct check *, enum tn_fn, enum tn_sort, struct tn_span, int n, const struct tn_x *const kid[]);
/* The function's body with its parameters bound to the arguments (sexps), at a call. */
const struct tn_x *expr_inline(struct check *, struct scope *, const struct fn_form *, const struct sexp *call);
/* (fn NAME (v …) EXPR) is well-formed; false: said. */
bool check_fn_body(struct check *, const struct sexp *form);
const struct fn_form *fn_named(struct check *, const char *name);
/* true, false, f32 …: names that mean themselves; NULL: none of them, nothing said. */
const struct tn_x *expr_constant(struct check *, const struct sexp *atom);
/* The sort of an attribute of this kind. */
enum tn_sort kind_sort(enum tn_kind);
/* Are the two expressions the same, whatever their place? */
bool expr_equal(const struct tn_x *, const struct tn_x *);
const char *sort_text(enum tn_sort);	/* "a number", "a list", … */

/* A name as a value of the enum; NULL, said, if it is none. */
const struct tn_x *check_enum_value(struct check *, const struct tn_enum *, const struct sexp *);

void check_op(struct check *, const struct sexp *form);
void check_rule(struct check *, const struct sexp *form);
void lint_rules(struct check *);

/* The nearest of n names to `name` if it is near enough to be meant, else NULL: for hints. */
const char *nearest_name(const char *name, const char *const names[], int n);

#endif
