/* Values of the rule language: comparisons, and functions of lists. */
#include <string.h>

#include "tensor/calc.h"

enum { LONGEST = 1 << 16 };	/* elements of a range */

/* ---- comparisons ----------------------------------------------------------------------------------- */

static enum tn_tri
compare_ints(struct tn_ctx *c, enum tn_fn fn, tn_dim a, tn_dim b)
{
	switch (fn) {
	case TN_F_EQ: return tn_dim_eq(c, a, b);
	case TN_F_NE: return tn_dim_ne(c, a, b);
	case TN_F_LT: return tn_dim_lt(c, a, b);
	case TN_F_LE: return tn_dim_le(c, a, b);
	case TN_F_GT: return tn_dim_gt(c, a, b);
	case TN_F_GE: return tn_dim_ge(c, a, b);
	default: return tn_dim_divides(c, a, b);
	}
}

static struct tn_v
compare_reals(enum tn_fn fn, double a, double b)
{
	switch (fn) {
	case TN_F_EQ: return calc_bool(tn_tri_of(a == b));
	case TN_F_NE: return calc_bool(tn_tri_of(a != b));
	case TN_F_LT: return calc_bool(tn_tri_of(a < b));
	case TN_F_LE: return calc_bool(tn_tri_of(a <= b));
	case TN_F_GT: return calc_bool(tn_tri_of(a > b));
	case TN_F_GE: return calc_bool(tn_tri_of(a >= b));
	default: return CALC_BAD;
	}
}

/* words, truths and names can only be equal or not */
static struct tn_v
compare_names(enum tn_fn fn, struct tn_v a, struct tn_v b)
{
	bool is_equal = a.kind == TN_VV_STRING ? strcmp(a.u.s, b.u.s) == 0 : a.u.i == b.u.i;

	if (fn != TN_F_EQ && fn != TN_F_NE)
		return CALC_BAD;
	if (a.kind == TN_VV_BOOL && (a.u.i == TN_UNKNOWN || b.u.i == TN_UNKNOWN))
		return calc_bool(TN_UNKNOWN);
	return calc_bool(tn_tri_of(is_equal == (fn == TN_F_EQ)));
}

static struct tn_v
compare_scalars(struct calc *k, enum tn_fn fn, struct tn_v a, struct tn_v b)
{
	bool numbers = (a.kind == TN_VV_INT || a.kind == TN_VV_REAL) && (b.kind == TN_VV_INT || b.kind == TN_VV_REAL);
	double x, y;

	if (a.kind == TN_VV_INT && b.kind == TN_VV_INT)
		return calc_bool(compare_ints(k->ctx, fn, a.u.i, b.u.i));
	if (numbers)
		return calc_real(a, &x) && calc_real(b, &y) ? compare_reals(fn, x, y) : calc_bool(TN_UNKNOWN);
	return a.kind == b.kind && a.kind != TN_VV_BAD ? compare_names(fn, a, b) : CALC_BAD;
}

/* It holds for lists if it holds for all elements; never for lists of two lengths. */
static struct tn_v
compare2(struct calc *k, enum tn_fn fn, struct tn_v a, struct tn_v b)
{
	bool al = a.kind == TN_VV_LIST, bl = b.kind == TN_VV_LIST;
	enum tn_tri all = TN_TRUE;
	struct tn_v one;
	uint32_t i;

	if (a.kind == TN_VV_BAD || b.kind == TN_VV_BAD)
		return CALC_BAD;
	if (!al && !bl)
		return compare_scalars(k, fn, a, b);
	if (al && bl && a.n != b.n)
		return calc_bool(TN_FALSE);
	for (i = 0; i < (al ? a.n : b.n); i++) {
		one = compare_scalars(k, fn, al ? calc_int(a.u.list[i]) : a, bl ? calc_int(b.u.list[i]) : b);
		if (one.kind != TN_VV_BOOL)
			return CALC_BAD;
		all = tn_tri_and(all, (enum tn_tri)one.u.i);
	}
	return calc_bool(all);
}

