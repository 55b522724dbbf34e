/* tenon profile: measure every operator that the e-graphs of some models contain. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/map.h"
#include "base/vec.h"
#include "cmd/cmd.h"
#include "cmd/journal.h"
#include "cmd/model.h"
#include "cmd/option.h"
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
	struct tn_target *target;
	struct tn_costs *costs;
	struct journal *journal;
	uint64_t shard, nshard;
	struct map missing;		/* signatures that the table lacks at the beginning of a model */
	bool is_counting;
	uint32_t measured, refused, left;	/* refused: the target has no kernel */
	double start;
	struct tn_error failure;	/* of the journal: it ends the profile */
};

/* ---- measuring ------------------------------------------------------------------------------------------------------- */

static bool
is_mine(const struct profile *p, const char *signature)
{
	return p->nshard == 0 || hash_bytes(signature, strlen(signature)) % p->nshard == p->shard;
}

static void
show_progress(const struct profile *p)
{
	double past = clock_now() - p->start;
	uint32_t done = p->measured + p->refused;

	progress_show("%u operators measured, %u left, about %.0f s", p->measured, p->left, done ? past / done * p->left : 0);
}

/* first asked how many there are, then to measure; each signature once */
static bool
measure(void *arg, const char *signature, const struct tn_op *op, tn_attrs attrs, const struct tn_source in[], int nin,
    tn_type out, const int64_t sizes[], struct tn_measurement *m)
{
	struct profile *p = arg;
	struct tn_error e = {0};
	bool is_new;
	uint32_t *state;

	if (!is_mine(p, signature) || interrupted || p->failure.code)
		return false;
	state = map_put(&p->missing, signature, strlen(signature), 0, &is_new);
	if (p->is_counting) {
		p->left += is_new;
		return false;
	}
	if (*state)
		return false;
	*state = 1;
	p->left -= p->left > 0;
	show_progress(p);
	if (!tn_target_measure(p->target, p->ctx, op, attrs, in, nin, out, sizes, m, &e)) {
		if (e.code != TN_E_INPUT)
			p->failure = e;
		p->refused++;
		return false;
	}
	p->measured++;
	return journal_add(p->journal, signature, m, &p->failure);
}

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

/* every e-node's price: the table is asked for each */
static void
price_all(struct profile *p, struct tn_tensors *t, const int64_t sizes[], bool is_counting)
{
	struct tn_pricing how = {.with_views = true};

	p->is_counting = is_counting;
	tn_priced_free(tn_costs_egraph(p->costs, t, sizes, &how));
}

static bool
profile_graph(struct profile *p, const char *name, const struct tn_graph *g, struct tn_error *e)
{
	sizes_list sizes = {0};
	struct tn_tensors *t;
	uint32_t i, before = p->measured;

	if (!sizes_choose(p->ctx, g, &options.at, &sizes, e))
		return false;
	progress_show("%s: exploring", name);
	t = explore(p, g);
	map_free(&p->missing);
	p->missing = (struct map){0};
	p->left = 0;
	for (i = 0; i < sizes.n; i++)
		price_all(p, t, sizes.at[i], true);
	for (i = 0; i < sizes.n; i++)
		price_all(p, t, sizes.at[i], false);
	progress_end();
	printf("%s: %u operators measured\n", name, p->measured - before);
	tn_tensors_free(t);
	sizes_free(&sizes);
	if (p->failure.code)
		*e = p->failure;
	return !p->failure.code;
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
	char *end;
	unsigned long long i, n;

	if (!options.shard)
		return true;
	i = strtoull(options.shard, &end, 10);
	n = *end == '/' ? strtoull(end + 1, &end, 10) : 0;
	if (*end || i < 1 || i > n || n > 100000)
		return tn_fail(e, TN_E_IO, "--shard: '%s' is not I/N with I from 1 to N", options.shard);
	p->shard = i - 1;
	p->nshard = n;
	return true;
}

/* a modelled device of the name that was asked for, else of the target's, else any */
static const char *
device_name(const struct profile *p)
{
	const char *want = options.device ? options.device : options.target;
	int i;

	for (i = 0; i < p->program->ndevice; i++)
		if (strcmp(p->program->device[i].name, want) == 0)
			return want;
	return options.device || !p->program->ndevice ? want : p->program->device[0].name;
}

static bool
open_all(struct profile *p, struct tn_error *e)
{
	struct tn_target_options how = {.threads = (int)options.threads, .tf32 = options.tf32};

	p->program = program_choose(&options.rules, e);
	p->rule_on = p->program ? program_switches(p->program, &options.rules, e) : NULL;
	p->target = p->rule_on && read_shard(p, e) ? tn_target_open(options.target, &how, e) : NULL;
	if (!p->target)
		return false;
	p->journal = journal_open(options.out, p->ctx, p->program, tn_target_identity(p->target), device_name(p), &p->costs, e);
	if (!p->journal)
		return false;
	tn_costs_measure(p->costs, measure, p);
	p->start = clock_now();
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
	return journal_finish(p->journal, p->costs, e);
}

static void
print_summary(const struct profile *p)
{
	struct tn_measurement m;
	uint32_t n = 0;

	while (tn_costs_line(p->costs, n, &m))
		n++;
	printf("%s: %u lines, %u of them new", options.out, n, p->measured);
	if (p->refused)
		printf("; %u operators have no kernel on the target", p->refused);
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
	if (p.journal)
		journal_close(p.journal);
	if (p.costs)
		tn_costs_free(p.costs);
	map_free(&p.missing);
	mem_free(p.rule_on);
	tn_target_close(p.target);
	tn_ctx_free(p.ctx);
	return status;
}
