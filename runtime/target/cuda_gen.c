/*
 * Kernels generated for the shapes at hand: element by element, moves, reductions, pooling, normalisation.
 *
 * Extents and strides are written into the source as numbers, so that the compiler turns divisions into products.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "target/cuda.h"

enum { BLOCK = 256, MOST_PARTS = 64, SHORT = 64 };

/* A generated kernel: launches, each over some of the operands. */
struct launch {
	struct function *function;
	int64_t blocks;
	int operand[LOOP_MOST], noperand;
};

struct generated {
	struct kernel kernel;
	struct cuda *cuda;
	struct cuda_constants constants;
	size_t cleared;			/* bytes of the result that are set to 0 before */
	int nlaunch;
	struct launch launch[];
};

static bool
generated_run(struct kernel *k, const void *const in[], void *out, void *scratch, struct tn_error *e)
{
	struct generated *g = (struct generated *)k;
	const void *operand[LOOP_MOST];
	void *args[LOOP_MOST + 1];
	int i, n;

	(void)scratch;
	if (g->cleared && !cuda_ok(cudaMemsetAsync(out, 0, g->cleared, g->cuda->stream), "clearing a result", e))
		return false;
	for (i = 0; i < g->nlaunch; i++) {
		const struct launch *l = &g->launch[i];

		args[0] = &out;
		for (n = 0; n < l->noperand; n++) {
			operand[n] = cuda_operand(&g->constants, in, l->operand[n]);
			args[1 + n] = &operand[n];
		}
		if (!rtc_launch(g->cuda, l->function, l->blocks, BLOCK, args, e))
			return false;
	}
	return true;
}

static void
generated_drop(struct kernel *k)
{
	struct generated *g = (struct generated *)k;

	cuda_constants_free(&g->constants);
	mem_free(g);
}

static struct generated *
generated_new(struct cuda *c, int nlaunch)
{
	struct generated *g = mem_alloc(sizeof *g + (size_t)nlaunch * sizeof *g->launch);

	g->kernel = (struct kernel){generated_run, generated_drop};
	g->cuda = c;
	g->nlaunch = nlaunch;
	return g;
}

static struct kernel *
refuse(struct generated *g)
{
	generated_drop(&g->kernel);
	return NULL;
}

/* one launch over numbers of type f32, with the constants; NULL and error */
static struct generated *
generated_f32(struct cuda *c, const struct tn_job *job, struct tn_tensor views[], struct tn_error *e)
{
	struct generated *g;

	if (job->out.dtype != TN_F32) {
		tn_fail(e, TN_E_INPUT, "it has none for these elements");
		return NULL;
	}
	g = generated_new(c, 1);
	if (cuda_constants_make(job, &g->constants, views, e))
		return g;
	generated_drop(&g->kernel);
	return NULL;
}

/* the source is the launch's, in so many blocks; false: error */
static bool
set_launch(struct generated *g, int i, struct buf *source, int64_t blocks, struct tn_error *e)
{
	g->launch[i].function = rtc_compile(g->cuda, source->at, e);
	g->launch[i].blocks = blocks;
	buf_free(source);
	return g->launch[i].function != NULL;
}

static int64_t
blocks_of(int64_t n)
{
	return (n + BLOCK - 1) / BLOCK;
}

/* ---- sources -------------------------------------------------------------------------------------------------------- */

static void
begin(struct buf *b, int noperand, const char *type)
{
	int i;

	buf_printf(b, "extern \"C\" __global__ void\nrun(%s *y", type);
	for (i = 0; i < noperand; i++)
		buf_printf(b, ", const %s *x%d", type, i);
	buf_puts(b, ")\n{\n");
}

/* "long name0 = …": where thread `from` of the loop is in each tensor */
static void
put_places(struct buf *b, const struct loop *l, const char *name, const char *from)
{
	int i, k;

	for (k = 0; k < l->ntensor; k++)
		buf_printf(b, "\tlong %s%d = 0;\n", name, k);
	buf_printf(b, "\t{\n\t\tlong rest = %s, at;\n", from);
	for (i = l->rank - 1; i >= 0; i--) {
		if (i)
			buf_printf(b, "\t\tat = rest %% %" PRId64 "; rest /= %" PRId64 ";\n", l->dim[i], l->dim[i]);
		else
			buf_puts(b, "\t\tat = rest;\n");
		for (k = 0; k < l->ntensor; k++)
			if (l->stride[k][i])
				buf_printf(b, "\t\t%s%d += at * %" PRId64 ";\n", name, k, l->stride[k][i]);
	}
	buf_puts(b, "\t}\n");
}

