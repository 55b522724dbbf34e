/* Expressions of rules as calls on values; see func.h. */
#include "gen/func.h"

#include <string.h>

#include "base/num.h"

void
func_begin(struct func *f, const struct gen *g, const struct plan *p, bool in_apply)
{
	/* names that generated functions and what stands before them have taken */
	static const char *const taken[] = {"search", "ops", "enums", "devices", "ap", "root", "v"};

	*f = (struct func){.g = g, .p = p, .body.no_lines = g->options->no_lines, .depth = 1, .in_apply = in_apply};
	f->names.arena = g->arena;
	for (size_t i = 0; i < (in_apply ? 7 : 4); i++)
		vec_push(&f->names.used, taken[i]);
	f->name = arena_news(g->arena, (size_t)p->rule->nvar, const char *);
	f->count = arena_news(g->arena, (size_t)p->rule->nvar, const char *);
}

void
func_end(struct func *f)
{
	emit_free(&f->body);
	names_free(&f->names);
	vec_free(&f->made);
	vec_free(&f->sum);
}

const char *
func_name(struct func *f, const char *stem)
{
	/* those of tables of operators, and of joins (join.c) */
	static const char *const prefix[] = {NAME_PREFIXES, "columns", "parts_", "join"};
	const char *name = name_spell(f->g->arena, stem);

	for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++)
		if (strncmp(name, prefix[i], strlen(prefix[i])) == 0)
			return name_new(&f->names, arena_printf(f->g->arena, "v_%s", name));
	return name_new(&f->names, stem);
}

const char *
func_var(struct func *f, int var)
{
	if (!f->name[var])
		f->name[var] = func_name(f, f->p->rule->var[var].name);
	return f->name[var];
}

/* ---- values ---------------------------------------------------------------------------------------- */

/* "{a, b}" of the operands' values. */
static const char *
values_text(struct func *f, const struct tn_x *x)
{
	struct arena *a = f->g->arena;
	const char *text = "";

	for (int i = 0; i < x->nkid; i++)
		text = arena_printf(a, "%s%s%s", text, i ? ", " : "", func_value(f, x->kid[i]));
	return text;
}

/* A let's value, computed where it is first used. */
static const char *
let_text(struct func *f, int var)
{
	const char *value, *name;

	if (f->name[var])
		return f->name[var];
	value = func_value(f, f->p->rule->var[var].x);
	name = func_var(f, var);
	emit_line(&f->body, f->depth, "const struct tn_v %s = %s;", name, value);
	return name;
}

/* A variable that a condition (= LIST [..h $i]) binds: what it stands for in the list. */
static const char *
bound_text(struct func *f, int var, const struct tn_x *binder, int item)
{
	struct arena *a = f->g->arena;
	const char *list = func_value(f, binder->kid[0]);

	if (f->p->rule->var[var].kind == TN_R_SEQ)
		return arena_printf(a, "tn_v_items(%s, %d, %d)", list, item, binder->kid[1]->nkid - item - 1);
	return arena_printf(a, "tn_v_call2(search, TN_F_AT, %s, tn_v_int(%d))", list, item);
}

static const char *
var_text(struct func *f, int var)
{
	const struct tn_x *binder;
	int item;

	if (f->p->rule->var[var].kind == TN_R_LET)
		return let_text(f, var);
	binder = plan_binder(f->p, var, &item);
	if (binder)
		return bound_text(f, var, binder, item);
	return arena_printf(f->g->arena, "tn_v_attr(search, %s)", func_var(f, var));
}

/* Is a let's term constant?  If all variables in it are. */
static const char *
constant_term(struct func *f, const struct tn_term *t)
{
	struct arena *a = f->g->arena;
	struct terms all = {0};
	const char *text = NULL, *one;

	terms_add(&all, t);
	for (uint32_t i = 0; i < all.list.n; i++) {
		t = all.list.at[i];
		if (t->kind != TN_T_VAR && t->kind != TN_T_REST)
			continue;
		if (f->p->rule->var[t->var].kind == TN_R_TENSORS) {
			one = apply_sequence(f, t->var);
			one = arena_printf(a, "tn_v_constants(search, %s, %s)", one, f->count[t->var]);
		} else
			one = arena_printf(a, "tn_v_constant(search, %s)", func_var(f, t->var));
		text = text ? arena_printf(a, "tn_v_call2(search, TN_F_AND, %s, %s)", text, one) : one;
	}
	terms_free(&all);
	return text ? text : "tn_v_code(TN_VV_BOOL, TN_TRUE)";
}

/* dim, shape, rank, dtype, constant */
static const char *
tensor_call(struct func *f, const struct tn_x *x)
{
	struct arena *a = f->g->arena;
	const char *ask = f->in_apply ? "tn_a_" : "tn_v_", *of = f->in_apply ? "ap" : "search";
	int var = x->kid[0]->var;
	const char *tensor, *i;

	if (x->fn == TN_F_CONSTANT && f->p->slot[var] == SLOT_NONE)
		return constant_term(f, f->p->rule->var[var].term);
	tensor = func_tensor(f, var);
	switch (x->fn) {
	case TN_F_DIM:
		i = func_value(f, x->kid[1]);
		return arena_printf(a, "%sdim(%s, %s, %s)", ask, of, tensor, i);
	case TN_F_SHAPE:
		return arena_printf(a, "%sshape(%s, %s)", ask, of, tensor);
	case TN_F_RANK:
		return arena_printf(a, "%srank(%s, %s)", ask, of, tensor);
	case TN_F_CONSTANT:
		return arena_printf(a, "tn_v_constant(search, %s)", tensor);
	default:
		return arena_printf(a, "%sdtype(%s, %s)", ask, of, tensor);
	}
}

