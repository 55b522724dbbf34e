/*
 * The unions that explain a choice suffice: in an e-graph of the same nodes in which only those are made, each
 * chosen term is equal to its root.  And they are few: one that has nothing to do with it is not told.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rand.h"
#include "tenon/egraph.h"

enum { ROUNDS = 400, NODES = 60, UNIONS = 40, LEAVES = 5 };

struct made {
	uint16_t op;
	int nkid;
	tn_id kid[2], id;		/* kids as given; id: what came back */
};

static int failures;
static struct made made[NODES];
static struct { tn_id a, b; } joined[UNIONS];
static bool is_told[UNIONS];

static void
tell(void *arg, uint32_t rule)
{
	(void)arg;
	is_told[rule] = true;
}

/* random nodes and unions in turn; every union has a number of its own */
static int
build(struct tn_egraph *g, struct rng *r)
{
	int i, nunion = 0;

	for (i = 0; i < NODES; i++) {
		struct made *m = &made[i];

		*m = (struct made){.op = (uint16_t)(i < LEAVES ? i : LEAVES + (int)rng_below(r, 3)),
		    .nkid = i < LEAVES ? 0 : 1 + (int)rng_below(r, 2)};
		for (int k = 0; k < m->nkid; k++)
			m->kid[k] = made[rng_below(r, (uint32_t)i)].id;
		m->id = tn_add(g, m->op, (tn_attrs)m->nkid, m->kid, m->nkid);
		if (i < LEAVES || rng_below(r, 3))
			continue;
		joined[nunion].a = made[rng_below(r, (uint32_t)i + 1)].id;
		joined[nunion].b = made[rng_below(r, (uint32_t)i + 1)].id;
		if (nunion < UNIONS - 1 && tn_union(g, joined[nunion].a, joined[nunion].b, &(struct tn_reason){.rule = (uint32_t)nunion}))
			nunion++;
		if (rng_below(r, 2))
			tn_rebuild(g);
	}
	tn_rebuild(g);
	return nunion;
}

/* have all children a choice? */
static bool
is_ready(const struct tn_egraph *g, const tn_id choice[], tn_id node)
{
	struct tn_node e = tn_node_at(g, node);
	uint32_t k;

	for (k = 0; k < e.nkid; k++)
		if (choice[tn_find(g, e.kid[k])] == TN_NONE)
			return false;
	return true;
}

/* for every class one of its nodes whose children have a choice already, at random */
static tn_id *
choose(const struct tn_egraph *g, struct rng *r)
{
	tn_id *choice = malloc(tn_nids(g) * sizeof *choice), c, node;
	bool more = true;
	uint32_t n, i, from;

	memset(choice, 0xff, tn_nids(g) * sizeof *choice);
	while (more) {
		more = false;
		for (c = 0; c < tn_nids(g); c++) {
			if (tn_find(g, c) != c || choice[c] != TN_NONE)
				continue;
			tn_class_nodes(g, c, &n);
			from = rng_below(r, n);
			for (i = 0; i < n && choice[c] == TN_NONE; i++) {
				node = tn_class_nodes(g, c, &n)[(i + from) % n];
				if (is_ready(g, choice, node))
					choice[c] = node;
			}
			more |= choice[c] != TN_NONE;
		}
	}
	return choice;
}

/* the class of the chosen term of class c, made in the other e-graph; depth bounds what a mistake would make endless */
static tn_id
make_term(struct tn_egraph *to, const struct tn_egraph *g, const tn_id choice[], tn_id c, int depth)
{
	struct tn_node e = tn_node_at(g, choice[tn_find(g, c)]);
	tn_id kid[2];
	int k;

	if (depth > NODES)
		exit(3);
	for (k = 0; k < e.nkid; k++)
		kid[k] = make_term(to, g, choice, e.kid[k], depth + 1);
	return tn_add(to, e.op, e.attrs, kid, e.nkid);
}

