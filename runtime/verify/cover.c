/*
 * How much of each parameter's range the instances of a rule covered: the attributes of the left side's
 * operators, and the ranks and extents of their operands by the names that declarations give them.
 */
#include <string.h>

#include "verify/cover.h"

/* ---- noted ------------------------------------------------------------------------------------------------ */

static struct met *
met_of(struct cover *c, const struct tn_op *op, const struct tn_attr_decl *attr, const char *name)
{
	struct met made = {.op = op, .attr = attr, .name = name, .least = INT64_MAX, .most = INT64_MIN};
	uint32_t i;

	for (i = 0; i < c->met.n; i++)
		if (c->met.at[i].op == op && c->met.at[i].attr == attr && strcmp(c->met.at[i].name, name) == 0)
			return &c->met.at[i];
	vec_push(&c->met, made);
	return &c->met.at[c->met.n - 1];
}

static bool
is_choice(const struct tn_attr_decl *a)
{
	return a && (a->kind == TN_K_ENUM || a->kind == TN_K_BOOL);
}

static void
note_number(struct met *m, int64_t v)
{
	if (v < m->least)
		m->least = v;
	if (v > m->most)
		m->most = v;
	if (is_choice(m->attr))
		m->value |= UINT64_C(1) << (v & 63);
	else if (v >= COVER_LEAST && v <= COVER_MOST)
		m->value |= UINT64_C(1) << (v - COVER_LEAST);
}

static void
note_attr(struct met *m, const struct tn_value *v)
{
	uint32_t i;

	switch (v->kind) {
	case TN_K_INT: case TN_K_BOOL: case TN_K_ENUM: case TN_K_AXIS: case TN_K_DIM:
		note_number(m, v->u.i);
		break;
	case TN_K_INTS: case TN_K_DIMS:
		for (i = 0; i < v->n; i++)
			note_number(m, v->u.list[i]);
		break;
	default:
		break;
	}
}

/* extents by name where the operand's axes are all named one by one, else its rank */
static void
note_operand(struct cover *c, const struct tn_op *op, const struct tn_operand *d, const struct tn_shape *t)
{
	bool is_fixed = t->rank == d->nitem;
	int i;

	for (i = 0; i < d->nitem; i++)
		is_fixed &= !d->item[i].is_seq && op->var[d->item[i].var].kind != TN_V_STAR;
	for (i = 0; i < t->rank && is_fixed; i++)
		note_number(met_of(c, op, NULL, op->var[d->item[i].var].name), t->dim[i]);
	if (!is_fixed)
		note_number(met_of(c, op, NULL, "rank"), t->rank);
}

/* is the attribute named beside a capture of the operator? then only its own value can be met */
static bool
is_named(const struct instance *in, const struct tn_term *t, const struct tn_op *op, int attr)
{
	int i;

	if (t->kind == TN_T_OP && &in->text->op[t->op] == op && named_attr(t, attr))
		return true;
	for (i = 0; i < t->nkid; i++)
		if (is_named(in, t->kid[i], op, attr))
			return true;
	return false;
}

static bool
is_named_anywhere(const struct instance *in, const struct tn_op *op, int attr)
{
	int i;

	for (i = 0; i < in->rule->narrow; i++)
		if (is_named(in, in->rule->arrow[i].from, op, attr))
			return true;
	return false;
}

static bool
is_captured(const struct instance *in, const struct tn_op *op)
{
	int i;

	for (i = 0; i < in->rule->nvar; i++)
		if (in->rule->var[i].kind == TN_R_CAPTURE && in->now.var[i].is_set && in->now.var[i].op == op)
			return true;
	return false;
}

