/*
 * A `def` as a graph of values, for compiling.
 *
 * Equal expressions are one node, calls of functions and lets are gone, indices are loops, reads
 * are offsets with the conditions under which they are inside.  def*.c make the graph, place*.c
 * print it as C, each node in the outermost loop it depends on.
 *
 * A sequence ..d whose index is only ever used as a whole, on an operand's own ..d, is one loop over
 * the product of its extents.  Any other is a row and a column: the index list of a row is made once,
 * and reads along it go on in equal steps.
 */
#ifndef GEN_DEF_H
#define GEN_DEF_H

#include "base/map.h"
#include "base/vec.h"
#include "tenon/rule.h"

#define NONE (-1)		/* no node; as a condition: always */
#define MAX_LOOPS 64

enum node_kind {
	NODE_INT,		/* num */
	NODE_REAL,		/* real */
	NODE_LOOP,		/* index of loop a */
	NODE_TEXT,		/* text, in which $0, $1 stand for kids */
	NODE_CALL,		/* fn of kid[] */
	NODE_IF,		/* kid[0] ? kid[1] : kid[2] */
	NODE_CAST,		/* whole number kid[0] as a real, or a truth as 1 and 0 */
	NODE_AND,		/* kid[] all hold; only as a condition */
	NODE_INSIDE,		/* 0 <= kid[0] < kid[1] */
	NODE_READ,		/* element kid[1] of data kid[0], under condition kid[2] if there, else 0 */
	NODE_WHERE,		/* kid[0] under condition kid[1], else 0 */
	NODE_SWITCH,		/* kid[1 + value of kid[0]]; a: the attribute */
	NODE_REDUCE,		/* fn ADD, MAX or MIN over loops iter[] of kid[0], under condition kid[1] if there */
	NODE_PICK,		/* number of that operand from a on that holds index kid[0] of axis kid[1], if
				 * they are laid one after the other along it */
	NODE_PICKED,		/* the index in the operand that kid[0] picked */
};

enum node_type { TYPE_INT, TYPE_REAL, TYPE_BOOL, TYPE_LIST, TYPE_READS, TYPE_DATA };

struct node {
	uint8_t kind, type, fn, niter;
	int a, nkid;
	int64_t num;
	double real;
	const char *text;
	const int *kid, *iter;
	uint64_t loops;		/* the loops it depends on */
	const char *hint;	/* what to call it */
	bool is_offset;		/* part of a read's: known by its loop too */
	int uses;		/* nodes it is a kid of */
};

struct loop {
	const char *name;
	int extent;		/* node */
	int depth;		/* reductions around it; 0: of the result */
};

/* How the index of a sequence goes. */
enum seq_mode { SEQ_WHOLE, SEQ_LIST };

struct bound {			/* what a variable is at the moment */
	int node;		/* index or value; NONE: nothing */
	int cond;		/* value: where it is */
	int row, col;		/* loops of a list sequence */
};

struct same {			/* two nodes that are equal wherever the operator is used */
	int a, b;
};

struct def {
	struct arena *arena;
	const struct tn_op *op;
	VEC(struct node) node;
	VEC(struct loop) loop;
	struct map known;	/* node's key to its number */
	struct bound *bound;	/* by variable */
	uint8_t *mode;		/* enum seq_mode by variable */
	int depth;		/* reductions around what is converted */
	int picked;		/* operand of the pick around it, or NONE */
	VEC(struct same) same;	/* what the operator's `where`s say of extents */
	int point;		/* column at which lists are taken: 0, 1, or NONE: the loop's */
	bool is_declined;	/* something is there that only the tree walker does */
	int nout;
	int out[MAX_LOOPS];	/* loops of the result, outermost first */
	int result;		/* node */
};

/* A value and the condition under which it is there: NONE, or a node AND. */
struct val {
	int node, cond;
};

/* False if the def must be left to the tree walker. */
bool def_make(struct def *, struct arena *, const struct tn_op *);
void def_free(struct def *);

/* ---- between def*.c ---- */
int def_node(struct def *, struct node, const int kid[]);
int def_int(struct def *, int64_t);
int def_text(struct def *, enum node_type, const char *hint, const char *text, int nkid, const int kid[]);
int def_call(struct def *, enum tn_fn, enum node_type, int a, int b);
int def_and(struct def *, int a, int b);	/* of two conditions */
/* Value of an expression, of the type it has by itself; def_whole: as an index, adds to *cond. */
struct val def_value(struct def *, const struct tn_x *);
int def_whole(struct def *, const struct tn_x *, int *cond);
struct val def_read(struct def *, const struct tn_x *);
bool def_is_same(const struct def *, int a, int b);
/* Lists: def_list.c. */
int def_list(struct def *, const struct tn_x *, int *cond);
/* Does it go on in equal steps along ..seq's columns?  *seq is NONE where no sequence is in it. */
bool def_is_affine(const struct def *, const struct tn_x *, int *seq);
/* Extents and attributes: def_dim.c. */
int def_place(struct def *, int operand, int item);	/* axis of the item */
int def_length(struct def *, int var);		/* of a sequence */
int def_extent(struct def *, int var);		/* of a dim; product of a sequence's */
int def_extents(struct def *, int var);		/* list of a sequence's */
int def_attr(struct def *, int attr);
int def_decline(struct def *);

#endif
