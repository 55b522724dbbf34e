/* Variables, lets and captures of a rule; guards and attribute expressions over them. */
#include <string.h>

#include "dsl/rule_scope.h"

/* how the user writes a variable of the atom's kind */
static const char *
spelling(struct check *c, const struct sexp *atom)
{
	switch (atom->kind) {
	case S_TENSOR:
		return arena_printf(c->arena, "?%s", atom->text);
	case S_SEQ:
		return arena_printf(c->arena, "?%s...", atom->text);
	case S_VALUE:
		return arena_printf(c->arena, "$%s", atom->text);
	default:
		return arena_printf(c->arena, "..%s", atom->text);
	}
}

/* may the atom name a variable of this kind? */
static bool
kind_fits(const struct sexp *atom, enum tn_rvkind kind)
{
	switch (atom->kind) {
	case S_TENSOR:
		return kind == TN_R_TENSOR || kind == TN_R_TERM;
	case S_SEQ:
		return kind == TN_R_TENSORS;
	case S_VALUE:
		return kind == TN_R_ATTR || kind == TN_R_LET;
	case S_REST:
		return kind == TN_R_CAPTURE || kind == TN_R_SEQ;
	default:
		return false;
	}
}

int
rule_scope_find(const struct rule_scope *r, const struct sexp *atom)
{
	uint32_t i;

	for (i = 0; i < r->var.n; i++)
		if (kind_fits(atom, (enum tn_rvkind)r->var.at[i].kind) && strcmp(r->var.at[i].name, atom->text) == 0)
			return (int)i;
	return -1;
}

int
rule_scope_add(struct rule_scope *r, const struct sexp *atom, enum tn_rvkind kind, enum tn_sort sort, int op)
{
	vec_push(&r->var, ((struct tn_rvar){atom->text, (uint8_t)kind, (uint8_t)sort, (int16_t)op, NULL, NULL, atom->at}));
	vec_push(&r->uses, 1);
	return (int)r->var.n - 1;
}

struct let_form *
rule_scope_let(struct rule_scope *r, const struct sexp *atom)
{
	uint32_t i;

	for (i = 0; i < r->let.n; i++)
		if (r->let.at[i].name->kind == atom->kind && strcmp(r->let.at[i].name->text, atom->text) == 0)
			return &r->let.at[i];
	return NULL;
}

void
rule_unbound(struct check *c, struct rule_scope *r, const struct sexp *atom)
{
	const char *names[64], *near;
	int n = 0;
	uint32_t i;

	for (i = 0; i < r->var.n && n < 64; i++)
		if (kind_fits(atom, (enum tn_rvkind)r->var.at[i].kind))
			names[n++] = r->var.at[i].name;
	for (i = 0; i < r->let.n && n < 64; i++)
		if (r->let.at[i].name->kind == atom->kind)
			names[n++] = r->let.at[i].name->text;
	near = nearest_name(atom->text, names, n);
	diag_at(c->diags, D_UNBOUND_VARIABLE, atom->at, "unbound variable '%s'", spelling(c, atom));
	if (near) {
		struct sexp other = *atom;

		other.text = near;
		diag_hint(c->diags, atom->at, "did you mean '%s'?", spelling(c, &other));
	}
}

/* the variable of a let, its body typed at the first use; -1: said */
static int
let_var(struct check *c, struct rule_scope *r, struct let_form *let)
{
	bool was_left = r->is_left;
	size_t index = (size_t)(let - r->let.at);
	const struct tn_x *x = NULL;
	const struct tn_term *term = NULL;
	int var;

	let->is_used = true;
	if (let->var >= 0 || let->state == LET_BROKEN)
		return let->var;
	if (let->name->kind == S_TENSOR) {
		term = rule_let_term(c, r, let);
		let = &r->let.at[index];
		if (!term)
			return -1;
		var = rule_scope_add(r, let->name, TN_R_TERM, TN_S_TENSOR, -1);
		r->var.at[var].term = term;
		let->var = var;
		return var;
	}
	if (let->state == LET_OPEN) {
		diag_at(c->diags, D_CYCLIC_LET, let->name->at, "'$%s' is defined by itself", let->name->text);
		let->state = LET_BROKEN;
		return -1;
	}
	let->state = LET_OPEN;
	r->is_left = false;
	x = expr_check(c, &r->s, let->body, -1);
	r->is_left = was_left;
	let = &r->let.at[index];
	if (!x || let->state == LET_BROKEN) {
		let->state = LET_BROKEN;
		return -1;
	}
	var = rule_scope_add(r, let->name, TN_R_LET, (enum tn_sort)x->sort, -1);
	r->var.at[var].x = x;
	let->var = var;
	let->state = LET_DONE;
	return var;
}

/* an enum's value by its name alone, where one enum has it */
static const struct tn_x *
enum_value(struct check *c, const struct sexp *atom)
{
	uint32_t i;
	int k;

	for (i = 0; i < c->enums.n; i++)
		for (k = 0; k < c->enums.at[i]->nvalue; k++)
			if (strcmp(c->enums.at[i]->value[k], atom->text) == 0)
				return check_enum_value(c, c->enums.at[i], atom);
	return NULL;
}

static const struct tn_x *
resolve_name(struct check *c, const struct sexp *atom)
{
	const struct tn_x *value = expr_constant(c, atom);

	if (!value)
		value = enum_value(c, atom);
	if (!value)
		diag_at(c->diags, D_UNKNOWN_NAME, atom->at, "nothing here is called '%s'; a variable is written ?x or $a", atom->text);
	return value;
}

/* the variable a guard or value names; sort as it is wanted there is the caller's business */
static const struct tn_x *
resolve(struct scope *s, struct check *c, const struct sexp *atom)
{
	struct rule_scope *r = (struct rule_scope *)s;
	struct let_form *let;
	struct tn_x *x;
	int var;

	if (atom->kind == S_NAME)
		return resolve_name(c, atom);
	if (atom->kind != S_TENSOR && atom->kind != S_VALUE && atom->kind != S_REST) {
		diag_at(c->diags, D_BAD_FORM, atom->at, "this has no place in an expression");
		return NULL;
	}
	let = rule_scope_let(r, atom);
	if (let) {
		var = let_var(c, r, let);
		if (var < 0)
			return NULL;
	} else {
		var = rule_scope_find(r, atom);
		if (var < 0) {
			rule_unbound(c, r, atom);
			return NULL;
		}
	}
	if (r->var.at[var].kind == TN_R_CAPTURE) {
		diag_at(c->diags, D_CAPTURE, atom->at, "'..%s' stands for attributes and has no value", atom->text);
		return NULL;
	}
	r->uses.at[var]++;
	x = expr_new(c, TN_X_VAR, (enum tn_sort)r->var.at[var].sort, atom->at);
	x->var = (int16_t)var;
	return x;
}

void
rule_scope_begin(struct rule_scope *r, const struct sexp *form)
{
	*r = (struct rule_scope){.s = {.resolve = resolve}, .form = form};
}

void
rule_scope_free(struct rule_scope *r)
{
	vec_free(&r->var);
	vec_free(&r->uses);
	vec_free(&r->let);
	vec_free(&r->deferred);
	vec_free(&r->arrow);
	vec_free(&r->when);
}
