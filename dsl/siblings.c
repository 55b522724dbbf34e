/*
 * Rules over siblings: (=> PATTERN... RESULT...) matches all nodes at once that agree in the pattern's
 * plain variables.  ?xs... in the pattern is one tensor of each; a condition is asked of each; in the
 * result ?xs is that of the sibling at hand.
 */
#include "dsl/rule_scope.h"

bool
siblings_arrow(struct check *c, const struct sexp *form, const struct sexp *arrow)
{
	const struct sexp *pattern = arrow->kid->next, *s;

	if (arrow->nkid != 5 || pattern->kind != S_LIST || arrow_side(arrow, true)->next->kind != S_DOTS) {
		diag_at(c->diags, D_SIBLINGS, arrow->at, "an arrow of siblings has '...' after each side: (=> PATTERN... RESULT...)");
		return false;
	}
	if (!is_clause(arrow, "=>")) {
		diag_at(c->diags, D_SIBLINGS, arrow->at, "an arrow of siblings goes one way: (=> PATTERN... RESULT...)");
		return false;
	}
	for (s = form->kid; s; s = s->next)
		if (is_arrow(s) && s != arrow) {
			diag_at(c->diags, D_SIBLINGS, arrow->at, "an arrow of siblings is the only arrow of its rule");
			diag_note(c->diags, s->at, "another");
			return false;
		}
	return true;
}

bool
siblings_pattern(struct check *c, const struct rule_scope *r, const struct sexp *pattern)
{
	uint32_t i;

	for (i = 0; i < r->var.n; i++)
		if (r->var.at[i].kind == TN_R_TENSORS)
			return true;
	diag_at(c->diags, D_SIBLINGS, pattern->at, "nothing in this pattern is a sibling's own");
	diag_hint(c->diags, pattern->at, "what differs from sibling to sibling is written ?xs...");
	return false;
}

/* ---- values ------------------------------------------------------------------------------------------- */

/* what a value depends on */
struct needs {
	bool sibling;		/* the tensor of one */
	bool before;		/* a sum over those before it */
	bool result;		/* a let's term */
};

static void
find_needs(const struct rule_scope *r, const struct tn_x *x, struct needs *n)
{
	int i;

	n->before |= x->kind == TN_X_BEFORE;
	if (x->kind == TN_X_VAR) {
		const struct tn_rvar *v = &r->var.at[x->var];

		n->sibling |= v->kind == TN_R_TENSORS;
		n->result |= v->kind == TN_R_TERM;
		if (v->kind == TN_R_LET)
			find_needs(r, v->x, n);
	}
	for (i = 0; i < x->nkid; i++)
		find_needs(r, x->kid[i], n);
}

bool
siblings_guard(struct check *c, const struct rule_scope *r, const struct tn_x *x)
{
	struct needs n = {false};

	find_needs(r, x, &n);
	if (n.sibling && n.result)
		diag_at(c->diags, D_SIBLINGS, x->at, "a condition on each sibling cannot ask of what is made of all of them");
	return !n.sibling || !n.result;
}

bool
siblings_value(struct check *c, const struct rule_scope *r, const struct tn_x *x, const struct sexp *at)
{
	struct needs n = {false};

	find_needs(r, x, &n);
	if ((!n.sibling || r->has_element) && (!n.before || r->has_before))
		return true;
	diag_at(c->diags, r->is_siblings ? D_SIBLINGS : D_UNBOUND_VARIABLE, at->at,
	    "'%s' differs from %s, and here is none of them", rule_spelling(c, at),
	    r->is_siblings ? "sibling to sibling" : "element to element");
	return false;
}

const struct tn_x *
siblings_before(struct check *c, struct rule_scope *r, const struct sexp *call, bool *is_mine)
{
	const struct tn_x *kid;
	struct tn_x *x;

	if (!is_clause(call, "before"))
		return NULL;
	*is_mine = true;
	if (!r->has_before) {
		diag_at(c->diags, D_SIBLINGS, call->at, "'before' stands in the result of a rule over siblings");
		return NULL;
	}
	if (call->nkid != 2) {
		diag_at(c->diags, D_SIBLINGS, call->at, "(before EXPR) is the sum of EXPR over the siblings before this one");
		return NULL;
	}
	kid = expr_check(c, &r->s, call->kid->next, TN_S_INT);
	if (!kid)
		return NULL;
	x = expr_new(c, TN_X_BEFORE, TN_S_INT, call->at);
	x->nkid = 1;
	x->kid = expr_kids(c, 1, &kid);
	return x;
}
