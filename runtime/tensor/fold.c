/*
 * Constant folding: weight-only nodes are evaluated and become weights, or fills where they hold one
 * value.
 *
 * A folded tensor may be larger than what it was made of, so there is a budget for the whole graph.
 * What the rest of the graph uses is folded if the weights stay within it, else what that is made of.
 * Nodes that only repeat their operand stay: their users broadcast it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/vec.h"
#include "tenon/tenon.h"
#include "tensor/at.h"
#include "tensor/data.h"
#include "tensor/element.h"
#include "tensor/uniform.h"
#include "tensor/weight.h"

enum { LARGEST = 1 << 27 };	/* elements of a tensor on the way */

enum state { UNSEEN, OPEN, FAILED };	/* OPEN: its operands are being evaluated */

struct folding {
	struct tn_graph *g;
	const struct tn_fold *how;
	size_t budget;
	double deadline_s;		/* 0: none */
	bool is_late;
	bool *constant;
	bool *computable;		/* per node: has it and all that it is made of a def, at sizes that are known? */
	bool *tried;
	tn_val *uniform;		/* per node: FLOAT value it holds everywhere, or TN_NONE */
	struct tn_array *value;		/* per node; v NULL: not evaluated */
	uint8_t *state;			/* per node: enum state of its evaluation */
	VEC(uint32_t) stack;		/* nodes to be evaluated, operands above their users */
};

static const struct tn_op *
op_of(const struct folding *f, uint32_t node)
{
	return &f->g->program->op[f->g->node[node].op];
}

static bool
is_declared(const struct folding *f, uint32_t node)
{
	return f->g->node[node].op >= TN_CORE;
}

/* ---- one value ------------------------------------------------------------------------------------ */

static tn_val
find_uniform(const struct folding *f, uint32_t node)
{
	const struct tn_graph *g = f->g;
	const struct tn_gnode *n = &g->node[node];
	struct tn_infer s = {.ctx = g->ctx, .op = op_of(f, node), .attrs = n->attrs, .nin = n->nkid, .out = n->type,
	    .keep_unknown = true};
	tn_val *of, r;
	uint32_t k;

	if (n->op == TN_FILL)
		return tn_attrs_get(g->ctx, n->attrs, NULL)[0];
	if (n->op == TN_WEIGHT)
		return weight_uniform(g->ctx, weight_of(g, n));
	s.in = mem_alloc(((size_t)n->nkid + 1) * sizeof *s.in);
	of = mem_alloc(((size_t)n->nkid + 1) * sizeof *of);
	for (k = 0; k < n->nkid; k++) {
		s.in[k] = g->node[g->kid[n->kid + k]].type;
		of[k] = f->uniform[g->kid[n->kid + k]];
	}
	r = uniform_value(&s, of);
	mem_free(s.in);
	mem_free(of);
	return r;
}

/* the node becomes a fill, of any shape */
static void
make_fill(struct folding *f, uint32_t node)
{
	struct tn_gnode *n = &f->g->node[node];

	n->op = TN_FILL;
	n->attrs = fill_attrs(f->g->ctx, tn_val_get(f->g->ctx, f->uniform[node])->u.f, n->type);
	n->nkid = 0;
	n->origin = TN_NONE;
}

/* ---- values ------------------------------------------------------------------------------------------ */

/* the shape as numbers; false: it is not known, too large, or the elements are no numbers */
static bool
find_shape(const struct folding *f, tn_type type, struct tn_array *a, int64_t *n)
{
	const struct tn_shape *t = tn_type_get(f->g->ctx, type);
	int i;

	if (t->rank < 0 || !dtype_size(t->dtype))
		return false;
	*a = (struct tn_array){.dtype = t->dtype, .rank = t->rank};
	for (i = 0; i < t->rank; i++) {
		if (!tn_dim_is_num(t->dim[i]))
			return false;
		a->dim[i] = t->dim[i];
	}
	return at_count(t->rank, a->dim, n) && *n >= 0 && *n <= LARGEST;
}

/* whole numbers must be exact */
static bool
is_exact(const struct tn_array *a, int64_t n)
{
	int64_t i;

	if (dtype_is_float(a->dtype))
		return true;
	for (i = 0; i < n; i++)
		if (element_round(a->dtype, a->v[i]) != a->v[i] || fabs(a->v[i]) >= 0x1p53)
			return false;
	return true;
}

