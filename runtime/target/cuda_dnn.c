/*
 * Convolutions and softmax of cuDNN.
 *
 * Convolution is behind one function, so that the graph API can replace the calls that cuDNN 9 deprecates.  Its algorithm is
 * the fastest that a search finds within a quarter of the free memory.
 */
#include <string.h>

#include "base/mem.h"
#include "target/cuda.h"

struct conv {
	struct kernel kernel;
	struct cuda *cuda;
	struct cuda_constants constants;
	cudnnTensorDescriptor_t x, y;
	cudnnFilterDescriptor_t k;
	cudnnConvolutionDescriptor_t conv;
	cudnnConvolutionFwdAlgo_t forward;
	cudnnConvolutionBwdDataAlgo_t backward;
	bool is_transposed;
	size_t workspace;
	struct function *epilogue;	/* bias and activation; NULL: none */
	bool has_bias;
	int64_t n;			/* elements of the result */
};

bool
dnn_ok(cudnnStatus_t s, const char *what, struct tn_error *e)
{
	return s == CUDNN_STATUS_SUCCESS || tn_fail(e, s == CUDNN_STATUS_NOT_SUPPORTED ? TN_E_INPUT : TN_E_DEFECT, "cuDNN: %s: %s", what,
	    cudnnGetErrorString(s));
}

static bool
fits_int(const struct tn_tensor *t)
{
	return view_count(t) > 0 && view_count(t) < INT32_MAX;
}

static bool
describe(cudnnTensorDescriptor_t *d, int64_t n, int64_t c, int64_t h, int64_t w, struct tn_error *e)
{
	return dnn_ok(cudnnCreateTensorDescriptor(d), "no descriptor", e) && dnn_ok(cudnnSetTensor4dDescriptor(*d, CUDNN_TENSOR_NCHW,
	    CUDNN_DATA_FLOAT, (int)n, (int)c, (int)h, (int)w), "a shape", e);
}

static bool
describe_tensor(cudnnTensorDescriptor_t *d, const struct tn_tensor *t, struct tn_error *e)
{
	return describe(d, t->dim[0], t->dim[1], t->dim[2], t->dim[3], e);
}

/* ---- running ------------------------------------------------------------------------------------------------------------- */

static bool
conv_run(struct kernel *kernel, const void *const in[], void *out, void *scratch, struct tn_error *e)
{
	static const float one = 1, zero = 0;
	struct conv *v = (struct conv *)kernel;
	const void *x = cuda_operand(&v->constants, in, 0), *k = cuda_operand(&v->constants, in, 1);
	cudnnStatus_t s;

	if (v->is_transposed)
		s = cudnnConvolutionBackwardData(v->cuda->dnn, &one, v->k, k, v->x, x, v->conv, v->backward, scratch, v->workspace, &zero, v->y,
		    out);
	else
		s = cudnnConvolutionForward(v->cuda->dnn, &one, v->x, x, v->k, k, v->conv, v->forward, scratch, v->workspace, &zero, v->y, out);
	return dnn_ok(s, "a convolution", e) && (!v->epilogue || cuda_epilogue_run(v->cuda, v->epilogue, out,
	    v->has_bias ? cuda_operand(&v->constants, in, 2) : NULL, v->n, e));
}

static void
conv_drop(struct kernel *kernel)
{
	struct conv *v = (struct conv *)kernel;

	if (v->x)
		cudnnDestroyTensorDescriptor(v->x);
	if (v->y)
		cudnnDestroyTensorDescriptor(v->y);
	if (v->k)
		cudnnDestroyFilterDescriptor(v->k);
	if (v->conv)
		cudnnDestroyConvolutionDescriptor(v->conv);
	cuda_constants_free(&v->constants);
	mem_free(v);
}

/* ---- choosing the algorithm ------------------------------------------------------------------------------------------------ */

/* bytes that a workspace may take now */
static size_t
workspace_bound(void)
{
	size_t left = 0, all = 0;

	return cudaMemGetInfo(&left, &all) == cudaSuccess ? left / 4 : 0;
}

