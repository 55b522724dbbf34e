/*
 * Random uses of an operator, from its declaration alone.
 *
 * Names get extents first, so that operands agree; an attribute that counts axes gets its sequence's
 * length.  Lists are made from the first operand's shape, as permutations, regroupings and small
 * numbers.  What a condition says a name is it mostly gets, or its uses would be rare: a grouped convolution's channels.
 * Now and then something is spoilt, so that checks fail too.
 */
#include <string.h>

#include "tensor/infer.h"
#include "tensor/random_op.h"

struct draw {
	struct random_op *r;
	const struct tn_op *op;
	struct seq var[MAX_NAMES];		/* by variable: its extents */
	int64_t count[TN_MAX_ATTRS];		/* by attribute: axes it stands for, or -1 */
	struct seq first;
};

static int64_t
below(struct random_op *r, int64_t n)
{
	return rng_below(&r->rng, (uint32_t)n);
}

static tn_dim
extent(struct random_op *r)
{
	static const char *const names[] = {"h", "w", "t"};
	int64_t most = r->large && below(r, 6) == 0 ? r->large : r->scale;
	tn_dim d = below(r, 20) ? 1 + below(r, most) : 0;

	if (r->nsym == 0 || below(r, 2))
		return d;
	d = tn_dim_sym(r->ctx, names[below(r, r->nsym)]);
	switch (below(r, 4)) {
	case 0: return tn_dim_add(r->ctx, tn_dim_mul(r->ctx, 2, d), below(r, 3));
	case 1: return tn_dim_add(r->ctx, tn_dim_div(r->ctx, tn_dim_add(r->ctx, d, 1), 2), below(r, 2));
	default: return d;
	}
}

static void
draw_names(struct draw *w)
{
	const struct tn_op *op = w->op;
	int i, k;

	for (i = 0; i < op->nattr; i++)
		w->count[i] = -1;
	for (i = 0; i < op->nvar; i++) {
		w->var[i].n = op->var[i].sort == TN_S_LIST ? (int)below(w->r, 3) : 1;
		for (k = 0; k < TN_MAX_RANK; k++)
			w->var[i].d[k] = extent(w->r);
	}
	for (i = 0; i < op->nin; i++)
		for (k = 0; k < op->in[i].nitem; k++)
			if (op->in[i].item[k].count >= 0)
				w->count[op->in[i].item[k].count] = w->var[op->in[i].item[k].var].n;
}

static tn_type
draw_operand(struct draw *w, const struct tn_operand *in, enum tn_dtype dtype)
{
	struct tn_shape t = {.dtype = dtype};
	const struct seq *s;
	bool is_star;
	int i, k;

	if (in->type >= 0)
		t.dtype = (enum tn_dtype)in->type;
	for (i = 0; i < in->nitem; i++) {
		s = &w->var[in->item[i].var];
		is_star = w->op->var[in->item[i].var].kind == TN_V_STAR;
		for (k = 0; k < s->n && t.rank < TN_MAX_RANK; k++)
			t.dim[t.rank++] = is_star || below(w->r, 200) == 0 ? extent(w->r) : s->d[k];
	}
	return tn_type_make(w->r->ctx, &t);
}

static void
swap(tn_dim *a, tn_dim *b)
{
	tn_dim t = *a;

	*a = *b;
	*b = t;
}

/* The first shape in another order, or with neighbours taken together, or with an axis more. */
static struct seq
reshaped(struct random_op *r, const struct seq *first)
{
	struct seq s = *first;
	int a, i;

	if (s.n >= 2 && below(r, 2)) {
		a = (int)below(r, s.n - 1);
		s.d[a] = tn_dim_mul(r->ctx, s.d[a], s.d[a + 1]);
		memmove(&s.d[a + 1], &s.d[a + 2], (size_t)(s.n - a - 2) * sizeof s.d[0]);
		s.n--;
	}
	for (i = s.n - 1; i > 0 && below(r, 2); i--)
		swap(&s.d[i], &s.d[below(r, i + 1)]);
	if (s.n < TN_MAX_RANK && below(r, 3) == 0)
		s.d[s.n++] = below(r, 2) ? 1 : extent(r);
	return s;
}

/* 0 … n - 1 in any order, or ascending with gaps, or small numbers. */
static struct seq
small_list(struct random_op *r, const struct seq *first)
{
	struct seq s = {.n = first->n};
	int kind = (int)below(r, 3), at = 0, i;

	for (i = 0; i < s.n; i++) {
		at += (int)below(r, 8) == 0;
		s.d[i] = kind < 2 ? at++ : below(r, 5) - 2;
	}
	for (i = s.n - 1; kind == 0 && i > 0; i--)
		swap(&s.d[i], &s.d[below(r, i + 1)]);
	if (below(r, 30) == 0 && s.n > 0)
		s.n--;
	return s;
}

/* strides, pads, windows: 0 to 2, or 1 to 5; now and then -1 */
static struct seq
few_numbers(struct random_op *r, int n)
{
	struct seq s = {.n = n};
	bool is_larger = below(r, 3) == 0;
	int i;

	for (i = 0; i < n; i++)
		s.d[i] = below(r, 24) == 0 ? below(r, 4) - 1 : is_larger ? 1 + below(r, 5) : below(r, 2) + (below(r, 3) != 0);
	return s;
}

