/* What the parts of the stand-in share, and what a test sets and asks of it. */
#ifndef STAND_IN_H
#define STAND_IN_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

struct stand_in {
	size_t cudnn, cuda;		/* versions, as the libraries count them */
	int capability;			/* 90 */
	size_t free_bytes, largest;	/* what cudaMemGetInfo says; the largest piece that cudaMalloc gives */
	double clock_us;		/* goes on with what is run: kernels take 4, others what is written at them */
	int live;			/* descriptors, handles, events, streams and memory that were not given back */
	int calls, fail_at;		/* calls of CUDA, cuDNN and cuBLAS; the one that fails, 0: none does */
	int graph_calls;		/* of cuDNN's graph API */
	bool has_failed;
	bool is_pending;		/* a launch failed, and nobody asked for CUDA's last error since: libraries take it for theirs */
};
extern struct stand_in stand_in;

/* A call that the target ought not to make ends the test. */
_Noreturn void stand_in_refuse(const char *what);
/* Counts a call; true: it is the one that is to fail. */
bool stand_in_fails(void);

/* ---- cuda_libraries.c: convolutions ------------------------------------------------------------------------------- */

/* a tensor or filter: four extents, row-major */
struct shape {
	int d[4];
};
struct window {
	int before[2], after[2], stride[2], dilation[2], groups, math;
};
/* Do x, k and y fit together?  cuDNN refuses what does not. */
bool conv_fits(const struct shape *x, const struct shape *k, const struct shape *y, const struct window *);
/* y = x k; or x = y k, the other way. */
void conv_compute(const struct shape *x, float *vx, const struct shape *k, const float *vk, const struct shape *y, float *vy,
    const struct window *, bool is_backward);

#endif
