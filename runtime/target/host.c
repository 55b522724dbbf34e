/*
 * Steps that the target has no kernel for: the reference executor computes them on the host, between the target's own,
 * from data that is brought over and back.
 *
 * What an opaque operator computes nobody here knows.  Its results are made up from its number and what is said of it
 * alone, not from its operands, so that check.c can give the reference executor the same ones.
 */
#include <string.h>

#include "base/dtype.h"
#include "target/plan.h"
#include "tenon/tenon.h"
#include "tensor/at.h"
#include "tensor/element.h"

/* ---- arrays ----------------------------------------------------------------------------------------------------- */

void
host_load(const struct tn_tensor *t, const void *from, struct tn_array *a)
{
	int64_t n = view_count(t), i, rest, at;
	int axis;

	*a = (struct tn_array){.dtype = t->dtype, .rank = t->rank};
	if (t->rank < 0)
		return;
	memcpy(a->dim, t->dim, sizeof a->dim);
	a->v = mem_alloc(((size_t)n + 1) * sizeof *a->v);
	for (i = 0; i < n; i++) {
		for (rest = i, at = 0, axis = t->rank - 1; axis >= 0; axis--) {
			at += rest % t->dim[axis] * t->stride[axis];
			rest /= t->dim[axis];
		}
		element_load(t->dtype, (const char *)from + (size_t)at * dtype_size(t->dtype), 1, &a->v[i]);
	}
}

bool
host_get(const struct tn_plan *p, const struct value *v, struct tn_array *a, struct tn_error *e)
{
	size_t size = dtype_size(v->view.dtype), bytes = v->view.rank < 0 ? 0 : (size_t)view_reach(&v->view) * size;
	void *data = NULL;
	bool ok = true;

	if (v->buffer != TN_NONE) {
		data = mem_alloc(bytes + 1);
		ok = p->target->plugin->download(p->target->state, data,
		    p->block + p->buffer.at[v->buffer].offset + (size_t)v->skip * size, bytes, e);
	}
	if (ok)
		host_load(&v->view, data ? data : v->view.data, a);
	mem_free(data);
	return ok;
}

bool
host_put(const struct tn_plan *p, const struct value *v, const struct tn_array *a, struct tn_error *e)
{
	size_t n = (size_t)view_count(&v->view), bytes = n * dtype_size(v->view.dtype);
	void *data = mem_alloc(bytes + 1);
	bool ok;

	element_store(a->dtype, a->v, n, data);
	ok = p->target->plugin->upload(p->target->state, p->block + p->buffer.at[v->buffer].offset, data, bytes, e);
	mem_free(data);
	return ok;
}

/* ---- making ----------------------------------------------------------------------------------------------------- */

static struct host *
host_new(const struct value in[], int nin)
{
	struct host *h = mem_alloc(sizeof *h);

	h->nin = nin;
	h->in = mem_alloc(((size_t)nin + 1) * sizeof *h->in);
	h->operand = mem_alloc(((size_t)nin + 1) * sizeof *h->operand);
	if (nin)
		memcpy(h->in, in, (size_t)nin * sizeof *in);
	return h;
}

void
host_free(struct host *h)
{
	int i;

	if (!h)
		return;
	for (i = 0; i < h->nin; i++)
		mem_free(h->operand[i].v);
	if (h->made)
		tn_arrays_free(h->made, h->nout);
	if (h->one)
		tn_graph_free(h->one);
	mem_free(h->operand);
	mem_free(h->in);
	mem_free(h->out);
	mem_free(h);
}

static tn_type
type_of(struct tn_ctx *c, const struct tn_tensor *t)
{
	struct tn_shape s = {.dtype = t->dtype, .rank = t->rank};

	memcpy(s.dim, t->dim, sizeof s.dim);
	return tn_type_make(c, &s);
}

struct host *
host_operator(struct tn_plan *p, uint32_t node, const struct value in[], struct tn_error *e)
{
	const struct tn_gnode *n = &p->g->node[node];
	struct host *h = host_new(in, n->nkid);
	uint32_t *kid = mem_alloc(((size_t)n->nkid + 1) * sizeof *kid), result;
	int i;

	h->nout = 1;
	h->out = mem_alloc(sizeof *h->out);
	h->one = tn_graph_new(p->g->ctx, p->g->program, "one operator");
	for (i = 0; i < h->nin; i++)
		kid[i] = tn_graph_input(h->one, "operand", type_of(p->g->ctx, &in[i].view));
	result = tn_graph_node(h->one, n->op, at_attrs(p->g->ctx, n->attrs, p->sizes), kid, h->nin, TN_NONE, e);
	mem_free(kid);
	if (result != TN_NONE) {
		tn_graph_output(h->one, "result", result);
		return h;
	}
	host_free(h);
	return NULL;
}

struct tn_array *
host_make_up(const struct tn_graph *g, uint32_t opaque, const int64_t sizes[], const uint32_t result[], uint32_t n,
    struct tn_error *e)
{
	struct tn_graph *one = tn_graph_new(g->ctx, g->program, "one operator");
	uint32_t alone = tn_graph_opaque(one, NULL, 0, TN_NONE), i, r;
	struct tn_array *made;
	int count;

	one->node[alone].attrs = g->node[opaque].attrs;
	for (i = 0; i < n; i++) {
		const struct tn_gnode *from = &g->node[result[i]];

		r = tn_graph_result(one, alone, (int)tn_val_get(g->ctx, tn_attrs_get(g->ctx, from->attrs, &count)[0])->u.i, from->type);
		tn_graph_output(one, "result", r);
	}
	made = tn_execute(one, &(struct tn_exec){.sizes = sizes}, e);
	tn_graph_free(one);
	return made;
}

struct host *
host_opaque(struct tn_plan *p, uint32_t node, const struct value in[], const uint32_t result[], uint32_t n, struct tn_error *e)
{
	struct host *h = host_new(in, p->g->node[node].nkid);

	h->attrs = p->g->node[node].attrs;
	h->nout = n;
	h->out = mem_alloc(((size_t)n + 1) * sizeof *h->out);
	h->made = host_make_up(p->g, node, p->sizes, result, n, e);
	if (h->made)
		return h;
	host_free(h);
	return NULL;
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

bool
host_run(struct tn_plan *p, struct host *h, struct tn_error *e)
{
	struct tn_array *out = h->made;
	bool ok = true;
	uint32_t i;
	int k;

	for (k = 0; ok && k < h->nin; k++) {
		mem_free(h->operand[k].v);
		h->operand[k].v = NULL;
		ok = host_get(p, &h->in[k], &h->operand[k], e);
	}
	if (ok && h->one)
		ok = (out = tn_execute(h->one, &(struct tn_exec){.input = h->operand}, e)) != NULL;
	for (i = 0; ok && i < h->nout; i++)
		ok = h->out[i].buffer == TN_NONE || host_put(p, &h->out[i], &out[i], e);
	if (out != h->made)
		tn_arrays_free(out, h->nout);
	return ok;
}
