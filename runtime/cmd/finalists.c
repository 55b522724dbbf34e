/*
 * Finalists: graphs that differ, for a target to decide between.
 *
 * Where a price is wrong, it is wrong for an operator on its shapes wherever that stands.  So another finalist is the
 * cheapest graph without one of the kinds of operator, on their shapes, that an earlier finalist has and the model has not.
 * Greed tells what leaving each of them out would cost; the one that costs least is left out first, and the graph
 * is then chosen by the method that was asked for.  Graphs of the same operators on the same shapes are one finalist.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/vec.h"
#include "cmd/choose.h"
#include "cmd/cmd.h"
#include "cmd/progress.h"

enum { MOST_TRIED = 32 };		/* kinds of one finalist that are left out, those that cost most */

typedef VEC(char *) texts;

/* What to leave out. */
struct without {
	uint32_t *kind;			/* in order */
	uint32_t n;
	int64_t cost;			/* of the graph, by greed */
	bool is_done;
};

struct search {
	struct optimize *z;
	struct tn_priced *priced;
	struct tn_problem problem;	/* as priced, with costs of its own */
	const int64_t *given;		/* the costs as priced */
	int64_t *cost;
	uint32_t *kind;			/* of each problem node; TN_NONE: it stays */
	uint32_t nkind;
	VEC(struct without) list;
	texts seen;		/* operators of the original and of each finalist */
	uint32_t want;			/* so many finalists, with the first */
	double deadline_s;		/* 0: none */
};

/* ---- kinds ------------------------------------------------------------------------------------------------------ */

/* the kind of an e-node: operator, attributes, types of operands and result */
static uint32_t
kind_of(struct search *s, struct map *kinds, tn_id enode)
{
	const struct tn_tensors *t = s->z->tensors;
	struct tn_egraph *g = tn_tensors_egraph(s->z->tensors);
	struct tn_node n = tn_node_at(g, enode);
	VEC(uint32_t) key = {0};
	bool is_new;
	uint32_t i, kind;

	vec_push(&key, n.op);
	vec_push(&key, n.attrs);
	vec_push(&key, tn_tensors_type(t, tn_find(g, enode)));
	for (i = 0; i < n.nkid; i++)
		vec_push(&key, tn_tensors_type(t, tn_find(g, n.kid[i])));
	kind = *map_put(kinds, key.at, key.n * sizeof *key.at, s->nkind, &is_new);
	s->nkind += is_new;
	vec_free(&key);
	return kind;
}

/* of what costs something and the model has not */
static void
find_kinds(struct search *s)
{
	struct map kinds = {0};
	uint32_t i;

	s->kind = mem_alloc(((size_t)s->problem.nnode + 1) * sizeof *s->kind);
	for (i = 0; i < s->problem.nnode; i++) {
		tn_id enode = tn_priced_node(s->priced, i);

		s->kind[i] = enode >= s->z->first_new && s->given[i] > 0 && s->given[i] < TN_COST_NEVER ? kind_of(s, &kinds, enode) : TN_NONE;
	}
	map_free(&kinds);
}

static bool
has_kind(const struct without *w, uint32_t kind)
{
	uint32_t i;

	for (i = 0; i < w->n; i++)
		if (w->kind[i] == kind)
			return true;
	return false;
}

static void
leave_out(struct search *s, const struct without *w)
{
	uint32_t i;

	for (i = 0; i < s->problem.nnode; i++)
		s->cost[i] = s->kind[i] != TN_NONE && has_kind(w, s->kind[i]) ? TN_COST_NEVER : s->given[i];
}

/* ---- what graphs are made of ------------------------------------------------------------------------------------ */

