/* What rule files hold, so written that C takes it for just that; see literal.h. */
#include "gen/literal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One byte of a string; `before` it stands another, or 0. */
static void
put_char(struct buf *b, char c, char before)
{
	if (c == '\n')
		buf_puts(b, "\\n");
	else if (c == '\t')
		buf_puts(b, "\\t");
	else if ((unsigned char)c < ' ' || c == 127)
		buf_printf(b, "\\%03o", (unsigned)c);
	else {
		/* no trigraphs */
		if (c == '"' || c == '\\' || (c == '?' && before == '?'))
			buf_putc(b, '\\');
		buf_putc(b, c);
	}
}

void
literal_string(struct buf *b, const char *text, size_t len)
{
	buf_putc(b, '"');
	for (size_t i = 0; i < len; i++)
		put_char(b, text[i], i ? text[i - 1] : '\0');
	buf_putc(b, '"');
}

void
literal_lines(struct buf *b, const char *text)
{
	size_t column = 0;

	if (!text) {
		buf_puts(b, "NULL");
		return;
	}
	buf_putc(b, '"');
	for (size_t i = 0; text[i]; i++, column++) {
		if (column >= 52 && (text[i - 1] == ' ' || column >= 60)) {
			buf_puts(b, "\"\n\t\t\"");
			column = 0;
		}
		put_char(b, text[i], i ? text[i - 1] : '\0');
	}
	buf_putc(b, '"');
}

/* C has no literal for the least: -9223372036854775808 is an operator and a number that does not fit. */
void
literal_int(struct buf *b, int64_t n)
{
	if (n == INT64_MIN)
		buf_puts(b, "INT64_MIN");
	else
		buf_printf(b, "%" PRId64, n);
}

void
literal_real(struct buf *b, double v)
{
	char s[40], *comma;

	if (isinf(v)) {
		buf_puts(b, v > 0 ? "INFINITY" : "-INFINITY");
		return;
	}
	for (int digits = 1; digits <= 17; digits++) {
		snprintf(s, sizeof s, "%.*g", digits, v);
		if (strtod(s, NULL) == v)
			break;
	}
	comma = strchr(s, ',');		/* the locale's, where a program that has set one loads rules */
	if (comma)
		*comma = '.';
	buf_printf(b, "%s%s", s, strpbrk(s, ".e") ? "" : ".0");
}

void
literal_comment(struct buf *b, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = text[i], before = b->n ? b->at[b->n - 1] : ' ';

		if (c == '\r')
			continue;
		if ((c == '/' && before == '*') || (c == '*' && before == '/'))
			buf_putc(b, ' ');
		buf_putc(b, (unsigned char)c < ' ' && c != '\t' ? ' ' : c);
	}
}
