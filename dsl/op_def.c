/* Definitions: reads, reductions, picks, activations by attribute, lets; index notation over a result element. */
#include <string.h>

#include "dsl/op_scope.h"

static const struct tn_x *
node(struct check *c, enum tn_xkind kind, enum tn_sort sort, struct tn_span at, int var, int nkid, const struct tn_x *const kid[])
{
	struct tn_x *x = expr_new(c, kind, sort, at);

	x->var = (int16_t)var;
	x->nkid = (uint16_t)nkid;
	x->kid = expr_kids(c, nkid, kid);
	return x;
}

/* is the value a whole number, made of what integer operands hold? */
static bool
is_whole(const struct op_scope *o, const struct tn_x *x)
{
	int type, i;

	if (x->sort == TN_S_INT)
		return true;
	if (x->kind == TN_X_READ) {
		type = o->in.at[x->var].type;
		return type >= TN_I8 && type <= TN_U64;
	}
	if (x->kind != TN_X_CALL || (x->fn != TN_F_ADD && x->fn != TN_F_SUB && x->fn != TN_F_MUL && x->fn != TN_F_NEG &&
	    x->fn != TN_F_MAX && x->fn != TN_F_MIN))
		return false;
	for (i = 0; i < x->nkid; i++)
		if (!is_whole(o, x->kid[i]))
			return false;
	return true;
}

/* the read as a condition where its operand holds booleans */
static const struct tn_x *
as_condition(struct check *c, const struct tn_x *r)
{
	const struct tn_x *kid[2] = {r, expr_int(c, 0, r->at)};

	return expr_call(c, TN_F_NE, TN_S_BOOL, r->at, 2, kid);
}

/* (x i j …): as many indices as the operand has axes, as far as that can be told here */
static const struct tn_x *
read(struct check *c, struct op_scope *o, const struct sexp *call, int operand)
{
	const struct tn_x **kid = arena_news(c->arena, (size_t)call->nkid, const struct tn_x *);
	const struct tn_operand *in = &o->in.at[operand];
	const struct tn_x *r;
	const struct sexp *arg;
	bool has_seq = false, ok = true;
	int n = 0, i;

	if (in->is_variadic && o->picked != operand) {
		diag_at(c->diags, D_BAD_FORM, call->at, "one of several operands is read inside (pick [%s] …)", in->name);
		return NULL;
	}
	for (arg = call->kid->next; arg; arg = arg->next) {
		kid[n] = expr_check(c, &o->s, arg, -1);
		if (kid[n] && kid[n]->sort != TN_S_LIST && !is_whole(o, kid[n])) {
			diag_at(c->diags, D_SORT, arg->at, "found %s where an index is wanted", sort_text((enum tn_sort)kid[n]->sort));
			ok = false;
		}
		ok &= kid[n] != NULL;
		has_seq |= kid[n] && kid[n]->sort == TN_S_LIST;
		n++;
	}
	if (!ok)
		return NULL;
	for (i = 0; i < in->nitem; i++)
		has_seq |= in->item[i].is_seq;
	if (!has_seq && n != in->nitem) {
		diag_at(c->diags, D_ARITY, call->at, "'%s' has %d ax%s, not %d", in->name, in->nitem, in->nitem == 1 ? "is" : "es", n);
		return NULL;
	}
	r = node(c, TN_X_READ, TN_S_REAL, call->at, operand, n, kid);
	return in->type == TN_BOOL ? as_condition(c, r) : r;
}

