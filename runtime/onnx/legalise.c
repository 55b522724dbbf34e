/*
 * A graph in forms that ONNX has one operator for: what Tenon fuses and ONNX does not is taken apart
 * before it is written.  A part that was read apart is then found again as the very nodes it was.
 */
#include <string.h>

#include "onnx/legalise.h"
#include "onnx/lower.h"

struct legal {
	const struct tn_onnx *x;
	const struct tn_graph *from;
	struct tn_graph *to;
	uint32_t *at;		/* node of `to` by node of `from` */
	struct tn_error *error;
	bool failed;
};

static const struct tn_value *
attr_of(const struct legal *l, const struct tn_gnode *n, const char *name, int *index)
{
	const struct tn_op *op = &l->from->program->op[n->op];
	const tn_val *v;
	int count;

	v = tn_attrs_get(l->from->ctx, n->attrs, &count);
	for (*index = 0; n->op >= TN_CORE && *index < op->nattr && *index < count; ++*index)
		if (strcmp(op->attr[*index].name, name) == 0)
			return tn_val_get(l->from->ctx, v[*index]);
	return NULL;
}

static bool
is_op(const struct legal *l, const struct tn_gnode *n, const char *name)
{
	return n->op >= TN_CORE && strcmp(l->from->program->op[n->op].name, name) == 0;
}

static uint32_t
make(struct legal *l, unsigned op, tn_attrs attrs, const uint32_t kid[], int nkid, uint32_t origin)
{
	uint32_t n = TN_NONE;

	if (op != TN_NONE && attrs != TN_NONE)
		n = tn_graph_node(l->to, op, attrs, kid, nkid, origin, l->error);
	if (n == TN_NONE && !l->failed)
		l->failed = !tn_fail(l->error, TN_E_DEFECT, "a node that was there cannot be made again");
	return n == TN_NONE ? 0 : n;
}

static uint32_t
make_named(struct legal *l, const char *name, const uint32_t kid[], int nkid, const struct low_attr attr[], int nattr)
{
	unsigned op = tn_op_named(l->to->program, name);

	return make(l, op, op == TN_NONE ? TN_NONE : map_record(l->to->ctx, &l->to->program->op[op], attr, nattr), kid, nkid, TN_NONE);
}

/* ---- what is taken apart ---------------------------------------------------------------------- */

/* the activation that an `act` attribute names, which is an operator's name too; NULL: none */
static const char *
activation(const struct legal *l, const struct tn_gnode *n)
{
	int i;
	const struct tn_value *v = attr_of(l, n, "act", &i);
	const struct tn_enum *enums = v && v->kind == TN_K_ENUM ? l->from->program->op[n->op].attr[i].enums : NULL;

	return enums && v->u.i ? enums->value[v->u.i] : NULL;
}

static tn_attrs
without_activation(struct legal *l, const struct tn_gnode *n)
{
	int i;

	attr_of(l, n, "act", &i);
	return tn_attrs_with(l->to->ctx, n->attrs, i, tn_val_make(l->to->ctx, &(struct tn_value){.kind = TN_K_ENUM}));
}

static bool
is_zero(const struct legal *l, uint32_t node)
{
	int count;
	const tn_val *v = tn_attrs_get(l->to->ctx, l->to->node[node].attrs, &count);

	return l->to->node[node].op == TN_FILL && tn_val_get(l->to->ctx, v[0])->u.f == 0;
}

static const struct tn_shape *
shape(const struct legal *l, uint32_t node)
{
	return tn_type_get(l->to->ctx, l->to->node[node].type);
}

/* A bias is an operand of Gemm, which is for matrices; of other products it is an Add. */
static bool
has_loose_bias(const struct legal *l, const struct tn_gnode *n, const uint32_t kid[])
{
	return is_op(l, n, "matmul") && n->nkid == 3 && !is_zero(l, kid[2]) &&
	    (l->x->opset < 7 || shape(l, kid[0])->rank != 2 || shape(l, kid[1])->rank != 2);
}

