/*
 * Places for buffers in one block: those in use at the same time do not overlap.
 *
 * Larger ones first, each at the lowest offset that is free while it is in use.  On the usual networks this comes within a
 * few per cent of the largest sum in use at one time, which no placing can beat.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "target/target.h"

enum { ALIGN = 64 };

static int
by_size(const void *a, const void *b)
{
	const struct span_of_use *x = *(const struct span_of_use *const *)a, *y = *(const struct span_of_use *const *)b;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	return x < y ? -1 : 1;
}

static int
by_offset(const void *a, const void *b)
{
	const struct span_of_use *x = *(const struct span_of_use *const *)a, *y = *(const struct span_of_use *const *)b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

/* the lowest gap among those that were placed and are in use at the same time */
static size_t
find_gap(const struct span_of_use *s, struct span_of_use **placed, uint32_t n, struct span_of_use **busy)
{
	size_t at = 0, end;
	uint32_t i, k = 0;

	for (i = 0; i < n; i++)
		if (placed[i]->from <= s->to && s->from <= placed[i]->to)
			busy[k++] = placed[i];
	qsort(busy, k, sizeof *busy, by_offset);
	for (i = 0; i < k; i++) {
		if (busy[i]->offset >= at + s->bytes)
			break;
		end = busy[i]->offset + busy[i]->bytes;
		at = end > at ? (end + ALIGN - 1) / ALIGN * ALIGN : at;
	}
	return at;
}

size_t
memory_place(struct span_of_use *s, uint32_t n)
{
	struct span_of_use **order = mem_alloc((2 * (size_t)n + 1) * sizeof *order), **busy = order + n;
	size_t most = 0;
	uint32_t i;

	for (i = 0; i < n; i++)
		order[i] = &s[i];
	qsort(order, n, sizeof *order, by_size);
	for (i = 0; i < n; i++) {
		order[i]->offset = find_gap(order[i], order, i, busy);
		if (order[i]->offset + order[i]->bytes > most)
			most = order[i]->offset + order[i]->bytes;
	}
	mem_free(order);
	return most;
}
