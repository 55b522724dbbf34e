/*
 * The e-graph's arrays.  A node's id is its class's id at birth; a class goes by its root in the
 * union-find.  Arrays of nodes and classes are reserved once as address space and grow by being
 * touched, so that nothing ever moves.
 *
 * Between two snapshots the graph may hold two live nodes with one key, and children that are no longer
 * canonical; rebuild.c ends both.
 */
#ifndef EGRAPH_EGRAPH_H
#define EGRAPH_EGRAPH_H

#include "base/vec.h"
#include "tenon/match.h"

enum {
	NODE_INLINE = 2,		/* children that stand in the node itself */
	NODE_DEAD = 1 << 15,		/* in enode.nkid: equal to another live node, which took its place */
	NODE_MAX_KIDS = NODE_DEAD - 1,	/* TN_MAX_OPERANDS */
};
#define USE_MANY (UINT32_C(1) << 31)	/* the use stands in many_*[] */

/* 16 bytes, so that keys compare as two words; more than two children stand in many_kid, from kid[0] on */
struct enode {
	tn_attrs attrs;
	uint16_t op, nkid;
	tn_id kid[NODE_INLINE];		/* 0 beyond nkid */
};

/*
 * The uses of a class as a child are a list of use numbers: child i of node n is use 2 * n + i, or, if the
 * node has many children, USE_MANY plus the child's place in many_kid.
 */
struct eclass {
	uint32_t use;			/* the first, or TN_NONE */
	uint32_t nuse;			/* those of dead nodes included: decides which class absorbs which */
};

struct slot {
	uint32_t hash;
	tn_id node;			/* and 1; 0: free */
};

/* a reserve of address space for one array */
struct region {
	void *at;
	size_t size_bytes;
};

/* why two classes became one */
struct union_record {
	tn_id a, b;			/* as they were called when it was asked for */
	uint32_t rule, var, nvar;	/* rule or TN_NONE; its substitution, nvar words of proof_var from var on */
	tn_id n;			/* nodes made until then: what a rule makes stands before its union */
};

/* Every array is written anew each time. */
struct snapshot {
	uint32_t *row;			/* words, see tenon/match.h; nword of them, then nrow */
	tn_id *row_node;		/* the node of each row */
	uint32_t *op_row;		/* word where each row begins, by operator, in order of birth */
	uint32_t *op_first;
	uint32_t *class_row;		/* per id and one more */
	uint64_t *class_ops;		/* per id */
	uint32_t nrow, nword, nop;
	tn_id nid;			/* ids when it was taken */
	/* what is near something new: rows by operator, and per class how near */
	uint32_t *near_row, *near_first;
	uint8_t *near_class;
	uint32_t nnear, nnear_class;
	uint32_t op_cap;		/* of op_first and near_first */
	struct region row_region, row_node_region, op_row_region, class_row_region, class_ops_region, near_row_region,
	    near_class_region;
};

struct tn_egraph {
	const struct tn_analysis *analysis;
	tn_id n, max;			/* nodes ever made, and at most */
	size_t nlive, nclass;
	uint64_t nunion;
	uint32_t nop;			/* one more than the largest operator */
	struct enode *node;
	tn_id *leader;			/* union-find */
	struct eclass *class;
	uint32_t *use_next;		/* two a node */
	uint32_t *stamp;		/* node: the clock when it last became new */
	char *data;			/* class: analysis->size bytes */
	VEC(tn_id) many_kid;
	VEC(tn_id) many_parent;
	VEC(uint32_t) many_next;
	struct slot *slot;		/* hash-cons */
	uint32_t nslot, used;		/* used: slots taken, stale ones included */
	struct region slot_region;
	VEC(tn_id) absorbed;		/* classes absorbed since the last snapshot, in order */
	uint32_t nrekeyed;		/* those of them whose users are keyed again */
	VEC(tn_id) changed;		/* classes whose users' data is to be made again */
	VEC(tn_id) renewed;		/* classes whose data changed since the last snapshot */
	uint32_t clock;			/* number of the next snapshot; the stamp of what happens before it */
	bool is_contradiction;
	uint8_t *excluded;		/* node: neither matched nor chosen; NULL: no node was ever */
	void *made;			/* room for one class's data */
	/* proof: children as inserted, and the unions in order */
	bool with_proof;
	VEC(uint32_t) birth;		/* node: the first of its children in proof_kid */
	VEC(tn_id) proof_kid;
	VEC(struct union_record) proof;
	VEC(uint32_t) proof_var;
	struct snapshot snap;
	struct region node_region, leader_region, class_region, use_region, stamp_region, data_region, excluded_region;
};

