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
	for (i = 0; i < p->step.n; i++)
		if (p->step.at[i].kernel)
			plugin->drop(p->target->state, p->step.at[i].kernel);
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
	const struct buffer *b = &p->buffer.at[p->input[i]];
	size_t size = dtype_size(a->dtype), n = size ? b->bytes / size : 0;
	void *bytes;
	bool ok;

	if (!is_of_input(p, i, a))
		return tn_fail(e, TN_E_INPUT, "input %s: its elements or extents are others than the plan's", p->g->input[i].name);
	bytes = mem_alloc(b->bytes + 1);
	element_store(a->dtype, a->v, n, bytes);
	ok = p->target->plugin->upload(p->target->state, p->block + b->offset, bytes, b->bytes, e);
	mem_free(bytes);
	return ok;
}

/* a constant as an array, element by element along its strides */
static void
load_constant(const struct tn_tensor *t, struct tn_array *a)
{
	int64_t n = view_count(t), i, rest, at;
	int axis;

	for (i = 0; i < n; i++) {
		for (rest = i, at = 0, axis = t->rank - 1; axis >= 0; axis--) {
			at += rest % t->dim[axis] * t->stride[axis];
			rest /= t->dim[axis];
		}
		element_load(t->dtype, (const char *)t->data + (size_t)at * dtype_size(t->dtype), 1, &a->v[i]);
	}
}

static bool
get_output(struct tn_plan *p, uint32_t i, struct tn_array *a, struct tn_error *e)
{
	const struct value *v = &p->output[i];
	size_t n = (size_t)view_count(&v->view), bytes = n * dtype_size(v->view.dtype);
	void *data;
	bool ok;

	*a = (struct tn_array){.dtype = v->view.dtype, .rank = v->view.rank, .v = mem_alloc((n + 1) * sizeof *a->v)};
	memcpy(a->dim, v->view.dim, sizeof a->dim);
	if (v->buffer == TN_NONE) {
		load_constant(&v->view, a);
		return true;
	}
	data = mem_alloc(bytes + 1);
	ok = p->target->plugin->download(p->target->state, data, p->block + p->buffer.at[v->buffer].offset, bytes, e);
	if (ok)
		element_load(a->dtype, data, n, a->v);
	mem_free(data);
	return ok;
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
		ok = get_output(p, i, &out[i], e);
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

	return plugin->stamp(p->target->state, 0, e) && run_steps(p, e) && plugin->stamp(p->target->state, 1, e) &&
	    plugin->elapsed(p->target->state, 0, 1, ns, e);
}

bool
tn_plan_time_step(struct tn_plan *p, uint32_t i, double *ns, struct tn_error *e)
{
	const struct tn_target_plugin *plugin = p->target->plugin;

	return plugin->stamp(p->target->state, 0, e) && run_step(p, &p->step.at[i], e) && plugin->stamp(p->target->state, 1, e) &&
	    plugin->elapsed(p->target->state, 0, 1, ns, e);
}
