/* Names inside an operator: dims, sequences, attributes, lets, iterators. */
#include <string.h>

#include "dsl/op_scope.h"

int
op_scope_find(const struct op_scope *o, const char *name, bool is_seq)
{
	uint32_t i = o->var.n;

	while (i-- > 0)
		if (o->is_visible.at[i] && strcmp(o->var.at[i].name, name) == 0) {
			const struct tn_var *v = &o->var.at[i];

			/* a list attribute is named without dots */
			if ((v->sort == TN_S_LIST && v->kind != TN_V_ATTR) == is_seq)
				return (int)i;
		}
	return -1;
}

int
op_scope_add(struct op_scope *o, const char *name, enum tn_varkind kind, enum tn_sort sort, int attr, int elem)
{
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

/* what the user may have meant by a name */
static void
unknown_name(struct check *c, struct op_scope *o, const struct sexp *atom)
{
	const char *names[128], *near;
	int n = 0;
	uint32_t i;

	for (i = 0; i < o->var.n && n < 128; i++)
		if (o->is_visible.at[i])
			names[n++] = o->var.at[i].name;
	near = nearest_name(atom->text, names, n);
	diag_at(c->diags, D_UNKNOWN_NAME, atom->at, "nothing here is called '%s%s'", atom->kind == S_REST ? ".." : "", atom->text);
	if (near)
		diag_hint(c->diags, atom->at, "did you mean '%s'?", near);
}

/* in def a dim is an index, and is one only where something runs over it */
static bool
check_index(struct check *c, struct op_scope *o, const struct sexp *atom, int var)
{
	const struct tn_var *v = &o->var.at[var];

	if (!o->is_def || (v->kind != TN_V_DIM && v->kind != TN_V_LET && v->kind != TN_V_STAR) || o->is_bound.at[var])
		return true;
	diag_at(c->diags, D_FREE_INDEX, atom->at, "the index '%s' is neither of the result nor summed over", atom->text);
	diag_hint(c->diags, atom->at, "'#%s' is its extent", v->name);
	return false;
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
	var = o->is_const ? -1 : op_scope_find(o, atom->text, atom->kind == S_REST || (atom->kind == S_EXTENT && atom->is_rest));
	if (var < 0) {
		unknown_name(c, o, atom);
		return NULL;
	}
	if (atom->kind != S_EXTENT && !check_index(c, o, atom, var))
		return NULL;
	x = expr_new(c, atom->kind == S_EXTENT ? TN_X_EXTENT : TN_X_VAR, (enum tn_sort)o->var.at[var].sort, atom->at);
	x->var = (int16_t)var;
	return x;
}

static int
bind(struct scope *s, struct check *c, const struct sexp *name, enum tn_varkind kind, enum tn_sort sort)
{
	(void)c;
	return op_scope_add((struct op_scope *)s, name->text, kind, sort, -1, -1);
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
