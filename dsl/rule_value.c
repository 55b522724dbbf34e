/* Attributes of patterns and results: named ones, captured ones, and defaults for the others. */
#include "dsl/rule_scope.h"

/* ---- values --------------------------------------------------------------------------------------------- */

void
rule_note_op(struct check *c, const struct tn_op *op)
{
	if (op->at.to)
		diag_note(c->diags, op->at, "'%s' is declared here", op->name);
}

/* x if an attribute of this sort may have it */
static const struct tn_x *
fit(struct check *c, const struct tn_op *op, const struct tn_attr_decl *a, enum tn_sort want, const struct tn_x *x)
{
	if (!x || x->sort == want || (want == TN_S_REAL && x->sort == TN_S_INT))
		return x;
	diag_at(c->diags, D_ATTRIBUTE_KIND, x->at, "found %s, and ':%s' of '%s' wants %s", sort_text((enum tn_sort)x->sort), a->name,
	    op->name, sort_text(want));
	rule_note_op(c, op);
	return NULL;
}

/* may the value be one of the enum's?  Of what is computed only its sort is known. */
static bool
is_value_of(const struct rule_scope *r, const struct tn_enum *e, const struct tn_x *x)
{
	if (x->kind == TN_X_VAR && r->use.at[x->var].enums)
		return r->use.at[x->var].enums == e;
	if (x->kind == TN_X_VAR && r->var.at[x->var].x)
		return is_value_of(r, e, r->var.at[x->var].x);
	return x->kind != TN_X_TEXT || (x->num.num < e->nvalue && strcmp(e->value[x->num.num], x->text) == 0);
}

/* x if it is a value of the attribute's enum */
static const struct tn_x *
fit_enum(struct check *c, const struct rule_scope *r, const struct tn_op *op, const struct tn_attr_decl *a, const struct tn_x *x)
{
	if (is_value_of(r, a->enums, x))
		return x;
	diag_at(c->diags, D_ATTRIBUTE_KIND, x->at, "found a value of another enum, and ':%s' of '%s' wants one of '%s'",
	    a->name, op->name, a->enums->name);
	rule_note_op(c, op);
	return NULL;
}

static const struct tn_x *
wrong_length(struct check *c, const struct tn_op *op, const struct tn_attr_decl *a, const struct sexp *list, int n)
{
	diag_at(c->diags, D_ATTRIBUTE_KIND, list->at, "found %d item%s, and ':%s' of '%s' has %d", n, n == 1 ? "" : "s", a->name,
	    op->name, a->nelem);
	rule_note_op(c, op);
	return NULL;
}

/* an expression as the attribute's value */
static const struct tn_x *
computed(struct check *c, struct rule_scope *r, const struct tn_op *op, const struct tn_attr_decl *a, const struct sexp *s)
{
	const struct tn_x *x;

	if (a->kind == TN_K_ENUM && s->kind == S_NAME)
		return check_enum_value(c, a->enums, s);
	if (s->kind == S_BRACKET && a->nelem && s->nkid != a->nelem)
		return wrong_length(c, op, a, s, s->nkid);
	x = fit(c, op, a, kind_sort((enum tn_kind)a->kind), expr_check(c, &r->s, s, -1));
	return x && a->kind == TN_K_ENUM ? fit_enum(c, r, op, a, x) : x;
}

/* $a or ..h where it is bound; $_ is anything */
static const struct tn_x *
bind_value(struct check *c, struct rule_scope *r, const struct sexp *s, enum tn_rvkind kind, enum tn_sort sort,
    const struct tn_enum *e)
{
	struct tn_x *x;

	if (is_wild(s)) {
		r->nany++;
		return expr_new(c, TN_X_ANY, sort, s->at);
	}
	x = expr_new(c, TN_X_VAR, sort, s->at);
	x->var = (int16_t)rule_scope_add(r, s, kind, sort, -1);
	r->use.at[x->var].enums = e;
	return x;
}

/* must it wait until every variable is bound? */
static bool
is_computed(struct rule_scope *r, const struct sexp *s)
{
	return r->is_left && (s->kind == S_LIST || (s->kind == S_VALUE && rule_scope_let(r, s)));
}

static bool
list_item(struct check *c, struct rule_scope *r, const struct tn_op *op, const struct tn_attr_decl *a, const struct sexp *s,
    const struct tn_x **to)
{
	bool is_run = s->kind == S_REST, is_name = is_run || s->kind == S_VALUE;

	if (is_computed(r, s)) {
		vec_push(&r->deferred, ((struct deferred){to, s, op, a, true}));
		return true;
	}
	if (is_name && (is_wild(s) || rule_is_new(r, s)))
		*to = bind_value(c, r, s, is_run ? TN_R_SEQ : TN_R_ATTR, is_run ? TN_S_LIST : TN_S_INT, NULL);
	else
		*to = expr_check(c, &r->s, s, is_run ? TN_S_LIST : TN_S_INT);
	return *to != NULL;
}