/* are the record's extents numbers? */
static bool
has_numbers(const struct tn_ctx *c, tn_attrs attrs)
{
	const struct tn_value *v;
	int n, i;
	uint32_t k;

	tn_attrs_get(c, attrs, &n);
	for (i = 0; i < n; i++) {
		v = tn_val_get(c, tn_attrs_get(c, attrs, NULL)[i]);
		if (v->kind == TN_K_DIM && !tn_dim_is_num(v->u.dim))
			return false;
		for (k = 0; v->kind == TN_K_DIMS && k < v->n; k++)
			if (!tn_dim_is_num(v->u.list[k]))
				return false;
	}
	return true;
}

/* after its operands were asked; what is unknown of values is not */
static bool
is_computable(const struct folding *f, uint32_t node)
{
	const struct tn_graph *g = f->g;
	const struct tn_gnode *n = &g->node[node];
	struct tn_array a;
	int64_t count;
	size_t stored;
	uint32_t k;

	if (!f->constant[node] || !find_shape(f, n->type, &a, &count))
		return false;
	if (n->op == TN_WEIGHT)
		return weight_count(g->ctx, weight_of(g, n), &stored);
	if (!is_declared(f, node))
		return n->op == TN_FILL;
	for (k = 0; k < n->nkid; k++)
		if (!f->computable[g->kid[n->kid + k]])
			return false;
	return op_of(f, node)->def && has_numbers(g->ctx, n->attrs);
}

static bool
is_late(struct folding *f)
{
	f->is_late |= (f->how->interrupted && *f->how->interrupted) || (f->deadline_s > 0 && clock_now() > f->deadline_s);
	return f->is_late;
}

/* piece by piece, so long each that looks at the clock take no time */
static bool
run_in_time(struct folding *f, struct tn_eval *e, int64_t count)
{
	const double enough_s = 0.005;
	int64_t piece = 64;
	double start;

	for (e->to = 0; e->to < count;) {
		e->from = e->to;
		e->to = count - e->from > piece ? e->from + piece : count;
		start = clock_now();
		tn_eval_run(e);
		if (is_late(f))
			return false;
		if (clock_now() - start < enough_s && piece < count)
			piece *= 2;
	}
	return true;
}

/* Run the operator, whose operands' values are there. */
static bool
run_operator(struct folding *f, uint32_t node, int64_t count)
{
	const struct tn_graph *g = f->g;
	const struct tn_gnode *n = &g->node[node];
	struct tn_array *in = mem_alloc(((size_t)n->nkid + 1) * sizeof *in);
	struct tn_eval e = {.ctx = g->ctx, .op = op_of(f, node), .attrs = n->attrs, .nin = n->nkid, .in = in, .out = &f->value[node]};
	bool ok;
	uint32_t k;

	for (k = 0; k < n->nkid; k++)
		in[k] = f->value[g->kid[n->kid + k]];
	ok = run_in_time(f, &e, count);
	mem_free(in);
	return ok && is_exact(&f->value[node], count);
}

/* the node's value from those of its operands; false: it cannot be told exactly, or not in time */
static bool
compute(struct folding *f, uint32_t node)
{
	const struct tn_graph *g = f->g;
	const struct tn_gnode *n = &g->node[node];
	struct tn_array *a = &f->value[node];
	double fill;
	int64_t count, i;

	if (is_late(f) || !find_shape(f, n->type, a, &count))
		return false;
	a->v = mem_alloc(((size_t)count + 1) * sizeof *a->v);
	if (is_declared(f, node))
		return run_operator(f, node, count);
	if (n->op == TN_WEIGHT)
		return element_load(a->dtype, weight_of(g, n)->data, (size_t)count, a->v);
	fill = element_round(a->dtype, fill_of(g->ctx, n->attrs));
	for (i = 0; i < count; i++)
		a->v[i] = fill;
	return true;
}

/* Its operands' values are wanted first.  False: it has none. */
static bool
open_node(struct folding *f, uint32_t node)
{
	const struct tn_gnode *n = &f->g->node[node];
	uint32_t k;

	if (f->state[node] == FAILED)
		return false;
	f->state[node] = OPEN;
	for (k = 0; k < n->nkid; k++)
		vec_push(&f->stack, f->g->kid[n->kid + k]);
	return true;
}

/* The value of a computable node, and of all it is made of: that may go as deep as the model does. */
static bool
evaluate(struct folding *f, uint32_t node)
{
	bool ok = true;

	vec_push(&f->stack, node);
	while (ok && f->stack.n) {
		node = f->stack.at[f->stack.n - 1];
		if (f->value[node].v)
			f->stack.n--;
		else
			ok = f->state[node] == OPEN ? compute(f, node) : open_node(f, node);
	}
	if (ok)
		return true;
	mem_free(f->value[node].v);
	f->value[node].v = NULL;
	f->state[node] = FAILED;
	/* and so does what was to be made of it */
	for (; f->stack.n; f->stack.n--)
		if (f->state[f->stack.at[f->stack.n - 1]] == OPEN)
			f->state[f->stack.at[f->stack.n - 1]] = FAILED;
	return false;
}

