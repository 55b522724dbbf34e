/* Operators that give elements other places, as copies along strides; see kernel.h. */
#include <string.h>

#include "target/kernel.h"

/* what goes from view `from` of operand i to view `to` of the result */
static void
set_part(struct part *p, int i, const struct tn_tensor *to, const struct tn_tensor *from)
{
	const struct tn_tensor *both[2] = {to, from};

	p->operand = i;
	loop_make(&p->loop, both, 2);
}

static void
make_slice(struct moves *m, const struct tn_job *job)
{
	int64_t axis = job_int(job, "axis"), from = job_int(job, "from"), step = job_int(job, "step");
	struct tn_tensor in = job->in[0];

	in.dim[axis] = job->out.dim[axis];
	in.stride[axis] *= step;
	m->part[0].from = from * job->in[0].stride[axis];
	set_part(&m->part[0], 0, &job->out, &in);
}

static void
make_concat(struct moves *m, const struct tn_job *job)
{
	int64_t axis = job_int(job, "axis"), before = 0;
	struct tn_tensor out = job->out;
	int i;

	for (i = 0; i < job->nin; i++) {
		out.dim[axis] = job->in[i].dim[axis];
		m->part[i].to = before * out.stride[axis];
		set_part(&m->part[i], i, &out, &job->in[i]);
		before += out.dim[axis];
	}
}

static void
make_pad(struct moves *m, const struct tn_job *job)
{
	const struct tn_value *before = job_attr(job, "before");
	struct tn_tensor in = job->in[0], out = job->out;
	int64_t first, end;
	int i;

	m->is_cleared = true;
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
	set_part(&m->part[0], 0, &out, &in);
}

static void
make_transpose(struct moves *m, const struct tn_job *job)
{
	const struct tn_value *perm = job_attr(job, "perm");
	struct tn_tensor in = job->out;
	int i;

	for (i = 0; i < in.rank; i++)
		in.stride[i] = job->in[0].stride[perm->u.list[i]];
	set_part(&m->part[0], 0, &job->out, &in);
}

static void
make_expand(struct moves *m, const struct tn_job *job)
{
	const struct tn_value *axes = job_attr(job, "axes");
	struct tn_tensor in = job->out;
	int i;

	memset(in.stride, 0, sizeof in.stride);
	for (i = 0; i < job->in[0].rank; i++)
		if (job->in[0].dim[i] != 1)
			in.stride[axes->u.list[i]] += job->in[0].stride[i];	/* both, where two axes go to one */
	set_part(&m->part[0], 0, &job->out, &in);
}

/* An axis that is repeated is two, along the inner of which the operand stays where it is; as loops have so many axes. */
static bool
can_upsample(const struct tn_job *job)
{
	const struct tn_value *scales = job_attr(job, "scales");
	int n = job->out.rank, i;

	for (i = 0; i < job->out.rank; i++)
		n += scales->u.list[i] != 1;
	return n <= TN_MAX_RANK;
}

static void
make_upsample(struct moves *m, const struct tn_job *job)
{
	const struct tn_value *scales = job_attr(job, "scales");
	struct tn_tensor in = job->in[0], out = job->out;
	int i, n = 0;

	for (i = 0; i < job->out.rank; i++) {
		int64_t times = scales->u.list[i];

		in.dim[n] = out.dim[n] = job->in[0].dim[i];
		in.stride[n] = job->in[0].stride[i];
		out.stride[n++] = job->out.stride[i] * times;
		if (times == 1)
			continue;
		in.dim[n] = out.dim[n] = times;
		in.stride[n] = 0;
		out.stride[n++] = job->out.stride[i];
	}
	in.rank = out.rank = n;
	set_part(&m->part[0], 0, &out, &in);
}

/*
 * [f g r s] as [merged by f/groups g r s], the place in a merged group being the group's number within it: the result's
 * step along `by` is one of its own, along the diagonal.
 */
static void
make_group_merge(struct moves *m, const struct tn_job *job)
{
	int64_t groups = job_int(job, "groups"), by = job_int(job, "by");
	const struct tn_tensor *k = &job->in[0];
	struct tn_tensor in = *k, out = job->out;
	int64_t each = k->dim[0] / groups;
	int64_t dim[6] = {groups / by, by, each, k->dim[1], k->dim[2], k->dim[3]};
	int64_t from[6] = {by * each * k->stride[0], each * k->stride[0], k->stride[0], k->stride[1], k->stride[2], k->stride[3]};
	int64_t to[6] = {by * each * out.stride[0], each * out.stride[0] + k->dim[1] * out.stride[1], out.stride[0], out.stride[1],
	    out.stride[2], out.stride[3]};

	m->is_cleared = true;
	in.rank = out.rank = 6;
	memcpy(in.dim, dim, sizeof dim);
	memcpy(out.dim, dim, sizeof dim);
	memcpy(in.stride, from, sizeof from);
	memcpy(out.stride, to, sizeof to);
	set_part(&m->part[0], 0, &out, &in);
}

static void
make_reorder(struct moves *m, const struct tn_job *job)
{
	set_part(&m->part[0], 0, &job->out, &job->in[0]);
}

static const struct {
	const char *op;
	void (*make)(struct moves *, const struct tn_job *);
	bool (*can)(const struct tn_job *);	/* NULL: always */
} rows[] = {
	{"slice", make_slice, NULL}, {"concat", make_concat, NULL}, {"pad", make_pad, NULL}, {"transpose", make_transpose, NULL},
	{"expand", make_expand, NULL}, {"group-merge", make_group_merge, NULL}, {"upsample", make_upsample, can_upsample},
};

bool
moves_make(struct moves *m, const struct tn_job *job)
{
	size_t i;

	m->is_cleared = false;
	m->npart = job->nin;
	memset(m->part, 0, (size_t)job->nin * sizeof *m->part);
	if (!job->op) {
		make_reorder(m, job);
		return true;
	}
	for (i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].op, job->op->name) == 0 && (!rows[i].can || rows[i].can(job))) {
			rows[i].make(m, job);
			return true;
		}
	return false;
}
