/*
 * Choosing what is written; see choose.h.
 *
 * Constant parts are reckoned free, as they are folded.  Where folding them would make the weights grow too
 * much, some stay; then they are priced, and it is chosen again.  Prices need no values: only those of what is
 * written in the end are computed.  Where there is no time for all of these, what is left is priced, too, and it is
 * chosen and folded once more.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/map.h"
#include "base/mem.h"
#include "cmd/choose.h"
#include "cmd/cmd.h"
#include "cmd/problem.h"
#include "cmd/progress.h"

enum { ROUNDS = 4 };

void
choose_release(struct finalist *f)
{
	tn_choice_free(f->choice);
	mem_free(f->enode);
	tn_graph_free(f->chosen);
	tn_graph_free(f->result);
	mem_free(f->contributed);
	*f = (struct finalist){0};
}

static bool
can_write(void *arg, tn_id enode)
{
	const struct optimize *z = arg;

	return tn_onnx_can_write(z->model.onnx, z->tensors, enode);
}

/* what is extracted from, as a file */
static bool
write_egraph(const struct optimize *z, const struct tn_priced *priced, struct tn_error *e)
{
	char *temporary;
	FILE *f = output_open(z->o->egraph, &temporary, e);

	if (!f)
		return false;
	problem_write(priced, z->tensors, f);
	return output_close(f, z->o->egraph, temporary, e);
}

static void
count_rule(void *arg, uint32_t rule)
{
	((uint32_t *)arg)[rule]++;
}

/* how often each rule stands on the way from the original to the choice */
static uint32_t *
count_rules(const struct optimize *z, const tn_id choice[])
{
	uint32_t *count = mem_alloc(((size_t)z->program->nrule + 1) * sizeof *count), i;
	tn_id *root = mem_alloc(((size_t)z->original->noutput + 1) * sizeof *root);

	for (i = 0; i < z->original->noutput; i++)
		root[i] = tn_tensors_classes(z->tensors)[z->original->output[i].node];
	tn_egraph_explain(tn_tensors_egraph(z->tensors), root, z->original->noutput, choice, z->first_new, count_rule, count);
	mem_free(root);
	return count;
}

/* ---- graphs ------------------------------------------------------------------------------------------------ */

size_t
choose_growth(const struct tn_graph *g, uint64_t percent)
{
	size_t bytes = 0;
	uint32_t i;

	for (i = 0; i < g->nweight; i++)
		bytes += g->weight[i].size_bytes;
	return bytes / 100 * percent + 1024;
}

static size_t
growth(const struct optimize *z)
{
	return choose_growth(z->original, z->o->growth_percent);
}

/* The graph as it is written: a new one.  at[]: its node for each of g's.  NULL and error. */
static struct tn_graph *
form(const struct optimize *z, const struct tn_graph *g, uint32_t at[], struct tn_error *e)
{
	struct tn_graph *made;
	uint32_t i;

	if (z->is_onnx)
		return tn_onnx_legal(z->model.onnx, g, at, e);
	made = tn_graph_copy(g, e);
	for (i = 0; i < g->nnode; i++)
		at[i] = i;
	return made;
}

/* The graph as it would be written, folded, with its price, as the finalist's result.  left[]: g's nodes that are not folded. */
static bool
finish(struct optimize *z, const struct tn_graph *g, bool with_values, bool left[], struct finalist *f, struct tn_error *e)
{
	struct tn_fold how = {.growth_bytes = growth(z), .no_values = !with_values, .time_s = z->o->fold_time_s,
	    .interrupted = &interrupted};
	uint32_t *at = mem_alloc(((size_t)g->nnode + 1) * sizeof *at), i;

	tn_graph_free(f->result);
	f->result = form(z, g, at, e);
	if (f->result) {
		how.left = mem_alloc((size_t)f->result->nnode + 1);
		f->folded = tn_graph_fold(f->result, &how, &f->is_fold_late);
		for (i = 0; left && i < g->nnode; i++)
			left[i] = how.left[at[i]];
		mem_free(how.left);
		tn_costs_graph(z->costs, f->result, z->sizes.at[0], NULL, &f->bill);
	}
	mem_free(at);
	return f->result != NULL;
}

