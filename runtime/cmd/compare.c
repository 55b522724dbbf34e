/* tenon compare: do two models compute the same values?  0 equal, 1 different, as cmp(1). */
#include <stdio.h>

#include "cmd/cmd.h"
#include "cmd/model.h"
#include "cmd/option.h"
#include "cmd/sizes.h"

static struct {
	uint64_t seeds;
	double time_s;
	strings at;
} options = {.seeds = 3, .time_s = 600};

static const struct option_row rows[] = {
	{0, "seeds", "N", "compare on N random inputs (3)", OPT_COUNT, &options.seeds},
	{0, "at", "NAME=A,B,…", "sizes of the inputs", OPT_LIST, &options.at},
	{0, "time", "S", "stop after S seconds (600)", OPT_SECONDS, &options.time_s},
	{0},
};

static const struct command_line line = {"compare", "A B", "Compare the values two models compute on random inputs.", rows};

/* 0 equal, 1 different, -1: error */
static int
compare(const struct model *a, const struct model *b, const sizes_list *sizes, struct tn_error *e)
{
	struct tn_difference d = {0};
	struct buf at = {0};
	uint32_t i;

	for (i = 0; i < sizes->n; i++) {
		if (!tn_graphs_compare(a->graph, b->graph, (int)options.seeds, sizes->at[i], options.time_s, &d, e))
			return -1;
		sizes_print(a->graph, sizes->at[i], &at);
		printf("%s at %s: %s\n", d.differs ? "different" : "equal", at.at ? at.at : "", d.differs ? d.where : "");
		buf_free(&at);
		if (d.differs)
			return 1;
	}
	return 0;
}

int
cmd_compare(int argc, char **argv)
{
	struct tn_ctx *ctx;
	struct model a = {0}, b = {0};
	struct tn_onnx_options how = {0};
	struct tn_error e = {0};
	struct operands operands;
	sizes_list sizes = {0};
	int status = options_parse(&line, argc, argv, &operands);

	if (status >= 0)
		return status;
	if (operands.n != 2)
		return usage_error("compare", "two models are wanted, not %u", operands.n);
	catch_interrupts();
	ctx = tn_ctx_new();
	if (!model_read(&a, ctx, &tn_builtin, operands.at[0], &how, &e) || !model_read(&b, ctx, &tn_builtin, operands.at[1], &how, &e) ||
	    !sizes_choose(ctx, a.graph, &options.at, &sizes, &e) || (status = compare(&a, &b, &sizes, &e)) < 0)
		status = fail(&e);
	sizes_free(&sizes);
	model_close(&a);
	model_close(&b);
	tn_ctx_free(ctx);
	return status;
}
