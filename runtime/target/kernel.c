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

/* ---- tensors ------------------------------------------------------------------------------------------------------ */

size_t
element_size(enum tn_dtype dtype)
{
	return dtype_size(dtype);
}

int64_t
element_count(const struct tn_tensor *t)
{
	int64_t n = 1;
	int i;

	for (i = 0; i < t->rank; i++)
		n *= t->dim[i];
	return n;
}

void
dense_strides(struct tn_tensor *t, enum tn_layout layout)
{
	static const int last[] = {1, 3, 2, 0};
	int64_t step = 1;
	int i, axis;

	for (i = 0; i < t->rank; i++) {
		axis = layout == TN_CHANNELS_LAST && t->rank == 4 ? last[i] : t->rank - 1 - i;
		t->stride[axis] = step;
		step *= t->dim[axis];
	}
}

bool
is_channels_last(const struct tn_tensor *t)
{
	struct tn_tensor dense = *t;
	int i;

	if (t->rank != 4)
		return false;
	dense_strides(&dense, TN_CHANNELS_LAST);
	for (i = 0; i < 4; i++)
		if (t->dim[i] != 1 && t->stride[i] != dense.stride[i])
			return false;
	return true;
}

void *
constant_copy(const struct tn_tensor *t, enum tn_layout layout)
{
	struct tn_tensor to = *t;
	const struct tn_tensor *both[] = {&to, t};
	size_t size = element_size(t->dtype);
	char *out = mem_alloc((size_t)element_count(t) * size + 1), *base[2];
	struct loop l;

	dense_strides(&to, layout);
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
	int64_t i, n = element_count(t);

	if (!t->data)
		return false;
	v = constant_copy(t, TN_ROW_MAJOR);
	for (i = 0; i < n && v[i] == 0; i++)
		;
	mem_free(v);
	return i == n;
}
