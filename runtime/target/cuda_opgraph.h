/*
 * Convolutions as operation graphs of cuDNN (cudnn_backend.h): which plans there are for one, and running one.
 *
 * Nothing here knows kernels, jobs or the target's memory: what is computed is y = relu(conv(x, k) + bias) over row-major
 * tensors of f32.
 */
#ifndef TARGET_CUDA_OPGRAPH_H
#define TARGET_CUDA_OPGRAPH_H

#include <cudnn.h>
#include <cudnn_backend.h>

#include "base/vec.h"
#include "tenon/tenon.h"

/* For whom plans are made. */
struct opgraph_device {
	cudnnHandle_t handle;
	/* NULL, or, where there is no handle, what cuDNN 9.8 takes for a device that is not there: such plans cannot run. */
	cudnnBackendDescriptor_t properties;
	bool tf32;			/* may products be computed in TF32? */
};

struct opgraph_conv {
	int64_t x[4], k[4], y[4];	/* extents */
	int64_t strides[2], dilations[2], before[2], after[2];
	bool is_transposed;		/* y is what the gradient of x would be: a convolution the other way */
	bool has_bias, has_relu;
};

struct opgraph_plan {
	cudnnBackendDescriptor_t plan;
	int64_t workspace, engine;
};

/* Descriptors refer to one another: all of a graph's live until it is freed. */
enum { OPGRAPH_PLANS = 6 };
struct opgraph {
	VEC(cudnnBackendDescriptor_t) descriptor;
	bool has_bias;
	int nplan;			/* cuDNN's heuristics put the likely fastest first */
	struct opgraph_plan plan[OPGRAPH_PLANS];
};

/*
 * Make the graph and those plans that cuDNN finalises, that want at most so many bytes of workspace, and that keep to f32 or
 * TF32 as is asked.  False and error: there is none, or a call failed; free it all the same.
 */
bool opgraph_make(struct opgraph *, const struct opgraph_device *, const struct opgraph_conv *, size_t workspace,
    struct tn_error *);
void opgraph_free(struct opgraph *);
/* Keep plan i alone, as plan 0. */
void opgraph_keep(struct opgraph *, int i);

/* Addresses for one run: x, k, bias or NULL, y and the workspace.  NULL and error. */
cudnnBackendDescriptor_t opgraph_pack(const struct opgraph *, void *const at[4], void *work, struct tn_error *);

#endif
