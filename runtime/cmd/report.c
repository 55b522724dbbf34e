/* The closing report of tenon optimize, as a table and as JSON. */
#include <inttypes.h>

#include "cmd/cmd.h"
#include "cmd/growth.h"
#include "cmd/optimize.h"

static const char *
verified_text(const struct optimize *z)
{
	static const char *const text[] = {
		[NOT_VERIFIED] = "not verified", [VERIFIED] = "equal", [NOTHING_TO_VERIFY] = "unchanged, nothing to verify",
	};

	return text[z->verified];
}

static double
percent(int64_t before, int64_t after)
{
	return before ? 100.0 * (double)(after - before) / (double)before : 0;
}

static void
print_proof(const struct optimize *z, FILE *f)
{
	const struct tn_choice *c = z->choice;

	if (c->is_proven)
		fprintf(f, "cheapest in its e-graph, proven");
	else if (c->bound > 0)
		fprintf(f, "at most %.2f %% above the cheapest in its e-graph", percent(c->bound, c->cost));
	else
		fprintf(f, "not proven");
}

void
report_print(const struct optimize *z, FILE *f)
{
	struct buf at = {0};

	if (z->o->verbose) {
		growth_iterations(z->report, f);
		growth_rules(z->program, z->report, f);
	}
	sizes_print(z->model.graph, z->sizes.at[0], &at);
	fprintf(f, "%-14s %s\n", "sizes", at.at ? at.at : "");
	fprintf(f, "%-14s %12s %12s\n", "", "before", "after");
	fprintf(f, "%-14s %12u %12u\n", "operators", z->before.operators, z->after.operators);
	fprintf(f, "%-14s %9.1f us %9.1f us  (%+.1f %%, %s)\n", "cost", (double)z->before.ns / 1e3, (double)z->after.ns / 1e3,
	    percent(z->before.ns, z->after.ns), tn_costs_label(z->costs));
	fprintf(f, "%-14s %zu e-nodes, %zu e-classes; %s after %u iterations, %.2f s\n", "e-graph", z->enodes, z->eclasses,
	    stop_text(z->report->stop), z->report->niteration, z->saturate_s);
	fprintf(f, "%-14s ", "extraction");
	print_proof(z, f);
	fprintf(f, ", %.2f s\n", z->extract_s);
	fprintf(f, "%-14s %u operators into weights\n", "folded", z->folded);
	fprintf(f, "%-14s %s", "values", verified_text(z));
	if (z->verified == VERIFIED)
		fprintf(f, " on 2 seeds at %u size%s, worst difference %.2g of what is allowed, %.1f s", z->sizes.n,
		    z->sizes.n == 1 ? "" : "s", z->difference.worst, z->verify_s);
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
	fprintf(f, "  \"cost_ns\": {\"before\": %" PRId64 ", \"after\": %" PRId64 "},\n", z->before.ns, z->after.ns);
	fprintf(f, "  \"extraction\": {\"cost_ns\": %" PRId64 ", \"bound_ns\": %" PRId64 ", \"proven\": %s},\n", z->choice->cost,
	    z->choice->bound, z->choice->is_proven ? "true" : "false");
	fprintf(f, "  \"egraph\": {\"nodes\": %zu, \"classes\": %zu, \"iterations\": %u, \"stop\": \"%s\"},\n", z->enodes, z->eclasses,
	    z->report->niteration, stop_text(z->report->stop));
	fprintf(f, "  \"values\": \"%s\",\n", verified_text(z));
	put_rules(z, f);
	fprintf(f, "}\n");
	return output_close(f, path, temporary, e);
}
