/*
 * What one union says, as a step: the place where the rule's patterns stood, and what the rule made of it.
 *
 * Several places may fit the substitution; the one whose result is the union's other side is taken.
 */
#include <string.h>

#include "explain/make.h"
#include "explain/spot.h"
#include "tensor/data.h"

/* ---- places ------------------------------------------------------------------------------------------------- */

/* A place found, as terms of the chain. */
struct found {
	struct making *m;
	uint32_t u, before;
	const struct spot *spot;
	VEC(uint32_t) node;		/* per node of the spot */
	VEC(uint32_t) at, is, leaf;	/* of the chain */
	VEC(tn_id) leaf_id;
	bool *leaf_is_constant;
	VEC(struct pair) equal;		/* what must be equal for the place to be there */
};

static void
found_free(struct found *f)
{
	vec_free(&f->node);
	vec_free(&f->at);
	vec_free(&f->is);
	vec_free(&f->leaf);
	vec_free(&f->leaf_id);
	vec_free(&f->equal);
	mem_free(f->leaf_is_constant);
}

/* the id's term, as where the place ends; a number goes along, as it may stand elsewhere in the place, too */
static uint32_t
put_leaf(struct found *f, tn_id id)
{
	uint32_t node = make_term(f->m, id), i;

	if (f->m->ok && f->m->c->g->node[node].op == TN_FILL)
		return node;
	for (i = 0; i < f->leaf.n; i++)
		if (f->leaf.at[i] == node)
			return node;
	vec_push(&f->leaf, node);
	vec_push(&f->leaf_id, id);
	return node;
}

/* an equation: the term of the id, which is constant, is one value everywhere */
static void
put_fold(struct making *m, tn_id id, uint32_t fill, uint32_t time)
{
	uint32_t at = make_term(m, id);

	make_wanted(m, id);
	if (at != fill && m->ok)
		chain_step(m->c, (struct step){.kind = STEP_FOLD, .nat = 1, .with = "", .time = time}, &at, &fill, NULL);
}

/* The number that the class of the id was: a fill of the chain, and why it is. */
static uint32_t
number(struct found *f, tn_id id)
{
	struct making *m = f->m;
	const tn_id *member;
	uint32_t n, i, fill;
	tn_val value = tn_tensors_uniform(m->t, id);

	member = proof_members(&m->p, id, &n);
	for (i = 0; i < n; i++)
		if (m->p.g->node[member[i]].op == TN_FILL && proof_is_made(&m->p, member[i], f->before) &&
		    proof_equal(&m->p, member[i], id, f->before)) {
			vec_push(&f->equal, ((struct pair){id, member[i]}));
			return make_term(m, member[i]);
		}
	for (i = 0; i < n; i++)
		if (m->is_constant[member[i]] && proof_is_made(&m->p, member[i], f->before) &&
		    proof_equal(&m->p, member[i], id, f->before)) {
			vec_push(&f->equal, ((struct pair){id, member[i]}));
			fill = chain_fill(m->c, tn_val_get(m->c->g->ctx, value)->u.f, tn_tensors_type(m->t, id));
			put_fold(m, member[i], fill, f->before);
			return fill;
		}
	make_fail(m, "a number that was found equal to no constant");
	return TN_NONE;
}

/* the term of the spot's node, and of what it is made of */
static uint32_t
make_spot(struct found *f, uint32_t i)
{
	struct making *m = f->m;
	const struct spot_node *n = &f->spot->node.at[i];
	const struct enode *e = &m->p.g->node[n->enode];
	uint32_t k, nkid = egraph_nkid(e), *kid;

	if (f->node.at[i] != TN_NONE || !m->ok)
		return f->node.at[i];
	kid = mem_alloc(((size_t)nkid + 1) * sizeof *kid);
	for (k = 0; m->ok && k < nkid; k++) {
		const struct operand *o = &f->spot->operand.at[n->operand + k];

		if (o->kind == OPERAND_NODE) {
			kid[k] = make_spot(f, o->at);
			vec_push(&f->equal, ((struct pair){proof_kids(&m->p, n->enode)[k], f->spot->node.at[o->at].enode}));
		} else if (o->kind == OPERAND_NUMBER)
			kid[k] = number(f, o->at);
		else
			kid[k] = put_leaf(f, o->at);
	}
	if (m->ok)
		f->node.at[i] = chain_node(m->c, e->op, e->attrs, kid, (int)nkid, m->error);
	m->ok &= f->node.at[i] != TN_NONE;
	mem_free(kid);
	return f->node.at[i];
}

