/* Growing sets, and taking their costs; see ascent.h. */
#include "extract/ascent.h"

#include "base/mem.h"
#include "extract/heap.h"
#include "extract/swap.h"

#define MOST_WORK (UINT64_C(1) << 29)	/* nodes and children looked at, a second or two; counted, so that runs are alike */

enum { MOST_MEMBERS = 1 << 22 };	/* of sets that are kept */

struct climb {
	const struct tn_problem *p;
	struct ascent *a;
	uint32_t *class;		/* of a node */
	uint32_t *user, *first;		/* nodes with child c: user[first[c]] … */
	uint32_t *missing;		/* per node: children that are not free */
	bool *is_free;			/* class with a derivation of which nothing is left */
	uint32_t *mark, stamp;		/* stamp: in the set */
	VEC(uint32_t) set, border, todo;
	struct watch *watch;
	uint64_t start;
};

static bool
is_over(struct climb *t, uint64_t more)
{
	return watch_late(t->watch, more) || t->watch->work - t->start > MOST_WORK;
}

/*
 * below[] from left[]: a derivation pays for its node and for the dearest child's.  Classes are settled in order of rising
 * cost, as in tree.c, so the child that comes last is the dearest.
 */
static void
find_below(struct climb *t)
{
	const struct tn_problem *p = t->p;
	uint32_t *missing = mem_alloc(((size_t)p->nnode + 1) * sizeof *missing), n, c, i;
	heap h = {0};

	for (c = 0; c < p->nclass; c++)
		t->a->below[c] = COST_MAX;
	for (n = 0; n < p->nnode; n++) {
		missing[n] = p->kid_first[n + 1] - p->kid_first[n];
		if (!missing[n])
			heap_push(&h, (struct ready){t->a->left[n], n});
	}
	while (h.n) {
		struct ready r = heap_pop(&h);

		c = t->class[r.of];
		if (r.cost == COST_MAX)
			break;
		if (t->a->below[c] != COST_MAX)
			continue;
		t->a->below[c] = r.cost;
		for (i = t->first[c]; i < t->first[c + 1]; i++) {
			n = t->user[i];
			if (--missing[n] == 0)
				heap_push(&h, (struct ready){cost_add(r.cost, t->a->left[n]), n});
		}
	}
	vec_free(&h);
	mem_free(missing);
}

/* above[] from left[]: the nodes on a way down from a root, the class's own not counted */
static void
find_above(struct climb *t)
{
	const struct tn_problem *p = t->p;
	uint32_t c, n, i;
	heap h = {0};

	for (c = 0; c < p->nclass; c++)
		t->a->above[c] = COST_MAX;
	for (i = 0; i < p->nroot; i++)
		heap_push(&h, (struct ready){0, p->root[i]});
	while (h.n) {
		struct ready r = heap_pop(&h);

		if (r.cost == COST_MAX)
			break;
		if (t->a->above[r.of] != COST_MAX)
			continue;
		t->a->above[r.of] = r.cost;
		for (n = p->first[r.of]; n < p->first[r.of + 1]; n++)
			for (i = p->kid_first[n]; i < p->kid_first[n + 1]; i++)
				if (t->a->above[p->kid[i]] == COST_MAX)
					heap_push(&h, (struct ready){cost_add(r.cost, t->a->left[n]), p->kid[i]});
	}
	vec_free(&h);
}

/* the class, and others with it, may be free now that nothing is left of node n */
static void
spread(struct climb *t, uint32_t n)
{
	uint32_t c, i;

	t->todo.n = 0;
	vec_push(&t->todo, n);
	while (t->todo.n) {
		n = vec_pop(&t->todo);
		c = t->class[n];
		if (t->missing[n] || t->a->left[n] || t->is_free[c])
			continue;
		t->is_free[c] = true;
		for (i = t->first[c]; i < t->first[c + 1]; i++) {
			t->missing[t->user[i]]--;
			vec_push(&t->todo, t->user[i]);
		}
	}
}

static void
put(struct climb *t, uint32_t c)
{
	if (t->mark[c] == t->stamp)
		return;
	t->mark[c] = t->stamp;
	vec_push(&t->set, c);
}

static bool
touches_set(const struct climb *t, uint32_t n)
{
	uint32_t i;

	for (i = t->p->kid_first[n]; i < t->p->kid_first[n + 1]; i++)
		if (t->mark[t->p->kid[i]] == t->stamp)
			return true;
	return false;
}

/* a child of the node that is not free: the one that costs most to come by */
static uint32_t
dearest_kid(const struct climb *t, uint32_t n)
{
	const struct tn_problem *p = t->p;
	uint32_t i, u, best = TN_NONE;

	for (i = p->kid_first[n]; i < p->kid_first[n + 1]; i++) {
		u = p->kid[i];
		if (!t->is_free[u] && (best == TN_NONE || t->a->below[u] > t->a->below[best]))
			best = u;
	}
	return best;
}

/*
 * The set: the root, and for each of its nodes of which nothing is left a child that is not free, which there is or the
 * class were free.  The border: its nodes without a child in it, all of which have something left.
 */
