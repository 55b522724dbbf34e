/* Lists of extents by value, as compiled shape functions use them; see tenon/infer.h. */
#include <string.h>

#include "tenon/infer.h"

static const struct tn_dims bad = {.n = TN_DIMS_BAD};

/* is it a list with all its elements there */
static bool
is_whole(struct tn_dims l)
{
	return l.n >= 0 && l.n <= TN_MAX_RANK;
}

struct tn_dims
tn_dims_of(int n, const tn_dim d[])
{
	struct tn_dims l = {.n = n};

	if (n > 0)
		memcpy(l.d, d, (size_t)(n < TN_MAX_RANK ? n : TN_MAX_RANK) * sizeof *d);
	return l;
}

struct tn_dims
tn_dims_join(struct tn_dims a, struct tn_dims b)
{
	if (!is_whole(a) || !is_whole(b) || a.n + b.n > TN_MAX_RANK)
		return bad;
	memcpy(&a.d[a.n], b.d, (size_t)b.n * sizeof *b.d);
	a.n += b.n;
	return a;
}

struct tn_dims
tn_dims_map(struct tn_ctx *c, tn_dim_fn *f, struct tn_dims a, struct tn_dims b)
{
	bool each_a = a.n == TN_DIMS_EACH, each_b = b.n == TN_DIMS_EACH;
	struct tn_dims r = {.n = each_a ? b.n : a.n};
	int i;

	if (each_a && each_b) {
		r.d[0] = f(c, a.d[0], b.d[0]);
		return r;
	}
	if ((!each_a && !is_whole(a)) || (!each_b && !is_whole(b)) || (!each_a && !each_b && a.n != b.n))
		return bad;
	for (i = 0; i < r.n; i++)
		r.d[i] = f(c, a.d[each_a ? 0 : i], b.d[each_b ? 0 : i]);
	return r;
}

enum tn_tri
tn_dims_all(struct tn_ctx *c, tn_tri_fn *f, struct tn_dims a, struct tn_dims b)
{
	bool each_a = a.n == TN_DIMS_EACH, each_b = b.n == TN_DIMS_EACH;
	int n = each_a ? b.n : a.n, i;
	enum tn_tri all = TN_TRUE;

	if (a.n == TN_DIMS_BAD || b.n == TN_DIMS_BAD)
		return TN_UNKNOWN;
	if (each_a && each_b)
		return f(c, a.d[0], b.d[0]);
	if (!each_a && !each_b && a.n != b.n)
		return TN_FALSE;
	for (i = 0; i < n && i < TN_MAX_RANK; i++)
		all = tn_tri_and(all, f(c, a.d[each_a ? 0 : i], b.d[each_b ? 0 : i]));
	return n > TN_MAX_RANK ? tn_tri_and(all, TN_UNKNOWN) : all;
}

struct tn_dims
tn_dims_ones(struct tn_dims l)
{
	int i;

	for (i = 0; i < l.n && i < TN_MAX_RANK; i++)
		l.d[i] = 1;
	return l;
}

enum tn_tri
tn_dims_is_permutation(struct tn_dims p)
{
	unsigned seen = 0;
	int i;

	if (p.n == TN_DIMS_BAD)
		return TN_UNKNOWN;
	if (!is_whole(p))
		return TN_FALSE;
	for (i = 0; i < p.n; i++) {
		if (p.d[i] < 0 || p.d[i] >= p.n || seen >> p.d[i] & 1)
			return TN_FALSE;
		seen |= 1u << p.d[i];
	}
	return TN_TRUE;
}

struct tn_dims
tn_dims_permute(struct tn_dims l, struct tn_dims p)
{
	struct tn_dims r = {.n = l.n};
	int i;

	if (!is_whole(l) || l.n != p.n || tn_dims_is_permutation(p) != TN_TRUE)
		return bad;
	for (i = 0; i < l.n; i++)
		r.d[i] = l.d[p.d[i]];
	return r;
}

struct tn_dims
tn_dims_unpermute(struct tn_dims l, struct tn_dims p)
{
	struct tn_dims r = {.n = l.n};
	int i;

	if (!is_whole(l) || l.n != p.n || tn_dims_is_permutation(p) != TN_TRUE)
		return bad;
	for (i = 0; i < l.n; i++)
		r.d[p.d[i]] = l.d[i];
	return r;
}

struct tn_dims
tn_dims_range(tn_dim from, tn_dim to)
{
	struct tn_dims r = {0};
	int i;

	if (!tn_dim_is_num(from) || !tn_dim_is_num(to) || to - from > TN_MAX_RANK)
		return bad;
	r.n = to > from ? (int)(to - from) : 0;
	for (i = 0; i < r.n; i++)
		r.d[i] = from + i;
	return r;
}

tn_dim
tn_dims_product(struct tn_ctx *c, struct tn_dims l)
{
	tn_dim d = 1;
	int i;

	if (!is_whole(l))
		return TN_DIM_BAD;
	for (i = 0; i < l.n; i++)
		d = tn_dim_mul(c, d, l.d[i]);
	return d;
}

tn_dim
tn_dims_length(struct tn_dims l)
{
	return l.n >= 0 ? l.n : TN_DIM_BAD;
}

tn_dim
tn_dims_at(struct tn_dims l, tn_dim i)
{
	if (!is_whole(l) || !tn_dim_is_num(i))
		return TN_DIM_BAD;
	if (i < 0)
		i += l.n;
	return i >= 0 && i < l.n ? l.d[i] : TN_DIM_BAD;
}

enum tn_tri
tn_dims_broadcasts(struct tn_ctx *c, struct tn_dims extents, struct tn_dims axes, struct tn_dims shape)
{
	enum tn_tri all = TN_TRUE;
	int i;

	if (extents.n == TN_DIMS_BAD || axes.n == TN_DIMS_BAD || shape.n == TN_DIMS_BAD)
		return TN_UNKNOWN;
	if (!is_whole(extents) || extents.n != axes.n)
		return TN_FALSE;
	for (i = 0; i < axes.n; i++) {
		tn_dim axis = axes.d[i];

		if (axis < 0 || axis >= shape.n)
			return TN_FALSE;
		all = tn_tri_and(all, axis >= TN_MAX_RANK ? TN_UNKNOWN :
		    tn_tri_or(tn_dim_eq(c, extents.d[i], 1), tn_dim_eq(c, extents.d[i], shape.d[axis])));
	}
	return all;
}
