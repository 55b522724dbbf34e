/* How an e-graph grew, as tables. */
#include <inttypes.h>
#include <string.h>

#include "cmd/growth.h"

const char *
stop_text(enum tn_stop stop)
{
	static const char *const text[] = {
		[TN_STOP_SATURATED] = "saturated", [TN_STOP_ITERATIONS] = "iteration limit", [TN_STOP_NODES] = "node limit",
		[TN_STOP_TIME] = "time limit", [TN_STOP_INTERRUPT] = "interrupted", [TN_STOP_DEFECT] = "defect",
	};

	return text[stop];
}

bool
cycles_named(const char *name, enum tn_filter *cycles, struct tn_error *e)
{
	static const char *const names[] = {
		[TN_FILTER_NONE] = "none", [TN_FILTER_EFFICIENT] = "efficient", [TN_FILTER_VANILLA] = "vanilla",
	};
	unsigned i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], name) == 0) {
			*cycles = (enum tn_filter)i;
			return true;
		}
	return tn_fail(e, TN_E_IO, "--cycles: '%s' is not efficient, vanilla or none", name);
}

void
growth_iterations(const struct tn_report *r, FILE *f)
{
	uint32_t i;

	fprintf(f, "%9s %9s %9s %10s %10s %9s %9s %9s\n", "iteration", "e-nodes", "e-classes", "matches", "applied", "search s",
	    "apply s", "rebuild s");
	for (i = 0; i < r->niteration; i++) {
		const struct tn_iteration *t = &r->iteration[i];

		fprintf(f, "%9u %9zu %9zu %10" PRIu64 " %10" PRIu64 " %9.3f %9.3f %9.3f\n", i + 1, t->nodes, t->classes, t->matches,
		    t->applied, t->search_s, t->apply_s, t->rebuild_s);
	}
}

void
growth_rules(const struct tn_program *p, const struct tn_report *r, FILE *f)
{
	int i;

	fprintf(f, "%-34s %10s %10s %8s %8s %8s %5s %9s %9s\n", "rule", "matches", "applied", "by shape", "by cycle", "by limit", "bans",
	    "search s", "apply s");
	for (i = 0; i < p->nrule; i++) {
		const struct tn_rule_stat *s = &r->rule[i];

		if (s->matches)
			fprintf(f, "%-34s %10" PRIu64 " %10" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %5u %9.3f %9.3f\n",
			    p->rule[i].name, s->matches, s->applied, s->refused_shape, s->refused_cycle, s->refused_limit, s->bans,
			    s->search_s, s->apply_s);
	}
}

void
json_rule(FILE *f, const char *name, const struct tn_rule_stat *s)
{
	fprintf(f, "{\"name\": ");
	json_string(f, name);
	fprintf(f, ", \"matches\": %" PRIu64 ", \"applied\": %" PRIu64 ", \"refused\": {\"shape\": %" PRIu64 ", \"cycle\": %" PRIu64
	    ", \"limit\": %" PRIu64 "}, \"bans\": %u, \"search_s\": %.6f, \"apply_s\": %.6f}", s->matches, s->applied, s->refused_shape,
	    s->refused_cycle, s->refused_limit, s->bans, s->search_s, s->apply_s);
}

void
json_string(FILE *f, const char *s)
{
	fputc('"', f);
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			fprintf(f, "\\%c", c);
		else if (c < 0x20)
			fprintf(f, "\\u%04x", c);
		else
			fputc(c, f);
	}
	fputc('"', f);
}
