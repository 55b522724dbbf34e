/*
 * A plan's results beside the reference executor's.
 *
 * Where the plan made results of opaque operators up, the executor is given the same ones, once the operands agree: so
 * whatever leads to such an operator, or comes of it, is compared.
 *
 * A target that may round factors has more slack (rounding.c).
 */
#include <stdio.h>
#include <string.h>

#include "target/plan.h"
#include "tenon/tenon.h"
#include "tensor/at.h"

struct check {
	const struct tn_plan *p;
	struct tn_difference *d;
};

static void
compare_values(const struct check *z, const struct tn_array *want, const struct tn_array *got, double large, const char *name)
{
	struct tn_slack slack;

	if (rounding_slack(z->p->target, want->dtype, &slack)) {
		slack.most = large;
		tn_arrays_compare_within(want, got, name, &slack, z->d);
	} else {
		tn_arrays_compare(want, got, name, z->d);
	}
}

/* what the plan gave the opaque operator of this record; NULL: nothing needs it in the folded graph */
static const struct host *
find_opaque(const struct tn_plan *p, tn_attrs attrs)
{
	uint32_t i;

	for (i = 0; i < p->step.n; i++) {
		const struct host *h = p->step.at[i].host;

		if (h && !h->one && h->attrs == attrs)
			return h;
	}
	return NULL;
}

static void
compare_operands(const struct check *z, const struct tn_graph *g, uint32_t opaque, const struct tn_array in[])
{
	const struct host *h = find_opaque(z->p, g->node[opaque].attrs);
	char name[64];
	int i;

	for (i = 0; h && i < h->nin && !z->d->differs; i++) {
		snprintf(name, sizeof name, "operand %d of opaque operator %u", i, (unsigned)g->node[opaque].origin);
		if (in[i].v && h->operand[i].v)
			compare_values(z, &in[i], &h->operand[i], 0, name);
	}
}

/* results of the opaque operator that outputs need, by node; the caller frees them */
static uint32_t *
results_of(const struct tn_graph *g, uint32_t opaque, uint32_t *n)
{
	uint32_t *list = mem_alloc(((size_t)g->nnode + 1) * sizeof *list), i;
	bool *needed = tn_graph_needed(g);

	*n = 0;
	for (i = opaque + 1; i < g->nnode; i++)
		if (needed[i] && g->node[i].op == TN_RESULT && g->kid[g->node[i].kid] == opaque)
			list[(*n)++] = i;
	mem_free(needed);
	return list;
}

/* a tn_opaque_fn: what stands for the results in the plan too */
static bool
give_made_up(void *arg, const struct tn_graph *g, uint32_t opaque, const struct tn_array in[], struct tn_array out[],
    struct tn_error *e)
{
	const struct check *z = arg;
	uint32_t n, i, *result = results_of(g, opaque, &n);
	struct tn_array *made = host_make_up(g, opaque, z->p->sizes, result, n, e);
	int64_t at, elements;

	compare_operands(z, g, opaque, in);
	for (i = 0; made && i < n; i++) {
		at = tn_val_get(g->ctx, tn_attrs_get(g->ctx, g->node[result[i]].attrs, NULL)[0])->u.i;
		if (made[i].v && out[at].v && at_count(made[i].rank, made[i].dim, &elements))
			memcpy(out[at].v, made[i].v, (size_t)elements * sizeof *made[i].v);
	}
	tn_arrays_free(made, n);
	mem_free(result);
	return made != NULL;
}

bool
plan_check(const struct tn_plan *p, const struct tn_graph *g, const struct tn_array in[], const struct tn_array out[],
    const double large[], const volatile int *interrupted, struct tn_difference *d, struct tn_error *e)
{
	struct check z = {p, d};
	struct tn_exec how = {.input = in, .sizes = p->sizes, .opaque = give_made_up, .arg = &z, .interrupted = interrupted};
	struct tn_array *want;
	uint32_t i;

	*d = (struct tn_difference){0};
	want = tn_execute(g, &how, e);
	for (i = 0; want && i < g->noutput && !d->differs; i++)
		compare_values(&z, &want[i], &out[i], large ? large[i] : 0, g->output[i].name);
	tn_arrays_free(want, g->noutput);
	return want != NULL;
}

bool
tn_plan_check(const struct tn_plan *p, const struct tn_graph *g, const struct tn_array in[], const struct tn_array out[],
    const volatile int *interrupted, struct tn_difference *d, struct tn_error *e)
{
	return plan_check(p, g, in, out, NULL, interrupted, d, e);
}
