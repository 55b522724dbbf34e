/*
 * From a tensor graph to an e-graph and, with a choice, back.
 *
 * The analysis keeps of each class its type, whether it is constant, and its one value if it is
 * uniform.  Classes of two types, or of two values, contradict: a rule was wrong, or we are.
 */
#include <math.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "tenon/tenon.h"
#include "tensor/data.h"
#include "tensor/uniform.h"
#include "tensor/weight.h"

struct tn_tensors {
	struct tn_ctx *ctx;
	const struct tn_program *program;
	const struct tn_graph *graph;
	struct tn_analysis analysis;
	struct tn_egraph *g;
	struct tn_search *search;
	tn_id *class;		/* per graph node: the e-class it was added to */
};

/* ---- the analysis ------------------------------------------------------------------------------- */

/* the number in a core operator's record */
static int64_t
core_number(const struct tn_tensors *t, const struct tn_node *n)
{
	return tn_val_get(t->ctx, tn_attrs_get(t->ctx, n->attrs, NULL)[0])->u.i;
}

static tn_type
core_type(const struct tn_tensors *t, const struct tn_node *n)
{
	int64_t i = core_number(t, n);

	return n->op == TN_INPUT ? t->graph->input[i].type : t->graph->weight[i].type;
}

static void
make_declared(const struct tn_tensors *t, const struct tn_egraph *g, const struct tn_node *n, struct tensor_data *d)
{
	tn_type *in = mem_alloc(((size_t)n->nkid + 1) * sizeof *in);
	tn_val *uniform = mem_alloc(((size_t)n->nkid + 1) * sizeof *uniform);
	struct tn_infer s = {.ctx = t->ctx, .op = &t->program->op[n->op], .attrs = n->attrs, .nin = n->nkid, .in = in,
	    .keep_unknown = true};
	int i;

	for (i = 0; i < n->nkid; i++) {
		const struct tensor_data *kid = tn_data(g, n->kid[i]);

		in[i] = kid->type;
		uniform[i] = kid->uniform;
		d->is_constant &= kid->is_constant;
	}
	if (tn_infer_run(&s)) {
		d->type = s.out;
		d->uniform = uniform_value(&s, uniform);
	}
	mem_free(in);
	mem_free(uniform);
}

static void
make(void *arg, const struct tn_egraph *g, const struct tn_node *n, void *data)
{
	const struct tn_tensors *t = arg;
	struct tensor_data *d = data;

	*d = (struct tensor_data){.type = TN_NONE, .uniform = TN_NONE, .is_constant = n->op != TN_INPUT && n->op != TN_OPAQUE};
	switch (n->op) {
	case TN_INPUT:
	case TN_WEIGHT:
		d->type = core_type(t, n);
		if (n->op == TN_WEIGHT)
			d->uniform = weight_uniform(t->ctx, &t->graph->weight[core_number(t, n)]);
		break;
	case TN_OPAQUE:
		d->type = tn_type_make(t->ctx, &(struct tn_shape){.dtype = TN_UNTYPED, .rank = -1});
		break;
	case TN_RESULT:		/* its type is known to the graph alone: set when it is added */
		d->is_constant = false;
		break;
	default:
		make_declared(t, g, n, d);
	}
}

/* two descriptions of one class: the same type, and one value at most */
static bool
merge(void *arg, void *into, const void *from, bool *failed)
{
	struct tensor_data *a = into;
	const struct tensor_data *b = from;
	struct tensor_data before = *a;
	const struct tn_tensors *t = arg;

	if (a->type == TN_NONE)
		a->type = b->type;
	else if (b->type != TN_NONE && a->type != b->type)
		*failed = true;
	if (a->uniform == TN_NONE)
		a->uniform = b->uniform;
	else if (b->uniform != TN_NONE && a->uniform != b->uniform) {
		double x = tn_val_get(t->ctx, a->uniform)->u.f, y = tn_val_get(t->ctx, b->uniform)->u.f;

		/* roundings differ by an ulp or two; the smaller handle stays, whatever the order */
		if (x != y && (isinf(x) || isinf(y) || fabs(x - y) > 1e-4 * fmax(fabs(x), fabs(y))))
			*failed = true;
		a->uniform = a->uniform < b->uniform ? a->uniform : b->uniform;
	}
	a->is_constant |= b->is_constant;
	return a->type != before.type || a->uniform != before.uniform || a->is_constant != before.is_constant;
}

