/*
 * Convolutions of cuDNN, behind one function.
 *
 * How one is computed is chosen once for its shapes: among the plans of the graph API, with bias and relu in the graph
 * and with both in a kernel behind it, where cuDNN is of version 9, which deprecates the legacy calls; and among the legacy
 * calls' algorithms.  Each that needs no more workspace than an eighth of the free memory runs on the device, and the fastest
 * is kept until the target is closed, for all kernels of that shape.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"
#include "target/cuda.h"
#include "target/cuda_opgraph.h"

enum { ALGORITHMS = 16, TIMES = 5, GRAPHS_SINCE = 90000 };

/* The calls of cuDNN 7 and 8. */
struct legacy {
	cudnnTensorDescriptor_t x, y;
	cudnnFilterDescriptor_t k;
	cudnnConvolutionDescriptor_t conv;
	int algorithm;			/* a cudnnConvolutionFwdAlgo_t or BwdDataAlgo_t */
};

/* One way of computing a convolution. */
struct way {
	char how[48];			/* "cudnn-graph:11", "cudnn-legacy:1+epilogue" */
	bool is_transposed, is_graph;
	bool is_whole;			/* bias and relu are in the graph */
	struct opgraph graph;
	struct legacy legacy;
	size_t workspace;
};

struct conv_ways {
	struct map known;		/* by what is computed: number in `way` */
	VEC(struct way *) way;
};

struct conv {
	struct kernel kernel;
	struct cuda *cuda;
	struct cuda_constants constants;
	const struct way *way;
	struct function *epilogue;	/* bias and activation; NULL: none */
	bool has_bias;			/* does the epilogue add one? */
	int64_t n;			/* elements of the result */
	cudnnBackendDescriptor_t pack;	/* of the graph's addresses at the last run */
	void *at[5];
};

/* What is asked for. */
struct wanted {
	struct opgraph_conv conv;	/* has_bias: of the whole graph */
	bool fits_graph;		/* does the bias lie as a graph reads it, and is the activation one of graphs? */
	bool has_epilogue;		/* is there more to do than the convolution? */
	bool is_symmetric;		/* is its padding such as the legacy calls have? */
	struct function *epilogue;
	bool has_bias;
	int64_t bytes[4];		/* x, k, bias, y */
};

/* ---- running ------------------------------------------------------------------------------------------------------ */

static bool
run_legacy(struct conv *v, const void *x, const void *k, void *y, void *work, struct tn_error *e)
{
	static const float one = 1, zero = 0;
	const struct legacy *l = &v->way->legacy;
	size_t bytes = v->way->workspace;
	cudnnHandle_t dnn = v->cuda->dnn;

	if (v->way->is_transposed)
		return dnn_ok(cudnnConvolutionBackwardData(dnn, &one, l->k, k, l->x, x, l->conv, (cudnnConvolutionBwdDataAlgo_t)l->algorithm,
		    work, bytes, &zero, l->y, y), "a convolution", e);
	return dnn_ok(cudnnConvolutionForward(dnn, &one, l->x, x, l->k, k, l->conv, (cudnnConvolutionFwdAlgo_t)l->algorithm, work, bytes,
	    &zero, l->y, y), "a convolution", e);
}

/* addresses seldom change from run to run, so that their descriptor is kept */
static bool
run_graph(struct conv *v, void *const at[4], void *work, struct tn_error *e)
{
	const struct opgraph *g = &v->way->graph;
	void *now[5] = {at[0], at[1], at[2], at[3], work};

	if (!v->pack || memcmp(now, v->at, sizeof now) != 0) {
		if (v->pack)
			cudnnBackendDestroyDescriptor(v->pack);
		v->pack = opgraph_pack(g, at, work, e);
		memcpy(v->at, now, sizeof now);
	}
	return v->pack && dnn_ok(cudnnBackendExecute(v->cuda->dnn, g->plan[0].plan, v->pack), "a convolution's graph", e);
}

static bool
conv_run(struct kernel *kernel, const void *const in[], void *out, void *scratch, struct tn_error *e)
{
	struct conv *v = (struct conv *)kernel;
	const void *x = cuda_operand(&v->constants, in, 0), *k = cuda_operand(&v->constants, in, 1);
	const void *bias = cuda_operand(&v->constants, in, 2);
	/* cuDNN takes addresses that it only reads as it takes those that it writes */
	void *const at[4] = {(void *)(uintptr_t)x, (void *)(uintptr_t)k, (void *)(uintptr_t)bias, out};
	bool ok = v->way->is_graph ? run_graph(v, at, scratch, e) : run_legacy(v, x, k, out, scratch, e);

	return ok && (!v->epilogue || v->way->is_whole ||
	    cuda_epilogue_run(v->cuda, v->epilogue, out, v->has_bias ? bias : NULL, v->n, e));
}

