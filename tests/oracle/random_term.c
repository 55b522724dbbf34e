/*
 * Random instances of patterns.
 *
 * A term is made under the shape that its place wants, as far as that is known: a name of the operator's
 * result gives extents to its operands, operands that are there give extents to the others, and what is
 * left is drawn.  Then the operator's own check decides.  Guards are not looked at: whoever applies the
 * rule does that.
 */
#include "tests/oracle/random_term.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARS = 48, KIDS = 8, RUN = 3, SHARED = 32, ATTRS = 16, NAMES = 64, OPS = 6 };

struct drawing {
	const struct random_term *t;
	struct random_op *r;
	struct tn_ctx *ctx;
	const struct tn_rule *rule;
	struct tn_graph *g;
	uint32_t tensor[VARS];
	struct { int n; uint32_t at[RUN]; } run[VARS];
	tn_val value[VARS];
	tn_attrs record[VARS];
	struct { const struct tn_term *term; uint32_t node; } shared[SHARED];
	int nshared, in_map;
	struct { int op; struct seq name[NAMES]; } before[OPS];	/* an operator's last extents */
	int nbefore;
};

/* One operator on its way: extents by name, attributes, operands. */
struct place {
	const struct tn_op *op;
	const struct tn_term *term;
	struct seq name[NAMES], first, wanted;	/* n -1: not known */
	tn_val val[ATTRS];
	struct { const struct tn_term *term; int run, elem; uint32_t node; } kid[KIDS];
	int nkid;
};

static const struct seq unknown = {-1, {0}};

static uint32_t make_term(struct drawing *, const struct tn_term *, const struct seq *wanted);

static int64_t
below(struct drawing *d, int64_t n)
{
	return rng_below(&d->r->rng, (uint32_t)n);
}

static struct seq
shape_of(const struct drawing *d, uint32_t node)
{
	const struct tn_shape *t = tn_type_get(d->ctx, d->g->node[node].type);
	struct seq s = {t->rank, {0}};

	memcpy(s.d, t->dim, sizeof s.d);
	return s;
}

/* ---- leaves -------------------------------------------------------------------------------------------- */

static uint32_t
make_leaf(struct drawing *d, const struct seq *wanted)
{
	struct tn_shape t = {.dtype = TN_F32, .rank = wanted->n};
	struct tn_weight w = {.name = "w", .is_owned = true};
	int64_t n = 1, i;
	char name[16];
	float *data;
	int k;

	if (t.rank < 0)
		t.rank = (int)below(d, 5);
	for (k = 0; k < t.rank; k++) {
		t.dim[k] = wanted->n < 0 ? 1 + below(d, d->r->scale) : wanted->d[k];
		if (t.dim[k] < 1 || t.dim[k] > 64)
			return TN_NONE;
		n *= t.dim[k];
	}
	if (n > 20000)
		return TN_NONE;
	if (!d->t->all_weights && below(d, 4)) {
		snprintf(name, sizeof name, "x%u", d->g->ninput);
		return tn_graph_input(d->g, name, tn_type_make(d->ctx, &t));
	}
	data = malloc((size_t)n * sizeof *data + 1);
	for (i = 0; i < n; i++)
		data[i] = (float)(0.25 + 1.5 * rng_unit(&d->r->rng));	/* a variance is not negative */
	w.type = tn_type_make(d->ctx, &t);
	w.data = data;
	w.size_bytes = (size_t)n * sizeof *data;
	return tn_graph_weight(d->g, &w);
}

/* ---- values ----------------------------------------------------------------------------------------------- */

static int64_t
value_int(const struct drawing *d, tn_val v)
{
	const struct tn_value *x = tn_val_get(d->ctx, v);

	return x->kind == TN_K_DIM ? x->u.dim : x->kind == TN_K_FLOAT ? (int64_t)x->u.f : x->u.i;
}

/* the value as one of the attribute's kind */
static tn_val
value_as(const struct drawing *d, tn_val v, enum tn_kind kind)
{
	const struct tn_value *x = tn_val_get(d->ctx, v);
	struct tn_value to = *x;

	if (x->kind == kind)
		return v;
	to.kind = kind;
	if (kind == TN_K_FLOAT)
		to.u.f = (double)value_int(d, v);
	else if (kind == TN_K_DIM)
		to.u.dim = value_int(d, v);
	else if (kind != TN_K_INTS && kind != TN_K_DIMS)
		to.u.i = value_int(d, v);
	return tn_val_make(d->ctx, &to);
}

