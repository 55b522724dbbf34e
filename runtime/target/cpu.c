/* The table of the CPU target: which kernels it has, and in which layouts they want their tensors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "target/cpu.h"

struct state {
	struct cpu *cpu;
	char identity[160];
	bool is_alone;			/* does one thread do all? */
	struct moment {
		double before, after;	/* the clock, which is quick, around the other one */
		double used;		/* processor time of this thread */
	} stamp[TN_STAMPS];
};

/* ---- operators ------------------------------------------------------------------------------------------------------- */

/*
 * How an operator wants its tensors.
 *
 * IMAGE	channels last, densely, but for the kernel: that as it lies
 * ROWS		row-major, densely
 * SAME		channels last if a whole operand lies so, else row-major; whole operands densely, others as they lie
 * LOOP		the same, but whole operands may have gaps
 * ANY		operands as they lie, the result as the first of them
 * MOVED	operands as they lie, the result row-major
 * MATRIX	row-major, densely but where oneDNN reads them as they lie
 */
enum wish { IMAGE, ROWS, SAME, LOOP, ANY, MOVED, MATRIX };

static const struct row {
	const char *op;
	enum wish wish;
	make_fn *make;
} rows[] = {
	{"conv2d", IMAGE, conv_make}, {"conv-transpose2d", IMAGE, conv_transpose_make}, {"max-pool2d", IMAGE, pool_make},
	{"avg-pool2d", IMAGE, pool_make}, {"matmul", MATRIX, matmul_make}, {"softmax", SAME, softmax_make},
	{"batch-norm", LOOP, reduce_make}, {"layer-norm", ROWS, reduce_make}, {"reduce-sum", ANY, reduce_make},
	{"reduce-mean", ANY, reduce_make}, {"reduce-max", ANY, reduce_make}, {"reduce-min", ANY, reduce_make},
	{"slice", ANY, move_make}, {"concat", ANY, move_make}, {"pad", ANY, move_make}, {"transpose", MOVED, move_make},
	{"expand", MOVED, move_make}, {"group-merge", MOVED, move_make}, {"upsample", ANY, move_make},
};

/* the row of an operator; NULL: it works element by element, or there is none */
static const struct row *
row_of(const struct tn_op *op)
{
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].op, op->name) == 0)
			return &rows[i];
	return NULL;
}

/* is the operand of the result's shape, and no axis of it repeated? */
static bool
is_whole(const struct tn_job *job, const struct tn_tensor *in)
{
	int i;

	if (in->data || in->rank != job->out.rank)
		return false;
	for (i = 0; i < in->rank; i++)
		if (in->dim[i] != job->out.dim[i] || (in->dim[i] > 1 && in->stride[i] == 0))
			return false;
	return true;
}

/* channels last if a whole operand lies so */
static enum tn_layout
same_layout(const struct tn_job *job, bool may_have_gaps, bool dense[])
{
	enum tn_layout layout = TN_ROW_MAJOR;
	int i;

	for (i = 0; i < job->nin; i++) {
		dense[i] = is_whole(job, &job->in[i]);
		if (dense[i] && is_channels_last(&job->in[i]))
			layout = TN_CHANNELS_LAST;
	}
	for (i = 0; may_have_gaps && i < job->nin; i++)
		dense[i] = dense[i] && !view_is_ordered(&job->in[i], layout);
	return layout;
}

static enum tn_layout
layout(void *state, const struct tn_job *job, bool dense[])
{
	const struct row *row = row_of(job->op);
	int i;

	(void)state;
	switch (row ? row->wish : LOOP) {
	case IMAGE:
		for (i = 0; i < job->nin; i++)
			dense[i] = i != 1;
		return TN_CHANNELS_LAST;
	case ROWS:
		for (i = 0; i < job->nin; i++)
			dense[i] = true;
		return TN_ROW_MAJOR;
	case MATRIX:
		for (i = 0; i < job->nin; i++)
			dense[i] = !matmul_takes(job, i);
		return TN_ROW_MAJOR;
	case ANY:
		return is_channels_last(&job->in[0]) && job->out.rank == 4 ? TN_CHANNELS_LAST : TN_ROW_MAJOR;
	case MOVED:
		return TN_ROW_MAJOR;
	default:
		return same_layout(job, !row || row->wish == LOOP, dense);
	}
}

