/*
 * Is the target's work right?  Random uses of an operator, alone and followed by others, with operands that are inputs or
 * constants, beside the reference executor.
 *
 * The block of values, and what kernels get as scratch, are full of NaN before: a step that reads what nobody wrote, or what
 * another one holds at that time, shows.
 */
#include <string.h>

#include "base/dtype.h"
#include "base/rand.h"
#include "target/plan.h"
#include "tenon/tenon.h"
#include "tensor/at.h"
#include "tensor/random_op.h"

enum { TRIES = 6000, ELEMENTS_MOST = 4000, OPERAND_MOST = 40000, SMALL = 7, LARGE = 40, WIDE = 72, HOST_MOST = 16 };

struct test {
	struct tn_target *t;
	const struct tn_program *program;
	unsigned op;
	struct random_op r;
};

/* ---- a graph ---------------------------------------------------------------------------------------------------- */

static int64_t
count_of(const struct test *z, tn_type type)
{
	const struct tn_shape *s = tn_type_get(z->r.ctx, type);
	int64_t n;

	return at_count(s->rank, s->dim, &n) ? n : INT64_MAX;
}

static float *
draw_elements(struct test *z, int64_t n)
{
	float *v = mem_alloc(((size_t)n + 1) * sizeof *v);
	int64_t i;

	for (i = 0; i < n; i++)
		v[i] = (float)rng_normal(&z->r.rng);
	return v;
}

/* the operator of the name if its attributes are those of the standard one; TN_NONE */
static unsigned
mover(const struct test *z, const char *name, const enum tn_kind kind[], int n)
{
	unsigned op = tn_op_named(z->program, name);
	int i;

	if (op == TN_NONE || z->program->op[op].nattr != n)
		return TN_NONE;
	for (i = 0; i < n; i++)
		if (z->program->op[op].attr[i].kind != kind[i])
			return TN_NONE;
	return op;
}

/* the operator on a new input of the shape */
static uint32_t
moved_input(struct test *z, struct tn_graph *g, unsigned op, const struct tn_shape *s, const struct tn_value number[], int n)
{
	uint32_t x = tn_graph_input(g, "from", tn_type_make(z->r.ctx, s));
	tn_val v[4];
	int i;

	for (i = 0; i < n; i++)
		v[i] = tn_val_make(z->r.ctx, &number[i]);
	return tn_graph_node(g, op, tn_attrs_make(z->r.ctx, v, n), &x, 1, TN_NONE, NULL);
}

/* the middle of a larger input's axis, or every second of it */
static uint32_t
slice_operand(struct test *z, struct tn_graph *g, tn_type type)
{
	static const enum tn_kind kind[] = {TN_K_AXIS, TN_K_DIM, TN_K_DIM, TN_K_INT};
	unsigned op = mover(z, "slice", kind, 4);
	struct tn_shape s = *tn_type_get(z->r.ctx, type);
	int axis = (int)rng_below(&z->r.rng, (uint32_t)s.rank);
	int64_t step = 1 + rng_below(&z->r.rng, 2), last = s.dim[axis] * step + 1, number[] = {axis, 1, last, step};
	struct tn_value v[4];
	int i;

	if (op == TN_NONE)
		return TN_NONE;
	for (i = 0; i < 4; i++)
		v[i] = (struct tn_value){.kind = kind[i], .u.i = number[i]};
	s.dim[axis] = last + 2;
	return moved_input(z, g, op, &s, v, 4);
}

/* an input with its last two axes the other way round, as products may take it */
static uint32_t
transpose_operand(struct test *z, struct tn_graph *g, tn_type type)
{
	static const enum tn_kind kind = TN_K_INTS;
	unsigned op = mover(z, "transpose", &kind, 1);
	struct tn_shape s = *tn_type_get(z->r.ctx, type);
	int64_t perm[TN_MAX_RANK];
	int i;

	if (op == TN_NONE || s.rank < 2)
		return TN_NONE;
	for (i = 0; i < s.rank; i++)
		perm[i] = i < s.rank - 2 ? i : 2 * s.rank - 3 - i;
	s.dim[s.rank - 2] = tn_type_get(z->r.ctx, type)->dim[s.rank - 1];
	s.dim[s.rank - 1] = tn_type_get(z->r.ctx, type)->dim[s.rank - 2];
	return moved_input(z, g, op, &s, &(struct tn_value){.kind = kind, .n = (uint32_t)s.rank, .u.list = perm}, 1);
}

