/* What an operator takes: attributes and operands, kinds, defaults, element types, items of shapes. */
#include <string.h>

#include "dsl/op_scope.h"

/* ---- attributes ------------------------------------------------------------------------------------- */

enum tn_sort
kind_sort(enum tn_kind kind)
{
	switch (kind) {
	case TN_K_FLOAT:
		return TN_S_REAL;
	case TN_K_BOOL:
		return TN_S_BOOL;
	case TN_K_STRING:
		return TN_S_STRING;
	case TN_K_DTYPE:
		return TN_S_DTYPE;
	case TN_K_ENUM:
		return TN_S_ENUM;
	case TN_K_INTS:
	case TN_K_DIMS:
		return TN_S_LIST;
	default:
		return TN_S_INT;
	}
}

/* the attribute's kind from its word; false, said, if there is none */
static bool
attr_kind(struct check *c, const struct sexp *word, struct tn_attr_decl *a)
{
	static const char *const names[] = {
#define X(id, text) [TN_K_##id] = text,
		TN_KINDS(X)
#undef X
	};
	const char *near;
	const uint32_t *e;
	int i;

	if (word->kind == S_BRACKET && word->nkid) {
		a->kind = TN_K_INTS;
		a->nelem = (int16_t)word->nkid;
		return true;
	}
	if (word->kind != S_NAME) {
		diag_at(c->diags, D_UNKNOWN_KIND, word->at, "a kind of attribute is wanted here: int, float, [sh sw], …");
		return false;
	}
	if (strcmp(word->text, "expr") == 0) {
		diag_at(c->diags, D_RESERVED, word->at, "attributes of kind 'expr' are reserved");
		return false;
	}
	for (i = 0; i < TN_NKINDS; i++)
		if (i != TN_K_ENUM && strcmp(names[i], word->text) == 0) {
			a->kind = (uint8_t)i;
			return true;
		}
	e = map_get(&c->enum_named, word->text, strlen(word->text));
	if (e) {
		a->kind = TN_K_ENUM;
		a->enums = c->enums.at[*e];
		return true;
	}
	near = nearest_name(word->text, names, TN_NKINDS);
	diag_at(c->diags, D_UNKNOWN_KIND, word->at, "there is no kind of attribute and no enum '%s'", word->text);
	if (near)
		diag_hint(c->diags, word->at, "did you mean '%s'?", near);
	return false;
}

const struct tn_x *
check_enum_value(struct check *c, const struct tn_enum *e, const struct sexp *s)
{
	struct tn_x *x;
	const char *near;
	int i;

	for (i = 0; s->kind == S_NAME && i < e->nvalue; i++)
		if (strcmp(e->value[i], s->text) == 0) {
			x = expr_new(c, TN_X_TEXT, TN_S_ENUM, s->at);
			x->text = e->value[i];
			x->num = (struct tn_number){i, 1, 0};
			return x;
		}
	diag_at(c->diags, D_ATTRIBUTE_KIND, s->at, "a value of '%s' is wanted here", e->name);
	near = s->kind == S_NAME ? nearest_name(s->text, e->value, e->nvalue) : NULL;
	if (near)
		diag_hint(c->diags, s->at, "did you mean '%s'?", near);
	return NULL;
}

/* the default; NULL, said, if it does not fit the kind */
static const struct tn_x *
attr_default(struct check *c, struct op_scope *o, const struct tn_attr_decl *a, const struct sexp *s)
{
	const struct tn_x *x;

	if (a->kind == TN_K_ENUM)
		return check_enum_value(c, a->enums, s);
	o->is_const = true;
	x = expr_check(c, &o->s, s, (int)kind_sort((enum tn_kind)a->kind));
	o->is_const = false;
	if (x && a->nelem && (x->kind != TN_X_LIST || x->nkid != a->nelem)) {
		diag_at(c->diags, D_BAD_DEFAULT, s->at, "'%s' has %d elements", a->name, a->nelem);
		return NULL;
	}
	return x;
}

