/* A table of costs that grows line by line; see journal.h. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/journal.h"
#include "cmd/prices.h"

struct journal {
	char *path, *part;
	int fd;
};

/* ---- the lock ---------------------------------------------------------------------------------------------------- */

/* open FILE.part and lock it; one that was renamed or removed meanwhile is not the one that others see */
static bool
lock_part(struct journal *j, struct tn_error *e)
{
	struct stat held, seen;

	if (stat(j->path, &seen) == 0 && !S_ISREG(seen.st_mode))
		return tn_fail(e, TN_E_IO, "%s: a table that grows is a plain file", j->path);
	for (;;) {
		j->fd = open(j->part, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
		if (j->fd < 0)
			return tn_fail(e, TN_E_IO, "%s: %s", j->part, strerror(errno));
		if (flock(j->fd, LOCK_EX | LOCK_NB) != 0)
			return tn_fail(e, TN_E_IO, "%s: another profiler is at work on it", j->path);
		if (fstat(j->fd, &held) == 0 && stat(j->part, &seen) == 0 && held.st_ino == seen.st_ino && held.st_dev == seen.st_dev)
			return true;
		close(j->fd);
	}
}

/* ---- what an earlier profiler left --------------------------------------------------------------------------------- */

static bool
read_all(int fd, struct buf *b)
{
	char part[1 << 14];
	ssize_t n;

	while ((n = read(fd, part, sizeof part)) > 0)
		buf_put(b, part, (size_t)n);
	return n == 0;
}

/* lines that are whole; the last one may be torn where its writer died, and is then cut off */
static bool
replay(struct journal *j, const char *identity, struct tn_costs *costs, struct tn_error *e)
{
	struct buf b = {0};
	char *at, *end;
	const char *wrong;
	unsigned line = 1;
	bool ok = read_all(j->fd, &b) || tn_fail(e, TN_E_IO, "%s: %s", j->part, strerror(errno));

	ok = ok && (!b.n || strlen(b.at) == b.n || tn_fail(e, TN_E_INPUT, "%s: this is no text", j->part));
	for (at = b.at; ok && at && (end = strchr(at, '\n')); at = end + 1, line++) {
		*end = '\0';
		if (line == 1)
			ok = (strncmp(at, "identity ", 9) == 0 && strcmp(at + 9, identity) == 0) ||
			    tn_fail(e, TN_E_INPUT, "%s:1: these costs are of another target than '%s'", j->part, identity);
		else
			ok = !(wrong = tn_costs_put_text(costs, at)) || tn_fail(e, TN_E_INPUT, "%s:%u: %s", j->part, line, wrong);
	}
	if (ok && at && *at)
		ok = ftruncate(j->fd, at - b.at) == 0 || tn_fail(e, TN_E_IO, "%s: %s", j->part, strerror(errno));
	if (ok && line == 1)
		ok = dprintf(j->fd, "identity %s\n", identity) > 0 || tn_fail(e, TN_E_IO, "%s: %s", j->part, strerror(errno));
	buf_free(&b);
	return ok;
}

/* ---- tables -------------------------------------------------------------------------------------------------------- */

static struct tn_costs *
open_table(const struct journal *j, struct tn_ctx *c, const struct tn_program *p, const char *identity, const char *device,
    struct tn_error *e)
{
	if (access(j->path, F_OK) != 0)
		return tn_costs_new(c, prices_program(p), identity, device, e);
	return prices_read(c, p, j->path, identity, e);
}

struct journal *
journal_open(const char *path, struct tn_ctx *c, const struct tn_program *p, const char *identity, const char *device,
    struct tn_costs **costs, struct tn_error *e)
{
	struct journal *j = mem_alloc(sizeof *j);
	size_t n = strlen(path);

	j->fd = -1;
	j->path = mem_alloc(n + 1);
	memcpy(j->path, path, n);
	j->part = mem_alloc(n + sizeof ".part");
	sprintf(j->part, "%s.part", path);
	*costs = NULL;
	if (lock_part(j, e) && (*costs = open_table(j, c, p, identity, device, e)) && replay(j, identity, *costs, e))
		return j;
	if (*costs)
		tn_costs_free(*costs);
	*costs = NULL;
	journal_close(j);
	return NULL;
}

bool
journal_add(struct journal *j, const char *signature, const struct tn_measurement *m, struct tn_error *e)
{
	struct buf b = {0};
	bool ok;

	buf_printf(&b, "%s\t%" PRId64 "\t%.3g\t%" PRId64 "\n", signature, m->ns, m->spread, m->samples);
	ok = write(j->fd, b.at, b.n) == (ssize_t)b.n || tn_fail(e, TN_E_IO, "%s: %s", j->part, strerror(errno));
	buf_free(&b);
	return ok;
}

bool
journal_finish(struct journal *j, const struct tn_costs *costs, struct tn_error *e)
{
	char *temporary;
	FILE *f = output_open(j->path, &temporary, e);

	if (!f)
		return false;
	tn_costs_write(costs, f);
	return output_close(f, j->path, temporary, e) &&
	    (unlink(j->part) == 0 || tn_fail(e, TN_E_IO, "%s: %s", j->part, strerror(errno)));
}

void
journal_close(struct journal *j)
{
	if (j->fd >= 0)
		close(j->fd);
	mem_free(j->path);
	mem_free(j->part);
	mem_free(j);
}
