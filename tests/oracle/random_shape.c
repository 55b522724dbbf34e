/* Random terms: extents by name, and shapes made to be what a place wants. */
#include <string.h>

#include "tests/oracle/random_place.h"

/* axes that an item stands for; -1: not known */
static int
length_of(const struct drawing *d, const struct place *p, const struct tn_item *it)
{
	if (!it->is_seq)
		return 1;
	if (it->count >= 0 && p->val[it->count] != TN_NONE)
		return (int)random_int_of(d, p->val[it->count]);
	return p->name[it->var].n;
}

/* names from an operand's shape; sequences of unknown length share what is left over */
void
random_bind(struct drawing *d, struct place *p, const struct tn_operand *in, const struct seq *s)
{
	int left = s->n, open = 0, at = 0, i, n;

	for (i = 0; i < in->nitem; i++) {
		n = length_of(d, p, &in->item[i]);
		left -= n > 0 ? n : 0;
		open += n < 0;
	}
	for (i = 0; i < in->nitem && left >= 0; i++) {
		struct seq *name = &p->name[in->item[i].var];

		n = length_of(d, p, &in->item[i]);
		if (n < 0) {
			n = --open ? (int)random_below(d, left + 1) : left;
			left -= n;
		}
		if (n < 0 || at + n > s->n)
			return;
		name->n = n;
		memcpy(name->d, &s->d[at], (size_t)n * sizeof *name->d);
		at += n;
	}
}

/* names that are the result's too */
void
random_bind_result(struct drawing *d, struct place *p)
{
	struct tn_item item[NAMES] = {0};
	struct tn_operand as = {.nitem = (uint16_t)p->op->nout, .item = item};
	int i;

	for (i = 0; i < p->op->nout; i++)
		item[i] = (struct tn_item){p->op->out[i], -1, p->op->var[p->op->out[i]].sort == TN_S_LIST};
	if (p->wanted.n >= 0)
		random_bind(d, p, &as, &p->wanted);
}

/* extents that nothing decides: often those of the operator's last use, as many patterns want two alike */
static struct seq
draw_name(struct drawing *d, const struct place *p, int var, int n)
{
	struct seq s = {n, {0}};
	int i, k;

	for (i = 0; i < d->nbefore; i++)
		if (d->before[i].op == p->term->op && d->before[i].name[var].n == n && random_below(d, 4))
			return d->before[i].name[var];
	for (k = 0; k < n && k < TN_MAX_RANK; k++)
		s.d[k] = 1 + random_below(d, d->r->scale);
	return s;
}

void
random_remember(struct drawing *d, const struct place *p)
{
	int i;

	for (i = 0; i < d->nbefore && d->before[i].op != p->term->op; i++)
		;
	if (i == OPS)
		return;
	d->nbefore += i == d->nbefore;
	d->before[i].op = p->term->op;
	memcpy(d->before[i].name, p->name, sizeof p->name);
}

/* a dim's extent or an attribute's number; -1: not known */
static int64_t
number_at(const struct drawing *d, const struct place *p, const struct tn_x *x)
{
	const struct tn_var *v = &p->op->var[x->var];

	if (v->kind == TN_V_ATTR)
		return p->val[v->attr] == TN_NONE ? -1 : random_int_of(d, p->val[v->attr]);
	return p->name[x->var].n == 1 ? p->name[x->var].d[0] : -1;
}

static void
set_name(struct place *p, const struct tn_x *x, int64_t n)
{
	if (p->op->var[x->var].kind == TN_V_DIM)
		p->name[x->var] = (struct seq){1, {n}};
}

/* (where (= c (* groups g))): what is known decides the third */
void
random_solve(struct drawing *d, struct place *p)
{
	int64_t n[3];
	int i, k;

	for (i = 0; i < p->op->nwhere; i++) {
		const struct tn_x *eq = p->op->where[i].cond, *x[3];

		if (eq->kind != TN_X_CALL || eq->fn != TN_F_EQ || eq->kid[1]->kind != TN_X_CALL || eq->kid[1]->fn != TN_F_MUL ||
		    eq->kid[1]->nkid != 2)
			continue;
		x[0] = eq->kid[0], x[1] = eq->kid[1]->kid[0], x[2] = eq->kid[1]->kid[1];
		if (x[0]->kind != TN_X_VAR || x[1]->kind != TN_X_VAR || x[2]->kind != TN_X_VAR)
			continue;
		for (k = 0; k < 3; k++)
			n[k] = number_at(d, p, x[k]);
		if (n[0] < 0 && n[1] >= 0 && n[2] < 0) {
			p->name[x[2]->var] = draw_name(d, p, x[2]->var, 1);
			n[2] = p->name[x[2]->var].d[0];
		}
		if (n[0] < 0 && n[1] >= 0)
			set_name(p, x[0], n[1] * n[2]);
		else if (n[0] >= 0 && n[1] > 0 && n[2] < 0)
			set_name(p, x[2], n[0] / n[1]);
	}
}

