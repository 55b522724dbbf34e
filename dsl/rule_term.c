/* Patterns and results: operands by order, those left out filled in. */
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
term_same_node(const struct tn_term *a, const struct tn_term *b)
{
	int i;

	if (a->kind != b->kind || a->var != b->var || a->op != b->op || a->capture != b->capture || a->nkid != b->nkid ||
	    a->nbind != b->nbind || !number_equal(a->num, b->num))
		return false;
	for (i = 0; i < a->nbind; i++)
		if (a->bind[i].attr != b->bind[i].attr || !expr_equal(a->bind[i].x, b->bind[i].x))
			return false;
	return true;
}

bool
term_equal(const struct tn_term *a, const struct tn_term *b)
{
	int i;

	if (a == b)
		return true;
	if (!term_same_node(a, b))
		return false;
	for (i = 0; i < a->nkid; i++)
		if (!term_equal(a->kid[i], b->kid[i]))
			return false;
	return true;
}

/* ---- variables ---------------------------------------------------------------------------------------------- */

bool
rule_grow(struct check *c, struct rule_scope *r, uint32_t by, struct tn_span at)
{
	r->size += by;
	if (r->size <= RULE_SIZE)
		return true;
	if (r->size - by <= RULE_SIZE)
		diag_at(c->diags, D_TOO_LARGE, at, "the rule has more than %d terms and items when its lets are written out", RULE_SIZE);
	return false;
}

const struct tn_term *
rule_let_term(struct check *c, struct rule_scope *r, struct let_form *let, const struct sexp *at)
{
	size_t index = (size_t)(let - r->let.at);
	uint32_t size = r->size, nany = r->nany;
	int map = r->map;
	bool has_element = r->has_element, has_before = r->has_before;
	const struct tn_term *t;

	let->is_used = true;
	if (let->state == LET_DONE && let->has_any && !r->is_left) {
		diag_at(c->diags, D_UNBOUND_VARIABLE, at->at, "'?%s' holds a '_' that matches anything, so it cannot be built",
		    let->name->text);
		return NULL;
	}
	if (let->state == LET_DONE)
		return rule_grow(c, r, let->size, at->at) ? let->term : NULL;
	if (let->state == LET_BROKEN)
		return NULL;
	if (let->state == LET_OPEN) {
		diag_at(c->diags, D_CYCLIC_LET, let->name->at, "'?%s' is defined by itself", let->name->text);
		let->state = LET_BROKEN;
		return NULL;
	}
	let->state = LET_OPEN;
	r->map = MAP_NONE;
	r->has_element = r->has_before = false;
	t = rule_term(c, r, let->body);
	r->map = map;
	r->has_element = has_element;
	r->has_before = has_before;
	let = &r->let.at[index];
	if (!t || let->state == LET_BROKEN) {
		let->state = LET_BROKEN;
		return NULL;
	}
	let->state = LET_DONE;
	if (t->kind == TN_T_OP)
		((struct tn_term *)t)->is_let = true;	/* ours still */
	let->term = t;
	let->size = r->size - size;
	let->has_any = r->nany != nany;
	return t;
}

/* ?_ */
static const struct tn_term *
wild_term(struct check *c, struct rule_scope *r, const struct sexp *s)
{
	if (s->kind == S_TENSOR && r->is_left) {
		r->nany++;
		return new_term(c, TN_T_ANY, s->at);
	}
	diag_at(c->diags, D_UNBOUND_VARIABLE, s->at, r->is_left ? "'%s' stands for no tensor; '?_' matches any" : "'%s' has no value",
	    rule_spelling(c, s));
	return NULL;
}

/* $m of a let, as a tensor that holds it */
static const struct tn_term *
let_value_term(struct check *c, struct rule_scope *r, const struct sexp *s)
{
	const struct tn_x *x;
	struct tn_term *t;

	if (r->is_left) {
		diag_at(c->diags, D_BAD_FORM, s->at, "a computed value is no pattern for a tensor");
		diag_hint(c->diags, s->at, "bind a name of its own here and compare it with '$%s' in a guard", s->text);
		return NULL;
	}
	x = expr_check(c, &r->s, s, TN_S_REAL);
	if (!x)
		return NULL;
	t = new_term(c, TN_T_ATTR, s->at);
	t->var = x->var;
	return t;
}

