/*
 * A step's place as a graph by itself, and what the step makes of it.
 *
 * A rule is applied by the very code that saturation runs: one iteration with this rule alone, on an e-graph of nothing
 * but the place.  What it unites with the places' roots is what the step may come to; guards, shapes and types
 * are asked on the way.  A form is asked of the code that writes models.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "egraph/proof.h"
#include "explain/chain.h"
#include "tensor/data.h"

/* ---- the place --------------------------------------------------------------------------------------------- */

/* Making a graph of the place. */
struct making {
	struct alone *x;
	struct tn_graph *to;
	VEC(uint32_t) copy;		/* of x->node, as far as they are made */
	const bool *is_constant;	/* by leaf; NULL: all are inputs */
	struct tn_error *error;
};

static uint32_t
index_of(const struct alone *x, uint32_t node)
{
	uint32_t i;

	for (i = 0; i < x->node.n; i++)
		if (x->node.at[i] == node)
			return i;
	return TN_NONE;
}

/*
 * A constant leaf is a weight whose bytes mean nothing: too few for most types, the first two unlike, so that no two
 * elements are one value, and the leaf's number, so that two leaves stay two.
 */
static uint32_t
make_constant(struct making *m, uint32_t leaf, tn_type type)
{
	unsigned char *bytes = arena_alloc(&m->x->arena, 7);
	struct tn_weight w = {"", type, bytes, 7, false, NULL};

	memcpy(bytes, "\1\2", 2);
	memcpy(bytes + 2, &leaf, sizeof leaf);
	return tn_graph_weight(m->to, &w);
}

static bool
make_leaf(struct making *m, uint32_t leaf)
{
	uint32_t node = m->x->leaf[leaf];
	tn_type type = m->x->chain->g->node[node].type;
	char name[16];

	if (index_of(m->x, node) != TN_NONE)
		return tn_fail(m->error, TN_E_INPUT, "its place ends twice at one node");
	if (type == TN_NONE || tn_type_get(m->x->chain->g->ctx, type)->rank < 0)
		return tn_fail(m->error, TN_E_INPUT, "its place ends at what is no tensor");
	snprintf(name, sizeof name, "x%u", leaf);
	vec_push(&m->x->node, node);
	vec_push(&m->copy, m->is_constant && m->is_constant[leaf] ? make_constant(m, leaf, type) : tn_graph_input(m->to, name, type));
	return true;
}

/* The node and what it is made of, down to the leaves; a root is made only if it is wanted as such. */
static bool
make_node(struct making *m, uint32_t node, int depth)
{
	enum { MOST_DEPTH = 100 };
	const struct tn_graph *from = m->x->chain->g;
	const struct tn_gnode *n = &from->node[node];
	uint32_t *kid, k, made = TN_NONE;
	bool ok = true;

	if (index_of(m->x, node) != TN_NONE)
		return true;
	if ((n->op < TN_CORE && n->op != TN_FILL) || depth > MOST_DEPTH)
		return tn_fail(m->error, TN_E_INPUT, "its place goes past its ends");
	for (k = 0; ok && k < n->nkid; k++)
		ok = make_node(m, from->kid[n->kid + k], depth + 1);
	kid = mem_alloc(((size_t)n->nkid + 1) * sizeof *kid);
	for (k = 0; ok && k < n->nkid; k++)
		kid[k] = m->copy.at[index_of(m->x, from->kid[n->kid + k])];
	if (ok)
		made = tn_graph_copy_node(m->to, from, node, kid, m->error);
	mem_free(kid);
	if (made == TN_NONE)
		return false;
	vec_push(&m->x->node, node);
	vec_push(&m->copy, made);
	return true;
}

/* Roots last, in order: siblings are joined by age. */
static bool
make_nodes(struct making *m)
{
	const struct alone *x = m->x;
	const struct tn_graph *from = x->chain->g;
	uint32_t i, k;
	bool ok = true;

	for (i = 0; ok && i < x->step->nleaf; i++)
		ok = make_leaf(m, i);
	for (i = 0; ok && i < x->step->nat; i++)
		for (k = 0; ok && k < from->node[x->at[i]].nkid; k++)
			ok = make_node(m, from->kid[from->node[x->at[i]].kid + k], 0);
	for (i = 0; ok && i < x->step->nat; i++)
		ok = make_node(m, x->at[i], 0);
	return ok;
}

