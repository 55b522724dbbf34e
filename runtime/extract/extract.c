/*
 * Extraction, phase by phase: greed, local search, reductions, a choice by dual ascent and reductions again,
 * components solved one by one, and the choice rebuilt on the e-graph as it was given, where it is checked and costed
 * afresh; last, among equally cheap choices, the one nearest to the original.
 */
#include <string.h>

#include "base/mem.h"
#include "extract/ascent.h"
#include "extract/plain.h"
#include "extract/swap.h"

struct extraction {
	const struct tn_problem *p;
	const struct tn_extract_options *o;
	struct prog_limits limits;
	struct component_options component;
	struct arena arena;
	struct tn_choice *best;
	uint32_t *node;			/* room for a choice */
};

/* "-inline,-override": a bit per name that is left out */
static bool
read_off(const char *text, const char *what, const char *const name[], uint32_t n, uint32_t *off, struct tn_error *e)
{
	const char *end;
	uint32_t i;

	for (*off = 0; text && *text; text = *end ? end + 1 : end) {
		end = text + strcspn(text, ",");
		for (i = 0; i < n; i++)
			if (*text == '-' && strlen(name[i]) == (size_t)(end - text - 1) && strncmp(text + 1, name[i], strlen(name[i])) == 0)
				break;
		if (i == n)
			return tn_fail(e, TN_E_IO, "'%.*s' is no '-' and name of a %s", (int)(end - text), text, what);
		*off |= UINT32_C(1) << i;
	}
	return true;
}

bool
extract_limits(const struct tn_extract_options *o, struct prog_limits *limits, struct component_options *component,
    struct tn_error *e)
{
	*limits = (struct prog_limits){.memory = o->memory, .interrupted = o->interrupted,
	    .deadline_s = o->time_s > 0 ? clock_now() + o->time_s : 0};
	*component = (struct component_options){.seed = o->seed};
	return read_off(o->reduce, "reduction", prog_step_name, NSTEP, &limits->off, e) &&
	    read_off(o->cuts, "cut", cut_name, NCUT, &component->off, e);
}

static void
tell(const struct extraction *x)
{
	if (x->o->progress)
		x->o->progress(x->o->arg, x->best->cost, x->best->bound);
}

/* keep the choice in x->node if it is valid and cheaper; its cost, or -1 */
static int64_t
offer(struct extraction *x)
{
	int64_t cost = choice_settle(x->p, x->node, NULL);

	if (cost >= 0 && (x->best->cost < 0 || cost < x->best->cost)) {
		memcpy(x->best->node, x->node, x->p->nclass * sizeof *x->node);
		x->best->cost = cost;
		tell(x);
	}
	return cost;
}

/* the original first, so that it stays where others cost the same */
static void
be_greedy(struct extraction *x)
{
	struct tn_extract_report *report = &x->best->report;
	double start = clock_now();

	report->tree = report->dag = report->local = -1;
	x->best->cost = -1;
	if (x->p->prefer && x->o->method != TN_BRUTE) {
		memcpy(x->node, x->p->prefer, x->p->nclass * sizeof *x->node);
		offer(x);
	}
	switch (x->o->method) {
	case TN_BRUTE:
		if (extract_brute(x->p, x->node) >= 0)
			offer(x);
		break;
	case TN_TREE:
		extract_derivable(x->p, x->node);
		report->tree = offer(x);
		break;
	default:
		extract_derivable(x->p, x->node);
		report->tree = offer(x);
		if (report->tree >= 0) {
			extract_dag(x->p, x->node, &x->limits);
			report->dag = offer(x);
			report->local = extract_local(x->p, x->best->node, &x->limits);
			x->best->cost = report->local;
		}
	}
	report->greedy_s = clock_now() - start;
}

/* what dual ascent chooses in the reduced program: is that cheaper? */
static bool
choose_by_ascent(struct extraction *x, struct prog *p)
{
	struct watch watch = {.limits = &x->limits};
	struct tn_problem problem = prog_problem(p);
	int64_t cost = x->best->cost;
	struct ascent ascent;
	uint32_t *pick, c;

	if (!p->nclass || prog_out_of_time(&x->limits))
		return false;
	pick = mem_alloc(p->nclass * sizeof *pick);
	ascent_make(&ascent, &problem, &watch);
	if (ascent_choose(&ascent, &problem, pick, &x->limits) >= 0) {
		prog_pick(&problem, pick);
		for (c = 0; c < x->p->nclass; c++)
			x->node[c] = TN_NONE;
		prog_expand(p, pick, x->node);
		offer(x);
	}
	ascent_free(&ascent);
	mem_free(pick);
	return x->best->cost < cost;
}