/* each with the next */
struct tn_v
calc_compare(struct calc *k, enum tn_fn fn, int n, const struct tn_v v[])
{
	enum tn_tri all = TN_TRUE;
	struct tn_v one;
	int i;

	for (i = 0; i + 1 < n; i++) {
		one = compare2(k, fn, v[i], v[i + 1]);
		if (one.kind != TN_VV_BOOL)
			return one;
		all = tn_tri_and(all, (enum tn_tri)one.u.i);
	}
	return calc_bool(all);
}

/* ---- lists -------------------------------------------------------------------------------------------- */

struct tn_v
calc_list(struct calc *k, int n, const struct tn_v v[])
{
	size_t len = 0;
	int64_t *list;
	int i;

	for (i = 0; i < n; i++) {
		if (v[i].kind != TN_VV_LIST && v[i].kind != TN_VV_INT)
			return CALC_BAD;
		len += v[i].kind == TN_VV_LIST ? v[i].n : 1;
	}
	list = scratch_list(k->scratch, len);
	for (len = 0, i = 0; i < n; i++) {
		if (v[i].kind == TN_VV_INT) {
			list[len++] = v[i].u.i;
		} else if (v[i].n) {
			memcpy(list + len, v[i].u.list, v[i].n * sizeof *list);
			len += v[i].n;
		}
	}
	return calc_items((uint32_t)len, list);
}

/* element i of the list, from the end if negative */
static struct tn_v
element(struct tn_v list, tn_dim i)
{
	if (i == TN_DIM_BAD || !tn_dim_is_num(i))
		return calc_int(TN_DIM_BAD);
	if (i < 0)
		i += list.n;
	return i >= 0 && i < list.n ? calc_int(list.u.list[i]) : CALC_BAD;
}

static bool
is_permutation(struct calc *k, struct tn_v p)
{
	int64_t *seen = scratch_list(k->scratch, p.n);
	uint32_t i;

	memset(seen, 0, p.n * sizeof *seen);
	for (i = 0; i < p.n; i++) {
		if (p.u.list[i] < 0 || p.u.list[i] >= p.n || seen[p.u.list[i]])
			return false;
		seen[p.u.list[i]] = 1;
	}
	return true;
}

/* permute: element i is l[p[i]]; unpermute: element p[i] is l[i] */
static struct tn_v
permute(struct calc *k, struct tn_v l, struct tn_v p, bool back)
{
	int64_t *list;
	uint32_t i;

	if (l.n != p.n || !is_permutation(k, p))
		return CALC_BAD;
	list = scratch_list(k->scratch, l.n);
	for (i = 0; i < l.n; i++)
		list[back ? p.u.list[i] : i] = l.u.list[back ? i : p.u.list[i]];
	return calc_items(l.n, list);
}

static struct tn_v
ones(struct calc *k, struct tn_v l)
{
	int64_t *list = scratch_list(k->scratch, l.n);
	uint32_t i;

	for (i = 0; i < l.n; i++)
		list[i] = 1;
	return calc_items(l.n, list);
}

static struct tn_v
range(struct calc *k, tn_dim from, tn_dim to)
{
	int64_t *list, i;

	if (!tn_dim_is_num(from) || !tn_dim_is_num(to) || to - from > LONGEST)
		return CALC_BAD;
	if (to < from)
		to = from;
	list = scratch_list(k->scratch, (size_t)(to - from));
	for (i = from; i < to; i++)
		list[i - from] = i;
	return calc_items((uint32_t)(to - from), list);
}

static struct tn_v
product(struct calc *k, struct tn_v l)
{
	tn_dim d = 1;
	uint32_t i;

	for (i = 0; i < l.n; i++)
		d = tn_dim_mul(k->ctx, d, l.u.list[i]);
	return calc_int(d);
}

