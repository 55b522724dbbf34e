/*
 * Forms that ONNX has no one operator for in an opset, and the parts they are written as: a convolution
 * and its activation, hard swish before opset 14, gelu before opset 20, an expand that turns axes.  The
 * same code takes nodes of a graph apart and e-nodes, so that what is priced is what is written.
 */
#ifndef ONNX_APART_H
#define ONNX_APART_H

#include "onnx/onnx.h"

/* Where the node stands and its parts are made: a graph or an e-graph, ids being nodes or classes. */
struct apart {
	struct tn_ctx *ctx;
	const struct tn_program *program;
	int64_t opset;
	void *arg;
	/* TN_NONE: it cannot be made */
	uint32_t (*make)(void *arg, unsigned op, tn_attrs, const uint32_t kid[], int nkid);
	uint32_t (*fill)(void *arg, double, tn_type);
	tn_type (*type)(void *arg, uint32_t);
	bool (*is_zero)(void *arg, uint32_t);
};

/* Is the declared node written as more than one? */
bool apart_must(const struct apart *, unsigned op, tn_attrs, const uint32_t kid[], int nkid);
/* The value of its parts, where it must; TN_NONE: one of them cannot be made. */
uint32_t apart_make(const struct apart *, unsigned op, tn_attrs, const uint32_t kid[], int nkid);

/* The opset of what a model is written as; without a model that of tn_onnx_export. */
enum { EXPORT_OPSET = 17 };
static inline int64_t
apart_opset(const struct tn_onnx *x)
{
	return x ? x->opset : EXPORT_OPSET;
}

#endif
