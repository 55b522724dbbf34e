/* The terms of a chain, each once, and what its equations make equal; see chain.h. */
#include "explain/chain.h"

#include <string.h>

#include "tensor/data.h"
#include "tensor/weight.h"

/* ---- terms ----------------------------------------------------------------------------------------------- */

/* operator, record and operands, as class[] calls them (NULL: they are themselves); the caller frees it */
static uint32_t *
make_key(uint32_t op, tn_attrs attrs, const uint32_t kid[], uint32_t nkid, const uint32_t class[], size_t *size)
{
	uint32_t *key, k;

	*size = ((size_t)nkid + 2) * sizeof *key;
	key = mem_alloc(*size);
	key[0] = op;
	key[1] = attrs;
	for (k = 0; k < nkid; k++)
		key[2 + k] = class ? class[kid[k]] : kid[k];
	return key;
}

/* the node with this key; if there is none, it is `node` from now on */
static uint32_t
know(struct map *known, uint32_t op, tn_attrs attrs, const uint32_t kid[], uint32_t nkid, const uint32_t class[], uint32_t node)
{
	size_t size;
	uint32_t *key = make_key(op, attrs, kid, nkid, class, &size), found = *map_put(known, key, size, node, NULL);

	mem_free(key);
	return found;
}

static const uint32_t *
kids_of(const struct tn_graph *g, uint32_t node)
{
	return g->node[node].nkid ? &g->kid[g->node[node].kid] : NULL;
}

void
chain_know(struct tn_chain *c, uint32_t node)
{
	know(&c->known, c->g->node[node].op, c->g->node[node].attrs, kids_of(c->g, node), c->g->node[node].nkid, NULL, node);
}

struct tn_chain *
chain_new(const struct tn_graph *original, const struct tn_onnx *form, struct tn_error *e)
{
	struct tn_chain *c = mem_alloc(sizeof *c);
	uint32_t i;

	c->original = original;
	c->form = form;
	c->ngiven = original->nnode;
	c->g = tn_graph_copy(original, e);
	if (!c->g) {
		tn_chain_free(c);
		return NULL;
	}
	c->g->noutput = 0;
	for (i = 0; i < c->ngiven; i++)
		chain_know(c, i);
	return c;
}

struct tn_chain *
tn_chain_none(const struct tn_graph *original, struct tn_error *e)
{
	struct tn_chain *c = chain_new(original, NULL, e);
	uint32_t i;

	for (i = 0; c && i < original->noutput; i++)
		tn_graph_output(c->g, original->output[i].name, original->output[i].node);
	if (c)
		chain_name(c);
	return c;
}

void
tn_chain_free(struct tn_chain *c)
{
	if (!c)
		return;
	tn_graph_free(c->g);
	map_free(&c->known);
	vec_free(&c->name);
	vec_free(&c->wanted);
	vec_free(&c->step);
	vec_free(&c->list);
	arena_free(&c->arena);
	mem_free(c);
}

uint32_t
chain_lookup(const struct tn_chain *c, uint32_t op, tn_attrs attrs, const uint32_t kid[], uint32_t nkid)
{
	size_t size;
	uint32_t *key = make_key(op, attrs, kid, nkid, NULL, &size), *found = map_get(&c->known, key, size);

	mem_free(key);
	return found ? *found : TN_NONE;
}

uint32_t
chain_node(struct tn_chain *c, unsigned op, tn_attrs attrs, const uint32_t kid[], int nkid, struct tn_error *e)
{
	uint32_t node = chain_lookup(c, op, attrs, kid, (uint32_t)nkid);

	if (op < TN_CORE) {
		tn_fail(e, TN_E_DEFECT, "explaining: a step makes a node that only a model has");
		return TN_NONE;
	}
	if (node == TN_NONE)
		node = tn_graph_node(c->g, op, attrs, kid, nkid, TN_NONE, e);
	return node == TN_NONE ? node : know(&c->known, op, attrs, kid, (uint32_t)nkid, NULL, node);
}

