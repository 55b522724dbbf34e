/* The table of the CUDA target: the device, its memory and time, and which kernels it has. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "target/cuda.h"

bool
cuda_ok(cudaError_t s, const char *what, struct tn_error *e)
{
	if (s == cudaSuccess)
		return true;
	/* or a library would ask for the last error, and take it for its own */
	cudaGetLastError();
	return tn_fail(e, s == cudaErrorMemoryAllocation ? TN_E_IO : TN_E_DEFECT, "CUDA: %s: %s", what, cudaGetErrorString(s));
}

/* ---- constants ------------------------------------------------------------------------------------------------------------ */

const void *
cuda_operand(const struct cuda_constants *c, const void *const in[], int i)
{
	return c->at[i] ? c->at[i] : in[i];
}

bool
cuda_constants_make(const struct tn_job *job, struct cuda_constants *k, struct tn_tensor views[], struct tn_error *e)
{
	size_t bytes;
	void *copy;
	bool ok = true;
	int i;

	for (i = 0; ok && i < job->nin; i++) {
		views[i] = job->in[i];
		if (!job->in[i].data)
			continue;
		if (i >= (int)(sizeof k->at / sizeof *k->at))
			return tn_fail(e, TN_E_INPUT, "it has too many operands");
		view_dense(&views[i], TN_ROW_MAJOR);
		bytes = (size_t)view_count(&views[i]) * dtype_size(views[i].dtype);
		copy = constant_copy(&job->in[i], TN_ROW_MAJOR);
		ok = cuda_ok(cudaMalloc(&k->at[i], bytes + 1), "memory for a constant", e) &&
		    cuda_ok(cudaMemcpy(k->at[i], copy, bytes, cudaMemcpyHostToDevice), "copying a constant", e);
		mem_free(copy);
	}
	return ok;
}

void
cuda_constants_free(struct cuda_constants *k)
{
	int i;

	for (i = 0; i < (int)(sizeof k->at / sizeof *k->at); i++)
		if (k->at[i])
			cudaFree(k->at[i]);
}

/* ---- the device ---------------------------------------------------------------------------------------- */

/* a device that can be used; TN_E_MISSING, in one sentence, if there is none */
static bool
find_device(struct cuda *c, struct cudaDeviceProp *p, struct tn_error *e)
{
	int n = 0, driver = 0, runtime = 0;
	cudaError_t s = cudaDriverGetVersion(&driver);

	if (s != cudaSuccess || driver == 0)
		return tn_fail(e, TN_E_MISSING, "there is no CUDA driver on this machine");
	s = cudaGetDeviceCount(&n);
	if (s != cudaSuccess)
		return tn_fail(e, TN_E_MISSING, "there is no GPU that CUDA can use: %s", cudaGetErrorString(s));
	if (n == 0)
		return tn_fail(e, TN_E_MISSING, "there is no GPU that CUDA can use");
	if (!cuda_ok(cudaRuntimeGetVersion(&runtime), "the version of the runtime", e) ||
	    !cuda_ok(cudaGetDeviceProperties(p, 0), "the properties of the GPU", e) || !cuda_ok(cudaSetDevice(0), "the GPU", e))
		return false;
	c->capability = 10 * p->major + p->minor;
	/* its compilers and libraries have no code for what is older */
	if (runtime >= 13000 && c->capability < 75)
		return tn_fail(e, TN_E_MISSING, "CUDA %d needs a GPU of compute capability 7.5 or newer, and %s has %d.%d: use CUDA 12",
		    runtime / 1000, p->name, p->major, p->minor);
	return true;
}

