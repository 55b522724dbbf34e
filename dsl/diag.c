/* Collecting and printing diagnostics; see diag.h. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "dsl/diag.h"

enum kind { K_ERROR, K_WARNING, K_NOTE, K_HINT };

struct diag {
	enum kind kind;
	enum slug slug;
	struct tn_span at;
	const char *text;
	int number;			/* in order of reporting */
	struct diag *notes, **notes_end;	/* of a primary message */
	struct diag *next;
};

static const struct {
	const char *text;
	bool is_warning;
} slugs[NSLUG] = {
#define ERROR(id, text) [D_##id] = {text, false},
#define WARNING(id, text) [D_##id] = {text, true},
#include "dsl/diag.def"
#undef ERROR
#undef WARNING
};

const char *
slug_text(enum slug slug)
{
	return slugs[slug].text;
}

static char *
format(struct arena *a, const char *fmt, va_list ap)
{
	va_list again;
	char *text;
	int len;

	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, ap);
	if (len > DIAG_TEXT)	/* a name as long as a book */
		len = DIAG_TEXT;
	text = arena_alloc(a, (size_t)len + 1);
	vsnprintf(text, (size_t)len + 1, fmt, again);
	va_end(again);
	if (len == DIAG_TEXT)
		memcpy(text + len - 3, "...", 3);
	return text;
}

void
diag_at(struct diags *d, enum slug slug, struct tn_span at, const char *fmt, ...)
{
	struct diag *m;
	va_list ap;

	if (d->nerror >= DIAG_KEPT) {
		d->nerror += !slugs[slug].is_warning;
		d->last = NULL;
		return;
	}
	m = arena_new(&d->arena, struct diag);
	m->kind = slugs[slug].is_warning && !d->warnings_fail ? K_WARNING : K_ERROR;
	m->slug = slug;
	m->at = at;
	m->notes_end = &m->notes;
	va_start(ap, fmt);
	m->text = format(&d->arena, fmt, ap);
	va_end(ap);
	if (d->is_off[slug] && slugs[slug].is_warning) {
		d->last = m;	/* its notes have a place to go */
		return;
	}
	m->number = d->n++;
	*(m->kind == K_ERROR ? &d->nerror : &d->nwarning) += 1;
	m->next = d->first;
	d->first = m;
	d->last = m;
}

static void
add_note(struct diags *d, enum kind kind, struct tn_span at, const char *fmt, va_list ap)
{
	struct diag *n;

	if (!d->last)
		return;
	n = arena_new(&d->arena, struct diag);
	n->kind = kind;
	n->at = at;
	n->text = format(&d->arena, fmt, ap);
	*d->last->notes_end = n;
	d->last->notes_end = &n->next;
}

void
diag_note(struct diags *d, struct tn_span at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_note(d, K_NOTE, at, fmt, ap);
	va_end(ap);
}

void
diag_hint(struct diags *d, struct tn_span at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_note(d, K_HINT, at, fmt, ap);
	va_end(ap);
}

enum { SHOWN = 160 };	/* bytes of a long line that are printed */

/*
 *    4 |   (matmul (matmul ?w ?y) ?z))
 *      |                   ^~
 */
static void
print_source(const struct source *file, struct tn_span at, int line, FILE *f)
{
	size_t len, before, i, mark;
	const char *text = source_line(file, at.from, &len);

	before = (size_t)(file->text + at.from - text);
	if (before > SHOWN / 2 && len > SHOWN) {	/* a window around the place */
		text += before - SHOWN / 2;
		len -= before - SHOWN / 2;
		before = SHOWN / 2;
	}
	if (len > SHOWN)
		len = SHOWN;
	fprintf(f, "%5d | ", line);
	for (i = 0; i < len; i++)
		fputc((unsigned char)text[i] < ' ' && text[i] != '\t' ? '?' : text[i], f);
	fprintf(f, "\n      | ");
	for (i = 0; i < before; i++)
		fputc(i < len && text[i] == '\t' ? '\t' : ' ', f);
	mark = at.to > at.from ? at.to - at.from : 1;
	if (mark > len - (before < len ? before : len))
		mark = before < len ? len - before : 1;
	fputc('^', f);
	for (i = 1; i < mark; i++)
		fputc('~', f);
	fputc('\n', f);
}

static void
print_one(const struct diags *d, const struct diag *m, FILE *f, bool colour)
{
	static const char *const name[] = {"error", "warning", "note", "hint"};
	static const char *const paint[] = {"\033[1;31m", "\033[1;35m", "\033[1;36m", "\033[1;32m"};
	const struct source *file = &d->sources->at[m->at.file];
	int line, col;

	source_place(file, m->at.from, &line, &col);
	fprintf(f, "%s:%d:%d: %s%s:%s %s", file->path, line, col, colour ? paint[m->kind] : "", name[m->kind],
	    colour ? "\033[0m" : "", m->text);
	if (m->kind == K_ERROR || m->kind == K_WARNING)
		fprintf(f, " [%s]", slugs[m->slug].text);
	fputc('\n', f);
	if (m->kind != K_HINT)
		print_source(file, m->at, line, f);
}

static int
in_source_order(const void *pa, const void *pb)
{
	const struct diag *a = *(struct diag *const *)pa, *b = *(struct diag *const *)pb;

	if (a->at.file != b->at.file)
		return a->at.file < b->at.file ? -1 : 1;
	if (a->at.from != b->at.from)
		return a->at.from < b->at.from ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

bool
diag_print(struct diags *d, FILE *f, bool colour)
{
	struct diag **all = mem_alloc((size_t)d->n * sizeof *all), *m;
	int i, shown = 0;

	for (i = 0, m = d->first; m; m = m->next)
		all[i++] = m;
	qsort(all, (size_t)d->n, sizeof *all, in_source_order);
	for (i = 0; i < d->n; i++) {
		if (all[i]->kind == K_ERROR && ++shown > DIAG_LIMIT)
			continue;
		print_one(d, all[i], f, colour);
		for (m = all[i]->notes; m; m = m->next)
			print_one(d, m, f, colour);
	}
	if (shown > DIAG_LIMIT)
		fprintf(f, "%d more error%s\n", d->nerror - DIAG_LIMIT, d->nerror == DIAG_LIMIT + 1 ? "" : "s");
	mem_free(all);
	return d->nerror == 0;
}

void
diag_free(struct diags *d)
{
	arena_free(&d->arena);
	d->first = d->last = NULL;
	d->n = d->nerror = d->nwarning = 0;
}
