/*
 * Measuring one operator as it runs inside a graph that runs again and again: its sources were just written, its result lies
 * where others lay before, and its constants were last read one run ago.
 *
 * A hot loop over one kernel shows times that no graph has.  So copies of the kernel, with constants of their own, take turns,
 * so many that the constants exceed the last cache three times: even a model whose constants fit finds few of them there, as the
 * cache serves activations and other programs meanwhile.  Results take turns in places that exceed the private caches, since a
 * plan uses its memory again and again.  What may be computed in place is, and its source is written anew before each run.  The
 * cost is the 10th percentile of at least 10 and at most 100 runs.
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

enum { TIMES = 3, PLACES = 16, FEWEST = 10, MOST = 100, MOST_OPERANDS = 64 };

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
	struct tn_caches caches;
	size_t constants;		/* bytes */
	int nkernel, nresult;
	void *kernel[MOST], *result[PLACES], *scratch;
	void *fresh, *renew;		/* operand 0 before it was overwritten, and the kernel that copies it back; or NULL */
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

/* the number that an operand has where it is left out, which it mostly is if it is one; else some number */
static void *
number_element(const struct tn_operand *in, const struct tn_tensor *t)
{
	double x = in->has_default ? tn_number_double(in->init) : 0.75;
	char *bytes = mem_alloc(dtype_size(t->dtype) + 1);

	element_store(t->dtype, &x, 1, bytes);
	return bytes;
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
		b->constant[i] = number_element(&b->op->in[i < b->op->nin ? i : b->op->nin - 1], t);
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

/* the operand as a constant, which lies row by row */
static void
make_constant(struct bench *b, int i)
{
	size_t n;

	view_dense(&b->in[i], TN_ROW_MAJOR);
	n = (size_t)view_reach(&b->in[i]);
	b->constant[i] = random_elements(&b->in[i], n);
	b->constants += n * dtype_size(b->in[i].dtype);
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
		if (!b->constant[i] && is_weight(b, i))
			make_constant(b, i);
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

/* how many things of so many bytes exceed the cache so many times; two at least, so that they take turns */
static int
turns(size_t bytes, size_t cache, int most)
{
	size_t n = bytes ? TIMES * cache / bytes + 1 : 1;

	if (bytes && n < 2)
		n = 2;
	return n < (size_t)most ? (int)n : most;
}

/* kernels with constants of their own; one alone if it must not be chosen */
static bool
make_kernels(struct bench *b, struct tn_error *e)
{
	int n = turns(b->constants, b->caches.last, MOST);

	for (; b->nkernel < n; b->nkernel++) {
		b->kernel[b->nkernel] = target_make(b->t, &b->job, &b->facts, e);
		if (!b->kernel[b->nkernel])
			return false;
		if (b->facts.is_slow)
			return true;
	}
	return true;
}

/* the result's place is operand 0's, whose elements are kept to be copied back */
static bool
make_in_place(struct bench *b, struct tn_error *e)
{
	const struct tn_target_plugin *p = b->t->plugin;
	struct tn_job copy = {.nin = 1, .in = b->in, .out = b->in[0]};
	struct tn_kernel_facts facts;

	b->fresh = b->source[0];
	b->renew = target_make(b->t, &copy, &facts, e);
	b->source[0] = p->alloc(b->t->state, (size_t)view_count(&b->in[0]) * dtype_size(b->in[0].dtype) + 1, e);
	b->at[0] = b->source[0];
	return b->renew && b->source[0];
}

static bool
make_results(struct bench *b, struct tn_error *e)
{
	const struct tn_target_plugin *p = b->t->plugin;
	size_t bytes = (size_t)view_count(&b->job.out) * dtype_size(b->job.out.dtype);
	int n = turns(bytes, b->caches.near, PLACES);

	if (b->facts.in_place && b->source[0] && view_same(&b->in[0], &b->job.out) && b->in[0].dtype == b->job.out.dtype)
		return make_in_place(b, e);
	for (; b->nresult < n; b->nresult++)
		if (!(b->result[b->nresult] = p->alloc(b->t->state, bytes + 1, e)))
			return false;
	return true;
}

static bool
make_copies(struct bench *b, struct tn_error *e)
{
	int i;

	if (b->t->plugin->caches)
		b->t->plugin->caches(b->t->state, &b->caches);
	for (i = 0; i < b->job.nin; i++)
		if (!b->constant[i] && !make_source(b, i, e))
			return false;
	if (!make_kernels(b, e))
		return false;
	if (b->facts.is_slow)
		return true;
	b->scratch = make_results(b, e) ? b->t->plugin->alloc(b->t->state, b->facts.scratch_bytes + 1, e) : NULL;
	return b->scratch != NULL;
}

static void
release(struct bench *b)
{
	const struct tn_target_plugin *p = b->t->plugin;
	int i;

	for (i = 0; i < MOST; i++)
		if (b->kernel[i])
			p->drop(b->t->state, b->kernel[i]);
	if (b->renew)
		p->drop(b->t->state, b->renew);
	for (i = 0; i < PLACES; i++)
		if (b->result[i])
			p->release(b->t->state, b->result[i]);
	for (i = 0; i < MOST_OPERANDS; i++) {
		if (b->source[i])
			p->release(b->t->state, b->source[i]);
		mem_free(b->constant[i]);
	}
	if (b->fresh)
		p->release(b->t->state, b->fresh);
	if (b->scratch)
		p->release(b->t->state, b->scratch);
}

/* ---- runs --------------------------------------------------------------------------------------------------------- */

static bool
run_once(struct bench *b, int turn, double *ns, struct tn_error *e)
{
	const struct tn_target_plugin *p = b->t->plugin;
	void *result = b->renew ? b->source[0] : b->result[turn % b->nresult];
	const void *fresh = b->fresh;

	if (b->renew && !p->run(b->t->state, b->renew, &fresh, result, b->scratch, e))
		return false;
	return p->stamp(b->t->state, 0, e) &&
	    p->run(b->t->state, b->kernel[turn % b->nkernel], b->at, result, b->scratch, e) && p->stamp(b->t->state, 1, e) &&
	    p->elapsed(b->t->state, 0, 1, ns, e);
}

static bool
run_all(struct bench *b, struct tn_measurement *m, struct tn_error *e)
{
	double ns[MOST], start, warm;
	int i, n, nwarm = b->nkernel > b->nresult ? b->nkernel : b->nresult;

	for (i = 0; i < nwarm; i++)
		if (!run_once(b, i, &warm, e))
			return false;
	start = clock_now();
	for (n = 0; n < MOST && (n < FEWEST || clock_now() - start < ENOUGH_S); n++)
		if (!run_once(b, n, &ns[n], e))
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
