/*
 * Lists of indices and the reads they stand for (tenon/eval.h).
 *
 * A list of length -1 cannot be computed; whatever is made of it cannot either, and a read under it
 * is outside.
 */
#include <string.h>

#include "ref/value.h"

static const struct tn_list bad = {.n = -1};

struct tn_list
tn_eval_list(const struct tn_eval *ev, int attr)
{
	const struct tn_value *v = tn_eval_value(ev, attr);
	struct tn_list l = {.n = v->n};

	if (v->n > TN_MAX_RANK)
		return bad;
	memcpy(l.i, v->u.list, v->n * sizeof l.i[0]);
	return l;
}

struct tn_list
tn_list_extents(const struct tn_array *x, int64_t first, int64_t n)
{
	struct tn_list l = {.n = n};

	if (n < 0 || first < 0 || first + n > x->rank)
		return bad;
	memcpy(l.i, x->dim + first, (size_t)n * sizeof l.i[0]);
	return l;
}

struct tn_list
tn_list_row(int64_t row, struct tn_list extents, int64_t col)
{
	if (extents.n <= 0)
		return extents;
	extents.i[extents.n - 1] = col;
	for (int64_t a = extents.n - 2; a >= 0; a--) {
		int64_t extent = extents.i[a];

		extents.i[a] = a == 0 ? row : tn_int_mod(row, extent);
		row = tn_int_div(row, extent);
	}
	return extents;
}

int64_t
tn_list_rows(struct tn_list extents)
{
	int64_t product = 1;

	for (int64_t a = 0; a + 1 < extents.n; a++)
		product *= extents.i[a];
	return product;
}

int64_t
tn_list_cols(struct tn_list extents)
{
	return extents.n > 0 ? extents.i[extents.n - 1] : 1;
}

struct tn_list
tn_list_each(int64_t v)
{
	return (struct tn_list){.n = LIST_EACH, .i = {v}};
}

struct tn_list
tn_list_one(int64_t v)
{
	return (struct tn_list){.n = 1, .i = {v}};
}

struct tn_list
tn_list_join(struct tn_list a, struct tn_list b)
{
	if (a.n < 0 || b.n < 0 || a.n + b.n > TN_MAX_RANK)
		return bad;
	memcpy(a.i + a.n, b.i, (size_t)b.n * sizeof a.i[0]);
	a.n += b.n;
	return a;
}

struct tn_list
tn_list_map(enum tn_fn fn, struct tn_list a, struct tn_list b)
{
	struct tn_list l = {.n = a.n == LIST_EACH ? b.n : a.n};

	if (a.n == -1 || b.n == -1 || (a.n >= 0 && b.n >= 0 && a.n != b.n))
		return bad;
	for (int64_t i = 0; i < (l.n == LIST_EACH ? 1 : l.n); i++)
		l.i[i] = whole_fn(fn, a.i[a.n == LIST_EACH ? 0 : i], b.i[b.n == LIST_EACH ? 0 : i]);
	return l;
}

struct tn_list
tn_list_ones(struct tn_list l)
{
	for (int64_t i = 0; i < l.n; i++)
		l.i[i] = 1;
	return l;
}

struct tn_list
tn_list_permute(struct tn_list l, struct tn_list perm)
{
	struct tn_list to = {.n = perm.n};

	if (perm.n < 0 || l.n < 0)
		return bad;
	for (int64_t i = 0; i < perm.n; i++) {
		if (!tn_inside(perm.i[i], l.n))
			return bad;
		to.i[i] = l.i[perm.i[i]];
	}
	return to;
}

struct tn_list
tn_list_unpermute(struct tn_list l, struct tn_list perm)
{
	struct tn_list to = {.n = l.n};

	if (perm.n < 0 || l.n != perm.n)
		return bad;
	for (int64_t i = 0; i < perm.n; i++) {
		if (!tn_inside(perm.i[i], l.n))
			return bad;
		to.i[perm.i[i]] = l.i[i];
	}
	return to;
}

struct tn_list
tn_list_broadcast(struct tn_list index, struct tn_list extents, struct tn_list axes)
{
	struct tn_list to = {.n = extents.n};

	if (index.n < 0 || extents.n < 0 || axes.n != extents.n)
		return bad;
	for (int64_t i = 0; i < extents.n; i++) {
		if (!tn_inside(axes.i[i], index.n))
			return bad;
		to.i[i] = extents.i[i] == 1 ? 0 : index.i[axes.i[i]];
	}
	return to;
}

struct tn_list
tn_list_unflatten(int64_t offset, struct tn_list extents)
{
	for (int64_t a = extents.n - 1; a >= 0; a--) {
		int64_t extent = extents.i[a];

		extents.i[a] = a == 0 ? offset : tn_int_mod(offset, extent);
		offset = tn_int_div(offset, extent);
	}
	return extents;
}

struct tn_list
tn_list_range(int64_t from, int64_t to)
{
	struct tn_list l = {.n = to > from ? to - from : 0};

	if (l.n > TN_MAX_RANK)
		return bad;
	for (int64_t i = 0; i < l.n; i++)
		l.i[i] = from + i;
	return l;
}

int64_t
tn_list_flatten(struct tn_list index, struct tn_list extents)
{
	int64_t offset = 0;

	if (index.n != extents.n)
		return TN_OUTSIDE;
	for (int64_t i = 0; i < index.n; i++)
		offset = offset * extents.i[i] + index.i[i];
	return offset;
}

int64_t
tn_list_product(struct tn_list l)
{
	int64_t product = 1;

	for (int64_t i = 0; i < l.n; i++)
		product *= l.i[i];
	return product;
}

int64_t
tn_list_length(struct tn_list l)
{
	return l.n;
}

int64_t
tn_list_at(struct tn_list l, int64_t i)
{
	if (i < 0)
		i += l.n;
	return tn_inside(i, l.n) ? l.i[i] : TN_OUTSIDE;
}

struct tn_reads
tn_reads_row(const struct tn_array *x, int64_t first, int64_t n, struct tn_list a, struct tn_list b)
{
	struct tn_reads r = {.to = INT64_MAX};

	if (a.n != n || b.n != n || n < 0 || first < 0 || first + n > x->rank)
		return (struct tn_reads){0};
	for (int64_t i = 0; i < n; i++) {
		int64_t extent = x->dim[first + i], step = b.i[i] - a.i[i];

		r.at = r.at * extent + a.i[i];
		r.step = r.step * extent + step;
		tn_limit(&r.from, &r.to, a.i[i], step, extent);
	}
	return r;
}

struct tn_reads
tn_reads_one(const struct tn_array *x, int64_t first, int64_t n, struct tn_list a)
{
	struct tn_reads r = tn_reads_row(x, first, n, a, a);

	/* Every column reads alike: inside says whether this one does. */
	r.to = r.to > r.from ? 1 : 0;
	r.from = 0;
	return r;
}
