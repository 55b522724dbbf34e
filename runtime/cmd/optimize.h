/* What `tenon optimize` was asked, and what came of it: the phases pass one struct along. */
#ifndef CMD_OPTIMIZE_H
#define CMD_OPTIMIZE_H

#include "cmd/given.h"
#include "cmd/measuring.h"
#include "cmd/model.h"
#include "cmd/program.h"
#include "cmd/sizes.h"
#include "tenon/explain.h"
#include "tenon/optimizer.h"
#include "tenon/target.h"

struct optimize_options {
	const struct tn_optimizer *compiled;	/* rules and costs of an optimizer that tenonc made; NULL: those named here */
	const char *in, *out, *target, *costs, *extract, *json, *dot, *egraph, *explain, *scheduler, *cycles;
	strings shape, at, input;
	struct rule_options rules;
	uint64_t iterations, multi_iterations, nodes, growth_percent, max_applies;
	double time_s, verify_time_s, extract_time_s, fold_time_s;
	uint64_t finalists, threads;		/* finalists 0: three where they can run, else one */
	bool verify, verbose, force, fold_overridable, unsafe_rules, measure, tf32;
};

enum verified { NOT_VERIFIED, VERIFIED, NOTHING_TO_VERIFY, NO_ELEMENTS };

/* A graph that may be written, and what it comes to. */
struct finalist {
	struct tn_choice *choice;
	tn_id *enode;				/* the choice, per e-class */
	struct tn_graph *chosen;		/* as a graph, nothing folded */
	struct tn_graph *result;		/* as it would be written; without values until it may be */
	struct tn_bill bill;
	uint32_t *contributed;			/* per rule: applications that made the choice */
	uint64_t fingerprint;			/* of the graph as chosen */
	uint32_t folded;
	bool is_fold_late;			/* there was no time to fold all that may */
	enum verified verified;
	struct tn_difference difference;
	struct tn_bill planned;			/* where it ran: with the reorders that it has there */
	struct tn_lap lap;			/* where it ran */
	struct tn_error unable;			/* why it did not, and may not be written, if code is not 0 */
};
enum { MOST_FINALISTS = 100 };

/* The finalists and the original, run in turn. */
struct race {
	struct tn_target *target;		/* NULL: none */
	uint32_t finalists;			/* as many are wanted */
	struct tn_error why;			/* why nothing ran, if code is not 0 */
	uint32_t rounds;			/* 0: nothing ran */
};

struct optimize {
	const struct optimize_options *o;
	const struct tn_program *program;
	bool *rule_on;
	char *unchecked;			/* rules of the user's of which it is not known whether they hold, or NULL: none was looked at */
	struct tn_ctx *ctx;
	struct model model;
	bool is_onnx;				/* the form of what is written */
	struct tn_graph *taken_apart;		/* the original in that form, where it came in another; or NULL */
	const struct tn_graph *original;
	struct given given;
	sizes_list sizes;
	struct tn_costs *costs;
	struct tn_tensors *tensors;
	struct tn_report *report;
	struct finalist *finalist;		/* the cheapest first; nfinalist of them */
	uint32_t nfinalist;
	struct finalist *best;			/* the one that is written, if one is */
	struct finalist unchanged;		/* the original in the same way: its result, price and time */
	struct race race;
	struct measuring measuring;		/* target NULL: what is not measured is modelled */
	int64_t bound;				/* nothing in the e-graph costs less */
	bool is_bound_met;			/* by a choice in it, if all of its constant parts may fold */
	tn_id first_new;			/* e-nodes below it are the original's */
	struct tn_bill before, after;		/* of what is in the files */
	bool is_limited;			/* not all constant parts that were chosen may fold */
	bool has_views;				/* do users read what their operands are made of? */
	size_t enodes, eclasses;
	double log2_choices;			/* of nodes in the classes that outputs reach */
	bool is_changed;			/* the best is cheaper, and written; else the original is */
	enum verified verified;			/* of what is written */
	struct tn_difference difference;
	struct tn_chain *chain;			/* how the result came about, if that is asked */
	double saturate_s, extract_s, fold_s, verify_s;
};

/* The command with an optimizer's own rules and costs, and without options that name others. */
int optimize_compiled(const struct tn_optimizer *, int argc, char **argv);
/* Its costs. */
struct tn_costs *optimizer_costs(const struct tn_optimizer *, struct tn_ctx *, struct tn_error *);

/* Are prices a table's, from a file or compiled in? */
bool optimize_has_table(const struct optimize_options *);
/* The finalist is what is written; NULL: the original, of which there is nothing to verify. */
void optimize_take(struct optimize *, struct finalist *);
/* May the result be written?  Not what was to be verified and is not, as that was interrupted. */
bool may_write(const struct optimize *);
/* explain.c: the chain to the choice, every step of it checked again; and its file. */
bool explain_result(struct optimize *, struct tn_error *);
bool explain_write(const struct optimize *, struct tn_error *);

/* measured.c: costs that are measured on the way, to a table that is given or to one that is dropped; all that the e-graph
 * holds; false where the target failed since, so that prices are not what they were to be; the table to its file. */
struct tn_costs *measured_open(struct optimize *, struct tn_error *);
bool measured_all(struct optimize *, const struct tn_pricing *, struct tn_error *);
bool measured_done(const struct optimize *, struct tn_error *);
bool measured_write(const struct optimize *, struct tn_error *);
/* race.c: the target of this name, opened as the options say; NULL and error. */
struct tn_target *race_target(const struct optimize *, const char *name, struct tn_error *);
/* race.c: the target that finalists run on, if there is to be one; run those that may be written, and take the best. */
bool race_open(struct optimize *, struct tn_error *);
bool race_run(struct optimize *, struct tn_error *);

/* report_race.c: that part of both reports. */
void report_race(const struct optimize *, FILE *);
void report_race_json(const struct optimize *, FILE *);
/* The closing table, and the same as JSON. */
void report_print(const struct optimize *, FILE *);
bool report_json(const struct optimize *, const char *path, struct tn_error *);

#endif
