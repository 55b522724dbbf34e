/* Variables, lets and captures of a rule; guards and attribute expressions over them. */
#include <string.h>

#include "dsl/rule_scope.h"

const char *
rule_spelling(struct check *c, const struct sexp *atom)
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
	vec_push(&r->use, ((struct var_use){.n = 1}));
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

bool
rule_is_new(struct rule_scope *r, const struct sexp *atom)
{
	return !rule_scope_let(r, atom) && rule_scope_find(r, atom) < 0;
}

/* ---- names that are not bound ------------------------------------------------------------------------------ */

/* "the left side binds ?x, $a" */
static void
note_bound(struct check *c, const struct rule_scope *r)
{
	static const enum sexp_kind written[] = {
		[TN_R_TENSOR] = S_TENSOR, [TN_R_TENSORS] = S_SEQ, [TN_R_ATTR] = S_VALUE, [TN_R_CAPTURE] = S_REST, [TN_R_SEQ] = S_REST,
		[TN_R_LET] = S_VALUE, [TN_R_TERM] = S_TENSOR,
	};
	const char *text = "";
	uint32_t i;
	int n = 0;

	for (i = 0; i < r->var.n && n < 16; i++) {
		if (r->var.at[i].kind == TN_R_LET || r->var.at[i].kind == TN_R_TERM)
			continue;
		text = arena_printf(c->arena, "%s%s%s", text, n++ ? ", " : "",
		    rule_spelling(c, &(struct sexp){.kind = written[r->var.at[i].kind], .text = r->var.at[i].name}));
	}
	diag_note(c->diags, r->left, "the left side binds %s", n ? text : "nothing");
}

/* the name nearest to the atom that is bound, as the user writes it, or NULL */
static const char *
nearest_bound(struct check *c, const struct rule_scope *r, const struct sexp *atom)
{
	const char *names[64];
	struct sexp other = *atom;
	int n = 0;
	uint32_t i;

	for (i = 0; i < r->var.n && n < 64; i++)
		if (kind_fits(atom, (enum tn_rvkind)r->var.at[i].kind))
			names[n++] = r->var.at[i].name;
	for (i = 0; i < r->let.n && n < 64; i++)
		if (r->let.at[i].name->kind == atom->kind)
			names[n++] = r->let.at[i].name->text;
	other.text = nearest_name(atom->text, names, n);
	if (!other.text && atom->kind == S_TENSOR) {	/* ?xs for ?xs... */
		other.kind = S_SEQ;
		other.text = rule_scope_find(r, &(struct sexp){.kind = S_SEQ, .text = atom->text}) >= 0 ? atom->text : NULL;
	}
	return other.text ? rule_spelling(c, &other) : NULL;
}

void
rule_unbound(struct check *c, struct rule_scope *r, const struct sexp *atom)
{
	const char *near;
	uint32_t i;

	for (i = 0; i < r->unbound.n; i++)
		if (r->unbound.at[i]->kind == atom->kind && strcmp(r->unbound.at[i]->text, atom->text) == 0)
			return;
	vec_push(&r->unbound, atom);
	near = nearest_bound(c, r, atom);
	diag_at(c->diags, D_UNBOUND_VARIABLE, atom->at, "unbound variable '%s'", rule_spelling(c, atom));
	note_bound(c, r);
	if (near)
		diag_hint(c->diags, atom->at, "did you mean '%s'?", near);
}

/* ---- lets --------------------------------------------------------------------------------------------------- */

/* the variable of a tensor's let, for dim, shape and rank of it; -1: said */
static int
term_var(struct check *c, struct rule_scope *r, struct let_form *let, const struct sexp *at)
{
	size_t index = (size_t)(let - r->let.at);
	const struct tn_term *term = rule_let_term(c, r, let, at);
	int var;

	if (!term)
		return -1;
	var = rule_scope_add(r, r->let.at[index].name, TN_R_TERM, TN_S_TENSOR, -1);
	r->var.at[var].term = term;
	r->let.at[index].var = var;
	return var;
}

