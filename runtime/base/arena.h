/*
 * Memory by lifetime: allocate from an arena, free the arena.  Blocks are zeroed and aligned for
 * any type.  Under a sanitizer each object is a block of its own, unrounded, so that a write past
 * its end is reported.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *last;
	size_t left;		/* free bytes at the end of the last block */
};

void *arena_alloc(struct arena *, size_t size);
void *arena_array(struct arena *, size_t n, size_t size);	/* n * size, checked */
void *arena_dup(struct arena *, const void *from, size_t size);
char *arena_str(struct arena *, const char *text, size_t len);	/* NUL-terminated copy */
char *arena_printf(struct arena *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void arena_free(struct arena *);	/* all of it; the arena may be used again */

#define arena_new(a, type) ((type *)arena_alloc(a, sizeof(type)))
#define arena_news(a, n, type) ((type *)arena_array(a, n, sizeof(type)))

#endif
