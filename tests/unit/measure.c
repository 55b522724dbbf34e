/*
 * How an operator is measured: kernels take turns until their constants exceed the last cache three times, results the private
 * one; what can be computed in place is, on elements that were just written; a number that may be left out is what it is then.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target/target.h"
#include "tenon/tenon.h"
#include "tests/stand-in/clock.h"

enum { NEAR = 1000, LAST = 100000, MOST = 200 };

/* A kernel of the target at hand, and what it saw when it ran last. */
struct kernel {
	const struct tn_op *op;		/* NULL: a copy */
	size_t bytes;			/* of the result */
};

static struct {
	int nkernel, nplace, runs;
	const void *kernel[MOST], *place[MOST];	/* that ran, and where results went: different ones */
	bool is_in_place, was_stale;	/* does the operator compute so?  were its elements not new? */
	double number;			/* of the last operand, where it is a constant */
} seen;

static int failures;

static void
check(bool holds, const char *what)
{
	if (holds)
		return;
	failures++;
	printf("%s: %d kernels, %d places, %d runs\n", what, seen.nkernel, seen.nplace, seen.runs);
}

static void
note(const void *list[MOST], int *n, const void *one)
{
	int i;

	for (i = 0; i < *n; i++)
		if (list[i] == one)
			return;
	if (*n < MOST)
		list[(*n)++] = one;
}

/* ---- a target ----------------------------------------------------------------------------------------------------- */

static enum tn_layout
layout(void *state, const struct tn_job *job, bool dense[])
{
	(void)state, (void)job, (void)dense;
	return TN_ROW_MAJOR;
}

static void *
make(void *state, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	struct kernel *k = calloc(1, sizeof *k);
	const struct tn_tensor *last = &job->in[job->nin - 1];
	int i;

	(void)state, (void)e;
	*facts = (struct tn_kernel_facts){.how = "seen", .in_place = job->op && strcmp(job->op->name, "relu") == 0};
	k->op = job->op;
	for (i = 0, k->bytes = sizeof(float); i < job->out.rank; i++)
		k->bytes *= (size_t)job->out.dim[i];
	seen.is_in_place |= facts->in_place;
	seen.number = last->data ? *(const float *)last->data : -1;
	return k;
}

static void
drop(void *state, void *kernel)
{
	(void)state;
	free(kernel);
}

/* what it computes on is 0.5 at least, and 0 behind it */
static bool
run(void *state, void *kernel, const void *const in[], void *out, void *scratch, struct tn_error *e)
{
	const struct kernel *k = kernel;

	(void)state, (void)scratch, (void)e;
	if (!k->op) {
		memcpy(out, in[0], k->bytes);
		return true;
	}
	seen.runs++;
	now += 10;
	note(seen.kernel, &seen.nkernel, kernel);
	note(seen.place, &seen.nplace, out);
	seen.is_in_place &= out == in[0];
	seen.was_stale |= *(const float *)in[0] < 0.5f;
	memset(out, 0, k->bytes);
	return true;
}

static void
caches(void *state, struct tn_caches *c)
{
	(void)state;
	*c = (struct tn_caches){NEAR, LAST};
}

static const struct tn_target_plugin plugin = {
	.abi = TN_TARGET_ABI, .name = "seen", .layout = layout, .make = make, .drop = drop, .run = run, .caches = caches, .alloc = take,
	.release = give, .upload = upload, .download = upload, .stamp = stamp, .elapsed = elapsed,
};

/* ---- operators ---------------------------------------------------------------------------------------------------- */

/* measure what the graph's only output is made by */
static void
measure(struct tn_ctx *c, const char *text)
{
	struct tn_target t = {.plugin = &plugin};
	struct tn_error e = {0};
	struct tn_graph *g = tn_graph_parse(c, &tn_builtin, "g", text, strlen(text), &e);
	const struct tn_gnode *n = g ? &g->node[g->output[0].node] : NULL;
	struct tn_source in[8];
	struct tn_measurement m = {0};
	uint32_t i;

	memset(&seen, 0, sizeof seen);
	for (i = 0; n && i < n->nkid; i++) {
		const struct tn_gnode *kid = &g->node[g->kid[n->kid + i]];

		in[i] = (struct tn_source){.type = kid->type, .stored = kid->op == TN_FILL ? TN_NONE : kid->type};
	}
	check(n && tn_target_measure(&t, c, &tn_builtin.op[n->op], n->attrs, in, n->nkid, n->type, NULL, &m, &e), text);
	check(m.ns == 10 && m.samples >= 10, "it is not measured");
	tn_graph_free(g);
}

int
main(void)
{
	struct tn_ctx *c = tn_ctx_new();

	measure(c, "(graph g (input x f32 [1 64]) (weight w f32 [64 64] :seed 1) (output (matmul x w) \"y\"))");
	check(seen.nkernel == 19, "16 kB in 300 kB");
	check(seen.nplace == 12, "256 bytes in 3000");
	check(!seen.is_in_place, "a product is in place");
	check(seen.number == 0, "a bias that is left out is none");
	measure(c, "(graph g (input x f32 [1 512]) (weight w f32 [512 512] :seed 1) (output (matmul x w) \"y\"))");
	check(seen.nkernel == 2 && seen.nplace == 2, "what exceeds the caches takes turns all the same");
	measure(c, "(graph g (input x f32 [1 4]) (weight w f32 [4 4] :seed 1) (output (matmul x w) \"y\"))");
	check(seen.nkernel == 100 && seen.nplace == 16, "there is an end to kernels and places");
	measure(c, "(graph g (input x f32 [1 64]) (output (relu x) \"y\"))");
	check(seen.nkernel == 1 && seen.nplace == 1 && seen.is_in_place, "one place is used again");
	check(!seen.was_stale, "it computes on its own results");
	tn_ctx_free(c);
	return failures != 0;
}