/* the variable of a let, its body typed at the first use; -1: said */
static int
let_var(struct check *c, struct rule_scope *r, struct let_form *let, const struct sexp *at)
{
	bool was_left = r->is_left;
	size_t index = (size_t)(let - r->let.at);
	uint32_t size = r->size;
	const struct tn_x *x;

	let->is_used = true;
	if (let->var >= 0 && let->name->kind == S_VALUE)
		return rule_grow(c, r, let->size, at->at) ? let->var : -1;
	if (let->var >= 0 || let->state == LET_BROKEN)
		return let->var;
	if (let->name->kind == S_TENSOR)
		return term_var(c, r, let, at);
	if (let->state == LET_OPEN) {
		diag_at(c->diags, D_CYCLIC_LET, let->name->at, "'$%s' is defined by itself", let->name->text);
		let->state = LET_BROKEN;
		return -1;
	}
	let->state = LET_OPEN;
	r->is_left = false;
	x = rule_grow(c, r, 1, at->at) ? expr_check(c, &r->s, let->body, -1) : NULL;
	r->is_left = was_left;
	let = &r->let.at[index];	/* nobody adds lets, but the reader need not know */
	let->size = r->size - size;
	if (!x || let->state == LET_BROKEN) {
		let->state = LET_BROKEN;
		return -1;
	}
	let->var = rule_scope_add(r, let->name, TN_R_LET, (enum tn_sort)x->sort, -1);
	r->var.at[let->var].x = x;
	r->use.at[let->var].enums = x->kind == TN_X_VAR ? r->use.at[x->var].enums : NULL;
	let->state = LET_DONE;
	return let->var;
}

/* ---- what names mean in expressions ---------------------------------------------------------------------------- */

static int
value_number(const struct tn_enum *e, const char *name)
{
	int k;

	for (k = 0; k < e->nvalue; k++)
		if (strcmp(e->value[k], name) == 0)
			return k;
	return -1;
}

/* an enum's value by its name alone; *other: another enum in which it means something else */
static const struct tn_enum *
enum_with(struct check *c, const char *name, const struct tn_enum **other)
{
	const struct tn_enum *found = NULL;
	uint32_t i;
	int k;

	*other = NULL;
	for (i = 0; i < c->enums.n; i++) {
		k = value_number(c->enums.at[i], name);
		if (k >= 0 && !found)
			found = c->enums.at[i];
		else if (k >= 0 && value_number(found, name) != k)
			*other = c->enums.at[i];
	}
	return found;
}

static const struct tn_x *
resolve_name(struct check *c, const struct sexp *atom)
{
	const struct tn_x *value = expr_constant(c, atom);
	const struct tn_enum *e, *other;

	if (value)
		return value;
	e = enum_with(c, atom->text, &other);
	if (e && !other)
		return check_enum_value(c, e, atom);
	if (e)
		diag_at(c->diags, D_UNKNOWN_NAME, atom->at, "'%s' is a value of '%s' and of '%s'; compare it with a variable of one of them",
		    atom->text, e->name, other->name);
	else
		diag_at(c->diags, D_UNKNOWN_NAME, atom->at, "nothing here is called '%s'; a variable is written ?x or $a", atom->text);
	return NULL;
}

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
	if (is_wild(atom)) {
		diag_at(c->diags, D_UNBOUND_VARIABLE, atom->at, "'%s' has no value", rule_spelling(c, atom));
		return NULL;
	}
	let = rule_scope_let(r, atom);
	var = let ? let_var(c, r, let, atom) : rule_scope_find(r, atom);
	if (var < 0 && !let && atom->kind == S_TENSOR && r->has_element)
		var = rule_scope_find(r, &(struct sexp){.kind = S_SEQ, .text = atom->text});
	if (var < 0) {
		if (!let)
			rule_unbound(c, r, atom);
		return NULL;
	}
	if (r->var.at[var].kind == TN_R_CAPTURE) {
		diag_at(c->diags, D_CAPTURE, atom->at, "'..%s' stands for attributes and has no value", atom->text);
		return NULL;
	}
	r->use.at[var].n++;
	x = expr_new(c, TN_X_VAR, (enum tn_sort)r->var.at[var].sort, atom->at);
	x->var = (int16_t)var;
	return siblings_value(c, r, x, atom) ? x : NULL;
}