/* "cuda NVIDIA-H200 cudnn-9.19.0+graph cublas-130200 cuda-13.0 nchw fp32" */
static bool
describe(struct cuda *c, const struct cudaDeviceProp *p, struct tn_error *e)
{
	size_t dnn = cudnnGetVersion(), major = dnn / (dnn >= 90000 ? 10000 : 1000), rest = dnn % (dnn >= 90000 ? 10000 : 1000);
	int blas = 0, i, runtime = 0;

	if (!blas_ok(cublasGetVersion(c->blas, &blas), "its version", e) ||
	    !cuda_ok(cudaRuntimeGetVersion(&runtime), "the version of the runtime", e))
		return false;
	snprintf(c->identity, sizeof c->identity, "cuda %s cudnn-%zu.%zu.%zu%s cublas-%d cuda-%d.%d nchw %s", p->name, major,
	    rest / 100, rest % 100, conv_has_graphs() ? "+graph" : "", blas, runtime / 1000, runtime % 1000 / 10,
	    c->tf32 ? "tf32" : "fp32");
	for (i = 5; c->identity[i] && strncmp(&c->identity[i], " cudnn-", 7) != 0; i++)
		if (c->identity[i] == ' ')
			c->identity[i] = '-';
	return true;
}

static void
cuda_close(void *state)
{
	struct cuda *c = state;
	int i;

	conv_ways_free(c->conv_ways);
	rtc_close(c);
	for (i = 0; i < TN_STAMPS; i++)
		if (c->stamp[i])
			cudaEventDestroy(c->stamp[i]);
	for (i = 0; i < 2; i++)
		if (c->search[i])
			cudaEventDestroy(c->search[i]);
	if (c->blas)
		cublasDestroy(c->blas);
	if (c->dnn)
		cudnnDestroy(c->dnn);
	if (c->stream)
		cudaStreamDestroy(c->stream);
	mem_free(c);
}

static bool
open_all(struct cuda *c, struct tn_error *e)
{
	struct cudaDeviceProp p;
	int i;

	if (!find_device(c, &p, e) || !rtc_open(c, e) || !cuda_ok(cudaStreamCreate(&c->stream), "no stream", e) ||
	    !dnn_ok(cudnnCreate(&c->dnn), "it does not start", e) || !dnn_ok(cudnnSetStream(c->dnn, c->stream), "its stream", e) ||
	    !blas_ok(cublasCreate(&c->blas), "it does not start", e) || !blas_ok(cublasSetStream(c->blas, c->stream), "its stream", e) ||
	    !blas_ok(cublasSetMathMode(c->blas, c->tf32 ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_PEDANTIC_MATH), "the math mode", e))
		return false;
	for (i = 0; i < TN_STAMPS; i++)
		if (!cuda_ok(cudaEventCreate(&c->stamp[i]), "no event", e))
			return false;
	for (i = 0; i < 2; i++)
		if (!cuda_ok(cudaEventCreate(&c->search[i]), "no event", e))
			return false;
	c->cache = (size_t)p.l2CacheSize;
	return describe(c, &p, e);
}

static void *
cuda_open(const struct tn_target_options *options, struct tn_error *e)
{
	struct cuda *c = mem_alloc(sizeof *c);

	c->tf32 = options && options->tf32;
	if (open_all(c, e))
		return c;
	cuda_close(c);
	return NULL;
}

static const char *
identity(void *state)
{
	return ((struct cuda *)state)->identity;
}

/* what a multiprocessor has to itself does not outlive a kernel */
static void
caches(void *state, struct tn_caches *c)
{
	*c = (struct tn_caches){.last = ((struct cuda *)state)->cache};
}

/* ---- operators ----------------------------------------------------------------------------------------- */

/* Which operands must lie densely: none, the first, all; or those that cuBLAS cannot read as they lie. */
enum wish { ANY, FIRST, ALL, MATRIX };