void
op_check_attr(struct check *c, struct op_scope *o, const struct sexp *clause)
{
	const struct sexp *name = clause->kid->next, *kind = name ? name->next : NULL, *e;
	struct tn_attr_decl a = {.axis_of = -1};
	int i, index = (int)o->attr.n;

	if (!kind || name->kind != S_NAME || clause->nkid > 4) {
		diag_at(c->diags, D_BAD_FORM, clause->at, "an attribute has a name, a kind and perhaps a default: (attr NAME KIND INIT)");
		return;
	}
	if (index == TN_MAX_ATTRS) {
		diag_at(c->diags, D_TOO_LARGE, name->at, "an operator has at most %d attributes", TN_MAX_ATTRS);
		diag_hint(c->diags, name->at, "numbers that belong together may be one: (attr pads [top left bottom right])");
		return;
	}
	a.name = name->text;
	if (op_scope_find(o, name->text, false) >= 0) {
		diag_at(c->diags, D_DUPLICATE, name->at, "the name '%s' is taken", name->text);
		return;
	}
	if (!attr_kind(c, kind, &a))
		return;
	if (kind->next && !(a.init = attr_default(c, o, &a, kind->next)))
		return;
	a.var = (int16_t)op_scope_add(o, a.name, TN_V_ATTR, kind_sort((enum tn_kind)a.kind), index, -1);
	for (e = kind->kid, i = 0; kind->kind == S_BRACKET && e; e = e->next, i++) {
		if (e->kind != S_NAME) {
			diag_at(c->diags, D_BAD_FORM, e->at, "the items of a list attribute have names: (attr pads [top left])");
			return;
		}
		if (op_scope_find(o, e->text, false) >= 0)
			diag_at(c->diags, D_DUPLICATE, e->at, "the name '%s' is taken", e->text);
		else
			op_scope_add(o, e->text, TN_V_ELEM, TN_S_INT, index, i);
	}
	vec_push(&o->attr, a);
}

/* ---- operands ------------------------------------------------------------------------------------------- */

static int
attr_named(const struct op_scope *o, const char *name)
{
	uint32_t i;

	for (i = 0; i < o->attr.n; i++)
		if (strcmp(o->attr.at[i].name, name) == 0)
			return (int)i;
	return -1;
}

/* an element type by name or by attribute, as tn_operand.type; -1: said */
int
op_element_type(struct check *c, struct op_scope *o, const struct sexp *s)
{
	static const char *const names[] = {
#define X(id, text, size, class) text,
		TN_DTYPES(X)
#undef X
	};
	int attr = s->kind == S_NAME ? attr_named(o, s->text) : -1;
	const struct tn_x *x = s->kind == S_NAME ? expr_constant(c, s) : NULL;
	const char *near;

	if (attr >= 0 && o->attr.at[attr].kind == TN_K_DTYPE)
		return -2 - attr;
	if (x && x->sort == TN_S_DTYPE)
		return (int)x->num.num;
	diag_at(c->diags, D_UNKNOWN_NAME, s->at, "an element type is wanted here: f32, i64, bool, …");
	near = s->kind == S_NAME ? nearest_name(s->text, names, TN_NDTYPES) : NULL;
	if (near)
		diag_hint(c->diags, s->at, "did you mean '%s'?", near);
	return -1;
}

/* the variable of a dim or sequence in a shape, made at its first occurrence */
static int
shape_var(struct op_scope *o, const struct sexp *s)
{
	bool is_seq = s->kind == S_REST;
	size_t len = strlen(s->text);
	int var = op_scope_find(o, s->text, is_seq);

	if (var >= 0)
		return var;
	return op_scope_add(o, s->text, len > 1 && s->text[len - 1] == '*' ? TN_V_STAR : TN_V_DIM,
	    is_seq ? TN_S_LIST : TN_S_INT, -1, -1);
}

/* one item of an operand's shape: d, ..d, ..d@count, d* */
static bool
shape_item(struct check *c, struct op_scope *o, const struct sexp *s, struct tn_item *item)
{
	int count = -1;

	if ((s->kind != S_NAME && s->kind != S_REST) || s->text[0] == '.') {
		diag_at(c->diags, D_BAD_SHAPE, s->at, "a dim is wanted here: d, ..d, ..d@count or d*");
		return false;
	}
	if (s->at_name) {
		count = attr_named(o, s->at_name);
		if (count < 0 || (o->attr.at[count].kind != TN_K_INT && o->attr.at[count].kind != TN_K_AXIS)) {
			diag_at(c->diags, D_UNBOUND_COUNT, s->at, "'%s' is no attribute that counts axes (of kind int or axis)", s->at_name);
			return false;
		}
		if (o->attr.at[count].kind == TN_K_AXIS && o->attr.at[count].axis_of < 0)
			o->attr.at[count].axis_of = (int16_t)o->in.n;
	}
	*item = (struct tn_item){(int16_t)shape_var(o, s), (int16_t)count, s->kind == S_REST};
	if (o->var.at[item->var].kind != TN_V_DIM && o->var.at[item->var].kind != TN_V_STAR) {
		diag_at(c->diags, D_DUPLICATE, s->at, "'%s' is an attribute", s->text);
		return false;
	}
	return true;
}

