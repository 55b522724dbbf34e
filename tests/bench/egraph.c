/*
 * Speed of the e-graph: CPU time of known workloads, and as a ratio to that of inserting as many 16-byte keys
 * as there are e-nodes at the end into a plain open-addressing table, in the same run.  A ratio can be
 * compared between machines, a time cannot.
 */
#include <inttypes.h>
#include <time.h>

#include "base/mem.h"
#include "base/rand.h"
#include "tests/unit/scalar.h"

enum { REPEATS = 7 };

struct bench {
	const char *name, *rules, *terms;
	uint32_t iterations;
	enum tn_scheduler scheduler;
};

static const struct bench benches[] = {
	{"mathmicro 11", "tests/egraph/mathmicro.rules", "tests/egraph/mathmicro.terms", 11, TN_SIMPLE},
	{"ac 11", "tests/egraph/ac.rules", "tests/egraph/ac11.terms", 100, TN_SIMPLE},
	{"mathmicro, back-off 60", "tests/egraph/mathmicro.rules", "tests/egraph/mathmicro.terms", 60, TN_BACKOFF},
};

static double
cpu_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int
by_value(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double
median(double v[REPEATS])
{
	qsort(v, REPEATS, sizeof *v, by_value);
	return v[REPEATS / 2];
}

/* ---- the yardstick --------------------------------------------------------------------------------------- */

struct key {
	uint64_t a, b;
};

/* n distinct keys into a table that doubles at one half full; the seconds it took */
static double
insert_keys(uint64_t n)
{
	double start_s = cpu_s();
	uint64_t cap = 16, used = 0, i, k, at;
	struct key *table = mem_alloc(cap * sizeof *table), *old;
	struct rng r = {1};

	for (i = 0; i < n; i++) {
		struct key key = {rng_next(&r) | 1, i};

		if (2 * ++used > cap) {
			old = table;
			table = mem_alloc(2 * cap * sizeof *table);
			for (k = 0; k < cap; k++) {
				if (!old[k].a)
					continue;
				for (at = old[k].a >> 1 & (2 * cap - 1); table[at].a; at = (at + 1) & (2 * cap - 1))
					;
				table[at] = old[k];
			}
			cap *= 2;
			mem_free(old);
		}
		for (at = key.a >> 1 & (cap - 1); table[at].a; at = (at + 1) & (cap - 1))
			if (table[at].a == key.a && table[at].b == key.b)
				break;
		table[at] = key;
	}
	mem_free(table);
	return cpu_s() - start_s;
}

/* ---- workloads ----------------------------------------------------------------------------------------------- */

/* how long it took; the e-nodes and the bytes at the end */
static double
saturate(const struct bench *b, const struct tn_program *p, size_t *nodes, size_t *bytes)
{
	struct tn_limits limits = {.iterations = b->iterations, .scheduler = b->scheduler};
	struct scalar s = scalar_begin(p, false);
	double start_s, end_s;

	scalar_read(&s, b->terms);
	start_s = cpu_s();
	tn_report_free(scalar_run(&s, &limits));
	end_s = cpu_s();
	*nodes = tn_nnodes(s.g);
	*bytes = tn_bytes(s.g);
	scalar_end(&s);
	return end_s - start_s;
}

int
main(void)
{
	double time[REPEATS], yard[REPEATS], t, y;
	size_t i, nodes, bytes;
	int k;

	printf("%-24s %9s %9s %10s %10s %9s %6s\n", "", "e-nodes", "CPU s", "e-nodes/s", "bytes each", "table s", "ratio");
	for (i = 0; i < sizeof benches / sizeof *benches; i++) {
		const struct tn_program *p = compiled_program(benches[i].rules);

		for (k = 0; k < REPEATS; k++) {
			time[k] = saturate(&benches[i], p, &nodes, &bytes);
			yard[k] = insert_keys(nodes);
		}
		t = median(time);
		y = median(yard);
		printf("%-24s %9zu %9.3f %10.0f %10.1f %9.4f %6.1f\n", benches[i].name, nodes, t, (double)nodes / t,
		    (double)bytes / (double)nodes, y, t / y);
	}
	return 0;
}
