/*
 * What guards ask for.  An equality of which one side is an extent or an attribute that is being chosen and the other can be
 * computed already says what is to be chosen; drawn blindly it would seldom be met.
 */
#include "verify/instance.h"

/* An extent of a tensor variable, or an attribute variable: axis -1. */
struct unknown {
	int var, axis, rank;
};

static bool
is_meant(struct instance *in, const struct tn_x *x, const struct unknown *u)
{
	bool is_late = false;
	struct tn_v axis;

	if (u->axis < 0)
		return x->kind == TN_X_VAR && x->var == u->var;
	if (x->kind != TN_X_CALL || x->fn != TN_F_DIM || x->kid[0]->var != u->var)
		return false;
	axis = compute(in, x->kid[1], &is_late);
	return axis.kind == TN_VV_INT && (axis.u.i < 0 ? axis.u.i + u->rank : axis.u.i) == u->axis;
}

/* what an equality says of it; BAD: nothing */
static struct tn_v
said_by(struct instance *in, const struct tn_x *x, const struct unknown *u)
{
	struct tn_v v = CALC_BAD;
	int i, at = -1;
	bool is_late;

	if (x->kind != TN_X_CALL)
		return CALC_BAD;
	for (i = 0; i < x->nkid && x->fn == TN_F_AND && v.kind == TN_VV_BAD; i++)
		v = said_by(in, x->kid[i], u);
	if (x->fn != TN_F_EQ)
		return v;
	for (i = 0; i < x->nkid && at < 0; i++)
		if (is_meant(in, x->kid[i], u))
			at = i;
	for (i = 0; i < x->nkid && at >= 0 && v.kind == TN_VV_BAD; i++) {
		is_late = i == at;
		v = is_late ? CALC_BAD : compute(in, x->kid[i], &is_late);
		if (is_late)
			v = CALC_BAD;
	}
	return v;
}

static struct tn_v
asked_for(struct instance *in, const struct unknown *u)
{
	struct tn_v v = CALC_BAD;
	int i;

	for (i = 0; i < in->rule->nwhen && v.kind == TN_VV_BAD && !in->rule->is_siblings; i++)
		v = said_by(in, in->rule->when[i], u);
	return v;
}

tn_dim
wish_extent(struct instance *in, int var, int axis, int rank)
{
	struct tn_v v = asked_for(in, &(struct unknown){var, axis, rank});

	return v.kind == TN_VV_INT && tn_dim_is_num(v.u.i) && v.u.i > 0 ? v.u.i : 0;
}

struct tn_v
wish_attr(struct instance *in, int var)
{
	return asked_for(in, &(struct unknown){var, -1, 0});
}
