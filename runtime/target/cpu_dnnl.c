/*
 * Kernels of oneDNN: convolutions, products of matrices, pooling, softmax.
 *
 * Constant weights are packed into the form that the primitive asks for when the kernel is made.  An activation of the
 * operator is computed with it (a post-op).  Where oneDNN has only its reference implementation the kernel says so.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "target/cpu.h"
#include "target/cpu_dnnl.h"

struct cpu {
	dnnl_engine_t engine;
	dnnl_stream_t stream;
	int threads;
};

/* Operands in oneDNN's order. */
enum { SOURCE, WEIGHTS, BIAS, RESULT, ADDED, NPART };

struct prim {
	struct kernel kernel;
	struct cpu *cpu;
	dnnl_primitive_t primitive;
	dnnl_memory_desc_t md[NPART];	/* as the job has them, but for packed constants */
	dnnl_memory_t memory[NPART], scratch;
	void *constant[NPART];		/* NULL: comes when it runs */
	int operand[NPART];		/* of the job; -1: there is none */
};

static bool
failed(dnnl_status_t s, const char *what, struct tn_error *e)
{
	if (s == dnnl_success)
		return false;
	tn_fail(e, s == dnnl_unimplemented || s == dnnl_invalid_arguments ? TN_E_INPUT : TN_E_DEFECT, "oneDNN: %s: status %d",
	    what, (int)s);
	return true;
}

/* ---- the device ------------------------------------------------------------------------------------------------------ */

/* The OpenMP runtime that oneDNN brought along, whichever it is. */
static void
set_threads(int n)
{
	void *at = dlsym(RTLD_DEFAULT, "omp_set_num_threads");
	void (*set)(int);

	if (!at || n <= 0)
		return;
	memcpy(&set, &at, sizeof set);
	set(n);
}

static int
get_threads(void)
{
	void *at = dlsym(RTLD_DEFAULT, "omp_get_max_threads");
	int (*get)(void);

	if (!at)
		return 1;
	memcpy(&get, &at, sizeof get);
	return get();
}

struct cpu *
cpu_new(int threads, struct tn_error *e)
{
	struct cpu *c = mem_alloc(sizeof *c);

	set_threads(threads);
	c->threads = threads > 0 ? threads : get_threads();
	if (!failed(dnnl_engine_create(&c->engine, dnnl_cpu, 0), "no engine", e) &&
	    !failed(dnnl_stream_create(&c->stream, c->engine, dnnl_stream_default_flags), "no stream", e))
		return c;
	cpu_free(c);
	return NULL;
}

void
cpu_free(struct cpu *c)
{
	if (c->stream)
		dnnl_stream_destroy(c->stream);
	if (c->engine)
		dnnl_engine_destroy(c->engine);
	mem_free(c);
}

static const char *
isa_name(void)
{
	static const struct {
		dnnl_cpu_isa_t isa;
		const char *name;
	} rows[] = {
		{dnnl_cpu_isa_sse41, "sse4.1"}, {dnnl_cpu_isa_avx, "avx"}, {dnnl_cpu_isa_avx2, "avx2"},
		{dnnl_cpu_isa_avx2_vnni, "avx2-vnni"}, {dnnl_cpu_isa_avx512_core, "avx512"}, {dnnl_cpu_isa_avx512_core_vnni, "avx512-vnni"},
		{dnnl_cpu_isa_avx512_core_bf16, "avx512-bf16"},
	};
	dnnl_cpu_isa_t isa = dnnl_get_effective_cpu_isa();
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++)
		if (rows[i].isa == isa)
			return rows[i].name;
	return isa > dnnl_cpu_isa_avx512_core ? "avx512-later" : "generic";
}

void
cpu_describe(const struct cpu *c, char *text, size_t size)
{
	const dnnl_version_t *v = dnnl_version();
	char name[80];

	cpu_name(name, sizeof name);
	snprintf(text, size, "onednn-%d.%d.%d nhwc %d-thread %s %s", v->major, v->minor, v->patch, c->threads, isa_name(), name);
}

/* ---- running --------------------------------------------------------------------------------------------------------- */