static const struct row {
	const char *op;
	enum wish wish;
	cuda_make_fn *make;
} rows[] = {
	{"conv2d", ALL, cuda_conv}, {"conv-transpose2d", ALL, cuda_conv}, {"max-pool2d", FIRST, cuda_pool},
	{"avg-pool2d", FIRST, cuda_pool}, {"matmul", MATRIX, cuda_matmul}, {"softmax", ALL, cuda_softmax},
	{"layer-norm", ALL, cuda_layer_norm}, {"reduce-sum", ANY, cuda_reduce}, {"reduce-mean", ANY, cuda_reduce},
	{"reduce-max", ANY, cuda_reduce}, {"reduce-min", ANY, cuda_reduce}, {"slice", ANY, cuda_move}, {"concat", ANY, cuda_move},
	{"pad", ANY, cuda_move}, {"transpose", ANY, cuda_move}, {"expand", ANY, cuda_move}, {"group-merge", ANY, cuda_move},
	{"upsample", ANY, cuda_move},
};

/* NULL: it works element by element, or there is none */
static const struct row *
row_of(const struct tn_op *op)
{
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].op, op->name) == 0)
			return &rows[i];
	return NULL;
}

static enum tn_layout
layout(void *state, const struct tn_job *job, bool dense[])
{
	const struct row *row = row_of(job->op);
	int i;

	(void)state;
	for (i = 0; i < job->nin; i++)
		switch (row ? row->wish : ANY) {
		case FIRST: dense[i] = i == 0; break;
		case ALL: dense[i] = true; break;
		case MATRIX: dense[i] = !matmul_takes(job, i); break;
		default: dense[i] = false;
		}
	return TN_ROW_MAJOR;
}

static void *
make(void *state, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	const struct row *row = job->op ? row_of(job->op) : NULL;
	struct tn_error why = {0};
	void *kernel;

	*facts = (struct tn_kernel_facts){.how = "?"};
	kernel = (!job->op ? cuda_move : row ? row->make : cuda_map)(state, job, facts, &why);
	if (!kernel)
		tn_fail(e, why.code, "the CUDA target has no kernel for '%s': %s", job->op ? job->op->name : "reorder", why.msg);
	return kernel;
}

/* ---- memory and time ----------------------------------------------------------------------------------- */

static void *
alloc(void *state, size_t bytes, struct tn_error *e)
{
	void *at = NULL;

	(void)state;
	return cuda_ok(cudaMalloc(&at, bytes), "memory on the GPU", e) ? at : NULL;
}

static void
release(void *state, void *at)
{
	(void)state;
	cudaFree(at);
}

static bool
upload(void *state, void *to, const void *from, size_t bytes, struct tn_error *e)
{
	struct cuda *c = state;

	return cuda_ok(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, c->stream), "copying to the GPU", e) &&
	    cuda_ok(cudaStreamSynchronize(c->stream), "copying to the GPU", e);
}

static bool
download(void *state, void *to, const void *from, size_t bytes, struct tn_error *e)
{
	struct cuda *c = state;

	return cuda_ok(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, c->stream), "copying from the GPU", e) &&
	    cuda_ok(cudaStreamSynchronize(c->stream), "copying from the GPU", e);
}

static bool
stamp(void *state, int which, struct tn_error *e)
{
	struct cuda *c = state;

	return cuda_ok(cudaEventRecord(c->stamp[which], c->stream), "an event", e);
}

static bool
elapsed(void *state, int from, int to, double *ns, struct tn_error *e)
{
	struct cuda *c = state;
	float ms;

	if (!cuda_ok(cudaEventSynchronize(c->stamp[to]), "waiting", e) ||
	    !cuda_ok(cudaEventElapsedTime(&ms, c->stamp[from], c->stamp[to]), "the time of an event", e))
		return false;
	*ns = 1e6 * (double)ms;
	return true;
}

extern const struct tn_target_plugin tn_target_plugin;
TN_API const struct tn_target_plugin tn_target_plugin = {
	.abi = TN_TARGET_ABI, .name = "cuda", .open = cuda_open, .close = cuda_close, .identity = identity, .layout = layout,
	.make = make, .drop = kernel_drop, .run = kernel_run, .caches = caches, .alloc = alloc, .release = release, .upload = upload,
	.download = download, .stamp = stamp, .elapsed = elapsed,
};
