/* Products of matrices by cuBLAS, whose matrices are column-major: y = a w is computed as y' = w' a'. */
#include <string.h>

#include "base/mem.h"
#include "target/cuda.h"

struct product {
	struct kernel kernel;
	struct cuda *cuda;
	struct cuda_constants constants;
	struct tn_tensor a, w, y;	/* as [batch rows columns] */
	struct function *epilogue;
	bool has_bias;
	int64_t n;
};

bool
blas_ok(cublasStatus_t s, const char *what, struct tn_error *e)
{
	if (s == CUBLAS_STATUS_SUCCESS)
		return true;
	cudaGetLastError();
	return tn_fail(e, TN_E_DEFECT, "cuBLAS: %s: %s", what, cublasGetStatusString(s));
}

/* a matrix as cuBLAS takes it: its leading extent, and whether its rows are the other way */
static int64_t
leading(const struct tn_tensor *t, cublasOperation_t *op)
{
	int64_t step;

	if (t->stride[2] == 1 || t->dim[2] == 1) {
		*op = CUBLAS_OP_N;
		step = t->dim[1] == 1 ? t->dim[2] : t->stride[1];
	} else {
		*op = CUBLAS_OP_T;
		step = t->dim[2] == 1 ? t->dim[1] : t->stride[2];
	}
	return step;
}

static bool
product_run(struct kernel *k, const void *const in[], void *out, void *scratch, struct tn_error *e)
{
	static const float one = 1, zero = 0;
	struct product *p = (struct product *)k;
	cublasOperation_t op_a, op_w;
	int lead_a = (int)leading(&p->a, &op_a), lead_w = (int)leading(&p->w, &op_w);
	const void *a = cuda_operand(&p->constants, in, 0), *w = cuda_operand(&p->constants, in, 1);
	const void *bias = p->has_bias ? cuda_operand(&p->constants, in, 2) : NULL;
	int rows = (int)p->y.dim[1], columns = (int)p->y.dim[2], inner = (int)p->a.dim[2];

	(void)scratch;
	return blas_ok(cublasSgemmStridedBatched(p->cuda->blas, op_w, op_a, columns, rows, inner, &one, w, lead_w,
	    p->w.dim[0] == 1 ? 0 : p->w.stride[0], a, lead_a, p->a.dim[0] == 1 ? 0 : p->a.stride[0], &zero, out, columns,
	    p->y.dim[1] * p->y.dim[2], (int)p->y.dim[0]), "a product", e) &&
	    (!p->epilogue || cuda_epilogue_run(p->cuda, p->epilogue, out, bias, p->n, e));
}

static void
product_drop(struct kernel *k)
{
	struct product *p = (struct product *)k;

	cuda_constants_free(&p->constants);
	mem_free(p);
}

static bool
fits_int(const struct tn_tensor *t)
{
	cublasOperation_t op;

	return t->dim[0] < INT32_MAX && t->dim[1] < INT32_MAX && t->dim[2] < INT32_MAX && leading(t, &op) < INT32_MAX &&
	    view_count(t) > 0;
}

static bool
set_product(struct product *p, const struct tn_job *job, struct tn_error *e)
{
	struct tn_tensor views[3];
	struct tn_job as = *job;
	int batch = (int)job_int(job, "batch");
	const char *act = job_enum(job, "act");

	if (job->out.dtype != TN_F32)
		return tn_fail(e, TN_E_INPUT, "it has none for these elements");
	if (!cuda_constants_make(job, &p->constants, views, e))
		return false;
	as.in = views;
	if (!matmul_takes(&as, 0) || !matmul_takes(&as, 1) || !as_matrices(&views[0], batch, &p->a) ||
	    !as_matrices(&views[1], batch, &p->w) ||
	    !as_matrices(&job->out, batch, &p->y) || !fits_int(&p->a) || !fits_int(&p->w) || !fits_int(&p->y))
		return tn_fail(e, TN_E_INPUT, "cuBLAS has no words for these shapes");
	p->n = view_count(&job->out);
	p->has_bias = !is_all_zero(&job->in[2]);
	if (p->has_bias || strcmp(act, "none") != 0)
		p->epilogue = cuda_epilogue(p->cuda, act, p->y.dim[2], 1, views[2].stride[0], p->has_bias, e);
	return p->epilogue || !(p->has_bias || strcmp(act, "none") != 0);
}

struct kernel *
cuda_matmul(struct cuda *c, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	struct product *p = mem_alloc(sizeof *p);

	p->kernel = (struct kernel){product_run, product_drop};
	p->cuda = c;
	facts->how = "cublas";
	if (set_product(p, job, e))
		return &p->kernel;
	product_drop(&p->kernel);
	return NULL;
}
