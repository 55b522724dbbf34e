/* Operators that work element by element, on numbers of type f32. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "target/cpu.h"

struct map {
	struct kernel kernel;
	const struct map_row *row;
	struct loop loop;		/* result, then operands */
	const char *constant[2];	/* of an operand that is no input; NULL: it is one */
	float p, q;			/* the operator's two numbers */
	float zero, one;		/* which the compiler must not know, see within_one */
};

/* An operator and its loop; the names of its two numbers. */
struct map_row {
	const char *op;
	int nin;
	loop_fn *run;
	const char *p, *q;
};

/* ---- loops ------------------------------------------------------------------------------------------------------------ */

#define X(v) ((const float *)(const void *)at[v])

/*
 * y = f(x); the common case of neighbours in a loop of its own, which the compiler makes vectors of.  The kernel's numbers are
 * copied, so that no element that is stored can change them.
 */
#define UNARY(name, expression) \
	static void \
	name(const void *arg, int64_t n, char *const at[], const int64_t stride[]) \
	{ \
		const struct map m = *(const struct map *)arg; \
		float *y = (float *)(void *)at[0], p = m.p, q = m.q; \
		const float *from = X(1); \
		int64_t i; \
	\
		(void)p, (void)q; \
		if (stride[0] == 1 && stride[1] == 1) \
			for (i = 0; i < n; i++) { \
				float x = from[i]; \
				y[i] = expression; \
			} \
		else \
			for (i = 0; i < n; i++) { \
				float x = from[i * stride[1]]; \
				y[i * stride[0]] = expression; \
			} \
	}

#define BINARY(name, expression) \
	static void \
	name(const void *arg, int64_t n, char *const at[], const int64_t stride[]) \
	{ \
		float *y = (float *)(void *)at[0]; \
		const float *x0 = X(1), *x1 = X(2); \
		int64_t i; \
	\
		(void)arg; \
		if (stride[0] == 1 && stride[1] == 1 && stride[2] == 1) \
			for (i = 0; i < n; i++) { \
				float a = x0[i], b = x1[i]; \
				y[i] = expression; \
			} \
		else if (stride[0] == 1 && stride[1] == 1 && stride[2] == 0) \
			for (i = 0; i < n; i++) { \
				float a = x0[i], b = x1[0]; \
				y[i] = expression; \
			} \
		else if (stride[0] == 1 && stride[1] == 0 && stride[2] == 1) \
			for (i = 0; i < n; i++) { \
				float a = x0[0], b = x1[i]; \
				y[i] = expression; \
			} \
		else \
			for (i = 0; i < n; i++) { \
				float a = x0[i * stride[1]], b = x1[i * stride[2]]; \
				y[i * stride[0]] = expression; \
			} \
	}

/* x, but not below or above a number: one instruction, as x alone may be NaN */
static inline float
at_least(float x, float number)
{
	return number > x ? number : x;
}

static inline float
at_most(float x, float number)
{
	return number < x ? number : x;
}

/*
 * Between 0 and 1.  The numbers come from the kernel: of bounds that it knows gcc makes a comparison of the whole range, in six
 * instructions, of others one each.
 */
static inline float
within_one(const struct map *m, float x)
{
	return at_most(at_least(x, m->zero), m->one);
}

BINARY(run_add, a + b)
BINARY(run_sub, a - b)
BINARY(run_mul, a * b)
BINARY(run_div, a / b)
BINARY(run_pow, powf(a, b))
BINARY(run_max, larger(a, b))
BINARY(run_min, smaller(a, b))
UNARY(run_neg, -x)
UNARY(run_abs, fabsf(x))
UNARY(run_exp, expf(x))
UNARY(run_log, logf(x))
UNARY(run_sqrt, sqrtf(x))
UNARY(run_erf, erff(x))
UNARY(run_relu, at_least(x, 0))
UNARY(run_sigmoid, 1 / (1 + expf(-x)))
UNARY(run_tanh, tanhf(x))
UNARY(run_gelu, 0.5f * x * (1 + erff(0.70710678f * x)))
UNARY(run_clip, at_most(at_least(x, p), q))
UNARY(run_leaky_relu, x < 0 ? p * x : x)
UNARY(run_hard_sigmoid, within_one(&m, p * x + q))
UNARY(run_hard_swish, x * within_one(&m, x * (1 / 6.0f) + 0.5f))