uint32_t
chain_fill(struct tn_chain *c, double value, tn_type type)
{
	tn_attrs attrs = fill_attrs(c->g->ctx, value, type);
	uint32_t node = chain_lookup(c, TN_FILL, attrs, NULL, 0);

	return node != TN_NONE ? node : know(&c->known, TN_FILL, attrs, NULL, 0, NULL, tn_graph_fill(c->g, value, type));
}

uint32_t
chain_like(struct tn_chain *c, uint32_t given, const uint32_t kid[], struct tn_error *e)
{
	const struct tn_gnode *n = &c->original->node[given];
	uint32_t node = chain_lookup(c, n->op, n->attrs, kid, n->nkid);

	if (node == TN_NONE)
		node = tn_graph_copy_node(c->g, c->original, given, kid, e);
	return node == TN_NONE ? node : know(&c->known, n->op, n->attrs, kid, n->nkid, NULL, node);
}

/* ---- steps ----------------------------------------------------------------------------------------------- */

const char *const step_word[] = {[STEP_RULE] = "rule", [STEP_FOLD] = "fold", [STEP_FORM] = "form"};

static bool
is_step(const struct tn_chain *c, const struct step *a, const struct step *b, const uint32_t at[], const uint32_t is[])
{
	return a->kind == b->kind && a->rule == b->rule && a->nat == b->nat &&
	    memcmp(step_at(c, a), at, a->nat * sizeof *at) == 0 && memcmp(step_is(c, a), is, a->nat * sizeof *is) == 0;
}

void
chain_step(struct tn_chain *c, struct step s, const uint32_t at[], const uint32_t is[], const uint32_t leaf[])
{
	uint32_t i;

	for (i = 0; i < c->step.n; i++)
		if (is_step(c, &c->step.at[i], &s, at, is))
			return;
	s.at = c->list.n;
	s.with = arena_str(&c->arena, s.with, strlen(s.with));
	for (i = 0; i < s.nat; i++)
		vec_push(&c->list, at[i]);
	for (i = 0; i < s.nat; i++)
		vec_push(&c->list, is[i]);
	for (i = 0; i < s.nleaf; i++)
		vec_push(&c->list, leaf[i]);
	vec_push(&c->step, s);
}

uint32_t
tn_chain_nsteps(const struct tn_chain *c)
{
	return c->step.n;
}

/* ---- what is equal ----------------------------------------------------------------------------------------- */

static uint32_t
find(uint32_t up[], uint32_t i)
{
	while (up[i] != i)
		i = up[i] = up[up[i]];
	return i;
}

static bool
unite(uint32_t up[], uint32_t a, uint32_t b)
{
	a = find(up, a);
	b = find(up, b);
	up[a > b ? a : b] = a < b ? a : b;
	return a != b;
}

/* weights of one type and the same bytes are one */
static bool
unite_weights(const struct tn_graph *g, uint32_t up[])
{
	struct map seen = {0};
	bool any = false;
	uint32_t i, first;

	for (i = 0; i < g->nnode; i++) {
		const struct tn_weight *w = g->node[i].op == TN_WEIGHT ? weight_of(g, &g->node[i]) : NULL;
		struct { uint64_t hash, size; tn_type type; uint32_t pad; } key;

		if (!w)
			continue;
		key.hash = hash_bytes(w->data, w->size_bytes);
		key.size = w->size_bytes;
		key.type = w->type;
		key.pad = 0;
		first = *map_put(&seen, &key, sizeof key, i, NULL);
		if (w->size_bytes == 0 || memcmp(w->data, weight_of(g, &g->node[first])->data, w->size_bytes) == 0)
			any |= unite(up, first, i);
	}
	map_free(&seen);
	return any;
}

/* one pass of congruence: nodes of one operator and record on equal operands are equal */
static bool
close_once(const struct tn_graph *g, uint32_t up[])
{
	struct map seen = {0};
	bool any = false;
	uint32_t i, *class = mem_alloc(((size_t)g->nnode + 1) * sizeof *class);

	for (i = 0; i < g->nnode; i++)
		class[i] = find(up, i);
	for (i = 0; i < g->nnode; i++)
		any |= unite(up, i, know(&seen, g->node[i].op, g->node[i].attrs, kids_of(g, i), g->node[i].nkid, class, i));
	mem_free(class);
	map_free(&seen);
	return any;
}

