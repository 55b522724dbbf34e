/* Which rules a command runs: the built-in ones, the user's, and which of them are on. */
#ifndef CMD_PROGRAM_H
#define CMD_PROGRAM_H

#include "cmd/option.h"
#include "tenon/tenon.h"

struct rule_options {
	strings rules, add_rules;		/* --rules, --add-rules */
	strings enable, disable, only;		/* globs over rule names */
	bool none;				/* --no-rules */
};

/* Rows for a command's option table: of one that only has to know the operators, and of one that runs rules. */
#define OPERATOR_OPTIONS(o) \
	{0, "rules", "FILE", "use these rules instead of the built-in ones (again for more)", OPT_LIST, &(o).rules}, \
	{0, "add-rules", "FILE", "use these rules beside the built-in ones", OPT_LIST, &(o).add_rules}
#define RULE_OPTIONS(o) \
	OPERATOR_OPTIONS(o), \
	{0, "no-rules", NULL, "use no rules: what is written is what was read", OPT_FLAG, &(o).none}, \
	{0, "only", "GLOB", "only rules whose name matches", OPT_LIST, &(o).only}, \
	{0, "enable", "GLOB", "also rules that are off by default", OPT_LIST, &(o).enable}, \
	{0, "disable", "GLOB", "not these rules", OPT_LIST, &(o).disable}

/* The program, compiled and loaded if it is not the built-in one; NULL and error otherwise. */
const struct tn_program *program_choose(const struct rule_options *, struct tn_error *);
/* The folder of the standard rules: TENON_RULES, beside the program's build folder, or where they are installed;
 * NULL: it was not found. */
const char *program_rules_dir(void);
/* Per rule whether it is on; caller frees.  A glob that matches nothing is an error: NULL. */
bool *program_switches(const struct tn_program *, const struct rule_options *, struct tn_error *);
/* Does the name match one of the globs, or are there none?  "*" any run, "?" any one character. */
bool globs_match(const strings *globs, const char *name);

#endif