/* [1 2 $i ..h]: what is not bound is drawn and bound */
static tn_val
list_value(struct drawing *d, const struct tn_attr_decl *a, const struct tn_x *x, tn_val drawn)
{
	int64_t list[TN_MAX_RANK];
	struct tn_value v = {.kind = a->kind, .u.list = list}, one = {.kind = TN_K_INT};
	const struct tn_value *from = tn_val_get(d->ctx, drawn);
	int i;

	for (i = 0; i < x->nkid && i < TN_MAX_RANK; i++) {
		const struct tn_x *e = x->kid[i];

		if (e->sort == TN_S_LIST)
			return drawn;		/* ..h: nothing is known of its length */
		if (e->kind == TN_X_NUM)
			list[v.n++] = e->num.num;
		else if (e->kind == TN_X_VAR && d->value[e->var] != TN_NONE)
			list[v.n++] = value_int(d, d->value[e->var]);
		else {
			list[v.n] = from->n > (uint32_t)i ? from->u.list[i] : below(d, 3);
			one.u.i = list[v.n++];
			if (e->kind == TN_X_VAR)
				d->value[e->var] = tn_val_make(d->ctx, &one);
		}
	}
	return tn_val_make(d->ctx, &v);
}

/* what a pattern says of an attribute, or TN_NONE */
static tn_val
pattern_value(struct drawing *d, const struct tn_attr_decl *a, const struct tn_x *x)
{
	struct tn_value v = {.kind = a->kind};

	if (x->kind == TN_X_VAR)
		return d->value[x->var] == TN_NONE ? TN_NONE : value_as(d, d->value[x->var], (enum tn_kind)a->kind);
	if (x->kind == TN_X_LIST)
		return list_value(d, a, x, random_attr(d->r, a, &(struct seq){x->nkid, {0}}, -1));
	if (x->kind != TN_X_NUM && x->kind != TN_X_TEXT)
		return TN_NONE;
	if (a->kind == TN_K_FLOAT)
		v.u.f = tn_number_double(x->num);
	else if (a->kind == TN_K_DIM)
		v.u.dim = x->num.num;
	else if (a->kind == TN_K_STRING)
		v.u.s = x->text;
	else
		v.u.i = x->num.num;
	return tn_val_make(d->ctx, &v);
}

/* attributes that the pattern or a captured record say */
static void
known_attrs(struct drawing *d, struct place *p)
{
	const struct tn_term *t = p->term;
	const tn_val *from = t->capture >= 0 && d->record[t->capture] != TN_NONE ? tn_attrs_get(d->ctx, d->record[t->capture], NULL) : NULL;
	int i;

	for (i = 0; i < p->op->nattr; i++)
		p->val[i] = from ? from[i] : TN_NONE;
	for (i = 0; i < t->nbind; i++)
		p->val[t->bind[i].attr] = pattern_value(d, &p->op->attr[t->bind[i].attr], t->bind[i].x);
	for (i = 0; i < p->op->nattr; i++)		/* groups, and numbers of axes */
		if (p->op->attr[i].kind == TN_K_INT && p->val[i] == TN_NONE)
			p->val[i] = random_attr(d->r, &p->op->attr[i], &unknown, -1);
}

/* the others, and what variables stand for them */
static tn_attrs
draw_attrs(struct drawing *d, struct place *p)
{
	const struct tn_term *t = p->term;
	tn_attrs record;
	int i;

	for (i = 0; i < p->op->nattr; i++)
		if (p->val[i] == TN_NONE)
			p->val[i] = random_attr(d->r, &p->op->attr[i], p->first.n < 0 ? &p->wanted : &p->first, -1);
	for (i = 0; i < t->nbind; i++)
		if (t->bind[i].x->kind == TN_X_VAR && d->value[t->bind[i].x->var] == TN_NONE)
			d->value[t->bind[i].x->var] = p->val[t->bind[i].attr];
	record = tn_attrs_make(d->ctx, p->val, p->op->nattr);
	if (t->capture >= 0)
		d->record[t->capture] = record;
	return record;
}

/* ---- shapes ------------------------------------------------------------------------------------------------- */

/* axes that an item stands for; -1: not known */
static int
length_of(const struct drawing *d, const struct place *p, const struct tn_item *it)
{
	if (!it->is_seq)
		return 1;
	if (it->count >= 0 && p->val[it->count] != TN_NONE)
		return (int)value_int(d, p->val[it->count]);
	return p->name[it->var].n;
}

