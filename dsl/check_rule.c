/*
 * Rules: `for` written out, each direction of `<=>` typed, then patterns, guards and results in the
 * order in which they bind: left sides first.
 */
#include <string.h>

#include "dsl/rule_scope.h"

static bool
is_clause(const struct sexp *s, const char *name)
{
	return s->kind == S_LIST && s->kid && s->kid->kind == S_NAME && strcmp(s->kid->text, name) == 0;
}

static bool
is_arrow(const struct sexp *s)
{
	return is_clause(s, "=>") || is_clause(s, "<=>");
}

/* ---- instances --------------------------------------------------------------------------------------- */

/* a copy of the siblings with every name `from` replaced */
static struct sexp *
substitute(struct check *c, const struct sexp *s, const char *from, const char *to)
{
	struct sexp *first = NULL, **end = &first, *copy;

	for (; s; s = s->next) {
		copy = arena_dup(c->arena, s, sizeof *s);
		copy->next = NULL;
		if (s->kind == S_NAME && strcmp(s->text, from) == 0)
			copy->text = to;
		copy->kid = substitute(c, s->kid, from, to);
		*end = copy;
		end = &copy->next;
	}
	return first;
}

/* ---- clauses ---------------------------------------------------------------------------------------------- */

static void
declare_lets(struct check *c, struct rule_scope *r)
{
	const struct sexp *s, *name;

	for (s = r->form->kid; s; s = s->next) {
		if (!is_clause(s, "let"))
			continue;
		name = s->kid->next;
		if (s->nkid != 3 || (name->kind != S_TENSOR && name->kind != S_VALUE) || strcmp(name->text, "_") == 0)
			diag_at(c->diags, D_BAD_FORM, s->at, "a let names a term or a value: (let ?y TERM), (let $m EXPR)");
		else if (rule_scope_let(r, name))
			diag_at(c->diags, D_DUPLICATE, name->at, "'%s' is defined already", name->text);
		else
			vec_push(&r->let, ((struct let_form){.name = name, .body = name->next, .var = -1}));
	}
}

/* (= $p [..h $i]): a comparison one of whose sides is a list with names that are not bound yet */
static const struct tn_x *
binding_guard(struct check *c, struct rule_scope *r, const struct sexp *cond)
{
	const struct sexp *a = cond->kid->next, *b = a->next, *list = b->kind == S_BRACKET ? b : a, *value = list == b ? a : b;
	const struct tn_x *kid[2];
	struct tn_x *x;

	kid[0] = expr_check(c, &r->s, value, TN_S_LIST);
	kid[1] = kid[0] ? rule_list_pattern(c, r, list) : NULL;
	if (!kid[1])
		return NULL;
	x = expr_new(c, TN_X_CALL, TN_S_BOOL, cond->at);
	x->fn = TN_F_EQ;
	x->nkid = 2;
	x->kid = expr_kids(c, 2, kid);
	return x;
}

static bool
binds_names(struct rule_scope *r, const struct sexp *cond)
{
	const struct sexp *list, *s;

	if (!is_clause(cond, "=") || cond->nkid != 3)
		return false;
	for (list = cond->kid->next; list && list->kind != S_BRACKET; list = list->next)
		;
	for (s = list ? list->kid : NULL; s; s = s->next)
		if ((s->kind == S_VALUE || s->kind == S_REST) && rule_scope_find(r, s) < 0 && !rule_scope_let(r, s))
			return true;
	return false;
}

static void
check_guards(struct check *c, struct rule_scope *r)
{
	const struct sexp *clause, *cond;
	const struct tn_x *x;

	for (clause = r->form->kid; clause; clause = clause->next)
		for (cond = is_clause(clause, "when") ? clause->kid->next : NULL; cond; cond = cond->next) {
			x = binds_names(r, cond) ? binding_guard(c, r, cond) : expr_check(c, &r->s, cond, TN_S_BOOL);
			if (x)
				vec_push(&r->when, x);
		}
}

