/*
 * Branching: where the relaxation says no more, the program is taken apart in two, whose choices together are all
 * of them.  A class that is no root and held in part: without it, or with it as a root.  Else a node held
 * in part of a root: without it, or without the others.  Both are programs like the one before and are reduced,
 * split, cut and bounded as such, so every proof rests on bound.c alone.
 */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "extract/component.h"

/* the class most in doubt, or TN_NONE: all are in or out */
static uint32_t
doubtful_class(const struct relax *r)
{
	uint32_t c, best = TN_NONE;
	double most = 0.01, doubt;

	for (c = 0; c < r->p->nclass; c++) {
		doubt = fmin(r->y[c], 1 - r->y[c]);
		if (!r->p->class[c].is_root && !r->is_forced[c] && doubt > most) {
			most = doubt;
			best = c;
		}
	}
	return best;
}

/* the column most in doubt; in the worst case the first of a class with several */
static uint32_t
doubtful_column(const struct relax *r)
{
	uint32_t col, c, best = TN_NONE;
	double most = 0, doubt;

	for (col = 0; col < r->ncol; col++) {
		c = r->class[col];
		doubt = fmin(r->x[col], 1 - r->x[col]);
		if (r->p->class[c].nnode > 1 && (best == TN_NONE || doubt > most)) {
			most = doubt;
			best = col;
		}
	}
	return best;
}

static int64_t
half(struct solver *s, struct task *t, const struct relax *r, bool keep[], bool root[], const struct cut_pool *pool)
{
	int64_t bound = task_part(s, t, r->first, keep, root, pool);
	uint32_t col;

	for (col = 0; col < r->ncol; col++)
		keep[col] = !r->is_out[col];
	return bound;
}

void
task_branch(struct solver *s, struct task *t, const struct relax *r, const struct cut_pool *pool)
{
	uint32_t c = doubtful_class(r), col = TN_NONE, k;
	bool *keep = mem_alloc((size_t)r->ncol + 1), *root = mem_alloc((size_t)t->p->nclass + 1);
	int64_t one, other;

	if (c == TN_NONE) {
		col = doubtful_column(r);
		c = col == TN_NONE ? TN_NONE : r->class[col];
	}
	memcpy(root, r->is_forced, t->p->nclass);
	for (k = 0; k < r->ncol; k++)
		keep[k] = !r->is_out[k];
	if (c != TN_NONE) {
		s->report->branches++;
		/* with it */
		for (k = r->first[c]; k < r->first[c + 1]; k++)
			keep[k] &= col == TN_NONE || k == col;
		root[c] = col == TN_NONE ? true : root[c];
		one = half(s, t, r, keep, root, pool);
		/* without it */
		for (k = r->first[c]; k < r->first[c + 1]; k++)
			keep[k] &= col != TN_NONE && k != col;
		root[c] = col == TN_NONE ? false : root[c];
		other = half(s, t, r, keep, root, pool);
		one = one < other ? one : other;
		t->bound = one > t->bound ? one : t->bound;
	}
	mem_free(keep);
	mem_free(root);
}
