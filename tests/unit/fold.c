/* Constant folding: what becomes weights and numbers, what the budget forbids, and that values stay. */
#include <math.h>

#include "tests/unit/graphs.h"

struct want {
	const char *what, *forms, *op;	/* how many of the operator are left */
	uint32_t left, folded;
	size_t growth_bytes;
};

static const struct want wants[] = {
	{"a sum of weights is one", "(input x f32 [4]) (weight a f32 [4] :seed 1) (weight b f32 [4] :seed 2)"
	 " (output (mul x (add a b)) y)", "add", 0, 1, 0},
	{"a chain is folded at once", "(input x f32 [4]) (weight a f32 [4] :seed 1) (output (mul x (exp (neg (abs a)))) y)", "exp", 0, 3, 0},
	{"what is shared is folded once for each user", "(input x f32 [4]) (weight a f32 [4] :seed 1) (let e (exp a))"
	 " (output (mul x e) y) (output (add x (neg e)) z)", "weight", 2, 2, 100},
	{"a larger result than the budget stays, its operands do not", "(input x f32 [64 64]) (weight a f32 [64 1] :seed 1)"
	 " (weight b f32 [1 64] :seed 2) (output (mul x (matmul (exp a) (neg b))) y)", "matmul", 1, 2, 1000},
	{"within the budget it goes", "(input x f32 [64 64]) (weight a f32 [64 1] :seed 1)"
	 " (weight b f32 [1 64] :seed 2) (output (mul x (matmul (exp a) (neg b))) y)", "matmul", 0, 3, 16384 - 512},
	{"a byte less and it stays", "(input x f32 [64 64]) (weight a f32 [64 1] :seed 1)"
	 " (weight b f32 [1 64] :seed 2) (output (mul x (matmul (exp a) (neg b))) y)", "matmul", 1, 2, 16384 - 513},
	{"one value is a number, whatever the shape", "(input x f32 [h 9]) (output (mul x (exp (fill :value 0 :shape [h 9]))) y)",
	 "fill", 1, 1, 0},
	{"also of a weight", "(input x f32 [h 9]) (weight a f32 [9] :fill 2)"
	 " (output (mul x (expand (neg a) :axes [1] :shape [h 9])) y)", "weight", 0, 2, 0},
	{"what repeats its operand stays for its user", "(input x f32 [2 9]) (weight a f32 [9] :seed 1)"
	 " (output (mul x (expand (neg a) :axes [1] :shape [2 9])) y)", "expand", 1, 1, 1000},
	{"whole numbers too", "(weight a i64 [2] :data [1 -2]) (weight b i64 [1] :data [3]) (output (concat a b :axis 0) y)",
	 "concat", 0, 1, 0},
	{"but not those a double does not hold", "(weight a i64 [2] :data [1 9007199254740993]) (weight b i64 [1] :data [3])"
	 " (output (concat a b :axis 0) y)", "concat", 1, 0, 0},
	{"nor where they were asked for before", "(weight a i64 [2] :data [1 9007199254740993])"
	 " (output (concat a a :axis 0) y) (output (slice a :axis 0 :from 1 :to 2) z)", "concat", 1, 0, 1000},
	{"what an opaque operator makes is no constant", "(weight a f32 [2] :data [1 2])"
	 " (output (neg (result (opaque a 3) 0 f32 [2])) y)", "neg", 1, 0, 0},
	{"symbols in an attribute stay", "(weight a f32 [4] :seed 1) (input x f32 [h]) (output (slice a :axis 0 :from 0 :to h) y)"
	 " (output x)", "slice", 1, 0, 1000},
};

static void
fold(const struct want *w)
{
	struct tn_graph *before = graph(w->forms), *g = graph(w->forms);
	uint32_t folded = tn_graph_fold(g, &(struct tn_fold){.growth_bytes = w->growth_bytes}, NULL), i, k;
	int64_t *sizes = sizes_of(2);
	struct tn_difference d;
	struct tn_error e;

	if (folded != w->folded || count_op(g, w->op) != w->left) {
		printf("%s: %u folded and %u %s left, not %u and %u\n", w->what, folded, count_op(g, w->op), w->op, w->folded, w->left);
		failures++;
	}
	for (i = 0; i < g->nnode; i++)
		for (k = 0; k < g->node[i].nkid; k++)
			check(g->kid[g->node[i].kid + k] < i, "operands come before their users");
	check(g->ninput == before->ninput && count_op(g, "input") == g->ninput, "inputs stay");
	check(tn_graphs_compare(before, g, 2, sizes, 0, &d, &e) && !d.differs, w->what);
	free(sizes);
	tn_graph_free(before);
	tn_graph_free(g);
}

