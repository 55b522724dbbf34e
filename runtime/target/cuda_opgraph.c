/* Operation graphs of cuDNN; see cuda_opgraph.h. */
#include "target/cuda.h"
#include "target/cuda_opgraph.h"

/* what a tensor is called in a graph: those with memory first, as opgraph_pack takes them */
enum uid { X = 1, K, BIAS, Y, PRODUCT, SUM };

/* A heuristic names engines with tensor cores first: cuDNN 9.19 puts the first in f32 of a 3x3 convolution behind 16 of them. */
enum { ALIGN = 64, CONFIGS = 64 };

/* older headers have no names for them */
#if CUDNN_VERSION < 90800
# define CUDNN_ATTR_ENGINEHEUR_DEVICEPROP ((cudnnBackendAttributeName_t)204)
# define CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP ((cudnnBackendAttributeName_t)407)
#endif

/* ---- descriptors -------------------------------------------------------------------------------------------------- */

/* a descriptor that is freed with the graph; NULL and error */
static cudnnBackendDescriptor_t
create(struct opgraph *g, cudnnBackendDescriptorType_t type, struct tn_error *e)
{
	cudnnBackendDescriptor_t d = NULL;

	if (!dnn_ok(cudnnBackendCreateDescriptor(type, &d), "no descriptor", e))
		return NULL;
	vec_push(&g->descriptor, d);
	return d;
}

static bool
set(cudnnBackendDescriptor_t d, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int64_t n, const void *values,
    const char *what, struct tn_error *e)
{
	return dnn_ok(cudnnBackendSetAttribute(d, name, type, n, values), what, e);
}

static bool
set_one(cudnnBackendDescriptor_t d, cudnnBackendAttributeName_t name, cudnnBackendDescriptor_t value, const char *what,
    struct tn_error *e)
{
	return set(d, name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &value, what, e);
}

static bool
finalize(cudnnBackendDescriptor_t d, const char *what, struct tn_error *e)
{
	return dnn_ok(cudnnBackendFinalize(d), what, e);
}

/* a row-major tensor of f32; one that is virtual lies nowhere */
static cudnnBackendDescriptor_t
tensor(struct opgraph *g, int64_t uid, const int64_t dim[4], struct tn_error *e)
{
	static const cudnnDataType_t type = CUDNN_DATA_FLOAT;
	const int64_t stride[4] = {dim[1] * dim[2] * dim[3], dim[2] * dim[3], dim[3], 1}, align = ALIGN;
	const bool is_virtual = uid == PRODUCT || uid == SUM;
	cudnnBackendDescriptor_t d = create(g, CUDNN_BACKEND_TENSOR_DESCRIPTOR, e);

	return d && set(d, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type, "a tensor's type", e) &&
	    set(d, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 4, dim, "a tensor's extents", e) &&
	    set(d, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, 4, stride, "a tensor's strides", e) &&
	    set(d, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &uid, "a tensor's name", e) &&
	    set(d, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &align, "a tensor's alignment", e) &&
	    set(d, CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1, &is_virtual, "a tensor's place", e) &&
	    finalize(d, "a tensor", e) ? d : NULL;
}

/* ---- operations --------------------------------------------------------------------------------------------------- */

static cudnnBackendDescriptor_t
window(struct opgraph *g, const struct opgraph_conv *c, struct tn_error *e)
{
	static const cudnnDataType_t type = CUDNN_DATA_FLOAT;
	static const cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
	static const int64_t rank = 2;
	cudnnBackendDescriptor_t d = create(g, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, e);

	return d && set(d, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type, "a convolution's arithmetic", e) &&
	    set(d, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1, &mode, "a convolution's mode", e) &&
	    set(d, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, 1, &rank, "a convolution's rank", e) &&
	    set(d, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, 2, c->strides, "a convolution's strides", e) &&
	    set(d, CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, 2, c->dilations, "a convolution's dilations", e) &&
	    set(d, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, 2, c->before, "a convolution's padding", e) &&
	    set(d, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, 2, c->after, "a convolution's padding", e) &&
	    finalize(d, "a convolution", e) ? d : NULL;
}

/* y = conv(x, k); one the other way is cuDNN's gradient by the data, where y is the wide side */
static cudnnBackendDescriptor_t
convolution(struct opgraph *g, const struct opgraph_conv *c, cudnnBackendDescriptor_t x, cudnnBackendDescriptor_t k,
    cudnnBackendDescriptor_t y, struct tn_error *e)
{
	static const struct {
		cudnnBackendDescriptorType_t type;
		cudnnBackendAttributeName_t conv, x, k, y, alpha, beta;
	} forms[] = {
		{CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
		    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
		    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
		    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA},
		{CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
		    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
		    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
		    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA},
	}, *form;
	static const double one = 1, zero = 0;
	cudnnBackendDescriptor_t w = window(g, c, e), d = w ? create(g, forms[c->is_transposed].type, e) : NULL;

	form = &forms[c->is_transposed];
	return d && set_one(d, form->conv, w, "a convolution", e) && set_one(d, form->x, x, "a convolution's input", e) &&
	    set_one(d, form->k, k, "a convolution's kernel", e) && set_one(d, form->y, y, "a convolution's result", e) &&
	    set(d, form->alpha, CUDNN_TYPE_DOUBLE, 1, &one, "a convolution's factor", e) &&
	    set(d, form->beta, CUDNN_TYPE_DOUBLE, 1, &zero, "a convolution's factor", e) &&
	    finalize(d, "the operation of a convolution", e) ? d : NULL;
}

