/*
 * From an e-graph's proof to a chain.
 *
 * An id's term is what its node was made as.  Where the chosen terms and the original's must be equal, the ways between
 * their ids are walked; of each union on them that is a rule's, the place where the rule's patterns stood is
 * found, and the rule is applied to that by itself.  The union says that two ids are equal; the step says so
 * of two terms, and these are equal to the ids by what was there before the union, which is walked in its turn.
 * Congruence needs no step: the terms are all in the chain.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "explain/make.h"
#include "tensor/data.h"

void
make_equal(struct making *m, tn_id a, tn_id b)
{
	vec_push(&m->todo, ((struct pair){a, b}));
}

bool
make_fail(struct making *m, const char *fmt, ...)
{
	char what[128];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	if (m->ok)
		tn_fail(m->error, TN_E_DEFECT, "explaining: %s; please report this, with the model and the rules", what);
	return m->ok = false;
}

/* ---- terms of ids ------------------------------------------------------------------------------------------ */

/* the node itself on the terms of its children, which are there */
static uint32_t
make_node(struct making *m, tn_id id)
{
	const struct enode *e = &m->p.g->node[id];
	unsigned k, nkid = egraph_nkid(e);
	uint32_t *kid, made;

	if (e->op == TN_FILL)
		return chain_fill(m->c, fill_of(m->c->g->ctx, e->attrs), tn_tensors_type(m->t, id));
	kid = mem_alloc(((size_t)nkid + 1) * sizeof *kid);
	for (k = 0; k < nkid; k++)
		kid[k] = m->node[proof_kids(&m->p, id)[k]];
	made = chain_node(m->c, e->op, e->attrs, kid, (int)nkid, m->error);
	mem_free(kid);
	m->ok &= made != TN_NONE;
	return made;
}

uint32_t
make_term(struct making *m, tn_id id)
{
	VEC(tn_id) stack = {0};
	const tn_id *kid;
	unsigned k, nkid;

	vec_push(&stack, id);
	while (m->ok && stack.n) {
		tn_id top = stack.at[stack.n - 1];

		if (m->node[top] != TN_NONE) {
			stack.n--;
			continue;
		}
		kid = proof_kids(&m->p, top);
		nkid = egraph_nkid(&m->p.g->node[top]);
		for (k = 0; k < nkid && m->node[kid[k]] != TN_NONE; k++)
			;
		if (k < nkid)
			vec_push(&stack, kid[k]);
		else
			m->node[top] = make_node(m, top);
	}
	vec_free(&stack);
	return m->node[id];
}

void
make_wanted(struct making *m, tn_id id)
{
	uint32_t node = make_term(m, id);

	if (m->ok)
		vec_push(&m->c->wanted, node);
}

/* ---- unions -------------------------------------------------------------------------------------------------- */

static void
explain_union(void *arg, uint32_t u)
{
	struct making *m = arg;
	const struct union_record *r = &m->p.g->proof.at[u];
	unsigned k;

	if (!m->ok || m->is_used[u])
		return;
	m->is_used[u] = true;
	make_wanted(m, r->a);
	make_wanted(m, r->b);
	if (r->rule != TN_NONE)
		reason_rule(m, u);
	else if (!proof_is_congruence(&m->p, u))
		reason_form(m, u);
	else
		for (k = 0; k < egraph_nkid(&m->p.g->node[r->a]); k++)
			make_equal(m, proof_kids(&m->p, r->a)[k], proof_kids(&m->p, r->b)[k]);
}

/* ---- the choice ---------------------------------------------------------------------------------------------- */

/* the chosen term of a class, on the chosen terms of its children; what is chosen is equal to what was there */
static bool
take_choice(struct making *m, tn_id id)
{
	VEC(tn_id) stack = {0};
	uint32_t *kid = mem_alloc((NODE_MAX_KIDS + 1) * sizeof *kid), k, nkid;
	const tn_id *given;

	vec_push(&stack, tn_find(m->p.g, id));
	while (m->ok && stack.n) {
		tn_id class = stack.at[stack.n - 1], node = m->choice[class];

		if (node == TN_NONE)
			make_fail(m, "the choice lacks a class");
		if (!m->ok || m->chosen[class] != TN_NONE) {
			stack.n--;
			continue;
		}
		given = proof_kids(&m->p, node);
		nkid = egraph_nkid(&m->p.g->node[node]);
		for (k = 0; k < nkid && m->chosen[tn_find(m->p.g, given[k])] != TN_NONE; k++)
			kid[k] = m->chosen[tn_find(m->p.g, given[k])];
		if (k < nkid) {
			vec_push(&stack, tn_find(m->p.g, given[k]));
			if (stack.n > m->p.g->n)
				make_fail(m, "the choice has a cycle");
			continue;
		}
		for (k = 0; k < nkid; k++)
			make_equal(m, given[k], m->choice[tn_find(m->p.g, given[k])]);
		if (m->p.g->node[node].op >= TN_CORE)
			m->chosen[class] = chain_node(m->c, m->p.g->node[node].op, m->p.g->node[node].attrs, kid, (int)nkid, m->error);
		else if (nkid == 0)
			m->chosen[class] = make_term(m, node);
		else
			m->chosen[class] = chain_like(m->c, m->node[node], kid, m->error);
		make_wanted(m, node);
		m->ok &= m->chosen[class] != TN_NONE;
	}
	vec_free(&stack);
	mem_free(kid);
	return m->ok;
}

