/* Files mapped for reading: see file.h. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "onnx/file.h"

bool
file_map(const char *path, struct span *out, struct tn_error *e)
{
	struct stat st;
	void *at = NULL;
	int fd = open(path, O_RDONLY | O_CLOEXEC), error;

	if (fd < 0)
		return tn_fail(e, TN_E_IO, "%s: %s", path, strerror(errno));
	if (fstat(fd, &st) < 0) {
		error = errno;
		close(fd);
		return tn_fail(e, TN_E_IO, "%s: %s", path, strerror(error));
	}
	if (!S_ISREG(st.st_mode)) {
		close(fd);
		return tn_fail(e, TN_E_IO, "%s: not a regular file", path);
	}
	if (st.st_size > 0)
		at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	error = errno;
	close(fd);
	if (at == MAP_FAILED)
		return tn_fail(e, TN_E_IO, "%s: %s", path, strerror(error));
	*out = (struct span){at, (size_t)st.st_size};
	return true;
}

void
file_unmap(struct span *s)
{
	if (s->n)
		munmap((void *)(uintptr_t)s->at, s->n);
	*s = (struct span){0};
}

size_t
file_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}