static void
conv_drop(struct kernel *kernel)
{
	struct conv *v = (struct conv *)kernel;

	if (v->pack)
		cudnnBackendDestroyDescriptor(v->pack);
	cuda_constants_free(&v->constants);
	mem_free(v);
}

/* ---- ways --------------------------------------------------------------------------------------------------------- */

static void
way_free(struct way *w)
{
	opgraph_free(&w->graph);
	if (w->legacy.x)
		cudnnDestroyTensorDescriptor(w->legacy.x);
	if (w->legacy.y)
		cudnnDestroyTensorDescriptor(w->legacy.y);
	if (w->legacy.k)
		cudnnDestroyFilterDescriptor(w->legacy.k);
	if (w->legacy.conv)
		cudnnDestroyConvolutionDescriptor(w->legacy.conv);
	*w = (struct way){.how = ""};
}

void
conv_ways_free(struct conv_ways *all)
{
	uint32_t i;

	if (!all)
		return;
	for (i = 0; i < all->way.n; i++) {
		way_free(all->way.at[i]);
		mem_free(all->way.at[i]);
	}
	vec_free(&all->way);
	map_free(&all->known);
	mem_free(all);
}

static bool
legacy_make(struct legacy *l, const struct opgraph_conv *c, bool tf32, struct tn_error *e)
{
	const int64_t groups = c->is_transposed ? 1 : c->x[1] / c->k[1];

	return dnn_describe(&l->x, c->x, e) && dnn_describe(&l->y, c->y, e) &&
	    dnn_ok(cudnnCreateFilterDescriptor(&l->k), "no descriptor", e) &&
	    dnn_ok(cudnnSetFilter4dDescriptor(l->k, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, (int)c->k[0], (int)c->k[1], (int)c->k[2],
	    (int)c->k[3]), "a kernel's shape", e) &&
	    dnn_ok(cudnnCreateConvolutionDescriptor(&l->conv), "no descriptor", e) &&
	    dnn_ok(cudnnSetConvolution2dDescriptor(l->conv, (int)c->before[0], (int)c->before[1], (int)c->strides[0], (int)c->strides[1],
	    (int)c->dilations[0], (int)c->dilations[1], CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT), "a convolution", e) &&
	    dnn_ok(cudnnSetConvolutionGroupCount(l->conv, (int)groups), "groups", e) &&
	    dnn_ok(cudnnSetConvolutionMathType(l->conv, tf32 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH), "the math mode", e);
}

/* the bytes that it wants with the arithmetic that was set, which need not be those that the heuristic tells; false: none */
static bool
workspace_of(const struct legacy *l, bool is_transposed, cudnnHandle_t dnn, int algorithm, size_t *bytes)
{
	struct tn_error e;

	return dnn_ok(is_transposed ? cudnnGetConvolutionBackwardDataWorkspaceSize(dnn, l->k, l->x, l->conv, l->y,
	    (cudnnConvolutionBwdDataAlgo_t)algorithm, bytes) : cudnnGetConvolutionForwardWorkspaceSize(dnn, l->x, l->k, l->conv, l->y,
	    (cudnnConvolutionFwdAlgo_t)algorithm, bytes), "a workspace", &e);
}

static bool
is_among(const int list[], int n, int x)
{
	while (n > 0 && list[n - 1] != x)
		n--;
	return n > 0;
}

/* the algorithms that cuDNN has, and their workspaces, the likely fastest first; -1 and error */
static int
algorithms(const struct legacy *l, bool is_transposed, cudnnHandle_t dnn, int algorithm[], size_t bytes[], struct tn_error *e)
{
	cudnnConvolutionFwdAlgoPerf_t forward[ALGORITHMS];
	cudnnConvolutionBwdDataAlgoPerf_t backward[ALGORITHMS];
	cudnnStatus_t status;
	int said = 0, n = 0, i, this;

	if (is_transposed)
		status = cudnnGetConvolutionBackwardDataAlgorithm_v7(dnn, l->k, l->x, l->conv, l->y, ALGORITHMS, &said, backward);
	else
		status = cudnnGetConvolutionForwardAlgorithm_v7(dnn, l->x, l->k, l->conv, l->y, ALGORITHMS, &said, forward);
	if (!dnn_ok(status, "its algorithms", e))
		return -1;
	for (i = 0; i < said; i++) {
		if ((is_transposed ? backward[i].status : forward[i].status) != CUDNN_STATUS_SUCCESS)
			continue;
		this = is_transposed ? (int)backward[i].algo : (int)forward[i].algo;
		/* one comes once for each arithmetic that it knows */
		if (!is_among(algorithm, n, this) && workspace_of(l, is_transposed, dnn, this, &bytes[n]))
			algorithm[n++] = this;
	}
	return n;
}

