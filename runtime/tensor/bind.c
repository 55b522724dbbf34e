/* Operands of an operator: how many, of which element types, and what their extents are called. */
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/dtype.h"
#include "base/mem.h"
#include "tensor/infer.h"

const struct tn_operand *
infer_operand(const struct tn_op *op, int i)
{
	return &op->in[i < op->nin ? i : op->nin - 1];
}

enum tn_dtype
infer_dtype(const struct tn_infer *s, int type)
{
	const tn_val *attr = tn_attrs_get(s->ctx, s->attrs, NULL);
	int i;

	if (type >= 0)
		return (enum tn_dtype)type;
	if (type <= -2)
		return (enum tn_dtype)tn_val_get(s->ctx, attr[-2 - type])->u.i;
	for (i = 0; i < s->nin; i++)
		if (infer_operand(s->op, i)->type == -1 && s->in[i] != TN_NONE)
			return tn_type_get(s->ctx, s->in[i])->dtype;
	return TN_UNTYPED;
}

/* ---- counts and element types ------------------------------------------------------------------------ */

static bool
check_count(struct tn_infer *s)
{
	const struct tn_op *op = s->op;
	bool variadic = op->nin > 0 && op->in[op->nin - 1].is_variadic;

	if (s->nin == op->nin || (variadic && s->nin > op->nin))
		return true;
	return infer_refuse(s, "takes %s%d operand%s: found %d", variadic ? "at least " : "", op->nin,
	    op->nin == 1 ? "" : "s", s->nin);
}

/* are the whole numbers such that extents can be computed from them? */
static bool
is_in_range(const struct tn_value *v)
{
	uint32_t i;

	for (i = 0; v->kind == TN_K_INTS && i < v->n; i++)
		if (!tn_dim_is_num(v->u.list[i]))
			return false;
	return (v->kind != TN_K_INT && v->kind != TN_K_AXIS) || tn_dim_is_num(v->u.i);
}

/* the record has a value of the right kind for each attribute */
static bool
check_record(struct tn_infer *s)
{
	const struct tn_op *op = s->op;
	int n, i;
	const tn_val *attr = tn_attrs_get(s->ctx, s->attrs, &n);

	if (n != op->nattr)
		return infer_refuse(s, "has %d attributes: found a record of %d", op->nattr, n);
	for (i = 0; i < n; i++) {
		const struct tn_attr_decl *d = &op->attr[i];
		const struct tn_value *v = attr[i] == TN_NONE ? NULL : tn_val_get(s->ctx, attr[i]);

		if (!v)
			return infer_refuse(s, "%s must be given", d->name);
		if (v->kind != d->kind)
			return infer_refuse(s, "%s is of another kind", d->name);
		if (d->nelem && v->n != (uint32_t)d->nelem)
			return infer_refuse(s, "%s takes %d numbers: found %u", d->name, d->nelem, (unsigned)v->n);
		if (!is_in_range(v))
			return infer_refuse(s, "%s is too large", d->name);
		if (v->kind == TN_K_DTYPE && (v->u.i < 0 || v->u.i >= TN_NDTYPES))
			return infer_refuse(s, "%s is no element type", d->name);
		if (v->kind == TN_K_ENUM && (v->u.i < 0 || v->u.i >= d->enums->nvalue))
			return infer_refuse(s, "%s is no value of %s", d->name, d->enums->name);
	}
	return true;
}

/* is_open: operands may be missing that would tell the type */
static bool
check_dtypes(struct tn_infer *s, bool is_open)
{
	enum tn_dtype shared = infer_dtype(s, -1), want, is;
	bool is_used = s->op->out_type == -1;
	int i;

	for (i = 0; i < s->nin; i++) {
		const struct tn_operand *d = infer_operand(s->op, i);

		is_used |= d->type == -1;
		if (s->in[i] == TN_NONE)
			continue;
		want = infer_dtype(s, d->type);
		is = tn_type_get(s->ctx, s->in[i])->dtype;
		if (is != want)
			return infer_refuse(s, "operand %s must be %s: found %s", d->name, dtype_name(want), dtype_name(is));
	}
	if (!is_used)
		return true;
	if (shared == TN_UNTYPED)
		return is_open || infer_refuse(s, "no operand tells the element type");
	if (!(s->op->dtypes >> shared & 1))
		return infer_refuse(s, "is not defined for %s", dtype_name(shared));
	return true;
}

bool
infer_check(struct tn_infer *s)
{
	return check_count(s) && check_record(s) && check_dtypes(s, false);
}

/* ---- variables -------------------------------------------------------------------------------------------- */

