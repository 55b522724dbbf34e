/*
 * cuDNN's convolutions and softmax and cuBLAS's products as far as the CUDA target calls them, computed element by element.
 * What the libraries would refuse is refused here.
 */
#include <cublas_v2.h>
#include <cudnn.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/stand-in/stand_in.h"

static bool is_tf32;			/* may products of matrices round their factors? */

#define FAIL do { if (stand_in_fails()) return CUDNN_STATUS_EXECUTION_FAILED; } while (0)
#define LAUNCH do { if (stand_in_fails() || stand_in.is_pending) return CUDNN_STATUS_EXECUTION_FAILED; } while (0)

/* ---- handles and descriptors -------------------------------------------------------------------------------------- */

size_t
cudnnGetVersion(void)
{
	const char *text = getenv("STAND_IN_CUDNN");

	return text ? (size_t)strtoull(text, NULL, 10) : stand_in.cudnn;
}

const char *cudnnGetErrorString(cudnnStatus_t s) { return s ? "refused" : "none"; }

static cudnnStatus_t
create(void *to, size_t bytes)
{
	void *at;

	FAIL;
	at = calloc(1, bytes);
	memcpy(to, &at, sizeof at);
	stand_in.live++;
	return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t
destroy(void *at)
{
	stand_in.live--;
	free(at);
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreate(cudnnHandle_t *h) { return create(h, 1); }
cudnnStatus_t cudnnDestroy(cudnnHandle_t h) { return destroy(h); }
cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t *d) { return create(d, sizeof(struct shape)); }
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t d) { return destroy(d); }
cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t *d) { return create(d, sizeof(struct shape)); }
cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t d) { return destroy(d); }
cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t *d) { return create(d, sizeof(struct window)); }
cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t d) { return destroy(d); }

cudnnStatus_t
cudnnSetStream(cudnnHandle_t h, cudaStream_t s)
{
	FAIL;
	return h && s ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
}

cudnnStatus_t
cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t d, cudnnTensorFormat_t format, cudnnDataType_t type, int n, int c, int h, int w)
{
	FAIL;
	if (format != CUDNN_TENSOR_NCHW || type != CUDNN_DATA_FLOAT || n < 1 || c < 1 || h < 1 || w < 1)
		return CUDNN_STATUS_BAD_PARAM;
	*(struct shape *)d = (struct shape){{n, c, h, w}};
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t d, cudnnDataType_t type, cudnnTensorFormat_t format, int k, int c, int h, int w)
{
	return cudnnSetTensor4dDescriptor((cudnnTensorDescriptor_t)d, format, type, k, c, h, w);
}

cudnnStatus_t
cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t d, int ph, int pw, int sh, int sw, int dh, int dw, cudnnConvolutionMode_t mode,
    cudnnDataType_t type)
{
	FAIL;
	if (mode != CUDNN_CROSS_CORRELATION || type != CUDNN_DATA_FLOAT || ph < 0 || pw < 0 || sh < 1 || sw < 1 || dh < 1 || dw < 1)
		return CUDNN_STATUS_BAD_PARAM;
	*(struct window *)d = (struct window){{ph, pw}, {ph, pw}, {sh, sw}, {dh, dw}, 1, CUDNN_DEFAULT_MATH};
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t d, int groups)
{
	FAIL;
	((struct window *)d)->groups = groups;
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t d, cudnnMathType_t t)
{
	FAIL;
	((struct window *)d)->math = (int)t;
	return CUDNN_STATUS_SUCCESS;
}

/* ---- convolutions by the legacy calls ----------------------------------------------------------------------------- */

bool
conv_fits(const struct shape *x, const struct shape *k, const struct shape *y, const struct window *w)
{
	int i;

	for (i = 0; i < 2; i++)
		if (x->d[2 + i] + w->before[i] + w->after[i] < w->dilation[i] * (k->d[2 + i] - 1) + 1 ||
		    (x->d[2 + i] + w->before[i] + w->after[i] - w->dilation[i] * (k->d[2 + i] - 1) - 1) / w->stride[i] + 1 != y->d[2 + i])
			return false;
	return x->d[0] == y->d[0] && x->d[1] == k->d[1] * w->groups && k->d[0] == y->d[1] && k->d[0] % w->groups == 0;
}

static void
clear(const struct shape *s, float *v)
{
	memset(v, 0, sizeof *v * (size_t)s->d[0] * (size_t)s->d[1] * (size_t)s->d[2] * (size_t)s->d[3]);
}

