/* Comparing merged graphs: what is one node, which opaque operators are the same, regions by themselves. */
#include <math.h>

#include "ref/compare.h"
#include "ref/merge.h"
#include "tests/unit/graphs.h"

/* Do the graphs differ? Freed here. */
static bool
differ(struct tn_graph *a, struct tn_graph *b, const struct tn_array given[])
{
	struct tn_difference d;
	struct tn_error e = {0};
	int64_t *sizes = sizes_of(3);
	bool ok = tn_graphs_compare_on(a, b, &(struct tn_comparing){.seeds = 2, .sizes = sizes, .given = given}, &d, &e);

	check(ok, e.msg);
	free(sizes);
	tn_graph_free(a);
	tn_graph_free(b);
	return d.differs;
}

#define ON_X(forms) "(input x f32 [h 4]) " forms

static void
compare_opaque(void)
{
	const char *named = ON_X("(output (result (opaque (mul x 2) 5 \"Resize a\") 0 f32 [u]) y)");

	check(!differ(graph(named), graph(ON_X("(output (result (opaque (add x x) 9 \"Resize a\") 0 f32 [u]) y)")), NULL),
	    "operators of two files are the same ones by what is said of them");
	check(differ(graph(named), graph(ON_X("(output (result (opaque (add x x) 5 \"Resize b\") 0 f32 [u]) y)")), NULL),
	    "not if that is another thing");
	check(differ(graph(ON_X("(output (result (opaque x 5) 0 f32 [u]) y)")), graph(ON_X("(output (result (opaque x 6) 0 f32 [u]) y)")),
	    NULL), "or nothing, and the numbers differ");
	check(differ(graph(named), graph(ON_X("(output (result (opaque (mul x 2.1) 9 \"Resize a\") 0 f32 [u]) y)")), NULL),
	    "on other operands");
	/* two with the same words go by their operands before they go by their order */
	check(!differ(graph(ON_X("(let a (opaque (relu x) 1 \"R\")) (let b (opaque (neg x) 2 \"R\"))"
	    " (output (sub (result a 0 f32 [2]) (result b 0 f32 [2])) y)")),
	    graph(ON_X("(let b (opaque (neg x) 1 \"R\")) (let a (opaque (max x 0) 2 \"R\"))"
	    " (output (sub (result a 0 f32 [2]) (result b 0 f32 [2])) y)")), NULL), "the ones on the same operand are paired");
	/* one that is random is not another one */
	check(differ(graph(ON_X("(output (sub (result (opaque 1 \"Random\") 0 f32 [2]) (result (opaque 2 \"Random\") 0 f32 [2])) y)")),
	    graph(ON_X("(let r (result (opaque 1 \"Random\") 0 f32 [2])) (output (sub r r) y)")), NULL), "two are not one");
	/* values without a shape only pass from one to the other */
	check(!differ(graph(ON_X("(let a (opaque (mul x 2) 1)) (output (result (opaque (result a 0 string [?]) 2) 0 f32 [2]) y)")),
	    graph(ON_X("(let a (opaque (add x x) 1)) (output (result (opaque (result a 0 string [?]) 2) 0 f32 [2]) y)")), NULL),
	    "strings go through");
}

static void
compare_interfaces(void)
{
	check(differ(graph(ON_X("(output x y)")), graph(ON_X("(output x z)")), NULL), "outputs have names");
	check(differ(graph(ON_X("(output x y)")), graph("(input z f32 [h 4]) (output z y)"), NULL), "inputs have names");
	check(differ(graph(ON_X("(output x y)")), graph("(input x f32 [h 5]) (output x y)"), NULL), "and types");
	check(!differ(graph(ON_X("(input z f32 [h 4]) (output (add x z) y)")), graph("(input z f32 [h 4]) (input x f32 [h 4]) (output (add z x) y)"),
	    NULL), "their order is free");
}