/* ---- choosing ----------------------------------------------------------------------------------------------------- */

/* What the search runs with, and the fastest so far. */
struct search {
	struct cuda *cuda;
	const struct wanted *wanted;
	void *at[4];			/* x, k, bias, y */
	size_t most;			/* bytes that a workspace may take */
	struct way best;
	double best_ns;
	struct tn_error why;		/* what was wrong with the last that cannot be taken */
};

static bool
search_alloc(struct search *s, struct tn_error *e)
{
	size_t left = 0, all = 0;
	int i;

	for (i = 0; i < 4; i++)
		if (!cuda_ok(cudaMalloc(&s->at[i], (size_t)s->wanted->bytes[i]), "memory to try a convolution with", e))
			return false;
	if (!cuda_ok(cudaMemGetInfo(&left, &all), "the free memory", e))
		return false;
	s->most = left / 8;
	return true;
}

static void
search_free(struct search *s)
{
	int i;

	for (i = 0; i < 4; i++)
		cudaFree(s->at[i]);
}

bool
conv_has_graphs(void)
{
	return cudnnGetVersion() >= GRAPHS_SINCE;
}

/* nanoseconds of one run; a negative number and error */
static double
time_once(struct search *s, struct conv *v, void *work)
{
	const void *const in[3] = {s->at[0], s->at[1], s->at[2]};
	cudaEvent_t *stamp = s->cuda->search;
	float ms;

	return cuda_ok(cudaEventRecord(stamp[0], s->cuda->stream), "an event", &s->why) &&
	    conv_run(&v->kernel, in, s->at[3], work, &s->why) &&
	    cuda_ok(cudaEventRecord(stamp[1], s->cuda->stream), "an event", &s->why) &&
	    cuda_ok(cudaEventSynchronize(stamp[1]), "a convolution", &s->why) &&
	    cuda_ok(cudaEventElapsedTime(&ms, stamp[0], stamp[1]), "the time of an event", &s->why) ? 1e6 * (double)ms : -1;
}

/* the shortest of some runs after a first one; no more of them than show that it is slow; infinite: it does not run */
static double
time_way(struct search *s, const struct way *w)
{
	struct conv v = {.cuda = s->cuda, .way = w, .epilogue = s->wanted->epilogue, .has_bias = s->wanted->has_bias,
	    .n = s->wanted->bytes[3] / (int64_t)sizeof(float)};
	double shortest = INFINITY, ns;
	void *work = NULL;
	int i;

	if (w->workspace > s->most || !cuda_ok(cudaMalloc(&work, w->workspace + 1), "a workspace", &s->why))
		return INFINITY;
	ns = time_once(s, &v, work);
	for (i = 0; ns >= 0 && i < TIMES && !(i && shortest > 2 * s->best_ns); i++) {
		ns = time_once(s, &v, work);
		shortest = ns < shortest ? ns : shortest;
	}
	cudaFree(work);
	if (v.pack)
		cudnnBackendDestroyDescriptor(v.pack);
	return ns < 0 ? INFINITY : shortest;
}

