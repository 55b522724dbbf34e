/* The data of tensors: see tensor.h. */
#include <string.h>

#include "base/num.h"
#include "onnx/file.h"
#include "onnx/tensor.h"
#include "tenon/ctx.h"

/* number of elements; false: an extent is negative, or one or the product too large */
static bool
count_elements(const struct onnx_tensor *t, int64_t *n)
{
	uint32_t i;

	for (*n = 1, i = 0; i < t->rank; i++)
		if (t->dim[i] < 0 || t->dim[i] > TN_DIM_MAX || !num_mul(*n, t->dim[i], n))
			return false;
	return true;
}

/* ---- external files --------------------------------------------------------------------------- */

/* neither absolute nor with a ".." in it */
static bool
is_inside(struct span path)
{
	size_t i, from = 0;

	if (path.n == 0 || path.at[0] == '/' || memchr(path.at, '\0', path.n))
		return false;
	for (i = 0; i <= path.n; i++)
		if (i == path.n || path.at[i] == '/') {
			if (i - from == 2 && path.at[from] == '.' && path.at[from + 1] == '.')
				return false;
			from = i + 1;
		}
	return true;
}

static bool
open_file(struct tensor_files *files, struct span location, struct span *out, struct tn_error *e)
{
	struct tensor_file f = {0};
	size_t n = strlen(files->folder);
	uint32_t i;

	f.path = mem_alloc(n + location.n + 1);
	memcpy(f.path, files->folder, n);
	memcpy(f.path + n, location.at, location.n);
	for (i = 0; i < files->file.n; i++)
		if (strcmp(files->file.at[i].path, f.path) == 0) {
			mem_free(f.path);
			*out = files->file.at[i].bytes;
			return true;
		}
	if (!file_map(f.path, &f.bytes, e)) {
		mem_free(f.path);
		return false;
	}
	vec_push(&files->file, f);
	*out = f.bytes;
	return true;
}

/* decimal digits and nothing else */
static bool
parse_count(struct span s, uint64_t *out)
{
	size_t i;

	for (*out = 0, i = 0; i < s.n; i++)
		if (s.at[i] < '0' || s.at[i] > '9' || __builtin_mul_overflow(*out, 10, out) ||
		    __builtin_add_overflow(*out, s.at[i] - '0', out))
			return false;
	return s.n != 0;
}

struct place {
	struct span location;
	uint64_t offset, length;
	bool has_length;
};

/* one entry of external_data */
static bool
place_entry(struct span entry, struct place *p)
{
	struct wire w = wire_over(entry);
	struct wire_field f;
	struct span key = {0}, value = {0};
	enum wire_status status;

	while ((status = wire_next(&w, &f)) == WIRE_FIELD) {
		if (f.number == F_ENTRY_KEY)
			key = f.bytes;
		if (f.number == F_ENTRY_VALUE)
			value = f.bytes;
	}
	if (status != WIRE_END)
		return false;
	if (span_is(key, "location"))
		p->location = value;
	else if (span_is(key, "offset"))
		return parse_count(value, &p->offset);
	else if (span_is(key, "length"))
		return p->has_length = parse_count(value, &p->length);
	return true;
}

static bool
read_external(struct tensor_files *files, const struct onnx_tensor *t, struct tensor_data *d, struct tn_error *e)
{
	struct wire w = wire_over(t->body);
	struct wire_field f;
	struct place p = {0};
	struct span bytes;

	while (wire_next(&w, &f) == WIRE_FIELD)
		if (f.number == F_TENSOR_EXTERNAL && !place_entry(f.bytes, &p))
			return tn_fail(e, TN_E_INPUT, "tensor '%.*s': its external data is malformed", SPAN_TEXT(t->name));
	if (!is_inside(p.location))
		return tn_fail(e, TN_E_INPUT, "tensor '%.*s': external data in '%.*s', which is not beneath the model's folder",
		    SPAN_TEXT(t->name), SPAN_TEXT(p.location));
	if (!open_file(files, p.location, &bytes, e))
		return false;
	if (p.offset > bytes.n || (p.has_length && p.length > bytes.n - p.offset))
		return tn_fail(e, TN_E_INPUT, "tensor '%.*s': '%.*s' is too short", SPAN_TEXT(t->name), SPAN_TEXT(p.location));
	*d = (struct tensor_data){bytes.n ? bytes.at + p.offset : (const void *)"", p.has_length ? (size_t)p.length : d->n, false};
	if (d->n > bytes.n - p.offset)
		return tn_fail(e, TN_E_INPUT, "tensor '%.*s': '%.*s' is too short", SPAN_TEXT(t->name), SPAN_TEXT(p.location));
	return true;
}

