/* Planning a file: see plan.h. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "onnx/plan.h"
#include "onnx/raise.h"

static const struct ref no_ref = {REF_NONE, 0, ONNX_NONE};

bool
plan_fail(struct plan *p, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	if (!p->failed) {
		va_start(ap, fmt);
		vsnprintf(text, sizeof text, fmt, ap);
		va_end(ap);
		tn_fail(p->error, TN_E_DEFECT, "%s", text);
	}
	p->failed = true;
	return false;
}

/* ---- names ------------------------------------------------------------------------------------ */

/* the stem itself if nothing bears it, else the stem with a number */
struct ref
plan_fresh(struct plan *p, const char *stem)
{
	const char *name = arena_str(&p->mem, stem, strlen(stem));
	bool is_new = false;

	while (!is_new) {
		if (*name && !map_get(&p->x->model.names, name, strlen(name)))
			map_put(&p->names, name, strlen(name), 0, &is_new);
		if (!is_new)
			name = arena_printf(&p->mem, "%s_%u", *stem ? stem : "value", ++p->counter);
	}
	vec_push(&p->name, name);
	return (struct ref){REF_MADE, p->name.n - 1, ONNX_NONE};
}

struct ref
plan_resolve(const struct plan *p, struct ref r)
{
	if (r.kind == REF_NODE && r.value != ONNX_NONE && p->owner[r.value] == r.id && p->by[r.value] != BY_NOBODY)
		return (struct ref){REF_VALUE, r.value, ONNX_NONE};
	if (r.kind == REF_NODE)
		r = p->place[r.id].name;
	if (r.kind == REF_VALUE && p->by[r.id] == BY_NOBODY && p->owner[r.id] != TN_NONE)
		r = p->place[p->owner[r.id]].name;
	return r;
}

struct span
plan_name(const struct plan *p, struct ref r)
{
	const char *made;

	r = plan_resolve(p, r);
	if (r.kind == REF_VALUE)
		return p->x->model.value.at[r.id].name;
	if (r.kind != REF_MADE)
		return (struct span){0};
	made = p->name.at[r.id];
	return (struct span){(const unsigned char *)made, strlen(made)};
}

void
plan_want(struct plan *p, uint32_t b, uint32_t value)
{
	if (p->owner[value] != TN_NONE)
		return;
	p->owner[value] = b;
	vec_push(&p->place[b].want, value);
}

bool
plan_claim(struct plan *p, uint32_t b, uint32_t value)
{
	plan_want(p, b, value);
	if (p->owner[value] != b)
		return plan_fail(p, "'%.*s' would stand for two values", SPAN_TEXT(p->x->model.value.at[value].name));
	p->is_must[value] = true;
	return true;
}

struct ref
plan_need(struct plan *p, uint32_t node, uint64_t key)
{
	struct place *at = &p->place[node];

	if (!at->is_needed || key < at->key)
		at->key = key;
	at->is_needed = true;
	return (struct ref){REF_NODE, node, ONNX_NONE};
}

struct ref
plan_demand(struct plan *p, uint32_t value)
{
	vec_push(&p->demand, value);
	return (struct ref){REF_VALUE, value, ONNX_NONE};
}

/* ---- original nodes --------------------------------------------------------------------------- */

static uint64_t
key_of(uint32_t node)
{
	return ((uint64_t)node + 1) << 32;
}

/* the item of an original node, new; its operands are still to be filled in */
static struct ref *
emit_node(struct plan *p, uint32_t k)
{
	const struct onnx_node *n = &p->x->model.node.at[k];
	struct item it = {k, ONNX_NONE, arena_news(&p->mem, n->nin + n->ncapture + 1, struct ref)};
	uint32_t i;

	p->item_of[k] = p->item.n;
	for (i = 0; i < n->nout; i++)
		if (n->out[i] != ONNX_NONE && p->by[n->out[i]] == BY_NOBODY)
			p->by[n->out[i]] = p->item.n;
	for (i = 0; i < n->nin + n->ncapture; i++)
		it.in[i] = no_ref;
	vec_push(&p->item, it);
	return it.in;
}

