/* Delta matching never gives another result: any rules on any terms make the same e-graph in each iteration with it and without. */
#include <inttypes.h>

#include "base/mem.h"
#include "base/rand.h"
#include "tests/unit/scalar.h"

enum { ROUNDS = 600, TERMS = 40, ITERATIONS = 7 };

static uint64_t skipped;	/* matches that delta matching did not look for again */

/* ---- the same graph? ------------------------------------------------------------------------------------- */

/* b's class of each of a's classes, TN_NONE while it is not known; false: a node of a is not in b, or in two places */
static bool
map_round(const struct tn_egraph *a, const struct tn_egraph *b, tn_id map[], bool *changed)
{
	tn_id c, kid[3], to;
	const tn_id *node;
	uint32_t n, i, k;
	struct tn_node at;

	*changed = false;
	for (c = 0; c < tn_nids(a); c++) {
		node = tn_find(a, c) == c ? tn_class_nodes(a, c, &n) : NULL;
		for (i = 0; node && i < n; i++) {
			at = tn_node_at(a, node[i]);
			for (k = 0; k < at.nkid && (kid[k] = map[at.kid[k]]) != TN_NONE; k++)
				;
			if (k < at.nkid)
				continue;
			to = tn_lookup(b, at.op, at.attrs, kid, (int)k);
			if (to == TN_NONE || (map[c] != TN_NONE && map[c] != to))
				return false;
			*changed |= map[c] == TN_NONE;
			map[c] = to;
		}
	}
	return true;
}

static bool
same_graph(const struct tn_egraph *a, const struct tn_egraph *b)
{
	tn_id *map = mem_alloc(tn_nids(a) * sizeof *map), c;
	bool changed = true, same = tn_nnodes(a) == tn_nnodes(b) && tn_nclasses(a) == tn_nclasses(b);

	memset(map, 0xff, tn_nids(a) * sizeof *map);
	while (same && changed)
		same = map_round(a, b, map, &changed);
	for (c = 0; c < tn_nids(a) && same; c++)
		same = tn_find(a, c) != c || map[c] != TN_NONE;
	mem_free(map);
	return same;
}

/* ---- rounds ------------------------------------------------------------------------------------------------- */

/* a term over a few inputs and numbers and what was made before */
static void
grow(struct scalar *s, struct rng *r)
{
	tn_id made[TERMS], kid[3];
	tn_val v;
	int i, k, n = 0, op;

	for (i = 0; i < TERMS; i++) {
		if (i < 3) {
			v = tn_val_make(s->ctx, &(struct tn_value){.kind = TN_K_INT, .u.i = i});
			made[n++] = tn_add(s->g, TN_INPUT, tn_attrs_make(s->ctx, &v, 1), NULL, 0);
			continue;
		}
		op = TN_CORE + (int)rng_below(r, (uint32_t)(s->program->nop - TN_CORE));
		for (k = 0; k < s->program->op[op].nin; k++)
			kid[k] = made[rng_below(r, (uint32_t)n)];
		made[n++] = tn_add(s->g, (uint16_t)op, 0, kid, k);
	}
}

static struct tn_report *
run(struct scalar *s, uint64_t seed, bool no_delta)
{
	struct rng r = {seed};
	bool *on = mem_alloc((size_t)s->program->nrule);
	struct tn_limits limits = {.iterations = ITERATIONS, .no_delta = no_delta, .rule_on = on, .nodes = 60 + rng_below(&r, 1000)};
	uint32_t share = 1 + rng_below(&r, 4);
	struct tn_report *report;
	int i;

	for (i = 0; i < s->program->nrule; i++)
		on[i] = rng_below(&r, 4) < share;
	scalar_terms(s, "(add 0 (g 1 2))");
	grow(s, &r);
	report = scalar_run(s, &limits);
	mem_free(on);
	return report;
}

static const char *
compare(const struct scalar *a, const struct scalar *b, const struct tn_report *x, const struct tn_report *y)
{
	uint32_t i;

	if (x->stop != y->stop || x->niteration != y->niteration)
		return "another end";
	for (i = 0; i < x->niteration; i++) {
		if (x->iteration[i].nodes != y->iteration[i].nodes || x->iteration[i].classes != y->iteration[i].classes)
			return "another count in some iteration";
		skipped += x->iteration[i].matches - y->iteration[i].matches;
	}
	return same_graph(a->g, b->g) ? NULL : "another e-graph";
}

int
main(void)
{
	const struct tn_program *p = compiled_program("tests/egraph/mix.rules");
	uint64_t seed, ends[TN_STOP_DEFECT + 1] = {0};
	int failures = 0;

	for (seed = 1; seed <= ROUNDS; seed++) {
		struct scalar a = scalar_begin(p, false), b = scalar_begin(p, false);
		struct tn_report *x = run(&a, seed, true), *y = run(&b, seed, false);
		const char *wrong = compare(&a, &b, x, y);

		if (wrong) {
			printf("seed %" PRIu64 ": %s (stop %d and %d, %u and %u iterations)\n", seed, wrong, x->stop, y->stop, x->niteration,
			    y->niteration);
			failures++;
		}
		ends[x->stop]++;
		tn_report_free(x);
		tn_report_free(y);
		scalar_end(&a);
		scalar_end(&b);
	}
	printf("%" PRIu64 " saturated, %" PRIu64 " by iterations, %" PRIu64 " by nodes, %" PRIu64 " contradictions; %" PRIu64
	    " old matches skipped\n", ends[TN_STOP_SATURATED], ends[TN_STOP_ITERATIONS], ends[TN_STOP_NODES], ends[TN_STOP_DEFECT], skipped);
	return failures || !skipped || !ends[TN_STOP_SATURATED] || !ends[TN_STOP_NODES];
}
