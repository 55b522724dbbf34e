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

bool
search_is_of(const struct run *r, int rule, uint32_t since, bool joined)
{
	return r->rule[rule].is_wanted && r->rule[rule].since == since && (r->program->rule[rule].join != NULL) == joined;
}

/* Set out[] to what is chosen of the root's rules and patterns; false: nothing is. */
static bool
choose(struct run *r, const struct tn_root_code *root)
{
	bool has_any = false;
	int i;

	for (i = 0; i < root->nrule; i++) {
		unsigned rule = root->rule[i];

		r->out[rule] = r->is_chosen[rule] ? &r->matches[rule] : NULL;
		has_any |= r->is_chosen[rule];
	}
	return has_any;
}

/* A root's rules are searched together: its time is shared out by what each found. */
static void
share_time(struct run *r, const struct tn_root_code *root, const uint64_t before[], double time_s)
{
	double sum = 0, share_s;
	int i, rule;

	for (i = 0; i < root->nrule; i++)
		if (r->out[root->rule[i]])
			sum += (double)(matches_count(&r->matches[root->rule[i]]) - before[i] + 1);
	for (i = 0; i < root->nrule; i++) {
		rule = root->rule[i];
		if (!r->out[rule])
			continue;
		share_s = time_s * (double)(matches_count(&r->matches[rule]) - before[i] + 1) / sum;
		if (rule < r->program->nrule)
			r->report->rule[rule].search_s += share_s;
		else
			r->pattern_s[rule - r->program->nrule] += share_s;
	}
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

void
search_chosen(struct run *r, struct tn_view v)
{
	int i;

	for (i = 0; i < r->program->nroot && !r->is_stopped; i++)
		if (choose(r, &r->program->root[i]))
			search_root(r, &r->program->root[i], v);
}

static void
search_group(struct run *r, uint32_t since)
{
	const struct tn_program *p = r->program;
	int i, k, depth = 1;

	memset(r->is_chosen, 0, (size_t)(p->nrule + p->npattern) * sizeof *r->is_chosen);
	for (i = 0; i < p->nrule; i++)
		r->is_chosen[i] = search_is_of(r, i, since, false);
	for (i = 0; i < p->nroot; i++)
		for (k = 0; k < p->root[i].nrule; k++)
			if (r->is_chosen[p->root[i].rule[k]] && p->root[i].depth > depth)
				depth = p->root[i].depth;
	search_chosen(r, snapshot_view(r->g, since, depth < MAX_DEPTH ? depth : MAX_DEPTH, (unsigned)p->nop, r->search));
}

bool
search_next_group(const struct run *r, uint32_t from, bool joined, uint32_t *since)
{
	bool has_any = false;
	int i;

	for (i = 0; i < r->program->nrule; i++)
		if (search_is_of(r, i, r->rule[i].since, joined) && r->rule[i].since >= from && (!has_any || r->rule[i].since < *since)) {
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
	for (; !r->is_stopped && search_next_group(r, from, false, &since); from = since + 1)
		search_group(r, since);
	join_rules(r);
}