/* ---- weights --------------------------------------------------------------------------------------------- */

/* per node whether an output or an input's place needs it */
static bool *
find_needed(const struct tn_graph *g)
{
	bool *needed = tn_graph_needed(g);
	uint32_t i;

	for (i = 0; i < g->nnode; i++)
		needed[i] |= g->node[i].op == TN_INPUT;
	return needed;
}

static size_t
weight_bytes(const struct tn_graph *g)
{
	bool *needed = find_needed(g);
	size_t bytes = 0;
	uint32_t i;

	for (i = 0; i < g->nnode; i++)
		if (needed[i] && g->node[i].op == TN_WEIGHT)
			bytes += weight_of(g, &g->node[i])->size_bytes;
	mem_free(needed);
	return bytes;
}

/* would the weights stay within the budget with one of so many bytes in the node's place? */
static bool
fits(const struct folding *f, uint32_t node, size_t size_bytes)
{
	struct tn_gnode *n = &f->g->node[node];
	uint16_t nkid = n->nkid;
	size_t rest;

	n->nkid = 0;
	rest = weight_bytes(f->g);
	n->nkid = nkid;
	return rest <= f->budget && size_bytes <= f->budget - rest;
}

static void
make_weight(struct folding *f, uint32_t node, size_t n)
{
	struct tn_graph *g = f->g;
	struct tn_gnode was = g->node[node];
	enum tn_dtype dtype = tn_type_get(g->ctx, was.type)->dtype;
	struct tn_weight w = {.name = "", .type = was.type, .size_bytes = n * dtype_size(dtype), .is_owned = true};
	void *data = NULL;
	uint32_t made;

	if (!f->how->no_values) {
		data = malloc(w.size_bytes + 1);
		if (!data)
			mem_oom(w.size_bytes);
		element_store(dtype, f->value[node].v, n, data);
	}
	w.data = data;
	/* the weight takes the node's place, so that operands still come before their users; the array may have moved */
	made = tn_graph_weight(g, &w);
	g->node[node] = g->node[made];
	g->nnode--;
}

/* Does the result only repeat its operand's elements? */
static bool
is_repeat(const struct tn_op *op)
{
	const struct tn_x *x = op->def;

	return x && x->kind == TN_X_READ && x->nkid == 1 && x->kid[0]->kind == TN_X_CALL && x->kid[0]->fn == TN_F_BROADCAST;
}

static bool
fold_node(struct folding *f, uint32_t node)
{
	struct tn_array a;
	int64_t n;

	if (!f->computable[node] || is_repeat(op_of(f, node)) || !find_shape(f, f->g->node[node].type, &a, &n) ||
	    !fits(f, node, (size_t)n * dtype_size(a.dtype)) || !(f->how->no_values || evaluate(f, node)))
		return false;
	make_weight(f, node, (size_t)n);
	return true;
}

/* ---- the graph --------------------------------------------------------------------------------------------- */

/* constant nodes that others or outputs use, and what those are made of where they do not fit */
static void
fold_all(struct folding *f)
{
	struct tn_graph *g = f->g;
	VEC(uint32_t) todo = {0};
	uint32_t i, k, node;

	for (i = 0; i < g->noutput; i++)
		vec_push(&todo, g->output[i].node);
	for (i = g->nnode; i-- > 0;)
		for (k = 0; !f->constant[i] && k < g->node[i].nkid; k++)
			vec_push(&todo, g->kid[g->node[i].kid + k]);
	while (todo.n) {
		node = vec_pop(&todo);
		if (f->tried[node] || !f->constant[node] || !is_declared(f, node))
			continue;
		f->tried[node] = true;
		if (fold_node(f, node))
			continue;
		for (k = 0; k < g->node[node].nkid; k++)
			vec_push(&todo, g->kid[g->node[node].kid + k]);
	}
	vec_free(&todo);
}

/* weights of nodes that are gone go too, and the others are numbered anew */
static void
sweep_weights(struct tn_graph *g)
{
	uint32_t *to = mem_alloc(((size_t)g->nweight + 1) * sizeof *to), i, n = 0;
	bool *used = mem_alloc((size_t)g->nweight + 1);
	tn_val number;

	for (i = 0; i < g->nnode; i++)
		if (g->node[i].op == TN_WEIGHT)
			used[weight_of(g, &g->node[i]) - g->weight] = true;
	for (i = 0; i < g->nweight; i++) {
		if (!used[i]) {
			if (g->weight[i].is_owned)
				free((void *)g->weight[i].data);
			continue;
		}
		to[i] = n;
		g->weight[n++] = g->weight[i];
	}
	for (i = 0; i < g->nnode; i++) {
		if (g->node[i].op != TN_WEIGHT)
			continue;
		number = tn_attrs_get(g->ctx, g->node[i].attrs, NULL)[0];
		number = tn_val_make(g->ctx, &(struct tn_value){.kind = TN_K_INT, .u.i = to[tn_val_get(g->ctx, number)->u.i]});
		g->node[i].attrs = tn_attrs_make(g->ctx, &number, 1);
	}
	g->nweight = n;
	mem_free(to);
	mem_free(used);
}