static int64_t
loop_count(const struct loop *l)
{
	int64_t n = 1;
	int i;

	for (i = 0; i < l->rank; i++)
		n *= l->dim[i];
	return n;
}

static void
put_thread(struct buf *b, int64_t n)
{
	buf_printf(b, "\tlong i = (long)blockIdx.x * %d + threadIdx.x;\n\tif (i >= %" PRId64 ")\n\t\treturn;\n", BLOCK, n);
}

/* a number that the compiler reads as this float */
static void
put_float(struct buf *b, double x)
{
	float f = (float)x;
	uint32_t bits;

	memcpy(&bits, &f, sizeof bits);
	buf_printf(b, "__int_as_float(%d)", (int)bits);
}

/* ---- element by element --------------------------------------------------------------------------------------------- */

/* Expressions over a, b and the operator's two numbers P and Q. */
static const struct {
	const char *op;
	int nin;
	const char *expression, *p, *q;
} maps[] = {
	{"add", 2, "a + b", NULL, NULL},
	{"sub", 2, "a - b", NULL, NULL},
	{"mul", 2, "a * b", NULL, NULL},
	{"div", 2, "a / b", NULL, NULL},
	{"pow", 2, "powf(a, b)", NULL, NULL},
	{"max", 2, "LARGER(a, b)", NULL, NULL},
	{"min", 2, "SMALLER(a, b)", NULL, NULL},
	{"neg", 1, "-a", NULL, NULL},
	{"abs", 1, "fabsf(a)", NULL, NULL},
	{"exp", 1, "expf(a)", NULL, NULL},
	{"log", 1, "logf(a)", NULL, NULL},
	{"sqrt", 1, "sqrtf(a)", NULL, NULL},
	{"erf", 1, "erff(a)", NULL, NULL},
	{"relu", 1, "LARGER(a, 0.f)", NULL, NULL},
	{"sigmoid", 1, "1.f / (1.f + expf(-a))", NULL, NULL},
	{"tanh", 1, "tanhf(a)", NULL, NULL},
	{"gelu", 1, "0.5f * a * (1.f + erff(0.70710678f * a))", NULL, NULL},
	{"clip", 1, "SMALLER(LARGER(a, P), Q)", "min", "max"},
	{"leaky-relu", 1, "a < 0.f ? P * a : a", "alpha", NULL},
	{"hard-sigmoid", 1, "LARGER(0.f, SMALLER(1.f, P * a + Q))", "alpha", "beta"},
	{"hard-swish", 1, "a * LARGER(0.f, SMALLER(1.f, a / 6.f + 0.5f))", NULL, NULL},
	{"batch-norm", 5, "a / sqrtf(e + P) * (X - d) + b", "eps", NULL},
};

static const char *const macros =
    "#define LARGER(a, b) ((a) > (b) || (a) != (a) ? (a) : (b))\n"
    "#define SMALLER(a, b) ((a) < (b) || (a) != (a) ? (a) : (b))\n";

static void
put_macros(struct buf *b, const struct tn_job *job, size_t row)
{
	buf_puts(b, macros);
	if (maps[row].p) {
		buf_puts(b, "#define P ");
		put_float(b, job_float(job, maps[row].p));
		buf_putc(b, '\n');
	}
	if (maps[row].q) {
		buf_puts(b, "#define Q ");
		put_float(b, job_float(job, maps[row].q));
		buf_putc(b, '\n');
	}
}

/* batch-norm's operands are x scale bias mean var: named X a b d e */
static void
put_map(struct buf *b, const struct tn_job *job, size_t row, const struct loop *l)
{
	static const char *const plain[] = {"a", "b"}, *const batch[] = {"X", "a", "b", "d", "e"};
	int i;

	put_macros(b, job, row);
	begin(b, job->nin, "float");
	put_thread(b, loop_count(l));
	put_places(b, l, "p", "i");
	for (i = 0; i < job->nin; i++)
		buf_printf(b, "\tfloat %s = x%d[p%d];\n", (job->nin > 2 ? batch : plain)[i], i, i + 1);
	buf_printf(b, "\ty[p0] = %s;\n}\n", maps[row].expression);
}

