/* The closing report of tenon optimize, as a table and as JSON. */
#include <inttypes.h>

#include "cmd/steps.h"
#include "cmd/cmd.h"
#include "cmd/growth.h"
#include "cmd/optimize.h"

static const char *
verified_text(const struct optimize *z)
{
	static const char *const text[] = {
		[NOT_VERIFIED] = "not verified", [VERIFIED] = "equal", [NOTHING_TO_VERIFY] = "unchanged, nothing to verify",
		[NO_ELEMENTS] = "left as it was: an input without elements says nothing",
	};

	return text[z->verified];
}

static double
percent(int64_t before, int64_t after)
{
	return before ? 100.0 * (double)(after - before) / (double)before : 0;
}

/* is nothing in the e-graph cheaper than what is written?  What does not fold costs more than was reckoned. */
static bool
is_proven(const struct optimize *z)
{
	return z->after.ns <= z->bound;
}

/* is the cheapest known, and not written only as its weights would grow too much? */
static bool
is_too_large(const struct optimize *z)
{
	return z->is_bound_met && z->is_limited && !z->best->is_fold_late;
}

static void
print_proof(const struct optimize *z, FILE *f)
{
	const char *filtered = strcmp(z->o->cycles, "none") == 0 ? "" : "filtered ";
	int64_t bound = z->bound;

	if (is_proven(z))
		fprintf(f, "cheapest in its %se-graph, proven", filtered);
	else if (bound > 0)
		fprintf(f, "not proven: at most %.2f %% above the cheapest in its %se-graph", percent(bound, z->after.ns), filtered);
	else
		fprintf(f, "not proven");
	if (!is_proven(z) && is_too_large(z))
		fprintf(f, "; --max-growth excludes the cheapest");
	if (*filtered)
		fprintf(f, " (%zu nodes excluded)", z->report->excluded);
}

static void
print_missing(void *arg, uint32_t node, const char *signature, int64_t ns, bool is_measured)
{
	(void)node;
	if (!is_measured && ns > 0)
		fprintf(arg, "not measured   %s\n", signature);
}

/* how many prices of what is written were measured; at length which were not */
static void
print_prices(const struct optimize *z, FILE *f)
{
	struct tn_bill_lines lines = {print_missing, f};
	struct tn_bill bill;

	if (!optimize_has_table(z->o))
		return;
	if (z->o->verbose)
		tn_costs_graph(z->costs, z->is_changed ? z->best->result : z->unchanged.result, z->sizes.at[0], &lines, &bill);
	fprintf(f, "%-14s %u operators measured, ", "prices", z->after.measured);
	if (z->o->measure)
		fprintf(f, "%u measured now, ", z->after.measured_now);
	fprintf(f, "%u modelled as %s\n", z->after.modelled, tn_costs_model(z->costs));
	if (z->o->measure)
		fprintf(f, "%-14s %u operators of the e-graph, for %u there is no kernel\n", "measured now", z->measuring.measured,
		    z->measuring.refused);
}

/* "rules  conv-bias 12, hard-swish-div 8": those that made what is written */
static void
print_contributed(const struct optimize *z, FILE *f)
{
	enum { LINE = 96 };
	char item[200];
	int i, at = 0, n;

	fprintf(f, "%-14s", "rules");
	for (i = 0; z->is_changed && i < z->program->nrule; i++) {
		if (!z->best->contributed[i])
			continue;
		n = snprintf(item, sizeof item, "%s %" PRIu32, z->program->rule[i].name, z->best->contributed[i]);
		if (at && at + n + 2 > LINE) {
			fprintf(f, ",\n%14s", "");
			at = 0;
		}
		fprintf(f, "%s %s", at ? "," : "", item);
		at += n + 2;
	}
	fprintf(f, "%s\n", at ? "" : " none");
}

void
report_print(const struct optimize *z, FILE *f)
{
	struct buf at = {0};

	if (z->o->verbose) {
		growth_iterations(z->report, f);
		growth_rules(z->program, z->report, f);
		steps_print(&z->best->choice->report, f);
	}
	sizes_print(z->model.graph, z->sizes.at[0], &at);
	fprintf(f, "%-14s %s\n", "sizes", at.at ? at.at : "");
	fprintf(f, "%-14s %12s %12s\n", "", "before", "after");
	fprintf(f, "%-14s %12u %12u\n", "operators", z->before.operators, z->after.operators);
	fprintf(f, "%-14s %9.1f us %9.1f us  (%+.1f %%, %s)\n", "cost", (double)z->before.ns / 1e3, (double)z->after.ns / 1e3,
	    percent(z->before.ns, z->after.ns), tn_costs_label(z->costs));
	print_prices(z, f);
	report_race(z, f);
	print_contributed(z, f);
	fprintf(f, "%-14s %zu e-nodes, %zu e-classes, 2^%.0f choices; %s after %u iterations, %.2f s\n", "e-graph", z->enodes,
	    z->eclasses, z->log2_choices, stop_text(z->report->stop), z->report->niteration, z->saturate_s);
	fprintf(f, "%-14s ", "extraction");
	print_proof(z, f);
	fprintf(f, ", %.2f s\n", z->extract_s);
	fprintf(f, "%-14s %u operators into weights%s%s, %.2f s\n", "folded", z->best->folded,
	    z->is_limited ? "; more would grow past --max-growth" : "",
	    z->best->is_fold_late ? "; the others not in time (--fold-time)" : "", z->fold_s);
	if (z->o->unsafe_rules)
		fprintf(f, "%-14s not checked (--unsafe-rules)\n", "rules");
	if (z->unchecked && *z->unchecked)
		fprintf(f, "%-14s %s\n", "unverified", z->unchecked);
	fprintf(f, "%-14s %s%s", "values", verified_text(z), may_write(z) ? "" : ", nothing was written");
	if (z->verified == VERIFIED)
		fprintf(f, " on 2 seeds at %u size%s, worst difference %.2g of what is allowed, %.1f s", z->sizes.n,
		    z->sizes.n == 1 ? "" : "s", z->difference.worst, z->verify_s);
	if (z->difference.never)
		fprintf(f, ";\n%-14s %" PRIu64 " of %" PRIu64 " elements are NaN in both whatever was tried", "", z->difference.never,
		    z->difference.elements);
	fprintf(f, "\n");
	buf_free(&at);
}