static void
add_line(void *arg, uint32_t node, const char *signature, int64_t ns, bool is_measured)
{
	texts *lines = arg;
	struct buf b = {0};

	(void)node, (void)is_measured;
	if (ns == 0)
		return;
	buf_puts(&b, signature);
	buf_putc(&b, '\n');
	vec_push(lines, b.at);
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* the signatures of the graph's operators in order, one a line; caller frees */
static char *
operators(const struct search *s, const struct tn_graph *g)
{
	texts lines = {0};
	struct tn_bill_lines each = {add_line, &lines};
	struct tn_bill bill;
	struct buf b = {0};
	uint32_t i;

	tn_costs_graph(s->z->costs, g, s->z->sizes.at[0], &each, &bill);
	if (lines.n)
		qsort(lines.at, lines.n, sizeof *lines.at, by_text);
	for (i = 0; i < lines.n; i++) {
		buf_puts(&b, lines.at[i]);
		mem_free(lines.at[i]);
	}
	buf_putc(&b, '\0');
	vec_free(&lines);
	return b.at;
}

static bool
is_seen(const struct search *s, const char *text)
{
	uint32_t i;

	for (i = 0; i < s->seen.n; i++)
		if (strcmp(s->seen.at[i], text) == 0)
			return true;
	return false;
}

/* ---- candidates ------------------------------------------------------------------------------------------------- */

static bool
is_late(const struct search *s)
{
	return interrupted || (s->deadline_s > 0 && clock_now() > s->deadline_s);
}

/* was this left out before? */
static bool
is_listed(const struct search *s, const struct without *w)
{
	uint32_t i;

	for (i = 0; i < s->list.n; i++)
		if (s->list.at[i].n == w->n && memcmp(s->list.at[i].kind, w->kind, w->n * sizeof *w->kind) == 0)
			return true;
	return false;
}

/* those of `before` (NULL: none) and one kind more */
static struct without
with_one_more(const struct without *before, uint32_t kind)
{
	uint32_t n = before ? before->n : 0, i;
	struct without w = {.kind = mem_alloc(((size_t)n + 1) * sizeof *w.kind)};

	for (i = 0; i < n && before->kind[i] < kind; i++)
		w.kind[w.n++] = before->kind[i];
	w.kind[w.n++] = kind;
	for (; i < n; i++)
		w.kind[w.n++] = before->kind[i];
	return w;
}

/* the choice without them, by greed */
static void
try_without(struct search *s, struct without w)
{
	struct tn_extract_options greed = {.method = TN_DAG, .interrupted = &interrupted};
	struct tn_choice *c;

	if (is_listed(s, &w) || is_late(s)) {
		mem_free(w.kind);
		return;
	}
	leave_out(s, &w);
	c = tn_extract(&s->problem, &greed, NULL);
	w.cost = c ? c->cost : TN_COST_NEVER;
	w.is_done = !c;
	tn_choice_free(c);
	vec_push(&s->list, w);
}

struct share {
	uint32_t kind;
	int64_t cost;
};

static int
by_cost(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	if (x->cost != y->cost)
		return x->cost < y->cost ? 1 : -1;
	return (x->kind > y->kind) - (x->kind < y->kind);
}

/* what the kinds cost in the choice, the dearest first: nkind of them, caller frees */
static struct share *
find_shares(const struct search *s, const tn_id choice[])
{
	const struct tn_egraph *g = tn_tensors_egraph(s->z->tensors);
	struct share *share = mem_alloc(((size_t)s->nkind + 1) * sizeof *share);
	tn_id enode, last = TN_NONE;
	uint32_t i;

	for (i = 0; i < s->nkind; i++)
		share[i].kind = i;
	for (i = 0; i < s->problem.nnode; i++) {
		enode = tn_priced_node(s->priced, i);
		/* an e-node that reads its operands in several ways stands there several times, one after the other */
		if (s->kind[i] != TN_NONE && enode != last && choice[tn_find(g, enode)] == enode)
			share[s->kind[i]].cost += s->given[i];
		last = enode;
	}
	if (s->nkind)
		qsort(share, s->nkind, sizeof *share, by_cost);
	return share;
}

/* leave out the kinds of a choice one by one, beside what it lacks already */
static void
expand(struct search *s, const tn_id choice[], uint32_t before)
{
	struct share *share = find_shares(s, choice);
	uint32_t k, most = s->nkind < MOST_TRIED ? s->nkind : MOST_TRIED;

	for (k = 0; k < most && share[k].cost > 0; k++) {
		progress_show("finalists: %u of %u kinds of operators left out", k + 1, most);
		try_without(s, with_one_more(before == TN_NONE ? NULL : &s->list.at[before], share[k].kind));
	}
	mem_free(share);
}

/* the cheapest that was not taken up, or TN_NONE */
static uint32_t
cheapest(const struct search *s)
{
	uint32_t i, best = TN_NONE;

	for (i = 0; i < s->list.n; i++)
		if (!s->list.at[i].is_done && (best == TN_NONE || s->list.at[i].cost < s->list.at[best].cost))
			best = i;
	return best;
}

/* ---- finalists -------------------------------------------------------------------------------------------------- */

/* take the graph for a finalist, if it is another one and cheaper than the original */
static void
offer(struct search *s, struct finalist *f)
{
	struct optimize *z = s->z;
	char *text = operators(s, f->result);

	if (is_seen(s, text) || f->bill.ns >= z->before.ns) {
		mem_free(text);
		choose_release(f);
		return;
	}
	vec_push(&s->seen, text);
	z->finalist[z->nfinalist++] = *f;
}

/* the cheapest graph without these kinds, by the method asked for, in its share of the time; its own kinds are tried then */
static void
take_up(struct search *s, uint32_t which, struct tn_extract_options method)
{
	uint32_t left = s->want - s->z->nfinalist;
	struct finalist f = {0};
	struct tn_choice *c;

	s->list.at[which].is_done = true;
	if (s->deadline_s > 0)
		method.time_s = (s->deadline_s - clock_now()) / left;
	if (s->deadline_s > 0 && method.time_s <= 0)	/* which would be no limit */
		return;
	leave_out(s, &s->list.at[which]);
	c = tn_extract(&s->problem, &method, NULL);
	if (!c)
		return;
	if (!choose_graph(s->z, tn_priced_choice(s->priced, c), NULL, &f, NULL)) {
		tn_choice_free(c);
		return;
	}
	f.choice = c;
	if (left > 1)
		expand(s, f.enode, which);
	offer(s, &f);
}

static void
release(struct search *s)
{
	uint32_t i;

	for (i = 0; i < s->list.n; i++)
		mem_free(s->list.at[i].kind);
	for (i = 0; i < s->seen.n; i++)
		mem_free(s->seen.at[i]);
	vec_free(&s->list);
	vec_free(&s->seen);
	mem_free(s->cost);
	mem_free(s->kind);
	tn_priced_free(s->priced);
}

void
finalists_add(struct optimize *z, const struct tn_extract_options *method, const struct tn_pricing *how)
{
	struct search s = {.z = z, .want = z->race.finalists};
	double time_s = z->o->extract_time_s;
	uint32_t which;

	if (s.want < 2 || interrupted)
		return;
	s.deadline_s = time_s > 0 ? clock_now() + time_s : 0;
	s.priced = tn_costs_egraph(z->costs, z->tensors, z->sizes.at[0], how);
	s.problem = *tn_priced_problem(s.priced);
	s.given = s.problem.cost;
	s.problem.cost = s.cost = mem_alloc(((size_t)s.problem.nnode + 1) * sizeof *s.cost);
	find_kinds(&s);
	vec_push(&s.seen, operators(&s, z->unchanged.result));
	vec_push(&s.seen, operators(&s, z->finalist->result));
	expand(&s, z->finalist->enode, TN_NONE);
	while (z->nfinalist < s.want && !is_late(&s) && (which = cheapest(&s)) != TN_NONE)
		take_up(&s, which, *method);
	release(&s);
}
