/*
 * DAG greedy: bottom up, each class keeps the set of classes its best node needs, so that shared
 * parts are paid for once; a class is looked at again when a child of one of its nodes got cheaper.
 *
 * The sets of users are not remade when a class inside them changes, so the result is a heuristic:
 * it is settled and costed afresh, and the tree choice is kept if cheaper.
 */
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "extract/choice.h"
#include "extract/limits.h"

enum { MEMORY_WORDS = 1 << 27 };	/* sets stop growing at half a GiB: what is found by then counts */
#define MOST_WORK (UINT64_C(1) << 31)	/* members of sets looked at, some seconds; counted, so that runs are alike */

struct best {
	uint32_t *set, n;	/* classes needed, this one last */
	int64_t cost;
};

struct dag {
	const struct tn_problem *p;
	struct best *best;
	uint32_t *mark, stamp;
	int64_t *pick_cost;	/* of the node chosen now */
	size_t words;
	struct watch watch;
	VEC(uint32_t) set;	/* of the node looked at */
};

/* the set and cost of node n over its children's sets; -1: a child has none yet, c is in it, or it is late */
static int64_t
gather(struct dag *d, uint32_t c, uint32_t n)
{
	const struct tn_problem *p = d->p;
	int64_t cost = p->cost[n];
	uint32_t i, k;

	d->stamp++;
	d->set.n = 0;
	for (i = p->kid_first[n]; i < p->kid_first[n + 1]; i++) {
		const struct best *b = &d->best[p->kid[i]];

		if (!b->set)
			return -1;
		if (watch_late(&d->watch, b->n))
			return -1;
		for (k = 0; k < b->n; k++) {
			uint32_t x = b->set[k];

			if (x == c)
				return -1;
			if (d->mark[x] == d->stamp)
				continue;
			d->mark[x] = d->stamp;
			cost = cost_add(cost, d->pick_cost[x]);
			vec_push(&d->set, x);
		}
	}
	vec_push(&d->set, c);
	return cost;
}

/* so much more was done: is that enough? */
static bool
is_over(struct dag *d, uint64_t more)
{
	return watch_late(&d->watch, more) || d->watch.work > MOST_WORK;
}

/* look at all nodes of class c; true if its best got cheaper */
static bool
improve(struct dag *d, uint32_t c, uint32_t node[])
{
	const struct tn_problem *p = d->p;
	struct best *b = &d->best[c];
	bool better = false;
	uint32_t n;
	int64_t cost;

	for (n = p->first[c]; n < p->first[c + 1] && !is_over(d, 1); n++) {
		if (p->cost[n] == TN_COST_NEVER || (cost = gather(d, c, n)) < 0)
			continue;
		if (b->set && cost >= b->cost)
			continue;
		if (d->words + d->set.n > MEMORY_WORDS)
			return better;
		d->words += d->set.n;
		d->words -= b->set ? b->n : 0;
		mem_free(b->set);
		b->set = mem_alloc(d->set.n * sizeof *b->set);
		memcpy(b->set, d->set.at, d->set.n * sizeof *b->set);
		b->n = d->set.n;
		b->cost = cost;
		node[c] = n;
		d->pick_cost[c] = p->cost[n];
		better = true;
	}
	return better;
}

/* to a fixpoint, in rounds over the classes whose children changed; rounds are bounded because
 * stale sets could make costs chase each other */
static void
run(struct dag *d, uint32_t node[])
{
	const struct tn_problem *p = d->p;
	uint32_t *first, *users = problem_users(p, &first), *class = problem_classes(p), c, i, round, parent;
	uint8_t *now = mem_alloc(p->nclass), *next = mem_alloc(p->nclass), *t;
	bool any = true;

	memset(now, 1, p->nclass);
	for (round = 0; any && round < 64 + p->nclass && !is_over(d, p->nclass); round++) {
		any = false;
		memset(next, 0, p->nclass);
		for (c = 0; c < p->nclass && !d->watch.is_late; c++)
			if (now[c] && improve(d, c, node))
				for (i = first[c]; i < first[c + 1]; i++) {
					/* a parent still to come in this round sees the change already */
					parent = class[users[i]];
					*(parent > c ? &now[parent] : &next[parent]) = 1;
					any = true;
				}
		t = now;
		now = next;
		next = t;
	}
	mem_free(now);
	mem_free(next);
	mem_free(class);
	mem_free(users);
	mem_free(first);
}

int64_t
extract_dag(const struct tn_problem *p, uint32_t node[], const struct prog_limits *limits)
{
	struct dag d = {.p = p, .watch = {.limits = limits}};
	uint32_t *tree = mem_alloc(p->nclass * sizeof *tree), c;
	int64_t tree_cost = extract_tree(p, tree), cost;

	d.best = mem_alloc(p->nclass * sizeof *d.best);
	d.mark = mem_alloc(p->nclass * sizeof *d.mark);
	d.pick_cost = mem_alloc(p->nclass * sizeof *d.pick_cost);
	for (c = 0; c < p->nclass; c++)
		node[c] = TN_NONE;
	run(&d, node);
	for (c = 0; c < p->nclass; c++)
		mem_free(d.best[c].set);
	mem_free(d.best);
	mem_free(d.mark);
	mem_free(d.pick_cost);
	vec_free(&d.set);

	cost = choice_settle(p, node, NULL);
	if (tree_cost >= 0 && (cost < 0 || tree_cost < cost)) {
		memcpy(node, tree, p->nclass * sizeof *node);
		cost = tree_cost;
	}
	mem_free(tree);
	return cost;
}
