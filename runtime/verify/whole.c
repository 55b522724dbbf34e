/*
 * Whole numbers.  Where the operators of a rule admit integers or booleans, the rule is applied to them too, and
 * laws of the reals need not be laws of those: each result is stored in its type, where a fraction is cut towards 0
 * and what is too large wraps, and a boolean is 0 or 1.
 */
#include "base/dtype.h"
#include "verify/whole.h"

const enum tn_dtype whole_types[] = {TN_I32, TN_I64, TN_U8, TN_BOOL, TN_UNTYPED};

static bool
shares_type(const struct tn_op *op)
{
	bool shares = op->out_type == -1;
	int i;

	for (i = 0; i < op->nin; i++)
		shares |= op->in[i].type == -1;
	return shares;
}

static bool
term_admits(const struct tn_program_text *text, const struct tn_term *t, enum tn_dtype type)
{
	const struct tn_op *op = t->kind == TN_T_OP ? &text->op[t->op] : NULL;
	int i;

	if (op && shares_type(op) && !(op->dtypes >> type & 1))
		return false;
	for (i = 0; i < t->nkid; i++)
		if (!term_admits(text, t->kid[i], type))
			return false;
	return true;
}

bool
whole_admits(const struct tn_program_text *text, const struct tn_rule *r, enum tn_dtype type)
{
	int i;

	for (i = 0; i < r->narrow; i++)
		if (!term_admits(text, r->arrow[i].from, type) || !term_admits(text, r->arrow[i].to, type))
			return false;
	return true;
}

int64_t
whole_stored(enum tn_dtype type, int64_t x)
{
	int bits = 8 * (int)dtype_size(type);
	uint64_t u = (uint64_t)x, sign;

	if (type == TN_BOOL)
		return x != 0;
	if (bits == 0 || bits == 64)		/* text, and what has no type, have no size */
		return x;
	sign = UINT64_C(1) << (bits - 1);
	u &= (UINT64_C(1) << bits) - 1;
	if (type == TN_I8 || type == TN_I16 || type == TN_I32)
		u = (u ^ sign) - sign;
	return (int64_t)u;
}

int64_t
whole_draw(struct rng *rng, enum tn_dtype type, unsigned way)
{
	int64_t r = rng_below(rng, 7), most = dtype_size(type) < 8 ? whole_stored(type, -1) < 0 ?
	    (INT64_C(1) << (8 * dtype_size(type) - 1)) - 1 : whole_stored(type, -1) : INT64_C(1) << 61;

	switch (way % WHOLE_WAYS) {
	case 1: r = (r + 1) * (rng_below(rng, 2) ? 1 : -1); break;
	case 2: r = r < 3 ? most - r : r < 5 ? -most + r - 3 : r - 5; break;
	default: r -= 2;
	}
	return whole_stored(type, r);
}
