/* The e-graph: duplicates made between rebuilds, chains of unions, nodes of many children, contradictions, proof arrays. */
#include <stdio.h>

#include "egraph/egraph.h"

enum { X, Y, Z, F, G, LIST };

static int failures;

static void
expect(bool ok, const char *what)
{
	if (!ok) {
		printf("%s\n", what);
		failures++;
	}
}

static tn_id
leaf(struct tn_egraph *g, uint16_t op)
{
	return tn_add(g, op, 0, NULL, 0);
}

static tn_id
one(struct tn_egraph *g, uint16_t op, tn_id kid)
{
	return tn_add(g, op, 0, &kid, 1);
}

static struct tn_egraph *
new_graph(void)
{
	return tn_egraph_new(&(struct tn_egraph_config){0});
}

static void
counts(struct tn_egraph *g, size_t nodes, size_t classes, const char *what)
{
	tn_rebuild(g);
	expect(tn_nnodes(g) == nodes && tn_nclasses(g) == classes, what);
	expect(!tn_egraph_check(g), tn_egraph_check(g) ? tn_egraph_check(g) : "");
}

/* Children are found before a node is hashed; what is made twice between rebuilds becomes one. */
static void
duplicates(void)
{
	struct tn_egraph *g = new_graph();
	tn_id x = leaf(g, X), y = leaf(g, Y), fx = one(g, F, x), fy;

	one(g, G, y);
	one(g, G, one(g, F, y));	/* y has more uses, so that it absorbs x */
	tn_union(g, x, y, NULL);
	expect(tn_find(g, x) == y, "the class of more uses stays");
	fy = one(g, F, x);
	expect(fy == tn_lookup(g, F, 0, &y, 1), "x is found before f of it is sought");
	expect(tn_find(g, fx) != tn_find(g, fy), "congruence waits for rebuild");
	counts(g, 5, 4, "f of x and f of y are one node");
	expect(tn_find(g, fx) == tn_find(g, fy), "f of x and f of y are one class");
	tn_egraph_free(g);
}

/* Parents of the absorbed class are keyed again, and what that unites is followed to the end. */
static void
chains(void)
{
	struct tn_egraph *g = new_graph();
	tn_id x = leaf(g, X), y = leaf(g, Y), a = x, b = y;
	int i;

	for (i = 0; i < 50; i++) {
		a = one(g, i % 2 ? F : G, a);
		b = one(g, i % 2 ? F : G, b);
	}
	counts(g, 102, 102, "two chains");
	tn_union(g, x, y, NULL);
	counts(g, 52, 51, "one chain");
	expect(tn_find(g, a) == tn_find(g, b), "their ends are equal");
	tn_union(g, x, a, NULL);
	counts(g, 52, 50, "a ring");
	tn_egraph_free(g);
}

static void
many_children(void)
{
	enum { N = 300 };
	struct tn_egraph *g = new_graph();
	tn_id kid[N], x = leaf(g, X), y = leaf(g, Y), a, b;
	struct tn_node n;
	int i;

	for (i = 0; i < N; i++)
		kid[i] = x;
	kid[N - 1] = leaf(g, Z);
	a = tn_add(g, LIST, 7, kid, N);
	expect(tn_add(g, LIST, 7, kid, N) == a && tn_lookup(g, LIST, 7, kid, N) == a, "found again");
	expect(tn_lookup(g, LIST, 7, kid, N - 1) == TN_NONE && tn_lookup(g, LIST, 6, kid, N) == TN_NONE, "not another");
	kid[1] = y;
	b = tn_add(g, LIST, 7, kid, N);
	counts(g, 5, 5, "two lists");
	tn_union(g, x, y, NULL);
	counts(g, 4, 3, "one list");
	n = tn_node_at(g, tn_find(g, a));
	expect(n.nkid == N && tn_find(g, a) == tn_find(g, b) && n.kid[1] == tn_find(g, x), "its children are canonical");
	tn_egraph_free(g);
}

static void
make_op(void *arg, const struct tn_egraph *g, const struct tn_node *n, void *data)
{
	(void)arg, (void)g;
	*(int *)data = n->op;
}

/* a class is of one operator */
static bool
merge_op(void *arg, void *into, const void *from, bool *failed)
{
	(void)arg;
	*failed |= *(int *)into != *(const int *)from;
	return false;
}

static void
contradictions(void)
{
	static const struct tn_analysis analysis = {.size = sizeof(int), .make = make_op, .merge = merge_op};
	struct tn_egraph *g = tn_egraph_new(&(struct tn_egraph_config){.analysis = &analysis});
	tn_id x = leaf(g, X), fx = one(g, F, x), ffx = one(g, F, fx);

	tn_union(g, fx, ffx, NULL);
	expect(tn_rebuild(g), "no contradiction");
	tn_union(g, x, fx, NULL);
	expect(!tn_rebuild(g), "a contradiction is told");
	tn_egraph_free(g);
}

/* children as inserted, and every union with its reason, congruence with none */
static void
proofs(void)
{
	struct tn_egraph *g = tn_egraph_new(&(struct tn_egraph_config){.with_proof = true});
	tn_id x = leaf(g, X), y = leaf(g, Y), fx = one(g, F, x), fy = one(g, F, y);
	const uint32_t var[] = {x, 9};

	tn_union(g, x, y, &(struct tn_reason){3, 2, var});
	tn_union(g, y, x, NULL);
	tn_rebuild(g);
	expect(g->birth.n == 4 && g->proof_kid.at[g->birth.at[fx]] == x && g->proof_kid.at[g->birth.at[fy]] == y,
	    "children as inserted");
	expect(g->proof.n == 2, "unions that joined classes, and no others");
	expect(g->proof.at[0].rule == 3 && g->proof.at[0].nvar == 2 && g->proof_var.at[g->proof.at[0].var + 1] == 9, "a rule's union");
	expect(g->proof.at[1].rule == TN_NONE && g->proof.at[1].a != g->proof.at[1].b, "congruence's union");
	tn_egraph_free(g);
}

static void
nothing(void)
{
	struct tn_egraph *g = new_graph();
	uint32_t n;

	counts(g, 0, 0, "an empty e-graph");
	leaf(g, X);
	expect(!tn_class_nodes(g, 0, &n) && n == 0, "a class that is not in the snapshot has no nodes in it");
	counts(g, 1, 1, "one node");
	expect(tn_class_nodes(g, 0, &n) && n == 1, "now it has");
	tn_egraph_free(g);
}

int
main(void)
{
	duplicates();
	chains();
	many_children();
	contradictions();
	proofs();
	nothing();
	return failures > 0;
}