const struct tn_x *
rule_list_pattern(struct check *c, struct rule_scope *r, const struct tn_op *op, const struct tn_attr_decl *a,
    const struct sexp *list)
{
	const struct tn_x **kid = arena_news(c->arena, (size_t)list->nkid, const struct tn_x *);
	const struct sexp *s;
	struct tn_x *x;
	int n = 0, runs = 0;

	if (!rule_grow(c, r, (uint32_t)list->nkid, list->at))
		return NULL;
	for (s = list->kid; s; s = s->next, n++) {
		runs += s->kind == S_REST;
		if (!list_item(c, r, op, a, s, &kid[n]))
			return NULL;
	}
	if (runs > 1) {
		diag_at(c->diags, D_BAD_FORM, list->at, "a list pattern has one run '..h' at most");
		return NULL;
	}
	if (a && a->nelem && (runs ? n - 1 > a->nelem : n != a->nelem))
		return wrong_length(c, op, a, list, n - runs);
	x = expr_new(c, TN_X_LIST, TN_S_LIST, list->at);
	x->nkid = (uint16_t)n;
	x->kid = kid;
	return x;
}

bool
rule_deferred(struct check *c, struct rule_scope *r)
{
	bool ok = true;
	uint32_t i;

	for (i = 0; i < r->deferred.n; i++) {
		struct deferred d = r->deferred.at[i];

		*d.to = d.is_item ? expr_check(c, &r->s, d.value, TN_S_INT) : computed(c, r, d.op, d.attr, d.value);
		ok &= *d.to != NULL;
	}
	return ok;
}

/* the value of an attribute, as a pattern or as an expression; false: said */
static bool
attribute_value(struct check *c, struct rule_scope *r, const struct tn_op *op, const struct tn_attr_decl *a, const struct sexp *s,
    const struct tn_x **to)
{
	enum tn_sort sort = kind_sort((enum tn_kind)a->kind);

	if (is_computed(r, s)) {
		vec_push(&r->deferred, ((struct deferred){to, s, op, a, false}));
		return true;
	}
	if (r->is_left && s->kind == S_VALUE && (is_wild(s) || rule_is_new(r, s)))
		*to = bind_value(c, r, s, TN_R_ATTR, sort, a->enums);
	else if (r->is_left && s->kind == S_BRACKET && sort == TN_S_LIST)
		*to = rule_list_pattern(c, r, op, a, s);
	else
		*to = computed(c, r, op, a, s);
	return *to != NULL;
}

/* ---- captures --------------------------------------------------------------------------------------------- */

/* are attributes of one operator those of another, in the same order? */
static bool
same_attributes(const struct tn_op *a, const struct tn_op *b)
{
	int i;

	if (a == b || a->nattr != b->nattr)
		return a == b;
	for (i = 0; i < a->nattr; i++)
		if (strcmp(a->attr[i].name, b->attr[i].name) != 0 || a->attr[i].kind != b->attr[i].kind ||
		    a->attr[i].nelem != b->attr[i].nelem || a->attr[i].enums != b->attr[i].enums)
			return false;
	return true;
}

/* ..c on the left binds it, or must be the same; on the right it is pasted; -1: said */
static int
capture_var(struct check *c, struct rule_scope *r, const struct sexp *s, int op)
{
	const struct tn_op *o = &c->op.at[op], *from;
	int var = rule_scope_find(r, s);

	if (s->at_name || (var >= 0 && r->var.at[var].kind != TN_R_CAPTURE)) {
		diag_at(c->diags, D_CAPTURE, s->at, "'..%s' is a list here, not attributes", s->text);
		return -1;
	}
	if (var < 0 && !r->is_left) {
		rule_unbound(c, r, s);
		return -1;
	}
	if (var < 0)
		return rule_scope_add(r, s, TN_R_CAPTURE, TN_S_LIST, op);
	r->use.at[var].n++;
	from = &c->op.at[r->var.at[var].op];
	if (same_attributes(o, from))
		return var;
	diag_at(c->diags, D_CAPTURE, s->at, "'..%s' holds attributes of '%s', and '%s' has others", s->text, from->name, o->name);
	diag_note(c->diags, r->var.at[var].at, "it is bound here");
	return -1;
}

