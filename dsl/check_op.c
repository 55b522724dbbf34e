/* Operator declarations: their clauses, in the order in which they lean on each other. */
#include <string.h>
#include <strings.h>

#include "dsl/op_scope.h"

enum { OPS_LIMIT = 16384 };	/* their numbers fit 16 bits */

static const char *const clause_names[] = {"attr", "in", "where", "let", "out", "dtypes", "def", "cost", "onnx", "outs", "get"};

static const uint32_t float_types = 1u << TN_F16 | 1u << TN_BF16 | 1u << TN_F32 | 1u << TN_F64;

/* the clauses of one name, each to `each`, in order */
static void
for_clauses(struct check *c, struct op_scope *o, const char *name,
    void (*each)(struct check *, struct op_scope *, const struct sexp *))
{
	const struct sexp *s;

	for (s = o->form->kid; s; s = s->next)
		if (is_clause(s, name))
			each(c, o, s);
}

/* (where COND "text" …): conditions, each with the text that says why if it likes */
static void
check_where(struct check *c, struct op_scope *o, const struct sexp *clause)
{
	const struct sexp *cond, *text;
	const struct tn_x *x;

	if (!clause->kid->next)
		diag_at(c->diags, D_BAD_FORM, clause->at, "a check has a condition and perhaps a text: (where COND \"…\")");
	for (cond = clause->kid->next; cond; cond = text ? text->next : cond->next) {
		text = cond->next && cond->next->kind == S_STRING ? cond->next : NULL;
		x = expr_check(c, &o->s, cond, TN_S_BOOL);
		if (x)
			vec_push(&o->where, ((struct tn_where){x, text ? text->text : NULL}));
	}
}

/* (out DIM … :type T) */
static void
check_out(struct check *c, struct op_scope *o, const struct sexp *clause)
{
	const struct sexp *d;
	const char *dots;
	uint32_t i;
	bool is_name;
	int var;

	for (d = clause->kid->next; d; d = d->next) {
		if (d->kind == S_KEY && strcmp(d->text, "type") == 0 && d->next) {
			o->op.out_type = (int16_t)op_element_type(c, o, d->next);
			d = d->next;
			continue;
		}
		is_name = (d->kind == S_NAME || d->kind == S_REST) && !d->at_name;
		var = is_name ? op_scope_find(o, d->text, d->kind == S_REST) : -1;
		if (is_name && var < 0) {
			op_scope_unknown(c, o, d);
			return;
		}
		if (var < 0 || (o->var.at[var].kind != TN_V_DIM && o->var.at[var].kind != TN_V_LET)) {
			diag_at(c->diags, D_BAD_SHAPE, d->at, "out holds names of dims and lets; (let p E) names an extent");
			return;
		}
		for (i = 0; i < o->out.n; i++)
			if (o->out.at[i] == var) {
				dots = d->kind == S_REST ? ".." : "";
				diag_at(c->diags, D_BAD_SHAPE, d->at, "'%s%s' stands twice: which index is it in def?", dots, d->text);
				diag_hint(c->diags, d->at, "(let %s%s2 %s%s) makes a second axis of that extent", dots, d->text, dots, d->text);
				return;
			}
		vec_push(&o->out, (int16_t)var);
	}
}

/* (dtypes float i64 …): classes and single types */
static void
check_dtypes(struct check *c, struct op_scope *o, const struct sexp *clause)
{
	static const struct { const char *name; uint32_t mask; } classes[] = {
#define X(id, text, size, class) {#class, 1u << TN_##id},
		TN_DTYPES(X)
#undef X
	};
	const struct sexp *s;
	uint32_t mask;
	unsigned i;
	int type;

	o->op.dtypes = 0;
	for (s = clause->kid->next; s; s = s->next) {
		mask = 0;
		for (i = 0; s->kind == S_NAME && i < sizeof classes / sizeof *classes; i++)
			if (strcasecmp(classes[i].name, s->text) == 0 && strcmp(s->text, "other") != 0)
				mask |= classes[i].mask;
		if (!mask) {
			type = op_element_type(c, o, s);
			mask = type >= 0 ? 1u << type : 0;
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
	int before = c->diags->nerror, at_out;

	for_clauses(c, o, "outs", check_reserved);
	for_clauses(c, o, "get", check_reserved);
	for_clauses(c, o, "attr", op_check_attr);
	for_clauses(c, o, "in", op_check_in);
	for_clauses(c, o, "let", op_declare_let);
	if (c->diags->nerror > before)	/* names are missing: what uses them is not wrong */
		return;
	for_clauses(c, o, "attr", op_check_axis);
	for_clauses(c, o, "let", op_check_let);
	op_sort_lets(c, o);
	for_clauses(c, o, "where", check_where);
	for_clauses(c, o, "dtypes", check_dtypes);
	for_clauses(c, o, "cost", check_cost);
	for_clauses(c, o, "onnx", check_onnx);
	at_out = c->diags->nerror;
	for_clauses(c, o, "out", check_out);
	if (c->diags->nerror == at_out)	/* what is wrong with the result's indices is said */
		for_clauses(c, o, "def", op_check_def);
	if (o->is_full && c->diags->nerror == before)
		diag_at(c->diags, D_TOO_LARGE, o->form->at, "an operator has at most %d names, those of its functions' parameters included",
		    NAMES_LIMIT);
	if (c->diags->nerror == before)
		op_check_unused(c, o);
}

/* the clauses that stand once; in and out must */
static bool
has_parts(struct check *c, const struct sexp *form)
{
	static const char *const once[] = {"in", "out", "dtypes", "def", "cost", "onnx"};
	const struct sexp *s, *first;
	bool ok = true;
	size_t i;

	for (i = 0; i < sizeof once / sizeof *once; i++) {
		first = NULL;
		for (s = form->kid; s; s = s->next) {
			if (is_clause(s, once[i]) && first) {
				diag_at(c->diags, D_DUPLICATE, s->at, "an operator has one (%s …)", once[i]);
				diag_note(c->diags, first->at, "here");
				ok = false;
			} else if (is_clause(s, once[i]) || (i == 1 && is_clause(s, "outs")))
				first = s;
		}
		if (!first && i < 2) {
			diag_at(c->diags, D_BAD_FORM, form->kid->next->at, "an operator has one (%s …)", once[i]);
			ok = false;
		}
	}
	return ok;
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

		if (first < TN_CORE) {
			diag_at(c->diags, D_RESERVED, name->at, "every program has an operator '%s' of its own kind", name->text);
			return;
		}
		diag_at(c->diags, D_DUPLICATE, name->at, "operator '%s' is declared already", name->text);
		if (first < c->op.n && c->op.at[first].at.to)
			diag_note(c->diags, c->op.at[first].at, "here");
		return;
	}
	if (c->op.n > OPS_LIMIT) {
		diag_at(c->diags, D_TOO_LARGE, name->at, "a program has at most %d operators", OPS_LIMIT);
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
