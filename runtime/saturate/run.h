/* The state of one saturation run, shared by its steps. */
#ifndef SATURATE_RUN_H
#define SATURATE_RUN_H

#include "base/clock.h"
#include "egraph/egraph.h"
#include "saturate/apply.h"
#include "saturate/matches.h"
#include "saturate/reach.h"
#include "tenon/tenon.h"

/* What a run knows of a rule. */
struct rule_state {
	bool is_on;
	bool is_wanted;		/* in this iteration */
	bool is_done;		/* all its matches of this iteration were applied */
	uint32_t since;		/* clock of the last snapshot all of whose matches were applied; 0: none */
	uint32_t banned_until;	/* iteration */
};

struct run {
	struct tn_egraph *g;
	struct tn_search *search;
	const struct tn_program *program;
	const struct tn_limits *limits;
	struct tn_report *report;
	bool is_scalar;			/* all operators are: appliers need no shapes */
	uint32_t iteration_cap;
	struct rule_state *rule;
	struct tn_matches *matches;	/* per rule, and then per pattern of multi-pattern rules */
	struct tn_matches **out;	/* the same: the matches, or NULL while it is not searched for */
	bool *is_chosen;		/* the same: is it to be searched for */
	double *pattern_s;		/* per pattern: how long it was searched for */
	uint32_t nmulti;		/* iterations in which multi-pattern rules took part */
	struct reach *reach;		/* of the last snapshot, once it was asked for; else NULL */
	struct cycles *cycles;		/* what the cycle filter keeps; NULL: there is none */
	uint32_t *op_first;		/* a copy of the view's, with one operator's roots cut short */
	struct tn_apply apply;
	VEC(uint32_t) spelled;		/* a match with its runs behind it, for the proof */
	uint64_t napplied;
	double start_s;
	bool is_stopped;
	enum tn_stop stop;
};

/* Has neither the time nor the user ended the run? */
bool run_has_time(const struct run *);
/* It is stopped if it has not, or was before. */
bool run_is_over(struct run *);
void run_stop(struct run *, enum tn_stop);

/* Of the last snapshot. */
struct reach *run_reach(struct run *);

/* search.c: matches of all wanted rules on the snapshot. */
void search_rules(struct run *);
/* What is chosen, on a view. */
void search_chosen(struct run *, struct tn_view);
/* Is the rule wanted for what is new since then, and matched by a join, or not? */
bool search_is_of(const struct run *, int rule, uint32_t since, bool joined);
/* The smallest `since` of such a rule that is at least `from`; false: none. */
bool search_next_group(const struct run *, uint32_t from, bool joined, uint32_t *since);
/* join.c: matches of all wanted multi-pattern rules. */
void join_rules(struct run *);
/* cycles.c */
void cycles_begin(struct run *);
void cycles_end(struct run *);
/* Exclude the newest node of each cycle; before the snapshot. */
void cycles_exclude(struct run *);
/* apply.c: the matches of all wanted rules, in order; a limit may cut them short. */
void apply_rules(struct run *);
/* backoff.c: ban rules that found too much; shorten bans.  The latter is false where there is none. */
void backoff_ban(struct run *);
bool backoff_is_banned(const struct run *, int rule);
bool backoff_shorten(struct run *);

#endif
