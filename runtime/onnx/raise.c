/* What raisings are made of: see raise.h. */
#include <math.h>
#include <string.h>

#include "onnx/raise.h"
#include "tensor/same_op.h"

static const struct raise_row rows[] = {
#define RAISE(tenon, opset, raise, onnx) {tenon, opset, raise, onnx},
#include "onnx/map.def"
};

const struct raise_row *
raise_row(const struct tn_op *op)
{
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].tenon, op->name) == 0)
			return op_is_namesake(op) ? NULL : &rows[i];
	return NULL;
}

void
raise_node(struct plan *p, uint32_t b)
{
	const struct tn_gnode *n = &p->g->node[b];
	struct raise r = {p, p->g, p->g->ctx, b, n, &p->g->program->op[n->op], NULL, p->x->opset, p->place[b].key};
	const struct raise_row *row = n->op >= TN_CORE ? raise_row(r.op) : NULL;
	bool ok;

	if (n->op == TN_FILL) {
		ok = raise_fill(&r);
	} else if (n->op == TN_WEIGHT) {
		ok = raise_weight(&r);
	} else if (row) {
		r.onnx = row->onnx;
		ok = row->opset <= r.opset && row->raise(&r);
	} else {
		ok = r.op->onnx && raise_declared(&r);
	}
	if (!ok)
		plan_fail(p, "there are no words in opset %lld for operator '%s'", (long long)r.opset, r.op->name);
}

/* ---- attributes and operands ------------------------------------------------------------------ */

const struct tn_value *
r_attr(const struct raise *r, const char *name)
{
	int i, n;
	const tn_val *v = tn_attrs_get(r->ctx, r->n->attrs, &n);

	for (i = 0; i < r->op->nattr && i < n; i++)
		if (strcmp(r->op->attr[i].name, name) == 0)
			return tn_val_get(r->ctx, v[i]);
	return NULL;
}

int64_t
r_int(const struct raise *r, const char *name)
{
	const struct tn_value *v = r_attr(r, name);

	return v ? v->u.i : 0;
}

double
r_float(const struct raise *r, const char *name)
{
	const struct tn_value *v = r_attr(r, name);

	return v && v->kind == TN_K_FLOAT ? v->u.f : 0;
}

uint32_t
r_kid(const struct raise *r, int i)
{
	return r->g->kid[r->n->kid + (uint32_t)i];
}

const struct tn_shape *
r_shape(const struct raise *r, uint32_t node)
{
	return tn_type_get(r->ctx, r->g->node[node].type);
}

struct ref
r_need(struct raise *r, uint32_t node)
{
	return plan_need(r->p, node, r->p->place[r->b].key);
}

struct ref
r_in(struct raise *r, int i)
{
	return r_need(r, r_kid(r, i));
}

const struct tn_value *
r_attr_of(const struct raise *r, uint32_t node, const char *name)
{
	struct raise other = *r;

	other.n = &r->g->node[node];
	other.op = &r->g->program->op[other.n->op];
	return r_attr(&other, name);
}

bool
r_is_fill(const struct raise *r, uint32_t node, double *value)
{
	const struct tn_value *v;

	if (r->g->node[node].op != TN_FILL)
		return false;
	v = r_attr_of(r, node, "value");
	*value = v ? v->u.f : 0;
	return v != NULL;
}

/* an expanded weight with its axes where broadcasting looks for them */
static struct ref
aligned_weight(struct raise *r, uint32_t kid, const struct tn_shape *s)
{
	const struct tn_weight *w = &r->g->weight[graph_index(r->g, kid)];
	struct made_tensor t = {.dtype = s->dtype, .rank = s->rank, .data = w->data, .n = w->size_bytes};

	memcpy(t.dim, s->dim, sizeof t.dim);
	return r_tensor(r, w->name, &t);
}