tn_val
random_attr(struct random_op *r, const struct tn_attr_decl *a, const struct seq *first, int64_t count)
{
	struct tn_value v = {.kind = (enum tn_kind)a->kind};
	struct seq s = {0};

	switch (a->kind) {
	case TN_K_INT:
		v.u.i = count >= 0 ? count : below(r, 10) ? 1 + below(r, below(r, 5) ? 3 : r->scale) : below(r, 4) - 1;
		break;
	case TN_K_AXIS: v.u.i = count >= 0 ? count : below(r, 3); break;
	case TN_K_FLOAT: v.u.f = (double)(float)(below(r, 4) ? rng_normal(&r->rng) : 0.5); break;
	case TN_K_BOOL: v.u.i = below(r, 2); break;
	case TN_K_DTYPE: v.u.i = TN_F32; break;
	case TN_K_ENUM: v.u.i = below(r, a->enums->nvalue); break;
	case TN_K_STRING: v.u.s = tn_ctx_str(r->ctx, "text", 4); break;
	case TN_K_DIM: v.u.dim = below(r, 3) ? below(r, r->scale + 1) : extent(r); break;
	case TN_K_DIMS: s = reshaped(r, first); break;
	default:
		s = a->nelem ? few_numbers(r, a->nelem) : small_list(r, first);
	}
	v.n = (uint32_t)s.n;
	if (a->kind == TN_K_DIMS || a->kind == TN_K_INTS)
		v.u.list = s.d;
	return tn_val_make(r->ctx, &v);
}

static void
draw_operands(struct draw *w, tn_type in[], int nin)
{
	int i;

	for (i = 0; i < nin; i++)
		in[i] = draw_operand(w, infer_operand(w->op, i), TN_F32);
}

/* is it the name of one extent? */
static bool
is_extent(const struct tn_op *op, const struct tn_x *x)
{
	return x->kind == TN_X_VAR && op->var[x->var].kind == TN_V_DIM && op->var[x->var].sort != TN_S_LIST;
}

/* the name gets the value if it is a number that an extent can be */
static void
set_extent(struct draw *w, struct walk *k, int var, struct tn_v v)
{
	if (v.kind != TN_VV_INT || !tn_dim_is_num(v.u.i) || v.u.i < 0)
		return;
	w->var[var].d[0] = v.u.i;
	k->var[var] = v;
}

/* c of (= c (* groups g)) is that, and f of (divides groups f) becomes groups times as much */
static void
settle(struct draw *w, struct walk *k, const struct tn_x *cond)
{
	struct tn_v v[2];
	int i;

	if (cond->kind != TN_X_CALL || cond->nkid != 2 || (cond->fn != TN_F_EQ && cond->fn != TN_F_DIVIDES))
		return;
	for (i = 0; i < 2; i++)
		v[i] = walk_eval(k, cond->kid[i]);
	if (cond->fn == TN_F_DIVIDES && is_extent(w->op, cond->kid[1]))
		set_extent(w, k, cond->kid[1]->var, calc_call(&k->calc, TN_F_MUL, 2, v));
	for (i = 0; cond->fn == TN_F_EQ && i < 2; i++)
		if (is_extent(w->op, cond->kid[i])) {
			set_extent(w, k, cond->kid[i]->var, v[1 - i]);
			return;
		}
}

static void
settle_all(struct draw *w, tn_attrs attrs, tn_type in[], int nin)
{
	struct tn_infer s = {.ctx = w->r->ctx, .op = w->op, .attrs = attrs, .in = in, .nin = nin};
	struct walk k;
	int i;

	if (walk_start(&k, &s)) {
		for (i = 0; i < w->op->nvar; i++)
			if (w->op->var[i].kind == TN_V_DIM && w->op->var[i].sort != TN_S_LIST)
				k.var[i] = calc_int(w->var[i].d[0]);
		for (i = 0; i < w->op->nwhere; i++)
			settle(w, &k, w->op->where[i].cond);
		draw_operands(w, in, nin);
	}
	walk_end(&k);
}

tn_attrs
random_op(struct random_op *r, const struct tn_op *op, tn_type in[MAX_IN], int *nin)
{
	struct draw w = {.r = r, .op = op};
	const struct tn_shape *t;
	tn_val val[TN_MAX_ATTRS];
	tn_attrs attrs;
	int i;

	draw_names(&w);
	*nin = op->nin && op->in[op->nin - 1].is_variadic ? op->nin + (int)below(r, 3) : op->nin;
	draw_operands(&w, in, *nin);
	if (*nin) {
		t = tn_type_get(r->ctx, in[0]);
		w.first.n = t->rank;
		memcpy(w.first.d, t->dim, (size_t)t->rank * sizeof t->dim[0]);
	} else {
		w.first = (struct seq){2, {extent(r), extent(r)}};
	}
	for (i = 0; i < op->nattr; i++)
		val[i] = random_attr(r, &op->attr[i], &w.first, w.count[i]);
	attrs = tn_attrs_make(r->ctx, val, op->nattr);
	if (op->nwhere && below(r, 6))
		settle_all(&w, attrs, in, *nin);
	return attrs;
}