/* (= $a relu): a name compared with an enum's value is one of that enum */
static const struct tn_x *
compare_enum(struct scope *s, struct check *c, const struct sexp *call, bool *is_mine)
{
	struct rule_scope *r = (struct rule_scope *)s;
	const struct sexp *a, *b;
	const struct tn_enum *e;
	const struct tn_x *kid[2];
	struct tn_x *x;
	int var;

	if ((!is_clause(call, "=") && !is_clause(call, "!=")) || call->nkid != 3)
		return NULL;
	a = call->kid->next;
	b = a->next;
	var = a->kind == S_VALUE && b->kind == S_NAME ? rule_scope_find(r, a) :
	    a->kind == S_NAME && b->kind == S_VALUE ? rule_scope_find(r, b) : -1;
	e = var >= 0 ? r->use.at[var].enums : NULL;
	if (!e)
		return NULL;
	*is_mine = true;
	kid[0] = a->kind == S_NAME ? check_enum_value(c, e, a) : resolve(s, c, a);
	kid[1] = b->kind == S_NAME ? check_enum_value(c, e, b) : resolve(s, c, b);
	if (!kid[0] || !kid[1])
		return NULL;
	x = expr_new(c, TN_X_CALL, TN_S_BOOL, call->at);
	x->fn = call->kid->text[0] == '=' ? TN_F_EQ : TN_F_NE;
	x->nkid = 2;
	x->kid = expr_kids(c, 2, kid);
	return x;
}

/* one tensor that the pattern binds */
static const struct tn_x *
pattern_tensor(struct scope *s, struct check *c, const struct sexp *atom)
{
	const struct tn_x *x = resolve(s, c, atom);

	if (!x || ((struct rule_scope *)s)->var.at[x->var].kind == TN_R_TENSOR)
		return x;
	diag_at(c->diags, D_SORT, atom->at, "(!= ?x ?y) compares tensors that the pattern binds, one by one");
	return NULL;
}

/* (!= ?x ?y): are they not known to be one tensor? */
static const struct tn_x *
compare_tensors(struct scope *s, struct check *c, const struct sexp *call, bool *is_mine)
{
	const struct tn_x *kid[2];

	if (!is_clause(call, "!=") || call->nkid != 3 || call->kid->next->kind != S_TENSOR || call->kid->next->next->kind != S_TENSOR)
		return NULL;
	*is_mine = true;
	kid[0] = pattern_tensor(s, c, call->kid->next);
	kid[1] = pattern_tensor(s, c, call->kid->next->next);
	return kid[0] && kid[1] ? expr_call(c, TN_F_NE, TN_S_BOOL, call->at, 2, kid) : NULL;
}

/* Calls that only rules have. */
static const struct tn_x *
rule_call(struct scope *s, struct check *c, const struct sexp *call, bool *is_mine)
{
	const struct tn_x *x = siblings_before(c, (struct rule_scope *)s, call, is_mine);

	if (!*is_mine)
		x = compare_tensors(s, c, call, is_mine);
	return *is_mine ? x : compare_enum(s, c, call, is_mine);
}

void
rule_scope_begin(struct rule_scope *r, const struct sexp *form)
{
	*r = (struct rule_scope){.s = {.resolve = resolve, .call = rule_call}, .form = form};
}

void
rule_scope_free(struct rule_scope *r)
{
	vec_free(&r->var);
	vec_free(&r->use);
	vec_free(&r->let);
	vec_free(&r->deferred);
	vec_free(&r->arrow);
	vec_free(&r->when);
	vec_free(&r->unbound);
}
