/*
 * A stand-in for a GPU: CUDA's runtime as far as the CUDA target calls it, and the kernels that it generates, run slowly here;
 * cuDNN and cuBLAS are in cuda_libraries.c, cuDNN's graphs in cuda_opgraph.c.
 *
 * It tests the target's own part — shapes, strides, descriptors, which call with which numbers, the generated sources — and
 * nothing of the libraries or of a device.  Generated CUDA C is first given to NVRTC, where its library is there, and then
 * compiled by the C compiler and run thread by thread; threads of a block are coroutines where they wait for each other.
 */
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <nvrtc.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "tests/stand-in/stand_in.h"

struct stand_in stand_in = {.cudnn = 90000, .cuda = 12000, .capability = 90, .free_bytes = (size_t)64 << 20,
	.largest = SIZE_MAX};

void
stand_in_refuse(const char *what)
{
	printf("stand-in: %s\n", what);
	fflush(stdout);
	abort();
}

bool
stand_in_fails(void)
{
	bool fails = ++stand_in.calls == stand_in.fail_at;

	stand_in.has_failed |= fails;
	return fails;
}

/* A number that a test gave in the environment, or `value`. */
static size_t
setting(const char *name, size_t value)
{
	const char *text = getenv(name);

	return text ? (size_t)strtoull(text, NULL, 10) : value;
}

/* ---- runtime ------------------------------------------------------------------------------------------------------ */

#define FAIL do { if (stand_in_fails()) return cudaErrorUnknown; } while (0)

cudaError_t
cudaDriverGetVersion(int *v)
{
	FAIL;
	*v = (int)stand_in.cuda;
	return cudaSuccess;
}

cudaError_t
cudaRuntimeGetVersion(int *v)
{
	FAIL;
	*v = (int)setting("STAND_IN_CUDA", stand_in.cuda);
	return cudaSuccess;
}

cudaError_t
cudaGetDeviceCount(int *n)
{
	FAIL;
	*n = (int)setting("STAND_IN_DEVICES", 1);
	return cudaSuccess;
}

cudaError_t
cudaGetDeviceProperties(struct cudaDeviceProp *p, int device)
{
	int capability = (int)setting("STAND_IN_CAPABILITY", (size_t)stand_in.capability);

	FAIL;
	memset(p, 0, sizeof *p);
	snprintf(p->name, sizeof p->name, "stand-in %d", device);
	p->major = capability / 10;
	p->minor = capability % 10;
	return cudaSuccess;
}