static bool
prim_run(struct kernel *k, const void *const in[], void *out, void *scratch, struct tn_error *e)
{
	static const int name[] = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_BIAS, DNNL_ARG_DST,
	    DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1};
	struct prim *p = (struct prim *)k;
	dnnl_exec_arg_t arg[NPART + 1];
	int i, n = 0;

	for (i = 0; i < NPART; i++) {
		if (!p->memory[i])
			continue;
		if (!p->constant[i])
			dnnl_memory_set_data_handle(p->memory[i], i == RESULT ? out : (void *)(uintptr_t)in[p->operand[i]]);
		arg[n++] = (dnnl_exec_arg_t){name[i], p->memory[i]};
	}
	if (p->scratch) {
		dnnl_memory_set_data_handle(p->scratch, scratch);
		arg[n++] = (dnnl_exec_arg_t){DNNL_ARG_SCRATCHPAD, p->scratch};
	}
	return !failed(dnnl_primitive_execute(p->primitive, p->cpu->stream, n, arg), "a kernel did not run", e);
}

static void
prim_drop(struct kernel *k)
{
	struct prim *p = (struct prim *)k;
	int i;

	if (p->primitive)
		dnnl_primitive_destroy(p->primitive);
	for (i = 0; i < NPART; i++) {
		if (p->memory[i])
			dnnl_memory_destroy(p->memory[i]);
		md_free(&p->md[i]);
		mem_free(p->constant[i]);
	}
	if (p->scratch)
		dnnl_memory_destroy(p->scratch);
	mem_free(p);
}

/* ---- making ---------------------------------------------------------------------------------------------------------- */

static struct prim *
prim_new(struct cpu *cpu)
{
	struct prim *p = mem_alloc(sizeof *p);
	int i;

	p->kernel = (struct kernel){prim_run, prim_drop};
	p->cpu = cpu;
	for (i = 0; i < NPART; i++)
		p->operand[i] = -1;
	return p;
}

/* strides NULL: in whatever form is best */
static dnnl_status_t
set_md(dnnl_memory_desc_t *md, int rank, const int64_t dim[], const int64_t stride[])
{
	dnnl_dims_t dims = {0}, strides = {0};

	memcpy(dims, dim, (size_t)rank * sizeof *dims);
	if (!stride)
		return md_any(md, rank, dims);
	memcpy(strides, stride, (size_t)rank * sizeof *strides);
	return md_strided(md, rank, dims, strides);
}

/*
 * The tensor as it lies is part `part`; a constant is copied, densely in the layout.  What is dense gets the layout's own
 * strides: those of extents of 1, which say nothing, make oneDNN take one channel's image for row-major, and fall back.
 */
static bool
describe(struct prim *p, int part, int operand, const struct tn_tensor *t, enum tn_layout layout)
{
	struct tn_tensor as = *t;

	p->operand[part] = operand;
	if (t->data)
		p->constant[part] = constant_copy(t, layout);
	if (t->data || view_is_dense(t, layout))
		view_dense(&as, layout);
	return set_md(&p->md[part], t->rank, t->dim, as.stride) == dnnl_success;
}

/* the operator's activation; or what is added (NULL: nothing) and then the job's */
static dnnl_primitive_attr_t
attributes(const char *act, const dnnl_memory_desc_t *added)
{
	dnnl_primitive_attr_t attr = NULL;
	dnnl_post_ops_t ops = NULL;

	dnnl_primitive_attr_create(&attr);
	dnnl_primitive_attr_set_scratchpad_mode(attr, dnnl_scratchpad_mode_user);
	dnnl_primitive_attr_set_fpmath_mode(attr, dnnl_fpmath_mode_strict);	/* whatever the environment says */
	dnnl_post_ops_create(&ops);
	if (added)
		dnnl_post_ops_append_binary(ops, dnnl_binary_add, DESCRIBED(*added));
	if (*act && strcmp(act, "none") != 0)
		append_eltwise(ops, strcmp(act, "relu") == 0 ? dnnl_eltwise_relu : strcmp(act, "tanh") == 0 ? dnnl_eltwise_tanh
		    : dnnl_eltwise_logistic);
	dnnl_primitive_attr_set_post_ops(attr, ops);
	dnnl_post_ops_destroy(ops);
	return attr;
}