/* ---- typed fields ----------------------------------------------------------------------------- */

static uint32_t
typed_field(enum tn_dtype dtype)
{
	switch (dtype) {
#define X(number, name, field) case TN_##name: return F_TENSOR_##field;
	ONNX_DTYPES(X)
#undef X
	default: return 0;
	}
}

/* the low `size` bytes of v */
static unsigned char *
put(unsigned char *to, uint64_t v, size_t size)
{
	for (; size > 0; size--, v >>= 8)
		*to++ = (unsigned char)v;
	return to;
}

/* one field's elements to `to`, as far as there is room; NULL: malformed, or too many */
static unsigned char *
put_field(const struct wire_field *f, unsigned char *to, const unsigned char *end, size_t size)
{
	bool is_fixed = f->number == F_TENSOR_FLOATS || f->number == F_TENSOR_DOUBLES;
	struct wire w = wire_over(f->bytes);
	uint64_t v;

	if (f->type != WIRE_BYTES)
		return (size_t)(end - to) < size ? NULL : put(to, f->value, size);
	if (is_fixed) {
		if (f->bytes.n > (size_t)(end - to))
			return NULL;
		if (f->bytes.n)
			memcpy(to, f->bytes.at, f->bytes.n);
		return to + f->bytes.n;
	}
	while (w.at < w.end) {
		if ((size_t)(end - to) < size || !wire_varint(&w, &v))
			return NULL;
		to = put(to, v, size);
	}
	return to;
}

static bool
read_typed(const struct onnx_tensor *t, struct tensor_data *d, struct tn_error *e)
{
	struct wire w = wire_over(t->body);
	struct wire_field f;
	size_t size = dtype_size(t->dtype), want = d->n;
	unsigned char *at, *to;
	uint32_t number = typed_field(t->dtype);

	/* an element is a byte of the file at least, so no hostile shape makes us reserve much */
	if (want / size > t->body.n)
		return tn_fail(e, TN_E_INPUT, "tensor '%.*s' has fewer elements than its shape says", SPAN_TEXT(t->name));
	at = to = mem_alloc(want ? want : 1);
	while (to && wire_next(&w, &f) == WIRE_FIELD)
		if (f.number == number)
			to = put_field(&f, to, at + want, size);
	*d = (struct tensor_data){at, want, true};
	if (to == at + want)
		return true;
	mem_free(at);
	*d = (struct tensor_data){0};
	return tn_fail(e, TN_E_INPUT, "tensor '%.*s' has another number of elements than its shape says", SPAN_TEXT(t->name));
}

bool
tensor_is_known(const struct onnx_tensor *t)
{
	return t->dtype != TN_UNTYPED && t->dtype != TN_STRING && !t->is_sparse && !t->is_segment && t->rank <= TN_MAX_RANK;
}

bool
tensor_read(struct tensor_files *files, const struct onnx_tensor *t, struct tensor_data *d, struct tn_error *e)
{
	int64_t n, bytes;

	*d = (struct tensor_data){0};
	if (!tensor_is_known(t))
		return tn_fail(e, TN_E_INPUT, "tensor '%.*s' has an element type that is not known", SPAN_TEXT(t->name));
	if (!count_elements(t, &n) || !num_mul(n, (int64_t)dtype_size(t->dtype), &bytes))
		return tn_fail(e, TN_E_INPUT, "tensor '%.*s' has a negative or too large extent", SPAN_TEXT(t->name));
	d->n = (size_t)bytes;
	if (t->is_external) {
		if (!read_external(files, t, d, e))
			return false;
	} else if (t->has_raw) {
		*d = (struct tensor_data){t->raw.n ? (const void *)t->raw.at : "", t->raw.n, false};
	} else {
		return read_typed(t, d, e);
	}
	if (d->n != (size_t)bytes)
		return tn_fail(e, TN_E_INPUT, "tensor '%.*s' has %zu bytes of data where its shape wants %zu", SPAN_TEXT(t->name),
		    d->n, (size_t)bytes);
	return true;
}

void
tensor_files_free(struct tensor_files *files)
{
	uint32_t i;

	for (i = 0; i < files->file.n; i++) {
		mem_free(files->file.at[i].path);
		file_unmap(&files->file.at[i].bytes);
	}
	vec_free(&files->file);
}