/* a constant of the original under its own name */
static void
keep_constant(struct plan *p, uint32_t value)
{
	const struct onnx_value *v = &p->x->model.value.at[value];

	if (v->node == ONNX_NONE) {
		p->keeps[v->init] = true;
		if (p->by[value] == BY_NOBODY)
			p->by[value] = BY_INIT;
	} else if (p->item_of[v->node] < 0) {
		emit_node(p, v->node);
	}
}

/* the original node k comes out, its operands bound to graph nodes or, where those are none, as they were */
static void
emit_bound(struct plan *p, uint32_t k, const uint32_t what[])
{
	const struct onnx_node *n = &p->x->model.node.at[k];
	struct ref *in = emit_node(p, k);
	uint32_t i, v;

	for (i = 0; i < n->nin + n->ncapture; i++) {
		v = i < n->nin ? n->in[i] : n->capture[i - n->nin];
		if (v == ONNX_NONE)
			continue;
		if (what[i] == TN_NONE) {
			in[i] = plan_demand(p, v);
			continue;
		}
		plan_want(p, what[i], v);
		in[i] = plan_need(p, what[i], key_of(k));
		in[i].value = v;
	}
}

/* did k come out with these operands for another of its results? */
static bool
same_operands(const struct plan *p, uint32_t k, const uint32_t what[])
{
	const struct onnx_node *n = &p->x->model.node.at[k];
	const struct ref *in = p->item.at[p->item_of[k]].in;
	uint32_t i;

	for (i = 0; i < n->nin + n->ncapture; i++)
		if (what[i] != TN_NONE && (in[i].kind != REF_NODE || in[i].id != what[i]))
			return false;
	return true;
}

/* is the node's result one of its operands? */
static bool
is_operand(const struct plan *p, const struct onnx_node *n, uint32_t a)
{
	uint32_t i;

	for (i = 0; i < n->nin; i++)
		if (n->in[i] != ONNX_NONE && p->x->node_of[n->in[i]] == a)
			return true;
	return false;
}

/* has the node an operand that no graph node and no constant is? */
static bool
is_reckoned(const struct plan *p, uint32_t k, const uint32_t what[])
{
	const struct onnx_node *n = &p->x->model.node.at[k];
	struct onnx_tensor t;
	uint32_t i, v;

	for (i = 0; i < n->nin + n->ncapture; i++) {
		v = i < n->nin ? n->in[i] : n->capture[i - n->nin];
		if (v != ONNX_NONE && what[i] == TN_NONE && !onnx_constant(p->x, v, &t))
			return true;
	}
	return false;
}

/* Can a graph node be the original value itself? Then it comes out so. *is_alias: by way of another name of it. */
static bool
try_original(struct plan *p, uint32_t b, uint32_t value, bool *is_alias)
{
	const struct onnx_value *v = &p->x->model.value.at[value];
	uint32_t a = p->x->node_of[value], *what, k = v->node;
	const struct tn_gnode *na, *nb = &p->g->node[b];
	const struct onnx_node *n;
	bool ok;

	*is_alias = false;
	if (a == TN_NONE)
		return false;
	na = &p->x->graph->node[a];
	if (k == ONNX_NONE) {
		if (v->init == ONNX_NONE || (v->input != ONNX_NONE && !p->x->fold_overridable))
			return false;
		ok = na->op == TN_WEIGHT ? match_weight(p->x->graph, a, p->g, b) : na->op == TN_RESULT && nb->op == TN_RESULT &&
		    p->x->graph->node[p->x->graph->kid[na->kid]].origin == p->g->node[p->g->kid[nb->kid]].origin;
		if (ok)
			keep_constant(p, value);
		return ok;
	}
	n = &p->x->model.node.at[k];
	*is_alias = is_operand(p, n, a);
	if (p->is_strict && !*is_alias && na->op != TN_WEIGHT && p->equal[b] != a)
		return false;
	what = mem_alloc((n->nin + n->ncapture + 1) * sizeof *what);
	ok = match_node(p->x, p->g, k, a, b, what) && (p->item_of[k] < 0 || same_operands(p, k, what)) &&
	    !(p->reckons && is_reckoned(p, k, what));
	if (ok && p->item_of[k] < 0)
		emit_bound(p, k, what);
	mem_free(what);
	return ok;
}

