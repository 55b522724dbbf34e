/*
 * A graph as steps: which nodes run, what their operands look like in memory, and where a reorder must stand between.
 * What the target has no kernel for is a step of the host's.
 *
 * What an operator takes along of its operand's maker (cost/view.c) is no step but a view, so that steps are what costs
 * are counted for.  A reshape is a view too, after a reorder where its operand's channels lie last; and a slice, which is
 * copied for those alone that cannot read it where it is.
 */
#include <stdio.h>
#include <string.h>

#include "base/dtype.h"
#include "cost/cost.h"
#include "target/plan.h"
#include "tensor/at.h"

/* ---- steps ---------------------------------------------------------------------------------------------------- */

/* a kernel for the step, or the reference executor where the target has none; it leaves its result row-major */
static bool
find_kernel(struct tn_plan *p, struct step *s, const struct value in[], struct tn_error *e)
{
	struct tn_error why = {0};

	s->kernel = target_make(p->target, &s->job, &s->said.facts, &why);
	if (s->kernel)
		return true;
	if (why.code != TN_E_INPUT || !s->job.op || !s->job.op->def)
		return tn_fail(e, why.code, "%s", why.msg);
	s->said.facts = (struct tn_kernel_facts){.how = "reference executor"};
	s->said.where = TN_ON_HOST;
	view_dense(&s->job.out, TN_ROW_MAJOR);
	s->host = host_operator(p, s->said.node, in, e);
	return s->host != NULL;
}

/* the next step, whose operands are these values; its kernel is found by the caller */
static struct step
new_step(struct tn_plan *p, uint32_t node, const char *op, const struct tn_job *job, const struct value in[])
{
	struct step s = {.job = *job, .out = TN_NONE};
	struct tn_tensor *views = arena_news(&p->mem, (size_t)job->nin + 1, struct tn_tensor);
	int i;

	s.in = arena_news(&p->mem, (size_t)job->nin + 1, uint32_t);
	s.skip = arena_news(&p->mem, (size_t)job->nin + 1, size_t);
	s.at = arena_news(&p->mem, (size_t)job->nin + 1, const void *);
	for (i = 0; i < job->nin; i++) {
		views[i] = in[i].view;
		s.in[i] = in[i].buffer;
		s.skip[i] = in[i].view.rank < 0 ? 0 : (size_t)in[i].skip * dtype_size(in[i].view.dtype);
		if (s.in[i] != TN_NONE)
			p->buffer.at[s.in[i]].to = p->step.n;
	}
	s.job.in = views;
	s.said.facts.how = "nothing";
	s.said.op = op;
	s.said.node = node;
	s.said.with[0] = s.said.with[1] = TN_NONE;
	return s;
}

/* the job as the next step, whose operands are these values; its result is *out */
static bool
add_step(struct tn_plan *p, uint32_t node, const struct tn_job *job, const struct value in[], struct value *out,
    struct tn_error *e)
{
	struct step s = new_step(p, node, job->op ? job->op->name : "reorder", job, in);

	/* what has no elements needs nobody to compute it */
	if (view_count(&job->out) > 0 && !find_kernel(p, &s, in, e))
		return false;
	*out = (struct value){.view = s.job.out, .buffer = plan_buffer(p, &s.job.out, p->step.n), .maker = TN_NONE};
	s.out = out->buffer;
	if (s.host)
		s.host->out[0] = *out;
	vec_push(&p->step, s);
	return true;
}

/* a new step that brings the value densely into the layout */
static bool
add_reorder(struct tn_plan *p, const struct value *v, enum tn_layout layout, struct value *out, struct tn_error *e)
{
	struct tn_job job = {.nin = 1, .in = &v->view, .out = v->view};

	job.out.data = NULL;
	view_dense(&job.out, layout);
	return add_step(p, TN_NONE, &job, v, out, e);
}

static bool operator_value(struct tn_plan *, uint32_t node, struct value *out, struct tn_error *);

/* the value densely in the layout, by the slice that it is a view for, or a reorder */
static bool
copy_value(struct tn_plan *p, const struct value *v, enum tn_layout layout, struct value *out, struct tn_error *e)
{
	if (v->maker == TN_NONE || !view_is_ordered(&v->view, layout))
		return add_reorder(p, v, layout, out, e);
	return operator_value(p, v->maker, out, e) && (view_is_dense(&out->view, layout) || add_reorder(p, out, layout, out, e));
}

