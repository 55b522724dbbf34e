/*
 * cuDNN's graph API as far as the CUDA target calls it: descriptors keep what is set, what the library would refuse is
 * refused, and plans are computed element by element.
 *
 * What engines there are is made up, so that each turn of the target's choice is taken; see `engines`.
 */
#include <cudnn.h>
#include <cudnn_backend.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tests/stand-in/stand_in.h"

enum { ATTRIBUTES = 16, LONGEST = 16 };

/* Which attributes a descriptor may have, of which type and how many elements. */
struct form {
	cudnnBackendDescriptorType_t of;
	cudnnBackendAttributeName_t name;
	cudnnBackendAttributeType_t type;
	int64_t least, most;
};
static const struct form forms[] = {
	{CUDNN_BACKEND_TENSOR_DESCRIPTOR, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, 1},
	{CUDNN_BACKEND_TENSOR_DESCRIPTOR, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 4, 4},
	{CUDNN_BACKEND_TENSOR_DESCRIPTOR, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, 4, 4},
	{CUDNN_BACKEND_TENSOR_DESCRIPTOR, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, 1},
	{CUDNN_BACKEND_TENSOR_DESCRIPTOR, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, 1},
	{CUDNN_BACKEND_TENSOR_DESCRIPTOR, CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1, 1},
	{CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, 1},
	{CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1, 1},
	{CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, 1, 1},
	{CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, 2, 2},
	{CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, 2, 2},
	{CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, 2, 2},
	{CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, 2, 2},
#define CONVOLUTION(of, x, k, y, conv, alpha, beta) \
	{of, x, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, 1}, {of, k, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, 1}, \
	{of, y, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, 1}, {of, conv, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, 1}, \
	{of, alpha, CUDNN_TYPE_DOUBLE, 1, 1}, {of, beta, CUDNN_TYPE_DOUBLE, 1, 1}
	CONVOLUTION(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
	    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
	    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
	    CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA),
	CONVOLUTION(CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
	    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
	    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
	    CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA),
	{CUDNN_BACKEND_POINTWISE_DESCRIPTOR, CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, 1, 1},
	{CUDNN_BACKEND_POINTWISE_DESCRIPTOR, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, 1, 1},
	{CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, 1},
	{CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, 1},
	{CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, 0, 1},
	{CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, 1},
	{CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, 3},
	{CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, 1},
	{CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, 1},
	{CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, 1},
	{CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1, 1},
	{CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, 1},
	{CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, 3, 4},
	{CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, 3, 4},
	{CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, 1},
};

struct descriptor {
	cudnnBackendDescriptorType_t type;
	bool is_final;
	int nattr;
	struct {
		const struct form *form;
		int64_t n;
		char value[LONGEST * 8];
	} attr[ATTRIBUTES];
	int engine;			/* of a configuration, an engine and a plan */
	struct descriptor *graph;	/* of a configuration */
};

/*
 * The engines: one whose plans do not finalise, one that is fastest and rounds its inputs to TF32, one that wants more
 * memory than there is, a good one, and a slower one that only the fallback knows.
 *
 * The heuristic knows the first three alone where the input's height is odd, and is refused where that is a multiple of 7.  No
 * engine takes an activation without a bias, a bias behind a transposed convolution, or a number of channels of the result that
 * is a multiple of 5.
 */
static const struct {
	int64_t memory;
	double us;
	bool finalises, is_tf32;
} engines[] = {{0, 1, false, false}, {0, 2, true, true}, {INT64_MAX / 4, 1, true, false}, {1024, 10, true, false}, {2048, 12, true, false}};
enum { BROKEN, ROUNDING, GREEDY, GOOD, SLOW };

static const struct form *
form_of(cudnnBackendDescriptorType_t of, cudnnBackendAttributeName_t name)
{
	size_t i;

	for (i = 0; i < sizeof forms / sizeof *forms; i++)
		if (forms[i].of == of && forms[i].name == name)
			return &forms[i];
	return NULL;
}