/* left sides of all arrows, what they deferred, guards, right sides */
static bool
check_sides(struct check *c, struct rule_scope *r, bool is_back)
{
	const struct sexp *s, *from, *to;
	uint32_t i = 0;
	bool ok = true;

	r->is_left = true;
	for (s = r->form->kid; s; s = s->next) {
		struct tn_arrow arrow = {.at = s->at};

		if (!is_arrow(s))
			continue;
		from = s->kid->next;
		from = is_back ? from->next : from;
		if (from->kind == S_TENSOR && !(rule_scope_let(r, from))) {
			diag_at(c->diags, D_BARE_VARIABLE, from->at, "this side is one variable and would match everything");
			return false;
		}
		arrow.from = rule_term(c, r, from);
		ok &= arrow.from != NULL;
		vec_push(&r->arrow, arrow);
	}
	r->is_left = false;
	if (!ok)
		return false;
	for (i = 0; i < r->deferred.n; i++) {
		struct deferred *d = &r->deferred.at[i];

		d->bind->x = expr_check(c, &r->s, d->value, (int)kind_sort((enum tn_kind)d->attr->kind));
		ok &= d->bind->x != NULL;
	}
	check_guards(c, r);
	for (s = r->form->kid, i = 0; s; s = s->next) {
		if (!is_arrow(s))
			continue;
		to = s->kid->next;
		to = is_back ? to : to->next;
		r->arrow.at[i].to = rule_term(c, r, to);
		ok &= r->arrow.at[i++].to != NULL;
	}
	return ok;
}

/* an attribute named beside a capture on the left is named beside it on the right */
static void
check_captured(struct check *c, const struct rule_scope *r, const struct tn_term *left, const struct tn_term *right)
{
	int i, k, a, n = 0;

	if (right->kind == TN_T_OP && right->capture >= 0 && left->kind == TN_T_OP && left->capture == right->capture)
		for (i = 0; i < left->nbind; i++) {
			for (k = 0; k < right->nbind && right->bind[k].attr != left->bind[i].attr; k++)
				;
			a = left->bind[i].attr;
			if (k == right->nbind && !n++)
				diag_at(c->diags, D_CAPTURE, right->at, "'..%s' does not hold ':%s', which is named beside it on the left",
				    r->var.at[right->capture].name, c->op.at[left->op].attr[a].name);
		}
	for (i = 0; n == 0 && i < left->nkid; i++)
		check_captured(c, r, left->kid[i], right);
}

static void
check_all_captured(struct check *c, const struct rule_scope *r, const struct tn_term *right)
{
	uint32_t i;
	int k;

	for (i = 0; i < r->arrow.n; i++)
		check_captured(c, r, r->arrow.at[i].from, right);
	for (k = 0; k < right->nkid; k++)
		check_all_captured(c, r, right->kid[k]);
}

/* what was named and never used again */
static void
check_unused(struct check *c, const struct rule_scope *r)
{
	uint32_t i;

	for (i = 0; i < r->let.n; i++)
		if (!r->let.at[i].is_used) {
			diag_at(c->diags, D_UNUSED, r->let.at[i].name->at, "'%s%s' is never used",
			    r->let.at[i].name->kind == S_TENSOR ? "?" : "$", r->let.at[i].name->text);
		}
	for (i = 0; i < r->var.n; i++) {
		const struct tn_rvar *v = &r->var.at[i];

		if (r->uses.at[i] > 1 || (v->kind != TN_R_ATTR && v->kind != TN_R_CAPTURE && v->kind != TN_R_SEQ))
			continue;
		diag_at(c->diags, D_UNUSED, v->at, "'%s%s' is bound and never used", v->kind == TN_R_ATTR ? "$" : "..", v->name);
		if (v->kind == TN_R_ATTR)
			diag_hint(c->diags, v->at, "'$_' matches anything");
	}
}

/* ---- one instance, one direction -------------------------------------------------------------------------------- */

static const char *
family_of(struct check *c, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');

	return arena_str(c->arena, name, dot ? (size_t)(dot - name) : strlen(name));
}

static bool
has_flag(const struct sexp *form, const char *clause, const char *word)
{
	const struct sexp *s;

	for (s = form->kid; s; s = s->next)
		if (is_clause(s, clause) && (!word || (s->nkid == 2 && strcmp(s->kid->next->text, word) == 0)))
			return true;
	return false;
}

