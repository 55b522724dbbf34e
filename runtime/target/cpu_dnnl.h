/*
 * oneDNN 2 and 3 under one set of names: descriptions of memory, and descriptors of the primitives that are used.
 *
 * Version 2 describes an operator first and makes a primitive descriptor of it; version 3 does both in one call.  There a
 * description of memory is a handle, here a struct.
 */
#ifndef TARGET_CPU_DNNL_H
#define TARGET_CPU_DNNL_H

#include <oneapi/dnnl/dnnl.h>

/* Strides, dilations and padding of a window, as oneDNN counts them: no dilation is 0. */
struct window {
	dnnl_dims_t kernel, strides, dilates, before, after;
};

#if DNNL_VERSION_MAJOR >= 3

typedef const_dnnl_memory_desc_t described;	/* as functions take it */
# define DESCRIBED(md) (md)

static inline dnnl_status_t
md_strided(dnnl_memory_desc_t *md, int rank, const dnnl_dims_t dims, const dnnl_dims_t strides)
{
	return dnnl_memory_desc_create_with_strides(md, rank, dims, dnnl_f32, strides);
}

static inline dnnl_status_t
md_any(dnnl_memory_desc_t *md, int rank, const dnnl_dims_t dims)
{
	return dnnl_memory_desc_create_with_tag(md, rank, dims, dnnl_f32, dnnl_format_tag_any);
}

static inline void
md_free(dnnl_memory_desc_t *md)
{
	if (*md)
		dnnl_memory_desc_destroy(*md);
	*md = NULL;
}

static inline int
md_is_set(const dnnl_memory_desc_t *md)
{
	return *md != NULL;
}

static inline dnnl_status_t
append_eltwise(dnnl_post_ops_t ops, dnnl_alg_kind_t alg)
{
	return dnnl_post_ops_append_eltwise(ops, alg, 0, 0);
}

static inline dnnl_status_t
pd_conv(dnnl_primitive_desc_t *pd, dnnl_engine_t engine, const dnnl_memory_desc_t md[4], const struct window *w,
    dnnl_primitive_attr_t attr)
{
	return dnnl_convolution_forward_primitive_desc_create(pd, engine, dnnl_forward_inference, dnnl_convolution_direct, md[0], md[1],
	    md[2], md[3], w->strides, w->dilates, w->before, w->after, attr);
}

static inline dnnl_status_t
pd_deconv(dnnl_primitive_desc_t *pd, dnnl_engine_t engine, const dnnl_memory_desc_t md[4], const struct window *w,
    dnnl_primitive_attr_t attr)
{
	return dnnl_deconvolution_forward_primitive_desc_create(pd, engine, dnnl_forward_inference, dnnl_deconvolution_direct, md[0],
	    md[1], md[2], md[3], w->strides, w->dilates, w->before, w->after, attr);
}

static inline dnnl_status_t
pd_matmul(dnnl_primitive_desc_t *pd, dnnl_engine_t engine, const dnnl_memory_desc_t md[4], dnnl_primitive_attr_t attr)
{
	return dnnl_matmul_primitive_desc_create(pd, engine, md[0], md[1], md[2], md[3], attr);
}

static inline dnnl_status_t
pd_pool(dnnl_primitive_desc_t *pd, dnnl_engine_t engine, dnnl_alg_kind_t alg, const dnnl_memory_desc_t md[4],
    const struct window *w, dnnl_primitive_attr_t attr)
{
	return dnnl_pooling_forward_primitive_desc_create(pd, engine, dnnl_forward_inference, alg, md[0], md[3], w->strides, w->kernel,
	    w->dilates, w->before, w->after, attr);
}

static inline dnnl_status_t
pd_softmax(dnnl_primitive_desc_t *pd, dnnl_engine_t engine, const dnnl_memory_desc_t md[4], int axis, dnnl_primitive_attr_t attr)
{
	return dnnl_softmax_forward_primitive_desc_create(pd, engine, dnnl_forward_inference, dnnl_softmax_accurate, md[0], md[3], axis,
	    attr);
}

#else

typedef const dnnl_memory_desc_t *described;
# define DESCRIBED(md) (&(md))

