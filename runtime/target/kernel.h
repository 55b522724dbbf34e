/*
 * What plug-ins share: kernels, a job's attributes, loops over strided tensors, and the geometry of operators that is
 * the same on every device.
 */
#ifndef TARGET_KERNEL_H
#define TARGET_KERNEL_H

#include "base/dtype.h"
#include "target/view.h"

/* A kernel begins with this; each file adds what it needs. */
struct kernel {
	bool (*run)(struct kernel *, const void *const in[], void *out, void *scratch, struct tn_error *);
	void (*drop)(struct kernel *);
};

/* Such a kernel behind a plug-in's table. */
void kernel_drop(void *state, void *kernel);
bool kernel_run(void *state, void *kernel, const void *const in[], void *out, void *scratch, struct tn_error *);

/* ---- kernel.c: attributes by name, tensors -------------------------------------------------------------------- */

const struct tn_value *job_attr(const struct tn_job *, const char *name);
int64_t job_int(const struct tn_job *, const char *name);
double job_float(const struct tn_job *, const char *name);
/* Value of an enum attribute by name; "" where the operator has none. */
const char *job_enum(const struct tn_job *, const char *name);

/* The constant's elements densely in the layout; malloc'ed. */
void *constant_copy(const struct tn_tensor *, enum tn_layout);
/* Is it a constant of f32 that is 0 everywhere?  A bias that is so is none. */
bool is_all_zero(const struct tn_tensor *);
/* Gaps between rows do not matter. */
bool is_channels_last(const struct tn_tensor *);

/* ---- loop.c: one loop over several tensors of one shape --------------------------------------------------------- */

enum { LOOP_MOST = 6 };		/* tensors */

/*
 * Axes from the slowest on, those of extent 1 dropped and those joined that lie behind one another in every tensor, in
 * the order in which tensor 0 lies.  At least one axis.
 */
struct loop {
	int ntensor, rank;
	int64_t dim[TN_MAX_RANK], stride[LOOP_MOST][TN_MAX_RANK];
};
void loop_make(struct loop *, const struct tn_tensor *const t[], int ntensor);

/* Called for each run along the last axis: n elements, tensor i's from at[i] on, stride[i] elements apart. */
typedef void loop_fn(const void *arg, int64_t n, char *const at[], const int64_t stride[]);
/* Copies tensor 1 to tensor 0; arg: the size of an element. */
loop_fn copy_run;
void loop_run(const struct loop *, char *const base[], size_t size, loop_fn *, const void *arg);

/* ---- move.c: elements that get other places --------------------------------------------------------------------- */

/* One copy: from an operand's offset to the result's. */
struct part {
	struct loop loop;		/* result, operand */
	int64_t to, from;		/* elements from the beginnings */
	int operand;
};
struct moves {
	bool is_cleared;		/* the result is set to 0 before */
	int npart;
	struct part *part;		/* room for one an operand, at least one */
};
/* The copies that slice, concat, pad, transpose, expand, group-merge, upsample or a reorder is; false: it is none, or has too
 * many axes. */
bool moves_make(struct moves *, const struct tn_job *);

/* ---- matrix.c: products of matrices ------------------------------------------------------------------------------ */

/* [..batch ..rows columns] as [batch rows columns], strides as they are; false: it cannot be seen so. */
bool as_matrices(const struct tn_tensor *, int batch, struct tn_tensor *out);
/* May a product take the operand as it lies: collapsed to matrices with one axis whose neighbours lie together? */
bool matmul_takes(const struct tn_job *, int operand);

/* ---- reduction.c --------------------------------------------------------------------------------------------------- */

/* The operand, and the result seen with its shape: stride 0 along what is reduced; how many elements that are. */
int64_t reduced_view(const struct tn_job *, struct tn_tensor *in, struct tn_tensor *out);

#endif
