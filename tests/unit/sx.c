/* The S-expression reader: trees, places of errors, the cap on nesting, strings that read back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rand.h"
#include "base/sx.h"

static int failed;

static void
expect(bool ok, const char *what)
{
	if (!ok) {
		printf("sx: %s\n", what);
		failed = 1;
	}
}

static void
expect_error(const char *text, size_t len, const char *want)
{
	struct sx_file f;
	struct tn_error e = {0};

	if (sx_parse(&f, "t", text, len, &e)) {
		sx_free(&f);
		printf("sx: no error where '%s' was due\n", want);
		failed = 1;
	} else if (strcmp(e.msg, want) != 0 || e.code != TN_E_INPUT) {
		printf("sx: '%s' where '%s' was due\n", e.msg, want);
		failed = 1;
	}
}

static void
trees(void)
{
	static const char text[] = "; head\n(a \"b\\\"\\x41\\n\" [1 -2] ()) x;end";
	struct sx_file f;
	struct tn_error e;
	const struct sx *a;
	int64_t n;

	if (!sx_parse(&f, "t", text, sizeof text - 1, &e)) {
		expect(false, e.msg);
		return;
	}
	expect(f.top.n == 2 && sx_is(&f.top.item[1], "x"), "two items at the top");
	a = &f.top.item[0];
	expect(a->kind == SX_LIST && a->n == 4 && a->at == 7, "a list of four");
	expect(a->item[1].kind == SX_STRING && a->item[1].n == 4 && strcmp(a->item[1].text, "b\"A\n") == 0, "escapes");
	expect(a->item[2].kind == SX_BRACKET && sx_int(&a->item[2].item[1], &n) && n == -2, "a number in brackets");
	expect(!sx_int(&a->item[0], &n) && !sx_int(&a->item[1], &n) && !sx_int(a, &n), "what is no number");
	expect(sx_is_list(&a->item[3]) && a->item[3].n == 0, "an empty list");
	sx_fail(&f, &a->item[2], &e, "wrong: %d", 7);
	expect(strcmp(e.msg, "t:2:16: wrong: 7") == 0, e.msg);
	sx_free(&f);
	expect(sx_parse(&f, "t", "", 0, &e) && f.top.n == 0, "nothing at all");
	sx_free(&f);
}

static void
errors(void)
{
	expect_error("(a\n (b", 6, "t:2:2: '(' is never closed");
	expect_error("a)", 2, "t:1:2: ')' closes nothing");
	expect_error("(a]", 3, "t:1:3: ']' does not close the '(' of 1:1");
	expect_error("\"ab", 3, "t:1:1: '\"' is never closed");
	expect_error("\"\\q\"", 4, "t:1:2: unknown escape in a string: \\\" \\\\ \\n \\t and \\xHH are known");
	expect_error("\"\\x4", 4, "t:1:2: unknown escape in a string: \\\" \\\\ \\n \\t and \\xHH are known");
	expect_error("\"\\", 2, "t:1:2: unknown escape in a string: \\\" \\\\ \\n \\t and \\xHH are known");
	expect_error("a \0", 3, "t:1:3: unexpected byte 0x00");
	expect_error("\"a\0\"", 4, "t:1:3: a string cannot hold the byte 0");
	expect_error("\"\\x00\"", 6, "t:1:2: a string cannot hold the byte 0");
}

/* SX_DEPTH lists within each other are read, one more is an error, and so are far more */
static void
depth(void)
{
	enum { FAR = 200000 };
	static char text[2 * FAR];
	struct sx_file f;
	struct tn_error e;

	memset(text, '(', SX_DEPTH);
	memset(text + SX_DEPTH, ')', SX_DEPTH);
	expect(sx_parse(&f, "t", text, 2 * SX_DEPTH, &e), "as deep as is allowed");
	sx_free(&f);
	memset(text, '(', FAR);
	expect_error(text, FAR, "t:1:1001: nested too deep (at most 1000 lists)");
}

static void
files(void)
{
	struct sx_file f;
	struct tn_error e;

	expect(!sx_read(&f, "/", &e) && e.code == TN_E_IO && strstr(e.msg, "/: "), "a folder is no file");
	expect(!sx_read(&f, "/nowhere/at/all", &e) && e.code == TN_E_IO, "a file that is not there");
}

/* any bytes but 0 written as a string read back as they were; random text never crashes */
static void
round_trips(void)
{
	struct rng r = {1};
	char text[24];
	int i;

	for (i = 0; i < 2000; i++) {
		struct buf b = {0};
		struct sx_file f;
		struct tn_error e;
		size_t n = rng_below(&r, sizeof text), k;

		for (k = 0; k < n; k++)
			text[k] = (char)(1 + rng_below(&r, 255));
		sx_put_string(&b, text, n);
		if (!sx_parse(&f, "t", b.at, b.n, &e)) {
			expect(false, e.msg);
		} else {
			expect(f.top.n == 1 && f.top.item[0].n == n && memcmp(f.top.item[0].text, text, n) == 0, "string round trip");
			sx_free(&f);
		}
		buf_free(&b);
		for (k = 0; k < n; k++)
			text[k] = "()[]\"\\;x1 \n"[rng_below(&r, 11)];
		if (sx_parse(&f, "t", text, n, &e))
			sx_free(&f);
	}
	expect(sx_is_atom_text("a-1", 3) && !sx_is_atom_text("a b", 3) && !sx_is_atom_text("", 0) && !sx_is_atom_text("a;", 2),
	    "text of an atom");
}

int
main(void)
{
	trees();
	errors();
	depth();
	files();
	round_trips();
	return failed;
}
