/* tenon profile: measure every operator that the e-graphs of some models contain. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "cmd/cmd.h"
#include "cmd/measuring.h"
#include "cmd/model.h"
#include "cmd/option.h"
#include "cmd/prices.h"
#include "cmd/program.h"
#include "cmd/progress.h"
#include "cmd/sizes.h"
#include "tenon/target.h"

static struct {
	const char *target, *device, *out, *shard;
	uint64_t threads, iterations, multi_iterations, nodes;
	double time_s;
	bool all_models, original, tf32;
	strings models, at;
	struct rule_options rules;
} options = {.target = "cpu", .threads = 1, .iterations = 15, .multi_iterations = 1, .nodes = 50000, .time_s = 60};

static const struct option_row rows[] = {
	{'o', "output", "FILE", "the table of costs; what it has is not measured again", OPT_TEXT, &options.out},
	{0, "target", "NAME", "what is measured (cpu)", OPT_TEXT, &options.target},
	{0, "threads", "N", "threads of a CPU; 0: as many as there are processors (1)", OPT_COUNT, &options.threads},
	{0, "tf32", NULL, "a GPU's products may round their factors to TF32", OPT_FLAG, &options.tf32},
	{0, "device", "NAME", "modelled device for what the table lacks (the target's name)", OPT_TEXT, &options.device},
	{0, "model", "NAME", "a network of the literature (again for more)", OPT_LIST, &options.models},
	{0, "all-models", NULL, "all of them", OPT_FLAG, &options.all_models},
	{0, "original", NULL, "only operators of the models as they are", OPT_FLAG, &options.original},
	{0, "shard", "I/N", "only the I-th of N parts of the operators, I from 1, for several machines", OPT_TEXT, &options.shard},
	RULE_OPTIONS(options.rules),
	{0, "at", "NAME=A,B,…", "sizes of the inputs", OPT_LIST, &options.at},
	{0, "iterations", "N", "saturation stops after N iterations (15)", OPT_COUNT, &options.iterations},
	{0, "multi-iterations", "N", "iterations in which multi-pattern rules take part (1)", OPT_COUNT, &options.multi_iterations},
	{0, "nodes", "N", "saturation stops at N e-nodes (50000)", OPT_COUNT, &options.nodes},
	{0, "time", "S", "saturation stops after S seconds (60)", OPT_SECONDS, &options.time_s},
	{0},
};

static const struct command_line line = {"profile", "-o FILE.costs [MODEL]…",
    "Measure the operators of models on a target.", rows};

struct profile {
	const struct tn_program *program;
	bool *rule_on;
	struct tn_ctx *ctx;
	struct tn_costs *costs;
	struct measuring m;
};

/* ---- models ---------------------------------------------------------------------------------------------------------- */

static struct tn_tensors *
explore(struct profile *p, const struct tn_graph *g)
{
	struct tn_limits limits = {
		.iterations = (uint32_t)options.iterations, .nodes = options.nodes, .time_s = options.time_s,
		.multi_iterations = (uint32_t)options.multi_iterations, .interrupted = &interrupted, .rule_on = p->rule_on,
		.scheduler = TN_BACKOFF,
	};
	struct tn_tensors *t = tn_tensors_new(p->ctx, p->program, g, false);

	if (!options.original)
		tn_report_free(tn_saturate(tn_tensors_egraph(t), tn_tensors_search(t), p->program, &limits, NULL, NULL));
	return t;
}

/* what the models as they are have besides their operators: reorders; false and error: the target failed */
static bool
profile_reorders(struct profile *p, const struct tn_graph *g, const sizes_list *sizes, struct tn_error *e)
{
	struct tn_error why = {0};
	struct tn_plan *plan;
	struct tn_bill bill;
	uint32_t i;

	for (i = 0; i < sizes->n && !interrupted; i++) {
		plan = tn_plan_new(p->m.target, g, sizes->at[i], &why);
		if (plan)
			tn_plan_price(plan, p->costs, NULL, &bill);
		else if (why.code != TN_E_INPUT)
			return tn_fail(e, why.code, "%s", why.msg);
		tn_plan_free(plan);
	}
	if (p->m.failure.code)
		*e = p->m.failure;
	return !p->m.failure.code;
}

static bool
profile_graph(struct profile *p, const char *name, const struct tn_graph *g, struct tn_error *e)
{
	sizes_list sizes = {0};
	struct tn_tensors *t;
	struct tn_pricing how = {.with_views = true};
	uint32_t before = p->m.measured;
	bool ok;

	if (!sizes_choose(p->ctx, g, &options.at, &sizes, e))
		return false;
	progress_show("%s: exploring", name);
	t = explore(p, g);
	ok = measuring_all(&p->m, p->costs, t, &sizes, &how, e) && profile_reorders(p, g, &sizes, e);
	progress_end();
	printf("%s: %u operators measured\n", name, p->m.measured - before);
	tn_tensors_free(t);
	sizes_free(&sizes);
	return ok;
}

