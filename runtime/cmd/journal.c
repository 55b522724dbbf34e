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
	char *path, *part, *identity;
	int fd;
	bool is_bare;			/* the part has but its first line */
	struct tn_ctx *ctx;
	const struct tn_program *program;
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
		if (flock(j->fd, LOCK_EX | LOCK_NB) != 0) {
			close(j->fd);
			j->fd = -1;	/* the file is the other one's */
			return tn_fail(e, TN_E_IO, "%s: another tenon is at work on it", j->path);
		}
		if (fstat(j->fd, &held) == 0 && stat(j->part, &seen) == 0 && held.st_ino == seen.st_ino && held.st_dev == seen.st_dev)
			return true;
		close(j->fd);
	}
}

static char *
joined(const char *a, const char *b)
{
	char *s = mem_alloc(strlen(a) + strlen(b) + 1);

	sprintf(s, "%s%s", a, b);
	return s;
}

struct journal *
journal_lock(const char *path, struct tn_error *e)
{
	struct journal *j = mem_alloc(sizeof *j);

	j->fd = -1;
	j->path = joined(path, "");
	j->part = joined(path, ".part");
	if (lock_part(j, e))
		return j;
	journal_close(j);
	return NULL;
}

/* what holds no measurement is not left behind */
static void
drop_empty(const struct journal *j)
{
	struct stat st;

	if (j->is_bare || (fstat(j->fd, &st) == 0 && st.st_size == 0))
		unlink(j->part);
}

void
journal_close(struct journal *j)
{
	if (j->fd >= 0) {
		drop_empty(j);
		close(j->fd);
	}
	mem_free(j->path);
	mem_free(j->part);
	mem_free(j->identity);
	mem_free(j);
}

/* ---- lines ---------------------------------------------------------------------------------------------------------- */

/* all of the text, or an error; what is there of it then is a torn line, which is cut off when it is read */
static bool
put_text(const struct journal *j, const struct buf *b, struct tn_error *e)
{
	size_t at = 0;
	ssize_t n;

	for (; at < b->n; at += (size_t)n) {
		n = write(j->fd, b->at + at, b->n - at);
		if (n <= 0)
			return tn_fail(e, TN_E_IO, "%s: %s", j->part, strerror(n ? errno : ENOSPC));
	}
	return true;
}

static bool
put_identity(const struct journal *j, struct tn_error *e)
{
	struct buf b = {0};
	bool ok;

	buf_printf(&b, "identity %s\n", j->identity);
	ok = put_text(j, &b, e);
	buf_free(&b);
	return ok;
}

bool
journal_add(struct journal *j, const char *signature, const struct tn_measurement *m, struct tn_error *e)
{
	struct buf b = {0};
	bool ok;

	buf_printf(&b, "%s\t%" PRId64 "\t%.3g\t%" PRId64 "\n", signature, m->ns, m->spread, m->samples);
	j->is_bare = false;
	ok = put_text(j, &b, e);
	buf_free(&b);
	return ok;
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
replay(struct journal *j, struct tn_costs *costs, struct tn_error *e)
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
			ok = (strncmp(at, "identity ", 9) == 0 && strcmp(at + 9, j->identity) == 0) ||
			    tn_fail(e, TN_E_INPUT, "%s:1: these costs are of another target than '%s'", j->part, j->identity);
		else
			ok = !(wrong = tn_costs_put_text(costs, at)) || tn_fail(e, TN_E_INPUT, "%s:%u: %s", j->part, line, wrong);
	}
	if (ok && at && *at)
		ok = ftruncate(j->fd, at - b.at) == 0 || tn_fail(e, TN_E_IO, "%s: %s", j->part, strerror(errno));
	if (ok && line == 1)
		ok = put_identity(j, e);
	j->is_bare = ok && line <= 2;
	buf_free(&b);
	return ok;
}

/* ---- tables -------------------------------------------------------------------------------------------------------- */

static struct tn_costs *
open_table(const struct journal *j, const char *device, struct tn_error *e)
{
	if (access(j->path, F_OK) != 0)
		return tn_costs_new(j->ctx, prices_program(j->program), j->identity, device, e);
	return prices_read(j->ctx, j->program, j->path, j->identity, e);
}

struct journal *
journal_open(const char *path, struct tn_ctx *c, const struct tn_program *p, const char *identity, const char *device,
    struct tn_costs **costs, struct tn_error *e)
{
	struct journal *j = journal_lock(path, e);

	*costs = NULL;
	if (!j)
		return NULL;
	j->ctx = c;
	j->program = p;
	j->identity = joined(identity, "");
	if ((*costs = open_table(j, device, e)) && replay(j, *costs, e))
		return j;
	if (*costs)
		tn_costs_free(*costs);
	*costs = NULL;
	journal_close(j);
	return NULL;
}

/* lines that came to the file since it was read */
static bool
reread(const struct journal *j, struct tn_costs *costs, struct tn_error *e)
{
	struct tn_costs *now;

	if (access(j->path, F_OK) != 0)
		return true;
	now = prices_read(j->ctx, j->program, j->path, j->identity, e);
	if (!now)
		return false;
	prices_add(costs, now);
	tn_costs_free(now);
	return true;
}

bool
journal_finish(struct journal *j, struct tn_costs *costs, struct tn_error *e)
{
	char *temporary;
	FILE *f = reread(j, costs, e) ? output_open(j->path, &temporary, e) : NULL;

	if (!f)
		return false;
	tn_costs_write(costs, f);
	j->is_bare = false;		/* from here on FILE.part may be another one's */
	return output_close(f, j->path, temporary, e) &&
	    (unlink(j->part) == 0 || tn_fail(e, TN_E_IO, "%s: %s", j->part, strerror(errno)));
}
