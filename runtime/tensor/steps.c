/* The steps of a shape check, as compiled shape functions take them; see tenon/infer.h. */
#include <string.h>

#include "tensor/ctx.h"
#include "tensor/infer.h"

static const struct tn_value *
attr_value(const struct tn_infer *s, int attr)
{
	return tn_val_get(s->ctx, tn_attrs_get(s->ctx, s->attrs, NULL)[attr]);
}

tn_dim
tn_infer_attr(const struct tn_infer *s, int attr)
{
	struct tn_v v = calc_value(attr_value(s, attr));

	return v.kind == TN_VV_BOOL ? v.u.i == TN_TRUE : v.kind == TN_VV_BAD ? TN_DIM_BAD : v.u.i;
}

tn_dim
tn_infer_elem(const struct tn_infer *s, int attr, int i)
{
	tn_dim d = attr_value(s, attr)->u.list[i];

	return tn_dim_is_num(d) ? d : TN_DIM_BAD;
}

struct tn_dims
tn_infer_list(const struct tn_infer *s, int attr)
{
	struct tn_v v = calc_value(attr_value(s, attr));

	return v.kind == TN_VV_LIST ? tn_dims_of((int)v.n, v.u.list) : (struct tn_dims){.n = TN_DIMS_BAD};
}

bool
tn_infer_count(struct tn_infer *s, int attr, int *out)
{
	tn_dim n = tn_infer_attr(s, attr);

	if (n < 0 || n > TN_MAX_RANK)
		return infer_refuse(s, "%s is no number of axes", s->op->attr[attr].name);
	*out = (int)n;
	return true;
}

bool
tn_infer_in(struct tn_infer *s, int i, int rank, bool or_more, const struct tn_shape **out)
{
	const struct tn_shape *t = tn_type_get(s->ctx, s->in[i]);

	if (t->rank < 0 || t->rank < rank || (t->rank > rank && !or_more))
		return infer_refuse(s, "operand %s must have %s%d axes: found %d", infer_operand(s->op, i)->name,
		    or_more ? "at least " : "", rank, t->rank);
	*out = t;
	return true;
}

bool
tn_infer_same(struct tn_infer *s, const char *name, int n, const tn_dim a[], const tn_dim b[])
{
	enum tn_tri same = TN_TRUE;
	int i;

	for (i = 0; i < n; i++)
		same = tn_tri_and(same, tn_dim_eq(s->ctx, a[i], b[i]));
	if (same == TN_TRUE || (same == TN_UNKNOWN && s->keep_unknown))
		return true;
	return infer_refuse(s, "%s must be equal wherever it stands", name);
}

bool
tn_infer_where(struct tn_infer *s, int i, enum tn_tri holds)
{
	const char *message = s->op->where[i].message;

	if (holds == TN_TRUE || (holds == TN_UNKNOWN && s->keep_unknown))
		return true;
	return infer_refuse(s, "%s", message ? message : "a condition does not hold");
}

/* A rank of -1 marks a shape that does not fit. */
void
tn_infer_put(struct tn_shape *out, int n, const tn_dim d[])
{
	if (n < 0 || out->rank < 0 || n > TN_MAX_RANK - out->rank) {
		out->rank = -1;
		return;
	}
	if (n)
		memcpy(&out->dim[out->rank], d, (size_t)n * sizeof *d);
	out->rank += n;
}

bool
infer_extent(struct tn_infer *s, const char *name, tn_dim d)
{
	enum tn_tri fits = d == TN_DIM_BAD ? TN_FALSE : tn_dim_le(s->ctx, 0, d);
	char text[200];

	if (fits == TN_TRUE || (fits == TN_UNKNOWN && s->keep_unknown))
		return true;
	if (!s->error)
		return false;
	if (tn_dim_print(s->ctx, d, text, sizeof text) >= sizeof text)
		strcpy(text + sizeof text - 4, "...");
	return infer_refuse(s, "extent%s%s of the result %s: found %s", name ? " " : "", name ? name : "",
	    d == TN_DIM_BAD ? "cannot be computed" : fits == TN_FALSE ? "is negative" : "is not known to be at least 0", text);
}

bool
tn_infer_out(struct tn_infer *s, struct tn_shape *out)
{
	int i;

	if (out->rank < 0)
		return infer_refuse(s, "the result cannot be computed, or has more than %d axes", TN_MAX_RANK);
	for (i = 0; i < out->rank; i++)
		if (!infer_extent(s, NULL, out->dim[i]))
			return false;
	out->dtype = infer_dtype(s, s->op->out_type);
	s->out = tn_type_make(s->ctx, out);
	return true;
}