/* of a convolution or a product; where an operand is added the operator has no activation of its own */
static dnnl_primitive_attr_t
job_attributes(const struct tn_job *job, const struct prim *p)
{
	if (job->adds)
		return attributes(job->rectifies ? "relu" : "", &p->md[ADDED]);
	return attributes(job_enum(job, "act"), NULL);
}

/* a constant in the form that the primitive asks for */
static bool
pack(struct prim *p, dnnl_primitive_desc_t pd, int part, struct tn_error *e)
{
	described want = dnnl_primitive_desc_query_md(pd, part == WEIGHTS ? dnnl_query_weights_md : dnnl_query_src_md, 0);
	dnnl_memory_t from = NULL, to = NULL;
	dnnl_primitive_desc_t reorder = NULL;
	dnnl_primitive_t run = NULL;
	dnnl_exec_arg_t arg[2];
	void *packed = NULL;
	size_t bytes = dnnl_memory_desc_get_size(want);
	bool ok;

	ok = posix_memalign(&packed, 64, bytes + 64) == 0 &&
	    !failed(dnnl_memory_create(&from, DESCRIBED(p->md[part]), p->cpu->engine, p->constant[part]), "packing", e) &&
	    !failed(dnnl_memory_create(&to, want, p->cpu->engine, packed), "packing", e) &&
	    !failed(dnnl_reorder_primitive_desc_create(&reorder, DESCRIBED(p->md[part]), p->cpu->engine, want, p->cpu->engine, NULL),
	    "packing", e) && !failed(dnnl_primitive_create(&run, reorder), "packing", e);
	if (ok) {
		arg[0] = (dnnl_exec_arg_t){DNNL_ARG_FROM, from};
		arg[1] = (dnnl_exec_arg_t){DNNL_ARG_TO, to};
		ok = !failed(dnnl_primitive_execute(run, p->cpu->stream, 2, arg), "packing", e);
		dnnl_stream_wait(p->cpu->stream);
	}
	if (run)
		dnnl_primitive_destroy(run);
	if (reorder)
		dnnl_primitive_desc_destroy(reorder);
	if (from)
		dnnl_memory_destroy(from);
	p->memory[part] = to;
	mem_free(p->constant[part]);
	p->constant[part] = packed;
	return ok;
}

/* the primitive of the descriptor, and memory for its parts; NULL and error */
static struct kernel *
finish(struct prim *p, dnnl_primitive_desc_t pd, struct tn_kernel_facts *facts, struct tn_error *e)
{
	const char *how = "?";
	described scratch = dnnl_primitive_desc_query_md(pd, dnnl_query_scratchpad_md, 0);
	bool ok = !failed(dnnl_primitive_create(&p->primitive, pd), "a kernel is not made", e);
	int i;

	dnnl_primitive_desc_query(pd, dnnl_query_impl_info_str, 0, &how);
	facts->how = how;
	facts->is_slow = strncmp(how, "ref", 3) == 0 || strstr(how, ":ref") != NULL;
	facts->scratch_bytes = scratch ? dnnl_memory_desc_get_size(scratch) : 0;
	if (ok && facts->scratch_bytes)
		ok = !failed(dnnl_memory_create(&p->scratch, scratch, p->cpu->engine, DNNL_MEMORY_NONE), "scratch", e);
	for (i = 0; ok && i < NPART; i++) {
		if (!md_is_set(&p->md[i]))
			continue;
		if (p->constant[i] && i == WEIGHTS)
			ok = pack(p, pd, i, e);
		else
			ok = !failed(dnnl_memory_create(&p->memory[i], DESCRIBED(p->md[i]), p->cpu->engine,
			    p->constant[i] ? p->constant[i] : DNNL_MEMORY_NONE), "memory", e);
	}
	dnnl_primitive_desc_destroy(pd);
	if (ok)
		return &p->kernel;
	prim_drop(&p->kernel);
	return NULL;
}

