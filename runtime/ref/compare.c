/*
 * Comparing arrays, and graphs on random inputs.
 *
 * Both graphs are merged first: what is one node needs no computing.  The rest is computed as a whole;
 * where half of the time does not do for that, each changed region by itself, on random values at its
 * border.  A region that differs so is looked at from further away, since its border may only ever hold
 * certain values, as what comes out of a relu.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/rand.h"
#include "ref/compare.h"
#include "ref/execute.h"
#include "ref/merge.h"
#include "tensor/element.h"

/* ---- arrays ---------------------------------------------------------------------------------------------- */

static void
differ(struct tn_difference *d, double by, const char *text)
{
	if (!d->differs || by > d->worst)
		snprintf(d->where, sizeof d->where, "%s", text);
	d->differs = true;
	d->worst = fmax(d->worst, by);
}

/* "output y, element [0 3]: 1.5 and 2", y being called "output y" */
static void
differ_at(struct tn_difference *d, double by, const char *name, const struct tn_array *a, int64_t at, double x, double y)
{
	char text[sizeof d->where], place[160] = "";
	int64_t index[TN_MAX_RANK] = {0}, rest = at;
	size_t n = 0;
	int i;

	for (i = a->rank - 1; i >= 0; i--) {
		index[i] = rest % a->dim[i];
		rest /= a->dim[i];
	}
	for (i = 0; i < a->rank && n < sizeof place; i++)
		n += (size_t)snprintf(place + n, sizeof place - n, "%s%" PRId64, i ? " " : "", index[i]);
	if (snprintf(text, sizeof text, "%.80s, element [%.80s]: %.9g and %.9g", name, place, x, y) < 0)
		return;
	differ(d, by, text);
}

static struct tn_slack
slack_of(enum tn_dtype dtype)
{
	switch (dtype) {
	case TN_F16: return (struct tn_slack){0x1p-8, 0x1p-7, 0};
	case TN_BF16: return (struct tn_slack){0x1p-5, 0x1p-4, 0};
	default: return (struct tn_slack){1e-5, 1e-4, 0};
	}
}

/* |x - y| as a share of what it may be; infinite where nothing excuses it */
static double
share(double x, double y, const struct tn_slack *slack, double most, bool is_exact)
{
	if (x == y || (isnan(x) && isnan(y)))
		return 0;
	if (is_exact || !isfinite(x) || !isfinite(y))
		return INFINITY;
	return fabs(x - y) / (slack->of_most * most + slack->of_a * fabs(x));
}

static bool
same_shape(const struct tn_array *a, const struct tn_array *b)
{
	return a->dtype == b->dtype && a->rank == b->rank && a->rank >= 0 &&
	    memcmp(a->dim, b->dim, (size_t)a->rank * sizeof a->dim[0]) == 0;
}

void
tn_arrays_compare(const struct tn_array *a, const struct tn_array *b, const char *name, struct tn_difference *d)
{
	const struct tn_slack slack = slack_of(a->dtype);

	tn_arrays_compare_within(a, b, name, &slack, d);
}

void
tn_arrays_compare_within(const struct tn_array *a, const struct tn_array *b, const char *name, const struct tn_slack *slack,
    struct tn_difference *d)
{
	double most = slack->most, by, worst = 0;
	int64_t i, at = -1, n;
	char text[sizeof d->where];

	if (!same_shape(a, b)) {
		snprintf(text, sizeof text, "%.200s: other shapes or types", name);
		differ(d, INFINITY, text);
		return;
	}
	n = array_count(a);
	for (i = 0; i < n; i++)
		if (isfinite(a->v[i]))
			most = fmax(most, fabs(a->v[i]));
	for (i = 0; i < n; i++) {
		by = share(a->v[i], b->v[i], slack, most, !dtype_is_float(a->dtype));
		if (by > worst) {
			worst = by;
			at = i;
		}
	}
	if (worst > 1)
		differ_at(d, worst, name, a, at, a->v[at], b->v[at]);
	else
		d->worst = fmax(d->worst, worst);
}

/* ---- graphs ------------------------------------------------------------------------------------------------ */

/* The elements of a pair that were not NaN in both on some input. */
struct seen {
	bool *at;
	int64_t n, unseen;
};

struct comparison {
	const struct merged *m;
	const struct tn_comparing *how;
	double deadline_s;
	struct seen *seen;		/* per pair */
	struct tn_difference *d;
	struct tn_error *error;
};

