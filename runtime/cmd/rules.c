/* tenon rules: every rule with its place, family and doc. */
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/program.h"

static struct rule_options options;
static bool show_source;

static const struct option_row rows[] = {
	{'s', "source", NULL, "print each rule's source", OPT_FLAG, &show_source},
	RULE_OPTIONS(options),
	{0},
};

static const struct command_line line = {"rules", "",
    "List the rules: family, name, place, and what its author says of it.", rows};

int
cmd_rules(int argc, char **argv)
{
	const struct tn_program *program;
	const struct tn_rule_code *r;
	struct tn_error e;
	struct operands operands;
	bool *on;
	int status = options_parse(&line, argc, argv, &operands), i;

	if (status >= 0)
		return status;
	if (operands.n)
		return usage_error("rules", "'%s': no operand is wanted; --rules names a file", operands.at[0]);
	program = program_choose(&options, &e);
	on = program ? program_switches(program, &options, &e) : NULL;
	if (!on)
		return fail(&e);
	for (i = 0; i < program->nrule; i++) {
		r = &program->rule[i];
		printf("%-12s %-34s %s:%d%s%s%s\n", r->family, r->name, r->file, r->line, on[i] ? "" : "  (off)",
		    r->is_normalise ? "  (normalise)" : "", r->is_trusted ? "  (trusted)" : "");
		if (r->doc)
			printf("%12s %s\n", "", r->doc);
		if (show_source)
			printf("%s\n\n", r->source);
	}
	mem_free(on);
	return EXIT_DONE;
}
