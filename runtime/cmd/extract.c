/* tenon extract: the cheapest choice in an e-graph from a file. */
#include <string.h>

#include "base/clock.h"
#include "cmd/cmd.h"
#include "cmd/growth.h"
#include "cmd/option.h"
#include "cmd/steps.h"

static const char *method = "ilp", *unit = "auto", *reduce, *cuts, *json;
static double time_s;
static uint64_t memory_mib, seed;
static bool verbose;

static const struct option_row rows[] = {
	{0, "method", "NAME", "tree, dag or ilp (ilp)", OPT_TEXT, &method},
	{0, "time", "S", "the best choice after S seconds, 0: no limit (0)", OPT_SECONDS, &time_s},
	{0, "memory", "M", "sets of classes take M MiB at most, steps that need more rest (1024)", OPT_COUNT, &memory_mib},
	{0, "reduce", "-NAME,…", "leave these reductions out", OPT_TEXT, &reduce},
	{0, "cuts", "-NAME,…", "leave these cuts out", OPT_TEXT, &cuts},
	{0, "seed", "N", "of what is tried at random (0)", OPT_COUNT, &seed},
	{0, "unit", "U", "costs are multiples of U: a number, auto or exact (auto)", OPT_TEXT, &unit},
	{0, "json", "FILE", "the choice as JSON", OPT_TEXT, &json},
	{'v', "verbose", NULL, "say more", OPT_FLAG, &verbose},
	{0},
};

static const struct command_line line = {"extract", "E.json[.gz]",
    "Find the cheapest acyclic choice in an e-graph of the egraph-serialize format.", rows};

static const struct method {
	const char *name;
	enum tn_method method;
} methods[] = {{"tree", TN_TREE}, {"dag", TN_DAG}, {"ilp", TN_ILP}};

static const struct method *
find_method(void)
{
	unsigned i;

	for (i = 0; i < sizeof methods / sizeof *methods; i++)
		if (strcmp(methods[i].name, method) == 0)
			return &methods[i];
	return NULL;
}

static uint32_t
count_chosen(const struct tn_problem *p, const struct tn_choice *c)
{
	uint32_t i, n = 0;

	for (i = 0; i < p->nclass; i++)
		n += c->node[i] != TN_NONE;
	return n;
}

/* how far above the bound the cost can be, of the cost */
static double
gap_percent(const struct tn_choice *c)
{
	return c->cost ? 100 * (double)(c->cost - c->bound) / (double)c->cost : 0;
}

/* "cost 4.385795 proven", or "cost 4.396867 gap 0.25 %" */
static void
print_cost(const struct tn_egraph_file *f, const struct tn_choice *c)
{
	char cost[64];

	tn_egraph_file_cost(f, c->cost, cost);
	if (c->is_proven)
		printf("cost %s proven\n", cost);
	else
		printf("cost %s gap %.4g %%\n", cost, gap_percent(c));
}

/* {"egraph": "e.json", …, "choices": {"class": "node", …}} */
static bool
write_json(const struct tn_egraph_file *f, const char *path, const struct tn_choice *c, double seconds, struct tn_error *e)
{
	char *temporary, cost[64], bound[64];
	FILE *out = output_open(json, &temporary, e);
	const char *comma = "";
	uint32_t i;

	if (!out)
		return false;
	tn_egraph_file_cost(f, c->cost, cost);
	tn_egraph_file_cost(f, c->bound, bound);
	fprintf(out, "{\n  \"egraph\": ");
	json_string(out, path);
	fprintf(out, ",\n  \"method\": \"%s\",\n  \"costs\": \"%s\",\n", method, f->units);
	fprintf(out, "  \"nodes\": %u, \"classes\": %u, \"roots\": %u,\n", f->problem.nnode, f->problem.nclass, f->problem.nroot);
	fprintf(out, "  \"cost\": %s, \"bound\": %s, \"proven\": %s,\n  \"seconds\": %.3f,\n  \"choices\": {", cost, bound,
	    c->is_proven ? "true" : "false", seconds);
	for (i = 0; i < f->problem.nclass; i++) {
		if (c->node[i] == TN_NONE)
			continue;
		fprintf(out, "%s\n    ", comma);
		json_string(out, f->class_name[i]);
		fprintf(out, ": ");
		json_string(out, f->node_name[c->node[i]]);
		comma = ",";
	}
	fprintf(out, "\n  }\n}\n");
	return output_close(out, json, temporary, e);
}

static int
run(const struct tn_egraph_file *f, const char *path, enum tn_method how)
{
	const struct tn_problem *p = &f->problem;
	struct tn_extract_options options = {.method = how, .time_s = time_s, .memory = (size_t)memory_mib << 20, .seed = seed,
	    .reduce = reduce, .cuts = cuts, .interrupted = &interrupted};
	struct tn_error e = {0};
	double start = clock_now(), seconds;
	struct tn_choice *c;
	int status;

	if (f->is_rounded)
		fprintf(stderr, "tenon: %s: costs are %s\n", path, f->units);
	printf("%-10s %u nodes, %u classes, %u root%s; costs %s\n", "e-graph", p->nnode, p->nclass, p->nroot,
	    p->nroot == 1 ? "" : "s", f->units);
	fflush(stdout);
	c = tn_extract(p, &options, &e);
	if (!c)
		return fail(&e);
	seconds = clock_now() - start;
	if (json && !write_json(f, path, c, seconds, &e)) {
		tn_choice_free(c);
		return fail(&e);
	}
	if (verbose)
		steps_print(&c->report, stdout);
	printf("%-10s %u nodes, by %s in %.2f s\n", "choice", count_chosen(p, c), method, seconds);
	print_cost(f, c);
	status = interrupted ? EXIT_INTERRUPTED : EXIT_DONE;
	tn_choice_free(c);
	return status;
}

int
cmd_extract(int argc, char **argv)
{
	struct tn_error e = {0};
	struct tn_egraph_file *f;
	struct operands operands;
	int status = options_parse(&line, argc, argv, &operands);
	const struct method *how = find_method();

	if (status >= 0)
		return status;
	if (operands.n != 1)
		return usage_error("extract", "one e-graph is wanted, not %u", operands.n);
	if (!how)
		return usage_error("extract", "'--method': '%s' is not tree, dag or ilp", method);
	catch_interrupts();
	f = tn_egraph_file_read(operands.at[0], unit, &e);
	status = f ? run(f, operands.at[0], how->method) : fail(&e);
	tn_egraph_file_free(f);
	return status;
}
