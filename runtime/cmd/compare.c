/* tenon compare: do two models compute the same values?  0 equal, 1 different, as cmp(1). */
#include <inttypes.h>
#include <stdio.h>

#include "cmd/cmd.h"
#include "cmd/job.h"
#include "cmd/option.h"

static struct {
	const char *target;
	uint64_t seeds;
	double time_s;
	strings at, input;
	struct rule_options rules;
} options = {.seeds = 3, .time_s = 600};

static const struct option_row rows[] = {
	OPERATOR_OPTIONS(options.rules),
	{0, "seeds", "N", "compare on N random inputs (3)", OPT_COUNT, &options.seeds},
	{0, "at", "NAME=A,B,…", "sizes of the inputs", OPT_LIST, &options.at},
	INPUT_OPTION(options.input),
	{0, "time", "S", "stop after S seconds (600)", OPT_SECONDS, &options.time_s},
	{0, "target", "NAME", "compare one model on this target with the reference executor", OPT_TEXT, &options.target},
	{0},
};

static const struct command_line line = {"compare", "A B | --target NAME A",
    "Compare the values two models compute on random inputs, or one model on a target with the reference.", rows};

/* Both models and what is compared of them. */
struct comparison {
	struct tn_ctx *ctx;
	struct model a, b;
	struct given given;
	sizes_list sizes;
};

/* 0 equal, 1 different, -1: error */
static int
compare_at(const struct comparison *z, const int64_t sizes[], struct tn_error *e)
{
	struct tn_array *in = given_arrays(&z->given, z->a.graph, sizes, e);
	struct tn_difference d = {0};
	struct buf at = {0};
	struct tn_comparing how = {.seeds = (int)options.seeds, .sizes = sizes, .time_s = options.time_s, .given = in,
	    .interrupted = &interrupted};
	bool ok = in && tn_graphs_compare_on(z->a.graph, z->b.graph, &how, &d, e);

	if (in)
		given_done(&z->given, in);
	if (!ok)
		return -1;
	sizes_print(z->a.graph, sizes, &at);
	printf("%s at %s", d.differs ? "different" : "equal", at.at ? at.at : "");
	if (d.differs)
		printf(": %s", d.where);
	else if (sizes_empty(z->a.graph, sizes))
		printf(": an input has no elements, which says nothing of others");
	else if (d.never)
		printf(": %" PRIu64 " of %" PRIu64 " elements are NaN in both whatever was tried", d.never, d.elements);
	putchar('\n');
	buf_free(&at);
	return d.differs;
}

static int
compare(struct comparison *z, char **operand, struct tn_error *e)
{
	const struct tn_program *program = program_choose(&options.rules, e);
	struct tn_onnx_options how = {0};
	uint32_t i;
	int status = 0;

	if (!program || !model_read(&z->a, z->ctx, program, operand[0], &how, e) ||
	    !model_read(&z->b, z->ctx, program, operand[1], &how, e) || !given_read(&z->given, z->a.graph, &options.input, e))
		return -1;
	given_sizes(&z->given, &options.at);
	if (!sizes_choose(z->ctx, z->a.graph, &options.at, &z->sizes, e))
		return -1;
	for (i = 0; i < z->sizes.n && status == 0; i++)
		status = compare_at(z, z->sizes.at[i], e);
	return status;
}

/* 0 equal, 1 different, -1: error */
static int
compare_seed(const struct job_options *how, const char *path, struct tn_error *e)
{
	struct job j = {0};
	int status = -1;

	if (interrupted)
		tn_fail(e, TN_E_INTERRUPT, "interrupted");
	else if (job_prepare(&j, how, path, e) && job_run(&j, e)) {
		if (how->seed == 1)
			job_tell_host(&j);
		status = job_check(&j, e);
	}
	job_free(&j);
	return status;
}

/* the model on the target beside the reference executor, on each seed's inputs; an exit status */
static int
compare_target(const char *path)
{
	struct job_options how = {.target = options.target, .threads = 1, .at = options.at, .input = options.input,
	    .rules = options.rules};
	struct tn_error e = {0};
	int status = 0;

	for (how.seed = 1; how.seed <= options.seeds && status == 0; how.seed++)
		status = compare_seed(&how, path, &e);
	return status < 0 ? fail(&e) : status;
}

enum { SEEDS_MOST = 1000000 };

int
cmd_compare(int argc, char **argv)
{
	struct comparison z = {0};
	struct tn_error e = {0};
	struct operands operands;
	int status = options_parse(&line, argc, argv, &operands);

	if (status >= 0)
		return status;
	if (operands.n != (options.target ? 1 : 2))
		return usage_error("compare", "%s wanted, not %u", options.target ? "one model is" : "two models are", operands.n);
	if (options.seeds < 1 || options.seeds > SEEDS_MOST)
		return usage_error("compare", "'--seeds': 1 to %d, not %" PRIu64, SEEDS_MOST, options.seeds);
	catch_interrupts();
	if (options.target)
		return compare_target(operands.at[0]);
	z.ctx = tn_ctx_new();
	status = compare(&z, operands.at, &e);
	if (status < 0)
		status = fail(&e);
	given_free(&z.given);
	sizes_free(&z.sizes);
	model_close(&z.a);
	model_close(&z.b);
	tn_ctx_free(z.ctx);
	return status;
}