/* the spot as terms of the chain, its leaves, and what must be equal for it to be there */
static bool
make_place(struct found *f)
{
	struct making *m = f->m;
	const struct spot *s = f->spot;
	uint32_t i;

	f->at.n = f->leaf.n = f->leaf_id.n = f->equal.n = f->node.n = 0;
	for (i = 0; i < s->node.n; i++)
		vec_push(&f->node, TN_NONE);
	for (i = 0; m->ok && i < s->root.n; i++)
		vec_push(&f->at, make_spot(f, s->root.at[i]));
	f->leaf_is_constant = mem_resize(f->leaf_is_constant, 0, f->leaf.n + 1);
	for (i = 0; i < f->leaf.n; i++)
		f->leaf_is_constant[i] = tn_tensors_is_constant(m->t, f->leaf_id.at[i]);
	return m->ok;
}

/* ---- what came of it ---------------------------------------------------------------------------------------- */

/* the result as terms of the chain; false: a shape check fails */
static bool
take_result(struct found *f, const struct tn_graph *to, uint32_t node[])
{
	struct making *m = f->m;
	uint32_t i, k, *kid;
	bool ok = true;

	for (i = 0; ok && i < to->nnode; i++) {
		const struct tn_gnode *n = &to->node[i];

		kid = mem_alloc(((size_t)n->nkid + 1) * sizeof *kid);
		for (k = 0; k < n->nkid; k++)
			kid[k] = node[to->kid[n->kid + k]];
		if (n->op == TN_INPUT)
			node[i] = f->leaf.at[alone_leaf(to, n)];
		else if (n->op == TN_FILL)
			node[i] = chain_fill(m->c, fill_of(to->ctx, n->attrs), n->type);
		else
			node[i] = chain_node(m->c, n->op, n->attrs, kid, n->nkid, NULL);
		ok = node[i] != TN_NONE;
		mem_free(kid);
	}
	return ok;
}

/*
 * Is the result's node i the class of `id` as it was before the union?  From the root down: congruence is restored only
 * after all unions of an iteration, so that until then one term may stand in several classes.
 */
static bool
meets(struct found *f, const struct tn_graph *to, uint32_t i, tn_id id, tn_id is[])
{
	const struct proof *p = &f->m->p;
	const struct tn_gnode *n = &to->node[i];
	const tn_id *member;
	tn_id *saved;
	uint32_t nmember, j, k;

	if (n->op == TN_INPUT)
		is[i] = f->leaf_id.at[alone_leaf(to, n)];
	if (is[i] != TN_NONE)
		return proof_equal(p, is[i], id, f->u);
	member = proof_members(p, id, &nmember);
	saved = mem_alloc(((size_t)to->nnode + 1) * sizeof *saved);
	memcpy(saved, is, to->nnode * sizeof *saved);
	for (j = 0; is[i] == TN_NONE && j < nmember && proof_is_made(p, member[j], f->u); j++) {
		const struct enode *e = &p->g->node[member[j]];

		if (e->op != n->op || e->attrs != n->attrs || egraph_nkid(e) != n->nkid || !proof_equal(p, member[j], id, f->u))
			continue;
		for (k = 0; k < n->nkid && meets(f, to, to->kid[n->kid + k], proof_kids(p, member[j])[k], is); k++)
			;
		if (k == n->nkid)
			is[i] = member[j];
		else
			memcpy(is, saved, to->nnode * sizeof *saved);
	}
	mem_free(saved);
	return is[i] != TN_NONE;
}

/* Is the union's other side what the place came to?  Then its operands' equalities are noted. */
static bool
is_this_union(struct found *f, const struct tn_graph *to, tn_id id[], uint32_t root)
{
	struct making *m = f->m;
	const struct union_record *r = &m->p.g->proof.at[f->u];
	const struct spot *s = f->spot;
	tn_id place = s->node.at[s->root.at[root]].enode;
	uint32_t i, k;

	memset(id, 0xff, to->nnode * sizeof *id);
	if (!proof_equal(&m->p, place, r->a, f->before) || !meets(f, to, to->output[root].node, r->b, id))
		return false;
	vec_push(&f->equal, ((struct pair){place, r->a}));
	vec_push(&f->equal, ((struct pair){id[to->output[root].node], r->b}));
	for (i = 0; i < to->nnode; i++)
		for (k = 0; id[i] != TN_NONE && to->node[i].op != TN_INPUT && k < to->node[i].nkid; k++)
			vec_push(&f->equal, ((struct pair){proof_kids(&m->p, id[i])[k], id[to->kid[to->node[i].kid + k]]}));
	return true;
}

