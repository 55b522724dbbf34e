/*
 * Which of cuDNN's calls the CUDA target chooses for a convolution, that it checks each call's status, and that it gives back
 * all that it was given: on the stand-in, whose engines and algorithms are made up.  Nothing of cuDNN or of a GPU is tested.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target/cuda.h"
#include "target/plan.h"
#include "tenon/tenon.h"
#include "tests/stand-in/stand_in.h"

extern const struct tn_target_plugin tn_target_plugin;

static int failures;
static struct tn_ctx *ctx;

#define CHECK(what, ...) do { if (!(what)) { failures++; printf("%s:%d: %s: ", __FILE__, __LINE__, #what); printf(__VA_ARGS__); \
	puts(""); } } while (0)

static struct tn_target *
open_target(bool tf32, struct tn_error *e)
{
	struct tn_target *t = calloc(1, sizeof *t);

	t->plugin = &tn_target_plugin;
	t->state = t->plugin->open(&(struct tn_target_options){.tf32 = tf32}, e);
	if (t->state)
		return t;
	free(t);
	return NULL;
}

static void
close_target(struct tn_target *t)
{
	t->plugin->close(t->state);
	free(t);
}

static struct tn_graph *
parse(const char *text)
{
	struct tn_error e = {0};
	struct tn_graph *g = tn_graph_parse(ctx, &tn_builtin, "g", text, strlen(text), &e);

	if (!g) {
		printf("%s\n%s\n", text, e.msg);
		exit(1);
	}
	return g;
}

/* The graph's numbers on the target are the reference's, but with TF32, which rounds; false and error: it does not run. */
static bool
run(struct tn_target *t, const struct tn_graph *g, char how[100], struct tn_error *e)
{
	struct tn_plan *p = tn_plan_new(t, g, NULL, e);
	struct tn_array *in = calloc(g->ninput + 1, sizeof *in), *got = NULL, *want = NULL;
	struct tn_difference d = {0};
	uint32_t i, n;
	int64_t k, count;

	for (i = 0; p && i < g->ninput; i++) {
		const struct tn_shape *s = tn_type_get(ctx, g->input[i].type);

		in[i] = (struct tn_array){.dtype = s->dtype, .rank = s->rank};
		memcpy(in[i].dim, s->dim, sizeof in[i].dim);
		for (k = 0, count = 1; k < s->rank; k++)
			count *= s->dim[k];
		in[i].v = calloc((size_t)count + 1, sizeof *in[i].v);
		for (k = 0; k < count; k++)
			in[i].v[k] = (double)(float)((double)(k * 37 % 101) / 101 - 0.4);
	}
	got = p ? tn_plan_run(p, in, e) : NULL;
	if (got) {
		want = tn_execute(g, &(struct tn_exec){.input = in}, e);
		tn_arrays_compare(&want[0], &got[0], "y", &d);
		CHECK(d.differs == (strstr(tn_target_identity(t), "tf32") != NULL), "%s", d.differs ? d.where : "nothing was rounded");
		for (i = 0, n = tn_plan_steps(p); i < n; i++)
			if (strcmp(tn_plan_step(p, i)->op, "reorder") != 0)
				snprintf(how, 100, "%s", tn_plan_step(p, i)->facts.how);
	}
	for (i = 0; i < g->ninput; i++)
		free(in[i].v);
	free(in);
	tn_arrays_free(want, 1);
	tn_arrays_free(got, 1);
	tn_plan_free(p);
	return got != NULL;
}

/* ---- choices ------------------------------------------------------------------------------------------------------ */

/* A convolution, and how it is to be computed; see the engines and algorithms of the stand-in. */
#define CONV(x, k, bias, how) "(graph g (input x f32 " x ") (weight k f32 " k " :seed 1) " bias "(output (conv2d x k b " how ") \"y\"))"
#define NO_BIAS "(let b (fill :value 0 :shape [4])) "
#define BIAS "(weight b f32 [4] :seed 2) "