/* ---- graph nodes, users first ----------------------------------------------------------------- */

/* an Identity gives the value another name that must be there */
static void
rename_value(struct plan *p, uint32_t b, uint32_t value)
{
	struct made_node n = {.op = "Identity", .domain = "", .nin = 1, .nout = 1};
	struct ref *in = arena_new(&p->mem, struct ref), *out = arena_new(&p->mem, struct ref);

	*in = (struct ref){REF_NODE, b, ONNX_NONE};
	*out = (struct ref){REF_VALUE, value, ONNX_NONE};
	n.in = in;
	n.out = out;
	n.key = UINT64_MAX >> 1;
	p->by[value] = p->item.n;
	vec_push(&p->item, ((struct item){ONNX_NONE, p->made.n, NULL}));
	vec_push(&p->made, n);
}

struct ref
plan_new_name(struct plan *p, uint32_t b, const char *stem)
{
	struct place *at = &p->place[b];
	uint32_t i, v;

	for (i = 0; i < at->want.n; i++) {
		v = at->want.at[i];
		if (p->by[v] == BY_NOBODY && p->x->model.value.at[v].input == ONNX_NONE)
			return (struct ref){REF_VALUE, v, ONNX_NONE};
	}
	return plan_fresh(p, stem);
}

/* what an original weight's name says of a weight that a rule uses elsewhere */
static void
want_weight(struct plan *p, uint32_t b)
{
	const char *name = p->g->weight[graph_index(p->g, b)].name;
	const uint32_t *v = map_get(&p->x->model.value_of, name, strlen(name));

	if (v && p->x->node_of[*v] != TN_NONE && match_weight(p->x->graph, p->x->node_of[*v], p->g, b))
		plan_want(p, b, *v);
}

/* the original values that a node has for certain */
static void
want_equal(struct plan *p, uint32_t b)
{
	uint32_t i;

	if (p->equal[b] == TN_NONE)
		return;
	for (i = p->first_value[p->equal[b]]; i != ONNX_NONE; i = p->next_value[i])
		plan_want(p, b, i);
}

/* a node that nothing in the original is */
static void
emit_new(struct plan *p, uint32_t b)
{
	const struct tn_gnode *n = &p->g->node[b];
	struct place *at = &p->place[b];
	const char *stem = n->op == TN_WEIGHT ? p->g->weight[graph_index(p->g, b)].name : "";

	if (n->op == TN_OPAQUE)
		return;
	if (n->op == TN_RESULT) {
		plan_fail(p, "an opaque operator of the graph is not the model's");
		return;
	}
	at->name = plan_new_name(p, b, stem);
	if (at->name.kind == REF_VALUE) {
		uint32_t k = p->x->model.value.at[at->name.id].node;

		p->by[at->name.id] = p->item.n;
		if (k != ONNX_NONE)
			at->key = key_of(k);
	}
	raise_node(p, b);
}

/* names that must be there and nothing gives yet */
static void
give_names(struct plan *p, uint32_t b)
{
	const struct place *at = &p->place[b];
	uint32_t i, v;

	for (i = 0; i < at->want.n; i++) {
		v = at->want.at[i];
		if (p->is_must[v] && p->by[v] == BY_NOBODY)
			rename_value(p, b, v);
	}
}

