/*
 * What is reported of a model is what its file costs: on random models of several opsets the price of the
 * chosen graph, in the form it is written in, is the price of the written file when it is read again, and
 * never more than the original's.  The problem's own costs, added up by the extraction, are that price too.
 */
#include "tests/unit/onnx_build.h"

enum { MODELS = 60, STEPS = 14 };

static char in_path[300], out_path[300];

/* ---- random models --------------------------------------------------------------------------------------- */

/* Values v0 … are images of 8 channels; a step makes the next of earlier ones. */
static const struct step {
	const char *text;		/* %a, %b: earlier values; %r: the result; %i: a number of its own */
	int since;
} steps[] = {
	{"w k%i f32 8 8 1 1; Conv %a k%i -> %r; ", 1},
	{"w k%i f32 8 8 3 3; w c%i f32 8; Conv %a k%i c%i -> %r pads=[1,1,1,1]; ", 1},
	{"Relu %a -> %r; ", 1},
	{"Sigmoid %a -> %r; ", 1},
	{"Tanh %a -> %r; ", 1},
	{"HardSigmoid %a -> h%i alpha=0.16666667 beta=0.5; Mul %a h%i -> %r; ", 7},
	{"i s%i f32 = 0.5; Mul %a s%i -> %r; ", 7},
	{"i s%i f32 = 3; Add %a s%i -> %r; ", 7},
	{"w b%i f32 1 8 1 1; Add %a b%i -> %r; ", 7},
	{"w b%i f32 8 1 1; Mul b%i %a -> %r; ", 7},
	{"w s%i f32 8; w o%i f32 8; w m%i f32 8; w q%i f32 8; BatchNormalization %a s%i o%i m%i q%i -> %r; ", 7},
	{"Add %a %b -> %r; ", 7},
	{"GlobalAveragePool %a -> g%i; Mul %b g%i -> %r; ", 7},
	{"Transpose %a -> t%i perm=[0,2,3,1]; w w%i f32 8 8; MatMul t%i w%i -> u%i; w p%i f32 8; Add u%i p%i -> d%i;"
	 "Transpose d%i -> %r perm=[0,3,1,2]; ", 7},
	{"Transpose %a -> t%i perm=[0,1,3,2]; MatMul %b t%i -> %r; ", 7},
	{"Softmax %a -> %r axis=3; ", 1},
};

static void
put_step(struct buf *b, const struct step *s, int number, struct rng *rng)
{
	const char *at;
	unsigned x = (unsigned)rng_below(rng, (uint32_t)number), y = (unsigned)rng_below(rng, (uint32_t)number);

	for (at = s->text; *at; at++) {
		if (*at != '%') {
			buf_putc(b, *at);
			continue;
		}
		at++;
		if (*at == 'i')
			buf_printf(b, "%d", number);
		else
			buf_printf(b, "v%u", *at == 'a' ? (rng_below(rng, 2) ? (unsigned)number - 1 : x) : *at == 'b' ? y : (unsigned)number);
	}
}

/* ONNX text of a model whose last values are outputs */
static void
make_text(uint64_t seed, struct buf *b)
{
	static const int opsets[] = {7, 9, 11, 13, 14, 17};
	struct rng rng = {seed};
	int opset = opsets[seed % 6], i;
	const struct step *s;

	buf_printf(b, "opset %d; in v0 f32 n 8 6 6; ", opset);
	for (i = 1; i <= STEPS; i++) {
		s = &steps[rng_below(&rng, sizeof steps / sizeof *steps)];
		if (s->since > opset)
			s = &steps[2];
		put_step(b, s, i, &rng);
	}
	buf_printf(b, "out v%d; out v%d", STEPS, STEPS - 2);
}

/* ---- from model to price ------------------------------------------------------------------------------------ */

struct job {
	struct tn_onnx *x;
	struct tn_tensors *t;
	struct tn_costs *costs;
	int64_t *sizes;
	const char *text;
};

static void
require(bool ok, const struct job *j, const char *what)
{
	if (ok)
		return;
	printf("%s\n%s\n", j->text, what);
	failures++;
}

static bool
can_write(void *arg, tn_id enode)
{
	const struct job *j = arg;

	return tn_onnx_can_write(j->x, j->t, enode);
}

static int64_t
price(const struct job *j, const struct tn_graph *g)
{
	struct tn_bill bill;

	tn_costs_graph(j->costs, g, j->sizes, NULL, &bill);
	return bill.ns;
}

/* as it is written, folded */
static struct tn_graph *
finish(const struct job *j, const struct tn_graph *g)
{
	struct tn_error e = {0};
	struct tn_graph *made = tn_onnx_legal(j->x, g, NULL, &e);

	require(made != NULL, j, e.msg);
	if (made)
		tn_graph_fold(made, &(struct tn_fold){.growth_bytes = 1 << 20}, NULL);
	return made;
}

