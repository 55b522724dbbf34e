/* Where a command writes: through temporaries, never over its input, and where a report goes beside it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/path.h"
#include "cmd/cmd.h"

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
	struct tn_error e;
	struct stat st;
	int i;

	for (i = 0; i < n; i++) {
		if (!output[i] || strcmp(output[i], "-") == 0)
			continue;
		if (input && path_is_same_file(input, output[i]))
			return usage_error(command, "'%s' is the input", output[i]);
		if ((stat(output[i], &st) < 0 || S_ISREG(st.st_mode)) && !has_folder(output[i])) {
			tn_fail(&e, TN_E_IO, "%s: %s", output[i], strerror(errno));
			return fail(&e);
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
