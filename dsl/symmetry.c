/*
 * Commutativity: a definition that is the same expression with its two operands exchanged, up to
 * the order of what stands in sums, products, maxima, minima and equations.
 */
#include "dsl/op_scope.h"

static bool same(const struct tn_x *, const struct tn_x *);

static bool
is_orderless(enum tn_fn fn)
{
	return fn == TN_F_ADD || fn == TN_F_MUL || fn == TN_F_MAX || fn == TN_F_MIN || fn == TN_F_AND || fn == TN_F_OR || fn == TN_F_EQ;
}

/* each operand of a has a partner of its own in b (greedy is enough: `same` is an equivalence) */
static bool
same_in_any_order(const struct tn_x *a, const struct tn_x *b)
{
	uint64_t taken = 0;
	int i, k;

	if (a->nkid > 64)
		return false;
	for (i = 0; i < a->nkid; i++) {
		for (k = 0; k < b->nkid; k++)
			if (!(taken >> k & 1) && same(a->kid[i], b->kid[k]))
				break;
		if (k == b->nkid)
			return false;
		taken |= UINT64_C(1) << k;
	}
	return true;
}

/* is a with operands 0 and 1 exchanged the same as b? */
static bool
same(const struct tn_x *a, const struct tn_x *b)
{
	int16_t var = a->kind == TN_X_READ && a->var < 2 ? (int16_t)(1 - a->var) : a->var;
	int i;

	if (a->kind != b->kind || a->fn != b->fn || a->sort != b->sort || var != b->var || a->nkid != b->nkid || a->niter != b->niter ||
	    !number_equal(a->num, b->num))
		return false;
	for (i = 0; i < a->niter; i++)
		if (a->iter[i] != b->iter[i])
			return false;
	if (a->kind == TN_X_CALL && is_orderless((enum tn_fn)a->fn))
		return same_in_any_order(a, b);
	for (i = 0; i < a->nkid; i++)
		if (!a->kid[i] != !b->kid[i] || (a->kid[i] && !same(a->kid[i], b->kid[i])))
			return false;
	return true;
}

bool
op_is_commutative(const struct tn_op *op)
{
	const struct tn_operand *a = &op->in[0], *b = &op->in[1];
	int i;

	if (op->nin != 2 || !op->def || a->is_variadic || b->is_variadic || b->has_default || a->nitem != b->nitem || a->type != b->type)
		return false;
	for (i = 0; i < a->nitem; i++)
		if (a->item[i].var != b->item[i].var || a->item[i].count != b->item[i].count)
			return false;
	return same(op->def, op->def);
}
