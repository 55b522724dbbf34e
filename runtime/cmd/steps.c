/* The table of reductions; see steps.h. */
#include "cmd/steps.h"

#include <inttypes.h>

static void
print_size(const char *name, const struct tn_extract_size *s, FILE *f)
{
	fprintf(f, "%-10s %9u %9u %9" PRIu64, name, s->classes, s->nodes, s->edges);
}

static void
print_reductions(const struct tn_extract_report *r, FILE *f)
{
	uint32_t i;

	fprintf(f, "%-10s %9s %9s %9s %9s\n", "", "classes", "nodes", "children", "seconds");
	print_size("given", &r->before, f);
	fprintf(f, "\n");
	for (i = 0; i < r->nstep; i++) {
		const struct tn_extract_step *s = &r->step[i];

		fprintf(f, "%-10s %+9" PRId64 " %+9" PRId64 " %+9" PRId64 " %9.3f\n", s->name, -s->classes, -s->nodes, -s->edges, s->seconds);
	}
	print_size("left", &r->after, f);
	fprintf(f, " %9.3f  %u round%s\n", r->reduce_s, r->nround, r->nround == 1 ? "" : "s");
}

void
steps_print(const struct tn_extract_report *r, FILE *f)
{
	uint32_t i;

	fprintf(f, "%-10s greedy and local search %.2f s", "time", r->greedy_s);
	if (!r->nstep) {
		fprintf(f, "\n");
		return;
	}
	fprintf(f, ", reductions %.2f s, solving %.2f s\n", r->reduce_s, r->solve_s);
	print_reductions(r, f);
	fprintf(f, "%-10s %u component%s, the largest of %u nodes, %u equal to another\n", "solved", r->after.components,
	    r->after.components == 1 ? "" : "s", r->after.largest, r->nequal);
	fprintf(f, "%-10s %" PRIu64 " programs, %" PRIu64 " relaxations, %" PRIu64 " branches, %" PRIu64 " decided by bounds", "",
	    r->programs, r->relaxations, r->branches, r->out);
	for (i = 0; i < r->ncut; i++)
		fprintf(f, ", %" PRIu64 " %s cuts", r->cut[i].n, r->cut[i].name);
	fprintf(f, "\n");
}
