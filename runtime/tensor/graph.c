/* The tensor graph's arrays: building it in topological order, types inferred as nodes come. */
#include "tenon/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tensor/data.h"

struct tn_graph *
tn_graph_new(struct tn_ctx *ctx, const struct tn_program *program, const char *name)
{
	struct tn_graph *g = mem_alloc(sizeof *g);

	g->ctx = ctx;
	g->program = program;
	g->name = tn_ctx_str(ctx, name, strlen(name));
	return g;
}

void
tn_graph_free(struct tn_graph *g)
{
	uint32_t i;

	if (!g)
		return;
	for (i = 0; i < g->nweight; i++)
		if (g->weight[i].is_owned)
			free((void *)g->weight[i].data);
	mem_free(g->node);
	mem_free(g->kid);
	mem_free(g->input);
	mem_free(g->weight);
	mem_free(g->output);
	mem_free(g);
}

enum { NODE, KID, INPUT, WEIGHT, OUTPUT };

/* room for one more element of the array; its address may change */
static void *
room(struct tn_graph *g, int which, void *at, uint32_t n, size_t size)
{
	uint32_t cap = g->cap[which];

	if (n < cap)
		return at;
	if (cap > UINT32_MAX / 2)
		mem_oom((size_t)cap * size);
	g->cap[which] = cap ? 2 * cap : 16;
	return mem_resize(at, cap * size, g->cap[which] * size);
}

static uint32_t
push(struct tn_graph *g, struct tn_gnode n, const uint32_t kid[], int nkid)
{
	int i;

	n.kid = g->nkid;
	n.nkid = (uint16_t)nkid;
	for (i = 0; i < nkid; i++) {
		g->kid = room(g, KID, g->kid, g->nkid, sizeof *g->kid);
		g->kid[g->nkid++] = kid[i];
	}
	g->node = room(g, NODE, g->node, g->nnode, sizeof *g->node);
	g->node[g->nnode] = n;
	return g->nnode++;
}

tn_attrs
number_attrs(struct tn_ctx *ctx, int64_t i)
{
	tn_val v = tn_val_make(ctx, &(struct tn_value){.kind = TN_K_INT, .u.i = i});

	return tn_attrs_make(ctx, &v, 1);
}

uint32_t
tn_graph_input(struct tn_graph *g, const char *name, tn_type type)
{
	g->input = room(g, INPUT, g->input, g->ninput, sizeof *g->input);
	g->input[g->ninput] = (struct tn_input){tn_ctx_str(g->ctx, name, strlen(name)), type};
	return push(g, (struct tn_gnode){.op = TN_INPUT, .attrs = number_attrs(g->ctx, g->ninput++), .type = type, .origin = TN_NONE},
	    NULL, 0);
}

uint32_t
tn_graph_weight(struct tn_graph *g, const struct tn_weight *w)
{
	g->weight = room(g, WEIGHT, g->weight, g->nweight, sizeof *g->weight);
	g->weight[g->nweight] = *w;
	g->weight[g->nweight].name = tn_ctx_str(g->ctx, w->name, strlen(w->name));
	return push(g, (struct tn_gnode){.op = TN_WEIGHT, .attrs = number_attrs(g->ctx, g->nweight++), .type = w->type,
	    .origin = TN_NONE},
	    NULL, 0);
}

uint32_t
tn_graph_fill(struct tn_graph *g, double value, tn_type type)
{
	return push(g, (struct tn_gnode){.op = TN_FILL, .attrs = fill_attrs(g->ctx, value, type), .type = type, .origin = TN_NONE},
	    NULL, 0);
}

uint32_t
tn_graph_node(struct tn_graph *g, unsigned op, tn_attrs attrs, const uint32_t kid[], int nkid,
    uint32_t origin, struct tn_error *e)
{
	const struct tn_op *o = &g->program->op[op];
	tn_type *in = mem_alloc(((size_t)nkid + 1) * sizeof *in);
	struct tn_infer s = {.ctx = g->ctx, .op = o, .nin = nkid, .in = in, .error = e, .keep_unknown = true};
	bool ok = nkid <= TN_MAX_OPERANDS || tn_fail(e, TN_E_INPUT, "%s: more than %d operands", o->name, TN_MAX_OPERANDS);
	int i;

	for (i = 0; i < nkid; i++)
		in[i] = g->node[kid[i]].type;
	s.attrs = ok ? tn_attrs_normalise(g->ctx, o, attrs, in, nkid) : attrs;
	ok = ok && (s.attrs == TN_NONE ? tn_fail(e, TN_E_INPUT, "%s: an axis is out of range", o->name) : tn_infer_run(&s));
	mem_free(in);
	if (!ok)
		return TN_NONE;
	return push(g, (struct tn_gnode){.op = (uint16_t)op, .attrs = s.attrs, .type = s.out, .origin = origin}, kid, nkid);
}