static void
bind_attrs(struct walk *w)
{
	int i;

	for (i = 0; i < w->op->nvar; i++) {
		const struct tn_var *v = &w->op->var[i];
		const struct tn_value *value;

		if (v->kind != TN_V_ATTR && v->kind != TN_V_ELEM)
			continue;
		value = tn_val_get(w->s->ctx, w->attr[v->attr]);
		w->var[i] = calc_value(value);
		if (v->kind == TN_V_ELEM && w->var[i].kind == TN_VV_LIST)
			w->var[i] = calc_int(value->u.list[v->elem]);
	}
}

static void
make_room(struct walk *w)
{
	const struct tn_infer *s = w->s;
	size_t n = (size_t)s->op->nvar + 1, size;
	char *at;

	size = n * (sizeof *w->var + sizeof *w->star + sizeof *w->by) + (size_t)s->nin + 1;
	w->block = at = mem_alloc(size);
	w->var = (struct tn_v *)at;
	w->star = (struct star *)(w->var + n);
	w->by = (int16_t *)(w->star + n);
	w->is_settled = (bool *)(w->by + n);
	memset(w->by, -1, n * sizeof *w->by);
	w->attr = tn_attrs_get(s->ctx, s->attrs, NULL);
	w->calc = (struct calc){s->ctx, &w->scratch};
	bind_attrs(w);
}

bool
walk_start(struct walk *w, struct tn_infer *s)
{
	*w = (struct walk){.s = s, .op = s->op};
	if (!infer_check(s))
		return false;
	make_room(w);
	return true;
}

bool
walk_start_open(struct walk *w, struct tn_infer *s)
{
	*w = (struct walk){.s = s, .op = s->op};
	if (!check_count(s) || !check_record(s) || !check_dtypes(s, true))
		return false;
	make_room(w);
	return true;
}

void
walk_end(struct walk *w)
{
	scratch_free(&w->scratch);
	mem_free(w->block);
}

/* ---- extents ------------------------------------------------------------------------------------------------ */

/* [3 h w], or 7 */
static void
put_extents(struct buf *b, struct tn_ctx *c, bool is_seq, int n, const tn_dim d[])
{
	struct tn_v v = is_seq ? calc_items((uint32_t)n, d) : calc_int(d[0]);

	infer_put_value(b, c, NULL, v);
}

/* two operands disagree about a name */
static bool
refuse_unequal(struct walk *w, int i, const struct tn_item *item, struct tn_v old, struct tn_v new, enum tn_tri eq)
{
	const struct tn_var *v = &w->op->var[item->var];
	const char *dots = item->is_seq ? ".." : "", *in, *was;
	struct buf a = {0}, b = {0};

	if (!w->s->error)
		return false;
	in = infer_operand(w->op, i)->name;
	was = infer_operand(w->op, w->by[item->var])->name;
	infer_put_value(&a, w->s->ctx, NULL, new);
	infer_put_value(&b, w->s->ctx, NULL, old);
	infer_refuse(w->s, "%s%s of %s %s equal that of %s: found %s and %s", dots, v->name, in,
	    eq == TN_UNKNOWN ? "is not known to" : "must", was, a.at, b.at);
	buf_free(&a);
	buf_free(&b);
	return false;
}

/* the extents of one item: bound to its name, or compared with what the name has */
static bool
bind_item(struct walk *w, int i, const struct tn_item *item, int n, const tn_dim d[])
{
	struct tn_v new = item->is_seq ? calc_items((uint32_t)n, d) : calc_int(d[0]), is_equal;
	int var = item->var;

	if (w->op->var[var].kind == TN_V_STAR) {
		w->star[var].list[i - (w->op->nin - 1)] = d[0];
		return true;
	}
	if (w->by[var] < 0) {
		w->var[var] = new;
		w->by[var] = (int16_t)(i < w->op->nin ? i : w->op->nin - 1);
		return true;
	}
	is_equal = calc_call(&w->calc, TN_F_EQ, 2, (const struct tn_v[]){w->var[var], new});
	if (is_equal.u.i == TN_TRUE || (is_equal.u.i == TN_UNKNOWN && w->s->keep_unknown))
		return true;
	return refuse_unequal(w, i, item, w->var[var], new, (enum tn_tri)is_equal.u.i);
}

/* how many axes the item has; -1: not known yet; -2: refused */
static int
item_length(struct walk *w, const struct tn_item *item)
{
	struct tn_v count;

	if (!item->is_seq)
		return 1;
	if (item->count >= 0) {
		count = calc_value(tn_val_get(w->s->ctx, w->attr[item->count]));
		if (count.kind != TN_VV_INT || count.u.i < 0 || count.u.i > TN_MAX_RANK) {
			infer_refuse(w->s, "%s is no number of axes", w->op->attr[item->count].name);
			return -2;
		}
		return (int)count.u.i;
	}
	return w->by[item->var] >= 0 ? (int)w->var[item->var].n : -1;
}

