/* A job's attributes by name, and its tensors; see kernel.h. */
#include <string.h>

#include "base/dtype.h"
#include "base/mem.h"
#include "target/kernel.h"

const struct tn_value *
job_attr(const struct tn_job *job, const char *name)
{
	int i;

	for (i = 0; i < job->op->nattr; i++)
		if (strcmp(job->op->attr[i].name, name) == 0)
			return job->attr[i];
	return NULL;
}

int64_t
job_int(const struct tn_job *job, const char *name)
{
	const struct tn_value *v = job_attr(job, name);

	return !v ? 0 : v->kind == TN_K_DIM ? v->u.dim : v->u.i;
}

double
job_float(const struct tn_job *job, const char *name)
{
	const struct tn_value *v = job_attr(job, name);

	return v ? v->u.f : 0;
}

const char *
job_enum(const struct tn_job *job, const char *name)
{
	int i;

	for (i = 0; i < job->op->nattr; i++)
		if (strcmp(job->op->attr[i].name, name) == 0 && job->op->attr[i].enums)
			return job->op->attr[i].enums->value[job->attr[i]->u.i];
	return "";
}

/* ---- a plug-in's table -------------------------------------------------------------------------------------------- */

void
kernel_drop(void *state, void *kernel)
{
	struct kernel *k = kernel;

	(void)state;
	k->drop(k);
}

bool
kernel_run(void *state, void *kernel, const void *const in[], void *out, void *scratch, struct tn_error *e)
{
	struct kernel *k = kernel;

	(void)state;
	return k->run(k, in, out, scratch, e);
}

/* ---- tensors ------------------------------------------------------------------------------------------------------ */

bool
is_channels_last(const struct tn_tensor *t)
{
	return t->rank == 4 && view_is_ordered(t, TN_CHANNELS_LAST);
}

void *
constant_copy(const struct tn_tensor *t, enum tn_layout layout)
{
	struct tn_tensor to = *t;
	const struct tn_tensor *both[] = {&to, t};
	size_t size = dtype_size(t->dtype);
	char *out = mem_alloc((size_t)view_count(t) * size + 1), *base[2];
	struct loop l;

	view_dense(&to, layout);
	loop_make(&l, both, 2);
	base[0] = out;
	base[1] = (char *)(uintptr_t)t->data;
	loop_run(&l, base, size, copy_run, &size);
	return out;
}

bool
is_all_zero(const struct tn_tensor *t)
{
	float *v;
	int64_t i, n = view_count(t);

	if (!t->data)
		return false;
	v = constant_copy(t, TN_ROW_MAJOR);
	for (i = 0; i < n && v[i] == 0; i++)
		;
	mem_free(v);
	return i == n;
}