/* [k], [..d], [(r kh)]: one iterator; its variable, and its extent or NULL; -1: said */
static int
iterator(struct check *c, struct op_scope *o, const struct sexp *s, const struct tn_x **extent, bool *is_new)
{
	int var;

	*extent = NULL;
	*is_new = false;
	if (s->kind == S_LIST && s->nkid == 2 && s->kid->kind == S_NAME) {
		*extent = expr_check(c, &o->s, s->kid->next, TN_S_INT);
		*is_new = true;
		return *extent ? o->s.bind(&o->s, c, s->kid, TN_V_ITER, TN_S_INT) : -1;
	}
	if (s->kind != S_NAME && s->kind != S_REST) {
		diag_at(c->diags, D_BAD_FORM, s->at, "an iterator is a dim, or a name with an extent: (r kh)");
		return -1;
	}
	var = op_scope_find(o, s->text, s->kind == S_REST);
	if (var < 0 || (o->var.at[var].kind != TN_V_DIM && o->var.at[var].kind != TN_V_LET)) {
		if (var < 0)
			op_scope_unknown(c, o, s);
		else {
			diag_at(c->diags, D_SORT, s->at, "'%s' is no dim", s->text);
			diag_hint(c->diags, s->at, "an iterator with an extent: (i %s)", s->text);
		}
		return -1;
	}
	if (o->is_bound.at[var]) {
		diag_at(c->diags, D_DUPLICATE, s->at, "'%s' runs already", s->text);
		diag_hint(c->diags, s->at, "a second index over the same extent: (%s2 #%s)", s->text, s->text);
		return -1;
	}
	o->is_bound.at[var] = true;
	return var;
}

enum { ITERATORS = 8 };

/* (sum [k (r kh) …] e) */
static const struct tn_x *
reduction(struct check *c, struct op_scope *o, const struct sexp *call, enum tn_fn fn)
{
	const struct sexp *list = call->kid->next, *s;
	const struct tn_x *kid[1 + ITERATORS] = {NULL};
	bool is_new[ITERATORS];
	int16_t iter[ITERATORS];
	struct tn_x *x = NULL;
	int n = 0, var;
	bool ok = true;

	if (list->nkid > ITERATORS) {
		diag_at(c->diags, D_TOO_LARGE, list->at, "a reduction has at most %d iterators", ITERATORS);
		diag_hint(c->diags, list->at, "a reduction may stand in another: (sum [i] (sum [j] e))");
		return NULL;
	}
	if (call->nkid != 3 || !list->nkid) {
		diag_at(c->diags, D_BAD_FORM, call->at, "a reduction has iterators and one body: (sum [k] e)");
		return NULL;
	}
	for (s = list->kid; ok && s; s = s->next) {
		var = iterator(c, o, s, &kid[1 + n], &is_new[n]);
		ok = var >= 0;
		if (ok)
			iter[n++] = (int16_t)var;
	}
	kid[0] = ok ? expr_check(c, &o->s, list->next, TN_S_REAL) : NULL;
	if (kid[0]) {
		x = expr_new(c, TN_X_REDUCE, TN_S_REAL, call->at);
		x->fn = (uint8_t)fn;
		x->niter = (uint8_t)n;
		x->iter = arena_dup(c->arena, iter, (size_t)n * sizeof *iter);
		x->nkid = (uint16_t)(1 + n);
		x->kid = expr_kids(c, 1 + n, kid);
	}
	while (n-- > 0) {
		if (is_new[n])
			o->s.unbind(&o->s, iter[n]);
		else
			o->is_bound.at[iter[n]] = false;
	}
	return x;
}

/* [xs]: the variadic operand it names, or -1 */
static int
variadic_operand(struct check *c, const struct op_scope *o, const struct sexp *list)
{
	int operand = -1;

	if (list && list->kind == S_BRACKET && list->nkid == 1 && list->kid->kind == S_NAME)
		operand = op_scope_operand(o, list->kid->text);
	if (operand >= 0 && o->in.at[operand].is_variadic)
		return operand;
	diag_at(c->diags, D_BAD_FORM, list ? list->at : o->form->at, "[xs] names a variadic operand here");
	return -1;
}

/* dims of its own of a variadic operand mean something only while one of them is looked at */
static void
show_stars(struct op_scope *o, bool is_bound)
{
	uint32_t i;

	for (i = 0; i < o->var.n; i++)
		if (o->var.at[i].kind == TN_V_STAR)
			o->is_bound.at[i] = is_bound;
}

