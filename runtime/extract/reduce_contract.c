/*
 * Contract: a class with one node leaves nothing to choose.
 *
 * If it is a root, its node is chosen in every choice: the cost goes to the constant, its children are roots.
 * If it is none and costs nothing, it can be chosen along with each node that needs it.  Either way the nodes
 * with it as a child get its children instead, so that every cycle through it stays a cycle.  A parent
 * in another strongly connected component than a root is on no cycle with it and needs nothing instead.
 *
 * With many parents and many children more edges come than go: such a class stays, unless it is a root.
 */
#include "base/mem.h"
#include "extract/reduce.h"

enum state { UNSEEN, OPEN, KEPT, CONTRACTED };

struct contract {
	struct prog *p;
	const struct scc *scc;
	uint8_t *state;
	uint32_t *nuser;
	VEC(uint32_t) kid;
};

static bool
is_candidate(const struct prog_class *class)
{
	return class->nnode == 1 && (class->is_root || class->node[0].cost == 0);
}

static bool
is_worth(const struct contract *t, uint32_t c)
{
	uint64_t users = t->nuser[c], kids = t->p->class[c].node[0].nkid;

	return t->p->class[c].is_root || users <= 1 || kids <= 1 || users * kids <= 2 * (users + kids);
}

/* the node's contracted children, replaced by theirs */
static void
rewrite(struct contract *t, uint32_t c, struct prog_node *node)
{
	struct prog *p = t->p;
	bool any = false;
	uint32_t k, j, u;

	for (k = 0; k < node->nkid; k++)
		any |= t->state[node->kid[k]] == CONTRACTED;
	if (!any)
		return;
	t->kid.n = 0;
	for (k = 0; k < node->nkid; k++) {
		const struct prog_class *kid = &p->class[node->kid[k]];

		u = node->kid[k];
		if (t->state[u] != CONTRACTED) {
			vec_push(&t->kid, u);
			continue;
		}
		if (!kid->is_root)
			node->bundle = prog_join(p, node->bundle, kid->node[0].bundle);
		if (!kid->is_root || t->scc->of[u] == t->scc->of[c])
			for (j = 0; j < kid->node[0].nkid; j++)
				vec_push(&t->kid, kid->node[0].kid[j]);
	}
	node->nkid = prog_set(t->kid.at, t->kid.n);
	node->kid = node->nkid ? arena_dup(p->arena, t->kid.at, node->nkid * sizeof *node->kid) : NULL;
}

/* decide on a class and the candidates below it, children first; candidates have no cycle among them, as
 * each has a derivation and one node */
static void
decide(struct contract *t, uint32_t root)
{
	struct frame { uint32_t class, kid; };
	VEC(struct frame) stack = {0};

	if (t->state[root] == UNSEEN && is_candidate(&t->p->class[root])) {
		t->state[root] = OPEN;
		vec_push(&stack, ((struct frame){root, 0}));
	}
	while (stack.n) {
		struct frame *f = &stack.at[stack.n - 1];
		struct prog_node *node = &t->p->class[f->class].node[0];
		uint32_t u;

		if (f->kid < node->nkid) {
			u = node->kid[f->kid++];
			if (t->state[u] == UNSEEN && is_candidate(&t->p->class[u])) {
				t->state[u] = OPEN;
				vec_push(&stack, ((struct frame){u, 0}));
			}
			continue;
		}
		rewrite(t, f->class, node);
		t->state[f->class] = is_worth(t, f->class) ? CONTRACTED : KEPT;
		stack.n--;
	}
	vec_free(&stack);
}

/* the contracted classes go; what was a root counts for all choices */
static void
remove_contracted(struct contract *t)
{
	struct prog *p = t->p;
	uint32_t c;

	for (c = 0; c < p->nclass; c++) {
		if (t->state[c] != CONTRACTED)
			continue;
		if (p->class[c].is_root) {
			p->constant = cost_add(p->constant, p->class[c].node[0].cost);
			p->fixed = prog_join(p, p->class[c].node[0].bundle, p->fixed);
		}
		p->class[c].nnode = 0;
		p->class[c].is_root = false;
	}
}

void
step_contract(struct reduction *r)
{
	struct prog *p = r->p;
	struct contract t = {.p = p};
	struct scc scc;
	uint32_t c, n, k;

	scc_make(&scc, p);
	t.scc = &scc;
	t.state = mem_alloc(p->nclass);
	t.nuser = mem_alloc(p->nclass * sizeof *t.nuser);
	for (c = 0; c < p->nclass; c++)
		for (n = 0; n < p->class[c].nnode; n++)
			for (k = 0; k < p->class[c].node[n].nkid; k++)
				t.nuser[p->class[c].node[n].kid[k]]++;
	prog_spread_roots(p, 1);
	for (c = 0; c < p->nclass; c++)
		decide(&t, c);
	for (c = 0; c < p->nclass; c++)
		for (n = 0; t.state[c] == UNSEEN && n < p->class[c].nnode; n++)
			rewrite(&t, c, &p->class[c].node[n]);
	remove_contracted(&t);
	scc_free(&scc);
	mem_free(t.state);
	mem_free(t.nuser);
	vec_free(&t.kid);
}
