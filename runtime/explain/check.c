/*
 * Every step again, with nothing believed but the code that compiled rules are, and the operators' definitions.
 *
 * Both sides of a step are computed on random values of the nodes at which its place ends.  Places that are alike, in
 * operators, attributes and types, are computed once.
 */
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "explain/chain.h"
#include "tensor/data.h"

struct checking {
	const struct tn_chain *c;
	struct tn_chain_check *how;
	bool *is_constant;
	struct map alike;		/* texts of places that were computed */
	struct tn_error *error;
};

/* ---- what a step gives -------------------------------------------------------------------------------------- */

/* are the graph's outputs the step's results, node by node? */
static bool
gives(const struct tn_chain *c, const struct step *s, const struct tn_graph *to)
{
	uint32_t *node = mem_alloc(((size_t)to->nnode + 1) * sizeof *node), i, k, *kid;
	bool ok = true;

	for (i = 0; i < to->nnode; i++) {
		const struct tn_gnode *n = &to->node[i];

		kid = mem_alloc(((size_t)n->nkid + 1) * sizeof *kid);
		for (k = 0; k < n->nkid; k++)
			kid[k] = node[to->kid[n->kid + k]];
		node[i] = n->op == TN_INPUT ? step_leaves(c, s)[alone_leaf(to, n)] : chain_lookup(c, n->op, n->attrs, kid, n->nkid);
		mem_free(kid);
	}
	for (i = 0; i < s->nat && ok; i++)
		ok = node[to->output[i].node] == step_is(c, s)[i];
	mem_free(node);
	return ok;
}

bool
chain_replay(const struct tn_chain *c, const struct step *s, const bool is_constant[], struct alone *x, struct tn_error *e)
{
	bool *leaf_is_constant = mem_alloc((size_t)s->nleaf + 1), ok;
	uint32_t i;

	for (i = 0; i < s->nleaf; i++)
		leaf_is_constant[i] = is_constant[step_leaves(c, s)[i]];
	ok = alone_open(x, c, s, step_at(c, s), step_leaves(c, s), leaf_is_constant, e);
	mem_free(leaf_is_constant);
	if (!ok)
		return false;
	while (alone_next(x))
		if (gives(c, s, x->to) && (!*s->with || strcmp(s->with, x->with) == 0))
			return true;
	alone_close(x);
	return tn_fail(e, TN_E_INPUT, "%s does not give that there", s->kind == STEP_RULE ? c->g->program->rule[s->rule].name :
	    "the form");
}

bool *
chain_constants(const struct tn_chain *c)
{
	uint32_t *class = chain_classes(c), i, k;
	bool *is = mem_alloc((size_t)c->g->nnode + 1), *of_class = mem_alloc((size_t)c->g->nnode + 1), more = true;

	while (more) {
		more = false;
		for (i = 0; i < c->g->nnode; i++) {
			const struct tn_gnode *n = &c->g->node[i];
			bool all = n->op != TN_INPUT && n->op != TN_OPAQUE && n->op != TN_RESULT;

			for (k = 0; k < n->nkid; k++)
				all &= of_class[class[c->g->kid[n->kid + k]]];
			more |= all && !of_class[class[i]];
			of_class[class[i]] |= all;
		}
	}
	for (i = 0; i < c->g->nnode; i++)
		is[i] = of_class[class[i]];
	mem_free(class);
	mem_free(of_class);
	return is;
}

/* ---- values ------------------------------------------------------------------------------------------------- */

enum { NEW, COMPUTED, LATE };

/* what became of a place just like this one */
static uint32_t *
find_alike(struct checking *k, const struct step *s, const struct alone *x)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	uint32_t *known;

	fprintf(f, "%d %u ", s->kind, s->rule);
	tn_graph_write(x->from, f, true);
	tn_graph_write(x->to, f, true);
	fclose(f);
	known = map_put(&k->alike, text, size, NEW, NULL);
	free(text);
	return known;
}

static bool
compare(struct checking *k, const struct tn_graph *a, const struct tn_graph *b)
{
	struct tn_difference d;
	double start = clock_now();

	if (!tn_graphs_compare(a, b, 2, k->how->sizes, k->how->time_s, &d, k->error)) {
		if (k->how->time_s <= 0 || clock_now() - start < k->how->time_s)
			return false;
		k->how->nlate++;
		return true;
	}
	k->how->ncompared++;
	return !d.differs || tn_fail(k->error, TN_E_INPUT, "it computes other values: %s", d.where);
}

