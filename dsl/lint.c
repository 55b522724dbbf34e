/*
 * What is legal and still wrong: the same rule twice, a rule that a more general one covers, patterns
 * that share no variable.
 *
 * Rule A covers rule B if A's pattern matches B's pattern as a term, and A's result under that match
 * is B's result, and A has no guard that B lacks.
 */
#include <string.h>

#include "dsl/rule_scope.h"

enum { VARS = 64 };

/* what A's variables stand for in B */
struct cover {
	const struct tn_rule *a, *b;
	const struct tn_term *term[VARS];	/* ?x */
	const struct tn_x *value[VARS];		/* $a */
	const struct tn_term *node[VARS];	/* ..c: the node of B it captured from */
	const struct tn_term *from[VARS];	/* ..c: the node of A, for the names beside it */
};

static const struct tn_x *
bind_of(const struct tn_term *t, int attr)
{
	int i;

	for (i = 0; i < t->nbind; i++)
		if (t->bind[i].attr == attr)
			return t->bind[i].x;
	return NULL;
}

/* does A's value pattern match B's value, binding? */
static bool
match_value(struct cover *m, const struct tn_x *a, const struct tn_x *b)
{
	int i;

	if (a->kind == TN_X_ANY)
		return true;
	if (!b)
		return false;
	if (a->kind == TN_X_VAR) {
		if (m->value[a->var])
			return expr_equal(m->value[a->var], b);
		m->value[a->var] = b;
		return true;
	}
	if (a->kind != b->kind || a->fn != b->fn || a->nkid != b->nkid || a->sort != b->sort || !number_equal(a->num, b->num))
		return false;
	for (i = 0; i < a->nkid; i++)
		if (!match_value(m, a->kid[i], b->kid[i]))
			return false;
	return true;
}

/* does A's pattern match B's term, binding? */
static bool
match_term(struct cover *m, const struct tn_term *a, const struct tn_term *b)
{
	int i;

	if (a->kind == TN_T_ANY)
		return true;
	if (a->kind == TN_T_VAR) {
		if (m->term[a->var])
			return term_equal(m->term[a->var], b);
		m->term[a->var] = b;
		return true;
	}
	if (a->kind != TN_T_OP)
		return a->kind == TN_T_NUM && term_equal(a, b);
	if (b->kind != TN_T_OP || a->op != b->op || a->nkid != b->nkid || (b->capture >= 0 && a->capture < 0))
		return false;
	for (i = 0; i < a->nbind; i++)
		if (!match_value(m, a->bind[i].x, bind_of(b, a->bind[i].attr)))
			return false;
	if (a->capture >= 0) {
		if (m->node[a->capture])
			return false;
		m->node[a->capture] = b;
		m->from[a->capture] = a;
	}
	for (i = 0; i < a->nkid; i++)
		if (!match_term(m, a->kid[i], b->kid[i]))
			return false;
	return true;
}

/* is A's value under the match B's value? */
static bool
same_value(const struct cover *m, const struct tn_x *a, const struct tn_x *b)
{
	int i;

	if (a->kind == TN_X_VAR && a->sort != TN_S_TENSOR && a->var < VARS && m->value[a->var])
		return b && expr_equal(m->value[a->var], b);
	if (!b || a->kind == TN_X_VAR || a->kind != b->kind || a->fn != b->fn || a->nkid != b->nkid || !number_equal(a->num, b->num))
		return false;
	for (i = 0; i < a->nkid; i++)
		if (!same_value(m, a->kid[i], b->kid[i]))
			return false;
	return true;
}

/* are A's attributes under the match those of B's node? */
static bool
same_binds(const struct cover *m, const struct tn_term *a, const struct tn_term *b)
{
	const struct tn_term *node = a->capture >= 0 ? m->node[a->capture] : NULL;
	int i, n = a->nbind;

	for (i = 0; i < a->nbind; i++)
		if (!same_value(m, a->bind[i].x, bind_of(b, a->bind[i].attr)))
			return false;
	if (!node)
		return a->capture < 0 && b->capture < 0 && n == b->nbind;
	if (node->capture != b->capture)
		return false;
	for (i = 0; i < node->nbind; i++) {	/* what ..c took over from B's node, less what A names */
		if (bind_of(m->from[a->capture], node->bind[i].attr))
			continue;
		if (!expr_equal(node->bind[i].x, bind_of(b, node->bind[i].attr)))
			return false;
		n++;
	}
	return n == b->nbind;
}

