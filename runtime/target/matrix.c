/* Tensors as matrices, for products; see kernel.h. */
#include "target/kernel.h"

/* axes from … to - 1 as one; false: they do not lie behind one another */
static bool
join_axes(const struct tn_tensor *t, int from, int to, int64_t *dim, int64_t *stride)
{
	int i;

	*dim = 1, *stride = 1;
	for (i = to - 1; i >= from; i--) {
		if (t->dim[i] == 1)
			continue;
		if (*dim == 1)
			*stride = t->stride[i];
		else if (t->stride[i] != *stride * *dim)
			return false;
		*dim *= t->dim[i];
	}
	return true;
}

bool
as_matrices(const struct tn_tensor *t, int batch, struct tn_tensor *out)
{
	*out = *t;
	out->rank = 3;
	out->dim[2] = t->dim[t->rank - 1];
	out->stride[2] = t->stride[t->rank - 1];
	if (out->dim[2] == 1)
		out->stride[2] = 1;
	return join_axes(t, 0, batch, &out->dim[0], &out->stride[0]) && join_axes(t, batch, t->rank - 1, &out->dim[1], &out->stride[1]);
}

bool
matmul_takes(const struct tn_job *job, int operand)
{
	struct tn_tensor t;

	if (operand == 2 || !as_matrices(&job->in[operand], (int)job_int(job, "batch"), &t))
		return false;
	return (t.stride[2] == 1 || t.stride[1] == 1) && t.stride[0] >= 0 && (t.dim[1] == 1 || t.stride[1] > 0) &&
	    (t.dim[2] == 1 || t.stride[2] > 0);
}
