/* Descriptors and softmax of cuDNN. */
#include "base/mem.h"
#include "target/cuda.h"

bool
dnn_ok(cudnnStatus_t s, const char *what, struct tn_error *e)
{
	if (s == CUDNN_STATUS_SUCCESS)
		return true;
	/* a launch of its own that failed would be laid to the next call */
	cudaGetLastError();
	/* since cuDNN 9 there are many of each kind: 3000 to 3999 say that something is not supported */
	return tn_fail(e, s / 1000 == CUDNN_STATUS_NOT_SUPPORTED / 1000 ? TN_E_INPUT : TN_E_DEFECT, "cuDNN: %s: %s", what,
	    cudnnGetErrorString(s));
}

bool
tensor_fits_int(const struct tn_tensor *t)
{
	return view_count(t) > 0 && view_count(t) < INT32_MAX;
}

bool
dnn_describe(cudnnTensorDescriptor_t *d, const int64_t dim[4], struct tn_error *e)
{
	return dnn_ok(cudnnCreateTensorDescriptor(d), "no descriptor", e) && dnn_ok(cudnnSetTensor4dDescriptor(*d, CUDNN_TENSOR_NCHW,
	    CUDNN_DATA_FLOAT, (int)dim[0], (int)dim[1], (int)dim[2], (int)dim[3]), "a shape", e);
}

/* ---- softmax ------------------------------------------------------------------------------------------- */

struct softmax {
	struct kernel kernel;
	struct cuda *cuda;
	struct cuda_constants constants;
	cudnnTensorDescriptor_t x;
};

static bool
softmax_run(struct kernel *k, const void *const in[], void *out, void *scratch, struct tn_error *e)
{
	static const float one = 1, zero = 0;
	struct softmax *m = (struct softmax *)k;

	(void)scratch;
	return dnn_ok(cudnnSoftmaxForward(m->cuda->dnn, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &one, m->x,
	    cuda_operand(&m->constants, in, 0), &zero, m->x, out), "a softmax", e);
}

static void
softmax_drop(struct kernel *k)
{
	struct softmax *m = (struct softmax *)k;

	if (m->x)
		cudnnDestroyTensorDescriptor(m->x);
	cuda_constants_free(&m->constants);
	mem_free(m);
}

/* the axis as channels, those before it as images, those after it as rows */
struct kernel *
cuda_softmax(struct cuda *c, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	struct softmax *m = mem_alloc(sizeof *m);
	struct tn_tensor views[1];
	int64_t axis = job_int(job, "axis"), as[4] = {1, job->out.dim[axis], 1, 1}, i;

	m->kernel = (struct kernel){softmax_run, softmax_drop};
	m->cuda = c;
	for (i = 0; i < job->out.rank; i++) {
		as[0] *= i < axis ? job->out.dim[i] : 1;
		as[2] *= i > axis ? job->out.dim[i] : 1;
	}
	facts->how = "cudnn";
	facts->in_place = true;
	if (job->out.dtype == TN_F32 && tensor_fits_int(&job->out)) {
		if (cuda_constants_make(job, &m->constants, views, e) && dnn_describe(&m->x, as, e))
			return &m->kernel;
	} else
		tn_fail(e, TN_E_INPUT, "it has none for such elements or sizes");
	softmax_drop(&m->kernel);
	return NULL;
}