static void
try_graph(struct search *s, bool is_whole)
{
	const struct opgraph_device device = {.handle = s->cuda->dnn, .tf32 = s->cuda->tf32};
	struct opgraph_conv c = s->wanted->conv;
	struct way w = {.is_transposed = c.is_transposed, .is_graph = true, .is_whole = is_whole};
	double ns;
	int i, best = -1;
	struct opgraph_plan first;

	if (!is_whole)
		c.has_bias = c.has_relu = false;
	if (!opgraph_make(&w.graph, &device, &c, s->most, &s->why)) {
		way_free(&w);
		return;
	}
	for (i = 0; i < w.graph.nplan; i++) {
		/* the plan that runs is plan 0 */
		first = w.graph.plan[0];
		w.graph.plan[0] = w.graph.plan[i];
		w.workspace = (size_t)w.graph.plan[0].workspace;
		ns = time_way(s, &w);
		w.graph.plan[0] = first;
		if (ns < s->best_ns) {
			s->best_ns = ns;
			best = i;
		}
	}
	if (best < 0) {
		way_free(&w);
		return;
	}
	opgraph_keep(&w.graph, best);
	w.workspace = (size_t)w.graph.plan[0].workspace;
	snprintf(w.how, sizeof w.how, "cudnn-graph:%" PRId64 "%s", w.graph.plan[0].engine,
	    s->wanted->has_epilogue && !is_whole ? "+epilogue" : "");
	way_free(&s->best);
	s->best = w;
}

static void
try_legacy(struct search *s)
{
	struct way w = {.is_transposed = s->wanted->conv.is_transposed};
	int algorithm[ALGORITHMS], best = -1, n = -1, i;
	size_t bytes[ALGORITHMS];
	double ns;

	if (legacy_make(&w.legacy, &s->wanted->conv, s->cuda->tf32, &s->why))
		n = algorithms(&w.legacy, w.is_transposed, s->cuda->dnn, algorithm, bytes, &s->why);
	for (i = 0; i < n; i++) {
		w.legacy.algorithm = algorithm[i];
		w.workspace = bytes[i];
		ns = time_way(s, &w);
		if (ns < s->best_ns) {
			s->best_ns = ns;
			best = i;
		}
	}
	if (best < 0) {
		way_free(&w);
		return;
	}
	w.legacy.algorithm = algorithm[best];
	w.workspace = bytes[best];
	snprintf(w.how, sizeof w.how, "cudnn-legacy:%d%s", algorithm[best], s->wanted->has_epilogue ? "+epilogue" : "");
	way_free(&s->best);
	s->best = w;
}

/* the fastest way; false and error: there is none */
static bool
choose(struct cuda *c, const struct wanted *wanted, struct way *out, struct tn_error *e)
{
	struct search s = {.cuda = c, .wanted = wanted, .best_ns = INFINITY};

	snprintf(s.why.msg, sizeof s.why.msg, "it pads unlike on both sides");
	if (!search_alloc(&s, e)) {
		search_free(&s);
		return false;
	}
	if (conv_has_graphs()) {
		if (wanted->fits_graph && wanted->has_epilogue)
			try_graph(&s, true);
		try_graph(&s, false);
	}
	if (wanted->is_symmetric)
		try_legacy(&s);
	search_free(&s);
	*out = s.best;
	return s.best_ns < INFINITY || tn_fail(e, TN_E_INPUT, "cuDNN has no way for these shapes: %s", s.why.msg);
}

/* what is computed, in words: two that have the same are computed alike */
static void
put_key(struct buf *b, const struct wanted *w)
{
	const struct opgraph_conv *c = &w->conv;
	const int64_t *const lists[] = {c->x, c->k, c->y};
	int i, k;

	for (k = 0; k < 3; k++)
		for (i = 0; i < 4; i++)
			buf_printf(b, "%" PRId64 " ", lists[k][i]);
	for (i = 0; i < 2; i++)
		buf_printf(b, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " ", c->strides[i], c->dilations[i], c->before[i], c->after[i]);
	buf_printf(b, "%d%d%d%d%d", c->is_transposed, c->has_bias, c->has_relu, w->has_bias, w->fits_graph);
}

/* NULL and error */
static const struct way *
way_of(struct cuda *c, const struct wanted *w, struct tn_error *e)
{
	struct buf key = {0};
	struct way found = {.how = ""}, *kept;
	uint32_t *known;

	if (!c->conv_ways)
		c->conv_ways = mem_alloc(sizeof *c->conv_ways);
	put_key(&key, w);
	known = map_get(&c->conv_ways->known, key.at, key.n);
	if (!known && choose(c, w, &found, e)) {
		kept = mem_alloc(sizeof *kept);
		*kept = found;
		known = map_put(&c->conv_ways->known, key.at, key.n, c->conv_ways->way.n, NULL);
		vec_push(&c->conv_ways->way, kept);
	}
	buf_free(&key);
	return known ? c->conv_ways->way.at[*known] : NULL;
}

/* ---- making ------------------------------------------------------------------------------------------------------- */