static void
add_rule(struct check *c, struct rule_scope *r, const char *name, const char *doc, bool is_back)
{
	struct tn_rule rule = {.name = name, .doc = doc, .at = r->form->at, .is_backward = is_back};
	int col;

	rule.file = c->r->sources.at[r->form->at.file].path;
	rule.family = family_of(c, rule.file);
	source_place(&c->r->sources.at[r->form->at.file], r->form->at.from, &rule.line, &col);
	rule.is_axiom = strcmp(r->form->kid->text, "axiom") == 0;
	rule.is_trusted = has_flag(r->form, "trusted", NULL);
	rule.is_normalise = has_flag(r->form, "phase", "normalise");
	rule.nvar = (int)r->var.n;
	rule.var = arena_dup(c->arena, r->var.at, r->var.n * sizeof *r->var.at);
	rule.narrow = (int)r->arrow.n;
	rule.arrow = arena_dup(c->arena, r->arrow.at, r->arrow.n * sizeof *r->arrow.at);
	rule.nwhen = (int)r->when.n;
	rule.when = arena_dup(c->arena, r->when.at, r->when.n * sizeof *r->when.at);
	vec_push(&c->rule, rule);
}

/* false: something was said */
static bool
check_direction(struct check *c, const struct sexp *form, const char *name, const char *doc, bool is_back)
{
	int before = c->diags->nerror;
	struct rule_scope r;
	uint32_t i;

	rule_scope_begin(&r, form);
	declare_lets(c, &r);
	if (check_sides(c, &r, is_back) && c->diags->nerror == before) {
		for (i = 0; i < r.arrow.n; i++) {
			check_all_captured(c, &r, r.arrow.at[i].to);
			if (term_equal(r.arrow.at[i].from, r.arrow.at[i].to))
				diag_at(c->diags, D_EQUAL_SIDES, r.arrow.at[i].at, "both sides are the same");
		}
		if (!is_back)
			check_unused(c, &r);
	}
	if (c->diags->nerror == before)
		add_rule(c, &r, name, doc, is_back);
	rule_scope_free(&r);
	return c->diags->nerror == before;
}

/* does the variable stand anywhere in the term? */
static bool
stands_in(const struct sexp *variable, const struct sexp *s)
{
	const struct sexp *k;

	if (s->kind == variable->kind && strcmp(s->text, variable->text) == 0)
		return true;
	for (k = s->kid; k; k = k->next)
		if (stands_in(variable, k))
			return true;
	return false;
}

/* the first variable of s that the other side does not have */
static const struct sexp *
only_in(struct rule_scope *r, const struct sexp *s, const struct sexp *other)
{
	const struct sexp *k, *found = NULL;

	if (s->kind == S_TENSOR || s->kind == S_VALUE || s->kind == S_SEQ || s->kind == S_REST)
		return strcmp(s->text, "_") == 0 || rule_scope_let(r, s) || stands_in(s, other) ? NULL : s;
	for (k = s->kid; k && !found; k = k->next)
		found = only_in(r, k, other);
	return found;
}

static bool
check_both_ways(struct check *c, const struct sexp *form, const struct sexp *arrow)
{
	const struct sexp *a = arrow->kid->next, *b = a->next, *odd;
	struct rule_scope r;

	rule_scope_begin(&r, form);
	declare_lets(c, &r);
	odd = only_in(&r, a, b);
	if (!odd)
		odd = only_in(&r, b, a);
	rule_scope_free(&r);
	if (odd)
		diag_at(c->diags, D_ONE_WAY, odd->at, "with '<=>' both sides bind the same variables, and only one has '%s'", odd->text);
	return !odd;
}

/* an instance: each direction is a rule */
static bool
check_instance(struct check *c, const struct sexp *form, const char *name, const char *doc)
{
	const struct sexp *s;

	for (s = form->kid; s; s = s->next)
		if (is_clause(s, "<=>"))
			return check_both_ways(c, form, s) && check_direction(c, form, name, doc, false) &&
			    check_direction(c, form, arena_printf(c->arena, "%s~back", name), doc, true);
	return check_direction(c, form, name, doc, false);
}

