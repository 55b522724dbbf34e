/*
 * When one rule says what another says: equal under other names, or one a case of the other.
 *
 * Rule A covers rule B if A's pattern matches B's pattern as a term, A's result under that match is
 * B's result, and each guard of A under it is a guard of B.  All ways to match are tried (operands of
 * commutative operators in both orders), up to a number of steps: then the rules count as different.
 */
#include "dsl/rule_scope.h"

enum { STEPS = 20000, VARS = 64 };

/* what A's variables stand for in B */
struct sense {
	const struct tn_term *term;	/* ?x, ?xs... */
	const struct tn_x *value;	/* $a, ..h */
	const struct tn_term *node;	/* ..c: the node of B it captured from */
	const struct tn_term *beside;	/* ..c: the node of A where it did */
};

/* what is still to be matched */
struct goal {
	const struct tn_term *a, *b;
	const struct goal *next;
};

struct cover {
	const struct tn_program_text *text;
	const struct tn_rule *a, *b;
	struct sense *sense;		/* by A's variable */
	struct arena arena;		/* goals, saved senses, numbers as values */
	int steps;
};

static bool same_term(struct cover *, const struct tn_term *, const struct tn_term *);

static bool
step(struct cover *m)
{
	return ++m->steps < STEPS;
}

static const struct tn_x *
bind_of(const struct tn_term *t, int attr)
{
	int i;

	for (i = 0; i < t->nbind; i++)
		if (t->bind[i].attr == attr)
			return t->bind[i].x;
	return NULL;
}

/* ---- values --------------------------------------------------------------------------------------------- */

static bool
same_leaf(const struct tn_x *a, const struct tn_x *b)
{
	return a->kind == b->kind && a->fn == b->fn && a->nkid == b->nkid && number_equal(a->num, b->num) &&
	    (a->kind != TN_X_TEXT || strcmp(a->text, b->text) == 0);
}

/* are two values of B the same? */
static bool
equal_in_b(struct cover *m, const struct tn_x *a, const struct tn_x *b)
{
	int i;

	if (a == b)
		return true;
	if (!step(m) || !a || !b || !same_leaf(a, b) || a->kind == TN_X_ANY || (a->kind == TN_X_VAR && a->var != b->var))
		return false;
	for (i = 0; i < a->nkid; i++)
		if (!equal_in_b(m, a->kid[i], b->kid[i]))
			return false;
	return true;
}

/* does A's value as a pattern match B's, binding? */
static bool
match_value(struct cover *m, const struct tn_x *a, const struct tn_x *b)
{
	struct sense *s;
	int i;

	if (a->kind == TN_X_ANY)
		return true;
	if (!step(m) || !b || (a->sort == TN_S_LIST) != (b->sort == TN_S_LIST))
		return false;
	if (a->kind == TN_X_VAR && (m->a->var[a->var].kind == TN_R_ATTR || m->a->var[a->var].kind == TN_R_SEQ)) {
		s = &m->sense[a->var];
		if (s->value)
			return equal_in_b(m, s->value, b);
		s->value = b;
		return true;
	}
	if (a->kind == TN_X_VAR || !same_leaf(a, b))
		return false;
	for (i = 0; i < a->nkid; i++)
		if (!match_value(m, a->kid[i], b->kid[i]))
			return false;
	return true;
}

/* the value that the variable of B is a let of, or itself */
static const struct tn_x *
written_out(const struct tn_rule *r, const struct tn_x *x)
{
	while (x && x->kind == TN_X_VAR && r->var[x->var].kind == TN_R_LET)
		x = r->var[x->var].x;
	return x;
}

/* the term that a tensor variable of a guard stands for */
static bool
same_tensor(struct cover *m, int a, int b)
{
	const struct tn_rvar *va = &m->a->var[a], *vb = &m->b->var[b];

	if (va->kind == TN_R_TERM)
		return vb->kind == TN_R_TERM && same_term(m, va->term, vb->term);
	if (!m->sense[a].term)
		return false;
	return vb->kind == TN_R_TERM ? term_equal(m->sense[a].term, vb->term) :
	    m->sense[a].term->kind == TN_T_VAR && m->sense[a].term->var == b;
}