/* the greedy choice of the saturated e-graph, and what the problem says of its cost */
static struct tn_graph *
optimized(struct job *j, int64_t *cost)
{
	struct tn_limits limits = {.iterations = 6, .nodes = 4000, .scheduler = TN_BACKOFF};
	struct tn_pricing how = {can_write, j, NULL, true};
	struct tn_error e = {0};
	struct tn_priced *priced;
	struct tn_choice *choice;
	struct tn_graph *g, *made;
	tn_id *node;

	j->t = tn_tensors_new(ctx, &tn_builtin, tn_onnx_graph(j->x), false);
	tn_report_free(tn_saturate(tn_tensors_egraph(j->t), tn_tensors_search(j->t), &tn_builtin, &limits, NULL, NULL));
	require(tn_onnx_take_apart(j->x, j->t), j, "the parts contradict something");
	priced = tn_costs_egraph(j->costs, j->t, j->sizes, &how);
	choice = tn_extract(tn_priced_problem(priced), &(struct tn_extract_options){.method = TN_DAG}, &e);
	require(choice != NULL, j, e.msg);
	node = tn_priced_choice(priced, choice);
	g = tn_tensors_graph(j->t, tn_onnx_graph(j->x), node, NULL, &e);
	require(g != NULL, j, e.msg);
	made = g ? finish(j, g) : NULL;
	*cost = choice->cost;
	tn_graph_free(g);
	mem_free(node);
	tn_choice_free(choice);
	tn_priced_free(priced);
	tn_tensors_free(j->t);
	return made;
}

static void
check_written(struct job *j, const struct tn_graph *g, int64_t after)
{
	struct tn_error e = {0};
	struct tn_graph *again;
	struct tn_onnx *x = j->x;
	int64_t got;

	require(tn_onnx_write(x, g, out_path, &e), j, e.msg);
	j->x = tn_onnx_open(ctx, &tn_builtin, out_path, NULL, &e);
	require(j->x != NULL, j, e.msg);
	again = j->x ? finish(j, tn_onnx_graph(j->x)) : NULL;
	got = again ? price(j, again) : 0;
	if (got != after)
		printf("%lld ns reported, %lld ns in the file\n", (long long)after, (long long)got);
	require(got == after, j, "the file costs something else than what was reported");
	tn_graph_free(again);
	tn_onnx_close(j->x);
	j->x = x;
}

static int
check(uint64_t seed, struct tn_costs *costs)
{
	struct job j = {.costs = costs};
	struct buf text = {0}, model = {0};
	struct tn_error e = {0};
	struct tn_graph *before, *after;
	int64_t cost = 0, was, is;
	int i, gained = 0;

	make_text(seed, &text);
	j.text = text.at;
	build_model(text.at, &model);
	write_file(in_path, model.at, model.n);
	buf_free(&model);
	j.x = tn_onnx_open(ctx, &tn_builtin, in_path, NULL, &e);
	require(j.x != NULL, &j, e.msg);
	if (j.x) {
		j.sizes = mem_alloc(((size_t)tn_dim_nsym(ctx) + 1) * sizeof *j.sizes);
		for (i = 0; i < tn_dim_nsym(ctx); i++)
			j.sizes[i] = 2;
		before = finish(&j, tn_onnx_graph(j.x));
		after = optimized(&j, &cost);
		if (before && after) {
			was = price(&j, before);
			is = price(&j, after);
			gained = is < was;
			require(is <= was, &j, "the choice costs more than the original");
			require(is == cost, &j, "the problem says another cost than the graph has");
			check_written(&j, after, is);
		}
		tn_graph_free(before);
		tn_graph_free(after);
		mem_free(j.sizes);
	}
	tn_onnx_close(j.x);
	buf_free(&text);
	return gained;
}

int
main(void)
{
	struct tn_error e;
	struct tn_costs *costs;
	int i, gained = 0;

	snprintf(in_path, sizeof in_path, "%s", scratch("in.onnx"));
	snprintf(out_path, sizeof out_path, "%s", scratch("out.onnx"));
	ctx = tn_ctx_new();
	costs = tn_costs_device(ctx, &tn_builtin, "t4", &e);
	for (i = 0; i < MODELS; i++)
		gained += check((uint64_t)i, costs);
	if (gained < MODELS / 4) {
		printf("only %d models of %d became cheaper\n", gained, MODELS);
		failures++;
	}
	tn_costs_free(costs);
	tn_ctx_free(ctx);
	unlink(in_path);
	unlink(out_path);
	return failures != 0;
}
