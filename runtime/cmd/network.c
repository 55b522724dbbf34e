/* tenon model: a network of the literature, with seeded weights. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/model.h"
#include "cmd/option.h"

static const char *out = "-";
static uint64_t seed, batch = 1;

static const struct option_row rows[] = {
	{'o', "output", "FILE", "where it goes: .onnx or .graph (standard output)", OPT_TEXT, &out},
	{0, "seed", "S", "other weights for each S (0)", OPT_COUNT, &seed},
	{0, "batch", "N", "so many images, rows or sequences at a time (1)", OPT_COUNT, &batch},
	{0},
};

static const struct command_line line = {"model", "[NAME]", "Write a network with seeded weights, or list the networks.", rows};

static void
list_networks(void)
{
	const char *name, *what;
	int i;

	for (i = 0; (name = tn_network_name(i, &what)) != NULL; i++)
		printf("%-12s %s\n", name, what);
}

/* as text the seeds stand for the weights; any other form has their elements */
static bool
write_network(const char *name, const char *text, struct tn_error *e)
{
	struct tn_ctx *ctx;
	struct tn_graph *g;
	char *temporary;
	FILE *f;
	bool ok;

	if (!is_onnx_path(out)) {
		f = output_open(out, &temporary, e);
		if (!f)
			return false;
		fputs(text, f);
		return output_close(f, out, temporary, e);
	}
	ctx = tn_ctx_new();
	g = tn_graph_parse(ctx, &tn_builtin, name, text, strlen(text), e);
	ok = g && tn_onnx_export(g, out, e);
	tn_graph_free(g);
	tn_ctx_free(ctx);
	return ok;
}

int
cmd_model(int argc, char **argv)
{
	struct tn_error e = {0};
	struct operands operands;
	int status = options_parse(&line, argc, argv, &operands);
	char *text;

	if (status >= 0)
		return status;
	if (operands.n > 1)
		return usage_error("model", "one network at a time: '%s'", operands.at[1]);
	if (operands.n == 0) {
		list_networks();
		return EXIT_DONE;
	}
	text = tn_network_text(operands.at[0], seed, batch, &e);
	status = text && write_network(operands.at[0], text, &e) ? EXIT_DONE : fail(&e);
	mem_free(text);
	return status;
}
