/*
 * How one graph came from another: a chain of equations, each by one application of a rule, or by computing a
 * constant, or by a form that a file has for an operator.
 *
 *	chain.c		the graph of all terms, each once; what the equations make equal
 *	spot.c		where a rule's patterns stood in the e-graph when it was applied
 *	alone.c		a step's place as a graph by itself, and the rule applied to that
 *	make.c		from an e-graph and a choice to the chain
 *	reason.c	what a union says, as a step
 *	check.c		every step again
 *	write.c read.c	as text
 */
#ifndef EXPLAIN_CHAIN_H
#define EXPLAIN_CHAIN_H

#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"
#include "tenon/explain.h"

enum step_kind {
	STEP_RULE,
	STEP_FOLD,		/* a constant computed: one value everywhere */
	STEP_FORM,		/* what a file has as several operators */
};
/* As they are written. */
extern const char *const step_word[STEP_FORM + 1];

/* Lists are runs of tn_chain.list. */
struct step {
	uint8_t kind;		/* enum step_kind */
	uint32_t rule;
	uint32_t nat, nleaf;
	uint32_t at;		/* the places' nodes, then what each is, then the nodes at which the places end */
	const char *with;	/* the substitution as text, in the arena */
	uint32_t time;		/* steps go by it while they are found */
};

struct tn_chain {
	struct tn_graph *g;	/* the original's nodes, then those that steps speak of; outputs: the result's */
	const struct tn_graph *original;
	const struct tn_onnx *form;
	uint32_t ngiven;	/* nodes of the original */
	VEC(const char *) name;	/* per node, as it is written: set by chain_name */
	VEC(uint32_t) wanted;	/* nodes that tell the equations how terms hang together, in order */
	struct map known;	/* nodes by operator, record and operands */
	VEC(struct step) step;
	VEC(uint32_t) list;
	struct arena arena;
};

static inline const uint32_t *
step_at(const struct tn_chain *c, const struct step *s)
{
	return &c->list.at[s->at];
}

static inline const uint32_t *
step_is(const struct tn_chain *c, const struct step *s)
{
	return &c->list.at[s->at + s->nat];
}

static inline const uint32_t *
step_leaves(const struct tn_chain *c, const struct step *s)
{
	return &c->list.at[s->at + 2 * s->nat];
}

/* ---- chain.c --------------------------------------------------------------------------------------------- */

/* A chain without steps from the graph, which must stay; NULL and error. */
struct tn_chain *chain_new(const struct tn_graph *original, const struct tn_onnx *form, struct tn_error *);
/* The node of this operator on these, made if it is not there; TN_NONE and error: a shape check fails. */
uint32_t chain_node(struct tn_chain *, unsigned op, tn_attrs, const uint32_t kid[], int nkid, struct tn_error *);
uint32_t chain_fill(struct tn_chain *, double value, tn_type);
/* The same as a node of the original, which need not be a declared operator, on other operands. */
uint32_t chain_like(struct tn_chain *, uint32_t given, const uint32_t kid[], struct tn_error *);
/* A node that was put into the graph otherwise can be looked up, if none like it is there. */
void chain_know(struct tn_chain *, uint32_t node);
/* The node with the key, or TN_NONE. */
uint32_t chain_lookup(const struct tn_chain *, uint32_t op, tn_attrs, const uint32_t kid[], uint32_t nkid);
/* The step with its lists, unless it is there already. */
void chain_step(struct tn_chain *, struct step, const uint32_t at[], const uint32_t is[], const uint32_t leaf[]);
/* Per node the oldest that the equations of all steps, and congruence, make it equal to; caller frees. */
uint32_t *chain_classes(const struct tn_chain *);

struct alone;

/* ---- write.c --------------------------------------------------------------------------------------------- */

/* Name every node as it is written. */
void chain_name(struct tn_chain *);

/* ---- check.c --------------------------------------------------------------------------------------------- */

/* Apply the step until it gives what it says, `alone` then having that; false and error: it never does. */
bool chain_replay(const struct tn_chain *, const struct step *, const bool is_constant[], struct alone *, struct tn_error *);
/* Per node: is it constant, by the equations too?  Caller frees. */
bool *chain_constants(const struct tn_chain *);

/* ---- alone.c --------------------------------------------------------------------------------------------- */

/* A step's place by itself: its leaves are inputs, or weights where they are constant and the rule may ask. */
struct alone {
	const struct tn_chain *chain;
	const struct step *step;
	const uint32_t *at, *leaf;	/* of the chain's graph */
	struct tn_graph *from;		/* leaves are inputs x0, x1, …; outputs: the places */
	struct tn_graph *to;		/* the same after the step; NULL: there is none yet */
	const char *with;		/* the substitution of `to`, in the arena; empty as long as the chain's nodes have no names */
	VEC(uint32_t) node, copy;	/* nodes of the chain's graph, and what they are in `from` */
	struct arena arena;
	struct tn_tensors *tensors;	/* of a rule's step: `from` with the rule applied */
	struct tn_graph *seed;		/* what it was made of */
	uint32_t next;			/* union to be looked at */
};

/* nat, nleaf, kind and rule of the step are asked; the lists are given. */
bool alone_open(struct alone *, const struct tn_chain *, const struct step *, const uint32_t at[], const uint32_t leaf[],
    const bool is_constant[], struct tn_error *);
/* The next thing that the step may come to, in `to` and `with`; false: there is no more. */
bool alone_next(struct alone *);
void alone_close(struct alone *);
/* Which leaf an input of `from` or `to` is. */
uint32_t alone_leaf(const struct tn_graph *, const struct tn_gnode *);

#endif
