/*
 * Finalists on the target, in turn with the original, which is folded as they are.
 *
 * In the order of their prices each must beat the one before it, and the first the original, by more than a tie; where none
 * does, the original stays.  A step on the host takes what it takes.  One that is made up takes nothing, so that nothing is
 * decided where not all make up the same.
 */
#include <string.h>

#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/optimize.h"
#include "cmd/progress.h"

enum { BY_DEFAULT = 3 };		/* finalists */

/* One graph on the target. */
struct lane {
	struct finalist *finalist;
	struct tn_plan *plan;
};

/* ---- the target --------------------------------------------------------------------------------------------- */

/* what --target or the table of --costs names, cut to size; false: nothing is named */
static bool
target_name(const struct optimize *z, char *name, size_t size)
{
	const char *from = z->o->target ? z->o->target : optimize_has_table(z->o) ? tn_costs_label(z->costs) : "";

	snprintf(name, size, "%.*s", (int)strcspn(from, " "), from);
	return *name != '\0';
}

static bool
is_found(const char *name)
{
	const char *found;
	int i;

	for (i = 0; (found = tn_target_found(i, NULL)); i++)
		if (strcmp(found, name) == 0)
			return true;
	return false;
}

struct tn_target *
race_target(const struct optimize *z, const char *name, struct tn_error *e)
{
	struct tn_target_options how = {.threads = (int)z->o->threads, .tf32 = z->o->tf32};

	return tn_target_open(name, &how, e);
}

/* the target of this name, which the costs must be of, if they were measured; NULL and error */
static struct tn_target *
open_target(const struct optimize *z, const char *name, struct tn_error *e)
{
	struct tn_target *t = race_target(z, name, e);

	if (!t || !optimize_has_table(z->o) || strcmp(tn_target_identity(t), tn_costs_label(z->costs)) == 0)
		return t;
	tn_fail(e, TN_E_INPUT, "the costs are of '%s', and here is '%s'", tn_costs_label(z->costs), tn_target_identity(t));
	tn_target_close(t);
	return NULL;
}

bool
race_open(struct optimize *z, struct tn_error *e)
{
	bool is_asked = z->o->finalists > 1;
	char name[64];

	z->race.finalists = 1;
	if (z->o->finalists == 1 || z->o->rules.none)
		return true;
	if (z->race.target) {
		z->race.finalists = is_asked ? (uint32_t)z->o->finalists : BY_DEFAULT;
		return true;
	}
	if (!target_name(z, name, sizeof name))
		return !is_asked || tn_fail(e, TN_E_IO, "--finalists: on which target? say --target or --costs");
	if (!is_asked && !is_found(name))
		return true;
	z->race.target = open_target(z, name, is_asked ? e : &z->race.why);
	if (z->race.target)
		z->race.finalists = is_asked ? (uint32_t)z->o->finalists : BY_DEFAULT;
	return z->race.target || !is_asked;
}

/* ---- lanes -------------------------------------------------------------------------------------------------- */

/* the record of the plan's i-th step, if it is of an operator that is made up; else TN_NONE */
static tn_attrs
made_up(const struct tn_plan *p, uint32_t i)
{
	const struct tn_plan_step *s = tn_plan_step(p, i);

	return s->where == TN_MADE_UP ? tn_plan_graph(p)->node[s->node].attrs : TN_NONE;
}

/* is what a makes up made up in b too?  Else the error says what. */
static bool
makes_up(const struct tn_plan *a, const struct tn_plan *b, struct tn_error *e)
{
	uint32_t i, k, n = tn_plan_steps(b);

	for (i = 0; i < tn_plan_steps(a); i++) {
		for (k = 0; k < n && made_up(b, k) != made_up(a, i); k++)
			;
		if (made_up(a, i) != TN_NONE && k == n)
			return tn_fail(e, TN_E_INPUT, "'%s' is made up in one graph alone, as Tenon does not know it", tn_plan_step(a, i)->op);
	}
	return true;
}