/* the value densely in the layout */
static bool
reorder(struct tn_plan *p, const struct value *v, enum tn_layout layout, struct value *out, struct tn_error *e)
{
	struct reordered r = {.from = *v, .layout = layout};
	uint32_t i;

	for (i = 0; i < p->reordered.n; i++) {
		const struct reordered *old = &p->reordered.at[i];

		if (old->from.buffer == v->buffer && old->from.skip == v->skip && old->layout == layout &&
		    view_same(&old->from.view, &v->view)) {
			*out = old->to;
			return true;
		}
	}
	if (!copy_value(p, v, layout, out, e))
		return false;
	r.to = *out;
	vec_push(&p->reordered, r);
	return true;
}

/* the source's axes that are longer than 1, in order, at those of `stored` that are; all others of the type repeat */
static bool
take_expanded(struct tn_plan *p, const struct value *from, const struct tn_source *s, struct value *v, struct tn_error *e)
{
	struct tn_shape full, stored;
	int64_t axes[TN_MAX_RANK] = {0};
	int i, axis = 0;

	if (!plan_shape(p, s->type, &full, e) || !plan_shape(p, s->stored, &stored, e))
		return false;
	for (i = 0; i < from->view.rank; i++) {
		if (from->view.dim[i] == 1)
			continue;
		while (axis < stored.rank && stored.dim[axis] == 1)
			axis++;
		axes[i] = axis++;
	}
	*v = *from;
	v->maker = TN_NONE;
	view_expand(&from->view, axes, &full, &v->view);
	return true;
}

/* operand i of the node, as it lies in memory */
static bool
operand(struct tn_plan *p, uint32_t node, int i, struct value *v, struct tn_error *e)
{
	struct tn_source s;
	uint32_t kid = view_operand(p->g, node, i, &s);
	const struct value *from = &p->value[kid];
	int64_t perm[TN_MAX_RANK];
	int k, rank = from->view.rank;

	if (kid == p->g->kid[p->g->node[node].kid + (uint32_t)i]) {
		*v = *from;
		return true;
	}
	if (s.stored == TN_NONE) {
		struct tn_shape full;

		*v = *from;
		if (!plan_shape(p, s.type, &full, e))
			return false;
		v->view = plan_tensor(&full, TN_ROW_MAJOR);
		v->view.data = from->view.data;
		memset(v->view.stride, 0, sizeof v->view.stride);
		return true;
	}
	if (!s.is_transposed)
		return take_expanded(p, from, &s, v, e);
	for (k = 0; k < rank; k++)
		perm[k] = k < rank - 2 ? k : 2 * rank - 3 - k;
	*v = *from;
	v->maker = TN_NONE;
	view_permute(&from->view, perm, &v->view);
	return true;
}

/* the node's attributes at these sizes; NULL and error */
static const struct tn_value **
attributes(struct tn_plan *p, const struct tn_gnode *n, struct tn_error *e)
{
	tn_attrs attrs = at_attrs(p->g->ctx, n->attrs, p->sizes);
	const struct tn_value **list;
	const tn_val *v;
	int i, count;

	if (attrs == TN_NONE) {
		tn_fail(e, TN_E_INPUT, "%s: an attribute is not known at these sizes", p->g->program->op[n->op].name);
		return NULL;
	}
	v = tn_attrs_get(p->g->ctx, attrs, &count);
	list = arena_news(&p->mem, (size_t)count + 1, const struct tn_value *);
	for (i = 0; i < count; i++)
		list[i] = tn_val_get(p->g->ctx, v[i]);
	return list;
}

/* does the operator's shape check hold at these sizes?  Of a model what is not known to hold is let pass */
static bool
fits(struct tn_plan *p, const struct tn_gnode *n, struct tn_error *e)
{
	struct tn_infer s = {.ctx = p->g->ctx, .op = &p->g->program->op[n->op], .attrs = at_attrs(p->g->ctx, n->attrs, p->sizes),
	    .in = arena_news(&p->mem, (size_t)n->nkid + 1, tn_type), .nin = n->nkid, .error = e};
	uint32_t k;

	for (k = 0; k < n->nkid; k++) {
		s.in[k] = at_type(p->g->ctx, p->g->node[p->g->kid[n->kid + k]].type, p->sizes);
		if (s.in[k] == TN_NONE)
			return tn_fail(e, TN_E_INPUT, "%s: the shape of an operand is not known", s.op->name);
	}
	return tn_infer_run(&s) && (s.out == at_type(p->g->ctx, n->type, p->sizes) ||
	    tn_fail(e, TN_E_INPUT, "%s: at these sizes the result has another shape", s.op->name));
}