/* is A's value under the match B's value? */
static bool
same_value(struct cover *m, const struct tn_x *a, const struct tn_x *b)
{
	int i;

	a = written_out(m->a, a);
	b = written_out(m->b, b);
	if (!step(m) || !a || !b)
		return false;
	if (a->kind == TN_X_VAR && a->sort == TN_S_TENSOR)
		return b->kind == TN_X_VAR && b->sort == TN_S_TENSOR && same_tensor(m, a->var, b->var);
	if (a->kind == TN_X_VAR && m->sense[a->var].value)
		return equal_in_b(m, written_out(m->b, m->sense[a->var].value), b);
	if (a->kind == TN_X_VAR || !same_leaf(a, b))
		return false;
	for (i = 0; i < a->nkid; i++)
		if (!same_value(m, a->kid[i], b->kid[i]))
			return false;
	return true;
}

/* a tensor's number or $a as a value */
static const struct tn_x *
value_of(struct cover *m, const struct tn_term *t)
{
	struct tn_x *x;

	if (t->kind != TN_T_NUM && t->kind != TN_T_ATTR)
		return NULL;
	x = arena_new(&m->arena, struct tn_x);
	x->kind = t->kind == TN_T_NUM ? TN_X_NUM : TN_X_VAR;
	x->sort = TN_S_REAL;
	x->var = t->var;
	x->num = t->num;
	return x;
}

/* ---- results ------------------------------------------------------------------------------------------------ */

/* are A's attributes under the match those of B's node? */
static bool
same_binds(struct cover *m, const struct tn_term *a, const struct tn_term *b)
{
	const struct tn_term *node = a->capture >= 0 ? m->sense[a->capture].node : NULL;
	const struct tn_term *beside = a->capture >= 0 ? m->sense[a->capture].beside : NULL;
	int i, n = a->nbind;

	for (i = 0; i < a->nbind; i++)
		if (!same_value(m, a->bind[i].x, bind_of(b, a->bind[i].attr)))
			return false;
	if (!node)
		return a->capture < 0 && b->capture < 0 && n == b->nbind;
	if (node->capture != b->capture)
		return false;
	for (i = 0; i < node->nbind; i++) {	/* what ..c took over from B's node, less what A names */
		if (bind_of(beside, node->bind[i].attr) || bind_of(a, node->bind[i].attr))
			continue;
		if (!equal_in_b(m, node->bind[i].x, bind_of(b, node->bind[i].attr)))
			return false;
		n++;
	}
	return n == b->nbind;
}

static bool
same_kids(struct cover *m, const struct tn_term *a, const struct tn_term *b, int swap)
{
	int i;

	for (i = 0; i < a->nkid; i++)
		if (!same_term(m, a->kid[i], b->kid[i < 2 ? i ^ swap : i]))
			return false;
	return true;
}

/* is A's term under the match B's term? */
static bool
same_term(struct cover *m, const struct tn_term *a, const struct tn_term *b)
{
	const struct tn_x *x;

	if (!step(m))
		return false;
	if ((a->kind == TN_T_VAR || a->kind == TN_T_REST) && m->sense[a->var].term)
		return term_equal(m->sense[a->var].term, b);
	if (a->kind == TN_T_NUM)
		return b->kind == TN_T_NUM && number_equal(a->num, b->num);
	if (a->kind == TN_T_ATTR) {
		x = value_of(m, b);
		return x && same_value(m, value_of(m, a), x);
	}
	if (a->kind != b->kind || (a->kind != TN_T_OP && a->kind != TN_T_MAP) || a->nkid != b->nkid)
		return false;
	if (a->kind == TN_T_OP && (a->op != b->op || !same_binds(m, a, b)))
		return false;
	return same_kids(m, a, b, 0) || (a->kind == TN_T_OP && m->text->op[a->op].is_commutative && same_kids(m, a, b, 1));
}

/* ---- patterns -------------------------------------------------------------------------------------------------- */