/* an input of fewer axes, or with some of extent 1, which are repeated */
static uint32_t
expand_operand(struct test *z, struct tn_graph *g, tn_type type)
{
	static const enum tn_kind kind[] = {TN_K_INTS, TN_K_DIMS};
	unsigned op = mover(z, "expand", kind, 2);
	const struct tn_shape *full = tn_type_get(z->r.ctx, type);
	struct tn_shape s = {.dtype = full->dtype};
	int64_t axes[TN_MAX_RANK];
	int i;

	for (i = 0; i < full->rank; i++)
		if (rng_below(&z->r.rng, 2)) {
			axes[s.rank] = i;
			s.dim[s.rank++] = rng_below(&z->r.rng, 3) ? full->dim[i] : 1;
		}
	return op == TN_NONE ? TN_NONE : moved_input(z, g, op, &s, (struct tn_value[]){
	    {.kind = kind[0], .n = (uint32_t)s.rank, .u.list = axes},
	    {.kind = kind[1], .n = (uint32_t)full->rank, .u.list = full->dim}}, 2);
}

/* a number, or elements */
static uint32_t
constant(struct test *z, struct tn_graph *g, tn_type type)
{
	struct tn_weight w = {.name = "", .type = type, .is_owned = true};
	int64_t n = count_of(z, type);

	if (rng_below(&z->r.rng, 5) == 0)
		return tn_graph_fill(g, 0.25 * rng_below(&z->r.rng, 8) - 0.5, type);
	w.data = draw_elements(z, n);
	w.size_bytes = (size_t)n * sizeof(float);
	return tn_graph_weight(g, &w);
}

/* what the operator adds to what it divides by, since that may be 0: which attribute; -1 */
static int
find_eps(const struct tn_op *op)
{
	int i;

	for (i = 0; i < op->nattr && strcmp(op->attr[i].name, "eps") != 0; i++)
		;
	return i < op->nattr ? i : -1;
}

/* an input, now and then seen in some way, or a constant: mostly, where it likely is one */
static uint32_t
operand(struct test *z, struct tn_graph *g, tn_type type, bool is_weight)
{
	static uint32_t (*const moved[])(struct test *, struct tn_graph *, tn_type) = {slice_operand, transpose_operand, expand_operand};
	/* what is the same everywhere, less its mean, is nothing but noise */
	uint32_t nmoved = find_eps(&z->program->op[z->op]) < 0 ? 3 : 2;
	const struct tn_shape *s = tn_type_get(z->r.ctx, type);
	uint32_t x = TN_NONE;

	if (s->dtype == TN_F32 && rng_below(&z->r.rng, 6) < (is_weight ? 5 : 1))
		return constant(z, g, type);
	if (rng_below(&z->r.rng, 3) == 0 && s->rank > 0)
		x = moved[rng_below(&z->r.rng, nmoved)](z, g, type);
	return x != TN_NONE ? x : tn_graph_input(g, "x", type);
}

/* an eps below 0 takes a difference of what is nearly equal: no two ways of computing it agree */
static bool
is_sound(struct tn_ctx *c, const struct tn_op *op, tn_attrs attrs)
{
	int eps = find_eps(op);

	return eps < 0 || tn_val_get(c, tn_attrs_get(c, attrs, NULL)[eps])->u.f >= 0.01;
}

