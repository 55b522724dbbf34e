/* A choice with users counted; see swap.h. */
#include "extract/swap.h"

#include <string.h>

#include "base/mem.h"
#include "base/vec.h"

struct change {
	uint32_t class, count;		/* before */
};

struct frame {
	uint32_t class, kid;
};

struct swap {
	const struct tn_problem *p;
	uint32_t *node;			/* of every class, needed or not */
	uint32_t *count;		/* users among needed classes, and 1 for each time it is a root */
	int64_t cost;
	/* rank of a needed class: its children's are smaller */
	uint32_t *rank;
	bool is_ranked, keeps_rank;	/* keeps_rank: the last trial left the ranks right */
	/* per trial: classes met, and those on the way down */
	uint32_t *seen, *open, *fresh, stamp;
	VEC(struct change) change;	/* what the last trial changed, in order */
	uint32_t last_class, last_node;
	int64_t last_cost;
	uint64_t work;
	VEC(uint32_t) todo;
	VEC(struct frame) stack;
};

static void
set_count(struct swap *s, uint32_t c, uint32_t count)
{
	vec_push(&s->change, ((struct change){c, s->count[c]}));
	s->work++;
	s->count[c] = count;
}

/* one user more of the children of class c's node, and of theirs where they come in; false: one has no node */
static bool
enter(struct swap *s, uint32_t c)
{
	const struct tn_problem *p = s->p;
	uint32_t i, n, u;

	vec_push(&s->todo, c);
	while (s->todo.n) {
		n = s->node[vec_pop(&s->todo)];
		for (i = p->kid_first[n]; i < p->kid_first[n + 1]; i++) {
			u = p->kid[i];
			set_count(s, u, s->count[u] + 1);
			if (s->count[u] > 1)
				continue;
			if (s->node[u] == TN_NONE || p->cost[s->node[u]] == TN_COST_NEVER) {
				s->todo.n = 0;
				return false;
			}
			s->fresh[u] = s->stamp;
			s->cost = cost_add(s->cost, p->cost[s->node[u]]);
			vec_push(&s->todo, u);
		}
	}
	return true;
}

/* one user less of node n's children, and of theirs where they go */
static void
leave(struct swap *s, uint32_t n)
{
	const struct tn_problem *p = s->p;
	uint32_t i, u;

	for (;;) {
		for (i = p->kid_first[n]; i < p->kid_first[n + 1]; i++) {
			u = p->kid[i];
			set_count(s, u, s->count[u] - 1);
			if (s->count[u] == 0) {
				s->cost -= p->cost[s->node[u]];
				vec_push(&s->todo, u);
			}
		}
		if (!s->todo.n)
			return;
		n = s->node[vec_pop(&s->todo)];
	}
}

/*
 * Depth-first from class c; false on a cycle.  With ranks, only where it can be: among classes that just came in, and
 * those ranked above the first one.
 */
static bool
is_acyclic(struct swap *s, uint32_t c, bool by_rank)
{
	const struct tn_problem *p = s->p;
	uint32_t top = s->rank[c], u;

	s->stack.n = 0;
	vec_push(&s->stack, ((struct frame){c, 0}));
	s->seen[c] = s->open[c] = s->stamp;
	while (s->stack.n) {
		struct frame *f = &s->stack.at[s->stack.n - 1];
		uint32_t n = s->node[f->class];

		if (p->kid_first[n] + f->kid == p->kid_first[n + 1]) {
			s->open[f->class] = 0;
			if (!by_rank)
				s->rank[f->class] = ++s->rank[p->nclass];
			s->stack.n--;
			continue;
		}
		u = p->kid[p->kid_first[n] + f->kid++];
		s->work++;
		if (s->open[u] == s->stamp)
			return false;
		if (s->seen[u] == s->stamp || (by_rank && s->fresh[u] != s->stamp && s->rank[u] < top))
			continue;
		s->keeps_rank = false;
		s->seen[u] = s->open[u] = s->stamp;
		vec_push(&s->stack, ((struct frame){u, 0}));
	}
	return true;
}

static void
rank_all(struct swap *s)
{
	const struct tn_problem *p = s->p;
	uint32_t i;

	s->stamp++;
	s->rank[p->nclass] = 0;
	for (i = 0; i < p->nroot; i++)
		if (s->seen[p->root[i]] != s->stamp)
			is_acyclic(s, p->root[i], false);
	s->is_ranked = true;
}

static void
restore(struct swap *s)
{
	while (s->change.n) {
		struct change *c = &s->change.at[--s->change.n];

		s->count[c->class] = c->count;
	}
	s->node[s->last_class] = s->last_node;
	s->cost = s->last_cost;
}

bool
swap_try(struct swap *s, uint32_t c, uint32_t n)
{
	/* the trial before stays */
	if (s->change.n)
		s->is_ranked &= s->keeps_rank;
	s->change.n = 0;
	if (!s->is_ranked)
		rank_all(s);
	s->stamp++;
	s->keeps_rank = true;
	s->last_class = c;
	s->last_node = s->node[c];
	s->last_cost = s->cost;
	s->cost = cost_add(s->cost - s->p->cost[s->node[c]], s->p->cost[n]);
	s->node[c] = n;
	if (s->p->cost[n] == TN_COST_NEVER || !enter(s, c) || !is_acyclic(s, c, true)) {
		restore(s);
		return false;
	}
	leave(s, s->last_node);
	return true;
}

void
swap_undo(struct swap *s)
{
	restore(s);
	s->keeps_rank = true;
}

struct swap *
swap_new(const struct tn_problem *p, const uint32_t node[], const uint32_t fallback[])
{
	struct swap *s = mem_alloc(sizeof *s);
	size_t bytes = ((size_t)p->nclass + 1) * sizeof *s->node;
	uint32_t c, i;

	s->p = p;
	s->node = mem_alloc(bytes);
	s->count = mem_alloc(bytes);
	s->rank = mem_alloc(bytes);
	s->seen = mem_alloc(bytes);
	s->open = mem_alloc(bytes);
	s->fresh = mem_alloc(bytes);
	for (c = 0; c < p->nclass; c++)
		s->node[c] = node[c] != TN_NONE ? node[c] : fallback[c];
	for (i = 0; i < p->nroot; i++) {
		c = p->root[i];
		if (s->count[c]++ > 0)
			continue;
		s->cost = cost_add(s->cost, p->cost[s->node[c]]);
		enter(s, c);
	}
	s->change.n = 0;
	return s;
}

void
swap_free(struct swap *s)
{
	mem_free(s->node);
	mem_free(s->count);
	mem_free(s->rank);
	mem_free(s->seen);
	mem_free(s->open);
	mem_free(s->fresh);
	vec_free(&s->change);
	vec_free(&s->todo);
	vec_free(&s->stack);
	mem_free(s);
}

int64_t
swap_cost(const struct swap *s)
{
	return s->cost;
}

uint64_t
swap_work(const struct swap *s)
{
	return s->work;
}

uint32_t
swap_node(const struct swap *s, uint32_t c)
{
	return s->count[c] ? s->node[c] : TN_NONE;
}
