/* Plans: made, run, timed. */
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "target/plan.h"
#include "tenon/tenon.h"
#include "tensor/at.h"
#include "tensor/element.h"

/* ---- making ----------------------------------------------------------------------------------------------------- */

struct tn_plan *
tn_plan_new(struct tn_target *t, const struct tn_graph *g, const int64_t sizes[], struct tn_error *e)
{
	struct tn_plan *p = mem_alloc(sizeof *p);
	int nsym = tn_dim_nsym(g->ctx);

	p->target = t;
	p->sizes = nsym ? arena_dup(&p->mem, sizes, (size_t)nsym * sizeof *sizes) : NULL;
	p->g = tn_graph_copy(g, e);
	if (p->g) {
		tn_graph_fold(p->g, &(struct tn_fold){.growth_bytes = SIZE_MAX}, NULL);
		if (plan_build(p, e) && plan_place(p, e))
			return p;
	}
	tn_plan_free(p);
	return NULL;
}

void
tn_plan_free(struct tn_plan *p)
{
	const struct tn_target_plugin *plugin;
	uint32_t i;

	if (!p)
		return;
	plugin = p->target->plugin;
	for (i = 0; i < p->step.n; i++) {
		if (p->step.at[i].kernel)
			plugin->drop(p->target->state, p->step.at[i].kernel);
		host_free(p->step.at[i].host);
	}
	if (p->scratch)
		plugin->release(p->target->state, p->scratch);
	if (p->block)
		plugin->release(p->target->state, p->block);
	vec_free(&p->step);
	vec_free(&p->buffer);
	vec_free(&p->reordered);
	tn_graph_free(p->g);
	arena_free(&p->mem);
	mem_free(p);
}

uint32_t
tn_plan_steps(const struct tn_plan *p)
{
	return p->step.n;
}

const struct tn_graph *
tn_plan_graph(const struct tn_plan *p)
{
	return p->g;
}

const struct tn_plan_step *
tn_plan_step(const struct tn_plan *p, uint32_t i)
{
	struct step *s = &p->step.at[i];

	s->said.job = &s->job;
	return &s->said;
}

size_t
tn_plan_bytes(const struct tn_plan *p, size_t *apart)
{
	*apart = p->apart;
	return p->bytes;
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

static bool
run_step(struct tn_plan *p, const struct step *s, struct tn_error *e)
{
	if (s->host)
		return host_run(p, s->host, e);
	return !s->kernel || p->target->plugin->run(p->target->state, s->kernel, s->at, s->result, p->scratch, e);
}

static bool
run_steps(struct tn_plan *p, struct tn_error *e)
{
	uint32_t i;

	for (i = 0; i < p->step.n; i++)
		if (!run_step(p, &p->step.at[i], e))
			return false;
	return true;
}

/* the same once more, on the same inputs: what was made up lies where it was put */
static bool
repeat_step(struct tn_plan *p, uint32_t i, struct tn_error *e)
{
	return p->step.at[i].said.where == TN_MADE_UP || run_step(p, &p->step.at[i], e);
}

static bool
repeat_steps(struct tn_plan *p, struct tn_error *e)
{
	uint32_t i;

	for (i = 0; i < p->step.n; i++)
		if (!repeat_step(p, i, e))
			return false;
	return true;
}

/* is it of the input's type at the plan's sizes? */
static bool
is_of_input(const struct tn_plan *p, uint32_t i, const struct tn_array *a)
{
	struct tn_shape s;

	return at_shape(p->g->ctx, p->g->input[i].type, p->sizes, &s) && a->dtype == s.dtype && a->rank == s.rank &&
	    memcmp(a->dim, s.dim, (size_t)s.rank * sizeof *s.dim) == 0;
}

static bool
put_input(struct tn_plan *p, uint32_t i, const struct tn_array *a, struct tn_error *e)
{
	struct value v = {.buffer = p->input[i]};

	if (!is_of_input(p, i, a))
		return tn_fail(e, TN_E_INPUT, "input %s: its elements or extents are others than the plan's", p->g->input[i].name);
	v.view = (struct tn_tensor){.dtype = a->dtype, .rank = a->rank};
	memcpy(v.view.dim, a->dim, sizeof a->dim);
	return host_put(p, &v, a, e);
}

struct tn_array *
tn_plan_run(struct tn_plan *p, const struct tn_array in[], struct tn_error *e)
{
	struct tn_array *out = mem_alloc(((size_t)p->g->noutput + 1) * sizeof *out);
	bool ok = true;
	uint32_t i;

	for (i = 0; ok && i < p->g->ninput; i++)
		ok = p->input[i] == TN_NONE || put_input(p, i, &in[i], e);
	ok = ok && run_steps(p, e);
	for (i = 0; ok && i < p->g->noutput; i++)
		ok = host_get(p, &p->output[i], &out[i], e);
	if (ok)
		return out;
	tn_arrays_free(out, p->g->noutput);
	return NULL;
}

/* ---- timing ----------------------------------------------------------------------------------------------------- */

bool
tn_plan_time(struct tn_plan *p, double *ns, struct tn_error *e)
{
	const struct tn_target_plugin *plugin = p->target->plugin;

	return plugin->stamp(p->target->state, 0, e) && repeat_steps(p, e) && plugin->stamp(p->target->state, 1, e) &&
	    plugin->elapsed(p->target->state, 0, 1, ns, e);
}

bool
tn_plan_time_steps(struct tn_plan *p, double ns[], struct tn_error *e)
{
	const struct tn_target_plugin *plugin = p->target->plugin;
	uint32_t i;

	for (i = 0; i < p->step.n; i++)
		if (!plugin->stamp(p->target->state, 0, e) || !repeat_step(p, i, e) || !plugin->stamp(p->target->state, 1, e) ||
		    !plugin->elapsed(p->target->state, 0, 1, &ns[i], e))
			return false;
	return true;
}
