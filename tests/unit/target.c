/*
 * A target and the reference executor give the same numbers for random uses of every operator, alone and followed by
 * others, with operands that are inputs or constants; memory is full of NaN before.  The CPU's target has kernels for all; an operator runs
 * there in a third of the uses that are asked for, at least.
 *
 *	target [NAME [USES [SEED]]]		the CPU's, 60 uses of each operator
 */
#include <stdio.h>
#include <stdlib.h>

#include "tenon/target.h"
#include "tenon/tenon.h"

enum { USES = 60 };

static int failures;
static const struct tn_program *program = &tn_builtin;

static void
report(const struct tn_graph *g, const char *what)
{
	failures++;
	printf("%s\n", what);
	if (g)
		tn_graph_write(g, stdout, false);
}

static void
check_op(struct tn_ctx *c, struct tn_target *t, unsigned op, uint32_t uses, uint64_t seed)
{
	struct tn_error e = {0};
	struct tn_selftest s;
	char text[100];

	if (!tn_target_selftest(t, c, program, op, uses, seed, &s, &e))
		report(s.graph, e.msg);
	else if (s.differs)
		report(s.graph, s.where);
	else if (s.on_target < uses / 3) {
		snprintf(text, sizeof text, "%s: only %u uses were compared, and %u on the host", s.op, s.on_target, s.on_host);
		report(NULL, text);
	}
	tn_graph_free(s.graph);
}

/* an array that is not of the input's type is refused, not read beyond its end */
static void
check_inputs(struct tn_ctx *c, struct tn_target *t)
{
	static const char text[] = "(graph g (input x f32 [2 3]) (output (relu x) \"y\"))";
	double v[6] = {1, 2, 3, 4, 5, 6};
	struct tn_array in[] = {
		{.dtype = TN_F32, .rank = 2, .dim = {2, 3}, .v = v}, {.dtype = TN_F32, .rank = 2, .dim = {3, 2}, .v = v},
		{.dtype = TN_F32, .rank = 1, .dim = {2}, .v = v}, {.dtype = TN_I64, .rank = 2, .dim = {2, 3}, .v = v},
	};
	struct tn_error e = {0};
	struct tn_graph *g = tn_graph_parse(c, program, "g", text, sizeof text - 1, &e);
	struct tn_plan *p = g ? tn_plan_new(t, g, NULL, &e) : NULL;

	for (size_t i = 0; p && i < sizeof in / sizeof *in; i++) {
		struct tn_array *out = tn_plan_run(p, &in[i], &e);

		if ((out != NULL) != (i == 0) || (!out && e.code != TN_E_INPUT))
			report(g, "an input of another type is not refused, or the right one is");
		tn_arrays_free(out, 1);
	}
	if (!p)
		report(NULL, e.msg);
	tn_plan_free(p);
	tn_graph_free(g);
}

int
main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "cpu";
	uint32_t uses = argc > 2 ? (uint32_t)atoi(argv[2]) : USES;
	uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
	struct tn_error e = {0};
	struct tn_target *t;
	struct tn_ctx *c;

	if (!tn_target_found(0, NULL)) {
		printf("no target was built here\n");
		return 77;
	}
	t = tn_target_open(name, &(struct tn_target_options){.threads = 1}, &e);
	if (!t) {
		printf("%s\n", e.msg);
		return e.code == TN_E_MISSING ? 77 : 1;
	}
	c = tn_ctx_new();
	check_inputs(c, t);
	for (int op = TN_CORE; op < program->nop && failures < 5; op++)
		check_op(c, t, (unsigned)op, uses, seed + (uint64_t)op);
	tn_ctx_free(c);
	tn_target_close(t);
	return failures != 0;
}
