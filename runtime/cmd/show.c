/* tenon show: a model as .graph text, or as a Graphviz drawing. */
#include <stdio.h>

#include "cmd/cmd.h"
#include "cmd/model.h"
#include "cmd/option.h"
#include "cmd/program.h"

static const char *dot;
static struct rule_options rule_options;

static const struct option_row rows[] = {
	OPERATOR_OPTIONS(rule_options),
	{0, "dot", "FILE", "write a Graphviz drawing instead", OPT_TEXT, &dot},
	{0},
};

static const struct command_line line = {"show", "MODEL", "Print a model as .graph text.", rows};

static bool
show(const struct tn_graph *g, struct tn_error *e)
{
	char *temporary;
	const char *path = dot ? dot : "-";
	FILE *f = output_open(path, &temporary, e);

	if (!f)
		return false;
	if (dot)
		tn_graph_dot(g, f);
	else
		tn_graph_write(g, f, false);
	return output_close(f, path, temporary, e);
}

int
cmd_show(int argc, char **argv)
{
	const struct tn_program *program;
	struct tn_ctx *ctx;
	struct model m = {0};
	struct tn_onnx_options how = {0};
	struct tn_error e = {0};
	struct operands operands;
	int status = options_parse(&line, argc, argv, &operands);

	if (status >= 0)
		return status;
	if (operands.n != 1)
		return usage_error("show", "one model is wanted, not %u", operands.n);
	status = check_outputs("show", operands.at[0], &dot, 1);
	if (status >= 0)
		return status;
	ctx = tn_ctx_new();
	program = program_choose(&rule_options, &e);
	status = program && model_read(&m, ctx, program, operands.at[0], &how, &e) && show(m.graph, &e) ? EXIT_DONE : fail(&e);
	model_close(&m);
	tn_ctx_free(ctx);
	return status;
}
