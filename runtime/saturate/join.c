/*
 * Multi-pattern rules: each pattern is searched once on the whole snapshot, and the matches of a rule's
 * patterns are joined, part after part, by hash on the words that are known already.
 *
 * Two arrows never match in one class, nor one of them below the other, as their result would be part of
 * itself; of arrows that could be exchanged the first matches the older node.
 */
#include <string.h>

#include "base/map.h"
#include "saturate/run.h"

enum { CHECK_EVERY = 4096 };	/* steps between looks at the clock */

/* The matches of one pattern, by number: [root, is new, columns…] each, in the order in which roots were made. */
struct found {
	const struct tn_matches *matches;
	VEC(const uint32_t *) row;
};
enum { ROW_ROOT, ROW_IS_NEW, ROW_COLUMN };

/* Rows of one key: the first of all, and of those that are new; TN_NONE: there is none. */
struct head {
	uint32_t all, fresh;
};

/* A part's rows by its words that are known when it is joined. */
struct index {
	struct map known;
	VEC(struct head) head;
	uint32_t *next, *next_fresh;	/* by row */
};

/* What one rule's join holds. */
struct joining {
	struct run *r;
	const struct tn_join *join;
	int rule;
	bool is_delta;			/* at least one row must be new */
	const struct found *found;	/* by pattern */
	struct index *index;		/* by part */
	uint32_t *v;			/* the words */
	uint32_t *row;			/* by arrow: the number of the row that it matched */
	const struct tn_matches **run;	/* by word: the store that a run is in */
	uint32_t *key;
	tn_id *kept;			/* siblings: numbers of rows */
	unsigned ticks;
};

/* ---- keys ---------------------------------------------------------------------------------------------- */

static bool
is_key(const struct tn_join *join, const struct tn_column *c)
{
	if (join->is_siblings)
		return !c->is_each && c->kind != TN_COL_RUN;
	return c->is_bound && (c->kind == TN_COL_WORD || c->kind == TN_COL_RECORD);
}

/* The words of a row, or those that are known, which the part goes by; how many bytes. */
static size_t
make_key(struct joining *j, const struct tn_part *part, const uint32_t row[])
{
	uint32_t n = 0, word;
	int i;

	for (i = 0; i < part->ncolumn; i++) {
		const struct tn_column *c = &part->column[i];

		if (!is_key(j->join, c))
			continue;
		word = row ? row[ROW_COLUMN + i] : j->v[c->word];
		j->key[n++] = c->kind == TN_COL_RECORD ? tn_attrs_rest(j->r->search, word, c->named) : word;
	}
	return n * sizeof *j->key;
}

/* Rows from the last to the first, so that each chain is in their order. */
static void
index_part(struct joining *j, int k)
{
	const struct tn_part *part = &j->join->part[k];
	const struct found *f = &j->found[part->pattern];
	struct index *x = &j->index[k];
	struct head *h;
	uint32_t i;
	bool is_new;

	x->next = mem_alloc(f->row.n * sizeof *x->next);
	x->next_fresh = mem_alloc(f->row.n * sizeof *x->next_fresh);
	for (i = f->row.n; i-- > 0; ) {
		uint32_t *at = map_put(&x->known, j->key, make_key(j, part, f->row.at[i]), x->head.n, &is_new);

		if (is_new)
			vec_push(&x->head, ((struct head){TN_NONE, TN_NONE}));
		h = &x->head.at[*at];
		x->next[i] = h->all;
		x->next_fresh[i] = h->fresh;
		h->all = i;
		if (f->row.at[i][ROW_IS_NEW])
			h->fresh = i;
	}
}

static void
index_free(struct index *x)
{
	map_free(&x->known);
	vec_free(&x->head);
	mem_free(x->next);
	mem_free(x->next_fresh);
}

/* ---- runs ------------------------------------------------------------------------------------------------ */

static const uint32_t *
run_at(const struct tn_matches *m, uint32_t word)
{
	return &m->store->seq.at[word];
}

static bool
same_run(const uint32_t *a, const uint32_t *b)
{
	return memcmp(a, b, (1 + (size_t)(a[0] == b[0] ? a[0] : 0)) * sizeof *a) == 0;
}

/* ---- one match after the other --------------------------------------------------------------------------- */

/* Do two roots lie above one another? */
static bool
are_related(struct joining *j, tn_id a, tn_id b)
{
	struct reach *reach = run_reach(j->r);

	return reach_has(reach, a, b) || reach_has(reach, b, a);
}

/* A match that would be part of itself. */
static void
refuse(struct joining *j)
{
	struct tn_rule_stat *stat = &j->r->report->rule[j->rule];

	stat->matches++;
	stat->refused_cycle++;
}

