/* Operations and bytes counted from defs, and prices, held to formulas. */
#include "dsl/rule.h"
#include "tests/unit/graphs.h"

/* the operator that is the graph's last node, at sizes where every symbol is 10 */
static bool
work_of(const char *forms, double *flops, double *bytes, int64_t *ns, struct tn_costs *costs)
{
	struct tn_graph *g = graph(forms);
	const struct tn_gnode *n = &g->node[g->nnode - 1];
	const struct tn_op *op = &tn_builtin.op[n->op];
	tn_type in[40];
	struct tn_source source[40];
	int64_t *sizes = sizes_of(10);
	uint32_t k;
	bool ok;

	for (k = 0; k < n->nkid; k++) {
		in[k] = g->node[g->kid[n->kid + k]].type;
		source[k] = (struct tn_source){.type = in[k], .stored = in[k]};
	}
	ok = tn_op_work(c, op, n->attrs, in, n->nkid, n->type, sizes, flops, bytes);
	*ns = tn_costs_op(costs, op, n->attrs, source, n->nkid, n->type, sizes);
	free(sizes);
	tn_graph_free(g);
	return ok;
}

static const struct {
	const char *forms;
	double flops, elements;		/* elements read and written */
	bool is_free;
} of[] = {
	/* 2 N F P Q G R S, and the bias */
	{"(input x f32 [1 6 h h]) (input k f32 [4 3 3 3]) (input b f32 [4]) (output (conv2d x k b :groups 2 :pads [1 1 1 1]) y)",
	 2.0 * 4 * 100 * 27 + 400, 600 + 108 + 4 + 400, false},
	{"(input x f32 [1 6 h h]) (input k f32 [4 6 1 1]) (input b f32 [4]) (output (conv2d x k b :act relu) y)",
	 2.0 * 400 * 6 + 400 + 400, 600 + 24 + 4 + 400, false},
	/* strides leave out what an output does not read */
	{"(input x f32 [1 1 h h]) (input k f32 [1 1 1 1]) (input b f32 [1]) (output (conv2d x k b :strides [2 2]) y)",
	 2.0 * 25 + 25, 25 + 1 + 1 + 25, false},
	/* of the kernel's 4 by 4 a quarter falls on elements */
	{"(input x f32 [1 2 5 5]) (input k f32 [2 3 4 4]) (input b f32 [3]) (output (conv-transpose2d x k b :strides [2 2]) y)",
	 2.0 * 3 * 144 * 2 * 4 + 3 * 144, 50 + 96 + 3 + 432, false},
	{"(input a f32 [3 h 5]) (input w f32 [3 5 7]) (input b f32 [7]) (output (matmul a w b :batch 1) y)",
	 2.0 * 3 * 10 * 5 * 7 + 210, 150 + 105 + 7 + 210, false},
	{"(input a f32 [h h]) (input b f32 [h h]) (output (add a b) y)", 100, 300, false},
	{"(input a f16 [h h]) (output (exp a) y)", 100, 200, false},
	/* rows of a matrix and channels of one image lie together; columns and every other row do not */
	{"(input a f32 [h h]) (output (slice a :axis 0 :from 2 :to 5) y)", 0, 60, true},
	{"(input a f32 [1 h h]) (output (slice a :axis 1 :from 2 :to 5) y)", 0, 60, true},
	{"(input a f32 [1 1 h]) (output (slice a :axis 2 :from 0 :to 5) y)", 0, 10, true},
	{"(input a f32 [2 h h]) (output (slice a :axis 1 :from 2 :to 5) y)", 0, 120, false},
	{"(input a f32 [h h]) (output (slice a :axis 1 :from 2 :to 5) y)", 0, 60, false},
	{"(input a f32 [h h]) (output (slice a :axis 0 :from 2 :to 8 :step 2) y)", 0, 60, false},
	{"(input a f32 [h 2]) (input b f32 [h 3]) (output (concat a b :axis 1) y)", 0, 100, false},
	{"(input a f32 [h 2]) (output (transpose a :perm [1 0]) y)", 0, 40, false},
	{"(input a f32 [h 2]) (output (reshape a :shape [2 h]) y)", 0, 40, true},
	{"(input a f32 [h]) (output (expand a :axes [1] :shape [2 h]) y)", 0, 30, false},
	{"(input a f32 [4 h]) (output (reduce-sum a :axis 0) y)", 40, 50, false},
};

