/*
 * The context: pools in which extents, attribute values, attribute records and tensor types are
 * interned, so that equal things have equal handles and comparing is comparing integers.
 *
 * Handles live as long as the context; nothing is freed one by one.  Not for two threads at once.
 */
#ifndef TENON_CTX_H
#define TENON_CTX_H

#include "op.h"

struct tn_ctx;
/* An empty context; every handle from it dies with it. */
TN_API struct tn_ctx *tn_ctx_new(void);
TN_API void tn_ctx_free(struct tn_ctx *);
/* The one copy of a string; lives as long as the context. */
TN_API const char *tn_ctx_str(struct tn_ctx *, const char *text, size_t len);

/* ---- extents: quasi-affine expressions -----------------------------------------------------
 *
 * A polynomial with integer coefficients over atoms; an atom is a symbol (a whole number, at least
 * 1) or div(e, k), k > 0, rounding down.  Normal form: equal handles iff equal normal forms.
 * Arithmetic that overflows 62 bits or grows past TN_DIM_TERMS terms gives TN_DIM_BAD, which every
 * operation passes on; conditions on it are unknown.
 */
#define TN_DIM_TERMS 64
#define TN_DIM_BAD INT64_MAX
#define TN_DIM_MAX ((INT64_C(1) << 62) - 1)

enum tn_tri { TN_FALSE, TN_TRUE, TN_UNKNOWN };

static inline bool
tn_dim_is_num(tn_dim d)
{
	return d >= -TN_DIM_MAX && d <= TN_DIM_MAX;
}

/* The symbol of that name. */
TN_API tn_dim tn_dim_sym(struct tn_ctx *, const char *name);
/* Sum, difference, product. */
TN_API tn_dim tn_dim_add(struct tn_ctx *, tn_dim, tn_dim);
TN_API tn_dim tn_dim_sub(struct tn_ctx *, tn_dim, tn_dim);
TN_API tn_dim tn_dim_mul(struct tn_ctx *, tn_dim, tn_dim);
/* Floor division and remainder.  A symbolic divisor gives the quotient only where it divides every term, else TN_DIM_BAD. */
TN_API tn_dim tn_dim_div(struct tn_ctx *, tn_dim, tn_dim);
TN_API tn_dim tn_dim_mod(struct tn_ctx *, tn_dim, tn_dim);
TN_API tn_dim tn_dim_ceildiv(struct tn_ctx *, tn_dim, tn_dim);
/* Largest and smallest, where decidable; else TN_DIM_BAD. */
TN_API tn_dim tn_dim_max(struct tn_ctx *, tn_dim, tn_dim);
TN_API tn_dim tn_dim_min(struct tn_ctx *, tn_dim, tn_dim);
/* What holds for all values of the symbols is true, what holds for none false, all else unknown. */
TN_API enum tn_tri tn_dim_eq(struct tn_ctx *, tn_dim, tn_dim);
TN_API enum tn_tri tn_dim_le(struct tn_ctx *, tn_dim, tn_dim);
TN_API enum tn_tri tn_dim_lt(struct tn_ctx *, tn_dim, tn_dim);
TN_API enum tn_tri tn_dim_divides(struct tn_ctx *, tn_dim d, tn_dim n);
/* Number of symbols so far, and the name of the i-th: sizes[] below is indexed so. */
TN_API int tn_dim_nsym(const struct tn_ctx *);
TN_API const char *tn_dim_symname(const struct tn_ctx *, int i);
/* Which symbol the extent is; -1: it is none by itself. */
TN_API int tn_dim_symbol(const struct tn_ctx *, tn_dim);
/* The number d is where symbol i is sizes[i]; false if it overflows or a symbol used has size 0 (unset). */
TN_API bool tn_dim_at(const struct tn_ctx *, tn_dim d, const int64_t sizes[], int64_t *out);
/* Text in the rule language's syntax, "(+ 1 (div (- h 3) 2))" or "7" or "?" (BAD); cut to size, returns the full length. */
TN_API size_t tn_dim_print(const struct tn_ctx *, tn_dim, char *out, size_t size);

/* ---- attribute values ----------------------------------------------------------------------- */

struct tn_value {
	enum tn_kind kind;
	uint32_t n;			/* INTS, DIMS: how many */
	union {
		int64_t i;		/* INT, BOOL, DTYPE, ENUM (value number), AXIS */
		tn_dim dim;		/* DIM */
		double f;		/* FLOAT, rounded to f32; compare by bits */
		const char *s;		/* STRING */
		const int64_t *list;	/* INTS as numbers, DIMS as tn_dim; owned by the context */
	} u;
};