/* y = mode(x), or mode(x, b) */
static cudnnBackendDescriptor_t
pointwise(struct opgraph *g, cudnnPointwiseMode_t mode, cudnnBackendDescriptor_t x, cudnnBackendDescriptor_t b,
    cudnnBackendDescriptor_t y, struct tn_error *e)
{
	static const cudnnDataType_t type = CUDNN_DATA_FLOAT;
	cudnnBackendDescriptor_t how = create(g, CUDNN_BACKEND_POINTWISE_DESCRIPTOR, e), d;

	if (!how || !set(how, CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, 1, &mode, "a function", e) ||
	    !set(how, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, 1, &type, "a function's arithmetic", e) ||
	    !finalize(how, "a function", e))
		return NULL;
	d = create(g, CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR, e);
	return d && set_one(d, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, how, "a function", e) &&
	    set_one(d, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x, "a function's operand", e) &&
	    (!b || set_one(d, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, b, "a function's operand", e)) &&
	    set_one(d, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y, "a function's result", e) &&
	    finalize(d, "the operation of a function", e) ? d : NULL;
}

/* the operations in order; how many, 0 and error */
static int
operations(struct opgraph *g, const struct opgraph_conv *c, cudnnBackendDescriptor_t ops[3], struct tn_error *e)
{
	const int64_t bias[4] = {1, c->y[1], 1, 1};
	cudnnBackendDescriptor_t x = tensor(g, X, c->x, e), k = x ? tensor(g, K, c->k, e) : NULL, from, to, b;
	int n = 0;

	from = k ? tensor(g, c->has_bias || c->has_relu ? PRODUCT : Y, c->y, e) : NULL;
	if (!from || !(ops[n++] = convolution(g, c, x, k, from, e)))
		return 0;
	if (c->has_bias) {
		b = tensor(g, BIAS, bias, e);
		to = b ? tensor(g, c->has_relu ? SUM : Y, c->y, e) : NULL;
		if (!to || !(ops[n++] = pointwise(g, CUDNN_POINTWISE_ADD, from, b, to, e)))
			return 0;
		from = to;
	}
	if (c->has_relu) {
		to = tensor(g, Y, c->y, e);
		if (!to || !(ops[n++] = pointwise(g, CUDNN_POINTWISE_RELU_FWD, from, NULL, to, e)))
			return 0;
	}
	return n;
}

/* ---- plans -------------------------------------------------------------------------------------------------------- */

/* the whole graph, finalised; NULL and error: cuDNN has no engine for such a graph, or a call failed */
static cudnnBackendDescriptor_t
whole(struct opgraph *g, const struct opgraph_device *device, const struct opgraph_conv *c, struct tn_error *e)
{
	cudnnBackendDescriptor_t ops[3], d;
	int n = operations(g, c, ops, e);

	d = n ? create(g, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, e) : NULL;
	return d && set(d, CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, n, ops, "a graph's operations", e) &&
	    (device->properties ||
	    set(d, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &device->handle, "a graph's device", e)) &&
	    finalize(d, "a graph", e) ? d : NULL;
}

/* Does the engine keep to the arithmetic that was asked for? */
static bool
keeps_to(cudnnBackendDescriptor_t engine, bool tf32)
{
	cudnnBackendNumericalNote_t note[CUDNN_NUMERICAL_NOTE_TYPE_COUNT];
	int64_t n = 0, i;

	if (cudnnBackendGetAttribute(engine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE,
	    CUDNN_NUMERICAL_NOTE_TYPE_COUNT, &n, note) != CUDNN_STATUS_SUCCESS)
		return false;
	for (i = 0; i < n && i < CUDNN_NUMERICAL_NOTE_TYPE_COUNT; i++)
		if (note[i] == CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS || note[i] == CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION ||
		    note[i] == CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13 || (note[i] == CUDNN_NUMERICAL_NOTE_TENSOR_CORE && !tf32))
			return false;
	return true;
}

static bool
get_one(cudnnBackendDescriptor_t d, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, void *value)
{
	int64_t n = 0;

	return cudnnBackendGetAttribute(d, name, type, 1, &n, value) == CUDNN_STATUS_SUCCESS && n == 1;
}

