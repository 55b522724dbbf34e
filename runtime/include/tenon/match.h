/*
 * All that generated code sees.  ABI: TN_MATCH_ABI changes with anything below.
 *
 * Search runs on the snapshot of the last tn_rebuild (struct tn_view, const); what it finds goes to
 * flat buffers; appliers then stage their result, check every shape, and join it to the root.
 */
#ifndef TENON_MATCH_H
#define TENON_MATCH_H

#include "ctx.h"
#include "egraph.h"
#include "eval.h"
#include "infer.h"

#define TN_MATCH_ABI 1

/* A row of the snapshot: one live node.  Rows are grouped by class and inside by operator. */
struct tn_row {
	tn_id class;
	tn_id node;
	tn_attrs attrs;
	uint16_t op, nkid;
	const tn_id *kid;	/* canonical classes */
	uint8_t is_new;		/* made, a child changed, its class absorbed or its data changed, since the rule's last search */
};

struct tn_program;
struct tn_search;		/* context, types and uniform values; opaque */
/* Without an analysis (an e-graph of scalars) nothing is known but the values of fills. */
TN_API struct tn_search *tn_search_new(struct tn_ctx *, const struct tn_program *, const struct tn_egraph *);
TN_API void tn_search_free(struct tn_search *);
/* Forget the lists that guards made: done before each root operator's match function and before
 * each application. */
TN_API void tn_search_reset(struct tn_search *);

struct tn_view {
	const struct tn_row *row;
	const uint32_t *class_row;	/* rows of class c: class_row[c] … class_row[c + 1] - 1 (c < nid) */
	const uint64_t *class_ops;	/* two words a class: bit per operator id < 127; bit 127: any other */
	const uint32_t *op_row;		/* rows by operator: row[op_row[op_first[op]]] … */
	const uint32_t *op_first;	/* nop + 1 of them */
	tn_id nid;
	bool is_delta;			/* only matches with at least one new row are wanted */
	struct tn_search *search;
};

static inline bool
tn_has_op(const struct tn_view *g, tn_id class, unsigned op)
{
	unsigned bit = op < 127 ? op : 127;

	return g->class_ops[2 * (size_t)class + (bit >> 6)] >> (bit & 63) & 1;
}

