/* Files mapped for reading. */
#ifndef ONNX_FILE_H
#define ONNX_FILE_H

#include "onnx/wire.h"
#include "tenon/base.h"

/* The whole file, mapped; an empty file has n == 0.  False: error. */
bool file_map(const char *path, struct span *, struct tn_error *);
void file_unmap(struct span *);
/* Length of the folder part of a path, with its slash; 0: none. */
size_t file_folder(const char *path);

#endif
