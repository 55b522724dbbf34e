/* Growing text; see buf.h. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

/* room for `more` bytes and the final NUL */
static void
reserve(struct buf *b, size_t more)
{
	size_t cap = b->cap ? b->cap : 64;

	if (more >= (size_t)-1 / 2 - b->n)
		mem_oom(more);
	while (cap < b->n + more + 1)
		cap *= 2;
	if (cap != b->cap)
		b->at = mem_resize(b->at, b->cap, cap);
	b->cap = cap;
}

void
buf_put(struct buf *b, const void *from, size_t len)
{
	reserve(b, len);
	if (len)
		memcpy(b->at + b->n, from, len);
	b->n += len;
	b->at[b->n] = '\0';
}

void
buf_puts(struct buf *b, const char *s)
{
	buf_put(b, s, strlen(s));
}

void
buf_putc(struct buf *b, char c)
{
	buf_put(b, &c, 1);
}

void
buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int len;

	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, ap);
	reserve(b, (size_t)len);
	vsnprintf(b->at + b->n, (size_t)len + 1, fmt, again);
	va_end(again);
	b->n += (size_t)len;
}

void
buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

bool
buf_read(struct buf *b, FILE *f)
{
	char part[1 << 14];
	size_t n;

	while ((n = fread(part, 1, sizeof part, f)) > 0)
		buf_put(b, part, n);
	return !ferror(f);
}

void
buf_free(struct buf *b)
{
	mem_free(b->at);
	*b = (struct buf){0};
}
