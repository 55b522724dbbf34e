/*
 * Which rules made a choice: the unions by which each chosen e-node is equal to what stood there before, and
 * those of the applications that made it.  (A node is made with the classes of its children as they are called
 * then; which of their nodes the rule had in mind is not kept, so the ways alone would miss some.)
 *
 * A step of a way is a rule's, or congruence: the same operator over children that are equal in their turn.
 */
#include "base/mem.h"
#include "egraph/proof.h"

struct pair {
	tn_id a, b;
};

struct explain {
	struct proof p;
	const struct tn_egraph *g;
	const tn_id *choice;
	tn_id given;		/* nodes below it are no rule's */
	bool *is_used;		/* per union */
	bool *is_seen;		/* per class: its choice is explained, and is to be once */
	VEC(struct pair) todo;
	void (*use)(void *arg, uint32_t rule);
	void *arg;
};

/* ---- steps ------------------------------------------------------------------------------------------------- */

static void
use_union(void *arg, uint32_t u)
{
	struct explain *x = arg;
	const struct union_record *r = &x->g->proof.at[u];
	unsigned i;

	if (x->is_used[u])
		return;
	x->is_used[u] = true;
	if (r->rule != TN_NONE)
		x->use(x->arg, r->rule);
	else if (proof_is_congruence(&x->p, u))
		for (i = 0; i < egraph_nkid(&x->g->node[r->a]); i++)
			vec_push(&x->todo, ((struct pair){proof_kids(&x->p, r->a)[i], proof_kids(&x->p, r->b)[i]}));
}

/* the application that made the node: the first union after it */
static void
use_maker(struct explain *x, tn_id node)
{
	uint32_t low = 0, high = x->g->proof.n, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (x->g->proof.at[middle].n > node)
			high = middle;
		else
			low = middle + 1;
	}
	if (node >= x->given && low < x->g->proof.n)
		use_union(x, low);
}

/* what is chosen for the class that the id was in, and for all that this needs */
static void
use_choice(struct explain *x, tn_id id)
{
	VEC(tn_id) stack = {0};
	tn_id class, node;
	unsigned i;

	vec_push(&stack, id);
	while (stack.n) {
		id = vec_pop(&stack);
		class = tn_find(x->g, id);
		node = x->choice[class];
		if (node == TN_NONE)
			continue;
		vec_push(&x->todo, ((struct pair){id, node}));
		if (x->is_seen[class])
			continue;
		x->is_seen[class] = true;
		use_maker(x, node);
		for (i = 0; i < egraph_nkid(&x->g->node[node]); i++)
			vec_push(&stack, proof_kids(&x->p, node)[i]);
	}
	vec_free(&stack);
}

bool
tn_egraph_explain(const struct tn_egraph *g, const tn_id root[], uint32_t nroot, const tn_id choice[], tn_id given,
    void (*use)(void *arg, uint32_t rule), void *arg)
{
	struct explain x = {.g = g, .choice = choice, .given = given, .use = use, .arg = arg};
	struct pair p;
	uint32_t i;

	if (!g->with_proof)
		return false;
	x.is_used = mem_alloc((size_t)g->proof.n + 1);
	x.is_seen = mem_alloc((size_t)g->n + 1);
	proof_open(&x.p, g);
	for (i = 0; i < nroot; i++)
		use_choice(&x, root[i]);
	while (x.todo.n) {
		p = vec_pop(&x.todo);
		proof_way(&x.p, p.a, p.b, use_union, &x);
	}
	proof_close(&x.p);
	mem_free(x.is_used);
	mem_free(x.is_seen);
	vec_free(&x.todo);
	return true;
}
