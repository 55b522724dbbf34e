/* Expressions of shape functions as C: extents, lists of extents, conditions of three values. */
#include "gen/shape.h"

#include <string.h>

#include "base/num.h"

#define LONG 56			/* characters above which an expression gets a name */

static const char *
decline(struct shape *s)
{
	s->is_declined = true;
	return "0";
}

/* The text, or a variable that has its value if it is long. */
static const char *
brief(struct shape *s, const char *type, const char *text)
{
	const char *name;

	if (strlen(text) <= LONG)
		return text;
	name = name_new(&s->names, "t");
	shape_stmt(s, arena_printf(s->arena, "%s %s = %s;", type, name, text));
	return name;
}

static const char *
call(struct shape *s, const char *fn, const char *a, const char *b)
{
	s->uses_ctx = true;
	return brief(s, "tn_dim", arena_printf(s->arena, "%s(ctx, %s, %s)", fn, a, b));
}

static const char *
let_of(struct shape *s, int var)
{
	for (int i = 0; i < s->op->nlet; i++)
		if (s->op->let[i].var == var) {
			const struct tn_x *x = s->op->let[i].x;
			const char *text = x->sort == TN_S_LIST ? shape_list(s, x) : shape_dim(s, x);
			const char *name = name_new(&s->names, s->op->var[var].name);

			shape_stmt(s, arena_printf(s->arena, "%s %s = %s;", x->sort == TN_S_LIST ? "struct tn_dims" :
				"tn_dim", name, text));
			return name;
		}
	return decline(s);
}

static const char *
attr_of(struct shape *s, const struct tn_var *v)
{
	const struct tn_attr_decl *a = &s->op->attr[v->attr];
	const char *name, *text;

	if (a->kind == TN_K_FLOAT || a->kind == TN_K_STRING)
		return decline(s);
	name = name_new(&s->names, v->name);
	if (v->kind == TN_V_ELEM)
		text = arena_printf(s->arena, "tn_infer_elem(infer, %d, %d)", v->attr, v->elem);
	else
		text = arena_printf(s->arena, "tn_infer_%s(infer, %d)", v->sort == TN_S_LIST ? "list" : "attr", v->attr);
	shape_stmt(s, arena_printf(s->arena, "%s %s = %s;", v->sort == TN_S_LIST ? "struct tn_dims" : "tn_dim", name,
		text));
	return name;
}

const char *
shape_var(struct shape *s, int var)
{
	const struct tn_var *v = &s->op->var[var];

	if (v->kind == TN_V_STAR)
		return s->star ? s->star : decline(s);
	if (!s->value[var] && v->kind == TN_V_LET)
		s->value[var] = let_of(s, var);
	else if (!s->value[var] && (v->kind == TN_V_ATTR || v->kind == TN_V_ELEM))
		s->value[var] = attr_of(s, v);
	return s->value[var] ? s->value[var] : decline(s);
}

/* (sum [xs] e): a loop over the operands. */
static const char *
total(struct shape *s, const struct tn_x *x)
{
	const struct tn_operand *in = &s->op->in[x->var];
	const char *sum = name_new(&s->names, "sum"), *term, *saved = s->star;
	int star = -1;
	size_t start;

	for (int j = 0; j < in->nitem; j++)
		if (s->op->var[in->item[j].var].kind == TN_V_STAR)
			star = in->item[j].var;
	if (star < 0)
		return decline(s);
	shape_stmt(s, arena_printf(s->arena, "tn_dim %s = 0;", sum));
	start = s->text.n;
	s->star = arena_printf(s->arena, "tn_type_get(ctx, infer->in[i])->dim[%s]", s->place[star]);
	term = shape_dim(s, x->kid[0]);
	s->star = saved;
	if (s->text.n != start)
		return decline(s);	/* statements of its own would need a block */
	shape_stmt(s, arena_printf(s->arena, "for (int i = %d; i < infer->nin; i++)", x->var));
	buf_printf(&s->text, "\t\t%s = tn_dim_add(ctx, %s, %s);\n", sum, sum, term);
	s->uses_ctx = true;
	return sum;
}

/* The function's text where it works on two extents. */
static const char *
pair_fn(int fn)
{
	switch (fn) {
	case TN_F_ADD: return "tn_dim_add";
	case TN_F_SUB: return "tn_dim_sub";
	case TN_F_MUL: return "tn_dim_mul";
	case TN_F_FLOORDIV: return "tn_dim_div";
	case TN_F_MOD: return "tn_dim_mod";
	case TN_F_EXACTDIV: return "tn_dim_exactdiv";
	case TN_F_CEILDIV: return "tn_dim_ceildiv";
	case TN_F_MAX: return "tn_dim_max";
	case TN_F_MIN: return "tn_dim_min";
	case TN_F_EQ: return "tn_dim_eq";
	case TN_F_NE: return "tn_dim_ne";
	case TN_F_LT: return "tn_dim_lt";
	case TN_F_LE: return "tn_dim_le";
	case TN_F_GT: return "tn_dim_gt";
	case TN_F_GE: return "tn_dim_ge";
	case TN_F_DIVIDES: return "tn_dim_divides";
	default: return NULL;
	}
}

