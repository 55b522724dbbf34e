/*
 * The program that is reduced and solved: classes of alternative nodes, each with a cost and the classes
 * it needs.  What a reduction decides is kept beside it, so that a choice of the reduced program gives
 * a choice of the program it came from (prog_expand).
 *
 * Costs are at least 0, and every sum of them stops at COST_MAX; every argument in this folder rests on
 * that.  Classes and nodes are always in the order of the original, so that equal inputs go the same way.
 */
#ifndef EXTRACT_PROG_H
#define EXTRACT_PROG_H

#include "base/arena.h"
#include "base/vec.h"
#include "extract/choice.h"
#include "extract/limits.h"

/* Nodes of the original that one reduced node, or all choices, stand for: a tree that shares its parts. */
struct prog_bundle {
	uint32_t class, node;			/* of the original; TN_NONE: only what a and b hold */
	const struct prog_bundle *a, *b;	/* NULL: nothing */
};

struct prog_node {
	int64_t cost;
	uint32_t nkid;
	uint32_t *kid;				/* classes, ascending, distinct; no two nodes share one */
	const struct prog_bundle *bundle;
};

struct prog_class {
	struct prog_node *node;			/* in the arena */
	uint32_t nnode;				/* 0: the class is gone */
	uint32_t tag;				/* class of the first program: its name over all reductions and splits */
	bool is_root;				/* needed by every choice */
};

struct prog {
	struct arena *arena;			/* not owned; outlives the program, gives nothing back before */
	struct prog_class *class;		/* in the arena */
	uint32_t nclass;
	int64_t constant;			/* cost of what is in `fixed` */
	const struct prog_bundle *fixed;	/* chosen in every choice */
};

/* The problem as it is, without nodes that cost TN_COST_NEVER; bundles name its classes and nodes. */
struct prog *prog_new(const struct tn_problem *, struct arena *);
/* A copy to reduce further: its bundles name classes and nodes (by index in the class) of the one copied.
 * Tags stay; constant is 0. */
struct prog *prog_copy(const struct prog *, struct arena *);
/* Drop classes without nodes, and renumber the rest in their order. */
void prog_compact(struct prog *);
/* of[c]: the connected component of class c, numbered in order of their first class; how many there are. */
uint32_t prog_components(const struct prog *, uint32_t of[]);
/* They as programs, classes in the order they have in the whole.  constant and fixed stay with the whole. */
struct prog **prog_split(const struct prog *, uint32_t *n);
/* The nodes of the original that the choice pick[c] (index of a node in class c, or TN_NONE) and `fixed` stand
 * for go to node[]; the other entries are left alone. */
void prog_expand(const struct prog *, const uint32_t pick[], uint32_t node[]);
/* The program as a problem, in its arena: node k of class c is node first[c] + k. */
struct tn_problem prog_problem(const struct prog *);
/* From a choice of prog_problem (nodes of the problem) to one of the program (index in the class), in place. */
void prog_pick(const struct tn_problem *, uint32_t node[]);
uint32_t prog_nnode(const struct prog *);
uint64_t prog_nedge(const struct prog *);
/* Classes that have nodes, nodes, children. */
struct tn_extract_size prog_size(const struct prog *);
/* The cost of a class's cheapest node; it has one. */
int64_t prog_least(const struct prog_class *);
/* What the roots cost at least: each is in every choice, with one of its nodes. */
int64_t prog_root_cost(const struct prog *);

/* The nodes of class c for which keep[] holds stay, in order; how many went. */
uint32_t prog_filter(struct prog *, uint32_t c, const bool keep[]);
/* Sort a list of children, and drop what is there twice; the new length. */
uint32_t prog_set(uint32_t kid[], uint32_t n);
/* Is class u a child of the node?  By bisection. */
bool prog_has_kid(const struct prog_node *, uint32_t u);
const struct prog_bundle *prog_join(struct prog *, const struct prog_bundle *, const struct prog_bundle *);

/* ---- reductions: reduce.c runs them to a fixpoint, a file each tells why it is right ------------------------ */

enum prog_step {
	STEP_TRIM, STEP_CONTRACT, STEP_INLINE, STEP_ASCENT, STEP_FORCE, STEP_EDGE, STEP_CYCLE, STEP_DOMINANCE, STEP_OVERRIDE, STEP_BOUND,
	NSTEP
};
extern const char *const prog_step_name[NSTEP];	/* "trim", …: as --reduce has them */

/* What each step took away, over all rounds.  Inlining may add nodes. */
struct prog_report {
	uint32_t nround;
	int64_t class[NSTEP], node[NSTEP], edge[NSTEP];
	double seconds[NSTEP];
};

/*
 * Reduce to a fixpoint and compact.  If the program has a choice cheaper than `upper`, one of its cheapest
 * stands for a choice of the reduced program.  False: it has none.
 */
bool prog_reduce(struct prog *, const struct prog_limits *, struct prog_report *);

/* ---- solving -------------------------------------------------------------------------------------------------- */

/* Families of cuts, to be left out one by one. */
enum cut_family { CUT_ASCENT, CUT_LOOP, CUT_FLOW, NCUT };
extern const char *const cut_name[NCUT];	/* "ascent", "loop", "flow": as --cuts has them */

/* What it took, added up over programs. */
struct component_report {
	uint64_t programs, relaxations, cut[NCUT], branches;
	uint64_t out;				/* nodes taken out and classes forced by bounds */
};

struct component_options {
	uint32_t off;				/* a bit per cut family that is left out */
	uint64_t seed;
	uint64_t relaxations;			/* stop after so many; 0: when it is proven */
	struct component_report *report;	/* may be NULL */
};

/*
 * pick[] (index of a node in the class, TN_NONE where not needed): a valid choice of the component comes in, the
 * cheapest one found goes out; its cost is returned.  *bound is proven: no choice costs less.  Only choices
 * cheaper than limits->upper are looked for: when no more is known, *bound stays at it.  (component.c)
 */
int64_t component_solve(const struct prog *, const struct prog_limits *, const struct component_options *, uint32_t pick[],
    int64_t *bound);

/* The whole reduced program, component by component, equal ones once: its best choice found in pick[], and a proven
 * lower bound, constant included.  (solve.c) */
int64_t prog_solve(const struct prog *, const struct prog_limits *, const struct component_options *, uint32_t pick[],
    struct tn_extract_report *);

/* What the caller of tn_extract wants.  False: a name that is none.  (extract.c) */
bool extract_limits(const struct tn_extract_options *, struct prog_limits *, struct component_options *, struct tn_error *);

#endif