/* a use of the operator as a graph's next node; TN_NONE: its checks do not hold, or it is too large */
static uint32_t
add_use(struct test *z, struct tn_graph *g)
{
	const struct tn_op *op = &z->program->op[z->op];
	tn_type in[MAX_IN];
	uint32_t kid[MAX_IN];
	bool has_weights;
	int nin, i;
	tn_attrs attrs = random_op(&z->r, op, in, &nin);
	struct tn_infer s = {.ctx = z->r.ctx, .op = op, .in = in, .nin = nin};

	s.attrs = tn_attrs_normalise(z->r.ctx, op, attrs, in, nin);
	if (s.attrs == TN_NONE || !is_sound(z->r.ctx, op, s.attrs) || !tn_infer_run(&s) || count_of(z, s.out) > ELEMENTS_MOST)
		return TN_NONE;
	for (i = 0; i < nin; i++)
		if (count_of(z, in[i]) > OPERAND_MOST)
			return TN_NONE;
	has_weights = rng_below(&z->r.rng, 2);
	for (i = 0; i < nin; i++)
		kid[i] = operand(z, g, in[i], has_weights && i > 0);
	return tn_graph_node(g, z->op, s.attrs, kid, nin, TN_NONE, NULL);
}

/* the operator of this name on the operands, as declared; TN_NONE: there is none, or not on these */
static uint32_t
add_named(struct test *z, struct tn_graph *g, const char *name, const uint32_t kid[], int nkid)
{
	unsigned op = tn_op_named(z->program, name);

	return op == TN_NONE ? TN_NONE : tn_graph_node(g, op, 0, kid, nkid, TN_NONE, NULL);
}

/* its sum with another input, or the relu of that */
static uint32_t
residual(struct test *z, struct tn_graph *g, uint32_t x)
{
	uint32_t both[2] = {x, tn_graph_input(g, "more", g->node[x].type)}, sum;

	sum = add_named(z, g, "add", both, 2);
	return sum == TN_NONE || rng_below(&z->r.rng, 2) ? sum : add_named(z, g, "relu", &sum, 1);
}

/* its relu or hard-swish, or the sum, product or difference of that and it, or of another input and it */
static uint32_t
follow(struct test *z, struct tn_graph *g, uint32_t x)
{
	static const char *const ops[] = {"add", "mul", "sub"};
	uint32_t both[2] = {x, add_named(z, g, rng_below(&z->r.rng, 2) ? "relu" : "hard-swish", &x, 1)};

	if (both[1] == TN_NONE || rng_below(&z->r.rng, 2))
		return both[1];
	if (rng_below(&z->r.rng, 2))
		both[1] = tn_graph_input(g, "more", g->node[x].type);
	return add_named(z, g, ops[rng_below(&z->r.rng, 3)], both, 2);
}

static uint32_t
behind(struct test *z, struct tn_graph *g, uint32_t x)
{
	return rng_below(&z->r.rng, 3) ? follow(z, g, x) : residual(z, g, x);
}

static struct tn_array *
draw_inputs(struct test *z, const struct tn_graph *g)
{
	struct tn_array *in = mem_alloc(((size_t)g->ninput + 1) * sizeof *in);
	int64_t n, k;
	uint32_t i;

	for (i = 0; i < g->ninput; i++) {
		const struct tn_shape *s = tn_type_get(z->r.ctx, g->input[i].type);

		n = count_of(z, g->input[i].type);
		in[i] = (struct tn_array){.dtype = s->dtype, .rank = s->rank, .v = mem_alloc(((size_t)n + 1) * sizeof(double))};
		memcpy(in[i].dim, s->dim, sizeof in[i].dim);
		for (k = 0; k < n; k++)
			in[i].v[k] = dtype_is_float(s->dtype) ? (double)(float)rng_normal(&z->r.rng) : rng_below(&z->r.rng, 2);
	}
	return in;
}

/* ---- a comparison ------------------------------------------------------------------------------------------------- */