uint32_t *
chain_classes(const struct tn_chain *c)
{
	uint32_t *up = mem_alloc(((size_t)c->g->nnode + 1) * sizeof *up), i, k;

	for (i = 0; i < c->g->nnode; i++)
		up[i] = i;
	unite_weights(c->g, up);
	for (i = 0; i < c->step.n; i++)
		for (k = 0; k < c->step.at[i].nat; k++)
			unite(up, step_at(c, &c->step.at[i])[k], step_is(c, &c->step.at[i])[k]);
	while (close_once(c->g, up))
		;
	for (i = 0; i < c->g->nnode; i++)
		up[i] = find(up, i);
	return up;
}

/* ---- the result -------------------------------------------------------------------------------------------- */

/* The result as it is made. */
struct collecting {
	const struct tn_chain *c;
	struct tn_graph *to;
	uint32_t *made;			/* per node of the chain, or TN_NONE */
	struct tn_error *error;
};

/* the node, and first what it is made of */
static bool
collect(struct collecting *z, uint32_t node)
{
	VEC(uint32_t) stack = {0};
	const struct tn_graph *g = z->c->g;
	uint32_t k, *kid = mem_alloc((UINT16_MAX + 1) * sizeof *kid);
	bool ok = true;

	vec_push(&stack, node);
	while (ok && stack.n) {
		const struct tn_gnode *n = &g->node[node = stack.at[stack.n - 1]];

		for (k = 0; k < n->nkid && z->made[g->kid[n->kid + k]] != TN_NONE; k++)
			kid[k] = z->made[g->kid[n->kid + k]];
		if (z->made[node] == TN_NONE && k < n->nkid) {
			vec_push(&stack, g->kid[n->kid + k]);
			continue;
		}
		if (z->made[node] == TN_NONE)
			z->made[node] = tn_graph_copy_node(z->to, g, node, kid, z->error);
		ok = z->made[node] != TN_NONE;
		stack.n--;
	}
	vec_free(&stack);
	mem_free(kid);
	return ok;
}

/* Operators that are not known, in the order in which the original has them: so they are told apart. */
static bool
collect_opaque(struct collecting *z)
{
	const struct tn_graph *g = z->c->g;
	bool *needed = tn_graph_needed(g), ok = true;
	uint32_t i, k;

	for (i = 0; ok && i < z->c->ngiven; i++)
		for (k = i; ok && g->node[i].op == TN_OPAQUE && k < g->nnode; k++)
			if (needed[k] && g->node[k].op == TN_OPAQUE && g->node[k].attrs == g->node[i].attrs)
				ok = collect(z, k);
	mem_free(needed);
	return ok;
}

struct tn_graph *
tn_chain_result(const struct tn_chain *c, struct tn_error *e)
{
	struct collecting z = {.c = c, .to = tn_graph_new(c->g->ctx, c->g->program, c->g->name), .error = e};
	bool ok = true;
	uint32_t i;

	z.to->source = c->original->source;
	z.made = mem_alloc(((size_t)c->g->nnode + 1) * sizeof *z.made);
	memset(z.made, 0xff, ((size_t)c->g->nnode + 1) * sizeof *z.made);
	for (i = 0; ok && i < c->ngiven; i++)	/* used or not */
		ok = c->g->node[i].op != TN_INPUT || collect(&z, i);
	ok = ok && collect_opaque(&z);
	for (i = 0; ok && i < c->g->noutput; i++) {
		ok = collect(&z, c->g->output[i].node);
		if (ok)
			tn_graph_output(z.to, c->g->output[i].name, z.made[c->g->output[i].node]);
	}
	mem_free(z.made);
	if (ok)
		return z.to;
	tn_graph_free(z.to);
	return NULL;
}
