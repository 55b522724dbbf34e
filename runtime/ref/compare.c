/* Comparing arrays, and graphs on random inputs. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/rand.h"
#include "ref/execute.h"
#include "ref/merge.h"

/* ---- arrays ---------------------------------------------------------------------------------------------- */

static void
differ(struct tn_difference *d, double by, const char *text)
{
	if (!d->differs || by > d->worst)
		snprintf(d->where, sizeof d->where, "%s", text);
	d->differs = true;
	d->worst = fmax(d->worst, by);
}

static bool
is_float(enum tn_dtype d)
{
	return d == TN_F16 || d == TN_BF16 || d == TN_F32 || d == TN_F64;
}

/* "output y, element [0 3]: 1.5 and 2" */
static void
differ_at(struct tn_difference *d, double by, const char *name, const struct tn_array *a, int64_t at, double x, double y)
{
	char text[sizeof d->where], place[160] = "";
	int64_t index[TN_MAX_RANK], rest = at;
	size_t n = 0;
	int i;

	for (i = a->rank - 1; i >= 0; i--) {
		index[i] = rest % a->dim[i];
		rest /= a->dim[i];
	}
	for (i = 0; i < a->rank && n < sizeof place; i++)
		n += (size_t)snprintf(place + n, sizeof place - n, "%s%" PRId64, i ? " " : "", index[i]);
	if (snprintf(text, sizeof text, "output %.80s, element [%.80s]: %.9g and %.9g", name, place, x, y) < 0)
		return;
	differ(d, by, text);
}

/* the larger share of what |x - y| may be; infinite where nothing excuses it */
static double
share(double x, double y, double slack, bool is_exact)
{
	if (x == y || (isnan(x) && isnan(y)))
		return 0;
	if (is_exact || !isfinite(x) || !isfinite(y))
		return INFINITY;
	return fabs(x - y) / (slack + 1e-4 * fabs(x));
}

static bool
same_shape(const struct tn_array *a, const struct tn_array *b)
{
	return a->dtype == b->dtype && a->rank == b->rank &&
	    memcmp(a->dim, b->dim, (size_t)a->rank * sizeof a->dim[0]) == 0;
}

void
tn_arrays_compare(const struct tn_array *a, const struct tn_array *b, const char *name, struct tn_difference *d)
{
	double most = 0, by, worst = 0;
	int64_t i, at = -1, n;
	char text[sizeof d->where];

	if (!same_shape(a, b)) {
		snprintf(text, sizeof text, "output %.200s: other shapes or types", name);
		differ(d, INFINITY, text);
		return;
	}
	n = array_count(a);
	for (i = 0; i < n; i++)
		if (isfinite(a->v[i]))
			most = fmax(most, fabs(a->v[i]));
	for (i = 0; i < n; i++) {
		by = share(a->v[i], b->v[i], 1e-5 * most, !is_float(a->dtype));
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

/* random arrays for the inputs; NULL: a shape is not known */
static struct tn_array *
random_inputs(const struct tn_graph *g, uint64_t seed, const int64_t sizes[], struct tn_error *e)
{
	struct tn_array *in = mem_alloc(((size_t)g->ninput + 1) * sizeof *in);
	struct rng r = {seed};
	uint32_t i;

	for (i = 0; i < g->ninput; i++) {
		if (!array_make(g->ctx, g->input[i].type, sizes, &in[i], e)) {
			tn_arrays_free(in, i);
			return NULL;
		}
		array_random(&in[i], &r);
	}
	return in;
}

/* One run of the merged graph: pairs of outputs are compared. */
static bool
compare_once(const struct tn_graph *g, uint64_t seed, const int64_t sizes[], double deadline_s, struct tn_difference *d,
    struct tn_error *e)
{
	struct tn_exec x = {.sizes = sizes, .seed = seed};
	struct tn_array *in = random_inputs(g, seed, sizes, e), *out;
	uint32_t i;

	if (!in)
		return false;
	x.input = in;
	out = execute_until(g, &x, deadline_s, e);
	tn_arrays_free(in, g->ninput);
	if (!out)
		return false;
	for (i = 0; i < g->noutput; i += 2)
		tn_arrays_compare(&out[i], &out[i + 1], g->output[i].name, d);
	tn_arrays_free(out, g->noutput);
	return true;
}

bool
tn_graphs_compare(const struct tn_graph *a, const struct tn_graph *b, int seeds, const int64_t sizes[], double time_s,
    struct tn_difference *d, struct tn_error *e)
{
	double deadline_s = time_s > 0 ? execute_now() + time_s : 0;
	struct tn_graph *g;
	bool ok = true;
	int i;

	*d = (struct tn_difference){0};
	if (a->ctx != b->ctx || a->program != b->program)
		return tn_fail(e, TN_E_DEFECT, "graphs of two contexts or programs cannot be compared");
	g = merge_graphs(a, b, d->where, sizeof d->where);
	if (!g) {
		d->differs = true;
		d->worst = INFINITY;
		return true;
	}
	for (i = 0; ok && (i == 0 || i < seeds) && !d->differs; i++)
		ok = compare_once(g, (uint64_t)i + 1, sizes, deadline_s, d, e);
	tn_graph_free(g);
	return ok;
}
