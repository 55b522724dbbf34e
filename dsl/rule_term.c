/* Patterns and results: operands by order, attributes by name, what is left out filled in. */
#include <string.h>

#include "dsl/rule_scope.h"

static struct tn_term *
new_term(struct check *c, enum tn_tkind kind, struct tn_span at)
{
	struct tn_term *t = arena_new(c->arena, struct tn_term);

	t->kind = (uint8_t)kind;
	t->var = t->op = t->capture = -1;
	t->at = at;
	return t;
}

bool
term_equal(const struct tn_term *a, const struct tn_term *b)
{
	int i;

	if (a->kind != b->kind || a->var != b->var || a->op != b->op || a->capture != b->capture || a->nkid != b->nkid ||
	    a->nbind != b->nbind || !number_equal(a->num, b->num))
		return false;
	for (i = 0; i < a->nbind; i++)
		if (a->bind[i].attr != b->bind[i].attr || !expr_equal(a->bind[i].x, b->bind[i].x))
			return false;
	for (i = 0; i < a->nkid; i++)
		if (!term_equal(a->kid[i], b->kid[i]))
			return false;
	return true;
}

/* ---- values of attributes ------------------------------------------------------------------------- */

/* $a or ..h where it is bound: $_ is anything */
static const struct tn_x *
bind_value(struct check *c, struct rule_scope *r, const struct sexp *s, enum tn_rvkind kind, enum tn_sort sort)
{
	struct tn_x *x;

	if (strcmp(s->text, "_") == 0)
		return expr_new(c, TN_X_ANY, sort, s->at);
	x = expr_new(c, TN_X_VAR, sort, s->at);
	x->var = (int16_t)rule_scope_add(r, s, kind, sort, -1);
	return x;
}

/* [0 0 $t $l], [..h $i $j]: elements that are bound here, one run at most */
const struct tn_x *
rule_list_pattern(struct check *c, struct rule_scope *r, const struct sexp *list)
{
	const struct tn_x **kid = arena_news(c->arena, (size_t)list->nkid, const struct tn_x *);
	const struct sexp *s;
	struct tn_x *x;
	int n = 0, runs = 0;

	for (s = list->kid; s; s = s->next, n++) {
		bool is_new = (s->kind == S_VALUE || s->kind == S_REST) && rule_scope_find(r, s) < 0 && !rule_scope_let(r, s);

		runs += s->kind == S_REST;
		if (is_new)
			kid[n] = bind_value(c, r, s, s->kind == S_REST ? TN_R_SEQ : TN_R_ATTR, s->kind == S_REST ? TN_S_LIST : TN_S_INT);
		else
			kid[n] = expr_check(c, &r->s, s, s->kind == S_REST ? TN_S_LIST : TN_S_INT);
		if (!kid[n])
			return NULL;
	}
	if (runs > 1) {
		diag_at(c->diags, D_BAD_FORM, list->at, "a list pattern has one run '..h' at most");
		return NULL;
	}
	x = expr_new(c, TN_X_LIST, TN_S_LIST, list->at);
	x->nkid = (uint16_t)n;
	x->kid = kid;
	return x;
}

const struct tn_x *
rule_value(struct check *c, struct rule_scope *r, const struct tn_attr_decl *a, const struct sexp *s)
{
	enum tn_sort sort = kind_sort((enum tn_kind)a->kind);

	if (a->kind == TN_K_ENUM && s->kind == S_NAME)
		return check_enum_value(c, a->enums, s);
	if (r->is_left && s->kind == S_VALUE && (strcmp(s->text, "_") == 0 || (rule_scope_find(r, s) < 0 && !rule_scope_let(r, s))))
		return bind_value(c, r, s, TN_R_ATTR, sort);
	if (r->is_left && s->kind == S_BRACKET && sort == TN_S_LIST)
		return rule_list_pattern(c, r, s);
	if (s->kind == S_BRACKET && a->nelem && s->nkid != a->nelem) {
		diag_at(c->diags, D_ATTRIBUTE_KIND, s->at, "'%s' has %d elements, not %d", a->name, a->nelem, s->nkid);
		return NULL;
	}
	return expr_check(c, &r->s, s, (int)sort);
}

/* does the value name a let? then it is typed when every variable is bound */
static bool
names_let(struct rule_scope *r, const struct sexp *s)
{
	const struct sexp *k;

	if (s->kind == S_VALUE && rule_scope_let(r, s))
		return true;
	for (k = s->kid; k; k = k->next)
		if (names_let(r, k))
			return true;
	return false;
}

