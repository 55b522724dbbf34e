/*
 * Expressions: sorts, arity, functions; over a scope that says what names mean.
 *
 * Sorts: arithmetic on integers stays whole, with one real operand it is real, with one list it goes
 * element by element.  `/` is real.  A comparison gives a condition and may be chained.
 */
#include <limits.h>
#include <string.h>

#include "base/dtype.h"
#include "dsl/check.h"

enum group { ARITH, REAL, CMP, LOGIC, SEQ, TENSOR };

static const struct function {
	const char *name;
	int least, most;
	enum group group;
} functions[TN_NFNS] = {
#define X(id, text, least, most, group) [TN_F_##id] = {text, least, most, group},
	TN_FNS(X)
#undef X
};

/* operands and result of functions whose sorts are fixed: I number, L list, B condition, T tensor, D dtype */
static const struct {
	enum tn_fn fn;
	const char *operands;
	char result;
} fixed[] = {
	{TN_F_DIVIDES, "II", 'B'}, {TN_F_ONES, "L", 'L'}, {TN_F_PERMUTE, "LL", 'L'}, {TN_F_UNPERMUTE, "LL", 'L'},
	{TN_F_PERMUTATION, "L", 'B'}, {TN_F_FLATTEN, "LL", 'I'}, {TN_F_UNFLATTEN, "IL", 'L'}, {TN_F_BROADCAST, "LLL", 'L'},
	{TN_F_BROADCASTS, "LLL", 'B'}, {TN_F_PRODUCT, "L", 'I'}, {TN_F_RANGE, "II", 'L'}, {TN_F_LENGTH, "L", 'I'},
	{TN_F_AT, "LI", 'I'}, {TN_F_DIM, "TI", 'I'}, {TN_F_SHAPE, "T", 'L'}, {TN_F_RANK, "T", 'I'},
	{TN_F_CONSTANT, "T", 'B'}, {TN_F_DTYPE_OF, "T", 'D'},
};

const char *
sort_text(enum tn_sort sort)
{
	static const char *const text[] = {
		[TN_S_INT] = "an integer", [TN_S_REAL] = "a number", [TN_S_BOOL] = "a condition", [TN_S_LIST] = "a list",
		[TN_S_STRING] = "a string", [TN_S_DTYPE] = "an element type", [TN_S_ENUM] = "a value of an enum",
		[TN_S_TENSOR] = "a tensor",
	};

	return text[sort];
}

enum {
	DEPTH = 600,		/* what one level takes of the stack is below a KiB */
	NODES = 1 << 14,	/* a form gets from functions: each can double what it calls */
};

void
expr_too_large(struct check *c, struct tn_span at)
{
	diag_at(c->diags, D_TOO_LARGE, at, "with all functions written out this is too large");
	c->size = UINT32_MAX;
}

bool
expr_enter(struct check *c, struct tn_span at)
{
	c->depth++;
	if (c->size == UINT32_MAX)	/* said */
		return false;
	if (c->depth <= DEPTH && c->size <= NODES)
		return true;
	if (c->depth <= DEPTH) {
		expr_too_large(c, at);
		return false;
	}
	diag_at(c->diags, D_TOO_DEEP, at, "with all functions written out this is more than %d calls deep", DEPTH);
	c->size = UINT32_MAX;
	return false;
}

void
expr_leave(struct check *c)
{
	c->depth--;
}

struct tn_x *
expr_new(struct check *c, enum tn_xkind kind, enum tn_sort sort, struct tn_span at)
{
	struct tn_x *x = arena_new(c->arena, struct tn_x);

	c->size += c->fn_limit != UINT32_MAX && c->size != UINT32_MAX;
	x->kind = (uint8_t)kind;
	x->sort = (uint8_t)sort;
	x->var = -1;
	x->at = at;
	return x;
}

const struct tn_x *const *
expr_kids(struct check *c, int n, const struct tn_x *const kid[])
{
	return arena_dup(c->arena, kid, (size_t)n * sizeof *kid);
}

const struct tn_x *
expr_int(struct check *c, int64_t i, struct tn_span at)
{
	struct tn_x *x = expr_new(c, TN_X_NUM, TN_S_INT, at);

	x->num = (struct tn_number){i, 1, 0};
	return x;
}

const struct tn_x *
expr_call(struct check *c, enum tn_fn fn, enum tn_sort sort, struct tn_span at, int n, const struct tn_x *const kid[])
{
	struct tn_x *x = expr_new(c, TN_X_CALL, sort, at);

	x->fn = (uint8_t)fn;
	x->nkid = (uint16_t)n;
	x->kid = expr_kids(c, n, kid);
	return x;
}

