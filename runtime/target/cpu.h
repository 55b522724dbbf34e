/*
 * The CPU target: kernels of oneDNN where it is worth its dispatch, loops of our own for what moves elements or is tiny.
 *
 * Images lie with their channels last; everything else is row-major.
 */
#ifndef TARGET_CPU_H
#define TARGET_CPU_H

#include "tenon/target.h"

struct cpu;			/* the opened device; oneDNN's part is in cpu_dnnl.c */

/* A kernel begins with this; each file adds what it needs. */
struct kernel {
	bool (*run)(struct kernel *, const void *const in[], void *out, void *scratch, struct tn_error *);
	void (*drop)(struct kernel *);
};

/* Makes a kernel for the job; NULL and error.  facts->how and the like are set. */
typedef struct kernel *make_fn(struct cpu *, const struct tn_job *, struct tn_kernel_facts *, struct tn_error *);

make_fn map_make;		/* cpu_map.c: element by element */
make_fn move_make;		/* cpu_move.c: elements at other places */
make_fn reduce_make;		/* cpu_reduce.c: sums, means and extremes along axes, and normalisations */
make_fn conv_make, conv_transpose_make, matmul_make, pool_make, softmax_make;	/* cpu_dnnl.c */

/* The device of this many threads, 0: all; NULL and error. */
struct cpu *cpu_new(int threads, struct tn_error *);
void cpu_free(struct cpu *);
/* "onednn-2.6.3 nhwc 1-thread avx512_core" */
void cpu_describe(const struct cpu *, char *text, size_t size);
/* May a product of matrices take the operand as it lies, its axes collapsed to three? */
bool matmul_takes(const struct tn_job *, int operand);

/* ---- attributes by name ------------------------------------------------------------------------------------- */

const struct tn_value *job_attr(const struct tn_job *, const char *name);
int64_t job_int(const struct tn_job *, const char *name);
double job_float(const struct tn_job *, const char *name);
/* Value of an enum attribute by name; "" where the operator has none. */
const char *job_enum(const struct tn_job *, const char *name);

/* ---- cpu_loop.c: one loop over several tensors of one shape ---------------------------------------------------- */

enum { LOOP_MOST = 5 };		/* tensors */

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

/* ---- constants ---------------------------------------------------------------------------------------------------- */

/* The constant's elements densely in the layout; malloc'ed. */
void *constant_copy(const struct tn_tensor *, enum tn_layout);
size_t element_size(enum tn_dtype);
int64_t element_count(const struct tn_tensor *);
/* Strides of a dense tensor of these extents. */
void dense_strides(struct tn_tensor *, enum tn_layout);
bool is_channels_last(const struct tn_tensor *);

#endif