/* ---- attributes of a term ---------------------------------------------------------------------------- */

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
	if (near)
		diag_hint(c->diags, key->at, "did you mean ':%s'?", near);
	return -1;
}

/* ..c on the left binds it, or must be the same; on the right pastes it */
static bool
check_capture(struct check *c, struct rule_scope *r, const struct sexp *s, struct tn_term *t)
{
	const struct tn_op *op = &c->op.at[t->op], *from;
	int var = rule_scope_find(r, s), i;

	if (s->at_name || (var >= 0 && r->var.at[var].kind != TN_R_CAPTURE)) {
		diag_at(c->diags, D_CAPTURE, s->at, "'..%s' is a list here, not attributes", s->text);
		return false;
	}
	if (var < 0 && !r->is_left) {
		rule_unbound(c, r, s);
		return false;
	}
	if (var < 0)
		var = rule_scope_add(r, s, TN_R_CAPTURE, TN_S_LIST, t->op);
	else
		r->uses.at[var]++;
	t->capture = (int16_t)var;
	from = &c->op.at[r->var.at[var].op];
	for (i = 0; i < op->nattr && op->nattr == from->nattr; i++)
		if (strcmp(op->attr[i].name, from->attr[i].name) != 0 || op->attr[i].kind != from->attr[i].kind)
			break;
	if (op->nattr == from->nattr && i == op->nattr)
		return true;
	diag_at(c->diags, D_CAPTURE, s->at, "'..%s' holds attributes of '%s', and those of '%s' are others", s->text, from->name, op->name);
	diag_note(c->diags, r->var.at[var].at, "it is bound here");
	return false;
}

/* binds by attribute number: named ones, then defaults where nothing captures the rest */
static bool
fill_binds(struct check *c, struct rule_scope *r, const struct sexp *form, struct tn_term *t, const struct sexp *const named[])
{
	const struct tn_op *op = &c->op.at[t->op];
	struct tn_bind *bind = arena_news(c->arena, (size_t)op->nattr, struct tn_bind);
	const struct tn_x *x;
	bool ok = true;
	int i;

	t->bind = bind;
	for (i = 0; i < op->nattr; i++) {
		if (!named[i] && t->capture >= 0)
			continue;
		bind[t->nbind].attr = (int16_t)i;
		if (named[i] && r->is_left && names_let(r, named[i])) {
			vec_push(&r->deferred, ((struct deferred){&bind[t->nbind++], named[i], &op->attr[i]}));
			continue;
		}
		x = named[i] ? rule_value(c, r, &op->attr[i], named[i]) : op->attr[i].init;
		if (!x && !named[i]) {
			diag_at(c->diags, D_MISSING_ATTRIBUTE, form->at, "'%s' wants ':%s', which has no default", op->name, op->attr[i].name);
			diag_note(c->diags, op->at, "it is declared here");
		}
		ok &= x != NULL;
		bind[t->nbind++].x = x;
	}
	return ok;
}

