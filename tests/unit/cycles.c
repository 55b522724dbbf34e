/*
 * Cycle filters leave acyclic e-graphs: on planted cycles of every kind and on random terms under random
 * rules.  No class is left empty, and what is excluded is the same each time.
 */
#include <inttypes.h>

#include "base/mem.h"
#include "base/rand.h"
#include "egraph/egraph.h"
#include "tests/unit/acyclic.h"
#include "tests/unit/scalar.h"

enum { ROUNDS = 300, TERMS = 30, ITERATIONS = 5 };

static int failures;

static void
check(bool ok, const char *what, uint64_t seed)
{
	if (!ok) {
		printf("%s (%" PRIu64 ")\n", what, seed);
		failures++;
	}
}

/* ---- planted ------------------------------------------------------------------------------------------- */

struct seen {
	bool has_cycle, has_empty;
	size_t excluded;
	uint64_t refused, applied;
};

/* one rule on one text */
static struct seen
plant(const struct tn_program *p, const char *rule, const char *terms, enum tn_filter cycles)
{
	struct scalar s = scalar_begin(p, false);
	bool *on = mem_alloc((size_t)p->nrule);
	struct tn_limits limits = {.iterations = 3, .multi_iterations = 1, .cycles = cycles, .rule_on = on};
	int r = scalar_rule(&s, rule);
	struct tn_report *report;
	struct seen seen;

	on[r] = true;
	scalar_terms(&s, terms);
	report = scalar_run(&s, &limits);
	seen = (struct seen){has_cycle(s.g, NULL), has_empty_class(s.g), report->excluded, report->rule[r].refused_cycle, report->rule[r].applied};
	check(report->excluded == tn_nexcluded(s.g), "the report tells another count of excluded nodes", 0);
	tn_report_free(report);
	scalar_end(&s);
	mem_free(on);
	return seen;
}

/* A result over its own root is not added at all. */
static void
over_itself(const struct tn_program *p)
{
	enum tn_filter how;
	struct seen seen;

	check(plant(p, "over-itself", "(f x)", TN_FILTER_NONE).has_cycle, "without a filter the cycle is there", 1);
	for (how = TN_FILTER_EFFICIENT; how <= TN_FILTER_VANILLA; how++) {
		seen = plant(p, "over-itself", "(f x)", how);
		check(!seen.has_cycle && seen.refused > 0 && !seen.applied && !seen.excluded, "it is refused", how);
	}
}

/* A union with what lies below is made, and its newest node excluded: x = f(k(x)) stays true. */
static void
collapsed(const struct tn_program *p)
{
	enum tn_filter how;
	struct seen seen;

	check(plant(p, "collapse", "(f (k x))", TN_FILTER_NONE).has_cycle, "without a filter the cycle is there", 2);
	for (how = TN_FILTER_EFFICIENT; how <= TN_FILTER_VANILLA; how++) {
		seen = plant(p, "collapse", "(f (k x))", how);
		check(!seen.has_cycle && !seen.has_empty && seen.applied == 1 && seen.excluded == 1, "one node is excluded", how);
	}
}

/* Each match alone is harmless: a filter that looks at the snapshot lets both through. */
static void
crossed(const struct tn_program *p)
{
	const char *terms = "(m z (f (m x a))) (m x (f (m z c)))";
	struct seen none = plant(p, "share", terms, TN_FILTER_NONE);
	struct seen efficient = plant(p, "share", terms, TN_FILTER_EFFICIENT);
	struct seen vanilla = plant(p, "share", terms, TN_FILTER_VANILLA);

	check(none.has_cycle && none.applied == 2, "two matches close a cycle", 3);
	check(!efficient.has_cycle && efficient.applied == 2 && efficient.excluded > 0, "the pass afterwards finds it", 3);
	check(!vanilla.has_cycle && vanilla.applied == 1 && vanilla.refused == 1, "the exact check finds it before", 3);
}

/* One of two roots below the other is refused without a filter, too. */
static void
below(const struct tn_program *p)
{
	struct seen seen = plant(p, "share", "(m x (f (m x a)))", TN_FILTER_NONE);

	check(!seen.has_cycle && seen.refused == 1 && !seen.applied, "a root below the other is refused", 4);
}

/* ---- random ------------------------------------------------------------------------------------------------ */

static void
grow(struct scalar *s, struct rng *r)
{
	tn_id made[TERMS], kid[3];
	tn_val v;
	int i, k, op;

	for (i = 0; i < TERMS; i++) {
		if (i < 3) {
			v = tn_val_make(s->ctx, &(struct tn_value){.kind = TN_K_INT, .u.i = i});
			made[i] = tn_add(s->g, TN_INPUT, tn_attrs_make(s->ctx, &v, 1), NULL, 0);
			continue;
		}
		op = TN_CORE + (int)rng_below(r, (uint32_t)(s->program->nop - TN_CORE));
		for (k = 0; k < s->program->op[op].nin; k++)
			kid[k] = made[rng_below(r, (uint32_t)i)];
		made[i] = tn_add(s->g, (uint16_t)op, 0, kid, k);
	}
}

/* how many nodes are excluded; -1: the rules contradict themselves */
static int64_t
random_run(const struct tn_program *p, uint64_t seed, enum tn_filter cycles, bool *is_cyclic)
{
	struct rng r = {seed};
	bool *on = mem_alloc((size_t)p->nrule);
	struct tn_limits limits = {.iterations = ITERATIONS, .multi_iterations = 2, .nodes = 60 + rng_below(&r, 400), .rule_on = on,
	    .cycles = cycles};
	struct scalar s = scalar_begin(p, false);
	struct tn_report *report;
	int64_t excluded;
	int i;

	for (i = 0; i < p->nrule; i++)
		on[i] = rng_below(&r, 2);
	grow(&s, &r);
	report = scalar_run(&s, &limits);
	excluded = report->stop == TN_STOP_DEFECT ? -1 : (int64_t)report->excluded;
	*is_cyclic = excluded >= 0 && has_cycle(s.g, NULL);
	check(excluded < 0 || !has_empty_class(s.g), "a class has no node left", seed);
	check(excluded < 0 || !tn_egraph_check(s.g), "an invariant does not hold", seed);
	tn_report_free(report);
	scalar_end(&s);
	mem_free(on);
	return excluded;
}

static void
random_rounds(const struct tn_program *p)
{
	uint64_t seed, cyclic = 0, excluded = 0;
	enum tn_filter how;
	bool is_cyclic, is_again;
	int64_t n;

	for (seed = 1; seed <= ROUNDS; seed++) {
		random_run(p, seed, TN_FILTER_NONE, &is_cyclic);
		cyclic += is_cyclic;
		for (how = TN_FILTER_EFFICIENT; how <= TN_FILTER_VANILLA; how++) {
			n = random_run(p, seed, how, &is_cyclic);
			excluded += n > 0;
			check(!is_cyclic, "a cycle is left", seed);
			check(n == random_run(p, seed, how, &is_again), "another run excludes other nodes", seed);
		}
	}
	printf("%" PRIu64 " of %d cyclic without a filter, %" PRIu64 " runs excluded nodes\n", cyclic, ROUNDS, excluded);
	check(cyclic > ROUNDS / 4 && excluded > ROUNDS / 4, "few cycles were tried", 0);
}

int
main(void)
{
	const struct tn_program *p = compiled_program("tests/egraph/cycles.rules");

	over_itself(p);
	collapsed(p);
	crossed(p);
	below(p);
	random_rounds(p);
	random_rounds(compiled_program("tests/egraph/mix.rules"));
	return failures > 0;
}
