/* Generated text; see emit.h. */
#include "gen/emit.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

#include "gen/literal.h"

#define BACK "\001"		/* alone on a line: a #line to the line after it */

void
emit_text(struct emit *e, const char *text)
{
	buf_puts(&e->text, text);
}

void
emit(struct emit *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&e->text, fmt, ap);
	va_end(ap);
}

static void
put_tabs(struct emit *e, int depth)
{
	while (depth-- > 0)
		buf_putc(&e->text, '\t');
}

/* May a line be broken after text[i], which is outside of a string? */
static bool
is_break(const char *text, size_t i)
{
	if (text[i] != ' ' || i < 2)
		return false;
	return strchr(",=|", text[i - 1]) || (text[i - 1] == '&' && text[i - 2] == '&');
}

/*
 * How much of the text goes on a line of `room` columns: up to a break in its second half, the least
 * deep in brackets and of those the last; else up to the last in its first half, else to the first.
 */
static size_t
fitting(const char *text, size_t len, size_t room)
{
	size_t i, end = 0;
	int depth = 0, least = 0;
	bool in_string = false;

	if (len <= room)
		return len;
	for (i = 0; i < len && !(end && i > room); i++) {
		if (text[i] == '"' && (i == 0 || text[i - 1] != '\\'))
			in_string = !in_string;
		if (in_string)
			continue;
		depth += (strchr("([{", text[i]) != NULL) - (strchr(")]}", text[i]) != NULL);
		if (is_break(text, i) && (!end || end < room / 2 || depth <= least)) {
			end = i;
			least = depth;
		}
	}
	return end ? end : len;
}

void
emit_line(struct emit *e, int depth, const char *fmt, ...)
{
	struct buf line = {0};
	size_t at = 0, n, column = (size_t)depth * EMIT_TAB;
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&line, fmt, ap);
	va_end(ap);
	put_tabs(e, depth);
	while (at < line.n) {
		n = fitting(line.at + at, line.n - at, column < EMIT_COLUMNS ? EMIT_COLUMNS - column : 0);
		buf_put(&e->text, line.at + at, n);
		at += n;
		if (at < line.n) {
			buf_putc(&e->text, '\n');
			put_tabs(e, depth);
			buf_puts(&e->text, "    ");
			column = (size_t)depth * EMIT_TAB + 4;
			at++;		/* the space */
		}
	}
	buf_putc(&e->text, '\n');
	buf_free(&line);
}

void
emit_comment(struct emit *e, const char *text, size_t len)
{
	literal_comment(&e->text, text, len);
}

void
emit_source(struct emit *e, const char *text, size_t len)
{
	size_t n;

	for (;; text += n + 1, len -= n + 1) {
		const char *eol = memchr(text, '\n', len);

		n = eol ? (size_t)(eol - text) : len;
		emit_text(e, n ? " *\t" : " *");
		emit_comment(e, text, n);
		buf_putc(&e->text, '\n');
		if (!eol)
			return;
	}
}

void
emit_at(struct emit *e, const char *file, int line)
{
	if (e->no_lines)
		return;
	emit(e, "#line %d ", line);
	literal_string(&e->text, file, strlen(file));
	buf_putc(&e->text, '\n');
}

void
emit_back(struct emit *e)
{
	if (!e->no_lines)
		emit_text(e, BACK "\n");
}

bool
emit_has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
		if ((at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_')) &&
		    !(isalnum((unsigned char)at[n]) || at[n] == '_'))
			return true;
	return false;
}

void
emit_join(struct emit *e, struct emit *piece)
{
	buf_put(&e->text, piece->text.at, piece->text.n);
	emit_free(piece);
}

void
emit_finish(struct emit *e, const char *file, struct buf *out)
{
	const char *at = e->text.at, *end = at + e->text.n, *eol;
	int line = 1;

	for (; at && at < end; at = eol + 1, line++) {
		eol = memchr(at, '\n', (size_t)(end - at));
		if (!eol)
			eol = end;
		if (at[0] == BACK[0]) {
			buf_printf(out, "#line %d ", line + 1);
			literal_string(out, file, strlen(file));
			buf_putc(out, '\n');
			continue;
		}
		buf_put(out, at, (size_t)(eol - at));
		buf_putc(out, '\n');
	}
}

void
emit_free(struct emit *e)
{
	buf_free(&e->text);
}