static void
grow(struct climb *t, uint32_t root)
{
	const struct tn_problem *p = t->p;
	uint32_t i, n, c, kept;

	t->stamp++;
	t->set.n = t->border.n = 0;
	put(t, root);
	for (i = 0; i < t->set.n; i++) {
		c = t->set.at[i];
		for (n = p->first[c]; n < p->first[c + 1]; n++)
			if (t->a->left[n])
				vec_push(&t->border, n);
			else if (!touches_set(t, n))
				put(t, dearest_kid(t, n));
		t->watch->work += p->first[c + 1] - p->first[c] + p->kid_first[p->first[c + 1]] - p->kid_first[p->first[c]];
	}
	for (i = kept = 0; i < t->border.n; i++)
		if (!touches_set(t, t->border.at[i]))
			t->border.at[kept++] = t->border.at[i];
	t->border.n = kept;
}

/* take what the cheapest of the border has left from all of it; false: there is no border, so no choice */
static bool
take(struct climb *t)
{
	int64_t least = COST_MAX, *left = t->a->left;
	uint32_t i;

	for (i = 0; i < t->border.n; i++)
		least = left[t->border.at[i]] < least ? left[t->border.at[i]] : least;
	t->a->bound = cost_add(t->a->bound, least);
	for (i = 0; i < t->border.n; i++)
		left[t->border.at[i]] -= least;
	for (i = 0; i < t->border.n; i++)
		spread(t, t->border.at[i]);
	return t->border.n;
}

static void
keep_set(struct climb *t)
{
	uint32_t i;

	if (t->a->member.n + t->set.n > MOST_MEMBERS)
		return;
	for (i = 0; i < t->set.n; i++)
		vec_push(&t->a->member, t->set.at[i]);
	vec_push(&t->a->end, t->a->member.n);
}

/* one set of each root in turn, until all are free */
static void
climb(struct climb *t)
{
	const struct tn_problem *p = t->p;
	bool more = true;
	uint32_t i;

	while (more)
		for (more = false, i = 0; i < p->nroot; i++) {
			if (is_over(t, 1))
				return;
			if (t->is_free[p->root[i]])
				continue;
			grow(t, p->root[i]);
			if (!take(t))
				return;
			keep_set(t);
			more = true;
		}
}

static void
start(struct climb *t)
{
	const struct tn_problem *p = t->p;
	uint32_t n;

	t->class = problem_classes(p);
	t->user = problem_users(p, &t->first);
	t->missing = mem_alloc(((size_t)p->nnode + 1) * sizeof *t->missing);
	t->is_free = mem_alloc((size_t)p->nclass + 1);
	t->mark = mem_alloc(((size_t)p->nclass + 1) * sizeof *t->mark);
	for (n = 0; n < p->nnode; n++) {
		t->a->left[n] = p->cost[n] < COST_MAX ? p->cost[n] : COST_MAX;
		t->missing[n] = p->kid_first[n + 1] - p->kid_first[n];
	}
	for (n = 0; n < p->nnode; n++)
		spread(t, n);
}

void
ascent_make(struct ascent *a, const struct tn_problem *p, struct watch *watch)
{
	struct climb t = {.p = p, .a = a, .watch = watch, .start = watch->work};

	*a = (struct ascent){0};
	a->left = mem_alloc(((size_t)p->nnode + 1) * sizeof *a->left);
	a->below = mem_alloc(((size_t)p->nclass + 1) * sizeof *a->below);
	a->above = mem_alloc(((size_t)p->nclass + 1) * sizeof *a->above);
	start(&t);
	find_below(&t);
	climb(&t);
	find_below(&t);
	find_above(&t);
	mem_free(t.class);
	mem_free(t.user);
	mem_free(t.first);
	mem_free(t.missing);
	mem_free(t.is_free);
	mem_free(t.mark);
	vec_free(&t.set);
	vec_free(&t.border);
	vec_free(&t.todo);
}

void
ascent_free(struct ascent *a)
{
	mem_free(a->left);
	mem_free(a->below);
	mem_free(a->above);
	vec_free(&a->end);
	vec_free(&a->member);
}

/*
 * The node's class stands below a root along a way of chosen nodes, and the node's children above their derivations, which
 * share no class with that way or there were a circle.
 */
int64_t
ascent_with(const struct ascent *a, const struct tn_problem *p, uint32_t c, uint32_t n)
{
	int64_t most = 0;
	uint32_t i;

	for (i = p->kid_first[n]; i < p->kid_first[n + 1]; i++)
		most = a->below[p->kid[i]] > most ? a->below[p->kid[i]] : most;
	return cost_add(cost_add(a->bound, a->above[c]), cost_add(a->left[n], most));
}

int64_t
ascent_choose(const struct ascent *a, const struct tn_problem *p, uint32_t node[], const struct prog_limits *limits)
{
	struct tn_problem rest = *p;

	rest.cost = a->left;
	extract_tree(&rest, node);
	return choice_settle(p, node, NULL) < 0 ? -1 : extract_local(p, node, limits);
}