static bool
copy_given(struct tn_array *to, const struct tn_array *given, const char *name, struct tn_error *e)
{
	if (!same_shape(to, given))
		return tn_fail(e, TN_E_INPUT, "input %s: the array given has another shape or type", name);
	memcpy(to->v, given->v, (size_t)array_count(to) * sizeof *to->v);
	return true;
}

/* arrays for the inputs of g, whose first are the merged graph's */
static struct tn_array *
make_inputs(const struct comparison *c, const struct tn_graph *g, uint64_t seed)
{
	struct tn_array *in = mem_alloc(((size_t)g->ninput + 1) * sizeof *in);
	struct rng r = {seed};
	bool ok = true;
	uint32_t i;

	for (i = 0; ok && i < g->ninput; i++) {
		ok = array_make(g->ctx, g->input[i].type, c->how->sizes, &in[i], c->error);
		if (ok)
			array_draw(&in[i], &r, seed);
		if (ok && c->how->given && i < c->m->g->ninput && c->how->given[i].v)
			ok = copy_given(&in[i], &c->how->given[i], g->input[i].name, c->error);
	}
	if (ok)
		return in;
	tn_arrays_free(in, g->ninput);
	return NULL;
}

/* Which elements were seen now too?  What differs was seen. */
static void
look(struct seen *s, const struct tn_array *a, const struct tn_array *b)
{
	int64_t i;

	if (!s->at) {
		s->n = s->unseen = array_count(a);
		s->at = mem_alloc((size_t)s->n + 1);
	}
	for (i = 0; i < s->n; i++)
		if (!s->at[i] && !(isnan(a->v[i]) && isnan(b->v[i]))) {
			s->at[i] = true;
			s->unseen--;
		}
}

static struct seen *
seen_make(uint32_t npair)
{
	return mem_alloc(((size_t)npair + 1) * sizeof(struct seen));
}

/* the sums go to *d */
static void
seen_free(struct seen *s, uint32_t npair, struct tn_difference *d)
{
	uint32_t k;

	for (k = 0; k < npair; k++) {
		d->elements += (uint64_t)s[k].n;
		d->never += (uint64_t)s[k].unseen;
		mem_free(s[k].at);
	}
	mem_free(s);
}

/* one run of a part of the merged graph; pairs that differ are marked */
static bool
run_once(const struct comparison *c, const struct tn_graph *g, const uint32_t pair[], uint64_t seed, bool differs[])
{
	struct tn_exec x = {.sizes = c->how->sizes, .seed = seed, .interrupted = c->how->interrupted};
	struct tn_array *in = make_inputs(c, g, seed), *out = NULL;
	struct tn_difference d;
	uint32_t i;

	if (in) {
		x.input = in;
		out = execute_until(g, &x, c->deadline_s, c->error);
		tn_arrays_free(in, g->ninput);
	}
	if (!out)
		return false;
	for (i = 0; i < g->noutput; i += 2) {
		d = (struct tn_difference){0};
		tn_arrays_compare(&out[i], &out[i + 1], g->output[i].name, &d);
		if (!d.differs)
			look(&c->seen[pair[i / 2]], &out[i], &out[i + 1]);
		differs[i / 2] |= d.differs;
		if (d.differs)
			differ(c->d, d.worst, d.where);
		else
			c->d->worst = fmax(c->d->worst, d.worst);
	}
	tn_arrays_free(out, g->noutput);
	return true;
}

/* The pairs on every seed; on numbers of every kind where an element was NaN in both so far. */
static bool
run_seeds(const struct comparison *c, const struct tn_graph *g, const uint32_t pair[], uint32_t npair, bool differs[])
{
	bool any = false, blind = false;
	uint32_t k;
	int i;

	for (i = 0; !any && (i < c->how->seeds || (blind && i < DRAW_KINDS)); i++) {
		if (!run_once(c, g, pair, (uint64_t)i + 1, differs))
			return false;
		for (blind = false, k = 0; k < npair; k++) {
			any |= differs[k];
			blind |= c->seen[pair[k]].unseen > 0;
		}
	}
	for (k = 0; !any && k < npair; k++) {
		const struct seen *s = &c->seen[pair[k]];

		if (s->n && s->unseen == s->n)
			return tn_fail(c->error, TN_E_DEFECT, "%s is NaN on every input that was tried: nothing was compared",
			    c->m->pair.at[pair[k]].name);
	}
	return true;
}