/* what is named beside a capture: the same on every left side, and that at least on the right */
static bool
check_named(struct check *c, struct rule_scope *r, const struct sexp *at, const struct tn_term *t,
    const struct sexp *const named[])
{
	const struct tn_op *op = &c->op.at[t->op];
	struct var_use *use = &r->use.at[t->capture];
	bool *mine;
	int i;

	if (!use->named) {
		mine = arena_news(c->arena, (size_t)op->nattr, bool);
		for (i = 0; i < op->nattr; i++)
			mine[i] = named[i] != NULL;
		use->named = mine;
		return true;
	}
	for (i = 0; i < op->nattr; i++) {
		bool is_missing = use->named[i] && !named[i], is_added = r->is_left && !use->named[i] && named[i];

		if (!is_missing && !is_added)
			continue;
		diag_at(c->diags, D_CAPTURE, at->at, is_missing ? "'..%s' does not hold ':%s', which is named beside it on the left" :
		    "'..%s' holds ':%s', which is not named beside it where it is bound", r->var.at[t->capture].name, op->attr[i].name);
		diag_note(c->diags, r->var.at[t->capture].at, "it is bound here");
		if (is_missing)
			diag_hint(c->diags, at->at, "name ':%s' here too", op->attr[i].name);
		return false;
	}
	return true;
}

/* ---- all of a term ------------------------------------------------------------------------------------------ */

static int
find_attr(struct check *c, const struct tn_op *op, const struct sexp *key)
{
	const char *names[64], *near;
	int i;

	for (i = 0; i < op->nattr; i++)
		if (strcmp(op->attr[i].name, key->text) == 0)
			return i;
	for (i = 0; i < op->nattr && i < 64; i++)
		names[i] = op->attr[i].name;
	near = nearest_name(key->text, names, i);
	diag_at(c->diags, D_UNKNOWN_ATTRIBUTE, key->at, "'%s' has no attribute '%s'", op->name, key->text);
	rule_note_op(c, op);
	if (near)
		diag_hint(c->diags, key->at, "did you mean ':%s'?", near);
	return -1;
}

/* binds by attribute number: named ones, then defaults where nothing captures the others */
static bool
fill_binds(struct check *c, struct rule_scope *r, const struct sexp *form, struct tn_term *t, const struct sexp *const named[])
{
	const struct tn_op *op = &c->op.at[t->op];
	struct tn_bind *bind = arena_news(c->arena, (size_t)op->nattr, struct tn_bind);
	bool ok = true;
	int i;

	t->bind = bind;
	for (i = 0; i < op->nattr; i++) {
		if (!named[i] && t->capture >= 0)
			continue;
		bind[t->nbind].attr = (int16_t)i;
		if (named[i])
			ok &= attribute_value(c, r, op, &op->attr[i], named[i], &bind[t->nbind].x);
		else
			bind[t->nbind].x = op->attr[i].init;
		if (!named[i] && !op->attr[i].init) {
			diag_at(c->diags, D_MISSING_ATTRIBUTE, form->at, "'%s' wants ':%s', which has no default", op->name, op->attr[i].name);
			rule_note_op(c, op);
			ok = false;
		}
		t->nbind++;
	}
	return ok;
}

bool
rule_attributes(struct check *c, struct rule_scope *r, const struct sexp *form, const struct sexp *s, struct tn_term *t)
{
	const struct tn_op *op = &c->op.at[t->op];
	const struct sexp **named = arena_news(c->arena, (size_t)op->nattr, const struct sexp *), *capture = NULL;
	bool ok = true;
	int i;

	for (; s; s = s->next) {
		if (!rule_grow(c, r, 1, s->at))
			return false;
		if (s->kind == S_REST && !capture) {
			capture = s;
			continue;
		}
		if (s->kind == S_REST) {
			diag_at(c->diags, D_CAPTURE, s->at, "'..%s' stands for all attributes that are not named, and nothing is left for '..%s'",
			    capture->text, s->text);
			return false;
		}
		if (s->kind != S_KEY || !s->next) {
			diag_at(c->diags, D_BAD_FORM, s->at, s->kind == S_KEY ? "':%s' has no value" :
			    "after the operands stand attributes: :name VALUE", s->text);
			return false;
		}
		i = find_attr(c, op, s);
		if (i >= 0 && named[i]) {
			diag_at(c->diags, D_DUPLICATE, s->at, "':%s' is given already", s->text);
			ok = false;
		}
		s = s->next;
		ok &= i >= 0;
		if (i >= 0)
			named[i] = s;
	}
	/* where a name is wrong, so is what is captured beside it */
	if (capture && (ok || (r->is_left && rule_scope_find(r, capture) < 0))) {
		t->capture = (int16_t)capture_var(c, r, capture, t->op);
		ok = ok && t->capture >= 0 && check_named(c, r, capture, t, named);
	}
	/* after a mistake, what is left out may have been meant */
	return ok && fill_binds(c, r, form, t, named);
}
