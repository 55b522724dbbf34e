/*
 * An instance of a rule: shapes and attribute values that satisfy both sides and the guards.
 *
 *	instance.c	the whole of one
 *	draw.c		patterns: shapes and attributes are chosen so that operators admit them
 *	draw_attrs.c	their attributes
 *	operands.c	extents of open operands
 *	aim_find.c	numbers and the like that draws are aimed at
 *	aim.c		how: numbers must tell
 *	tell.c		whether they do
 *	near.c		neighbours of instances that were found
 *	wish.c		what guards ask for
 *	choose.c	single choices: extents, attribute values
 *	numbers.c	numbers that the rule mentions, for those
 *	compute.c	what guards, lets and attributes of results say of them
 *	build.c		results
 *	cover.c		which values were met
 *	joint.c		and which kinds of them together
 *	values.c	both sides computed
 *	axiom.c		sides that are equal only given axioms
 *	whole.c		in integers and booleans
 *	check.c		the verdict
 */
#ifndef VERIFY_INSTANCE_H
#define VERIFY_INSTANCE_H

#include "base/rand.h"
#include "base/vec.h"
#include "ref/domain.h"
#include "tenon/eval.h"
#include "tenon/verify.h"
#include "tensor/infer.h"
#include "verify/numbers.h"

enum { RUN_MAX = 4, VARS_MAX = 64, KIDS_MAX = 16, SEEN_MAX = 48, TERMS_MAX = 64 };

enum vkind { V_LEAF, V_NUMBER, V_OPERATOR };

/* A value: of a tensor variable, a number everywhere, or an operator's result; operands come before it. */
struct vnode {
	enum vkind kind;
	tn_type type;			/* of a number only where it is an operand */
	struct tn_number num;
	const struct tn_op *op;
	tn_attrs attrs;
	int nkid, kid[KIDS_MAX];
	const char *name;		/* LEAF: its variable */
	int elem;			/* LEAF: of ?xs..., else -1 */
};

/* What a variable of the rule is in the instance. */
struct bound {
	bool is_set;
	int node;			/* ?x, and a let that is a pattern */
	tn_val value;			/* $a, ..h */
	tn_attrs record;		/* ..c */
	const struct tn_op *op;		/* ..c: whose */
	int n, run[RUN_MAX];		/* ?xs... */
};

/* an attribute of a pattern that must be what is computed once all is bound */
struct equation {
	tn_val is;
	int item, n;			/* of a list: so many items from there; n 0: the value as a whole */
	const struct tn_x *wanted;
};

/* All that an attempt changes, so that a copy takes it back. */
struct state {
	struct bound var[VARS_MAX];
	struct equation waiting[SEEN_MAX];
	struct { const struct tn_term *term; int node, elem; } seen[SEEN_MAX];
	int nwaiting, nseen;
};

/* The operand that is being drawn, and those around it. */
struct place {
	const struct tn_term *term;	/* the operator */
	int operand;
	const struct place *up;
};

/* A default that was asked for before. */
struct usual {
	const struct tn_attr_decl *decl;
	tn_val value;
};

/* What stands in another record instead of the number aimed at; or what operands are. */
enum aim {
	AIM_USUAL,			/* the default and 1 */
	AIM_MORE,			/* one more */
	AIM_SAID,			/* a number that the rule says, where it is larger: the rule may stop there */
	AIM_EXCHANGED,			/* the next item, and it there */
	AIM_SQUARE,			/* the operand's axis is as long as the next, and longer than 1 */
	AIM_ALIKE,			/* the operand has the type of the one before */
	AIM_SIGN			/* a difference that the rule computes is below 0, 0, or above */
};

/* A number of a pattern's attributes; or an operand, attr -1; or a difference, no term. */
struct target {
	const struct tn_term *term;
	const struct tn_x *difference;
	int sign;
	int attr, item;			/* item: of a list of any length -1, any one */
	int operand, axis;		/* axis: which item of the operand's declaration */
	enum aim other;
	uint32_t nvain;			/* how often it was given up */
	uint32_t ntry, nhit;		/* how often what is aimed at was tried, and how often it told or was so */
};

