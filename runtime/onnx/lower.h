/*
 * Lowering: one ONNX node to nodes of the graph.  A lowering that returns false leaves an opaque
 * operator; it may do so wherever anything is not exactly representable.
 */
#ifndef ONNX_LOWER_H
#define ONNX_LOWER_H

#include "onnx/onnx.h"

struct lower {
	struct tn_onnx *x;
	struct tn_graph *g;
	const struct onnx_node *n;
	uint32_t origin;
	const char *op;		/* the table's Tenon operator */
	const uint32_t *in;	/* graph nodes of the operands that are tensors, TN_NONE where not */
	uint32_t *out;		/* to fill: graph nodes of the results */
};

typedef bool lower_fn(struct lower *);

/* ONNX attributes: the default where absent.  Kinds are the table's care; a wrong one counts as absent
 * and was refused before.  Integers are cut to what extents hold (onnx_cut). */
int64_t low_int(const struct lower *, const char *name, int64_t otherwise);
double low_float(const struct lower *, const char *name, double otherwise);
/* Is the string attribute absent or this? */
bool low_is(const struct lower *, const char *name, const char *text);
/* A list of n, each `otherwise` where absent; false where its length is another. */
bool low_ints(const struct lower *, const char *name, uint32_t n, int64_t otherwise, int64_t out[]);

/* Is operand i there? */
bool low_has(const struct lower *, uint32_t i);
/* What integer operand i holds, or attribute `name` of kind INTS; NULL: neither is there, or it is not known. */
const struct sym *low_extents(const struct lower *, uint32_t i, const char *name);
/* The one number that operand i holds, if the graph can say it exactly. */
bool low_number(const struct lower *, uint32_t i, double *);
/* The f32's that operand i holds, or attribute `name` of kind FLOATS; -1: none or more than a tensor has axes, or not known. */
int low_floats(const struct lower *, uint32_t i, const char *name, float out[TN_MAX_RANK]);
const struct tn_shape *low_shape(const struct lower *, uint32_t node);
/* An axis attribute or number against a rank. */
bool low_axis(int64_t given, int rank, int *axis);

/* ---- making nodes; TN_NONE is passed on ------------------------------------------------------- */

/* Attribute of a Tenon operator by name: an integer or extent, a number, or a list. */
struct low_attr {
	const char *name;
	int n;			/* LIST: how many; INT -1, FLOAT -2 */
	int64_t i;
	double f;
	const int64_t *list;
};
#define LOW_INT(name, v) ((struct low_attr){name, -1, v, 0, NULL})
#define LOW_FLOAT(name, v) ((struct low_attr){name, -2, 0, v, NULL})
#define LOW_LIST(name, n, v) ((struct low_attr){name, n, 0, 0, v})

/* A node of the operator, or of the standard one of the name; TN_NONE: the program has none, or it does not admit that. */
uint32_t low_op(struct lower *, unsigned op, const uint32_t kid[], int nkid, const struct low_attr[], int nattr);
uint32_t low_node(struct lower *, const char *name, const uint32_t kid[], int nkid, const struct low_attr[], int nattr);
uint32_t low_fill(struct lower *, double, const struct tn_shape *);
uint32_t low_reshape(struct lower *, uint32_t node, int rank, const tn_dim dim[]);
uint32_t low_transpose(struct lower *, uint32_t node, const int64_t perm[], int rank);
/* Broadcast to the shape: the node itself, a fill of it, or an expand. */
uint32_t low_broadcast(struct lower *, uint32_t node, const struct tn_shape *);

/* ---- lower_resize.c ---------------------------------------------------------------------------- */

/* The shape that a Resize or an Upsample makes of one; false: it cannot be told. */
bool resize_shape(const struct lower *, const struct tn_shape *, struct tn_shape *out);

/* ---- map.c -------------------------------------------------------------------------------------- */

/* The table's row of an ONNX operator, or NULL. */
struct lower_row {
	const char *onnx, *operands, *attributes;
	int64_t since, until;
	lower_fn *lower;
	const char *tenon;
};
const struct lower_row *map_row(struct span op);
/* The letter of operand i in a row's operands; 0: there is none. */
char map_letter(const char *operands, uint32_t i);
/* Operator of the program declared with (onnx "Name" "domain"), or TN_NONE. */
unsigned map_declared(const struct tn_program *, const struct onnx_node *);
/* Record of an operator from attributes by name, defaults for the others; TN_NONE: it has no such. */
tn_attrs map_record(struct tn_ctx *, const struct tn_op *, const struct low_attr[], int n);

#define LOWER(onnx, operands, attributes, since, until, lower, tenon) lower_fn lower;
#include "onnx/map.def"
lower_fn lower_declared;

#endif
