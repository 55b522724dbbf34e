/*
 * Which rules made a choice: the unions by which each chosen e-node is equal to what stood there before, and
 * those of the applications that made it.  (A node is made with the classes of its children as they are called
 * then; which of their nodes the rule had in mind is not kept, so the ways alone would miss some.)
 *
 * Unions are a forest over ids, as one is recorded only where it joins two classes; so there is one way from
 * an id to an equal one.  A step of it is a rule's, or congruence: the same operator over children that
 * are equal in their turn.
 */
#include "base/mem.h"
#include "egraph/egraph.h"

struct pair {
	tn_id a, b;
};

struct explain {
	const struct tn_egraph *g;
	const tn_id *choice;
	tn_id given;		/* nodes below it are no rule's */
	uint32_t *up;		/* per id: the union that leads towards the root of its tree, or TN_NONE */
	uint32_t *depth;
	bool *is_used;		/* per union */
	bool *is_seen;		/* per class: its choice is explained, and is to be once */
	VEC(struct pair) todo;
	void (*use)(void *arg, uint32_t rule);
	void *arg;
};

/* ---- the forest ------------------------------------------------------------------------------------------ */

/* the id at the other end of a union */
static tn_id
other_end(const struct explain *x, uint32_t u, tn_id id)
{
	const struct union_record *r = &x->g->proof.at[u];

	return r->a == id ? r->b : r->a;
}

/* unions of each id: list[first[id]] … list[first[id + 1] - 1] */
static uint32_t *
list_unions(const struct tn_egraph *g, uint32_t **first)
{
	uint32_t *at = mem_alloc(((size_t)g->n + 2) * sizeof *at), *list = mem_alloc((2 * (size_t)g->proof.n + 1) * sizeof *list), i;

	for (i = 0; i < g->proof.n; i++) {
		at[g->proof.at[i].a + 2]++;
		at[g->proof.at[i].b + 2]++;
	}
	for (i = 2; i < g->n + 2; i++)
		at[i] += at[i - 1];
	for (i = 0; i < g->proof.n; i++) {
		list[at[g->proof.at[i].a + 1]++] = i;
		list[at[g->proof.at[i].b + 1]++] = i;
	}
	*first = at;
	return list;
}

/* hang every tree from its smallest id */
static void
make_forest(struct explain *x)
{
	uint32_t *first, *list = list_unions(x->g, &first), i, k;
	bool *is_there = mem_alloc((size_t)x->g->n + 1);
	VEC(tn_id) stack = {0};
	tn_id id, next;

	for (i = 0; i < x->g->n; i++) {
		if (is_there[i])
			continue;
		is_there[i] = true;
		x->up[i] = TN_NONE;
		vec_push(&stack, i);
		while (stack.n) {
			id = vec_pop(&stack);
			for (k = first[id]; k < first[id + 1]; k++) {
				next = other_end(x, list[k], id);
				if (is_there[next])
					continue;
				is_there[next] = true;
				x->up[next] = list[k];
				x->depth[next] = x->depth[id] + 1;
				vec_push(&stack, next);
			}
		}
	}
	vec_free(&stack);
	mem_free(is_there);
	mem_free(first);
	mem_free(list);
}

/* ---- steps ------------------------------------------------------------------------------------------------- */

/* children as they were when the node was made */
static const tn_id *
first_kids(const struct explain *x, tn_id node)
{
	return &x->g->proof_kid.at[x->g->birth.at[node]];
}

static void
use_union(struct explain *x, uint32_t u)
{
	const struct union_record *r = &x->g->proof.at[u];
	const struct enode *a = &x->g->node[r->a], *b = &x->g->node[r->b];
	unsigned i;

	if (x->is_used[u])
		return;
	x->is_used[u] = true;
	if (r->rule != TN_NONE) {
		x->use(x->arg, r->rule);
		return;
	}
	if (a->op != b->op || a->attrs != b->attrs || egraph_nkid(a) != egraph_nkid(b))
		return;		/* given */
	for (i = 0; i < egraph_nkid(a); i++)
		vec_push(&x->todo, ((struct pair){first_kids(x, r->a)[i], first_kids(x, r->b)[i]}));
}

/* every union on the way between two equal ids */
static void
use_way(struct explain *x, tn_id a, tn_id b)
{
	tn_id *deep;

	while (a != b) {
		deep = x->depth[a] >= x->depth[b] ? &a : &b;
		if (x->up[*deep] == TN_NONE)
			return;
		use_union(x, x->up[*deep]);
		*deep = other_end(x, x->up[*deep], *deep);
	}
}

/* the application that made the node: the first union after it */
static void
use_maker(struct explain *x, tn_id node)
{
	uint32_t low = 0, high = x->g->proof.n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (x->g->proof.at[middle].n > node)
			high = middle;
		else
			low = middle + 1;
	}
	if (node >= x->given && low < x->g->proof.n)
		use_union(x, low);
}

/* what is chosen for the class that the id was in, and for all that this needs */
static void
use_choice(struct explain *x, tn_id id)
{
	VEC(tn_id) stack = {0};
	tn_id class, node;
	unsigned i;

	vec_push(&stack, id);
	while (stack.n) {
		id = vec_pop(&stack);
		class = tn_find(x->g, id);
		node = x->choice[class];
		if (node == TN_NONE)
			continue;
		vec_push(&x->todo, ((struct pair){id, node}));
		if (x->is_seen[class])
			continue;
		x->is_seen[class] = true;
		use_maker(x, node);
		for (i = 0; i < egraph_nkid(&x->g->node[node]); i++)
			vec_push(&stack, first_kids(x, node)[i]);
	}
	vec_free(&stack);
}

bool
tn_egraph_explain(const struct tn_egraph *g, const tn_id root[], uint32_t nroot, const tn_id choice[], tn_id given,
    void (*use)(void *arg, uint32_t rule), void *arg)
{
	struct explain x = {.g = g, .choice = choice, .given = given, .use = use, .arg = arg};
	struct pair p;
	uint32_t i;

	if (!g->with_proof)
		return false;
	x.up = mem_alloc(((size_t)g->n + 1) * sizeof *x.up);
	x.depth = mem_alloc(((size_t)g->n + 1) * sizeof *x.depth);
	x.is_used = mem_alloc((size_t)g->proof.n + 1);
	x.is_seen = mem_alloc((size_t)g->n + 1);
	make_forest(&x);
	for (i = 0; i < nroot; i++)
		use_choice(&x, root[i]);
	while (x.todo.n) {
		p = vec_pop(&x.todo);
		use_way(&x, p.a, p.b);
	}
	mem_free(x.up);
	mem_free(x.depth);
	mem_free(x.is_used);
	mem_free(x.is_seen);
	vec_free(&x.todo);
	return true;
}
