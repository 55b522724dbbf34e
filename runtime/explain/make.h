/* Making a chain from an e-graph's proof, between its files. */
#ifndef EXPLAIN_MAKE_H
#define EXPLAIN_MAKE_H

#include "egraph/proof.h"
#include "explain/chain.h"

struct pair {
	tn_id a, b;
};

struct making {
	struct tn_chain *c;
	struct tn_tensors *t;
	const struct tn_program *program;
	const tn_id *choice;
	struct proof p;
	uint32_t *node;			/* per id: its term in the chain, or TN_NONE */
	bool *is_constant;		/* per id: its very term is */
	bool *is_used;			/* per union */
	uint32_t *chosen;		/* per class: the chosen term in the chain, or TN_NONE */
	VEC(struct pair) todo;
	bool ok;
	struct tn_error *error;
};

/* make.c */
/* The two ids were equal: it is to be told why. */
void make_equal(struct making *, tn_id a, tn_id b);
/* The term of the id in the chain; TN_NONE: m->ok is false. */
uint32_t make_term(struct making *, tn_id);
/* The term, which is to be written: by it the equations are put together. */
void make_wanted(struct making *, tn_id);
/* Say so, once: a defect; false. */
bool make_fail(struct making *, const char *fmt, ...) TN_PRINTF(2, 3);

/* reason.c: the step that union u says, of a rule or of a form. */
void reason_rule(struct making *, uint32_t u);
void reason_form(struct making *, uint32_t u);

#endif
