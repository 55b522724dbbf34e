/* Optimizers that tenonc makes: tenon optimize as a program of its own, with rules and costs compiled in. */
#include <inttypes.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/optimize.h"

/* how it was called, without folders */
static const char *
own_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* what it was made of, and whose costs it has */
static void
print_version(const struct tn_optimizer *o, const char *name)
{
	printf("%s: Tenon %s, rules compiled by %s\n", name, tn_version(), o->program->made_by);
	printf("rules   %d on %d operators\n", o->program->nrule, o->program->nop - TN_CORE);
	if (o->costs)
		printf("costs   %" PRIu32 " measured on %s; others are modelled as %s times %g\n", o->costs->nline, o->costs->identity,
		    o->costs->model, o->costs->scale);
	else
		printf("costs   modelled %s\n", o->target);
}

int
tn_optimizer_main(const struct tn_optimizer *o, int argc, char **argv)
{
	const char *name = argc > 0 ? own_name(argv[0]) : "optimizer";
	struct tn_error e;

	program_begin(name);
	if (o->abi != TN_OPTIMIZER_ABI || o->program->abi != TN_MATCH_ABI) {
		tn_fail(&e, TN_E_DEFECT, "made for another version of Tenon than %s: let tenonc and the compiler make it again", tn_version());
		return fail(&e);
	}
	if (argc == 2 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)) {
		print_version(o, name);
		return program_end(EXIT_DONE);
	}
	return program_end(optimize_compiled(o, argc, argv));
}