/* memory to search with: x, k, y and a workspace */
struct search {
	void *x, *k, *y, *work;
	size_t bytes;
};

static void
search_free(struct search *s)
{
	cudaFree(s->x), cudaFree(s->k), cudaFree(s->y), cudaFree(s->work);
}

static bool
search_alloc(struct search *s, const struct tn_job *job)
{
	*s = (struct search){.bytes = workspace_bound()};
	/* what does not fit is tried with less */
	while (s->bytes > 1 << 20 && cudaMalloc(&s->work, s->bytes) != cudaSuccess)
		s->bytes /= 2;
	cudaGetLastError();
	if (cudaMalloc(&s->x, (size_t)view_count(&job->in[0]) * sizeof(float)) == cudaSuccess &&
	    cudaMalloc(&s->k, (size_t)view_count(&job->in[1]) * sizeof(float)) == cudaSuccess &&
	    cudaMalloc(&s->y, (size_t)view_count(&job->out) * sizeof(float)) == cudaSuccess)
		return true;
	cudaGetLastError();
	return false;
}

static bool
find_algorithm(struct conv *v, const struct tn_job *job, struct tn_error *e)
{
	struct search s;
	cudnnConvolutionFwdAlgoPerf_t forward[8];
	cudnnConvolutionBwdDataAlgoPerf_t backward[8];
	int n = 0, i;
	bool found = false;

	if (!search_alloc(&s, job)) {
		search_free(&s);
		return tn_fail(e, TN_E_IO, "the GPU has not enough memory for a convolution");
	}
	if (v->is_transposed)
		cudnnFindConvolutionBackwardDataAlgorithmEx(v->cuda->dnn, v->k, s.k, v->x, s.x, v->conv, v->y, s.y, 8, &n, backward, s.work,
		    s.work ? s.bytes : 0);
	else
		cudnnFindConvolutionForwardAlgorithmEx(v->cuda->dnn, v->x, s.x, v->k, s.k, v->conv, v->y, s.y, 8, &n, forward, s.work,
		    s.work ? s.bytes : 0);
	for (i = 0; i < n && !found; i++) {
		found = (v->is_transposed ? backward[i].status : forward[i].status) == CUDNN_STATUS_SUCCESS;
		if (found && v->is_transposed) {
			v->backward = backward[i].algo;
			v->workspace = backward[i].memory;
		} else if (found) {
			v->forward = forward[i].algo;
			v->workspace = forward[i].memory;
		}
	}
	search_free(&s);
	return found || tn_fail(e, TN_E_INPUT, "cuDNN has no algorithm for these shapes");
}

/* ---- making ---------------------------------------------------------------------------------------------------------------- */

/* the extent that cuDNN gives a result whose padding is the same on both sides */
static int64_t
symmetric_extent(int64_t in, int64_t pad, int64_t kernel, int64_t stride, int64_t dilation)
{
	return (in + 2 * pad - (dilation * (kernel - 1) + 1)) / stride + 1;
}

/*
 * cuDNN pads alike before and after.  Padding after may be another where no window reads what is more, that is where the
 * result's extent is the same.
 */
static bool
is_symmetric(const struct tn_job *job, const int64_t strides[], const int64_t pads[], const int64_t dilations[])
{
	const struct tn_tensor *wide = &job->in[0], *narrow = &job->out;
	int i;

	if (strcmp(job->op->name, "conv-transpose2d") == 0) {
		wide = &job->out;
		narrow = &job->in[0];
	}
	for (i = 0; i < 2; i++)
		if (pads[i] < 0 || symmetric_extent(wide->dim[2 + i], pads[i], job->in[1].dim[2 + i], strides[i], dilations[i]) !=
		    narrow->dim[2 + i])
			return false;
	return true;
}

