/* Extents in normal form agree with their expressions evaluated step by step, at random sizes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/rand.h"
#include "expr/dims.h"

enum { NSYM = 3, NSIZE = 40, NSAVED = 12 };

static int failures;

/* An expression and its value at each of the random sizes, computed without the pool. */
struct expr {
	tn_dim dim;
	int64_t value[NSIZE];
};

static int64_t sizes[NSIZE][NSYM];

static void
check(bool ok, const char *what, struct dims *p, tn_dim a, tn_dim b)
{
	char s[300], t[300];

	if (ok)
		return;
	dims_print(p, a, s, sizeof s);
	dims_print(p, b, t, sizeof t);
	printf("%s: %s and %s\n", what, s, t);
	failures++;
}

static void
expect_text(struct dims *p, tn_dim d, const char *text)
{
	char s[200];

	if (dims_print(p, d, s, sizeof s) != strlen(text) || strcmp(s, text) != 0) {
		printf("printed %s, expected %s\n", s, text);
		failures++;
	}
}

/* value of printed text at one of the sizes; moves *s on */
static int64_t
read_value(struct dims *p, const char **s, const int64_t at[])
{
	char head[32];
	int64_t v, w;
	int n = 0, i;

	while (**s == ' ')
		++*s;
	if (**s != '(') {
		while (**s && !strchr(" ()", **s) && n < 31)
			head[n++] = *(*s)++;
		head[n] = '\0';
		for (i = 0; i < dims_nsym(p); i++)
			if (strcmp(dims_symname(p, i), head) == 0)
				return at[i];
		return strtoll(head, NULL, 10);
	}
	for (++*s; **s != ' ' && n < 31;)
		head[n++] = *(*s)++;
	head[n] = '\0';
	v = read_value(p, s, at);
	if (**s == ')' && strcmp(head, "-") == 0)
		v = -v;
	while (**s != ')') {
		w = read_value(p, s, at);
		v = *head == '+' ? v + w : *head == '-' ? v - w : *head == '*' ? v * w : num_floordiv(v, w);
	}
	++*s;
	return v;
}

/* one random operation on two expressions; false if the pool refused it or a divisor would not do */
static bool
grow(struct dims *p, struct rng *r, const struct expr *a, const struct expr *b, struct expr *out)
{
	int64_t k = 1 + rng_below(r, 6);
	unsigned op = rng_below(r, 7);
	int i;

	switch (op) {
	case 0: out->dim = dims_add(p, a->dim, b->dim); break;
	case 1: out->dim = dims_sub(p, a->dim, b->dim); break;
	case 2: out->dim = dims_mul(p, a->dim, b->dim); break;
	case 3: out->dim = dims_div(p, a->dim, k); break;
	case 4: out->dim = dims_mod(p, a->dim, k); break;
	case 5: out->dim = dims_ceildiv(p, a->dim, k); break;
	default: out->dim = dims_div(p, a->dim, -k); break;
	}
	for (i = 0; i < NSIZE; i++) {
		int64_t x = a->value[i], y = b->value[i], v;

		switch (op) {
		case 0: v = x + y; break;
		case 1: v = x - y; break;
		case 2: v = x * y; break;
		case 3: v = num_floordiv(x, k); break;
		case 4: v = num_floormod(x, k); break;
		case 5: v = -num_floordiv(-x, k); break;
		default: v = num_floordiv(x, -k); break;
		}
		out->value[i] = v;
		if (v > INT64_C(1) << 30 || v < -(INT64_C(1) << 30))
			return false;
	}
	return out->dim != TN_DIM_BAD;
}

static void
check_values(struct dims *p, const struct expr *e)
{
	static char text[65536];
	const char *s = text;
	int64_t v;
	int i;

	if (dims_print(p, e->dim, text, sizeof text) >= sizeof text)
		return;
	for (i = 0; i < NSIZE; i++) {
		check(dims_at(p, e->dim, sizes[i], &v) && v == e->value[i], "value", p, e->dim, 0);
		s = text;
		check(read_value(p, &s, sizes[i]) == e->value[i] && *s == '\0', "text", p, e->dim, 0);
	}
}

