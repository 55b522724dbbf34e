/* Canonical order by refinement of colours; see equal.h. */
#include "extract/equal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { ROUNDS = 6 };

static uint64_t
mix(uint64_t a, uint64_t b)
{
	uint64_t pair[2] = {a, b};

	return hash_bytes(pair, sizeof pair);
}

struct keyed {
	uint64_t key;
	uint32_t index;
};

static int
by_key(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* a number of the node from its cost and, in whatever order, its children's */
static uint64_t
node_colour(const struct prog_node *node, const uint64_t colour[])
{
	uint64_t sum = 0;
	uint32_t k;

	for (k = 0; k < node->nkid; k++)
		sum += mix(colour[node->kid[k]], 1);
	return mix(mix((uint64_t)node->cost, node->nkid), sum);
}

/* new numbers from the nodes, and from those of the users */
static void
refine(const struct prog *p, const uint64_t old[], uint64_t colour[])
{
	uint32_t c, n, k;

	for (c = 0; c < p->nclass; c++)
		colour[c] = mix(old[c], p->class[c].nnode);
	for (c = 0; c < p->nclass; c++)
		for (n = 0; n < p->class[c].nnode; n++) {
			const struct prog_node *node = &p->class[c].node[n];
			uint64_t own = node_colour(node, old), user = mix(old[c], own);

			colour[c] += mix(own, 2);
			for (k = 0; k < node->nkid; k++)
				colour[node->kid[k]] += mix(user, 3);
		}
}

static void
sort(struct keyed at[], uint32_t n, uint32_t index[])
{
	uint32_t i;

	if (n > 1)
		qsort(at, n, sizeof *at, by_key);
	for (i = 0; i < n; i++)
		index[i] = at[i].index;
}

/* the class at place i: its nodes in order, written out with the places of their children */
static void
write_class(struct canon *t, const struct prog *p, uint32_t i, const uint32_t place[], const uint64_t number[], struct keyed at[])
{
	const struct prog_class *class = &p->class[t->class[i]];
	VEC(struct keyed) kid = {0};
	uint32_t n, k;

	for (n = 0; n < class->nnode; n++)
		at[n] = (struct keyed){node_colour(&class->node[n], number), n};
	sort(at, class->nnode, t->node[i]);
	vec_push(&t->text, (uint64_t)class->nnode << 1 | class->is_root);
	for (n = 0; n < class->nnode; n++) {
		const struct prog_node *node = &class->node[t->node[i][n]];

		vec_push(&t->text, (uint64_t)node->cost);
		vec_push(&t->text, node->nkid);
		kid.n = 0;
		for (k = 0; k < node->nkid; k++)
			vec_push(&kid, ((struct keyed){place[node->kid[k]], 0}));
		if (kid.n > 1)
			qsort(kid.at, kid.n, sizeof *kid.at, by_key);
		for (k = 0; k < kid.n; k++)
			vec_push(&t->text, kid.at[k].key);
	}
	vec_free(&kid);
}

void
canon_make(struct canon *t, const struct prog *p, struct arena *arena)
{
	uint64_t *old = mem_alloc(p->nclass * sizeof *old), *colour = mem_alloc(p->nclass * sizeof *colour), *swap;
	uint32_t *place = mem_alloc(p->nclass * sizeof *place), i, c, widest = 0;
	struct keyed *at;

	*t = (struct canon){0};
	for (c = 0; c < p->nclass; c++) {
		colour[c] = p->class[c].is_root;
		widest = p->class[c].nnode > widest ? p->class[c].nnode : widest;
	}
	for (i = 0; i < ROUNDS; i++) {
		swap = old;
		old = colour;
		colour = swap;
		refine(p, old, colour);
	}
	at = mem_alloc(((size_t)p->nclass + widest) * sizeof *at);
	for (c = 0; c < p->nclass; c++)
		at[c] = (struct keyed){colour[c], c};
	t->class = arena_news(arena, p->nclass, uint32_t);
	t->node = arena_news(arena, p->nclass, uint32_t *);
	sort(at, p->nclass, t->class);
	for (i = 0; i < p->nclass; i++)
		place[t->class[i]] = i;
	/* nodes are ordered by places, which distinguish more than colours */
	for (c = 0; c < p->nclass; c++)
		old[c] = place[c];
	for (i = 0; i < p->nclass; i++) {
		t->node[i] = arena_news(arena, p->class[t->class[i]].nnode, uint32_t);
		write_class(t, p, i, place, old, at);
	}
	mem_free(old);
	mem_free(colour);
	mem_free(place);
	mem_free(at);
}

void
canon_free(struct canon *t)
{
	vec_free(&t->text);
}

void
canon_carry(const struct canon *from, const uint32_t from_pick[], const struct canon *to, uint32_t to_pick[], uint32_t nclass)
{
	uint32_t i, k, pick;

	for (i = 0; i < nclass; i++) {
		pick = from_pick[from->class[i]];
		to_pick[to->class[i]] = TN_NONE;
		for (k = 0; pick != TN_NONE; k++)
			if (from->node[i][k] == pick) {
				to_pick[to->class[i]] = to->node[i][k];
				break;
			}
	}
}
