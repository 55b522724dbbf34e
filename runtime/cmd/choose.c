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

/* One choice: what it comes to. */
struct chosen {
	struct tn_choice *choice;
	tn_id *enode;			/* per e-class */
	struct tn_graph *graph;		/* as it was chosen, nothing folded */
	struct tn_bill bill;
	uint32_t *contributed, folded;
	bool is_late;			/* there was no time to fold all that may */
};

static void
release(struct chosen *c)
{
	tn_choice_free(c->choice);
	mem_free(c->enode);
	tn_graph_free(c->graph);
	mem_free(c->contributed);
	*c = (struct chosen){0};
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

/* The graph as it would be written, folded, with its price; NULL and error.  left[]: g's nodes that are not folded. */
static struct tn_graph *
finish(struct optimize *z, const struct tn_graph *g, bool with_values, bool left[], struct chosen *out, struct tn_error *e)
{
	struct tn_fold how = {.growth_bytes = growth(z), .no_values = !with_values, .time_s = z->o->fold_time_s,
	    .interrupted = &interrupted};
	uint32_t *at = mem_alloc(((size_t)g->nnode + 1) * sizeof *at), i;
	struct tn_graph *made = form(z, g, at, e);

	if (made) {
		how.left = mem_alloc((size_t)made->nnode + 1);
		out->folded = tn_graph_fold(made, &how, &out->is_late);
		for (i = 0; left && i < g->nnode; i++)
			left[i] = how.left[at[i]];
		mem_free(how.left);
		tn_costs_graph(z->costs, made, z->sizes.at[0], NULL, &out->bill);
	}
	mem_free(at);
	return made;
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

/*
 * The cheapest choice as a graph.  It may be none that a graph can have: where users read what their operands are made of,
 * an operand's other uses made it depend on its user; then they do not.  And what is reckoned folded may be made of what is
 * priced, and that be chosen to be made of it; then both are priced.
 */
static struct tn_graph *
choose(struct optimize *z, const struct tn_extract_options *method, struct tn_pricing how, uint32_t node_of[],
    struct chosen *out, struct tn_error *e)
{
	struct tn_priced *priced = tn_costs_egraph(z->costs, z->tensors, z->sizes.at[0], &how);
	struct tn_graph *g = NULL;
	bool *made = NULL;

	if (!how.is_made)
		z->log2_choices = tn_problem_log2_choices(tn_priced_problem(priced));
	if (!z->o->egraph || how.is_made || write_egraph(z, priced, e))
		out->choice = tn_extract(tn_priced_problem(priced), method, e);
	if (out->choice) {
		out->enode = tn_priced_choice(priced, out->choice);
		g = tn_tensors_graph(z->tensors, z->original, out->enode, node_of, e);
		if (g)
			out->contributed = count_rules(z, out->enode);
	}
	tn_priced_free(priced);
	if (g || !out->choice)
		return g;
	if (how.with_views)
		how.with_views = false;
	else if (!how.is_made || !(how.is_made = made = spread_made(z, how.is_made)))
		return NULL;
	release(out);
	g = choose(z, method, how, node_of, out, e);
	mem_free(made);
	return g;
}

/* a choice with its result and price; *again: parts of it that do not fold were marked */
static bool
try(struct optimize *z, const struct tn_extract_options *method, bool is_made[], bool is_first, struct chosen *out, bool *again,
    struct tn_error *e)
{
	struct tn_pricing how = {z->is_onnx ? can_write : NULL, z, is_first ? NULL : is_made, true};
	uint32_t *node_of = mem_alloc(((size_t)tn_nids(tn_tensors_egraph(z->tensors)) + 1) * sizeof *node_of);
	struct tn_graph *finished = NULL;

	out->graph = choose(z, method, how, node_of, out, e);
	if (out->graph) {
		*again = mark_unfolded(z, out->graph, node_of, is_made);
		finished = finish(z, out->graph, false, NULL, out, e);
	}
	tn_graph_free(finished);
	mem_free(node_of);
	return finished != NULL;
}

static void
keep(struct optimize *z, struct chosen *c)
{
	tn_choice_free(z->choice);
	mem_free(z->enode);
	tn_graph_free(z->result);
	mem_free(z->contributed);
	z->choice = c->choice;
	z->enode = c->enode;
	z->result = c->graph;
	z->contributed = c->contributed;
	z->folded = c->folded;
	z->after = c->bill;
	*c = (struct chosen){0};
}

/* take it over if it is the best so far; the first one's bound holds for all */
static void
keep_best(struct optimize *z, struct chosen *c, bool is_first)
{
	if (is_first) {
		z->bound = c->choice->bound;
		z->is_bound_met = c->choice->is_proven;
	}
	if (is_first || c->bill.ns < z->after.ns)
		keep(z, c);
	release(c);
}

/* what the original costs, its constant parts folded as the result's are */
static bool
price_original(struct optimize *z, struct tn_error *e)
{
	struct chosen c = {0};
	struct tn_graph *g = finish(z, z->original, false, NULL, &c, e);

	z->before = c.bill;
	tn_graph_free(g);
	return g != NULL;
}

/* ---- with values ------------------------------------------------------------------------------------------------- */

static bool
is_cheaper(const struct optimize *z)
{
	return !z->o->rules.none && z->after.ns < z->before.ns;
}

/* Choose again, the nodes of g that are left being priced. */
static bool
choose_less(struct optimize *z, const struct tn_extract_options *method, const bool left[], bool is_made[], struct chosen *out,
    struct tn_error *e)
{
	double start = clock_now();
	uint32_t *node_of = mem_alloc(((size_t)tn_nids(tn_tensors_egraph(z->tensors)) + 1) * sizeof *node_of);
	struct tn_graph *same = tn_tensors_graph(z->tensors, z->original, z->enode, node_of, e);
	bool again, ok = same != NULL;

	if (ok && mark_left(z, left, node_of, is_made))
		ok = try(z, method, is_made, false, out, &again, e);
	tn_graph_free(same);
	mem_free(node_of);
	z->extract_s += clock_now() - start;
	return ok;
}

/* the best choice as it is written, computed: what there is no time to fold costs what it does */
static struct tn_graph *
fold_values(struct optimize *z, const struct tn_extract_options *method, bool is_made[], struct tn_error *e)
{
	bool *left = mem_alloc((size_t)z->result->nnode + 1);
	struct chosen late = {0}, less = {0};
	struct tn_graph *g = finish(z, z->result, true, left, &late, e), *other = NULL;

	if (g) {
		z->after = late.bill;
		z->folded = late.folded;
		z->is_fold_late = late.is_late;
	}
	if (g && late.is_late && !interrupted && choose_less(z, method, left, is_made, &less, e) && less.graph)
		other = finish(z, less.graph, true, NULL, &less, e);
	if (other && less.bill.ns < z->after.ns) {
		keep(z, &less);
		tn_graph_free(g);
		g = other;
		other = NULL;
	}
	tn_graph_free(other);
	release(&less);
	mem_free(left);
	return g;
}

/* Of a graph's text, weights by name: runs on one model whose results have the same number chose the same graph. */
static uint64_t
fingerprint(const struct tn_graph *g)
{
	size_t size;
	char *text;
	FILE *f = open_memstream(&text, &size);
	uint64_t made;

	if (!f)
		mem_oom(1);
	tn_graph_write(g, f, false);
	fclose(f);
	made = hash_bytes(text, size);
	free(text);
	return made;
}

/* the best choice as it is written, if it is cheaper */
static bool
fold_result(struct optimize *z, const struct tn_extract_options *method, bool is_made[], struct tn_error *e)
{
	double start = clock_now(), extract_s = z->extract_s;
	struct chosen c = {0};
	struct tn_graph *g;

	progress_show("folding constants");
	if (is_cheaper(z) && (z->o->out || z->o->dot || z->o->verify))
		g = fold_values(z, method, is_made, e);
	else
		g = finish(z, z->result, false, NULL, &c, e);
	if (!g)
		return false;
	z->fingerprint = fingerprint(z->result);
	if (z->o->explain)
		z->unfolded = z->result;
	else
		tn_graph_free(z->result);
	z->result = g;
	z->is_changed = is_cheaper(z);
	if (!z->is_changed)
		z->after = z->before;
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

bool
choose_result(struct optimize *z, struct tn_error *e)
{
	struct tn_extract_options method = {.time_s = z->o->extract_time_s, .interrupted = &interrupted, .progress = show_bounds};
	double start = clock_now();
	bool *is_made, ok, again;
	struct chosen c = {0};
	int i;

	if (!find_method(z->o->extract, &method.method, e) || !price_original(z, e))
		return false;
	if (z->is_onnx && !tn_onnx_take_apart(z->model.onnx, z->tensors))
		return tn_fail(e, TN_E_DEFECT, "what would be written contradicts what is known of it");
	is_made = mem_alloc((size_t)tn_nids(tn_tensors_egraph(z->tensors)) + 1);
	for (i = 0, ok = again = true; ok && again && i < ROUNDS && !(i && interrupted); i++) {
		ok = try(z, &method, is_made, i == 0, &c, &again, e);
		z->is_limited |= again;
		if (ok)
			keep_best(z, &c, i == 0);
		else
			release(&c);
	}
	z->extract_s = clock_now() - start;
	ok = ok && fold_result(z, &method, is_made, e);
	mem_free(is_made);
	return ok;
}
