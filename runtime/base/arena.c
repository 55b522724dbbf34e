/* Arenas: see arena.h.  A block is twice the last one's size, up to 1 MiB, or what is asked for. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/mem.h"

#if defined(__SANITIZE_ADDRESS__)
# define ONE_EACH 1
#elif defined(__has_feature)
# if __has_feature(address_sanitizer)
#  define ONE_EACH 1
# endif
#endif
#ifndef ONE_EACH
# define ONE_EACH 0
#endif

enum { FIRST = 4096, LARGEST = 1 << 20 };

struct arena_block {
	struct arena_block *next;
	size_t size;
	_Alignas(max_align_t) char at[];
};

/* put a block of `size` bytes in front */
static void
grow(struct arena *a, size_t size)
{
	struct arena_block *b = mem_alloc(sizeof *b + size);

	b->next = a->last;
	b->size = size;
	a->last = b;
	a->left = size;
}

void *
arena_alloc(struct arena *a, size_t size)
{
	size_t align = _Alignof(max_align_t), rounded, block;

	if (ONE_EACH) {
		grow(a, size);
		a->left = 0;
		return a->last->at;
	}
	if (size > SIZE_MAX - align)
		mem_oom(size);
	rounded = (size + align - 1) & ~(align - 1);
	if (rounded > a->left || !a->last) {
		block = a->last ? 2 * a->last->size : FIRST;
		if (block > LARGEST)
			block = LARGEST;
		grow(a, rounded > block ? rounded : block);
	}
	a->left -= rounded;
	return a->last->at + (a->last->size - a->left - rounded);
}

void *
arena_array(struct arena *a, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		mem_oom(SIZE_MAX);
	return arena_alloc(a, bytes);
}

void *
arena_dup(struct arena *a, const void *from, size_t size)
{
	void *to = arena_alloc(a, size);

	if (size)
		memcpy(to, from, size);
	return to;
}

char *
arena_str(struct arena *a, const char *text, size_t len)
{
	char *to = arena_alloc(a, len + 1);

	if (len)
		memcpy(to, text, len);
	to[len] = '\0';
	return to;
}

char *
arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *to;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	to = arena_alloc(a, (size_t)len + 1);
	va_start(ap, fmt);
	vsnprintf(to, (size_t)len + 1, fmt, ap);
	va_end(ap);
	return to;
}

void
arena_free(struct arena *a)
{
	struct arena_block *b, *next;

	for (b = a->last; b; b = next) {
		next = b->next;
		mem_free(b);
	}
	a->last = NULL;
	a->left = 0;
}