/* to what is cheaper than the best choice, and again where that makes a better one; false: nothing is */
static bool
reduce(struct extraction *x, struct prog *p)
{
	struct tn_extract_report *report = &x->best->report;
	struct prog_report steps = {0};
	double start = clock_now();
	bool ok;
	int i;

	report->before = prog_size(p);
	do {
		x->limits.upper = x->best->cost;
		ok = prog_reduce(p, &x->limits, &steps);
	} while (ok && choose_by_ascent(x, p));
	report->after = prog_size(p);
	report->nround = steps.nround;
	report->nstep = NSTEP;
	for (i = 0; i < NSTEP; i++)
		report->step[i] = (struct tn_extract_step){prog_step_name[i], steps.class[i], steps.node[i], steps.edge[i], steps.seconds[i]};
	report->reduce_s = clock_now() - start;
	return ok;
}

/* the reduced program, and its choice as one of the e-graph */
static void
settle_program(struct extraction *x, struct prog *p)
{
	struct tn_extract_report *report = &x->best->report;
	uint32_t *pick = mem_alloc(p->nclass * sizeof *pick), c;
	double start = clock_now();
	struct component_report count = {0};
	int64_t bound;
	int i;

	x->component.report = &count;
	bound = prog_solve(p, &x->limits, &x->component, pick, report);
	for (c = 0; c < x->p->nclass; c++)
		x->node[c] = TN_NONE;
	prog_expand(p, pick, x->node);
	offer(x);
	x->best->bound = bound < x->best->cost ? bound : x->best->cost;
	report->programs = count.programs;
	report->relaxations = count.relaxations;
	report->branches = count.branches;
	report->out = count.out;
	report->ncut = NCUT;
	for (i = 0; i < NCUT; i++)
		report->cut[i] = (struct tn_extract_cut){cut_name[i], count.cut[i]};
	report->solve_s = clock_now() - start;
	mem_free(pick);
}

/* the exact program */
static void
be_exact(struct extraction *x)
{
	struct prog *p = prog_new(x->p, &x->arena);

	if (reduce(x, p))
		settle_program(x, p);
	else
		x->best->bound = x->best->cost;
	x->best->is_interrupted = x->o->interrupted && *x->o->interrupted;
}

/* the published program as it is */
static void
be_plain(struct extraction *x)
{
	double start = clock_now();

	x->best->cost = extract_plain(x->p, x->o->cycles, x->best->node, x->best->cost, &x->limits, &x->best->bound);
	x->best->report.solve_s = clock_now() - start;
	x->best->is_interrupted = x->o->interrupted && *x->o->interrupted;
}

/* among equally cheap choices, the original's nodes */
static void
go_home(struct extraction *x)
{
	if (!x->p->prefer)
		return;
	memcpy(x->node, x->p->prefer, x->p->nclass * sizeof *x->node);
	if (choice_settle(x->p, x->node, NULL) == x->best->cost)
		memcpy(x->best->node, x->node, x->p->nclass * sizeof *x->node);
	else
		extract_home(x->p, x->best->node, &x->limits);
}

struct tn_choice *
tn_extract(const struct tn_problem *p, const struct tn_extract_options *o, struct tn_error *e)
{
	struct extraction x = {.p = p, .o = o};
	struct tn_choice *choice;

	if (!problem_check(p, e) || !extract_limits(o, &x.limits, &x.component, e))
		return NULL;
	choice = x.best = mem_alloc(sizeof *choice);
	choice->node = mem_alloc(p->nclass * sizeof *choice->node);
	x.node = mem_alloc(p->nclass * sizeof *x.node);
	be_greedy(&x);
	if (choice->cost < 0) {
		tn_fail(e, TN_E_INPUT, "no acyclic choice covers the roots");
		tn_choice_free(choice);
		choice = NULL;
	} else {
		if (o->method == TN_BRUTE)
			choice->bound = choice->cost;
		if (o->method == TN_ILP)
			be_exact(&x);
		if (o->method == TN_ILP_PLAIN)
			be_plain(&x);
		go_home(&x);
		choice->cost = choice_settle(p, choice->node, NULL);
		choice->is_proven = choice->bound >= choice->cost;
		tell(&x);
	}
	mem_free(x.node);
	arena_free(&x.arena);
	return choice;
}

void
tn_choice_free(struct tn_choice *choice)
{
	if (!choice)
		return;
	mem_free(choice->node);
	mem_free(choice);
}