/* (pick [xs] e) in def, (sum [xs] e) in let */
static const struct tn_x *
over_operands(struct check *c, struct op_scope *o, const struct sexp *call, enum tn_xkind kind)
{
	int operand = variadic_operand(c, o, call->kid->next);
	const struct tn_x *body;

	if (operand < 0)
		return NULL;
	if (call->nkid != 3 || o->picked >= 0) {
		diag_at(c->diags, D_BAD_FORM, call->at, o->picked >= 0 ? "sums and picks of operands do not stand inside each other"
		    : "(%s [xs] e) has one body", call->kid->text);
		return NULL;
	}
	o->picked = operand;
	show_stars(o, true);
	body = expr_check(c, &o->s, call->kid->next->next, kind == TN_X_PICK ? TN_S_REAL : TN_S_INT);
	show_stars(o, false);
	o->picked = -1;
	return body ? node(c, kind, (enum tn_sort)body->sort, call->at, operand, 1, &body) : NULL;
}

/* (before d*) */
static const struct tn_x *
before(struct check *c, struct op_scope *o, const struct sexp *call)
{
	const struct sexp *star = call->kid->next;
	int var = star && star->kind == S_NAME ? op_scope_find(o, star->text, false) : -1;

	if (call->nkid != 2 || var < 0 || o->var.at[var].kind != TN_V_STAR || o->picked < 0) {
		diag_at(c->diags, D_BAD_FORM, call->at, "(before d*) names a dim of the picked operand");
		return NULL;
	}
	return node(c, TN_X_BEFORE, TN_S_INT, call->at, var, 0, NULL);
}

/* (inside (x …)) */
static const struct tn_x *
inside(struct check *c, struct op_scope *o, const struct sexp *call)
{
	const struct tn_x *r = call->nkid == 2 ? expr_check(c, &o->s, call->kid->next, -1) : NULL;

	if (r && r->kind == TN_X_CALL && r->kid[0]->kind == TN_X_READ)	/* of booleans */
		r = r->kid[0];
	if (call->nkid != 2 || (r && r->kind != TN_X_READ)) {
		diag_at(c->diags, D_BAD_FORM, call->at, "(inside (x …)) asks about one read");
		return NULL;
	}
	return r ? node(c, TN_X_INSIDE, TN_S_INT, call->at, -1, 1, &r) : NULL;
}

/* (act e): the function that the attribute's value names, e computed once before */
static const struct tn_x *
by_attribute(struct check *c, struct op_scope *o, const struct sexp *list, int attr)
{
	const struct tn_enum *e = o->attr.at[o->var.at[attr].attr].enums;
	const struct tn_x **arm = arena_news(c->arena, (size_t)e->nvalue, const struct tn_x *), *kid[2];
	struct sexp operand = {.kind = S_NAME, .text = ".operand", .at = list->at};
	struct sexp head = *list->kid, once = *list;
	bool ok = true;
	int i, var;

	if (list->nkid != 2) {
		diag_at(c->diags, D_ARITY, list->at, "'%s' names functions of one argument", list->kid->text);
		return NULL;
	}
	kid[0] = expr_check(c, &o->s, list->kid->next, TN_S_REAL);
	if (!kid[0])
		return NULL;
	var = o->s.bind(&o->s, c, &operand, TN_V_VALUE, TN_S_REAL);
	head.next = &operand;
	once.kid = &head;
	o->s.call = NULL;	/* a value is the name of a function, whatever else is called so here */
	for (i = 0; i < e->nvalue && ok; i++) {
		head.text = e->value[i];
		arm[i] = expr_check(c, &o->s, &once, TN_S_REAL);
		ok = arm[i] != NULL;
	}
	o->s.call = op_call;
	o->s.unbind(&o->s, var);
	if (!ok)
		return NULL;
	kid[1] = node(c, TN_X_SWITCH, TN_S_REAL, list->at, attr, e->nvalue, arm);
	return node(c, TN_X_LET, TN_S_REAL, list->at, var, 2, kid);
}

