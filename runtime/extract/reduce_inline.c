/*
 * Inline: a class that only nodes of one other class need.
 *
 * Let B be no root, and all nodes with B as a child lie in one class A.  Nodes of A exclude each other, so
 * B's cost is never shared: each such node p can be replaced by a node (p, m) for each m of B, with the cost of both
 * and the children of both but B.  A cycle through B goes through A as well, and stays one.
 *
 * P nodes need B and it has M: this is done where nodes do not become more, P * M <= P + M, or P is one.
 */
#include <string.h>

#include "base/mem.h"
#include "extract/reduce.h"

#define NOWHERE TN_NONE
#define MANY (TN_NONE - 1)

struct inlining {
	struct prog *p;
	uint32_t *only;		/* the one class whose nodes need it; where that was inlined, look there */
	uint32_t *into;		/* class it was inlined into, or itself */
	VEC(struct prog_node) made;
	struct watch *watch;
};

static uint32_t
place(struct inlining *t, uint32_t c)
{
	while (t->into[c] != c)
		c = t->into[c] = t->into[t->into[c]];
	return c;
}

static void
find_only(struct inlining *t)
{
	const struct prog *p = t->p;
	uint32_t c, n, k, u;

	for (c = 0; c < p->nclass; c++) {
		t->only[c] = NOWHERE;
		t->into[c] = c;
	}
	for (c = 0; c < p->nclass; c++)
		for (n = 0; n < p->class[c].nnode; n++)
			for (k = 0; k < p->class[c].node[n].nkid; k++) {
				u = p->class[c].node[n].kid[k];
				if (t->only[u] == NOWHERE)
					t->only[u] = c;
				else if (t->only[u] != c)
					t->only[u] = MANY;
			}
}

/* p's and m's children, without b */
static void
merge_kids(struct prog *p, struct prog_node *to, const struct prog_node *a, const struct prog_node *m, uint32_t b)
{
	uint32_t *kid = arena_news(p->arena, (size_t)a->nkid + m->nkid, uint32_t), n = 0, i = 0, k = 0, u;

	while (i < a->nkid || k < m->nkid) {
		u = k == m->nkid || (i < a->nkid && a->kid[i] < m->kid[k]) ? a->kid[i] : m->kid[k];
		if (u != b)
			kid[n++] = u;
		i += i < a->nkid && a->kid[i] == u;
		k += k < m->nkid && m->kid[k] == u;
	}
	to->kid = kid;
	to->nkid = n;
}

static void
combine(struct inlining *t, uint32_t into, const struct prog_node *a, uint32_t b)
{
	const struct prog_class *from = &t->p->class[b];
	uint32_t n;

	for (n = 0; n < from->nnode; n++) {
		struct prog_node both = {.cost = cost_add(a->cost, from->node[n].cost)};

		t->watch->work += a->nkid + from->node[n].nkid;
		merge_kids(t->p, &both, a, &from->node[n], b);
		if (prog_has_kid(&both, into))
			continue;
		both.bundle = prog_join(t->p, a->bundle, from->node[n].bundle);
		vec_push(&t->made, both);
	}
}

/* inline b into the class that alone needs it, if it is worth it */
static void
try(struct inlining *t, uint32_t b)
{
	struct prog *p = t->p;
	uint32_t into = place(t, t->only[b]), n;
	struct prog_class *class = &p->class[into];
	uint64_t users = 0, nodes = p->class[b].nnode;

	if (into == b)
		return;
	t->watch->work += class->nnode;
	for (n = 0; n < class->nnode; n++)
		users += prog_has_kid(&class->node[n], b);
	if (users > 1 && users * nodes > users + nodes)
		return;
	t->made.n = 0;
	for (n = 0; n < class->nnode; n++)
		if (prog_has_kid(&class->node[n], b))
			combine(t, into, &class->node[n], b);
		else
			vec_push(&t->made, class->node[n]);
	if (t->made.n > class->nnode)
		class->node = arena_news(p->arena, t->made.n, struct prog_node);
	class->nnode = t->made.n;
	if (t->made.n)
		memcpy(class->node, t->made.at, t->made.n * sizeof *class->node);
	p->class[b].nnode = 0;
	t->into[b] = into;
}

void
step_inline(struct reduction *r)
{
	struct prog *p = r->p;
	struct inlining t = {.p = p, .watch = &r->watch};
	uint32_t c;

	t.only = mem_alloc(p->nclass * sizeof *t.only);
	t.into = mem_alloc(p->nclass * sizeof *t.into);
	find_only(&t);
	for (c = 0; c < p->nclass && !watch_late(t.watch, 1); c++)
		if (p->class[c].nnode && !p->class[c].is_root && t.only[c] != NOWHERE && t.only[c] != MANY)
			try(&t, c);
	mem_free(t.only);
	mem_free(t.into);
	vec_free(&t.made);
}
