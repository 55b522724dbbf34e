/*
 * The CUDA target: convolutions, products and softmax of cuDNN and cuBLAS; the rest is generated as CUDA C for the very
 * shapes at hand and compiled by NVRTC.
 *
 * Tensors lie row-major.  Nothing here needs a GPU to be compiled or loaded.
 */
#ifndef TARGET_CUDA_H
#define TARGET_CUDA_H

#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cudnn.h>

#include "base/buf.h"
#include "target/kernel.h"

struct cuda {
	cudaStream_t stream;
	cudnnHandle_t dnn;
	cublasHandle_t blas;
	cudaEvent_t stamp[TN_STAMPS], search[2];
	bool tf32;
	int capability;			/* 90 */
	size_t cache;			/* bytes of its L2 */
	char identity[512];
	struct rtc *rtc;		/* cuda_rtc.c: the driver's functions, and what was compiled */
	struct conv_ways *conv_ways;	/* cuda_conv.c: how convolutions are computed, once chosen; NULL: none yet */
};

/* A kernel's constants, in the device's memory: a dense row-major copy, or NULL at inputs. */
struct cuda_constants {
	void *at[64];
};
/* Operand i as the kernel reads it: where the run gives it, or the constant. */
const void *cuda_operand(const struct cuda_constants *, const void *const in[], int i);
/* Copy the job's constants; views[i] is then how operand i lies.  False and error; free them all the same. */
bool cuda_constants_make(const struct tn_job *, struct cuda_constants *, struct tn_tensor views[], struct tn_error *);
void cuda_constants_free(struct cuda_constants *);

/* False and error: the call did not succeed. */
bool cuda_ok(cudaError_t, const char *what, struct tn_error *);
bool dnn_ok(cudnnStatus_t, const char *what, struct tn_error *);
bool blas_ok(cublasStatus_t, const char *what, struct tn_error *);

/* Makes a kernel for the job; NULL and error.  facts->how and the like are set. */
typedef struct kernel *cuda_make_fn(struct cuda *, const struct tn_job *, struct tn_kernel_facts *, struct tn_error *);
cuda_make_fn cuda_map, cuda_move, cuda_reduce, cuda_layer_norm, cuda_pool;	/* cuda_gen.c */
cuda_make_fn cuda_conv;								/* cuda_conv.c */
cuda_make_fn cuda_softmax;							/* cuda_dnn.c */
cuda_make_fn cuda_matmul;							/* cuda_blas.c */
void conv_ways_free(struct conv_ways *);
/* Is cuDNN's graph API used besides the legacy calls? */
bool conv_has_graphs(void);

/* ---- cuda_dnn.c: what calls of cuDNN share ------------------------------------------------------------------------- */

/* Is its number of elements above 0, and an int?  cuDNN counts in ints. */
bool tensor_fits_int(const struct tn_tensor *);
/* A descriptor of a row-major f32 tensor. */
bool dnn_describe(cudnnTensorDescriptor_t *, const int64_t dim[4], struct tn_error *);

/* ---- cuda_rtc.c: compiling and launching -------------------------------------------------------------------------- */

struct function;			/* a compiled kernel, kept until the target is closed */
bool rtc_open(struct cuda *, struct tn_error *);
void rtc_close(struct cuda *);
/* The function `run` of the source; one source is compiled once.  NULL and error, with the compiler's first line. */
struct function *rtc_compile(struct cuda *, const char *source, struct tn_error *);
/* Over n threads in blocks of `block`; the function takes the pointers that args[] point to. */
bool rtc_launch(struct cuda *, struct function *, int64_t blocks, int block, void *args[], struct tn_error *);

/* ---- cuda_gen.c ----------------------------------------------------------------------------------------------------- */

/*
 * y = act(x + bias[axis]) in place over a dense result, as what libraries do not do with their product; `repeats` is the
 * number of elements that share a bias.  NULL act and no bias: nothing.
 */
struct function *cuda_epilogue(struct cuda *, const char *act, int64_t channels, int64_t repeats, int64_t bias_stride,
    bool has_bias, struct tn_error *);
bool cuda_epilogue_run(struct cuda *, struct function *, void *y, const void *bias, int64_t n, struct tn_error *);

#endif
