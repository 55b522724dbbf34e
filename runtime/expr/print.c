/*
 * Extents as text in the rule language's syntax: (- (* 2 h) 1), (+ 1 (div h 2)).
 *
 * Terms and factors stand in order of their text, so that the text does not tell in which order
 * symbols were made.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/sx.h"
#include "expr/poly.h"

/* texts made on the way live until the end */
struct printer {
	const struct dims *pool;
	struct arena arena;
};

static const char *write_dim(struct printer *, tn_dim);

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* (head text[0] text[1] …) */
static const char *
form(struct printer *w, const char *head, const char *const text[], uint32_t n)
{
	struct buf b = {0};
	const char *s;
	uint32_t i;

	buf_printf(&b, "(%s", head);
	for (i = 0; i < n; i++)
		buf_printf(&b, " %s", text[i]);
	buf_putc(&b, ')');
	s = arena_str(&w->arena, b.at, b.n);
	buf_free(&b);
	return s;
}

static const char *
write_number(struct printer *w, int64_t n)
{
	return arena_printf(&w->arena, "%" PRId64, n);
}

/* in quotes where it would read back as something else */
static const char *
write_name(struct printer *w, const char *name)
{
	struct buf b = {0};
	const char *s;

	sx_put_name(&b, name, strlen(name));
	s = arena_str(&w->arena, b.at, b.n);
	buf_free(&b);
	return s;
}

static const char *
write_atom(struct printer *w, uint32_t atom)
{
	struct atom a = w->pool->atom.at[atom];
	const char *text[2];

	if (a.sym >= 0)
		return write_name(w, w->pool->sym.at[a.sym].name);
	text[0] = write_dim(w, a.e);
	text[1] = write_number(w, a.k);
	return form(w, "div", text, 2);
}

/* |coef| * mono */
static const char *
write_term(struct printer *w, struct term t)
{
	struct mono m = w->pool->mono.at[t.mono];
	const char *text[MONO_DEGREE + 1];
	int64_t coef = t.coef < 0 ? -t.coef : t.coef;
	uint32_t i, n = coef != 1 || m.n == 0;

	if (n)
		text[0] = write_number(w, coef);
	for (i = 0; i < m.n; i++)
		text[n + i] = write_atom(w, m.atom[i]);
	qsort(text + n, m.n, sizeof *text, by_text);
	return n + m.n == 1 ? text[0] : form(w, "*", text, n + m.n);
}

/* the terms of one sign, the constant first; returns how many */
static uint32_t
write_terms(struct printer *w, struct poly_ref r, bool is_negative, const char *text[])
{
	uint32_t i, n = 0, first;

	for (i = 0; i < r.n; i++)
		if ((r.term[i].coef < 0) == is_negative)
			text[n++] = write_term(w, r.term[i]);
	first = r.term[0].mono == 0 && (r.term[0].coef < 0) == is_negative;
	qsort(text + first, n - first, sizeof *text, by_text);
	return n;
}

static const char *
write_dim(struct printer *w, tn_dim d)
{
	const char *plus[TN_DIM_TERMS], *minus[TN_DIM_TERMS + 1];
	struct poly_ref r;
	uint32_t np, nm;

	if (tn_dim_is_num(d))
		return write_number(w, d);
	if (!dims_is_symbolic(d))
		return "?";
	r = dims_ref(w->pool, d);
	np = write_terms(w, r, false, plus);
	nm = write_terms(w, r, true, minus + 1);
	minus[0] = np == 1 ? plus[0] : np > 1 ? form(w, "+", plus, np) : "0";
	if (nm == 0)
		return minus[0];
	return np == 0 && nm == 1 ? form(w, "-", minus + 1, 1) : form(w, "-", minus, nm + 1);
}

size_t
dims_print(const struct dims *p, tn_dim d, char *out, size_t size)
{
	struct printer w = {.pool = p};
	int n = snprintf(out, size, "%s", write_dim(&w, d));

	arena_free(&w.arena);
	return n < 0 ? 0 : (size_t)n;
}