/* what is said of two expressions must hold at all sizes */
static void
check_conditions(struct dims *p, const struct expr *a, const struct expr *b, int *known)
{
	enum tn_tri eq = dims_eq(p, a->dim, b->dim), le = dims_le(p, a->dim, b->dim), lt = dims_lt(p, a->dim, b->dim);
	enum tn_tri divides = dims_divides(p, a->dim, b->dim);
	tn_dim max = dims_max(p, a->dim, b->dim), min = dims_min(p, a->dim, b->dim), quotient = dims_div(p, a->dim, b->dim);
	int64_t v;
	int i;

	for (i = 0; i < NSIZE; i++) {
		int64_t x = a->value[i], y = b->value[i];

		check(eq == TN_UNKNOWN || (eq == TN_TRUE) == (x == y), "equal", p, a->dim, b->dim);
		check(le == TN_UNKNOWN || (le == TN_TRUE) == (x <= y), "at most", p, a->dim, b->dim);
		check(lt == TN_UNKNOWN || (lt == TN_TRUE) == (x < y), "less", p, a->dim, b->dim);
		check(divides == TN_UNKNOWN || (divides == TN_TRUE) == (x == 0 ? y == 0 : y % x == 0), "divides", p, a->dim, b->dim);
		check(max == TN_DIM_BAD || (dims_at(p, max, sizes[i], &v) && v == (x > y ? x : y)), "max", p, a->dim, b->dim);
		check(min == TN_DIM_BAD || (dims_at(p, min, sizes[i], &v) && v == (x < y ? x : y)), "min", p, a->dim, b->dim);
		check(quotient == TN_DIM_BAD || y == 0 || (dims_at(p, quotient, sizes[i], &v) && v == num_floordiv(x, y)),
		    "quotient", p, a->dim, b->dim);
	}
	*known += (le != TN_UNKNOWN) + (quotient != TN_DIM_BAD);
}

static void
test_random(uint64_t seed)
{
	static const char *const names[NSYM] = {"h", "w", "n"};
	struct dims *p = dims_new();
	struct rng r = {seed};
	struct expr e[NSAVED], t;
	int i, j, made, known = 0;

	for (i = 0; i < NSIZE; i++)
		for (j = 0; j < NSYM; j++)
			sizes[i][j] = 1 + rng_below(&r, i < 20 ? 5 : 60);
	for (i = 0; i < NSAVED; i++) {
		e[i].dim = i < NSYM ? dims_sym(p, names[i]) : (int64_t)rng_below(&r, 20) - 5;
		for (j = 0; j < NSIZE; j++)
			e[i].value[j] = i < NSYM ? sizes[j][i] : e[i].dim;
	}
	for (made = 0; made < 120; made++) {
		const struct expr *a = &e[rng_below(&r, NSAVED)], *b = &e[rng_below(&r, NSAVED)];

		if (!grow(p, &r, a, b, &t))
			continue;
		check_values(p, &t);
		check_conditions(p, &t, a, &known);
		check_conditions(p, b, &t, &known);
		e[NSYM + rng_below(&r, NSAVED - NSYM)] = t;
	}
	check(known > 20, "too much is unknown", p, known, 20);
	dims_free(p);
}

/* what the normal form promises */
static void
test_equal(void)
{
	struct dims *p = dims_new();
	tn_dim h = dims_sym(p, "h"), w = dims_sym(p, "w"), two_h = dims_mul(p, 2, h);
	tn_dim half = dims_div(p, h, 2);

	check(dims_div(p, dims_add(p, two_h, 3), 2) == dims_add(p, h, 1), "div(2h + 3, 2)", p, h, 0);
	check(dims_div(p, half, 3) == dims_div(p, h, 6), "div(div(h, 2), 3)", p, half, 0);
	check(dims_div(p, dims_add(p, half, 1), 3) == dims_div(p, dims_add(p, h, 2), 6), "div(div(h, 2) + 1, 3)", p, half, 0);
	check(dims_div(p, dims_mul(p, 6, h), 4) == dims_div(p, dims_mul(p, 3, h), 2), "div(6h, 4)", p, h, 0);
	check(dims_div(p, dims_mod(p, h, 2), 2) == 0, "div(mod(h, 2), 2)", p, h, 0);
	check(dims_ceildiv(p, h, 2) == dims_div(p, dims_add(p, h, 1), 2), "ceil-div(h, 2)", p, h, 0);
	check(dims_div(p, dims_mul(p, h, w), w) == h, "h*w/w", p, h, w);
	check(dims_div(p, dims_mul(p, dims_add(p, half, 1), dims_add(p, w, 3)), dims_add(p, w, 3)) == dims_add(p, half, 1),
	    "(div(h, 2) + 1)*(w + 3)/(w + 3)", p, h, w);
	check(dims_div(p, h, w) == TN_DIM_BAD, "h/w", p, h, w);
	check(dims_sub(p, dims_add(p, h, w), h) == w, "h + w - h", p, h, w);
	check(dims_sym(p, "h") == h, "one symbol a name", p, h, w);
	dims_free(p);
}