/* all pairs from the inputs on */
static bool
compare_whole(const struct comparison *c)
{
	uint32_t n = c->m->pair.n, i, *pair = mem_alloc(((size_t)n + 1) * sizeof *pair);
	bool *differs = mem_alloc((size_t)n + 1), ok;
	struct tn_graph *g;

	for (i = 0; i < n; i++)
		pair[i] = i;
	g = merged_cut(c->m, pair, n, UINT32_MAX);
	ok = run_seeds(c, g, pair, n, differs);
	tn_graph_free(g);
	mem_free(pair);
	mem_free(differs);
	return ok;
}

/* One pair on random values at the border of what differs, ever further away.  False: not equal so, or too late. */
static bool
compare_region(struct comparison *c, uint32_t pair)
{
	struct tn_difference *found = c->d, d;
	struct tn_graph *g;
	bool differs = true, whole = false, ok = true;
	uint32_t depth;

	for (depth = 1; ok && differs && !whole; depth *= 2) {
		g = merged_cut(c->m, &pair, 1, depth);
		whole = g->ninput == c->m->g->ninput || depth > g->nnode;
		differs = false;
		d = (struct tn_difference){0};
		c->d = &d;
		mem_free(c->seen[pair].at);
		c->seen[pair] = (struct seen){0};
		ok = run_seeds(c, g, &pair, 1, &differs);
		tn_graph_free(g);
	}
	c->d = found;
	if (ok && differs)
		return tn_fail(c->error, TN_E_DEFECT, "not verified in time, and %s", d.where);
	found->worst = fmax(found->worst, d.worst);
	return ok;
}

bool
compare_regions(const struct tn_graph *a, const struct tn_graph *b, const struct tn_comparing *how, double deadline_s,
    struct tn_difference *d, struct tn_error *e)
{
	struct comparison c = {.how = how, .deadline_s = deadline_s, .d = d, .error = e};
	struct merged m;
	bool ok = merge_graphs(&m, a, b, true, d->where, sizeof d->where) || tn_fail(e, TN_E_DEFECT, "%s", d->where);
	uint32_t i;

	*d = (struct tn_difference){0};
	c.m = &m;
	c.seen = seen_make(m.pair.n);
	for (i = 0; ok && i < m.pair.n; i++)
		ok = compare_region(&c, i);
	seen_free(c.seen, m.pair.n, d);
	merged_free(&m);
	return ok;
}

bool
tn_graphs_compare_on(const struct tn_graph *a, const struct tn_graph *b, const struct tn_comparing *how,
    struct tn_difference *d, struct tn_error *e)
{
	double start_s = clock_now();
	struct comparison c = {.how = how, .d = d, .error = e};
	struct merged m;
	bool ok = true;

	*d = (struct tn_difference){0};
	if (a->ctx != b->ctx || a->program != b->program)
		return tn_fail(e, TN_E_DEFECT, "graphs of two contexts or programs cannot be compared");
	if (!merge_graphs(&m, a, b, false, d->where, sizeof d->where)) {
		d->differs = true;
		d->worst = INFINITY;
	} else if (m.pair.n) {
		c.m = &m;
		c.seen = seen_make(m.pair.n);
		c.deadline_s = how->time_s > 0 ? start_s + how->time_s / 2 : 0;
		ok = compare_whole(&c);
		seen_free(c.seen, m.pair.n, d);
		if (!ok && c.deadline_s > 0 && clock_now() >= c.deadline_s)
			ok = compare_regions(a, b, how, start_s + how->time_s, d, e);
	}
	merged_free(&m);
	return ok;
}

bool
tn_graphs_compare(const struct tn_graph *a, const struct tn_graph *b, int seeds, const int64_t sizes[], double time_s,
    struct tn_difference *d, struct tn_error *e)
{
	return tn_graphs_compare_on(a, b, &(struct tn_comparing){seeds, sizes, time_s, NULL, NULL}, d, e);
}

bool
tn_graphs_same(const struct tn_graph *a, const struct tn_graph *b)
{
	char why[64];
	struct merged m;
	bool same = a->ctx == b->ctx && a->program == b->program && merge_graphs(&m, a, b, false, why, sizeof why) && m.pair.n == 0;

	if (a->ctx == b->ctx && a->program == b->program)
		merged_free(&m);
	return same;
}