static const char *
dim_call(struct shape *s, const struct tn_x *x)
{
	const char *fn = pair_fn(x->fn), *all;

	switch (x->fn) {
	case TN_F_PRODUCT:
		s->uses_ctx = true;
		return brief(s, "tn_dim", arena_printf(s->arena, "tn_dims_product(ctx, %s)", shape_list(s, x->kid[0])));
	case TN_F_LENGTH:
		return brief(s, "tn_dim", arena_printf(s->arena, "tn_dims_length(%s)", shape_list(s, x->kid[0])));
	case TN_F_AT:
		all = shape_list(s, x->kid[0]);
		return brief(s, "tn_dim", arena_printf(s->arena, "tn_dims_at(%s, %s)", all, shape_dim(s, x->kid[1])));
	case TN_F_IF:
		all = shape_cond(s, x->kid[0]);
		all = arena_printf(s->arena, "%s, %s", all, shape_dim(s, x->kid[1]));
		return brief(s, "tn_dim", arena_printf(s->arena, "tn_dim_if(%s, %s)", all, shape_dim(s, x->kid[2])));
	case TN_F_NEG:
		return call(s, "tn_dim_sub", "0", shape_dim(s, x->kid[0]));
	case TN_F_ABS:
		all = brief(s, "tn_dim", shape_dim(s, x->kid[0]));
		return call(s, "tn_dim_max", all, call(s, "tn_dim_sub", "0", all));
	default:
		break;
	}
	if (!fn)
		return decline(s);
	all = shape_dim(s, x->kid[0]);
	if (x->nkid == 1 && x->fn == TN_F_SUB)
		return call(s, fn, "0", all);
	for (int i = 1; i < x->nkid; i++)
		all = call(s, fn, all, shape_dim(s, x->kid[i]));
	return all;
}

/* A let is a parameter of a fn or a name: a variable of its own. */
static const char *
let_body(struct shape *s, const struct tn_x *x, const char *(*body)(struct shape *, const struct tn_x *))
{
	const char *saved = s->value[x->var], *text;
	bool is_list = x->kid[0]->sort == TN_S_LIST;

	if (!is_list && x->kid[0]->sort != TN_S_INT)
		return decline(s);
	text = is_list ? shape_list(s, x->kid[0]) : shape_dim(s, x->kid[0]);
	s->value[x->var] = name_new(&s->names, s->op->var[x->var].name);
	shape_stmt(s, arena_printf(s->arena, "%s %s = %s;", is_list ? "struct tn_dims" : "tn_dim", s->value[x->var],
		text));
	text = body(s, x->kid[1]);
	s->value[x->var] = saved;
	return text;
}

const char *
shape_dim(struct shape *s, const struct tn_x *x)
{
	if (s->is_declined)
		return "0";
	switch (x->kind) {
	case TN_X_NUM:
		if (!number_is_int(x->num) || x->num.exp10 != 0)
			return decline(s);
		return arena_printf(s->arena, "%lld", (long long)x->num.num);
	case TN_X_TEXT:
		return x->sort == TN_S_STRING ? decline(s) : arena_printf(s->arena, "%lld", (long long)x->num.num);
	case TN_X_VAR: case TN_X_EXTENT:
		return x->sort == TN_S_REAL ? decline(s) : shape_var(s, x->var);
	case TN_X_CALL:
		return dim_call(s, x);
	case TN_X_LET:
		return let_body(s, x, shape_dim);
	case TN_X_TOTAL:
		return total(s, x);
	default:
		return decline(s);
	}
}

static const char *
list_call(struct shape *s, const struct tn_x *x)
{
	const char *fn = pair_fn(x->fn), *all;
	const char *type = "struct tn_dims";

	if (x->fn == TN_F_ONES)
		return brief(s, type, arena_printf(s->arena, "tn_dims_ones(%s)", shape_list(s, x->kid[0])));
	if (x->fn == TN_F_PERMUTE || x->fn == TN_F_UNPERMUTE) {
		all = shape_list(s, x->kid[0]);
		return brief(s, type, arena_printf(s->arena, "tn_dims_%s(%s, %s)", x->fn == TN_F_PERMUTE ? "permute" :
			"unpermute", all, shape_list(s, x->kid[1])));
	}
	if (x->fn == TN_F_RANGE) {
		all = x->nkid == 2 ? shape_dim(s, x->kid[0]) : "0";
		return brief(s, type, arena_printf(s->arena, "tn_dims_range(%s, %s)", all, shape_dim(s, x->kid[x->nkid - 1])));
	}
	if (!fn || x->nkid < 2)
		return decline(s);
	s->uses_ctx = true;
	all = shape_list(s, x->kid[0]);
	for (int i = 1; i < x->nkid; i++)
		all = brief(s, type, arena_printf(s->arena, "tn_dims_map(ctx, %s, %s, %s)", fn, all,
			shape_list(s, x->kid[i])));
	return all;
}

