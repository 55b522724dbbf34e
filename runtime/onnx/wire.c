/* The protobuf wire format: see wire.h. */
#include <string.h>

#include "onnx/wire.h"

enum { VARINT_BYTES = 10 };

bool
wire_varint(struct wire *w, uint64_t *out)
{
	uint64_t v = 0;
	unsigned shift = 0;

	for (; w->at < w->end && shift < 7 * VARINT_BYTES; shift += 7) {
		unsigned char c = *w->at++;

		/* the tenth byte has room for one bit; what protobuf drops is dropped here */
		v |= (uint64_t)(c & 0x7f) << shift;
		if (c < 0x80) {
			*out = v;
			return true;
		}
	}
	return false;
}

bool
wire_count(struct span packed, size_t *n)
{
	struct wire w = wire_over(packed);
	uint64_t v;

	for (*n = 0; w.at < w.end; ++*n)
		if (!wire_varint(&w, &v))
			return false;
	return true;
}

/* little-endian number of n bytes */
static bool
fixed(struct wire *w, unsigned n, uint64_t *out)
{
	unsigned i;

	if ((size_t)(w->end - w->at) < n)
		return false;
	*out = 0;
	for (i = 0; i < n; i++)
		*out |= (uint64_t)*w->at++ << 8 * i;
	return true;
}

enum wire_status
wire_next(struct wire *w, struct wire_field *f)
{
	uint64_t tag, n;

	if (w->at == w->end)
		return WIRE_END;
	*f = (struct wire_field){.whole.at = w->at};
	if (!wire_varint(w, &tag) || tag >> 3 == 0 || tag >> 3 > UINT32_MAX >> 3)
		return WIRE_MALFORMED;
	f->number = (uint32_t)(tag >> 3);
	f->type = (enum wire_type)(tag & 7);
	switch (f->type) {
	case WIRE_VARINT:
		if (!wire_varint(w, &f->value))
			return WIRE_MALFORMED;
		break;
	case WIRE_FIXED64:
		if (!fixed(w, 8, &f->value))
			return WIRE_MALFORMED;
		break;
	case WIRE_FIXED32:
		if (!fixed(w, 4, &f->value))
			return WIRE_MALFORMED;
		break;
	case WIRE_BYTES:
		if (!wire_varint(w, &n) || n > (uint64_t)(w->end - w->at))
			return WIRE_MALFORMED;
		f->bytes = (struct span){w->at, (size_t)n};
		w->at += n;
		break;
	default:
		return WIRE_MALFORMED;
	}
	f->whole.n = (size_t)(w->at - f->whole.at);
	return WIRE_FIELD;
}

bool
span_is(struct span s, const char *text)
{
	return s.n == strlen(text) && (s.n == 0 || memcmp(s.at, text, s.n) == 0);
}

bool
span_equal(struct span a, struct span b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.at, b.at, a.n) == 0);
}

/* ---- writing ---------------------------------------------------------------------------------- */

void
wire_put_varint(struct buf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		buf_putc(b, (char)(v | 0x80));
	buf_putc(b, (char)v);
}

static void
put_tag(struct buf *b, uint32_t number, enum wire_type type)
{
	wire_put_varint(b, (uint64_t)number << 3 | type);
}

void
wire_put_int(struct buf *b, uint32_t number, int64_t v)
{
	put_tag(b, number, WIRE_VARINT);
	wire_put_varint(b, (uint64_t)v);
}

void
wire_put_float(struct buf *b, uint32_t number, float v)
{
	uint32_t bits;
	unsigned i;

	memcpy(&bits, &v, sizeof bits);
	put_tag(b, number, WIRE_FIXED32);
	for (i = 0; i < 4; i++)
		buf_putc(b, (char)(bits >> 8 * i));
}

void
wire_put_head(struct buf *b, uint32_t number, uint64_t n)
{
	put_tag(b, number, WIRE_BYTES);
	wire_put_varint(b, n);
}

void
wire_put_bytes(struct buf *b, uint32_t number, const void *data, size_t n)
{
	wire_put_head(b, number, n);
	if (n)
		buf_put(b, data, n);
}

void
wire_put_text(struct buf *b, uint32_t number, const char *text)
{
	wire_put_bytes(b, number, text, strlen(text));
}

void
wire_put_ints(struct buf *b, uint32_t number, const int64_t v[], size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		wire_put_int(b, number, v[i]);
}