/* Mark the classes of nodes that are left; true if one is new. */
static bool
mark_left(const struct optimize *z, const bool left[], const uint32_t node_of[], bool is_made[])
{
	bool any = false;
	tn_id c;

	for (c = 0; left && c < tn_nids(tn_tensors_egraph(z->tensors)); c++)
		if (node_of[c] != TN_NONE && left[node_of[c]] && !is_made[c])
			any = is_made[c] = true;
	return any;
}

/* the same of weight-only operators that would let the weights grow too much */
static bool
mark_unfolded(const struct optimize *z, const struct tn_graph *g, const uint32_t node_of[], bool is_made[])
{
	bool *left = tn_graph_unfolded(g, growth(z)), any = mark_left(z, left, node_of, is_made);

	mem_free(left);
	return any;
}

/* ---- choices ----------------------------------------------------------------------------------------------- */

static bool
has_made_child(const struct optimize *z, tn_id class, const bool is_made[])
{
	struct tn_egraph *g = tn_tensors_egraph(z->tensors);
	uint32_t n, i, k;
	const tn_id *node = tn_class_nodes(g, class, &n);

	for (i = 0; i < n; i++) {
		struct tn_node e = tn_node_at(g, node[i]);

		for (k = 0; k < e.nkid; k++)
			if (is_made[tn_find(g, e.kid[k])])
				return true;
	}
	return false;
}

/* what is marked, and each constant class that may be made of it; NULL: there is none */
static bool *
spread_made(const struct optimize *z, const bool is_made[])
{
	struct tn_egraph *g = tn_tensors_egraph(z->tensors);
	bool *made = mem_alloc((size_t)tn_nids(g) + 1), more = true, any = false;
	tn_id c;

	memcpy(made, is_made, tn_nids(g));
	while (more)
		for (c = 0, more = false; c < tn_nids(g); c++)
			if (tn_find(g, c) == c && !made[c] && tn_tensors_is_constant(z->tensors, c) && has_made_child(z, c, made))
				any = more = made[c] = true;
	if (any)
		return made;
	mem_free(made);
	return NULL;
}

bool
choose_graph(struct optimize *z, tn_id *enode, uint32_t node_of[], struct finalist *f, struct tn_error *e)
{
	f->enode = enode;
	f->chosen = tn_tensors_graph(z->tensors, z->original, enode, node_of, e);
	if (f->chosen && finish(z, f->chosen, false, NULL, f, e)) {
		f->contributed = count_rules(z, enode);
		return true;
	}
	choose_release(f);
	return false;
}

/*
 * The cheapest choice as a graph.  It may be none that a graph can have: where users read what their operands are made of,
 * an operand's other uses made it depend on its user; then they do not.  And what is reckoned folded may be made of what is
 * priced, and that be chosen to be made of it; then both are priced.
 */
static bool
choose(struct optimize *z, const struct tn_extract_options *method, struct tn_pricing how, uint32_t node_of[],
    struct finalist *f, struct tn_error *e)
{
	struct tn_priced *priced = tn_costs_egraph(z->costs, z->tensors, z->sizes.at[0], &how);
	bool is_chosen, ok = false, *made = NULL;

	if (!how.is_made)
		z->log2_choices = tn_problem_log2_choices(tn_priced_problem(priced));
	if (!z->o->egraph || how.is_made || write_egraph(z, priced, e))
		f->choice = tn_extract(tn_priced_problem(priced), method, e);
	is_chosen = f->choice != NULL;
	if (is_chosen)
		ok = choose_graph(z, tn_priced_choice(priced, f->choice), node_of, f, e);
	tn_priced_free(priced);
	z->has_views = how.with_views;
	if (ok || !is_chosen)
		return ok;
	if (how.with_views)
		how.with_views = false;
	else if (!how.is_made || !(how.is_made = made = spread_made(z, how.is_made)))
		return false;
	ok = choose(z, method, how, node_of, f, e);
	mem_free(made);
	return ok;
}

/* a choice with its result and price; *again: parts of it that do not fold were marked */
static bool
try(struct optimize *z, const struct tn_extract_options *method, bool is_made[], bool is_first, struct finalist *f, bool *again,
    struct tn_error *e)
{
	struct tn_pricing how = {z->is_onnx ? can_write : NULL, z, is_first ? NULL : is_made, true};
	uint32_t *node_of = mem_alloc(((size_t)tn_nids(tn_tensors_egraph(z->tensors)) + 1) * sizeof *node_of);
	bool ok = choose(z, method, how, node_of, f, e);

