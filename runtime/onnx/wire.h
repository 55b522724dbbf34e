/*
 * The protobuf wire format: a reader over borrowed bytes, and a writer.
 *
 * Nothing is copied and nothing is trusted: every length is held against the bytes that are there.
 * Groups, which ONNX has none of, are malformed.
 */
#ifndef ONNX_WIRE_H
#define ONNX_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2, WIRE_FIXED32 = 5 };

/* Borrowed bytes: a string, a packed list or a message. */
struct span {
	const unsigned char *at;
	size_t n;
};

struct wire {
	const unsigned char *at, *end;
};

struct wire_field {
	uint32_t number;
	enum wire_type type;
	uint64_t value;		/* VARINT, FIXED64, FIXED32 */
	struct span bytes;	/* BYTES */
	struct span whole;	/* the field with its tag */
};

enum wire_status { WIRE_END, WIRE_FIELD, WIRE_MALFORMED };

static inline struct wire
wire_over(struct span s)
{
	return (struct wire){s.at, s.n ? s.at + s.n : s.at};
}

enum wire_status wire_next(struct wire *, struct wire_field *);
/* A varint of a packed list; false at the end or where it is cut off. */
bool wire_varint(struct wire *, uint64_t *);
/* Are the packed varints whole? How many. */
bool wire_count(struct span packed, size_t *n);

/* operands of "%.*s", cut to what a message has room for */
#define SPAN_TEXT(s) (int)((s).n > 120 ? 120 : (s).n), (const char *)(s).at

bool span_is(struct span, const char *text);
bool span_equal(struct span, struct span);

/* ---- writing: a field appended to a buffer ---------------------------------------------------- */

void wire_put_varint(struct buf *, uint64_t);
void wire_put_int(struct buf *, uint32_t number, int64_t);
void wire_put_float(struct buf *, uint32_t number, float);
void wire_put_bytes(struct buf *, uint32_t number, const void *, size_t);
void wire_put_text(struct buf *, uint32_t number, const char *);
void wire_put_ints(struct buf *, uint32_t number, const int64_t v[], size_t n);	/* one field each, as proto2 writes them */
/* The tag and length of a field of n bytes that follow. */
void wire_put_head(struct buf *, uint32_t number, uint64_t n);

#endif
