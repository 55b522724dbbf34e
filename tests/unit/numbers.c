/* Numbers of graphs are f32's: what they are as elements of every type, in text, in execution, when folded, and in e-graphs. */
#include <math.h>

#include "tensor/element.h"
#include "tests/unit/graphs.h"

struct number_case {
	enum tn_dtype dtype;
	double x;
	bool fits, holds;
};

static const struct number_case cases[] = {
	{TN_F32, 0.1, true, true}, {TN_F32, 3e38, true, true}, {TN_F32, 4e38, false, false}, {TN_F32, INFINITY, true, true},
	{TN_F32, NAN, false, false}, {TN_F16, 0.1, true, false}, {TN_F16, 0.5, true, true}, {TN_F16, 0x1p-24, true, true},
	{TN_F16, 65504, true, true}, {TN_F16, 65520, false, false}, {TN_F16, -INFINITY, true, true}, {TN_BF16, 1e38, true, false},
	{TN_BF16, 0x1p100, true, true}, {TN_F64, 0.5, true, true}, {TN_F64, 0.1, false, false}, {TN_F64, 0x1p100, true, true},
	{TN_I8, 127, true, true}, {TN_I8, 128, false, false}, {TN_I8, 0.5, false, false}, {TN_U8, -1, false, false},
	{TN_I64, 16777216, true, true}, {TN_I64, 16777217, false, false}, {TN_I64, -0x1p63, true, true}, {TN_I64, 0x1p63, false, false},
	{TN_U64, 0x1p63, true, true}, {TN_BOOL, 1, true, true}, {TN_BOOL, 2, false, false}, {TN_STRING, 0, false, false},
	{TN_UNTYPED, 0, false, false},
};

static void
elements(void)
{
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct number_case *n = &cases[i];

		if (element_fits(n->dtype, n->x) == n->fits && element_holds(n->dtype, n->x) == n->holds)
			continue;
		printf("%s and %.17g: fits %d, holds %d\n", dtype_name(n->dtype), n->x, !n->fits, !n->holds);
		failures++;
	}
}

/* Whatever computed it, a NaN is stored as the same bytes. */
static void
nans(void)
{
	static const enum tn_dtype types[] = {TN_F16, TN_BF16, TN_F32, TN_F64};
	double x[2] = {(double)NAN, copysign((double)NAN, -1)}, back;
	char bytes[2][8];
	size_t i;

	for (i = 0; i < sizeof types / sizeof *types; i++) {
		element_store(types[i], &x[0], 1, bytes[0]);
		element_store(types[i], &x[1], 1, bytes[1]);
		element_load(types[i], bytes[1], 1, &back);
		check(memcmp(bytes[0], bytes[1], dtype_size(types[i])) == 0 && isnan(back), "a NaN is a NaN");
	}
}

/* the text of a graph is refused with this message */
static void
refused(const char *forms, const char *message)
{
	char text[300];
	struct tn_error e = {0};
	struct tn_graph *g;

	snprintf(text, sizeof text, "(graph g %s)", forms);
	g = read_graph(text, strlen(text), &e);
	if (g || !strstr(e.msg, message)) {
		printf("%s: '%s', not '%s'\n", forms, g ? "read" : e.msg, message);
		failures++;
	}
	tn_graph_free(g);
}

static void
texts(void)
{
	refused("(input x f64 [2]) (output (add x 0.1) y)", ":1:43: 0.1 cannot stand for a tensor of f64: a weight can hold it");
	refused("(input x f16 [2]) (output (add x 1e6) y)", ":1:43: 1e6 cannot stand for a tensor of f16");
	refused("(input x f32 [2]) (output (add x 1e39) y)", ":1:43: 1e39 cannot stand for a tensor of f32");
	tn_graph_free(graph("(input x f64 [2]) (output (add x 0.5) y)"));
}

