/* Reading the proof arrays; see proof.h. */
#include "egraph/proof.h"

#include <string.h>

#include "base/mem.h"

/* the id at the other end of a union */
static tn_id
other_end(const struct tn_egraph *g, uint32_t u, tn_id id)
{
	const struct union_record *r = &g->proof.at[u];

	return r->a == id ? r->b : r->a;
}

/* ---- the forest ------------------------------------------------------------------------------------------ */

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
make_forest(struct proof *p)
{
	const struct tn_egraph *g = p->g;
	uint32_t *first, *list = list_unions(g, &first), i, k;
	bool *is_there = mem_alloc((size_t)g->n + 1);
	VEC(tn_id) stack = {0};
	tn_id id, next;

	for (i = 0; i < g->n; i++) {
		if (is_there[i])
			continue;
		is_there[i] = true;
		p->up[i] = TN_NONE;
		vec_push(&stack, i);
		while (stack.n) {
			id = vec_pop(&stack);
			for (k = first[id]; k < first[id + 1]; k++) {
				next = other_end(g, list[k], id);
				if (is_there[next])
					continue;
				is_there[next] = true;
				p->up[next] = list[k];
				p->depth[next] = p->depth[id] + 1;
				vec_push(&stack, next);
			}
		}
	}
	vec_free(&stack);
	mem_free(is_there);
	mem_free(first);
	mem_free(list);
}

void
proof_way(const struct proof *p, tn_id a, tn_id b, void (*step)(void *arg, uint32_t u), void *arg)
{
	VEC(uint32_t) back = {0};	/* from b up, to be told last */

	while (a != b) {
		tn_id *deep = p->depth[a] >= p->depth[b] ? &a : &b;
		uint32_t u = p->up[*deep];

		if (u == TN_NONE)
			break;
		if (deep == &a)
			step(arg, u);
		else
			vec_push(&back, u);
		*deep = other_end(p->g, u, *deep);
	}
	while (back.n)
		step(arg, vec_pop(&back));
	vec_free(&back);
}

/* ---- times ----------------------------------------------------------------------------------------------- */

/* the smaller tree under the larger, so that ways up are short; a link's time is its union's */
static void
make_times(struct proof *p)
{
	const struct tn_egraph *g = p->g;
	uint32_t *size = mem_alloc(((size_t)g->n + 1) * sizeof *size), i;
	tn_id a, b, gone;

	for (i = 0; i < g->n; i++) {
		p->leader[i] = i;
		size[i] = 1;
	}
	for (i = 0; i < g->proof.n; i++) {
		for (a = g->proof.at[i].a; p->leader[a] != a; a = p->leader[a])
			;
		for (b = g->proof.at[i].b; p->leader[b] != b; b = p->leader[b])
			;
		gone = size[a] < size[b] ? a : b;
		p->leader[gone] = a + b - gone;
		p->since[gone] = i;
		size[a + b - gone] += size[gone];
	}
	mem_free(size);
}

static tn_id
find(const struct proof *p, tn_id id, uint32_t before)
{
	while (p->leader[id] != id && p->since[id] < before)
		id = p->leader[id];
	return id;
}

bool
proof_equal(const struct proof *p, tn_id a, tn_id b, uint32_t before)
{
	return find(p, a, before) == find(p, b, before);
}

bool
proof_is_made(const struct proof *p, tn_id node, uint32_t before)
{
	return before >= p->g->proof.n || node < p->g->proof.at[before].n;
}

/* ---- asking ---------------------------------------------------------------------------------------------- */

bool
proof_is_twin(const struct proof *p, tn_id a, tn_id b, uint32_t before)
{
	const struct enode *x = &p->g->node[a], *y = &p->g->node[b];
	unsigned i;

	if (x->op != y->op || x->attrs != y->attrs || egraph_nkid(x) != egraph_nkid(y))
		return false;
	for (i = 0; i < egraph_nkid(x); i++)
		if (!proof_equal(p, proof_kids(p, a)[i], proof_kids(p, b)[i], before))
			return false;
	return true;
}

bool
proof_is_same_match(const struct tn_egraph *g, uint32_t u, uint32_t w)
{
	const struct union_record *a = &g->proof.at[u], *b = &g->proof.at[w];

	return a->rule == b->rule && a->nvar == b->nvar &&
	    memcmp(&g->proof_var.at[a->var], &g->proof_var.at[b->var], a->nvar * sizeof(uint32_t)) == 0;
}

bool
proof_is_congruence(const struct proof *p, uint32_t u)
{
	const struct union_record *r = &p->g->proof.at[u];

	return r->rule == TN_NONE && proof_is_twin(p, r->a, r->b, u);
}

const tn_id *
proof_members(const struct proof *p, tn_id id, uint32_t *n)
{
	tn_id class = tn_find(p->g, id);

	*n = p->member_first[class + 1] - p->member_first[class];
	return &p->member[p->member_first[class]];
}

/* ---- all ------------------------------------------------------------------------------------------------- */

static void
list_members(struct proof *p)
{
	const struct tn_egraph *g = p->g;
	uint32_t *at = p->member_first, i;

	for (i = 0; i < g->n; i++)
		at[tn_find(g, i) + 2]++;
	for (i = 2; i < g->n + 2; i++)
		at[i] += at[i - 1];
	for (i = 0; i < g->n; i++)
		p->member[at[tn_find(g, i) + 1]++] = i;
}

void
proof_open(struct proof *p, const struct tn_egraph *g)
{
	size_t n = (size_t)g->n + 2;

	*p = (struct proof){.g = g};
	p->up = mem_alloc(n * sizeof *p->up);
	p->depth = mem_alloc(n * sizeof *p->depth);
	p->leader = mem_alloc(n * sizeof *p->leader);
	p->since = mem_alloc(n * sizeof *p->since);
	p->member_first = mem_alloc(n * sizeof *p->member_first);
	p->member = mem_alloc(n * sizeof *p->member);
	make_forest(p);
	make_times(p);
	list_members(p);
}

void
proof_close(struct proof *p)
{
	mem_free(p->up);
	mem_free(p->depth);
	mem_free(p->leader);
	mem_free(p->since);
	mem_free(p->member_first);
	mem_free(p->member);
	*p = (struct proof){0};
}