static void
put_rules(const struct optimize *z, FILE *f)
{
	const char *comma = "";
	int i;

	fprintf(f, "  \"rules\": [");
	for (i = 0; i < z->program->nrule; i++) {
		const struct tn_rule_stat *s = &z->report->rule[i];

		if (!s->matches)
			continue;
		fprintf(f, "%s\n    ", comma);
		json_rule(f, z->program->rule[i].name, s);
		comma = ",";
	}
	fprintf(f, "\n  ]\n");
}

/* the same as print_contributed() */
static void
put_contributed(const struct optimize *z, FILE *f)
{
	const char *comma = "";
	int i;

	fprintf(f, "  \"contributed\": [");
	for (i = 0; z->is_changed && i < z->program->nrule; i++) {
		if (!z->best->contributed[i])
			continue;
		fprintf(f, "%s\n    {\"name\": ", comma);
		json_string(f, z->program->rule[i].name);
		fprintf(f, ", \"applications\": %" PRIu32 "}", z->best->contributed[i]);
		comma = ",";
	}
	fprintf(f, "\n  ],\n");
}

/* at which sizes costs were counted, and how the values there compared */
static void
put_values(const struct optimize *z, FILE *f)
{
	struct buf at = {0};

	sizes_print(z->model.graph, z->sizes.at[0], &at);
	fprintf(f, "  \"sizes\": ");
	json_string(f, at.at ? at.at : "");
	fprintf(f, ",\n  \"values\": {\"result\": \"%s\", \"sizes\": %u, \"worst\": %.6g, "
	    "\"elements\": %" PRIu64 ", \"never\": %" PRIu64 "},\n", verified_text(z), z->sizes.n, z->difference.worst,
	    z->difference.elements, z->difference.never);
	fprintf(f, "  \"seconds\": {\"saturation\": %.3f, \"extraction\": %.3f, \"folding\": %.3f, \"comparison\": %.3f},\n",
	    z->saturate_s, z->extract_s, z->fold_s, z->verify_s);
	buf_free(&at);
}

bool
report_json(const struct optimize *z, const char *path, struct tn_error *e)
{
	char *temporary;
	FILE *f = output_open(path, &temporary, e);

	if (!f)
		return false;
	fprintf(f, "{\n  \"model\": ");
	json_string(f, z->o->in);
	fprintf(f, ",\n  \"costs\": ");
	json_string(f, tn_costs_label(z->costs));
	fprintf(f, ",\n  \"operators\": {\"before\": %u, \"after\": %u},\n", z->before.operators, z->after.operators);
	fprintf(f, "  \"prices\": {\"measured\": %u, \"modelled\": %u, \"measured_now\": %u, \"model\": \"%s\"},\n", z->after.measured,
	    z->after.modelled, z->after.measured_now, tn_costs_model(z->costs));
	fprintf(f, "  \"cost_ns\": {\"before\": %" PRId64 ", \"after\": %" PRId64 "},\n", z->before.ns, z->after.ns);
	fprintf(f, "  \"extraction\": {\"cost_ns\": %" PRId64 ", \"bound_ns\": %" PRId64 ", \"proven\": %s},\n", z->best->choice->cost,
	    z->bound, is_proven(z) ? "true" : "false");
	fprintf(f, "  \"egraph\": {\"nodes\": %zu, \"classes\": %zu, \"log2_choices\": %.1f, \"iterations\": %u, \"stop\": \"%s\", "
	    "\"excluded\": %zu},\n", z->enodes, z->eclasses, z->log2_choices, z->report->niteration, stop_text(z->report->stop),
	    z->report->excluded);
	fprintf(f, "  \"result\": \"%016" PRIx64 "\",\n", z->best->fingerprint);
	fprintf(f, "  \"unsafe_rules\": %s,\n", z->o->unsafe_rules ? "true" : "false");
	fprintf(f, "  \"unverified\": ");
	json_string(f, z->unchecked ? z->unchecked : "");
	fprintf(f, ",\n  \"folded\": {\"operators\": %u, \"limited\": %s, \"late\": %s},\n", z->best->folded,
	    z->is_limited ? "true" : "false", z->best->is_fold_late ? "true" : "false");
	report_race_json(z, f);
	put_values(z, f);
	put_contributed(z, f);
	put_rules(z, f);
	fprintf(f, "}\n");
	return output_close(f, path, temporary, e);
}
