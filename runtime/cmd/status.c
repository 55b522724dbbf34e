/* How programs speak and end: their name before each error, its exit status, interrupts. */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"

static const char *program = "tenon";
static bool is_alone;			/* one command by itself, not called by its name */

volatile int interrupted;

static void
on_signal(int number)
{
	if (interrupted)
		_exit(EXIT_INTERRUPTED);
	interrupted = number;
}

void
catch_interrupts(void)
{
	struct sigaction act = {.sa_handler = on_signal};

	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
}

void
put_called(FILE *f, const char *command)
{
	fputs(program, f);
	if (!is_alone)
		fprintf(f, " %s", command);
}

int
fail(const struct tn_error *e)
{
	static const int status[] = {
		[TN_OK] = EXIT_DONE, [TN_E_INPUT] = EXIT_INPUT, [TN_E_IO] = EXIT_USAGE, [TN_E_MISSING] = EXIT_MISSING,
		[TN_E_DEFECT] = EXIT_DEFECT, [TN_E_INTERRUPT] = EXIT_INTERRUPTED,
	};

	fprintf(stderr, "%s: %s\n", program, e->msg);
	return status[e->code];
}

int
usage_error(const char *command, const char *fmt, ...)
{
	va_list ap;

	put_called(stderr, command);
	fputs(": ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	putc('\n', stderr);
	put_called(stderr, command);
	fputs(": try '", stderr);
	put_called(stderr, command);
	fputs(" --help'\n", stderr);
	return EXIT_USAGE;
}

static void
out_of_memory(size_t size)
{
	fprintf(stderr, "%s: out of memory (%zu bytes wanted)\n", program, size);
	_exit(EXIT_USAGE);
}

void
program_begin(const char *alone)
{
	tn_on_oom = out_of_memory;
	is_alone = alone != NULL;
	if (alone)
		program = alone;
}

/* what was printed may not have got there */
int
program_end(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	if (status == EXIT_DONE || status == EXIT_INTERRUPTED) {
		fprintf(stderr, "%s: standard output: %s\n", program, strerror(errno));
		return EXIT_USAGE;
	}
	return status;
}