/* kernels that want an operand densely may count on where it begins */
static bool
is_aligned(const struct value *v)
{
	return (size_t)v->skip * dtype_size(v->view.dtype) % 64 == 0;
}

/* the value densely in the layout where it is not a constant, at a place that kernels may count on */
static bool
make_dense(struct tn_plan *p, struct value *v, enum tn_layout layout, struct tn_error *e)
{
	return v->buffer == TN_NONE || (view_is_dense(&v->view, layout) && is_aligned(v)) || reorder(p, v, layout, v, e);
}

/* the node's job, with room for one operand more, and its operands as the target wants them */
static bool
prepare(struct tn_plan *p, uint32_t node, struct tn_job *job, struct value **operands, struct tn_error *e)
{
	const struct tn_gnode *n = &p->g->node[node];
	struct value *in = *operands = arena_news(&p->mem, (size_t)n->nkid + 1, struct value);
	struct tn_tensor *views = arena_news(&p->mem, (size_t)n->nkid + 1, struct tn_tensor);
	bool *dense = arena_news(&p->mem, (size_t)n->nkid + 1, bool);
	struct tn_shape shape;
	enum tn_layout layout;
	int i;

	*job = (struct tn_job){.op = &p->g->program->op[n->op], .attr = attributes(p, n, e), .nin = n->nkid, .in = views};
	if (!job->attr || !plan_shape(p, n->type, &shape, e) || !fits(p, n, e))
		return false;
	for (i = 0; i < job->nin; i++) {
		if (!operand(p, node, i, &in[i], e))
			return false;
		if (in[i].view.rank < 0)
			return tn_fail(e, TN_E_INPUT, "%s: the shape of an operand is not known", job->op->name);
		views[i] = in[i].view;
	}
	job->out = plan_tensor(&shape, TN_ROW_MAJOR);
	layout = p->target->plugin->layout(p->target->state, job, dense);
	view_dense(&job->out, layout);
	for (i = 0; i < job->nin; i++)
		if (dense[i] && !make_dense(p, &in[i], layout, e))
			return false;
	return true;
}

static bool
operator_value(struct tn_plan *p, uint32_t node, struct value *out, struct tn_error *e)
{
	struct tn_job job;
	struct value *in;

	return prepare(p, node, &job, &in, e) && add_step(p, node, &job, in, out, e);
}

/* The operator, the sum that it goes into, and the relu of that (TN_NONE: none) as one step; false, which is no error: the
   target has no good kernel. */
static bool
add_fused(struct tn_plan *p, uint32_t node, uint32_t sum, uint32_t relu, struct value *out)
{
	const struct tn_target_plugin *plugin = p->target->plugin;
	uint32_t kid = p->g->node[sum].kid, other = p->g->kid[kid] == node ? p->g->kid[kid + 1] : p->g->kid[kid];
	struct value *in;
	struct tn_job job;
	struct step s;
	char *name;

	if (!prepare(p, node, &job, &in, NULL) || view_count(&job.out) == 0)
		return false;
	in[job.nin] = p->value[other];
	if (!view_is_shaped(&in[job.nin].view, &job.out) || in[job.nin].buffer == TN_NONE ||
	    !make_dense(p, &in[job.nin], view_is_dense(&job.out, TN_ROW_MAJOR) ? TN_ROW_MAJOR : TN_CHANNELS_LAST, NULL))
		return false;
	job.nin++;
	job.adds = true;
	job.rectifies = relu != TN_NONE;
	name = arena_alloc(&p->mem, strlen(job.op->name) + 16);
	sprintf(name, "%s+add%s", job.op->name, job.rectifies ? "+relu" : "");
	s = new_step(p, node, name, &job, in);
	s.kernel = target_make(p->target, &s.job, &s.said.facts, NULL);
	if (!s.kernel)
		return false;
	if (s.said.facts.is_slow) {
		plugin->drop(p->target->state, s.kernel);
		return false;
	}
	*out = (struct value){.view = s.job.out, .buffer = plan_buffer(p, &s.job.out, p->step.n), .maker = TN_NONE};
	s.out = out->buffer;
	s.said.with[0] = sum;
	s.said.with[1] = relu;
	vec_push(&p->step, s);
	return true;
}

