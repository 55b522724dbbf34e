/* Must-sets and dominators by iteration to their greatest fixpoints; see must.h. */
#include "extract/must.h"

#include <string.h>

#include "base/mem.h"

enum { LARGEST_BYTES = 1 << 28 };

static uint64_t *
row(uint64_t *set, const struct must *m, uint32_t class)
{
	return set + (size_t)class * m->words;
}

/* sum = the union of the children's must-sets */
static void
below_node(const struct must *m, const struct tn_problem *p, uint32_t n, uint64_t sum[])
{
	uint32_t i, w;

	memset(sum, 0, m->words * sizeof *sum);
	for (i = p->kid_first[n]; i < p->kid_first[n + 1]; i++)
		for (w = 0; w < m->words; w++)
			sum[w] |= m->below[(size_t)p->kid[i] * m->words + w];
}

/* the class's set from its nodes' sets; true if it shrank */
static bool
shrink_below(struct must *m, const struct tn_problem *p, const bool usable[], uint32_t c, uint64_t all[], uint64_t sum[])
{
	uint64_t *set = row(m->below, m, c);
	bool changed = false;
	uint32_t n, w;

	memset(all, 0xff, m->words * sizeof *all);
	for (n = p->first[c]; n < p->first[c + 1]; n++) {
		if (!usable[n])
			continue;
		below_node(m, p, n, sum);
		for (w = 0; w < m->words; w++)
			all[w] &= sum[w];
	}
	all[c / 64] |= UINT64_C(1) << c % 64;
	for (w = 0; w < m->words; w++) {
		changed |= (set[w] & all[w]) != set[w];
		set[w] &= all[w];
	}
	return changed;
}

/* what dominates a class dominates, with the class itself, each child; true if any set shrank */
static bool
shrink_above(struct must *m, const struct tn_problem *p, const bool usable[], uint32_t c, bool is_root[])
{
	uint64_t *set = row(m->above, m, c), *kid, here;
	bool changed = false;
	uint32_t n, i, w;

	for (n = p->first[c]; n < p->first[c + 1]; n++)
		for (i = p->kid_first[n]; usable[n] && i < p->kid_first[n + 1]; i++) {
			if (is_root[p->kid[i]])
				continue;
			kid = row(m->above, m, p->kid[i]);
			for (w = 0; w < m->words; w++) {
				here = set[w] | (w == c / 64 ? UINT64_C(1) << c % 64 : 0);
				changed |= (kid[w] & here) != kid[w];
				kid[w] &= here;
			}
		}
	return changed;
}

bool
must_make(struct must *m, const struct tn_problem *p, const bool usable[])
{
	uint64_t *all, *sum;
	bool *is_root, more;
	size_t bytes;
	uint32_t c;

	*m = (struct must){.words = (p->nclass + 63) / 64};
	bytes = (size_t)p->nclass * m->words * sizeof *m->below;
	if (bytes > LARGEST_BYTES)
		return false;
	m->below = mem_alloc(bytes);
	m->above = mem_alloc(bytes);
	memset(m->below, 0xff, bytes);
	memset(m->above, 0xff, bytes);
	all = mem_alloc(m->words * sizeof *all);
	sum = mem_alloc(m->words * sizeof *sum);
	is_root = mem_alloc(p->nclass);
	for (c = 0; c < p->nroot; c++) {
		is_root[p->root[c]] = true;
		memset(row(m->above, m, p->root[c]), 0, m->words * sizeof *m->above);
	}
	do
		for (more = false, c = 0; c < p->nclass; c++)
			more |= shrink_below(m, p, usable, c, all, sum);
	while (more);
	do
		for (more = false, c = 0; c < p->nclass; c++)
			more |= shrink_above(m, p, usable, c, is_root);
	while (more);
	mem_free(all);
	mem_free(sum);
	mem_free(is_root);
	return true;
}

void
must_free(struct must *m)
{
	mem_free(m->below);
	mem_free(m->above);
	*m = (struct must){0};
}

bool
must_filter(const struct must *m, const struct tn_problem *p, bool usable[])
{
	uint64_t *sum = mem_alloc(m->words * sizeof *sum), bad, own;
	const uint64_t *above;
	bool any = false;
	uint32_t c, n, w;

	for (c = 0; c < p->nclass; c++) {
		above = m->above + (size_t)c * m->words;
		/* a class that no root reaches has every class above it: it is not needed anyway */
		for (n = p->first[c]; n < p->first[c + 1]; n++) {
			if (!usable[n])
				continue;
			below_node(m, p, n, sum);
			for (bad = 0, w = 0; w < m->words; w++) {
				own = w == c / 64 ? UINT64_C(1) << c % 64 : 0;
				bad |= sum[w] & (above[w] | own);
			}
			if (bad) {
				usable[n] = false;
				any = true;
			}
		}
	}
	mem_free(sum);
	return any;
}
