/* tenon: which command, and what all of them share. */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/path.h"
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

int
fail(const struct tn_error *e)
{
	static const int status[] = {
		[TN_OK] = EXIT_DONE, [TN_E_INPUT] = EXIT_INPUT, [TN_E_IO] = EXIT_USAGE, [TN_E_MISSING] = EXIT_MISSING,
		[TN_E_DEFECT] = EXIT_DEFECT, [TN_E_INTERRUPT] = EXIT_INTERRUPTED,
	};

	fprintf(stderr, "tenon: %s\n", e->msg);
	return status[e->code];
}

int
usage_error(const char *command, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "tenon %s: ", command);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "\ntenon %s: try 'tenon %s --help'\n", command, command);
	return EXIT_USAGE;
}

/* Where it fails behind a star the star takes one more character: the last one will do, as it can take what others could. */
bool
glob_matches(const char *glob, const char *name)
{
	const char *star = NULL, *taken = NULL;

	while (*name || *glob == '*') {
		if (*glob == '*') {
			star = glob++;
			taken = name;
		} else if (*glob && (*glob == '?' || *glob == *name)) {
			glob++;
			name++;
		} else if (star) {
			glob = star + 1;
			name = ++taken;
		} else {
			return false;
		}
	}
	return !*glob;
}

/* Is there a folder in which a file can be put beside the path?  errno says why not. */
static bool
has_folder(const char *path)
{
	char *folder = mem_alloc(strlen(path) + 2), *slash;
	bool ok;

	strcpy(folder, path);
	slash = strrchr(folder, '/');
	if (slash)
		slash[1] = '\0';
	ok = access(slash ? folder : ".", W_OK | X_OK) == 0;
	mem_free(folder);
	return ok;
}

int
check_outputs(const char *command, const char *input, const char *const output[], int n)
{
	struct stat st;
	int i;

	for (i = 0; i < n; i++) {
		if (!output[i] || strcmp(output[i], "-") == 0)
			continue;
		if (input && path_is_same_file(input, output[i]))
			return usage_error(command, "'%s' is the input", output[i]);
		if ((stat(output[i], &st) < 0 || S_ISREG(st.st_mode)) && !has_folder(output[i])) {
			fprintf(stderr, "tenon: %s: %s\n", output[i], strerror(errno));
			return EXIT_USAGE;
		}
	}
	return -1;
}

FILE *
report_stream(const char *const output[], int n)
{
	int i;

	for (i = 0; i < n; i++)
		if (output[i] && strcmp(output[i], "-") == 0)
			return stderr;
	return stdout;
}

/* a path that ends in .gz is written compressed */
static FILE *
compressed(FILE *f, const char *path)
{
	size_t len = strlen(path);

	return len > 3 && strcmp(path + len - 3, ".gz") == 0 ? tn_gzip(f) : f;
}

FILE *
output_open(const char *path, char **temporary, struct tn_error *e)
{
	struct stat st;
	size_t len = strlen(path) + sizeof ".XXXXXX";
	FILE *f;
	mode_t mask;
	int fd;

	*temporary = NULL;
	if (strcmp(path, "-") == 0)
		return stdout;
	/* a device or a pipe cannot be replaced, only written to */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		f = fopen(path, "w");
		if (!f)
			tn_fail(e, TN_E_IO, "%s: %s", path, strerror(errno));
		return f ? compressed(f, path) : NULL;
	}
	*temporary = mem_alloc(len);
	snprintf(*temporary, len, "%s.XXXXXX", path);
	fd = mkstemp(*temporary);
	f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!f) {
		tn_fail(e, TN_E_IO, "%s: %s", path, strerror(errno));
		mem_free(*temporary);
		*temporary = NULL;
		return NULL;
	}
	umask(mask = umask(0));
	fchmod(fd, 0666 & ~mask);
	return compressed(f, path);
}

void
output_abandon(FILE *f, char *temporary)
{
	if (f != stdout)
		fclose(f);
	if (temporary)
		unlink(temporary);
	mem_free(temporary);
}

bool
output_close(FILE *f, const char *path, char *temporary, struct tn_error *e)
{
	bool ok = !ferror(f);
	int error = errno;

	ok &= (f == stdout ? fflush(f) : fclose(f)) == 0;
	if (ok && temporary)
		ok = rename(temporary, path) == 0;
	if (!ok) {
		error = errno ? errno : error;
		tn_fail(e, TN_E_IO, "%s: %s", path, strerror(error));
		if (temporary)
			unlink(temporary);
	}
	mem_free(temporary);
	return ok;
}

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

static void
out_of_memory(size_t size)
{
	fprintf(stderr, "tenon: out of memory (%zu bytes wanted)\n", size);
	_exit(EXIT_USAGE);
}

/* what was printed may not have got there */
static int
finish(int status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	if (status == EXIT_DONE || status == EXIT_INTERRUPTED) {
		fprintf(stderr, "tenon: standard output: %s\n", strerror(errno));
		return EXIT_USAGE;
	}
	return status;
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
	tn_on_oom = out_of_memory;
	return finish(run_command(argc, argv));
}