static const char *
call_text(struct func *f, const struct tn_x *x)
{
	static const char *const fn[] = {
#define X(name, text, least, most, group) [TN_F_##name] = #name,
		TN_FNS(X)
#undef X
	};
	struct arena *a = f->g->arena;
	const char *values;

	if (x->fn == TN_F_DIM || x->fn == TN_F_SHAPE || x->fn == TN_F_RANK || x->fn == TN_F_CONSTANT || x->fn == TN_F_DTYPE_OF)
		return tensor_call(f, x);
	if (x->fn == TN_F_NE && x->kid[0]->sort == TN_S_TENSOR)
		return arena_printf(a, "tn_v_distinct(search, %s, %s)", func_var(f, x->kid[0]->var), func_var(f, x->kid[1]->var));
	values = values_text(f, x);
	if (x->nkid <= 3)
		return arena_printf(a, "tn_v_call%d(search, TN_F_%s, %s)", x->nkid, fn[x->fn], values);
	return arena_printf(a, "tn_v_call(search, TN_F_%s, %d, (const struct tn_v[]){%s})", fn[x->fn], x->nkid, values);
}

static const char *
constant_text(struct func *f, const struct tn_x *x)
{
	struct arena *a = f->g->arena;
	long long n = (long long)x->num.num;

	if (x->kind == TN_X_TEXT && x->sort == TN_S_STRING)
		return arena_printf(a, "tn_v_string(%s)", gen_string(a, x->text));
	switch (x->sort) {
	case TN_S_BOOL:
		return arena_printf(a, "tn_v_code(TN_VV_BOOL, %s)", n ? "TN_TRUE" : "TN_FALSE");
	case TN_S_DTYPE:
		return arena_printf(a, "tn_v_code(TN_VV_DTYPE, %s)", gen_code(f->g, x));
	case TN_S_ENUM:
		return arena_printf(a, "tn_v_code(TN_VV_ENUM, %s)", gen_code(f->g, x));
	default:
		if (x->num.den == 1 && x->num.exp10 == 0 && n >= INT32_MIN && n <= INT32_MAX)
			return arena_printf(a, "tn_v_int(%lld)", n);
		return arena_printf(a, "tn_v_num(%s)", gen_number(a, x->num));
	}
}

bool
func_same(const struct tn_x *a, const struct tn_x *b)
{
	if (a->kind != b->kind || a->sort != b->sort || a->fn != b->fn || a->var != b->var || a->nkid != b->nkid ||
	    !number_equal(a->num, b->num) || (a->kind == TN_X_TEXT && strcmp(a->text, b->text) != 0))
		return false;
	for (int i = 0; i < a->nkid; i++)
		if (!func_same(a->kid[i], b->kid[i]))
			return false;
	return true;
}

const char *
func_sum(const struct func *f, const struct tn_x *x)
{
	for (uint32_t i = 0; i < f->sum.n; i++)
		if (func_same(f->sum.at[i].x, x))
			return f->sum.at[i].name;
	return NULL;
}

const char *
func_value(struct func *f, const struct tn_x *x)
{
	struct arena *a = f->g->arena;

	switch (x->kind) {
	case TN_X_BEFORE:
		return func_sum(f, x);
	case TN_X_VAR:
		return var_text(f, x->var);
	case TN_X_CALL:
		return call_text(f, x);
	case TN_X_LIST:
		if (x->nkid == 0)
			return "tn_v_list(search, 0, NULL)";
		return arena_printf(a, "tn_v_list(search, %d, (const struct tn_v[]){%s})", x->nkid, values_text(f, x));
	default:
		return constant_text(f, x);
	}
}

/* ---- conditions ------------------------------------------------------------------------------------- */

/* (= LIST [..h $i 1]) where the condition binds some of the items: the length, and the other items. */
static const char *
binding_text(struct func *f, const struct tn_x *x)
{
	struct arena *a = f->g->arena;
	const char *list = func_value(f, x->kid[0]), *text;
	const struct tn_x *items = x->kid[1];
	int run = plan_run(items), n = run < items->nkid ? items->nkid - 1 : items->nkid, at;

	text = arena_printf(a, "tn_v_has(%s, %d, %s)", list, n, run < items->nkid ? "true" : "false");
	for (int j = 0; j < items->nkid; j++) {
		const struct tn_x *item = items->kid[j];
		const char *is;

		if (item->kind == TN_X_ANY || (item->kind == TN_X_VAR && plan_binder(f->p, item->var, &at) == x))
			continue;
		if (j == run)
			is = arena_printf(a, "tn_v_items(%s, %d, %d)", list, j, items->nkid - j - 1);
		else
			is = arena_printf(a, "tn_v_call2(search, TN_F_AT, %s, tn_v_int(%d))", list, j > run ? j - items->nkid : j);
		text = arena_printf(a, "%s && tn_v_holds(tn_v_call2(search, TN_F_EQ, %s, %s))", text, is, func_value(f, item));
	}
	return text;
}

const char *
func_condition(struct func *f, const struct tn_x *x)
{
	int item;

	if (x->kind == TN_X_CALL && x->fn == TN_F_EQ && x->nkid == 2 && x->kid[1]->kind == TN_X_LIST)
		for (int i = 0; i < x->kid[1]->nkid; i++) {
			const struct tn_x *kid = x->kid[1]->kid[i];

			if (kid->kind == TN_X_ANY || (kid->kind == TN_X_VAR && f->p->rule->var[kid->var].kind != TN_R_LET &&
			    plan_binder(f->p, kid->var, &item) == x))
				return binding_text(f, x);
		}
	return arena_printf(f->g->arena, "tn_v_holds(%s)", func_value(f, x));
}