static void
count_work(void)
{
	struct tn_error e;
	struct tn_costs *costs = tn_costs_device(c, &tn_builtin, "t4", &e);
	double flops, bytes, size, ns;
	int64_t price;
	size_t i;

	for (i = 0; i < sizeof of / sizeof *of; i++) {
		size = strstr(of[i].forms, "f16") ? 2 : 4;
		if (!work_of(of[i].forms, &flops, &bytes, &price, costs)) {
			check(false, of[i].forms);
			continue;
		}
		if (flops != of[i].flops || bytes != of[i].elements * size) {
			printf("%s: %g operations and %g elements, not %g and %g\n", of[i].forms, flops, bytes / size, of[i].flops, of[i].elements);
			failures++;
		}
		ns = 4000 + (flops / 8100 > bytes / 320 ? flops / 8100 : bytes / 320);
		check(of[i].is_free ? price == 0 : (double)price >= ns && (double)price < ns + 1, of[i].forms);
	}
	tn_costs_free(costs);
}

/* What graphs cost: operators that run, and elements they read and write after so many launches. */
static const struct {
	const char *what, *forms;
	uint32_t operators, launches;
	double flops, elements;
} bills[] = {
	{"a sum repeats a vector itself",
	 "(input x f32 [1 4 h h]) (input v f32 [4]) (output (add x (expand v :axes [1] :shape [1 4 h h])) y)", 1, 1, 40000, 80004},
	{"both operands", "(input a f32 [h]) (input b f32 [h])"
	 "(output (add (expand a :axes [0] :shape [h h]) (expand b :axes [1] :shape [h h])) y)", 1, 1, 10000, 10200},
	{"what works on one tensor does not", "(input v f32 [h]) (output (exp (expand v :axes [1] :shape [h h])) y)", 2, 2, 10000, 30100},
	{"nor does an output", "(input v f32 [h]) (output (expand v :axes [1] :shape [h h]) y)", 1, 1, 0, 10100},
	{"what another user needs is made", "(input x f32 [h h]) (input v f32 [h]) (let e (expand v :axes [1] :shape [h h]))"
	 "(output (add x e) y) (output (exp e) z)", 3, 3, 20000, 10100 + 20100 + 20000},
	{"axes out of order are no repetition of memory's",
	 "(input x f32 [h h]) (input v f32 [h 1]) (output (add x (expand v :axes [1 0] :shape [h h])) y)", 2, 2, 10000, 10100 + 30000},
	{"a product takes a transposed matrix", "(input a f32 [h 6]) (input b f32 [4 6]) (output (matmul a (transpose b :perm [1 0])) y)",
	 1, 1, 5200, 600 + 24 + 400},
	{"and transposed batches", "(input a f32 [h 8 6]) (input b f32 [h 4 6])"
	 "(output (matmul a (transpose b :perm [0 2 1]) :batch 1) y)", 1, 1, 41600, 4800 + 2400 + 3200},
	{"not one turned otherwise", "(input a f32 [h 8 6]) (input b f32 [6 h 4])"
	 "(output (matmul a (transpose b :perm [1 0 2]) :batch 1) y)", 2, 2, 41600, 4800 + 4800 + 2400 + 3200},
	{"a convolution takes no turned kernel", "(input x f32 [1 1 h h]) (input k f32 [1 1 1 2])"
	 "(output (conv2d x (transpose k :perm [0 1 3 2])) y)", 2, 2, 49500, 4 + 10000 + 2 + 9900},
	{"a number is nowhere, be it as long as it may", "(input x f32 [h 100]) (weight w f32 [100 100] :fill 0.5) (output (mul x w) y)",
	 1, 1, 10000, 20000},
	{"other weights are read", "(input x f32 [h 100]) (weight w f32 [100 100] :seed 1) (output (mul x w) y)", 1, 1, 10000, 30000},
	{"a shape costs nothing", "(input x f32 [h 4]) (output (reshape x :shape [2 h 2]) y)", 1, 0, 0, 0},
};