/* ?xs in a map stands for the elements of ?xs... where that is bound, or where the map has no other sequence */
static bool
is_element(struct rule_scope *r, const struct sexp *s, const struct sexp *all)
{
	if (r->map == MAP_NONE || s->kind != S_TENSOR || rule_scope_find(r, s) >= 0)
		return false;
	return rule_scope_find(r, all) >= 0 || (r->is_left && r->map == MAP_ALL);
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
	struct sexp all = *s;
	struct tn_term *t;
	int var;

	if (is_wild(s))
		return wild_term(c, r, s);
	if (let)
		return s->kind == S_TENSOR ? rule_let_term(c, r, let, s) : let_value_term(c, r, s);
	if (s->kind == S_SEQ && r->is_siblings && r->is_left && r->map == MAP_NONE) {
		diag_at(c->diags, D_SIBLINGS, s->at, "a let is one for all siblings, and '?%s...' is one sibling's", s->text);
		return NULL;
	}
	all.kind = S_SEQ;
	if (is_element(r, s, &all))
		s = &all;
	var = rule_scope_find(r, s);
	if (var < 0 && !r->is_left) {
		rule_unbound(c, r, s);
		return NULL;
	}
	if (var < 0)
		var = rule_scope_add(r, s, how[s->kind].var, how[s->kind].sort, -1);
	r->use.at[var].n++;	/* even a $u that stands here alone says something: that there is one value */
	if (s->kind == S_VALUE && r->var.at[var].sort > TN_S_REAL) {
		diag_at(c->diags, D_SORT, s->at, "'$%s' is %s and cannot be a tensor's value", s->text,
		    sort_text((enum tn_sort)r->var.at[var].sort));
		return NULL;
	}
	t = new_term(c, how[s->kind].term, s->at);
	t->var = (int16_t)var;
	return t;
}

/* ---- lists of operands ------------------------------------------------------------------------------------------ */

static bool
has_sequence(const struct sexp *s)
{
	const struct sexp *k;

	for (k = s->kid; k; k = k->next)
		if (k->kind == S_SEQ || has_sequence(k))
			return true;
	return false;
}

/* a sequence that stands in the term, or -1 */
static int
sequence_in(const struct tn_term *t)
{
	int i, var = t->kind == TN_T_REST ? t->var : -1;

	for (i = 0; i < t->nkid && var < 0; i++)
		var = sequence_in(t->kid[i]);
	return var;
}

/* (f ?xs...)...: the operand once for each element */
static const struct tn_term *
map_term(struct check *c, struct rule_scope *r, const struct sexp *s)
{
	int outer = r->map;
	const struct tn_term *kid;
	struct tn_term *t;

	if (s->kind != S_LIST || outer != MAP_NONE) {
		diag_at(c->diags, D_BAD_FORM, s->at, "'...' follows the name of a sequence, ?xs..., or a term of its elements, (f ?xs...)...");
		return NULL;
	}
	r->map = has_sequence(s) ? MAP_NAMED : MAP_ALL;
	r->has_element = !r->is_left;
	kid = rule_term(c, r, s);
	r->has_element = false;
	r->map = outer;
	if (!kid)
		return NULL;
	t = new_term(c, TN_T_MAP, s->at);
	t->var = (int16_t)sequence_in(kid);
	t->nkid = 1;
	t->kid = arena_dup(c->arena, &kid, sizeof kid);
	if (t->var >= 0)
		return t;
	diag_at(c->diags, D_BAD_FORM, s->at, "there is no sequence in it to go over");
	return NULL;
}

/* may operand n be a list: a variadic one, on the left nothing after it */
static bool
check_list(struct check *c, const struct rule_scope *r, const struct tn_op *op, const struct sexp *s, int n, bool is_last)
{
	if (!op->nin || !op->in[op->nin - 1].is_variadic) {
		diag_at(c->diags, D_ARITY, s->at, "'%s' takes no list of operands", op->name);
		rule_note_op(c, op);
		return false;
	}
	if (n < op->nin - 1) {
		diag_at(c->diags, D_ARITY, s->at, "operand %d of '%s' is one tensor, not a list", n + 1, op->name);
		rule_note_op(c, op);
		return false;
	}
	if (r->is_left && !is_last)
		diag_at(c->diags, D_BAD_FORM, s->at, "a list takes all operands that are left; none can follow it");
	return !r->is_left || is_last;
}

static bool
is_operand(const struct sexp *s)
{
	return s && s->kind != S_KEY && s->kind != S_REST;
}

/* operand n at *s, which moves to the next; NULL: said */
static const struct tn_term *
operand(struct check *c, struct rule_scope *r, const struct tn_op *op, const struct sexp **s, int n)
{
	const struct sexp *at = *s;
	bool is_map = at->next && at->next->kind == S_DOTS, is_list = is_map || (at->kind == S_SEQ && r->map == MAP_NONE);

	*s = is_map ? at->next->next : at->next;
	if (!rule_grow(c, r, 1, at->at))
		return NULL;
	if (is_list && !check_list(c, r, op, at, n, !is_operand(*s)))
		return NULL;
	return is_map ? map_term(c, r, at) : at->kind == S_SEQ ? variable_term(c, r, at) : rule_term(c, r, at);
}

