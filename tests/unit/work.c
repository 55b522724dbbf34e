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
	{"(input a f32 [h h]) (output (slice a :axis 0 :from 2 :to 5) y)", 0, 60, false},
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

int
main(void)
{
	c = tn_ctx_new();
	count_work();
	price_own();
	tn_ctx_free(c);
	return failures != 0;
}
