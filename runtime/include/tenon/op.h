/*
 * Operator declarations as data: what `(op …)` in a rule file says, typed.
 *
 * tenonc builds these trees in an arena and writes the very same structures as static data into the
 * code it generates, so that shape inference, the reference interpreter, costs, rule checking and
 * later derivation all read one source.  Everything here is immutable once made.
 */
#ifndef TENON_OP_H
#define TENON_OP_H

#include "base.h"

/* Element types.  X(name, text, size in bytes, class). */
#define TN_DTYPES(X) \
	X(UNTYPED, "?", 0, OTHER) \
	X(F16, "f16", 2, FLOAT) X(BF16, "bf16", 2, FLOAT) X(F32, "f32", 4, FLOAT) X(F64, "f64", 8, FLOAT) \
	X(I8, "i8", 1, INT) X(I16, "i16", 2, INT) X(I32, "i32", 4, INT) X(I64, "i64", 8, INT) \
	X(U8, "u8", 1, INT) X(U16, "u16", 2, INT) X(U32, "u32", 4, INT) X(U64, "u64", 8, INT) \
	X(BOOL, "bool", 1, BOOL) X(STRING, "string", 0, OTHER)
enum tn_dtype {
#define X(name, text, size, class) TN_##name,
	TN_DTYPES(X)
#undef X
	TN_NDTYPES
};

/* An exact number: num/den * 10^exp10, lowest terms.  den == 0: infinity of num's sign, NaN if num is 0.
 * exp10 is 0 whenever the number fits without it. */
struct tn_number {
	int64_t num, den;
	int32_t exp10;
};

/* Kinds of attribute.  One table: text in rule files. */
#define TN_KINDS(X) \
	X(INT, "int") X(FLOAT, "float") X(BOOL, "bool") X(STRING, "string") X(DTYPE, "dtype") \
	X(ENUM, "enum") X(INTS, "ints") X(DIM, "dim") X(DIMS, "dims") X(AXIS, "axis")
enum tn_kind {
#define X(name, text) TN_K_##name,
	TN_KINDS(X)
#undef X
	TN_NKINDS
};

/* A place in a rule file, as byte offsets; zero in generated code. */
struct tn_span {
	uint32_t file, from, to;
};

/* ---- expressions ------------------------------------------------------------------------- */

/* Sorts of expressions. */
enum tn_sort {
	TN_S_INT,		/* integer, extent (maybe symbolic) or index */
	TN_S_REAL,		/* element value or float attribute */
	TN_S_BOOL,
	TN_S_LIST,		/* sequence of integers or extents */
	TN_S_STRING, TN_S_DTYPE, TN_S_ENUM,
	TN_S_TENSOR,		/* a rule's ?x, operand of dim, shape, rank, constant, dtype */
};

/*
 * Functions of expressions.  X(name, text, least operands, most operands or -1, group).
 * Groups: ARITH works on INT, REAL and element-wise on LIST (a scalar goes with every element);
 * REAL is for element values; CMP gives BOOL and chains, holding for lists if it holds for all
 * elements; LOGIC; SEQ is for lists; TENSOR asks about a rule's tensor; ARITH division `/` is real.
 */
