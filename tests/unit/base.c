/* Arenas, vectors, maps, text buffers and exact numbers, each against a slow obvious version. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/dtype.h"
#include "base/map.h"
#include "base/num.h"
#include "base/rand.h"
#include "base/vec.h"
#include "tenon/ctx.h"

static int nbad;

#define EXPECT(cond) ((cond) ? (void)0 : (void)(nbad++, printf("%s:%d: %s\n", __FILE__, __LINE__, #cond)))

/* blocks are zeroed, aligned, and keep what was written into all the others */
static void
test_arena(void)
{
	enum { N = 500 };
	struct arena a = {0};
	struct rng r = {1};
	unsigned char *block[N];
	uint32_t size[N], i, k;

	EXPECT(arena_alloc(&a, 0) != NULL);
	for (i = 0; i < N; i++) {
		size[i] = rng_below(&r, i % 50 == 0 ? 100000 : 100);
		block[i] = arena_alloc(&a, size[i]);
		EXPECT((uintptr_t)block[i] % _Alignof(max_align_t) == 0);
		for (k = 0; k < size[i]; k++)
			EXPECT(block[i][k] == 0);
		memset(block[i], (int)(i & 255), size[i]);
	}
	for (i = 0; i < N; i++)
		for (k = 0; k < size[i]; k++)
			EXPECT(block[i][k] == (i & 255));
	EXPECT(strcmp(arena_printf(&a, "%s-%d", "ab", 12), "ab-12") == 0);
	EXPECT(strcmp(arena_str(&a, "abcd", 2), "ab") == 0);
	arena_free(&a);
	EXPECT(arena_alloc(&a, 10) != NULL);	/* it may be used again */
	arena_free(&a);
}

static void
test_vec(void)
{
	VEC(uint32_t) v = {0};
	uint32_t i;

	for (i = 0; i < 1000; i++)
		vec_push(&v, i * i);
	EXPECT(v.n == 1000);
	for (i = 0; i < v.n; i++)
		EXPECT(v.at[i] == i * i);
	EXPECT(vec_pop(&v) == 999 * 999);
	EXPECT(v.n == 999);
	vec_free(&v);
	EXPECT(v.at == NULL && v.n == 0);
}

/* a map agrees with a list that is searched from end to end */
static void
test_map(void)
{
	enum { N = 3000, KEYS = 700 };
	struct map m = {0};
	struct rng r = {2};
	VEC(uint64_t) keys = {0};
	VEC(uint32_t) values = {0};
	uint32_t i, k, n = 0;

	for (i = 0; i < N; i++) {
		/* lengths from 0 to 8, so that prefixes of one another are keys */
		uint64_t key = rng_below(&r, KEYS);
		size_t len = rng_below(&r, 9);
		uint32_t *got = map_get(&m, &key, len), *put;
		bool is_new;

		for (k = 0; k < keys.n; k += 2)
			if (keys.at[k + 1] == len && memcmp(&keys.at[k], &key, len) == 0)
				break;
		EXPECT((got != NULL) == (k < keys.n));
		if (got && k < keys.n)
			EXPECT(*got == values.at[k / 2]);
		put = map_put(&m, &key, len, i, &is_new);
		EXPECT(is_new == (k == keys.n));
		if (is_new) {
			vec_push(&keys, key);
			vec_push(&keys, len);
			vec_push(&values, i);
			n++;
		} else if (k < keys.n) {
			*put = i;
			values.at[k / 2] = i;
		}
	}
	EXPECT(m.n == n);
	map_free(&m);
	EXPECT(map_get(&m, "a", 1) == NULL);
	vec_free(&keys);
	vec_free(&values);
}

static void
test_buf(void)
{
	struct buf b = {0};
	int i;

	for (i = 0; i < 300; i++)
		buf_printf(&b, "%d,", i % 10);
	EXPECT(b.n == 600 && strlen(b.at) == 600 && strncmp(b.at, "0,1,2,", 6) == 0);
	buf_putc(&b, '!');
	buf_puts(&b, "end");
	EXPECT(strcmp(b.at + 600, "!end") == 0);
	buf_free(&b);
}

static void
test_integers(void)
{
	int64_t a, b;

	for (a = -20; a <= 20; a++)
		for (b = -7; b <= 7; b++) {
			if (b == 0)
				continue;
			EXPECT(num_floordiv(a, b) * b + num_floormod(a, b) == a);
			EXPECT(num_floormod(a, b) == 0 || (num_floormod(a, b) < 0) == (b < 0));
			EXPECT(llabs(num_floormod(a, b)) < llabs(b));
			EXPECT(num_gcd(a, b) > 0 && a % num_gcd(a, b) == 0 && b % num_gcd(a, b) == 0);
		}
	EXPECT(!num_mul(INT64_MAX, 2, &a) && !num_add(INT64_MAX, 1, &a));
	EXPECT(num_mul(-3, 5, &a) && a == -15 && num_add(-3, 5, &a) && a == 2);
}

