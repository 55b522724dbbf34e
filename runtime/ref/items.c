/* What a def's variables are bound to, and lists of indices for the tree walker. */
#include <string.h>

#include "base/mem.h"
#include "ref/value.h"

bool
eval_bind(struct walk *w, struct tn_infer *s, const struct tn_eval *ev)
{
	tn_type *type = mem_alloc(((size_t)ev->nin + 1) * sizeof *type);
	int i;

	for (i = 0; i < ev->nin; i++) {
		struct tn_shape t = {.dtype = ev->in[i].dtype, .rank = ev->in[i].rank};

		memcpy(t.dim, ev->in[i].dim, (size_t)t.rank * sizeof t.dim[0]);
		type[i] = tn_type_make(ev->ctx, &t);
	}
	*s = (struct tn_infer){.ctx = ev->ctx, .op = ev->op, .attrs = ev->attrs, .nin = ev->nin, .in = type};
	if (!walk_start(w, s) || !walk_bind(w))
		return false;
	for (i = 0; i < ev->op->nlet; i++)
		w->var[ev->op->let[i].var] = walk_eval(w, ev->op->let[i].x);
	return true;
}

void
eval_unbind(struct walk *w, struct tn_infer *s)
{
	walk_end(w);
	mem_free((void *)s->in);
}

struct tn_list
eval_bound(const struct walk *w, int picked, int var)
{
	const struct tn_v *v = &w->var[var];
	struct tn_list l = {.n = -1};

	if (w->op->var[var].kind == TN_V_STAR && picked >= 0)
		return tn_list_one(w->star[var].list[picked - (w->op->nin - 1)]);
	if (v->kind == TN_VV_LIST && v->n <= TN_MAX_RANK) {
		l.n = v->n;
		memcpy(l.i, v->u.list, v->n * sizeof l.i[0]);
	} else if (v->kind != TN_VV_BAD && v->kind != TN_VV_LIST && v->kind != TN_VV_REAL && v->kind != TN_VV_STRING) {
		l = tn_list_one(v->u.i);
	}
	return l;
}

static struct tn_list
joined(struct eval *e, const struct tn_x *x, bool *absent)
{
	struct tn_list l = {0};
	int i;

	for (i = 0; i < x->nkid; i++)
		l = tn_list_join(l, x->kid[i]->sort == TN_S_LIST ? eval_items(e, x->kid[i], absent)
		    : tn_list_one(eval_whole(e, x->kid[i], absent)));
	return l;
}

static struct tn_list
negated(struct tn_list l)
{
	return tn_list_map(TN_F_SUB, tn_list_each(0), l);
}

static struct tn_list
call(struct eval *e, const struct tn_x *x, bool *absent)
{
	struct tn_list a, b;
	int i;

	switch (x->fn) {
	case TN_F_UNFLATTEN:
		b = eval_items(e, x->kid[1], absent);
		return tn_list_unflatten(eval_whole(e, x->kid[0], absent), b);
	case TN_F_RANGE:
		i = x->nkid == 2;
		return tn_list_range(i ? eval_whole(e, x->kid[0], absent) : 0, eval_whole(e, x->kid[i], absent));
	case TN_F_ONES:
		return tn_list_ones(eval_items(e, x->kid[0], absent));
	default:
		break;
	}
	a = eval_items(e, x->kid[0], absent);
	if (x->nkid == 1)
		return x->fn == TN_F_SUB || x->fn == TN_F_NEG ? negated(a)
		    : x->fn == TN_F_ABS ? tn_list_map(TN_F_MAX, a, negated(a)) : a;
	b = eval_items(e, x->kid[1], absent);
	if (x->fn == TN_F_PERMUTE)
		return tn_list_permute(a, b);
	if (x->fn == TN_F_UNPERMUTE)
		return tn_list_unpermute(a, b);
	if (x->fn == TN_F_BROADCAST)
		return tn_list_broadcast(a, b, eval_items(e, x->kid[2], absent));
	a = tn_list_map((enum tn_fn)x->fn, a, b);
	for (i = 2; i < x->nkid; i++)
		a = tn_list_map((enum tn_fn)x->fn, a, eval_items(e, x->kid[i], absent));
	return a;
}

struct tn_list
eval_items(struct eval *e, const struct tn_x *x, bool *absent)
{
	if (x->sort != TN_S_LIST)
		return tn_list_each(eval_whole(e, x, absent));
	switch (x->kind) {
	case TN_X_VAR:
		return e->is_index[x->var] ? e->index[x->var] : eval_bound(&e->w, e->picked, x->var);
	case TN_X_EXTENT:
		return eval_bound(&e->w, e->picked, x->var);
	case TN_X_CALL:
		return call(e, x, absent);
	case TN_X_LIST:
		return joined(e, x, absent);
	default:
		return (struct tn_list){.n = -1};
	}
}