/* ---- graph to e-graph ------------------------------------------------------------------------------ */

/* Weights of one key, the last first: those before it by `before`. */
struct same_key {
	struct map last;
	uint32_t *before;	/* by weight; TN_NONE: none */
};
enum { SAMPLES = 64 };

/* What weights are told apart by before their bytes are compared: reading all of them takes longer than the rest. */
static uint64_t
sample(const struct tn_weight *w)
{
	uint64_t words[SAMPLES] = {0};
	size_t step = w->size_bytes / SAMPLES, i;

	if (w->size_bytes <= sizeof words)
		return hash_bytes(w->data, w->size_bytes);
	for (i = 0; i < SAMPLES; i++)
		memcpy(&words[i], (const char *)w->data + i * step, sizeof *words);
	return hash_bytes(words, sizeof words);
}

/* an earlier weight with the same type and bytes, else the weight itself */
static uint32_t
same_weight(struct tn_tensors *t, struct same_key *seen, uint32_t index)
{
	const struct tn_weight *w = &t->graph->weight[index];
	struct { uint64_t sample; uint64_t size; tn_type type; uint32_t pad; } key = {sample(w), w->size_bytes, w->type, 0};
	bool is_new;
	uint32_t *last = map_put(&seen->last, &key, sizeof key, index, &is_new), i;

	if (is_new) {
		seen->before[index] = TN_NONE;
		return index;
	}
	for (i = *last; i != TN_NONE; i = seen->before[i])
		if (i == index || w->size_bytes == 0 || memcmp(w->data, t->graph->weight[i].data, w->size_bytes) == 0)
			return i;
	seen->before[index] = *last;
	return *last = index;
}

static void
add_nodes(struct tn_tensors *t)
{
	const struct tn_graph *graph = t->graph;
	struct same_key weights = {.before = mem_alloc(((size_t)t->graph->nweight + 1) * sizeof *weights.before)};
	VEC(tn_id) kid = {0};
	uint32_t i, k;

	for (i = 0; i < graph->nnode; i++) {
		const struct tn_gnode *n = &graph->node[i];
		tn_attrs attrs = n->attrs;
		int count;

		if (n->op == TN_WEIGHT)
			attrs = number_attrs(t->ctx, same_weight(t, &weights,
			    (uint32_t)tn_val_get(t->ctx, tn_attrs_get(t->ctx, n->attrs, &count)[0])->u.i));
		kid.n = 0;
		for (k = 0; k < n->nkid; k++)
			vec_push(&kid, t->class[graph->kid[n->kid + k]]);
		t->class[i] = tn_add(t->g, n->op, attrs, kid.at, n->nkid);
		/* what the graph says of a result is more than can be inferred */
		((struct tensor_data *)tn_data(t->g, t->class[i]))->type = n->type;
	}
	vec_free(&kid);
	map_free(&weights.last);
	mem_free(weights.before);
}

struct tn_tensors *
tn_tensors_new(struct tn_ctx *ctx, const struct tn_program *program, const struct tn_graph *graph, bool with_proof)
{
	struct tn_tensors *t = mem_alloc(sizeof *t);

	t->ctx = ctx;
	t->program = program;
	t->graph = graph;
	t->analysis = (struct tn_analysis){sizeof(struct tensor_data), t, make, merge};
	t->g = tn_egraph_new(&(struct tn_egraph_config){.analysis = &t->analysis, .with_proof = with_proof});
	t->search = tn_search_new(ctx, program, t->g);
	t->class = mem_alloc(((size_t)graph->nnode + 1) * sizeof *t->class);
	add_nodes(t);
	tn_rebuild(t->g);
	return t;
}

