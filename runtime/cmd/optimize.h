/* What `tenon optimize` was asked, and what came of it: the phases pass one struct along. */
#ifndef CMD_OPTIMIZE_H
#define CMD_OPTIMIZE_H

#include "cmd/given.h"
#include "cmd/model.h"
#include "cmd/program.h"
#include "cmd/sizes.h"
#include "tenon/explain.h"
#include "tenon/optimizer.h"

struct optimize_options {
	const struct tn_optimizer *compiled;	/* rules and costs of an optimizer that tenonc made; NULL: those named here */
	const char *in, *out, *target, *costs, *extract, *json, *dot, *egraph, *explain, *scheduler, *cycles;
	strings shape, at, input;
	struct rule_options rules;
	uint64_t iterations, multi_iterations, nodes, growth_percent, max_applies;
	double time_s, verify_time_s, extract_time_s, fold_time_s;
	bool verify, verbose, force, fold_overridable, unsafe_rules;
};

struct optimize {
	const struct optimize_options *o;
	const struct tn_program *program;
	bool *rule_on;
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
	struct tn_choice *choice;
	int64_t bound;				/* nothing in the e-graph costs less */
	bool is_bound_met;			/* by a choice in it, if all of its constant parts may fold */
	tn_id first_new;			/* e-nodes below it are the original's */
	uint32_t *contributed;			/* per rule: applications that made the choice */
	tn_id *enode;				/* the choice, per e-class */
	struct tn_graph *unfolded;		/* the choice as a graph, where it is to be explained */
	struct tn_graph *result;		/* the choice, as it would be written */
	struct tn_bill before, after;		/* of what is in the files */
	uint64_t fingerprint;			/* of the choice, nothing folded */
	uint32_t folded;
	bool is_limited;			/* not all constant parts that were chosen may fold */
	bool is_fold_late;			/* there was no time to fold all that may */
	size_t enodes, eclasses;
	double log2_choices;			/* of nodes in the classes that outputs reach */
	bool is_changed;			/* the result is cheaper, and written; else the original is */
	enum { NOT_VERIFIED, VERIFIED, NOTHING_TO_VERIFY, NO_ELEMENTS } verified;
	struct tn_difference difference;
	struct tn_chain *chain;			/* how the result came about, if that is asked */
	double saturate_s, extract_s, fold_s, verify_s;
};

/* The command with an optimizer's own rules and costs, and without options that name others. */
int optimize_compiled(const struct tn_optimizer *, int argc, char **argv);

/* May the result be written?  Not what was to be verified and is not, as that was interrupted. */
bool may_write(const struct optimize *);
/* explain.c: the chain to the choice, every step of it checked again; and its file. */
bool explain_result(struct optimize *, struct tn_error *);
bool explain_write(const struct optimize *, struct tn_error *);

/* The closing table, and the same as JSON. */
void report_print(const struct optimize *, FILE *);
bool report_json(const struct optimize *, const char *path, struct tn_error *);

#endif