/* the extent that cuDNN's legacy calls give a result whose padding is the same on both sides */
static int64_t
symmetric_extent(int64_t in, int64_t pad, int64_t kernel, int64_t stride, int64_t dilation)
{
	return (in + 2 * pad - (dilation * (kernel - 1) + 1)) / stride + 1;
}

/*
 * The legacy calls pad alike before and after.  Padding after may be another where no window reads what is more, that is
 * where the result's extent is the same.
 */
static bool
is_symmetric(const struct opgraph_conv *c)
{
	const int64_t *wide = c->is_transposed ? c->y : c->x, *narrow = c->is_transposed ? c->x : c->y;
	int i;

	for (i = 0; i < 2; i++)
		if (c->before[i] < 0 ||
		    symmetric_extent(wide[2 + i], c->before[i], c->k[2 + i], c->strides[i], c->dilations[i]) != narrow[2 + i])
			return false;
	return true;
}

static bool
fit_int(const int64_t *v, int n)
{
	int i;

	for (i = 0; i < n && v[i] < INT32_MAX && v[i] > INT32_MIN; i++)
		;
	return i == n;
}

/* views: how the operands lie on the device.  False and error: its sizes or elements are none of cuDNN's. */
static bool
want(struct cuda *cuda, const struct tn_job *job, const struct tn_tensor views[3], struct wanted *w, struct tn_error *e)
{
	static const int64_t ones[] = {1, 1};
	const struct tn_value *dilations = job_attr(job, "dilations");
	const int64_t *s = job_attr(job, "strides")->u.list, *p = job_attr(job, "pads")->u.list;
	const int64_t *d = dilations ? dilations->u.list : ones;
	const struct tn_tensor *bias = &views[2], *const t[] = {&views[0], &views[1], bias, &job->out};
	const char *act = job_enum(job, "act");
	bool has_act = *act && strcmp(act, "none") != 0, has_relu = strcmp(act, "relu") == 0;
	int i;

	*w = (struct wanted){.has_bias = false};
	for (i = 0; i < 4; i++) {
		if (t[i]->dtype != TN_F32 || !tensor_fits_int(t[i]))
			return tn_fail(e, TN_E_INPUT, "it has none for such elements or sizes");
		w->bytes[i] = view_count(t[i]) * (int64_t)sizeof(float);
	}
	if (!fit_int(s, 2) || !fit_int(p, 4) || !fit_int(d, 2))
		return tn_fail(e, TN_E_INPUT, "its strides, padding or dilations are too large");
	w->conv = (struct opgraph_conv){.strides = {s[0], s[1]}, .dilations = {d[0], d[1]}, .before = {p[0], p[1]},
	    .after = {p[2], p[3]}, .is_transposed = strcmp(job->op->name, "conv-transpose2d") == 0, .has_relu = has_relu};
	memcpy(w->conv.x, job->in[0].dim, sizeof w->conv.x);
	memcpy(w->conv.k, job->in[1].dim, sizeof w->conv.k);
	memcpy(w->conv.y, job->out.dim, sizeof w->conv.y);
	w->has_bias = !is_all_zero(&job->in[2]);
	w->has_epilogue = w->has_bias || has_act;
	/* cuDNN has fast engines for a relu behind a bias, not for one alone, nor for others: a bias of zeros does no harm */
	w->conv.has_bias = w->has_epilogue;
	w->fits_graph = (bias->stride[0] == 1 || bias->dim[0] == 1) && has_act == has_relu;
	w->is_symmetric = is_symmetric(&w->conv);
	if (w->has_epilogue)
		w->epilogue = cuda_epilogue(cuda, act, job->out.dim[1], job->out.dim[2] * job->out.dim[3], bias->stride[0], w->has_bias, e);
	return w->epilogue || !w->has_epilogue;
}

struct kernel *
cuda_conv(struct cuda *c, const struct tn_job *job, struct tn_kernel_facts *facts, struct tn_error *e)
{
	struct conv *v = mem_alloc(sizeof *v);
	struct tn_tensor views[3];
	struct wanted w;

	v->kernel = (struct kernel){conv_run, conv_drop};
	v->cuda = c;
	if (!cuda_constants_make(job, &v->constants, views, e) || !want(c, job, views, &w, e) || !(v->way = way_of(c, &w, e))) {
		conv_drop(&v->kernel);
		return NULL;
	}
	v->epilogue = w.epilogue;
	v->has_bias = w.has_bias;
	v->n = view_count(&job->out);
	facts->how = v->way->how;
	facts->scratch_bytes = v->way->workspace;
	return &v->kernel;
}