/* What a pattern's operator was in an instance. */
struct kept {
	const struct tn_term *term;
	int elem;
	tn_attrs attrs;
	int n;
	tn_type type[KIDS_MAX];		/* of its operands */
};

/* An instance's among those. */
struct span {
	uint32_t from, n;
	enum tn_dtype dtype;		/* what operands shared: no draw of another type is near to it */
};

struct near {
	VEC(struct kept) kept;
	VEC(struct span) found;
	uint32_t nafresh;		/* draws that were near to none */
	int at;				/* the one that this draw is near to; -1: to none */
};

/* What an operator's conditions and lets are computed from: sets of its variables. */
struct reach {
	const struct tn_op *op;
	uint64_t *where, *let;		/* 0: not before all operands are there */
	bool *is_out;			/* by let: is it an extent of the result? */
	bool has_sequences;		/* an operand has ..d */
};

/* What an attempt came to grief at. */
enum stage { AT_PATTERN, AT_GUARDS, AT_RESULT, AT_SHAPES, AT_SIZE };

struct instance {
	const struct tn_program_text *text;
	const struct tn_rule *rule;
	struct tn_ctx *ctx;
	struct rng rng;
	const struct place *place;
	int rank;			/* axes that the operand being drawn should have; 0: any number */
	enum tn_dtype dtype;		/* what operands share where nothing else is said */
	bool is_larger;
	VEC(struct target) target;
	unsigned naim;			/* where aimed draws are aimed, counted round, until one is an instance or many came to nothing */
	unsigned nlost;			/* that came to nothing there */
	uint64_t constants;		/* what (constant ?x) answers: a bit for each variable */
	bool asks_type;			/* a guard asks for an element type: any float may be the one */
	unsigned ntell;			/* how often in this draw it was asked whether a number tells */
	bool is_aimed;			/* all draws are aimed: there are instances enough */
	struct target *aim;		/* what this one is aimed at; NULL: nothing */
	tn_val instead;			/* what stands in the other record; TN_NONE: not drawn yet */
	struct near near;
	struct state now;
	VEC(struct vnode) node;
	int narrow;			/* arrows; of a rule over siblings, how many those are */
	int elem;			/* which element of ?xs... a value asks for; -1: of none */
	int mapped;			/* which element of a map is being drawn; 0: the first, or there is no map */
	int from[TERMS_MAX], to[TERMS_MAX];	/* by arrow: both sides */
	enum stage stage;			/* that was begun last */
	int unlike;				/* AT_SHAPES: the arrow whose sides have different shapes */
	VEC(struct usual) usual;
	VEC(const struct reach *) reach;
	struct arena arena;			/* of those */
	struct numbers numbers;		/* that the rule mentions */
	struct scratch scratch;
	struct calc calc;
};

/* What instances of a rule are drawn in; the text must outlive it. */
struct instance *instance_new(const struct tn_program_text *, const struct tn_rule *, uint64_t seed);
void instance_free(struct instance *);
/* Draw an instance; false: this attempt came to nothing. */
bool instance_draw(struct instance *);

/* ---- between the files -------------------------------------------------------------------------- */

/* The pattern's node, chosen anew; -1: it cannot be.  elem: which element of ?xs..., or -1. */
int draw_term(struct instance *, const struct tn_term *, int elem);
/* The record of a pattern's operator; TN_NONE: it cannot be.  The kept one may be NULL; first: a shape to make lists and
 * axes by. */