/* NaN in memory of the target */
static bool
poison(const struct tn_plan *p, void *at, size_t bytes, struct tn_error *e)
{
	char *nan = mem_alloc(bytes + 1);
	bool ok;

	memset(nan, 0xff, bytes + 1);
	ok = p->target->plugin->upload(p->target->state, at, nan, bytes, e);
	mem_free(nan);
	return ok;
}

/* counts the use where its operator ran, if it was not folded and has elements */
static void
count_use(const struct test *z, const struct tn_plan *p, struct tn_selftest *out)
{
	bool is_there = false, is_on_host = false;
	uint32_t i;

	for (i = 0; i < p->g->nnode; i++)
		is_there |= p->is_needed[i] && p->g->node[i].op == z->op && count_of(z, p->g->node[i].type) > 0;
	for (i = 0; i < p->step.n; i++)
		is_on_host |= p->step.at[i].host && p->step.at[i].job.op == &z->program->op[z->op];
	out->on_target += is_there && !is_on_host;
	out->on_host += is_there && is_on_host;
}

/* beside the executor; the more slack where the target rounds, the larger its sums are */
static bool
check(const struct tn_plan *p, const struct tn_graph *g, const struct tn_array in[], const struct tn_array got[],
    struct tn_difference *d, struct tn_error *e)
{
	struct tn_slack slack;
	double *large = NULL;
	bool ok;

	if (rounding_slack(p->target, TN_F32, &slack) && !(large = rounding_large(g, in, NULL, e)))
		return false;
	ok = plan_check(p, g, in, got, large, NULL, d, e);
	mem_free(large);
	return ok;
}

/* false: it cannot be told, and the error says why */
static bool
compare(struct test *z, const struct tn_graph *g, struct tn_selftest *out, struct tn_error *e)
{
	struct tn_plan *p = tn_plan_new(z->t, g, NULL, e);
	struct tn_difference d = {0};
	struct tn_array *in, *got;
	bool ok;

	if (!p)
		return false;
	in = draw_inputs(z, g);
	got = poison(p, p->block, p->bytes, e) && poison(p, p->scratch, p->scratch_bytes, e) ? tn_plan_run(p, in, e) : NULL;
	ok = got && check(p, g, in, got, &d, e);
	count_use(z, p, out);
	out->differs = d.differs;
	memcpy(out->where, d.where, sizeof out->where);
	tn_arrays_free(got, g->noutput);
	tn_arrays_free(in, g->ninput);
	tn_plan_free(p);
	return ok;
}

/* is there something to compare with, and room for what is drawn? */
static bool
can_be_drawn(const struct tn_op *op)
{
	return op->def && op->nin + 2 <= MAX_IN && op->nvar <= MAX_NAMES;
}

bool
tn_target_selftest(struct tn_target *t, struct tn_ctx *c, const struct tn_program *program, unsigned op, uint32_t uses,
    uint64_t seed, struct tn_selftest *out, struct tn_error *e)
{
	struct test z = {t, program, op, {.ctx = c, .rng = {seed}}};
	struct tn_graph *g;
	uint32_t x, y, i;
	bool ok = true;

	*out = (struct tn_selftest){.op = program->op[op].name};
	for (i = 0; ok && can_be_drawn(&program->op[op]) && i < TRIES && !out->differs && out->on_target < uses &&
	    out->on_host < HOST_MOST * uses; i++) {
		z.r.scale = i % 3 ? SMALL : LARGE;
		z.r.large = i % 3 ? WIDE : 0;
		g = tn_graph_new(c, program, "use");
		x = add_use(&z, g);
		if (x != TN_NONE) {
			y = rng_below(&z.r.rng, 3) && out->on_host < uses ? behind(&z, g, x) : TN_NONE;
			/* now and then something behind it is all that reads it */
			if (y == TN_NONE || rng_below(&z.r.rng, 2))
				tn_graph_output(g, "y", x);
			if (y != TN_NONE)
				tn_graph_output(g, "z", y);
			ok = compare(&z, g, out, e);
		}
		if (!ok || out->differs)
			out->graph = g;
		else
			tn_graph_free(g);
	}
	return ok;
}