#define TN_FNS(X) \
	X(ADD, "+", 1, -1, ARITH) X(SUB, "-", 1, -1, ARITH) X(MUL, "*", 1, -1, ARITH) \
	X(DIVR, "/", 2, 2, REAL) X(FLOORDIV, "div", 2, 2, ARITH) X(MOD, "mod", 2, 2, ARITH) \
	X(EXACTDIV, "/!", 2, 2, ARITH) X(CEILDIV, "ceil-div", 2, 2, ARITH) \
	X(MAX, "max", 1, -1, ARITH) X(MIN, "min", 1, -1, ARITH) \
	X(POW, "pow", 2, 2, REAL) X(ABS, "abs", 1, 1, ARITH) X(NEG, "neg", 1, 1, ARITH) \
	X(EXP, "exp", 1, 1, REAL) X(LOG, "log", 1, 1, REAL) X(SQRT, "sqrt", 1, 1, REAL) \
	X(ERF, "erf", 1, 1, REAL) X(TANH, "tanh", 1, 1, REAL) X(SIGMOID, "sigmoid", 1, 1, REAL) \
	X(EQ, "=", 2, -1, CMP) X(NE, "!=", 2, 2, CMP) X(LT, "<", 2, -1, CMP) X(LE, "<=", 2, -1, CMP) \
	X(GT, ">", 2, -1, CMP) X(GE, ">=", 2, -1, CMP) \
	X(AND, "and", 1, -1, LOGIC) X(OR, "or", 1, -1, LOGIC) X(NOT, "not", 1, 1, LOGIC) \
	X(IF, "if", 3, 3, LOGIC) \
	X(DIVIDES, "divides", 2, 2, CMP)		/* (divides d n): d divides n */ \
	X(ONES, "ones", 1, 1, SEQ)			/* list of 1, as long as its operand */ \
	X(PERMUTE, "permute", 2, 2, SEQ)		/* (permute l p): element i is l[p[i]] */ \
	X(UNPERMUTE, "unpermute", 2, 2, SEQ)		/* (unpermute l p): element p[i] is l[i] */ \
	X(PERMUTATION, "permutation", 1, 1, CMP)	/* is the list a permutation of 0..n-1 */ \
	X(FLATTEN, "flatten", 2, 2, SEQ)		/* (flatten index extents): row-major offset */ \
	X(UNFLATTEN, "unflatten", 2, 2, SEQ)		/* (unflatten offset extents): index list */ \
	X(BROADCAST, "broadcast", 3, 3, SEQ)		/* (broadcast index extents axes): operand index; 0 where the extent is 1 */ \
	X(BROADCASTS, "broadcasts", 3, 3, CMP)		/* (broadcasts extents axes shape): may it */ \
	X(PRODUCT, "product", 1, 1, SEQ) X(RANGE, "range", 1, 2, SEQ) \
	X(LENGTH, "length", 1, 1, SEQ) X(AT, "at", 2, 2, SEQ)	/* (at list i), i negative from the end */ \
	X(DIM, "dim", 2, 2, TENSOR) X(SHAPE, "shape", 1, 1, TENSOR) X(RANK, "rank", 1, 1, TENSOR) \
	X(CONSTANT, "constant", 1, 1, TENSOR) X(DTYPE_OF, "dtype", 1, 1, TENSOR)
enum tn_fn {
#define X(name, text, least, most, group) TN_F_##name,
	TN_FNS(X)
#undef X
	TN_NFNS
};

enum tn_xkind {
	TN_X_NUM,		/* num; sort INT if whole, else REAL */
	TN_X_TEXT,		/* text: a STRING, or a DTYPE or ENUM value with its number in num.num */
	TN_X_VAR,		/* var: in where, let and out a dim means its extent, in def its index */
	TN_X_EXTENT,		/* var: #d or #..d, in def */
	TN_X_CALL,		/* fn, kid[] */
	TN_X_LIST,		/* [ … ]: kid[] of sort INT, or LIST spliced in */
	TN_X_LET,		/* var = kid[0] in kid[1]; also a fn's parameter, so computed once */
	TN_X_SWITCH,		/* on ENUM attribute var: kid[value] */
	TN_X_REDUCE,		/* fn SUM as ADD, MAX or MIN over iter[]; kid[0] body, kid[1+i] extent of
				 * iter[i], or NULL where iter[i] is an operand's dim with its own extent */
	TN_X_READ,		/* operand var, kid[]: indices, INT or LIST */
	TN_X_INSIDE,		/* 1 if the read kid[0] is inside, else 0 */
	TN_X_PICK,		/* of variadic operand var the one whose read in kid[0] is inside */
	TN_X_BEFORE,		/* sum, over the operands before the picked one, of star dim var; in a rule, over
				 * the siblings before this one, of kid[0] */
	TN_X_TOTAL,		/* (sum [xs] e) in let: kid[0] summed over the operands of variadic var */
	TN_X_ANY,		/* $_ in a pattern */
};

struct tn_x {
	uint8_t kind;			/* enum tn_xkind */
	uint8_t sort;			/* enum tn_sort */
	uint8_t fn;			/* enum tn_fn */
	uint8_t niter;
	int16_t var;			/* variable or, where said above, operand */
	uint16_t nkid;
	struct tn_number num;
	const char *text;
	const int16_t *iter;		/* REDUCE: variables, outermost first */
	const struct tn_x *const *kid;
	struct tn_span at;
};

/* ---- operators --------------------------------------------------------------------------- */

