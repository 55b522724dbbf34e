/*
 * Typed rewrite rules as data: patterns, guards, results.
 *
 * After typing every `for` is written out, `<=>` has become two rules (NAME and NAME~back), lets of
 * tensors have become shared terms, operands left out are TN_T_NUM with their default, attributes
 * left out of an operator without `..c` are bound to their default.
 */
#ifndef TENON_RULE_H
#define TENON_RULE_H

#include "op.h"

enum tn_tkind {
	TN_T_VAR,		/* ?x; var */
	TN_T_ANY,		/* ?_ */
	TN_T_OP,		/* op, kid[], bind[], capture */
	TN_T_NUM,		/* num: a tensor that holds it everywhere */
	TN_T_ATTR,		/* $a as a tensor that holds it everywhere; var */
	TN_T_REST,		/* ?xs...: the rest of a variadic list; var */
	TN_T_MAP,		/* (f ?xs...)... or (f ?xs)...: kid[0] once per element of sequence var */
};

/* An attribute of a term: on the left a pattern (a variable binds it at its first occurrence;
 * a list of variables and one ..h may bind its elements), on the right a value. */
struct tn_bind {
	int16_t attr;
	const struct tn_x *x;
};

struct tn_term {
	uint8_t kind;			/* enum tn_tkind */
	int16_t var;
	int16_t op;			/* index into the program's operators */
	int16_t capture;		/* ..c: variable, or -1 */
	uint16_t nkid, nbind;
	struct tn_number num;
	const struct tn_term *const *kid;	/* a let's term may be shared; compare pointers */
	const struct tn_bind *bind;		/* by attribute number; complete unless capture >= 0 */
	bool is_let;			/* of a let: in a map or among siblings it is one for all */
	struct tn_span at;
};

enum tn_rvkind {
	TN_R_TENSOR,		/* ?x */
	TN_R_TENSORS,		/* ?xs... */
	TN_R_ATTR,		/* $a, bound by a pattern */
	TN_R_CAPTURE,		/* ..c: the record of the node that bound it, less the named ones */
	TN_R_LET,		/* (let $m EXPR): x */
	TN_R_SEQ,		/* ..h inside a list pattern of attributes */
	TN_R_TERM,		/* (let ?y TERM), used by dim/shape/rank of a result; term */
};

struct tn_rvar {
	const char *name;		/* without ? $ .. */
	uint8_t kind;			/* enum tn_rvkind */
	uint8_t sort;			/* of ATTR and LET: enum tn_sort */
	int16_t op;			/* CAPTURE: the operator; -1 otherwise */
	const struct tn_x *x;		/* LET; else NULL */
	const struct tn_term *term;	/* TERM; else NULL */
	struct tn_span at;
};

struct tn_arrow {
	const struct tn_term *from, *to;
	struct tn_span at;
};

struct tn_rule {
	const char *name, *doc;		/* "unary-concat/relu" for an instance of `for` */
	const char *file, *family;	/* family: the file's name without folder and .rules */
	int line;
	struct tn_span at;		/* the whole form, for its source text */
	bool is_axiom, is_trusted, is_normalise, is_backward;
	bool is_off;			/* patterns share no variable: off unless enabled by name */
	bool is_siblings;		/* (=> PATTERN... RESULT...): one arrow, for all matches at once; ?xs... in it are one each */
	int nvar, narrow, nwhen;
	const struct tn_rvar *var;	/* TENSOR and ATTR bound by patterns first, in order of binding */
	const struct tn_arrow *arrow;	/* several: a multi-pattern rule */
	const struct tn_x *const *when;	/* X_VAR's var indexes var[]; TENSOR sort for ?x */
};

/* A typed rule file, or several: what dsl makes, gen prints, and the slow matcher walks. */
struct tn_program_text {
	int nop, nrule, nenum, ndevice;
	const struct tn_op *op;		/* core operators first */
	const struct tn_rule *rule;
	const struct tn_enum *const *enums;
	const struct tn_device *device;
};

#endif
