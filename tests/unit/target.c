/*
 * A target and the reference executor give the same numbers for random uses of every operator, alone and followed by
 * others, with operands that are inputs or constants; memory is full of NaN before.
 *
 *	target [NAME [USES [SEED]]]		the CPU's, 60 uses of each operator
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target/plan.h"
#include "tenon/tenon.h"
#include "tests/oracle/random_op.h"

enum { TRIES = 6000 };

static int failures, enough = 60;
static const struct tn_program *program = &tn_builtin;

static int64_t
count_of(const struct tn_shape *s)
{
	int64_t n = 1;

	for (int i = 0; i < s->rank; i++)
		n *= s->dim[i];
	return n;
}

/* an input, now and then a constant */
static uint32_t
operand(struct random_op *r, struct tn_graph *g, tn_type type)
{
	const struct tn_shape *s = tn_type_get(r->ctx, type);
	size_t n = (size_t)count_of(s);
	char name[16];

	snprintf(name, sizeof name, "x%u", (unsigned)g->ninput);
	if (rng_below(&r->rng, 3))
		return tn_graph_input(g, name, type);
	if (rng_below(&r->rng, 3) == 0)
		return tn_graph_fill(g, 0.25 * rng_below(&r->rng, 8) - 0.5, type);
	float *v = malloc((n + 1) * sizeof *v);
	for (size_t i = 0; i < n; i++)
		v[i] = (float)rng_normal(&r->rng);
	return tn_graph_weight(g, &(struct tn_weight){.name = "", .type = type, .data = v, .size_bytes = n * sizeof *v, .is_owned = true});
}

static struct tn_array *
draw_inputs(struct random_op *r, const struct tn_graph *g)
{
	struct tn_array *in = calloc(g->ninput + 1, sizeof *in);

	for (uint32_t i = 0; i < g->ninput; i++) {
		const struct tn_shape *s = tn_type_get(r->ctx, g->input[i].type);
		int64_t n = count_of(s);

		in[i] = (struct tn_array){.dtype = s->dtype, .rank = s->rank, .v = calloc((size_t)n + 1, sizeof(double))};
		memcpy(in[i].dim, s->dim, sizeof in[i].dim);
		for (int64_t k = 0; k < n; k++)
			in[i].v[k] = (double)(float)(rng_normal(&r->rng));
	}
	return in;
}

static void
report(const struct tn_graph *g, const char *what)
{
	failures++;
	printf("%s\n", what);
	tn_graph_write(g, stdout, false);
}

static void
poison(struct tn_target *t, const struct tn_plan *p)
{
	char *nan = malloc(p->bytes + 1);
	struct tn_error e;

	memset(nan, 0xff, p->bytes + 1);
	if (!t->plugin->upload(t->state, p->block, nan, p->bytes, &e)) {
		printf("%s\n", e.msg);
		exit(1);
	}
	free(nan);
}

/* does the target itself run the operator? */
static bool
runs(const struct tn_plan *p, unsigned op)
{
	for (uint32_t i = 0; i < tn_plan_steps(p); i++) {
		const struct tn_plan_step *s = tn_plan_step(p, i);

		if (s->where == TN_ON_TARGET && s->job->op == &program->op[op])
			return true;
	}
	return false;
}

/* Steps that read or write what another one holds at that time would show as NaN or as wrong numbers. */
static bool
compare(struct random_op *r, struct tn_target *t, const struct tn_graph *g, unsigned op)
{
	struct tn_error e = {0};
	struct tn_plan *p = tn_plan_new(t, g, NULL, &e);
	struct tn_array *in, *got;
	struct tn_difference d = {0};
	bool counts;

	if (!p) {
		if (e.code != TN_E_INPUT)
			report(g, e.msg);
		return false;
	}
	poison(t, p);
	in = draw_inputs(r, g);
	got = tn_plan_run(p, in, &e);
	if (!got || !tn_plan_check(p, g, in, got, NULL, &d, &e))
		report(g, e.msg);
	if (d.differs)
		report(g, d.where);
	counts = runs(p, op);
	tn_arrays_free(in, g->ninput);
	tn_arrays_free(got, g->noutput);
	tn_plan_free(p);
	return counts;
}

