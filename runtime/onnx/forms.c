/*
 * Which e-nodes a model can be written with, and the parts of those that it cannot: an e-node that is
 * written as several is joined to what it is written as, and not chosen itself.
 */
#include <string.h>

#include "onnx/apart.h"
#include "onnx/raise.h"

/* An e-graph as apart.h wants it. */
struct forms {
	struct tn_tensors *t;
	struct tn_egraph *g;
	const struct tn_graph *graph;
};

static uint32_t
make(void *arg, unsigned op, tn_attrs attrs, const uint32_t kid[], int nkid)
{
	struct forms *f = arg;
	tn_id made = tn_add(f->g, (uint16_t)op, attrs, kid, nkid);

	return tn_tensors_type(f->t, made) == TN_NONE ? TN_NONE : made;
}

static uint32_t
make_fill(void *arg, double value, tn_type type)
{
	return tn_tensors_fill(((struct forms *)arg)->t, value, type);
}

static tn_type
type_of(void *arg, uint32_t class)
{
	return tn_tensors_type(((struct forms *)arg)->t, class);
}

static bool
is_zero(void *arg, uint32_t class)
{
	struct forms *f = arg;
	tn_val v = tn_tensors_uniform(f->t, class);

	return v != TN_NONE && tn_val_get(f->graph->ctx, v)->u.f == 0;
}

static struct apart
apart_in(struct forms *f, const struct tn_onnx *x)
{
	return (struct apart){f->graph->ctx, f->graph->program, apart_opset(x), f, make, make_fill, type_of, is_zero};
}

/* the live e-nodes of declared operators, to be looked at while others are made */
static tn_id *
list_declared(const struct tn_egraph *g, uint32_t *n)
{
	VEC(tn_id) list = {0};
	const tn_id *node;
	uint32_t i, count;
	tn_id c;

	for (c = 0; c < tn_nids(g); c++) {
		if (tn_find(g, c) != c)
			continue;
		node = tn_class_nodes(g, c, &count);
		for (i = 0; i < count; i++)
			if (tn_node_at(g, node[i]).op >= TN_CORE)
				vec_push(&list, node[i]);
	}
	*n = list.n;
	return list.at;
}

/* join the e-node to its parts, if it has any */
static void
take_apart(const struct forms *f, const struct apart *a, tn_id enode)
{
	struct tn_node n = tn_node_at(f->g, enode);
	tn_id *kid, made;

	if (!apart_must(a, n.op, n.attrs, n.kid, n.nkid))
		return;
	kid = mem_alloc(((size_t)n.nkid + 1) * sizeof *kid);	/* the e-graph's own move when parts are made */
	memcpy(kid, n.kid, n.nkid * sizeof *kid);
	made = apart_make(a, n.op, n.attrs, kid, n.nkid);
	if (made != TN_NONE && tn_tensors_type(f->t, made) == tn_tensors_type(f->t, enode))
		tn_union(f->g, enode, made, NULL);
	mem_free(kid);
}

bool
tn_onnx_take_apart(const struct tn_onnx *x, struct tn_tensors *t)
{
	struct forms f = {t, tn_tensors_egraph(t), tn_tensors_source(t)};
	struct apart a = apart_in(&f, x);
	uint32_t n, i;
	tn_id *node = list_declared(f.g, &n);

	for (i = 0; i < n; i++)
		take_apart(&f, &a, node[i]);
	mem_free(node);
	return tn_rebuild(f.g);
}

/* slices had no steps before opset 10 */
static bool
has_unit_step(struct tn_ctx *c, const struct tn_op *op, tn_attrs attrs)
{
	int i, n;
	const tn_val *v = tn_attrs_get(c, attrs, &n);

	for (i = 0; i < op->nattr && i < n; i++)
		if (strcmp(op->attr[i].name, "step") == 0)
			return tn_val_get(c, v[i])->u.i == 1;
	return true;
}

/* ONNX has no padding that cuts off, and no axis that becomes the diagonal of two. */
static bool
has_plain_lists(struct tn_ctx *c, const struct tn_op *op, tn_attrs attrs)
{
	int i, n;
	uint32_t k, m;
	const tn_val *v = tn_attrs_get(c, attrs, &n);

	for (i = 0; i < op->nattr && i < n; i++) {
		const struct tn_value *list = tn_val_get(c, v[i]);
		bool is_pads = strcmp(op->attr[i].name, "pads") == 0, is_axes = strcmp(op->attr[i].name, "axes") == 0;

		for (k = 0; (is_pads || is_axes) && k < list->n; k++) {
			if (is_pads && list->u.list[k] < 0)
				return false;
			for (m = 0; is_axes && m < k; m++)
				if (list->u.list[m] == list->u.list[k])
					return false;
		}
	}
	return true;
}

/* has the opset words for the operator? */
static bool
has_words(const struct tn_onnx *x, struct tn_ctx *c, const struct tn_op *op, tn_attrs attrs)
{
	const struct raise_row *row = raise_row(op);
	const char *domain = op->onnx_domain ? op->onnx_domain : "";

	if (row && row->raise == raise_slice && apart_opset(x) < 10 && !has_unit_step(c, op, attrs))
		return false;
	if (row)
		return apart_opset(x) >= row->opset && has_plain_lists(c, op, attrs);
	/* an export imports the domains of its operators */
	return op->onnx && (!x || model_opset(&x->model, (struct span){(const unsigned char *)domain, strlen(domain)}) > 0);
}

bool
tn_onnx_can_write(const struct tn_onnx *x, struct tn_tensors *t, tn_id enode)
{
	struct forms f = {t, tn_tensors_egraph(t), tn_tensors_source(t)};
	struct apart a = apart_in(&f, x);
	struct tn_node e = tn_node_at(f.g, enode);

	return e.op < TN_CORE || (has_words(x, f.graph->ctx, &f.graph->program->op[e.op], e.attrs) &&
	    !apart_must(&a, e.op, e.attrs, e.kid, e.nkid));
}
