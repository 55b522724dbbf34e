/* Sums, means and extremes along axes, batch and layer normalisation, softmax, on numbers of type f32. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "target/cpu.h"

/* ---- reductions ----------------------------------------------------------------------------------------------------- */

enum how { SUM, LARGEST, SMALLEST };

struct reduce {
	struct kernel kernel;
	struct loop loop;		/* operand, result with stride 0 along what is reduced */
	enum how how;
	int64_t nout, nreduced;
	bool is_mean;
	const void *constant;
};

static inline float
combine(enum how how, float a, float b)
{
	switch (how) {
	case SUM: return a + b;
	case LARGEST: return larger(a, b);
	default: return smaller(a, b);
	}
}

/* along what is reduced: sums in parts, so that they are exact enough and go on side by side */
static float
along(enum how how, const float *x, int64_t n, int64_t stride, float start)
{
	float part[8];
	int64_t i;
	int k;

	if (how != SUM) {
		for (i = 0; i < n; i++)
			start = combine(how, start, x[i * stride]);
		return start;
	}
	memset(part, 0, sizeof part);
	for (i = 0; i + 8 <= n; i += 8)
		for (k = 0; k < 8; k++)
			part[k] += x[(i + k) * stride];
	for (; i < n; i++)
		start += x[i * stride];
	return start + (((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7])));
}

static void
reduce_part(const void *arg, int64_t n, char *const at[], const int64_t stride[])
{
	const struct reduce *r = arg;
	const float *x = (const float *)(const void *)at[0];
	float *y = (float *)(void *)at[1];
	int64_t i;

	if (stride[1] == 0)
		*y = along(r->how, x, n, stride[0], *y);
	else
		for (i = 0; i < n; i++)
			y[i * stride[1]] = combine(r->how, y[i * stride[1]], x[i * stride[0]]);
}

static bool
reduce_run(struct kernel *k, const void *const in[], void *out, void *scratch, struct tn_error *e)
{
	static const float start[] = {[SUM] = 0, [LARGEST] = -INFINITY, [SMALLEST] = INFINITY};
	struct reduce *r = (struct reduce *)k;
	char *base[2] = {(char *)(uintptr_t)(r->constant ? r->constant : in[0]), out};
	float *y = out;
	int64_t i;

	(void)scratch, (void)e;
	for (i = 0; i < r->nout; i++)
		y[i] = start[r->how];
	loop_run(&r->loop, base, sizeof(float), reduce_part, r);
	for (i = 0; r->is_mean && i < r->nout; i++)
		y[i] /= (float)r->nreduced;
	return true;
}

static void
reduce_drop(struct kernel *k)
{
	mem_free((void *)(uintptr_t)((struct reduce *)k)->constant);
	mem_free(k);
}

static struct kernel *
reduction(const struct tn_job *job, enum how how, bool is_mean)
{
	struct reduce *r = mem_alloc(sizeof *r);
	struct tn_tensor in, out;
	const struct tn_tensor *both[2] = {&in, &out};

	r->kernel = (struct kernel){reduce_run, reduce_drop};
	r->how = how;
	r->is_mean = is_mean;
	r->nout = view_count(&job->out);
	r->nreduced = reduced_view(job, &in, &out);
	if (in.data) {
		r->constant = constant_copy(&in, TN_ROW_MAJOR);
		view_dense(&in, TN_ROW_MAJOR);
	}
	loop_make(&r->loop, both, 2);
	return &r->kernel;
}

/* ---- batch normalisation: y = (x - mean) a + bias per channel, a = scale / sqrt(var + eps) ------------------------------ */

struct batch {
	struct kernel kernel;
	struct loop loop;		/* result, operand, a, mean, bias */
	const float *constant[5];
	int64_t channels;
	int64_t stride[5];
	float eps, *a, *mean, *bias;
};