/* a sum, or the relu of one, that is computed with an operand of the sum; each by itself where that cannot be */
static bool
sum_value(struct tn_plan *p, uint32_t node, struct value *out, struct tn_error *e)
{
	bool rectifies = p->is_deferred[p->fused[node]] && p->fused[p->fused[node]] != TN_NONE;
	uint32_t sum = rectifies ? p->fused[node] : node, with = p->fused[sum];

	if (add_fused(p, with, sum, rectifies ? node : TN_NONE, out))
		return true;
	return operator_value(p, with, &p->value[with], e) && operator_value(p, sum, &p->value[sum], e) &&
	    (!rectifies || operator_value(p, node, out, e));
}

static bool
reshape_value(struct tn_plan *p, uint32_t node, struct value *out, struct tn_error *e)
{
	const struct tn_gnode *n = &p->g->node[node];
	struct value from = p->value[p->g->kid[n->kid]];
	struct tn_shape shape;

	if (!plan_shape(p, n->type, &shape, e))
		return false;
	*out = from;
	out->maker = TN_NONE;
	if (view_reshape(&from.view, &shape, &out->view))
		return true;
	if (!reorder(p, &from, TN_ROW_MAJOR, &from, e))
		return false;
	*out = from;
	out->maker = TN_NONE;
	view_reshape(&from.view, &shape, &out->view);
	return true;
}

/* a place in its operand, which whoever cannot read it so copies out */
static bool
slice_value(struct tn_plan *p, uint32_t node, struct value *out, struct tn_error *e)
{
	const struct tn_gnode *n = &p->g->node[node];
	const struct tn_op *op = &p->g->program->op[n->op];
	const struct value *from = &p->value[p->g->kid[n->kid]];
	tn_attrs attrs = at_attrs(p->g->ctx, n->attrs, p->sizes);
	struct view_slice s;
	struct tn_shape shape;

	if (from->view.rank < 0 || attrs == TN_NONE || !view_slices(p->g->ctx, op, attrs, &s))
		return operator_value(p, node, out, e);
	if (!plan_shape(p, n->type, &shape, e) || !fits(p, n, e))
		return false;
	if (!view_can_slice(&from->view, s.axis, s.from, s.step, shape.dim[s.axis]))
		return operator_value(p, node, out, e);
	*out = *from;
	out->maker = node;
	view_slice(&from->view, s.axis, s.from, s.step, shape.dim[s.axis], &out->view, &out->skip);
	out->skip += from->skip;
	if (out->view.data) {
		out->view.data = (const char *)out->view.data + (size_t)out->skip * dtype_size(out->view.dtype);
		out->skip = 0;
	}
	return true;
}

/* results of the opaque operator that something reads; *n of them */
static uint32_t *
results_of(struct tn_plan *p, uint32_t opaque, uint32_t *n)
{
	uint32_t *list = arena_news(&p->mem, (size_t)p->g->nnode - opaque + 1, uint32_t), i;

	*n = 0;
	for (i = opaque + 1; i < p->g->nnode; i++)
		if (p->is_needed[i] && p->g->node[i].op == TN_RESULT && p->g->kid[p->g->node[i].kid] == opaque)
			list[(*n)++] = i;
	return list;
}

/* "Resize" of "Resize 3f0c…" */
static const char *
opaque_name(struct tn_plan *p, const struct tn_gnode *n)
{
	const char *text;
	int count;
	const tn_val *v = tn_attrs_get(p->g->ctx, n->attrs, &count);
	size_t len;

	if (count < 2)
		return "opaque";
	text = tn_val_get(p->g->ctx, v[1])->u.s;
	len = strcspn(text, " ");
	return memcpy(arena_alloc(&p->mem, len + 1), text, len);
}