/* ready to be timed: it ran once, so that its inputs lie there; false: it does not run, and why */
static bool
enter(struct optimize *z, struct finalist *f, const struct tn_array in[], struct lane *lane)
{
	struct tn_array *out = NULL;

	if (f->unable.code)		/* its values were not compared */
		return false;
	*lane = (struct lane){f, tn_plan_new(z->race.target, f->result, z->sizes.at[0], &f->unable)};
	if (lane->plan)
		out = tn_plan_run(lane->plan, in, &f->unable);
	if (!out) {
		tn_plan_free(lane->plan);
		return false;
	}
	tn_arrays_free(out, f->result->noutput);
	tn_plan_price(lane->plan, z->costs, NULL, &f->planned);
	return true;
}

/* all times, or none; false: the target failed */
static bool
run_lanes(struct optimize *z, const struct lane lane[], uint32_t n, struct tn_error *e)
{
	struct tn_plan **plan = mem_alloc(n * sizeof *plan);
	struct tn_lap *lap = mem_alloc(n * sizeof *lap);
	uint32_t i;
	bool ok;

	for (i = 0; i < n; i++)
		plan[i] = lane[i].plan;
	progress_show("running %u graphs in turn", n);
	ok = tn_plans_race(plan, n, &interrupted, lap, &z->race.rounds, e);
	for (i = 0; i < n && ok; i++)
		lane[i].finalist->lap = lap[i];
	if (!ok)
		z->race.rounds = 0;
	mem_free(plan);
	mem_free(lap);
	return ok;
}

/* the lane's finalist that is to be written; NULL: the original, which is in the first lane, stays */
static struct finalist *
find_winner(const struct lane lane[], uint32_t n)
{
	uint32_t i, best = 0;

	for (i = 1; i < n; i++)
		if (tn_lap_beats(&lane[i].finalist->lap, &lane[best].finalist->lap))
			best = i;
	return best ? lane[best].finalist : NULL;
}

/* the lanes of all that run, the original first; 0: none are to be run, and why */
static uint32_t
enter_all(struct optimize *z, const struct tn_array in[], struct lane lane[])
{
	uint32_t n = 0, i;

	if (!enter(z, &z->unchanged, in, &lane[n])) {
		z->race.why = z->unchanged.unable;
		return 0;
	}
	for (n++, i = 0; i < z->nfinalist; i++)
		n += enter(z, &z->finalist[i], in, &lane[n]);
	return n;
}

/* do they all make up the same? */
static bool
is_fair(struct optimize *z, const struct lane lane[], uint32_t n)
{
	uint32_t i;

	for (i = 1; i < n; i++)
		if (!makes_up(lane[0].plan, lane[i].plan, &z->race.why) || !makes_up(lane[i].plan, lane[0].plan, &z->race.why))
			return false;
	return n > 0;
}

bool
race_run(struct optimize *z, struct tn_error *e)
{
	struct tn_array *in;
	struct lane *lane;
	struct tn_error why = {0};
	uint32_t n, i;
	bool ok = true;

	if (z->race.finalists < 2 || !z->is_changed || interrupted)
		return true;
	in = given_draw(&z->given, z->model.graph, z->sizes.at[0], 1, e);
	if (!in)
		return false;
	lane = mem_alloc(((size_t)z->nfinalist + 1) * sizeof *lane);
	n = enter_all(z, in, lane);
	if (is_fair(z, lane, n) && run_lanes(z, lane, n, &why))
		optimize_take(z, find_winner(lane, n));
	else if (why.code == TN_E_INTERRUPT)
		z->race.why = why;
	else if (why.code)
		ok = tn_fail(e, why.code, "%s", why.msg);
	for (i = 0; i < n; i++)
		tn_plan_free(lane[i].plan);
	mem_free(lane);
	given_done(&z->given, in);
	return ok;
}