static bool
profile_file(struct profile *p, const char *path, struct tn_error *e)
{
	struct model m = {0};
	struct tn_onnx_options how = {0};
	bool ok = model_read(&m, p->ctx, p->program, path, &how, e) && profile_graph(p, path, m.graph, e);

	model_close(&m);
	return ok;
}

static bool
profile_network(struct profile *p, const char *name, struct tn_error *e)
{
	char *text = tn_network_text(name, 0, 1, e);
	struct tn_graph *g = text ? tn_graph_parse(p->ctx, p->program, name, text, strlen(text), e) : NULL;
	bool ok = g && profile_graph(p, name, g, e);

	tn_graph_free(g);
	mem_free(text);
	return ok;
}

/* ---- phases ---------------------------------------------------------------------------------------------------------- */

static bool
read_shard(struct profile *p, struct tn_error *e)
{
	const char *at = options.shard;
	char *end;
	unsigned long long i, n;

	if (!at)
		return true;
	i = *at >= '0' && *at <= '9' ? strtoull(at, &end, 10) : 0;
	n = i && *end == '/' && end[1] >= '0' && end[1] <= '9' ? strtoull(end + 1, &end, 10) : 0;
	if (n == 0 || *end || i < 1 || i > n || n > 100000)
		return tn_fail(e, TN_E_IO, "--shard: '%s' is not I/N with I from 1 to N", options.shard);
	p->m.shard = i - 1;
	p->m.nshard = n;
	return true;
}

static bool
open_all(struct profile *p, struct tn_error *e)
{
	struct tn_target_options how = {.threads = (int)options.threads, .tf32 = options.tf32};

	p->program = program_choose(&options.rules, e);
	p->rule_on = p->program ? program_switches(p->program, &options.rules, e) : NULL;
	p->m.target = p->rule_on && read_shard(p, e) ? tn_target_open(options.target, &how, e) : NULL;
	if (!p->m.target)
		return false;
	p->m.journal = journal_open(options.out, p->ctx, p->program, tn_target_identity(p->m.target),
	    prices_device(p->program, options.device, options.target), &p->costs, e);
	if (!p->m.journal)
		return false;
	p->m.ctx = p->ctx;
	measuring_start(&p->m, p->costs);
	return true;
}

static bool
profile_all(struct profile *p, const struct operands *files, struct tn_error *e)
{
	const char *name;
	uint32_t i;
	int k;

	for (i = 0; i < files->n && !interrupted; i++)
		if (!profile_file(p, files->at[i], e))
			return false;
	for (i = 0; i < options.models.n && !interrupted; i++)
		if (!profile_network(p, options.models.at[i], e))
			return false;
	for (k = 0; options.all_models && (name = tn_network_name(k, NULL)) && !interrupted; k++)
		if (!profile_network(p, name, e))
			return false;
	return journal_finish(p->m.journal, p->costs, e);
}

static void
print_summary(const struct profile *p)
{
	struct tn_measurement m;
	uint32_t n = 0;

	while (tn_costs_line(p->costs, n, &m))
		n++;
	printf("%s: %u lines, %u of them new", options.out, n, p->m.measured);
	if (p->m.refused)
		printf("; %u operators have no kernel on the target", p->m.refused);
	putchar('\n');
}

int
cmd_profile(int argc, char **argv)
{
	struct profile p = {0};
	struct tn_error e = {0};
	struct operands operands;
	int status = options_parse(&line, argc, argv, &operands);
	bool done;

	if (status >= 0)
		return status;
	if (!options.out)
		return usage_error("profile", "where to? say -o FILE.costs");
	if (strcmp(options.out, "-") == 0)
		return usage_error("profile", "a table that grows is a file, not standard output");
	if (operands.n + options.models.n == 0 && !options.all_models)
		return usage_error("profile", "of which models?");
	if (options.threads > 1024)
		return usage_error("profile", "so many threads there are not");
	catch_interrupts();
	p.ctx = tn_ctx_new();
	done = open_all(&p, &e) && profile_all(&p, &operands, &e);
	progress_end();
	if (done)
		print_summary(&p);
	status = !done ? fail(&e) : interrupted ? EXIT_INTERRUPTED : EXIT_DONE;
	measuring_end(&p.m);
	if (p.costs)
		tn_costs_free(p.costs);
	mem_free(p.rule_on);
	tn_target_close(p.m.target);
	tn_ctx_free(p.ctx);
	return status;
}
