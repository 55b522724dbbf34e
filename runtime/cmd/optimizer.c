/* Optimizers that tenonc makes: tenon optimize as a program of its own, with rules and costs compiled in. */
#include <inttypes.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/optimize.h"
#include "cmd/prices.h"

/* how it was called, without folders */
static const char *
own_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

struct tn_costs *
optimizer_costs(const struct tn_optimizer *o, struct tn_ctx *c, struct tn_error *e)
{
	const struct tn_program *devices = prices_program(o->program);

	return o->costs ? tn_costs_of(c, devices, o->costs, e) : tn_costs_device(c, devices, o->target, e);
}

/* what it was made of, and whose costs it has, if it can have them: a device may be missing */
static int
print_version(const struct tn_optimizer *o, const char *name)
{
	struct tn_ctx *c = tn_ctx_new();
	struct tn_error e;
	struct tn_costs *costs = optimizer_costs(o, c, &e);
	int status = costs ? EXIT_DONE : fail(&e);

	if (costs) {
		printf("%s: Tenon %s, rules compiled by %s\n", name, tn_version(), o->program->made_by);
		printf("rules   %d on %d operators\n", o->program->nrule, o->program->nop - TN_CORE);
	}
	if (costs && o->costs)
		printf("costs   %" PRIu32 " measured on %s; others are modelled as %s\n", o->costs->nline, tn_costs_label(costs),
		    tn_costs_model(costs));
	else if (costs)
		printf("costs   %s\n", tn_costs_label(costs));
	tn_costs_free(costs);
	tn_ctx_free(c);
	return status;
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
	if (argc == 2 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0))
		return program_end(print_version(o, name));
	return program_end(optimize_compiled(o, argc, argv));
}
