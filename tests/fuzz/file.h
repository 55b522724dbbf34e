/* Bytes as a file, for readers that want a path. */
#ifndef TESTS_FUZZ_FILE_H
#define TESTS_FUZZ_FILE_H

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* the bytes' path, as long as the descriptor, which is to be closed, is open */
static int
make_file(const void *data, size_t size, char path[64])
{
	int fd = memfd_create("input", MFD_CLOEXEC);

	if (fd < 0 || (size && write(fd, data, size) != (ssize_t)size))
		__builtin_trap();
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	return fd;
}

#endif