struct kernel *
cuda_map(struct cuda *c, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	struct tn_tensor views[LOOP_MOST], out = job->out;
	const struct tn_tensor *all[LOOP_MOST] = {&out};
	struct generated *g;
	struct buf source = {0};
	struct loop l;
	size_t row = 0;
	int i, axis;

	while (row < sizeof maps / sizeof *maps && strcmp(maps[row].op, job->op->name) != 0)
		row++;
	if (row == sizeof maps / sizeof *maps || maps[row].nin != job->nin) {
		tn_fail(e, TN_E_INPUT, "it has none for these elements");
		return NULL;
	}
	g = generated_f32(c, job, views, e);
	if (!g)
		return NULL;
	for (i = 0; i < job->nin; i++) {
		/* a value per channel */
		if (job->nin == 5 && i > 0) {
			int64_t step = views[i].stride[0];

			views[i] = out;
			for (axis = 0; axis < out.rank; axis++)
				views[i].stride[axis] = axis == 1 ? step : 0;
		}
		all[1 + i] = &views[i];
		g->launch[0].operand[i] = i;
	}
	g->launch[0].noperand = job->nin;
	loop_make(&l, all, 1 + job->nin);
	put_map(&source, job, row, &l);
	facts->how = "generated";
	facts->in_place = true;
	return set_launch(g, 0, &source, blocks_of(loop_count(&l)), e) ? &g->kernel : refuse(g);
}

/* ---- moves ------------------------------------------------------------------------------------------------------------ */

static const char *
word(enum tn_dtype dtype)
{
	switch (dtype_size(dtype)) {
	case 1: return "unsigned char";
	case 2: return "unsigned short";
	case 4: return "unsigned";
	default: return "unsigned long long";
	}
}

struct kernel *
cuda_move(struct cuda *c, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	struct tn_tensor views[MOST_PARTS];
	struct part part[MOST_PARTS];
	struct moves m = {.part = part};
	struct tn_job as = *job;
	struct generated *g;
	int i;

	if (job->nin > MOST_PARTS) {
		tn_fail(e, TN_E_INPUT, "it joins more than %d tensors", MOST_PARTS);
		return NULL;
	}
	g = generated_new(c, job->nin);
	if (!cuda_constants_make(job, &g->constants, views, e))
		return refuse(g);
	as.in = views;
	if (!moves_make(&m, &as)) {
		tn_fail(e, TN_E_INPUT, "it is none that moves elements");
		return refuse(g);
	}
	g->cleared = m.is_cleared ? (size_t)view_count(&job->out) * dtype_size(job->out.dtype) : 0;
	g->nlaunch = m.npart;
	for (i = 0; i < m.npart; i++) {
		struct buf b = {0};

		begin(&b, 1, word(job->out.dtype));
		put_thread(&b, loop_count(&part[i].loop));
		put_places(&b, &part[i].loop, "p", "i");
		buf_printf(&b, "\ty[p0 + %" PRId64 "] = x0[p1 + %" PRId64 "];\n}\n", part[i].to, part[i].from);
		g->launch[i].operand[0] = part[i].operand;
		g->launch[i].noperand = 1;
		if (!set_launch(g, i, &b, blocks_of(loop_count(&part[i].loop)), e))
			return refuse(g);
	}
	facts->how = "generated";
	return &g->kernel;
}

/* ---- reductions ----------------------------------------------------------------------------------------------------------- */

/* axes that are reduced apart from those that stay */
static void
split_axes(const struct tn_tensor *in, const struct tn_tensor *out, struct loop *stay, struct loop *along)
{
	struct tn_tensor kept[2] = {*out, *in}, gone = *in;
	const struct tn_tensor *both[2] = {&kept[0], &kept[1]}, *one[1] = {&gone};
	int i;

	for (i = 0; i < in->rank; i++) {
		bool is_reduced = out->stride[i] == 0 && in->dim[i] != 1;

		if (is_reduced)
			kept[0].dim[i] = kept[1].dim[i] = 1;
		else
			gone.dim[i] = 1;
	}
	loop_make(stay, both, 2);
	loop_make(along, one, 1);
}

/* the sum, or the like, of what the block's threads hold */
static void
put_block_sum(struct buf *b, const char *value, const char *combine)
{
	buf_printf(b,
	    "\t__shared__ float part[%d];\n"
	    "\t__syncthreads();\n"
	    "\tpart[threadIdx.x] = %s;\n"
	    "\t__syncthreads();\n"
	    "\tfor (int half = %d; half > 0; half /= 2) {\n"
	    "\t\tif (threadIdx.x < half) {\n"
	    "\t\t\tfloat a = part[threadIdx.x], b = part[threadIdx.x + half];\n"
	    "\t\t\tpart[threadIdx.x] = %s;\n"
	    "\t\t}\n"
	    "\t\t__syncthreads();\n"
	    "\t}\n"
	    "\t%s = part[0];\n", BLOCK, value, BLOCK / 2, combine, value);
}