/* ---- operands ------------------------------------------------------------------------------------------------------ */

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

/* "2 or 3 operands" */
static const char *
arity_text(struct check *c, const struct tn_op *op, int least, bool is_variadic)
{
	int most = op->nin;

	if (is_variadic)
		return arena_printf(c->arena, "%d or more operands", least);
	if (least == most)
		return arena_printf(c->arena, "%d operand%s", most, most == 1 ? "" : "s");
	return arena_printf(c->arena, "%d %s %d operands", least, most == least + 1 ? "or" : "to", most);
}

/* operands up to the first attribute; *rest is what follows; false: said */
static bool
check_operands(struct check *c, struct rule_scope *r, const struct sexp *form, struct tn_term *t, const struct sexp **rest)
{
	const struct tn_op *op = &c->op.at[t->op];
	const struct tn_term **kid = arena_news(c->arena, (size_t)form->nkid + (size_t)op->nin, const struct tn_term *);
	bool ok = true, is_variadic = op->nin && op->in[op->nin - 1].is_variadic;
	const struct sexp *s = form->kid->next;
	struct tn_term *init;
	int n = 0, least;

	while (is_operand(s)) {
		kid[n] = operand(c, r, op, &s, n);
		ok &= kid[n++] != NULL;
	}
	*rest = s;
	if (!ok)
		return false;
	for (least = 0; least < op->nin && !op->in[least].has_default; least++)
		;
	if (n < least || (!is_variadic && n > op->nin)) {
		diag_at(c->diags, D_ARITY, form->at, "'%s' takes %s, not %d", op->name, arity_text(c, op, least, is_variadic), n);
		rule_note_op(c, op);
		return false;
	}
	for (; n < op->nin; n++) {
		init = new_term(c, TN_T_NUM, form->at);
		init->num = op->in[n].init;
		kid[n] = init;
	}
	t->nkid = (uint16_t)n;
	t->kid = kid;
	return true;
}

/* ---- operators ------------------------------------------------------------------------------------------------------- */

static void
unknown_operator(struct check *c, const struct sexp *head)
{
	const char **names = arena_news(c->arena, c->op.n, const char *), *near;
	uint32_t i, n = 0;

	if (strcmp(head->text, "get") == 0) {
		diag_at(c->diags, D_RESERVED, head->at, "'get' is reserved for operators with several results");
		return;
	}
	for (i = 0; i < c->op.n; i++)
		if (i < TN_INPUT || i >= TN_CORE)
			names[n++] = c->op.at[i].name;
	near = nearest_name(head->text, names, (int)n);
	diag_at(c->diags, D_UNKNOWN_OPERATOR, head->at, "there is no operator '%s'", head->text);
	if (near)
		diag_hint(c->diags, head->at, "did you mean '%s'?", near);
}

/* the operator a term names, or -1: said (or said before, where it was declared wrongly) */
static int
find_op(struct check *c, const struct sexp *head)
{
	const uint32_t *i = map_get(&c->op_named, head->text, strlen(head->text));

	if (!i)
		unknown_operator(c, head);
	else if (*i >= TN_INPUT && *i < TN_CORE)
		diag_at(c->diags, D_RESERVED, head->at, "'%s' stands for what a graph holds and has no place in a rule", head->text);
	return !i || *i == UINT32_MAX || (*i >= TN_INPUT && *i < TN_CORE) ? -1 : (int)*i;
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
	if (!check_operands(c, r, form, t, &rest) || !rule_attributes(c, r, form, rest, t))
		return NULL;
	return r->is_left || check_settled(c, t) ? t : NULL;
}

static const struct tn_term *
any_term(struct check *c, struct rule_scope *r, const struct sexp *s)
{
	struct tn_term *t;

	switch (s->kind) {
	case S_LIST:
		return operator_term(c, r, s);
	case S_TENSOR:
	case S_VALUE:
		return variable_term(c, r, s);
	case S_NUMBER:
		t = new_term(c, TN_T_NUM, s->at);
		t->num = s->num;
		return t;
	case S_SEQ:
		diag_at(c->diags, D_BAD_FORM, s->at, "'?%s...' stands among the operands of a variadic operator", s->text);
		return NULL;
	default:
		diag_at(c->diags, D_BAD_FORM, s->at, "a term is wanted here: ?x, a number or (OPERATOR …)");
		return NULL;
	}
}

const struct tn_term *
rule_term(struct check *c, struct rule_scope *r, const struct sexp *s)
{
	const struct tn_term *t = expr_enter(c, s->at) ? any_term(c, r, s) : NULL;

	expr_leave(c);
	return t;
}