static bool
same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

bool
expr_equal(const struct tn_x *a, const struct tn_x *b)
{
	int i;

	if (!a || !b || a->kind != b->kind || a->sort != b->sort || a->fn != b->fn || a->var != b->var || a->nkid != b->nkid ||
	    a->niter != b->niter || !number_equal(a->num, b->num) || !same_text(a->text, b->text))
		return a == b;
	for (i = 0; i < a->niter; i++)
		if (a->iter[i] != b->iter[i])
			return false;
	for (i = 0; i < a->nkid; i++)
		if (!expr_equal(a->kid[i], b->kid[i]))
			return false;
	return true;
}

const struct tn_x *
expr_constant(struct check *c, const struct sexp *atom)
{
	enum tn_dtype type = dtype_named(atom->text);
	struct tn_x *x;

	if (strcmp(atom->text, "true") == 0 || strcmp(atom->text, "false") == 0) {
		x = expr_new(c, TN_X_NUM, TN_S_BOOL, atom->at);
		x->num = (struct tn_number){atom->text[0] == 't', 1, 0};
		return x;
	}
	if (type == TN_UNTYPED)
		return NULL;
	x = expr_new(c, TN_X_TEXT, TN_S_DTYPE, atom->at);
	x->text = dtype_name(type);
	x->num = (struct tn_number){type, 1, 0};
	return x;
}

/* x if it may stand where `want` is wanted */
static const struct tn_x *
fit(struct check *c, const struct tn_x *x, int want)
{
	if (!x || want < 0 || x->sort == want || (want == TN_S_REAL && x->sort == TN_S_INT))
		return x;
	diag_at(c->diags, D_SORT, x->at, "found %s where %s is wanted", sort_text((enum tn_sort)x->sort), sort_text((enum tn_sort)want));
	return NULL;
}

const struct fn_form *
fn_named(struct check *c, const char *name)
{
	const uint32_t *i = map_get(&c->fn_named, name, strlen(name));

	return i && *i < c->fn.n ? &c->fn.at[*i] : NULL;	/* it is known by name inside its own body */
}

static void
unknown_function(struct check *c, const struct sexp *head)
{
	const char *names[TN_NFNS + 64], *near;
	int n = 0, i;

	if (map_get(&c->fn_named, head->text, strlen(head->text))) {
		diag_at(c->diags, D_UNKNOWN_FUNCTION, head->at, "the function '%s' has no meaning here", head->text);
		diag_hint(c->diags, head->at, c->fn_limit == UINT32_MAX ? "functions are for element values, inside def"
		    : "a function uses only those before it");
		return;
	}

	for (i = 0; i < TN_NFNS; i++)
		names[n++] = functions[i].name;
	for (i = 0; i < (int)c->fn.n && n < TN_NFNS + 64; i++)
		names[n++] = c->fn.at[i].name;
	near = nearest_name(head->text, names, n);
	diag_at(c->diags, D_UNKNOWN_FUNCTION, head->at, "there is no function '%s'", head->text);
	if (strcmp(head->text, "let") == 0)
		diag_hint(c->diags, head->at, "a let stands before the definition's value: (def (let v E) VALUE)");
	else if (near)
		diag_hint(c->diags, head->at, "did you mean '%s'?", near);
}

/* a function's parameter list and body, bound around: (let v arg body) for each parameter */
const struct tn_x *
expr_inline(struct check *c, struct scope *s, const struct fn_form *fn, const struct sexp *call)
{
	const struct sexp *params = fn->form->kid->next->next, *p, *arg = call->kid->next;
	const struct tn_x *value[PARAMETERS], *body;
	int var[PARAMETERS], n = 0, i;
	int floor = s->floor;
	uint32_t outer;
	struct tn_x *let;

	if (params->nkid != call->nkid - 1) {
		diag_at(c->diags, D_ARITY, call->at, "'%s' takes %d argument%s, not %d", fn->name, params->nkid,
		    params->nkid == 1 ? "" : "s", call->nkid - 1);
		diag_note(c->diags, fn->form->at, "it is declared here");
		return NULL;
	}
	for (; arg; arg = arg->next)
		if (!(value[n++] = expr_check(c, s, arg, TN_S_REAL)))
			return NULL;
	if (fn->is_broken)
		return NULL;
	for (i = 0, p = params->kid; p; p = p->next)
		var[i++] = s->bind(s, c, p, TN_V_VALUE, TN_S_REAL);
	/* a fn sees only earlier ones, so this ends */
	outer = c->fn_limit;
	c->fn_limit = (uint32_t)fn->file_order;
	s->floor = n ? var[0] : INT_MAX;
	body = expr_check(c, s, params->next, TN_S_REAL);
	s->floor = floor;
	c->fn_limit = outer;
	for (i = n; i-- > 0;) {
		s->unbind(s, var[i]);
		if (!body)
			continue;
		let = expr_new(c, TN_X_LET, (enum tn_sort)body->sort, call->at);
		let->var = (int16_t)var[i];
		let->nkid = 2;
		let->kid = expr_kids(c, 2, (const struct tn_x *const[]){value[i], body});
		body = let;
	}
	return body;
}

