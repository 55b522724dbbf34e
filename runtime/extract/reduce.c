/*
 * Reductions to a fixpoint: the cheap ones that join classes first, a bound that may take most away, then the facts, then
 * what rests on them.
 *
 * Steps are those published for e-graphs and for related problems where they fit, put together for one another:
 * inlining makes dominance find more, a node gone makes a class of one node, and so on.
 */
#include "extract/reduce.h"

#include "base/mem.h"

enum { MOST_ROUNDS = 1000 };

const char *const prog_step_name[NSTEP] = {
	"trim", "contract", "inline", "ascent", "force", "edge", "cycle", "dominance", "override", "bound",
};

struct prog_user *
prog_users(const struct prog *p, uint32_t **first)
{
	uint32_t *at = mem_alloc(((size_t)p->nclass + 2) * sizeof *at), c, n, k;
	struct prog_user *user = mem_alloc(prog_nedge(p) * sizeof *user);

	for (c = 0; c < p->nclass; c++)
		for (n = 0; n < p->class[c].nnode; n++)
			for (k = 0; k < p->class[c].node[n].nkid; k++)
				at[p->class[c].node[n].kid[k] + 2]++;
	for (c = 2; c < p->nclass + 2; c++)
		at[c] += at[c - 1];
	for (c = 0; c < p->nclass; c++)
		for (n = 0; n < p->class[c].nnode; n++)
			for (k = 0; k < p->class[c].node[n].nkid; k++)
				user[at[p->class[c].node[n].kid[k] + 1]++] = (struct prog_user){c, n};
	*first = at;
	return user;
}

uint32_t
prog_widest(const struct prog *p)
{
	uint32_t c, most = 0;

	for (c = 0; c < p->nclass; c++)
		if (p->class[c].nnode > most)
			most = p->class[c].nnode;
	return most;
}

void
reduction_filter(struct reduction *r, uint32_t c, const bool keep[])
{
	uint32_t n, index = 0;

	for (n = 0; n < r->pick[c]; n++)
		index += keep[n];
	prog_filter(r->p, c, keep);
	r->pick[c] = index;
}

/* what the step took away since *s was measured */
static void
count(const struct prog *p, enum prog_step step, double start, struct tn_extract_size *s, struct prog_report *report)
{
	struct tn_extract_size now = prog_size(p);

	if (report) {
		report->class[step] += (int64_t)s->classes - now.classes;
		report->node[step] += (int64_t)s->nodes - now.nodes;
		report->edge[step] += (int64_t)(s->edges - now.edges);
		report->seconds[step] += clock_now() - start;
	}
	*s = now;
}

static bool
is_on(const struct reduction *r, enum prog_step step)
{
	return !(r->limits->off >> step & 1) && !prog_out_of_time(r->limits);
}

static bool
trim(struct reduction *r, struct tn_extract_size *s, struct prog_report *report)
{
	double start = clock_now();
	bool ok = step_trim(r);

	count(r->p, STEP_TRIM, start, s, report);
	return ok;
}

static bool
run(struct reduction *r, enum prog_step step, void (*f)(struct reduction *), struct tn_extract_size *s,
    struct prog_report *report)
{
	double start = clock_now();

	if (!is_on(r, step))
		return true;
	f(r);
	count(r->p, step, start, s, report);
	return trim(r, s, report);
}

/* contract and inline until neither finds any more */
static bool
join_classes(struct reduction *r, struct tn_extract_size *s, struct prog_report *report)
{
	uint32_t before;

	do {
		before = s->classes;
		if (!run(r, STEP_CONTRACT, step_contract, s, report) || !run(r, STEP_INLINE, step_inline, s, report))
			return false;
	} while (s->classes < before);
	return true;
}

static void
forget(struct reduction *r)
{
	scc_free(&r->scc);
	must_free(&r->must);
	must_free(&r->always);
	dominators_free(&r->dom);
	mem_free(r->least);
	mem_free(r->pick);
	r->least = NULL;
	r->pick = NULL;
}

/* the facts of the compacted program; the pick is the tree choice */
static void
find_facts(struct reduction *r)
{
	const struct prog *p = r->p;
	struct tn_problem problem;
	struct arena arena = {0}, *kept = p->arena;
	uint32_t c;

	forget(r);
	scc_make(&r->scc, p);
	must_make(&r->must, p, &r->scc, &r->watch);
	dominators_make(&r->dom, p);
	r->least = mem_alloc(p->nclass * sizeof *r->least);
	r->pick = mem_alloc(p->nclass * sizeof *r->pick);
	for (c = 0; c < p->nclass; c++)
		if (p->class[c].nnode)
			r->least[c] = prog_least(&p->class[c]);
	r->p->arena = &arena;
	problem = prog_problem(p);
	extract_derivable(&problem, r->pick);
	prog_pick(&problem, r->pick);
	r->p->arena = kept;
	arena_free(&arena);
}

static bool
use_facts(struct reduction *r, struct tn_extract_size *s, struct prog_report *report)
{
	prog_compact(r->p);
	find_facts(r);
	if (!run(r, STEP_FORCE, step_force, s, report) || !run(r, STEP_EDGE, step_edge, s, report) ||
	    !run(r, STEP_CYCLE, step_cycle, s, report))
		return false;
	prog_compact(r->p);
	find_facts(r);
	if (r->must.set)
		must_always(&r->always, r->p, &r->scc, &r->must, &r->watch);
	return run(r, STEP_DOMINANCE, step_dominance, s, report) && run(r, STEP_OVERRIDE, step_override, s, report) &&
	    run(r, STEP_BOUND, step_bound, s, report);
}

/* one round over all steps */
static bool
all_steps(struct reduction *r, struct tn_extract_size *s, struct prog_report *report)
{
	return join_classes(r, s, report) && r->p->constant < r->limits->upper &&
	    run(r, STEP_ASCENT, step_ascent, s, report) && use_facts(r, s, report);
}

bool
prog_reduce(struct prog *p, const struct prog_limits *limits, struct prog_report *report)
{
	struct reduction r = {.p = p, .limits = limits, .watch = {.limits = limits}};
	struct tn_extract_size s = prog_size(p), before;
	bool ok = trim(&r, &s, report);
	int round;

	for (round = 0; ok && round < MOST_ROUNDS && !prog_out_of_time(limits); round++) {
		before = s;
		ok = all_steps(&r, &s, report);
		if (report)
			report->nround++;
		if (s.classes == before.classes && s.nodes == before.nodes && s.edges == before.edges)
			break;
	}
	forget(&r);
	prog_compact(p);
	return ok && p->constant < limits->upper;
}