static struct kernel *
none(struct prim *p, const char *what, struct tn_error *e)
{
	prim_drop(&p->kernel);
	tn_fail(e, TN_E_INPUT, "%s", what);
	return NULL;
}

/* descriptions for making the descriptor: constant weights in whatever form is best */
static void
ask(const struct prim *p, dnnl_memory_desc_t md[NPART], int rank, const int64_t dim[])
{
	memcpy(md, p->md, sizeof p->md);
	if (p->constant[WEIGHTS])
		set_md(&md[WEIGHTS], rank, dim, NULL);
}

static struct kernel *
made(struct prim *p, dnnl_status_t s, const dnnl_primitive_desc_t *pd, dnnl_memory_desc_t md[NPART],
    dnnl_primitive_attr_t attr, struct tn_kernel_facts *facts, struct tn_error *e)
{
	dnnl_primitive_attr_destroy(attr);
	if (md && p->constant[WEIGHTS])
		md_free(&md[WEIGHTS]);
	if (s != dnnl_success)
		return none(p, "oneDNN has none for these shapes", e);
	return finish(p, *pd, facts, e);
}

/* ---- convolutions ---------------------------------------------------------------------------------------------------- */

static void
set_window(struct window *w, const struct tn_job *job, const char *kernel)
{
	const struct tn_value *strides = job_attr(job, "strides"), *pads = job_attr(job, "pads");
	const struct tn_value *dilations = job_attr(job, "dilations"), *size = kernel ? job_attr(job, kernel) : NULL;
	int i;

	memset(w, 0, sizeof *w);
	for (i = 0; i < 2; i++) {
		w->strides[i] = strides->u.list[i];
		w->before[i] = pads->u.list[i];
		w->after[i] = pads->u.list[2 + i];
		w->dilates[i] = dilations ? dilations->u.list[i] - 1 : 0;
		if (size)
			w->kernel[i] = size->u.list[i];
	}
}

/*
 * Padding after, so that the result has the extents it has: a stride that leaves a rest reads less than there is, which
 * oneDNN takes as it is.
 */
static bool
window_is_plain(const struct window *w)
{
	return w->before[0] >= 0 && w->before[1] >= 0 && w->after[0] >= 0 && w->after[1] >= 0;
}

/* [f g r s] as [groups f/groups g r s] */
static struct tn_tensor
grouped(const struct tn_tensor *k, int64_t groups)
{
	struct tn_tensor t = *k;
	int i;

	t.rank = 5;
	t.dim[0] = groups;
	t.dim[1] = k->dim[0] / groups;
	t.stride[0] = k->stride[0] * t.dim[1];
	t.stride[1] = k->stride[0];
	for (i = 1; i < 4; i++) {
		t.dim[i + 1] = k->dim[i];
		t.stride[i + 1] = k->stride[i];
	}
	return t;
}

/* numbers of f32, and some of them in every operand and the result */
static bool
has_f32(const struct tn_job *job)
{
	int i;

	for (i = 0; i < job->nin; i++)
		if (view_count(&job->in[i]) == 0)
			return false;
	return job->out.dtype == TN_F32 && view_count(&job->out) > 0;
}

/* the parts of a convolution, by a kernel that is seen as oneDNN wants it */
static bool
describe_conv(struct prim *p, const struct tn_job *job, const struct tn_tensor *kernel)
{
	return describe(p, SOURCE, 0, &job->in[0], TN_CHANNELS_LAST) && describe(p, WEIGHTS, 1, kernel, TN_ROW_MAJOR) &&
	    (is_all_zero(&job->in[2]) || describe(p, BIAS, 2, &job->in[2], TN_ROW_MAJOR)) &&
	    describe(p, RESULT, -1, &job->out, TN_CHANNELS_LAST) &&
	    (!job->adds || describe(p, ADDED, job->nin - 1, &job->in[job->nin - 1], TN_CHANNELS_LAST));
}