	if (ok)
		*again = mark_unfolded(z, f->chosen, node_of, is_made);
	mem_free(node_of);
	return ok;
}

/* take its place, which is given up */
static void
replace(struct finalist *old, struct finalist *f)
{
	choose_release(old);
	*old = *f;
	*f = (struct finalist){0};
}

/* take it over if it is the best so far; the first one's bound holds for all */
static void
keep_best(struct optimize *z, struct finalist *f, bool is_first)
{
	if (is_first) {
		z->bound = f->choice->bound;
		z->is_bound_met = f->choice->is_proven;
		z->nfinalist = 1;
	}
	if (is_first || f->bill.ns < z->finalist->bill.ns)
		replace(z->finalist, f);
	choose_release(f);
}

/* what the original costs, its constant parts folded as the result's are */
static bool
price_original(struct optimize *z, struct tn_error *e)
{
	bool ok = finish(z, z->original, false, NULL, &z->unchanged, e);

	z->before = z->unchanged.bill;
	return ok;
}

/* ---- with values ------------------------------------------------------------------------------------------------- */

static bool
is_cheaper(const struct optimize *z, const struct finalist *f)
{
	return !z->o->rules.none && f->bill.ns < z->before.ns;
}

/* Choose again, the nodes of the finalist's graph that are left being priced. */
static bool
choose_less(struct optimize *z, const struct tn_extract_options *method, const struct finalist *f, const bool left[],
    bool is_made[], struct finalist *out, struct tn_error *e)
{
	double start = clock_now();
	uint32_t *node_of = mem_alloc(((size_t)tn_nids(tn_tensors_egraph(z->tensors)) + 1) * sizeof *node_of);
	struct tn_graph *same = tn_tensors_graph(z->tensors, z->original, f->enode, node_of, e);
	bool again, ok = same != NULL;

	if (ok && mark_left(z, left, node_of, is_made))
		ok = try(z, method, is_made, false, out, &again, e);
	tn_graph_free(same);
	mem_free(node_of);
	z->extract_s += clock_now() - start;
	return ok;
}

/* the finalist as it is written, computed: what there is no time to fold costs what it does, and then the best is chosen again */
static bool
fold_values(struct optimize *z, const struct tn_extract_options *method, bool is_made[], struct finalist *f, struct tn_error *e)
{
	bool *left = mem_alloc((size_t)f->chosen->nnode + 1), ok = finish(z, f->chosen, true, left, f, e);
	struct finalist less = {0};

	if (ok && f == z->finalist && f->is_fold_late && !interrupted && choose_less(z, method, f, left, is_made, &less, e) &&
	    less.chosen && finish(z, less.chosen, true, NULL, &less, e) && less.bill.ns < f->bill.ns) {
		less.is_fold_late = true;
		replace(f, &less);
	}
	choose_release(&less);
	mem_free(left);
	return ok;
}

/* Of a graph's text, weights by name: runs on one model whose results have the same number chose the same graph. */
static uint64_t
fingerprint(const struct tn_graph *g)
{
	size_t size;
	char *text;
	FILE *f = open_memstream(&text, &size);
	uint64_t made;

	if (f) {
		tn_graph_write(g, f, false);
		fclose(f);
	} else {
		mem_oom(1);
	}
	made = hash_bytes(text, size);
	free(text);
	return made;
}

/* with values if it may be written, or run */
static bool
fold_one(struct optimize *z, const struct tn_extract_options *method, bool is_made[], struct finalist *f, struct tn_error *e)
{
	bool is_wanted = z->o->out || z->o->dot || z->o->verify || z->race.finalists > 1, ok;

	if (is_wanted && is_cheaper(z, f))
		ok = fold_values(z, method, is_made, f, e);
	else
		ok = finish(z, f->chosen, false, NULL, f, e);
	f->fingerprint = fingerprint(f->chosen);
	return ok;
}