static bool
set_conv(struct conv *v, const struct tn_job *job, struct tn_error *e)
{
	static const int64_t ones[] = {1, 1};
	const int64_t *s = job_attr(job, "strides")->u.list, *p = job_attr(job, "pads")->u.list;
	const struct tn_value *dilations = job_attr(job, "dilations");
	const int64_t *d = dilations ? dilations->u.list : ones;
	const struct tn_tensor *k = &job->in[1];
	int groups = dilations ? (int)job_int(job, "groups") : 1;

	if (!is_symmetric(job, s, p, d))
		return tn_fail(e, TN_E_INPUT, "cuDNN pads alike on both sides");
	return describe_tensor(&v->x, &job->in[0], e) && describe_tensor(&v->y, &job->out, e) &&
	    dnn_ok(cudnnCreateFilterDescriptor(&v->k), "no descriptor", e) &&
	    dnn_ok(cudnnSetFilter4dDescriptor(v->k, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, (int)k->dim[0], (int)k->dim[1], (int)k->dim[2],
	    (int)k->dim[3]), "a kernel's shape", e) &&
	    dnn_ok(cudnnCreateConvolutionDescriptor(&v->conv), "no descriptor", e) &&
	    dnn_ok(cudnnSetConvolution2dDescriptor(v->conv, (int)p[0], (int)p[1], (int)s[0], (int)s[1], (int)d[0], (int)d[1],
	    CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT), "a convolution", e) &&
	    dnn_ok(cudnnSetConvolutionGroupCount(v->conv, groups), "groups", e) &&
	    dnn_ok(cudnnSetConvolutionMathType(v->conv, v->cuda->tf32 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH), "the math mode", e);
}

static struct kernel *
convolution(struct cuda *c, const struct tn_job *job, bool is_transposed, struct tn_kernel_facts *facts, struct tn_error *e)
{
	struct conv *v = mem_alloc(sizeof *v);
	struct tn_tensor views[3];
	const char *act = job_enum(job, "act");
	bool ok;

	v->kernel = (struct kernel){conv_run, conv_drop};
	v->cuda = c;
	v->is_transposed = is_transposed;
	v->n = view_count(&job->out);
	ok = job->out.dtype == TN_F32 && fits_int(&job->in[0]) && fits_int(&job->in[1]) && fits_int(&job->out);
	if (!ok)
		tn_fail(e, TN_E_INPUT, "it has none for such elements or sizes");
	ok = ok && cuda_constants_make(job, &v->constants, views, e) && set_conv(v, job, e) && find_algorithm(v, job, e);
	if (ok) {
		v->has_bias = !is_all_zero(&job->in[2]);
		if (v->has_bias || (*act && strcmp(act, "none") != 0)) {
			v->epilogue = cuda_epilogue(c, act, job->out.dim[1], job->out.dim[2] * job->out.dim[3], views[2].stride[0], v->has_bias, e);
			ok = v->epilogue != NULL;
		}
	}
	if (!ok) {
		conv_drop(&v->kernel);
		return NULL;
	}
	facts->how = "cudnn";
	facts->scratch_bytes = v->workspace;
	return &v->kernel;
}

struct kernel *
cuda_conv(struct cuda *c, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	return convolution(c, job, false, facts, e);
}

struct kernel *
cuda_conv_transpose(struct cuda *c, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	return convolution(c, job, true, facts, e);
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
	int64_t axis = job_int(job, "axis"), before = 1, after = 1, i;

	m->kernel = (struct kernel){softmax_run, softmax_drop};
	m->cuda = c;
	for (i = 0; i < job->out.rank; i++) {
		before *= i < axis ? job->out.dim[i] : 1;
		after *= i > axis ? job->out.dim[i] : 1;
	}
	facts->how = "cudnn";
	facts->in_place = true;
	if (job->out.dtype == TN_F32 && fits_int(&job->out)) {
		if (cuda_constants_make(job, &m->constants, views, e) && describe(&m->x, before, job->out.dim[axis], after, 1, e))
			return &m->kernel;
	} else
		tn_fail(e, TN_E_INPUT, "it has none for such elements or sizes");
	softmax_drop(&m->kernel);
	return NULL;
}
