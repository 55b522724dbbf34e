/*
 * All that generated code sees.  ABI: TN_MATCH_ABI changes with anything below.
 *
 * Search runs on the snapshot of the last tn_rebuild (struct tn_view, const); what it finds goes to
 * flat buffers; appliers then stage their result, check every shape, and join it to the root.
 */
#ifndef TENON_MATCH_H
#define TENON_MATCH_H

#include <string.h>

#include "ctx.h"
#include "egraph.h"
#include "eval.h"
#include "infer.h"

#define TN_MATCH_ABI 10

/*
 * A row of the snapshot: one live node.  Rows stand one after the other in a run of words, each as long
 * as its children need, grouped by class and inside by operator; a word in front of each class counts
 * the rows before it.
 */
struct tn_row {
	tn_id class;
	tn_attrs attrs;
	unsigned op : 16, nkid : 15;
	unsigned is_new : 1;	/* made, a child changed, its class absorbed or its data changed, since the rule's last search */
	tn_id kid[];		/* canonical classes */
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
	const uint32_t *row;		/* the words of all rows */
	const uint32_t *class_row;	/* class c: words class_row[c] … class_row[c + 1] - 1 (c < nid) */
	const uint64_t *class_ops;	/* a word a class: bit op & 63 for each operator of its rows */
	const uint32_t *op_row;		/* where rows begin, by operator: row + op_row[op_first[op]] … */
	const uint32_t *op_first;	/* nop + 1 of them */
	tn_id nid;
	bool is_delta;			/* only matches with at least one new row are wanted */
	struct tn_search *search;
};

/* May the class have a node with the operator?  Only operators 64 apart are mistaken for each other. */
static inline bool
tn_has_op(const struct tn_view *g, tn_id class, unsigned op)
{
	return g->class_ops[class] >> (op & 63) & 1;
}

static inline const struct tn_row *
tn_row_at(const struct tn_view *g, uint32_t word)
{
	return (const struct tn_row *)&g->row[word];
}

static inline const struct tn_row *
tn_row_next(const struct tn_row *n)
{
	return (const struct tn_row *)&n->kid[n->nkid];
}

/* A class that has_op: its first row, and the end of its rows. */
static inline const struct tn_row *
tn_rows(const struct tn_view *g, tn_id class)
{
	return tn_row_at(g, g->class_row[class] + 1);
}

static inline const struct tn_row *
tn_rows_end(const struct tn_view *g, tn_id class)
{
	return tn_row_at(g, g->class_row[class + 1]);
}

