/*
 * Do rules hold?  Each is checked from the definitions of its operators alone, on many small shapes and
 * attribute values, with no axiom about tensors: both sides are computed and compared.
 */
#ifndef TENON_VERIFY_H
#define TENON_VERIFY_H

#include "ctx.h"
#include "rule.h"

enum tn_verdict_kind {
	TN_HOLDS,		/* on all instances, in a domain where equal means equal */
	TN_TESTED,		/* on all instances, in doubles alone: it needs facts about exp, sqrt … that no domain has */
	TN_REFUTED,
	TN_UNCHECKABLE,		/* an operator without def, or more than the checker knows */
	TN_NO_INSTANCE,		/* no shapes and attributes satisfy both sides and the guards */
};

struct tn_verify_options {
	uint32_t instances;	/* at least so many, 0: 8; more until every attribute value was met */
	uint32_t tries;		/* give up looking for a first instance after so many, 0: 60000 */
	uint64_t seed;
	bool is_larger;		/* larger shapes and more of them, for what small ones do not tell apart */
	bool is_first;		/* the first counter-example will do, it need not be small */
};

struct tn_verdict {
	enum tn_verdict_kind kind;
	uint32_t ninstance, ntry;
	double log2_accept;	/* HOLDS in prime fields: a false rule is accepted with a probability of at most 2^this; else 0 */
	const char *domain;	/* static text: in what it was compared */
	uint32_t types;		/* bit per enum tn_dtype: integers and booleans that it was compared in as well */
	char *given;		/* HOLDS: the axioms that were needed, "tanh-odd, log-exp"; malloc'ed, or NULL */
	char *text;		/* REFUTED: the counter-example, lines; UNCHECKABLE, NO_INSTANCE: why; malloc'ed, or NULL */
	char *unmet;		/* values of captured attributes that no instance had, "act tanh, …"; malloc'ed, or NULL */
	char *covered;		/* values that the left side's attributes, ranks and extents had, a line for each operator; malloc'ed */
	char *joint;		/* how many pairs of kinds of those were had together, a line for each operator; malloc'ed, or NULL */
	char *apart;		/* every pair that was not, "conv2d: groups 2 with g 1", lines; malloc'ed, or NULL */
	uint32_t nunlike;	/* tries in which all checks and guards were met and the sides had different shapes: it does not apply there */
	char *unlike;		/* the smallest of those, lines; malloc'ed, or NULL */
};

/* The verdict on a rule of the program; deterministic for a seed.  Free with tn_verdict_free. */
TN_API struct tn_verdict tn_verify_rule(const struct tn_program_text *, const struct tn_rule *, const struct tn_verify_options *);
TN_API void tn_verdict_free(struct tn_verdict *);

#endif
