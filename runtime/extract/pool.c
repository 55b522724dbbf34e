/*
 * Cuts from one program to the next.  A row of relax.h holds for any set of classes, so what is left of a
 * set after reductions and splits gives a row still; whether it is of use the next solve shows.
 */
#include <math.h>

#include "base/mem.h"
#include "extract/component.h"

#define BINDING 1e-9

/* those that held the last solution up */
void
pool_add(struct cut_pool *pool, const struct relax *r)
{
	uint32_t i, k;

	for (i = 0; i < r->row.n; i++) {
		const struct relax_row *row = &r->row.at[i];

		if (row->nset == 0 || fabs(r->dual.at[i]) <= BINDING)
			continue;
		for (k = 0; k < row->nset; k++)
			vec_push(&pool->tag, r->p->class[r->member.at[row->set + k]].tag);
		vec_push(&pool->end, pool->tag.n);
	}
}

/* the class of the tag, by bisection: tags ascend */
static uint32_t
find_tag(const struct prog *p, uint32_t tag)
{
	uint32_t low = 0, high = p->nclass, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (p->class[mid].tag < tag)
			low = mid + 1;
		else
			high = mid;
	}
	return low < p->nclass && p->class[low].tag == tag ? low : TN_NONE;
}

void
pool_use(const struct cut_pool *pool, struct relax *r)
{
	VEC(uint32_t) set = {0};
	uint32_t i, k = 0, c;

	for (i = 0; i < pool->end.n; i++) {
		bool has_first = find_tag(r->p, pool->tag.at[k]) != TN_NONE;

		for (set.n = 0; k < pool->end.at[i]; k++)
			if (has_first && (c = find_tag(r->p, pool->tag.at[k])) != TN_NONE)
				vec_push(&set, c);
		if (set.n > 1)
			relax_cut(r, set.at, set.n);
	}
	vec_free(&set);
}

void
pool_free(struct cut_pool *pool)
{
	vec_free(&pool->end);
	vec_free(&pool->tag);
}