static void
test_conditions(void)
{
	struct dims *p = dims_new();
	tn_dim h = dims_sym(p, "h"), w = dims_sym(p, "w"), half = dims_div(p, h, 2), hw = dims_mul(p, h, w);
	tn_dim kept = dims_sub(p, h, 3);

	check(dims_le(p, 1, h) == TN_TRUE, "1 <= h", p, h, 0);
	check(dims_le(p, 2, h) == TN_UNKNOWN, "2 <= h", p, h, 0);
	check(dims_lt(p, h, 1) == TN_FALSE, "h < 1", p, h, 0);
	check(dims_le(p, h, hw) == TN_TRUE, "h <= h*w", p, h, hw);
	check(dims_le(p, dims_mul(p, 2, half), h) == TN_TRUE, "2*div(h, 2) <= h", p, h, half);
	check(dims_le(p, dims_mul(p, half, w), hw) == TN_TRUE, "div(h, 2)*w <= h*w", p, h, half);
	check(dims_lt(p, dims_mod(p, h, 7), 7) == TN_TRUE, "mod(h, 7) < 7", p, h, 0);
	check(dims_le(p, half, dims_ceildiv(p, h, 2)) == TN_TRUE, "div(h, 2) <= ceil-div(h, 2)", p, h, half);
	check(dims_eq(p, h, w) == TN_UNKNOWN, "h = w", p, h, w);
	check(dims_eq(p, dims_sub(p, h, half), dims_ceildiv(p, h, 2)) == TN_TRUE, "h - div(h, 2) = ceil-div(h, 2)", p, h, half);
	check(dims_eq(p, dims_mul(p, 2, h), dims_add(p, 1, dims_mul(p, 2, w))) == TN_FALSE, "2h = 2w + 1", p, h, w);
	check(dims_eq(p, hw, 0) == TN_FALSE, "h*w = 0", p, h, w);
	check(dims_divides(p, 2, dims_mul(p, 4, h)) == TN_TRUE, "2 divides 4h", p, h, 0);
	check(dims_divides(p, 2, dims_add(p, 1, dims_mul(p, 4, h))) == TN_FALSE, "2 divides 4h + 1", p, h, 0);
	check(dims_divides(p, h, hw) == TN_TRUE, "h divides h*w", p, h, w);
	check(dims_le(p, 0, kept) == TN_UNKNOWN, "0 <= h - 3", p, kept, 0);
	dims_assume(p, kept);
	check(dims_le(p, 0, kept) == TN_TRUE && dims_le(p, 2, h) == TN_TRUE, "assumed 0 <= h - 3", p, kept, 0);
	dims_free(p);
}

static void
test_text(void)
{
	struct dims *p = dims_new();
	tn_dim w = dims_sym(p, "w"), h = dims_sym(p, "h");

	expect_text(p, 7, "7");
	expect_text(p, TN_DIM_BAD, "?");
	expect_text(p, dims_add(p, w, h), "(+ h w)");
	expect_text(p, dims_sub(p, 0, h), "(- h)");
	expect_text(p, dims_sub(p, dims_mul(p, 2, h), 1), "(- (* 2 h) 1)");
	expect_text(p, dims_add(p, 1, dims_div(p, dims_mul(p, h, w), 3)), "(+ 1 (div (* h w) 3))");
	expect_text(p, dims_sub(p, dims_sub(p, -2, h), w), "(- 0 2 h w)");
	dims_free(p);
}

/* too large is BAD, and stays it */
static void
test_limits(void)
{
	struct dims *p = dims_new();
	tn_dim h = dims_sym(p, "h"), d = h, big = dims_mul(p, TN_DIM_MAX, h);
	int64_t v, at[] = {3};
	int i;

	check(dims_add(p, TN_DIM_MAX, 1) == TN_DIM_BAD, "sum", p, 0, 0);
	check(dims_mul(p, TN_DIM_MAX, 2) == TN_DIM_BAD, "product", p, 0, 0);
	check(dims_add(p, big, h) == TN_DIM_BAD, "coefficient", p, 0, 0);
	check(!dims_at(p, big, at, &v), "value", p, big, 0);
	check(!dims_at(p, h, (int64_t[]){0}, &v), "unset", p, h, 0);
	check(dims_div(p, h, 0) == TN_DIM_BAD, "div(h, 0)", p, h, 0);
	check(dims_eq(p, TN_DIM_BAD, TN_DIM_BAD) == TN_UNKNOWN, "BAD = BAD", p, 0, 0);
	for (i = 0; i < 20; i++)
		d = dims_mul(p, d, h);
	check(d == TN_DIM_BAD && dims_add(p, d, 1) == TN_DIM_BAD, "degree", p, d, 0);
	for (d = h, i = 0; i < 5000; i++)
		d = dims_div(p, dims_add(p, dims_mul(p, 3, d), h), 5);
	check(d == TN_DIM_BAD, "nesting", p, d, 0);
	dims_free(p);
}

int
main(void)
{
	uint64_t seed;

	test_equal();
	test_conditions();
	test_text();
	test_limits();
	for (seed = 1; seed <= 30 && !failures; seed++)
		test_random(seed);
	return failures != 0;
}