/* the step, and what it rests on */
static void
keep(struct found *f, struct step s, const struct alone *x, const uint32_t node[], const tn_id id[])
{
	uint32_t i;

	for (i = 0; i < f->spot->node.n; i++)
		make_wanted(f->m, f->spot->node.at[i].enode);
	for (i = 0; i < x->to->nnode; i++)
		if (id[i] != TN_NONE)
			make_wanted(f->m, id[i]);

	f->is.n = 0;
	for (i = 0; i < f->at.n; i++)
		vec_push(&f->is, node[x->to->output[i].node]);
	s.with = x->with;
	s.time = f->u;
	chain_step(f->m->c, s, f->at.at, f->is.at, f->leaf.at);
	for (i = 0; i < f->equal.n; i++)
		make_equal(f->m, f->equal.at[i].a, f->equal.at[i].b);
}

/* does applying the step to the place found make the union? */
static bool
try_place(struct found *f, struct step s)
{
	struct alone x;
	bool found = false;
	uint32_t i, *node;
	tn_id *id;

	s.nat = f->at.n;
	s.nleaf = f->leaf.n;
	if (!alone_open(&x, f->m->c, &s, f->at.at, f->leaf.at, f->leaf_is_constant, NULL))
		return false;
	while (!found && alone_next(&x)) {
		node = mem_alloc(((size_t)x.to->nnode + 1) * sizeof *node);
		id = mem_alloc(((size_t)x.to->nnode + 1) * sizeof *id);
		if (take_result(f, x.to, node))
			for (i = 0; !found && i < f->at.n; i++)
				found = is_this_union(f, x.to, id, i);
		if (found)
			keep(f, s, &x, node, id);
		mem_free(node);
		mem_free(id);
	}
	alone_close(&x);
	return found;
}

static bool
try_rule(void *arg, const struct spot *spot)
{
	struct found *f = arg;

	f->spot = spot;
	return make_place(f) && try_place(f, (struct step){.kind = STEP_RULE, .rule = f->m->p.g->proof.at[f->u].rule});
}

/* the first union of the application that union u is of: places stood before that */
static uint32_t
first_of_match(const struct making *m, uint32_t u)
{
	while (u > 0 && proof_is_same_match(m->p.g, u - 1, u))
		u--;
	return u;
}

void
reason_rule(struct making *m, uint32_t u)
{
	const struct tn_rule_code *code = &m->program->rule[m->p.g->proof.at[u].rule];
	struct found f = {.m = m, .u = u, .before = first_of_match(m, u)};

	if (!spot_find(&m->p, m->t, code, m->program->op, u, f.before, try_rule, &f))
		make_fail(m, "where %s was applied is not found", code->name);
	found_free(&f);
}

/* Of one without a rule that is no congruence: an operator and its form in a file. */
void
reason_form(struct making *m, uint32_t u)
{
	const struct union_record *r = &m->p.g->proof.at[u];
	struct spot spot = {0};
	struct found f = {.m = m, .u = u, .before = u, .spot = &spot};
	const tn_id *kid = proof_kids(&m->p, r->a);
	unsigned k;

	vec_push(&spot.node, ((struct spot_node){r->a, 0}));
	vec_push(&spot.root, 0);
	for (k = 0; k < egraph_nkid(&m->p.g->node[r->a]); k++) {
		bool is_number = tn_tensors_uniform(m->t, kid[k]) != TN_NONE;

		vec_push(&spot.operand, ((struct operand){is_number ? OPERAND_NUMBER : OPERAND_LEAF, kid[k]}));
	}
	if (!make_place(&f) || !try_place(&f, (struct step){.kind = STEP_FORM}))
		make_fail(m, "two classes are one without a reason");
	vec_free(&spot.node);
	vec_free(&spot.root);
	vec_free(&spot.operand);
	found_free(&f);
}
