/* The program of reductions and its ways in and out; see prog.h. */
#include "extract/prog.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static int
by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

uint32_t
prog_set(uint32_t kid[], uint32_t n)
{
	uint32_t i, k = 0;

	if (n > 1)
		qsort(kid, n, sizeof *kid, by_number);
	for (i = 0; i < n; i++)
		if (k == 0 || kid[k - 1] != kid[i])
			kid[k++] = kid[i];
	return k;
}

static const struct prog_bundle *
leaf(struct arena *arena, uint32_t class, uint32_t node)
{
	struct prog_bundle *b = arena_new(arena, struct prog_bundle);

	*b = (struct prog_bundle){class, node, NULL, NULL};
	return b;
}

const struct prog_bundle *
prog_join(struct prog *p, const struct prog_bundle *a, const struct prog_bundle *b)
{
	struct prog_bundle *both;

	if (!a || !b)
		return a ? a : b;
	both = arena_new(p->arena, struct prog_bundle);
	*both = (struct prog_bundle){TN_NONE, TN_NONE, a, b};
	return both;
}

static struct prog *
make(struct arena *arena, uint32_t nclass)
{
	struct prog *p = arena_new(arena, struct prog);

	p->arena = arena;
	p->nclass = nclass;
	p->class = arena_news(arena, nclass, struct prog_class);
	return p;
}

struct prog *
prog_new(const struct tn_problem *from, struct arena *arena)
{
	struct prog *p = make(arena, from->nclass);
	uint32_t c, n, i;

	for (c = 0; c < from->nclass; c++) {
		struct prog_class *class = &p->class[c];

		class->tag = c;
		class->node = arena_news(arena, from->first[c + 1] - from->first[c], struct prog_node);
		for (n = from->first[c]; n < from->first[c + 1]; n++) {
			struct prog_node *node = &class->node[class->nnode];

			if (from->cost[n] == TN_COST_NEVER)
				continue;
			class->nnode++;
			node->cost = from->cost[n] < COST_MAX ? from->cost[n] : COST_MAX;
			node->nkid = from->kid_first[n + 1] - from->kid_first[n];
			node->kid = node->nkid ? arena_dup(arena, from->kid + from->kid_first[n], node->nkid * sizeof *node->kid) : NULL;
			node->nkid = prog_set(node->kid, node->nkid);
			node->bundle = leaf(arena, c, n);
		}
	}
	for (i = 0; i < from->nroot; i++)
		p->class[from->root[i]].is_root = true;
	return p;
}

/* copy a class, its children numbered anew */
static void
copy_class(struct prog *p, struct prog_class *to, const struct prog_class *from, const uint32_t number[])
{
	uint32_t n, k;

	*to = *from;
	to->node = arena_news(p->arena, from->nnode, struct prog_node);
	for (n = 0; n < from->nnode; n++) {
		struct prog_node *node = &to->node[n];

		*node = from->node[n];
		node->kid = arena_news(p->arena, node->nkid, uint32_t);
		for (k = 0; k < node->nkid; k++)
			node->kid[k] = number ? number[from->node[n].kid[k]] : from->node[n].kid[k];
	}
}

struct prog *
prog_copy(const struct prog *from, struct arena *arena)
{
	struct prog *p = make(arena, from->nclass);
	uint32_t c, n;

	for (c = 0; c < p->nclass; c++) {
		copy_class(p, &p->class[c], &from->class[c], NULL);
		for (n = 0; n < p->class[c].nnode; n++)
			p->class[c].node[n].bundle = leaf(arena, c, n);
	}
	return p;
}

void
prog_compact(struct prog *p)
{
	uint32_t *number = mem_alloc(p->nclass * sizeof *number), c, n, k, kept = 0;

	for (c = 0; c < p->nclass; c++)
		number[c] = p->class[c].nnode ? kept++ : TN_NONE;
	for (c = 0, kept = 0; c < p->nclass; c++) {
		if (!p->class[c].nnode)
			continue;
		for (n = 0; n < p->class[c].nnode; n++)
			for (k = 0; k < p->class[c].node[n].nkid; k++)
				p->class[c].node[n].kid[k] = number[p->class[c].node[n].kid[k]];
		p->class[kept++] = p->class[c];
	}
	p->nclass = kept;
	mem_free(number);
}

static uint32_t
leader(uint32_t group[], uint32_t c)
{
	while (group[c] != c)
		c = group[c] = group[group[c]];
	return c;
}

uint32_t
prog_components(const struct prog *p, uint32_t of[])
{
	uint32_t *group = mem_alloc(p->nclass * sizeof *group), c, n, k, a, b, count = 0;

	for (c = 0; c < p->nclass; c++)
		group[c] = c;
	for (c = 0; c < p->nclass; c++)
		for (n = 0; n < p->class[c].nnode; n++)
			for (k = 0; k < p->class[c].node[n].nkid; k++) {
				a = leader(group, c);
				b = leader(group, p->class[c].node[n].kid[k]);
				if (a < b)
					group[b] = a;
				else
					group[a] = b;
			}
	for (c = 0; c < p->nclass; c++) {
		a = leader(group, c);
		of[c] = a == c ? count++ : of[a];
	}
	mem_free(group);
	return count;
}

