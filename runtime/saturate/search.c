/*
 * Search: the match function of each root operator, on the snapshot, for the rules wanted.
 *
 * A rule whose earlier matches were all applied needs only those with something new since then.  Rules may
 * differ in when that was, so they are searched in groups of one such moment each.
 */
#include <string.h>

#include "saturate/run.h"

#ifdef TN_TEST
enum { ROOTS_AT_ONCE = 3 };
#else
enum { ROOTS_AT_ONCE = 1 << 14 };
#endif
enum { MAX_DEPTH = 100 };

/* Does the rule belong to the group? */
static bool
is_of(const struct run *r, int rule, uint32_t since)
{
	return r->rule[rule].is_wanted && r->rule[rule].since == since;
}

/* Set out[] to the root's rules of the group; false: it has none. */
static bool
choose(struct run *r, const struct tn_root_code *root, uint32_t since)
{
	bool has_any = false;
	int i;

	for (i = 0; i < root->nrule; i++) {
		unsigned rule = root->rule[i];

		r->out[rule] = is_of(r, (int)rule, since) ? &r->matches[rule] : NULL;
		has_any |= r->out[rule] != NULL;
	}
	return has_any;
}

/* A root's rules are searched together: its time is shared out by what each found. */
static void
share_time(struct run *r, const struct tn_root_code *root, const uint64_t before[], double time_s)
{
	double sum = 0;
	int i;

	for (i = 0; i < root->nrule; i++)
		if (r->out[root->rule[i]])
			sum += (double)(matches_count(&r->matches[root->rule[i]]) - before[i] + 1);
	for (i = 0; i < root->nrule; i++)
		if (r->out[root->rule[i]])
			r->report->rule[root->rule[i]].search_s +=
			    time_s * (double)(matches_count(&r->matches[root->rule[i]]) - before[i] + 1) / sum;
}

/* All roots of one operator, some at a time, so that a search without end can be stopped. */
static void
search_root(struct run *r, const struct tn_root_code *root, struct tn_view v)
{
	uint32_t from = v.op_first[root->op], to = v.op_first[root->op + 1];
	uint64_t *before = mem_alloc((size_t)root->nrule * sizeof *before);
	double start_s = clock_now();
	int i;

	for (i = 0; i < root->nrule; i++)
		before[i] = matches_count(&r->matches[root->rule[i]]);
	v.op_first = r->op_first;
	while (from < to && !run_is_over(r)) {
		r->op_first[root->op] = from;
		from = to - from > ROOTS_AT_ONCE ? from + ROOTS_AT_ONCE : to;
		r->op_first[root->op + 1] = from;
		tn_search_reset(r->search);
		root->match(&v, r->out);
	}
	share_time(r, root, before, clock_now() - start_s);
	mem_free(before);
}

static void
search_group(struct run *r, uint32_t since)
{
	const struct tn_program *p = r->program;
	int i, k, depth = 1;
	struct tn_view v;

	for (i = 0; i < p->nroot; i++)
		for (k = 0; k < p->root[i].nrule; k++)
			if (is_of(r, p->root[i].rule[k], since) && p->root[i].depth > depth)
				depth = p->root[i].depth;
	v = snapshot_view(r->g, since, depth < MAX_DEPTH ? depth : MAX_DEPTH, (unsigned)p->nop, r->search);
	for (i = 0; i < p->nroot && !r->is_stopped; i++)
		if (choose(r, &p->root[i], since))
			search_root(r, &p->root[i], v);
}

/* the smallest `since` of a wanted rule that is at least `from`; false: none */
static bool
next_group(const struct run *r, uint32_t from, uint32_t *since)
{
	bool has_any = false;
	int i;

	for (i = 0; i < r->program->nrule; i++)
		if (r->rule[i].is_wanted && r->rule[i].since >= from && (!has_any || r->rule[i].since < *since)) {
			*since = r->rule[i].since;
			has_any = true;
		}
	return has_any;
}

void
search_rules(struct run *r)
{
	uint32_t since = 0, from = 0;
	int i;

	for (i = 0; i < r->program->nrule; i++)
		matches_reset(&r->matches[i]);
	for (; !r->is_stopped && next_group(r, from, &since); from = since + 1)
		search_group(r, since);
}