void
tn_tensors_free(struct tn_tensors *t)
{
	if (!t)
		return;
	tn_search_free(t->search);
	tn_egraph_free(t->g);
	mem_free(t->class);
	mem_free(t);
}

struct tn_egraph *
tn_tensors_egraph(struct tn_tensors *t)
{
	return t->g;
}

struct tn_search *
tn_tensors_search(struct tn_tensors *t)
{
	return t->search;
}

const struct tn_graph *
tn_tensors_source(const struct tn_tensors *t)
{
	return t->graph;
}

const tn_id *
tn_tensors_classes(const struct tn_tensors *t)
{
	return t->class;
}

tn_type
tn_tensors_type(const struct tn_tensors *t, tn_id class)
{
	return ((const struct tensor_data *)tn_data(t->g, class))->type;
}

bool
tn_tensors_is_constant(const struct tn_tensors *t, tn_id class)
{
	return ((const struct tensor_data *)tn_data(t->g, class))->is_constant;
}

tn_val
tn_tensors_uniform(const struct tn_tensors *t, tn_id class)
{
	return ((const struct tensor_data *)tn_data(t->g, class))->uniform;
}

tn_id
tn_tensors_fill(struct tn_tensors *t, double value, tn_type type)
{
	return tn_add(t->g, TN_FILL, fill_attrs(t->ctx, value, type), NULL, 0);
}

/* ---- a choice as a graph ------------------------------------------------------------------------------- */

struct builder {
	const struct tn_tensors *t;
	const struct tn_graph *from;
	struct tn_graph *to;
	const tn_id *choice;
	uint32_t *made;		/* per class: node of the new graph, or TN_NONE */
	uint32_t *original;	/* per class: the original's node that the chosen e-node is, or TN_NONE */
	bool *is_open;		/* per class: its children are being made */
	VEC(tn_id) stack;
	struct tn_error *error;
};

static bool
is_same(const struct tn_tensors *t, const struct tn_graph *from, uint32_t i, tn_id enode)
{
	struct tn_node e = tn_node_at(t->g, enode);
	const struct tn_gnode *n = &from->node[i];
	unsigned k;

	/* a weight stands for all that are equal to it */
	if (e.op != n->op || e.nkid != n->nkid || (e.attrs != n->attrs && n->op != TN_WEIGHT))
		return false;
	for (k = 0; k < e.nkid; k++)
		if (tn_find(t->g, e.kid[k]) != tn_find(t->g, t->class[from->kid[n->kid + k]]))
			return false;
	return true;
}

/* the new node for a class whose children are made */
static uint32_t
emit(struct builder *b, tn_id c)
{
	struct tn_node e = tn_node_at(b->t->g, b->choice[c]);
	uint32_t old = b->original[c], *kid = mem_alloc(((size_t)e.nkid + 1) * sizeof *kid), made, k;
	const struct tn_graph *from = b->from;
	struct tn_weight w;
	int count;
	int64_t index = e.op < TN_CORE && e.op != TN_FILL ? tn_val_get(from->ctx, tn_attrs_get(from->ctx, e.attrs, &count)[0])->u.i : 0;

	for (k = 0; k < e.nkid; k++)
		kid[k] = b->made[tn_find(b->t->g, e.kid[k])];
	switch (e.op) {
	case TN_FILL:
		made = tn_graph_fill(b->to, fill_of(from->ctx, e.attrs), tn_tensors_type(b->t, c));
		break;
	case TN_WEIGHT:
		w = from->weight[index];
		w.is_owned = false;	/* the original keeps its data, and outlives what is made of it */
		made = tn_graph_weight(b->to, &w);
		break;
	case TN_OPAQUE:
		made = tn_graph_opaque(b->to, kid, e.nkid, (uint32_t)index);
		b->to->node[made].attrs = e.attrs;	/* and what is said of it */
		break;
	case TN_RESULT:
		made = tn_graph_result(b->to, kid[0], (int)index, tn_tensors_type(b->t, c));
		break;
	default:
		made = tn_graph_node(b->to, e.op, e.attrs, kid, e.nkid, TN_NONE, b->error);
	}
	mem_free(kid);
	if (made != TN_NONE && old != TN_NONE)
		b->to->node[made].origin = from->node[old].origin;
	return made;
}