/* for each row n with operator OP anywhere; for each row n of a class with operator OP */
#define tn_for_roots(g, OP, n) \
	for (uint32_t n##_i = (g)->op_first[OP], n##_once = 1; n##_i < (g)->op_first[(OP) + 1]; n##_i++, n##_once = 1) \
		for (const struct tn_row *n = tn_row_at(g, (g)->op_row[n##_i]); n##_once; n##_once = 0)
#define tn_for_nodes(g, c, OP, n) \
	if (tn_has_op(g, c, OP)) \
		for (const struct tn_row *n = tn_rows(g, c), *n##_end = tn_rows_end(g, c); \
		    n < n##_end && n->op <= (OP); n = tn_row_next(n)) \
			if (n->op == (OP))

/* both orders of the operands of a commutative node, once where they are the same:
 * n->kid[swap] and n->kid[!swap] */
#define tn_for_orders(n, swap) \
	for (unsigned swap = 0; swap <= (unsigned)((n)->kid[0] != (n)->kid[1]); swap++)

/*
 * (f ?xs...)… in a pattern: one node with operator OP for each of n classes.  Choices are gone
 * through in order, the last class fastest, at most TN_MAP_WAYS of them; a list of more than
 * TN_MAP_MAX classes has none.
 */
enum { TN_MAP_MAX = 64, TN_MAP_WAYS = 64 };

/* A run of classes: ?xs...; its own where `at` is NULL, so that it may be copied. */
struct tn_run {
	int n;
	const tn_id *at;
	tn_id own[TN_MAP_MAX];
};

static inline const tn_id *
tn_run_at(const struct tn_run *r)
{
	return r->at ? r->at : r->own;
}

struct tn_map {
	int n, nway;
	int i;					/* for loops over row[] */
	unsigned op;
	bool both;				/* both orders of the operands */
	uint8_t swap[TN_MAP_MAX];
	const struct tn_row *row[TN_MAP_MAX];
};

/* The class's first node with the operator from row n on, or NULL. */
static inline const struct tn_row *
tn_map_find(const struct tn_view *g, tn_id class, unsigned op, const struct tn_row *n)
{
	const struct tn_row *end = tn_rows_end(g, class);

	while (n < end && n->op < op)
		n = tn_row_next(n);
	return n < end && n->op == op ? n : NULL;
}

static inline struct tn_map *
tn_map_first(const struct tn_view *g, struct tn_map *m, struct tn_run classes, unsigned op, bool both)
{
	const tn_id *class = tn_run_at(&classes);
	int n = classes.n;

	m->n = n;
	m->nway = 1;
	m->op = op;
	m->both = both;
	if (n < 1 || n > TN_MAP_MAX)
		return NULL;
	for (m->i = 0; m->i < n; m->i++) {
		m->swap[m->i] = 0;
		m->row[m->i] = tn_map_find(g, class[m->i], op, tn_rows(g, class[m->i]));
		if (!m->row[m->i])
			return NULL;
	}
	return m;
}

static inline struct tn_map *
tn_map_next(const struct tn_view *g, struct tn_map *m)
{
	const struct tn_row *r;
	int i;

	if (m->nway++ >= TN_MAP_WAYS)
		return NULL;
	for (i = m->n - 1; i >= 0; i--) {
		r = m->row[i];
		if (m->both && !m->swap[i] && r->kid[0] != r->kid[1]) {
			m->swap[i] = 1;
			return m;
		}
		m->swap[i] = 0;
		m->row[i] = tn_map_find(g, r->class, m->op, tn_row_next(r));
		if (m->row[i])
			return m;
		m->row[i] = tn_map_find(g, r->class, m->op, tn_rows(g, r->class));
	}
	return NULL;
}

/* Operand k of the chosen node i. */
static inline tn_id
tn_map_kid(const struct tn_map *m, int i, unsigned k)
{
	return m->row[i]->kid[k < 2 ? k ^ m->swap[i] : k];
}

static inline bool
tn_map_is_new(const struct tn_map *m)
{
	bool is_new = false;
	int i;

	for (i = 0; i < m->n; i++)
		is_new |= m->row[i]->is_new;
	return is_new;
}

/* for each choice m, a struct tn_map *, of nodes of a run of classes */
#define tn_for_maps(g, run, OP, both, m) \
	for (struct tn_map m##_at, *m = tn_map_first(g, &m##_at, run, OP, both); m; m = tn_map_next(g, m))

/* Operand k of each chosen node. */
static inline struct tn_run
tn_run_map(const struct tn_map *m, unsigned k)
{
	struct tn_run r = {.n = m->n};
	int i;

	for (i = 0; i < m->n; i++)
		r.own[i] = tn_map_kid(m, i, k);
	return r;
}

static inline struct tn_run
tn_run_kids(const struct tn_row *n, int from)
{
	return (struct tn_run){.n = n->nkid - from, .at = n->kid + from};
}

static inline bool
tn_run_same(struct tn_run a, struct tn_run b)
{
	int i;

	for (i = 0; i < a.n && a.n == b.n; i++)
		if (tn_run_at(&a)[i] != tn_run_at(&b)[i])
			return false;
	return a.n == b.n;
}

/*
 * Matches of one rule, [root, variables…] each, in order found, in chunks of memory; or of a pattern of
 * multi-pattern rules, [root, is new, columns…].
 */
struct tn_matches {
	uint32_t *at, *end;		/* room that is left in the present chunk */
	struct tn_match_store *store;
};
/* A chunk with room for a match of n words; false: there are so many that no more are wanted. */
TN_API bool tn_matches_grow(struct tn_matches *, int n);

static inline void
tn_yield(struct tn_matches *m, unsigned rule, tn_id root, const uint32_t v[], int nv)
{
	(void)rule;
	if (m->end - m->at <= nv && !tn_matches_grow(m, nv + 1))
		return;
	*m->at++ = root;
	for (int i = 0; i < nv; i++)
		*m->at++ = v[i];
}

/* A run of classes (the value of ?xs...) as one word, and back. */
TN_API uint32_t tn_seq_make(struct tn_matches *, const tn_id class[], int n);
static inline uint32_t
tn_seq_run(struct tn_matches *m, struct tn_run r)
{
	return tn_seq_make(m, tn_run_at(&r), r.n);
}

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

/* Value i of a record. */
TN_API tn_val tn_attr(const struct tn_search *, tn_attrs, int i);
TN_API struct tn_v tn_v_attr(const struct tn_search *, tn_val);			/* the value of an attribute */
TN_API struct tn_v tn_v_num(int64_t num, int64_t den, int exp10);
TN_API struct tn_v tn_v_call(struct tn_search *, enum tn_fn, int n, const struct tn_v v[]);
TN_API struct tn_v tn_v_list(struct tn_search *, int n, const struct tn_v v[]);	/* lists are spliced in */
/* The shape of a class as a list, one extent of it, how many there are, its element type, and is it constant. */
TN_API struct tn_v tn_v_shape(struct tn_search *, tn_id class);
TN_API struct tn_v tn_v_dim(struct tn_search *, tn_id class, struct tn_v i);
TN_API struct tn_v tn_v_rank(struct tn_search *, tn_id class);
TN_API struct tn_v tn_v_dtype(struct tn_search *, tn_id class);
TN_API struct tn_v tn_v_constant(struct tn_search *, tn_id class);
TN_API struct tn_v tn_v_distinct(struct tn_search *, tn_id, tn_id);	/* are they two classes? */
/* No graph input feeds any of them. */
static inline struct tn_v
tn_v_constants(struct tn_search *s, const tn_id class[], int n)
{
	struct tn_v v = {.kind = TN_VV_BOOL, .u.i = TN_TRUE};
	int i;

	for (i = 0; i < n && v.kind == TN_VV_BOOL && v.u.i == TN_TRUE; i++)
		v = tn_v_constant(s, class[i]);
	return v;
}

/* Is it a list of n items, or more? */
static inline bool
tn_v_has(struct tn_v v, uint32_t n, bool or_more)
{
	return v.kind == TN_VV_LIST && (v.n == n || (or_more && v.n > n));
}

/* The items of a list but the first `from` and the last `but`. */
static inline struct tn_v
tn_v_items(struct tn_v v, uint32_t from, uint32_t but)
{
	if (!tn_v_has(v, from + but, true))
		return (struct tn_v){.kind = TN_VV_BAD};
	v.n -= from + but;
	v.u.list += from;
	return v;
}

static inline bool
tn_v_holds(struct tn_v v)
{
	return v.kind == TN_VV_BOOL && v.u.i == TN_TRUE;
}
static inline struct tn_v
tn_v_int(tn_dim i)
{
	return (struct tn_v){.kind = TN_VV_INT, .u.i = i};
}

/* BOOL (enum tn_tri), DTYPE or ENUM by its number. */
static inline struct tn_v
tn_v_code(enum tn_vkind kind, int i)
{
	return (struct tn_v){.kind = (uint8_t)kind, .u.i = i};
}

static inline struct tn_v
tn_v_string(const char *s)
{
	return (struct tn_v){.kind = TN_VV_STRING, .u.s = s};
}

static inline struct tn_v
tn_v_call1(struct tn_search *s, enum tn_fn fn, struct tn_v a)
{
	return tn_v_call(s, fn, 1, &a);
}

static inline struct tn_v
tn_v_call2(struct tn_search *s, enum tn_fn fn, struct tn_v a, struct tn_v b)
{
	return tn_v_call(s, fn, 2, (const struct tn_v[]){a, b});
}

static inline struct tn_v
tn_v_call3(struct tn_search *s, enum tn_fn fn, struct tn_v a, struct tn_v b, struct tn_v c)
{
	return tn_v_call(s, fn, 3, (const struct tn_v[]){a, b, c});
}

/* As an attribute value of this kind, TN_NONE if it is not one. */
TN_API tn_val tn_v_val(struct tn_search *, struct tn_v, enum tn_kind, const struct tn_enum *);

/* Does attribute value a equal the number (floats: within 2 ulp unless f32 holds it exactly). */
TN_API bool tn_val_is(const struct tn_search *, tn_val a, int64_t num, int64_t den, int exp10);
/* Is it the bool, dtype or value of an enum with this number? */
static inline bool
tn_val_is_code(const struct tn_search *s, tn_val a, int64_t i)
{
	return tn_v_attr(s, a).u.i == i;
}

static inline bool
tn_val_is_text(const struct tn_search *s, tn_val a, const char *text)
{
	return strcmp(tn_v_attr(s, a).u.s, text) == 0;
}

/* Is it axis `want` of the class, which is below 0 and counts from the end? */
static inline bool
tn_val_is_axis(struct tn_search *s, tn_val a, int64_t want, tn_id class)
{
	struct tn_v rank = tn_v_rank(s, class);

	return rank.kind == TN_VV_INT && tn_v_attr(s, a).u.i == want + rank.u.i;
}

/* Do two values of one sort but perhaps not of one kind say the same? */
static inline bool
tn_val_equal(struct tn_search *s, tn_val a, tn_val b)
{
	return a == b || tn_v_holds(tn_v_call2(s, TN_F_EQ, tn_v_attr(s, a), tn_v_attr(s, b)));
}

/* Lists, and the items of list patterns: item i, from the end where i is below 0. */
static inline int
tn_val_length(const struct tn_search *s, tn_val list)
{
	return (int)tn_v_attr(s, list).n;
}

static inline bool
tn_val_is_list(const struct tn_search *s, tn_val list, uint32_t n, const int64_t want[])
{
	struct tn_v v = tn_v_attr(s, list);
	uint32_t i;

	for (i = 0; i < n && v.n == n; i++)
		if (v.u.list[i] != want[i])
			return false;
	return v.n == n;
}

static inline tn_dim
tn_item(const struct tn_search *s, tn_val list, int i)
{
	struct tn_v v = tn_v_attr(s, list);

	return v.u.list[i < 0 ? (int)v.n + i : i];
}

static inline tn_val
tn_item_val(struct tn_search *s, tn_val list, int i)
{
	return tn_v_val(s, tn_v_int(tn_item(s, list, i)), TN_K_DIM, NULL);
}

/* The items but the first `from` and the last `but`. */
static inline tn_val
tn_items_val(struct tn_search *s, tn_val list, uint32_t from, uint32_t but)
{
	return tn_v_val(s, tn_v_items(tn_v_attr(s, list), from, but), TN_K_DIMS, NULL);
}

/* Are records equal in all attributes but those in `named` (bit per attribute)? */
TN_API bool tn_attrs_same(const struct tn_search *, tn_attrs, tn_attrs, uint64_t named);
/* The record with no word of the attributes in `named`: records that are the same but for them have one. */
TN_API tn_attrs tn_attrs_rest(const struct tn_search *, tn_attrs, uint64_t named);
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
/* The node on these classes or staged nodes: its class if it is there, else staged; TN_NONE: a shape check fails. */
TN_API tn_id tn_new(struct tn_apply *, unsigned op, tn_attrs, const tn_id kid[], int nkid);
/* base with attributes replaced (base TN_NONE: all given) */
TN_API tn_attrs tn_rec(struct tn_apply *, unsigned op, tn_attrs base, int n, const int attr[], const struct tn_v v[]);
TN_API tn_id tn_num(struct tn_apply *, int64_t num, int64_t den, int exp10);	/* its shape is what its place gives */
TN_API tn_id tn_num_val(struct tn_apply *, tn_val);				/* $a as a tensor */
TN_API const tn_id *tn_seq(const struct tn_apply *, uint32_t seq, int *n);
/* The same of what is staged. */
TN_API struct tn_v tn_a_shape(struct tn_apply *, tn_id class_or_staged);
TN_API struct tn_v tn_a_dim(struct tn_apply *, tn_id class_or_staged, struct tn_v i);
TN_API struct tn_v tn_a_rank(struct tn_apply *, tn_id class_or_staged);
TN_API struct tn_v tn_a_dtype(struct tn_apply *, tn_id class_or_staged);
/* Operands of a variadic node; more than TN_MAX_KIDS make the node TN_NONE. */
enum { TN_MAX_KIDS = 1024 };
struct tn_kids {
	int n;			/* -1: too many */
	tn_id at[TN_MAX_KIDS];
};

static inline void
tn_kids_put(struct tn_kids *k, const tn_id id[], int n)
{
	int i;

	if (k->n >= 0 && n > TN_MAX_KIDS - k->n)
		k->n = -1;
	for (i = 0; i < n && k->n >= 0; i++)
		k->at[k->n++] = id[i];
}

static inline tn_id
tn_new_kids(struct tn_apply *a, unsigned op, tn_attrs attrs, const struct tn_kids *k)
{
	return k->n < 0 ? TN_NONE : tn_new(a, op, attrs, k->at, k->n);
}

/* Unite root with t if t's type is the root's.  False: refused (a shape check, another type). */
TN_API bool tn_join(struct tn_apply *, tn_id root, tn_id t);
/* The same for n roots and their results: all, or none. */
TN_API bool tn_join_all(struct tn_apply *, int n, const tn_id root[], const tn_id t[]);
/* Without shapes (every operator is_scalar): add at once. */
TN_API tn_id tn_new_scalar(struct tn_apply *, unsigned op, const tn_id kid[], int nkid);
TN_API tn_id tn_num_scalar(struct tn_apply *, int64_t num, int64_t den, int exp10);
TN_API tn_id tn_num_val_scalar(struct tn_apply *, tn_val);			/* $a as a number */
TN_API bool tn_join_scalar(struct tn_apply *, tn_id root, tn_id t);
TN_API bool tn_join_all_scalar(struct tn_apply *, int n, const tn_id root[], const tn_id t[]);

/* A tree's node in static data: {TN_X(CALL, REAL), .fn = TN_F_ADD, TN_KIDS(2, x + 1, x + 3)}. */
#define TN_X(k, s) .kind = TN_X_##k, .sort = TN_S_##s
#define TN_KIDS(n, ...) .nkid = (n), .kid = (const struct tn_x *const[]){__VA_ARGS__}

/* ---- multi-pattern rules ---------------------------------------------------------------------------
 *
 * Each pattern is searched once, however many rules have it, and its matches are joined on the words
 * that they share.  A match of the rule is v[0] … v[nword - 1]: its variables, the root of each arrow,
 * and what only the join needs.
 */
enum tn_column_kind {
	TN_COL_WORD,		/* a class, or an attribute's value: the same word */
	TN_COL_RECORD,		/* the same record but for the attributes in `named` */
	TN_COL_VALUE,		/* values of two kinds that say the same */
	TN_COL_RUN,		/* the same classes */
};

/* What a column of the pattern's matches is to the rule: the word it goes to, or must agree with. */
struct tn_column {
	uint8_t kind;			/* enum tn_column_kind */
	bool is_bound;			/* an earlier part has the word */
	bool is_each;			/* of siblings: one for each, so that the word is a run */
	uint16_t word;
	uint64_t named;
};

/* A pattern of a rule, in the order of joining. */
struct tn_part {
	uint16_t pattern, arrow;
	int ncolumn;
	const struct tn_column *column;
	bool (*test)(struct tn_search *, const uint32_t v[]);	/* conditions that can be asked from here on; NULL: none */
};

struct tn_join {
	int npart, nword;
	int root;			/* word of the first arrow's root; of siblings: of the run of their roots */
	bool is_siblings;		/* one part, all of whose matches that agree in the other words are one match */
	const struct tn_part *part;
	const uint8_t *alike;		/* by arrow: the first arrow that it could be exchanged with */
};

/* ---- a compiled program ---------------------------------------------------------------------------- */

/*
 * A term of a rule's patterns, followed by its operands: what stands where, for who explains a match.  The patterns
 * of several arrows follow one another; siblings have one.
 */
enum tn_place_kind {
	TN_P_OP,		/* operator op on nkid operands, of which a run or each may be any number */
	TN_P_AGAIN,		/* the term at place `word` once more: the same class */
	TN_P_CLASS,		/* a class; its word, or -1: it is any */
	TN_P_NUMBER,		/* a class that holds one value everywhere */
	TN_P_RUN,		/* all operands from here on, or, within an `each` or a sibling, the one of that number */
	TN_P_EACH,		/* all operands from here on, each one such term */
};
struct tn_place {
	uint8_t kind;		/* enum tn_place_kind */
	uint8_t nkid;
	int16_t op, word;
};

struct tn_rule_code {
	const char *name, *doc, *file, *family, *source;
	int line, nvar;			/* nvar words follow the root in a match; in a reason that of a run is where its length and classes stand */
	int depth;			/* height of its pattern */
	const char *const *word;	/* names of those words: "?x", "?xs...", "$a", "..c"; "@" a root, "@..." roots; "": none */
	const struct tn_place *place;
	bool is_normalise, is_trusted, is_axiom, is_off;
	bool (*apply)(struct tn_apply *, tn_id root, const uint32_t v[]);
	const struct tn_join *join;	/* of a multi-pattern rule, else NULL */
};

struct tn_root_code {			/* one per root operator: finds the matches of all its rules */
	unsigned op;
	int nrule;
	const uint16_t *rule;		/* and patterns of multi-pattern rules, numbered from nrule on */
	int depth;			/* the deepest of them */
	void (*match)(const struct tn_view *, struct tn_matches *const out[]);	/* out[rule]; NULL: rule is not wanted */
};

struct tn_program {
	unsigned abi;
	const char *name, *made_by;
	int nop, nrule, nroot, nenum, ndevice;
	int npattern;			/* of multi-pattern rules */
	const uint8_t *pattern;		/* columns of each */
	const struct tn_op *op;
	const struct tn_rule_code *rule;
	const struct tn_root_code *root;
	const struct tn_enum *const *enums;
	const struct tn_device *device;
};

#endif
