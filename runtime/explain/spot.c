/*
 * Matching a rule's patterns once more, slowly, where it is known that they matched and with which substitution;
 * see spot.h.  A class is what it was before a union: ids that were equal then.
 */
#include "explain/spot.h"

enum { MOST_TRIES = 4000, NO_ELEMENT = -1 };

/* A place of the patterns that is still to be found in a class. */
struct goal {
	const struct tn_place *place;
	tn_id class;
	int element;		/* of runs, within a map or a sibling; NO_ELEMENT */
	uint32_t operand;	/* which operand it becomes; TN_NONE: a root */
	const struct goal *next;
};

struct finding {
	const struct proof *p;
	struct tn_tensors *t;
	const struct tn_rule_code *code;
	const struct tn_op *op;
	const uint32_t *v;	/* the match's words */
	uint32_t before, ntry;
	struct spot spot;
	VEC(struct { const struct tn_place *place; int element; uint32_t node; }) seen;	/* terms that may come again */
	bool (*try)(void *arg, const struct spot *);
	void *arg;
};

static bool find_all(struct finding *, const struct goal *);

/* the place after a term and its operands */
static const struct tn_place *
place_end(const struct tn_place *p)
{
	int i, n = p->kind == TN_P_OP || p->kind == TN_P_EACH ? p->nkid : 0;

	for (i = 0, p++; i < n; i++)
		p = place_end(p);
	return p;
}

static bool
is_equal(const struct finding *f, tn_id a, tn_id b)
{
	return proof_equal(f->p, a, b, f->before);
}

/* the run under the word */
static const tn_id *
run_at(const struct finding *f, int word, uint32_t *n)
{
	*n = f->v[f->v[word]];
	return &f->v[f->v[word] + 1];
}

/* Does every id of the run equal that of the word?  word -1: nothing is known of it. */
static bool
is_run(const struct finding *f, int word, const tn_id class[], uint32_t n)
{
	const tn_id *run;
	uint32_t i, nrun;

	if (word < 0)
		return true;
	run = run_at(f, word, &nrun);
	for (i = 0; i < n && n == nrun && is_equal(f, run[i], class[i]); i++)
		;
	return n == nrun && i == n;
}

static void
put_operand(struct finding *f, uint32_t at, enum operand_kind kind, uint32_t what)
{
	if (at == TN_NONE)
		vec_push(&f->spot.root, what);
	else
		f->spot.operand.at[at] = (struct operand){(uint8_t)kind, what};
}

/* ---- operators --------------------------------------------------------------------------------------------- */

/*
 * The operands of one node as goals, in front of those that are left.  `goal` has room for them all.  False: they are
 * too many or too few, or a run is another.
 */
static bool
make_goals(struct finding *f, const struct goal *g, tn_id enode, int swap, uint32_t first, struct goal goal[], uint32_t *n)
{
	const tn_id *given = proof_kids(f->p, enode);
	uint32_t nkid = egraph_nkid(&f->p->g->node[enode]), i, at = 0;
	const struct tn_place *p = g->place + 1;
	int k;

	*n = 0;
	for (k = 0; k < g->place->nkid; k++, p = place_end(p)) {
		bool is_rest = p->kind == TN_P_RUN && g->element == NO_ELEMENT;

		if (is_rest && !is_run(f, p->word, given + at, nkid - at))
			return false;
		if (p->kind == TN_P_EACH && at == nkid)
			return false;
		for (i = at; i < (is_rest || p->kind == TN_P_EACH ? nkid : at + 1); i++) {
			uint32_t from = i < 2 && swap ? 1 - i : i;

			if (i >= nkid)
				return false;
			if (is_rest)
				put_operand(f, first + from, OPERAND_LEAF, given[from]);
			else if (p->kind == TN_P_EACH)
				goal[(*n)++] = (struct goal){p + 1, given[from], (int)(i - at), first + from, NULL};
			else
				goal[(*n)++] = (struct goal){p, given[from], g->element, first + from, NULL};
		}
		at = i;
	}
	return at == nkid;
}

/* the node as what stands at the goal's place, and then all that is left */
static bool
take_node(struct finding *f, const struct goal *g, tn_id enode, int swap)
{
	uint32_t nkid = egraph_nkid(&f->p->g->node[enode]), n, i, node = f->spot.node.n, first = f->spot.operand.n;
	uint32_t nroot = f->spot.root.n, nseen = f->seen.n;
	struct goal *goal = mem_alloc(((size_t)nkid + 1) * sizeof *goal);
	bool found = false;

	vec_push(&f->spot.node, ((struct spot_node){enode, first}));
	for (i = 0; i < nkid; i++)
		vec_push(&f->spot.operand, ((struct operand){OPERAND_LEAF, 0}));
	vec_reserve(&f->seen, nseen + 1);
	f->seen.at[f->seen.n].place = g->place;
	f->seen.at[f->seen.n].element = g->element;
	f->seen.at[f->seen.n++].node = node;
	put_operand(f, g->operand, OPERAND_NODE, node);
	if (make_goals(f, g, enode, swap, first, goal, &n)) {
		for (i = 0; i < n; i++)
			goal[i].next = i + 1 < n ? &goal[i + 1] : g->next;
		found = find_all(f, n ? goal : g->next);
	}
	f->spot.node.n = node;
	f->spot.operand.n = first;
	f->spot.root.n = nroot;
	f->seen.n = nseen;
	mem_free(goal);
	return found;
}

