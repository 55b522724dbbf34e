/*
 * Arrows that can be exchanged: then each set of nodes they match is matched in every order, of which one
 * is enough.
 *
 * Exchanging two arrows is an exchange of variables too, found by walking over both patterns at once.
 * Results are of no matter: both orders of a match give equal ones.
 */
#include <string.h>

#include "base/mem.h"
#include "base/num.h"
#include "gen/join.h"

struct exchange {
	const struct tn_rule *rule;
	int *to;		/* by variable: what it becomes, or -1; the other way round, too */
};

static bool same_value(struct exchange *, const struct tn_x *, const struct tn_x *);

static bool
same_variable(struct exchange *e, int a, int b)
{
	const struct tn_rvar *v = &e->rule->var[a], *w = &e->rule->var[b];

	if (e->to[a] >= 0 || e->to[b] >= 0)
		return e->to[a] == b && e->to[b] == a;
	if (v->kind != w->kind || v->sort != w->sort)
		return false;
	e->to[a] = b;
	e->to[b] = a;
	return true;
}

static bool
same_term(struct exchange *e, const struct tn_term *a, const struct tn_term *b)
{
	if (a->kind != b->kind || a->op != b->op || a->nkid != b->nkid || a->nbind != b->nbind || (a->capture < 0) != (b->capture < 0) ||
	    !number_equal(a->num, b->num))
		return false;
	if (a->kind != TN_T_MAP && a->var >= 0 && !same_variable(e, a->var, b->var))
		return false;
	if (a->capture >= 0 && !same_variable(e, a->capture, b->capture))
		return false;
	for (int i = 0; i < a->nbind; i++)
		if (a->bind[i].attr != b->bind[i].attr || !same_value(e, a->bind[i].x, b->bind[i].x))
			return false;
	for (int i = 0; i < a->nkid; i++)
		if (!same_term(e, a->kid[i], b->kid[i]))
			return false;
	return true;
}

/* A variable of an expression; lets are written out. */
static bool
same_name(struct exchange *e, const struct tn_x *a, const struct tn_x *b)
{
	const struct tn_rvar *v = &e->rule->var[a->var], *w = &e->rule->var[b->var];

	if (v->kind != w->kind)
		return false;
	if (v->kind == TN_R_LET)
		return same_value(e, v->x, w->x);
	if (v->kind == TN_R_TERM)
		return same_term(e, v->term, w->term);
	return same_variable(e, a->var, b->var);
}

static bool
is_orderless(enum tn_fn fn)
{
	return fn == TN_F_EQ || fn == TN_F_NE || fn == TN_F_ADD || fn == TN_F_MUL || fn == TN_F_MAX || fn == TN_F_MIN ||
	    fn == TN_F_AND || fn == TN_F_OR;
}

/* Two operands that may stand in either order. */
static bool
same_in_any_order(struct exchange *e, const struct tn_x *a, const struct tn_x *b)
{
	size_t size = (size_t)e->rule->nvar * sizeof *e->to;
	int *before = mem_alloc(size);
	bool same = false;

	memcpy(before, e->to, size);
	for (int swap = 0; swap < 2 && !same; swap++) {
		memcpy(e->to, before, size);
		same = same_value(e, a->kid[0], b->kid[swap]) && same_value(e, a->kid[1], b->kid[!swap]);
	}
	mem_free(before);
	return same;
}

static bool
same_value(struct exchange *e, const struct tn_x *a, const struct tn_x *b)
{
	if (a->kind != b->kind || a->sort != b->sort || a->fn != b->fn || a->nkid != b->nkid || !number_equal(a->num, b->num))
		return false;
	if (a->kind == TN_X_TEXT && strcmp(a->text, b->text) != 0)
		return false;
	if (a->kind == TN_X_VAR && !same_name(e, a, b))
		return false;
	if (a->kind == TN_X_CALL && a->nkid == 2 && is_orderless((enum tn_fn)a->fn))
		return same_in_any_order(e, a, b);
	for (int i = 0; i < a->nkid; i++)
		if (!same_value(e, a->kid[i], b->kid[i]))
			return false;
	return true;
}

/* Is what the condition becomes one of the conditions? */
static bool
has_condition(struct exchange *e, const struct tn_x *condition)
{
	size_t size = (size_t)e->rule->nvar * sizeof *e->to;
	int *before = mem_alloc(size);
	bool found = false;

	memcpy(before, e->to, size);
	for (int i = 0; i < e->rule->nwhen && !found; i++) {
		found = same_value(e, condition, e->rule->when[i]);
		if (!found)
			memcpy(e->to, before, size);
	}
	mem_free(before);
	return found;
}

bool
alike_exchange(const struct tn_rule *r, int arrow, int other)
{
	struct exchange e = {r, mem_alloc((size_t)r->nvar * sizeof *e.to)};
	bool same;

	memset(e.to, 0xff, (size_t)r->nvar * sizeof *e.to);
	same = same_term(&e, r->arrow[arrow].from, r->arrow[other].from);
	for (int i = 0; i < r->narrow && same; i++)
		if (i != arrow && i != other)
			same = same_term(&e, r->arrow[i].from, r->arrow[i].from);
	for (int i = 0; i < r->nwhen && same; i++)
		same = has_condition(&e, r->when[i]);
	mem_free(e.to);
	return same;
}