struct prog **
prog_split(const struct prog *p, uint32_t *n)
{
	uint32_t *of = mem_alloc(p->nclass * sizeof *of), *number = mem_alloc(p->nclass * sizeof *number), *size, c;
	struct prog **part;

	*n = prog_components(p, of);
	size = mem_alloc(*n * sizeof *size);
	part = arena_news(p->arena, *n, struct prog *);
	for (c = 0; c < p->nclass; c++)
		number[c] = size[of[c]]++;
	for (c = 0; c < p->nclass; c++) {
		if (!part[of[c]])
			part[of[c]] = make(p->arena, size[of[c]]);
		copy_class(part[of[c]], &part[of[c]]->class[number[c]], &p->class[c], number);
	}
	mem_free(of);
	mem_free(number);
	mem_free(size);
	return part;
}

void
prog_expand(const struct prog *p, const uint32_t pick[], uint32_t node[])
{
	VEC(const struct prog_bundle *) todo = {0};
	const struct prog_bundle *b;
	uint32_t c;

	if (p->fixed)
		vec_push(&todo, p->fixed);
	for (c = 0; c < p->nclass; c++)
		if (pick[c] != TN_NONE && p->class[c].node[pick[c]].bundle)
			vec_push(&todo, p->class[c].node[pick[c]].bundle);
	while (todo.n) {
		b = vec_pop(&todo);
		if (b->node != TN_NONE)
			node[b->class] = b->node;
		if (b->a)
			vec_push(&todo, b->a);
		if (b->b)
			vec_push(&todo, b->b);
	}
	vec_free(&todo);
}

struct tn_problem
prog_problem(const struct prog *p)
{
	uint32_t nnode = prog_nnode(p), nedge = (uint32_t)prog_nedge(p), c, n, nroot = 0, at = 0, edge = 0;
	uint32_t *first = arena_news(p->arena, p->nclass + 1, uint32_t), *kid_first = arena_news(p->arena, nnode + 1, uint32_t);
	uint32_t *kid = arena_news(p->arena, nedge, uint32_t), *root = arena_news(p->arena, p->nclass, uint32_t);
	int64_t *cost = arena_news(p->arena, nnode, int64_t);

	for (c = 0; c < p->nclass; c++) {
		if (p->class[c].is_root)
			root[nroot++] = c;
		for (n = 0; n < p->class[c].nnode; n++) {
			const struct prog_node *node = &p->class[c].node[n];

			cost[at] = node->cost;
			if (node->nkid)
				memcpy(kid + edge, node->kid, node->nkid * sizeof *kid);
			edge += node->nkid;
			kid_first[++at] = edge;
		}
		first[c + 1] = at;
	}
	return (struct tn_problem){p->nclass, nnode, nroot, first, kid_first, kid, cost, root, NULL};
}

void
prog_pick(const struct tn_problem *problem, uint32_t node[])
{
	uint32_t c;

	for (c = 0; c < problem->nclass; c++)
		if (node[c] != TN_NONE)
			node[c] -= problem->first[c];
}

int64_t
prog_least(const struct prog_class *class)
{
	int64_t least = class->node[0].cost;
	uint32_t n;

	for (n = 1; n < class->nnode; n++)
		if (class->node[n].cost < least)
			least = class->node[n].cost;
	return least;
}

int64_t
prog_root_cost(const struct prog *p)
{
	int64_t cost = 0;
	uint32_t c;

	for (c = 0; c < p->nclass; c++)
		if (p->class[c].is_root && p->class[c].nnode)
			cost = cost_add(cost, prog_least(&p->class[c]));
	return cost;
}

struct tn_extract_size
prog_size(const struct prog *p)
{
	struct tn_extract_size size = {.nodes = prog_nnode(p), .edges = prog_nedge(p)};
	uint32_t c;

	for (c = 0; c < p->nclass; c++)
		size.classes += p->class[c].nnode > 0;
	return size;
}

uint32_t
prog_nnode(const struct prog *p)
{
	uint32_t c, n = 0;

	for (c = 0; c < p->nclass; c++)
		n += p->class[c].nnode;
	return n;
}

uint64_t
prog_nedge(const struct prog *p)
{
	uint64_t edges = 0;
	uint32_t c, n;

	for (c = 0; c < p->nclass; c++)
		for (n = 0; n < p->class[c].nnode; n++)
			edges += p->class[c].node[n].nkid;
	return edges;
}

uint32_t
prog_filter(struct prog *p, uint32_t c, const bool keep[])
{
	struct prog_class *class = &p->class[c];
	uint32_t n, kept = 0, before = class->nnode;

	for (n = 0; n < before; n++)
		if (keep[n])
			class->node[kept++] = class->node[n];
	class->nnode = kept;
	return before - kept;
}

bool
prog_has_kid(const struct prog_node *node, uint32_t u)
{
	uint32_t low = 0, high = node->nkid, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (node->kid[mid] < u)
			low = mid + 1;
		else
			high = mid;
	}
	return low < node->nkid && node->kid[low] == u;
}