/* Is an older one of the list the same node by then? */
static bool
is_known(const struct finding *f, const tn_id list[], uint32_t i)
{
	uint32_t k;

	for (k = 0; k < i; k++)
		if (proof_is_twin(f->p, list[i], list[k], f->before))
			return true;
	return false;
}

static bool
find_operator(struct finding *f, const struct goal *g)
{
	const tn_id *member;
	VEC(tn_id) list = {0};
	uint32_t n, i;
	int swap, nway = f->op[g->place->op].is_commutative && g->place->nkid > 1 ? 2 : 1;
	bool found = false;

	member = proof_members(f->p, g->class, &n);
	for (i = 0; i < n; i++)
		if (f->p->g->node[member[i]].op == g->place->op && proof_is_made(f->p, member[i], f->before) &&
		    is_equal(f, member[i], g->class))
			vec_push(&list, member[i]);
	for (i = 0; !found && i < list.n; i++) {
		if (is_known(f, list.at, i))
			continue;
		for (swap = 0; !found && swap < nway; swap++)
			found = take_node(f, g, list.at[i], swap);
	}
	vec_free(&list);
	return found;
}

/* ---- the others -------------------------------------------------------------------------------------------- */

/* a term that was found before: the same node, whose class this must be */
static bool
find_again(struct finding *f, const struct goal *g)
{
	const struct tn_place *first = f->code->place + g->place->word;
	uint32_t i, node = TN_NONE;

	for (i = 0; i < f->seen.n; i++)
		if (f->seen.at[i].place == first && (node == TN_NONE || f->seen.at[i].element == g->element))
			node = f->seen.at[i].node;
	if (node == TN_NONE || !is_equal(f, f->spot.node.at[node].enode, g->class))
		return false;
	put_operand(f, g->operand, OPERAND_NODE, node);
	if (find_all(f, g->next))
		return true;
	f->spot.root.n -= g->operand == TN_NONE;
	return false;
}

/* a class, a number, or one element of a run */
static bool
find_leaf(struct finding *f, const struct goal *g)
{
	const struct tn_place *p = g->place;
	const tn_id *run;
	uint32_t n;

	if (p->kind == TN_P_RUN && p->word >= 0) {
		run = run_at(f, p->word, &n);
		if ((uint32_t)g->element >= n || !is_equal(f, run[g->element], g->class))
			return false;
	}
	if (p->kind == TN_P_CLASS && p->word >= 0 && !is_equal(f, f->v[p->word], g->class))
		return false;
	if (p->kind == TN_P_NUMBER && tn_tensors_uniform(f->t, g->class) == TN_NONE)
		return false;
	put_operand(f, g->operand, p->kind == TN_P_NUMBER ? OPERAND_NUMBER : OPERAND_LEAF, g->class);
	return find_all(f, g->next);
}

static bool
find_all(struct finding *f, const struct goal *g)
{
	if (f->ntry > MOST_TRIES)
		return false;
	if (!g) {
		f->ntry++;
		return f->try(f->arg, &f->spot);
	}
	switch (g->place->kind) {
	case TN_P_OP:
		return find_operator(f, g);
	case TN_P_AGAIN:
		return find_again(f, g);
	default:
		return find_leaf(f, g);
	}
}

/* ---- roots ------------------------------------------------------------------------------------------------- */

/* the roots' classes of the match, and the place of each; how many */
static uint32_t
list_roots(const struct finding *f, tn_id root, struct goal **goal)
{
	const struct tn_join *join = f->code->join;
	const struct tn_place *p = f->code->place;
	const tn_id *run = &root;
	uint32_t n = 1, i;

	if (join && join->is_siblings)
		run = run_at(f, join->root, &n);
	else if (join) {
		run = &f->v[join->root];
		n = (uint32_t)join->npart;
	}
	*goal = mem_alloc(((size_t)n + 1) * sizeof **goal);
	for (i = 0; i < n; i++) {
		(*goal)[i] = (struct goal){p, run[i], join && join->is_siblings ? (int)i : NO_ELEMENT, TN_NONE,
		    i + 1 < n ? &(*goal)[i + 1] : NULL};
		if (!join || !join->is_siblings)
			p = place_end(p);
	}
	return n;
}

bool
spot_find(const struct proof *p, struct tn_tensors *t, const struct tn_rule_code *code, const struct tn_op *op, uint32_t u,
    uint32_t before, bool (*try)(void *arg, const struct spot *), void *arg)
{
	const struct union_record *r = &p->g->proof.at[u];
	struct finding f = {.p = p, .t = t, .code = code, .op = op, .v = &p->g->proof_var.at[r->var], .before = before, .try = try,
	    .arg = arg};
	struct goal *goal;
	bool found;

	if (r->nvar < (uint32_t)code->nvar)
		return false;
	found = list_roots(&f, r->a, &goal) > 0 && find_all(&f, goal);
	mem_free(goal);
	vec_free(&f.spot.node);
	vec_free(&f.spot.operand);
	vec_free(&f.spot.root);
	vec_free(&f.seen);
	return found;
}
