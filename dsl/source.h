/*
 * Source files: their bytes, and from byte offsets to line and column.
 *
 * File 0 is the prelude (operators that every program has).  A span is two byte offsets and a file;
 * lines are counted only when a message is printed.
 */
#ifndef DSL_SOURCE_H
#define DSL_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "tenon/op.h"

struct source {
	const char *path;	/* as the user named it */
	const char *text;	/* size bytes, then a NUL that is not counted */
	size_t size;
	const uint32_t *lines;	/* how many end before each block of SOURCE_BLOCK bytes */
	unsigned long long device, inode;	/* 0 for text in memory */
};

struct sources {
	struct arena arena;
	struct source *at;
	int n, cap;
};

enum {
	SOURCE_LIMIT = 1 << 30,	/* bytes; more is refused, so that offsets fit 32 bits */
	SOURCE_BLOCK = 1 << 12,
};

/* Number of the file, or -1 with *why set to static or strerror text.  The same file twice is one, under
 * whatever names. */
int source_open(struct sources *, const char *path, const char **why);
int source_text(struct sources *, const char *path, const char *text, size_t size);	/* not copied */
/* 1-based line and column (bytes) of an offset. */
void source_place(const struct source *, size_t offset, int *line, int *col);
/* The line that holds the offset: where it starts and how long it is. */
const char *source_line(const struct source *, size_t offset, size_t *len);
void sources_free(struct sources *);

#endif