static const struct choice {
	const char *what, *graph;
	size_t cudnn, free_bytes;
	bool tf32;
	const char *how;		/* "reference executor": there is no way */
} choices[] = {
	{"a graph is fastest", CONV("[1 3 8 8]", "[4 3 3 3]", NO_BIAS, ""), 90000, 1 << 20, false, "cudnn-graph:3"},
	{"bias and activation are in the graph", CONV("[1 3 8 8]", "[4 3 3 3]", BIAS, ":act relu"), 90000, 1 << 20, false, "cudnn-graph:3"},
	{"an activation takes a bias of zeros along", CONV("[1 3 8 8]", "[4 3 3 3]", NO_BIAS, ":act relu"), 90000, 1 << 20, false,
	    "cudnn-graph:3"},
	{"an activation that is not in graphs", CONV("[1 3 8 8]", "[4 3 3 3]", NO_BIAS, ":act tanh"), 90000, 1 << 20, false,
	    "cudnn-graph:3+epilogue"},
	{"the legacy call is faster", CONV("[1 3 8 9]", "[4 3 3 3]", NO_BIAS, ""), 90000, 1 << 20, false, "cudnn-legacy:2"},
	{"so it is with an epilogue", CONV("[1 3 8 9]", "[4 3 3 3]", BIAS, ":act relu"), 90000, 1 << 20, false, "cudnn-legacy:2+epilogue"},
	{"the heuristic knows no plan that finalises", CONV("[1 3 9 8]", "[4 3 3 3]", NO_BIAS, ""), 90000, 1 << 20, false, "cudnn-graph:4"},
	{"the heuristic takes no such graph", CONV("[1 3 7 8]", "[4 3 3 3]", NO_BIAS, ""), 90000, 1 << 20, false, "cudnn-graph:4"},
	{"no engine takes the shape", CONV("[1 3 8 8]", "[5 3 3 3]", "(let b (fill :value 0 :shape [5])) ", ""), 90000, 1 << 20, false,
	    "cudnn-legacy:2"},
	{"padding is unlike", CONV("[1 3 8 8]", "[4 3 3 3]", NO_BIAS, ":pads [0 0 1 1]"), 90000, 1 << 20, false, "cudnn-graph:3"},
	{"padding is unlike and there are no graphs", CONV("[1 3 8 8]", "[4 3 3 3]", NO_BIAS, ":pads [0 0 1 1]"), 8907, 1 << 20, false,
	    "reference executor"},
	{"cuDNN 8", CONV("[1 3 8 8]", "[4 3 3 3]", BIAS, ":act relu"), 8907, 1 << 20, false, "cudnn-legacy:2+epilogue"},
	{"TF32 takes an engine that rounds", CONV("[1 3 8 8]", "[4 3 3 3]", NO_BIAS, ""), 90000, 1 << 20, true, "cudnn-graph:1"},
	{"little memory is left", CONV("[1 3 8 8]", "[4 3 3 3]", NO_BIAS, ""), 90000, 8 * 600, false, "cudnn-legacy:2"},
	{"nearly none is left", CONV("[1 3 8 8]", "[4 3 3 3]", NO_BIAS, ""), 90000, 100, false, "cudnn-legacy:0"},
	{"groups", CONV("[1 4 8 8]", "[4 2 3 3]", NO_BIAS, ":groups 2"), 90000, 1 << 20, false, "cudnn-graph:3"},
	{"the other way", "(graph g (input x f32 [1 3 4 4]) (weight k f32 [3 4 2 2] :seed 1) (weight b f32 [4] :seed 2) "
	    "(output (conv-transpose2d x k b :strides [2 2]) \"y\"))", 90000, 1 << 20, false, "cudnn-graph:3+epilogue"},
	{"a kernel that lies otherwise", "(graph g (input x f32 [1 3 4 4]) (input k f32 [2 2 4 3]) (let b (fill :value 0 :shape [4])) "
	    "(output (conv-transpose2d x (transpose k :perm [3 2 0 1]) b :strides [2 2]) \"y\"))", 90000, 1 << 20, false, "cudnn-graph:3"},
};

/* a workspace that the device does not give after all costs its plans, and no more */
static void
check_memory(void)
{
	struct tn_error e = {0};
	struct tn_graph *g = parse(CONV("[1 2 4 4]", "[4 2 3 3]", NO_BIAS, ""));
	struct tn_target *t = open_target(false, &e);
	char how[100] = "";

	stand_in.largest = 1000;
	CHECK(run(t, g, how, &e) && strcmp(how, "cudnn-legacy:2") == 0, "%s %s", how, e.msg);
	stand_in.largest = 64;
	CHECK(!run(t, g, how, &e) && e.code == TN_E_IO && strstr(e.msg, "memory"), "%s", e.msg);
	stand_in.largest = SIZE_MAX;
	close_target(t);
	tn_graph_free(g);
}

static void
check_choice(const struct choice *c)
{
	struct tn_error e = {0};
	struct tn_graph *g = parse(c->graph);
	struct tn_target *t;
	char how[100] = "";

	stand_in.cudnn = c->cudnn;
	stand_in.free_bytes = c->free_bytes;
	stand_in.graph_calls = 0;
	t = open_target(c->tf32, &e);
	CHECK(run(t, g, how, &e) && strcmp(how, c->how) == 0, "%s: %s %s", c->what, how, e.msg);
	CHECK(c->cudnn >= 90000 || stand_in.graph_calls == 0, "%s: %d calls of graphs", c->what, stand_in.graph_calls);
	CHECK(!strstr(tn_target_identity(t), "+graph") == (c->cudnn < 90000), "%s", tn_target_identity(t));
	CHECK(!strstr(tn_target_identity(t), "tf32") == !c->tf32, "%s", tn_target_identity(t));
	close_target(t);
	CHECK(stand_in.live == 0, "%s: %d were not given back", c->what, stand_in.live);
	tn_graph_free(g);
}

