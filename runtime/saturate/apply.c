/*
 * Applying: matches in the order of the rules, and of one rule in the order found.
 *
 * The node limit counts canonical nodes, and one iteration can make many times as many as there were; so
 * it is tested after each match.  What looks like too many may be twins that congruence unites: that is
 * restored before the limit is believed.
 */
#include <string.h>

#include "saturate/run.h"

enum {
	CHECK_EVERY = 256,	/* matches between looks at the clock */
	MATCHES_AHEAD = 8,
};

/* Is there no room for another node? */
static bool
is_full(struct run *r)
{
	if (!r->limits->nodes || r->g->nlive < r->limits->nodes)
		return false;
	egraph_restore(r->g);
	return r->g->nlive >= r->limits->nodes;
}

/* Must the run end before the next match? */
static bool
must_stop(struct run *r)
{
	if (is_full(r))
		run_stop(r, TN_STOP_NODES);
	else if (r->limits->max_applies && r->napplied >= r->limits->max_applies)
		run_stop(r, TN_STOP_ITERATIONS);
	return r->is_stopped;
}

/* Ask for the memory of a later match's classes. */
static void
look_at(const struct tn_egraph *g, const uint32_t match[], uint32_t n)
{
	uint32_t i;

	for (i = 0; i < n; i++)
		if (match[i] < g->n) {	/* else it is no class */
			__builtin_prefetch(&g->leader[match[i]]);
			__builtin_prefetch(&g->class[match[i]], 1);
		}
}

/* is word i a run of classes? */
static bool
is_run(const struct tn_rule_code *code, int i)
{
	const char *name = code->word[i];
	size_t len = strlen(name);

	return (*name == '?' || *name == '@') && len > 3 && strcmp(name + len - 3, "...") == 0;
}

static bool
has_runs(const struct tn_rule_code *code)
{
	int i;

	for (i = 0; i < code->nvar; i++)
		if (is_run(code, i))
			return true;
	return false;
}

/* The match as the proof keeps it: the word of a run is where it stands behind the others. */
static void
spell_out(struct run *r, const struct tn_rule_code *code, const uint32_t v[])
{
	const tn_id *run;
	int i, k, n;

	r->spelled.n = 0;
	for (i = 0; i < code->nvar; i++)
		vec_push(&r->spelled, v[i]);
	for (i = 0; i < code->nvar; i++) {
		if (!is_run(code, i))
			continue;
		run = tn_seq(&r->apply, v[i], &n);
		r->spelled.at[i] = r->spelled.n;
		vec_push(&r->spelled, (uint32_t)n);
		for (k = 0; k < n; k++)
			vec_push(&r->spelled, run[k]);
	}
	r->apply.reason.var = r->spelled.at;
	r->apply.reason.nvar = r->spelled.n;
}

static void
apply_one(struct run *r, int rule, const uint32_t match[], bool is_spelled)
{
	const struct tn_rule_code *code = &r->program->rule[rule];
	struct tn_rule_stat *stat = &r->report->rule[rule];

	r->apply.reason.var = match + 1;
	if (is_spelled)
		spell_out(r, code, match + 1);
	r->apply.is_closed = false;
	r->apply.floor = r->g->n;
	if (!r->is_scalar)
		apply_begin(&r->apply);
	if (code->apply(&r->apply, match[0], match + 1)) {
		stat->applied++;
		r->napplied++;
	} else if (r->apply.is_closed)
		stat->refused_cycle++;
	else
		stat->refused_shape++;
}

/* All matches of a rule; false if they were cut short. */
static bool
apply_rule(struct run *r, int rule)
{
	uint32_t stride = r->matches[rule].store->stride, ahead = MATCHES_AHEAD * stride, i, k, n;
	uint64_t left = matches_count(&r->matches[rule]);
	const uint32_t *at;
	bool is_spelled = r->g->with_proof && has_runs(&r->program->rule[rule]);
	unsigned ticks = 0;

	r->apply.matches = &r->matches[rule];
	r->apply.reason = (struct tn_reason){.rule = (uint32_t)rule, .nvar = stride - 1};
	for (i = 0; (n = matches_chunk(&r->matches[rule], i, &at)); i++)
		for (k = 0; k < n; k += stride) {
			if (k + ahead < n)
				look_at(r->g, at + k + ahead, stride);
			if (must_stop(r) || (++ticks % CHECK_EVERY == 0 && run_is_over(r))) {
				r->report->rule[rule].refused_limit += left;
				return false;
			}
			apply_one(r, rule, at + k, is_spelled);
			left--;
		}
	return !r->matches[rule].store->is_cut;
}

void
apply_rules(struct run *r)
{
	double start_s, end_s = clock_now();
	int i;

	for (i = 0; i < r->program->nrule; i++) {
		if (!r->rule[i].is_wanted)
			continue;
		if (r->is_stopped) {
			r->report->rule[i].refused_limit += matches_count(&r->matches[i]);
			continue;
		}
		start_s = end_s;
		r->rule[i].is_done = apply_rule(r, i);
		end_s = clock_now();
		r->report->rule[i].apply_s += end_s - start_s;
	}
}