static tn_type
unknown_type(struct tn_ctx *ctx)
{
	return tn_type_make(ctx, &(struct tn_shape){.dtype = TN_UNTYPED, .rank = -1});
}

uint32_t
tn_graph_opaque(struct tn_graph *g, const uint32_t kid[], int nkid, uint32_t origin)
{
	return push(g, (struct tn_gnode){.op = TN_OPAQUE, .attrs = number_attrs(g->ctx, origin), .type = unknown_type(g->ctx),
	    .origin = origin}, kid, nkid);
}

void
tn_graph_describe(struct tn_graph *g, uint32_t opaque, const char *text)
{
	struct tn_gnode *n = &g->node[opaque];
	tn_val v[2];

	v[0] = tn_attrs_get(g->ctx, n->attrs, NULL)[0];
	v[1] = tn_val_make(g->ctx, &(struct tn_value){.kind = TN_K_STRING, .u.s = text});
	n->attrs = tn_attrs_make(g->ctx, v, 2);
}

uint32_t
tn_graph_result(struct tn_graph *g, uint32_t opaque, int p, tn_type type)
{
	return push(g, (struct tn_gnode){.op = TN_RESULT, .attrs = number_attrs(g->ctx, p), .type = type,
	    .origin = g->node[opaque].origin}, &opaque, 1);
}

void
tn_graph_output(struct tn_graph *g, const char *name, uint32_t node)
{
	g->output = room(g, OUTPUT, g->output, g->noutput, sizeof *g->output);
	g->output[g->noutput++] = (struct tn_output){tn_ctx_str(g->ctx, name, strlen(name)), node};
}

/* the number in a core operator's record */
static uint32_t
record_number(const struct tn_graph *g, const struct tn_gnode *n)
{
	return (uint32_t)tn_val_get(g->ctx, tn_attrs_get(g->ctx, n->attrs, NULL)[0])->u.i;
}

uint32_t
tn_graph_copy_node(struct tn_graph *to, const struct tn_graph *from, uint32_t node, const uint32_t kid[], struct tn_error *e)
{
	const struct tn_gnode *n = &from->node[node];
	struct tn_weight w;
	uint32_t made;

	switch (n->op) {
	case TN_INPUT:
		return tn_graph_input(to, from->input[record_number(from, n)].name, n->type);
	case TN_WEIGHT:
		w = from->weight[record_number(from, n)];
		w.is_owned = false;
		made = tn_graph_weight(to, &w);
		to->node[made].origin = n->origin;
		return made;
	case TN_FILL:
		made = tn_graph_fill(to, fill_of(from->ctx, n->attrs), n->type);
		to->node[made].origin = n->origin;
		return made;
	case TN_OPAQUE:
		made = tn_graph_opaque(to, kid, n->nkid, n->origin);
		to->node[made].attrs = n->attrs;
		return made;
	case TN_RESULT:
		return tn_graph_result(to, kid[0], (int)record_number(from, n), n->type);
	default:
		return tn_graph_node(to, n->op, n->attrs, kid, n->nkid, n->origin, e);
	}
}

struct tn_graph *
tn_graph_copy(const struct tn_graph *g, struct tn_error *e)
{
	struct tn_graph *to = tn_graph_new(g->ctx, g->program, g->name);
	uint32_t i;

	to->source = g->source;
	/* node for node, so that operands bear the same numbers */
	for (i = 0; i < g->nnode; i++)
		if (tn_graph_copy_node(to, g, i, g->nkid ? &g->kid[g->node[i].kid] : NULL, e) == TN_NONE) {
			tn_graph_free(to);
			return NULL;
		}
	for (i = 0; i < g->noutput; i++)
		tn_graph_output(to, g->output[i].name, g->output[i].node);
	return to;
}

unsigned
tn_op_named(const struct tn_program *p, const char *name)
{
	int i;

	for (i = 0; i < p->nop; i++)
		if (strcmp(p->op[i].name, name) == 0)
			return (unsigned)i;
	return TN_NONE;
}

bool *
tn_graph_constants(const struct tn_graph *g)
{
	bool *constant = mem_alloc((size_t)g->nnode + 1);
	uint32_t i, k;

	for (i = 0; i < g->nnode; i++) {
		const struct tn_gnode *n = &g->node[i];

		constant[i] = n->op != TN_INPUT && n->op != TN_OPAQUE;
		for (k = 0; k < n->nkid; k++)
			constant[i] &= constant[g->kid[n->kid + k]];
	}
	return constant;
}

bool *
tn_graph_needed(const struct tn_graph *g)
{
	bool *needed = mem_alloc((size_t)g->nnode + 1);
	uint32_t i, k;

	for (i = 0; i < g->noutput; i++)
		needed[g->output[i].node] = true;
	for (i = g->nnode; i-- > 0;)
		for (k = 0; needed[i] && k < g->node[i].nkid; k++)
			needed[g->kid[g->node[i].kid + k]] = true;
	return needed;
}
