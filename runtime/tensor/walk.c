/* Shape inference by walking an operator's tree. */
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/num.h"
#include "tensor/infer.h"

enum { MOST_OPERANDS = 64 };	/* of one call or list in an expression */

/* ---- expressions ------------------------------------------------------------------------------------- */

/* (sum [xs] e): e once for each operand of the variadic one, with its own extents */
static struct tn_v
eval_total(struct walk *w, const struct tn_x *x)
{
	struct tn_v sum = calc_int(0), args[2];
	int first = x->var, i, v;

	for (i = first; i < w->s->nin; i++) {
		for (v = 0; v < w->op->nvar; v++)
			if (w->op->var[v].kind == TN_V_STAR)
				w->var[v] = calc_int(w->star[v].list[i - first]);
		args[0] = sum;
		args[1] = walk_eval(w, x->kid[0]);
		sum = calc_call(&w->calc, TN_F_ADD, 2, args);
	}
	return sum;
}

static struct tn_v
eval_kids(struct walk *w, const struct tn_x *x)
{
	struct tn_v few[MOST_OPERANDS], *args = few, r;
	int i;

	if (x->nkid > MOST_OPERANDS)
		args = mem_alloc(x->nkid * sizeof *args);
	for (i = 0; i < x->nkid; i++)
		args[i] = walk_eval(w, x->kid[i]);
	r = x->kind == TN_X_CALL ? calc_call(&w->calc, (enum tn_fn)x->fn, x->nkid, args) : calc_list(&w->calc, x->nkid, args);
	if (args != few)
		mem_free(args);
	return r;
}

static struct tn_v
eval_text(const struct tn_x *x)
{
	if (x->sort == TN_S_STRING)
		return (struct tn_v){.kind = TN_VV_STRING, .u.s = x->text};
	return (struct tn_v){.kind = x->sort == TN_S_DTYPE ? TN_VV_DTYPE : x->sort == TN_S_ENUM ? TN_VV_ENUM : TN_VV_BOOL,
	    .u.i = x->num.num};
}

struct tn_v
walk_eval(struct walk *w, const struct tn_x *x)
{
	struct tn_v v;

	switch (x->kind) {
	case TN_X_NUM:
		return x->sort == TN_S_BOOL ? calc_bool(tn_tri_of(x->num.num != 0)) : calc_number(x->num);
	case TN_X_TEXT:
		return eval_text(x);
	case TN_X_VAR:
	case TN_X_EXTENT:
		return w->var[x->var];
	case TN_X_CALL:
	case TN_X_LIST:
		return eval_kids(w, x);
	case TN_X_LET:
		w->var[x->var] = walk_eval(w, x->kid[0]);
		return walk_eval(w, x->kid[1]);
	case TN_X_SWITCH:
		v = w->var[x->var];
		return v.kind == TN_VV_ENUM && v.u.i >= 0 && v.u.i < x->nkid ? walk_eval(w, x->kid[v.u.i]) : CALC_BAD;
	case TN_X_TOTAL:
		return eval_total(w, x);
	default:
		return CALC_BAD;
	}
}

/* ---- messages ------------------------------------------------------------------------------------------ */

void
infer_put_value(struct buf *b, struct tn_ctx *c, const struct tn_attr_decl *decl, struct tn_v v)
{
	static const enum tn_kind kinds[] = {
		[TN_VV_INT] = TN_K_DIM, [TN_VV_REAL] = TN_K_FLOAT, [TN_VV_BOOL] = TN_K_BOOL, [TN_VV_LIST] = TN_K_DIMS,
		[TN_VV_STRING] = TN_K_STRING, [TN_VV_DTYPE] = TN_K_DTYPE, [TN_VV_ENUM] = TN_K_ENUM,
	};
	tn_val val = v.kind == TN_VV_BAD ? TN_NONE : calc_attr(c, v, decl ? (enum tn_kind)decl->kind : kinds[v.kind], NULL);
	char text[256];

	if (val == TN_NONE) {
		buf_putc(b, '?');
		return;
	}
	if (tn_val_print(c, decl ? decl->enums : NULL, val, text, sizeof text) >= sizeof text)
		strcpy(text + sizeof text - 4, "...");
	buf_puts(b, text);
}

/* append "c 3, groups 1" for the variables of x, each once */
static void
put_found(struct walk *w, const struct tn_x *x, bool *seen, struct buf *b)
{
	const struct tn_var *v;
	int i;

	if (x->kind == TN_X_VAR && !seen[x->var] && w->op->var[x->var].kind != TN_V_VALUE) {
		v = &w->op->var[x->var];
		seen[x->var] = true;
		buf_printf(b, "%s%s%s ", b->n ? ", " : "", v->sort == TN_S_LIST && v->kind != TN_V_ATTR ? ".." : "", v->name);
		infer_put_value(b, w->s->ctx, v->kind == TN_V_ATTR ? &w->op->attr[v->attr] : NULL, w->var[x->var]);
	}
	for (i = 0; i < x->nkid; i++)
		put_found(w, x->kid[i], seen, b);
}

