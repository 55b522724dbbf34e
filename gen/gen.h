/*
 * From typed rules to C.  What comes out, in this order:
 *
 *	numbers of operators and rules; operators (ops.c); for each root operator the guards of its
 *	rules (guard.c), the drawing of their tree (draw.c) and the matcher (tree.c, match.c); for
 *	each rule its applier (apply.c); the tables of it all
 */
#ifndef GEN_GEN_H
#define GEN_GEN_H

#include <stdio.h>

#include "dsl/rule.h"
#include "gen/emit.h"
#include "gen/names.h"
#include "gen/plan.h"
#include "tenon/table.h"

struct gen_options {
	const char *name;		/* the program is tn_NAME; NULL: tn_program */
	const char *out;		/* the C file's path, as #line is to name it */
	bool no_lines;			/* no #line */
	int nmap;
	const char *const *map;		/* OLD=NEW: replaced at the beginning of paths; the last that fits */
	const char *target;		/* make an optimizer for it; NULL: the program alone */
	const struct tn_costs_table *costs;	/* with these costs; NULL: modelled */
	const char *costs_path;
	bool is_builtin;		/* of an optimizer: its rules are those that the library has, and no program is written */
};

/* The C file, and its header (NULL allowed). */
void gen_program(const struct rules *, const struct gen_options *, struct buf *c, struct buf *header);
/* How each rule is matched, step by step; the decision trees. */
void gen_print_plans(const struct rules *, FILE *);
void gen_print_trees(const struct rules *, FILE *);

/* ---- between gen's files ------------------------------------------------------------------------- */

/* A condition or an equation of a rule as a function: name(search, [value,] variables…). */
struct guard {
	const char *name;
	bool *uses;			/* by variable of the rule */
};

struct join;

struct gen {
	const struct rules *rules;		/* for source text */
	struct tn_program_text text;		/* with its paths as they are to be written */
	const struct gen_options *options;
	struct arena *arena;
	const char **op, **rule;		/* C spelling of their names, each its own */
	const char ***attr;			/* by operator and attribute: "A_conv2d_act" */
	const char ***value;			/* by enum and value: "E_act_relu" */
	struct plan *plan;			/* by rule */
	struct join **join;			/* by rule; NULL: it has one pattern */
	VEC(const struct plan *) pattern;	/* of multi-pattern rules, each once */
	const char **pattern_name;		/* C spelling */
	struct guard **when, **equals;		/* by rule and number */
	struct guard **key;			/* by rule and variable: what siblings agree in */
	struct emit out;
};

/* Everything up to the plans. */
void gen_begin(struct gen *, const struct rules *, const struct gen_options *, struct arena *);
void gen_end(struct gen *);
/* Begin what a rule's author wrote there; emit_back ends it. */
void gen_at(const struct gen *, struct emit *, struct tn_span);
/* A path with its beginning replaced as the options say. */
const char *gen_path(const struct gen *, const char *path);
/* The source of a span in one line, in the arena. */
const char *gen_source(const struct gen *, struct tn_span);
/* "OP_conv2d", "TN_FILL". */
const char *gen_op(const struct gen *, int op);
/* A number as arguments: "1, 6, 0". */
const char *gen_number(struct arena *, struct tn_number);
/* The C name of a value of an enum, a dtype, a bool. */
const char *gen_code(const struct gen *, const struct tn_x *);
/* A string of C. */
const char *gen_string(struct arena *, const char *);

/* "v: 0 ?x  1 ?k  2 $u": the words of the rule's matches. */
const char *gen_slots(const struct gen *, const struct plan *);

/* guard.c: when_RULE, equals_RULE for each GUARD and EQUALS step of the rule. */
void guard_functions(struct gen *, const struct plan *);
/* key_RULE: the value of a variable that only a condition binds, in which siblings agree. */
void guard_keys(struct gen *, const struct plan *);
const struct guard *guard_of(const struct gen *, const struct step *);

/* optimizer.c: the table of costs and main, behind the program of that name. */
void gen_optimizer(const struct gen_options *, const char *program, struct arena *, struct emit *);

/* apply.c: apply_RULE */
void apply_function(struct gen *, const struct plan *);

/* Whose matches the plan with this number finds, those of patterns being numbered after the rules. */
const struct plan *gen_plan(const struct gen *, int number);
/* Is it found by the matcher of this root operator? */
bool gen_is_root(const struct gen *, int number, int op);
/* "R_matmul_assoc", "P_matmul". */
const char *gen_yielded(const struct gen *, int number);

#endif