static const struct map_row rows[] = {
	{"add", 2, run_add, NULL, NULL},
	{"sub", 2, run_sub, NULL, NULL},
	{"mul", 2, run_mul, NULL, NULL},
	{"div", 2, run_div, NULL, NULL},
	{"pow", 2, run_pow, NULL, NULL},
	{"max", 2, run_max, NULL, NULL},
	{"min", 2, run_min, NULL, NULL},
	{"neg", 1, run_neg, NULL, NULL},
	{"abs", 1, run_abs, NULL, NULL},
	{"exp", 1, run_exp, NULL, NULL},
	{"log", 1, run_log, NULL, NULL},
	{"sqrt", 1, run_sqrt, NULL, NULL},
	{"erf", 1, run_erf, NULL, NULL},
	{"relu", 1, run_relu, NULL, NULL},
	{"sigmoid", 1, run_sigmoid, NULL, NULL},
	{"tanh", 1, run_tanh, NULL, NULL},
	{"gelu", 1, run_gelu, NULL, NULL},
	{"clip", 1, run_clip, "min", "max"},
	{"leaky-relu", 1, run_leaky_relu, "alpha", NULL},
	{"hard-sigmoid", 1, run_hard_sigmoid, "alpha", "beta"},
	{"hard-swish", 1, run_hard_swish, NULL, NULL},
};

/* ---- kernels ---------------------------------------------------------------------------------------------------------- */

static bool
map_run(struct kernel *k, const void *const in[], void *out, void *scratch, struct tn_error *e)
{
	struct map *m = (struct map *)k;
	char *base[LOOP_MOST];
	int i;

	(void)scratch, (void)e;
	base[0] = out;
	for (i = 0; i < m->row->nin; i++)
		base[1 + i] = (char *)(uintptr_t)(m->constant[i] ? m->constant[i] : in[i]);
	loop_run(&m->loop, base, sizeof(float), m->row->run, m);
	return true;
}

static void
map_drop(struct kernel *k)
{
	struct map *m = (struct map *)k;
	int i;

	for (i = 0; i < 2; i++)
		mem_free((char *)(uintptr_t)m->constant[i]);
	mem_free(m);
}

/* a constant as the loop reads it: the one element of a number, else densely as the result lies */
static void
take_constant(struct map *m, int i, struct tn_tensor *t, const struct tn_tensor *out)
{
	bool repeats = true;
	int axis;

	for (axis = 0; axis < t->rank; axis++)
		repeats = repeats && (t->stride[axis] == 0 || t->dim[axis] == 1);
	if (repeats) {
		float *one = mem_alloc(sizeof *one);

		memcpy(one, t->data, sizeof *one);
		memset(t->stride, 0, sizeof t->stride);
		m->constant[i] = (const char *)one;
		return;
	}
	m->constant[i] = constant_copy(t, is_channels_last(out) ? TN_CHANNELS_LAST : TN_ROW_MAJOR);
	view_dense(t, is_channels_last(out) ? TN_CHANNELS_LAST : TN_ROW_MAJOR);
}

struct kernel *
map_make(struct cpu *cpu, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	const struct map_row *row = rows;
	struct tn_tensor in[2];
	const struct tn_tensor *all[3] = {&job->out, &in[0], &in[1]};
	struct map *m;
	int i;

	(void)cpu;
	while (row < rows + sizeof rows / sizeof *rows && strcmp(row->op, job->op->name) != 0)
		row++;
	if (row == rows + sizeof rows / sizeof *rows || row->nin != job->nin || job->out.dtype != TN_F32) {
		tn_fail(e, TN_E_INPUT, "it has none for these elements");
		return NULL;
	}
	m = mem_alloc(sizeof *m);
	m->kernel = (struct kernel){map_run, map_drop};
	m->row = row;
	m->one = 1;
	m->p = row->p ? (float)job_float(job, row->p) : 0;
	m->q = row->q ? (float)job_float(job, row->q) : 0;
	for (i = 0; i < job->nin; i++) {
		in[i] = job->in[i];
		if (in[i].data)
			take_constant(m, i, &in[i], &job->out);
	}
	loop_make(&m->loop, all, 1 + job->nin);
	facts->how = "loop";
	facts->in_place = true;
	return &m->kernel;
}
