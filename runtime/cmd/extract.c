/* tenon extract: the cheapest choice in an e-graph from a file. */
#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/growth.h"
#include "cmd/option.h"
#include "cmd/steps.h"

static const char *method = "ilp", *cycles = "real", *unit = "auto", *reduce, *cuts, *json, *lp, *mps, *solution;
static double time_s;
static uint64_t memory_mib, seed;
static bool verbose;

static const struct option_row rows[] = {
	{0, "method", "NAME", "tree, dag, ilp or ilp-plain (ilp)", OPT_TEXT, &method},
	{0, "cycles", "NAME", "ilp-plain keeps cycles out by a real or whole order, or lazily (real)", OPT_TEXT, &cycles},
	{0, "time", "S", "the best choice after S seconds, 0: no limit (0)", OPT_SECONDS, &time_s},
	{0, "memory", "M", "sets of classes take M MiB at most, steps that need more rest (1024)", OPT_COUNT, &memory_mib},
	{0, "reduce", "-NAME,…", "leave these reductions out", OPT_TEXT, &reduce},
	{0, "cuts", "-NAME,…", "leave these cuts out", OPT_TEXT, &cuts},
	{0, "seed", "N", "of what is tried at random (0)", OPT_COUNT, &seed},
	{0, "unit", "U", "costs are multiples of U: a number, auto or exact (auto)", OPT_TEXT, &unit},
	{0, "write-lp", "FILE", "write the reduced program in the LP format, and end", OPT_TEXT, &lp},
	{0, "write-mps", "FILE", "the same in MPS", OPT_TEXT, &mps},
	{0, "read-solution", "FILE", "begin with what a solver found for that program", OPT_TEXT, &solution},
	{0, "json", "FILE", "the choice as JSON", OPT_TEXT, &json},
	{'v', "verbose", NULL, "say more", OPT_FLAG, &verbose},
	{0},
};

static const struct command_line line = {"extract", "E.json[.gz]",
    "Find the cheapest acyclic choice in an e-graph of the egraph-serialize format.", rows};

/* where what is said for people goes */
static FILE *
report(void)
{
	return report_stream((const char *const[]){json, lp, mps}, 3);
}

/* the place of a name in a list that ends with NULL, or -1 */
static int
find_name(const char *const list[], const char *name)
{
	int i;

	for (i = 0; list[i]; i++)
		if (strcmp(list[i], name) == 0)
			return i;
	return -1;
}

/* what was asked for; -1: go on, else the exit status */
static int
read_options(struct tn_extract_options *o)
{
	static const char *const methods[] = {[TN_TREE] = "tree", [TN_DAG] = "dag", [TN_ILP] = "ilp",
	    [TN_ILP_PLAIN] = "ilp-plain", NULL};
	static const char *const ways[] = {[TN_REAL_ORDER] = "real", [TN_WHOLE_ORDER] = "whole", [TN_LAZY] = "lazy", NULL};
	int m = find_name(methods, method), c = find_name(ways, cycles);

	if (m < 0)
		return usage_error("extract", "'--method': '%s' is not tree, dag, ilp or ilp-plain", method);
	if (c < 0)
		return usage_error("extract", "'--cycles': '%s' is not real, whole or lazy", cycles);
	if (memory_mib > SIZE_MAX >> 20)
		return usage_error("extract", "'--memory': %" PRIu64 " MiB are too many", memory_mib);
	*o = (struct tn_extract_options){.method = (enum tn_method)m, .cycles = (enum tn_cycles)c, .time_s = time_s,
	    .memory = (size_t)memory_mib << 20, .seed = seed, .reduce = reduce, .cuts = cuts, .interrupted = &interrupted};
	return -1;
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
		fprintf(report(), "cost %s proven\n", cost);
	else
		fprintf(report(), "cost %s gap %.4g %%\n", cost, gap_percent(c));
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

static bool
write_program(const struct tn_problem *p, const struct tn_extract_options *o, enum tn_format format, const char *path,
    struct tn_error *e)
{
	char *temporary;
	FILE *f = output_open(path, &temporary, e);

	if (!f)
		return false;
	if (tn_extract_write(p, o, format, f, e))
		return output_close(f, path, temporary, e);
	output_abandon(f, temporary);
	return false;
}

static void
print_egraph(const struct tn_egraph_file *f, const char *path)
{
	const struct tn_problem *p = &f->problem;

	if (f->is_rounded)
		fprintf(stderr, "tenon: %s: costs are %s\n", path, f->units);
	fprintf(report(), "%-10s %u nodes, %u classes, %u root%s; costs %s\n", "e-graph", p->nnode, p->nclass, p->nroot,
	    p->nroot == 1 ? "" : "s", f->units);
	fflush(report());
}

/* extract, and say what came of it */
static int
extract(const struct tn_egraph_file *f, const struct tn_problem *p, const char *path, const struct tn_extract_options *o)
{
	struct tn_error e = {0};
	double start = clock_now(), seconds;
	struct tn_choice *c = tn_extract(p, o, &e);
	int status;

	if (!c)
		return fail(&e);
	seconds = clock_now() - start;
	if (json && !write_json(f, path, c, seconds, &e)) {
		tn_choice_free(c);
		return fail(&e);
	}
	if (verbose)
		steps_print(&c->report, report());
	fprintf(report(), "%-10s %u nodes, by %s in %.2f s\n", "choice", count_chosen(p, c), method, seconds);
	print_cost(f, c);
	status = interrupted ? EXIT_INTERRUPTED : EXIT_DONE;
	tn_choice_free(c);
	return status;
}

static int
run(const struct tn_egraph_file *f, const char *path, const struct tn_extract_options *o)
{
	struct tn_problem p = f->problem;
	struct tn_error e = {0};
	char text[64];
	uint32_t *node;
	int64_t cost;
	int status;

	print_egraph(f, path);
	if ((lp && !write_program(&p, o, TN_LP, lp, &e)) || (mps && !write_program(&p, o, TN_MPS, mps, &e)))
		return fail(&e);
	if (lp || mps)
		return EXIT_DONE;
	if (!solution)
		return extract(f, &p, path, o);
	node = mem_alloc(p.nclass * sizeof *node);
	if (tn_extract_read(&p, o, solution, node, &cost, &e)) {
		tn_egraph_file_cost(f, cost, text);
		fprintf(report(), "%-10s cost %s, checked\n", "solution", text);
		p.prefer = node;
		status = extract(f, &p, path, o);
	} else
		status = fail(&e);
	mem_free(node);
	return status;
}

int
cmd_extract(int argc, char **argv)
{
	struct tn_extract_options o;
	struct tn_error e = {0};
	struct tn_egraph_file *f;
	struct operands operands;
	int status = options_parse(&line, argc, argv, &operands);

	if (status < 0 && operands.n != 1)
		status = usage_error("extract", "one e-graph is wanted, not %u", operands.n);
	if (status < 0)
		status = check_outputs("extract", operands.at[0], (const char *const[]){json, lp, mps}, 3);
	if (status < 0)
		status = read_options(&o);
	if (status < 0) {
		f = tn_egraph_file_read(operands.at[0], unit, &e);
		catch_interrupts();		/* from here on there is a choice to give */
		status = f ? run(f, operands.at[0], &o) : fail(&e);
		tn_egraph_file_free(f);
	}
	return status;
}
