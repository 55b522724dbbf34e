/* Shape inference over rules/tensor.rules: results, numbers that take the shape of their place, messages. */
#include "tests/unit/given.h"

static int failures;

struct given {
	const char *op, *attrs;		/* "strides 2 2; groups 3": others are as declared */
	const char *in[5];		/* "f32 1 3 h w"; "?": a number */
	const char *want;		/* the result's type, or the message */
};

static bool
infer(const struct given *g, bool keep_unknown, bool (*run)(struct tn_infer *), struct tn_error *error, tn_type in[], tn_type *out)
{
	struct tn_infer s = {.ctx = c, .op = op_named(g->op), .in = in, .error = error, .keep_unknown = keep_unknown};
	bool ok;

	for (; s.nin < 5 && g->in[s.nin]; s.nin++)
		in[s.nin] = read_type(g->in[s.nin]);
	s.attrs = tn_attrs_normalise(c, s.op, read_attrs(s.op, g->attrs), in, s.nin);
	if (s.attrs == TN_NONE)
		return tn_fail(error, TN_E_INPUT, "axis");
	ok = run(&s);
	*out = s.out;
	return ok;
}

/* walked, run, run again without asking why, and once more from what was found before */
static void
check(const struct given *g, bool keep_unknown)
{
	struct tn_error error = {0};
	tn_type in[5], out;
	char text[512];
	int k;

	for (k = 0; k < 4; k++) {
		bool ok = infer(g, keep_unknown, k ? tn_infer_run : tn_infer_walk, k == 2 ? NULL : &error, in, &out);

		if (ok)
			tn_type_print(c, out, text, sizeof text);
		else
			snprintf(text, sizeof text, "%s", error.msg);
		if (strcmp(text, g->want) == 0)
			continue;
		printf("%s %s: found    %s\n%*sexpected %s\n", g->op, g->attrs, text, (int)(strlen(g->op) + strlen(g->attrs) + 3), "", g->want);
		failures++;
		return;
	}
}

static const struct given results[] = {
	{"add", "", {"f32 2 3", "f32 2 3"}, "f32 [2 3]"},
	{"add", "", {"f32 h w", "?"}, "f32 [h w]"},
	{"add", "", {"?", "f64 h w"}, "f64 [h w]"},
	{"matmul", "", {"f32 2 5 7", "f32 7 3", "?"}, "f32 [2 5 3]"},
	{"matmul", "batch 1", {"f32 n 5 7", "f32 n 7 3", "f32 3"}, "f32 [n 5 3]"},
	{"conv2d", "", {"f32 1 3 8 8", "f32 4 3 3 3", "?"}, "f32 [1 4 6 6]"},
	{"conv2d", "strides 2 2; pads 1 1 1 1", {"f32 1 3 h w", "f32 4 3 3 3", "?"}, "f32 [1 4 (div (+ 1 h) 2) (div (+ 1 w) 2)]"},
	{"conv2d", "groups 4; dilations 2 2", {"f32 1 8 9 9", "f32 12 2 3 3", "f32 12"}, "f32 [1 12 5 5]"},
	{"conv-transpose2d", "strides 2 2", {"f32 1 3 h 4", "f32 3 5 2 2", "?"}, "f32 [1 5 (* 2 h) 8]"},
	{"group-merge", "groups 4; by 2", {"f32 8 3 1 1"}, "f32 [8 6 1 1]"},
	{"max-pool2d", "kernel 2 2; strides 2 2", {"f32 1 3 9 8"}, "f32 [1 3 4 4]"},
	{"reduce-sum", "axis -1", {"f32 2 3 4"}, "f32 [2 3 1]"},
	{"reduce-mean", "axis 1; count 2", {"f32 2 3 4"}, "f32 [2 1 1]"},
	{"softmax", "axis 1", {"f32 2 3 4"}, "f32 [2 3 4]"},
	{"batch-norm", "", {"f32 n 3 h w", "f32 3", "f32 3", "f32 3", "f32 3"}, "f32 [n 3 h w]"},
	{"layer-norm", "", {"f32 2 n 3", "f32 3", "?"}, "f32 [2 n 3]"},
	{"concat", "axis -1", {"f32 2 3", "f32 2 h", "f32 2 1"}, "f32 [2 (+ 4 h)]"},
	{"concat", "axis 0", {"i64 2", "i64 3"}, "i64 [5]"},
	{"slice", "axis 1; from 1; to 8; step 2", {"f32 2 9"}, "f32 [2 4]"},
	{"slice", "axis 0; from 0; to h/2", {"f32 h"}, "f32 [(div h 2)]"},
	{"pad", "before 0 1; after 0 -2", {"f32 2 9"}, "f32 [2 8]"},
	{"transpose", "perm 2 0 1", {"f32 2 3 h"}, "f32 [h 2 3]"},
	{"reshape", "shape h*6", {"f32 2 3 h"}, "f32 [(* 6 h)]"},
	{"reshape", "shape", {"f32 1 1"}, "f32 []"},
	{"expand", "axes 1; shape 2 3 4", {"bool 3"}, "bool [2 3 4]"},
	{"expand", "axes; shape n 4", {"f32"}, "f32 [n 4]"},
	{"fill", "value 0; shape 2 h; type 3", {0}, "f32 [2 h]"},
};