/* The sum of 1 and 2^-30 is rounded once, when it is stored: as f32 it is 1, less 1 it is 0. */
static void
fold_rounds_once(void)
{
	struct tn_graph *g = graph("(weight a f32 [2] :data [1 2]) (weight b f32 [2] :data [9.313225746154785e-10 3])"
	    " (output (sub (add a b) a) y)");
	float got[2];

	check(tn_graph_fold(g, &(struct tn_fold){0}, NULL) == 2 && g->nweight == 1 && g->weight[0].size_bytes == sizeof got,
	    "one weight is left");
	memcpy(got, g->weight[0].data, sizeof got);
	check(got[0] == 0x1p-30f && got[1] == 3, "what is folded is exact until it is stored");
	tn_graph_free(g);
}

/* What is priced by has no values, and is the graph all the same. */
static void
fold_without_values(const struct want *w)
{
	struct tn_graph *g = graph(w->forms);
	uint32_t folded = tn_graph_fold(g, &(struct tn_fold){.growth_bytes = w->growth_bytes, .no_values = true}, NULL);

	if (!strstr(w->forms, "9007199254740993"))	/* which a double does not hold: that takes the values to know */
		check(folded == w->folded && count_op(g, w->op) == w->left, w->what);
	tn_graph_free(g);
}

/* Once interrupted, or out of time, no operator goes; a value that is one number takes no time and still does. */
static void
fold_too_late(void)
{
	static const char forms[] = "(input x f32 [4]) (weight a f32 [4] :seed 1) (weight b f32 [4] :fill 2)"
	    " (output (mul x (exp (neg a))) y) (output (mul x (exp b)) z)";
	const volatile int yes = 1;
	const struct tn_fold late[] = {{.growth_bytes = 100, .interrupted = &yes}, {.growth_bytes = 100, .time_s = 1e-9}};
	bool is_late, left[16], ok;
	struct tn_fold how;
	size_t i, k, n;

	for (i = 0; i < sizeof late / sizeof *late; i++) {
		struct tn_graph *g = graph(forms), *was = graph(forms);

		how = late[i];
		how.left = left;
		check(tn_graph_fold(g, &how, &is_late) == 1 && is_late, "said to be late");
		check(count_op(g, "exp") == 1 && count_op(g, "neg") == 1, "what is late stays");
		for (k = n = 0, ok = true; k < was->nnode; k++)
			if (left[k]) {
				const char *name = was->program->op[was->node[k].op].name;

				ok &= strcmp(name, "neg") == 0 || (strcmp(name, "exp") == 0 && was->node[was->kid[was->node[k].kid]].op >= TN_CORE);
				n++;
			}
		check(ok && n == 2, "it is told which");
		tn_graph_free(was);
		tn_graph_free(g);
	}
}

/* A folded weight is made at the end of an array that may be full, and so moves: whatever the number of nodes. */
static void
fold_while_nodes_move(void)
{
	char text[1600];
	struct tn_graph *g;
	int i, n, k;

	for (i = 0; i < 40; i++) {
		n = snprintf(text, sizeof text, "(weight a f32 [2] :data [1 2]) (output (neg (exp a)) y)");
		for (k = 0; k < i; k++)
			n += snprintf(text + n, sizeof text - (size_t)n, " (input x%d f32 [1])", k);
		g = graph(text);
		check(tn_graph_fold(g, &(struct tn_fold){0}, NULL) == 2 && g->output[0].node < g->nnode &&
		    g->node[g->output[0].node].op == TN_WEIGHT,
		    "folded in its place");
		tn_graph_free(g);
	}
}

/* A chain of constants takes no stack of ours, however long it is. */
static void
fold_deep(void)
{
	enum { LONG = 200000 };
	size_t room = LONG * 40, n;
	char *text = malloc(room);
	struct tn_graph *g;
	float got;
	int i;

	n = (size_t)snprintf(text, room, "(weight w0 f32 [1] :data [3])");
	for (i = 0; i < LONG; i++)
		n += (size_t)snprintf(text + n, room - n, " (let w%d (neg w%d))", i + 1, i);
	snprintf(text + n, room - n, " (weight b f32 [2] :seed 1) (output (concat w%d b :axis 0) y)", LONG);
	g = graph(text);
	check(tn_graph_fold(g, &(struct tn_fold){.growth_bytes = 1000}, NULL) == LONG + 1 && g->nweight == 1,
	    "one weight is left of a long chain");
	memcpy(&got, g->weight[0].data, sizeof got);
	check(got == 3, "its value");
	tn_graph_free(g);
	free(text);
}

int
main(void)
{
	size_t i;

	c = tn_ctx_new();
	for (i = 0; i < sizeof wants / sizeof *wants; i++)
		fold(&wants[i]);
	for (i = 0; i < sizeof wants / sizeof *wants; i++)
		fold_without_values(&wants[i]);
	fold_too_late();
	fold_rounds_once();
	fold_while_nodes_move();
	fold_deep();
	tn_ctx_free(c);
	return failures != 0;
}