/* from the first :key or ..c on */
static bool
check_attributes(struct check *c, struct rule_scope *r, const struct sexp *form, const struct sexp *s, struct tn_term *t)
{
	const struct tn_op *op = &c->op.at[t->op];
	const struct sexp **named = arena_news(c->arena, (size_t)op->nattr, const struct sexp *);
	bool ok = true;
	int i;

	for (; s; s = s->next) {
		if (s->kind == S_REST) {
			ok &= check_capture(c, r, s, t);
			continue;
		}
		if (s->kind != S_KEY || !s->next) {
			diag_at(c->diags, D_BAD_FORM, s->at, "after the operands stand attributes: :name VALUE");
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
	return fill_binds(c, r, form, t, named) && ok;
}

/* ---- terms ----------------------------------------------------------------------------------------------- */

/* the operator a term names, or -1: said (or said before, where it was declared wrongly) */
static int
find_op(struct check *c, const struct sexp *head)
{
	const uint32_t *i = map_get(&c->op_named, head->text, strlen(head->text));
	const char **names, *near;
	uint32_t k;

	if (i && (*i == UINT32_MAX || (*i >= TN_INPUT && *i < TN_CORE))) {
		if (*i != UINT32_MAX)
			diag_at(c->diags, D_RESERVED, head->at, "'%s' has no place in a rule", head->text);
		return -1;
	}
	if (i)
		return (int)*i;
	names = arena_news(c->arena, c->op.n, const char *);
	for (k = 0; k < c->op.n; k++)
		names[k] = c->op.at[k].name;
	near = nearest_name(head->text, names, (int)c->op.n);
	diag_at(c->diags, D_UNKNOWN_OPERATOR, head->at, "there is no operator '%s'", head->text);
	if (near)
		diag_hint(c->diags, head->at, "did you mean '%s'?", near);
	return -1;
}

/* a number whose shape no other operand gives stands on the right in vain */
static bool
is_settled(const struct tn_op *op, const struct tn_term *t, int which)
{
	const struct tn_operand *in = &op->in[which];
	int i, k, j;

	for (i = 0; i < in->nitem; i++) {
		bool found = false;

		for (k = 0; k < op->nin && k < t->nkid && !found; k++) {
			if (t->kid[k]->kind == TN_T_NUM || t->kid[k]->kind == TN_T_ATTR)
				continue;
			for (j = 0; j < op->in[k].nitem; j++)
				found |= op->in[k].item[j].var == in->item[i].var;
		}
		if (!found)
			return false;
	}
	return true;
}

static bool
check_settled(struct check *c, const struct tn_term *t)
{
	const struct tn_op *op = &c->op.at[t->op];
	int i;

	for (i = 0; i < t->nkid; i++) {
		int which = i < op->nin ? i : op->nin - 1;

		if ((t->kid[i]->kind != TN_T_NUM && t->kid[i]->kind != TN_T_ATTR) || (!op->in[which].is_variadic && is_settled(op, t, which)))
			continue;
		diag_at(c->diags, D_UNSETTLED_SHAPE, t->kid[i]->at, "nothing settles the shape of this number");
		diag_hint(c->diags, t->kid[i]->at, "write (fill :value … :shape […])");
		return false;
	}
	return true;
}

/* operands up to the first attribute; *rest is what follows; false: said */
static bool
check_operands(struct check *c, struct rule_scope *r, const struct sexp *form, struct tn_term *t, const struct sexp **rest)
{
	const struct tn_op *op = &c->op.at[t->op];
	const struct tn_term **kid = arena_news(c->arena, (size_t)form->nkid + (size_t)op->nin, const struct tn_term *);
	bool ok = true, is_variadic = op->nin && op->in[op->nin - 1].is_variadic;
	const struct sexp *s;
	struct tn_term *map;
	int n = 0, least;

	for (s = form->kid->next; s && s->kind != S_KEY && s->kind != S_REST; s = s->next) {
		bool is_map = s->next && s->next->kind == S_DOTS, was_map = r->is_map;

		r->is_map = is_map;
		kid[n] = rule_term(c, r, s);
		r->is_map = was_map;
		ok &= kid[n] != NULL;
		/* inside a map an operator takes the sequence's elements one by one */
		if (kid[n] && (is_map || (kid[n]->kind == TN_T_REST && !was_map)) && !is_variadic) {
			diag_at(c->diags, D_ARITY, s->at, "'%s' takes no list of operands", op->name);
			ok = false;
		}
		if (kid[n] && is_map) {
			map = new_term(c, TN_T_MAP, s->at);
			map->nkid = 1;
			map->kid = arena_dup(c->arena, &kid[n], sizeof *kid);
			kid[n] = map;
		}
		s = is_map ? s->next : s;
		n++;
	}
	*rest = s;
	for (least = 0; least < op->nin && !op->in[least].has_default; least++)
		;
	if (n < least || (!is_variadic && n > op->nin)) {
		diag_at(c->diags, D_ARITY, form->at, "'%s' takes %d operand%s, not %d", op->name, op->nin, op->nin == 1 ? "" : "s", n);
		if (op->at.to)
			diag_note(c->diags, op->at, "it is declared here");
		return false;
	}
	for (; n < op->nin; n++) {
		struct tn_term *init = new_term(c, TN_T_NUM, form->at);

		init->num = op->in[n].init;
		kid[n] = init;
	}
	t->nkid = (uint16_t)n;
	t->kid = kid;
	return ok;
}

static const struct tn_term *
operator_term(struct check *c, struct rule_scope *r, const struct sexp *form)
{
	const struct sexp *rest = NULL;
	struct tn_term *t;
	int op;

	if (!form->kid || form->kid->kind != S_NAME) {
		diag_at(c->diags, D_BAD_FORM, form->at, "a term begins with the name of an operator");
		return NULL;
	}
	op = find_op(c, form->kid);
	if (op < 0)
		return NULL;
	t = new_term(c, TN_T_OP, form->at);
	t->op = (int16_t)op;
	if (!check_operands(c, r, form, t, &rest) || !check_attributes(c, r, form, rest, t))
		return NULL;
	return r->is_left || check_settled(c, t) ? t : NULL;
}

const struct tn_term *
rule_let_term(struct check *c, struct rule_scope *r, struct let_form *let)
{
	size_t index = (size_t)(let - r->let.at);
	const struct tn_term *t;

	let->is_used = true;
	if (let->state == LET_DONE || let->state == LET_BROKEN)
		return let->term;
	if (let->state == LET_OPEN) {
		diag_at(c->diags, D_CYCLIC_LET, let->name->at, "'?%s' is defined by itself", let->name->text);
		let->state = LET_BROKEN;
		return NULL;
	}
	let->state = LET_OPEN;
	t = rule_term(c, r, let->body);
	let = &r->let.at[index];
	if (let->state == LET_BROKEN)
		return NULL;
	let->state = t ? LET_DONE : LET_BROKEN;
	let->term = t;
	return t;
}

/* ?x, ?xs..., $a where a term stands */
static const struct tn_term *
variable_term(struct check *c, struct rule_scope *r, const struct sexp *s)
{
	static const struct { enum tn_tkind term; enum tn_rvkind var; enum tn_sort sort; } how[] = {
		[S_TENSOR] = {TN_T_VAR, TN_R_TENSOR, TN_S_TENSOR}, [S_SEQ] = {TN_T_REST, TN_R_TENSORS, TN_S_TENSOR},
		[S_VALUE] = {TN_T_ATTR, TN_R_ATTR, TN_S_REAL},
	};
	struct let_form *let = rule_scope_let(r, s);
	const struct tn_x *x;
	struct tn_term *t;
	int var;

	if (strcmp(s->text, "_") == 0) {
		if (s->kind == S_TENSOR && r->is_left)
			return new_term(c, TN_T_ANY, s->at);
		diag_at(c->diags, D_UNBOUND_VARIABLE, s->at, "'%s_' has no value here", s->kind == S_TENSOR ? "?" : "$");
		return NULL;
	}
	if (let && s->kind == S_TENSOR)
		return rule_let_term(c, r, let);
	if (r->is_map && s->kind == S_TENSOR && !r->is_left) {	/* ?xs in (f ?xs)...: its elements */
		struct sexp all = *s;

		all.kind = S_SEQ;
		if (rule_scope_find(r, &all) >= 0)
			return variable_term(c, r, &all);
	}
	t = new_term(c, how[s->kind].term, s->at);
	if (let) {	/* $m of a let, as a tensor that holds it */
		if (r->is_left) {
			diag_at(c->diags, D_BAD_FORM, s->at, "a computed value is no pattern for a tensor; compare it in a guard");
			return NULL;
		}
		x = expr_check(c, &r->s, s, TN_S_REAL);
		if (!x)
			return NULL;
		t->var = x->var;
		return t;
	}
	var = rule_scope_find(r, s);
	if (var < 0 && !r->is_left) {
		rule_unbound(c, r, s);
		return NULL;
	}
	if (var < 0)
		var = rule_scope_add(r, s, how[s->kind].var, how[s->kind].sort, -1);
	else
		r->uses.at[var]++;
	if (s->kind == S_VALUE && r->is_left)
		r->uses.at[var]++;	/* that the tensor has one value is already a use */
	if (s->kind == S_VALUE && r->var.at[var].sort > TN_S_REAL) {
		diag_at(c->diags, D_SORT, s->at, "'$%s' is %s and cannot be a tensor's value", s->text, sort_text((enum tn_sort)r->var.at[var].sort));
		return NULL;
	}
	t->var = (int16_t)var;
	return t;
}

const struct tn_term *
rule_term(struct check *c, struct rule_scope *r, const struct sexp *s)
{
	struct tn_term *t;

	switch (s->kind) {
	case S_LIST:
		return operator_term(c, r, s);
	case S_TENSOR:
	case S_SEQ:
	case S_VALUE:
		return variable_term(c, r, s);
	case S_NUMBER:
		t = new_term(c, TN_T_NUM, s->at);
		t->num = s->num;
		return t;
	default:
		diag_at(c->diags, D_BAD_FORM, s->at, "a term is wanted here: ?x, a number or (OPERATOR …)");
		return NULL;
	}
}
