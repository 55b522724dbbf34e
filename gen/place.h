/*
 * Where the values of a def are computed, and their C text.
 *
 * Text goes to blocks: the function's, one for each open loop, one for each open branch.  A value
 * asked for in a block is put into the block of the innermost loop it depends on, before anything
 * that is still open, and has a name there; one that is used once and is short stays in its user's
 * expression.  A closed block is appended to the one around it.
 */
#ifndef GEN_PLACE_H
#define GEN_PLACE_H

#include "base/buf.h"
#include "gen/def.h"
#include "gen/names.h"

struct block {
	struct block *up;
	int loop;		/* NONE: the function, or a branch */
	int depth;		/* tabs before its statements */
	int nstmt;
	bool is_braced;		/* even around one statement */
	struct buf text;
	VEC(int) holds;		/* conditions that hold here */
};

/* A value that has a name, in the block that declares it. */
struct placed {
	int node;
	const struct block *in;
	const char *name, *second;	/* second: end of a range, index of a pick */
	const char *step;		/* of a range, or NULL: 1 */
};

struct loop_var {
	const char *hint, *name;
	bool is_open;
};

struct place {
	struct def *d;
	struct arena *arena;
	struct names names;
	struct block *at;
	VEC(struct placed) placed;
	VEC(struct loop_var) var;
	int var_of[MAX_LOOPS];	/* open loops */
	int lane;		/* the loop whose elements are reduced side by side, or NONE */
	struct block *strip;	/* around the lanes */
	const char *lane_at, *lane_to;	/* those of the strip */
};

/* Precedences of C, for parentheses. */
enum { PREC_ANY, PREC_COND = 2, PREC_OR, PREC_AND, PREC_EQ = 7, PREC_REL, PREC_ADD = 10, PREC_MUL, PREC_UNARY, PREC_POST };

/* C text of the value, to be used at once in p->at; in parentheses if it binds less than `prec`. */
const char *place_value(struct place *, int node, int prec);
/* place.c */
void place_stmt(struct place *, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void place_open(struct place *, int loop);
/* Append the block to the one around it under a head: "for (…)", "if (…)"; "else" goes on with the
 * branch before it; NULL: the text alone. */
void place_close(struct place *, const char *head);
void place_skip(struct place *, const char *cond);
/* A strip of lanes around what is placed until its closing under a head; the lanes' loop may be opened in it
 * again and again. */
void place_strip(struct place *, int lane);
void place_strip_close(struct place *, const char *head);
struct block *place_target(const struct place *, uint64_t loops);
const struct placed *place_find(const struct place *, int node);
void place_name(struct place *, int node, const char *name, const char *second);
bool place_holds(const struct place *, int cond);
/* Those of a condition's terms that do not hold here yet, as C; NULL if all do. */
const char *place_cond(struct place *, int cond, int prec);
/* place_stmt.c: values that take statements; they name themselves. */
void place_reduce(struct place *, int node);
void place_switch(struct place *, int node);
void place_pick(struct place *, int node);
void place_if(struct place *, int node);

#endif