/* The handle of a value, whose list or text is copied; and the value of a handle. */
TN_API tn_val tn_val_make(struct tn_ctx *, const struct tn_value *);
TN_API const struct tn_value *tn_val_get(const struct tn_ctx *, tn_val);
/* Do two floats stand for one number: within 2 ulp of f32 of each other, or equal if `exact` (a number f32 holds exactly). */
TN_API bool tn_float_near(double a, double b, bool exact);
/* The nearest double. */
TN_API double tn_number_double(struct tn_number);
/* The value as rule files write it; enums names a value of an enum, else NULL.  Cut to size, returns the full length. */
TN_API size_t tn_val_print(const struct tn_ctx *, const struct tn_enum *enums, tn_val, char *out, size_t size);

/* The record of n values, in the order in which the operator declares its attributes; and the values of a record
 * (n may be NULL). */
TN_API tn_attrs tn_attrs_make(struct tn_ctx *, const tn_val v[], int n);
TN_API const tn_val *tn_attrs_get(const struct tn_ctx *, tn_attrs, int *n);
/* The record with value i replaced. */
TN_API tn_attrs tn_attrs_with(struct tn_ctx *, tn_attrs, int i, tn_val);

/* ---- types ---------------------------------------------------------------------------------- */

struct tn_shape {
	enum tn_dtype dtype;
	int rank;		/* -1: not known (results of opaque operators) */
	tn_dim dim[TN_MAX_RANK];
};

/* The handle of a type; the type of a handle; its text, "f32 [1 3 h w]", cut to size: returns the full length. */
TN_API tn_type tn_type_make(struct tn_ctx *, const struct tn_shape *);
TN_API const struct tn_shape *tn_type_get(const struct tn_ctx *, tn_type);
TN_API size_t tn_type_print(const struct tn_ctx *, tn_type, char *out, size_t size);

/* ---- inference -------------------------------------------------------------------------------
 *
 * What a compiled shape function or the tree walker sees.  in[i] == TN_NONE is a number whose shape
 * its place gives: it is bound by the other operands, and filled in.  Attributes of kind AXIS are
 * normalised already (tn_attrs_normalise).  tn_infer_run counts the operands, fills in those that
 * are TN_NONE and checks element types before it calls op->shape, which does the rest (infer.h).
 */
struct tn_infer {
	struct tn_ctx *ctx;
	const struct tn_op *op;
	tn_attrs attrs;
	int nin;
	tn_type *in;
	tn_type out;
	struct tn_error *error;		/* NULL: only whether; said in the user's terms otherwise */
	bool keep_unknown;		/* a node read from a model: a condition that is unknown passes */
};

/*
 * Result type of op on these operands, compiled or by walking op's tree.  False if a shape check does
 * not hold; then error says which, with the operator's own message.
 *
 * Answers are kept by op, attributes and operand types, so operators must live as long as the context
 * is used.  The result's extents of a node that keep_unknown lets pass are facts from then on: they
 * are known to be at least 0.
 */
TN_API bool tn_infer_run(struct tn_infer *);
/* The tree walker alone, for tests of the compiled one. */
TN_API bool tn_infer_walk(struct tn_infer *);
/* Record with its AXIS attributes made non-negative for these operands; TN_NONE if out of range. */
TN_API tn_attrs tn_attrs_normalise(struct tn_ctx *, const struct tn_op *, tn_attrs, const tn_type in[], int nin);

/* ---- evaluation ------------------------------------------------------------------------------- */

/* A dense row-major tensor of doubles; integers up to 2^53 are exact.  dim[] are numbers. */
struct tn_array {
	enum tn_dtype dtype;
	int rank;
	int64_t dim[TN_MAX_RANK];
	double *v;
};

/* What a compiled def or the tree walker sees: it fills out->v, whose shape is already inferred.
 * from/to: the range of flat result elements to compute, so that work can be cut and shown. */
struct tn_eval {
	struct tn_ctx *ctx;
	const struct tn_op *op;
	tn_attrs attrs;
	int nin;
	const struct tn_array *in;
	struct tn_array *out;
	int64_t from, to;
};
TN_API void tn_eval_run(struct tn_eval *);	/* compiled if there, else walks */
TN_API void tn_eval_walk(struct tn_eval *);

#endif
