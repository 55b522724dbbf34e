/* tenon saturate: rules over scalar terms, and how the e-graph grew. */
#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/growth.h"
#include "cmd/program.h"

static struct rule_options rule_options;
static uint64_t iterations = 30, nodes = 1000000, multi_iterations = 1, max_applies;
static double time_s = 60;
static const char *scheduler = "simple", *cycles = "none", *json, *egraph;
static bool verbose, no_delta;
static enum tn_filter filter;

static const struct option_row rows[] = {
	RULE_OPTIONS(rule_options),
	{'n', "iterations", "N", "iterations at most, 0: any number (default 30)", OPT_COUNT, &iterations},
	{0, "multi-iterations", "N", "iterations in which multi-pattern rules take part (default 1)", OPT_COUNT, &multi_iterations},
	{0, "nodes", "N", "e-nodes at most, 0: any number (default 1000000)", OPT_COUNT, &nodes},
	{0, "time", "S", "seconds at most, 0: any number (default 60)", OPT_SECONDS, &time_s},
	{0, "cycles", "NAME", "efficient or vanilla keep cycles out of the e-graph, none does not (default none)", OPT_TEXT, &cycles},
	{0, "scheduler", "NAME", "simple, or backoff: rules that match too often pause (default simple)", OPT_TEXT, &scheduler},
	{0, "no-delta", NULL, "find old matches again in each iteration: the same result, slower", OPT_FLAG, &no_delta},
	{0, "max-applies", "N", "apply so many matches and stop, to find the one that does harm", OPT_COUNT, &max_applies},
	{0, "json", "FILE", "the report as JSON", OPT_TEXT, &json},
	{0, "egraph", "FILE", "the e-graph as JSON, in the egraph-serialize format", OPT_TEXT, &egraph},
	{'v', "verbose", NULL, "also each rule's counts", OPT_FLAG, &verbose},
	{0},
};

static const struct command_line line = {"saturate", "FILE.terms",
    "Apply rules to terms until nothing changes, and report the growth.", rows};

/* All of one run. */
struct saturation {
	const struct tn_program *program;
	bool *on;
	struct tn_ctx *ctx;
	struct tn_egraph *g;
	struct tn_search *search;
	struct tn_terms terms;
	struct tn_report *report;
	const char *path;
};

/* ---- report ------------------------------------------------------------------------------------------ */

static void
print_report(const struct saturation *z)
{
	const struct tn_report *r = z->report;
	FILE *f = report_stream((const char *const[]){json, egraph}, 2);

	growth_iterations(r, f);
	if (verbose)
		growth_rules(z->program, r, f);
	fprintf(f, "%s after %u iterations: %zu e-nodes, %zu e-classes, %.1f bytes an e-node\n", stop_text(r->stop), r->niteration,
	    tn_nnodes(z->g), tn_nclasses(z->g), tn_nnodes(z->g) ? (double)tn_bytes(z->g) / (double)tn_nnodes(z->g) : 0);
}

/* {"terms": "m.terms", "stop": "saturated", "bytes": 1, "iterations": [{"nodes": 1, …}], "rules": [{"name": "r", …}]} */
static bool
write_report(const struct saturation *z, struct tn_error *e)
{
	const struct tn_report *r = z->report;
	char *temporary;
	FILE *f = output_open(json, &temporary, e);
	uint32_t i;

	if (!f)
		return false;
	fprintf(f, "{\n  \"terms\": ");
	json_string(f, z->path);
	fprintf(f, ",\n  \"stop\": \"%s\",\n  \"bytes\": %zu,\n  \"iterations\": [", stop_text(r->stop), r->bytes);
	for (i = 0; i < r->niteration; i++) {
		const struct tn_iteration *t = &r->iteration[i];

		fprintf(f, "%s\n    {\"nodes\": %zu, \"classes\": %zu, \"matches\": %" PRIu64 ", \"applied\": %" PRIu64
		    ", \"search_s\": %.6f, \"apply_s\": %.6f, \"rebuild_s\": %.6f}", i ? "," : "", t->nodes, t->classes, t->matches,
		    t->applied, t->search_s, t->apply_s, t->rebuild_s);
	}
	fprintf(f, "\n  ],\n  \"rules\": [");
	for (i = 0; i < (uint32_t)z->program->nrule; i++) {
		fprintf(f, "%s\n    ", i ? "," : "");
		json_rule(f, z->program->rule[i].name, &r->rule[i]);
	}
	fprintf(f, "\n  ]\n}\n");
	return output_close(f, json, temporary, e);
}