static size_t
size_of(cudnnBackendAttributeType_t type)
{
	switch (type) {
	case CUDNN_TYPE_BOOLEAN: return sizeof(bool);
	case CUDNN_TYPE_DATA_TYPE: return sizeof(cudnnDataType_t);
	case CUDNN_TYPE_CONVOLUTION_MODE: return sizeof(cudnnConvolutionMode_t);
	case CUDNN_TYPE_POINTWISE_MODE: return sizeof(cudnnPointwiseMode_t);
	case CUDNN_TYPE_HEUR_MODE: return sizeof(cudnnBackendHeurMode_t);
	default: return 8;
	}
}

/* ---- reading descriptors ------------------------------------------------------------------------------------------ */

/* NULL: it was not set */
static const void *
get(const struct descriptor *d, cudnnBackendAttributeName_t name)
{
	int i;

	for (i = 0; i < d->nattr; i++)
		if (d->attr[i].form->name == name)
			return d->attr[i].value;
	return NULL;
}

static int64_t
count(const struct descriptor *d, cudnnBackendAttributeName_t name)
{
	int i;

	for (i = 0; i < d->nattr; i++)
		if (d->attr[i].form->name == name)
			return d->attr[i].n;
	return 0;
}

static struct descriptor *
get_descriptor(const struct descriptor *d, cudnnBackendAttributeName_t name, int i)
{
	struct descriptor *const *at = get(d, name);

	return at ? at[i] : NULL;
}

static int
get_int(const struct descriptor *d, cudnnBackendAttributeName_t name, int i)
{
	return (int)((const int64_t *)get(d, name))[i];
}

static struct shape
shape_of(const struct descriptor *tensor)
{
	struct shape s;
	int i;

	for (i = 0; i < 4; i++)
		s.d[i] = get_int(tensor, CUDNN_ATTR_TENSOR_DIMENSIONS, i);
	return s;
}

static int
elements(const struct shape *s)
{
	return s->d[0] * s->d[1] * s->d[2] * s->d[3];
}

/* An operation's parts; the other way, x is the result. */
struct operation {
	bool is_backward;
	struct descriptor *x, *k, *y, *conv;
};
static struct operation
operation_of(const struct descriptor *d)
{
	if (d->type == CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR)
		return (struct operation){false, get_descriptor(d, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, 0),
		    get_descriptor(d, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, 0),
		    get_descriptor(d, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, 0),
		    get_descriptor(d, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, 0)};
	return (struct operation){true, get_descriptor(d, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, 0),
	    get_descriptor(d, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, 0),
	    get_descriptor(d, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, 0),
	    get_descriptor(d, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC, 0)};
}

static struct window
window_of(const struct operation *o)
{
	struct window w;
	int i;

	for (i = 0; i < 2; i++) {
		w.stride[i] = get_int(o->conv, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, i);
		w.dilation[i] = get_int(o->conv, CUDNN_ATTR_CONVOLUTION_DILATIONS, i);
		w.before[i] = get_int(o->conv, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, i);
		w.after[i] = get_int(o->conv, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, i);
	}
	w.groups = shape_of(o->x).d[1] / shape_of(o->k).d[1];
	return w;
}

/* what an operation makes */
static struct descriptor *
result_of(const struct descriptor *d)
{
	struct operation o;

	if (d->type == CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR)
		return get_descriptor(d, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, 0);
	o = operation_of(d);
	return o.is_backward ? o.x : o.y;
}

/* ---- what is refused ---------------------------------------------------------------------------------------------- */

static bool
is_packed(const struct descriptor *d)
{
	struct shape s = shape_of(d);
	int64_t step = 1;
	int i;

	for (i = 3; i >= 0; step *= s.d[i--])
		if (s.d[i] < 1 || get_int(d, CUDNN_ATTR_TENSOR_STRIDES, i) != step)
			return false;
	return *(const cudnnDataType_t *)get(d, CUDNN_ATTR_TENSOR_DATA_TYPE) == CUDNN_DATA_FLOAT;
}

static bool
is_convolution(const struct descriptor *d)
{
	struct operation o = operation_of(d);
	struct shape x = shape_of(o.x), k = shape_of(o.k), y = shape_of(o.y);
	struct window w = window_of(&o);
	double one = 0, zero = 1;

	memcpy(&one, get(d, o.is_backward ? CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA : CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA),
	    sizeof one);
	memcpy(&zero, get(d, o.is_backward ? CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA : CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA),
	    sizeof zero);
	return one == 1 && zero == 0 && conv_fits(&x, &k, &y, &w);
}

