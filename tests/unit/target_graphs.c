/*
 * Random graphs on the CPU's target: values that several steps read, views of views, chains in place, sums that are computed
 * with what they add to.  Memory is full of NaN before; each graph runs twice, on different inputs.
 *
 * Elements are small whole numbers, so that what is computed in any order is the same, and a difference is one.  What rounds
 * is only moved on.  That no two buffers in use lie in one place is found anew from the steps.
 *
 *	target_graphs [GRAPHS [SEED [THREADS]]]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "target/plan.h"
#include "tenon/tenon.h"
#include "tests/oracle/draw_graph.h"

static int failures;

/* ---- places ------------------------------------------------------------------------------------------------------- */

/* the first and the last step that has to do with each buffer, from the steps alone */
static void
find_uses(const struct tn_plan *p, uint32_t from[], uint32_t to[])
{
	uint32_t i, b;
	int k;

	for (b = 0; b < p->buffer.n; b++) {
		from[b] = UINT32_MAX;
		to[b] = 0;
	}
	for (i = 0; i < p->step.n; i++) {
		const struct step *s = &p->step.at[i];

		for (k = 0; k < s->job.nin; k++)
			if (s->in[k] != TN_NONE)
				to[s->in[k]] = i;
		if (s->out != TN_NONE)
			from[s->out] = to[s->out] = i;
	}
	for (i = 0; i < p->g->ninput; i++)
		if (p->input[i] != TN_NONE) {
			from[p->input[i]] = 0;
			to[p->input[i]] = p->step.n;	/* the next run reads it again */
		}
	for (i = 0; i < p->g->noutput; i++)
		if (p->output[i].buffer != TN_NONE)
			to[p->output[i].buffer] = p->step.n;
}

/* Two buffers in use at one step lie apart, but for a result that takes the place of an operand that is read for the last time. */
static bool
places_are_apart(const struct tn_plan *p)
{
	uint32_t *from = mem_alloc((2 * (size_t)p->buffer.n + 1) * sizeof *from), *to = from + p->buffer.n, a, b;
	bool ok = true;

	find_uses(p, from, to);
	for (a = 0; a < p->buffer.n; a++)
		for (b = 0; b < p->buffer.n; b++) {
			const struct buffer *x = &p->buffer.at[a], *y = &p->buffer.at[b];
			bool overlap = a != b && x->offset < y->offset + y->bytes && y->offset < x->offset + x->bytes;

			if (!overlap || from[b] < from[a] || from[b] > to[a])
				continue;
			if (from[b] == to[a] && p->step.at[to[a]].out == b && p->step.at[to[a]].said.is_in_place && p->step.at[to[a]].in[0] == a)
				continue;
			printf("buffers %u and %u lie in one place: steps %u to %u, and %u to %u\n", a, b, from[a], to[a], from[b], to[b]);
			ok = false;
		}
	mem_free(from);
	return ok;
}

/* ---- runs --------------------------------------------------------------------------------------------------------- */

static struct tn_array *
draw_inputs(struct draw *d, const struct tn_graph *g)
{
	struct tn_array *in = mem_alloc(((size_t)g->ninput + 1) * sizeof *in);
	int64_t n, k;
	uint32_t i;

	for (i = 0; i < g->ninput; i++) {
		const struct tn_shape *s = tn_type_get(d->c, g->input[i].type);

		n = draw_elements(s);
		in[i] = (struct tn_array){.dtype = s->dtype, .rank = s->rank, .v = mem_alloc(((size_t)n + 1) * sizeof(double))};
		memcpy(in[i].dim, s->dim, sizeof in[i].dim);
		for (k = 0; k < n; k++)
			in[i].v[k] = (int)rng_below(&d->rng, 5) - 2;
	}
	return in;
}

/* one run on new inputs beside the reference executor; false, said */
static bool
run_once(struct draw *d, struct tn_plan *p, const struct tn_graph *g)
{
	struct tn_array *in = draw_inputs(d, g), *out;
	struct tn_difference diff = {0};
	struct tn_error e = {0};
	bool ok;

	out = tn_plan_run(p, in, &e);
	ok = out && tn_plan_check(p, g, in, out, NULL, &diff, &e);
	if (!ok)
		printf("%s\n", e.msg);
	else if (diff.differs)
		printf("%s\n", diff.where);
	tn_arrays_free(out, g->noutput);
	tn_arrays_free(in, g->ninput);
	return ok && !diff.differs;
}

static bool
check_graph(struct draw *d, struct tn_target *t, const struct tn_graph *g)
{
	struct tn_error e = {0};
	struct tn_plan *p = tn_plan_new(t, g, NULL, &e);
	bool ok = p != NULL;

	if (!p)
		printf("%s\n", e.msg);
	if (ok) {
		memset(p->block, 0xff, p->bytes);	/* NaN; the CPU's memory is the program's */
		memset(p->scratch, 0xff, p->scratch_bytes);
		ok = places_are_apart(p) && run_once(d, p, g) && run_once(d, p, g);
	}
	tn_plan_free(p);
	return ok;
}

static void
try_graph(struct tn_target *t, uint64_t seed)
{
	struct draw d = {.c = tn_ctx_new(), .rng = {seed}};
	struct tn_graph *g = draw_graph(&d);

	if (!g || !check_graph(&d, t, g)) {
		failures++;
		printf("seed %llu\n", (unsigned long long)seed);
		if (g)
			tn_graph_write(g, stdout, true);
	}
	tn_graph_free(g);
	buf_free(&d.text);
	tn_ctx_free(d.c);
}

int
main(int argc, char **argv)
{
	int graphs = argc > 1 ? atoi(argv[1]) : 4000;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, i;
	struct tn_error e = {0};
	struct tn_target *t = tn_target_open("cpu", &(struct tn_target_options){.threads = argc > 3 ? atoi(argv[3]) : 1}, &e);

	if (!t) {
		printf("%s\n", e.msg);
		return e.code == TN_E_MISSING ? 77 : 1;
	}
	for (i = 0; i < (uint64_t)graphs && failures < 3; i++)
		try_graph(t, seed + i);
	tn_target_close(t);
	return failures != 0;
}