/* row-major offset of the index */
static struct tn_v
flatten(struct calc *k, struct tn_v index, struct tn_v extents)
{
	tn_dim d = 0;
	uint32_t i;

	if (index.n != extents.n)
		return CALC_BAD;
	for (i = 0; i < index.n; i++)
		d = tn_dim_add(k->ctx, tn_dim_mul(k->ctx, d, extents.u.list[i]), index.u.list[i]);
	return calc_int(d);
}

static struct tn_v
unflatten(struct calc *k, tn_dim offset, struct tn_v extents)
{
	int64_t *list = scratch_list(k->scratch, extents.n);
	uint32_t i;

	for (i = extents.n; i-- > 0;) {
		if (extents.u.list[i] == 0)
			return CALC_BAD;
		list[i] = tn_dim_mod(k->ctx, offset, extents.u.list[i]);
		offset = tn_dim_div(k->ctx, offset, extents.u.list[i]);
	}
	return calc_items(extents.n, list);
}

/* index of the operand's element: 0 where its extent is 1, else that of axis axes[i] */
static struct tn_v
broadcast(struct calc *k, struct tn_v index, struct tn_v extents, struct tn_v axes)
{
	int64_t *list = scratch_list(k->scratch, extents.n);
	struct tn_v at;
	uint32_t i;

	if (extents.n != axes.n)
		return CALC_BAD;
	for (i = 0; i < extents.n; i++) {
		at = element(index, axes.u.list[i]);
		if (at.kind != TN_VV_INT)
			return CALC_BAD;
		list[i] = tn_dim_if(tn_dim_eq(k->ctx, extents.u.list[i], 1), 0, at.u.i);
	}
	return calc_items(extents.n, list);
}

static struct tn_v
broadcasts(struct calc *k, struct tn_v extents, struct tn_v axes, struct tn_v shape)
{
	enum tn_tri all = TN_TRUE;
	uint32_t i;

	if (extents.n != axes.n)
		return calc_bool(TN_FALSE);
	for (i = 0; i < axes.n; i++) {
		if (axes.u.list[i] < 0 || axes.u.list[i] >= shape.n)
			return calc_bool(TN_FALSE);
		all = tn_tri_and(all, tn_tri_or(tn_dim_eq(k->ctx, extents.u.list[i], 1),
		    tn_dim_eq(k->ctx, extents.u.list[i], shape.u.list[axes.u.list[i]])));
	}
	return calc_bool(all);
}

/* bit per operand that is a whole number and not a list */
static bool
kinds_fit(int n, const struct tn_v v[], unsigned ints)
{
	int i;

	for (i = 0; i < n; i++)
		if (v[i].kind != (ints >> i & 1 ? TN_VV_INT : TN_VV_LIST))
			return false;
	return true;
}

struct tn_v
calc_seq(struct calc *k, enum tn_fn fn, int n, const struct tn_v v[])
{
	unsigned ints = fn == TN_F_RANGE ? 3 : fn == TN_F_AT ? 2 : fn == TN_F_UNFLATTEN ? 1 : 0;

	if (!kinds_fit(n, v, ints))
		return CALC_BAD;
	switch (fn) {
	case TN_F_ONES: return ones(k, v[0]);
	case TN_F_PERMUTE: return permute(k, v[0], v[1], false);
	case TN_F_UNPERMUTE: return permute(k, v[0], v[1], true);
	case TN_F_PERMUTATION: return calc_bool(tn_tri_of(is_permutation(k, v[0])));
	case TN_F_FLATTEN: return flatten(k, v[0], v[1]);
	case TN_F_UNFLATTEN: return unflatten(k, v[0].u.i, v[1]);
	case TN_F_BROADCAST: return broadcast(k, v[0], v[1], v[2]);
	case TN_F_BROADCASTS: return broadcasts(k, v[0], v[1], v[2]);
	case TN_F_PRODUCT: return product(k, v[0]);
	case TN_F_RANGE: return range(k, n == 1 ? 0 : v[0].u.i, v[n - 1].u.i);
	case TN_F_LENGTH: return calc_int(v[0].n);
	case TN_F_AT: return element(v[0], v[1].u.i);
	default: return CALC_BAD;
	}
}
