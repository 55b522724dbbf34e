/*
 * Measuring one operator as it runs inside a graph: the sources warm, results and constants cold.
 *
 * Copies of the kernel, with constants and results of their own, take turns, so many that together they exceed the
 * private caches three times: a hot loop over one copy shows times that no graph has.  The cost is the 10th percentile
 * of at least 10 and at most 100 runs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/dtype.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/rand.h"
#include "cost/cost.h"
#include "target/target.h"
#include "tensor/at.h"
#include "tensor/element.h"

enum { COPIES = 16, FEWEST = 10, MOST = 100, MOST_OPERANDS = 64 };

#define CACHES (6 << 20)		/* bytes: three times a large private cache */
#define ENOUGH_S 0.25

struct bench {
	struct tn_target *t;
	struct tn_ctx *ctx;
	const struct tn_op *op;
	tn_attrs attrs;
	struct tn_job job;
	struct tn_tensor in[MOST_OPERANDS];
	const struct tn_value *attr[TN_MAX_ATTRS];
	void *constant[MOST_OPERANDS];	/* the program's memory */
	void *source[MOST_OPERANDS];	/* the target's */
	const void *at[MOST_OPERANDS];
	int ncopy;
	void *kernel[COPIES], *result[COPIES], *scratch;
	struct tn_kernel_facts facts;
};

/* ---- the job ---------------------------------------------------------------------------------------------------- */

/* the first of the items that is not a sequence of no axes, by the attribute that counts it; -1: none */
static int
first_axis(const struct bench *b, const struct tn_operand *in)
{
	int i;

	for (i = 0; i < in->nitem; i++)
		if (in->item[i].count < 0 || b->attr[in->item[i].count]->u.i != 0)
			return in->item[i].var;
	return -1;
}

/*
 * Is operand i likely to be a weight?  One after the first that does not begin with the first one's leading axis: kernels,
 * matrices without a batch, biases, scales.
 */
static bool
is_weight(const struct bench *b, int i)
{
	const struct tn_operand *in = &b->op->in[i < b->op->nin ? i : b->op->nin - 1];

	return i > 0 && !in->is_variadic && first_axis(b, in) != first_axis(b, &b->op->in[0]);
}

static void *
random_elements(const struct tn_tensor *t, size_t n)
{
	struct rng r = {1};
	size_t size = dtype_size(t->dtype), i;
	char *bytes = mem_alloc(n * size + 1);
	double x;

	for (i = 0; i < n; i++) {
		x = dtype_is_float(t->dtype) ? 0.5 + rng_unit(&r) : rng_below(&r, 2);
		element_store(t->dtype, &x, 1, bytes + i * size);
	}
	return bytes;
}

static bool
tensor_at(struct bench *b, tn_type type, const int64_t sizes[], struct tn_tensor *t)
{
	struct tn_shape s;

	if (!at_shape(b->ctx, type, sizes, &s) || !view_can_be(&s))
		return false;
	*t = (struct tn_tensor){.dtype = s.dtype, .rank = s.rank};
	memcpy(t->dim, s.dim, sizeof t->dim);
	view_dense(t, s.rank == 4 ? TN_CHANNELS_LAST : TN_ROW_MAJOR);
	return true;
}

/* operand i as the source says that it lies */
static bool
set_operand(struct bench *b, int i, const struct tn_source *s, const int64_t sizes[])
{
	struct tn_tensor *t = &b->in[i], stored;
	int axis;

	if (!tensor_at(b, s->type, sizes, t))
		return false;
	if (s->stored == TN_NONE) {
		memset(t->stride, 0, sizeof t->stride);
		b->constant[i] = random_elements(t, 1);
	} else if (s->is_transposed) {
		view_dense(t, TN_ROW_MAJOR);
		if (!tensor_at(b, s->stored, sizes, &stored) || t->rank < 2)
			return false;
		view_dense(&stored, TN_ROW_MAJOR);
		memcpy(t->stride, stored.stride, sizeof t->stride);
		t->stride[t->rank - 1] = stored.stride[t->rank - 2];
		t->stride[t->rank - 2] = stored.stride[t->rank - 1];
	} else if (s->stored != s->type) {
		if (!tensor_at(b, s->stored, sizes, &stored) || stored.rank != t->rank)
			return false;
		for (axis = 0; axis < t->rank; axis++)
			t->stride[axis] = stored.dim[axis] == 1 && t->dim[axis] != 1 ? 0 : stored.stride[axis];
	}
	return true;
}

/* layouts as the target wants them; then constants */
static void
lay_out(struct bench *b)
{
	bool dense[MOST_OPERANDS] = {false};
	enum tn_layout layout = b->t->plugin->layout(b->t->state, &b->job, dense);
	int i;

	view_dense(&b->job.out, layout);
	for (i = 0; i < b->job.nin; i++) {
		if (dense[i] && !b->constant[i])
			view_dense(&b->in[i], layout);
		if (!b->constant[i] && is_weight(b, i)) {
			view_dense(&b->in[i], TN_ROW_MAJOR);
			b->constant[i] = random_elements(&b->in[i], (size_t)view_reach(&b->in[i]));
		}
		b->in[i].data = b->constant[i];
	}
}

