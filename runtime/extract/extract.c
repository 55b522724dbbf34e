/*
 * Extraction: a first choice by greed and from the original, then the exact program, then, among
 * equally cheap choices, the one nearest to the original.
 */
#include <string.h>

#include "base/mem.h"
#include "extract/choice.h"

/* the preferred choice, where it names a node for all it needs */
static int64_t
original_cost(const struct tn_problem *p, uint32_t node[])
{
	if (!p->prefer)
		return -1;
	memcpy(node, p->prefer, p->nclass * sizeof *node);
	return choice_settle(p, node, NULL);
}

/* move to the preferred nodes one at a time, as long as the whole costs no more */
static void
go_home(const struct tn_problem *p, uint32_t node[], int64_t cost)
{
	uint32_t *trial = mem_alloc(p->nclass * sizeof *trial), c, k;
	int64_t got;
	bool moved = true;

	while (moved) {
		moved = false;
		for (c = 0; c < p->nclass; c++) {
			if (node[c] == TN_NONE || p->prefer[c] == TN_NONE || p->prefer[c] == node[c])
				continue;
			/* classes that the preferred node newly needs come in with their preferred nodes */
			for (k = 0; k < p->nclass; k++)
				trial[k] = node[k] != TN_NONE ? node[k] : p->prefer[k];
			trial[c] = p->prefer[c];
			got = choice_settle(p, trial, NULL);
			if (got < 0 || got > cost)
				continue;
			memcpy(node, trial, p->nclass * sizeof *node);
			moved = true;
		}
	}
	mem_free(trial);
}

static int64_t
by_greed(const struct tn_problem *p, enum tn_method method, uint32_t node[])
{
	switch (method) {
	case TN_TREE:
		return extract_tree(p, node);
	case TN_BRUTE:
		return extract_brute(p, node);
	default:
		return extract_dag(p, node);
	}
}

struct tn_choice *
tn_extract(const struct tn_problem *p, const struct tn_extract_options *o, struct tn_error *e)
{
	struct ilp_limits limits = {o->time_s > 0 ? clock_now() + o->time_s : 0, o->interrupted};
	struct tn_choice *choice;
	uint32_t *home;
	int64_t home_cost;

	if (!problem_check(p, e))
		return NULL;
	choice = mem_alloc(sizeof *choice);
	choice->node = mem_alloc(p->nclass * sizeof *choice->node);
	choice->cost = by_greed(p, o->method, choice->node);
	if (choice->cost < 0) {
		tn_fail(e, TN_E_INPUT, "no acyclic choice covers the roots");
		tn_choice_free(choice);
		return NULL;
	}
	home = mem_alloc(p->nclass * sizeof *home);
	home_cost = original_cost(p, home);
	if (home_cost >= 0 && home_cost <= choice->cost && o->method != TN_BRUTE) {
		memcpy(choice->node, home, p->nclass * sizeof *home);
		choice->cost = home_cost;
	}
	if (o->method == TN_BRUTE)
		choice->bound = choice->cost;
	if (o->method == TN_ILP) {
		choice->cost = extract_ilp(p, choice->node, choice->cost, &limits, &choice->bound);
		choice->is_interrupted = o->interrupted && *o->interrupted;
	}
	if (home_cost == choice->cost)
		memcpy(choice->node, home, p->nclass * sizeof *home);
	else if (p->prefer)
		go_home(p, choice->node, choice->cost);
	choice->cost = choice_settle(p, choice->node, NULL);
	choice->is_proven = choice->bound >= choice->cost;
	mem_free(home);
	return choice;
}

void
tn_choice_free(struct tn_choice *choice)
{
	if (!choice)
		return;
	mem_free(choice->node);
	mem_free(choice);
}