enum tn_varkind {
	TN_V_DIM,		/* bound by an operand's shape */
	TN_V_STAR,		/* d*: a dim each operand of a variadic list has for itself */
	TN_V_LET,		/* shape-level let */
	TN_V_ITER,		/* iterator of a reduction with its own extent */
	TN_V_VALUE,		/* let in def, parameter of a fn */
	TN_V_ATTR,		/* attribute `attr` as a whole */
	TN_V_ELEM,		/* element `elem` of list attribute `attr`: sh of [sh sw] */
};

struct tn_var {
	const char *name;	/* without .. and $ */
	uint8_t kind;		/* enum tn_varkind */
	uint8_t sort;		/* INT, REAL (VALUE), LIST for ..d, or the attribute's */
	int16_t attr, elem;	/* ATTR and ELEM; else -1 */
};

struct tn_enum {
	const char *name;
	int nvalue;
	const char *const *value;
};

enum { TN_MAX_ATTRS = 64 };	/* of an operator: a set of them is one word */

struct tn_attr_decl {
	const char *name;
	uint8_t kind;			/* enum tn_kind */
	int16_t nelem;			/* list of named ints: how many, else 0 (kind INTS) */
	const struct tn_enum *enums;	/* kind ENUM */
	const struct tn_x *init;	/* default: constant expression, or NULL */
	int16_t axis_of;		/* kind AXIS: operand against whose rank it is normalised */
	int16_t var;			/* its TN_V_ATTR variable */
};

/* One item of an operand's shape: d, ..d, ..d@count, d*. */
struct tn_item {
	int16_t var;		/* its variable */
	int16_t count;		/* attribute that gives the length of ..d, or -1 */
	bool is_seq;
};

struct tn_operand {
	const char *name;
	bool is_variadic;		/* xs...: only the last operand, one or more tensors */
	bool has_default;
	struct tn_number init;		/* the value everywhere if left out */
	int16_t type;			/* fixed enum tn_dtype, -1: shared, or -2 - attr of kind dtype */
	uint16_t nitem;
	const struct tn_item *item;
};

struct tn_where {
	const struct tn_x *cond;
	const char *message;		/* or NULL */
};

struct tn_let {
	int16_t var;
	const struct tn_x *x;
};

/* The function types of compiled declarations; infer.h and eval.h say what they see. */
struct tn_infer;
struct tn_eval;
typedef bool tn_shape_fn(struct tn_infer *);
typedef void tn_eval_fn(struct tn_eval *);

struct tn_op {
	const char *name, *doc;
	const char *file;		/* where it is declared */
	int line;
	const char *onnx, *onnx_domain;	/* (onnx "Name" "domain"), or NULL */
	int nvar, nattr, nin, nwhere, nlet, nout;
	const struct tn_var *var;
	const struct tn_attr_decl *attr;
	const struct tn_operand *in;
	const struct tn_where *where;
	const struct tn_let *let;	/* in order of use */
	const int16_t *out;		/* variables, one per dim or sequence */
	int16_t out_type;		/* as tn_operand.type */
	uint32_t dtypes;		/* bit per enum tn_dtype that the shared dtype may be */
	const struct tn_x *def;		/* element of the result, or NULL: uninterpreted */
	const struct tn_x *cost;	/* nanoseconds, or NULL */
	bool is_commutative;		/* def symmetric in operands 0 and 1, of equal shapes */
	bool is_scalar;			/* no attributes, and rank 0 everywhere: needs no shape check */
	struct tn_span at;
	tn_shape_fn *shape;		/* compiled, or NULL: walk the tree */
	tn_eval_fn *eval;		/* compiled, or NULL */
};

/* Operators every program has, in this order, before its own. */
enum tn_core {
	TN_FILL,		/* (fill :value v :shape s :type t): one value everywhere; declared in tenonc's prelude */
	TN_INPUT,		/* graph input; record {int index} */
	TN_WEIGHT,		/* constant tensor; record {int index} */
	TN_OPAQUE,		/* an operator Tenon does not know; record {int index}; operands are its inputs */
	TN_RESULT,		/* result number p of an opaque operator; record {int p} */
	TN_CORE			/* first id of a declared operator */
};

/* A modelled device: (target NAME (KEY VALUE) …). */
struct tn_device {
	const char *name;
	int nkey;
	const char *const *key;
	const double *value;
};

#endif
