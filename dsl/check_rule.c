/* The form of a rule: its clauses, `for` written out, and a rule for each way of `<=>`. */
#include "dsl/rule_scope.h"

enum {
	INSTANCES = 1000,	/* rules that one form may be written out to */
	COPIES = 1 << 20,	/* nodes of all of them */
	ARROWS = 255,		/* of a rule: their numbers fit 8 bits */
};

/* an instance of a rule's form */
struct instance {
	const struct sexp *form;
	const char *name, *doc;
	struct tn_span at;	/* the rule's name */
	bool is_first;		/* what is unused is said once */
};

/* ---- names -------------------------------------------------------------------------------------------------- */

/* Two files with rules of one name are mostly two versions of one set, as rules/compared is beside the standard rules. */
static void
hint_alternatives(struct check *c, struct tn_span first, struct tn_span second)
{
	const struct source *s = c->diags->sources->at;

	if (first.file == second.file || c->is_told)
		return;
	c->is_told = true;
	diag_hint(c->diags, second, "'%s' and '%s' cannot be used together: leave one of them out, or rename its rules",
	    s[second.file].path, s[first.file].path);
}

/* false, said, if there is a rule of this name */
static bool
name_rule(struct check *c, const char *name, struct tn_span at)
{
	const uint32_t *first = map_get(&c->rule_named, name, strlen(name));

	if (first) {
		diag_at(c->diags, D_DUPLICATE_RULE, at, "there is a rule '%s' already", name);
		diag_note(c->diags, c->place.at[*first], "here");
		hint_alternatives(c, c->place.at[*first], at);
		return false;
	}
	map_put(&c->rule_named, name, strlen(name), c->place.n, NULL);
	vec_push(&c->place, at);
	return true;
}

/* ---- both ways ------------------------------------------------------------------------------------------------ */

static void
forget_walk(struct rule_scope *r)
{
	uint32_t i;

	for (i = 0; i < r->let.n; i++)
		r->let.at[i].is_seen = false;
}

/* the let that the atom names, if this walk has not been in it */
static const struct sexp *
enter_let(struct rule_scope *r, const struct sexp *atom)
{
	struct let_form *let = atom->kind == S_TENSOR || atom->kind == S_VALUE ? rule_scope_let(r, atom) : NULL;

	if (!let || let->is_seen)
		return NULL;
	let->is_seen = true;
	return let->body;
}

static bool
is_variable(const struct sexp *s)
{
	return s->kind == S_TENSOR || s->kind == S_VALUE || s->kind == S_SEQ || s->kind == S_REST;
}

/* ?xs stands for an element of ?xs... */
static bool
same_variable(const struct sexp *a, const struct sexp *b)
{
	bool both_tensors = (a->kind == S_TENSOR || a->kind == S_SEQ) && (b->kind == S_TENSOR || b->kind == S_SEQ);

	return (a->kind == b->kind || both_tensors) && strcmp(a->text, b->text) == 0;
}

/* does the variable stand in the term, lets written out? */
static bool
stands_in(struct rule_scope *r, const struct sexp *variable, const struct sexp *s)
{
	const struct sexp *k, *body = enter_let(r, s);

	if (is_variable(s) && same_variable(variable, s))
		return true;
	if (body && stands_in(r, variable, body))
		return true;
	for (k = s->kid; k; k = k->next)
		if (stands_in(r, variable, k))
			return true;
	return false;
}

/* variables of the term, lets written out */
struct names {
	VEC(const struct sexp *) at;
};

static void
collect(struct rule_scope *r, const struct sexp *s, struct names *out)
{
	const struct sexp *k, *body = enter_let(r, s);

	if (body)
		collect(r, body, out);
	else if (is_variable(s) && !is_wild(s) && !rule_scope_let(r, s))
		vec_push(&out->at, s);
	for (k = s->kid; k; k = k->next)
		collect(r, k, out);
}

/* the first variable of one side that the other does not have, or NULL */
static const struct sexp *
only_in(struct rule_scope *r, const struct sexp *side, const struct sexp *other)
{
	const struct sexp *found = NULL;
	struct names names = {0};
	uint32_t i;

	forget_walk(r);
	collect(r, side, &names);
	for (i = 0; i < names.at.n && !found; i++) {
		forget_walk(r);
		if (!stands_in(r, names.at.at[i], other))
			found = names.at.at[i];
	}
	vec_free(&names.at);
	return found;
}

static bool
check_both_ways(struct check *c, const struct sexp *form, const struct sexp *arrow)
{
	const struct sexp *a = arrow->kid->next, *b = a->next, *odd;
	struct rule_scope r;

	rule_scope_begin(&r, form);
	rule_declare_lets(&r);
	odd = only_in(&r, a, b);
	if (!odd)
		odd = only_in(&r, b, a);
	rule_scope_free(&r);
	if (odd) {
		diag_at(c->diags, D_ONE_WAY, odd->at, "'%s' stands on one side of '<=>' only", rule_spelling(c, odd));
		diag_hint(c->diags, arrow->at, "'=>' goes one way");
	}
	return !odd;
}