/* a node of a model stays unless a check is false */
static const struct given models[] = {
	{"add", "", {"f32 h", "f32 w"}, "f32 [h]"},
	{"add", "", {"f32 h", "f32 h-1"}, "add: ..d of b must equal that of a: found [(- h 1)] and [h]"},
	{"conv2d", "", {"f32 1 3 a 8", "f32 4 3 3 3", "?"}, "f32 [1 4 (- a 2) 6]"},
};

/* and its extents are facts from then on */
static const struct given facts[] = {
	{"conv2d", "", {"f32 1 3 a 8", "f32 4 3 3 3", "?"}, "f32 [1 4 (- a 2) 6]"},
	{"slice", "axis 0; from 0; to a-2", {"f32 a"}, "f32 [(- a 2)]"},
};

static const struct given refusals[] = {
	{"add", "", {"f32 2 3", "f32 2 4"}, "add: ..d of b must equal that of a: found [2 4] and [2 3]"},
	{"add", "", {"f32 2 3", "f32 2 h"}, "add: ..d of b is not known to equal that of a: found [2 h] and [2 3]"},
	{"add", "", {"f32 2 3", "f64 2 3"}, "add: operand b must be f32: found f64"},
	{"add", "", {"f32 2 3"}, "add: takes 2 operands: found 1"},
	{"add", "", {"?", "?"}, "add: no operand tells the element type"},
	{"exp", "", {"i64 2 3"}, "exp: is not defined for i64"},
	{"matmul", "", {"f32 2 5 7", "f32 6 3", "?"}, "matmul: k of w must equal that of a: found 6 and 7"},
	{"matmul", "batch 9", {"f32 2 5 7", "f32 6 3", "?"}, "matmul: batch is no number of axes"},
	{"matmul", "", {"f32 2 5", "?", "?"}, "matmul: the shape of number w is not settled by its place"},
	{"conv2d", "", {"f32 3 8 8", "f32 4 3 3 3", "?"}, "conv2d: operand x must have the axes of (x n c h w): found [3 8 8]"},
	{"conv2d", "", {"f32 1 3 8 8", "f32 4 2 3 3", "?"},
	    "conv2d: the input needs groups times the kernel's channels: found c 3, groups 1, g 2"},
	{"conv2d", "strides 0 1", {"f32 1 3 8 8", "f32 4 3 3 3", "?"}, "conv2d: strides must be positive: found strides [0 1]"},
	{"conv2d", "", {"f32 1 3 2 8", "f32 4 3 5 3", "?"}, "conv2d: extent p of the result is negative: found -2"},
	{"conv2d", "", {"f32 1 3 b 8", "f32 4 3 5 3", "?"},
	    "conv2d: extent p of the result is not known to be at least 0: found (- b 4)"},
	{"slice", "axis 0; from 0; to b", {"f32 h"},
	    "slice: bounds must lie in order within the axis (this is not known): found from 0, to b, d h"},
	{"slice", "axis 1; from 0; to 1", {"f32 h"}, "axis"},
	{"slice", "axis 0", {"f32 h"}, "slice: from must be given"},
	{"reshape", "shape 5", {"f32 2 3"}, "reshape: the number of elements must stay the same: found ..d [2 3], shape [5]"},
	{"transpose", "perm 0 0", {"f32 2 3"}, "transpose: perm must be a permutation: found perm [0 0]"},
	{"expand", "axes 0; shape 3 4", {"f32 2"},
	    "expand: each operand axis must have extent 1 or that of its result axis: found ..d [2], axes [0], shape [3 4]"},
	{"concat", "axis 0", {"f32 2 3", "f32 2 4"}, "concat: ..z of xs must equal that of xs: found [4] and [3]"},
	{"concat", "axis 0", {"f32 2 3", "?"}, "concat: the shape of number xs is not settled by its place"},
	{"reduce-max", "axis 0", {"f32 0 3"}, "reduce-max: nothing has no largest element: found ..d [0]"},
};

/* a number takes its shape from the other operands */
static void
test_numbers(void)
{
	static const struct given conv = {"conv2d", "", {"f32 1 3 h 8", "f32 4 3 1 3", "?"}, NULL};
	tn_type in[5], out;
	char text[100];
	int k;

	for (k = 0; k < 2; k++) {		/* the second time as found before */
		if (!infer(&conv, false, tn_infer_run, NULL, in, &out))
			failures++;
		tn_type_print(c, in[2], text, sizeof text);
		if (strcmp(text, "f32 [4]") != 0) {
			printf("the bias of 4 kernels is %s\n", text);
			failures++;
		}
	}
}

#define CHECK(table, keep_unknown) \
	for (i = 0; i < sizeof(table) / sizeof *(table); i++) \
		check(&(table)[i], keep_unknown)

int
main(void)
{
	size_t i;

	if (!load_operators())
		return 1;
	c = tn_ctx_new();
	CHECK(results, false);
	CHECK(refusals, false);
	CHECK(models, true);
	CHECK(facts, false);
	test_numbers();
	tn_ctx_free(c);
	rules_free(&rules);
	return failures != 0;
}