static void
note_node(struct cover *c, const struct instance *in, int node)
{
	const struct vnode *x = &in->node.at[node];
	const tn_val *value;
	struct met *m;
	bool captured;
	int i;

	if (x->kind != V_OPERATOR)
		return;
	value = tn_attrs_get(in->ctx, x->attrs, NULL);
	captured = is_captured(in, x->op);
	joint_note(&c->joint, in, x);
	for (i = 0; i < x->op->nattr; i++) {
		m = met_of(c, x->op, &x->op->attr[i], x->op->attr[i].name);
		m->is_free = captured && !is_named_anywhere(in, x->op, i);
		note_attr(m, tn_val_get(in->ctx, value[i]));
	}
	for (i = 0; i < x->nkid; i++) {
		note_operand(c, x->op, infer_operand(x->op, i), instance_shape(in, x->kid[i]));
		note_node(c, in, x->kid[i]);
	}
}

void
cover_note(struct cover *c, const struct instance *in)
{
	int i;

	for (i = 0; i < in->narrow; i++)
		note_node(c, in, in->from[i]);
}

/* ---- told --------------------------------------------------------------------------------------------------- */

static uint64_t
all_values(const struct tn_attr_decl *a)
{
	return a->kind == TN_K_BOOL ? 3 : a->enums->nvalue < 64 ? (UINT64_C(1) << a->enums->nvalue) - 1 : UINT64_MAX;
}

static bool
lacks_choice(const struct met *m)
{
	return m->is_free && is_choice(m->attr) && (m->value & all_values(m->attr)) != all_values(m->attr);
}

/* a number of which any would do, and one alone was met */
static bool
lacks_number(const struct met *m)
{
	return m->is_free && !is_choice(m->attr) && m->least == m->most;
}

bool
cover_is_complete(const struct cover *c)
{
	uint32_t i;

	for (i = 0; i < c->met.n; i++)
		if (lacks_choice(&c->met.at[i]) || lacks_number(&c->met.at[i]))
			return false;
	return true;
}

static const char *
choice_name(const struct met *m, int v)
{
	return m->attr->kind == TN_K_BOOL ? (v ? "true" : "false") : m->attr->enums->value[v];
}

char *
cover_unmet(const struct cover *c)
{
	struct buf b = {0};
	uint32_t i;
	int v;

	for (i = 0; i < c->met.n; i++) {
		const struct met *m = &c->met.at[i];

		for (v = 0; lacks_choice(m) && v < 64 && all_values(m->attr) >> v & 1; v++)
			if (!(m->value >> v & 1))
				buf_printf(&b, "%s%s %s", b.n ? ", " : "", m->name, choice_name(m, v));
		if (lacks_number(m))
			buf_printf(&b, "%s%s but %lld", b.n ? ", " : "", m->name, (long long)m->least);
	}
	return b.at;
}

/* "none relu", "1 2 3 5"; the ends alone where they lie outside of what is noted one by one */
static void
put_values(const struct met *m, struct buf *b)
{
	int v;

	if (!is_choice(m->attr) && (m->least < COVER_LEAST || m->most > COVER_MOST)) {
		buf_printf(b, " %lld … %lld", (long long)m->least, (long long)m->most);
		return;
	}
	for (v = 0; v < 64; v++) {
		if (!(m->value >> v & 1))
			continue;
		if (is_choice(m->attr))
			buf_printf(b, " %s", choice_name(m, v));
		else
			buf_printf(b, " %d", COVER_LEAST + v);
	}
}

char *
cover_text(const struct cover *c)
{
	const struct tn_op *op;
	struct buf b = {0};
	uint32_t i, k;

	for (i = 0; i < c->met.n; i++) {
		op = c->met.at[i].op;
		for (k = 0; c->met.at[k].op != op; k++)
			;
		if (k < i)
			continue;
		buf_printf(&b, "    %s:", op->name);
		for (k = i; k < c->met.n; k++) {
			const struct met *m = &c->met.at[k];

			if (m->op != op || m->least > m->most)
				continue;
			buf_printf(&b, "%s %s", k > i ? ";" : "", m->name);
			put_values(m, &b);
		}
		buf_putc(&b, '\n');
	}
	return b.at;
}

void
cover_free(struct cover *c)
{
	vec_free(&c->met);
	joint_free(&c->joint);
}