/* the sort of an arithmetic call on these, or -1 */
static int
arith_sort(struct check *c, int n, const struct tn_x *const kid[])
{
	const struct tn_x *list = NULL, *real = NULL;
	int i;

	for (i = 0; i < n; i++) {
		if (kid[i]->sort == TN_S_LIST)
			list = kid[i];
		else if (kid[i]->sort == TN_S_REAL)
			real = kid[i];
		else if (kid[i]->sort != TN_S_INT) {
			fit(c, kid[i], TN_S_REAL);
			return -1;
		}
	}
	if (list && real) {
		diag_at(c->diags, D_SORT, real->at, "a list is of integers; this is a number with a fraction");
		return -1;
	}
	return list ? TN_S_LIST : real ? TN_S_REAL : TN_S_INT;
}

static int
letter_sort(char letter)
{
	return letter == 'I' ? TN_S_INT : letter == 'L' ? TN_S_LIST : letter == 'B' ? TN_S_BOOL : 
	    letter == 'T' ? TN_S_TENSOR : TN_S_DTYPE;
}

/* the sort of a call whose operands' sorts are fixed, or -1 */
static int
fixed_sort(struct check *c, enum tn_fn fn, int n, const struct tn_x *const kid[])
{
	unsigned k;
	int i;

	for (k = 0; fixed[k].fn != fn; k++)
		;
	for (i = 0; i < n; i++)
		if (!fit(c, kid[i], letter_sort(fixed[k].operands[i])))
			return -1;
	return letter_sort(fixed[k].result);
}

/* operands of one comparison are all numbers or lists, or all of one other sort */
static int
compare_sort(struct check *c, int n, const struct tn_x *const kid[])
{
	int i;

	if (kid[0]->sort == TN_S_TENSOR) {
		diag_at(c->diags, D_SORT, kid[0]->at, "tensors are compared by (!= ?x ?y) alone, in guards");
		diag_hint(c->diags, kid[0]->at, "a name that is used twice is the same tensor");
		return -1;
	}
	for (i = 1; i < n; i++) {
		bool number0 = kid[0]->sort <= TN_S_REAL || kid[0]->sort == TN_S_LIST;
		bool number = kid[i]->sort <= TN_S_REAL || kid[i]->sort == TN_S_LIST;

		if (number0 != number || (!number && kid[i]->sort != kid[0]->sort)) {
			diag_at(c->diags, D_SORT, kid[i]->at, "found %s, compared with %s", sort_text((enum tn_sort)kid[i]->sort),
			    sort_text((enum tn_sort)kid[0]->sort));
			return -1;
		}
	}
	return TN_S_BOOL;
}

static int
logic_sort(struct check *c, enum tn_fn fn, int n, const struct tn_x *const kid[])
{
	int i;

	for (i = 0; i < (fn == TN_F_IF ? 1 : n); i++)
		if (!fit(c, kid[i], TN_S_BOOL))
			return -1;
	if (fn != TN_F_IF)
		return TN_S_BOOL;
	if (kid[1]->sort == kid[2]->sort)
		return kid[1]->sort;
	return fit(c, kid[1], TN_S_REAL) && fit(c, kid[2], TN_S_REAL) ? TN_S_REAL : -1;
}

static int
call_sort(struct check *c, enum tn_fn fn, int n, const struct tn_x *const kid[])
{
	int i;

	switch (functions[fn].group) {
	case ARITH:
		return arith_sort(c, n, kid);
	case REAL:
		for (i = 0; i < n; i++)
			if (!fit(c, kid[i], TN_S_REAL))
				return -1;
		return TN_S_REAL;
	case CMP:
		return fn == TN_F_DIVIDES || fn == TN_F_PERMUTATION || fn == TN_F_BROADCASTS ?
		    fixed_sort(c, fn, n, kid) : compare_sort(c, n, kid);
	case LOGIC:
		return logic_sort(c, fn, n, kid);
	default:
		return fixed_sort(c, fn, n, kid);
	}
}

