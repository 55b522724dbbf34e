/* The data of tensors: in the file itself, in typed fields, or in files beside the model. */
#ifndef ONNX_TENSOR_H
#define ONNX_TENSOR_H

#include "base/dtype.h"
#include "onnx/model.h"

struct tensor_file {
	char *path;
	struct span bytes;
};

/* Mapped files that tensors lie in. */
struct tensor_files {
	const char *folder;	/* of the model, with its slash, or "" */
	VEC(struct tensor_file) file;
};

/* A tensor's bytes: row-major, little-endian; may be unaligned. */
struct tensor_data {
	const void *at;
	size_t n;
	bool is_owned;		/* from mem_alloc; else borrowed */
};

/* Is its data one that tensor_read reads? */
bool tensor_is_known(const struct onnx_tensor *);
/* False: error, where the data is not there, is too short or too long. STRING tensors have none. */
bool tensor_read(struct tensor_files *, const struct onnx_tensor *, struct tensor_data *, struct tn_error *);
void tensor_files_free(struct tensor_files *);

#endif