/* destroy what was created after the first n */
static void
cut(struct opgraph *g, uint32_t n)
{
	while (g->descriptor.n > n)
		cudnnBackendDestroyDescriptor(g->descriptor.at[--g->descriptor.n]);
}

/* a plan of the configuration in *p; false: it may not be used, or does not finalise */
static bool
plan(struct opgraph *g, const struct opgraph_device *device, cudnnBackendDescriptor_t config, size_t workspace,
    struct opgraph_plan *p)
{
	struct tn_error e;
	cudnnBackendDescriptor_t engine = create(g, CUDNN_BACKEND_ENGINE_DESCRIPTOR, &e);

	if (!engine || !get_one(config, CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR, &engine) ||
	    !get_one(engine, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, &p->engine) || !keeps_to(engine, device->tf32))
		return false;
	p->plan = create(g, CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, &e);
	return p->plan && (device->properties ?
	    set_one(p->plan, CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, device->properties, "a plan's device", &e) :
	    set(p->plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1, &device->handle, "a plan's device", &e)) &&
	    set_one(p->plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config, "a plan's engine", &e) &&
	    finalize(p->plan, "a plan", &e) &&
	    get_one(p->plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, &p->workspace) && p->workspace >= 0 &&
	    (uint64_t)p->workspace <= workspace;
}

/* add the plans of what the heuristic says; false and error: a call failed */
static bool
ask(struct opgraph *g, const struct opgraph_device *device, cudnnBackendDescriptor_t graph, cudnnBackendHeurMode_t mode,
    size_t workspace, struct tn_error *e)
{
	cudnnBackendDescriptor_t d = create(g, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, e), config[CONFIGS];
	int64_t n, i;
	uint32_t before;

	if (!d || !set_one(d, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph, "a heuristic's graph", e) ||
	    !set(d, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode, "a heuristic's mode", e) ||
	    (device->properties && !set_one(d, CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, device->properties, "a heuristic's device", e)) ||
	    !finalize(d, "a heuristic", e))
		return false;
	for (i = 0; i < CONFIGS; i++)
		if (!(config[i] = create(g, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, e)))
			return false;
	if (!dnn_ok(cudnnBackendGetAttribute(d, CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, CONFIGS, &n, config),
	    "a heuristic's answer", e))
		return false;
	for (i = 0; i < n && i < CONFIGS && g->nplan < OPGRAPH_PLANS; i++) {
		before = g->descriptor.n;
		if (plan(g, device, config[i], workspace, &g->plan[g->nplan]))
			g->nplan++;
		else
			cut(g, before);
	}
	return true;
}

bool
opgraph_make(struct opgraph *g, const struct opgraph_device *device, const struct opgraph_conv *c, size_t workspace,
    struct tn_error *e)
{
	cudnnBackendDescriptor_t graph;

	*g = (struct opgraph){.has_bias = c->has_bias};
	graph = whole(g, device, c, e);
	if (!graph)
		return false;
	/* the heuristic may refuse a graph that the other one has an engine for */
	tn_fail(e, TN_E_INPUT, "cuDNN has no plan for such a graph");
	return (ask(g, device, graph, CUDNN_HEUR_MODE_A, workspace, e) && g->nplan) ||
	    (ask(g, device, graph, CUDNN_HEUR_MODE_FALLBACK, workspace, e) && g->nplan);
}

void
opgraph_free(struct opgraph *g)
{
	cut(g, 0);
	vec_free(&g->descriptor);
	g->nplan = 0;
}

void
opgraph_keep(struct opgraph *g, int which)
{
	uint32_t i, n = 0;
	int k;

	for (i = 0; i < g->descriptor.n; i++) {
		for (k = 0; k < g->nplan && (k == which || g->plan[k].plan != g->descriptor.at[i]); k++)
			;
		if (k < g->nplan)
			cudnnBackendDestroyDescriptor(g->descriptor.at[i]);
		else
			g->descriptor.at[n++] = g->descriptor.at[i];
	}
	g->descriptor.n = n;
	g->plan[0] = g->plan[which];
	g->nplan = 1;
}

cudnnBackendDescriptor_t
opgraph_pack(const struct opgraph *g, void *const at[4], void *work, struct tn_error *e)
{
	const int64_t uid[4] = {X, K, Y, BIAS};
	void *const address[4] = {at[0], at[1], at[3], at[2]};
	cudnnBackendDescriptor_t d = NULL;

	if (!dnn_ok(cudnnBackendCreateDescriptor(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, &d), "no descriptor", e))
		return NULL;
	if (set(d, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, g->has_bias ? 4 : 3, uid, "names of addresses", e) &&
	    set(d, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, g->has_bias ? 4 : 3, address, "addresses", e) &&
	    set(d, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &work, "a workspace", e) && finalize(d, "addresses", e))
		return d;
	cudnnBackendDestroyDescriptor(d);
	return NULL;
}
