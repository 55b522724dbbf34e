/* Growing text.  `at` is always NUL-terminated once anything was put. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct buf {
	char *at;
	size_t n, cap;
};

void buf_put(struct buf *, const void *, size_t);
void buf_puts(struct buf *, const char *);
void buf_putc(struct buf *, char);
void buf_printf(struct buf *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(struct buf *, const char *fmt, va_list) __attribute__((format(printf, 2, 0)));
/* All that is left of the file; false: it cannot be read, and errno says why. */
bool buf_read(struct buf *, FILE *);
void buf_free(struct buf *);

#endif
