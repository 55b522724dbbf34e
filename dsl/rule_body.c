/*
 * One way of one instance of a rule, typed in the order in which names are bound: left sides, what
 * they compute, guards, right sides.
 */
#include "dsl/rule_scope.h"

/* ---- guards ---------------------------------------------------------------------------------------------- */

/* (= $p [..h $i]): a comparison whose `list` side has names that are not bound yet */
static const struct tn_x *
binding_guard(struct check *c, struct rule_scope *r, const struct sexp *cond, const struct sexp *list)
{
	const struct sexp *first = cond->kid->next;
	const struct tn_x *kid[2];

	kid[0] = expr_check(c, &r->s, list == first ? first->next : first, TN_S_LIST);
	kid[1] = kid[0] ? rule_list_pattern(c, r, NULL, NULL, list) : NULL;
	return kid[1] ? expr_call(c, TN_F_EQ, TN_S_BOOL, cond->at, 2, kid) : NULL;
}

static bool
has_new_names(struct rule_scope *r, const struct sexp *list)
{
	const struct sexp *s;

	for (s = list->kid; s; s = s->next)
		if ((s->kind == S_VALUE || s->kind == S_REST) && (is_wild(s) || rule_is_new(r, s)))
			return true;
	return false;
}

static const struct tn_x *
guard(struct check *c, struct rule_scope *r, const struct sexp *cond)
{
	const struct sexp *side;

	if (is_clause(cond, "=") && cond->nkid == 3)
		for (side = cond->kid->next; side; side = side->next)
			if (side->kind == S_BRACKET && has_new_names(r, side))
				return binding_guard(c, r, cond, side);
	return expr_check(c, &r->s, cond, TN_S_BOOL);
}

static bool
check_guards(struct check *c, struct rule_scope *r)
{
	const struct sexp *clause, *cond;
	const struct tn_x *x;
	bool ok = true;

	for (clause = r->form->kid; clause; clause = clause->next)
		for (cond = is_clause(clause, "when") ? clause->kid->next : NULL; cond; cond = cond->next) {
			x = guard(c, r, cond);
			if (x && r->is_siblings && !siblings_guard(c, r, x))
				x = NULL;
			ok &= x != NULL;
			if (x)
				vec_push(&r->when, x);
		}
	return ok;
}

/* ---- sides ------------------------------------------------------------------------------------------------- */

static bool
check_left(struct check *c, struct rule_scope *r, const struct sexp *arrow, const struct sexp *from)
{
	struct tn_arrow a = {.at = arrow->at};

	r->left = from->at;
	r->is_siblings = is_siblings(arrow);
	r->map = r->is_siblings ? MAP_NAMED : MAP_NONE;
	a.from = rule_term(c, r, from);
	r->map = MAP_NONE;
	vec_push(&r->arrow, a);
	if (a.from && r->is_siblings && !siblings_pattern(c, r, from))
		return false;
	if (a.from && a.from->kind != TN_T_OP) {
		diag_at(c->diags, D_BARE_VARIABLE, from->at, "a left side without an operator would match everything");
		return false;
	}
	return a.from != NULL;
}

static bool
check_right(struct check *c, struct rule_scope *r, struct tn_arrow *a, const struct sexp *to)
{
	r->map = r->is_siblings ? MAP_NAMED : MAP_NONE;
	r->has_element = r->has_before = r->is_siblings;
	a->to = rule_term(c, r, to);
	r->map = MAP_NONE;
	r->has_element = r->has_before = false;
	if (a->to && rule_is_idle(&(struct tn_program_text){.op = c->op.at}, a)) {
		diag_at(c->diags, D_EQUAL_SIDES, a->at, "both sides are the same");
		if (!term_equal(a->from, a->to))
			diag_hint(c->diags, a->at, "operands of a commutative operator match in either order");
		return false;
	}
	return a->to != NULL;
}

static bool
check_sides(struct check *c, struct rule_scope *r, bool is_back)
{
	const struct sexp *s;
	uint32_t i = 0;
	bool ok = true;

	r->is_left = true;
	for (s = r->form->kid; s; s = s->next)
		if (is_arrow(s))
			ok &= check_left(c, r, s, arrow_side(s, is_back));
	r->is_left = false;
	/* what depends on a left side that is wrong may be meant otherwise */
	if (!ok || !rule_deferred(c, r))
		return false;
	r->has_element = r->is_siblings;
	ok = check_guards(c, r);
	r->has_element = false;
	for (s = r->form->kid; s; s = s->next)
		if (is_arrow(s))
			ok &= check_right(c, r, &r->arrow.at[i++], arrow_side(s, !is_back));
	return ok;
}

