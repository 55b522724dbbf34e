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

struct number eval_number(struct eval *, const struct tn_x *);
/* As an index; *absent is set where it is not there. */
int64_t eval_whole(struct eval *, const struct tn_x *, bool *absent);

/* items.c: indices, EACH for a number that goes with every element */
struct tn_list eval_items(struct eval *, const struct tn_x *, bool *absent);
/* What is bound to a variable outside of the def: one extent or value, or all of a sequence. */
struct tn_list eval_bound(const struct eval *, int var);

#endif
