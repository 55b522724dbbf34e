/*
 * Bytes of a file to be written, as pieces: what is large stays where it is.
 */
#ifndef ONNX_EMIT_H
#define ONNX_EMIT_H

#include <stdio.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include "onnx/wire.h"
#include "tenon/base.h"

struct pieces {
	struct arena *mem;	/* of bytes that are not borrowed */
	VEC(struct span) piece;
	uint64_t n;
};

void pieces_borrow(struct pieces *, const void *, size_t);
/* Copies and frees the buffer. */
void pieces_take(struct pieces *, struct buf *);
/* A field that holds what `from` has; frees `from`. */
void pieces_field(struct pieces *, uint32_t number, struct pieces *from);
void pieces_free(struct pieces *);

/* A file to be written. */
struct new_file {
	const struct pieces *pieces;
	const char *path;
	const char *temporary;	/* used by files_write */
};
/*
 * All of them beside their places, then renamed; to anything but a regular file directly.  False: error, and
 * unless a renaming failed all are as they were.
 */
bool files_write(struct new_file[], int n, struct tn_error *);

#endif