struct kernel *
conv_make(struct cpu *cpu, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	struct prim *p = prim_new(cpu);
	int64_t groups = job_int(job, "groups");
	struct tn_tensor k = groups > 1 ? grouped(&job->in[1], groups) : job->in[1];
	dnnl_memory_desc_t md[NPART];
	dnnl_primitive_desc_t pd = NULL;
	dnnl_primitive_attr_t attr;
	struct kernel *kernel;
	struct window w;

	set_window(&w, job, NULL);
	if (!has_f32(job) || !window_is_plain(&w))
		return none(p, "it has none for such elements or padding", e);
	if (!describe_conv(p, job, &k))
		return none(p, "oneDNN has no words for these shapes", e);
	ask(p, md, k.rank, k.dim);
	attr = job_attributes(job, p);
	kernel = made(p, pd_conv(&pd, cpu->engine, md, &w, attr), &pd, md, attr, facts, e);
	/* oneDNN 2.6's convolutions by products of matrices add elements of other places */
	return kernel && job->adds && strstr(facts->how, "gemm") ? none(p, "what oneDNN has adds wrongly", e) : kernel;
}

/* [f c r s] seen as [c f r s] */
static struct tn_tensor
swapped(const struct tn_tensor *k)
{
	struct tn_tensor t = *k;

	t.dim[0] = k->dim[1], t.stride[0] = k->stride[1];
	t.dim[1] = k->dim[0], t.stride[1] = k->stride[0];
	return t;
}

struct kernel *
conv_transpose_make(struct cpu *cpu, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	struct prim *p = prim_new(cpu);
	const struct tn_value *extra = job_attr(job, "extra");
	struct tn_tensor k = swapped(&job->in[1]);
	dnnl_memory_desc_t md[NPART];
	dnnl_primitive_desc_t pd = NULL;
	dnnl_primitive_attr_t attr;
	struct window w;

	set_window(&w, job, NULL);
	w.after[0] -= extra->u.list[0];
	w.after[1] -= extra->u.list[1];
	if (!has_f32(job))
		return none(p, "it has none for such elements", e);
	if (!describe_conv(p, job, &k))
		return none(p, "oneDNN has no words for these shapes", e);
	ask(p, md, k.rank, k.dim);
	attr = attributes("", NULL);
	return made(p, pd_deconv(&pd, cpu->engine, md, &w, attr), &pd, md, attr, facts, e);
}

/* ---- pooling, softmax ------------------------------------------------------------------------------------------------ */

struct kernel *
pool_make(struct cpu *cpu, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	struct prim *p = prim_new(cpu);
	bool is_max = strcmp(job->op->name, "max-pool2d") == 0;
	dnnl_alg_kind_t alg = is_max ? dnnl_pooling_max : job_int(job, "count-pads") ? dnnl_pooling_avg_include_padding
	    : dnnl_pooling_avg_exclude_padding;
	dnnl_primitive_desc_t pd = NULL;
	dnnl_primitive_attr_t attr;
	struct window w;

	set_window(&w, job, "kernel");
	if (!has_f32(job) || !window_is_plain(&w))
		return none(p, "it has none for such elements or padding", e);
	if (!describe(p, SOURCE, 0, &job->in[0], TN_CHANNELS_LAST) || !describe(p, RESULT, -1, &job->out, TN_CHANNELS_LAST))
		return none(p, "oneDNN has no words for these shapes", e);
	attr = attributes("", NULL);
	return made(p, pd_pool(&pd, cpu->engine, alg, p->md, &w, attr), &pd, NULL, attr, facts, e);
}

/* [before along behind] of a dense tensor and one of its axes: extents of 1 leave oneDNN no doubt about the order */
static struct tn_tensor
along_axis(const struct tn_tensor *t, int64_t axis)
{
	int64_t behind = t->dim[axis] == 1 ? 1 : t->stride[axis];

	return (struct tn_tensor){.dtype = t->dtype, .rank = 3, .data = t->data,
	    .dim = {view_count(t) / (t->dim[axis] * behind), t->dim[axis], behind},
	    .stride = {t->dim[axis] * behind, behind, 1}};
}

