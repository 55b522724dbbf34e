/*
 * Why two ids are equal: on random e-graphs every pair of equal ids is led back to unions that were asked for, and a
 * slow closure that knows the terms and those unions alone finds the pair equal; the ways use what was there
 * already, never what came later.  A union that nobody asked for is found wherever it is on a way.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rand.h"
#include "egraph/proof.h"

enum { ROUNDS = 200, NODES = 40, UNIONS = 25, LEAVES = 5, FALSE_UNION = 99 };

/* a term as it was asked for */
struct term {
	uint16_t op;
	int nkid;
	tn_id kid[2], id;		/* kids as given; id: what came back */
};

static int failures;
static struct term term[NODES];
static struct { tn_id a, b; } joined[UNIONS];
static int njoined;
static bool has_false;			/* one union was made that is not in joined[] */

static void
say(uint64_t seed, const char *what, tn_id a, tn_id b)
{
	if (failures++ < 5)
		printf("seed %d: %s: %u and %u\n", (int)seed, what, a, b);
}

/* ---- random e-graphs --------------------------------------------------------------------------------------- */

static void
add_term(struct tn_egraph *g, struct rng *r, int i)
{
	struct term *t = &term[i];
	int k;

	*t = (struct term){.op = (uint16_t)(i < LEAVES ? i : LEAVES + (int)rng_below(r, 3)),
	    .nkid = i < LEAVES ? 0 : 1 + (int)rng_below(r, 2)};
	for (k = 0; k < t->nkid; k++)
		t->kid[k] = term[rng_below(r, (uint32_t)i)].id;
	t->id = tn_add(g, t->op, (tn_attrs)t->nkid, t->kid, t->nkid);
}

static void
join_two(struct tn_egraph *g, struct rng *r, int n)
{
	tn_id a = term[rng_below(r, (uint32_t)n)].id, b = term[rng_below(r, (uint32_t)n)].id;

	if (njoined == UNIONS || !tn_union(g, a, b, &(struct tn_reason){.rule = (uint32_t)njoined}))
		return;
	joined[njoined].a = a;
	joined[njoined++].b = b;
}

static struct tn_egraph *
build(struct rng *r, bool with_false)
{
	struct tn_egraph *g = tn_egraph_new(&(struct tn_egraph_config){.with_proof = true});
	int i;

	njoined = 0;
	has_false = false;
	for (i = 0; i < NODES; i++) {
		add_term(g, r, i);
		if (i >= LEAVES && rng_below(r, 3) == 0)
			join_two(g, r, i + 1);
		if (with_false && !has_false && i > NODES / 2)
			has_false = tn_union(g, term[rng_below(r, (uint32_t)i)].id, term[i].id,
			    &(struct tn_reason){.rule = FALSE_UNION});
		if (rng_below(r, 2))
			tn_rebuild(g);
	}
	tn_rebuild(g);
	return g;
}

/* ---- the slow closure -------------------------------------------------------------------------------------- */

/* class[id] of the terms under the unions in is_used[]: closed by trying all pairs until nothing changes */
static void
close_slowly(const bool is_used[], tn_id class[], tn_id n)
{
	bool more = true;
	tn_id i, from, to;
	int a, b, k;

	for (i = 0; i < n; i++)
		class[i] = i;
	while (more) {
		more = false;
		for (a = 0; a < NODES + njoined; a++)
			for (b = 0; b < (a < NODES ? a : 1); b++) {
				if (a >= NODES && !is_used[a - NODES])
					continue;
				from = a < NODES ? term[a].id : joined[a - NODES].a;
				to = a < NODES ? term[b].id : joined[a - NODES].b;
				if (a < NODES && (term[a].op != term[b].op || term[a].nkid != term[b].nkid))
					continue;
				for (k = 0; a < NODES && k < term[a].nkid && class[term[a].kid[k]] == class[term[b].kid[k]]; k++)
					;
				if ((a < NODES && k < term[a].nkid) || class[from] == class[to])
					continue;
				from = class[from];
				to = class[to];
				for (i = 0; i < n; i++)
					class[i] = class[i] == from ? to : class[i];
				more = true;
			}
	}
}

/* ---- explaining -------------------------------------------------------------------------------------------- */

struct told {
	const struct proof *p;
	bool is_seen[NODES * NODES], is_used[UNIONS];
	bool found_false, is_wrong;
	uint32_t todo[NODES * NODES];
	int ntodo;
};

static void
tell(void *arg, uint32_t u)
{
	struct told *t = arg;
	const struct union_record *r = &t->p->g->proof.at[u];

	if (t->is_seen[u])
		return;
	t->is_seen[u] = true;
	if (proof_is_congruence(t->p, u))
		t->todo[t->ntodo++] = u;
	else if (r->rule == FALSE_UNION)
		t->found_false = true;
	else if (r->rule < (uint32_t)njoined && r->a == joined[r->rule].a && r->b == joined[r->rule].b)
		t->is_used[r->rule] = true;
	else
		t->is_wrong = true;
}

/* all unions that the pair rests on */
static void
explain(struct told *t, const struct proof *p, tn_id a, tn_id b)
{
	const struct union_record *r;
	unsigned k;

	*t = (struct told){.p = p};
	proof_way(p, a, b, tell, t);
	while (t->ntodo) {
		r = &p->g->proof.at[t->todo[--t->ntodo]];
		for (k = 0; k < egraph_nkid(&p->g->node[r->a]); k++)
			proof_way(p, proof_kids(p, r->a)[k], proof_kids(p, r->b)[k], tell, t);
	}
}

/* what a union's sides rest on came before it */
static void
check_times(const struct proof *p, uint64_t seed)
{
	uint32_t u;

	for (u = 0; u < p->g->proof.n; u++) {
		const struct union_record *r = &p->g->proof.at[u];

		if (proof_equal(p, r->a, r->b, u) || !proof_equal(p, r->a, r->b, u + 1))
			say(seed, "a union that joins nothing", r->a, r->b);
		if (r->rule == TN_NONE && !proof_is_congruence(p, u))
			say(seed, "no congruence, and no rule", r->a, r->b);
		if (!proof_is_made(p, r->a, u) || !proof_is_made(p, r->b, u))
			say(seed, "a node of later", r->a, r->b);
	}
}

static int
check(uint64_t seed, bool with_false)
{
	struct rng r = {seed};
	struct tn_egraph *g = build(&r, with_false);
	struct told *t = malloc(sizeof *t);
	tn_id *class = malloc(((size_t)g->n + 1) * sizeof *class), a, b;
	struct proof p;
	int nfalse = 0;

	proof_open(&p, g);
	check_times(&p, seed);
	for (a = 0; a < g->n; a++)
		for (b = 0; b < a; b++) {
			if (tn_find(g, a) != tn_find(g, b))
				continue;
			explain(t, &p, a, b);
			if (t->is_wrong)
				say(seed, "a union that nobody asked for", a, b);
			nfalse += t->found_false;
			close_slowly(t->is_used, class, g->n);
			if (class[a] != class[b] && !t->found_false)
				say(seed, "the unions that were told do not make them equal", a, b);
		}
	proof_close(&p);
	tn_egraph_free(g);
	free(class);
	free(t);
	return nfalse;
}

int
main(void)
{
	int i, nfalse = 0;

	for (i = 0; i < ROUNDS; i++) {
		check((uint64_t)i, false);
		nfalse += check((uint64_t)i, true) > 0;
	}
	if (nfalse < ROUNDS / 2) {
		printf("the false union was on a way in %d of %d e-graphs only\n", nfalse, ROUNDS);
		failures++;
	}
	return failures != 0;
}