/* a thread a result where few elements make one, else a block */
static void
put_reduction(struct buf *b, const struct loop *stay, const struct loop *along, double first, const char *combine,
    const char *last)
{
	bool is_short = loop_count(along) <= SHORT;

	buf_puts(b, macros);
	begin(b, 1, "float");
	if (is_short)
		put_thread(b, loop_count(stay));
	put_places(b, stay, "p", is_short ? "i" : "(long)blockIdx.x");
	buf_puts(b, "\tfloat sum = ");
	put_float(b, first);
	buf_printf(b, ";\n\tfor (long k = %s; k < %" PRId64 "; k += %d) {\n", is_short ? "0" : "threadIdx.x", loop_count(along),
	    is_short ? 1 : BLOCK);
	put_places(b, along, "q", "k");
	buf_printf(b, "\tfloat a = sum, b = x0[p1 + q0];\n\tsum = %s;\n\t}\n", combine);
	if (!is_short) {
		put_block_sum(b, "sum", combine);
		buf_puts(b, "\tif (threadIdx.x != 0)\n\t\treturn;\n");
	}
	buf_printf(b, "\ty[p0] = sum%s;\n}\n", last);
}

struct kernel *
cuda_reduce(struct cuda *c, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	const char *op = job->op->name;
	bool is_max = strcmp(op, "reduce-max") == 0, is_min = strcmp(op, "reduce-min") == 0;
	const char *combine = is_max ? "LARGER(a, b)" : is_min ? "SMALLER(a, b)" : "a + b";
	struct tn_tensor views[1], in, out;
	struct tn_job as = *job;
	struct generated *g = generated_f32(c, job, views, e);
	struct loop stay, along;
	struct buf b = {0}, mean = {0};
	int64_t n;

	if (!g)
		return NULL;
	as.in = views;
	n = reduced_view(&as, &in, &out);
	split_axes(&in, &out, &stay, &along);
	buf_puts(&mean, " / ");
	put_float(&mean, (double)n);
	put_reduction(&b, &stay, &along, is_max ? -INFINITY : is_min ? INFINITY : 0, combine,
	    strcmp(op, "reduce-mean") == 0 ? mean.at : "");
	buf_free(&mean);
	g->launch[0].noperand = 1;
	facts->how = "generated";
	n = loop_count(&stay);
	return set_launch(g, 0, &b, loop_count(&along) <= SHORT ? blocks_of(n) : n, e) ? &g->kernel : refuse(g);
}

/* a block a row: mean, then variance about it */
struct kernel *
cuda_layer_norm(struct cuda *c, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	struct tn_tensor views[3];
	struct generated *g = generated_f32(c, job, views, e);
	struct buf b = {0};
	int64_t n = job->out.dim[job->out.rank - 1];
	int i;

	if (!g)
		return NULL;
	begin(&b, 3, "float");
	buf_printf(&b, "\tconst float *x = x0 + (long)blockIdx.x * %" PRId64 ";\n\tfloat mean = 0.f, var = 0.f;\n", n);
	buf_printf(&b, "\tfor (long i = threadIdx.x; i < %" PRId64 "; i += %d)\n\t\tmean += x[i];\n", n, BLOCK);
	buf_puts(&b, "\t{\n");
	put_block_sum(&b, "mean", "a + b");
	buf_printf(&b, "\t}\n\tmean /= %" PRId64 ".f;\n", n);
	buf_printf(&b, "\tfor (long i = threadIdx.x; i < %" PRId64 "; i += %d)\n\t\tvar += (x[i] - mean) * (x[i] - mean);\n", n, BLOCK);
	buf_puts(&b, "\t{\n");
	put_block_sum(&b, "var", "a + b");
	buf_printf(&b, "\t}\n\tvar = sqrtf(var / %" PRId64 ".f + ", n);
	put_float(&b, job_float(job, "eps"));
	buf_printf(&b, ");\n\tfor (long i = threadIdx.x; i < %" PRId64 "; i += %d)\n", n, BLOCK);
	buf_printf(&b, "\t\ty[(long)blockIdx.x * %" PRId64 " + i] = x1[i * %" PRId64 "] * ((x[i] - mean) / var)", n,
	    views[1].stride[0]);
	buf_printf(&b, " + x2[i * %" PRId64 "];\n}\n", views[2].stride[0]);
	for (i = 0; i < 3; i++)
		g->launch[0].operand[i] = i;
	g->launch[0].noperand = 3;
	facts->how = "generated";
	return set_launch(g, 0, &b, n ? view_count(&job->out) / n : 0, e) ? &g->kernel : refuse(g);
}

