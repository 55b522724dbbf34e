/* Canonical text parses to the same tree and keeps comments, for all rule files and random ones; places are right. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/rand.h"
#include "tests/unit/canonical.h"

static int nbad;

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* the same trees, whatever their places */
static bool
same(const struct sexp *a, const struct sexp *b)
{
	for (; a && b; a = a->next, b = b->next)
		if (a->kind != b->kind || a->is_rest != b->is_rest || !same_text(a->text, b->text) || !same_text(a->at_name, b->at_name) ||
		    !number_equal(a->num, b->num) || a->nkid != b->nkid || !same(a->kid, b->kid))
			return false;
	return a == b;
}

/* all comments, one a line, without the blanks at their ends */
static void
comments(const char *text, size_t size, struct buf *out)
{
	bool in_string = false;
	size_t i, end;

	for (i = 0; i < size; i++) {
		if (in_string) {
			in_string = text[i] != '"';
			i += text[i] == '\\';
			continue;
		}
		in_string = text[i] == '"';
		if (text[i] != ';')
			continue;
		for (end = i; end < size && text[end] != '\n'; end++)
			;
		buf_put(out, text + i, end - i);
		while (out->n && strchr(" \t\r", out->at[out->n - 1]))
			out->n--;
		buf_putc(out, '\n');
		i = end;
	}
}

static bool
same_tree(const char *a, size_t na, const char *b, size_t nb)
{
	struct sources s = {0};
	struct diags d = {.sources = &s};
	struct arena arena = {0};
	struct sexp *ta = sexp_parse(&s, source_text(&s, "a", a, na), &arena, &d);
	struct sexp *tb = sexp_parse(&s, source_text(&s, "b", b, nb), &arena, &d);
	bool ok = same(ta, tb) && d.nerror == 0;

	arena_free(&arena);
	diag_free(&d);
	sources_free(&s);
	return ok;
}

/* 1 if the text has a canonical form, all of whose promises hold or are reported */
static int
check_text(const char *name, const char *text, size_t size)
{
	struct buf before = {0}, after = {0};
	char *once, *twice;
	size_t n1, n2;

	once = canonical(text, size, &n1);
	if (!once)
		return 0;
	twice = canonical(once, n1, &n2);
	comments(text, size, &before);
	comments(once, n1, &after);
	if (!same_tree(text, size, once, n1)) {
		printf("%s: the canonical text is another tree\n%.*s\n---\n%s\n", name, (int)size, text, once);
		nbad++;
	} else if (!twice || n1 != n2 || memcmp(once, twice, n1) != 0) {
		printf("%s: the canonical text is not canonical\n%s\n---\n%s\n", name, once, twice ? twice : "(wrong)");
		nbad++;
	} else if (before.n != after.n || (before.n && memcmp(before.at, after.at, before.n) != 0)) {
		printf("%s: the comments were\n%.*s\n---\nand are\n%.*s\n", name, (int)before.n, before.at, (int)after.n, after.at);
		nbad++;
	}
	buf_free(&before);
	buf_free(&after);
	free(once);
	free(twice);
	return 1;
}

static void
test_files(void)
{
	static const char *const patterns[] = {"rules/*.rules", "rules/*/*.rules", "examples/*/*.rules", "tests/*/*.rules",
	    "tests/fuzz/*/*.rules"};
	struct sources s = {0};
	const char *why;
	int formatted = 0, file;
	size_t i, k;
	glob_t g;

	for (i = 0; i < sizeof patterns / sizeof *patterns; i++) {
		if (glob(patterns[i], 0, NULL, &g) != 0)
			continue;
		for (k = 0; k < g.gl_pathc; k++) {
			file = source_open(&s, g.gl_pathv[k], &why);
			if (file < 0) {
				printf("%s: %s\n", g.gl_pathv[k], why);
				nbad++;
			} else
				formatted += check_text(g.gl_pathv[k], s.at[file].text, s.at[file].size);
		}
		globfree(&g);
	}
	if (formatted < 10) {
		printf("only %d rule files were formatted\n", formatted);
		nbad++;
	}
	sources_free(&s);
}

/* blanks, newlines and comments as an author's hand might leave them */
static void
random_gap(struct rng *r, struct buf *b)
{
	static const char *const gaps[] = {" ", " ", " ", "  ", "\n", "\n\n", "\n \n\n", "\t", "\r\n", " ; why\n", "\n; (a line) of \"its own\n", "\n\n;; x  \n"};

	do
		buf_puts(b, gaps[rng_below(r, sizeof gaps / sizeof *gaps)]);
	while (rng_below(r, 4) == 0);
}

