/*
 * Canonical text: a form on one line where it fits, else its head and the rest below, two columns in.
 * Comments stay where they are: before the form that follows them, or behind the one on their line.
 * One blank line is kept where there was any.
 */
#include <string.h>

#include "base/buf.h"
#include "dsl/sexp.h"

enum { WIDTH = 100 };

struct printer {
	const struct source *file;
	struct buf out;
	size_t line;		/* where the line being written starts in out */
};

static size_t
column(const struct printer *p)
{
	return p->out.n - p->line;
}

static void
new_line(struct printer *p, int indent)
{
	while (p->out.n > p->line && p->out.at[p->out.n - 1] == ' ')
		p->out.n--;
	buf_putc(&p->out, '\n');
	p->line = p->out.n;
	for (; indent > 0; indent--)
		buf_putc(&p->out, ' ');
}

/* the text of the source, as it was */
static void
verbatim(struct printer *p, const struct sexp *s)
{
	const char *text = p->file->text + s->at.from, *nl;
	size_t len = s->at.to - s->at.from, at = p->out.n;

	buf_put(&p->out, text, len);
	for (; (nl = memchr(p->out.at + at, '\n', p->out.n - at)); at = p->line)
		p->line = (size_t)(nl - p->out.at) + 1;
}

static bool
has_comment(const struct printer *p, size_t from, size_t to)
{
	return memchr(p->file->text + from, ';', to - from) != NULL;
}

/* is there a comment between the form's parts, however deep? */
static bool
has_inner_comment(const struct printer *p, const struct sexp *s)
{
	const struct sexp *k;
	size_t from = s->at.from + 1;

	if (s->kind != S_LIST && s->kind != S_BRACKET)
		return memchr(p->file->text + s->at.from, '\n', s->at.to - s->at.from) != NULL;
	for (k = s->kid; k; from = k->at.to, k = k->next)
		if (has_comment(p, from, k->at.from) || has_inner_comment(p, k))
			return true;
	return has_comment(p, from, s->at.to - 1);
}

/* are these two written without a space between them: (f ?xs...)... */
static bool
is_glued(const struct sexp *k)
{
	return k->kind == S_LIST && k->next && k->next->kind == S_DOTS;
}

static void
flat(struct printer *p, const struct sexp *s)
{
	const struct sexp *k;

	if (s->kind != S_LIST && s->kind != S_BRACKET) {
		verbatim(p, s);
		return;
	}
	buf_putc(&p->out, s->kind == S_LIST ? '(' : '[');
	for (k = s->kid; k; k = k->next) {
		flat(p, k);
		if (k->next && !is_glued(k))
			buf_putc(&p->out, ' ');
	}
	buf_putc(&p->out, s->kind == S_LIST ? ')' : ']');
}

/* comments and blank lines of the gap [from, to), each comment on a line or behind what is written */
static void
gap(struct printer *p, size_t from, size_t to, int indent, bool is_first)
{
	const char *text = p->file->text;
	bool fresh = is_first;		/* nothing stands on this line yet */
	int blank = 0;
	size_t i, end;

	for (i = from; i < to; i++) {
		if (text[i] == '\n') {
			blank++;
			continue;
		}
		if (text[i] != ';')
			continue;
		for (end = i; end < to && text[end] != '\n'; end++)
			;
		while (end > i && (text[end - 1] == ' ' || text[end - 1] == '\r' || text[end - 1] == '\t'))
			end--;
		if (blank == 0 && !is_first)
			buf_puts(&p->out, "  ");
		else if (!fresh) {
			if (blank > 1)
				new_line(p, 0);
			new_line(p, indent);
		} else if (blank > 1 && p->out.n)
			new_line(p, indent);
		buf_put(&p->out, text + i, end - i);
		fresh = false;
		is_first = false;
		blank = 0;
		i = end - 1;
	}
	if (!is_first || !fresh) {
		if (blank > 1)
			new_line(p, 0);
		new_line(p, indent);
	}
}

static void form(struct printer *, const struct sexp *, int indent);

/* (rule NAME, (op NAME, (=> …: the head and one more stay on the first line */
static int
head_parts(const struct sexp *s)
{
	return s->kind == S_LIST && s->kid && s->kid->kind == S_NAME ? 2 : 1;
}

/* where the form's broken lines begin: both sides of an arrow stand below each other */
static int
inner_column(const struct sexp *s, int indent)
{
	if (s->kind == S_BRACKET)
		return indent + 1;
	if (is_clause(s, "=>"))
		return indent + 4;
	if (is_clause(s, "<=>"))
		return indent + 5;
	return indent + 2;
}

static void
broken(struct printer *p, const struct sexp *s, int indent)
{
	const struct sexp *k;
	size_t from = s->at.from + 1;
	int i = 0, head = head_parts(s), inner = inner_column(s, indent);
	bool after_key = false, glued = false;

	buf_putc(&p->out, s->kind == S_LIST ? '(' : '[');
	for (k = s->kid; k; from = k->at.to, after_key = k->kind == S_KEY, glued = is_glued(k), k = k->next, i++) {
		if (has_comment(p, from, k->at.from) || (i >= head && !after_key && !glued))
			gap(p, from, k->at.from, inner, false);
		else if (i && !glued)
			buf_putc(&p->out, ' ');
		form(p, k, (int)column(p));
	}
	if (has_comment(p, from, s->at.to - 1))
		gap(p, from, s->at.to - 1, inner, false);
	buf_putc(&p->out, s->kind == S_LIST ? ')' : ']');
}

static void
form(struct printer *p, const struct sexp *s, int indent)
{
	struct printer trial = *p;
	bool fits;

	if (s->kind != S_LIST && s->kind != S_BRACKET) {
		flat(p, s);
		return;
	}
	if (!has_inner_comment(p, s)) {
		trial.out = (struct buf){0};
		trial.line = 0;
		flat(&trial, s);
		fits = column(p) + trial.out.n <= WIDTH;
		if (fits)
			buf_put(&p->out, trial.out.at, trial.out.n);
		buf_free(&trial.out);
		if (fits)
			return;
	}
	broken(p, s, indent);
}

bool
sexp_format(struct sources *sources, int file, struct diags *diags, FILE *f)
{
	struct arena arena = {0};
	const struct sexp *s = sexp_parse(sources, file, &arena, diags);
	struct printer p = {.file = &sources->at[file]};
	size_t from = 0;
	bool ok = diags->nerror == 0;

	for (; ok && s; from = s->at.to, s = s->next) {
		gap(&p, from, s->at.from, 0, from == 0);
		form(&p, s, 0);
	}
	if (ok) {
		if (has_comment(&p, from, p.file->size))
			gap(&p, from, p.file->size, 0, from == 0);
		while (p.out.n && (p.out.at[p.out.n - 1] == '\n' || p.out.at[p.out.n - 1] == ' '))
			p.out.n--;
		if (p.out.n)
			buf_putc(&p.out, '\n');
		fwrite(p.out.at ? p.out.at : "", 1, p.out.n, f);
	}
	buf_free(&p.out);
	arena_free(&arena);
	return ok;
}
