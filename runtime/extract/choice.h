/*
 * Choices and what every method shares: one node per needed class.
 *
 * The cost of a choice is counted here, from the problem alone, by code that knows no method and no
 * solver; so is whether it is complete and acyclic.
 */
#ifndef EXTRACT_CHOICE_H
#define EXTRACT_CHOICE_H

#include "base/clock.h"
#include "tenon/tenon.h"

struct prog_limits;

/* Costs add up to at most this; beyond it they stay there, which no real choice reaches. */
#define COST_MAX (INT64_MAX / 4)

static inline int64_t
cost_add(int64_t a, int64_t b)
{
	return a >= COST_MAX - b ? COST_MAX : a + b;
}

/* Indices out of range, negative costs, an unordered table: false, and the error says which. */
bool problem_check(const struct tn_problem *, struct tn_error *);
/*
 * Cost of the choice over distinct classes needed by the roots; -1 if it is cyclic or misses a class.
 * Classes that the roots do not need are set to TN_NONE.  *cycle (may be NULL) is then a class on the
 * cycle found, or TN_NONE.
 */
int64_t choice_settle(const struct tn_problem *, uint32_t node[], uint32_t *cycle);
/* users[first[c]] … users[first[c + 1] - 1]: the nodes with child c, once for each time.  Caller frees both. */
uint32_t *problem_users(const struct tn_problem *, uint32_t **first);
/* The class of each node.  Caller frees. */
uint32_t *problem_classes(const struct tn_problem *);

/* The tree choice of every class that has a finite derivation, TN_NONE for the others. */
void extract_derivable(const struct tn_problem *, uint32_t node[]);

/*
 * The methods; each fills node[nclass] and returns the cost, or -1 if there is no acyclic choice.  The DAG
 * greedy, out of time, has at least the tree's.
 */
int64_t extract_tree(const struct tn_problem *, uint32_t node[]);
int64_t extract_dag(const struct tn_problem *, uint32_t node[], const struct prog_limits *);
/* The next combination of nodes, the last class turning fastest; false after the last one. */
bool extract_next(const struct tn_problem *, uint32_t node[]);
int64_t extract_brute(const struct tn_problem *, uint32_t node[]);

#endif
