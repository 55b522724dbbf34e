/* What is asked of a plan and its steps. */
#include <string.h>

#include "base/num.h"
#include "gen/plan.h"

/* ---- steps that two rules may share ------------------------------------------------------------------ */

/* An order of places, 0 where they are one. */
int
ref_compare(struct ref a, struct ref b)
{
	const int x[] = {a.node, a.kind, a.i, a.j, a.k, a.at}, y[] = {b.node, b.kind, b.i, b.j, b.k, b.at};

	for (size_t i = 0; i < sizeof x / sizeof *x; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

bool
step_same(const struct step *a, const struct step *b)
{
	if (a->kind != b->kind || a->or_more != b->or_more || a->node != b->node || a->op != b->op || a->i != b->i ||
	    a->mask != b->mask || a->rule != b->rule || ref_compare(a->a, b->a) != 0 || ref_compare(a->b, b->b) != 0)
		return false;
	if (!number_equal(a->num, b->num))
		return false;
	if ((a->text != NULL) != (b->text != NULL) || (a->text && strcmp(a->text, b->text) != 0))
		return false;
	if (a->kind == STEP_IS_CODE)
		return true;
	if (a->kind != STEP_IS_LIST)
		return a->x == b->x;
	for (int i = 0; i < a->x->nkid && a->x->nkid == b->x->nkid; i++)
		if (a->x->kid[i]->num.num != b->x->kid[i]->num.num)
			return false;
	return a->x->nkid == b->x->nkid;
}

bool
plan_same(const struct plan *a, const struct plan *b)
{
	uint32_t i;

	if (a->step.n != b->step.n || a->column.n != b->column.n)
		return false;
	for (i = 0; i + 1 < a->step.n; i++)	/* the last is the yield */
		if (!step_same(&a->step.at[i], &b->step.at[i]))
			return false;
	for (i = 0; i < a->column.n; i++) {
		if (ref_compare(a->column.at[i].ref, b->column.at[i].ref) != 0)
			return false;
		if (a->column.at[i].ref.kind == REF_NONE && a->rule != b->rule)
			return false;
	}
	return true;
}

/* ---- what is known -------------------------------------------------------------------------------------- */

int
plan_run(const struct tn_x *list)
{
	int i = 0;

	while (i < list->nkid && list->kid[i]->sort != TN_S_LIST)
		i++;
	return i;
}

const struct tn_x *
plan_binder(const struct plan *p, int var, int *item)
{
	if (p->slot[var] != SLOT_NONE)
		return NULL;
	for (int i = 0; i < p->rule->nwhen; i++) {
		const struct tn_x *w = p->rule->when[i], *list;

		if (w->kind != TN_X_CALL || w->fn != TN_F_EQ || w->nkid != 2 || w->kid[1]->kind != TN_X_LIST)
			continue;
		list = w->kid[1];
		for (int j = 0; j < list->nkid; j++)
			if (list->kid[j]->kind == TN_X_VAR && list->kid[j]->var == var) {
				*item = j > plan_run(list) ? j - list->nkid : j;
				return w;
			}
	}
	return NULL;
}

/* Is the class of every tensor variable of the term known?  Then whether it is constant is, too. */
static bool
leaves_known(const struct plan *p, const struct tn_term *t)
{
	struct terms all = {0};
	bool known = true;

	terms_add(&all, t);
	for (uint32_t i = 0; i < all.list.n; i++) {
		t = all.list.at[i];
		if (t->kind == TN_T_MAP || t->kind == TN_T_REST)
			known = false;
		if (t->kind == TN_T_VAR)
			known &= p->place[t->var].kind == REF_CLASS || p->place[t->var].kind == REF_ROOT;
	}
	terms_free(&all);
	return known;
}

static bool
var_known(const struct plan *p, int var)
{
	const struct tn_rvar *v = &p->rule->var[var];
	const struct tn_x *binder;
	int item;

	if (v->kind == TN_R_LET)
		return plan_is_known(p, v->x);
	if (p->place[var].kind != REF_NONE)
		return true;
	binder = v->kind == TN_R_ATTR || v->kind == TN_R_SEQ ? plan_binder(p, var, &item) : NULL;
	return binder && plan_is_known(p, binder->kid[0]);
}

bool
plan_is_known(const struct plan *p, const struct tn_x *x)
{
	if (x->kind == TN_X_VAR)
		return var_known(p, x->var);
	if (x->kind == TN_X_CALL && x->fn == TN_F_CONSTANT && p->rule->var[x->kid[0]->var].kind == TN_R_TERM &&
	    leaves_known(p, p->rule->var[x->kid[0]->var].term))
		return true;
	for (int i = 0; i < x->nkid; i++)
		if (!plan_is_known(p, x->kid[i]))
			return false;
	return true;
}

/* ---- the rule as a whole ---------------------------------------------------------------------------------- */

void
terms_add(struct terms *t, const struct tn_term *term)
{
	bool is_new;

	if (map_get(&t->known, &term, sizeof term))
		return;
	for (int i = 0; i < term->nkid; i++)
		terms_add(t, term->kid[i]);
	map_put(&t->known, &term, sizeof term, 0, &is_new);
	if (is_new)
		vec_push(&t->list, term);
}

void
terms_free(struct terms *t)
{
	vec_free(&t->list);
	map_free(&t->known);
}

bool
plan_is_joined(const struct tn_rule *r)
{
	return r->narrow > 1 || r->is_siblings;
}

int
plan_depth(const struct tn_rule *r)
{
	struct terms all = {0};
	int most = 0;

	for (int i = 0; i < r->narrow; i++)
		terms_add(&all, r->arrow[i].from);
	/* the number under a term is its depth by now: operands come first */
	for (uint32_t i = 0; i < all.list.n; i++) {
		const struct tn_term *t = all.list.at[i];
		uint32_t d = 0;

		for (int k = 0; k < t->nkid; k++) {
			uint32_t kid = *map_get(&all.known, &t->kid[k], sizeof t->kid[k]);

			d = kid > d ? kid : d;
		}
		d += t->kind == TN_T_OP;
		*map_get(&all.known, &t, sizeof t) = d;
		most = (int)d > most ? (int)d : most;
	}
	terms_free(&all);
	return most;
}

bool
plan_is_scalar(const struct plan *p)
{
	struct terms all = {0};
	bool is_scalar = true;

	for (int i = 0; i < p->rule->narrow; i++) {
		terms_add(&all, p->rule->arrow[i].from);
		terms_add(&all, p->rule->arrow[i].to);
	}
	for (uint32_t i = 0; i < all.list.n; i++)
		is_scalar &= all.list.at[i]->kind != TN_T_OP || p->text->op[all.list.at[i]->op].is_scalar;
	terms_free(&all);
	return is_scalar;
}