static bool
take_outputs(struct making *m)
{
	const struct tn_graph *g = tn_tensors_source(m->t);
	tn_id id;
	uint32_t i;

	for (i = 0; m->ok && i < g->noutput; i++) {
		id = tn_tensors_classes(m->t)[g->output[i].node];
		if (!take_choice(m, id))
			return false;
		make_equal(m, id, m->choice[tn_find(m->p.g, id)]);
		tn_graph_output(m->c->g, g->output[i].name, m->chosen[tn_find(m->p.g, id)]);
	}
	return m->ok;
}

/* ---- the whole ----------------------------------------------------------------------------------------------- */

static void
begin(struct making *m)
{
	const struct tn_egraph *g = m->p.g;
	const struct tn_graph *from = tn_tensors_source(m->t);
	uint32_t i;
	unsigned k;

	m->node = mem_alloc(((size_t)g->n + 1) * sizeof *m->node);
	m->chosen = mem_alloc(((size_t)g->n + 1) * sizeof *m->chosen);
	m->is_constant = mem_alloc((size_t)g->n + 1);
	m->is_used = mem_alloc((size_t)g->proof.n + 1);
	memset(m->node, 0xff, ((size_t)g->n + 1) * sizeof *m->node);
	memset(m->chosen, 0xff, ((size_t)g->n + 1) * sizeof *m->chosen);
	for (i = from->nnode; i-- > 0;)
		m->node[tn_tensors_classes(m->t)[i]] = i;
	for (i = 0; i < g->n; i++) {
		uint16_t op = g->node[i].op;

		m->is_constant[i] = op != TN_INPUT && op != TN_OPAQUE && op != TN_RESULT;
		for (k = 0; k < egraph_nkid(&g->node[i]); k++)
			m->is_constant[i] &= m->is_constant[proof_kids(&m->p, i)[k]];
	}
}

static void
end(struct making *m)
{
	mem_free(m->node);
	mem_free(m->chosen);
	mem_free(m->is_constant);
	mem_free(m->is_used);
	vec_free(&m->todo);
	proof_close(&m->p);
}

/* steps in the order in which the rules were applied */
static void
sort_steps(struct tn_chain *c)
{
	uint32_t i, k;

	for (i = 1; i < c->step.n; i++) {
		struct step s = c->step.at[i];

		for (k = i; k > 0 && c->step.at[k - 1].time > s.time; k--)
			c->step.at[k] = c->step.at[k - 1];
		c->step.at[k] = s;
	}
}

/* what each step's rule matched with, now that nodes have names */
static bool
put_substitutions(struct tn_chain *c, struct tn_error *e)
{
	bool *is_constant = chain_constants(c), ok = true;
	struct alone x;
	uint32_t i;

	for (i = 0; ok && i < c->step.n; i++) {
		if (c->step.at[i].kind != STEP_RULE)
			continue;
		ok = chain_replay(c, &c->step.at[i], is_constant, &x, e);
		if (ok) {
			c->step.at[i].with = arena_str(&c->arena, x.with, strlen(x.with));
			alone_close(&x);
		}
	}
	mem_free(is_constant);
	return ok;
}

struct tn_chain *
tn_chain_make(struct tn_tensors *t, const tn_id choice[], const struct tn_onnx *form, struct tn_error *e)
{
	struct making m = {.t = t, .choice = choice, .ok = true, .error = e};
	struct pair pair;

	if (!tn_tensors_egraph(t)->with_proof) {
		tn_fail(e, TN_E_DEFECT, "explaining: no proof was kept");
		return NULL;
	}
	m.c = chain_new(tn_tensors_source(t), form, e);
	if (!m.c)
		return NULL;
	m.program = m.c->g->program;
	proof_open(&m.p, tn_tensors_egraph(t));
	begin(&m);
	take_outputs(&m);
	while (m.ok && m.todo.n) {
		pair = vec_pop(&m.todo);
		make_wanted(&m, pair.a);
		make_wanted(&m, pair.b);
		proof_way(&m.p, pair.a, pair.b, explain_union, &m);
	}
	end(&m);
	if (m.ok) {
		sort_steps(m.c);
		chain_name(m.c);
		if (put_substitutions(m.c, e))
			return m.c;
	}
	tn_chain_free(m.c);
	return NULL;
}
