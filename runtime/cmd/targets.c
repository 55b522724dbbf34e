/* tenon targets: which targets there are, what each is, or why it cannot be used. */
#include <stdio.h>

#include "cmd/cmd.h"
#include "cmd/option.h"
#include "tenon/target.h"

static uint64_t threads;

static const struct option_row rows[] = {
	{0, "threads", "N", "open them with N threads (as many as there are processors)", OPT_COUNT, &threads},
	{0},
};

static const struct command_line line = {"targets", "[NAME]", "List the targets, or say whether one can be used.", rows};

/* the line of one; false: it cannot be used */
static bool
print_one(const char *name, struct tn_error *e)
{
	struct tn_target_options how = {.threads = (int)threads};
	struct tn_target *t = tn_target_open(name, &how, e);

	if (!t)
		return false;
	printf("%-8s %s\n", name, tn_target_identity(t));
	tn_target_close(t);
	return true;
}

int
cmd_targets(int argc, char **argv)
{
	struct tn_error e = {0};
	struct operands operands;
	const char *name;
	int i, status = options_parse(&line, argc, argv, &operands);

	if (status >= 0)
		return status;
	if (operands.n > 1 || threads > 1024)
		return usage_error("targets", operands.n > 1 ? "one target is wanted" : "so many threads there are not");
	if (operands.n)
		return print_one(operands.at[0], &e) ? EXIT_DONE : fail(&e);
	for (i = 0; (name = tn_target_found(i, NULL)); i++)
		if (!print_one(name, &e))
			printf("%-8s not here: %s\n", name, e.msg);
	if (i == 0)
		printf("no target was built: oneDNN, or CUDA with cuDNN, were not found then\n");
	return EXIT_DONE;
}
