/* --shape NAME=a,b,c: extents of an input stated as numbers. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "onnx/onnx.h"

/* extent i of an input is n: its symbol, wherever it is, too */
static bool
state(struct tn_onnx *x, const struct onnx_info *in, uint32_t i, int64_t n, struct tn_error *e)
{
	const struct onnx_dim *d = &in->dim[i];
	bool is_known = d->has_value && d->value >= 0;
	uint32_t k;

	if (is_known && d->value != n)
		return tn_fail(e, TN_E_INPUT, "--shape %.*s: axis %u is %" PRId64 " in the model, not %" PRId64, SPAN_TEXT(in->name),
		    i, d->value, n);
	if (is_known || d->param.n == 0)
		return true;
	for (k = 0; k < x->narrowing.n; k++)
		if (span_is(d->param, x->narrowing.at[k].name)) {
			if (x->narrowing.at[k].size == n)
				return true;
			return tn_fail(e, TN_E_INPUT, "--shape: '%s' is %" PRId64 " and %" PRId64, x->narrowing.at[k].name,
			    x->narrowing.at[k].size, n);
		}
	vec_push(&x->narrowing, ((struct narrowing){onnx_str(x, d->param), n}));
	return true;
}

bool
onnx_narrow(struct tn_onnx *x, const char *text, struct tn_error *e)
{
	const char *eq = strrchr(text, '='), *at;
	const struct onnx_info *in = NULL;
	int64_t *dims;
	char *end;
	uint32_t i, k;

	if (!eq)
		return tn_fail(e, TN_E_IO, "--shape: '%s' is not NAME=a,b,…", text);
	for (i = 0; i < x->model.input.n && !in; i++)
		if (span_equal(x->model.input.at[i].name, (struct span){(const unsigned char *)text, (size_t)(eq - text)}))
			in = &x->model.input.at[i];
	if (!in)
		return tn_fail(e, TN_E_INPUT, "--shape: the model has no input '%.*s'", (int)(eq - text), text);
	i = (uint32_t)(in - x->model.input.at);
	dims = arena_news(&x->mem, in->rank ? in->rank : 1, int64_t);
	for (at = eq + 1, k = 0; k < in->rank; k++, at = *end ? end + 1 : end) {
		dims[k] = strtoll(at, &end, 10);
		if (end == at || dims[k] < 1 || dims[k] > TN_DIM_MAX || (*end && *end != ','))
			return tn_fail(e, TN_E_IO, "--shape: '%s' is not a list of %u extents", eq + 1, in->rank);
		if (!state(x, in, k, dims[k], e))
			return false;
	}
	if (*at || !in->has_shape)
		return tn_fail(e, TN_E_IO, "--shape: '%s' is not a list of %u extents", eq + 1, in->rank);
	x->narrowed[i] = dims;
	x->is_narrowed = true;
	return true;
}
