/* The one value of results whose operands hold one value each, over rules/tensor.rules. */
#include <math.h>

#include "tests/unit/given.h"
#include "tensor/uniform.h"

#define NO NAN		/* as an operand: of many values; as a result: not known to be uniform */

static int failures;

struct uniform_case {
	const char *op, *attrs;
	const char *in[4];
	double value[4];
	double want;
};

static const struct uniform_case cases[] = {
	{"fill", "value 1.5; shape 2; type 3", {0}, {0}, 1.5},
	{"fill", "value 1.5; shape 2; type 4", {0}, {0}, 1.5},		/* f64 */
	{"fill", "value 0.1; shape 2; type 1", {0}, {0}, NO},		/* f16 has no 0.1 */
	{"add", "", {"f32 2 h", "f32 2 h"}, {1, 2.5}, 3.5},
	{"add", "", {"f32 2 h", "f32 2 h"}, {1, NO}, NO},
	{"mul", "", {"f32 2", "f32 2"}, {0, NO}, NO},			/* 0 times infinity */
	{"div", "", {"f32 2", "f32 2"}, {1, 4}, 0.25},
	{"div", "", {"f32 2", "f32 2"}, {0, 0}, NO},			/* not a number */
	{"sqrt", "", {"f32 2"}, {9}, 3},
	{"relu", "", {"f32 2"}, {-9}, 0},
	{"clip", "min 0; max 6", {"f32 2"}, {9}, 6},
	{"leaky-relu", "alpha 0.5", {"f32 2"}, {-4}, -2},
	{"hard-swish", "", {"f32 2"}, {3}, 3},
	/* sums have as many terms as there are, outside reads none */
	{"matmul", "", {"f32 2 5", "f32 5 3", "f32 3"}, {2, 3, 1}, 31},
	{"matmul", "", {"f32 2 h", "f32 h 3", "f32 3"}, {2, 3, 1}, NO},
	{"matmul", "act 1", {"f32 2 h", "f32 h 3", "f32 3"}, {0, 3, -1}, 0},
	{"conv2d", "", {"f32 1 2 5 5", "f32 4 2 3 3", "f32 4"}, {1, 2, 3}, 39},
	{"conv2d", "strides 2 2", {"f32 1 2 h w", "f32 4 2 1 1", "f32 4"}, {1, 2, 3}, 7},
	{"conv2d", "pads 1 1 1 1", {"f32 1 2 5 5", "f32 4 2 3 3", "f32 4"}, {1, 2, 3}, NO},
	{"conv2d", "pads 1 1 1 1", {"f32 1 2 5 5", "f32 4 2 3 3", "f32 4"}, {1, 0, 3}, 3},
	{"conv2d", "groups 2", {"f32 1 4 5 5", "f32 4 2 1 1", "f32 4"}, {1, 2, 0}, 4},
	{"max-pool2d", "kernel 2 2", {"f32 1 2 5 5"}, {7}, 7},
	{"max-pool2d", "kernel 2 2; pads 1 1 1 1", {"f32 1 2 5 5"}, {7}, NO},
	{"avg-pool2d", "kernel 2 2", {"f32 1 2 5 5"}, {7}, 7},
	{"reduce-sum", "axis 1", {"f32 2 4 3"}, {7}, 28},
	{"reduce-mean", "axis 1", {"f32 2 4 3"}, {7}, 7},
	{"reduce-max", "axis 1", {"f32 2 4 3"}, {7}, 7},
	{"softmax", "axis 1", {"f32 2 4"}, {7}, 0.25},
	/* geometry */
	{"concat", "axis 0", {"i64 2", "i64 h"}, {5, 5}, 5},
	{"concat", "axis 0", {"i64 2", "i64 h"}, {5, 6}, NO},
	{"slice", "axis 0; from 1; to 5; step 3", {"f32 6 h"}, {5}, 5},
	{"slice", "axis 0; from 0; to h/2", {"f32 h"}, {5}, 5},
	{"pad", "before 1; after 0", {"f32 3"}, {5}, NO},
	{"pad", "before 1; after 0", {"f32 3"}, {0}, 0},
	{"pad", "before 0; after -1", {"f32 3"}, {5}, 5},
	{"transpose", "perm 1 0", {"f32 h 3"}, {5}, 5},
	{"reshape", "shape h*3", {"f32 h 3"}, {5}, 5},
	{"expand", "axes 1; shape 2 3 h", {"f32 3"}, {5}, 5},
	{"expand", "axes 0 1; shape 2 h", {"bool 1 h"}, {1}, 1},
};

/* An operator on whole numbers: what a result of u8 cannot be is not known, whatever its operands are. */
static const char whole_numbers[] = "(op plus (dtypes int) (in (a ..d) (b ..d)) (out ..d) (def (+ (a ..d) (b ..d))))";

static const struct uniform_case wholes[] = {
	{"plus", "", {"u8 2", "u8 2"}, {200, 55}, 255},
	{"plus", "", {"u8 2", "u8 2"}, {200, 56}, NO},
	{"plus", "", {"i16 2", "i16 2"}, {-32768, 1}, -32767},
	{"plus", "", {"i16 2", "i16 2"}, {-32768, -1}, NO},
	{"plus", "", {"i64 2", "i64 2"}, {16777216, 2}, 16777218},
	{"plus", "", {"i64 2", "i64 2"}, {16777216, 1}, NO},		/* no f32 */
};

static tn_val
number(double x)
{
	return isnan(x) ? TN_NONE : tn_val_make(c, &(struct tn_value){.kind = TN_K_FLOAT, .u.f = x});
}

static void
check(const struct uniform_case *u)
{
	tn_type in[4];
	tn_val value[4], found;
	struct tn_error error;
	struct tn_infer s = {.ctx = c, .op = op_named(u->op), .in = in, .error = &error, .keep_unknown = true};
	char text[32] = "none";

	for (; s.nin < 4 && u->in[s.nin]; s.nin++) {
		in[s.nin] = read_type(u->in[s.nin]);
		value[s.nin] = number(u->value[s.nin]);
	}
	s.attrs = tn_attrs_normalise(c, s.op, read_attrs(s.op, u->attrs), in, s.nin);
	if (s.attrs == TN_NONE || !tn_infer_run(&s)) {
		printf("%s %s: %s\n", u->op, u->attrs, s.attrs == TN_NONE ? "axis" : error.msg);
		failures++;
		return;
	}
	found = uniform_value(&s, value);
	if (found == number(u->want))
		return;
	if (found != TN_NONE)
		tn_val_print(c, NULL, found, text, sizeof text);
	printf("%s %s of %s: found %s, expected %g\n", u->op, u->attrs, u->in[0] ? u->in[0] : "nothing", text, u->want);
	failures++;
}

static void
check_all(const struct uniform_case u[], size_t n)
{
	size_t i;

	c = tn_ctx_new();
	for (i = 0; i < n; i++)
		check(&u[i]);
	tn_ctx_free(c);
	rules_free(&rules);
}

int
main(void)
{
	if (!load_operators())
		return 1;
	check_all(cases, sizeof cases / sizeof *cases);
	rules = (struct rules){0};
	if (!rules_load_text(&rules, "whole", whole_numbers, sizeof whole_numbers - 1))
		return 1;
	check_all(wholes, sizeof wholes / sizeof *wholes);
	return failures != 0;
}
