/* Values, records and types are interned, and print as the rule language writes them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/rand.h"
#include "tensor/calc.h"
#include "tenon/ctx.h"

static int failures;
static struct tn_ctx *c;
static struct scratch scratch;
static struct calc calc;

static void
check(bool ok, const char *what)
{
	if (!ok) {
		printf("%s\n", what);
		failures++;
	}
}

static tn_val
value(enum tn_kind kind, int64_t i)
{
	return tn_val_make(c, &(struct tn_value){.kind = kind, .u.i = i});
}

static tn_val
real(double x)
{
	return tn_val_make(c, &(struct tn_value){.kind = TN_K_FLOAT, .u.f = x});
}

static void
expect_text(tn_val v, const struct tn_enum *enums, const char *want)
{
	char text[100];

	if (tn_val_print(c, enums, v, text, sizeof text) != strlen(want) || strcmp(text, want) != 0) {
		printf("printed %s, expected %s\n", text, want);
		failures++;
	}
}

static void
test_values(void)
{
	static const char *const names[] = {"none", "relu"};
	static const struct tn_enum acts = {"act", 2, names};
	const int64_t list[] = {1, -2}, same[] = {1, -2};
	tn_val ints = tn_val_make(c, &(struct tn_value){.kind = TN_K_INTS, .n = 2, .u.list = list});
	tn_dim dims[] = {3, tn_dim_sym(c, "h")};

	check(value(TN_K_INT, 3) == value(TN_K_INT, 3), "equal numbers are one value");
	check(value(TN_K_INT, 3) != value(TN_K_AXIS, 3), "kinds tell values apart");
	check(real(0.1) == real((double)0.1f) && real(0.0) != real(-0.0) && real(NAN) == real(-NAN), "floats go by their f32 bits");
	check(ints == tn_val_make(c, &(struct tn_value){.kind = TN_K_INTS, .n = 2, .u.list = same}), "lists are compared by content");
	expect_text(value(TN_K_INT, -7), NULL, "-7");
	expect_text(value(TN_K_BOOL, 1), NULL, "true");
	expect_text(value(TN_K_ENUM, 1), &acts, "relu");
	expect_text(value(TN_K_DTYPE, TN_F32), NULL, "f32");
	expect_text(ints, NULL, "[1 -2]");
	expect_text(tn_val_make(c, &(struct tn_value){.kind = TN_K_DIMS, .n = 2, .u.list = dims}), NULL, "[3 h]");
	expect_text(tn_val_make(c, &(struct tn_value){.kind = TN_K_STRING, .u.s = "a \"b\""}), NULL, "\"a \\\"b\\\"\"");
	expect_text(real(1.0 / 6), NULL, "0.16666667");
	expect_text(real(6), NULL, "6");
	expect_text(real(-INFINITY), NULL, "-inf");
}

/* a float's text reads as the float */
static void
test_float_text(void)
{
	struct rng r = {1};
	struct tn_number n;
	char text[64];
	float x;
	uint32_t bits;
	int i;

	for (i = 0; i < 2000; i++) {
		bits = (uint32_t)rng_next(&r);
		memcpy(&x, &bits, sizeof x);
		if (!isfinite(x) || (x != 0 && fabsf(x) < 1e-30f))
			continue;
		tn_val_print(c, NULL, real((double)x), text, sizeof text);
		if (!number_parse(text, strlen(text), &n) || (float)tn_number_double(n) != x) {
			printf("%a is printed as %s\n", (double)x, text);
			failures++;
		}
	}
}

static void
test_near(void)
{
	double third = (double)(1.0f / 3), next = (double)nextafterf(1.0f / 3, 1);

	check(tn_float_near(third, 1.0 / 3, false) && tn_float_near(next, 1.0 / 3, false), "within 2 ulp is near");
	check(!tn_float_near(third * (1 + 4e-7), 1.0 / 3, false), "4 ulp is not near");
	check(!tn_float_near((double)nextafterf(6, 7), 6, true) && tn_float_near(6, 6, true), "exact numbers match exactly");
	check(!tn_float_near(INFINITY, 3.4028234e38, false), "infinity is near to nothing");
	check(tn_float_near(-0x1p-149, 0x1p-149, false), "across zero");
}

static void
test_records(void)
{
	tn_val v[2] = {value(TN_K_INT, 1), value(TN_K_INT, 2)};
	tn_attrs a = tn_attrs_make(c, v, 2), b;
	int n;

	check(tn_attrs_make(c, NULL, 0) == 0, "the empty record is 0");
	b = tn_attrs_with(c, a, 1, v[0]);
	check(b != a && tn_attrs_get(c, b, &n)[1] == v[0] && n == 2, "a value replaced");
	check(tn_attrs_with(c, b, 1, v[1]) == a, "and put back");
}

static void
test_types(void)
{
	struct tn_shape t = {TN_F32, 2, {3, 0}}, u = t;
	char text[64];
	tn_type type;

	t.dim[1] = tn_dim_add(c, 1, tn_dim_sym(c, "h"));
	u.dim[1] = tn_dim_add(c, tn_dim_sym(c, "h"), 1);
	u.dim[7] = 99;
	type = tn_type_make(c, &t);
	check(type == tn_type_make(c, &u), "equal types are one");
	u.rank = -1;
	check(type != tn_type_make(c, &u), "an unknown rank is another type");
	tn_type_print(c, type, text, sizeof text);
	check(strcmp(text, "f32 [3 (+ 1 h)]") == 0, text);
}

/* ---- functions of values ----------------------------------------------------------------------------- */

static struct tn_v
list(int n, const tn_dim d[])
{
	return calc_items((uint32_t)n, d);
}