void
conv_compute(const struct shape *x, float *vx, const struct shape *k, const float *vk, const struct shape *y, float *vy,
    const struct window *w, bool is_backward)
{
	int n, f, p, q, c, r, s, h, v, per = k->d[0] / w->groups;

	clear(is_backward ? x : y, is_backward ? vx : vy);
	for (n = 0; n < y->d[0]; n++)
		for (f = 0; f < k->d[0]; f++)
			for (p = 0; p < y->d[2]; p++)
				for (q = 0; q < y->d[3]; q++)
					for (c = 0; c < k->d[1]; c++)
						for (r = 0; r < k->d[2]; r++)
							for (s = 0; s < k->d[3]; s++) {
								float *at, *to = &vy[((n * y->d[1] + f) * y->d[2] + p) * y->d[3] + q];
								float by = vk[((f * k->d[1] + c) * k->d[2] + r) * k->d[3] + s];

								h = p * w->stride[0] + r * w->dilation[0] - w->before[0];
								v = q * w->stride[1] + s * w->dilation[1] - w->before[1];
								if (h < 0 || h >= x->d[2] || v < 0 || v >= x->d[3])
									continue;
								at = &vx[((n * x->d[1] + f / per * k->d[1] + c) * x->d[2] + h) * x->d[3] + v];
								if (is_backward)
									*at += *to * by;
								else
									*to += *at * by;
							}
}

/*
 * The legacy algorithms: one that fails, one that wants too much, one whose launch fails, a slow one without a workspace, and
 * one with 512 bytes that is faster than any graph where the result's width is odd.  What the last one is said to want is what
 * it wants with tensor cores.
 */
static const struct {
	cudnnStatus_t status;
	int forward, backward;
	size_t memory, said;
	double us;
} algorithms[] = {
	{CUDNN_STATUS_NOT_SUPPORTED, CUDNN_CONVOLUTION_FWD_ALGO_FFT, CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT, 0, 0, 1},
	{CUDNN_STATUS_SUCCESS, CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD, CUDNN_CONVOLUTION_BWD_DATA_ALGO_WINOGRAD, SIZE_MAX / 4,
	    SIZE_MAX / 4, 1},
	{CUDNN_STATUS_SUCCESS, CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING, CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT_TILING, 0, 0, 1},
	{CUDNN_STATUS_SUCCESS, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, CUDNN_CONVOLUTION_BWD_DATA_ALGO_0, 0, 0, 40},
	{CUDNN_STATUS_SUCCESS, CUDNN_CONVOLUTION_FWD_ALGO_GEMM, CUDNN_CONVOLUTION_BWD_DATA_ALGO_1, 512, 256, 20},
};
enum { ALGORITHMS = sizeof algorithms / sizeof *algorithms, FAILS = 2, FIRST_GOOD };

/* its number in the list; ALGORITHMS: none of those that may run */
static int
find(int algorithm, bool is_backward)
{
	int i;

	for (i = 1; i < ALGORITHMS && algorithm != (is_backward ? algorithms[i].backward : algorithms[i].forward); i++)
		;
	return i;
}

static size_t
memory_of(int i, const struct window *w)
{
	return w->math == CUDNN_FMA_MATH ? algorithms[i].memory : algorithms[i].said;
}

/* one of those that may run, on the bytes that it wants; time passes */
static bool
runs(int algorithm, bool is_backward, const void *work, size_t bytes, const struct shape *result, const struct window *w)
{
	int i = find(algorithm, is_backward);

	stand_in.is_pending |= i == FAILS;
	if (i < FIRST_GOOD || i == ALGORITHMS || bytes != memory_of(i, w) || (bytes && !work))
		return false;
	stand_in.clock_us += algorithms[i].memory && result->d[3] % 2 ? 5 : algorithms[i].us;
	return true;
}

