/*
 * Inside of the flat form.
 *
 *	flat.c		numbers: expressions, functions, reductions
 *	flat_list.c	lists of indices, and the reads they stand for
 *	flat_emit.c	steps: registers, folding, equal steps, masks
 *	flat_run.c	steps done, a few lanes at a time
 *
 * Two files of registers: whole numbers and elements, each as many lanes wide as are computed at a time,
 * or one where all lanes have the same.  A mask is a whole register of 0 and 1.
 */
#ifndef REF_FLAT_CODE_H
#define REF_FLAT_CODE_H

#include "base/vec.h"
#include "ref/flat.h"
#include "ref/value.h"

enum { LANES = 64, DEPTH_MAX = 32 };
enum { ALL = -1, NONE = -2 };		/* masks that are no register */

enum step_kind {
	S_WHOLE_CONST,		/* k */
	S_WHOLE_FN,		/* fn of a and b; comparisons, AND, OR and NOT give 0 or 1 */
	S_WHOLE_INSIDE,		/* is a at least 0 and below k */
	S_WHOLE_SELECT,		/* a where mask, else b */
	S_INDEX,		/* element a as an index */
	S_COMPARE,		/* fn of elements a and b, where mask */
	S_NUMBER,		/* num */
	S_ELEM_OF,		/* whole a */
	S_FN,			/* fn of elements a and b, where mask */
	S_READ,			/* operand k at offset a where mask, else 0 */
	S_SELECT,		/* element a where mask, else b */
	S_BEGIN,		/* a reduction by fn: accumulator to, b: lanes that have met something */
	S_TAKE,			/* element a into accumulator to, by fn, where mask */
	S_END,			/* what met nothing: num, where mask */
	S_LOOP,			/* block k for whole to = 0 … the largest a - 1 */
};

struct step {
	uint8_t kind, fn;
	int32_t to, a, b, mask;		/* registers of the file that the kind says; ALL or NONE for a mask */
	int64_t k;
	struct tn_number num;
};

struct block {
	VEC(struct step) step;
};

struct reg {
	int16_t depth;			/* loops around the step that sets it */
	bool is_uniform;		/* one lane, the same for all */
	int64_t least, most;		/* of whole ones: between */
};

struct flat {
	VEC(struct block) block;	/* block 0 is the outermost */
	VEC(struct reg) whole, elem;
	int nindex;			/* whole registers 0 … are the axes of the result */
	int64_t extent[TN_MAX_RANK];	/* theirs */
	int64_t from, to;		/* elements computed */
	int result;			/* element register; is_uniform as it is */
	int lanes;			/* at a time */
	int64_t *wholes;		/* the registers, `lanes` apart */
	union elem *elems;
};

/* A number while steps are made. */
struct flat_number {
	bool is_real;
	bool is_known;			/* whole, and k */
	bool is_zeroed;			/* where it is absent it is 0 already */
	int64_t k;
	int reg;
	int there;			/* mask of the lanes where it is not absent */
};

/* Indices; n as of struct tn_list. */
struct flat_list {
	int n;
	struct flat_number i[TN_MAX_RANK];
};

struct flattener {
	struct flat *f;
	const struct tn_eval *ev;
	struct walk w;
	struct flat_list *index;	/* by variable */
	bool *is_index;
	struct flat_number *let;
	int open[DEPTH_MAX];		/* the blocks around, outermost first */
	int depth;
	int active;			/* lanes in which trouble counts: those that come here in the walker */
	int inner;			/* reductions around */
	int picked;
	bool is_beyond;			/* something cannot be flattened */
};

/* ---- between the files -------------------------------------------------------------------------------- */

struct flat_number flat_number(struct flattener *, const struct tn_x *);
struct flat_list flat_items(struct flattener *, const struct tn_x *, int *there);
struct flat_list flat_bound(struct flattener *, int var);
/* The read's operand, mask of the lanes where it is inside, and *offset in it. */
int flat_find(struct flattener *, const struct tn_x *, int *operand, struct flat_number *offset);

struct flat_number flat_known(int64_t);
int flat_whole_reg(struct flattener *, struct flat_number);
int flat_elem_reg(struct flattener *, struct flat_number);		/* as an element */
struct flat_number flat_or_zero(struct flattener *, struct flat_number);
struct flat_number flat_whole_fn(struct flattener *, enum tn_fn, struct flat_number x, struct flat_number y);
int flat_inside(struct flattener *, struct flat_number, int64_t extent);	/* a mask */
struct flat_number flat_of_mask(int mask);
int flat_mask(struct flattener *, struct flat_number);				/* where it is not 0 */
int flat_and(struct flattener *, int, int);
int flat_or(struct flattener *, int, int);
int flat_not(struct flattener *, int);
struct flat_number flat_select(struct flattener *, int mask, struct flat_number, struct flat_number);
/* The step's register; made where no loop is that it does not depend on, or found there. */
int flat_emit(struct flattener *, struct step);
/* A step that stands where it stands. */
void flat_put(struct flattener *, struct step);
int flat_new_reg(struct flattener *, bool is_elem, struct reg);
struct reg *flat_reg(const struct flattener *, struct flat_number);

#endif
