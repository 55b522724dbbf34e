/*
 * CUDA C compiled while running, and launched.
 *
 * Modules and launches are the driver's, whose library is there only where a GPU is: its functions are asked for by name
 * through the runtime, so that the plug-in links without it.
 */
#include <cuda.h>
#include <nvrtc.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "target/cuda.h"

struct function {
	CUmodule module;
	CUfunction function;
};

struct rtc {
	CUresult (*load)(CUmodule *, const void *);
	CUresult (*unload)(CUmodule);
	CUresult (*get)(CUfunction *, CUmodule, const char *);
	CUresult (*launch)(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CUstream, void **, void **);
	struct map known;		/* by source: number in `function` */
	VEC(struct function *) function;
};

static bool
find_driver(const char *name, void *to, struct tn_error *e)
{
	void *at = NULL;
	enum cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
	cudaError_t status;

#if CUDART_VERSION >= 12050
	status = cudaGetDriverEntryPointByVersion(name, &at, 12000, cudaEnableDefault, &found);
#else
	status = cudaGetDriverEntryPoint(name, &at, cudaEnableDefault, &found);
#endif
	if (status != cudaSuccess || found != cudaDriverEntryPointSuccess || !at)
		return tn_fail(e, TN_E_MISSING, "the CUDA driver has no %s", name);
	memcpy(to, &at, sizeof at);
	return true;
}

bool
rtc_open(struct cuda *c, struct tn_error *e)
{
	c->rtc = mem_alloc(sizeof *c->rtc);
	return find_driver("cuModuleLoadData", &c->rtc->load, e) && find_driver("cuModuleUnload", &c->rtc->unload, e) &&
	    find_driver("cuModuleGetFunction", &c->rtc->get, e) && find_driver("cuLaunchKernel", &c->rtc->launch, e);
}

void
rtc_close(struct cuda *c)
{
	uint32_t i;

	if (!c->rtc)
		return;
	for (i = 0; i < c->rtc->function.n; i++) {
		if (c->rtc->unload && c->rtc->function.at[i]->module)
			c->rtc->unload(c->rtc->function.at[i]->module);
		mem_free(c->rtc->function.at[i]);
	}
	vec_free(&c->rtc->function);
	map_free(&c->rtc->known);
	mem_free(c->rtc);
}

/* the first line of what the compiler says */
static void
say_log(nvrtcProgram program, struct tn_error *e)
{
	size_t n = 0;
	char *log;

	if (nvrtcGetProgramLogSize(program, &n) != NVRTC_SUCCESS)
		n = 0;
	log = mem_alloc(n + 1);
	if (n && nvrtcGetProgramLog(program, log) != NVRTC_SUCCESS)
		*log = '\0';
	log[strcspn(log, "\n")] = '\0';
	tn_fail(e, TN_E_DEFECT, "NVRTC refuses what was generated: %s", log);
	mem_free(log);
}

/* the newest architecture up to this GPU's that the compiler knows, 0 and error */
static int
architecture(int capability, struct tn_error *e)
{
	int n = 0, i, *known, best = 0;

	if (nvrtcGetNumSupportedArchs(&n) != NVRTC_SUCCESS)
		n = 0;
	known = mem_alloc(((size_t)n + 1) * sizeof *known);
	if (n && nvrtcGetSupportedArchs(known) != NVRTC_SUCCESS)
		n = 0;
	for (i = 0; i < n; i++)
		if (known[i] <= capability && known[i] > best)
			best = known[i];
	mem_free(known);
	if (!best)
		tn_fail(e, TN_E_MISSING, "NVRTC has no code for a GPU of compute capability %d.%d", capability / 10, capability % 10);
	return best;
}

/* the machine code or the PTX of what was compiled; NULL and error */
static char *
take_code(nvrtcProgram program, bool is_ptx, struct tn_error *e)
{
	size_t n = 0;
	char *code;

	if ((is_ptx ? nvrtcGetPTXSize(program, &n) : nvrtcGetCUBINSize(program, &n)) != NVRTC_SUCCESS)
		n = 0;
	code = mem_alloc(n + 1);
	if (n && (is_ptx ? nvrtcGetPTX(program, code) : nvrtcGetCUBIN(program, code)) == NVRTC_SUCCESS)
		return code;
	mem_free(code);
	tn_fail(e, TN_E_DEFECT, "NVRTC does not give its code");
	return NULL;
}

/* code for this GPU: PTX, which the driver compiles, for one that is newer than the compiler; NULL and error */
static char *
compile(struct cuda *c, const char *source, struct tn_error *e)
{
	int known = architecture(c->capability, e);
	bool is_ptx = known < c->capability;
	char target[40];
	/* contraction would make results differ from the reference more than they must */
	const char *const options[] = {target, "--fmad=false", "--std=c++14"};
	nvrtcProgram program;
	char *code = NULL;

	if (!known)
		return NULL;
	snprintf(target, sizeof target, "--gpu-architecture=%s_%d", is_ptx ? "compute" : "sm", known);
	if (nvrtcCreateProgram(&program, source, "generated.cu", 0, NULL, NULL) != NVRTC_SUCCESS) {
		tn_fail(e, TN_E_DEFECT, "NVRTC makes no program");
		return NULL;
	}
	if (nvrtcCompileProgram(program, 3, options) != NVRTC_SUCCESS)
		say_log(program, e);
	else
		code = take_code(program, is_ptx, e);
	nvrtcDestroyProgram(&program);
	return code;
}

struct function *
rtc_compile(struct cuda *c, const char *source, struct tn_error *e)
{
	bool is_new;
	uint32_t *number = map_put(&c->rtc->known, source, strlen(source), c->rtc->function.n, &is_new);
	struct function *f;
	char *code;

	if (!is_new)
		return c->rtc->function.at[*number]->function ? c->rtc->function.at[*number] : (tn_fail(e, TN_E_DEFECT,
		    "NVRTC refused this before"), NULL);
	f = mem_alloc(sizeof *f);
	vec_push(&c->rtc->function, f);
	code = compile(c, source, e);
	if (!code)
		return NULL;
	if (c->rtc->load(&f->module, code) != CUDA_SUCCESS || c->rtc->get(&f->function, f->module, "run") != CUDA_SUCCESS) {
		tn_fail(e, TN_E_DEFECT, "the driver does not load what was generated");
		f->function = NULL;
	}
	mem_free(code);
	return f->function ? f : NULL;
}

bool
rtc_launch(struct cuda *c, struct function *f, int64_t blocks, int block, void *args[], struct tn_error *e)
{
	CUresult status;

	if (blocks <= 0)
		return true;
	if (blocks > INT32_MAX)
		return tn_fail(e, TN_E_INPUT, "a tensor is too large for one launch");
	status = c->rtc->launch(f->function, (unsigned)blocks, 1, 1, (unsigned)block, 1, 1, 0, (CUstream)c->stream, args, NULL);
	return status == CUDA_SUCCESS || tn_fail(e, TN_E_DEFECT, "a generated kernel does not start: status %d", (int)status);
}
