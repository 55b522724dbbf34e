/*
 * The `tenon` program: one function a command, and what they share.
 *
 * Only this folder prints and exits; `optimize` is in the library, too, as the whole of a program (tenon/optimizer.h).  Exit
 * statuses stand in exit.def and nowhere else.
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include <stdio.h>

#include "tenon/tenon.h"

enum exit_status {
#define X(name, number, meaning) EXIT_##name = number,
#include "cmd/exit.def"
#undef X
};

/* Every command: name, what it does. */
struct command {
	const char *name, *what;
	int (*run)(int argc, char **argv);	/* argv[0] is the command's name */
};
extern const struct command commands[];		/* ends with a NULL name */

int cmd_compare(int, char **);
int cmd_costs(int, char **);
int cmd_explain(int, char **);
int cmd_extract(int, char **);
int cmd_help(int, char **);
int cmd_import_rules(int, char **);
int cmd_model(int, char **);
int cmd_optimize(int, char **);
int cmd_profile(int, char **);
int cmd_rules(int, char **);
int cmd_run(int, char **);
int cmd_saturate(int, char **);
int cmd_show(int, char **);
int cmd_targets(int, char **);
int cmd_verify(int, char **);

/*
 * Where a program begins and ends.  alone: its name, where it is one command by itself and not tenon; errors and help call it
 * so.  program_end gives the status, another one where what was printed did not arrive.
 */
void program_begin(const char *alone);
int program_end(int status);

/* "tenon optimize", or the name of what is one command by itself. */
void put_called(FILE *, const char *command);
/* "tenon: text" on standard error; the status of the error's code. */
int fail(const struct tn_error *);
int usage_error(const char *command, const char *fmt, ...) TN_PRINTF(2, 3);

/* Set by SIGINT and SIGTERM once catch_interrupts was called; a second signal ends the process. */
extern volatile int interrupted;
void catch_interrupts(void);

/* No output (NULL: not asked for) may be the input, if that is given, and each can be put where it is to go: that is
 * told before the work is done.  -1: it is so; else the exit status. */
int check_outputs(const char *command, const char *input, const char *const output[], int n);

/* Where a report goes beside these outputs: one that goes to standard output stays alone there. */
FILE *report_stream(const char *const output[], int n);

/* Write through a temporary beside the path, renamed when all is written.  `path` "-" is standard output; to *.gz goes gzip. */
FILE *output_open(const char *path, char **temporary, struct tn_error *);
/* Leave what was there as it was. */
void output_abandon(FILE *, char *temporary);
bool output_close(FILE *, const char *path, char *temporary, struct tn_error *);

#endif
