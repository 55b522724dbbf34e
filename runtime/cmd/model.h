/* A model from a file, .onnx or .graph, and back to one. */
#ifndef CMD_MODEL_H
#define CMD_MODEL_H

#include "base/buf.h"
#include "tenon/tenon.h"

struct model {
	struct tn_onnx *onnx;		/* NULL for a .graph */
	struct tn_graph *own;		/* NULL for an .onnx */
	struct buf text;		/* of a .graph */
	const struct tn_graph *graph;	/* either's */
};

bool model_read(struct model *, struct tn_ctx *, const struct tn_program *, const char *path, const struct tn_onnx_options *,
    struct tn_error *);
/* Does a path's ending ask for ONNX?  .graph, and standard output, are text. */
bool is_onnx_path(const char *path);
/* Write g, derived from the model, in the form that the path's ending asks for. */
bool model_write(const struct model *, const struct tn_graph *g, const char *path, struct tn_error *);
/* The text that was read, as it was; the file may be another one by now, or a pipe that is empty. */
bool model_write_text(const struct model *, const char *path, struct tn_error *);
void model_close(struct model *);

#endif
