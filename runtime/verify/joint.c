/*
 * Joint coverage: an even kernel and a stride of 2 may each have been met and never together.  Numbers fall into few
 * kinds (an extent is 1, even or odd; a number of an attribute below 0, 0, 1, 2 or more), and pairs of kinds of
 * different parameters of one operator are noted.  Depthwise is groups of 2 or more with 1 channel in each.
 * Of pairs whose kinds were both met, some are never admitted together; what is told is what was not seen.
 */
#include <string.h>

#include "base/mem.h"
#include "verify/joint.h"

enum { TOLD = 3, PARAMS_MAX = 96 };

/* ---- noted -------------------------------------------------------------------------------------------------- */

static struct joint_op *
op_of(struct joint *j, const struct tn_op *op)
{
	struct joint_op *o;
	uint32_t i;

	for (i = 0; i < j->op.n; i++)
		if (j->op.at[i]->op == op)
			return j->op.at[i];
	o = mem_alloc(sizeof *o);
	o->op = op;
	vec_push(&j->op, o);
	return o;
}

/* the number of this kind, made if it is new; -1: there are too many */
static int
kind_of(struct joint_op *o, const struct kind *k)
{
	int i;

	for (i = 0; i < o->n; i++)
		if (o->kind[i].param == k->param && o->kind[i].value == k->value)
			return i;
	if (o->n == KINDS_MAX)
		return -1;
	o->kind[o->n] = *k;
	return o->n++;
}

/* The kinds of one use, each parameter's. */
struct kinds {
	struct joint_op *op;
	int n, at[PARAMS_MAX];
};

static void
put_kind(struct kinds *s, const struct kind *k)
{
	int i = kind_of(s->op, k);

	if (i >= 0 && s->n < PARAMS_MAX)
		s->at[s->n++] = i;
}

static int
class_of(bool is_extent, int64_t v)
{
	if (is_extent)
		return v == 1 ? 0 : v % 2 == 0 ? 1 : 2;
	return v < 0 ? 0 : v > 2 ? 4 : 1 + (int)v;
}

/* the name of an attribute's item, [sh sw]; else the attribute's */
static const char *
item_name(const struct tn_op *op, int attr, int item)
{
	int i;

	for (i = 0; i < op->nvar; i++)
		if (op->var[i].kind == TN_V_ELEM && op->var[i].attr == attr && op->var[i].elem == item)
			return op->var[i].name;
	return op->attr[attr].name;
}

/* lists of no settled length say nothing of one parameter */
static int
put_attr(struct kinds *s, const struct tn_op *op, int attr, const struct tn_value *v, int param)
{
	const struct tn_attr_decl *a = &op->attr[attr];
	struct kind k = {.name = a->name, .param = param, .enums = a->enums, .is_bool = a->kind == TN_K_BOOL};
	int i;

	switch (a->kind) {
	case TN_K_ENUM: case TN_K_BOOL:
		k.value = (int)v->u.i;
		put_kind(s, &k);
		return 1;
	case TN_K_INT: case TN_K_AXIS:
		k.value = class_of(false, v->u.i);
		put_kind(s, &k);
		return 1;
	case TN_K_INTS:
		for (i = 0; i < a->nelem && i < (int)v->n; i++) {
			k.name = item_name(op, attr, i);
			k.param = param + i;
			k.value = class_of(false, v->u.list[i]);
			put_kind(s, &k);
		}
		return a->nelem;
	default:
		return 0;
	}
}