static void
normalise(const void *arg, int64_t n, char *const at[], const int64_t stride[])
{
	float *y = (float *)(void *)at[0];
	const float *x = (const float *)(const void *)at[1], *a = (const float *)(const void *)at[2];
	const float *mean = (const float *)(const void *)at[3], *bias = (const float *)(const void *)at[4];
	int64_t i, c = stride[2];

	(void)arg;
	if (stride[0] == 1 && stride[1] == 1 && c == 0)
		for (i = 0; i < n; i++)
			y[i] = (x[i] - mean[0]) * a[0] + bias[0];
	else
		for (i = 0; i < n; i++)
			y[i * stride[0]] = (x[i * stride[1]] - mean[i * c]) * a[i * c] + bias[i * c];
}

static bool
batch_run(struct kernel *k, const void *const in[], void *out, void *scratch, struct tn_error *e)
{
	struct batch *m = (struct batch *)k;
	const float *v[5];
	char *base[5] = {out, NULL, (char *)m->a, (char *)m->mean, (char *)m->bias};
	int64_t c;
	int i;

	(void)scratch, (void)e;
	for (i = 0; i < 5; i++)
		v[i] = m->constant[i] ? m->constant[i] : in[i];
	for (c = 0; c < m->channels; c++) {
		m->a[c] = v[1][c * m->stride[1]] / sqrtf(v[4][c * m->stride[4]] + m->eps);
		m->mean[c] = v[3][c * m->stride[3]];
		m->bias[c] = v[2][c * m->stride[2]];
	}
	base[1] = (char *)(uintptr_t)v[0];
	loop_run(&m->loop, base, sizeof(float), normalise, NULL);
	return true;
}

static void
batch_drop(struct kernel *k)
{
	struct batch *m = (struct batch *)k;
	int i;

	for (i = 0; i < 5; i++)
		mem_free((void *)(uintptr_t)m->constant[i]);
	mem_free(m->a);
	mem_free(m);
}

static struct kernel *
batch_norm(const struct tn_job *job)
{
	struct batch *m = mem_alloc(sizeof *m);
	struct tn_tensor in[5], scale = job->out;
	const struct tn_tensor *all[5] = {&job->out, &in[0], &scale, &scale, &scale};
	int i;

	m->kernel = (struct kernel){batch_run, batch_drop};
	m->channels = job->out.dim[1];
	m->eps = (float)job_float(job, "eps");
	m->a = mem_alloc((3 * (size_t)m->channels + 1) * sizeof *m->a);
	m->mean = m->a + m->channels;
	m->bias = m->mean + m->channels;
	for (i = 0; i < 5; i++) {
		in[i] = job->in[i];
		if (in[i].data) {
			m->constant[i] = constant_copy(&in[i], TN_ROW_MAJOR);
			view_dense(&in[i], TN_ROW_MAJOR);
		}
		m->stride[i] = i ? in[i].stride[0] : 0;
	}
	memset(scale.stride, 0, sizeof scale.stride);
	scale.stride[1] = 1;
	loop_make(&m->loop, all, 5);
	return &m->kernel;
}

/* ---- layer normalisation: rows of the last axis -------------------------------------------------------------------------- */

struct layer {
	struct kernel kernel;
	const float *constant[3];
	int64_t rows, n;
	float eps;
};

static void
layer_row(const struct layer *m, const float *x, const float *scale, const float *bias, float *y)
{
	float mean = along(SUM, x, m->n, 1, 0) / (float)m->n, factor;
	double var = 0;
	int64_t i;

	for (i = 0; i < m->n; i++)
		var += (double)(x[i] - mean) * (double)(x[i] - mean);
	factor = 1 / sqrtf((float)(var / (double)m->n) + m->eps);
	for (i = 0; i < m->n; i++)
		y[i] = scale[i] * ((x[i] - mean) * factor) + bias[i];
}

static bool
layer_run(struct kernel *k, const void *const in[], void *out, void *scratch, struct tn_error *e)
{
	struct layer *m = (struct layer *)k;
	const float *v[3];
	int64_t r;
	int i;

	(void)scratch, (void)e;
	for (i = 0; i < 3; i++)
		v[i] = m->constant[i] ? m->constant[i] : in[i];
	for (r = 0; r < m->rows; r++)
		layer_row(m, v[0] + r * m->n, v[1], v[2], (float *)out + r * m->n);
	return true;
}

static void
layer_drop(struct kernel *k)
{
	struct layer *m = (struct layer *)k;
	int i;

	for (i = 0; i < 3; i++)
		mem_free((void *)(uintptr_t)m->constant[i]);
	mem_free(m);
}