static void
count_bills(void)
{
	struct tn_error e;
	struct tn_costs *costs = tn_costs_device(c, &tn_builtin, "t4", &e);
	int64_t *sizes;
	struct tn_graph *g;
	struct tn_bill bill;
	double ns;
	size_t i;

	for (i = 0; i < sizeof bills / sizeof *bills; i++) {
		g = graph(bills[i].forms);
		sizes = sizes_of(100);
		tn_costs_graph(costs, g, sizes, NULL, &bill);
		/* bytes decide, and every operator's nanoseconds are rounded up */
		ns = bills[i].launches * 4000 + bills[i].elements * 4 / 320;
		if (bill.operators != bills[i].operators || (double)bill.ns < ns || (double)bill.ns >= ns + bills[i].launches + 1e-9 ||
		    bills[i].flops / 8100 > bills[i].elements * 4 / 320) {
			printf("%s: %u operators, %lld ns; not %u and %g\n", bills[i].what, bill.operators, (long long)bill.ns,
			    bills[i].operators, ns);
			failures++;
		}
		tn_graph_free(g);
		free(sizes);
	}
	tn_costs_free(costs);
}

static const char own[] =
    "(op a (in (x ..d)) (out ..d))\n"
    "(op b (in (x n m)) (out n m) (cost (+ 5 (* n m))))\n"
    "(op c (in (x n m)) (out n m) (cost 7) (def (exp (x n m))))\n";

/* Without a def an operator moves its bytes; what its author says of its cost goes before that. */
static void
price_own(void)
{
	static const int64_t want[] = {2501, 205, 7};	/* launch and 1600 bytes at 4800 a nanosecond */
	struct rules rules = {0};
	struct tn_shape shape = {.dtype = TN_F32, .rank = 2, .dim = {10, 20}};
	tn_type type = tn_type_make(c, &shape);
	struct tn_error e;
	struct tn_costs *costs = tn_costs_device(c, &tn_builtin, "h200", &e);
	double flops = 1, bytes = 1;
	int i;

	check(rules_load_text(&rules, "own.rules", own, sizeof own - 1), "the operators are read");
	for (i = 0; i < 3; i++) {
		const struct tn_op *op = &rules.text.op[TN_CORE + i];
		int64_t price = tn_costs_op(costs, op, 0, &(struct tn_source){type, type, false}, 1, type, NULL);

		if (price != want[i]) {
			printf("%s: %lld\n", op->name, (long long)price);
			failures++;
		}
	}
	check(tn_op_work(c, &rules.text.op[TN_CORE], 0, &type, 1, type, NULL, &flops, &bytes) && flops == 0 && bytes == 1600,
	    "the bytes of what has no def");
	tn_costs_free(costs);
	rules_free(&rules);
}

/* A part of an image's channels is a place where the device says so, and a copy where it does not. */
static void
price_parts(void)
{
	static const char text[] = "(graph g (input a f32 [1 8 4 4]) (output (slice a :axis 1 :from 2 :to 5) y))";
	struct tn_error e;
	struct tn_graph *g = tn_graph_parse(c, &tn_builtin, "parts", text, sizeof text - 1, &e);
	struct tn_costs *gpu = tn_costs_device(c, &tn_builtin, "t4", &e), *cpu = tn_costs_device(c, &tn_builtin, "cpu", &e);
	struct tn_bill bill;

	tn_costs_graph(gpu, g, NULL, NULL, &bill);
	check(bill.ns == 0, "a part in place costs nothing");
	tn_costs_graph(cpu, g, NULL, NULL, &bill);
	check(bill.ns > 500, "a part that is copied costs a launch and its bytes");
	tn_costs_free(gpu);
	tn_costs_free(cpu);
	tn_graph_free(g);
}

int
main(void)
{
	c = tn_ctx_new();
	count_work();
	count_bills();
	price_own();
	price_parts();
	tn_ctx_free(c);
	return failures != 0;
}
