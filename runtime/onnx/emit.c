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

static bool
write_directly(const struct pieces *p, const char *path, struct tn_error *e)
{
	FILE *f = fopen(path, "wb");
	bool ok;

	if (!f)
		return tn_fail(e, TN_E_IO, "%s: %s", path, strerror(errno));
	ok = put_all(p, f);
	ok = fclose(f) == 0 && ok;
	return ok || tn_fail(e, TN_E_IO, "%s: %s", path, strerror(errno));
}

bool
pieces_write(const struct pieces *p, const char *path, struct tn_error *e)
{
	struct arena mem = {0};
	struct stat st;
	const char *temporary;
	bool ok;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return write_directly(p, path, e);
	temporary = arena_printf(&mem, "%s.%ld.tmp", path, (long)getpid());
	ok = write_directly(p, temporary, e);
	if (ok && rename(temporary, path) < 0)
		ok = tn_fail(e, TN_E_IO, "%s: %s", path, strerror(errno));
	if (!ok)
		unlink(temporary);
	arena_free(&mem);
	return ok;
}