/* each way is a rule; false: said */
static bool
check_instance(struct check *c, const struct instance *i)
{
	const struct sexp *s;
	const char *back;

	for (s = i->form->kid; s && !is_clause(s, "<=>"); s = s->next)
		;
	if (!s)
		return rule_body(c, i->form, i->name, i->doc, false, i->is_first);
	back = arena_printf(c->arena, "%s~back", i->name);
	return name_rule(c, back, i->at) && check_both_ways(c, i->form, s) &&
	    rule_body(c, i->form, i->name, i->doc, false, i->is_first) && rule_body(c, i->form, back, i->doc, true, false);
}

/* ---- instances ------------------------------------------------------------------------------------------------- */

/* a copy of the siblings with every name `from` replaced */
static struct sexp *
substitute(struct check *c, const struct sexp *s, const char *from, const char *to)
{
	struct sexp *first = NULL, **end = &first, *copy;

	for (; s; s = s->next) {
		copy = arena_dup(c->arena, s, sizeof *s);
		copy->next = NULL;
		c->ncopy++;
		if (s->kind == S_NAME && strcmp(s->text, from) == 0)
			copy->text = to;
		copy->kid = substitute(c, s->kid, from, to);
		*end = copy;
		end = &copy->next;
	}
	return first;
}

/* write out the first `for` from this clause on, then the others inside it */
static bool
write_out(struct check *c, struct instance outer, const struct sexp *from)
{
	const struct sexp *clause, *value, *s, *t;
	struct instance inner = outer;
	struct sexp *copy;

	for (clause = from; clause && !is_clause(clause, "for"); clause = clause->next)
		;
	if (!clause)
		return check_instance(c, &outer);
	for (value = clause->kid->next->next->kid; value; value = value->next) {
		copy = arena_dup(c->arena, outer.form, sizeof *copy);
		copy->kid = substitute(c, outer.form->kid, clause->kid->next->text, value->text);
		if (c->ncopy > COPIES) {
			diag_at(c->diags, D_TOO_LARGE, clause->at, "the rule is more than %d words when it is written out", COPIES);
			return false;
		}
		for (s = outer.form->kid, t = copy->kid; s != clause; s = s->next)
			t = t->next;
		inner.form = copy;
		inner.name = arena_printf(c->arena, "%s/%s", outer.name, value->text);
		if (!name_rule(c, inner.name, outer.at) || !write_out(c, inner, t->next)) {
			diag_note(c->diags, value->at, "where '%s' is '%s'", clause->kid->next->text, value->text);
			return false;
		}
		inner.is_first = false;
	}
	return true;
}

/* ---- clauses ----------------------------------------------------------------------------------------------------- */

static bool
has_name(const struct sexp *s, const char *name)
{
	const struct sexp *k;

	for (k = s->kid; k; k = k->next)
		if (has_name(k, name))
			return true;
	return s->kind == S_NAME && strcmp(s->text, name) == 0;
}

/* the heads of clauses */
static const char *const heads[] = {"=>", "<=>", "let", "when", "for", "phase", "trusted"};
enum { HEADS = sizeof heads / sizeof *heads };

static bool
is_head(const char *name)
{
	int i;

	for (i = 0; i < HEADS; i++)
		if (strcmp(name, heads[i]) == 0)
			return true;
	return strcmp(name, "rule") == 0 || strcmp(name, "axiom") == 0;
}

/* (for f (a b …)), f used somewhere; *n: how many rules it makes of one */
static void
check_for(struct check *c, const struct sexp *form, const struct sexp *s, uint64_t *n)
{
	const struct sexp *name = s->kid->next, *value, *k;
	bool is_used = false;

	if (s->nkid != 3 || name->kind != S_NAME || name->next->kind != S_LIST || !name->next->kid) {
		diag_at(c->diags, D_BAD_FORM, s->at, "(for f (a b …)) writes the rule once for each name");
		return;
	}
	if (is_head(name->text)) {
		diag_at(c->diags, D_BAD_FORM, name->at, "'%s' has a meaning of its own here", name->text);
		return;
	}
	for (value = name->next->kid; value; value = value->next)
		if (value->kind != S_NAME) {
			diag_at(c->diags, D_BAD_FORM, value->at, "a name is wanted here");
			return;
		}
	for (k = form->kid->next->next; k; k = k->next)
		is_used |= k != s && has_name(k, name->text);
	if (!is_used)
		diag_at(c->diags, D_UNUSED, name->at, "'%s' is never used", name->text);
	if (*n <= INSTANCES && *n * (uint64_t)name->next->nkid > INSTANCES)
		diag_at(c->diags, D_TOO_LARGE, s->at, "the rule is written out more than %d times", INSTANCES);
	*n *= (uint64_t)name->next->nkid;
}