const struct tn_x *
op_call(struct scope *s, struct check *c, const struct sexp *list, bool *is_mine)
{
	struct op_scope *o = (struct op_scope *)s;
	const char *head = list->kid->text;
	const struct sexp *first = list->kid->next;
	int i;

	*is_mine = c->fn_limit == UINT32_MAX;	/* a function sees nothing of the operator that calls it */
	if (!*is_mine)
		return NULL;
	if (strcmp(head, "sum") == 0 && first && first->kind == S_BRACKET)
		return o->is_def ? reduction(c, o, list, TN_F_ADD) : over_operands(c, o, list, TN_X_TOTAL);
	if (o->is_def) {
		if ((strcmp(head, "max") == 0 || strcmp(head, "min") == 0) && first && first->kind == S_BRACKET)
			return reduction(c, o, list, head[1] == 'a' ? TN_F_MAX : TN_F_MIN);
		if (strcmp(head, "pick") == 0)
			return over_operands(c, o, list, TN_X_PICK);
		if (strcmp(head, "before") == 0)
			return before(c, o, list);
		if (strcmp(head, "inside") == 0)
			return inside(c, o, list);
		i = op_scope_operand(o, head);
		if (i >= 0)
			return read(c, o, list, i);
		i = op_scope_find(o, head, false);
		if (i >= 0 && o->var.at[i].kind == TN_V_ATTR && o->var.at[i].sort == TN_S_ENUM)
			return by_attribute(c, o, list, i);
	}
	*is_mine = false;
	return NULL;
}

/* the element; of a boolean result a condition will do */
static const struct tn_x *
value_of_def(struct check *c, struct op_scope *o, const struct sexp *s)
{
	const struct tn_x *x = expr_check(c, &o->s, s, o->op.out_type == TN_BOOL ? -1 : TN_S_REAL), *kid[3];

	if (!x || x->sort <= TN_S_REAL)
		return x;
	if (x->sort != TN_S_BOOL) {
		diag_at(c->diags, D_SORT, x->at, "found %s where a condition is wanted", sort_text((enum tn_sort)x->sort));
		return NULL;
	}
	kid[0] = x;
	kid[1] = expr_int(c, 1, x->at);
	kid[2] = expr_int(c, 0, x->at);
	return expr_call(c, TN_F_IF, TN_S_INT, x->at, 3, kid);
}

/* (let v E) … E, nested */
static const struct tn_x *
body(struct check *c, struct op_scope *o, const struct sexp *s)
{
	const struct tn_x *value, *rest = NULL;
	int var;

	if (!s->next)
		return value_of_def(c, o, s);
	if (s->kind != S_LIST || s->nkid != 3 || s->kid->kind != S_NAME || strcmp(s->kid->text, "let") != 0 ||
	    s->kid->next->kind != S_NAME) {
		diag_at(c->diags, D_BAD_FORM, s->at, "before the definition's value stand only lets: (let v E)");
		return NULL;
	}
	value = expr_check(c, &o->s, s->kid->next->next, TN_S_REAL);
	if (!value)
		return NULL;
	var = o->s.bind(&o->s, c, s->kid->next, TN_V_VALUE, TN_S_REAL);
	if (expr_enter(c, s->at))
		rest = body(c, o, s->next);
	expr_leave(c);
	return rest ? node(c, TN_X_LET, TN_S_REAL, s->at, var, 2, (const struct tn_x *const[]){value, rest}) : NULL;
}

void
op_check_def(struct check *c, struct op_scope *o, const struct sexp *clause)
{
	uint32_t i;

	if (clause->nkid < 2) {
		diag_at(c->diags, D_BAD_FORM, clause->at, "a definition has a value: (def E)");
		return;
	}
	o->is_def = o->s.has_reals = true;
	for (i = 0; i < o->out.n; i++)
		o->is_bound.at[o->out.at[i]] = true;
	o->op.def = body(c, o, clause->kid->next);
	if (o->op.def && !op_check_reads(c, o, o->op.def))
		o->op.def = NULL;
	o->is_def = o->s.has_reals = false;
}

bool
check_fn_body(struct check *c, const struct sexp *form)
{
	const struct sexp *params = form->kid->next->next, *p;
	const struct tn_x *x = NULL;
	struct op_scope o;
	bool ok = true;

	op_scope_begin(&o, form);
	o.is_def = o.s.has_reals = true;
	for (p = params->kid; p; p = p->next) {
		if (op_scope_find(&o, p->text, false) >= 0) {
			diag_at(c->diags, D_DUPLICATE, p->at, "the name '%s' is taken", p->text);
			ok = false;
		}
		o.s.bind(&o.s, c, p, TN_V_VALUE, TN_S_REAL);
	}
	if (ok)
		x = expr_check(c, &o.s, params->next, TN_S_REAL);
	op_scope_free(&o);
	return x != NULL;
}