/* the same nodes and the told unions alone: are root and term one class? */
static bool
suffices(const struct tn_egraph *g, const tn_id choice[], tn_id root, int nunion)
{
	struct tn_egraph *h = tn_egraph_new(&(struct tn_egraph_config){0});
	tn_id *to = calloc(tn_nids(g), sizeof *to), term, kid[2];
	bool *is_there = calloc(tn_nids(g), 1), ok;
	int i, k;

	for (i = 0; i < NODES; i++) {
		if (is_there[made[i].id])
			continue;	/* it was found under the name of another */
		is_there[made[i].id] = true;
		for (k = 0; k < made[i].nkid; k++)
			kid[k] = to[made[i].kid[k]];
		to[made[i].id] = tn_add(h, made[i].op, (tn_attrs)made[i].nkid, kid, made[i].nkid);
	}
	term = make_term(h, g, choice, root, 0);
	for (i = 0; i < nunion; i++)
		if (is_told[i])
			tn_union(h, to[joined[i].a], to[joined[i].b], NULL);
	tn_rebuild(h);
	ok = tn_find(h, term) == tn_find(h, to[root]);
	tn_egraph_free(h);
	free(to);
	free(is_there);
	return ok;
}

static int
check(uint64_t seed)
{
	struct rng r = {seed};
	struct tn_egraph *g = tn_egraph_new(&(struct tn_egraph_config){.with_proof = true});
	int nunion = build(g, &r), i, ntold = 0;
	tn_id *choice = choose(g, &r), root = made[NODES - 1].id;

	memset(is_told, 0, sizeof is_told);
	if (!tn_egraph_explain(g, &root, 1, choice, tn_nids(g), tell, NULL)) {
		printf("no proof was kept\n");
		failures++;
	}
	if (!suffices(g, choice, root, nunion)) {
		printf("seed %d: the told unions do not make the choice equal to its root\n", (int)seed);
		failures++;
	}
	for (i = 0; i < nunion; i++)
		ntold += is_told[i];
	tn_egraph_free(g);
	free(choice);
	return ntold < nunion;
}

/* a = b by rule 0, c = d by rule 1; f(a) is chosen to be f(b) */
static void
tells_no_more(void)
{
	struct tn_egraph *g = tn_egraph_new(&(struct tn_egraph_config){.with_proof = true});
	tn_id leaf[4], f, choice[8];
	int i;

	for (i = 0; i < 4; i++)
		leaf[i] = tn_add(g, (uint16_t)i, 0, NULL, 0);
	f = tn_add(g, 9, 0, &leaf[0], 1);
	tn_union(g, leaf[0], leaf[1], &(struct tn_reason){.rule = 0});
	tn_union(g, leaf[2], leaf[3], &(struct tn_reason){.rule = 1});
	tn_rebuild(g);
	memset(choice, 0xff, sizeof choice);
	choice[tn_find(g, f)] = f;
	choice[tn_find(g, leaf[0])] = leaf[1];
	memset(is_told, 0, sizeof is_told);
	tn_egraph_explain(g, &f, 1, choice, tn_nids(g), tell, NULL);
	if (!is_told[0] || is_told[1]) {
		printf("rule 0 made the choice, and rule 1 nothing of it\n");
		failures++;
	}
	choice[tn_find(g, leaf[0])] = leaf[0];
	is_told[0] = false;
	tn_egraph_explain(g, &f, 1, choice, tn_nids(g), tell, NULL);
	if (is_told[0]) {
		printf("what stays as it was needs no rule\n");
		failures++;
	}
	/* rule 2 makes h(a) equal to f(a): where that is chosen, it made it, whatever its class is called by now */
	choice[tn_find(g, leaf[0])] = leaf[0];
	leaf[2] = tn_add(g, 10, 0, &leaf[0], 1);
	tn_union(g, leaf[2], f, &(struct tn_reason){.rule = 2});
	tn_rebuild(g);
	memset(is_told, 0, sizeof is_told);
	choice[tn_find(g, f)] = leaf[2];
	tn_egraph_explain(g, &leaf[2], 1, choice, leaf[2], tell, NULL);
	if (!is_told[2] || is_told[0]) {
		printf("rule 2 made the node\n");
		failures++;
	}
	tn_egraph_free(g);
}

int
main(void)
{
	int i, fewer = 0;

	for (i = 0; i < ROUNDS; i++)
		fewer += check((uint64_t)i);
	tells_no_more();
	if (fewer < ROUNDS / 2) {
		printf("only in %d of %d e-graphs fewer unions were told than there were\n", fewer, ROUNDS);
		failures++;
	}
	return failures != 0;
}
