/*
 * NumPy's .npy files: "\x93NUMPY", a version, and a header that is a Python dictionary,
 *
 *	{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3, 48, 192), }
 *
 * then the elements.  Version 1 has 2 bytes for the header's length, later ones 4.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ref/execute.h"
#include "tensor/at.h"
#include "tensor/element.h"

enum { MAGIC = 6, LONGEST = 1 << 16, ALIGN = 64 };

static const char magic[MAGIC + 1] = "\x93NUMPY";

/* numpy's letter and size of an element type */
static const struct {
	enum tn_dtype dtype;
	const char *text;
} types[] = {
	{TN_F16, "f2"}, {TN_F32, "f4"}, {TN_F64, "f8"}, {TN_I8, "i1"}, {TN_I16, "i2"}, {TN_I32, "i4"}, {TN_I64, "i8"},
	{TN_U8, "u1"}, {TN_U16, "u2"}, {TN_U32, "u4"}, {TN_U64, "u8"}, {TN_BOOL, "b1"},
};

struct header {
	enum tn_dtype dtype;
	bool is_swapped;		/* the bytes of an element, the largest first */
	bool is_fortran;		/* the first axis varies fastest */
	int rank;
	int64_t dim[TN_MAX_RANK];
};

/* ---- header ----------------------------------------------------------------------------------------- */

/* what follows the key in the dictionary; NULL: it is not there */
static const char *
value_of(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	if (!at)
		return NULL;
	at += strlen(key);
	at += strspn(at, " ");
	if (*at != ':')
		return NULL;
	return at + 1 + strspn(at + 1, " ");
}

static bool
read_type(const char *at, struct header *h)
{
	size_t i;

	if (!at || (*at != '\'' && *at != '"') || at[1] == '\0' || !strchr("<>|=", at[1]))
		return false;
	h->is_swapped = at[1] == '>';
	for (i = 0; i < sizeof types / sizeof *types; i++)
		if (strncmp(at + 2, types[i].text, 2) == 0 && at[4] == *at) {
			h->dtype = types[i].dtype;
			return true;
		}
	return false;
}

/* "(1, 3,)" */
static bool
read_shape(const char *at, struct header *h)
{
	char *end;

	if (!at || *at != '(')
		return false;
	for (at++; at += strspn(at, " ,"), *at != ')'; at = end) {
		errno = 0;
		if (h->rank == TN_MAX_RANK || *at < '0' || *at > '9')
			return false;
		h->dim[h->rank++] = strtoll(at, &end, 10);
		if (errno)
			return false;
	}
	return true;
}

static bool
read_header(FILE *f, struct header *h)
{
	unsigned char head[MAGIC + 2], size[4] = {0};
	const char *order;
	char *text;
	size_t n;
	bool ok;

	if (fread(head, 1, sizeof head, f) != sizeof head || memcmp(head, magic, MAGIC) != 0)
		return false;
	n = head[MAGIC] == 1 ? 2 : 4;
	if (fread(size, 1, n, f) != n)
		return false;
	n = size[0] | (size_t)size[1] << 8 | (size_t)size[2] << 16 | (size_t)size[3] << 24;
	if (n > LONGEST)
		return false;
	text = mem_alloc(n + 1);
	ok = fread(text, 1, n, f) == n;
	order = value_of(text, "'fortran_order'");
	ok = ok && order && read_type(value_of(text, "'descr'"), h) && read_shape(value_of(text, "'shape'"), h);
	h->is_fortran = ok && strncmp(order, "True", 4) == 0;
	mem_free(text);
	return ok;
}

/* ---- elements ------------------------------------------------------------------------------------------ */

static void
swap_bytes(char *at, size_t n, size_t size)
{
	size_t i, k;

	for (i = 0; i < n; i++, at += size)
		for (k = 0; k < size / 2; k++) {
			char c = at[k];

			at[k] = at[size - 1 - k];
			at[size - 1 - k] = c;
		}
}

/* from the first axis fastest to the last axis fastest */
static void
reorder(struct tn_array *a, int64_t n)
{
	double *to = mem_alloc(((size_t)n + 1) * sizeof *to);
	int64_t i, rest, at;
	int k;

	for (i = 0; i < n; i++) {
		rest = i;
		at = 0;
		for (k = a->rank - 1; k >= 0; k--) {
			int64_t step = 1, index = rest % a->dim[k];
			int j;

			rest /= a->dim[k];
			for (j = 0; j < k; j++)
				step *= a->dim[j];
			at += index * step;
		}
		to[i] = a->v[at];
	}
	mem_free(a->v);
	a->v = to;
}