/* the condition as it was written */
static void
put_x(struct buf *b, const struct tn_op *op, const struct tn_x *x)
{
	static const char *const names[TN_NFNS] = {
#define X(name, text, least, most, group) text,
		TN_FNS(X)
#undef X
	};
	const struct tn_var *v = x->var >= 0 && x->var < op->nvar ? &op->var[x->var] : NULL;
	char num[64];
	int i;

	switch (x->kind) {
	case TN_X_NUM:
		number_print(x->num, num);
		buf_puts(b, num);
		return;
	case TN_X_TEXT:
		buf_puts(b, x->text);
		return;
	case TN_X_VAR:
	case TN_X_EXTENT:
		buf_printf(b, "%s%s", v && v->sort == TN_S_LIST && v->kind != TN_V_ATTR ? ".." : "", v ? v->name : "?");
		return;
	case TN_X_LIST:
		buf_putc(b, '[');
		break;
	default:
		buf_printf(b, "(%s", x->kind == TN_X_CALL ? names[x->fn] : "…");
	}
	for (i = 0; i < x->nkid; i++) {
		if (i || x->kind != TN_X_LIST)
			buf_putc(b, ' ');
		put_x(b, op, x->kid[i]);
	}
	buf_putc(b, x->kind == TN_X_LIST ? ']' : ')');
}

/* a `where` that does not hold: its message or text, and what its names are here */
static bool
refuse_where(struct walk *w, const struct tn_where *where, bool is_known)
{
	bool *seen;
	struct buf text = {0}, found = {0};

	if (!w->s->error)
		return false;
	seen = mem_alloc((size_t)w->op->nvar + 1);
	if (where->message)
		buf_puts(&text, where->message);
	else
		put_x(&text, w->op, where->cond);
	put_found(w, where->cond, seen, &found);
	infer_refuse(w->s, "%s%s%s%s", text.at, is_known ? "" : " (this is not known)", found.n ? ": found " : "",
	    found.n ? found.at : "");
	buf_free(&text);
	buf_free(&found);
	mem_free(seen);
	return false;
}

/* ---- the walk ---------------------------------------------------------------------------------------------- */

static bool
check_wheres(struct walk *w)
{
	enum tn_tri holds;
	struct tn_v v;
	int i;

	for (i = 0; i < w->op->nwhere; i++) {
		v = walk_eval(w, w->op->where[i].cond);
		holds = v.kind == TN_VV_BOOL ? (enum tn_tri)v.u.i : TN_UNKNOWN;
		if (holds == TN_FALSE || (holds == TN_UNKNOWN && !w->s->keep_unknown))
			return refuse_where(w, &w->op->where[i], holds == TN_FALSE);
	}
	return true;
}

static bool
make_result(struct walk *w)
{
	struct tn_shape out = {0};
	uint32_t k;
	int i;

	for (i = 0; i < w->op->nout; i++) {
		const struct tn_var *var = &w->op->var[w->op->out[i]];
		struct tn_v v = w->var[w->op->out[i]];

		if (v.kind != TN_VV_INT && v.kind != TN_VV_LIST)
			return infer_refuse(w->s, "extent %s of the result cannot be computed", var->name);
		for (k = 0; v.kind == TN_VV_LIST && k < v.n; k++)
			if (!infer_extent(w->s, var->name, v.u.list[k]))
				return false;
		if (v.kind == TN_VV_INT && !infer_extent(w->s, var->name, v.u.i))
			return false;
		tn_infer_put(&out, v.kind == TN_VV_INT ? 1 : (int)v.n, v.kind == TN_VV_INT ? &v.u.i : v.u.list);
	}
	return tn_infer_out(w->s, &out);
}

bool
tn_infer_walk(struct tn_infer *s)
{
	struct walk w;
	bool ok = walk_start(&w, s) && walk_bind(&w);
	int i;

	for (i = 0; ok && i < s->op->nlet; i++)
		w.var[s->op->let[i].var] = walk_eval(&w, s->op->let[i].x);
	ok = ok && check_wheres(&w) && make_result(&w);
	walk_end(&w);
	return ok;
}

/* ---- defaults ------------------------------------------------------------------------------------------------ */

tn_val
attr_default(struct tn_ctx *c, const struct tn_attr_decl *decl)
{
	struct walk w = {.calc = {c, &w.scratch}};
	tn_val v = decl->init ? calc_attr(c, walk_eval(&w, decl->init), (enum tn_kind)decl->kind, decl->enums) : TN_NONE;

	scratch_free(&w.scratch);
	return v;
}