/* (let ?y TERM), (let $m EXPR), each name once */
static void
check_let(struct check *c, const struct sexp *form, const struct sexp *s)
{
	const struct sexp *name = s->kid->next, *k;

	if (s->nkid != 3 || (name->kind != S_TENSOR && name->kind != S_VALUE) || is_wild(name)) {
		diag_at(c->diags, D_BAD_FORM, s->at, "a let names a term or a value: (let ?y TERM), (let $m EXPR)");
		return;
	}
	for (k = form->kid; k != s; k = k->next)
		if (is_clause(k, "let") && k->nkid == 3 && k->kid->next->kind == name->kind && strcmp(k->kid->next->text, name->text) == 0) {
			diag_at(c->diags, D_DUPLICATE, name->at, "'%s' is defined already", rule_spelling(c, name));
			diag_note(c->diags, k->kid->next->at, "here");
			return;
		}
}

static void
unknown_clause(struct check *c, const struct sexp *s)
{
	const struct sexp *head = s->kid && s->kid->kind == S_NAME ? s->kid : s;
	const char *near = head != s ? nearest_name(head->text, heads, HEADS) : NULL;

	diag_at(c->diags, D_UNKNOWN_FORM, head->at, "a rule has no such clause");
	if (near)
		diag_hint(c->diags, head->at, "did you mean '%s'?", near);
}

/* a clause with a known head has the right parts */
static void
check_clause(struct check *c, const struct sexp *form, const struct sexp *s, uint64_t *ninstance)
{
	const char *head = s->kid->text;

	if (is_arrow(s) && is_siblings(s))
		siblings_arrow(c, form, s);
	else if (is_arrow(s) && s->nkid != 3)
		diag_at(c->diags, D_BAD_FORM, s->at, "an arrow has two sides: (%s TERM TERM)", head);
	else if (strcmp(head, "for") == 0)
		check_for(c, form, s, ninstance);
	else if (strcmp(head, "let") == 0)
		check_let(c, form, s);
	else if (strcmp(head, "when") == 0 && s->nkid == 1)
		diag_at(c->diags, D_BAD_FORM, s->at, "a guard has conditions: (when COND …)");
	else if (strcmp(head, "trusted") == 0 && s->nkid != 1)
		diag_at(c->diags, D_BAD_FORM, s->at, "'trusted' stands alone: (trusted)");
	else if (strcmp(head, "phase") == 0 && (s->nkid != 2 || strcmp(s->kid->next->text, "normalise") != 0))
		diag_at(c->diags, D_BAD_FORM, s->at, "there is one phase: (phase normalise)");
}

/* one or more arrows, `<=>` alone; false: said */
static bool
check_clauses(struct check *c, const struct sexp *form, const struct sexp *s)
{
	const struct sexp *both = NULL;
	int before = c->diags->nerror, arrows = 0, i;
	uint64_t ninstance = 1;

	for (; s; s = s->next) {
		for (i = 0; i < HEADS && !is_clause(s, heads[i]); i++)
			;
		if (i == HEADS) {
			unknown_clause(c, s);
			continue;
		}
		arrows += is_arrow(s);
		both = is_clause(s, "<=>") ? s : both;
		check_clause(c, form, s, &ninstance);
	}
	if (c->diags->nerror == before && !arrows)
		diag_at(c->diags, D_BAD_FORM, form->at, "a rule has an arrow: (=> PATTERN RESULT)");
	else if (both && arrows > 1)
		diag_at(c->diags, D_BAD_FORM, both->at, "'<=>' is the only arrow of its rule");
	else if (arrows > ARROWS)
		diag_at(c->diags, D_TOO_LARGE, form->at, "a rule has at most %d arrows", ARROWS);
	return c->diags->nerror == before;
}

void
check_rule(struct check *c, const struct sexp *form)
{
	const struct sexp *name = form->kid->next, *rest;
	struct instance i = {.form = form, .is_first = true};

	if (!name || name->kind != S_NAME) {
		diag_at(c->diags, D_BAD_FORM, form->at, "a rule has a name: (rule NAME …)");
		return;
	}
	i.name = name->text;
	i.at = name->at;
	rest = name->next;
	if (rest && rest->kind == S_STRING) {
		i.doc = rest->text;
		rest = rest->next;
	}
	c->ncopy = 0;
	if (name_rule(c, i.name, i.at) && check_clauses(c, form, rest))
		write_out(c, i, rest);
}