/* a graph of the place; x->node is in its order */
static struct tn_graph *
make_graph(struct alone *x, const bool is_constant[], struct tn_error *e)
{
	const struct tn_graph *from = x->chain->g;
	struct making m = {.x = x, .to = tn_graph_new(from->ctx, from->program, "place"), .is_constant = is_constant, .error = e};
	bool ok;
	uint32_t i;

	x->node.n = 0;
	ok = make_nodes(&m);
	for (i = 0; ok && i < x->step->nat; i++)
		tn_graph_output(m.to, arena_printf(&x->arena, "place %u", i + 1), m.copy.at[index_of(x, x->at[i])]);
	x->copy.n = 0;
	for (i = 0; i < m.copy.n; i++)
		vec_push(&x->copy, m.copy.at[i]);
	vec_free(&m.copy);
	if (ok)
		return m.to;
	tn_graph_free(m.to);
	return NULL;
}

uint32_t
alone_leaf(const struct tn_graph *g, const struct tn_gnode *n)
{
	int64_t i = tn_val_get(g->ctx, tn_attrs_get(g->ctx, n->attrs, NULL)[0])->u.i;

	return (uint32_t)strtoul(g->input[i].name + 1, NULL, 10);
}

/* ---- the rule ---------------------------------------------------------------------------------------------- */

static bool
apply_rule(struct alone *x, const bool is_constant[], struct tn_error *e)
{
	const struct tn_program *p = x->chain->g->program;
	struct tn_limits limits = {.iterations = 1, .multi_iterations = 1};
	bool *on = mem_alloc((size_t)p->nrule + 1);
	struct tn_report *r;

	x->seed = make_graph(x, is_constant, e);
	if (x->seed) {
		x->tensors = tn_tensors_new(x->chain->g->ctx, p, x->seed, true);
		on[x->step->rule] = true;
		limits.rule_on = on;
		r = tn_saturate(tn_tensors_egraph(x->tensors), tn_tensors_search(x->tensors), p, &limits, NULL, NULL);
		tn_report_free(r);
	}
	mem_free(on);
	return x->seed != NULL;
}

/* the node of `from` that has the id, which is one of the place's; TN_NONE: none */
static uint32_t
place_node(const struct alone *x, tn_id id)
{
	const tn_id *class = tn_tensors_classes(x->tensors);
	uint32_t i;

	for (i = 0; i < x->node.n; i++)
		if (class[x->copy.at[i]] == id)
			return i;
	return TN_NONE;
}

/* The term of an id, as it was made, in x->to; TN_NONE: it has a node that none can make. */
static uint32_t
make_term(struct alone *x, tn_id id, uint32_t made[], int depth)
{
	enum { MOST_DEPTH = 100 };
	const struct tn_egraph *g = tn_tensors_egraph(x->tensors);
	const struct enode *n = &g->node[id];
	const tn_id *given = &g->proof_kid.at[g->birth.at[id]];
	unsigned k, nkid = egraph_nkid(n);
	uint32_t *kid, at;

	if (made[id] != TN_NONE || depth > MOST_DEPTH)
		return made[id];
	at = place_node(x, id);
	if (at != TN_NONE && at < x->step->nleaf)
		return made[id] = tn_graph_input(x->to, arena_printf(&x->arena, "x%u", at), tn_tensors_type(x->tensors, id));
	if (n->op == TN_FILL)
		return made[id] = tn_graph_fill(x->to, fill_of(x->to->ctx, n->attrs), tn_tensors_type(x->tensors, id));
	kid = mem_alloc(((size_t)nkid + 1) * sizeof *kid);
	for (k = 0; k < nkid && (kid[k] = make_term(x, given[k], made, depth + 1)) != TN_NONE; k++)
		;
	if (k == nkid && n->op >= TN_CORE)
		made[id] = tn_graph_node(x->to, n->op, n->attrs, kid, (int)nkid, TN_NONE, NULL);
	mem_free(kid);
	return made[id];
}

/* ---- substitutions ----------------------------------------------------------------------------------------- */

static void
put_class(const struct alone *x, struct buf *b, tn_id id)
{
	uint32_t i = place_node(x, id);

	if (i == TN_NONE)
		buf_puts(b, " ?");
	else
		buf_printf(b, " %s", x->chain->name.at[x->node.at[i]]);
}

