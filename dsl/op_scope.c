/* Names inside an operator: dims, sequences, attributes, lets, iterators. */
#include <string.h>

#include "dsl/op_scope.h"

int
op_scope_find(const struct op_scope *o, const char *name, bool is_seq)
{
	int i;

	for (i = (int)o->var.n - 1; i >= o->s.floor; i--)
		if (o->is_visible.at[i] && strcmp(o->var.at[i].name, name) == 0) {
			const struct tn_var *v = &o->var.at[i];

			/* a list attribute is named without dots */
			if ((v->sort == TN_S_LIST && v->kind != TN_V_ATTR) == is_seq)
				return i;
		}
	return -1;
}

int
op_scope_add(struct op_scope *o, const char *name, enum tn_varkind kind, enum tn_sort sort, int attr, int elem)
{
	if (o->var.n == NAMES_LIMIT) {
		o->is_full = true;
		return NAMES_LIMIT - 1;
	}
	vec_push(&o->var, ((struct tn_var){name, (uint8_t)kind, (uint8_t)sort, (int16_t)attr, (int16_t)elem}));
	vec_push(&o->is_visible, true);
	vec_push(&o->is_bound, kind == TN_V_ITER || kind == TN_V_VALUE);
	return (int)o->var.n - 1;
}

int
op_scope_operand(const struct op_scope *o, const char *name)
{
	uint32_t i;

	for (i = 0; i < o->in.n; i++)
		if (strcmp(o->in.at[i].name, name) == 0)
			return (int)i;
	return -1;
}

static bool
is_seq_name(const struct sexp *atom)
{
	return atom->kind == S_REST || (atom->kind == S_EXTENT && atom->is_rest);
}

void
op_scope_unknown(struct check *c, struct op_scope *o, const struct sexp *atom)
{
	const char *mark = (const char *[]){"", "..", "#", "#.."}[2 * (atom->kind == S_EXTENT) + is_seq_name(atom)];
	const char *names[128], *near;
	int n = 0, i;

	for (i = o->s.floor; i < (int)o->var.n && n < 128; i++) {
		const struct tn_var *v = &o->var.at[i];

		if (o->is_visible.at[i] && (v->sort == TN_S_LIST && v->kind != TN_V_ATTR) == is_seq_name(atom))
			names[n++] = v->name;
	}
	near = nearest_name(atom->text, names, n);
	diag_at(c->diags, D_UNKNOWN_NAME, atom->at, "nothing here is called '%s%s'", mark, atom->text);
	if (near)
		diag_hint(c->diags, atom->at, "did you mean '%s%s'?", mark, near);
	else if (o->is_const)
		diag_hint(c->diags, atom->at, "what stands here is constant");
	else if (op_scope_operand(o, atom->text) >= 0)
		diag_hint(c->diags, atom->at, "an element of an operand is read with its indices: (%s i …)", atom->text);
}

/* in def a dim is an index, and is one only where something runs over it */
static bool
check_index(struct check *c, struct op_scope *o, const struct sexp *atom, int var)
{
	const struct tn_var *v = &o->var.at[var];
	const char *dots = is_seq_name(atom) ? ".." : "";

	if (o->is_bound.at[var] || (v->kind != TN_V_STAR && !(o->is_def && (v->kind == TN_V_DIM || v->kind == TN_V_LET))))
		return true;
	if (v->kind == TN_V_STAR) {
		diag_at(c->diags, D_FREE_INDEX, atom->at, "each operand has a '%s' of its own", atom->text);
		diag_hint(c->diags, atom->at, "(sum [xs] %s) adds them; (pick [xs] …) looks at one", atom->text);
		return false;
	}
	diag_at(c->diags, D_FREE_INDEX, atom->at, "the index '%s%s' is neither of the result nor summed over", dots, v->name);
	diag_hint(c->diags, atom->at, "'#%s%s' is its extent", dots, v->name);
	return false;
}

static bool
has_extent(const struct tn_var *v)
{
	return v->kind == TN_V_DIM || v->kind == TN_V_STAR || v->kind == TN_V_LET;
}

static const struct tn_x *
resolve(struct scope *s, struct check *c, const struct sexp *atom)
{
	struct op_scope *o = (struct op_scope *)s;
	const struct tn_x *constant;
	struct tn_x *x;
	int var;

	if (atom->kind == S_NAME && (o->is_const || op_scope_find(o, atom->text, false) < 0)) {
		constant = expr_constant(c, atom);
		if (constant)
			return constant;
	}
	if (atom->kind != S_NAME && atom->kind != S_REST && atom->kind != S_EXTENT) {
		diag_at(c->diags, D_BAD_FORM, atom->at, "this has no place in an operator's expression");
		return NULL;
	}
	if (atom->at_name || (atom->kind == S_EXTENT && !o->is_def)) {
		diag_at(c->diags, D_BAD_FORM, atom->at, "%s", atom->at_name ? "'@' counts the axes of an operand, in 'in'" :
		    "outside def a dim's name is its extent");
		return NULL;
	}
	var = o->is_const ? -1 : op_scope_find(o, atom->text, is_seq_name(atom));
	if (var < 0) {
		op_scope_unknown(c, o, atom);
		return NULL;
	}
	if (atom->kind != S_EXTENT && !check_index(c, o, atom, var))
		return NULL;
	if (atom->kind == S_EXTENT && !has_extent(&o->var.at[var])) {
		diag_at(c->diags, D_SORT, atom->at, "'%s' is no dim and has no extent", atom->text);
		return NULL;
	}
	x = expr_new(c, atom->kind == S_EXTENT ? TN_X_EXTENT : TN_X_VAR, (enum tn_sort)o->var.at[var].sort, atom->at);
	x->var = (int16_t)var;
	return x;
}

static int
bind(struct scope *s, struct check *c, const struct sexp *name, enum tn_varkind kind, enum tn_sort sort)
{
	struct op_scope *o = (struct op_scope *)s;
	bool was_full = o->is_full;
	int var = op_scope_add(o, name->text, kind, sort, -1, -1);

	if (o->is_full && !was_full)
		expr_too_large(c, name->at);
	return var;
}

static void
unbind(struct scope *s, int var)
{
	((struct op_scope *)s)->is_visible.at[var] = false;
}

void
op_scope_begin(struct op_scope *o, const struct sexp *form)
{
	*o = (struct op_scope){.s = {.resolve = resolve, .call = op_call, .bind = bind, .unbind = unbind}, .form = form, .picked = -1};
}

void
op_scope_free(struct op_scope *o)
{
	vec_free(&o->var);
	vec_free(&o->is_visible);
	vec_free(&o->is_bound);
	vec_free(&o->attr);
	vec_free(&o->in);
	vec_free(&o->where);
	vec_free(&o->let);
	vec_free(&o->out);
}