#define LIST(...) list(sizeof((tn_dim[]){__VA_ARGS__}) / sizeof(tn_dim), (const tn_dim[]){__VA_ARGS__})
#define CALL(fn, ...) \
	calc_call(&calc, TN_F_##fn, sizeof((struct tn_v[]){__VA_ARGS__}) / sizeof(struct tn_v), (const struct tn_v[]){__VA_ARGS__})

static bool
is_list(struct tn_v v, struct tn_v want)
{
	return v.kind == TN_VV_LIST && tn_v_holds(CALL(EQ, v, want));
}

static bool
is_int(struct tn_v v, tn_dim d)
{
	return v.kind == TN_VV_INT && v.u.i == d;
}

static bool
is_unknown(struct tn_v v)
{
	return v.kind == TN_VV_BOOL && v.u.i == TN_UNKNOWN;
}

static void
test_lists(void)
{
	struct tn_v l = LIST(4, 5, 6), p = LIST(2, 0, 1);

	check(is_list(CALL(ADD, l, calc_int(1)), LIST(5, 6, 7)), "a number goes with every element");
	check(is_list(CALL(MUL, l, p), LIST(8, 0, 6)), "element by element");
	check(CALL(ADD, l, LIST(1, 2)).kind == TN_VV_BAD, "two lengths");
	check(is_list(CALL(PERMUTE, l, p), LIST(6, 4, 5)), "permute");
	check(is_list(CALL(UNPERMUTE, CALL(PERMUTE, l, p), p), l), "unpermute undoes permute");
	check(CALL(PERMUTE, l, LIST(0, 0, 1)).kind == TN_VV_BAD, "no permutation");
	check(is_list(CALL(RANGE, calc_int(3)), LIST(0, 1, 2)), "range");
	check(is_list(CALL(RANGE, calc_int(2), calc_int(4)), LIST(2, 3)), "range from");
	check(is_int(CALL(PRODUCT, l), 120) && is_int(CALL(LENGTH, l), 3), "product and length");
	check(is_int(CALL(AT, l, calc_int(-1)), 6) && CALL(AT, l, calc_int(3)).kind == TN_VV_BAD, "at");
	check(is_int(CALL(FLATTEN, LIST(1, 2), LIST(3, 5)), 7), "flatten");
	check(is_list(CALL(UNFLATTEN, calc_int(7), LIST(3, 5)), LIST(1, 2)), "unflatten");
	check(is_list(CALL(BROADCAST, LIST(7, 8), LIST(1, 5), LIST(0, 1)), LIST(0, 8)), "broadcast");
	check(tn_v_holds(CALL(BROADCASTS, LIST(1, 5), LIST(0, 1), LIST(3, 5))), "broadcasts");
	check(!tn_v_holds(CALL(BROADCASTS, LIST(2), LIST(0), LIST(3))), "does not broadcast");
	check(is_list(calc_list(&calc, 3, (const struct tn_v[]){LIST(1), calc_int(2), LIST(3, 4)}), LIST(1, 2, 3, 4)), "lists are spliced");
}

static void
test_conditions(void)
{
	struct tn_v h = calc_int(tn_dim_sym(c, "h")), one = calc_int(1), yes = calc_bool(TN_TRUE), no = calc_bool(TN_FALSE);
	struct tn_v maybe = CALL(EQ, h, calc_int(3)), bad = CALL(AT, LIST(1), one);

	check(tn_v_holds(CALL(LE, calc_int(0), one, h)), "chains");
	check(tn_v_holds(CALL(LT, calc_int(0), LIST(1, 2))) && !tn_v_holds(CALL(LT, calc_int(1), LIST(1, 2))), "for all elements");
	check(!tn_v_holds(CALL(EQ, LIST(1), LIST(1, 2))), "lists of two lengths differ");
	check(is_unknown(maybe) && is_unknown(CALL(NOT, maybe)) && is_unknown(CALL(AND, yes, maybe)), "unknown");
	check(CALL(AND, no, maybe).u.i == TN_FALSE && tn_v_holds(CALL(OR, yes, maybe)), "what decides beside unknown");
	check(CALL(AND, no, bad).kind == TN_VV_BOOL && CALL(AND, yes, bad).kind == TN_VV_BAD, "what decides beside BAD");
	check(tn_v_holds(CALL(EQ, calc_number(number_make(1, 2)), CALL(DIVR, one, calc_int(2)))), "real division");
	check(CALL(FLOORDIV, one, calc_int(0)).kind == TN_VV_BAD, "division by 0");
	check(is_int(CALL(EXACTDIV, calc_int(6), calc_int(3)), 2) && CALL(EXACTDIV, one, calc_int(2)).kind == TN_VV_BAD, "exact division");
	check(tn_v_holds(CALL(DIVIDES, calc_int(2), CALL(MUL, h, calc_int(4)))), "divides");
	check(is_int(CALL(IF, maybe, one, one), 1) && is_int(CALL(IF, maybe, one, h), TN_DIM_BAD), "if");
	check(is_int(CALL(ABS, calc_int(-3)), 3) && is_int(CALL(SUB, one), -1), "sign");
	check(calc_attr(c, maybe, TN_K_BOOL, NULL) == TN_NONE, "an unknown truth is no attribute");
	check(calc_attr(c, h, TN_K_INT, NULL) == TN_NONE && calc_attr(c, h, TN_K_DIM, NULL) != TN_NONE, "an extent is no int");
}

int
main(void)
{
	c = tn_ctx_new();
	calc = (struct calc){c, &scratch};
	test_values();
	test_float_text();
	test_near();
	test_records();
	test_types();
	test_lists();
	test_conditions();
	scratch_free(&scratch);
	tn_ctx_free(c);
	return failures != 0;
}