tn_attrs draw_attrs(struct instance *, const struct tn_term *, const struct kept *, const struct tn_shape *first);
/* Will draw_attrs give the same record again? */
bool attrs_are_settled(const struct instance *, const struct tn_term *);
/* What the pattern says of its operator's attribute; NULL: nothing. */
const struct tn_x *named_attr(const struct tn_term *, int attr);
/* All that draws are aimed at. */
void aim_find(struct instance *);
/* Where the next draw is aimed, if it is; and whether it was an instance. */
void aim_next(struct instance *);
void aim_note(struct instance *, bool is_instance);
/* Is the draw aimed at a number of this pattern's operator, or at its operands? */
bool aim_is_at(const struct instance *, const struct tn_term *);
/* The axis that an operand's item is; -1: sequences stand before it and behind. */
int aim_axis(const struct tn_operand *, int item, int rank);
/* Is no guard broken, nor a difference that the draw is aimed at of another sign, by what is bound so far? */
bool aim_allows(struct instance *);
/* The value of the attribute aimed at, from what was chosen: mostly the number is 2 more than the default, or another number
 * of the attribute is 1 more; or it is more than a number that the rule says. */
tn_val aim_choose(struct instance *, const struct tn_attr_decl *, tn_val chosen);
/* The operator's record with another number where the draw is aimed at, or where the same variable or capture stands again;
 * TN_NONE: there is none. */
tn_attrs aim_other(struct instance *, const struct tn_term *, tn_attrs);
/* Has the operator's result the same shape and other values under that record, or are its operands as they should be? */
bool aim_hits(struct instance *, int node, tn_attrs other);
/* Does the operator's result have other values, in the same shape, under another record? */
bool tells_apart(const struct instance *, int node, tn_attrs other);
/* The result's node; -1: a shape check refuses it. */
int build_term(struct instance *, const struct tn_term *, int elem);
/* The operator on these operands, if its checks admit them; numbers among them get their shape. */
int instance_operator(struct instance *, const struct tn_op *, tn_attrs, const int kid[], int nkid);
int instance_node(struct instance *, const struct vnode *);
/* The default of an attribute, or TN_NONE. */
tn_val instance_default(struct instance *, const struct tn_attr_decl *);
/* The exact number that an attribute value means; false: it is none. */
bool instance_number(const struct instance *, tn_val, struct tn_number *);
const struct tn_shape *instance_shape(const struct instance *, int node);
/* An array without elements that says its shape. */
struct tn_array instance_array(const struct instance *, int node);
/* Its elements; 0: a number that no operand gave a shape, INT64_MAX: too many to be counted. */
int64_t instance_count(const struct instance *, int node);
/* Has it no more elements than are computed in an instance? */
bool instance_is_small(const struct instance *, int node);

/* Value of an expression; *is_late: it asks for a variable that is not bound yet. */
struct tn_v compute(struct instance *, const struct tn_x *, bool *is_late);
bool compute_same(struct instance *, struct tn_v, struct tn_v);
/* The list matches the pattern: its variables are bound, or are the same. */
bool compute_list(struct instance *, tn_val list, const struct tn_x *pattern);
bool compute_equations(struct instance *);
/* Is no guard broken by what is bound so far? */
bool compute_allows(struct instance *);
bool compute_guard(struct instance *, const struct tn_x *);

/* The extent that a guard asks for, of a tensor variable that is not bound yet; 0: none does. */
tn_dim wish_extent(struct instance *, int var, int axis, int rank);
/* The same of an attribute's variable; BAD: none does. */
struct tn_v wish_attr(struct instance *, int var);

tn_dim choose_extent(struct instance *);
/* Have both operands the same axes by name? */
bool same_items(const struct tn_operand *, const struct tn_operand *);
/* The shape that the operand being drawn must have because of its neighbours; NULL: none is settled. */
const struct tn_shape *wanted_shape(const struct instance *);
/* A shape of at least `least` axes, often one that is there already. */
void choose_shape(struct instance *, int least, struct tn_shape *);
tn_val choose_attr(struct instance *, const struct tn_op *, int attr, const struct tn_shape *first);
tn_val choose_float(struct instance *);

#endif