/* ---- pooling ------------------------------------------------------------------------------------------- */

/* a thread an element: its window, clipped at the borders */
struct kernel *
cuda_pool(struct cuda *c, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	const int64_t *k = job_attr(job, "kernel")->u.list, *s = job_attr(job, "strides")->u.list, *pad = job_attr(job, "pads")->u.list;
	bool is_max = strcmp(job->op->name, "max-pool2d") == 0, counts_pads = job_int(job, "count-pads") != 0;
	struct tn_tensor views[1];
	struct generated *g = generated_f32(c, job, views, e);
	struct buf b = {0};
	int64_t n = view_count(&job->out), h, w;

	if (!g)
		return NULL;
	h = views[0].dim[2], w = views[0].dim[3];
	buf_puts(&b, macros);
	begin(&b, 1, "float");
	put_thread(&b, n);
	buf_printf(&b, "\tlong q = i %% %" PRId64 ", p = i / %" PRId64 " %% %" PRId64 ", nc = i / %" PRId64 ";\n", job->out.dim[3],
	    job->out.dim[3], job->out.dim[2], job->out.dim[2] * job->out.dim[3]);
	buf_puts(&b, "\tfloat sum = ");
	put_float(&b, is_max ? -INFINITY : 0);
	buf_printf(&b, ";\n\tlong inside = 0;\n\tfor (long r = 0; r < %" PRId64 "; r++)\n", k[0]);
	buf_printf(&b, "\t\tfor (long t = 0; t < %" PRId64 "; t++) {\n", k[1]);
	buf_printf(&b, "\t\t\tlong at_h = p * %" PRId64 " + r - %" PRId64 ", at_w = q * %" PRId64 " + t - %" PRId64 ";\n", s[0],
	    pad[0], s[1], pad[1]);
	buf_printf(&b, "\t\t\tif (at_h < 0 || at_h >= %" PRId64 " || at_w < 0 || at_w >= %" PRId64 ")\n\t\t\t\tcontinue;\n", h, w);
	buf_printf(&b, "\t\t\tfloat v = x0[(nc * %" PRId64 " + at_h) * %" PRId64 " + at_w];\n\t\t\tinside++;\n", h, w);
	buf_printf(&b, "\t\t\tsum = %s;\n\t\t}\n", is_max ? "LARGER(sum, v)" : "sum + v");
	if (is_max)
		buf_puts(&b, "\ty[i] = sum;\n}\n");
	else if (counts_pads)
		buf_printf(&b, "\ty[i] = sum / %" PRId64 ".f;\n}\n", k[0] * k[1]);
	else
		buf_puts(&b, "\ty[i] = sum / (float)inside;\n}\n");
	g->launch[0].noperand = 1;
	facts->how = "generated";
	return set_launch(g, 0, &b, blocks_of(n), e) ? &g->kernel : refuse(g);
}

/* ---- what follows a product ----------------------------------------------------------------------------------------------- */

struct function *
cuda_epilogue(struct cuda *c, const char *act, int64_t channels, int64_t repeats, int64_t bias_stride, bool has_bias,
    struct tn_error *e)
{
	const char *how = strcmp(act, "relu") == 0 ? "LARGER(v, 0.f)" : strcmp(act, "sigmoid") == 0 ? "1.f / (1.f + expf(-v))"
	    : strcmp(act, "tanh") == 0 ? "tanhf(v)" : "v";
	struct buf b = {0};
	struct function *f;

	buf_puts(&b, macros);
	buf_puts(&b, "extern \"C\" __global__ void\nrun(float *y, const float *bias, long n)\n{\n");
	buf_printf(&b, "\tlong i = (long)blockIdx.x * %d + threadIdx.x;\n\tif (i >= n)\n\t\treturn;\n\tfloat v = y[i];\n", BLOCK);
	if (has_bias)
		buf_printf(&b, "\tv += bias[i / %" PRId64 " %% %" PRId64 " * %" PRId64 "];\n", repeats, channels, bias_stride);
	buf_printf(&b, "\ty[i] = %s;\n}\n", how);
	f = rtc_compile(c, b.at, e);
	buf_free(&b);
	return f;
}

bool
cuda_epilogue_run(struct cuda *c, struct function *f, void *y, const void *bias, int64_t n, struct tn_error *e)
{
	long count = (long)n;
	void *args[] = {&y, &bias, &count};

	return rtc_launch(c, f, blocks_of(n), BLOCK, args, e);
}