/* names from an operand's shape; sequences of unknown length share what is left over */
static void
bind_names(struct drawing *d, struct place *p, const struct tn_operand *in, const struct seq *s)
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
			n = --open ? (int)below(d, left + 1) : left;
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
static void
bind_result(struct drawing *d, struct place *p)
{
	struct tn_item item[NAMES] = {0};
	struct tn_operand as = {.nitem = (uint16_t)p->op->nout, .item = item};
	int i;

	for (i = 0; i < p->op->nout; i++)
		item[i] = (struct tn_item){p->op->out[i], -1, p->op->var[p->op->out[i]].sort == TN_S_LIST};
	if (p->wanted.n >= 0)
		bind_names(d, p, &as, &p->wanted);
}

/* extents that nothing decides: often those of the operator's last use, as many patterns want two alike */
static struct seq
draw_name(struct drawing *d, const struct place *p, int var, int n)
{
	struct seq s = {n, {0}};
	int i, k;

	for (i = 0; i < d->nbefore; i++)
		if (d->before[i].op == p->term->op && d->before[i].name[var].n == n && below(d, 4))
			return d->before[i].name[var];
	for (k = 0; k < n && k < TN_MAX_RANK; k++)
		s.d[k] = 1 + below(d, d->r->scale);
	return s;
}

static void
remember_names(struct drawing *d, const struct place *p)
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
		return p->val[v->attr] == TN_NONE ? -1 : value_int(d, p->val[v->attr]);
	return p->name[x->var].n == 1 ? p->name[x->var].d[0] : -1;
}

static void
set_name(struct place *p, const struct tn_x *x, int64_t n)
{
	if (p->op->var[x->var].kind == TN_V_DIM)
		p->name[x->var] = (struct seq){1, {n}};
}

/* (where (= c (* groups g))): what is known decides the third */
static void
solve_products(struct drawing *d, struct place *p)
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
static struct seq
operand_shape(struct drawing *d, struct place *p, const struct tn_operand *in, bool all)
{
	struct seq s = {0};
	int i, k, n;

	for (i = 0; i < in->nitem; i++) {
		struct seq *name = &p->name[in->item[i].var];
		bool is_star = p->op->var[in->item[i].var].kind == TN_V_STAR;

		n = length_of(d, p, &in->item[i]);
		if (name->n < 0 && !all)
			return unknown;
		n = n < 0 ? (int)below(d, in->nitem == 1 ? 5 : 3) : n;
		if (name->n < 0 && !is_star)
			*name = draw_name(d, p, in->item[i].var, n);
		for (k = 0; k < n && s.n < TN_MAX_RANK; k++)
			s.d[s.n++] = is_star ? 1 + below(d, d->r->scale) : name->d[k];
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
			if (p->first.n == p->wanted.n || (p->first.n < 0 && below(d, 2)))
				at.d[at.n++] = i;
		if (p->first.n >= 0 && p->first.n < p->wanted.n)
			for (i = 0; i < p->wanted.n && at.n < p->first.n; i++)
				if (p->wanted.d[i] == p->first.d[at.n] && (below(d, 2) || p->wanted.n - i <= p->first.n - at.n))
					at.d[at.n++] = i;
		p->val[axes] = list_of(d, TN_K_INTS, &at);
	}
	given = tn_val_get(d->ctx, p->val[axes]);
	for (i = 0; i < (int)given->n && i < TN_MAX_RANK; i++)
		s.d[s.n++] = given->u.list[i] < 0 || given->u.list[i] >= p->wanted.n || below(d, 3) == 0 ? 1 : p->wanted.d[given->u.list[i]];
	p->name[p->op->in[0].item[0].var] = s;
}

