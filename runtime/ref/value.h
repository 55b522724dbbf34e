/* Inside of the tree walker: values of a def, and lists of indices. */
#ifndef REF_VALUE_H
#define REF_VALUE_H

#include "ref/domain.h"
#include "tenon/eval.h"
#include "tensor/infer.h"

/* A number of a def: whole, or an element.  It is absent where a read outside of its operand took part in it. */
struct number {
	bool is_real, is_absent;
	int64_t i;
	union elem f;			/* where it is real */
};

/* The evaluation of one operator on arrays. */
struct eval {
	struct tn_eval *ev;
	struct domain_run *run;
	const union elem *const *elem;	/* by operand; NULL: the doubles of ev's arrays */
	struct walk w;			/* extents and attributes */
	struct tn_list *index;		/* by variable: an index, or the indices of a sequence */
	bool *is_index;			/* by variable: is it running */
	struct number *let;		/* by variable: values named in the def */
	int depth;			/* reductions around */
	int picked;			/* operand that stands for the variadic one */
};

/* The length of a list that is one number to go with every item of another (struct tn_list). */
enum { LIST_EACH = -2 };

/* fn of whole numbers; comparisons and logic give 0 or 1. */
static inline int64_t
whole_fn(enum tn_fn fn, int64_t a, int64_t b)
{
	switch (fn) {
	case TN_F_ADD: return a + b;
	case TN_F_SUB: return a - b;
	case TN_F_MUL: return a * b;
	case TN_F_MOD: return tn_int_mod(a, b);
	case TN_F_CEILDIV: return tn_int_ceildiv(a, b);
	case TN_F_MAX: return tn_int_max(a, b);
	case TN_F_MIN: return tn_int_min(a, b);
	case TN_F_EQ: return a == b;
	case TN_F_NE: return a != b;
	case TN_F_LT: return a < b;
	case TN_F_LE: return a <= b;
	case TN_F_GT: return a > b;
	case TN_F_GE: return a >= b;
	case TN_F_DIVIDES: return tn_int_divides(a, b);
	case TN_F_AND: return a & b;
	case TN_F_OR: return a | b;
	case TN_F_NOT: return !a;
	default: return tn_int_div(a, b);
	}
}

/* Extents and attributes of ev's operands as what the operator's variables are; false: they are none of its. */
bool eval_bind(struct walk *, struct tn_infer *, const struct tn_eval *ev);
void eval_unbind(struct walk *, struct tn_infer *);

struct number eval_number(struct eval *, const struct tn_x *);
/* As an index; *absent is set where it is not there. */
int64_t eval_whole(struct eval *, const struct tn_x *, bool *absent);

/* items.c: indices, LIST_EACH for a number that goes with every element */
struct tn_list eval_items(struct eval *, const struct tn_x *, bool *absent);
/* What is bound to a variable outside of the def: one extent or value, or all of a sequence. */
struct tn_list eval_bound(const struct walk *, int picked, int var);

#endif
