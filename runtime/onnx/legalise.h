/* Graphs in forms that ONNX has one operator for. */
#ifndef ONNX_LEGALISE_H
#define ONNX_LEGALISE_H

#include "onnx/onnx.h"

/* The graph, for the model's opset, as a new one that borrows its weights; NULL and error. */
struct tn_graph *legalise(const struct tn_onnx *, const struct tn_graph *, struct tn_error *);

#endif