/* a shape's way is searched for once, whatever number of kernels there are */
static void
check_once(void)
{
	struct tn_error e = {0};
	struct tn_graph *g = parse(choices[1].graph);
	struct tn_target *t = open_target(false, &e);
	char how[100];
	int first, second;

	stand_in.calls = 0;
	run(t, g, how, &e);
	first = stand_in.calls;
	run(t, g, how, &e);
	second = stand_in.calls - first;
	CHECK(second < first / 4, "%d calls, then %d", first, second);
	close_target(t);
	tn_graph_free(g);
}

/* ---- calls that fail ---------------------------------------------------------------------------------------------- */

/* Each call in turn fails: the run says so, or another way is taken and its numbers are right. */
static void
check_failing(const char *text)
{
	struct tn_error e = {0};
	struct tn_graph *g = parse(text);
	struct tn_target *t = open_target(false, &e);
	struct cuda *c = t->state;
	int n, refused = 0, other = 0;
	char how[100];

	/* what is generated is compiled before, once */
	CHECK(run(t, g, how, &e), "%s", e.msg);
	for (n = 1, stand_in.has_failed = true; stand_in.has_failed; n++) {
		int live;

		conv_ways_free(c->conv_ways);
		c->conv_ways = NULL;
		live = stand_in.live;
		e = (struct tn_error){0};
		stand_in.has_failed = false;
		stand_in.calls = 0;
		stand_in.fail_at = n;
		if (run(t, g, how, &e))
			other++;
		else {
			refused++;
			CHECK(stand_in.has_failed && e.code && *e.msg, "call %d fails and nothing is said", n);
		}
		stand_in.fail_at = 0;
		conv_ways_free(c->conv_ways);
		c->conv_ways = NULL;
		CHECK(stand_in.live == live, "call %d fails and %d are not given back", n, stand_in.live - live);
	}
	/* a search has many calls whose failure costs one way, and few that cost all */
	CHECK(refused > 5 && other > 50, "%d runs were refused, %d went another way", refused, other);
	close_target(t);
	tn_graph_free(g);
}

/* opening says which call failed */
static void
check_open(void)
{
	struct tn_error e = {0};
	struct tn_target *t;
	int n = 1;

	for (;; n++) {
		stand_in.has_failed = false;
		stand_in.calls = 0;
		stand_in.fail_at = n;
		t = open_target(false, &e);
		stand_in.fail_at = 0;
		if (t)
			close_target(t);
		CHECK(stand_in.live == 0, "call %d fails and %d are not given back", n, stand_in.live);
		if (!stand_in.has_failed)
			break;
		CHECK(!t && *e.msg, "call %d fails and nothing is said", n);
	}
	CHECK(n > 15, "only %d calls", n);
}

/*
 * What CUDA 13 has no code for is refused in one sentence; CUDA 12 takes it.  What is newer than the compiler gets code of the
 * newest that it knows.
 */
static void
check_capability(void)
{
	static const struct {
		size_t cuda;
		int capability;
		bool opens, compiles;		/* the stand-in's compiler knows 7.5 to 9.0 */
	} cases[] = {{13000, 70, false, false}, {13000, 75, true, true}, {12040, 70, true, false}, {13010, 87, true, true},
	    {13010, 120, true, true}};
	struct tn_error e = {0};
	struct tn_graph *g = parse(CONV("[1 3 8 8]", "[4 3 3 3]", BIAS, ":act relu"));
	struct tn_target *t;
	char how[100];
	size_t i;

	for (i = 0; i < sizeof cases / sizeof *cases; i++) {
		stand_in.cuda = cases[i].cuda;
		stand_in.capability = cases[i].capability;
		t = open_target(false, &e);
		CHECK((t != NULL) == cases[i].opens && (t || (e.code == TN_E_MISSING && strstr(e.msg, "7.5"))), "CUDA %zu, %d: %s", cases[i].cuda,
		    cases[i].capability, t ? "opens" : e.msg);
		if (!t)
			continue;
		CHECK(run(t, g, how, &e) == cases[i].compiles, "%d: %s", cases[i].capability, e.msg);
		close_target(t);
	}
	tn_graph_free(g);
	stand_in.cuda = 12000;
	stand_in.capability = 90;
}

int
main(void)
{
	size_t i;

	ctx = tn_ctx_new();
	for (i = 0; i < sizeof choices / sizeof *choices; i++)
		check_choice(&choices[i]);
	stand_in.cudnn = 90000;
	stand_in.free_bytes = 1 << 20;
	check_memory();
	check_once();
	check_failing(choices[1].graph);
	check_failing(choices[4].graph);
	check_open();
	check_capability();
	tn_ctx_free(ctx);
	return failures != 0;
}
