/*
 * A stand-in for a GPU: CUDA's runtime, cuDNN and cuBLAS as far as the CUDA target calls them, computed slowly here.
 *
 * It tests the target's own part — shapes, strides, descriptors, which call with which numbers, the generated sources — and
 * nothing of the libraries or of a device.  Generated CUDA C is first given to NVRTC, where its library is there, and then
 * compiled by the C compiler and run thread by thread; threads of a block are coroutines where they wait for each other.
 */
#include <cublas_v2.h>
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <cudnn.h>
#include <dlfcn.h>
#include <math.h>
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

/* A call that the target ought not to make ends the test. */
static void
refuse(const char *what)
{
	printf("stand-in: %s\n", what);
	abort();
}

/* ---- runtime -------------------------------------------------------------------------------------------------------------- */

cudaError_t
cudaDriverGetVersion(int *v)
{
	*v = 12000;
	return cudaSuccess;
}

cudaError_t
cudaRuntimeGetVersion(int *v)
{
	*v = 12000;
	return cudaSuccess;
}

cudaError_t
cudaGetDeviceCount(int *n)
{
	*n = 1;
	return cudaSuccess;
}

cudaError_t
cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
	memset(p, 0, sizeof *p);
	snprintf(p->name, sizeof p->name, "stand-in %d", device);
	p->major = 9;
	return cudaSuccess;
}