static inline dnnl_status_t
md_strided(dnnl_memory_desc_t *md, int rank, const dnnl_dims_t dims, const dnnl_dims_t strides)
{
	return dnnl_memory_desc_init_by_strides(md, rank, dims, dnnl_f32, strides);
}

static inline dnnl_status_t
md_any(dnnl_memory_desc_t *md, int rank, const dnnl_dims_t dims)
{
	return dnnl_memory_desc_init_by_tag(md, rank, dims, dnnl_f32, dnnl_format_tag_any);
}

static inline void
md_free(dnnl_memory_desc_t *md)
{
	md->ndims = 0;
}

static inline int
md_is_set(const dnnl_memory_desc_t *md)
{
	return md->ndims != 0;
}

static inline dnnl_status_t
append_eltwise(dnnl_post_ops_t ops, dnnl_alg_kind_t alg)
{
	return dnnl_post_ops_append_eltwise(ops, 1, alg, 0, 0);
}

static inline dnnl_status_t
pd_conv(dnnl_primitive_desc_t *pd, dnnl_engine_t engine, const dnnl_memory_desc_t md[4], const struct window *w,
    dnnl_primitive_attr_t attr)
{
	dnnl_convolution_desc_t d;
	dnnl_status_t s = dnnl_dilated_convolution_forward_desc_init(&d, dnnl_forward_inference, dnnl_convolution_direct, &md[0], &md[1],
	    md_is_set(&md[2]) ? &md[2] : NULL, &md[3], w->strides, w->dilates, w->before, w->after);

	return s == dnnl_success ? dnnl_primitive_desc_create(pd, &d, attr, engine, NULL) : s;
}

static inline dnnl_status_t
pd_deconv(dnnl_primitive_desc_t *pd, dnnl_engine_t engine, const dnnl_memory_desc_t md[4], const struct window *w,
    dnnl_primitive_attr_t attr)
{
	dnnl_deconvolution_desc_t d;
	dnnl_status_t s = dnnl_dilated_deconvolution_forward_desc_init(&d, dnnl_forward_inference, dnnl_deconvolution_direct, &md[0],
	    &md[1], md_is_set(&md[2]) ? &md[2] : NULL, &md[3], w->strides, w->dilates, w->before, w->after);

	return s == dnnl_success ? dnnl_primitive_desc_create(pd, &d, attr, engine, NULL) : s;
}

static inline dnnl_status_t
pd_matmul(dnnl_primitive_desc_t *pd, dnnl_engine_t engine, const dnnl_memory_desc_t md[4], dnnl_primitive_attr_t attr)
{
	dnnl_matmul_desc_t d;
	dnnl_status_t s = dnnl_matmul_desc_init(&d, &md[0], &md[1], md_is_set(&md[2]) ? &md[2] : NULL, &md[3]);

	return s == dnnl_success ? dnnl_primitive_desc_create(pd, &d, attr, engine, NULL) : s;
}

static inline dnnl_status_t
pd_pool(dnnl_primitive_desc_t *pd, dnnl_engine_t engine, dnnl_alg_kind_t alg, const dnnl_memory_desc_t md[4],
    const struct window *w, dnnl_primitive_attr_t attr)
{
	dnnl_pooling_desc_t d;
	dnnl_status_t s = dnnl_pooling_forward_desc_init(&d, dnnl_forward_inference, alg, &md[0], &md[3], w->strides, w->kernel,
	    w->before, w->after);

	return s == dnnl_success ? dnnl_primitive_desc_create(pd, &d, attr, engine, NULL) : s;
}

static inline dnnl_status_t
pd_softmax(dnnl_primitive_desc_t *pd, dnnl_engine_t engine, const dnnl_memory_desc_t md[4], int axis, dnnl_primitive_attr_t attr)
{
	dnnl_softmax_v2_desc_t d;
	dnnl_status_t s = dnnl_softmax_v2_forward_desc_init(&d, dnnl_forward_inference, dnnl_softmax_accurate, &md[0], &md[3], axis);

	return s == dnnl_success ? dnnl_primitive_desc_create(pd, &d, attr, engine, NULL) : s;
}

#endif
#endif