/* both graphs give the same bits, and so they do folded */
static void
same(const char *a, const char *b, const char *what)
{
	struct tn_graph *g[2] = {graph(a), graph(b)};
	int64_t *sizes = sizes_of(2);
	struct tn_difference d;
	struct tn_error e;
	int i;

	for (i = 0; i < 2; i++) {
		if (!tn_graphs_compare(g[0], g[1], 2, sizes, 0, &d, &e) || d.differs || d.worst != 0) {
			printf("%s%s: %s\n", what, i ? ", folded" : "", d.differs ? d.where : d.worst > 0 ? "not to the bit" : e.msg);
			failures++;
		}
		tn_graph_fold(g[0], &(struct tn_fold){.growth_bytes = 1000}, NULL);
		tn_graph_fold(g[1], &(struct tn_fold){.growth_bytes = 1000}, NULL);
	}
	free(sizes);
	tn_graph_free(g[0]);
	tn_graph_free(g[1]);
}

static void
values(void)
{
	same("(input x f16 [2]) (output (mul x 0.1) y)", "(input x f16 [2]) (weight w f16 [2] :fill 0.1) (output (mul x w) y)",
	    "a number is what its type holds");
	same("(weight x f16 [2] :seed 1) (output (mul x 0.1) y)",
	    "(weight x f16 [2] :seed 1) (weight w f16 [2] :data [0.1 0.1]) (output (mul x w) y)", "of constants too");
	same("(output (fill :value 2.5 :shape [2] :type i32) y)", "(weight w i32 [2] :fill 2) (output w y)", "a fill that is no such element");
}

/* Is a number in a tensor of the type found to be num/den? */
static bool
matches(const char *type, double x, int64_t num, int64_t den)
{
	char forms[80];
	struct tn_graph *g;
	struct tn_tensors *t;
	bool is;

	snprintf(forms, sizeof forms, "(input x %s [2]) (output x)", type);
	g = graph(forms);
	t = tn_tensors_new(c, &tn_builtin, g, false);
	is = tn_uniform_is(tn_tensors_search(t), tn_tensors_fill(t, x, g->node[0].type), num, den, 0);
	tn_tensors_free(t);
	tn_graph_free(g);
	return is;
}

static void
patterns(void)
{
	check(matches("f32", 1.0 / 6, 1, 6) && matches("f32", 0.1666667, 1, 6) && !matches("f32", 0.16663, 1, 6), "1/6 of f32");
	check(matches("f16", 1.0 / 6, 1, 6) && matches("bf16", 1.0 / 6, 1, 6) && !matches("f16", 0.1664, 1, 6), "and of fewer bits");
	check(!matches("i32", 0, 1, 2) && !matches("bool", 1, 1, 2) && !matches("f16", INFINITY, 1000000, 1), "but nothing else");
}

/* Do the classes of two numbers contradict each other once they are one? */
static bool
contradict(double x, double y)
{
	struct tn_graph *g = graph("(input x f32 [2]) (output x)");
	struct tn_tensors *t = tn_tensors_new(c, &tn_builtin, g, false);
	tn_type type = g->node[0].type;
	bool ok;

	tn_union(tn_tensors_egraph(t), tn_tensors_fill(t, x, type), tn_tensors_fill(t, y, type), NULL);
	ok = tn_rebuild(tn_tensors_egraph(t));
	tn_tensors_free(t);
	tn_graph_free(g);
	return !ok;
}

/* Does a class of two types contradict itself? */
static bool
differ_in_type(void)
{
	struct tn_graph *g = graph("(input x f32 [2]) (input y f32 [3]) (output x) (output y)");
	struct tn_tensors *t = tn_tensors_new(c, &tn_builtin, g, false);
	bool ok;

	tn_union(tn_tensors_egraph(t), tn_tensors_classes(t)[0], tn_tensors_classes(t)[1], NULL);
	ok = tn_rebuild(tn_tensors_egraph(t));
	tn_tensors_free(t);
	tn_graph_free(g);
	return !ok;
}

static void
contradictions(void)
{
	check(contradict(1, 2) && contradict(0, 1) && contradict(1, -1), "two numbers are not one");
	check(contradict(1, INFINITY) && contradict(-INFINITY, INFINITY), "nor is any of them infinite");
	check(differ_in_type(), "nor are two types");
	check(!contradict(1, 1.0000002) && !contradict(0, -0.0), "but what differs in its last digit is");
}

int
main(void)
{
	c = tn_ctx_new();
	elements();
	nans();
	texts();
	values();
	patterns();
	contradictions();
	tn_ctx_free(c);
	return failures != 0;
}