static bool
set_job(struct bench *b, const struct tn_source in[], int nin, tn_type out, const int64_t sizes[])
{
	tn_attrs attrs = at_attrs(b->ctx, b->attrs, sizes);
	const tn_val *v;
	int i, n;

	if (attrs == TN_NONE || nin > MOST_OPERANDS || !tensor_at(b, out, sizes, &b->job.out) ||
	    view_count(&b->job.out) == 0)
		return false;
	v = tn_attrs_get(b->ctx, attrs, &n);
	for (i = 0; i < n; i++)
		b->attr[i] = tn_val_get(b->ctx, v[i]);
	for (i = 0; i < nin; i++)
		if (!set_operand(b, i, &in[i], sizes))
			return false;
	b->job.op = b->op;
	b->job.attr = b->attr;
	b->job.nin = nin;
	b->job.in = b->in;
	lay_out(b);
	return true;
}

/* ---- copies ------------------------------------------------------------------------------------------------------ */

static bool
make_source(struct bench *b, int i, struct tn_error *e)
{
	const struct tn_target_plugin *p = b->t->plugin;
	size_t n = (size_t)view_reach(&b->in[i]), bytes = n * dtype_size(b->in[i].dtype);
	void *data = random_elements(&b->in[i], n);
	bool ok = (b->source[i] = p->alloc(b->t->state, bytes + 1, e)) && p->upload(b->t->state, b->source[i], data, bytes, e);

	mem_free(data);
	b->at[i] = b->source[i];
	return ok;
}

static bool
make_copies(struct bench *b, struct tn_error *e)
{
	const struct tn_target_plugin *p = b->t->plugin;
	size_t result = (size_t)view_count(&b->job.out) * dtype_size(b->job.out.dtype), bytes = result;
	int i, n;

	for (i = 0; i < b->job.nin; i++) {
		if (b->constant[i])
			bytes += (size_t)view_reach(&b->in[i]) * dtype_size(b->in[i].dtype);
		else if (!make_source(b, i, e))
			return false;
	}
	n = bytes >= CACHES ? 2 : (int)(CACHES / (bytes + 1)) + 1;
	n = n > COPIES ? COPIES : n;
	for (b->ncopy = 0; b->ncopy < n; b->ncopy++) {
		b->kernel[b->ncopy] = target_make(b->t, &b->job, &b->facts, e);
		b->result[b->ncopy] = b->kernel[b->ncopy] ? p->alloc(b->t->state, result + 1, e) : NULL;
		if (!b->result[b->ncopy])
			return false;
		if (b->facts.is_slow)
			return true;
	}
	b->scratch = p->alloc(b->t->state, b->facts.scratch_bytes + 1, e);
	return b->scratch != NULL;
}

static void
release(struct bench *b)
{
	const struct tn_target_plugin *p = b->t->plugin;
	int i;

	for (i = 0; i < COPIES; i++) {
		if (b->kernel[i])
			p->drop(b->t->state, b->kernel[i]);
		if (b->result[i])
			p->release(b->t->state, b->result[i]);
	}
	for (i = 0; i < MOST_OPERANDS; i++) {
		if (b->source[i])
			p->release(b->t->state, b->source[i]);
		mem_free(b->constant[i]);
	}
	if (b->scratch)
		p->release(b->t->state, b->scratch);
}

/* ---- runs --------------------------------------------------------------------------------------------------------- */

static bool
run_once(struct bench *b, int copy, double *ns, struct tn_error *e)
{
	const struct tn_target_plugin *p = b->t->plugin;

	return p->stamp(b->t->state, 0, e) && p->run(b->t->state, b->kernel[copy], b->at, b->result[copy], b->scratch, e) &&
	    p->stamp(b->t->state, 1, e) && p->elapsed(b->t->state, 0, 1, ns, e);
}

static bool
run_all(struct bench *b, struct tn_measurement *m, struct tn_error *e)
{
	double ns[MOST], start, warm;
	int i, n;

	for (i = 0; i < b->ncopy; i++)
		if (!run_once(b, i, &warm, e))
			return false;
	start = clock_now();
	for (n = 0; n < MOST && (n < FEWEST || clock_now() - start < ENOUGH_S); n++)
		if (!run_once(b, n % b->ncopy, &ns[n], e))
			return false;
	qsort(ns, (size_t)n, sizeof *ns, num_by_value);
	m->ns = (int64_t)ceil(ns[n / 10]);
	m->spread = ns[n / 10] > 0 ? (ns[n / 2] - ns[n / 10]) / ns[n / 10] : 0;
	m->samples = n;
	return true;
}

bool
tn_target_measure(struct tn_target *t, struct tn_ctx *c, const struct tn_op *op, tn_attrs attrs,
    const struct tn_source in[], int nin, tn_type out, const int64_t sizes[], struct tn_measurement *m, struct tn_error *e)
{
	struct bench *b = mem_alloc(sizeof *b);
	bool ok;

	*b = (struct bench){.t = t, .ctx = c, .op = op, .attrs = attrs};
	ok = set_job(b, in, nin, out, sizes) ? make_copies(b, e) : tn_fail(e, TN_E_INPUT, "%s: not known at these sizes", op->name);
	if (ok && b->facts.is_slow)
		*m = (struct tn_measurement){.ns = TN_SLOWEST_NS, .samples = 1};
	else
		ok = ok && run_all(b, m, e);
	release(b);
	mem_free(b);
	return ok;
}
