/* Every choice, one after another: the oracle of the others, for e-graphs of a dozen classes. */
#include <string.h>

#include "base/mem.h"
#include "extract/choice.h"

bool
extract_next(const struct tn_problem *p, uint32_t node[])
{
	uint32_t c = p->nclass;

	while (c-- > 0) {
		if (p->first[c] == p->first[c + 1])
			continue;
		if (++node[c] < p->first[c + 1])
			return true;
		node[c] = p->first[c];
	}
	return false;
}

int64_t
extract_brute(const struct tn_problem *p, uint32_t node[])
{
	uint32_t *now = mem_alloc(p->nclass * sizeof *now), *trial = mem_alloc(p->nclass * sizeof *trial), c;
	int64_t cost = -1, got;

	for (c = 0; c < p->nclass; c++)
		now[c] = p->first[c] < p->first[c + 1] ? p->first[c] : TN_NONE;
	do {
		memcpy(trial, now, p->nclass * sizeof *trial);
		got = choice_settle(p, trial, NULL);
		if (got >= 0 && (cost < 0 || got < cost)) {
			cost = got;
			memcpy(node, trial, p->nclass * sizeof *node);
		}
	} while (extract_next(p, now));
	mem_free(now);
	mem_free(trial);
	return cost;
}
