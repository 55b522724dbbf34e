/* tenon targets: which targets there are, what each is, or why it cannot be used, and whether its work is right. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/cmd.h"
#include "cmd/option.h"
#include "cmd/program.h"
#include "tenon/target.h"

static struct {
	uint64_t threads, uses, seed;
	bool selftest, tf32;
	strings only;
	struct rule_options rules;
} options = {.uses = 20, .seed = 1};

static const struct option_row rows[] = {
	OPERATOR_OPTIONS(options.rules),
	{0, "threads", "N", "open them with N threads (as many as there are processors)", OPT_COUNT, &options.threads},
	{0, "tf32", NULL, "a GPU's products may round their factors to TF32", OPT_FLAG, &options.tf32},
	{0, "selftest", NULL, "compare each operator on the target with the reference executor", OPT_FLAG, &options.selftest},
	{0, "only", "GLOB", "only operators whose name matches", OPT_LIST, &options.only},
	{0, "uses", "N", "in N random uses (20)", OPT_COUNT, &options.uses},
	{0, "seed", "N", "that are drawn from N (1)", OPT_COUNT, &options.seed},
	{0},
};

static const struct command_line line = {"targets", "[NAME]", "List the targets, or say whether one can be used.", rows};

enum { USES_MOST = 100000 };

/* ---- the list -------------------------------------------------------------------------------------------------- */

static struct tn_target *
open_one(const char *name, struct tn_error *e)
{
	return tn_target_open(name, &(struct tn_target_options){.threads = (int)options.threads, .tf32 = options.tf32}, e);
}

/* the line of one; false: it cannot be used */
static bool
print_one(const char *name, struct tn_error *e)
{
	struct tn_target *t = open_one(name, e);

	if (!t)
		return false;
	printf("%-8s %s\n", name, tn_target_identity(t));
	tn_target_close(t);
	return true;
}

static void
print_all(void)
{
	struct tn_error e = {0};
	const char *name;
	int i;

	for (i = 0; (name = tn_target_found(i, NULL)); i++)
		if (!print_one(name, &e))
			printf("%-8s not here: %s\n", name, e.msg);
	if (i == 0 && getenv("TENON_TARGETS"))
		printf("no target is in TENON_TARGETS, '%s'\n", getenv("TENON_TARGETS"));
	else if (i == 0)
		printf("no target was built: oneDNN, or CUDA with cuDNN, were not found then\n");
}

/* ---- the self-test --------------------------------------------------------------------------------------------- */

/* Over the operators that were tested. */
struct sum {
	unsigned operators, without, wrong;	/* without: that have no kernel */
	uint64_t on_target, on_host;
};

/* "conv2d             20 uses on cpu, 3 on the host: equal", at once: what comes next may hang the device */
static void
print_test(const char *target, const struct tn_selftest *s, const char *failure)
{
	printf("%-18s %3u uses on %s", s->op, s->on_target, target);
	if (s->on_host)
		printf(", %u on the host", s->on_host);
	printf(": %s\n", failure ? failure : s->differs ? s->where : "equal");
	if (s->graph)
		tn_graph_write(s->graph, stdout, false);
	fflush(stdout);
}

static void
test_op(struct tn_target *t, const char *target, struct tn_ctx *c, const struct tn_program *program, unsigned op, struct sum *sum)
{
	struct tn_error e = {0};
	struct tn_selftest s;
	bool ok = tn_target_selftest(t, c, program, op, (uint32_t)options.uses, options.seed, &s, &e);

	print_test(target, &s, ok ? NULL : e.msg);
	sum->operators++;
	sum->without += ok && !s.on_target;
	sum->wrong += !ok || s.differs;
	sum->on_target += s.on_target;
	sum->on_host += s.on_host;
	tn_graph_free(s.graph);
}

/* an exit status */
static int
selftest(const char *target)
{
	struct tn_error e = {0};
	const struct tn_program *program = program_choose(&options.rules, &e);
	struct tn_target *t = program ? open_one(target, &e) : NULL;
	struct tn_ctx *c;
	struct sum sum = {0};
	unsigned op;

	if (!t)
		return fail(&e);
	printf("%s\n", tn_target_identity(t));
	c = tn_ctx_new();
	for (op = TN_CORE; op < (unsigned)program->nop && !interrupted; op++)
		if (globs_match(&options.only, program->op[op].name))
			test_op(t, target, c, program, op, &sum);
	tn_ctx_free(c);
	tn_target_close(t);
	if (!sum.operators && !interrupted) {
		tn_fail(&e, TN_E_IO, "no operator's name matches '%s'", options.only.n ? options.only.at[0] : "*");
		return fail(&e);
	}
	printf("%u operators, %u of them without a kernel, %" PRIu64 " uses on %s, %" PRIu64 " on the host: ",
	    sum.operators, sum.without, sum.on_target, target, sum.on_host);
	if (sum.wrong)
		printf("%u operators are wrong\n", sum.wrong);
	else
		printf("all equal the reference executor's\n");
	if (interrupted) {
		tn_fail(&e, TN_E_INTERRUPT, "interrupted");
		return fail(&e);
	}
	return sum.wrong ? EXIT_DEFECT : EXIT_DONE;
}

int
cmd_targets(int argc, char **argv)
{
	struct tn_error e = {0};
	struct operands operands;
	int status = options_parse(&line, argc, argv, &operands);

	if (status >= 0)
		return status;
	if (operands.n > 1 || options.threads > 1024)
		return usage_error("targets", operands.n > 1 ? "one target is wanted" : "so many threads there are not");
	if (options.selftest && !operands.n)
		return usage_error("targets", "--selftest wants a target");
	if (options.uses < 1 || options.uses > USES_MOST)
		return usage_error("targets", "'--uses': 1 to %d, not %" PRIu64, USES_MOST, options.uses);
	if (options.selftest) {
		catch_interrupts();
		return selftest(operands.at[0]);
	}
	if (operands.n)
		return print_one(operands.at[0], &e) ? EXIT_DONE : fail(&e);
	print_all();
	return EXIT_DONE;
}
