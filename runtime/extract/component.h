/*
 * Solving one component: bounds from below by relaxation and cuts, from above by what the relaxation hints at,
 * until they meet; see component.c for the whole, and a file for each part.
 */
#ifndef EXTRACT_COMPONENT_H
#define EXTRACT_COMPONENT_H

#include "extract/ascent.h"
#include "extract/relax.h"
#include "extract/separate.h"

/* Sets of cuts by tags, so that they outlive a program. */
struct cut_pool {
	VEC(uint32_t) end;		/* of set i: tag[end[i - 1]] … tag[end[i] - 1], A first */
	VEC(uint32_t) tag;
};

struct solver {
	struct prog_limits limits;
	const struct component_options *options;
	struct component_report *report;
	struct rng rng;
	bool is_restricted;		/* a proof is not wanted, as inside a restricted program */
	uint64_t left;			/* relaxations that may still be solved then */
};

/* A program and what is known about it. */
struct task {
	const struct prog *p;
	struct tn_problem problem;	/* the same */
	uint32_t *pick;			/* the best choice known … */
	int64_t cost;			/* … its cost … */
	int64_t upper;			/* … and only choices cheaper than this are asked for; at most cost */
	int64_t bound;			/* no choice costs less */
	struct ascent ascent;		/* empty where it is left out */
};

/* Take a choice of the task's program (nodes of the problem) if it is valid and cheaper. */
bool task_offer(struct task *, uint32_t node[]);

/* Solve a copy of the program with nodes taken away (keep[] by column of `first`) and roots added:
 * reduced, split, solved part by part.  Returns a bound on the choices it keeps, at most upper. */
int64_t task_part(struct solver *, struct task *, const uint32_t first[], const bool keep[], const bool root[],
    const struct cut_pool *);

/* A choice near to x: guide.c. */
void task_guide(struct solver *, struct task *, const struct relax *);
/* The best choice of columns that are not 0 and of the choice known: rens.c. */
void task_rens(struct solver *, struct task *, const struct relax *, const struct cut_pool *);
/* In two, and solve both: branch.c. */
void task_branch(struct solver *, struct task *, const struct relax *, const struct cut_pool *);

void pool_add(struct cut_pool *, const struct relax *);
void pool_use(const struct cut_pool *, struct relax *);
void pool_free(struct cut_pool *);

#endif