/* an eps below 0 takes a difference of what is nearly equal: no two ways of computing it agree */
static bool
is_sound(struct tn_ctx *c, const struct tn_op *op, tn_attrs attrs)
{
	const tn_val *v = tn_attrs_get(c, attrs, NULL);

	for (int i = 0; i < op->nattr; i++)
		if (strcmp(op->attr[i].name, "eps") == 0 && tn_val_get(c, v[i])->u.f < 0.01)
			return false;
	return true;
}

/* a use of the operator as a graph's next node; TN_NONE: its checks do not hold */
static uint32_t
add_use(struct random_op *r, struct tn_graph *g, unsigned op)
{
	const struct tn_op *o = &program->op[op];
	tn_type in[MAX_IN];
	uint32_t kid[MAX_IN];
	int nin;
	tn_attrs attrs = random_op(r, o, in, &nin);
	struct tn_infer s = {.ctx = r->ctx, .op = o, .in = in, .nin = nin};

	s.attrs = tn_attrs_normalise(r->ctx, o, attrs, in, nin);
	if (s.attrs == TN_NONE || !is_sound(r->ctx, o, s.attrs) || !tn_infer_run(&s) || count_of(tn_type_get(r->ctx, s.out)) > 4000)
		return TN_NONE;
	for (int i = 0; i < nin; i++)
		kid[i] = operand(r, g, in[i]);
	return tn_graph_node(g, op, s.attrs, kid, nin, TN_NONE, NULL);
}

static uint32_t
unary(struct tn_graph *g, const char *op, uint32_t x)
{
	return tn_graph_node(g, tn_op_named(program, op), 0, &x, 1, TN_NONE, NULL);
}

/* some of: its relu, the sum of both, a pooling window of it, its rows as a matrix */
static uint32_t
follow(struct random_op *r, struct tn_graph *g, uint32_t x)
{
	static const char *const ops[] = {"add", "mul", "sub"};
	uint32_t y = unary(g, rng_below(&r->rng, 2) ? "relu" : "hard-swish", x), both[2] = {x, y};

	if (y == TN_NONE || rng_below(&r->rng, 2))
		return y;
	if (rng_below(&r->rng, 2))
		both[1] = tn_graph_input(g, "more", g->node[x].type);
	return tn_graph_node(g, tn_op_named(program, ops[rng_below(&r->rng, 3)]), 0, both, 2, TN_NONE, NULL);
}

/* Number of uses that were compared. */
static int
try_op(struct random_op *r, struct tn_target *t, unsigned op)
{
	int compared = 0;

	for (int i = 0; i < TRIES && compared < enough && failures < 5; i++) {
		struct tn_graph *g = tn_graph_new(r->ctx, program, "g");
		uint32_t x = add_use(r, g, op), y;

		if (x != TN_NONE) {
			tn_graph_output(g, "y", x);
			y = i % 3 ? follow(r, g, x) : TN_NONE;
			if (y != TN_NONE)
				tn_graph_output(g, "z", y);
			compared += compare(r, t, g, op);
		}
		tn_graph_free(g);
	}
	return compared;
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
	if (!p) {
		failures++;
		printf("%s\n", e.msg);
	}
	tn_plan_free(p);
	tn_graph_free(g);
}

int
main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "cpu";
	struct tn_error e = {0};
	struct tn_target *t;
	struct random_op r = {.rng = {1}, .scale = 7};
	int compared;

	if (!tn_target_found(0, NULL)) {
		printf("no target was built here\n");
		return 77;
	}
	t = tn_target_open(name, &(struct tn_target_options){.threads = 1}, &e);
	if (!t) {
		printf("%s\n", e.msg);
		return e.code == TN_E_MISSING ? 77 : 1;
	}
	if (argc > 2)
		enough = atoi(argv[2]);
	if (argc > 3)
		r.rng.state = strtoull(argv[3], NULL, 10);
	r.ctx = tn_ctx_new();
	check_inputs(r.ctx, t);
	for (int op = TN_CORE; op < program->nop; op++) {
		/* a view and no step */
		if (strcmp(program->op[op].name, "reshape") == 0)
			continue;
		compared = try_op(&r, t, (unsigned)op);
		if (compared < enough / 3) {
			failures++;
			printf("%s: only %d uses were compared\n", program->op[op].name, compared);
		}
	}
	tn_ctx_free(r.ctx);
	tn_target_close(t);
	return failures != 0;
}
