/* tenon: which command. */
#include <string.h>

#include "cmd/cmd.h"

const struct command commands[] = {
	{"optimize", "find the cheapest equal model and write it", cmd_optimize},
	{"compare", "do two models compute the same values?", cmd_compare},
	{"explain", "check an explanation step by step", cmd_explain},
	{"extract", "find the cheapest choice in an e-graph", cmd_extract},
	{"show", "print a model as text", cmd_show},
	{"model", "write a network of the literature", cmd_model},
	{"rules", "list the rules", cmd_rules},
	{"verify", "check rules against the definitions of their operators", cmd_verify},
	{"import-rules", "translate rules of TENSAT, egg or egglog", cmd_import_rules},
	{"profile", "measure the operators of models on a target", cmd_profile},
	{"costs", "show, compare or merge tables of costs", cmd_costs},
	{"run", "run a model on a target", cmd_run},
	{"targets", "list the targets", cmd_targets},
	{"saturate", "apply rules to terms and report the growth", cmd_saturate},
	{"help", "print this", cmd_help},
	{0},
};

int
cmd_help(int argc, char **argv)
{
	const struct command *c;

	(void)argc, (void)argv;
	printf("usage: tenon COMMAND [options] …\n\n");
	for (c = commands; c->name; c++)
		printf("  %-12s %s\n", c->name, c->what);
	printf("\n'tenon COMMAND --help' lists a command's options; the manual is tenon(1).\n");
	return EXIT_DONE;
}

static int
run_command(int argc, char **argv)
{
	const struct command *c;

	if (argc < 2) {
		cmd_help(argc, argv);
		return EXIT_USAGE;
	}
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
		printf("tenon %s\n", tn_version());
		return EXIT_DONE;
	}
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return cmd_help(argc, argv);
	for (c = commands; c->name; c++)
		if (strcmp(argv[1], c->name) == 0)
			return c->run(argc - 1, argv + 1);
	fprintf(stderr, "tenon: there is no command '%s'\ntenon: try 'tenon help'\n", argv[1]);
	return EXIT_USAGE;
}

int
main(int argc, char **argv)
{
	program_begin(NULL);
	return program_end(run_command(argc, argv));
}