/* ---- reads that may be outside ------------------------------------------------------------------- */

/* is this index surely inside the operand's axes that it stands for? */
static bool
surely_inside(const struct tn_x *index, const struct tn_item *item, const struct tn_x *reduce)
{
	int i;

	if (index->kind == TN_X_VAR && index->var == item->var)
		return true;
	/* an iterator whose extent is the axis's own: (e #d) over d */
	for (i = 0; index->kind == TN_X_VAR && reduce && i < reduce->niter; i++)
		if (reduce->iter[i] == index->var && reduce->kid[1 + i] && reduce->kid[1 + i]->kind == TN_X_EXTENT)
			return reduce->kid[1 + i]->var == item->var;
	return false;
}

/* functions of lists whose result lies inside by what they are */
static bool
is_inside_list(const struct tn_x *x)
{
	return x->kind == TN_X_CALL && (x->fn == TN_F_UNPERMUTE || x->fn == TN_F_PERMUTE || x->fn == TN_F_UNFLATTEN ||
	    x->fn == TN_F_BROADCAST);
}

/* the reductions around a node, innermost first */
struct around {
	const struct tn_x *reduce;
	const struct around *outer;
};

static bool
may_be_outside(const struct op_scope *o, const struct tn_x *r, const struct around *around)
{
	const struct tn_operand *in = &o->in.at[r->var];
	const struct around *a;
	bool inside;
	int i;

	if (r->nkid == 1 && is_inside_list(r->kid[0]))
		return false;
	if (r->nkid != in->nitem)
		return true;
	for (i = 0; i < r->nkid; i++) {
		inside = surely_inside(r->kid[i], &in->item[i], NULL);
		for (a = around; !inside && a; a = a->outer)
			inside = surely_inside(r->kid[i], &in->item[i], a->reduce);
		if (!inside)
			return true;
	}
	return false;
}

/* is_linear: leaving the read out, or taking it as 0, means what the language says */
static bool
reads_hold(struct check *c, const struct op_scope *o, const struct tn_x *x, bool is_linear, const struct around *around)
{
	struct around here = {x, around};
	bool ok = true;
	int i;

	switch (x->kind) {
	case TN_X_READ:
		if (is_linear || !may_be_outside(o, x, around))
			return true;
		diag_at(c->diags, D_OUTSIDE_READ, x->at, "this read may be outside '%s', under a function that would see it",
		    o->in.at[x->var].name);
		diag_hint(c->diags, x->at, "such a read may be a term or factor of a sum, stand directly in max or min, or alone");
		return false;
	case TN_X_INSIDE:
		return true;
	case TN_X_REDUCE:
		return reads_hold(c, o, x->kid[0], x->fn == TN_F_ADD || x->kid[0]->kind == TN_X_READ, &here);
	case TN_X_LET:
		return reads_hold(c, o, x->kid[0], false, around) && reads_hold(c, o, x->kid[1], is_linear, around);
	case TN_X_PICK:
		return reads_hold(c, o, x->kid[0], true, around);
	case TN_X_CALL:
		for (i = 0; ok && i < x->nkid; i++) {
			bool passes = x->fn == TN_F_ADD || x->fn == TN_F_SUB || x->fn == TN_F_NEG || x->fn == TN_F_MUL ||
			    (x->fn == TN_F_DIVR && i == 0) || (x->fn == TN_F_IF && i > 0);

			ok = reads_hold(c, o, x->kid[i], is_linear && passes, around);
		}
		return ok;
	default:
		for (i = 0; ok && i < x->nkid; i++)
			ok = reads_hold(c, o, x->kid[i], is_linear && x->kind == TN_X_SWITCH, around);
		return ok;
	}
}

bool
op_check_reads(struct check *c, const struct op_scope *o, const struct tn_x *def)
{
	return reads_hold(c, o, def, true, NULL);
}
