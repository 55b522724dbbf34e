/* Rule files compiled and loaded while a test runs. */
#ifndef TESTS_COMPILED_H
#define TESTS_COMPILED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tenon/compile.h"

/* The program of a rule file, compiled with a cache of its own; ends the test if that fails. */
static inline const struct tn_program *
compiled_program(const char *path)
{
	static char cache[] = "/tmp/tenon-test.XXXXXX";
	const struct tn_program *p;
	struct tn_error e;
	char command[64];

	if (!mkdtemp(cache))
		exit(2);
	setenv("XDG_CACHE_HOME", cache, 1);
	setenv("TENON_INCLUDE", "runtime/include", 1);
	p = tn_program_load(&path, 1, NULL, stdout, &e);
	snprintf(command, sizeof command, "rm -r %s", cache);
	if (system(command) != 0 || !p) {
		printf("%s: %s\n", path, p ? "its cache cannot be removed" : e.msg);
		exit(2);
	}
	strcpy(strrchr(cache, '.'), ".XXXXXX");
	return p;
}

#endif
