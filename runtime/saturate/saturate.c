/*
 * Equality saturation: search every rule on the snapshot, apply every match, rebuild; until nothing
 * changes or a limit holds.  Rules that only tidy go to their fixpoint first.
 */
#include <string.h>

#include "saturate/run.h"

void
run_stop(struct run *r, enum tn_stop why)
{
	if (!r->is_stopped)
		r->stop = why;
	r->is_stopped = true;
}

bool
run_has_time(const struct run *r)
{
	return !(r->limits->interrupted && *r->limits->interrupted) &&
	    !(r->limits->time_s > 0 && clock_now() - r->start_s >= r->limits->time_s);
}

bool
run_is_over(struct run *r)
{
	if (!run_has_time(r))
		run_stop(r, r->limits->interrupted && *r->limits->interrupted ? TN_STOP_INTERRUPT : TN_STOP_TIME);
	return r->is_stopped;
}

/* ---- one iteration ---------------------------------------------------------------------------------- */

/* Multi-pattern rules are wanted in the first iterations after normalisation only. */
static void
want_rules(struct run *r, bool only_normalise)
{
	bool with_multi = !only_normalise && r->nmulti < r->limits->multi_iterations;
	const struct tn_rule_code *code;
	int i;

	for (i = 0; i < r->program->nrule; i++) {
		code = &r->program->rule[i];
		r->rule[i].is_done = false;
		r->rule[i].is_wanted = r->rule[i].is_on && !backoff_is_banned(r, i) && (!only_normalise || code->is_normalise) &&
		    (!code->join || with_multi);
	}
	r->nmulti += with_multi;
}

static struct tn_iteration *
new_iteration(struct run *r)
{
	struct tn_report *t = r->report;

	if (t->niteration == r->iteration_cap)
		r->iteration_cap = vec_grow((void **)&t->iteration, r->iteration_cap, t->niteration + 1, sizeof *t->iteration);
	memset(&t->iteration[t->niteration], 0, sizeof *t->iteration);
	return &t->iteration[t->niteration++];
}

static void
count_matches(struct run *r, struct tn_iteration *t)
{
	uint64_t n;
	int i;

	for (i = 0; i < r->program->nrule; i++) {
		if (!r->rule[i].is_wanted)
			continue;
		n = matches_count(&r->matches[i]);
		r->report->rule[i].matches += n;
		t->matches += n;
	}
}

/*
 * Rules whose matches were all applied need only what is new from then on.  Under back-off each search is
 * whole: a ban goes by all matches of a rule, so that leaving some out would give another result.
 */
static void
move_marks(struct run *r, uint32_t clock)
{
	int i;

	for (i = 0; i < r->program->nrule; i++)
		if (r->rule[i].is_done && !r->limits->no_delta && r->limits->scheduler == TN_SIMPLE)
			r->rule[i].since = clock;
}

/* A class of scalars knows its number by its node alone; two numbers in one class are a contradiction. */
static bool
has_two_numbers(const struct tn_egraph *g)
{
	const struct snapshot *s = &g->snap;
	const struct tn_row *n, *next;
	uint32_t i;

	if (g->analysis || !s->nop)
		return false;
	for (i = s->op_first[TN_FILL]; i < s->op_first[TN_FILL + 1]; i++) {
		n = (const struct tn_row *)&s->row[s->op_row[i]];
		next = tn_row_next(n);
		if ((const uint32_t *)next < s->row + s->class_row[n->class + 1] && next->op == TN_FILL)
			return true;
	}
	return false;
}

/* Rebuild; what contradicts itself ends the run. */
static void
rebuild(struct run *r)
{
	reach_free(r->reach);
	r->reach = NULL;
	if (r->cycles)
		cycles_exclude(r);
	if (!tn_rebuild(r->g)) {
		run_stop(r, TN_STOP_DEFECT);
		r->report->defect = "two things that contradict each other were found equal";
	} else if (has_two_numbers(r->g)) {
		run_stop(r, TN_STOP_DEFECT);
		r->report->defect = "two different numbers were found equal";
	}
	r->report->bytes = tn_bytes(r->g);
}

struct reach *
run_reach(struct run *r)
{
	if (!r->reach)
		r->reach = reach_make(r->g, r->search);
	return r->reach;
}

/* Was every wanted rule's every match applied? */
static bool
is_complete(const struct run *r)
{
	int i;

	for (i = 0; i < r->program->nrule; i++)
		if (r->rule[i].is_wanted && !r->rule[i].is_done)
			return false;
	return true;
}