/* bytes from here to the end of the file */
static int64_t
bytes_left(FILE *f)
{
	long here = ftell(f), end;

	if (here < 0 || fseek(f, 0, SEEK_END) != 0)
		return 0;
	end = ftell(f);
	return fseek(f, here, SEEK_SET) == 0 ? end - here : 0;
}

/* the file's elements; false: there are too few */
static bool
read_elements(FILE *f, const struct header *h, struct tn_array *a)
{
	size_t size = dtype_size(h->dtype);
	int64_t n;
	char *data;
	bool ok;

	if (!at_count(h->rank, h->dim, &n) || n > bytes_left(f) / (int64_t)size)
		return false;
	data = mem_alloc((size_t)n * size + 1);
	ok = fread(data, size, (size_t)n, f) == (size_t)n;
	if (ok) {
		if (h->is_swapped)
			swap_bytes(data, (size_t)n, size);
		*a = (struct tn_array){.dtype = h->dtype, .rank = h->rank, .v = mem_alloc(((size_t)n + 1) * sizeof *a->v)};
		memcpy(a->dim, h->dim, sizeof h->dim);
		element_load(h->dtype, data, (size_t)n, a->v);
		if (h->is_fortran)
			reorder(a, n);
	}
	mem_free(data);
	return ok;
}

/* ---- files --------------------------------------------------------------------------------------------- */

bool
tn_npy_read(const char *path, struct tn_array *a, struct tn_error *e)
{
	FILE *f = fopen(path, "rb");
	struct header h = {0};
	bool ok;

	if (!f)
		return tn_fail(e, TN_E_IO, "%s: %s", path, strerror(errno));
	ok = read_header(f, &h) || tn_fail(e, TN_E_INPUT, "%s: no .npy file of numbers with up to %d axes", path, TN_MAX_RANK);
	ok = ok && (read_elements(f, &h, a) || tn_fail(e, TN_E_INPUT, "%s: elements are missing", path));
	fclose(f);
	return ok;
}

/* the header with its length, filled up so that the elements begin at a multiple of ALIGN */
static bool
write_header(FILE *f, const struct tn_array *a, const char *type)
{
	char text[64 + 24 * TN_MAX_RANK];
	size_t n, pad;
	int i;

	n = (size_t)snprintf(text, sizeof text, "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
	    dtype_size(a->dtype) == 1 ? '|' : '<', type);
	for (i = 0; i < a->rank; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%" PRId64 ", ", a->dim[i]);
	n += (size_t)snprintf(text + n, sizeof text - n, "), }");
	pad = ALIGN - (MAGIC + 4 + n + 1) % ALIGN;
	return fwrite(magic, 1, MAGIC, f) == MAGIC && fputc(1, f) != EOF && fputc(0, f) != EOF &&
	    fputc((int)((n + pad + 1) & 255), f) != EOF && fputc((int)((n + pad + 1) >> 8), f) != EOF &&
	    fprintf(f, "%s%*s\n", text, (int)pad, "") > 0;
}

bool
tn_npy_write(const char *path, const struct tn_array *a, struct tn_error *e)
{
	size_t i, n = (size_t)array_count(a), size = dtype_size(a->dtype);
	const char *type = NULL;
	char *data;
	bool ok;
	FILE *f;

	for (i = 0; i < sizeof types / sizeof *types; i++)
		if (types[i].dtype == a->dtype)
			type = types[i].text;
	if (!type || a->rank < 0)
		return tn_fail(e, TN_E_INPUT, "%s: NumPy has no %s", path, dtype_name(a->dtype));
	f = fopen(path, "wb");
	if (!f)
		return tn_fail(e, TN_E_IO, "%s: %s", path, strerror(errno));
	data = mem_alloc(n * size + 1);
	element_store(a->dtype, a->v, n, data);
	ok = write_header(f, a, type) && fwrite(data, size, n, f) == n;
	ok = (fclose(f) == 0) && ok;
	mem_free(data);
	return ok || tn_fail(e, TN_E_IO, "%s: %s", path, strerror(errno));
}
