/* Parsing command lines; see option.h. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/option.h"

/* tenon optimize: -v, --verbose … one line a row, the help in a column of its own */
static void
print_help(const struct command_line *line)
{
	const struct option_row *r;
	char left[80];

	printf("usage: ");
	put_called(stdout, line->command);
	printf(" [options] %s\n%s\n\n", line->operands, line->what);
	for (r = line->rows; r->name; r++) {
		snprintf(left, sizeof left, "%c%c%s--%s%s%s", r->letter ? '-' : ' ', r->letter ? r->letter : ' ',
		    r->letter ? ", " : "  ", r->name, r->value ? " " : "", r->value ? r->value : "");
		printf("  %-28s %s\n", left, r->help);
	}
	printf("  %-28s %s\n", "-h, --help", "print this");
}

static const struct option_row *
find_row(const struct option_row *r, const char *name, size_t len, char letter)
{
	for (; r->name; r++)
		if (letter ? r->letter == letter : strlen(r->name) == len && memcmp(r->name, name, len) == 0)
			return r;
	return NULL;
}

/* store a value; false if it is not one of the row's kind */
static bool
store(const struct option_row *r, const char *value)
{
	char *end;
	double x;

	errno = 0;
	switch (r->kind) {
	case OPT_FLAG:
		*(bool *)r->to = true;
		return true;
	case OPT_OFF:
		*(bool *)r->to = false;
		return true;
	case OPT_TEXT:
		*(const char **)r->to = value;
		return true;
	case OPT_LIST:
		vec_push((strings *)r->to, value);
		return true;
	case OPT_COUNT:
		if (*value < '0' || *value > '9')
			return false;
		*(uint64_t *)r->to = strtoull(value, &end, 10);
		return !errno && !*end;
	case OPT_SECONDS:
		x = strtod(value, &end);
		*(double *)r->to = x;
		return end != value && !*end && isfinite(x) && x >= 0;
	}
	return false;
}

/* one option at argv[*i]; -1: go on */
static int
parse_one(const struct command_line *line, int argc, char **argv, int *i)
{
	const char *arg = argv[*i], *value = NULL;
	const struct option_row *r;
	bool is_long = arg[1] == '-';
	size_t len = is_long ? strcspn(arg + 2, "=") : 1;

	if (strcmp(arg, "-h") == 0 || strcmp(arg, "--help") == 0) {
		print_help(line);
		return EXIT_DONE;
	}
	r = find_row(line->rows, arg + 2, len, is_long ? 0 : arg[1]);
	if (!r)
		return usage_error(line->command, "unknown option '%.*s'", is_long ? (int)len + 2 : 2, arg);
	if (r->value) {
		if (is_long && arg[2 + len] == '=')
			value = arg + 3 + len;
		else if (!is_long && arg[2])
			value = arg + 2;
		else if (*i + 1 < argc)
			value = argv[++*i];
		else
			return usage_error(line->command, "'--%s' wants a value: %s", r->name, r->value);
	} else if (is_long ? arg[2 + len] != '\0' : arg[2] != '\0')
		return usage_error(line->command, "'--%s' takes no value", r->name);
	if (!store(r, value))
		return usage_error(line->command, "'--%s': '%s' is not a %s", r->name, value,
		    r->kind == OPT_COUNT ? "whole number" : "number of seconds");
	return -1;
}

int
options_parse(const struct command_line *line, int argc, char **argv, struct operands *operands)
{
	int i, status;
	bool only_operands = false;

	*operands = (struct operands){.at = argv + 1};
	for (i = 1; i < argc; i++) {
		if (only_operands || argv[i][0] != '-' || !argv[i][1]) {
			operands->at[operands->n++] = argv[i];
			continue;
		}
		if (strcmp(argv[i], "--") == 0) {
			only_operands = true;
			continue;
		}
		status = parse_one(line, argc, argv, &i);
		if (status >= 0)
			return status;
	}
	return -1;
}