/* reshape: the wanted shape, from an operand with neighbours taken together or an axis of 1 more */
static void
aim_reshape(struct drawing *d, struct place *p, int shape)
{
	struct seq s = p->wanted;
	int a;

	p->val[shape] = list_of(d, TN_K_DIMS, &p->wanted);
	if (s.n >= 2 && below(d, 2)) {
		a = (int)below(d, s.n - 1);
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
		j = (int)below(d, i + 1);
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

/* operators whose result's shape no name tells, only an attribute */
static void
aim(struct drawing *d, struct place *p)
{
	int shape = attr_named(p->op, "shape"), axes = attr_named(p->op, "axes"), perm = attr_named(p->op, "perm");

	if (p->wanted.n < 0)
		return;
	if (shape >= 0 && axes >= 0)
		aim_expand(d, p, axes, shape);
	else if (shape >= 0)
		aim_reshape(d, p, shape);
	else if (perm >= 0)
		aim_transpose(d, p, perm);
}

/* ---- operators ----------------------------------------------------------------------------------------------- */

/* the operand that a place is for, the last one where it is variadic */
static const struct tn_operand *
slot(const struct place *p, int k)
{
	return &p->op->in[k < p->op->nin ? k : p->op->nin - 1];
}

/* operands as the pattern has them, with sequences written out */
static bool
list_kids(struct drawing *d, struct place *p)
{
	const struct tn_term *t = p->term;
	int i, k, n;

	for (i = 0; i < t->nkid; i++) {
		const struct tn_term *kid = t->kid[i];
		bool is_run = kid->kind == TN_T_REST || kid->kind == TN_T_MAP;

		if (is_run && d->run[kid->var].n < 0)
			d->run[kid->var].n = 1 + (int)below(d, RUN);
		n = is_run ? d->run[kid->var].n : 1;
		for (k = 0; k < n; k++) {
			if (p->nkid == KIDS)
				return false;
			p->kid[p->nkid].term = kid;
			p->kid[p->nkid].run = is_run ? kid->var : -1;
			p->kid[p->nkid].elem = k;
			p->kid[p->nkid++].node = TN_NONE;
		}
	}
	return true;
}

/* an operand that is an operator, or a tensor that was made before; TN_NONE and *ok false: it does not fit */
static uint32_t
make_known(struct drawing *d, struct place *p, int k, bool *ok)
{
	const struct tn_term *t = p->kid[k].term;
	struct seq wanted;
	uint32_t node;
	int run = p->kid[k].run;

	if (t->kind == TN_T_VAR && d->rule->var[t->var].kind == TN_R_TENSOR)
		return d->tensor[t->var];
	if (t->kind == TN_T_REST)
		return d->run[run].at[p->kid[k].elem];
	if (t->kind != TN_T_OP && t->kind != TN_T_VAR && t->kind != TN_T_MAP)
		return TN_NONE;
	solve_products(d, p);
	wanted = operand_shape(d, p, slot(p, k), below(d, 4) != 0);
	if (t->kind == TN_T_MAP) {
		d->in_map++;
		d->tensor[run] = d->run[run].at[p->kid[k].elem];
		node = make_term(d, t->kid[0], &wanted);
		d->run[run].at[p->kid[k].elem] = d->tensor[run];
		d->in_map--;
	} else
		node = make_term(d, t, &wanted);
	*ok &= node != TN_NONE;
	return node;
}

static bool
make_kids(struct drawing *d, struct place *p)
{
	bool ok = true;
	int pass, k;

	for (pass = 0; pass < 2; pass++)
		for (k = 0; ok && k < p->nkid; k++) {
			bool is_var = p->kid[k].term->kind == TN_T_VAR || p->kid[k].term->kind == TN_T_REST;

			if (p->kid[k].node != TN_NONE || (pass == 0) != is_var)
				continue;
			p->kid[k].node = make_known(d, p, k, &ok);
			if (ok && p->kid[k].node != TN_NONE) {
				struct seq s = shape_of(d, p->kid[k].node);

				bind_names(d, p, slot(p, k), &s);
				if (k == 0)
					p->first = s;
			}
		}
	return ok;
}

/* tensors that are new */
static bool
make_leaves(struct drawing *d, struct place *p)
{
	const struct tn_term *t;
	struct seq s;
	int k;

	for (k = 0; k < p->nkid; k++) {
		t = p->kid[k].term;
		if (p->kid[k].node != TN_NONE || (t->kind != TN_T_VAR && t->kind != TN_T_REST && t->kind != TN_T_ANY))
			continue;
		if (t->kind == TN_T_VAR && d->tensor[t->var] != TN_NONE) {
			p->kid[k].node = d->tensor[t->var];	/* twice in one operator */
			continue;
		}
		s = operand_shape(d, p, slot(p, k), true);
		p->kid[k].node = make_leaf(d, &s);
		if (p->kid[k].node == TN_NONE)
			return false;
		if (k == 0)
			p->first = s;
		if (t->kind == TN_T_VAR)
			d->tensor[t->var] = p->kid[k].node;
		else if (t->kind == TN_T_REST)
			d->run[p->kid[k].run].at[p->kid[k].elem] = p->kid[k].node;
	}
	return true;
}

static double
number_of(struct drawing *d, const struct tn_term *t)
{
	struct tn_value v = {.kind = TN_K_FLOAT};

	if (t->kind == TN_T_NUM)
		return tn_number_double(t->num);
	if (d->value[t->var] == TN_NONE) {
		v.u.f = below(d, 3) ? (double)(1 + below(d, 3)) : (double)(float)rng_normal(&d->r->rng);
		d->value[t->var] = tn_val_make(d->ctx, &v);
	}
	return tn_val_get(d->ctx, value_as(d, d->value[t->var], TN_K_FLOAT))->u.f;
}

/* numbers get the shapes that their places give them, and the operator its node */
static uint32_t
finish(struct drawing *d, struct place *p, tn_attrs attrs)
{
	tn_type in[KIDS];
	uint32_t kid[KIDS];
	struct tn_infer s = {.ctx = d->ctx, .op = p->op, .nin = p->nkid, .in = in};
	int k;

	for (k = 0; k < p->nkid; k++)
		in[k] = p->kid[k].node == TN_NONE ? TN_NONE : d->g->node[p->kid[k].node].type;
	s.attrs = tn_attrs_normalise(d->ctx, p->op, attrs, in, p->nkid);
	if (s.attrs == TN_NONE || !tn_infer_run(&s))
		return TN_NONE;
	for (k = 0; k < p->nkid; k++)
		kid[k] = p->kid[k].node == TN_NONE ? tn_graph_fill(d->g, number_of(d, p->kid[k].term), in[k]) : p->kid[k].node;
	return tn_graph_node(d->g, (unsigned)p->term->op, s.attrs, kid, p->nkid, TN_NONE, NULL);
}

static uint32_t
make_operator(struct drawing *d, const struct tn_term *t, const struct seq *wanted)
{
	struct place p = {.op = &d->t->op[t->op], .term = t, .first = unknown, .wanted = *wanted};
	tn_attrs attrs;
	int i;

	for (i = 0; i < p.op->nvar; i++)
		p.name[i] = unknown;
	known_attrs(d, &p);
	bind_result(d, &p);
	if (!list_kids(d, &p))
		return TN_NONE;
	if (t->kid[0]->kind == TN_T_OP) {
		if (!make_kids(d, &p))
			return TN_NONE;
		aim(d, &p);
	} else {
		aim(d, &p);
		if (!make_kids(d, &p))
			return TN_NONE;
	}
	solve_products(d, &p);
	if (!make_leaves(d, &p))
		return TN_NONE;
	remember_names(d, &p);
	if (p.wanted.n < 0)
		p.wanted = p.first;
	attrs = draw_attrs(d, &p);
	return finish(d, &p, attrs);
}

static uint32_t
make_term(struct drawing *d, const struct tn_term *t, const struct seq *wanted)
{
	uint32_t node;
	int i;

	if (t->kind == TN_T_VAR && d->rule->var[t->var].kind == TN_R_TERM)
		return make_term(d, d->rule->var[t->var].term, wanted);
	if (t->kind == TN_T_VAR) {
		if (d->tensor[t->var] == TN_NONE)
			d->tensor[t->var] = make_leaf(d, wanted);
		return d->tensor[t->var];
	}
	if (t->kind == TN_T_ANY)
		return make_leaf(d, wanted);
	if (t->kind != TN_T_OP)
		return TN_NONE;
	for (i = 0; i < d->nshared; i++)
		if (d->shared[i].term == t)
			return d->shared[i].node;
	node = make_operator(d, t, wanted);
	if (node != TN_NONE && !d->in_map && d->nshared < SHARED) {
		d->shared[d->nshared].term = t;
		d->shared[d->nshared++].node = node;
	}
	return node;
}

/* Each sibling has one tensor of its own of each ?xs... */
static void
next_sibling(struct drawing *d)
{
	int i;

	for (i = 0; i < VARS; i++) {
		d->run[i].n = 1;
		d->run[i].at[0] = TN_NONE;
	}
	d->nshared = 0;
}

struct tn_graph *
random_left_sides(const struct random_term *t, const struct tn_rule *rule)
{
	struct drawing d = {.t = t, .r = t->r, .ctx = t->r->ctx, .rule = rule};
	struct seq wanted = unknown;
	uint32_t node = 0;
	char name[16];
	int i, k, n;

	d.g = tn_graph_new(d.ctx, t->program, rule->name);
	for (i = 0; i < VARS; i++) {
		d.tensor[i] = d.record[i] = TN_NONE;
		d.value[i] = TN_NONE;
		d.run[i].n = -1;
		for (k = 0; k < RUN; k++)
			d.run[i].at[k] = TN_NONE;
	}
	n = rule->is_siblings ? 2 + (int)below(&d, 2) : rule->narrow;
	for (i = 0; i < n && node != TN_NONE; i++) {
		if (rule->is_siblings)
			next_sibling(&d);
		node = make_term(&d, rule->arrow[rule->is_siblings ? 0 : i].from, &wanted);
		snprintf(name, sizeof name, "y%d", i);
		if (node != TN_NONE)
			tn_graph_output(d.g, name, node);
	}
	if (node != TN_NONE && rule->nvar <= VARS)
		return d.g;
	tn_graph_free(d.g);
	return NULL;
}
