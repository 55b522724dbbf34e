/* Reading S-expressions; the lists being read are on a stack of our own, so depth costs no recursion. */
#include "base/num.h"
#include "base/sx.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"

enum { MAX_BYTES = 1 << 30, CHUNK = 1 << 14 };

/* a list whose end has not been seen */
struct open_list {
	uint32_t at, first;	/* where it begins; its first item on the stack */
	uint8_t kind;
};

struct reader {
	struct sx_file *f;
	struct tn_error *error;
	uint32_t i;
	VEC(struct sx) item;
	VEC(struct open_list) open;
};

/* ---- places ------------------------------------------------------------------------------------- */

static void
find_place(const struct sx_file *f, uint32_t at, unsigned *line, unsigned *col)
{
	const char *p = f->text, *end = f->text + at, *nl;

	for (*line = 1; (nl = memchr(p, '\n', (size_t)(end - p))); p = nl + 1)
		++*line;
	*col = (unsigned)(end - p) + 1;
}

static bool
fail_at(const struct sx_file *f, uint32_t at, struct tn_error *e, const char *fmt, va_list ap)
{
	char text[sizeof e->msg];
	unsigned line, col;

	vsnprintf(text, sizeof text, fmt, ap);
	find_place(f, at, &line, &col);
	return tn_fail(e, TN_E_INPUT, "%s:%u:%u: %s", f->name, line, col, text);
}

bool
sx_fail(const struct sx_file *f, const struct sx *x, struct tn_error *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fail_at(f, x->at, e, fmt, ap);
	va_end(ap);
	return false;
}

static bool TN_PRINTF(3, 4)
bad(struct reader *r, uint32_t at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fail_at(r->f, at, r->error, fmt, ap);
	va_end(ap);
	return false;
}

/* ---- characters ------------------------------------------------------------------------------------ */

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

/* may stand in an atom: no blank, bracket, quote or control character */
static bool
is_atom_char(char c)
{
	return (unsigned char)c > ' ' && c != 0x7f && !strchr("()[]\";", c);
}

static void
skip_blanks(struct reader *r)
{
	const char *s = r->f->text;

	for (; r->i < r->f->len && (is_blank(s[r->i]) || s[r->i] == ';'); r->i++)
		if (s[r->i] == ';')
			while (r->i + 1 < r->f->len && s[r->i + 1] != '\n')
				r->i++;
}

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* the character an escape stands for, at its backslash; -1: none */
static int
read_escape(struct reader *r)
{
	const char *s = r->f->text + r->i + 1;	/* the text ends in a NUL, which is no escape */
	int high, low;

	r->i += 2;
	switch (*s) {
	case '"':
	case '\\':
		return *s;
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'x':
		high = hex_digit(s[1]);
		low = high < 0 ? -1 : hex_digit(s[2]);
		r->i += 2;
		return low < 0 ? -1 : high << 4 | low;
	default:
		return -1;
	}
}

/* ---- items ------------------------------------------------------------------------------------------- */

static bool
read_string(struct reader *r)
{
	const char *s = r->f->text;
	uint32_t at = r->i++, escape;
	struct buf text = {0};
	bool ok = true;
	int c;

	while (ok && r->i < r->f->len && s[r->i] != '"') {
		escape = r->i;
		c = s[r->i] == '\\' ? read_escape(r) : (unsigned char)s[r->i++];
		if (c < 0)
			ok = bad(r, escape, "unknown escape in a string: \\\" \\\\ \\n \\t and \\xHH are known");
		else if (c == 0)
			ok = bad(r, escape, "a string cannot hold the byte 0");
		else
			buf_putc(&text, (char)c);
	}
	if (ok && r->i >= r->f->len)
		ok = bad(r, at, "'\"' is never closed");
	r->i++;
	if (ok)
		vec_push(&r->item, ((struct sx){SX_STRING, at, (uint32_t)text.n,
		    arena_str(&r->f->arena, text.at ? text.at : "", text.n), NULL}));
	buf_free(&text);
	return ok;
}

static bool
read_atom(struct reader *r)
{
	const char *s = r->f->text;
	uint32_t at = r->i;

	while (r->i < r->f->len && is_atom_char(s[r->i]))
		r->i++;
	if (r->i == at)
		return bad(r, at, "unexpected byte 0x%02x", (unsigned char)s[at]);
	vec_push(&r->item, ((struct sx){SX_ATOM, at, r->i - at, arena_str(&r->f->arena, s + at, r->i - at), NULL}));
	return true;
}

static bool
open_list(struct reader *r, uint8_t kind)
{
	if (r->open.n == SX_DEPTH)
		return bad(r, r->i, "nested too deep (at most %d lists)", SX_DEPTH);
	vec_push(&r->open, ((struct open_list){r->i++, r->item.n, kind}));
	return true;
}

/* what stands on the stack from `first` on becomes one list */
static struct sx
take_items(struct reader *r, struct open_list l)
{
	uint32_t n = r->item.n - l.first;
	struct sx list = {l.kind, l.at, n, NULL, NULL};

	if (n)
		list.item = arena_dup(&r->f->arena, &r->item.at[l.first], n * sizeof *r->item.at);
	r->item.n = l.first;
	return list;
}

