/*
 * Random uses of an operator, from its declaration alone.
 *
 * Names get extents first, so that operands agree; an attribute that counts axes gets its sequence's
 * length.  Lists are made from the first operand's shape, as permutations, regroupings and small
 * numbers.  Now and then something is spoilt, so that checks fail too.
 */
#include <string.h>

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
	tn_dim d = below(r, 20) ? 1 + below(r, r->scale) : 0;

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

tn_val
random_attr(struct random_op *r, const struct tn_attr_decl *a, const struct seq *first, int64_t count)
{
	struct tn_value v = {.kind = (enum tn_kind)a->kind};
	struct seq s = {0};
	int i;

	switch (a->kind) {
	case TN_K_INT:
		v.u.i = count >= 0 ? count : below(r, 10) ? 1 + below(r, 3) : below(r, 4) - 1;
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
		s = small_list(r, first);
		s.n = a->nelem ? a->nelem : s.n;
		for (i = 0; a->nelem && i < s.n; i++)
			s.d[i] = below(r, 12) ? below(r, 2) + (below(r, 3) != 0) : below(r, 4) - 1;
	}
	v.n = (uint32_t)s.n;
	if (a->kind == TN_K_DIMS || a->kind == TN_K_INTS)
		v.u.list = s.d;
	return tn_val_make(r->ctx, &v);
}

tn_attrs
random_op(struct random_op *r, const struct tn_op *op, tn_type in[MAX_IN], int *nin)
{
	struct draw w = {.r = r, .op = op};
	enum tn_dtype dtype = TN_F32;
	const struct tn_shape *t;
	tn_val val[TN_MAX_ATTRS];
	int i, n;

	draw_names(&w);
	*nin = 0;
	for (i = 0; i < op->nin; i++) {
		n = op->in[i].is_variadic ? 1 + (int)below(r, 3) : 1;
		while (n-- > 0)
			in[(*nin)++] = draw_operand(&w, &op->in[i], dtype);
	}
	if (*nin) {
		t = tn_type_get(r->ctx, in[0]);
		w.first.n = t->rank;
		memcpy(w.first.d, t->dim, (size_t)t->rank * sizeof t->dim[0]);
	} else {
		w.first = (struct seq){2, {extent(r), extent(r)}};
	}
	for (i = 0; i < op->nattr; i++)
		val[i] = random_attr(r, &op->attr[i], &w.first, w.count[i]);
	return tn_attrs_make(r->ctx, val, op->nattr);
}
