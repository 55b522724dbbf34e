/*
 * Generated matchers find what trying everything finds, on random e-graphs, for patterns of every kind; and
 * after growth, searching for what is new finds all that was not there before.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "egraph/egraph.h"
#include "saturate/matches.h"
#include "tests/oracle/random_egraph.h"
#include "tests/oracle/slow.h"
#include "tests/unit/plans.h"

enum { GRAPHS = 100, GROWTHS = 3, SHOWN = 5 };

static int failures;

/* ---- matches of generated code as rows ---------------------------------------------------------------------- */

static const tn_id *
run_of(const void *arg, uint32_t word, int *n)
{
	const struct tn_matches *m = arg;
	const uint32_t *at = &m->store->seq.at[word];

	*n = (int)at[0];
	return at + 1;
}

/* those of one rule; classes that were united since are found */
static void
rows_of(const struct slow *s, int rule, const struct tn_matches *m, struct slow_rows *out)
{
	const uint32_t *at;
	uint32_t i, k, n;

	for (i = 0; (n = matches_chunk(m, i, &at)) > 0; i++)
		for (k = 0; k < n; k += m->store->stride)
			slow_add(s, &rules.text.rule[rule], plan[rule].slot, at + k, at + k, run_of, m, out);
}

/* all rules, for what is newer than `since` */
static void
search(struct random_egraph *e, uint32_t since, struct tn_matches *m)
{
	struct tn_matches **out = malloc((size_t)program->nrule * sizeof *out);
	struct tn_view v;
	int i, depth = 1;

	for (i = 0; i < program->nrule; i++) {
		matches_open(&m[i], 1 + (uint32_t)plan[i].nslot);
		out[i] = &m[i];
	}
	for (i = 0; i < program->nroot; i++)
		depth = program->root[i].depth > depth ? program->root[i].depth : depth;
	v = snapshot_view(e->g, since, depth, (unsigned)program->nop, e->search);
	for (i = 0; i < program->nroot; i++) {
		tn_search_reset(e->search);
		program->root[i].match(&v, out);
	}
	free(out);
}

static void
close_all(struct tn_matches *m)
{
	int i;

	for (i = 0; i < program->nrule; i++)
		matches_close(&m[i]);
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

static bool
has(const struct slow_rows *rows, const char *row)
{
	uint32_t i;

	for (i = 0; i < rows->at.n; i++)
		if (strcmp(rows->at.at[i], row) == 0)
			return true;
	return false;
}

/* rows of a that are not in b */
static void
expect_within(const char *what, int rule, uint64_t seed, const struct slow_rows *a, const struct slow_rows *b)
{
	uint32_t i;

	for (i = 0; i < a->at.n; i++)
		if (!has(b, a->at.at[i]) && failures++ < SHOWN)
			printf("seed %llu, %s: %s: %s\n", (unsigned long long)seed, rules.text.rule[rule].name, what, a->at.at[i]);
}

/* before: what was found earlier, NULL where nothing was */
static void
compare(struct random_egraph *e, uint64_t seed, const struct tn_matches *now, const struct tn_matches *before)
{
	const struct slow s = {&rules.text, e->ctx, e->g, e->search};
	int i;

	for (i = 0; i < rules.text.nrule; i++) {
		struct slow_rows wanted = {0}, got = {0}, all = {0};

		slow_match(&s, &rules.text.rule[i], plan[i].slot, false, &wanted);
		rows_of(&s, i, &now[i], &got);
		rows_of(&s, i, &now[i], &all);
		if (before)
			rows_of(&s, i, &before[i], &all);
		slow_sort(&wanted);
		slow_sort(&got);
		slow_sort(&all);
		nfound[i] += wanted.at.n;
		expect_within("found, but is no match", i, seed, &got, &wanted);
		expect_within(before ? "not found though it is new" : "not found", i, seed, &wanted, &all);
		slow_free(&wanted);
		slow_free(&got);
		slow_free(&all);
	}
}

static void
try_graph(uint64_t seed)
{
	struct tn_ctx *c = tn_ctx_new();
	struct tn_matches *full = calloc((size_t)program->nrule, sizeof *full), *delta = calloc((size_t)program->nrule, sizeof *delta);
	struct random_egraph e;
	uint32_t clock;
	int i;

	random_egraph_begin(&e, c, program, &rules.text, seed);
	for (i = 0; i < GROWTHS && random_egraph_grow(&e); i++) {
		search(&e, 0, full);
		clock = snapshot_clock(e.g);
		compare(&e, seed, full, NULL);
		if (random_egraph_grow(&e)) {
			search(&e, clock, delta);
			compare(&e, seed, delta, full);
			close_all(delta);
		}
		close_all(full);
	}
	random_egraph_end(&e);
	tn_ctx_free(c);
	free(full);
	free(delta);
}

/* ---- the program ------------------------------------------------------------------------------------------------------ */

int
main(void)
{
	struct arena a = {0};
	uint64_t seed;
	int i;

	if (!plans_load("tests/oracle/match.rules", &a))
		return 1;
	for (seed = 1; seed <= GRAPHS; seed++)
		try_graph(seed);
	for (i = 0; i < rules.text.nrule; i++)	/* what never matches is not tested */
		if (!nfound[i] != (strcmp(rules.text.rule[i].name, "guard-outside") == 0)) {
			printf("%s: %llu matches in all\n", rules.text.rule[i].name, (unsigned long long)nfound[i]);
			failures++;
		}
	for (i = 0; i < rules.text.nrule; i++)
		plan_free(&plan[i]);
	arena_free(&a);
	rules_free(&rules);
	return failures > 0;
}