/* True if it changed anything. */
static bool
iterate(struct run *r, bool only_normalise)
{
	tn_id nid = r->g->n;
	uint64_t nunion = r->g->nunion, napplied = r->napplied;
	uint32_t clock = snapshot_clock(r->g);
	struct tn_iteration *t;
	double start_s = clock_now(), search_s, apply_s;

	want_rules(r, only_normalise);
	search_rules(r);
	search_s = clock_now();
	t = new_iteration(r);
	t->search_s = search_s - start_s;
	if (r->limits->scheduler == TN_BACKOFF)
		backoff_ban(r);
	count_matches(r, t);
	apply_rules(r);
	apply_s = clock_now();
	t->apply_s = apply_s - search_s;
	t->applied = r->napplied - napplied;
	rebuild(r);
	t->rebuild_s = clock_now() - apply_s;
	t->nodes = tn_nnodes(r->g);
	t->classes = tn_nclasses(r->g);
	move_marks(r, clock);
	return r->g->n != nid || r->g->nunion != nunion || !is_complete(r);
}

/* ---- the run ---------------------------------------------------------------------------------------------- */

/* Tidying has as many iterations of its own, so that it takes none from the rules it tidies for. */
static void
iterate_to_fixpoint(struct run *r, bool only_normalise, void (*progress)(void *, const struct tn_report *), void *arg)
{
	uint32_t first = r->report->niteration;
	bool changed;

	while (!r->is_stopped) {
		if (r->limits->iterations && r->report->niteration - first >= r->limits->iterations) {
			if (!only_normalise)
				run_stop(r, TN_STOP_ITERATIONS);
			return;
		}
		changed = iterate(r, only_normalise);
		if (progress)
			progress(arg, r->report);
		if (!changed && !r->is_stopped && !backoff_shorten(r))
			return;
	}
}

static bool
has_normalise(const struct run *r)
{
	int i;

	for (i = 0; i < r->program->nrule; i++)
		if (r->rule[i].is_on && r->program->rule[i].is_normalise)
			return true;
	return false;
}

static bool
is_scalar(const struct tn_program *p)
{
	int i;

	for (i = TN_CORE; i < p->nop; i++)
		if (!p->op[i].is_scalar)
			return false;
	return true;
}

static void
begin(struct run *r)
{
	const struct tn_program *p = r->program;
	size_t nout = (size_t)p->nrule + (size_t)p->npattern;
	int i;

	r->report = mem_alloc(sizeof *r->report);
	r->report->rule = mem_alloc((size_t)p->nrule * sizeof *r->report->rule);
	r->rule = mem_alloc((size_t)p->nrule * sizeof *r->rule);
	r->matches = mem_alloc(nout * sizeof *r->matches);
	r->out = mem_alloc(nout * sizeof *r->out);
	r->is_chosen = mem_alloc(nout * sizeof *r->is_chosen);
	r->pattern_s = mem_alloc((size_t)p->npattern * sizeof *r->pattern_s);
	r->op_first = mem_alloc(((size_t)p->nop + 1) * sizeof *r->op_first);
	for (i = 0; i < p->nrule; i++) {
		matches_open(&r->matches[i], 1 + (uint32_t)p->rule[i].nvar);
		r->rule[i].is_on = r->limits->rule_on ? r->limits->rule_on[i] : !p->rule[i].is_off;
	}
	for (i = 0; i < p->npattern; i++)
		matches_open(&r->matches[p->nrule + i], 2 + (uint32_t)p->pattern[i]);
	r->apply = (struct tn_apply){.g = r->g, .search = r->search};
	r->is_scalar = is_scalar(p);
	if (r->limits->cycles != TN_FILTER_NONE)
		cycles_begin(r);
	r->start_s = clock_now();
}

static void
end(struct run *r)
{
	int i;

	r->report->stop = r->is_stopped ? r->stop : TN_STOP_SATURATED;
	r->report->excluded = tn_nexcluded(r->g);
	if (r->cycles)
		cycles_end(r);
	for (i = 0; i < r->program->nrule + r->program->npattern; i++)
		matches_close(&r->matches[i]);
	apply_free(&r->apply);
	vec_free(&r->spelled);
	reach_free(r->reach);
	mem_free(r->is_chosen);
	mem_free(r->pattern_s);
	mem_free(r->matches);
	mem_free(r->rule);
	mem_free(r->out);
	mem_free(r->op_first);
}

struct tn_report *
tn_saturate(struct tn_egraph *g, struct tn_search *s, const struct tn_program *p, const struct tn_limits *limits,
    void (*progress)(void *, const struct tn_report *), void *arg)
{
	struct run r = {.g = g, .search = s, .program = p, .limits = limits};

	begin(&r);
	rebuild(&r);
	if (has_normalise(&r))
		iterate_to_fixpoint(&r, true, progress, arg);
	iterate_to_fixpoint(&r, false, progress, arg);
	end(&r);
	return r.report;
}

void
tn_report_free(struct tn_report *t)
{
	if (!t)
		return;
	mem_free(t->iteration);
	mem_free(t->rule);
	mem_free(t);
}
