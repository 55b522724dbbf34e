/* The e-graph workloads with known answers: every count of nodes, classes and matches is exact, with delta matching and without. */
#include <inttypes.h>

#include "tests/unit/scalar.h"

static int failures;

struct row {
	uint32_t iteration;		/* 0: the last one, saturated */
	size_t nodes, classes;		/* 0: not known */
	uint64_t matches;		/* summed over the iterations so far, of full matching */
};

struct workload {
	const char *rules, *terms;
	uint32_t iterations;
	enum tn_scheduler scheduler;
	struct row row[6];
};

static const struct workload workloads[] = {
	{"mathmicro", "mathmicro", 11, TN_SIMPLE, {{7, 3160, 0, 0}, {8, 8113, 3576, 13853}, {9, 28303, 12445, 37657},
	    {10, 136446, 58464, 154860}, {11, 1047896, 443832, 1070188}}},
	{"ac", "ac9", 100, TN_SIMPLE, {{0, 18669, 511, 669777}}},
	{"ac", "ac10", 100, TN_SIMPLE, {{0, 57012, 1023, 3336820}}},
	{"ac", "ac11", 100, TN_SIMPLE, {{0, 173063, 2047, 12301868}}},
	{"mathmicro", "mathmicro", 60, TN_BACKOFF, {{40, 92137, 54663, 156508}, {60, 320438, 188259, 759909}}},
};

static void
expect(const struct workload *w, bool no_delta, uint32_t iteration, const char *what, uint64_t got, uint64_t wanted)
{
	if (wanted && got != wanted) {
		printf("%s%s, iteration %u: %" PRIu64 " %s, not %" PRIu64 "\n", w->terms, no_delta ? "" : " (delta)", iteration, got, what,
		    wanted);
		failures++;
	}
}

static void
compare(const struct workload *w, bool no_delta, const struct tn_report *r)
{
	const struct row *row;
	uint64_t matches = 0;
	uint32_t i, at;

	for (i = 0, row = w->row; i < r->niteration; i++) {
		matches += r->iteration[i].matches;
		at = row->iteration ? row->iteration : r->niteration;
		if (!row->nodes || at != i + 1)
			continue;
		expect(w, no_delta, at, "nodes", r->iteration[i].nodes, row->nodes);
		expect(w, no_delta, at, "classes", r->iteration[i].classes, row->classes);
		if (no_delta || w->scheduler == TN_BACKOFF)	/* a ban goes by all matches */
			expect(w, no_delta, at, "matches", matches, row->matches);
		row++;
	}
	if (row->nodes) {
		printf("%s ends after %u iterations, before one that is known\n", w->terms, r->niteration);
		failures++;
	}
	expect(w, no_delta, r->niteration, "as reason to stop", r->stop + 1u,
	    (w->row[0].iteration ? TN_STOP_ITERATIONS : TN_STOP_SATURATED) + 1u);
}

static void
try(const struct workload *w, const struct tn_program *p, bool no_delta)
{
	struct tn_limits limits = {.iterations = w->iterations, .scheduler = w->scheduler, .no_delta = no_delta};
	struct scalar s = scalar_begin(p, false);
	struct tn_report *r;
	char path[64];

	snprintf(path, sizeof path, "tests/egraph/%s.terms", w->terms);
	scalar_read(&s, path);
	r = scalar_run(&s, &limits);
	compare(w, no_delta, r);
	if (tn_egraph_check(s.g)) {
		printf("%s: %s\n", w->terms, tn_egraph_check(s.g));
		failures++;
	}
	tn_report_free(r);
	scalar_end(&s);
}

int
main(void)
{
	const struct tn_program *mathmicro = compiled_program("tests/egraph/mathmicro.rules"), *ac = compiled_program("tests/egraph/ac.rules");
	const char *wrap = getenv("WRAP");	/* under a tool that slows all down, the smallest is enough */
	size_t i;

	for (i = 0; i < sizeof workloads / sizeof *workloads; i++) {
		if (wrap && *wrap && strcmp(workloads[i].terms, "ac9") != 0)
			continue;
		const struct tn_program *p = strcmp(workloads[i].rules, "ac") == 0 ? ac : mathmicro;

		try(&workloads[i], p, true);
		try(&workloads[i], p, false);
	}
	return failures > 0;
}