static void
place_node(struct plan *p, uint32_t b)
{
	struct place *at = &p->place[b];
	bool is_alias, is_given = p->g->node[b].op == TN_INPUT;
	uint32_t i, v;

	if (p->g->node[b].op == TN_WEIGHT)
		want_weight(p, b);
	want_equal(p, b);
	if (at->is_done && !is_given) {		/* it came with another */
		give_names(p, b);
		return;
	}
	for (i = 0; i < at->want.n; i++) {
		v = at->want.at[i];
		if ((p->by[v] == BY_INPUT && p->g->node[b].op == TN_INPUT) || !try_original(p, b, v, &is_alias) || is_alias || is_given)
			continue;
		at->name = (struct ref){REF_VALUE, v, ONNX_NONE};
		is_given = true;
	}
	if (!is_given)
		emit_new(p, b);
	at->is_done = true;
	give_names(p, b);
}

/* ---- original values by name ------------------------------------------------------------------ */

/*
 * A written value of the same shape as an original one that is not written; only its shape is asked for, and it may
 * be asked for to make a fill or an expand, so those do not answer.
 */
static uint32_t
same_shape(const struct plan *p, uint32_t value)
{
	tn_type t = p->x->graph->node[p->x->node_of[value]].type;
	unsigned expand = tn_op_named(p->g->program, "expand");
	uint32_t b;

	if (tn_type_get(p->g->ctx, t)->rank < 0)
		return TN_NONE;
	for (b = 0; b < p->g->nnode; b++)
		if (p->place[b].is_done && p->g->node[b].op != TN_OPAQUE && p->g->node[b].op != TN_FILL &&
		    p->g->node[b].op != expand && p->g->node[b].type == t)
			return b;
	return TN_NONE;
}

/* the original node k with what it needs, under the original names */
static void
emit_verbatim(struct plan *p, uint32_t k)
{
	const struct onnx_node *n = &p->x->model.node.at[k];
	bool asks_shape = span_is(n->op, "Shape") || span_is(n->op, "Size");
	struct ref *in = emit_node(p, k);
	uint32_t i, v, b;

	for (i = 0; i < n->nin + n->ncapture; i++) {
		v = i < n->nin ? n->in[i] : n->capture[i - n->nin];
		if (v == ONNX_NONE)
			continue;
		b = TN_NONE;
		if (asks_shape && p->by[v] == BY_NOBODY && p->x->node_of[v] != TN_NONE &&
		    (p->owner[v] == TN_NONE || !p->place[p->owner[v]].is_done))
			b = same_shape(p, v);
		if (b != TN_NONE)
			in[i] = (struct ref){REF_NODE, b, ONNX_NONE};
		else
			in[i] = plan_demand(p, v);
	}
}

static bool
answer_demand(struct plan *p, uint32_t value)
{
	const struct onnx_value *v = &p->x->model.value.at[value];
	struct onnx_tensor t;

	if (p->by[value] != BY_NOBODY || (p->owner[value] != TN_NONE && p->place[p->owner[value]].is_done))
		return true;
	p->owner[value] = TN_NONE;
	if (onnx_constant(p->x, value, &t) || (v->node == ONNX_NONE && v->init != ONNX_NONE))
		keep_constant(p, value);
	else if (v->node == ONNX_NONE)
		return plan_fail(p, "nothing defines '%.*s'", SPAN_TEXT(v->name));
	else if (p->item_of[v->node] < 0)
		emit_verbatim(p, v->node);
	return true;
}

/* ---- the whole -------------------------------------------------------------------------------- */

/* the original values of each node of the original graph, in order */
static void
list_values(struct plan *p)
{
	uint32_t i, a;

	p->first_value = arena_news(&p->mem, p->x->graph->nnode + 1, uint32_t);
	p->next_value = arena_news(&p->mem, p->x->model.value.n + 1, uint32_t);
	for (i = 0; i < p->x->graph->nnode; i++)
		p->first_value[i] = ONNX_NONE;
	for (i = p->x->model.value.n; i-- > 0;) {
		a = p->x->node_of[i];
		if (a == TN_NONE)
			continue;
		p->next_value[i] = p->first_value[a];
		p->first_value[a] = i;
	}
}