/* extents that the declaration names one by one, each name once */
static void
put_extents(struct kinds *s, const struct instance *in, const struct vnode *x, int param)
{
	uint64_t seen = 0;
	int i, k;

	for (i = 0; i < x->nkid; i++) {
		const struct tn_operand *d = infer_operand(x->op, i);
		const struct tn_shape *t = instance_shape(in, x->kid[i]);

		if (t->rank != d->nitem)
			continue;
		for (k = 0; k < d->nitem; k++) {
			int var = d->item[k].var;

			if (d->item[k].is_seq || x->op->var[var].kind == TN_V_STAR || var >= 64 || seen >> var & 1)
				continue;
			seen |= UINT64_C(1) << var;
			put_kind(s, &(struct kind){.name = x->op->var[var].name, .param = param + var, .value = class_of(true, t->dim[k]),
			    .is_extent = true});
		}
	}
}

void
joint_note(struct joint *j, const struct instance *in, const struct vnode *x)
{
	struct kinds s = {.op = op_of(j, x->op)};
	const tn_val *value = tn_attrs_get(in->ctx, x->attrs, NULL);
	int i, k, param = 0, a, b;

	for (i = 0; i < x->op->nattr; i++)
		param += put_attr(&s, x->op, i, tn_val_get(in->ctx, value[i]), param);
	put_extents(&s, in, x, param);
	for (i = 0; i < s.n; i++)
		for (k = i + 1; k < s.n; k++) {
			a = s.at[i] < s.at[k] ? s.at[i] : s.at[k];
			b = s.at[i] < s.at[k] ? s.at[k] : s.at[i];
			s.op->with[a][b / 64] |= UINT64_C(1) << (b % 64);
		}
}

/* ---- told ------------------------------------------------------------------------------------------------------ */

static void
put_name(const struct kind *k, struct buf *b)
{
	static const char *const extent[] = {"1", "even", "odd"}, *const number[] = {"below 0", "0", "1", "2", "above 2"};

	buf_printf(b, "%s %s", k->name, k->is_bool ? (k->value ? "true" : "false") : k->enums ? k->enums->value[k->value] :
	    k->is_extent ? extent[k->value] : number[k->value]);
}

/*
 * Pairs of kinds that were met, and of those the ones met together; the first `most` of the others are written, each on a
 * line behind the operator's name, or behind a comma.
 */
static int
count_pairs(const struct joint_op *o, int *met, int most, bool is_line, struct buf *b)
{
	int i, k, all = 0;

	*met = 0;
	for (i = 0; i < o->n; i++)
		for (k = i + 1; k < o->n; k++) {
			if (o->kind[i].param == o->kind[k].param)
				continue;
			all++;
			if (o->with[i][k / 64] >> (k % 64) & 1) {
				++*met;
			} else if (all - *met <= most) {
				buf_puts(b, is_line ? o->op->name : "");
				buf_puts(b, is_line ? ": " : ", ");
				put_name(&o->kind[i], b);
				buf_puts(b, " with ");
				put_name(&o->kind[k], b);
				buf_puts(b, is_line ? "\n" : "");
			}
		}
	return all;
}

char *
joint_text(const struct joint *j)
{
	struct buf b = {0}, missed = {0};
	uint32_t i;
	int all, met;

	for (i = 0; i < j->op.n; i++) {
		missed.n = 0;
		all = count_pairs(j->op.at[i], &met, TOLD, false, &missed);
		if (!all)
			continue;
		buf_printf(&b, "    %s: %d of %d pairs of kinds together", j->op.at[i]->op->name, met, all);
		if (met < all)
			buf_printf(&b, ", not %.*s%s", (int)missed.n - 2, missed.at + 2, all - met > TOLD ? ", …" : "");
		buf_putc(&b, '\n');
	}
	buf_free(&missed);
	return b.at;
}

char *
joint_apart(const struct joint *j)
{
	struct buf b = {0};
	uint32_t i;
	int met;

	for (i = 0; i < j->op.n; i++)
		count_pairs(j->op.at[i], &met, INT32_MAX, true, &b);
	return b.at;
}

void
joint_free(struct joint *j)
{
	uint32_t i;

	for (i = 0; i < j->op.n; i++)
		mem_free(j->op.at[i]);
	vec_free(&j->op);
}