cudaError_t
cudaSetDevice(int device)
{
	FAIL;
	return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

/* device memory is full of NaN until something is put there; no piece is larger than STAND_IN_BYTES, where that is set */
cudaError_t
cudaMalloc(void **at, size_t bytes)
{
	size_t whole = (bytes + 256) / 256 * 256;

	if (stand_in_fails() || bytes > setting("STAND_IN_BYTES", stand_in.largest) || !(*at = aligned_alloc(256, whole)))
		return cudaErrorMemoryAllocation;
	memset(*at, 0xff, whole);
	stand_in.live++;
	return cudaSuccess;
}

cudaError_t
cudaFree(void *at)
{
	stand_in.live -= at != NULL;
	free(at);
	return cudaSuccess;
}

cudaError_t
cudaMemGetInfo(size_t *left, size_t *all)
{
	FAIL;
	*left = *all = stand_in.free_bytes;
	return cudaSuccess;
}

cudaError_t
cudaMemcpy(void *to, const void *from, size_t n, enum cudaMemcpyKind kind)
{
	FAIL;
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
	FAIL;
	(void)s;
	stand_in.clock_us += 1;
	memset(at, v, n);
	return cudaSuccess;
}

cudaError_t
cudaGetLastError(void)
{
	bool was_pending = stand_in.is_pending;

	stand_in.is_pending = false;
	return was_pending ? cudaErrorInvalidConfiguration : cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t e) { return e ? "an error" : "none"; }

/* the last that is given back: by then all else was */
cudaError_t
cudaStreamDestroy(cudaStream_t s)
{
	(void)s;
	if (--stand_in.live)
		stand_in_refuse("something was not given back");
	return cudaSuccess;
}

cudaError_t
cudaStreamCreate(cudaStream_t *s)
{
	FAIL;
	stand_in.live++;
	*s = (cudaStream_t)&stand_in;
	return cudaSuccess;
}

cudaError_t
cudaStreamSynchronize(cudaStream_t s)
{
	FAIL;
	(void)s;
	return cudaSuccess;
}

/* events hold the time on the clock */
cudaError_t
cudaEventCreate(cudaEvent_t *e)
{
	FAIL;
	stand_in.live++;
	*e = calloc(1, sizeof(double));
	return cudaSuccess;
}

cudaError_t
cudaEventDestroy(cudaEvent_t e)
{
	stand_in.live--;
	free(e);
	return cudaSuccess;
}

cudaError_t
cudaEventRecord(cudaEvent_t e, cudaStream_t s)
{
	FAIL;
	(void)s;
	*(double *)e = stand_in.clock_us;
	return cudaSuccess;
}

cudaError_t
cudaEventSynchronize(cudaEvent_t e)
{
	FAIL;
	(void)e;
	return cudaSuccess;
}

cudaError_t
cudaEventElapsedTime(float *ms, cudaEvent_t a, cudaEvent_t b)
{
	FAIL;
	*ms = (float)((*(double *)b - *(double *)a) / 1000);
	return cudaSuccess;
}

/* ---- generated kernels: NVRTC and the driver's part --------------------------------------------------------------- */

struct text {
	char *source;
	bool is_ptx;
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
		stand_in_refuse("headers");
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

/* what it knows is older than some GPUs */
static const int architectures[] = {75, 80, 86, 90};

nvrtcResult
nvrtcGetNumSupportedArchs(int *n)
{
	*n = sizeof architectures / sizeof *architectures;
	return stand_in_fails() ? NVRTC_ERROR_INTERNAL_ERROR : NVRTC_SUCCESS;
}

nvrtcResult
nvrtcGetSupportedArchs(int *out)
{
	memcpy(out, architectures, sizeof architectures);
	return stand_in_fails() ? NVRTC_ERROR_INTERNAL_ERROR : NVRTC_SUCCESS;
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

	((struct text *)p)->is_ptx = n > 0 && strstr(options[0], "=compute_") != NULL;
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

/* the code is the source, be it called machine code or PTX; there is none of the other kind */
static nvrtcResult
code_size(nvrtcProgram p, bool is_ptx, size_t *n)
{
	*n = ((struct text *)p)->is_ptx == is_ptx ? strlen(((struct text *)p)->source) + 1 : 0;
	return NVRTC_SUCCESS;
}

static nvrtcResult
take_code(nvrtcProgram p, bool is_ptx, char *code)
{
	if (((struct text *)p)->is_ptx != is_ptx)
		return NVRTC_ERROR_INVALID_INPUT;
	strcpy(code, ((struct text *)p)->source);
	return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, size_t *n) { return code_size(p, false, n); }
nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char *code) { return take_code(p, false, code); }
nvrtcResult nvrtcGetPTXSize(nvrtcProgram p, size_t *n) { return code_size(p, true, n); }
nvrtcResult nvrtcGetPTX(nvrtcProgram p, char *code) { return take_code(p, true, code); }

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
		stand_in_refuse("no room for a kernel");
	write_c(f, code);
	fclose(f);
	snprintf(command, sizeof command, "cc -w -O0 -ffp-contract=off -shared -fPIC -o %s %s -lm", so, c);
	if (system(command) != 0 || !(to->library = dlopen(so, RTLD_NOW | RTLD_LOCAL)))
		stand_in_refuse("a kernel does not compile as C");
	call = dlsym(to->library, "call");
	memcpy(&to->call, &call, sizeof call);
	to->block = dlsym(to->library, "blockIdx");
	to->thread = dlsym(to->library, "threadIdx");
	to->wait = strstr(code, "__syncthreads()") ? dlsym(to->library, "fake_wait") : NULL;
	unlink(c);
	unlink(so);
	*m = (CUmodule)to;
	stand_in.live++;
	return CUDA_SUCCESS;
}

static CUresult
module_unload(CUmodule m)
{
	struct module *from = (struct module *)m;

	dlclose(from->library);
	free(from);
	stand_in.live--;
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

/* the thread, that has not begun (getcontext returns twice: no loop's variable may be at hand) */
static void
thread_make(int i)
{
	block.ended[i] = 0;
	getcontext(&block.thread[i]);
	block.thread[i].uc_stack.ss_sp = block.stack + (size_t)i * STACK;
	block.thread[i].uc_stack.ss_size = STACK;
	makecontext(&block.thread[i], thread_run, 0);
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
	for (i = 0; i < n; i++)
		thread_make(i);
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
	if (stand_in_fails())
		return CUDA_ERROR_LAUNCH_FAILED;
	stand_in.clock_us += 4;
	if (gy != 1 || gz != 1 || by != 1 || bz != 1 || shared || extra || bx > THREADS_MOST || !gx || !bx)
		stand_in_refuse("a launch of another kind");
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