/* :default NUMBER and :type T after the dims */
static bool
operand_key(struct check *c, struct op_scope *o, const struct sexp *key, struct tn_operand *in)
{
	const struct sexp *value = key->next;

	if (value && strcmp(key->text, "default") == 0 && value->kind == S_NUMBER) {
		in->has_default = true;
		in->init = value->num;
		return true;
	}
	if (value && strcmp(key->text, "type") == 0) {
		in->type = (int16_t)op_element_type(c, o, value);
		return in->type != -1;
	}
	diag_at(c->diags, D_BAD_FORM, key->at, ":default NUMBER or :type T is wanted here");
	return false;
}

/* does an operand before have the sequence? */
static bool
is_settled(const struct op_scope *o, int var)
{
	uint32_t i;
	int k;

	for (i = 0; i < o->in.n; i++)
		for (k = 0; k < o->in.at[i].nitem; k++)
			if (o->in.at[i].item[k].var == var)
				return true;
	return false;
}

/* at most one sequence of an operand may have no count: its length is what the others leave */
static bool
check_lengths(struct check *c, const struct op_scope *o, const struct sexp *s, const struct tn_item *item, int n)
{
	int i, k, open = 0;

	for (i = 0; i < n; i++) {
		if (!item[i].is_seq || item[i].count >= 0)
			continue;
		for (k = 0; k < i && item[k].var != item[i].var; k++)
			;
		open += k == i || !is_settled(o, item[i].var);
	}
	if (open <= 1)
		return true;
	diag_at(c->diags, D_BAD_SHAPE, s->at, "more than one sequence here has no count (..a@axis): their lengths are not settled");
	return false;
}

static void
check_operand(struct check *c, struct op_scope *o, const struct sexp *s)
{
	struct tn_operand in = {.type = -1};
	struct tn_item *item = arena_news(c->arena, (size_t)s->nkid, struct tn_item);
	const struct sexp *d;
	size_t len;
	int i;

	if (s->kind != S_LIST || !s->kid || s->kid->kind != S_NAME) {
		diag_at(c->diags, D_BAD_FORM, s->at, "an operand is (NAME DIM …)");
		return;
	}
	in.name = s->kid->text;
	len = strlen(in.name);
	if (len > 3 && strcmp(in.name + len - 3, "...") == 0) {
		in.is_variadic = true;
		in.name = arena_str(c->arena, in.name, len - 3);
	}
	if (op_scope_operand(o, in.name) >= 0 || (o->in.n && o->in.at[o->in.n - 1].is_variadic)) {
		diag_at(c->diags, D_DUPLICATE, s->kid->at, "%s", op_scope_operand(o, in.name) >= 0 ? "this operand is declared already"
		    : "nothing may follow a variadic operand");
		return;
	}
	for (d = s->kid->next; d; d = d->next) {
		if (d->kind == S_KEY) {
			if (!operand_key(c, o, d, &in))
				return;
			d = d->next;
		} else if (!shape_item(c, o, d, &item[in.nitem++]))
			return;
	}
	in.item = item;
	if (in.has_default && in.is_variadic) {
		diag_at(c->diags, D_BAD_DEFAULT, s->at, "a variadic operand is one or more tensors and has no default");
		return;
	}
	for (i = 0; i < in.nitem && !in.is_variadic; i++)
		if (o->var.at[item[i].var].kind == TN_V_STAR) {
			diag_at(c->diags, D_BAD_SHAPE, s->at, "'%s': only the tensors of a variadic operand have dims of their own",
			    o->var.at[item[i].var].name);
			return;
		}
	if (!in.has_default && o->in.n && o->in.at[o->in.n - 1].has_default) {
		diag_at(c->diags, D_BAD_DEFAULT, s->at, "after an operand with a default all have one");
		return;
	}
	if (check_lengths(c, o, s, item, in.nitem))
		vec_push(&o->in, in);
}

/* an axis is one of the operand that counts to it */
void
op_check_axis(struct check *c, struct op_scope *o, const struct sexp *clause)
{
	const struct sexp *name = clause->kid->next;
	const struct tn_attr_decl *a = &o->attr.at[attr_named(o, name->text)];

	if (a->kind != TN_K_AXIS || a->axis_of >= 0)
		return;
	diag_at(c->diags, D_UNBOUND_COUNT, name->at, "'%s' is an axis of no operand", name->text);
	diag_hint(c->diags, name->at, "..a@%s in an operand's shape counts the axes before it; of kind int it is any number",
	    name->text);
}

void
op_check_in(struct check *c, struct op_scope *o, const struct sexp *clause)
{
	const struct sexp *s;

	for (s = clause->kid->next; s; s = s->next)
		check_operand(c, o, s);
}