/* what was named and never used again; siblings agree in whatever has a name */
static void
check_unused(struct check *c, const struct rule_scope *r)
{
	uint32_t i;

	for (i = 0; i < r->let.n; i++)
		if (!r->let.at[i].is_used)
			diag_at(c->diags, D_UNUSED, r->let.at[i].name->at, "'%s' is never used", rule_spelling(c, r->let.at[i].name));
	for (i = 0; i < r->var.n; i++) {
		const struct tn_rvar *v = &r->var.at[i];

		if (r->use.at[i].n > 1 || r->is_siblings || (v->kind != TN_R_ATTR && v->kind != TN_R_CAPTURE && v->kind != TN_R_SEQ))
			continue;
		diag_at(c->diags, D_UNUSED, v->at, "'%s%s' is bound and never used", v->kind == TN_R_ATTR ? "$" : "..", v->name);
		if (v->kind == TN_R_ATTR)
			diag_hint(c->diags, v->at, "'$_' matches anything");
		else if (v->kind == TN_R_SEQ)
			diag_hint(c->diags, v->at, "'.._' matches any items");
	}
}

enum { NAMES = 255, NUMBERS = UINT16_MAX };

/* ---- the rule ---------------------------------------------------------------------------------------------------- */

void
rule_declare_lets(struct rule_scope *r)
{
	const struct sexp *s;

	for (s = r->form->kid; s; s = s->next)
		if (is_clause(s, "let"))
			vec_push(&r->let, ((struct let_form){.name = s->kid->next, .body = s->kid->next->next, .var = -1}));
}

/* rules/norm.rules: norm */
static const char *
family_of(struct check *c, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');

	return arena_str(c->arena, name, dot ? (size_t)(dot - name) : strlen(name));
}

static bool
has_clause(const struct sexp *form, const char *name)
{
	const struct sexp *s;

	for (s = form->kid; s; s = s->next)
		if (is_clause(s, name))
			return true;
	return false;
}

/* Words of matches, and rules and patterns of a program, have numbers of 8 and 16 bits. */
static bool
check_numbers(struct check *c, const struct rule_scope *r)
{
	bool is_joined = r->arrow.n > 1 || r->is_siblings;
	uint32_t before = c->number;

	if (is_joined && r->var.n + r->let.n + r->deferred.n > NAMES) {
		diag_at(c->diags, D_TOO_LARGE, r->form->at, "a rule of several patterns has at most %d names and computed values", NAMES);
		return false;
	}
	c->number += 1 + (is_joined ? r->arrow.n : 0);
	if (before <= NUMBERS && c->number > NUMBERS)
		diag_at(c->diags, D_TOO_LARGE, r->form->at, "a program has at most %d rules and patterns", NUMBERS);
	return c->number <= NUMBERS;
}

static void
add_rule(struct check *c, const struct rule_scope *r, const char *name, const char *doc, bool is_back)
{
	const struct source *source = &c->r->sources.at[r->form->at.file];
	struct tn_rule rule = {.name = name, .doc = doc, .at = r->form->at, .is_backward = is_back};
	int col;

	rule.file = source->path;
	rule.family = family_of(c, source->path);
	source_place(source, r->form->at.from, &rule.line, &col);
	rule.is_axiom = is_clause(r->form, "axiom");
	rule.is_trusted = has_clause(r->form, "trusted");
	rule.is_normalise = has_clause(r->form, "phase");
	rule.is_siblings = r->is_siblings;
	rule.nvar = (int)r->var.n;
	rule.var = arena_dup(c->arena, r->var.at, r->var.n * sizeof *r->var.at);
	rule.narrow = (int)r->arrow.n;
	rule.arrow = arena_dup(c->arena, r->arrow.at, r->arrow.n * sizeof *r->arrow.at);
	rule.nwhen = (int)r->when.n;
	rule.when = arena_dup(c->arena, r->when.at, r->when.n * sizeof *r->when.at);
	vec_push(&c->rule, rule);
}

bool
rule_body(struct check *c, const struct sexp *form, const char *name, const char *doc, bool is_back, bool warns)
{
	struct rule_scope r;
	bool ok;

	rule_scope_begin(&r, form);
	rule_declare_lets(&r);
	ok = check_sides(c, &r, is_back);
	if (ok && warns)
		check_unused(c, &r);
	ok = ok && check_numbers(c, &r);
	if (ok)
		add_rule(c, &r, name, doc, is_back);
	rule_scope_free(&r);
	return ok;
}