static bool
close_list(struct reader *r, uint8_t kind)
{
	char c = r->f->text[r->i];
	struct open_list l;
	struct sx list;
	unsigned line, col;

	if (!r->open.n)
		return bad(r, r->i, "'%c' closes nothing", c);
	l = vec_pop(&r->open);
	if (l.kind != kind) {
		find_place(r->f, l.at, &line, &col);
		return bad(r, r->i, "'%c' does not close the '%c' of %u:%u", c, r->f->text[l.at], line, col);
	}
	r->i++;
	list = take_items(r, l);
	vec_push(&r->item, list);
	return true;
}

static bool
read_one(struct reader *r)
{
	switch (r->f->text[r->i]) {
	case '(':
		return open_list(r, SX_LIST);
	case '[':
		return open_list(r, SX_BRACKET);
	case ')':
		return close_list(r, SX_LIST);
	case ']':
		return close_list(r, SX_BRACKET);
	case '"':
		return read_string(r);
	default:
		return read_atom(r);
	}
}

static bool
read_all(struct sx_file *f, struct tn_error *e)
{
	struct reader r = {.f = f, .error = e};
	bool ok = true;

	for (skip_blanks(&r); ok && r.i < f->len; skip_blanks(&r))
		ok = read_one(&r);
	if (ok && r.open.n) {
		uint32_t at = r.open.at[r.open.n - 1].at;

		ok = bad(&r, at, "'%c' is never closed", f->text[at]);
	}
	if (ok)
		f->top = take_items(&r, (struct open_list){0, 0, SX_LIST});
	vec_free(&r.item);
	vec_free(&r.open);
	return ok;
}

/* ---- files ----------------------------------------------------------------------------------------------- */

bool
sx_parse(struct sx_file *f, const char *name, const char *text, size_t len, struct tn_error *e)
{
	*f = (struct sx_file){0};
	if (len > MAX_BYTES)
		return tn_fail(e, TN_E_INPUT, "%s: more than %d bytes", name, MAX_BYTES);
	f->name = arena_str(&f->arena, name, strlen(name));
	f->text = arena_str(&f->arena, text, len);
	f->len = (uint32_t)len;
	if (read_all(f, e))
		return true;
	sx_free(f);
	return false;
}

/* the whole file into *text; false: errno says why */
static bool
slurp(const char *path, struct buf *text)
{
	char chunk[CHUNK];
	int fd = open(path, O_RDONLY | O_CLOEXEC), error;
	ssize_t n = fd < 0 ? -1 : 0;

	while (fd >= 0 && (n = read(fd, chunk, sizeof chunk)) > 0) {
		buf_put(text, chunk, (size_t)n);
		if (text->n > MAX_BYTES)
			break;		/* sx_parse says so */
	}
	error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return n >= 0;
}

bool
sx_text(const char *path, struct buf *text, struct tn_error *e)
{
	return slurp(path, text) || tn_fail(e, TN_E_IO, "%s: %s", path, strerror(errno));
}

bool
sx_read(struct sx_file *f, const char *path, struct tn_error *e)
{
	struct buf text = {0};
	bool ok = sx_text(path, &text, e) && sx_parse(f, path, text.at ? text.at : "", text.n, e);

	buf_free(&text);
	return ok;
}

void
sx_free(struct sx_file *f)
{
	arena_free(&f->arena);
	*f = (struct sx_file){0};
}

/* ---- asking and writing --------------------------------------------------------------------------------------- */

bool
sx_is(const struct sx *x, const char *atom)
{
	return x->kind == SX_ATOM && strcmp(x->text, atom) == 0;
}

bool
sx_int(const struct sx *x, int64_t *out)
{
	char *end;
	long long v;

	if (x->kind != SX_ATOM || !strchr("-0123456789", x->text[0]))
		return false;
	errno = 0;
	v = strtoll(x->text, &end, 10);
	*out = v;
	return end != x->text && !*end && !errno;
}

void
sx_put_string(struct buf *b, const char *text, size_t len)
{
	unsigned char c;
	size_t i;

	buf_putc(b, '"');
	for (i = 0; i < len; i++) {
		c = (unsigned char)text[i];
		if (c == '"' || c == '\\')
			buf_printf(b, "\\%c", c);
		else if (c < ' ' || c == 0x7f)
			buf_printf(b, "\\x%02x", c);
		else
			buf_putc(b, (char)c);
	}
	buf_putc(b, '"');
}

bool
sx_is_atom_text(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!is_atom_char(text[i]))
			return false;
	return len > 0;
}

bool
sx_is_number_text(const char *text, size_t len)
{
	struct tn_number n;
	size_t i = 0;

	i += i < len && (text[i] == '-' || text[i] == '+');
	i += i < len && text[i] == '.';
	return (i < len && text[i] >= '0' && text[i] <= '9') || number_parse(text, len, &n);
}

/* ":a" would begin an attribute, and "?" is what is not known */
void
sx_put_name(struct buf *b, const char *text, size_t len)
{
	if (!sx_is_atom_text(text, len) || *text == ':' || (len == 1 && *text == '?') || sx_is_number_text(text, len))
		sx_put_string(b, text, len);
	else
		buf_put(b, text, len);
}