static void
start(struct plan *p)
{
	const struct onnx_model *m = &p->x->model;
	uint32_t i;

	p->place = mem_alloc((p->g->nnode + 1) * sizeof *p->place);
	p->owner = arena_news(&p->mem, m->value.n + 1, uint32_t);
	p->by = arena_news(&p->mem, m->value.n + 1, int64_t);
	p->is_must = arena_news(&p->mem, m->value.n + 1, bool);
	p->item_of = arena_news(&p->mem, m->node.n + 1, int64_t);
	p->keeps = arena_news(&p->mem, m->init.n + 1, bool);
	for (i = 0; i < m->node.n; i++)
		p->item_of[i] = -1;
	for (i = 0; i < m->value.n; i++) {
		p->owner[i] = TN_NONE;
		p->by[i] = m->value.at[i].input != ONNX_NONE ? BY_INPUT : BY_NOBODY;
		/* an input's default value stays with it */
		if (m->value.at[i].input != ONNX_NONE && m->value.at[i].init != ONNX_NONE)
			p->keeps[m->value.at[i].init] = true;
	}
	for (i = 0; i < m->init.n; i++)
		p->keeps[i] |= m->init.at[i].name.n == 0;
	for (i = 0; i < p->g->nnode; i++)
		p->place[i].name = no_ref;
	list_values(p);
	p->equal = arena_news(&p->mem, p->g->nnode + 1, uint32_t);
	find_equal(p->x, p->g, p->equal);
}

/* all of the plan once it was started */
static bool
make_all(struct plan *p)
{
	uint32_t i, b;

	if (!claim_names(p))
		return false;
	for (i = 0; i < p->g->noutput; i++)
		plan_need(p, p->g->output[i].node, UINT64_MAX >> 2);
	for (b = p->g->nnode; b-- > 0 && !p->failed;)
		if (p->place[b].is_needed)
			place_node(p, b);
	for (i = 0; i < p->demand.n && !p->failed; i++)
		answer_demand(p, p->demand.at[i]);
	return !p->failed;
}

/* one way of planning; *has_cycle: another may do */
static bool
make_once(struct plan *p, bool *has_cycle)
{
	uint32_t b;

	start(p);
	for (b = 0; p->is_anew && b < p->g->nnode; b++)
		if (p->g->node[b].op >= TN_CORE)
			p->equal[b] = TN_NONE;
	if (!make_all(p))
		return false;
	*has_cycle = !plan_order(p);
	return !*has_cycle;
}

/*
 * What the original reckons of a shape may hang on a node that is now made with it, as values that are equal
 * need not be made of the same ones.  Then the original's reckoning is left.
 */
static bool
make_plan(struct plan *p, struct plan how)
{
	bool has_cycle = false, ok;

	*p = how;
	ok = make_once(p, &has_cycle);
	if (!has_cycle)
		return ok;
	onnx_plan_free(p);
	*p = how;
	p->reckons = true;
	ok = make_once(p, &has_cycle);
	return ok || (has_cycle ? plan_fail(p, "the nodes to be written have a cycle") : false);
}

bool
onnx_plan_make(struct plan *p, struct tn_onnx *x, const struct tn_graph *g, bool is_strict, struct tn_error *e)
{
	return make_plan(p, (struct plan){.x = x, .g = g, .is_strict = is_strict, .error = e});
}

bool
onnx_plan_anew(struct plan *p, struct tn_onnx *x, const struct tn_graph *g, struct tn_error *e)
{
	return make_plan(p, (struct plan){.x = x, .g = g, .is_strict = true, .is_anew = true, .error = e});
}

void
onnx_plan_free(struct plan *p)
{
	uint32_t i;

	for (i = 0; p->place && i < p->g->nnode; i++)
		vec_free(&p->place[i].want);
	for (i = 0; i < p->made.n; i++)
		buf_free(&p->made.at[i].attrs);
	mem_free(p->place);
	vec_free(&p->item);
	vec_free(&p->made);
	vec_free(&p->tensor);
	vec_free(&p->name);
	vec_free(&p->demand);
	map_free(&p->names);
	map_free(&p->constants);
	arena_free(&p->mem);
}