static inline tn_id
egraph_find(struct tn_egraph *g, tn_id c)
{
	while (g->leader[c] != c)
		c = g->leader[c] = g->leader[g->leader[c]];
	return c;
}

static inline bool
egraph_is_dead(const struct tn_egraph *g, tn_id n)
{
	return g->node[n].nkid & NODE_DEAD;
}

static inline bool
egraph_is_excluded(const struct tn_egraph *g, tn_id n)
{
	return g->excluded && g->excluded[n];
}

static inline unsigned
egraph_nkid(const struct enode *e)
{
	return e->nkid & NODE_MAX_KIDS;
}

static inline tn_id *
egraph_kids(struct tn_egraph *g, tn_id n)
{
	struct enode *e = &g->node[n];

	return egraph_nkid(e) <= NODE_INLINE ? e->kid : &g->many_kid.at[e->kid[0]];
}

static inline const tn_id *
egraph_const_kids(const struct tn_egraph *g, tn_id n)
{
	const struct enode *e = &g->node[n];

	return egraph_nkid(e) <= NODE_INLINE ? e->kid : &g->many_kid.at[e->kid[0]];
}

static inline tn_id
egraph_use_parent(const struct tn_egraph *g, uint32_t use)
{
	return use & USE_MANY ? g->many_parent.at[use & ~USE_MANY] : use / 2;
}

static inline uint32_t *
egraph_use_next(struct tn_egraph *g, uint32_t use)
{
	return use & USE_MANY ? &g->many_next.at[use & ~USE_MANY] : &g->use_next[use];
}

/* region.c */
/* Address space for n things of a size, all zero; what is touched of it takes memory. */
void *region_reserve(struct region *, size_t n, size_t size);
void region_release(struct region *);

/* egraph.c */
/* The node's data from its children's, into g->made. */
void egraph_make_data(struct tn_egraph *, tn_id node);
/* From the next snapshot on the node is neither matched nor chosen. */
void egraph_exclude(struct tn_egraph *, tn_id node);
/* Put data into the class's, and note what that changes. */
void egraph_merge_data(struct tn_egraph *, tn_id into, const void *from);

/* rebuild.c */
/* Congruence and analysis alone, without a new snapshot: ids of matches stay good. */
void egraph_restore(struct tn_egraph *);

/* snapshot.c */
void snapshot_reserve(struct tn_egraph *);
void snapshot_take(struct tn_egraph *);
void snapshot_release(struct tn_egraph *);
size_t snapshot_bytes(const struct tn_egraph *);
/* The clock of the last snapshot: what is stamped later was not there. */
static inline uint32_t
snapshot_clock(const struct tn_egraph *g)
{
	return g->clock - 1;
}

/* The first row of a class, NULL if the snapshot does not have the class: that of its smallest operator. */
static inline const struct tn_row *
snapshot_first(const struct tn_egraph *g, tn_id class)
{
	const struct snapshot *s = &g->snap;

	if (class >= s->nid || !s->class_ops[class])
		return NULL;
	return (const struct tn_row *)&s->row[s->class_row[class] + 1];
}

/*
 * The snapshot as search sees it, for operators below nop.  With since > 0 only what became new after the
 * snapshot of that clock is wanted, in patterns of at most `depth` nodes one above the other: rows without
 * anything new so near are not among the roots.
 */
struct tn_view snapshot_view(struct tn_egraph *, uint32_t since, int depth, unsigned nop, struct tn_search *);
/* All of it, with rows marked that became new after the snapshot of clock `since`, all of them if that is 0. */
struct tn_view snapshot_view_whole(struct tn_egraph *, uint32_t since, unsigned nop, struct tn_search *);

#endif
