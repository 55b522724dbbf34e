/*
 * The CPU target: kernels of oneDNN where it is worth its dispatch, loops of our own for what moves elements or is tiny.
 *
 * Images lie with their channels last; everything else is row-major.
 */
#ifndef TARGET_CPU_H
#define TARGET_CPU_H

#include "target/kernel.h"

struct cpu;			/* the opened device; oneDNN's part is in cpu_dnnl.c */

/* Makes a kernel for the job; NULL and error.  facts->how and the like are set. */
typedef struct kernel *make_fn(struct cpu *, const struct tn_job *, struct tn_kernel_facts *, struct tn_error *);

make_fn map_make;		/* cpu_map.c: element by element */
make_fn move_make;		/* cpu_move.c: elements at other places */
make_fn reduce_make;		/* cpu_reduce.c: sums, means and extremes along axes, and normalisations */
make_fn conv_make, conv_transpose_make, matmul_make, pool_make, softmax_make;	/* cpu_dnnl.c */

/* cpu_reduce.c: softmax of f32, the lines as near to one another as they lie. */
struct kernel *softmax_loop(const struct tn_job *, struct tn_kernel_facts *);

/* The larger and the smaller as the language has them: NaN if one is. */
static inline float
larger(float a, float b)
{
	float most = a > b ? a : b;

	return a != a ? a : most;
}

static inline float
smaller(float a, float b)
{
	float least = a < b ? a : b;

	return a != a ? a : least;
}

/* The device of this many threads, 0: all; NULL and error. */
struct cpu *cpu_new(int threads, struct tn_error *);
void cpu_free(struct cpu *);
/* "onednn-2.6.3 nhwc 1-thread avx512 25-17-AMD-EPYC-9354" */
void cpu_describe(const struct cpu *, char *text, size_t size);
/* cpu_name.c: the last word of that, without spaces. */
void cpu_name(char *text, size_t size);
/* cpu_cache.c: of a processor that runs it. */
void cpu_caches(struct tn_caches *);

#endif