/* ---- e-graph ------------------------------------------------------------------------------------------- */

/* "+", "x", "-1" */
static size_t
op_text(void *arg, const struct tn_egraph *g, tn_id n, char *out, size_t size)
{
	const struct saturation *z = arg;
	struct tn_node node = tn_node_at(g, n);
	const tn_val *v;
	int nv;

	if (node.op >= TN_CORE)
		return (size_t)snprintf(out, size, "%s", z->program->op[node.op].name);
	v = tn_attrs_get(z->ctx, node.attrs, &nv);
	if (node.op == TN_INPUT)
		return (size_t)snprintf(out, size, "%s", z->terms.name[tn_val_get(z->ctx, v[0])->u.i]);
	return (size_t)snprintf(out, size, "%.9g", tn_val_get(z->ctx, v[0])->u.f);
}

static bool
write_egraph(struct saturation *z, struct tn_error *e)
{
	char *temporary;
	FILE *f = output_open(egraph, &temporary, e);

	if (!f)
		return false;
	tn_egraph_write(z->g, &(struct tn_egraph_text){.arg = z, .op = op_text}, z->terms.root, z->terms.nroot, f);
	return output_close(f, egraph, temporary, e);
}

/* ---- the command ------------------------------------------------------------------------------------------ */

static void
saturate(struct saturation *z)
{
	struct tn_limits limits = {.iterations = option_cut(iterations), .nodes = nodes,
	    .multi_iterations = option_cut(multi_iterations), .time_s = time_s, .cycles = filter,
	    .scheduler = *scheduler == 'b' ? TN_BACKOFF : TN_SIMPLE,
	    .no_delta = no_delta, .max_applies = max_applies,
	    .interrupted = &interrupted, .rule_on = z->on};

	catch_interrupts();
	z->report = tn_saturate(z->g, z->search, z->program, &limits, NULL, NULL);
}

static int
run(struct saturation *z)
{
	struct tn_error e;

	if (!tn_terms_read(z->g, z->search, z->ctx, z->program, z->path, &z->terms, &e))
		return fail(&e);
	saturate(z);
	print_report(z);
	if ((json && !write_report(z, &e)) || (egraph && !write_egraph(z, &e)))
		return fail(&e);
	if (z->report->stop == TN_STOP_DEFECT) {
		tn_fail(&e, TN_E_DEFECT, "%s", z->report->defect);
		return fail(&e);
	}
	return z->report->stop == TN_STOP_INTERRUPT ? EXIT_INTERRUPTED : EXIT_DONE;
}

int
cmd_saturate(int argc, char **argv)
{
	struct saturation z = {0};
	struct tn_error e;
	struct operands operands;
	int status = options_parse(&line, argc, argv, &operands);

	if (status >= 0)
		return status;
	if (operands.n != 1)
		return usage_error("saturate", "wanted: one file of terms");
	if (!cycles_named(cycles, &filter, &e))
		return usage_error("saturate", "%s", e.msg);
	if (strcmp(scheduler, "simple") != 0 && strcmp(scheduler, "backoff") != 0)
		return usage_error("saturate", "'--scheduler': '%s' is neither simple nor backoff", scheduler);
	z.path = operands.at[0];
	status = check_outputs("saturate", z.path, (const char *const[]){json, egraph}, 2);
	if (status >= 0)
		return status;
	z.program = program_choose(&rule_options, &e);
	z.on = z.program ? program_switches(z.program, &rule_options, &e) : NULL;
	if (!z.on)
		return fail(&e);
	z.ctx = tn_ctx_new();
	z.g = tn_egraph_new(&(struct tn_egraph_config){0});
	z.search = tn_search_new(z.ctx, z.program, z.g);
	status = run(&z);
	tn_report_free(z.report);
	tn_terms_free(&z.terms);
	tn_search_free(z.search);
	tn_egraph_free(z.g);
	tn_ctx_free(z.ctx);
	mem_free(z.on);
	return status;
}