static cudnnStatus_t
workspace_of(int algorithm, bool is_backward, const struct window *w, size_t *bytes)
{
	int i = find(algorithm, is_backward);

	FAIL;
	if (i == ALGORITHMS)
		return CUDNN_STATUS_NOT_SUPPORTED;
	*bytes = memory_of(i, w);
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnGetConvolutionForwardWorkspaceSize(cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const cudnnFilterDescriptor_t k,
    const cudnnConvolutionDescriptor_t conv, const cudnnTensorDescriptor_t y, cudnnConvolutionFwdAlgo_t algo, size_t *bytes)
{
	return handle && x && k && y ? workspace_of(algo, false, (struct window *)conv, bytes) : CUDNN_STATUS_BAD_PARAM;
}

cudnnStatus_t
cudnnGetConvolutionBackwardDataWorkspaceSize(cudnnHandle_t handle, const cudnnFilterDescriptor_t k,
    const cudnnTensorDescriptor_t y, const cudnnConvolutionDescriptor_t conv, const cudnnTensorDescriptor_t x,
    cudnnConvolutionBwdDataAlgo_t algo, size_t *bytes)
{
	return handle && x && k && y ? workspace_of(algo, true, (struct window *)conv, bytes) : CUDNN_STATUS_BAD_PARAM;
}

cudnnStatus_t
cudnnConvolutionForward(cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t dx, const void *x, const cudnnFilterDescriptor_t dk,
    const void *k, const cudnnConvolutionDescriptor_t conv, cudnnConvolutionFwdAlgo_t algo, void *work, size_t bytes, const void *beta,
    const cudnnTensorDescriptor_t dy, void *y)
{
	LAUNCH;
	if (!handle || *(const float *)alpha != 1 || *(const float *)beta != 0 ||
	    !runs(algo, false, work, bytes, (struct shape *)dy, (struct window *)conv) ||
	    !conv_fits((struct shape *)dx, (struct shape *)dk, (struct shape *)dy, (struct window *)conv))
		return CUDNN_STATUS_BAD_PARAM;
	conv_compute((struct shape *)dx, (float *)(uintptr_t)x, (struct shape *)dk, k, (struct shape *)dy, y, (struct window *)conv, false);
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnConvolutionBackwardData(cudnnHandle_t handle, const void *alpha, const cudnnFilterDescriptor_t dk, const void *k,
    const cudnnTensorDescriptor_t dy, const void *y, const cudnnConvolutionDescriptor_t conv, cudnnConvolutionBwdDataAlgo_t algo, void *work,
    size_t bytes, const void *beta, const cudnnTensorDescriptor_t dx, void *x)
{
	LAUNCH;
	if (!handle || *(const float *)alpha != 1 || *(const float *)beta != 0 ||
	    !runs(algo, true, work, bytes, (struct shape *)dx, (struct window *)conv) ||
	    !conv_fits((struct shape *)dx, (struct shape *)dk, (struct shape *)dy, (struct window *)conv))
		return CUDNN_STATUS_BAD_PARAM;
	conv_compute((struct shape *)dx, x, (struct shape *)dk, k, (struct shape *)dy, (float *)(uintptr_t)y, (struct window *)conv, true);
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnGetConvolutionForwardAlgorithm_v7(cudnnHandle_t handle, const cudnnTensorDescriptor_t dx, const cudnnFilterDescriptor_t dk,
    const cudnnConvolutionDescriptor_t conv, const cudnnTensorDescriptor_t dy, const int most, int *n, cudnnConvolutionFwdAlgoPerf_t *out)
{
	FAIL;
	if (!handle || most < ALGORITHMS || !conv_fits((struct shape *)dx, (struct shape *)dk, (struct shape *)dy, (struct window *)conv))
		return CUDNN_STATUS_BAD_PARAM;
	for (*n = 0; *n < ALGORITHMS; ++*n)
		out[*n] = (cudnnConvolutionFwdAlgoPerf_t){.status = algorithms[*n].status,
		    .algo = (cudnnConvolutionFwdAlgo_t)algorithms[*n].forward, .memory = algorithms[*n].said};
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnGetConvolutionBackwardDataAlgorithm_v7(cudnnHandle_t handle, const cudnnFilterDescriptor_t dk, const cudnnTensorDescriptor_t dy,
    const cudnnConvolutionDescriptor_t conv, const cudnnTensorDescriptor_t dx, const int most, int *n, cudnnConvolutionBwdDataAlgoPerf_t *out)
{
	FAIL;
	if (!handle || most < ALGORITHMS || !conv_fits((struct shape *)dx, (struct shape *)dk, (struct shape *)dy, (struct window *)conv))
		return CUDNN_STATUS_BAD_PARAM;
	for (*n = 0; *n < ALGORITHMS; ++*n)
		out[*n] = (cudnnConvolutionBwdDataAlgoPerf_t){.status = algorithms[*n].status,
		    .algo = (cudnnConvolutionBwdDataAlgo_t)algorithms[*n].backward, .memory = algorithms[*n].said};
	return CUDNN_STATUS_SUCCESS;
}

/* ---- softmax ------------------------------------------------------------------------------------------------------ */

cudnnStatus_t
cudnnSoftmaxForward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algo, cudnnSoftmaxMode_t mode, const void *alpha,
    const cudnnTensorDescriptor_t dx, const void *x, const void *beta, const cudnnTensorDescriptor_t dy, void *y)
{
	const struct shape *s = (struct shape *)dx;
	int n, c, i, rest = s->d[2] * s->d[3];
	const float *from = x;
	float *to = y, most, sum;

	LAUNCH;
	stand_in.clock_us += 4;
	if (!handle || algo != CUDNN_SOFTMAX_ACCURATE || mode != CUDNN_SOFTMAX_MODE_CHANNEL || dx != dy || *(const float *)alpha != 1 ||
	    *(const float *)beta != 0)
		return CUDNN_STATUS_BAD_PARAM;
	for (n = 0; n < s->d[0]; n++)
		for (i = 0; i < rest; i++) {
			const float *a = from + n * s->d[1] * rest + i;
			float *b = to + n * s->d[1] * rest + i;

			for (most = -INFINITY, c = 0; c < s->d[1]; c++)
				most = fmaxf(most, a[c * rest]);
			for (sum = 0, c = 0; c < s->d[1]; c++)
				sum += expf(a[c * rest] - most);
			for (c = 0; c < s->d[1]; c++)
				b[c * rest] = expf(a[c * rest] - most) / sum;
		}
	return CUDNN_STATUS_SUCCESS;
}

/* ---- cuBLAS ------------------------------------------------------------------------------------------------------- */

#undef FAIL
#undef LAUNCH
#define FAIL do { if (stand_in_fails()) return CUBLAS_STATUS_EXECUTION_FAILED; } while (0)
#define LAUNCH do { if (stand_in_fails() || stand_in.is_pending) return CUBLAS_STATUS_EXECUTION_FAILED; } while (0)

cublasStatus_t
cublasCreate_v2(cublasHandle_t *h)
{
	return create(h, 1) == CUDNN_STATUS_SUCCESS ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t
cublasDestroy_v2(cublasHandle_t h)
{
	destroy(h);
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t
cublasSetStream_v2(cublasHandle_t h, cudaStream_t s)
{
	FAIL;
	return h && s ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t
cublasSetMathMode(cublasHandle_t h, cublasMath_t m)
{
	FAIL;
	(void)h;
	is_tf32 = m == CUBLAS_TF32_TENSOR_OP_MATH;
	return CUBLAS_STATUS_SUCCESS;
}

/* a factor as tensor cores read it, where they may: ten bits of a fraction */
static float
factor(float v)
{
	uint32_t bits;

	if (is_tf32) {
		memcpy(&bits, &v, sizeof bits);
		bits &= 0xffffe000;
		memcpy(&v, &bits, sizeof v);
	}
	return v;
}

cublasStatus_t
cublasGetVersion_v2(cublasHandle_t h, int *v)
{
	FAIL;
	(void)h;
	*v = 120000;
	return CUBLAS_STATUS_SUCCESS;
}

const char *cublasGetStatusString(cublasStatus_t s) { return s ? "refused" : "none"; }

cublasStatus_t
cublasSgemmStridedBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const float *alpha, const float *a,
    int lda, long long step_a, const float *b, int ldb, long long step_b, const float *beta, float *c, int ldc, long long step_c, int count)
{
	int i, j, l, z;
	float sum;

	LAUNCH;
	stand_in.clock_us += 4;
	if (!h || *alpha != 1 || *beta != 0 || m < 1 || n < 1 || k < 1 || count < 1 || lda < (ta == CUBLAS_OP_N ? m : k) ||
	    ldb < (tb == CUBLAS_OP_N ? k : n) || ldc < m)
		return CUBLAS_STATUS_INVALID_VALUE;
	for (z = 0; z < count; z++)
		for (j = 0; j < n; j++)
			for (i = 0; i < m; i++) {
				for (sum = 0, l = 0; l < k; l++)
					sum += factor(a[z * step_a + (ta == CUBLAS_OP_N ? l * lda + i : i * lda + l)]) *
					    factor(b[z * step_b + (tb == CUBLAS_OP_N ? j * ldb + l : l * ldb + j)]);
				c[z * step_c + j * ldc + i] = sum;
			}
	return CUBLAS_STATUS_SUCCESS;
}
