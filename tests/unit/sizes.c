/* A model may leave it open whether extents are equal: at sizes where they are not, nothing is computed, and it is said why. */
#include "tests/unit/graphs.h"

struct size_case {
	const char *forms;
	int64_t size;			/* of every symbol */
	const char *message;		/* NULL: it is computed */
};

static const struct size_case cases[] = {
	{"(input x f32 [2 3]) (input y f32 [2 s]) (output (add x y) z)", 3, NULL},
	{"(input x f32 [2 3]) (input y f32 [2 s]) (output (add x y) z)", 2, "at these sizes add: "},
	{"(input x f32 [2 3]) (input y f32 [2 s]) (output (add y x) z)", 4, "at these sizes add: "},
	{"(input x f32 [2 s]) (input y f32 [3 2]) (output (matmul x y) z)", 3, NULL},
	{"(input x f32 [2 s]) (input y f32 [3 2]) (output (matmul x y) z)", 5, "at these sizes matmul: "},
	{"(input x f32 [5]) (output (slice x :axis 0 :from 0 :to s) z)", 5, NULL},
	{"(input x f32 [5]) (output (slice x :axis 0 :from 0 :to s) z)", 6, "at these sizes slice: bounds must lie in order"},
	{"(input x f32 [s]) (output (reshape x :shape [2 3]) z)", 6, NULL},
	{"(input x f32 [s]) (output (reshape x :shape [2 3]) z)", 5, "at these sizes reshape: the number of elements"},
	{"(input x f32 [s]) (output (expand x :axes [0] :shape [4]) z)", 1, NULL},
	{"(input x f32 [s]) (output (expand x :axes [0] :shape [4]) z)", 3, "at these sizes expand: "},
};

static void
run(const struct size_case *k)
{
	struct tn_graph *g = graph(k->forms);
	int64_t *sizes = sizes_of(k->size);
	double zeros[64] = {0};
	struct tn_array in[2], *out;
	struct tn_exec x = {.input = in, .sizes = sizes};
	struct tn_error e = {0};
	uint32_t i;
	int a;

	for (i = 0; i < g->ninput; i++) {
		const struct tn_shape *t = tn_type_get(c, g->input[i].type);

		in[i] = (struct tn_array){.dtype = t->dtype, .rank = t->rank, .v = zeros};
		for (a = 0; a < t->rank; a++)
			tn_dim_at(c, t->dim[a], sizes, &in[i].dim[a]);
	}
	out = tn_execute(g, &x, &e);
	if (!out != (k->message != NULL) || (k->message && !strstr(e.msg, k->message))) {
		printf("%s at %d: '%s', not '%s'\n", k->forms, (int)k->size, e.msg, k->message ? k->message : "");
		failures++;
	}
	if (out)
		tn_arrays_free(out, g->noutput);
	free(sizes);
	tn_graph_free(g);
}

int
main(void)
{
	size_t i;

	c = tn_ctx_new();
	for (i = 0; i < sizeof cases / sizeof *cases; i++)
		run(&cases[i]);
	tn_ctx_free(c);
	return failures != 0;
}