/* Two terms written like this may be found in different classes. */
static bool
is_loose(const struct tn_term *t)
{
	int i;

	for (i = 0; i < t->nbind; i++)
		if (t->bind[i].x && t->bind[i].x->kind == TN_X_ANY)
			return true;
	for (i = 0; i < t->nkid; i++)
		if (is_loose(t->kid[i]))
			return true;
	return t->kind == TN_T_ANY || t->kind == TN_T_NUM || t->kind == TN_T_ATTR;
}

static bool
match_variable(struct cover *m, const struct tn_term *a, const struct tn_term *b)
{
	struct sense *s = &m->sense[a->var];
	bool is_list = b->kind == TN_T_REST || b->kind == TN_T_MAP;
	const struct tn_x *x;

	if (a->kind == TN_T_ATTR) {
		x = value_of(m, b);
		if (!x || s->value)
			return x && equal_in_b(m, s->value, x);
		s->value = x;
		return true;
	}
	if (a->kind == TN_T_REST ? b->kind != TN_T_REST : is_list)
		return false;
	if (s->term)	/* a let's term is in one class wherever it stands */
		return (s->term == b && b->kind == TN_T_OP) || (term_equal(s->term, b) && !is_loose(b));
	s->term = b;
	return true;
}

static bool
match_binds(struct cover *m, const struct tn_term *a, const struct tn_term *b)
{
	int i;

	if (b->capture >= 0 && a->capture < 0)
		return false;
	for (i = 0; i < a->nbind; i++)
		if (!match_value(m, a->bind[i].x, bind_of(b, a->bind[i].attr)))
			return false;
	if (a->capture < 0)
		return true;
	if (m->sense[a->capture].node)
		return false;
	m->sense[a->capture].node = b;
	m->sense[a->capture].beside = a;
	return true;
}

/* how often the very term stands in t */
static int
count(const struct tn_term *t, const struct tn_term *term)
{
	int i, n = t == term;

	for (i = 0; i < t->nkid; i++)
		n += count(t->kid[i], term);
	return n;
}

/* Does A want one class for several places that B may have different ones for? */
static bool
wants_one_class(const struct tn_term *from, const struct tn_term *t)
{
	int i;

	if (t->kind == TN_T_OP && is_loose(t) && count(from, t) > 1)
		return true;
	for (i = 0; i < t->nkid; i++)
		if (wants_one_class(from, t->kid[i]))
			return true;
	return false;
}

static bool
has_guard(struct cover *m, const struct tn_x *guard)
{
	int i;

	for (i = 0; i < m->b->nwhen; i++)
		if (same_value(m, guard, m->b->when[i]))
			return true;
	return false;
}

static bool
is_covered(struct cover *m)
{
	int i;

	for (i = 0; i < m->a->nwhen; i++)
		if (!has_guard(m, m->a->when[i]))
			return false;
	return same_term(m, m->a->arrow[0].to, m->b->arrow[0].to);
}

static bool solve(struct cover *, const struct goal *);

/* the operands of a and b first, b's first two swapped or not, then `next`; on failure nothing stays bound */
static bool
solve_kids(struct cover *m, const struct tn_term *a, const struct tn_term *b, int swap, const struct goal *next)
{
	struct sense *before = arena_dup(&m->arena, m->sense, (size_t)m->a->nvar * sizeof *before);
	struct goal *goal = arena_news(&m->arena, a->nkid, struct goal);
	int i;

	for (i = a->nkid - 1; i >= 0; i--) {
		goal[i] = (struct goal){a->kid[i], b->kid[i < 2 ? i ^ swap : i], next};
		next = &goal[i];
	}
	if (solve(m, next))
		return true;
	memcpy(m->sense, before, (size_t)m->a->nvar * sizeof *before);
	return false;
}

