/* Paths, and the files they lead to. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include <stdbool.h>
#include <sys/stat.h>

/* Do both paths lead to one file that is there? */
static inline bool
path_is_same_file(const char *a, const char *b)
{
	struct stat sa, sb;

	return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

#endif