const char *
shape_list(struct shape *s, const struct tn_x *x)
{
	const char *all = NULL, *one;

	if (s->is_declined)
		return "0";
	if (x->sort != TN_S_LIST)
		return brief(s, "struct tn_dims", arena_printf(s->arena, "tn_dims_each(%s)", shape_dim(s, x)));
	switch (x->kind) {
	case TN_X_VAR: case TN_X_EXTENT:
		one = shape_var(s, x->var);
		if (s->length[x->var])
			return arena_printf(s->arena, "tn_dims_of(%s, %s)", s->length[x->var], one);
		return one;
	case TN_X_CALL:
		return list_call(s, x);
	case TN_X_LET:
		return let_body(s, x, shape_list);
	case TN_X_LIST:
		for (int i = 0; i < x->nkid; i++) {
			one = x->kid[i]->sort == TN_S_LIST ? shape_list(s, x->kid[i]) :
				arena_printf(s->arena, "tn_dims_one(%s)", shape_dim(s, x->kid[i]));
			all = all ? brief(s, "struct tn_dims", arena_printf(s->arena, "tn_dims_join(%s, %s)", all, one)) : one;
		}
		return all ? all : "tn_dims_of(0, NULL)";
	default:
		return decline(s);
	}
}

/* A chain (< a b c) holds if each pair does; of lists, if each pair of elements does. */
static const char *
compare(struct shape *s, const struct tn_x *x)
{
	const char **kid = arena_news(s->arena, x->nkid, const char *), *all = NULL, *one;
	bool is_list = false;

	for (int i = 0; i < x->nkid; i++)
		is_list |= x->kid[i]->sort == TN_S_LIST;
	for (int i = 0; i < x->nkid; i++)
		if (x->kid[i]->sort == TN_S_REAL || x->kid[i]->sort == TN_S_STRING)
			return decline(s);
		else
			kid[i] = is_list ? shape_list(s, x->kid[i]) : shape_dim(s, x->kid[i]);
	s->uses_ctx = true;
	for (int i = 0; i + 1 < x->nkid; i++) {
		one = is_list ? arena_printf(s->arena, "tn_dims_all(ctx, %s, %s, %s)", pair_fn(x->fn), kid[i], kid[i + 1]) :
			arena_printf(s->arena, "%s(ctx, %s, %s)", pair_fn(x->fn), kid[i], kid[i + 1]);
		one = brief(s, "enum tn_tri", one);
		all = all ? arena_printf(s->arena, "tn_tri_and(%s, %s)", all, one) : one;
		all = brief(s, "enum tn_tri", all);
	}
	return all;
}

const char *
shape_cond(struct shape *s, const struct tn_x *x)
{
	const char *all, *b, *c;

	if (s->is_declined)
		return "0";
	if (x->kind == TN_X_VAR && x->sort == TN_S_BOOL)
		return arena_printf(s->arena, "tn_tri_of(%s != 0)", shape_var(s, x->var));
	if (x->kind == TN_X_LET)
		return let_body(s, x, shape_cond);
	if ((x->kind == TN_X_NUM || x->kind == TN_X_TEXT) && x->sort == TN_S_BOOL)
		return x->num.num ? "TN_TRUE" : "TN_FALSE";
	if (x->kind != TN_X_CALL)
		return decline(s);
	switch (x->fn) {
	case TN_F_AND: case TN_F_OR:
		all = shape_cond(s, x->kid[0]);
		for (int i = 1; i < x->nkid; i++)
			all = brief(s, "enum tn_tri", arena_printf(s->arena, "tn_tri_%s(%s, %s)", x->fn == TN_F_AND ? "and" :
				"or", all, shape_cond(s, x->kid[i])));
		return all;
	case TN_F_NOT:
		return arena_printf(s->arena, "tn_tri_not(%s)", shape_cond(s, x->kid[0]));
	case TN_F_PERMUTATION:
		return arena_printf(s->arena, "tn_dims_is_permutation(%s)", shape_list(s, x->kid[0]));
	case TN_F_BROADCASTS:
		all = shape_list(s, x->kid[0]);
		b = shape_list(s, x->kid[1]);
		c = shape_list(s, x->kid[2]);
		s->uses_ctx = true;
		return brief(s, "enum tn_tri", arena_printf(s->arena, "tn_dims_broadcasts(ctx, %s, %s, %s)", all, b, c));
	default:
		return pair_fn(x->fn) ? compare(s, x) : decline(s);
	}
}
