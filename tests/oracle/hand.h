/*
 * ONNX's operators by hand: one use of an operator with random operands and attributes, and its results by loops that
 * follow what ONNX's own text says of it, one element at a time.  Nothing here knows how an operator is lowered.
 */
#ifndef ORACLE_HAND_H
#define ORACLE_HAND_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/rand.h"
#include "tenon/tenon.h"

enum { HAND_IN = 5, HAND_OUT = 4, HAND_ELEMENTS = 16384, HAND_OPSET = 22 };

/* A tensor, row-major. */
struct nd {
	int rank;
	int64_t dim[TN_MAX_RANK];
	double v[HAND_ELEMENTS];
};

/* The use of an operator. */
struct hand {
	const char *onnx;
	struct rng rng;
	int opset;		/* one that has the operator */
	enum tn_dtype dtype;	/* of all operands, but where type[] is another */
	enum tn_dtype result;	/* of the first result, if it is another one */
	bool may_stay;		/* Tenon need have no words for this use: an opaque operator is right, too */
	int nin, nout;
	struct nd in[HAND_IN], out[HAND_OUT];
	enum tn_dtype type[HAND_IN];
	/* the node in the words of onnx_build.h: operands, attributes, results; and integers and numbers given as constants */
	struct buf operands, attrs, results, given;
};

/* What elements an operator's operands may have. */
enum hand_type { HAND_REAL, HAND_F32, HAND_ANY, HAND_INT };

struct hand_row {
	const char *onnx;
	void (*use)(struct hand *);	/* onnx, rng, opset and dtype are set, all else is empty */
	enum hand_type type;
	int since;		/* the first opset, where the mapping table has no row that says it */
};
/* Each ends with an empty row. */
extern const struct hand_row hand_element[], hand_linear[], hand_window[], hand_opaque[], hand_reduce[], hand_resize[],
    hand_shape[];

/* ---- drawing ---------------------------------------------------------------------------------- */

int64_t hand_between(struct hand *, int64_t least, int64_t most);
bool hand_coin(struct hand *);
bool hand_is_int(const struct hand *);

/* ---- tensors ---------------------------------------------------------------------------------- */

int64_t hand_count(const struct nd *);
/* Indices of a flat element. */
void hand_at(const struct nd *, int64_t flat, int64_t at[]);
double *hand_element_at(struct nd *, const int64_t at[]);
/* The element at indices of a tensor of `rank` axes that this one is broadcast to as NumPy does. */
double hand_spread(const struct nd *, int rank, const int64_t at[]);

/* ---- the node --------------------------------------------------------------------------------- */

/* The next operand, to be given a shape and elements. */
struct nd *hand_operand(struct hand *);
/* One of a given shape, or of least … most axes of 1 to 4, with normal elements. */
struct nd *hand_shaped(struct hand *, int rank, const int64_t dim[]);
struct nd *hand_any(struct hand *, int least, int most);
void hand_draw(struct hand *, struct nd *);
/* The next n of shapes that broadcast as NumPy's do, or are alike, and the next result in the shape that gives. */
struct nd *hand_broadcast(struct hand *, int n, bool is_alike);
/* An optional operand that is left out, in front of one that is not. */
void hand_absent(struct hand *);
/* Integers as a constant operand or as an attribute. */
void hand_ints(struct hand *, const char *name, bool is_operand, const int64_t list[], int n);
/* A number as a constant operand of rank 0, or as an attribute; what it is when stored. */
double hand_number(struct hand *, const char *name, bool is_operand, double);
void hand_int(struct hand *, const char *name, int64_t);
/* The axis, counted from either end where the opset has that. */
int64_t hand_axis(struct hand *, int axis, int rank);
/* The next result, to be given shape and elements; one that nothing uses. */
struct nd *hand_result(struct hand *);
void hand_unused(struct hand *);

#endif