static struct kernel *
layer_norm(const struct tn_job *job)
{
	struct layer *m = mem_alloc(sizeof *m);
	int i;

	m->kernel = (struct kernel){layer_run, layer_drop};
	m->n = job->out.dim[job->out.rank - 1];
	m->rows = m->n ? view_count(&job->out) / m->n : 0;
	m->eps = (float)job_float(job, "eps");
	for (i = 0; i < 3; i++)
		m->constant[i] = job->in[i].data ? constant_copy(&job->in[i], TN_ROW_MAJOR) : NULL;
	return &m->kernel;
}

/* ---- softmax: of each line along the axis, exp(x - largest) over their sum ------------------------------------------------ */

enum { LINES = 64 };		/* so many that lie side by side at once */

struct softmax {
	struct kernel kernel;
	int64_t before, along, behind;
	const float *constant;
};

/* n lines at most LINES, their neighbours `behind` elements apart */
static void
softmax_lines(const struct softmax *m, const float *x, float *y, int64_t n)
{
	float most[LINES], sum[LINES];
	int64_t i, k;

	for (i = 0; i < n; i++) {
		most[i] = -INFINITY;
		sum[i] = 0;
	}
	for (k = 0; k < m->along; k++)
		for (i = 0; i < n; i++)
			most[i] = larger(most[i], x[k * m->behind + i]);
	for (k = 0; k < m->along; k++)
		for (i = 0; i < n; i++) {
			y[k * m->behind + i] = expf(x[k * m->behind + i] - most[i]);
			sum[i] += y[k * m->behind + i];
		}
	for (k = 0; k < m->along; k++)
		for (i = 0; i < n; i++)
			y[k * m->behind + i] /= sum[i];
}

static bool
softmax_run(struct kernel *k, const void *const in[], void *out, void *scratch, struct tn_error *e)
{
	struct softmax *m = (struct softmax *)k;
	const float *x = m->constant ? m->constant : in[0];
	float *y = out;
	int64_t b, i, n;

	(void)scratch, (void)e;
	for (b = 0; b < m->before; b++, x += m->along * m->behind, y += m->along * m->behind)
		for (i = 0; i < m->behind; i += n) {
			n = m->behind - i < LINES ? m->behind - i : LINES;
			softmax_lines(m, x + i, y + i, n);
		}
	return true;
}

static void
softmax_drop(struct kernel *k)
{
	mem_free((void *)(uintptr_t)((struct softmax *)k)->constant);
	mem_free(k);
}

struct kernel *
softmax_loop(const struct tn_job *job, struct tn_kernel_facts *facts)
{
	struct softmax *m = mem_alloc(sizeof *m);
	struct tn_tensor t = job->in[0];
	int64_t axis = job_int(job, "axis");

	m->kernel = (struct kernel){softmax_run, softmax_drop};
	if (t.data) {
		m->constant = constant_copy(&t, TN_ROW_MAJOR);
		view_dense(&t, TN_ROW_MAJOR);
	}
	m->along = t.dim[axis];
	m->behind = t.dim[axis] == 1 ? 1 : t.stride[axis];
	m->before = view_count(&t) / (m->along * m->behind);
	*facts = (struct tn_kernel_facts){.in_place = true};
	facts->how = "loop";
	return &m->kernel;
}

struct kernel *
reduce_make(struct cpu *cpu, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	const char *op = job->op->name;

	(void)cpu;
	facts->how = "loop";
	if (job->out.dtype != TN_F32) {
		tn_fail(e, TN_E_INPUT, "it has none for these elements");
		return NULL;
	}
	if (strcmp(op, "batch-norm") == 0) {
		facts->in_place = true;
		return batch_norm(job);
	}
	if (strcmp(op, "layer-norm") == 0)
		return layer_norm(job);
	if (strcmp(op, "reduce-max") == 0)
		return reduction(job, LARGEST, false);
	if (strcmp(op, "reduce-min") == 0)
		return reduction(job, SMALLEST, false);
	return reduction(job, SUM, strcmp(op, "reduce-mean") == 0);
}