/* ---- steps -------------------------------------------------------------------------------------------------- */

static bool
check_applied(struct checking *k, const struct step *s)
{
	uint32_t *known, late = k->how->nlate;
	struct alone x;
	bool ok = true;

	if (!chain_replay(k->c, s, k->is_constant, &x, k->error))
		return false;
	known = find_alike(k, s, &x);
	if (*known == NEW) {
		ok = compare(k, x.from, x.to);
		*known = k->how->nlate > late ? LATE : COMPUTED;
	} else if (*known == LATE)
		k->how->nlate++;
	else
		k->how->nalike++;
	alone_close(&x);
	return ok;
}

/* the node's term, which needs no input, and the value as graphs with one output */
static bool
check_fold(struct checking *k, uint32_t at, uint32_t is, bool is_constant)
{
	const struct tn_graph *g = k->c->g;
	struct tn_graph *from = tn_graph_copy(g, k->error), *to = tn_graph_new(g->ctx, g->program, g->name);
	bool ok = from != NULL;

	if (ok && (!is_constant || g->node[is].op != TN_FILL))
		ok = tn_fail(k->error, TN_E_INPUT, "that is no constant");
	if (ok && g->node[at].type != g->node[is].type)
		ok = tn_fail(k->error, TN_E_INPUT, "that is another type");
	if (ok) {
		from->noutput = 0;
		tn_graph_output(from, "constant", at);
		tn_graph_output(to, "constant", tn_graph_fill(to, fill_of(g->ctx, g->node[is].attrs), g->node[is].type));
		ok = compare(k, from, to);
	}
	tn_graph_free(from);
	tn_graph_free(to);
	return ok;
}

/* a step may say so of several terms */
static bool
check_folds(struct checking *k, const struct step *s)
{
	bool *is_constant = tn_graph_constants(k->c->g), ok = true;
	uint32_t i, at;

	for (i = 0; ok && i < s->nat; i++) {
		at = step_at(k->c, s)[i];
		ok = check_fold(k, at, step_is(k->c, s)[i], is_constant[at]);
	}
	mem_free(is_constant);
	return ok;
}

static bool
check_step(struct checking *k, uint32_t i)
{
	const struct step *s = &k->c->step.at[i];
	struct tn_error why = {0}, *e = k->error;
	bool ok;

	k->error = &why;
	ok = s->kind == STEP_FOLD ? check_folds(k, s) : check_applied(k, s);
	k->error = e;
	return ok || tn_fail(e, why.code, "step %u: %s", i + 1, why.msg);
}

/* do the equations make every output equal to the original's? */
static bool
check_outputs(const struct checking *k)
{
	const struct tn_chain *c = k->c;
	uint32_t *class = chain_classes(c), i;
	bool ok = c->g->noutput == c->original->noutput ||
	    tn_fail(k->error, TN_E_INPUT, "the chain has %u outputs, and the original %u", c->g->noutput, c->original->noutput);

	for (i = 0; ok && i < c->g->noutput; i++)
		ok = (strcmp(c->g->output[i].name, c->original->output[i].name) == 0 &&
		    class[c->g->output[i].node] == class[c->original->output[i].node]) ||
		    tn_fail(k->error, TN_E_INPUT, "the steps do not make output %s equal to the original's", c->original->output[i].name);
	mem_free(class);
	return ok;
}

bool
tn_chain_check(const struct tn_chain *c, struct tn_chain_check *how, struct tn_error *e)
{
	struct checking k = {.c = c, .how = how, .is_constant = chain_constants(c), .error = e};
	uint32_t i;
	bool ok = true;

	how->ncompared = how->nalike = how->nlate = 0;
	for (i = 0; ok && i < c->step.n; i++) {
		if (how->progress)
			how->progress(how->arg, i, c->step.n);
		ok = !(how->interrupted && *how->interrupted) ? check_step(&k, i) : tn_fail(e, TN_E_INTERRUPT, "interrupted");
	}
	ok = ok && check_outputs(&k);
	map_free(&k.alike);
	mem_free(k.is_constant);
	return ok;
}