/* the product without its bias, and the bias spread over it */
static uint32_t
make_loose_bias(struct legal *l, const struct tn_gnode *n, tn_attrs attrs, const uint32_t kid[])
{
	const struct tn_shape *s = shape(l, kid[2]);
	struct tn_shape to;
	uint32_t sum[2];
	int64_t axis;

	sum[0] = make(l, n->op, attrs, (uint32_t[]){kid[0], kid[1], tn_graph_fill(l->to, 0, tn_type_make(l->to->ctx, s))}, 3, TN_NONE);
	to = *shape(l, sum[0]);
	axis = to.rank - 1;
	sum[1] = to.rank == 1 ? kid[2] : make_named(l, "expand", &kid[2], 1, (struct low_attr[]){
		LOW_LIST("axes", 1, &axis), LOW_LIST("shape", to.rank, to.dim)}, 2);
	return make_named(l, "add", sum, 2, NULL, 0);
}

static uint32_t
make_hard_swish(struct legal *l, uint32_t x)
{
	uint32_t gate = make_named(l, "hard-sigmoid", &x, 1, (struct low_attr[]){
		LOW_FLOAT("alpha", 1.0 / 6), LOW_FLOAT("beta", 0.5)}, 2);

	return make_named(l, "mul", (uint32_t[]){x, gate}, 2, NULL, 0);
}

static uint32_t
make_declared(struct legal *l, const struct tn_gnode *n, const uint32_t kid[])
{
	const char *act = activation(l, n);
	tn_attrs attrs = act ? without_activation(l, n) : n->attrs;
	uint32_t made;

	if (is_op(l, n, "hard-swish") && l->x->opset < 14)
		return make_hard_swish(l, kid[0]);
	if (has_loose_bias(l, n, kid))
		made = make_loose_bias(l, n, attrs, kid);
	else
		made = make(l, n->op, attrs, kid, n->nkid, act ? TN_NONE : n->origin);
	return act ? make_named(l, act, &made, 1, NULL, 0) : made;
}

/* ---- the whole -------------------------------------------------------------------------------- */

static uint32_t
copy_node(struct legal *l, uint32_t node)
{
	const struct tn_gnode *n = &l->from->node[node];
	uint32_t *kid = mem_alloc((n->nkid + 1u) * sizeof *kid), made = 0, i;
	struct tn_weight w;
	int count;

	for (i = 0; i < n->nkid; i++)
		kid[i] = l->at[l->from->kid[n->kid + i]];
	switch (n->op) {
	case TN_INPUT:
		made = tn_graph_input(l->to, l->from->input[graph_index(l->from, node)].name, n->type);
		break;
	case TN_WEIGHT:
		w = l->from->weight[graph_index(l->from, node)];
		w.is_owned = false;
		made = tn_graph_weight(l->to, &w);
		break;
	case TN_FILL:
		made = tn_graph_fill(l->to, tn_val_get(l->from->ctx, tn_attrs_get(l->from->ctx, n->attrs, &count)[0])->u.f, n->type);
		break;
	case TN_OPAQUE:
		made = tn_graph_opaque(l->to, kid, n->nkid, n->origin);
		break;
	case TN_RESULT:
		made = tn_graph_result(l->to, kid[0], (int)graph_index(l->from, node), n->type);
		break;
	default:
		made = make_declared(l, n, kid);
	}
	mem_free(kid);
	return made;
}

struct tn_graph *
legalise(const struct tn_onnx *x, const struct tn_graph *g, struct tn_error *e)
{
	struct legal l = {x, g, tn_graph_new(g->ctx, g->program, g->name), mem_alloc((g->nnode + 1) * sizeof(uint32_t)), e, false};
	uint32_t i;

	for (i = 0; i < g->nnode && !l.failed; i++)
		l.at[i] = copy_node(&l, i);
	for (i = 0; i < g->noutput; i++)
		tn_graph_output(l.to, g->output[i].name, l.at[g->output[i].node]);
	mem_free(l.at);
	if (!l.failed)
		return l.to;
	tn_graph_free(l.to);
	return NULL;
}