/* write out the first `for` left, then the others inside it */
static bool
write_out(struct check *c, const struct sexp *form, const struct sexp *from, const char *name, const char *doc)
{
	const struct sexp *clause, *value, *s, *t;
	struct sexp *copy;

	for (clause = from; clause && !is_clause(clause, "for"); clause = clause->next)
		;
	if (!clause)
		return check_instance(c, form, name, doc);
	for (value = clause->kid->next->next->kid; value; value = value->next) {
		copy = arena_dup(c->arena, form, sizeof *form);
		copy->kid = substitute(c, form->kid, clause->kid->next->text, value->text);
		for (s = form->kid, t = copy->kid; s != clause; s = s->next)
			t = t->next;
		if (!write_out(c, copy, t->next, arena_printf(c->arena, "%s/%s", name, value->text), doc))
			return false;
	}
	return true;
}

/* ---- the form ------------------------------------------------------------------------------------------------------- */

static bool
check_for(struct check *c, const struct sexp *s)
{
	const struct sexp *value;

	if (s->nkid != 3 || s->kid->next->kind != S_NAME || s->kid->next->next->kind != S_LIST || !s->kid->next->next->kid) {
		diag_at(c->diags, D_BAD_FORM, s->at, "(for f (a b …)) writes the rule once for each name");
		return false;
	}
	for (value = s->kid->next->next->kid; value; value = value->next)
		if (value->kind != S_NAME) {
			diag_at(c->diags, D_BAD_FORM, value->at, "a name is wanted here");
			return false;
		}
	return true;
}

/* the clauses are known ones with the right number of parts; arrows: one or more, <=> alone */
static bool
check_clauses(struct check *c, const struct sexp *form, const struct sexp *s)
{
	static const char *const names[] = {"=>", "<=>", "let", "when", "for", "phase", "trusted"};
	int before = c->diags->nerror, arrows = 0, both = 0;
	const char *near;
	size_t i, n = sizeof names / sizeof *names;

	for (; s; s = s->next) {
		for (i = 0; i < n && !is_clause(s, names[i]); i++)
			;
		if (i == n) {
			diag_at(c->diags, D_UNKNOWN_FORM, s->at, "a rule has no such clause");
			near = s->kid && s->kid->kind == S_NAME ? nearest_name(s->kid->text, names, (int)n) : NULL;
			if (near)
				diag_hint(c->diags, s->at, "did you mean '%s'?", near);
		} else if (is_arrow(s)) {
			arrows++;
			both += is_clause(s, "<=>");
			if (s->nkid != 3)
				diag_at(c->diags, D_BAD_FORM, s->at, "an arrow has two sides: (=> PATTERN RESULT)");
		} else if (strcmp(names[i], "for") == 0)
			check_for(c, s);
		else if (strcmp(names[i], "phase") == 0 && (s->nkid != 2 || strcmp(s->kid->next->text, "normalise") != 0))
			diag_at(c->diags, D_BAD_FORM, s->at, "the one phase there is is (phase normalise)");
	}
	if (c->diags->nerror == before && (!arrows || (both && arrows > 1)))
		diag_at(c->diags, D_BAD_FORM, form->at, arrows ? "'<=>' stands alone in a rule" : "a rule has an arrow: (=> PATTERN RESULT)");
	return c->diags->nerror == before;
}

void
check_rule(struct check *c, const struct sexp *form)
{
	const struct sexp *name = form->kid->next, *rest;
	const char *doc = NULL;
	const uint32_t *first;
	bool is_new;

	if (!name || name->kind != S_NAME) {
		diag_at(c->diags, D_BAD_FORM, form->at, "a rule has a name: (rule NAME …)");
		return;
	}
	rest = name->next;
	if (rest && rest->kind == S_STRING) {
		doc = rest->text;
		rest = rest->next;
	}
	first = map_put(&c->rule_named, name->text, strlen(name->text), c->rule.n, &is_new);
	if (!is_new) {
		diag_at(c->diags, D_DUPLICATE_RULE, name->at, "there is a rule '%s' already", name->text);
		if (*first < c->rule.n)
			diag_note(c->diags, c->rule.at[*first].at, "here");
		return;
	}
	if (check_clauses(c, form, rest))
		write_out(c, form, rest, name->text, doc);
}
