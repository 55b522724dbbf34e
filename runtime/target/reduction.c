/* What is reduced along axes, as views; see kernel.h. */
#include "target/kernel.h"

int64_t
reduced_view(const struct tn_job *job, struct tn_tensor *in, struct tn_tensor *out)
{
	int64_t axis = job_int(job, "axis"), count = job_int(job, "count"), n = 1, i;

	*in = job->in[0];
	*out = job->out;
	for (i = axis; i < axis + count; i++) {
		n *= in->dim[i];
		out->dim[i] = in->dim[i];
		out->stride[i] = 0;
	}
	return n;
}
