/*
 * Joins find what trying every set of classes finds, on random e-graphs, for multi-pattern rules of every
 * kind; and after growth, joining what is new with all there is finds all that was not there before.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "saturate/run.h"
#include "tests/oracle/random_egraph.h"
#include "tests/oracle/slow.h"
#include "tests/unit/plans.h"

enum { GRAPHS = 60, GROWTHS = 2, SHOWN = 5 };

static int failures;

/* ---- joins ------------------------------------------------------------------------------------------------- */

static void
join_begin(struct run *r, struct random_egraph *e)
{
	static const struct tn_limits limits;
	size_t nrule = (size_t)program->nrule, nout = nrule + (size_t)program->npattern, i;

	*r = (struct run){.g = e->g, .search = e->search, .program = program, .limits = &limits, .start_s = clock_now()};
	r->report = mem_alloc(sizeof *r->report);
	r->report->rule = mem_alloc(nrule * sizeof *r->report->rule);
	r->rule = mem_alloc(nrule * sizeof *r->rule);
	r->matches = mem_alloc(nout * sizeof *r->matches);
	r->out = mem_alloc(nout * sizeof *r->out);
	r->is_chosen = mem_alloc(nout * sizeof *r->is_chosen);
	r->pattern_s = mem_alloc(nout * sizeof *r->pattern_s);
	r->op_first = mem_alloc(((size_t)program->nop + 1) * sizeof *r->op_first);
	for (i = 0; i < nout; i++)
		matches_open(&r->matches[i], i < nrule ? 1 + (uint32_t)program->rule[i].nvar : 2 + (uint32_t)program->pattern[i - nrule]);
}

static void
join_end(struct run *r)
{
	int i;

	for (i = 0; i < program->nrule + program->npattern; i++)
		matches_close(&r->matches[i]);
	reach_free(r->reach);
	tn_report_free(r->report);
	mem_free(r->rule);
	mem_free(r->matches);
	mem_free(r->out);
	mem_free(r->is_chosen);
	mem_free(r->pattern_s);
	mem_free(r->op_first);
}

/* all rules, for what is newer than `since` */
static void
join(struct run *r, struct random_egraph *e, uint32_t since)
{
	int i;

	join_begin(r, e);
	for (i = 0; i < program->nrule; i++) {
		r->rule[i].is_wanted = true;
		r->rule[i].since = since;
	}
	search_rules(r);
}

/* ---- comparing --------------------------------------------------------------------------------------------- */

static const tn_id *
run_of(const void *arg, uint32_t word, int *n)
{
	const struct tn_matches *m = arg;
	const uint32_t *at = &m->store->seq.at[word];

	*n = (int)at[0];
	return at + 1;
}

/* matches of one rule; ids were classes when they were found */
static void
rows_of(const struct slow *s, int rule, const struct run *r, struct slow_rows *out)
{
	const struct tn_matches *m = &r->matches[rule];
	const uint32_t *at;
	uint32_t i, k, n;

	for (i = 0; (n = matches_chunk(m, i, &at)) > 0; i++)
		for (k = 0; k < n; k += m->store->stride)
			slow_add(s, &rules.text.rule[rule], plan[rule].slot, at + k, at + k + 1 + program->rule[rule].join->root, run_of, m, out);
}

static bool
has(const struct slow_rows *rows, const char *row)
{
	uint32_t i;

	for (i = 0; i < rows->at.n; i++)
		if (strcmp(rows->at.at[i], row) == 0)
			return true;
	return false;
}

static void
expect_within(const char *what, int rule, uint64_t seed, const struct slow_rows *a, const struct slow_rows *b)
{
	uint32_t i;

	for (i = 0; i < a->at.n; i++)
		if (!has(b, a->at.at[i]) && failures++ < SHOWN)
			printf("seed %llu, %s: %s: %s\n", (unsigned long long)seed, rules.text.rule[rule].name, what, a->at.at[i]);
}

/* what all find now, what the join finds, and what was there before the e-graph grew: by rule */
static void
wanted_rows(struct random_egraph *e, struct slow_rows rows[])
{
	const struct slow s = {&rules.text, e->ctx, e->g, e->search};
	int i;

	for (i = 0; i < program->nrule; i++) {
		slow_match(&s, &rules.text.rule[i], plan[i].slot, rules.text.rule[i].doc != NULL, &rows[i]);
		slow_sort(&rows[i]);
		nfound[i] += rows[i].at.n;
	}
}

static void
compare(struct random_egraph *e, uint64_t seed, const struct run *r, const struct slow_rows wanted[], const struct slow_rows before[])
{
	const struct slow s = {&rules.text, e->ctx, e->g, e->search};
	int i;

	for (i = 0; i < program->nrule; i++) {
		struct slow_rows got = {0};
		uint32_t k, n;

		rows_of(&s, i, r, &got);
		n = got.at.n;
		slow_sort(&got);
		if (n != got.at.n && failures++ < SHOWN)
			printf("seed %llu, %s: a match is found twice\n", (unsigned long long)seed, program->rule[i].name);
		expect_within("found, but is no match", i, seed, &got, &wanted[i]);
		for (k = 0; before && k < before[i].at.n; k++)
			vec_push(&got.at, strdup(before[i].at.at[k]));
		expect_within(before ? "not found though it is new" : "not found", i, seed, &wanted[i], &got);
		slow_free(&got);
	}
}

static void
try_graph(uint64_t seed)
{
	struct tn_ctx *c = tn_ctx_new();
	size_t nrule = (size_t)program->nrule;
	struct slow_rows *wanted = calloc(nrule, sizeof *wanted), *before = calloc(nrule, sizeof *before), *swap;
	struct random_egraph e;
	uint32_t clock;
	struct run r;
	int i, k;

	random_egraph_begin(&e, c, program, &rules.text, seed);
	for (i = 0; i < GROWTHS && random_egraph_grow(&e); i++) {
		wanted_rows(&e, wanted);
		join(&r, &e, 0);
		compare(&e, seed, &r, wanted, NULL);
		join_end(&r);
		if (i > 0) {
			join(&r, &e, clock);
			compare(&e, seed, &r, wanted, before);
			join_end(&r);
		}
		clock = snapshot_clock(e.g);
		swap = before;
		before = wanted;
		wanted = swap;
		for (k = 0; k < program->nrule; k++) {
			slow_free(&wanted[k]);
			wanted[k] = (struct slow_rows){0};
		}
	}
	for (k = 0; k < program->nrule; k++)
		slow_free(&before[k]);
	random_egraph_end(&e);
	tn_ctx_free(c);
	free(wanted);
	free(before);
}

/* ---- the program ---------------------------------------------------------------------------------------------- */

int
main(void)
{
	struct arena a = {0};
	uint64_t seed;
	int i;

	if (!plans_load("tests/oracle/join.rules", &a))
		return 1;
	for (seed = 1; seed <= GRAPHS; seed++)
		try_graph(seed);
	for (i = 0; i < rules.text.nrule; i++)	/* what never matches is not tested */
		if (!nfound[i]) {
			printf("%s: no match in all\n", rules.text.rule[i].name);
			failures++;
		}
	for (i = 0; i < rules.text.nrule; i++)
		plan_free(&plan[i]);
	arena_free(&a);
	rules_free(&rules);
	return failures > 0;
}