/* The shape of an operand from the names.  What is not known is drawn, or if not `all` makes all of it unknown. */
struct seq
random_operand_shape(struct drawing *d, struct place *p, const struct tn_operand *in, bool all)
{
	struct seq s = {0};
	int i, k, n;

	for (i = 0; i < in->nitem; i++) {
		struct seq *name = &p->name[in->item[i].var];
		bool is_star = p->op->var[in->item[i].var].kind == TN_V_STAR;

		n = length_of(d, p, &in->item[i]);
		if (name->n < 0 && !all)
			return random_unknown;
		n = n < 0 ? (int)random_below(d, in->nitem == 1 ? 5 : 3) : n;
		if (name->n < 0 && !is_star)
			*name = draw_name(d, p, in->item[i].var, n);
		for (k = 0; k < n && s.n < TN_MAX_RANK; k++)
			s.d[s.n++] = is_star ? 1 + random_below(d, d->r->scale) : name->d[k];
	}
	return s;
}

static tn_val
list_of(struct drawing *d, enum tn_kind kind, const struct seq *s)
{
	return tn_val_make(d->ctx, &(struct tn_value){.kind = kind, .n = (uint32_t)s->n, .u.list = s->d});
}

static int
attr_named(const struct tn_op *op, const char *name)
{
	int i;

	for (i = 0; i < op->nattr; i++)
		if (strcmp(op->attr[i].name, name) == 0)
			return i;
	return -1;
}

/* expand: its shape is the wanted one, and the operand's axes lie in order among its axes */
static void
aim_expand(struct drawing *d, struct place *p, int axes, int shape)
{
	struct seq s = {0}, at = {0};
	const struct tn_value *given;
	int i;

	p->val[shape] = list_of(d, TN_K_DIMS, &p->wanted);
	if (p->val[axes] == TN_NONE) {
		for (i = 0; i < p->wanted.n; i++)
			if (p->first.n == p->wanted.n || (p->first.n < 0 && random_below(d, 2)))
				at.d[at.n++] = i;
		if (p->first.n >= 0 && p->first.n < p->wanted.n)
			for (i = 0; i < p->wanted.n && at.n < p->first.n; i++)
				if (p->wanted.d[i] == p->first.d[at.n] && (random_below(d, 2) || p->wanted.n - i <= p->first.n - at.n))
					at.d[at.n++] = i;
		p->val[axes] = list_of(d, TN_K_INTS, &at);
	}
	given = tn_val_get(d->ctx, p->val[axes]);
	for (i = 0; i < (int)given->n && i < TN_MAX_RANK; i++)
		s.d[s.n++] = given->u.list[i] < 0 || given->u.list[i] >= p->wanted.n || random_below(d, 3) == 0 ? 1 : p->wanted.d[given->u.list[i]];
	p->name[p->op->in[0].item[0].var] = s;
}

/* reshape: the wanted shape, from an operand with neighbours taken together or an axis of 1 more */
static void
aim_reshape(struct drawing *d, struct place *p, int shape)
{
	struct seq s = p->wanted;
	int a;

	p->val[shape] = list_of(d, TN_K_DIMS, &p->wanted);
	if (s.n >= 2 && random_below(d, 2)) {
		a = (int)random_below(d, s.n - 1);
		s.d[a] *= s.d[a + 1];
		memmove(&s.d[a + 1], &s.d[a + 2], (size_t)(s.n - a - 2) * sizeof s.d[0]);
		s.n--;
	} else if (s.n < TN_MAX_RANK)
		s.d[s.n++] = 1;
	p->name[p->op->in[0].item[0].var] = s;
}

/* transpose: some order of the wanted shape's axes */
static void
aim_transpose(struct drawing *d, struct place *p, int perm)
{
	struct seq s = {p->wanted.n, {0}}, order = {p->wanted.n, {0}};
	const struct tn_value *given;
	int i, j;
	int64_t t;

	for (i = 0; i < order.n; i++)
		order.d[i] = i;
	for (i = order.n - 1; i > 0; i--) {
		j = (int)random_below(d, i + 1);
		t = order.d[i];
		order.d[i] = order.d[j];
		order.d[j] = t;
	}
	if (p->val[perm] == TN_NONE)
		p->val[perm] = list_of(d, TN_K_INTS, &order);
	given = tn_val_get(d->ctx, p->val[perm]);
	for (i = 0; i < s.n && i < (int)given->n; i++)
		if (given->u.list[i] >= 0 && given->u.list[i] < s.n)
			s.d[given->u.list[i]] = p->wanted.d[i];
	p->name[p->op->in[0].item[0].var] = s;
}

/* fill: of the wanted shape, or of any */
static void
aim_fill(struct drawing *d, struct place *p, int shape)
{
	int i;

	p->first = p->wanted;
	if (p->first.n < 0)
		p->first.n = (int)random_below(d, 4);
	for (i = 0; p->wanted.n < 0 && i < p->first.n; i++)
		p->first.d[i] = 1 + random_below(d, d->r->scale);
	if (shape >= 0 && p->val[shape] == TN_NONE)
		p->val[shape] = list_of(d, TN_K_DIMS, &p->first);
}

/* operators whose result's shape no name tells, only an attribute */
void
random_aim(struct drawing *d, struct place *p)
{
	int shape = attr_named(p->op, "shape"), axes = attr_named(p->op, "axes"), perm = attr_named(p->op, "perm");

	if (p->op->nin == 0)
		aim_fill(d, p, shape);
	if (p->wanted.n < 0 || p->op->nin == 0)
		return;
	if (shape >= 0 && axes >= 0)
		aim_expand(d, p, axes, shape);
	else if (shape >= 0)
		aim_reshape(d, p, shape);
	else if (perm >= 0)
		aim_transpose(d, p, perm);
}