/* what no output needs goes; the others keep their order */
static void
sweep(struct tn_graph *g)
{
	uint32_t *to = mem_alloc(((size_t)g->nnode + 1) * sizeof *to), i, k, n = 0, nkid = 0;
	bool *needed = find_needed(g);

	for (i = 0; i < g->nnode; i++) {
		struct tn_gnode node = g->node[i];

		if (!needed[i])
			continue;
		for (k = 0; k < node.nkid; k++)
			g->kid[nkid + k] = to[g->kid[node.kid + k]];
		node.kid = nkid;
		nkid += node.nkid;
		to[i] = n;
		g->node[n++] = node;
	}
	for (i = 0; i < g->noutput; i++)
		g->output[i].node = to[g->output[i].node];
	g->nnode = n;
	g->nkid = nkid;
	mem_free(to);
	mem_free(needed);
	sweep_weights(g);
}

static uint32_t
count_declared(const struct tn_graph *g)
{
	bool *needed = find_needed(g);
	uint32_t i, n = 0;

	for (i = 0; i < g->nnode; i++)
		n += needed[i] && g->node[i].op >= TN_CORE;
	mem_free(needed);
	return n;
}

/* fold, and leave what is no longer needed where it is; true: there was time for all */
static bool
fold_in_place(struct tn_graph *g, const struct tn_fold *how)
{
	struct folding f = {.g = g, .how = how, .budget = weight_bytes(g), .constant = tn_graph_constants(g),
	    .deadline_s = how->time_s > 0 ? clock_now() + how->time_s : 0};
	uint32_t i, n = g->nnode;

	f.budget += how->growth_bytes < SIZE_MAX - f.budget ? how->growth_bytes : SIZE_MAX - f.budget;
	f.tried = mem_alloc((size_t)n + 1);
	f.computable = mem_alloc((size_t)n + 1);
	f.uniform = mem_alloc(((size_t)n + 1) * sizeof *f.uniform);
	f.value = mem_alloc(((size_t)n + 1) * sizeof *f.value);
	f.state = mem_alloc((size_t)n + 1);
	for (i = 0; i < n; i++) {
		f.uniform[i] = f.constant[i] ? find_uniform(&f, i) : TN_NONE;
		if (f.uniform[i] != TN_NONE && is_declared(&f, i))
			make_fill(&f, i);
		f.computable[i] = is_computable(&f, i);
	}
	fold_all(&f);
	for (i = 0; i < n; i++)
		mem_free(f.value[i].v);
	mem_free(f.constant);
	mem_free(f.tried);
	mem_free(f.computable);
	mem_free(f.uniform);
	mem_free(f.value);
	mem_free(f.state);
	vec_free(&f.stack);
	return !f.is_late;
}

/* what was not folded: one byte for each of the first n nodes */
static void
find_left(const struct tn_graph *g, bool left[], uint32_t n)
{
	bool *needed = find_needed(g), *constant = tn_graph_constants(g);
	uint32_t i;

	for (i = 0; i < n; i++)
		left[i] = needed[i] && constant[i] && g->node[i].op >= TN_CORE && !is_repeat(&g->program->op[g->node[i].op]);
	mem_free(needed);
	mem_free(constant);
}

uint32_t
tn_graph_fold(struct tn_graph *g, const struct tn_fold *how, bool *is_late)
{
	uint32_t before = count_declared(g), n = g->nnode;
	bool in_time = fold_in_place(g, how);

	if (is_late)
		*is_late = !in_time;
	if (how->left)
		find_left(g, how->left, n);
	sweep(g);
	return before - count_declared(g);
}

bool *
tn_graph_unfolded(const struct tn_graph *g, size_t growth_bytes)
{
	struct tn_graph *copy = tn_graph_copy(g, NULL);
	bool *left;

	if (!copy)
		return NULL;
	left = mem_alloc((size_t)g->nnode + 1);
	tn_graph_fold(copy, &(struct tn_fold){.growth_bytes = growth_bytes, .no_values = true, .left = left}, NULL);
	tn_graph_free(copy);
	return left;
}