/* an input that is given decides: |x| is x where it is positive */
static void
compare_given(void)
{
	double v[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
	struct tn_array x = {.dtype = TN_F32, .rank = 2, .dim = {3, 4}, .v = v};

	check(differ(graph(ON_X("(output (abs x) y)")), graph(ON_X("(output (mul x 1) y)")), NULL), "|x| is not x");
	check(!differ(graph(ON_X("(output (abs x) y)")), graph(ON_X("(output (mul x 1) y)")), &x), "it is where x is positive");
}

/* What is undefined on every input proves nothing; what is so on some needs others. */
static void
compare_undefined(void)
{
	struct tn_graph *a = graph(ON_X("(output (log (sub -1 (abs x))) y)")), *b = graph(ON_X("(output (sqrt (sub -1 (abs x))) y)"));
	struct tn_difference d;
	struct tn_error e;
	int64_t *sizes = sizes_of(3);

	check(!tn_graphs_compare(a, b, 2, sizes, 0, &d, &e) && strstr(e.msg, "NaN"), "NaN alone is nothing compared");
	tn_graph_free(a);
	tn_graph_free(b);
	a = graph(ON_X("(output (log (reduce-min x :axis 0 :count 2)) y)"));
	b = graph(ON_X("(output (mul 2 (log (reduce-min x :axis 0 :count 2))) y)"));
	check(tn_graphs_compare(a, b, 1, sizes, 0, &d, &e) && d.differs, "positive inputs are tried before that is said");
	tn_graph_free(a);
	tn_graph_free(b);
	free(sizes);
}

/* both graphs' last n nodes were read from the same places */
static void
number_last(struct tn_graph *g, uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		g->node[g->nnode - 1 - i].origin = i;
}

static void
regions(const char *what, const char *a, const char *b, uint32_t last, bool equal, uint32_t npair)
{
	struct tn_graph *ga = graph(a), *gb = graph(b);
	int64_t *sizes = sizes_of(3);
	struct tn_difference d;
	struct tn_error e = {0};
	struct merged m;
	char why[200];

	number_last(ga, last);
	number_last(gb, last);
	check(merge_graphs(&m, ga, gb, true, why, sizeof why) && m.pair.n == npair, what);
	if (m.pair.n != npair)
		printf("\t%u pairs, not %u\n", m.pair.n, npair);
	merged_free(&m);
	check(compare_regions(ga, gb, &(struct tn_comparing){.seeds = 2, .sizes = sizes}, 0, &d, &e) == equal, what);
	check(equal || e.code == TN_E_DEFECT, "what is not verified is a fault");
	free(sizes);
	tn_graph_free(ga);
	tn_graph_free(gb);
}

/* Elements that are NaN in both are looked for on other inputs, one by one, and those that never were numbers counted. */
static void
compare_elements(void)
{
	struct tn_graph *a = graph(ON_X("(output (concat (add x x) (sqrt (sub -1 (mul x x))) :axis 1) y)"));
	struct tn_graph *b = graph(ON_X("(output (concat (mul x 2) (sqrt (sub -1 (mul x x))) :axis 1) y)"));
	int64_t *sizes = sizes_of(3);
	struct tn_difference d;
	struct tn_error e = {0};

	check(tn_graphs_compare(a, b, 1, sizes, 0, &d, &e) && !d.differs, "what is a number in neither differs nowhere");
	check(d.elements == 24 && d.never == 12, "and is counted");
	free(sizes);
	tn_graph_free(a);
	tn_graph_free(b);
	check(differ(graph(ON_X("(output (concat x (log (add x -1)) :axis 1) y)")),
	    graph(ON_X("(output (concat x (mul (log (add x -1)) 2) :axis 1) y)")), NULL), "above 1 it differs");
	check(differ(graph(ON_X("(output (concat x (log (add (neg x) -0.1)) :axis 1) y)")),
	    graph(ON_X("(output (concat x (mul (log (add (neg x) -0.1)) 2) :axis 1) y)")), NULL), "and here below 0");
}

static void
compare_by_regions(void)
{
	regions("the first operator changed: the others stand", ON_X("(output (exp (tanh (neg (mul x 2)))) y)"),
	    ON_X("(output (exp (tanh (neg (add x x)))) y)"), 3, true, 1);
	regions("two changed places are two regions", ON_X("(output (exp (mul 2 (neg (mul x 2)))) y)"),
	    ON_X("(let a (neg (add x x))) (output (exp (add a a)) y)"), 1, true, 1);
	regions("one changed badly", ON_X("(output (exp (tanh (neg (mul x 2)))) y)"),
	    ON_X("(output (exp (tanh (neg (mul x 2.01)))) y)"), 3, false, 1);
	regions("a relu's result is never below 0, as one sees from further away", ON_X("(output (exp (abs (relu (neg x)))) y)"),
	    ON_X("(output (exp (relu (neg x))) y)"), 1, true, 1);
	regions("from far away", ON_X("(output (exp (abs (mul 2 (mul 3 (mul 4 (relu (neg x))))))) y)"),
	    ON_X("(output (exp (mul 2 (mul 3 (mul 4 (relu (neg x)))))) y)"), 1, true, 1);
	regions("weights are never drawn", ON_X("(weight w f32 [4] :data [1 2 3 4]) (output (exp (add x (expand w :axes [1] :shape [h 4]))) y)"),
	    ON_X("(weight w f32 [4] :data [1 2 3 4]) (weight v f32 [4] :data [0.5 1 1.5 2])"
	    " (output (exp (add x (expand (add v v) :axes [1] :shape [h 4]))) y)"), 1, true, 1);
}

/* A chain that is slow at its beginning: the time does for its end. */
static void
compare_in_time(void)
{
	struct tn_graph *a = graph("(input x f32 [300 300]) (weight w f32 [300 300] :seed 1) (let p (matmul (matmul (matmul x w) w) w))"
	    " (output (exp (mul p 0.001)) y)");
	struct tn_graph *b = graph("(input x f32 [300 300]) (weight w f32 [300 300] :seed 1) (let p (matmul (matmul (matmul x w) w) w))"
	    " (output (exp (add (mul p 0.0005) (mul p 0.0005))) y)");
	struct tn_difference d;
	struct tn_error e = {0};
	int stop = 1;
	struct tn_array x = {.dtype = TN_F32, .rank = 2, .dim = {300, 300}, .v = calloc(90000, sizeof(double))};
	struct tn_exec exec = {.input = &x, .interrupted = &stop};

	check(compare_regions(a, b, &(struct tn_comparing){.seeds = 2}, 0, &d, &e) && !d.differs, "the slow part is left out");
	check(!tn_execute(a, &exec, &e) && e.code == TN_E_INTERRUPT, "a run can be interrupted");
	x.dim[0] = 299;
	stop = 0;
	check(!tn_execute(a, &exec, &e) && e.code == TN_E_INPUT, "an input has its shape");
	free(x.v);
	tn_graph_free(a);
	tn_graph_free(b);
}

int
main(void)
{
	c = tn_ctx_new();
	compare_opaque();
	compare_interfaces();
	compare_given();
	compare_undefined();
	compare_elements();
	compare_by_regions();
	compare_in_time();
	tn_ctx_free(c);
	return failures != 0;
}
