/*
 * Edges that say nothing: a child is taken from a node where it is chosen anyway, and where no cycle is
 * lost.  Every choice of the program is one of the reduced program; what is shown is the way back.
 *
 *  1. Child u of a node of class A is a root and in another strongly connected component.  It is chosen, and no
 *     cycle passes along the edge.
 *  2. u is in must(x) of another child x of the same node.  The choice has a way from x to u, so u is chosen, and a
 *     cycle along the edge to u gives one along the way by x.  (must(x) and must(u) cannot hold each other's class, so of
 *     several such children the ones nothing stands for remain.)  Edges of kind 1 that are missing on
 *     the way by x lead to chosen classes, and a way that comes back to A stays in A's component and misses none.
 *  3. A is no root, u is in another component, and each node p (of class P) with A as a child has another
 *     child s with u in must(s) and A not in must(s).  Take a choice, and order its classes so that children, the
 *     edges taken away included, come after their parents.  Let P be the last parent of A in that order.  A is not
 *     below s, or a later parent of A were.  So if u is not chosen, an edge taken away below s has an end that is
 *     not chosen; it belongs to a class, not s itself, whose last parent comes after P.  The same is said
 *     of that class, and this ends.  To keep it true, an edge p -> s that was used and the edges of s stay
 *     in this pass (lock), and such edges are not used if they were changed (touched).
 */
#include "base/mem.h"
#include "extract/reduce.h"

struct edges {
	struct reduction *r;
	struct prog_user *user;
	uint32_t *first;
	bool *lock, *touched;		/* class */
};

/* is u below another child of the node? */
static bool
is_below_sibling(const struct must *m, const struct prog_node *node, uint32_t u)
{
	uint32_t k;

	for (k = 0; k < node->nkid; k++)
		if (node->kid[k] != u && must_has(m, node->kid[k], u))
			return true;
	return false;
}

/* kinds 1 and 2 */
static void
thin_node(struct reduction *r, uint32_t c, struct prog_node *node)
{
	const struct prog *p = r->p;
	uint32_t k, u, kept = 0, *kid;

	if (!node->nkid)
		return;
	kid = mem_alloc(node->nkid * sizeof *kid);
	for (k = 0; k < node->nkid; k++) {
		u = node->kid[k];
		if (p->class[u].is_root && r->scc.of[u] != r->scc.of[c])
			continue;
		if (r->must.set && is_below_sibling(&r->must, node, u))
			continue;
		kid[kept++] = u;
	}
	for (k = 0; k < kept; k++)
		node->kid[k] = kid[k];
	node->nkid = kept;
	mem_free(kid);
}

/* the sibling of class a under the user that brings u along; TN_NONE: there is none */
static uint32_t
find_witness(const struct edges *e, const struct prog_user *by, uint32_t a, uint32_t u)
{
	const struct prog_node *node = &e->r->p->class[by->class].node[by->node];
	const struct must *m = &e->r->must;
	uint32_t k, s;

	e->r->watch.work += node->nkid;
	for (k = 0; k < node->nkid; k++) {
		s = node->kid[k];
		if (s != a && !e->touched[s] && must_has(m, s, u) && !must_has(m, s, a))
			return s;
	}
	return TN_NONE;
}

/* kind 3: is u there whenever a is, as far as there is time to see?  Locks what shows it. */
static bool
is_brought(struct edges *e, uint32_t a, uint32_t u)
{
	uint32_t i, s;

	for (i = e->first[a]; i < e->first[a + 1]; i++)
		if (watch_late(&e->r->watch, 1) || e->touched[e->user[i].class] || find_witness(e, &e->user[i], a, u) == TN_NONE)
			return false;
	for (i = e->first[a]; i < e->first[a + 1]; i++) {
		s = find_witness(e, &e->user[i], a, u);
		e->lock[s] = e->lock[e->user[i].class] = true;
	}
	return e->first[a] < e->first[a + 1];
}

/* take child u from all nodes of class a */
static void
drop_kid(struct prog_class *class, uint32_t u)
{
	uint32_t n, k, kept;

	for (n = 0; n < class->nnode; n++) {
		struct prog_node *node = &class->node[n];

		for (k = 0, kept = 0; k < node->nkid; k++)
			if (node->kid[k] != u)
				node->kid[kept++] = node->kid[k];
		node->nkid = kept;
	}
}

static void
thin_class(struct edges *e, uint32_t a)
{
	struct prog *p = e->r->p;
	struct prog_class *class = &p->class[a];
	uint32_t n, k, u;

	for (n = 0; n < class->nnode; n++)
		for (k = 0; k < class->node[n].nkid && !e->r->watch.is_late; ) {
			u = class->node[n].kid[k];
			/* what it uses must not be its own edges */
			if (e->r->scc.of[u] != e->r->scc.of[a] && !e->lock[a] && is_brought(e, a, u)) {
				drop_kid(class, u);
				e->touched[a] = true;
			} else {
				k++;
			}
		}
}

void
step_edge(struct reduction *r)
{
	struct prog *p = r->p;
	struct edges e = {.r = r};
	uint32_t c, n;

	for (c = 0; c < p->nclass; c++)
		for (n = 0; n < p->class[c].nnode; n++) {
			if (watch_late(&r->watch, 1 + (uint64_t)p->class[c].node[n].nkid * p->class[c].node[n].nkid))
				return;
			thin_node(r, c, &p->class[c].node[n]);
		}
	if (!r->must.set)
		return;
	must_free(&r->must);
	scc_free(&r->scc);
	scc_make(&r->scc, p);
	if (!must_make(&r->must, p, &r->scc, &r->watch))
		return;
	e.user = prog_users(p, &e.first);
	e.lock = mem_alloc(p->nclass);
	e.touched = mem_alloc(p->nclass);
	for (c = 0; c < p->nclass && !r->watch.is_late; c++)
		if (!p->class[c].is_root)
			thin_class(&e, c);
	mem_free(e.user);
	mem_free(e.first);
	mem_free(e.lock);
	mem_free(e.touched);
}