/* every window as the target describes it: two axes, f32, no padding below 0 */
static bool
is_window(const struct descriptor *d)
{
	int i;

	for (i = 0; i < 2; i++)
		if (get_int(d, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, i) < 1 || get_int(d, CUDNN_ATTR_CONVOLUTION_DILATIONS, i) < 1 ||
		    get_int(d, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, i) < 0 || get_int(d, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, i) < 0)
			return false;
	return get_int(d, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, 0) == 2 &&
	    *(const cudnnConvolutionMode_t *)get(d, CUDNN_ATTR_CONVOLUTION_CONV_MODE) == CUDNN_CROSS_CORRELATION &&
	    *(const cudnnDataType_t *)get(d, CUDNN_ATTR_CONVOLUTION_COMP_TYPE) == CUDNN_DATA_FLOAT;
}

static bool
is_function(const struct descriptor *d)
{
	struct shape x = shape_of(get_descriptor(d, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, 0)), b;
	struct shape y = shape_of(get_descriptor(d, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, 0));
	const struct descriptor *operand = get_descriptor(d, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, 0);

	if (memcmp(&x, &y, sizeof x) != 0)
		return false;
	if (!operand)
		return true;
	b = shape_of(operand);
	return b.d[0] == 1 && b.d[1] == x.d[1] && b.d[2] == 1 && b.d[3] == 1;
}

/* each operation reads what the one before it makes, and the last one's result alone lies in memory */
static bool
is_graph(const struct descriptor *d)
{
	int64_t n = count(d, CUDNN_ATTR_OPERATIONGRAPH_OPS), i;

	for (i = 0; i < n; i++) {
		const struct descriptor *op = get_descriptor(d, CUDNN_ATTR_OPERATIONGRAPH_OPS, (int)i);

		if (*(const bool *)get(result_of(op), CUDNN_ATTR_TENSOR_IS_VIRTUAL) != (i < n - 1) ||
		    (op->type == CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR) != (i > 0) ||
		    (i && get_descriptor(op, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, 0) !=
		    result_of(get_descriptor(d, CUDNN_ATTR_OPERATIONGRAPH_OPS, (int)i - 1))))
			return false;
	}
	return true;
}

/* has the heuristic a word on graphs as this one? */
static bool
is_known(const struct descriptor *d)
{
	const struct descriptor *graph = get_descriptor(d, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, 0);
	struct operation o = operation_of(get_descriptor(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, 0));

	return *(const cudnnBackendHeurMode_t *)get(d, CUDNN_ATTR_ENGINEHEUR_MODE) == CUDNN_HEUR_MODE_FALLBACK ||
	    shape_of(o.is_backward ? o.y : o.x).d[2] % 7;
}

static cudnnStatus_t
check(const struct descriptor *d)
{
	const struct descriptor *config;

	switch (d->type) {
	case CUDNN_BACKEND_TENSOR_DESCRIPTOR:
		return is_packed(d) ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
	case CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR:
		return is_window(d) ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
	case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
	case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
		return is_convolution(d) ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
	case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR:
		return is_function(d) ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
	case CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR:
		return is_graph(d) ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
	case CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR:
		return is_known(d) ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
	case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR:
		config = get_descriptor(d, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, 0);
		return engines[config->engine].finalises ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
	default:
		return CUDNN_STATUS_SUCCESS;
	}
}

/* ---- the calls ---------------------------------------------------------------------------------------------------- */

#define CALL(status) do { stand_in.graph_calls++; if (stand_in_fails()) return status; } while (0)