/* Where its lines do not lie densely oneDNN has but a reference implementation: the loop of our own is faster. */
struct kernel *
softmax_make(struct cpu *cpu, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	struct prim *p = prim_new(cpu);
	dnnl_primitive_desc_t pd = NULL;
	dnnl_primitive_attr_t attr;
	struct tn_tensor in = job->in[0], out = job->out;
	int64_t axis = job_int(job, "axis");
	struct kernel *kernel;
	void *copy = NULL;
	bool ok;

	if (!has_f32(job))
		return none(p, "it has none for such elements", e);
	if (in.data) {
		in.data = copy = constant_copy(&in, TN_ROW_MAJOR);
		view_dense(&in, TN_ROW_MAJOR);
		view_dense(&out, TN_ROW_MAJOR);
	}
	in = along_axis(&in, axis);
	out = along_axis(&out, axis);
	ok = describe(p, SOURCE, 0, &in, TN_ROW_MAJOR) && describe(p, RESULT, -1, &out, TN_ROW_MAJOR);
	mem_free(copy);
	if (!ok)
		return none(p, "oneDNN has no words for these shapes", e);
	attr = attributes("", NULL);
	facts->in_place = true;
	kernel = made(p, pd_softmax(&pd, cpu->engine, p->md, 1, attr), &pd, NULL, attr, facts, e);
	if (!kernel || !facts->is_slow)
		return kernel;
	kernel_drop(NULL, kernel);
	return softmax_loop(job, facts);
}

/* ---- products of matrices -------------------------------------------------------------------------------------------- */

/* oneDNN wants one of the last two axes to be the fastest */
static void
fill_strides(struct tn_tensor *t)
{
	if (t->dim[1] == 1 && t->stride[1] < t->dim[2] * t->stride[2])
		t->stride[1] = t->dim[2] * t->stride[2];
	if (t->dim[0] == 1)
		t->stride[0] = t->dim[1] * t->dim[2];
}

struct kernel *
matmul_make(struct cpu *cpu, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	struct prim *p = prim_new(cpu);
	int batch = (int)job_int(job, "batch"), i;
	struct tn_tensor t[4], bias = {.dtype = TN_F32, .rank = 3, .dim = {1, 1, job->out.dim[job->out.rank - 1]}};
	const struct tn_tensor *from[4] = {&job->in[0], &job->in[1], &job->out, job->adds ? &job->in[job->nin - 1] : NULL};
	dnnl_memory_desc_t md[NPART];
	dnnl_primitive_desc_t pd = NULL;
	dnnl_primitive_attr_t attr;
	void *dense[2] = {NULL, NULL};
	bool ok = has_f32(job);

	for (i = 0; ok && i < 4 && from[i]; i++) {
		struct tn_tensor now = *from[i];

		if (now.data) {
			now.data = dense[i] = constant_copy(from[i], TN_ROW_MAJOR);
			view_dense(&now, TN_ROW_MAJOR);
		}
		ok = as_matrices(&now, batch, &t[i]);
		fill_strides(&t[i]);
	}
	if (ok) {
		bias.data = job->in[2].data;
		memset(bias.stride, 0, sizeof bias.stride);
		bias.stride[2] = job->in[2].stride[0];
		if (!bias.data)
			view_dense(&bias, TN_ROW_MAJOR);
		ok = describe(p, SOURCE, 0, &t[0], TN_ROW_MAJOR) && describe(p, WEIGHTS, 1, &t[1], TN_ROW_MAJOR) &&
		    (is_all_zero(&bias) || describe(p, BIAS, 2, &bias, TN_ROW_MAJOR)) && describe(p, RESULT, -1, &t[2], TN_ROW_MAJOR) &&
		    (!job->adds || describe(p, ADDED, job->nin - 1, &t[3], TN_ROW_MAJOR));
	}
	mem_free(dense[0]);
	mem_free(dense[1]);
	if (!ok)
		return none(p, "oneDNN has no words for these shapes", e);
	ask(p, md, 3, t[1].dim);
	attr = job_attributes(job, p);
	return made(p, pd_matmul(&pd, cpu->engine, md, attr), &pd, md, attr, facts, e);
}