cudaError_t
cudaSetDevice(int device)
{
	return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

/* device memory is full of NaN until something is put there */
cudaError_t
cudaMalloc(void **at, size_t bytes)
{
	*at = malloc(bytes + 1);
	memset(*at, 0xff, bytes + 1);
	return cudaSuccess;
}

cudaError_t
cudaFree(void *at)
{
	free(at);
	return cudaSuccess;
}

cudaError_t
cudaMemGetInfo(size_t *left, size_t *all)
{
	*left = *all = (size_t)64 << 20;
	return cudaSuccess;
}

cudaError_t
cudaMemcpy(void *to, const void *from, size_t n, enum cudaMemcpyKind kind)
{
	(void)kind;
	memcpy(to, from, n);
	return cudaSuccess;
}

cudaError_t
cudaMemcpyAsync(void *to, const void *from, size_t n, enum cudaMemcpyKind kind, cudaStream_t s)
{
	(void)s;
	return cudaMemcpy(to, from, n, kind);
}

cudaError_t
cudaMemsetAsync(void *at, int v, size_t n, cudaStream_t s)
{
	(void)s;
	memset(at, v, n);
	return cudaSuccess;
}

cudaError_t cudaGetLastError(void) { return cudaSuccess; }
const char *cudaGetErrorString(cudaError_t e) { return e ? "an error" : "none"; }
cudaError_t cudaStreamCreate(cudaStream_t *s) { *s = NULL; return cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t s) { (void)s; return cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t s) { (void)s; return cudaSuccess; }
cudaError_t cudaEventCreate(cudaEvent_t *e) { *e = NULL; return cudaSuccess; }
cudaError_t cudaEventDestroy(cudaEvent_t e) { (void)e; return cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s) { (void)e, (void)s; return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t e) { (void)e; return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t a, cudaEvent_t b) { (void)a, (void)b; *ms = 1; return cudaSuccess; }

/* ---- generated kernels: NVRTC and the driver's part -------------------------------------------------------------------------- */

struct text {
	char *source;
};

/* what a module is: the function, and where it is told which thread it is */
struct module {
	void *library;
	void (*call)(void **args);
	int *block, *thread;		/* blockIdx.x, threadIdx.x */
	void (**wait)(void);		/* NULL: its threads do not wait for each other */
};

nvrtcResult
nvrtcCreateProgram(nvrtcProgram *p, const char *source, const char *name, int nheader, const char *const *header,
    const char *const *include)
{
	struct text *t = malloc(sizeof *t);

	(void)name, (void)header, (void)include;
	if (nheader)
		refuse("headers");
	t->source = strdup(source);
	*p = (nvrtcProgram)t;
	return NVRTC_SUCCESS;
}

nvrtcResult
nvrtcDestroyProgram(nvrtcProgram *p)
{
	struct text *t = (struct text *)*p;

	free(t->source);
	free(t);
	return NVRTC_SUCCESS;
}

/* the real compiler's word, if it is here */
nvrtcResult
nvrtcCompileProgram(nvrtcProgram p, int n, const char *const *options)
{
	static void *library;
	nvrtcResult (*create)(nvrtcProgram *, const char *, const char *, int, const char *const *, const char *const *);
	nvrtcResult (*compile)(nvrtcProgram, int, const char *const *);
	nvrtcResult (*destroy)(nvrtcProgram *);
	nvrtcProgram real;
	nvrtcResult r;
	void *at[3];

	if (!library)
		library = dlopen("libnvrtc.so", RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return NVRTC_SUCCESS;
	at[0] = dlsym(library, "nvrtcCreateProgram");
	at[1] = dlsym(library, "nvrtcCompileProgram");
	at[2] = dlsym(library, "nvrtcDestroyProgram");
	memcpy(&create, &at[0], sizeof create);
	memcpy(&compile, &at[1], sizeof compile);
	memcpy(&destroy, &at[2], sizeof destroy);
	if (create(&real, ((struct text *)p)->source, "generated.cu", 0, NULL, NULL) != NVRTC_SUCCESS)
		return NVRTC_SUCCESS;
	r = compile(real, n, options);
	if (r != NVRTC_SUCCESS)
		printf("NVRTC refuses:\n%s", ((struct text *)p)->source);
	destroy(&real);
	return r;
}

nvrtcResult
nvrtcGetProgramLogSize(nvrtcProgram p, size_t *n)
{
	(void)p;
	*n = 8;
	return NVRTC_SUCCESS;
}

nvrtcResult
nvrtcGetProgramLog(nvrtcProgram p, char *log)
{
	(void)p;
	strcpy(log, "refused");
	return NVRTC_SUCCESS;
}

nvrtcResult
nvrtcGetCUBINSize(nvrtcProgram p, size_t *n)
{
	*n = strlen(((struct text *)p)->source) + 1;
	return NVRTC_SUCCESS;
}

nvrtcResult
nvrtcGetCUBIN(nvrtcProgram p, char *code)
{
	strcpy(code, ((struct text *)p)->source);
	return NVRTC_SUCCESS;
}

/* the source as C, and a function that takes its arguments from a list */
static void
write_c(FILE *f, const char *source)
{
	const char *at = strstr(source, "run("), *end, *name;
	int i;

	fputs("#include <math.h>\n#include <string.h>\n"
	    "#define __global__\n#define __shared__ static\n"
	    "struct { int x; } blockIdx, threadIdx;\nvoid (*fake_wait)(void);\n#define __syncthreads() fake_wait()\n"
	    "static float __int_as_float(int i) { float f; memcpy(&f, &i, sizeof f); return f; }\n", f);
	for (name = source; *name; name++) {
		if (strncmp(name, "extern \"C\" ", 11) == 0)
			name += 10;
		else
			fputc(*name, f);
	}
	fputs("\nvoid call(void **args) { run(", f);
	for (at += 4, i = 0; *at && *at != ')'; i++) {
		end = at + strcspn(at, ",)");
		for (name = end; name[-1] != ' ' && name[-1] != '*'; name--)
			;
		fprintf(f, "%s*(%.*s *)args[%d]", i ? ", " : "", (int)(name - at), at, i);
		at = *end == ',' ? end + 1 : end;
	}
	fputs("); }\n", f);
}

static CUresult
module_load(CUmodule *m, const void *code)
{
	static unsigned turn;
	struct module *to = calloc(1, sizeof *to);
	char c[200], so[200], command[600];
	const char *folder = getenv("TMP") ? getenv("TMP") : "/tmp";
	void *call;
	FILE *f;

	snprintf(c, sizeof c, "%s/kernel-%ld-%u.c", folder, (long)getpid(), turn);
	snprintf(so, sizeof so, "%s/kernel-%ld-%u.so", folder, (long)getpid(), turn++);
	f = fopen(c, "w");
	if (!f)
		refuse("no room for a kernel");
	write_c(f, code);
	fclose(f);
	snprintf(command, sizeof command, "cc -w -O0 -ffp-contract=off -shared -fPIC -o %s %s -lm", so, c);
	if (system(command) != 0 || !(to->library = dlopen(so, RTLD_NOW | RTLD_LOCAL)))
		refuse("a kernel does not compile as C");
	call = dlsym(to->library, "call");
	memcpy(&to->call, &call, sizeof call);
	to->block = dlsym(to->library, "blockIdx");
	to->thread = dlsym(to->library, "threadIdx");
	to->wait = strstr(code, "__syncthreads()") ? dlsym(to->library, "fake_wait") : NULL;
	unlink(c);
	unlink(so);
	*m = (CUmodule)to;
	return CUDA_SUCCESS;
}

static CUresult
module_unload(CUmodule m)
{
	struct module *from = (struct module *)m;

	dlclose(from->library);
	free(from);
	return CUDA_SUCCESS;
}

static CUresult
module_get(CUfunction *f, CUmodule m, const char *name)
{
	*f = (CUfunction)m;
	return strcmp(name, "run") == 0 ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

/* Threads of one block as coroutines: each runs until it waits, then the next one. */
enum { THREADS_MOST = 1024, STACK = 1 << 15 };
static struct {
	ucontext_t main, thread[THREADS_MOST];
	char *stack;
	struct module *module;
	void **args;
	int at, left, ended[THREADS_MOST];
} block;

static void
thread_wait(void)
{
	int me = block.at;

	swapcontext(&block.thread[me], &block.main);
}

static void
thread_run(void)
{
	block.module->call(block.args);
	block.ended[block.at] = 1;
	swapcontext(&block.thread[block.at], &block.main);
}

static void
run_block(struct module *m, int n, void **args)
{
	int i;

	if (!block.stack)
		block.stack = malloc((size_t)THREADS_MOST * STACK);
	block.module = m;
	block.args = args;
	block.left = n;
	*m->wait = thread_wait;
	for (i = 0; i < n; i++) {
		block.ended[i] = 0;
		getcontext(&block.thread[i]);
		block.thread[i].uc_stack.ss_sp = block.stack + (size_t)i * STACK;
		block.thread[i].uc_stack.ss_size = STACK;
		makecontext(&block.thread[i], thread_run, 0);
	}
	while (block.left > 0)
		for (i = 0; i < n; i++) {
			if (block.ended[i])
				continue;
			block.at = i;
			*m->thread = i;
			swapcontext(&block.main, &block.thread[i]);
			block.left -= block.ended[i];
		}
}

static CUresult
launch(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, CUstream s,
    void **args, void **extra)
{
	struct module *m = (struct module *)f;
	unsigned b, t;

	(void)s;
	if (gy != 1 || gz != 1 || by != 1 || bz != 1 || shared || extra || bx > THREADS_MOST || !gx || !bx)
		refuse("a launch of another kind");
	for (b = 0; b < gx; b++) {
		*m->block = (int)b;
		if (m->wait) {
			run_block(m, (int)bx, args);
			continue;
		}
		for (t = 0; t < bx; t++) {
			*m->thread = (int)t;
			m->call(args);
		}
	}
	return CUDA_SUCCESS;
}

static cudaError_t
entry_point(const char *name, void **to, enum cudaDriverEntryPointQueryResult *found)
{
	CUresult (*load)(CUmodule *, const void *) = module_load;
	CUresult (*unload)(CUmodule) = module_unload;
	CUresult (*get)(CUfunction *, CUmodule, const char *) = module_get;
	CUresult (*start)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **) = launch;

	*found = cudaDriverEntryPointSuccess;
	if (strcmp(name, "cuModuleLoadData") == 0)
		memcpy(to, &load, sizeof load);
	else if (strcmp(name, "cuModuleUnload") == 0)
		memcpy(to, &unload, sizeof unload);
	else if (strcmp(name, "cuModuleGetFunction") == 0)
		memcpy(to, &get, sizeof get);
	else if (strcmp(name, "cuLaunchKernel") == 0)
		memcpy(to, &start, sizeof start);
	else
		*found = cudaDriverEntryPointSymbolNotFound;
	return cudaSuccess;
}

#if CUDART_VERSION >= 12050
cudaError_t
cudaGetDriverEntryPointByVersion(const char *name, void **to, unsigned version, unsigned long long flags,
    enum cudaDriverEntryPointQueryResult *found)
{
	(void)version, (void)flags;
	return entry_point(name, to, found);
}
#else
cudaError_t
cudaGetDriverEntryPoint(const char *name, void **to, unsigned long long flags, enum cudaDriverEntryPointQueryResult *found)
{
	(void)flags;
	return entry_point(name, to, found);
}
#endif

/* ---- cuDNN -------------------------------------------------------------------------------------------------------------------- */

/* a tensor or filter: four extents, row-major */
struct shape {
	int d[4];
};
struct window {
	int pad[2], stride[2], dilation[2], groups;
};

cudnnStatus_t cudnnCreate(cudnnHandle_t *h) { *h = NULL; return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnDestroy(cudnnHandle_t h) { (void)h; return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnSetStream(cudnnHandle_t h, cudaStream_t s) { (void)h, (void)s; return CUDNN_STATUS_SUCCESS; }
size_t cudnnGetVersion(void) { return 90000; }
const char *cudnnGetErrorString(cudnnStatus_t s) { return s ? "refused" : "none"; }
cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t *d) { *d = calloc(1, sizeof(struct shape)); return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t d) { free(d); return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t *d) { *d = calloc(1, sizeof(struct shape)); return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t d) { free(d); return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t *d) { *d = calloc(1, sizeof(struct window)); return CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t d) { free(d); return CUDNN_STATUS_SUCCESS; }

cudnnStatus_t
cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t d, cudnnTensorFormat_t format, cudnnDataType_t type, int n, int c, int h, int w)
{
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
	if (mode != CUDNN_CROSS_CORRELATION || type != CUDNN_DATA_FLOAT || ph < 0 || pw < 0 || sh < 1 || sw < 1 || dh < 1 || dw < 1)
		return CUDNN_STATUS_BAD_PARAM;
	*(struct window *)d = (struct window){{ph, pw}, {sh, sw}, {dh, dw}, 1};
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t d, int groups)
{
	((struct window *)d)->groups = groups;
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t d, cudnnMathType_t t) { (void)d, (void)t; return CUDNN_STATUS_SUCCESS; }

/* do x, k and y fit together?  cuDNN refuses what does not */
static int
fits(const struct shape *x, const struct shape *k, const struct shape *y, const struct window *w)
{
	int i;

	for (i = 0; i < 2; i++)
		if ((x->d[2 + i] + 2 * w->pad[i] - w->dilation[i] * (k->d[2 + i] - 1) - 1) / w->stride[i] + 1 != y->d[2 + i])
			return 0;
	return x->d[0] == y->d[0] && x->d[1] == k->d[1] * w->groups && k->d[0] == y->d[1] && k->d[0] % w->groups == 0;
}

/* every product of a convolution: y += x k, or x += y k */
static void
convolve(const struct shape *x, float *vx, const struct shape *k, const float *vk, const struct shape *y, float *vy, const struct window *w,
    int is_backward)
{
	int n, f, p, q, c, r, s, h, v, per = k->d[0] / w->groups;

	for (n = 0; n < y->d[0]; n++)
		for (f = 0; f < k->d[0]; f++)
			for (p = 0; p < y->d[2]; p++)
				for (q = 0; q < y->d[3]; q++)
					for (c = 0; c < k->d[1]; c++)
						for (r = 0; r < k->d[2]; r++)
							for (s = 0; s < k->d[3]; s++) {
								float *at, *to = &vy[((n * y->d[1] + f) * y->d[2] + p) * y->d[3] + q];
								float by = vk[((f * k->d[1] + c) * k->d[2] + r) * k->d[3] + s];

								h = p * w->stride[0] + r * w->dilation[0] - w->pad[0];
								v = q * w->stride[1] + s * w->dilation[1] - w->pad[1];
								if (h < 0 || h >= x->d[2] || v < 0 || v >= x->d[3])
									continue;
								at = &vx[((n * x->d[1] + f / per * k->d[1] + c) * x->d[2] + h) * x->d[3] + v];
								if (is_backward)
									*at += *to * by;
								else
									*to += *at * by;
							}
}

static void
clear(const struct shape *s, float *v)
{
	memset(v, 0, sizeof *v * (size_t)s->d[0] * (size_t)s->d[1] * (size_t)s->d[2] * (size_t)s->d[3]);
}

cudnnStatus_t
cudnnConvolutionForward(cudnnHandle_t handle, const void *alpha, const cudnnTensorDescriptor_t dx, const void *x, const cudnnFilterDescriptor_t dk,
    const void *k, const cudnnConvolutionDescriptor_t conv, cudnnConvolutionFwdAlgo_t algo, void *work, size_t bytes, const void *beta,
    const cudnnTensorDescriptor_t dy, void *y)
{
	(void)handle, (void)work;
	if (*(const float *)alpha != 1 || *(const float *)beta != 0 || bytes != 512 || algo != CUDNN_CONVOLUTION_FWD_ALGO_GEMM ||
	    !fits((struct shape *)dx, (struct shape *)dk, (struct shape *)dy, (struct window *)conv))
		return CUDNN_STATUS_BAD_PARAM;
	clear((struct shape *)dy, y);
	convolve((struct shape *)dx, (float *)x, (struct shape *)dk, k, (struct shape *)dy, y, (struct window *)conv, 0);
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnConvolutionBackwardData(cudnnHandle_t handle, const void *alpha, const cudnnFilterDescriptor_t dk, const void *k,
    const cudnnTensorDescriptor_t dy, const void *y, const cudnnConvolutionDescriptor_t conv, cudnnConvolutionBwdDataAlgo_t algo, void *work,
    size_t bytes, const void *beta, const cudnnTensorDescriptor_t dx, void *x)
{
	(void)handle, (void)work;
	if (*(const float *)alpha != 1 || *(const float *)beta != 0 || bytes != 512 || algo != CUDNN_CONVOLUTION_BWD_DATA_ALGO_1 ||
	    !fits((struct shape *)dx, (struct shape *)dk, (struct shape *)dy, (struct window *)conv))
		return CUDNN_STATUS_BAD_PARAM;
	clear((struct shape *)dx, x);
	convolve((struct shape *)dx, x, (struct shape *)dk, k, (struct shape *)dy, (float *)y, (struct window *)conv, 1);
	return CUDNN_STATUS_SUCCESS;
}

/* the first answer failed, the second wants a workspace */
cudnnStatus_t
cudnnFindConvolutionForwardAlgorithmEx(cudnnHandle_t handle, const cudnnTensorDescriptor_t dx, const void *x, const cudnnFilterDescriptor_t dk,
    const void *k, const cudnnConvolutionDescriptor_t conv, const cudnnTensorDescriptor_t dy, void *y, const int most, int *n,
    cudnnConvolutionFwdAlgoPerf_t *out, void *work, size_t bytes)
{
	(void)handle, (void)x, (void)k, (void)y, (void)work;
	*n = 0;
	if (most < 2 || bytes < 512 || !fits((struct shape *)dx, (struct shape *)dk, (struct shape *)dy, (struct window *)conv))
		return CUDNN_STATUS_BAD_PARAM;
	memset(out, 0, 2 * sizeof *out);
	out[0].status = CUDNN_STATUS_NOT_SUPPORTED;
	out[1].algo = CUDNN_CONVOLUTION_FWD_ALGO_GEMM;
	out[1].memory = 512;
	*n = 2;
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnFindConvolutionBackwardDataAlgorithmEx(cudnnHandle_t handle, const cudnnFilterDescriptor_t dk, const void *k, const cudnnTensorDescriptor_t dy,
    const void *y, const cudnnConvolutionDescriptor_t conv, const cudnnTensorDescriptor_t dx, void *x, const int most, int *n,
    cudnnConvolutionBwdDataAlgoPerf_t *out, void *work, size_t bytes)
{
	(void)handle, (void)x, (void)k, (void)y, (void)work;
	*n = 0;
	if (most < 2 || bytes < 512 || !fits((struct shape *)dx, (struct shape *)dk, (struct shape *)dy, (struct window *)conv))
		return CUDNN_STATUS_BAD_PARAM;
	memset(out, 0, 2 * sizeof *out);
	out[0].status = CUDNN_STATUS_NOT_SUPPORTED;
	out[1].algo = CUDNN_CONVOLUTION_BWD_DATA_ALGO_1;
	out[1].memory = 512;
	*n = 2;
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnSoftmaxForward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algo, cudnnSoftmaxMode_t mode, const void *alpha,
    const cudnnTensorDescriptor_t dx, const void *x, const void *beta, const cudnnTensorDescriptor_t dy, void *y)
{
	const struct shape *s = (struct shape *)dx;
	int n, c, i, rest = s->d[2] * s->d[3];
	const float *from = x;
	float *to = y, most, sum;

	(void)handle;
	if (algo != CUDNN_SOFTMAX_ACCURATE || mode != CUDNN_SOFTMAX_MODE_CHANNEL || dx != dy || *(const float *)alpha != 1 ||
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

/* ---- cuBLAS ------------------------------------------------------------------------------------------------------------------- */

cublasStatus_t cublasCreate_v2(cublasHandle_t *h) { *h = NULL; return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasDestroy_v2(cublasHandle_t h) { (void)h; return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasSetStream_v2(cublasHandle_t h, cudaStream_t s) { (void)h, (void)s; return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasSetMathMode(cublasHandle_t h, cublasMath_t m) { (void)h, (void)m; return CUBLAS_STATUS_SUCCESS; }
cublasStatus_t cublasGetVersion_v2(cublasHandle_t h, int *v) { (void)h; *v = 120000; return CUBLAS_STATUS_SUCCESS; }
const char *cublasGetStatusString(cublasStatus_t s) { return s ? "refused" : "none"; }

cublasStatus_t
cublasSgemmStridedBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const float *alpha, const float *a,
    int lda, long long step_a, const float *b, int ldb, long long step_b, const float *beta, float *c, int ldc, long long step_c, int count)
{
	int i, j, l, z;
	float sum;

	(void)h;
	if (*alpha != 1 || *beta != 0 || m < 1 || n < 1 || k < 1 || count < 1 || lda < (ta == CUBLAS_OP_N ? m : k) ||
	    ldb < (tb == CUBLAS_OP_N ? k : n) || ldc < m)
		return CUBLAS_STATUS_INVALID_VALUE;
	for (z = 0; z < count; z++)
		for (j = 0; j < n; j++)
			for (i = 0; i < m; i++) {
				for (sum = 0, l = 0; l < k; l++)
					sum += a[z * step_a + (ta == CUBLAS_OP_N ? l * lda + i : i * lda + l)] *
					    b[z * step_b + (tb == CUBLAS_OP_N ? j * ldb + l : l * ldb + j)];
				c[z * step_c + j * ldc + i] = sum;
			}
	return CUBLAS_STATUS_SUCCESS;
}