static void
yield(struct joining *j)
{
	const struct tn_join *join = j->join;
	struct tn_matches *out = &j->r->matches[j->rule];
	const uint32_t *root = &j->v[join->root], *run;
	int i, k;

	for (i = 1; i < join->npart; i++)
		for (k = 0; k < i; k++)
			if (are_related(j, root[i], root[k])) {
				refuse(j);
				return;
			}
	for (k = 0; k < join->nword; k++)
		if (j->run[k]) {
			run = run_at(j->run[k], j->v[k]);
			j->row[join->npart + k] = tn_seq_make(out, run + 1, (int)run[0]);
		} else
			j->row[join->npart + k] = j->v[k];
	tn_yield(out, (unsigned)j->rule, root[0], &j->row[join->npart], join->nword);
}

/* Is the root another class than those before, and the node later than those it could be exchanged with? */
static bool
take_root(struct joining *j, int k, uint32_t number, tn_id root)
{
	const struct tn_join *join = j->join;
	int arrow = join->part[k].arrow, i, other;

	for (i = 0; i < k; i++) {
		other = join->part[i].arrow;
		if (j->v[join->root + other] == root)
			return false;
		if (join->alike[other] == join->alike[arrow] && (j->row[other] < number) != (other < arrow))
			return false;
	}
	j->v[join->root + arrow] = root;
	j->row[arrow] = number;
	return true;
}

static bool
take_column(struct joining *j, const struct tn_column *c, const struct found *f, uint32_t word)
{
	if (!c->is_bound) {
		j->v[c->word] = word;
		j->run[c->word] = c->kind == TN_COL_RUN ? f->matches : NULL;
		return true;
	}
	if (c->kind == TN_COL_VALUE)
		return tn_val_equal(j->r->search, j->v[c->word], word);
	return c->kind != TN_COL_RUN || same_run(run_at(j->run[c->word], j->v[c->word]), run_at(f->matches, word));
}

static bool
take(struct joining *j, int k, uint32_t number)
{
	const struct tn_part *part = &j->join->part[k];
	const struct found *f = &j->found[part->pattern];
	const uint32_t *row = f->row.at[number];
	int i;

	tn_search_reset(j->r->search);
	if (!take_root(j, k, number, row[ROW_ROOT]))
		return false;
	for (i = 0; i < part->ncolumn; i++)
		if (!take_column(j, &part->column[i], f, row[ROW_COLUMN + i]))
			return false;
	return !part->test || part->test(j->r->search, j->v);
}

/* All matches that begin with the rows taken so far, one of which is new. */
static void
extend(struct joining *j, int k, bool has_new)
{
	const struct tn_part *part = &j->join->part[k];
	struct index *x = &j->index[k];
	bool only_new = j->is_delta && !has_new && k + 1 == j->join->npart;
	const uint32_t *at;
	uint32_t i;

	if (k == j->join->npart) {
		yield(j);
		return;
	}
	at = map_get(&x->known, j->key, make_key(j, part, NULL));
	if (!at)
		return;
	i = only_new ? x->head.at[*at].fresh : x->head.at[*at].all;
	for (; i != TN_NONE; i = only_new ? x->next_fresh[i] : x->next[i]) {
		if (j->r->is_stopped || (++j->ticks % CHECK_EVERY == 0 && run_is_over(j->r)))
			return;
		if (take(j, k, i))
			extend(j, k + 1, has_new || j->found[part->pattern].row.at[i][ROW_IS_NEW]);
	}
}

/* ---- siblings ---------------------------------------------------------------------------------------------- */

/* Rows of one key that go together: one for each class, none above or below one that is kept; how many. */
static uint32_t
keep_siblings(struct joining *j, uint32_t first, bool *has_new)
{
	const struct found *f = &j->found[j->join->part[0].pattern];
	uint32_t n = 0, i, k;

	*has_new = false;
	for (i = first; i != TN_NONE; i = j->index[0].next[i]) {
		tn_id root = f->row.at[i][ROW_ROOT], other;

		if (j->r->is_stopped || (++j->ticks % CHECK_EVERY == 0 && run_is_over(j->r)))
			return 0;
		for (k = 0; k < n; k++) {
			other = f->row.at[j->kept[k]][ROW_ROOT];
			if (other == root || are_related(j, other, root))
				break;
		}
		if (k < n)
			continue;
		*has_new |= f->row.at[i][ROW_IS_NEW];
		j->kept[n++] = i;
	}
	return n;
}

/* The words of a match of n siblings: those that they share, and runs of those that each has. */
static void
yield_siblings(struct joining *j, uint32_t n)
{
	const struct tn_part *part = &j->join->part[0];
	const struct found *f = &j->found[part->pattern];
	struct tn_matches *out = &j->r->matches[j->rule];
	tn_id *each = mem_alloc(n * sizeof *each);
	uint32_t k;
	int i;

	for (i = 0; i < part->ncolumn; i++) {
		for (k = 0; k < n; k++)
			each[k] = f->row.at[j->kept[k]][ROW_COLUMN + i];
		j->v[part->column[i].word] = part->column[i].is_each ? tn_seq_make(out, each, (int)n) : each[0];
	}
	for (k = 0; k < n; k++)
		each[k] = f->row.at[j->kept[k]][ROW_ROOT];
	j->v[j->join->root] = tn_seq_make(out, each, (int)n);
	tn_yield(out, (unsigned)j->rule, each[0], j->v, j->join->nword);
	mem_free(each);
}