/* a step that makes up all results of an operator that nobody knows */
static bool
opaque_values(struct tn_plan *p, uint32_t node, struct tn_error *e)
{
	const struct tn_gnode *n = &p->g->node[node];
	struct value *in = arena_news(&p->mem, (size_t)n->nkid + 1, struct value);
	struct tn_job job = {.nin = n->nkid};
	uint32_t count, i, *result = results_of(p, node, &count);
	struct tn_shape shape;
	struct step s;

	for (i = 0; i < n->nkid; i++)
		in[i] = p->value[p->g->kid[n->kid + i]];
	s = new_step(p, node, opaque_name(p, n), &job, in);
	s.said.facts.how = "made up";
	s.said.where = TN_MADE_UP;
	s.host = host_opaque(p, node, in, result, count, e);
	if (!s.host)
		return false;
	for (i = 0; i < count; i++) {
		struct value *v = &p->value[result[i]];

		*v = (struct value){.view.rank = -1, .buffer = TN_NONE, .maker = TN_NONE};
		if (plan_shape(p, p->g->node[result[i]].type, &shape, NULL)) {
			v->view = plan_tensor(&shape, TN_ROW_MAJOR);
			v->buffer = plan_buffer(p, &v->view, 0);
			p->buffer.at[v->buffer].is_kept = true;
		}
		s.host->out[i] = *v;
	}
	vec_push(&p->step, s);
	return true;
}

/* ---- the graph -------------------------------------------------------------------------------------------------- */

static bool
node_value(struct tn_plan *p, uint32_t node, struct tn_error *e)
{
	const struct tn_gnode *n = &p->g->node[node];
	struct value *v = &p->value[node];

	if (n->op == TN_RESULT || p->is_deferred[node])		/* another node's step makes it */
		return true;
	*v = (struct value){.buffer = TN_NONE, .maker = TN_NONE};
	if (p->fused[node] != TN_NONE)
		return sum_value(p, node, v, e);
	switch (n->op) {
	case TN_INPUT:
	case TN_WEIGHT:
	case TN_FILL:
		return leaf_value(p, node, v, e);
	case TN_OPAQUE:
		return opaque_values(p, node, e);
	default:
		return view_is_free(&p->g->program->op[n->op]) ? reshape_value(p, node, v, e) : slice_value(p, node, v, e);
	}
}

/* what outputs need, through views that operators take along */
static void
mark_needed(struct tn_plan *p)
{
	const struct tn_graph *g = p->g;
	struct tn_source s;
	uint32_t i, k;

	for (i = 0; i < g->noutput; i++)
		p->is_needed[g->output[i].node] = true;
	for (i = g->nnode; i-- > 0;)
		for (k = 0; p->is_needed[i] && k < g->node[i].nkid; k++)
			p->is_needed[g->node[i].op >= TN_CORE ? view_operand(g, i, (int)k, &s) : g->kid[g->node[i].kid + k]] = true;
}

/* outputs are row-major and in buffers that nobody overwrites; constants stay such */
static bool
output_values(struct tn_plan *p, struct tn_error *e)
{
	uint32_t i;

	for (i = 0; i < p->g->noutput; i++) {
		struct value *v = &p->output[i];

		*v = p->value[p->g->output[i].node];
		if (v->buffer != TN_NONE && !view_is_dense(&v->view, TN_ROW_MAJOR) && !reorder(p, v, TN_ROW_MAJOR, v, e))
			return false;
		if (v->buffer != TN_NONE)
			p->buffer.at[v->buffer].is_kept = true;
	}
	return true;
}

bool
plan_build(struct tn_plan *p, struct tn_error *e)
{
	uint32_t i;

	p->value = arena_news(&p->mem, (size_t)p->g->nnode + 1, struct value);
	p->is_needed = arena_news(&p->mem, (size_t)p->g->nnode + 1, bool);
	p->output = arena_news(&p->mem, (size_t)p->g->noutput + 1, struct value);
	p->input = arena_news(&p->mem, (size_t)p->g->ninput + 1, uint32_t);
	for (i = 0; i < p->g->ninput; i++)
		p->input[i] = TN_NONE;
	mark_needed(p);
	fuse_sums(p);
	for (i = 0; i < p->g->nnode; i++)
		if (p->is_needed[i] && !node_value(p, i, e))
			return false;
	return output_values(p, e);
}