/* finalists as they are written; those that are then no cheaper than the original go, but the first */
static bool
fold_results(struct optimize *z, const struct tn_extract_options *method, bool is_made[], struct tn_error *e)
{
	double start = clock_now(), extract_s = z->extract_s;
	uint32_t i, n;

	progress_show("folding constants");
	if (z->race.finalists > 1 && is_cheaper(z, z->finalist) && !finish(z, z->original, true, NULL, &z->unchanged, e))
		return false;
	for (i = n = 0; i < z->nfinalist; i++) {
		struct finalist *f = &z->finalist[i];

		if (!fold_one(z, method, is_made, f, e))
			return false;
		if (i > 0 && !is_cheaper(z, f))
			choose_release(f);
		else if (n++ < i)
			replace(&z->finalist[n - 1], f);		/* what it had is released */
	}
	z->nfinalist = n;
	z->best = &z->finalist[n > 1 && !is_cheaper(z, z->finalist)];
	optimize_take(z, is_cheaper(z, z->best) ? z->best : NULL);
	z->fold_s = clock_now() - start - (z->extract_s - extract_s);
	return true;
}

/* ---- what is asked ------------------------------------------------------------------------------------------------ */

static bool
find_method(const char *name, enum tn_method *method, struct tn_error *e)
{
	static const char *const names[] = {[TN_TREE] = "tree", [TN_DAG] = "dag", [TN_ILP] = "ilp"};
	unsigned i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], name) == 0) {
			*method = (enum tn_method)i;
			return true;
		}
	return tn_fail(e, TN_E_IO, "--extract: '%s' is not tree, dag or ilp", name);
}

static void
show_bounds(void *arg, int64_t cost, int64_t bound)
{
	(void)arg;
	progress_show("extraction: %.1f us, at least %.1f us", (double)cost / 1e3, (double)bound / 1e3);
}

/* can any of the class's nodes be written? */
static bool
has_words(struct optimize *z, tn_id class)
{
	uint32_t n, i;
	const tn_id *node = tn_class_nodes(tn_tensors_egraph(z->tensors), class, &n);

	for (i = 0; i < n && !can_write(z, node[i]); i++)
		;
	return i < n;
}

/* Where nothing can be chosen because ONNX has no words for an operator, that is what is to be said. */
static void
blame_words(struct optimize *z, struct tn_error *e)
{
	struct tn_egraph *g = tn_tensors_egraph(z->tensors);
	tn_id n;

	for (n = 0; n < tn_nids(g) && has_words(z, tn_find(g, n)); n++)
		;
	if (n < tn_nids(g) && e->code == TN_E_INPUT)
		tn_fail(e, TN_E_INPUT, "ONNX has no words for operator '%s' as it is used here",
		    z->program->op[tn_node_at(g, n).op].name);
}

/* the best choice, in as many rounds as it takes to price what does not fold; then others */
static bool
choose_finalists(struct optimize *z, const struct tn_extract_options *method, bool is_made[], struct tn_error *e)
{
	struct tn_pricing how = {z->is_onnx ? can_write : NULL, z, is_made, true};
	bool ok = true, again = true;
	int i;

	z->finalist = mem_alloc(MOST_FINALISTS * sizeof *z->finalist);
	for (i = 0; ok && again && i < ROUNDS && !(i && interrupted); i++) {
		struct finalist f = {0};

		ok = try(z, method, is_made, i == 0, &f, &again, e);
		z->is_limited |= again;
		if (ok)
			keep_best(z, &f, i == 0);
	}
	if (!ok && z->is_onnx)
		blame_words(z, e);
	how.with_views = z->has_views;
	if (ok && is_cheaper(z, z->finalist))
		finalists_add(z, method, &how);
	return ok;
}

bool
choose_result(struct optimize *z, struct tn_error *e)
{
	struct tn_extract_options method = {.time_s = z->o->extract_time_s, .interrupted = &interrupted, .progress = show_bounds};
	struct tn_pricing all = {z->is_onnx ? can_write : NULL, z, NULL, true};
	double start;
	bool *is_made, ok;

	if (!find_method(z->o->extract, &method.method, e))
		return false;
	if (z->is_onnx && !tn_onnx_take_apart(z->model.onnx, z->tensors))
		return tn_fail(e, TN_E_DEFECT, "what would be written contradicts what is known of it");
	if (!measured_all(z, &all, e) || !price_original(z, e))
		return false;
	start = clock_now();
	is_made = mem_alloc((size_t)tn_nids(tn_tensors_egraph(z->tensors)) + 1);
	ok = choose_finalists(z, &method, is_made, e);
	z->extract_s = clock_now() - start;
	ok = ok && fold_results(z, &method, is_made, e);
	mem_free(is_made);
	return ok;
}