static void
put_val(const struct alone *x, struct buf *b, tn_val v)
{
	char text[512];

	if (v == TN_NONE)
		return;
	tn_val_print(x->chain->g->ctx, NULL, v, text, sizeof text);
	buf_printf(b, " %s", text);
}

/* the words of a match by name: (?x n12) ($a 1) (..c …) */
static void
put_match(const struct alone *x, const struct tn_rule_code *code, const uint32_t v[], struct buf *b)
{
	int i, n;
	uint32_t k;

	for (i = 0; i < code->nvar; i++) {
		const char *name = code->word[i];
		size_t len = strlen(name);

		if (*name != '?' && *name != '$' && *name != '.')
			continue;
		buf_printf(b, "%s(%s", b->n ? " " : "", name + (name[0] == '$' && name[1] == '.'));
		if (*name == '?' && len > 4 && strcmp(name + len - 3, "...") == 0)
			for (k = 0; k < v[v[i]]; k++)
				put_class(x, b, v[v[i] + 1 + k]);
		else if (*name == '?')
			put_class(x, b, v[i]);
		else if (*name == '$')
			put_val(x, b, v[i]);
		else {
			const tn_val *val = tn_attrs_get(x->chain->g->ctx, v[i], &n);

			for (k = 0; k < (uint32_t)n; k++)
				put_val(x, b, val[k]);
		}
		buf_putc(b, ')');
	}
}

/* ---- one after the other ----------------------------------------------------------------------------------- */

/* the unions from..to as x->to: what each place is then; a place that none of them has stays what it is */
static bool
make_result(struct alone *x, const struct tn_egraph *g, uint32_t from, uint32_t to)
{
	const tn_id *class = tn_tensors_classes(x->tensors);
	uint32_t *made = mem_alloc(((size_t)g->n + 1) * sizeof *made), i, u, node;
	bool any = false, ok = true;
	tn_id is;

	memset(made, 0xff, ((size_t)g->n + 1) * sizeof *made);
	tn_graph_free(x->to);
	x->to = tn_graph_new(x->from->ctx, x->from->program, "place");
	for (i = 0; ok && i < x->step->nat; i++) {
		is = class[x->copy.at[index_of(x, x->at[i])]];
		for (u = from; u < to; u++)
			if (g->proof.at[u].a == is) {
				is = g->proof.at[u].b;
				any = true;
				break;
			}
		node = make_term(x, is, made, 0);
		ok = node != TN_NONE;
		if (ok)
			tn_graph_output(x->to, x->from->output[i].name, node);
	}
	mem_free(made);
	return ok && any;
}

static bool
next_union(struct alone *x)
{
	const struct tn_egraph *g = tn_tensors_egraph(x->tensors);
	const struct union_record *r;
	struct buf with = {0};
	uint32_t first;

	while (x->next < g->proof.n) {
		first = x->next;
		r = &g->proof.at[first];
		for (x->next++; x->next < g->proof.n && proof_is_same_match(g, first, x->next); x->next++)
			;
		if (r->rule != x->step->rule || !make_result(x, g, first, x->next))
			continue;
		x->with = "";
		if (x->chain->name.n) {
			put_match(x, &x->chain->g->program->rule[r->rule], &g->proof_var.at[r->var], &with);
			x->with = arena_str(&x->arena, with.at ? with.at : "", with.n);
			buf_free(&with);
		}
		return true;
	}
	return false;
}

bool
alone_next(struct alone *x)
{
	if (x->step->kind == STEP_RULE)
		return next_union(x);
	if (x->step->kind != STEP_FORM || x->next++)
		return false;
	x->to = tn_onnx_legal(x->chain->form, x->from, NULL, NULL);
	x->with = "";
	return x->to != NULL;
}

bool
alone_open(struct alone *x, const struct tn_chain *c, const struct step *s, const uint32_t at[], const uint32_t leaf[],
    const bool is_constant[], struct tn_error *e)
{
	*x = (struct alone){.chain = c, .step = s, .at = at, .leaf = leaf};
	x->from = make_graph(x, NULL, e);
	if (x->from && (s->kind != STEP_RULE || apply_rule(x, is_constant, e)))
		return true;
	alone_close(x);
	return false;
}

void
alone_close(struct alone *x)
{
	tn_tensors_free(x->tensors);
	tn_graph_free(x->from);
	tn_graph_free(x->to);
	tn_graph_free(x->seed);
	vec_free(&x->node);
	vec_free(&x->copy);
	arena_free(&x->arena);
	*x = (struct alone){0};
}