/* text, what it parses to, and what that prints as; NULL: no number */
static const struct {
	const char *text, *printed;
	double value;
} numbers[] = {
	{"0", "0", 0}, {"-0", "0", 0}, {"7", "7", 7}, {"+7", "7", 7}, {"-12", "-12", -12}, {"0.5", "0.5", 0.5}, {"-0.25", "-0.25", -0.25},
	{"1/6", "1/6", 1.0 / 6}, {"2/12", "1/6", 1.0 / 6}, {"-3/6", "-0.5", -0.5}, {"4/2", "2", 2}, {"1e3", "1000", 1000},
	{"1e-5", "0.00001", 1e-5}, {"1.50", "1.5", 1.5}, {"12.0", "12", 12}, {"0.7071067811865476", "0.7071067811865476", 0.7071067811865476},
	{"1e30", "1e30", 1e30}, {"2.5e-30", "25e-31", 2.5e-30}, {"10e-30", "1e-29", 1e-29}, {"-1e300", "-1e300", -1e300},
	{"9223372036854775807", "9223372036854775807", 9223372036854775807.0}, {"inf", "inf", 1 / 0.0}, {"-inf", "-inf", -1 / 0.0},
	{"9223372036854775808", NULL, 0}, {"", NULL, 0}, {"-", NULL, 0}, {"1/0", NULL, 0}, {"1.5/2", NULL, 0}, {"1e", NULL, 0}, {"1e2000", NULL, 0},
	{"1x", NULL, 0}, {".", NULL, 0}, {"1..2", NULL, 0}, {"--1", NULL, 0}, {"nan", NULL, 0},
};

static void
test_number_table(void)
{
	struct tn_number n;
	char text[64];
	size_t i;

	for (i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		bool ok = number_parse(numbers[i].text, strlen(numbers[i].text), &n);

		if (ok != (numbers[i].printed != NULL)) {
			printf("'%s' is %sa number\n", numbers[i].text, ok ? "" : "not ");
			nbad++;
			continue;
		}
		if (!ok)
			continue;
		number_print(n, text);
		if (strcmp(text, numbers[i].printed) != 0 || tn_number_double(n) != numbers[i].value) {
			printf("'%s' prints as '%s' and is %.17g\n", numbers[i].text, text, tn_number_double(n));
			nbad++;
		}
	}
}

/* what is printed parses to the same number, and no double between has another */
static void
test_number_random(void)
{
	struct rng r = {3};
	struct tn_number n, again;
	char text[64], printed[64];
	double exact;
	int i;

	for (i = 0; i < 20000; i++) {
		int64_t a = (int64_t)rng_below(&r, 1000000) - 500000;

		switch (rng_below(&r, 3)) {
		case 0:
			snprintf(text, sizeof text, "%" PRId64 "/%u", a, 1 + rng_below(&r, 1000));
			break;
		case 1:
			snprintf(text, sizeof text, "%" PRId64 ".%u", a, rng_below(&r, 100000));
			break;
		default:
			snprintf(text, sizeof text, "%" PRId64 "e%d", a, (int)rng_below(&r, 60) - 30);
		}
		if (!number_parse(text, strlen(text), &n)) {
			printf("'%s' is no number\n", text);
			nbad++;
			continue;
		}
		number_print(n, printed);
		EXPECT(strlen(printed) < 64);
		EXPECT(number_parse(printed, strlen(printed), &again) && number_equal(n, again));
		EXPECT(number_is_int(n) == (strspn(printed, "-0123456789") == strlen(printed)));
		exact = strchr(text, '/') ? (double)a / strtod(strchr(text, '/') + 1, NULL) : strtod(text, NULL);
		if (tn_number_double(n) != exact) {
			printf("'%s' is %.17g, not %.17g\n", text, tn_number_double(n), exact);
			nbad++;
		}
	}
}

/* 0 … n - 1 all come, about as often; a normal variable has mean 0 and deviation 1 */
static void
test_random(void)
{
	struct rng r = {4}, same = {4};
	int count[10] = {0}, i;
	double sum = 0, squares = 0, x;

	for (i = 0; i < 10000; i++) {
		uint32_t k = rng_below(&r, 10);

		EXPECT(k == rng_below(&same, 10));
		count[k]++;
	}
	for (i = 0; i < 10; i++)
		EXPECT(count[i] > 800 && count[i] < 1200);
	for (i = 0; i < 10000; i++) {
		x = rng_normal(&r);
		sum += x;
		squares += x * x;
		x = rng_unit(&r);
		EXPECT(x >= 0 && x < 1);
	}
	EXPECT(sum / 10000 < 0.05 && sum / 10000 > -0.05);
	EXPECT(squares / 10000 > 0.95 && squares / 10000 < 1.05);
}

/* each type under its own name; those with a size in bits also in full */
static void
test_dtypes(void)
{
	char full[32];
	int d;

	for (d = TN_UNTYPED + 1; d < TN_NDTYPES; d++) {
		const char *name = dtype_name((enum tn_dtype)d), *bits = name + strcspn(name, "123468");

		EXPECT(dtype_named(name) == (enum tn_dtype)d);
		if (!*bits)
			continue;
		snprintf(full, sizeof full, "%s%s", *name == 'f' ? "float" : *name == 'b' ? "bfloat" : *name == 'u' ? "uint" : "int", bits);
		EXPECT(dtype_named(full) == (enum tn_dtype)d);
		EXPECT(atoi(bits) == 8 * (int)dtype_size((enum tn_dtype)d));
	}
	EXPECT(dtype_named("?") == TN_UNTYPED && dtype_named("int") == TN_UNTYPED && dtype_named("f") == TN_UNTYPED);
}

int
main(void)
{
	test_dtypes();
	test_arena();
	test_vec();
	test_map();
	test_buf();
	test_integers();
	test_number_table();
	test_number_random();
	test_random();
	return nbad != 0;
}