/* "(x n c ..d)": how the operand's shape is declared */
static void
put_items(struct buf *b, const struct tn_op *op, const struct tn_operand *d)
{
	int k;

	buf_printf(b, "(%s%s", d->name, d->is_variadic ? "..." : "");
	for (k = 0; k < d->nitem; k++) {
		const struct tn_item *item = &d->item[k];

		buf_printf(b, " %s%s", item->is_seq ? ".." : "", op->var[item->var].name);
		if (item->count >= 0)
			buf_printf(b, "@%s", op->attr[item->count].name);
		if (op->var[item->var].kind == TN_V_STAR)
			buf_putc(b, '*');
	}
	buf_putc(b, ')');
}

static bool
refuse_rank(struct walk *w, int i)
{
	const struct tn_shape *shape = tn_type_get(w->s->ctx, w->s->in[i]);
	const struct tn_operand *d = infer_operand(w->op, i);
	struct buf a = {0}, b = {0};

	if (!w->s->error)
		return false;
	put_items(&a, w->op, d);
	put_extents(&b, w->s->ctx, true, shape->rank, shape->dim);
	infer_refuse(w->s, "operand %s must have the axes of %s: found %s", d->name, a.at, b.at);
	buf_free(&a);
	buf_free(&b);
	return false;
}

/* Bind the items of operand i if their lengths are known or can be told from its rank.  False: refused. */
static bool
settle(struct walk *w, int i)
{
	const struct tn_operand *decl = infer_operand(w->op, i);
	const struct tn_shape *shape = tn_type_get(w->s->ctx, w->s->in[i]);
	int k, len, rest, known = 0, open = 0, at = 0;

	if (shape->rank < 0)
		return infer_refuse(w->s, "the shape of operand %s is not known", decl->name);
	for (k = 0; k < decl->nitem; k++) {
		if ((len = item_length(w, &decl->item[k])) == -2)
			return false;
		known += len > 0 ? len : 0;
		open += len < 0;
	}
	if (known > shape->rank || (open == 0 && known < shape->rank))
		return refuse_rank(w, i);
	if (open > 1)
		return true;
	rest = shape->rank - known;
	w->is_settled[i] = true;
	for (k = 0; k < decl->nitem; k++) {
		const struct tn_item *item = &decl->item[k];

		if ((len = item_length(w, item)) < 0)
			len = rest;
		if (at + len > shape->rank)
			return refuse_rank(w, i);
		if (!bind_item(w, i, item, len, &shape->dim[at]))
			return false;
		at += len;
	}
	return at == shape->rank || refuse_rank(w, i);
}

/* a number's type from what its items' names are bound to */
static bool
fill_number(struct walk *w, int i)
{
	const struct tn_operand *decl = infer_operand(w->op, i);
	struct tn_shape shape = {.dtype = infer_dtype(w->s, decl->type)};
	int k;

	for (k = 0; k < decl->nitem; k++) {
		struct tn_v v = w->var[decl->item[k].var];

		if (w->by[decl->item[k].var] < 0)
			return infer_refuse(w->s, "the shape of number %s is not settled by its place", decl->name);
		if (v.kind == TN_VV_INT)
			tn_infer_put(&shape, 1, &v.u.i);
		else
			tn_infer_put(&shape, (int)v.n, v.u.list);
	}
	if (shape.rank < 0 || shape.rank > TN_MAX_RANK)
		return infer_refuse(w->s, "number %s has more than %d axes", decl->name, TN_MAX_RANK);
	w->s->in[i] = tn_type_make(w->s->ctx, &shape);
	return true;
}

/* only the last operand is variadic, so the lists begin with it */
static void
make_stars(struct walk *w)
{
	int i;

	for (i = 0; i < w->op->nvar; i++) {
		if (w->op->var[i].kind != TN_V_STAR)
			continue;
		w->star[i].n = w->s->nin - w->op->nin + 1;
		w->star[i].list = scratch_list(&w->scratch, (size_t)w->star[i].n);
	}
}

bool
walk_bind_known(struct walk *w)
{
	struct tn_infer *s = w->s;
	bool again = true;
	int i;

	make_stars(w);
	while (again) {
		again = false;
		for (i = 0; i < s->nin; i++) {
			if (s->in[i] == TN_NONE || w->is_settled[i])
				continue;
			if (!settle(w, i))
				return false;
			again |= w->is_settled[i];
		}
	}
	return true;
}

bool
walk_bind(struct walk *w)
{
	struct tn_infer *s = w->s;
	int i;

	if (!walk_bind_known(w))
		return false;
	for (i = 0; i < s->nin; i++) {
		if (s->in[i] == TN_NONE) {
			if (!fill_number(w, i))
				return false;
		} else if (!w->is_settled[i]) {
			return infer_refuse(s, "the axes of operand %s cannot be told apart", infer_operand(w->op, i)->name);
		}
	}
	return true;
}