struct ref
r_spread(struct raise *r, int i, struct tn_shape *s)
{
	uint32_t node = r_kid(r, i), kid;
	const struct tn_value *axes;
	struct tn_shape from, full = *r_shape(r, node);
	double v;
	int k, first;
	struct ref in;

	*s = full;
	if (r_is_fill(r, node, &v)) {
		s->rank = 0;
		return r_number(r, v, full.dtype);
	}
	if (strcmp(r->g->program->op[r->g->node[node].op].name, "expand") != 0)
		return r_need(r, node);
	kid = r->g->kid[r->g->node[node].kid];
	from = *r_shape(r, kid);
	axes = r_attr_of(r, node, "axes");
	for (k = 1; axes && k < from.rank; k++)
		if (axes->u.list[k] <= axes->u.list[k - 1])
			return r_need(r, node);
	/* from the first axis on that the operand has, the others being 1 */
	first = from.rank ? (int)axes->u.list[0] : full.rank;
	s->rank = full.rank - first;
	for (k = 0; k < s->rank; k++)
		s->dim[k] = 1;
	for (k = 0; k < from.rank; k++)
		s->dim[axes->u.list[k] - first] = from.dim[k];
	if (s->rank == from.rank)
		return r_need(r, kid);
	if (r->g->node[kid].op == TN_WEIGHT)
		return aligned_weight(r, kid, s);
	in = r_need(r, kid);
	return r_reshape(r, in, &from, s, kid, false);
}

/* ---- nodes ------------------------------------------------------------------------------------ */

static const struct ref *
keep_refs(struct raise *r, const struct ref list[], int n)
{
	return n ? arena_dup(&r->p->mem, list, (size_t)n * sizeof *list) : NULL;
}

struct ref
r_make_many(struct raise *r, const char *op, const struct ref in[], int nin, struct buf *attrs, const struct ref out[], int nout)
{
	struct made_node n = {.op = op, .domain = "", .nin = (uint32_t)nin, .nout = (uint32_t)nout};
	int i;

	n.in = keep_refs(r, in, nin);
	n.out = keep_refs(r, out, nout);
	if (attrs)
		n.attrs = *attrs;
	n.key = ++r->key;
	for (i = 0; i < nout; i++)
		if (out[i].kind == REF_VALUE)
			r->p->by[out[i].id] = r->p->item.n;
	vec_push(&r->p->item, ((struct item){ONNX_NONE, r->p->made.n, NULL}));
	vec_push(&r->p->made, n);
	return out[0];
}

struct ref
r_make(struct raise *r, const char *op, const struct ref in[], int nin, struct buf *attrs, bool last)
{
	struct ref out = last ? r->p->place[r->b].name : plan_fresh(r->p, "");

	return r_make_many(r, op, in, nin, attrs, &out, 1);
}

/* ---- attributes of made nodes ----------------------------------------------------------------- */

static void
put_attr(struct buf *b, const char *name, enum onnx_attr_type type, struct buf *value)
{
	struct buf body = {0};

	wire_put_text(&body, F_ATTRIBUTE_NAME, name);
	if (value->n)
		buf_put(&body, value->at, value->n);
	wire_put_int(&body, F_ATTRIBUTE_TYPE, type);
	wire_put_bytes(b, F_NODE_ATTRIBUTE, body.at, body.n);
	buf_free(&body);
	buf_free(value);
}

void
attr_int(struct buf *b, const char *name, int64_t v)
{
	struct buf value = {0};

	wire_put_int(&value, F_ATTRIBUTE_I, v);
	put_attr(b, name, ATTR_INT, &value);
}

void
attr_ints(struct buf *b, const char *name, const int64_t v[], size_t n)
{
	struct buf value = {0};

	wire_put_ints(&value, F_ATTRIBUTE_INTS, v, n);
	put_attr(b, name, ATTR_INTS, &value);
}

void
attr_float(struct buf *b, const char *name, double v)
{
	struct buf value = {0};

	wire_put_float(&value, F_ATTRIBUTE_F, (float)v);
	put_attr(b, name, ATTR_FLOAT, &value);
}

void
attr_floats(struct buf *b, const char *name, const float v[], size_t n)
{
	struct buf value = {0};
	size_t i;

	for (i = 0; i < n; i++)
		wire_put_float(&value, F_ATTRIBUTE_FLOATS, v[i]);
	put_attr(b, name, ATTR_FLOATS, &value);
}

void
attr_text(struct buf *b, const char *name, const char *text)
{
	struct buf value = {0};

	wire_put_text(&value, F_ATTRIBUTE_S, text);
	put_attr(b, name, ATTR_STRING, &value);
}