static void
random_form(struct rng *r, struct buf *b, int depth)
{
	static const char *const atoms[] = {
		"matmul", "+", "=>", "<=>", "?x", "?xs...", "$a", "..d", "..a@axis", "#d", "#..d", ":key", "1/6", "-0.5", "1e-5", "inf", "d*", "xs...",
		"\"text\"", "\"a \\\" b; c\"", "\"two\nlines\"", "...", "a-rather-long-name-that-fills-the-line-and-makes-it-break",
	};
	uint32_t i, n;

	if (depth == 0 || rng_below(r, 3) == 0) {
		buf_puts(b, atoms[rng_below(r, sizeof atoms / sizeof *atoms)]);
		return;
	}
	n = rng_below(r, 7);
	i = rng_below(r, 4) == 0;
	buf_putc(b, "(["[i]);
	if (rng_below(r, 8) == 0)
		random_gap(r, b);
	while (n-- > 0) {
		random_form(r, b, depth - 1);
		if (rng_below(r, 8) == 0)
			buf_puts(b, "(f ?xs...)...");
		random_gap(r, b);
	}
	buf_putc(b, ")]"[i]);
}

static void
test_random(void)
{
	struct rng r = {11};
	int i, formatted = 0;

	for (i = 0; i < 3000 && nbad == 0; i++) {
		struct buf b = {0};

		do {
			random_form(&r, &b, 5);
			random_gap(&r, &b);
		} while (rng_below(&r, 3) != 0);
		formatted += check_text("random text", b.at, b.n);
		buf_free(&b);
	}
	if (formatted < i) {
		printf("only %d of %d random texts could be read\n", formatted, i);
		nbad++;
	}
}

/* line and column by counting bytes */
static void
check_places(const char *text, size_t size)
{
	struct sources sources = {0};
	const struct source *s;
	int line = 1, col = 1, l, c;
	size_t i, len;

	source_text(&sources, "x", text, size);
	s = &sources.at[0];
	for (i = 0; i <= size; i++) {
		const char *start = source_line(s, i, &len);

		source_place(s, i, &l, &c);
		if (l != line || c != col || start != text + i - (col - 1) || (start[len] != '\n' && start[len] != '\0') || memchr(start, '\n', len)) {
			printf("offset %zu is line %d column %d, not %d and %d\n", i, l, c, line, col);
			nbad++;
		}
		col++;
		if (i < size && text[i] == '\n') {
			line++;
			col = 1;
		}
	}
	sources_free(&sources);
}

static void
test_places(void)
{
	static const char text[] = "\n(op f\n\n  (in x))\n; end\n(a";
	static char many[3 * SOURCE_BLOCK + 1];
	struct rng r = {1};
	int round;
	size_t i;

	check_places(text, sizeof text - 1);
	for (round = 0; round < 4; round++) {	/* lines from short to longer than a block */
		for (i = 0; i < sizeof many - 1; i++)
			many[i] = rng_below(&r, 3u << 4 * round) ? 'a' : '\n';
		many[SOURCE_BLOCK - 1 + round % 2] = '\n';
		check_places(many, sizeof many - 1);
	}
}

/* the errors that a text gives, and the slug of the first */
static int
errors_of(const char *text, size_t size, char first[64])
{
	struct sources s = {0};
	struct diags d = {.sources = &s};
	struct arena arena = {0};
	size_t len;
	char *out = NULL, *open, *close;
	FILE *f = open_memstream(&out, &len);
	int n;

	sexp_parse(&s, source_text(&s, "x", text, size), &arena, &d);
	diag_print(&d, f, false);
	fclose(f);
	n = d.nerror;
	open = strstr(out, " [");
	while (open && strchr(open, '\n') && memchr(open, ']', (size_t)(strchr(open, '\n') - open)) == NULL)
		open = strstr(open + 1, " [");
	close = open ? strchr(open, ']') : NULL;
	snprintf(first, 64, "%.*s", close ? (int)(close - open - 2) : 0, open ? open + 2 : "");
	if (len > 20000) {
		printf("%zu bytes of messages\n", len);
		nbad++;
	}
	free(out);
	arena_free(&arena);
	diag_free(&d);
	sources_free(&s);
	return n;
}

/* size times the byte: a message, and not many */
static void
expect(const char *what, char byte, size_t size, const char *slug, int least, int most)
{
	char *text = malloc(size + 1), first[64];
	int n;

	memset(text, byte, size);
	text[size] = '\0';
	n = errors_of(text, size, first);
	if (n < least || n > most || strcmp(first, slug) != 0) {
		printf("%s: %d errors, the first [%s]\n", what, n, first);
		nbad++;
	}
	free(text);
}

int
main(void)
{
	test_files();
	test_random();
	test_places();
	expect("nested brackets", '(', 200000, "too-deep", 1, 1);
	expect("a NUL", '\0', 10, "bad-byte", 1, 1);
	expect("many closing brackets", ')', 1 << 20, "unopened", 1, 1);
	expect("a long number", '9', 1 << 24, "bad-number", 1, 1);
	expect("a long name", 'a', 1 << 24, "too-large", 1, 1);
	expect("other bytes", '\xff', 1 << 20, "bad-byte", 1, 1);
	expect("nothing", ' ', 1 << 20, "", 0, 0);
	return nbad != 0;
}
