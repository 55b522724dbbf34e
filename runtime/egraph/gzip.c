/* Reading and writing gzip; see gzip.h, and tn_gzip in egraph.h. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/mem.h"
#include "egraph/gzip.h"
#include "tenon/egraph.h"

struct gzip {
	gzFile file;
	const char *path;
};

struct gzip *
gzip_open(const char *path, struct tn_error *e)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct gzip *z;
	gzFile file;
	int fd = -1;

	errno = 0;
	if (is_stdin)
		fd = dup(STDIN_FILENO);
	file = is_stdin ? fd < 0 ? NULL : gzdopen(fd, "rb") : gzopen(path, "rb");
	if (!file) {
		tn_fail(e, TN_E_IO, "%s: %s", path, strerror(errno ? errno : ENOMEM));
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	gzbuffer(file, 1 << 16);
	z = mem_alloc(sizeof *z);
	*z = (struct gzip){file, path};
	return z;
}

/* what zlib calls an end without a trailer is a buffer error, and not an error of gzread's */
ptrdiff_t
gzip_read(struct gzip *z, void *to, size_t size, struct tn_error *e)
{
	int n, code;
	const char *text;

	errno = 0;
	n = gzread(z->file, to, size > INT_MAX ? INT_MAX : (unsigned)size);
	if (n > 0)
		return n;
	text = gzerror(z->file, &code);
	if (code == Z_OK || code == Z_STREAM_END)
		return 0;
	if (code == Z_ERRNO)
		tn_fail(e, TN_E_IO, "%s: %s", z->path, strerror(errno));
	else if (code == Z_BUF_ERROR)
		tn_fail(e, TN_E_INPUT, "%s: the compressed file is cut off", z->path);
	else
		tn_fail(e, TN_E_INPUT, "%s: the compressed file is damaged: %s", z->path, text);
	return -1;
}

void
gzip_close(struct gzip *z)
{
	if (!z)
		return;
	gzclose(z->file);
	mem_free(z);
}

/* ---- a stream that compresses ------------------------------------------------------------------------ */

struct packer {
	z_stream z;
	FILE *to;
	unsigned char out[1 << 14];
};

/* compress what is there; false: the stream behind does not take it */
static bool
pack(struct packer *p, const char *text, size_t n, int flush)
{
	int rc;

	p->z.next_in = (z_const Bytef *)text;
	p->z.avail_in = (uInt)n;
	do {
		p->z.next_out = p->out;
		p->z.avail_out = sizeof p->out;
		rc = deflate(&p->z, flush);
		if (fwrite(p->out, 1, sizeof p->out - p->z.avail_out, p->to) != sizeof p->out - p->z.avail_out)
			return false;
	} while (p->z.avail_in || (flush == Z_FINISH && rc != Z_STREAM_END));
	return true;
}

/* how much was taken; 0, not less, is an error to fopencookie */
static ssize_t
packer_write(void *cookie, const char *text, size_t n)
{
	size_t some = n > INT_MAX ? INT_MAX : n;

	return pack(cookie, text, some, Z_NO_FLUSH) ? (ssize_t)some : 0;
}

static int
packer_close(void *cookie)
{
	struct packer *p = cookie;
	bool ok = pack(p, NULL, 0, Z_FINISH);

	deflateEnd(&p->z);
	ok &= fclose(p->to) == 0;
	mem_free(p);
	return ok ? 0 : -1;
}

/* the header's time stays 0: the same text gives the same bytes */
FILE *
tn_gzip(FILE *to)
{
	struct packer *p = mem_alloc(sizeof *p);
	FILE *f;

	p->to = to;
	if (deflateInit2(&p->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		mem_oom(1 << 18);
	f = fopencookie(p, "w", (cookie_io_functions_t){.write = packer_write, .close = packer_close});
	if (!f)
		mem_oom(sizeof *p);
	return f;
}