/* what oneDNN computes with post-ops */
static bool
adds(void *state, const struct tn_op *op)
{
	const struct row *row = row_of(op);

	(void)state;
	return row && (row->make == conv_make || row->make == matmul_make);
}

static void *
make(void *state, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	struct state *s = state;
	const struct row *row = job->op ? row_of(job->op) : NULL;
	struct tn_error why = {0};
	void *kernel;

	*facts = (struct tn_kernel_facts){.how = "?"};
	if (!job->op)
		kernel = move_make(s->cpu, job, facts, &why);
	else
		kernel = (row ? row->make : map_make)(s->cpu, job, facts, &why);
	if (!kernel)
		tn_fail(e, why.code, "the CPU target has no kernel for '%s': %s", job->op ? job->op->name : "reorder", why.msg);
	return kernel;
}

static void
caches(void *state, struct tn_caches *c)
{
	(void)state;
	cpu_caches(c);
}

/* ---- memory and time --------------------------------------------------------------------------------------------------- */

static void *
alloc(void *state, size_t bytes, struct tn_error *e)
{
	void *at = NULL;

	(void)state;
	if (posix_memalign(&at, 64, bytes + 64) != 0)
		tn_fail(e, TN_E_IO, "%zu bytes of memory are not to be had", bytes);
	return at;
}

static void
release(void *state, void *at)
{
	(void)state;
	free(at);
}

static bool
upload(void *state, void *to, const void *from, size_t bytes, struct tn_error *e)
{
	(void)state, (void)e;
	memcpy(to, from, bytes);
	return true;
}

static bool
stamp(void *state, int which, struct tn_error *e)
{
	struct state *s = state;
	struct moment *m = &s->stamp[which];

	(void)e;
	m->before = m->after = clock_now();
	if (s->is_alone) {
		m->used = clock_used();
		m->after = clock_now();
	}
	return true;
}

/* what passes; of one thread what it had a processor, where that is less: the rest is other programs' */
static bool
elapsed(void *state, int from, int to, double *ns, struct tn_error *e)
{
	struct state *s = state;

	(void)e;
	*ns = 1e9 * (s->stamp[to].before - s->stamp[from].after);
	if (s->is_alone)
		*ns = fmin(*ns, 1e9 * (s->stamp[to].used - s->stamp[from].used));
	return true;
}

/* ---- the table ------------------------------------------------------------------------------------------------------------ */

static void *
cpu_open(const struct tn_target_options *options, struct tn_error *e)
{
	struct state *s = mem_alloc(sizeof *s);

	memcpy(s->identity, "cpu ", 4);
	s->is_alone = options && options->threads == 1;
	s->cpu = cpu_new(options ? options->threads : 0, e);
	if (s->cpu) {
		cpu_describe(s->cpu, s->identity + 4, sizeof s->identity - 4);
		return s;
	}
	mem_free(s);
	return NULL;
}

static void
cpu_close(void *state)
{
	struct state *s = state;

	cpu_free(s->cpu);
	mem_free(s);
}

static const char *
identity(void *state)
{
	return ((struct state *)state)->identity;
}

extern const struct tn_target_plugin tn_target_plugin;
TN_API const struct tn_target_plugin tn_target_plugin = {
	.abi = TN_TARGET_ABI, .name = "cpu", .open = cpu_open, .close = cpu_close, .identity = identity, .layout = layout, .adds = adds,
	.make = make, .drop = kernel_drop, .run = kernel_run, .caches = caches, .alloc = alloc, .release = release, .upload = upload,
	.download = upload, .stamp = stamp, .elapsed = elapsed,
};