static void
join_siblings(struct joining *j)
{
	uint32_t i, n, nrow = j->found[j->join->part[0].pattern].row.n;
	bool has_new;

	j->kept = mem_alloc(nrow * sizeof *j->kept);
	for (i = j->index[0].head.n; i-- > 0 && !j->r->is_stopped; ) {	/* the group of the first row is the last */
		n = keep_siblings(j, j->index[0].head.at[i].all, &has_new);
		if (n > 1 && (has_new || !j->is_delta))
			yield_siblings(j, n);
	}
	mem_free(j->kept);
}

/* ---- rules --------------------------------------------------------------------------------------------------- */

static void
join_rule(struct run *r, int rule, uint32_t since, const struct found found[])
{
	const struct tn_join *join = r->program->rule[rule].join;
	struct joining j = {.r = r, .join = join, .rule = rule, .is_delta = since > 0, .found = found};
	double start_s = clock_now();
	int k, ncolumn = 0;

	for (k = 0; k < join->npart; k++)
		ncolumn = join->part[k].ncolumn > ncolumn ? join->part[k].ncolumn : ncolumn;
	j.index = mem_alloc((size_t)join->npart * sizeof *j.index);
	j.v = mem_alloc((size_t)join->nword * sizeof *j.v);
	j.row = mem_alloc((size_t)(join->npart + join->nword) * sizeof *j.row);
	j.run = mem_alloc((size_t)join->nword * sizeof *j.run);
	j.key = mem_alloc((size_t)ncolumn * sizeof *j.key);
	for (k = 0; k < join->npart; k++)
		index_part(&j, k);
	if (join->is_siblings)
		join_siblings(&j);
	else
		extend(&j, 0, false);
	for (k = 0; k < join->npart; k++)
		index_free(&j.index[k]);
	mem_free(j.index);
	mem_free(j.v);
	mem_free(j.row);
	mem_free(j.run);
	mem_free(j.key);
	r->report->rule[rule].search_s += clock_now() - start_s;
}

/* Which patterns the rules of a group have, by number of rules. */
static void
count_users(struct run *r, uint32_t since, int user[])
{
	int i, k;

	for (i = 0; i < r->program->nrule; i++)
		for (k = 0; search_is_of(r, i, since, true) && k < r->program->rule[i].join->npart; k++)
			user[r->program->rule[i].join->part[k].pattern]++;
}

/* Search for the patterns that are used, and number their matches. */
static void
find_patterns(struct run *r, uint32_t since, const int user[], struct found found[])
{
	const struct tn_program *p = r->program;
	uint32_t n, at, k;
	const uint32_t *row;
	int i;

	memset(r->is_chosen, 0, (size_t)(p->nrule + p->npattern) * sizeof *r->is_chosen);
	for (i = 0; i < p->npattern; i++) {
		matches_reset(&r->matches[p->nrule + i]);
		r->is_chosen[p->nrule + i] = user[i] > 0;
		r->pattern_s[i] = 0;
	}
	search_chosen(r, snapshot_view_whole(r->g, since, (unsigned)p->nop, r->search));
	for (i = 0; i < p->npattern; i++) {
		found[i].matches = &r->matches[p->nrule + i];
		for (k = 0; (n = matches_chunk(found[i].matches, k, &row)); k++)
			for (at = 0; at < n; at += found[i].matches->store->stride)
				vec_push(&found[i].row, row + at);
	}
}

static void
join_group(struct run *r, uint32_t since)
{
	const struct tn_program *p = r->program;
	struct found *found = mem_alloc((size_t)p->npattern * sizeof *found);
	int *user = mem_alloc((size_t)p->npattern * sizeof *user), i, k;

	count_users(r, since, user);
	find_patterns(r, since, user, found);
	for (i = 0; i < p->nrule && !r->is_stopped; i++) {
		if (!search_is_of(r, i, since, true))
			continue;
		join_rule(r, i, since, found);
		for (k = 0; k < p->rule[i].join->npart; k++)
			r->report->rule[i].search_s += r->pattern_s[p->rule[i].join->part[k].pattern] / user[p->rule[i].join->part[k].pattern];
	}
	for (i = 0; i < p->npattern; i++)
		vec_free(&found[i].row);
	mem_free(found);
	mem_free(user);
}

void
join_rules(struct run *r)
{
	uint32_t since = 0, from = 0;

	for (; !r->is_stopped && search_next_group(r, from, true, &since); from = since + 1)
		join_group(r, since);
}