/* for each row n with operator OP anywhere; for each row n of a class with operator OP */
#define tn_for_roots(g, OP, n) \
	for (uint32_t n##_i = (g)->op_first[OP], n##_once = 1; n##_i < (g)->op_first[(OP) + 1]; n##_i++, n##_once = 1) \
		for (const struct tn_row *n = &(g)->row[(g)->op_row[n##_i]]; n##_once; n##_once = 0)
#define tn_for_nodes(g, c, OP, n) \
	if (tn_has_op(g, c, OP)) \
		for (const struct tn_row *n = &(g)->row[(g)->class_row[c]]; n < &(g)->row[(g)->class_row[(c) + 1]]; n++) \
			if (n->op == (OP))

/* Matches of one rule: `stride` words each, [root, variables…], in order found. */
struct tn_matches;
TN_API void tn_yield(struct tn_matches *, unsigned rule, tn_id root, const uint32_t v[], int nv);
/* A run of classes (the value of ?xs...) as one word, and back. */
TN_API uint32_t tn_seq_make(struct tn_matches *, const tn_id class[], int n);

/* ---- what guards ask: values of the rule language, three-valued --------------------------------
 *
 * A guard is generated as nested calls on these.  BAD is passed on and makes a condition false
 * (index out of range, a thing that cannot be computed); UNKNOWN (symbolic) does not fire either.
 */
struct tn_v {
	uint8_t kind;			/* enum tn_vkind */
	uint32_t n;
	union {
		tn_dim i;		/* INT, BOOL (enum tn_tri), DTYPE, ENUM */
		double f;
		const char *s;
		const int64_t *list;	/* in the search's scratch, until the match is done */
	} u;
};
enum tn_vkind { TN_VV_BAD, TN_VV_INT, TN_VV_REAL, TN_VV_BOOL, TN_VV_LIST, TN_VV_STRING, TN_VV_DTYPE, TN_VV_ENUM };

TN_API tn_val tn_attr(const struct tn_search *, tn_attrs, int i);
TN_API struct tn_v tn_v_attr(const struct tn_search *, tn_val);			/* the value of an attribute */
TN_API struct tn_v tn_v_num(int64_t num, int64_t den, int exp10);
TN_API struct tn_v tn_v_call(struct tn_search *, enum tn_fn, int n, const struct tn_v v[]);
TN_API struct tn_v tn_v_list(struct tn_search *, int n, const struct tn_v v[]);	/* lists are spliced in */
TN_API struct tn_v tn_v_shape(struct tn_search *, tn_id class);
TN_API struct tn_v tn_v_dim(struct tn_search *, tn_id class, struct tn_v i);
TN_API struct tn_v tn_v_rank(struct tn_search *, tn_id class);
TN_API struct tn_v tn_v_dtype(struct tn_search *, tn_id class);
TN_API struct tn_v tn_v_constant(struct tn_search *, tn_id class);
static inline bool
tn_v_holds(struct tn_v v)
{
	return v.kind == TN_VV_BOOL && v.u.i == TN_TRUE;
}
/* As an attribute value of this kind, TN_NONE if it is not one. */
TN_API tn_val tn_v_val(struct tn_search *, struct tn_v, enum tn_kind, const struct tn_enum *);

/* Does attribute value a equal the number (floats: within 2 ulp unless f32 holds it exactly). */
TN_API bool tn_val_is(const struct tn_search *, tn_val a, int64_t num, int64_t den, int exp10);
/* Are records equal in all attributes but those in `named` (bit per attribute)? */
TN_API bool tn_attrs_same(const struct tn_search *, tn_attrs, tn_attrs, uint64_t named);
/* The one value a class holds everywhere: its FLOAT tn_val, or TN_NONE. */
TN_API tn_val tn_uniform(const struct tn_search *, tn_id class);
TN_API bool tn_uniform_is(const struct tn_search *, tn_id class, int64_t num, int64_t den, int exp10);

/* ---- appliers ------------------------------------------------------------------------------------
 *
 * Staged: tn_new checks shapes and adds nothing; tn_join adds the staged nodes and unites.  A staged
 * id has its top bit set; TN_NONE is passed on, so one test in tn_join is enough.
 */
struct tn_apply;
TN_API struct tn_search *tn_apply_search(struct tn_apply *);
TN_API tn_id tn_new(struct tn_apply *, unsigned op, tn_attrs, const tn_id kid[], int nkid);
TN_API tn_attrs tn_rec(struct tn_apply *, unsigned op, tn_attrs base, int n, const int attr[], const struct tn_v v[]);	/* base with attributes replaced (base TN_NONE: all given) */
TN_API tn_id tn_num(struct tn_apply *, int64_t num, int64_t den, int exp10);	/* its shape is what its place gives */
TN_API tn_id tn_num_val(struct tn_apply *, tn_val);				/* $a as a tensor */
TN_API const tn_id *tn_seq(const struct tn_apply *, uint32_t seq, int *n);
TN_API struct tn_v tn_a_shape(struct tn_apply *, tn_id class_or_staged);
TN_API struct tn_v tn_a_dim(struct tn_apply *, tn_id class_or_staged, struct tn_v i);
TN_API struct tn_v tn_a_rank(struct tn_apply *, tn_id class_or_staged);
TN_API struct tn_v tn_a_dtype(struct tn_apply *, tn_id class_or_staged);
/* Unite root with t if t's type is the root's.  False: refused (a shape check, another type). */
TN_API bool tn_join(struct tn_apply *, tn_id root, tn_id t);
/* Without shapes (every operator is_scalar): add at once. */
TN_API tn_id tn_new_scalar(struct tn_apply *, unsigned op, const tn_id kid[], int nkid);
TN_API tn_id tn_num_scalar(struct tn_apply *, int64_t num, int64_t den, int exp10);
TN_API bool tn_join_scalar(struct tn_apply *, tn_id root, tn_id t);

/* Operands of a tree's node in static data. */
#define TN_KIDS(...) (const struct tn_x *const[]){__VA_ARGS__}

/* ---- a compiled program ---------------------------------------------------------------------------- */

struct tn_rule_code {
	const char *name, *doc, *file, *family, *source;
	int line, nvar;			/* nvar words follow the root in a match */
	int depth;			/* height of its pattern */
	bool is_normalise, is_trusted, is_axiom, is_off;
	bool (*apply)(struct tn_apply *, tn_id root, const uint32_t v[]);	/* NULL: multi-pattern, matched by a join */
};

struct tn_root_code {			/* one per root operator: finds the matches of all its rules */
	unsigned op;
	int nrule;
	const uint16_t *rule;
	int depth;			/* the deepest of them */
	void (*match)(const struct tn_view *, struct tn_matches *const out[]);	/* out[rule]; NULL: rule is not wanted */
};

struct tn_program {
	unsigned abi;
	const char *name, *made_by;
	int nop, nrule, nroot, nenum, ndevice;
	const struct tn_op *op;
	const struct tn_rule_code *rule;
	const struct tn_root_code *root;
	const struct tn_enum *const *enums;
	const struct tn_device *device;
};

#endif
