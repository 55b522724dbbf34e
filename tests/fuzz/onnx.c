/* Reading any bytes as a model, and writing what was read, unchanged and raised anew. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "onnx/onnx.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

/* the model's bytes as a file; its path, and the descriptor to close */
static int
make_file(const uint8_t *data, size_t size, char path[64])
{
	int fd = memfd_create("model", MFD_CLOEXEC);

	if (fd < 0 || (size && write(fd, data, size) != (ssize_t)size))
		__builtin_trap();
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return fd;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tn_ctx *ctx = tn_ctx_new();
	struct tn_error e = {0};
	char path[64];
	int fd = make_file(data, size, path);
	struct tn_onnx *x = tn_onnx_open(ctx, &tn_builtin, path, NULL, &e);

	if (!x && e.msg[0] == '\0')
		__builtin_trap();
	if (x) {
		tn_onnx_write(x, tn_onnx_graph(x), "/dev/null", &e);
		onnx_write_anew(x, tn_onnx_graph(x), "/dev/null", &e);
	}
	tn_onnx_close(x);
	tn_ctx_free(ctx);
	close(fd);
	return 0;
}
