/*
 * The e-graph: e-nodes {op, attributes, children} in e-classes, congruence closed by tn_rebuild.
 * It knows no tensors; what a class means is kept by the caller's analysis.
 *
 *	struct tn_egraph *g = tn_egraph_new(&(struct tn_egraph_config){0});
 *	tn_id x = tn_add(g, OP_x, 0, NULL, 0);
 *	tn_id y = tn_add(g, OP_neg, 0, &x, 1);
 *	tn_union(g, x, y, NULL);
 *	tn_rebuild(g);
 */
#ifndef TENON_EGRAPH_H
#define TENON_EGRAPH_H

#include <stdio.h>

#include "base.h"

struct tn_egraph;

/* A node as people and analyses see it; pointers hold until the next tn_add. */
struct tn_node {
	uint16_t op;
	uint16_t nkid;
	tn_attrs attrs;
	const tn_id *kid;	/* canonical after tn_rebuild */
};

/*
 * Analysis: `size` bytes a class.  make fills the data of a new node from its children's; merge puts
 * `from` into `into` and returns whether `into` changed (its parents are then made again and merged);
 * it sets *failed where the two contradict, which ends the run with an error.
 */
struct tn_analysis {
	size_t size;
	void *arg;
	void (*make)(void *arg, const struct tn_egraph *, const struct tn_node *, void *data);
	bool (*merge)(void *arg, void *into, const void *from, bool *failed);
};

struct tn_egraph_config {
	const struct tn_analysis *analysis;	/* NULL: none */
	size_t max_nodes;			/* reserve of address space, 0: 2^28 */
	bool with_proof;			/* keep children as inserted and a reason per union */
};

/* Why two classes were joined; with_proof only. */
struct tn_reason {
	uint32_t rule;		/* number, or TN_NONE: congruence, or given */
	uint32_t nvar;
	const uint32_t *var;	/* the substitution; copied */
};

/* An empty e-graph; the analysis must outlive it. */
TN_API struct tn_egraph *tn_egraph_new(const struct tn_egraph_config *);
TN_API void tn_egraph_free(struct tn_egraph *);
/* The class of the node, made if new.  kid[] may be any ids; they are found first. */
TN_API tn_id tn_add(struct tn_egraph *, uint16_t op, tn_attrs, const tn_id kid[], int nkid);
/* The class of the node if it is there, else TN_NONE. */
TN_API tn_id tn_lookup(const struct tn_egraph *, uint16_t op, tn_attrs, const tn_id kid[], int nkid);
/* The class that the id belongs to now. */
TN_API tn_id tn_find(const struct tn_egraph *, tn_id);
/* True if they were two classes. */
TN_API bool tn_union(struct tn_egraph *, tn_id, tn_id, const struct tn_reason *);
/* Restore congruence and the analysis, and take the snapshot.  False: the analysis found a contradiction. */
TN_API bool tn_rebuild(struct tn_egraph *);
TN_API size_t tn_nnodes(const struct tn_egraph *);	/* live (canonical, distinct) e-nodes */
TN_API size_t tn_nexcluded(const struct tn_egraph *);	/* live e-nodes that a cycle filter left out */
TN_API size_t tn_nclasses(const struct tn_egraph *);
TN_API size_t tn_bytes(const struct tn_egraph *);	/* memory in use */
TN_API tn_id tn_nids(const struct tn_egraph *);		/* ids are 0 … tn_nids - 1 */
/* The node that was made under this id; the analysis data of the id's class. */
TN_API struct tn_node tn_node_at(const struct tn_egraph *, tn_id node);
TN_API const void *tn_data(const struct tn_egraph *, tn_id class);
/* Live nodes of a class but those excluded, after tn_rebuild: *n of them, by operator, and of one operator in order of birth. */
TN_API const tn_id *tn_class_nodes(const struct tn_egraph *, tn_id class, uint32_t *n);
/* All invariants: no two live nodes with one key, children canonical, memo finds each node, the
 * analysis at its fixpoint.  NULL, or what is wrong (static text). */
TN_API const char *tn_egraph_check(const struct tn_egraph *);

/*
 * Which rules made a choice: use() for every application of a rule that made a chosen node, or whose union is on the
 * way from a root, as it was first called, to the node chosen for its class, and so on for the children that
 * this node was made with.  (What only made a pattern match, and left nothing on the way, is not told.)
 * with_proof only, else false.
 *
 * choice	node per class id, TN_NONE: not needed
 * given	ids below it were there before any rule
 */
TN_API bool tn_egraph_explain(const struct tn_egraph *, const tn_id root[], uint32_t nroot, const tn_id choice[], tn_id given,
    void (*use)(void *arg, uint32_t rule), void *arg);

/* How a node is shown: texts are cut to size, the functions return the full length. */
struct tn_egraph_text {
	void *arg;
	size_t (*op)(void *arg, const struct tn_egraph *, tn_id node, char *out, size_t size);
	double (*cost)(void *arg, const struct tn_egraph *, tn_id node);	/* NULL: 1 each */
};
/* The JSON of the egraph-serialize format, which extraction benchmarks share; after tn_rebuild. */
TN_API void tn_egraph_write(const struct tn_egraph *, const struct tn_egraph_text *, const tn_id root[], uint32_t nroot, FILE *);
/* A stream that writes gzip to another, which is closed with it.  The same bytes give the same. */
TN_API FILE *tn_gzip(FILE *to);

#endif