cudnnStatus_t
cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type, cudnnBackendDescriptor_t *out)
{
	struct descriptor *d;

	CALL(CUDNN_STATUS_INTERNAL_ERROR);
	d = calloc(1, sizeof *d);
	d->type = type;
	d->engine = -1;
	stand_in.live++;
	*out = d;
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t descriptor)
{
	stand_in.live--;
	free(descriptor);
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnBackendSetAttribute(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int64_t n,
    const void *values)
{
	struct descriptor *d = descriptor;
	const struct form *form = form_of(d->type, name);
	struct descriptor *const *kid = values;
	int64_t i;

	CALL(CUDNN_STATUS_BAD_PARAM);
	if (!form)
		stand_in_refuse("an attribute of another descriptor");
	if (d->is_final || form->type != type || n < form->least || n > form->most || !values || get(d, name))
		return CUDNN_STATUS_BAD_PARAM;
	for (i = 0; type == CUDNN_TYPE_BACKEND_DESCRIPTOR && i < n; i++)
		if (!kid[i]->is_final)
			return CUDNN_STATUS_BAD_PARAM;
	d->attr[d->nattr].form = form;
	d->attr[d->nattr].n = n;
	memcpy(d->attr[d->nattr++].value, values, (size_t)n * size_of(type));
	return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnBackendFinalize(cudnnBackendDescriptor_t descriptor)
{
	struct descriptor *d = descriptor;
	cudnnStatus_t s;
	size_t i;

	CALL(CUDNN_STATUS_INTERNAL_ERROR);
	for (i = 0; i < sizeof forms / sizeof *forms; i++)
		if (forms[i].of == d->type && forms[i].least && !get(d, forms[i].name))
			return CUDNN_STATUS_BAD_PARAM;
	s = check(d);
	d->is_final = s == CUDNN_STATUS_SUCCESS;
	if (d->is_final && d->type == CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR)
		d->engine = get_descriptor(d, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, 0)->engine;
	return s;
}

/* the engines that a heuristic names for its graph; how many */
static int
heuristic(const struct descriptor *d, int out[])
{
	const struct descriptor *graph = get_descriptor(d, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, 0);
	const struct descriptor *first = get_descriptor(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, 0), *second;
	struct operation o = operation_of(first);
	int64_t n = count(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS);
	bool knows_good = shape_of(o.is_backward ? o.y : o.x).d[2] % 2 == 0;
	int i;

	second = n > 1 ? get_descriptor(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, 1) : NULL;
	if (shape_of(result_of(first)).d[1] % 5 == 0 ||
	    (second && (o.is_backward || !get(second, CUDNN_ATTR_OPERATION_POINTWISE_BDESC))))
		return 0;
	if (*(const cudnnBackendHeurMode_t *)get(d, CUDNN_ATTR_ENGINEHEUR_MODE) == CUDNN_HEUR_MODE_FALLBACK) {
		out[0] = SLOW;
		return 1;
	}
	for (i = 0; i <= (knows_good ? GOOD : GREEDY); i++)
		out[i] = i;
	return i;
}

cudnnStatus_t
cudnnBackendGetAttribute(cudnnBackendDescriptor_t const descriptor, cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
    int64_t most, int64_t *n, void *values)
{
	struct descriptor *d = descriptor, **to = values;
	int engine[sizeof engines / sizeof *engines], i;

	CALL(CUDNN_STATUS_BAD_PARAM);
	(void)type;
	*n = 1;
	switch (name) {
	case CUDNN_ATTR_ENGINEHEUR_RESULTS:
		*n = heuristic(d, engine);
		for (i = 0; i < *n && i < most; i++) {
			to[i]->engine = engine[i];
			to[i]->graph = get_descriptor(d, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, 0);
			to[i]->is_final = true;
		}
		return d->is_final ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
	case CUDNN_ATTR_ENGINECFG_ENGINE:
		to[0]->engine = d->engine;
		return d->engine >= 0 ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
	case CUDNN_ATTR_ENGINE_GLOBAL_INDEX:
		*(int64_t *)values = d->engine;
		return CUDNN_STATUS_SUCCESS;
	case CUDNN_ATTR_ENGINE_NUMERICAL_NOTE:
		*n = engines[d->engine].is_tf32;
		if (*n)
			*(cudnnBackendNumericalNote_t *)values = CUDNN_NUMERICAL_NOTE_TENSOR_CORE;
		return CUDNN_STATUS_SUCCESS;
	case CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE:
		*(int64_t *)values = engines[d->engine].memory;
		return d->is_final ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
	default:
		stand_in_refuse("an attribute that is not asked for");
	}
}

/* ---- running a plan ----------------------------------------------------------------------------------------------- */

/* where the tensor lies; NULL: it is not in the pack, or not aligned as it says */
static float *
address(const struct descriptor *pack, const struct descriptor *tensor)
{
	int64_t n = count(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS), i;
	void *const *at = get(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);

	if (n != count(pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS))
		return NULL;
	for (i = 0; i < n; i++)
		if (get_int(pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, (int)i) == get_int(tensor, CUDNN_ATTR_TENSOR_UNIQUE_ID, 0))
			return (uintptr_t)at[i] % (uintptr_t)get_int(tensor, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, 0) ? NULL : at[i];
	return NULL;
}

/* the inputs as a tensor core reads them: ten bits of a fraction */
static float *
rounded(const float *v, int n)
{
	float *to = malloc(((size_t)n + 1) * sizeof *to);
	uint32_t bits;
	int i;

	for (i = 0; i < n; i++) {
		memcpy(&bits, &v[i], sizeof bits);
		bits &= 0xffffe000;
		memcpy(&to[i], &bits, sizeof bits);
	}
	return to;
}

/* y = f(y, b) */
static bool
apply(const struct descriptor *op, const struct descriptor *pack, const struct shape *s, float *y)
{
	const struct descriptor *how = get_descriptor(op, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, 0);
	const struct descriptor *operand = get_descriptor(op, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, 0);
	const float *b = operand ? address(pack, operand) : NULL;
	int i, n = elements(s);

	if (operand && !b)
		return false;
	for (i = 0; i < n; i++)
		switch (*(const cudnnPointwiseMode_t *)get(how, CUDNN_ATTR_POINTWISE_MODE)) {
		case CUDNN_POINTWISE_ADD: y[i] += b[i / (s->d[2] * s->d[3]) % s->d[1]]; break;
		case CUDNN_POINTWISE_RELU_FWD: y[i] = y[i] < 0 ? 0 : y[i]; break;
		default: return false;
		}
	return true;
}

cudnnStatus_t
cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t executionPlan, cudnnBackendDescriptor_t variantPack)
{
	struct descriptor *plan = executionPlan, *pack = variantPack, *graph, *first;
	struct operation o;
	struct shape x, k, y;
	struct window w;
	float *at[3], *in, *by;
	int i;

	CALL(CUDNN_STATUS_EXECUTION_FAILED);
	if (stand_in.is_pending)
		return CUDNN_STATUS_EXECUTION_FAILED;
	if (!handle || !plan->is_final || !pack->is_final)
		return CUDNN_STATUS_BAD_PARAM;
	graph = get_descriptor(plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, 0)->graph;
	first = get_descriptor(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, 0);
	o = operation_of(first);
	x = shape_of(o.x), k = shape_of(o.k), y = shape_of(o.y);
	w = window_of(&o);
	i = (int)count(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS) - 1;
	/* what is virtual is computed where the last result lies */
	at[0] = address(pack, o.is_backward ? o.y : o.x);
	at[1] = address(pack, o.k);
	at[2] = address(pack, result_of(get_descriptor(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, i)));
	if (!at[0] || !at[1] || !at[2] || (engines[plan->engine].memory && !*(void *const *)get(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE)))
		return CUDNN_STATUS_BAD_PARAM;
	in = engines[plan->engine].is_tf32 ? rounded(at[0], elements(o.is_backward ? &y : &x)) : at[0];
	by = engines[plan->engine].is_tf32 ? rounded(at[1], elements(&k)) : at[1];
	conv_compute(&x, o.is_backward ? at[2] : in, &k, by, &y, o.is_backward ? in : at[2], &w, o.is_backward);
	if (engines[plan->engine].is_tf32)
		free(in), free(by);
	for (i = 1; i < count(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS); i++)
		if (!apply(get_descriptor(graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, i), pack, &y, at[2]))
			return CUDNN_STATUS_BAD_PARAM;
	stand_in.clock_us += engines[plan->engine].us;
	return CUDNN_STATUS_SUCCESS;
}