/* Push the class's children that are not made; false: one of them waits for the class itself. */
static bool
push_children(struct builder *b, tn_id c)
{
	struct tn_node e = tn_node_at(b->t->g, b->choice[c]);
	uint32_t k;
	tn_id kid;

	for (k = e.nkid; k-- > 0;) {
		kid = tn_find(b->t->g, e.kid[k]);
		if (b->made[kid] != TN_NONE)
			continue;
		if (b->is_open[kid])
			return tn_fail(b->error, TN_E_DEFECT, "the choice is cyclic");
		vec_push(&b->stack, kid);
	}
	return true;
}

/* the class and what it needs, children first; false: error */
static bool
build(struct builder *b, tn_id root)
{
	bool ok = true;
	tn_id c;

	b->stack.n = 0;
	vec_push(&b->stack, root);
	while (ok && b->stack.n) {
		c = b->stack.at[b->stack.n - 1];
		if (b->made[c] != TN_NONE) {
			b->stack.n--;
		} else if (b->choice[c] == TN_NONE) {
			ok = tn_fail(b->error, TN_E_DEFECT, "the choice misses class %u", c);
		} else if (!b->is_open[c]) {
			b->is_open[c] = true;
			ok = push_children(b, c);
		} else {
			b->made[c] = emit(b, c);
			ok = b->made[c] != TN_NONE;
		}
	}
	return ok;
}

/* inputs first, all of them and in order; then the original's chosen nodes in its order, then the rest */
static bool
build_all(struct builder *b)
{
	const struct tn_graph *from = b->from;
	uint32_t i;
	tn_id c;

	for (i = 0; i < from->nnode; i++)
		if (from->node[i].op == TN_INPUT)
			b->made[tn_find(b->t->g, b->t->class[i])] = tn_graph_input(b->to,
			    from->input[b->to->ninput].name, from->input[b->to->ninput].type);
	for (i = 0; i < from->nnode; i++) {
		c = tn_find(b->t->g, b->t->class[i]);
		if (b->choice[c] != TN_NONE && b->original[c] == TN_NONE && is_same(b->t, from, i, b->choice[c]))
			b->original[c] = i;
	}
	for (i = 0; i < from->nnode; i++) {
		c = tn_find(b->t->g, b->t->class[i]);
		if (b->original[c] == i && b->made[c] == TN_NONE && !build(b, c))
			return false;
	}
	for (i = 0; i < from->noutput; i++) {
		c = tn_find(b->t->g, b->t->class[from->output[i].node]);
		if (!build(b, c))
			return false;
		tn_graph_output(b->to, from->output[i].name, b->made[c]);
	}
	return true;
}

struct tn_graph *
tn_tensors_graph(const struct tn_tensors *t, const struct tn_graph *original, const tn_id choice[], uint32_t node_of[],
    struct tn_error *e)
{
	struct builder b = {.t = t, .from = original, .to = tn_graph_new(t->ctx, t->program, original->name),
	    .choice = choice, .error = e};
	size_t bytes = ((size_t)tn_nids(t->g) + 1) * sizeof *b.made;

	b.to->source = original->source;
	b.made = mem_alloc(bytes);
	b.original = mem_alloc(bytes);
	b.is_open = mem_alloc((size_t)tn_nids(t->g) + 1);
	memset(b.made, 0xff, bytes);
	memset(b.original, 0xff, bytes);
	if (!build_all(&b)) {
		tn_graph_free(b.to);
		b.to = NULL;
	}
	if (node_of && b.to)
		memcpy(node_of, b.made, bytes);
	mem_free(b.made);
	mem_free(b.original);
	mem_free(b.is_open);
	vec_free(&b.stack);
	return b.to;
}