/* (f a b …), f one of the language's functions */
static const struct tn_x *
builtin(struct check *c, struct scope *s, const struct sexp *call, enum tn_fn fn)
{
	const struct function *f = &functions[fn];
	const struct tn_x **kid = arena_news(c->arena, (size_t)call->nkid, const struct tn_x *);
	const struct sexp *arg;
	int n = 0, sort;
	bool poisoned = false;

	if (f->group == REAL && fn != TN_F_DIVR && !s->has_reals) {
		diag_at(c->diags, D_SORT, call->at, "'%s' is for element values, inside def", f->name);
		return NULL;
	}
	for (arg = call->kid->next; arg; arg = arg->next)
		poisoned |= !(kid[n++] = expr_check(c, s, arg, -1));
	if (poisoned)
		return NULL;
	if (n < f->least || (f->most >= 0 && n > f->most)) {
		if (f->most == f->least)
			diag_at(c->diags, D_ARITY, call->at, "'%s' takes %d argument%s, not %d", f->name, f->least, f->least == 1 ? "" : "s", n);
		else
			diag_at(c->diags, D_ARITY, call->at, "'%s' takes %d or more arguments, not %d", f->name, f->least, n);
		return NULL;
	}
	sort = call_sort(c, fn, n, kid);
	return sort < 0 ? NULL : expr_call(c, fn, (enum tn_sort)sort, call->at, n, kid);
}

static const struct tn_x *
call(struct check *c, struct scope *s, const struct sexp *list)
{
	const struct sexp *head = list->kid;
	const struct fn_form *fn;
	const struct tn_x *x;
	bool is_mine = false;
	int i;

	if (!head || head->kind != S_NAME) {
		diag_at(c->diags, D_BAD_FORM, list->at, "a call begins with the name of a function");
		return NULL;
	}
	if (s->call) {
		x = s->call(s, c, list, &is_mine);
		if (is_mine)
			return x;	/* cppcheck-suppress returnDanglingLifetime ; x does not point to the flag */
	}
	fn = s->has_reals ? fn_named(c, head->text) : NULL;
	if (fn && (uint32_t)fn->file_order < c->fn_limit)
		return expr_inline(c, s, fn, list);
	for (i = 0; i < TN_NFNS; i++)
		if (strcmp(functions[i].name, head->text) == 0)
			return builtin(c, s, list, (enum tn_fn)i);
	unknown_function(c, head);
	return NULL;
}

/* [ … ]: integers, and lists spliced in */
static const struct tn_x *
bracket(struct check *c, struct scope *s, const struct sexp *list)
{
	const struct tn_x **kid = arena_news(c->arena, (size_t)list->nkid, const struct tn_x *);
	const struct sexp *k;
	struct tn_x *x;
	int n = 0;

	for (k = list->kid; k; k = k->next) {
		kid[n] = expr_check(c, s, k, -1);
		if (!kid[n] || (kid[n]->sort != TN_S_LIST && !fit(c, kid[n], TN_S_INT)))
			return NULL;
		n++;
	}
	x = expr_new(c, TN_X_LIST, TN_S_LIST, list->at);
	x->nkid = (uint16_t)n;
	x->kid = kid;
	return x;
}

/* the expression, of whatever sort */
static const struct tn_x *
any(struct check *c, struct scope *s, const struct sexp *e)
{
	struct tn_x *x;

	switch (e->kind) {
	case S_NUMBER:
		x = expr_new(c, TN_X_NUM, number_is_int(e->num) ? TN_S_INT : TN_S_REAL, e->at);
		x->num = e->num;
		return x;
	case S_STRING:
		x = expr_new(c, TN_X_TEXT, TN_S_STRING, e->at);
		x->text = e->text;
		return x;
	case S_BRACKET:
		return bracket(c, s, e);
	case S_LIST:
		return call(c, s, e);
	default:
		return s->resolve(s, c, e);
	}
}

const struct tn_x *
expr_check(struct check *c, struct scope *s, const struct sexp *e, int want)
{
	const struct tn_x *x = expr_enter(c, e->at) ? any(c, s, e) : NULL;

	expr_leave(c);
	return fit(c, x, want);
}
