/*
 * A chain is made of what rules did, and of nothing else: unions that no rule's application made, under a rule's name
 * or without one, are found, wherever a choice rests on them.  What a rule did is explained, and holds.
 */
#include <stdio.h>
#include <string.h>

#include "tenon/explain.h"

static int failures;

static const char text[] =
    "(graph \"t\" (input x f32 [4 4]) (let a (relu x)) (let b (tanh x)) (let c (relu a)) (output (exp c) \"y\"))";
enum { NODE_X, NODE_A, NODE_B, NODE_C, NODE_Y };

static int
rule_named(const char *name)
{
	int i;

	for (i = 0; i < tn_builtin.nrule; i++)
		if (strcmp(tn_builtin.rule[i].name, name) == 0)
			return i;
	printf("there is no rule %s\n", name);
	failures++;
	return 0;
}

/* everything as it was, but the class of c by the node that `node` is */
static tn_id *
choose(struct tn_tensors *t, tn_id choice[], tn_id node)
{
	const tn_id *class = tn_tensors_classes(t);
	int i;

	memset(choice, 0xff, 64 * sizeof *choice);
	for (i = 0; i <= NODE_Y; i++)
		choice[tn_find(tn_tensors_egraph(t), class[i])] = class[i];
	choice[tn_find(tn_tensors_egraph(t), node)] = node;
	return choice;
}

/* a union of c and b, which are not equal, under a reason; NULL: none */
static void
finds(const char *what, const struct tn_reason *why, const char *message)
{
	struct tn_ctx *ctx = tn_ctx_new();
	struct tn_error e = {0};
	struct tn_graph *g = tn_graph_parse(ctx, &tn_builtin, "t", text, sizeof text - 1, &e);
	struct tn_tensors *t = tn_tensors_new(ctx, &tn_builtin, g, true);
	tn_id choice[64];
	struct tn_chain *c;

	tn_union(tn_tensors_egraph(t), tn_tensors_classes(t)[NODE_C], tn_tensors_classes(t)[NODE_B], why);
	tn_rebuild(tn_tensors_egraph(t));
	c = tn_chain_make(t, choose(t, choice, tn_tensors_classes(t)[NODE_B]), NULL, &e);
	if (c || !strstr(e.msg, message)) {
		printf("%s: %s\n", what, c ? "a chain was made" : e.msg);
		failures++;
	}
	tn_chain_free(c);
	tn_tensors_free(t);
	tn_graph_free(g);
	tn_ctx_free(ctx);
}

/* relu(relu(x)) = relu(x), by saturation */
static void
explains(void)
{
	struct tn_ctx *ctx = tn_ctx_new();
	struct tn_error e = {0};
	struct tn_graph *g = tn_graph_parse(ctx, &tn_builtin, "t", text, sizeof text - 1, &e), *r;
	struct tn_tensors *t = tn_tensors_new(ctx, &tn_builtin, g, true);
	struct tn_report *report = tn_saturate(tn_tensors_egraph(t), tn_tensors_search(t), &tn_builtin,
	    &(struct tn_limits){.iterations = 4, .nodes = 60}, NULL, NULL);
	struct tn_chain_check how = {0};
	tn_id choice[64];
	struct tn_chain *c = tn_chain_make(t, choose(t, choice, tn_tensors_classes(t)[NODE_A]), NULL, &e);

	if (!c || tn_chain_nsteps(c) != 1 || !tn_chain_check(c, &how, &e) || how.ncompared != 1) {
		printf("relu of relu: %u steps: %s\n", c ? tn_chain_nsteps(c) : 0, e.msg);
		failures++;
	}
	r = c ? tn_chain_result(c, &e) : NULL;
	if (r && (r->nnode != 3 || r->noutput != 1)) {
		printf("the result has %u nodes\n", r->nnode);
		failures++;
	}
	tn_graph_free(r);
	tn_chain_free(c);
	tn_report_free(report);
	tn_tensors_free(t);
	tn_graph_free(g);
	tn_ctx_free(ctx);
}

int
main(void)
{
	uint32_t x = NODE_X;
	struct tn_reason why = {.nvar = 1, .var = &x};

	finds("no reason", NULL, "without a reason");
	why.rule = (uint32_t)rule_named("relu-relu");
	finds("a rule that does not give that", &why, "relu-relu was applied is not found");
	why.rule = (uint32_t)rule_named("conv-siblings");
	finds("a rule with other variables", &why, "conv-siblings was applied is not found");
	explains();
	return failures != 0;
}
