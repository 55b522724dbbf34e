/* A heap of costs, least first; of equal ones the least number first, so that the order is one. */
#ifndef EXTRACT_HEAP_H
#define EXTRACT_HEAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct ready {
	int64_t cost;
	uint32_t of;
};
typedef VEC(struct ready) heap;

static inline bool
heap_before(struct ready a, struct ready b)
{
	return a.cost != b.cost ? a.cost < b.cost : a.of < b.of;
}

static inline void
heap_push(heap *h, struct ready r)
{
	uint32_t i = h->n;

	vec_push(h, r);
	for (; i && heap_before(r, h->at[(i - 1) / 2]); i = (i - 1) / 2)
		h->at[i] = h->at[(i - 1) / 2];
	h->at[i] = r;
}

static inline struct ready
heap_pop(heap *h)
{
	struct ready top = h->at[0], last = h->at[--h->n];
	uint32_t i = 0, k;

	while ((k = 2 * i + 1) < h->n) {
		if (k + 1 < h->n && heap_before(h->at[k + 1], h->at[k]))
			k++;
		if (!heap_before(h->at[k], last))
			break;
		h->at[i] = h->at[k];
		i = k;
	}
	if (h->n)
		h->at[i] = last;
	return top;
}

#endif
