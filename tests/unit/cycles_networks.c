/* Cycle filters leave every network's e-graph acyclic, under all rules, and no class without a node. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/unit/acyclic.h"
#include "tests/unit/weights.h"

static int failures, cyclic;

static void
bad(const char *network, const char *what, int cycles)
{
	printf("%s: %s (filter %d)\n", network, what, cycles);
	failures++;
}

/* Weights are inputs here: what they are made into is no constant, and may lie on cycles like the rest. */
static void
run(const char *name, struct tn_ctx *ctx, const struct tn_graph *g, enum tn_filter cycles)
{
	struct tn_limits limits = {.iterations = 8, .multi_iterations = 2, .nodes = 3000, .scheduler = TN_BACKOFF, .cycles = cycles};
	struct tn_tensors *t = tn_tensors_new(ctx, &tn_builtin, g, false);
	struct tn_report *r = tn_saturate(tn_tensors_egraph(t), tn_tensors_search(t), &tn_builtin, &limits, NULL, NULL);

	if (r->stop == TN_STOP_DEFECT)
		bad(name, r->defect, cycles);
	if (cycles == TN_FILTER_NONE)
		cyclic += has_cycle(tn_tensors_egraph(t), t);
	else if (has_cycle(tn_tensors_egraph(t), t))
		bad(name, "a cycle is left", cycles);
	if (has_empty_class(tn_tensors_egraph(t)))
		bad(name, "a class has no node", cycles);
	tn_report_free(r);
	tn_tensors_free(t);
}

static void
check(const char *name)
{
	struct tn_error e = {0};
	char *text = tn_network_text(name, 0, 1, &e);
	struct tn_ctx *ctx = tn_ctx_new();
	struct tn_graph *g;
	int cycles;

	weights_to_inputs(text);
	g = tn_graph_parse(ctx, &tn_builtin, name, text, strlen(text), &e);
	if (!g)
		bad(name, e.msg, -1);
	for (cycles = TN_FILTER_NONE; g && cycles <= TN_FILTER_VANILLA; cycles++)
		run(name, ctx, g, (enum tn_filter)cycles);
	tn_graph_free(g);
	tn_ctx_free(ctx);
	free(text);
}

int
main(void)
{
	const char *name;
	int i;

	for (i = 0; (name = tn_network_name(i, NULL)) != NULL; i++)
		check(name);
	printf("%d networks of %d have cycles without a filter\n", cyclic, i);
	if (!cyclic)
		failures++;
	return failures > 0;
}
