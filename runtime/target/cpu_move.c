/* Operators that give elements other places: copies along strides. */
#include <string.h>

#include "base/mem.h"
#include "target/cpu.h"

/* One copy: from an operand's offset to the result's. */
struct part {
	struct loop loop;		/* result, operand */
	int64_t to, from;		/* elements from the beginnings */
	int operand;
	const void *constant;		/* NULL: the operand is an input */
};

struct move {
	struct kernel kernel;
	size_t size;			/* of an element */
	size_t cleared;			/* bytes of the result that are set to 0 before */
	int npart;
	struct part part[];
};

static bool
move_run(struct kernel *k, const void *const in[], void *out, void *scratch, struct tn_error *e)
{
	struct move *m = (struct move *)k;
	char *base[2];
	int i;

	(void)scratch, (void)e;
	if (m->cleared)
		memset(out, 0, m->cleared);
	for (i = 0; i < m->npart; i++) {
		const struct part *p = &m->part[i];

		base[0] = (char *)out + p->to * (int64_t)m->size;
		base[1] = (char *)(uintptr_t)(p->constant ? p->constant : in[p->operand]) + p->from * (int64_t)m->size;
		loop_run(&p->loop, base, m->size, copy_run, &m->size);
	}
	return true;
}

static void
move_drop(struct kernel *k)
{
	struct move *m = (struct move *)k;
	int i;

	for (i = 0; i < m->npart; i++)
		mem_free((void *)(uintptr_t)m->part[i].constant);
	mem_free(m);
}

/* what goes from view `from` of operand i to view `to` of the result */
static void
set_part(struct part *p, const struct tn_job *job, int i, const struct tn_tensor *to, const struct tn_tensor *from)
{
	struct tn_tensor source = *from;
	const struct tn_tensor *both[2] = {to, &source};

	p->operand = i;
	if (job->in[i].data) {
		/* the whole operand, as it lies in memory, up to its last element */
		int64_t last = 0;
		int axis;

		for (axis = 0; axis < job->in[i].rank; axis++)
			last += (job->in[i].dim[axis] - 1) * job->in[i].stride[axis];
		p->constant = memcpy(mem_alloc((size_t)(last + 1) * element_size(job->out.dtype)), job->in[i].data,
		    element_count(&job->in[i]) ? (size_t)(last + 1) * element_size(job->out.dtype) : 0);
	}
	loop_make(&p->loop, both, 2);
}

static void
make_slice(struct move *m, const struct tn_job *job)
{
	int64_t axis = job_int(job, "axis"), from = job_int(job, "from"), step = job_int(job, "step");
	struct tn_tensor in = job->in[0];

	in.dim[axis] = job->out.dim[axis];
	in.stride[axis] *= step;
	m->part[0].from = from * job->in[0].stride[axis];
	set_part(&m->part[0], job, 0, &job->out, &in);
}

static void
make_concat(struct move *m, const struct tn_job *job)
{
	int64_t axis = job_int(job, "axis"), before = 0;
	struct tn_tensor out = job->out;
	int i;

	for (i = 0; i < job->nin; i++) {
		out.dim[axis] = job->in[i].dim[axis];
		m->part[i].to = before * out.stride[axis];
		set_part(&m->part[i], job, i, &out, &job->in[i]);
		before += out.dim[axis];
	}
}

static void
make_pad(struct move *m, const struct tn_job *job)
{
	const struct tn_value *before = job_attr(job, "before");
	struct tn_tensor in = job->in[0], out = job->out;
	int64_t first, end;
	int i;

	m->cleared = (size_t)element_count(&job->out) * m->size;
	for (i = 0; i < in.rank; i++) {
		/* result axis i holds operand elements first … end - 1 */
		first = before->u.list[i] < 0 ? -before->u.list[i] : 0;
		end = job->out.dim[i] - before->u.list[i];
		end = end < job->in[0].dim[i] ? end : job->in[0].dim[i];
		end = end > first ? end : first;
		in.dim[i] = out.dim[i] = end - first;
		m->part[0].from += first * in.stride[i];
		m->part[0].to += (first + before->u.list[i]) * out.stride[i];
	}
	set_part(&m->part[0], job, 0, &out, &in);
}

static void
make_transpose(struct move *m, const struct tn_job *job)
{
	const struct tn_value *perm = job_attr(job, "perm");
	struct tn_tensor in = job->out;
	int i;

	for (i = 0; i < in.rank; i++)
		in.stride[i] = job->in[0].stride[perm->u.list[i]];
	set_part(&m->part[0], job, 0, &job->out, &in);
}

static void
make_expand(struct move *m, const struct tn_job *job)
{
	const struct tn_value *axes = job_attr(job, "axes");
	struct tn_tensor in = job->out;
	int i;

	memset(in.stride, 0, sizeof in.stride);
	for (i = 0; i < job->in[0].rank; i++)
		if (job->in[0].dim[i] != 1)
			in.stride[axes->u.list[i]] = job->in[0].stride[i];
	set_part(&m->part[0], job, 0, &job->out, &in);
}

static void
make_reorder(struct move *m, const struct tn_job *job)
{
	set_part(&m->part[0], job, 0, &job->out, &job->in[0]);
}

static const struct {
	const char *op;
	void (*make)(struct move *, const struct tn_job *);
} rows[] = {
	{"slice", make_slice}, {"concat", make_concat}, {"pad", make_pad}, {"transpose", make_transpose}, {"expand", make_expand},
};

struct kernel *
move_make(struct cpu *cpu, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	struct move *m = mem_alloc(sizeof *m + (size_t)job->nin * sizeof *m->part);
	size_t i;

	(void)cpu, (void)e;
	m->kernel = (struct kernel){move_run, move_drop};
	m->size = element_size(job->out.dtype);
	m->npart = job->nin;
	if (!job->op)
		make_reorder(m, job);
	for (i = 0; job->op && i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].op, job->op->name) == 0)
			rows[i].make(m, job);
	facts->how = "copy";
	return &m->kernel;
}
