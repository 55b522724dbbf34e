/* Operator declarations: their clauses, in the order in which they lean on each other. */
#include <string.h>
#include <strings.h>

#include "dsl/op_scope.h"

static const char *const clause_names[] = {"attr", "in", "where", "let", "out", "dtypes", "def", "cost", "onnx", "outs", "get"};

static const uint32_t float_types = 1u << TN_F16 | 1u << TN_BF16 | 1u << TN_F32 | 1u << TN_F64;

static bool
is_clause(const struct sexp *s, const char *name)
{
	return s->kind == S_LIST && s->kid && s->kid->kind == S_NAME && strcmp(s->kid->text, name) == 0;
}

/* the clauses of one name, each to `each`, in order */
static void
for_clauses(struct check *c, struct op_scope *o, const char *name, void (*each)(struct check *, struct op_scope *, const struct sexp *))
{
	const struct sexp *s;

	for (s = o->form->kid; s; s = s->next)
		if (is_clause(s, name))
			each(c, o, s);
}

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

static void
check_attr(struct check *c, struct op_scope *o, const struct sexp *clause)
{
	const struct sexp *name = clause->kid->next, *kind = name ? name->next : NULL, *e;
	struct tn_attr_decl a = {.axis_of = -1};
	int i, index = (int)o->attr.n;

	if (!kind || name->kind != S_NAME || clause->nkid > 4) {
		diag_at(c->diags, D_BAD_FORM, clause->at, "an attribute has a name, a kind and perhaps a default: (attr NAME KIND INIT)");
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
		if (e->kind != S_NAME || op_scope_find(o, e->text, false) >= 0)
			diag_at(c->diags, D_DUPLICATE, e->at, "a new name is wanted here");
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

/* an element type by name or by attribute, as tn_operand.type; -1: said, or shared */
static int
element_type(struct check *c, struct op_scope *o, const struct sexp *s)
{
	int attr = s->kind == S_NAME ? attr_named(o, s->text) : -1;
	const struct tn_x *x;

	if (attr >= 0 && o->attr.at[attr].kind == TN_K_DTYPE)
		return -2 - attr;
	o->is_const = true;
	x = expr_check(c, &o->s, s, TN_S_DTYPE);
	o->is_const = false;
	return x ? (int)x->num.num : -1;
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
	return op_scope_add(o, s->text, len > 1 && s->text[len - 1] == '*' ? TN_V_STAR : TN_V_DIM, is_seq ? TN_S_LIST : TN_S_INT, -1, -1);
}

/* one item of an operand's shape: d, ..d, ..d@count, d* */
static bool
shape_item(struct check *c, struct op_scope *o, const struct sexp *s, struct tn_item *item)
{
	int count = -1;

	if (s->kind != S_NAME && s->kind != S_REST) {
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
		in->type = (int16_t)element_type(c, o, value);
		return in->type != -1;
	}
	diag_at(c->diags, D_BAD_FORM, key->at, ":default NUMBER or :type T is wanted here");
	return false;
}

/* at most one sequence of an operand may have no count: its length is what the others leave */
static bool
check_lengths(struct check *c, const struct sexp *s, const struct tn_item *item, int n)
{
	int i, k, open = 0;

	for (i = 0; i < n; i++) {
		if (!item[i].is_seq || item[i].count >= 0)
			continue;
		for (k = 0; k < i && item[k].var != item[i].var; k++)
			;
		open += k == i;
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
	if (!in.has_default && o->in.n && o->in.at[o->in.n - 1].has_default) {
		diag_at(c->diags, D_BAD_DEFAULT, s->at, "after an operand with a default all have one");
		return;
	}
	if (check_lengths(c, s, item, in.nitem))
		vec_push(&o->in, in);
}

static void
check_in(struct check *c, struct op_scope *o, const struct sexp *clause)
{
	const struct sexp *s;

	for (s = clause->kid->next; s; s = s->next)
		check_operand(c, o, s);
}

/* ---- shapes ------------------------------------------------------------------------------------------------ */

/* names of lets first: their order does not matter */
static void
declare_let(struct check *c, struct op_scope *o, const struct sexp *clause)
{
	const struct sexp *name = clause->kid->next;

	if (clause->nkid != 3 || (name->kind != S_NAME && name->kind != S_REST) || name->at_name) {
		diag_at(c->diags, D_BAD_FORM, clause->at, "a let names an extent or a sequence: (let p E), (let ..e E)");
		return;
	}
	if (op_scope_find(o, name->text, name->kind == S_REST) >= 0)
		diag_at(c->diags, D_DUPLICATE, name->at, "the name '%s' is taken", name->text);
	else
		op_scope_add(o, name->text, TN_V_LET, name->kind == S_REST ? TN_S_LIST : TN_S_INT, -1, -1);
}

static void
check_let(struct check *c, struct op_scope *o, const struct sexp *clause)
{
	const struct sexp *name = clause->kid->next;
	const struct tn_x *x;
	int var;

	if (clause->nkid != 3 || (name->kind != S_NAME && name->kind != S_REST))
		return;
	var = op_scope_find(o, name->text, name->kind == S_REST);
	if (var < 0 || o->var.at[var].kind != TN_V_LET)
		return;
	x = expr_check(c, &o->s, name->next, o->var.at[var].sort);
	if (x)
		vec_push(&o->let, ((struct tn_let){(int16_t)var, x}));
}

/* does x use the variable? */
static bool
uses(const struct tn_x *x, int var)
{
	int i;

	if ((x->kind == TN_X_VAR || x->kind == TN_X_EXTENT) && x->var == var)
		return true;
	for (i = 0; i < x->nkid; i++)
		if (x->kid[i] && uses(x->kid[i], var))
			return true;
	return false;
}

/* lets in order of use; a cycle is said at its first let */
static void
sort_lets(struct check *c, struct op_scope *o)
{
	uint32_t done, i, k;

	for (done = 0; done < o->let.n; done++) {
		for (i = done; i < o->let.n; i++) {
			for (k = done; k < o->let.n && !uses(o->let.at[i].x, o->let.at[k].var); k++)
				;
			if (k == o->let.n)
				break;
		}
		if (i == o->let.n) {
			diag_at(c->diags, D_CYCLIC_LET, o->let.at[done].x->at, "'%s' is defined by itself", o->var.at[o->let.at[done].var].name);
			return;
		}
		struct tn_let first = o->let.at[i];
		for (; i > done; i--)
			o->let.at[i] = o->let.at[i - 1];
		o->let.at[done] = first;
	}
}

static void
check_where(struct check *c, struct op_scope *o, const struct sexp *clause)
{
	const struct sexp *cond = clause->kid->next, *text = cond ? cond->next : NULL;
	const struct tn_x *x;

	if (!cond || clause->nkid > 3 || (text && text->kind != S_STRING)) {
		diag_at(c->diags, D_BAD_FORM, clause->at, "a check has a condition and perhaps a text: (where COND \"…\")");
		return;
	}
	x = expr_check(c, &o->s, cond, TN_S_BOOL);
	if (x)
		vec_push(&o->where, ((struct tn_where){x, text ? text->text : NULL}));
}

static void
check_out(struct check *c, struct op_scope *o, const struct sexp *clause)
{
	const struct sexp *d;
	int var;

	for (d = clause->kid->next; d; d = d->next) {
		if (d->kind == S_KEY && strcmp(d->text, "type") == 0 && d->next) {
			o->op.out_type = (int16_t)element_type(c, o, d->next);
			d = d->next;
			continue;
		}
		var = d->kind == S_NAME || d->kind == S_REST ? op_scope_find(o, d->text, d->kind == S_REST) : -1;
		if (var < 0 || d->at_name || (o->var.at[var].kind != TN_V_DIM && o->var.at[var].kind != TN_V_LET)) {
			diag_at(c->diags, D_BAD_SHAPE, d->at, "out holds names of dims and lets");
			return;
		}
		vec_push(&o->out, (int16_t)var);
	}
}

/* ---- the rest ------------------------------------------------------------------------------------------------- */

static void
check_dtypes(struct check *c, struct op_scope *o, const struct sexp *clause)
{
	static const struct { const char *name; uint32_t mask; } classes[] = {
#define X(id, text, size, class) {#class, 1u << TN_##id},
		TN_DTYPES(X)
#undef X
	};
	const struct sexp *s;
	const struct tn_x *x;
	uint32_t mask;
	unsigned i;

	o->op.dtypes = 0;
	for (s = clause->kid->next; s; s = s->next) {
		mask = 0;
		for (i = 0; s->kind == S_NAME && i < sizeof classes / sizeof *classes; i++)
			if (strcasecmp(classes[i].name, s->text) == 0 && strcmp(s->text, "other") != 0)
				mask |= classes[i].mask;
		if (!mask) {
			o->is_const = true;
			x = expr_check(c, &o->s, s, TN_S_DTYPE);
			o->is_const = false;
			mask = x ? 1u << x->num.num : 0;
		}
		o->op.dtypes |= mask;
	}
}

static void
check_cost(struct check *c, struct op_scope *o, const struct sexp *clause)
{
	if (clause->nkid != 2)
		diag_at(c->diags, D_BAD_FORM, clause->at, "a price is one expression: (cost E)");
	else
		o->op.cost = expr_check(c, &o->s, clause->kid->next, TN_S_REAL);
}

static void
check_onnx(struct check *c, struct op_scope *o, const struct sexp *clause)
{
	const struct sexp *name = clause->kid->next, *domain = name ? name->next : NULL;

	if (!name || name->kind != S_STRING || (domain && domain->kind != S_STRING) || clause->nkid > 3) {
		diag_at(c->diags, D_BAD_FORM, clause->at, "(onnx \"Name\") or (onnx \"Name\" \"domain\")");
		return;
	}
	o->op.onnx = name->text;
	o->op.onnx_domain = domain ? domain->text : "";
}

static void
check_reserved(struct check *c, struct op_scope *o, const struct sexp *clause)
{
	(void)o;
	diag_at(c->diags, D_RESERVED, clause->at, "operators with several results ('%s') are reserved", clause->kid->text);
}

static void
unknown_clauses(struct check *c, const struct sexp *s)
{
	const char *near;
	size_t i, n = sizeof clause_names / sizeof *clause_names;

	for (; s; s = s->next) {
		for (i = 0; i < n && !is_clause(s, clause_names[i]); i++)
			;
		if (i < n)
			continue;
		if (s->kind != S_LIST || !s->kid || s->kid->kind != S_NAME) {
			diag_at(c->diags, D_BAD_FORM, s->at, "a clause of an operator is wanted here: (in …), (out …), …");
			continue;
		}
		diag_at(c->diags, D_UNKNOWN_FORM, s->kid->at, "an operator has no clause '%s'", s->kid->text);
		near = nearest_name(s->kid->text, clause_names, (int)n);
		if (near)
			diag_hint(c->diags, s->kid->at, "did you mean '%s'?", near);
	}
}

/* no operand and no dims of its own: nothing to check when a node is made */
static bool
is_scalar(const struct op_scope *o)
{
	uint32_t i;

	for (i = 0; i < o->in.n; i++)
		if (o->in.at[i].nitem || o->in.at[i].is_variadic || o->in.at[i].type != -1)
			return false;
	return o->attr.n == 0 && o->out.n == 0 && o->where.n == 0 && o->op.out_type == -1;
}

/* the vectors as the operator's arrays */
static void
finish(struct check *c, struct op_scope *o)
{
	struct tn_op *op = &o->op;

#define KEEP(field, vec) ((op->n##field = (int)(vec).n), (op->field = arena_dup(c->arena, (vec).at, (vec).n * sizeof *(vec).at)))
	KEEP(var, o->var);
	KEEP(attr, o->attr);
	KEEP(in, o->in);
	KEEP(where, o->where);
	KEEP(let, o->let);
	KEEP(out, o->out);
#undef KEEP
	op->is_commutative = op_is_commutative(op);
	op->is_scalar = is_scalar(o);
}

static void
check_clauses(struct check *c, struct op_scope *o)
{
	const struct sexp *s;

	for_clauses(c, o, "outs", check_reserved);
	for_clauses(c, o, "get", check_reserved);
	for_clauses(c, o, "attr", check_attr);
	for_clauses(c, o, "in", check_in);
	for_clauses(c, o, "let", declare_let);
	for_clauses(c, o, "let", check_let);
	sort_lets(c, o);
	for_clauses(c, o, "where", check_where);
	for_clauses(c, o, "out", check_out);
	for_clauses(c, o, "dtypes", check_dtypes);
	for_clauses(c, o, "cost", check_cost);
	for_clauses(c, o, "onnx", check_onnx);
	for (s = o->form->kid; s; s = s->next)
		if (is_clause(s, "def"))
			op_check_def(c, o, s);
}

/* one in, one out, at most one def */
static bool
has_parts(struct check *c, const struct sexp *form)
{
	const struct sexp *s;
	int in = 0, out = 0, def = 0;

	for (s = form->kid; s; s = s->next) {
		in += is_clause(s, "in");
		out += is_clause(s, "out") || is_clause(s, "outs");
		def += is_clause(s, "def");
	}
	if (in == 1 && out == 1 && def <= 1)
		return true;
	diag_at(c->diags, D_BAD_FORM, form->at, "an operator has one (in …), one (out …) and at most one (def …)");
	return false;
}

void
check_op(struct check *c, const struct sexp *form)
{
	const struct sexp *name = form->kid->next, *rest;
	int before = c->diags->nerror, line, col;
	struct op_scope o;
	bool is_new;

	if (!name || name->kind != S_NAME) {
		diag_at(c->diags, D_BAD_FORM, form->at, "an operator has a name: (op NAME …)");
		return;
	}
	if (map_get(&c->op_named, name->text, strlen(name->text))) {
		uint32_t first = *map_get(&c->op_named, name->text, strlen(name->text));

		diag_at(c->diags, D_DUPLICATE, name->at, "operator '%s' is declared already", name->text);
		if (first < c->op.n && c->op.at[first].at.to)
			diag_note(c->diags, c->op.at[first].at, "here");
		return;
	}
	op_scope_begin(&o, form);
	source_place(&c->r->sources.at[form->at.file], form->at.from, &line, &col);
	o.op = (struct tn_op){.name = name->text, .file = c->r->sources.at[form->at.file].path, .line = line, .out_type = -1,
	    .dtypes = float_types, .at = form->at};
	rest = name->next;
	if (rest && rest->kind == S_STRING) {
		o.op.doc = rest->text;
		rest = rest->next;
	}
	unknown_clauses(c, rest);
	if (has_parts(c, form))
		check_clauses(c, &o);
	finish(c, &o);
	op_scope_free(&o);
	/* rules that name a broken operator are not its fault twice */
	map_put(&c->op_named, o.op.name, strlen(o.op.name), c->diags->nerror == before ? c->op.n : UINT32_MAX, &is_new);
	if (c->diags->nerror == before)
		vec_push(&c->op, o.op);
}