/* do A's patterns match B's terms, so that the rules then say the same? */
static bool
solve(struct cover *m, const struct goal *g)
{
	const struct tn_term *a, *b;

	if (!step(m) || !g)
		return !g && is_covered(m);
	a = g->a;
	b = g->b;
	switch (a->kind) {
	case TN_T_ANY:
		return b->kind != TN_T_REST && b->kind != TN_T_MAP && solve(m, g->next);
	case TN_T_NUM:
		return b->kind == TN_T_NUM && number_equal(a->num, b->num) && solve(m, g->next);
	case TN_T_MAP:
		return b->kind == TN_T_MAP && solve_kids(m, a, b, 0, g->next);
	case TN_T_OP:
		if (b->kind != TN_T_OP || a->op != b->op || a->nkid != b->nkid || !match_binds(m, a, b))
			return false;
		return solve_kids(m, a, b, 0, g->next) || (m->text->op[a->op].is_commutative && solve_kids(m, a, b, 1, g->next));
	default:
		return match_variable(m, a, b) && solve(m, g->next);
	}
}

bool
rule_covers(const struct tn_program_text *text, const struct tn_rule *a, const struct tn_rule *b)
{
	struct cover m = {.text = text, .a = a, .b = b};
	struct goal goal = {a->arrow[0].from, b->arrow[0].from, NULL};
	bool covers;

	/* a rule that only tidies runs earlier than one that does not */
	if (a->narrow != 1 || b->narrow != 1 || a->is_siblings != b->is_siblings || a->nvar > VARS || goal.a->op != goal.b->op ||
	    (b->is_normalise && !a->is_normalise) || a->is_axiom != b->is_axiom)
		return false;
	m.sense = arena_news(&m.arena, (size_t)a->nvar, struct sense);
	covers = solve(&m, &goal) && !wants_one_class(goal.a, goal.a);
	arena_free(&m.arena);
	return covers;
}

/* ---- the same ---------------------------------------------------------------------------------------------------- */

/* are variables by number the same things? */
static bool
same_variables(const struct tn_rule *a, const struct tn_rule *b)
{
	int i;

	for (i = 0; i < a->nvar && a->nvar == b->nvar; i++) {
		const struct tn_rvar *v = &a->var[i], *w = &b->var[i];

		if (v->kind != w->kind || v->op != w->op || !expr_equal(v->x, w->x) || !v->term != !w->term ||
		    (v->term && !term_equal(v->term, w->term)))
			return false;
	}
	return a->nvar == b->nvar;
}

static bool
same_guards(const struct tn_rule *a, const struct tn_rule *b)
{
	int i;

	for (i = 0; i < a->nwhen && a->nwhen == b->nwhen; i++)
		if (!expr_equal(a->when[i], b->when[i]))
			return false;
	return a->nwhen == b->nwhen;
}

static bool
same_arrows(const struct tn_rule *a, const struct tn_rule *b)
{
	int i;

	for (i = 0; i < a->narrow; i++) {
		const struct tn_arrow *p = &a->arrow[i], *q = &b->arrow[i];

		if (!term_equal(p->from, q->from) || !term_equal(p->to, q->to) || wants_one_class(p->from, p->from) ||
		    wants_one_class(q->from, q->from))
			return false;
	}
	return true;
}

bool
rule_is_same(const struct tn_program_text *text, const struct tn_rule *a, const struct tn_rule *b)
{
	if (a->narrow != b->narrow || a->is_siblings != b->is_siblings || a->is_axiom != b->is_axiom ||
	    a->is_normalise != b->is_normalise)
		return false;
	if (a->narrow == 1)
		return rule_covers(text, a, b) && rule_covers(text, b, a);
	return same_variables(a, b) && same_guards(a, b) && same_arrows(a, b);
}

/* the same but for the order of operands that commute */
static bool
is_reordered(const struct tn_program_text *text, const struct tn_term *a, const struct tn_term *b, int *steps)
{
	bool same;
	int i, swap, swaps = a->kind == TN_T_OP && text->op[a->op].is_commutative;

	if (a == b || ++*steps > STEPS)
		return a == b;
	if (!term_same_node(a, b))
		return false;
	for (swap = 0; swap <= swaps; swap++) {
		for (i = 0, same = true; i < a->nkid && same; i++)
			same = is_reordered(text, a->kid[i], b->kid[i < 2 ? i ^ swap : i], steps);
		if (same)
			return true;
	}
	return false;
}

bool
rule_is_idle(const struct tn_program_text *text, const struct tn_arrow *arrow)
{
	return is_reordered(text, arrow->from, arrow->to, &(int){0});
}