static bool
same_term(const struct cover *m, const struct tn_term *a, const struct tn_term *b)
{
	int i;

	if (a->kind == TN_T_VAR && m->term[a->var])
		return term_equal(m->term[a->var], b);
	if (a->kind != TN_T_OP)
		return a->kind == TN_T_NUM && term_equal(a, b);
	if (b->kind != TN_T_OP || a->op != b->op || a->nkid != b->nkid || !same_binds(m, a, b))
		return false;
	for (i = 0; i < a->nkid; i++)
		if (!same_term(m, a->kid[i], b->kid[i]))
			return false;
	return true;
}

static bool
same_guards(const struct tn_rule *a, const struct tn_rule *b)
{
	int i;

	if (a->nwhen != b->nwhen)
		return false;
	for (i = 0; i < a->nwhen; i++)
		if (!expr_equal(a->when[i], b->when[i]))
			return false;
	return true;
}

static bool
is_same_rule(const struct tn_rule *a, const struct tn_rule *b)
{
	int i;

	if (a->narrow != b->narrow || a->is_normalise != b->is_normalise || !same_guards(a, b))
		return false;
	for (i = 0; i < a->narrow; i++)
		if (!term_equal(a->arrow[i].from, b->arrow[i].from) || !term_equal(a->arrow[i].to, b->arrow[i].to))
			return false;
	return true;
}

static bool
covers(const struct tn_rule *a, const struct tn_rule *b)
{
	struct cover m = {.a = a, .b = b};

	if (a->narrow != 1 || b->narrow != 1 || a->nwhen || a->nvar > VARS || b->nvar > VARS)
		return false;
	return match_term(&m, a->arrow[0].from, b->arrow[0].from) && same_term(&m, a->arrow[0].to, b->arrow[0].to);
}

/* ---- patterns without a common variable ------------------------------------------------------------------- */

static uint64_t
variables(const struct tn_term *t)
{
	uint64_t set = t->var >= 0 && t->var < 64 && (t->kind == TN_T_VAR || t->kind == TN_T_REST) ? UINT64_C(1) << t->var : 0;
	int i;

	for (i = 0; i < t->nkid; i++)
		set |= variables(t->kid[i]);
	return set;
}

/* can every pattern be reached from the first over common variables? */
static bool
is_joined(const struct tn_rule *r)
{
	uint64_t reached = variables(r->arrow[0].from), before;
	int i;

	do {
		before = reached;
		for (i = 1; i < r->narrow; i++)
			if (variables(r->arrow[i].from) & reached)
				reached |= variables(r->arrow[i].from);
	} while (reached != before);
	for (i = 1; i < r->narrow; i++)
		if (!(variables(r->arrow[i].from) & reached))
			return false;
	return true;
}

void
lint_rules(struct check *c)
{
	uint32_t i, k;

	for (i = 0; i < c->rule.n; i++) {
		struct tn_rule *r = &c->rule.at[i];

		if (r->narrow > 1 && !is_joined(r)) {
			diag_at(c->diags, D_PRODUCT, r->at, "the patterns of '%s' share no variable: every match of one goes with every match of "
			    "the other", r->name);
			diag_note(c->diags, r->at, "the rule is off unless it is enabled by name");
			r->is_off = true;
		}
		for (k = 0; k < c->rule.n; k++) {
			if (k < i && is_same_rule(&c->rule.at[k], r)) {
				diag_at(c->diags, D_DUPLICATE_RULE, r->at, "'%s' says what '%s' says", r->name, c->rule.at[k].name);
				diag_note(c->diags, c->rule.at[k].at, "here");
				break;
			}
			if (k != i && covers(&c->rule.at[k], r) && !(k > i && covers(r, &c->rule.at[k])) && !is_same_rule(&c->rule.at[k], r)) {
				diag_at(c->diags, D_COVERED_RULE, r->at, "'%s' is a case of '%s'", r->name, c->rule.at[k].name);
				diag_note(c->diags, c->rule.at[k].at, "the more general rule");
				break;
			}
		}
	}
}
