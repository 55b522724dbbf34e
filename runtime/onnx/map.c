/* The table of operators, and records of attributes by name; see map.def. */
#include <string.h>

#include "onnx/lower.h"

static const struct lower_row rows[] = {
#define LOWER(onnx, operands, attributes, since, until, lower, tenon) {#onnx, operands, attributes, since, until, lower, tenon},
#include "onnx/map.def"
};

const struct lower_row *
map_row(struct span op)
{
	size_t i;

	for (i = 0; i < sizeof rows / sizeof *rows; i++)
		if (span_is(op, rows[i].onnx))
			return &rows[i];
	return NULL;
}

char
map_letter(const char *operands, uint32_t i)
{
	size_t n = strlen(operands);

	if (n && operands[n - 1] == '*')
		return operands[i < n - 1 ? i : n - 2];
	return i < n ? operands[i] : 0;
}

unsigned
map_declared(const struct tn_program *p, const struct onnx_node *n)
{
	int i;

	for (i = TN_CORE; i < p->nop; i++) {
		const struct tn_op *op = &p->op[i];

		if (op->onnx && span_is(n->op, op->onnx) && (op->onnx_domain && *op->onnx_domain
		    ? span_is(n->domain, op->onnx_domain) : domain_is_default(n->domain)))
			return (unsigned)i;
	}
	return TN_NONE;
}

/* ---- records ---------------------------------------------------------------------------------- */

/* a whole number written in a declaration */
static bool
whole(const struct tn_x *x, int64_t *out)
{
	*out = x->num.num;
	return (x->kind == TN_X_NUM && x->num.den == 1 && x->num.exp10 == 0) || x->kind == TN_X_TEXT;
}

/* the value of a default, which is a constant expression; false: of a kind that is not read here */
static bool
default_value(struct tn_ctx *c, const struct tn_attr_decl *d, struct tn_value *v)
{
	int64_t list[TN_MAX_RANK];
	int i;

	*v = (struct tn_value){.kind = (enum tn_kind)d->kind};
	if (!d->init)
		return false;
	switch (v->kind) {
	case TN_K_FLOAT:
		v->u.f = tn_number_double(d->init->num);
		return d->init->kind == TN_X_NUM;
	case TN_K_STRING:
		v->u.s = tn_ctx_str(c, d->init->text, strlen(d->init->text));
		return d->init->kind == TN_X_TEXT;
	case TN_K_INTS:
	case TN_K_DIMS:
		if (d->init->kind != TN_X_LIST || d->init->nkid > TN_MAX_RANK)
			return false;
		for (i = 0; i < d->init->nkid; i++)
			if (!whole(d->init->kid[i], &list[i]))
				return false;
		v->n = d->init->nkid;
		v->u.list = list;
		/* interned here, as the list is ours */
		*v = *tn_val_get(c, tn_val_make(c, v));
		return true;
	default:
		return whole(d->init, &v->u.i);
	}
}

/* what was given, as the declared kind */
static bool
given_value(const struct tn_attr_decl *d, const struct low_attr *a, struct tn_value *v)
{
	*v = (struct tn_value){.kind = (enum tn_kind)d->kind};
	switch (v->kind) {
	case TN_K_FLOAT:
		v->u.f = a->n == -1 ? (double)a->i : a->f;
		return a->n < 0;
	case TN_K_INTS:
	case TN_K_DIMS:
		v->n = a->n < 0 ? 0 : (uint32_t)a->n;
		v->u.list = a->list;
		return a->n >= 0 && (d->nelem == 0 || d->nelem == a->n);
	case TN_K_STRING:
		return false;
	default:
		v->u.i = a->i;
		return a->n == -1;
	}
}

tn_attrs
map_record(struct tn_ctx *c, const struct tn_op *op, const struct low_attr given[], int n)
{
	tn_val val[64];
	struct tn_value v;
	int i, k, used = 0;

	if (op->nattr > (int)(sizeof val / sizeof *val))
		return TN_NONE;
	for (i = 0; i < op->nattr; i++) {
		const struct tn_attr_decl *d = &op->attr[i];

		for (k = 0; k < n && strcmp(given[k].name, d->name) != 0; k++)
			;
		used += k < n;
		if (k < n ? !given_value(d, &given[k], &v) : !default_value(c, d, &v))
			return TN_NONE;
		val[i] = tn_val_make(c, &v);
	}
	return used == n ? tn_attrs_make(c, val, op->nattr) : TN_NONE;
}
