/* Moves by single swaps: towards cheaper choices, and towards the original among equally cheap ones; see swap.h. */
#include <string.h>

#include "base/mem.h"
#include "extract/swap.h"

enum { MOST_PASSES = 20 };
#define MOST_HOME (UINT64_C(1) << 31)	/* work on the way to the original, some seconds */

/* the choice as it is now, settled: its cost */
static int64_t
take(const struct tn_problem *p, const struct swap *s, uint32_t node[])
{
	uint32_t c;

	for (c = 0; c < p->nclass; c++)
		node[c] = swap_node(s, c);
	return choice_settle(p, node, NULL);
}

/* is it late after what the swaps did since it was last asked? */
static bool
is_late(struct watch *w, const struct swap *s)
{
	return watch_late(w, 1 + swap_work(s) - w->work);
}

/* try every other node of class c; true if one is cheaper */
static bool
improve(const struct tn_problem *p, struct swap *s, uint32_t c, struct watch *w)
{
	bool better = false;
	uint32_t n;
	int64_t cost;

	for (n = p->first[c]; n < p->first[c + 1] && swap_node(s, c) != TN_NONE && !is_late(w, s); n++) {
		cost = swap_cost(s);
		if (n == swap_node(s, c) || !swap_try(s, c, n))
			continue;
		if (swap_cost(s) < cost)
			better = true;
		else
			swap_undo(s);
	}
	return better;
}

int64_t
extract_local(const struct tn_problem *p, uint32_t node[], const struct prog_limits *limits)
{
	uint32_t *fallback = mem_alloc(p->nclass * sizeof *fallback), *found = mem_alloc(p->nclass * sizeof *found), c;
	int64_t cost = choice_settle(p, node, NULL), got;
	struct watch watch = {.limits = limits};
	bool better = true;
	struct swap *s;

	extract_derivable(p, fallback);
	s = swap_new(p, node, fallback);
	for (int pass = 0; better && pass < MOST_PASSES; pass++)
		for (better = false, c = 0; c < p->nclass && !watch.is_late; c++)
			if (p->first[c + 1] - p->first[c] > 1)
				better |= improve(p, s, c, &watch);
	/* sums that stopped at COST_MAX may have misled it */
	got = take(p, s, found);
	if (got >= 0 && got < cost) {
		memcpy(node, found, p->nclass * sizeof *node);
		cost = got;
	}
	swap_free(s);
	mem_free(fallback);
	mem_free(found);
	return cost;
}

/* The deadline does not count: out of time, too, a choice should change no more than it gains by. */
void
extract_home(const struct tn_problem *p, uint32_t node[], const struct prog_limits *limits)
{
	struct prog_limits patient = {.interrupted = limits->interrupted};
	struct watch watch = {.limits = &patient};
	uint32_t *found = mem_alloc(p->nclass * sizeof *found), c;
	int64_t cost = choice_settle(p, node, NULL), now, got;
	struct swap *s = swap_new(p, node, p->prefer);
	bool moved = true;

	for (int pass = 0; moved && pass < MOST_PASSES; pass++)
		for (moved = false, c = 0; c < p->nclass; c++) {
			now = swap_cost(s);
			if (is_late(&watch, s) || watch.work > MOST_HOME)
				break;
			if (swap_node(s, c) == TN_NONE || p->prefer[c] == TN_NONE || p->prefer[c] == swap_node(s, c) ||
			    !swap_try(s, c, p->prefer[c]))
				continue;
			if (swap_cost(s) <= now)
				moved = true;
			else
				swap_undo(s);
		}
	got = take(p, s, found);
	if (got >= 0 && got <= cost)
		memcpy(node, found, p->nclass * sizeof *node);
	swap_free(s);
	mem_free(found);
}
