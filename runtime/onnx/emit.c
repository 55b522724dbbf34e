/* Bytes of a file to be written: see emit.h. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "onnx/emit.h"

void
pieces_borrow(struct pieces *p, const void *at, size_t n)
{
	if (n)
		vec_push(&p->piece, ((struct span){at, n}));
	p->n += n;
}

void
pieces_take(struct pieces *p, struct buf *b)
{
	if (b->n)
		pieces_borrow(p, arena_dup(p->mem, b->at, b->n), b->n);
	buf_free(b);
}

void
pieces_field(struct pieces *p, uint32_t number, struct pieces *from)
{
	struct buf head = {0};
	uint32_t i;

	wire_put_head(&head, number, from->n);
	pieces_take(p, &head);
	for (i = 0; i < from->piece.n; i++)
		pieces_borrow(p, from->piece.at[i].at, from->piece.at[i].n);
	pieces_free(from);
}

void
pieces_free(struct pieces *p)
{
	vec_free(&p->piece);
	p->n = 0;
}

static bool
put_all(const struct pieces *p, FILE *f)
{
	uint32_t i;

	for (i = 0; i < p->piece.n; i++)
		if (fwrite(p->piece.at[i].at, 1, p->piece.at[i].n, f) != p->piece.at[i].n)
			return false;
	return fflush(f) == 0;
}

/* `name` is what messages call the path */
static bool
write_directly(const struct pieces *p, const char *path, const char *name, struct tn_error *e)
{
	FILE *f = fopen(path, "wb");
	int error = 0;

	if (!f || !put_all(p, f))
		error = errno ? errno : EIO;
	if (f && fclose(f) != 0 && !error)
		error = errno;
	return !error || tn_fail(e, TN_E_IO, "%s: %s", name, strerror(error));
}

/* the file's temporary beside it, or a device or pipe itself, which cannot be replaced; false: error, and there is none */
static bool
write_beside(struct new_file *f, struct arena *mem, struct tn_error *e)
{
	struct stat st;

	if (stat(f->path, &st) == 0 && !S_ISREG(st.st_mode))
		return write_directly(f->pieces, f->path, f->path, e);
	f->temporary = arena_printf(mem, "%s.%ld.tmp", f->path, (long)getpid());
	if (write_directly(f->pieces, f->temporary, f->path, e))
		return true;
	unlink(f->temporary);
	f->temporary = NULL;
	return false;
}

bool
files_write(struct new_file file[], int n, struct tn_error *e)
{
	struct arena mem = {0};
	bool ok = true;
	int i;

	for (i = 0; ok && i < n; i++)
		ok = write_beside(&file[i], &mem, e);
	for (i = 0; i < n; i++) {
		if (!file[i].temporary)
			continue;
		if (ok && rename(file[i].temporary, file[i].path) < 0)
			ok = tn_fail(e, TN_E_IO, "%s: %s", file[i].path, strerror(errno));
		if (!ok)
			unlink(file[i].temporary);
	}
	arena_free(&mem);
	return ok;
}
