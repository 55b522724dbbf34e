/*
 * Options of a command as one table: parsed, and printed by -h, from the same rows.
 *
 *	static bool verbose;
 *	static const struct option_row rows[] = {
 *		{'v', "verbose", NULL, "say more", OPT_FLAG, &verbose},
 *		{0},
 *	};
 */
#ifndef CMD_OPTION_H
#define CMD_OPTION_H

#include "base/vec.h"

typedef VEC(const char *) strings;

enum option_kind {
	OPT_FLAG,	/* bool: true */
	OPT_OFF,	/* bool: false */
	OPT_TEXT,	/* const char * */
	OPT_LIST,	/* strings: may be given again */
	OPT_COUNT,	/* uint64_t: a whole number, at least 0 */
	OPT_SECONDS,	/* double, at least 0 */
};

struct option_row {
	char letter;		/* 0: none */
	const char *name;	/* NULL ends the table */
	const char *value;	/* what the help calls its value; NULL: none */
	const char *help;
	enum option_kind kind;
	void *to;
};

struct command_line {
	const char *command, *operands, *what;	/* for usage: "optimize", "IN.onnx -o OUT.onnx", … */
	const struct option_row *rows;
};

struct operands {		/* what is no option, in order */
	char **at;		/* in argv, whose first places they take */
	uint32_t n;
};

/* Options into their places, the rest into *operands.  -1: go on; else the exit status. */
int options_parse(const struct command_line *, int argc, char **argv, struct operands *);

/* A count as the library takes it: what does not fit is as good as the most that does. */
static inline uint32_t
option_cut(uint64_t n)
{
	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

#endif
