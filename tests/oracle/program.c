#include "tests/oracle/program.h"

#include <dlfcn.h>
#include <stdio.h>

#include "tenon/tenon.h"

const struct tn_program *
program_of(int argc, char **argv)
{
	const struct tn_program *p = &tn_builtin;
	void *object;

	if (argc > 2) {
		object = dlopen(argv[1], RTLD_NOW);
		p = object ? dlsym(object, argv[2]) : NULL;
		if (!p)
			printf("%s\n", dlerror());
	}
	return p;
}
