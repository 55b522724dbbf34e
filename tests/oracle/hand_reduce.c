/* ONNX's operators by hand: reductions and normalisations. */
#include <math.h>
#include <string.h>

#include "tests/oracle/hand.h"

/* ---- reductions ------------------------------------------------------------------------------- */

/* Which axes go, as the node says it: an attribute, or since opset 13 (ReduceSum) or 18 an operand; in any order. */
static void
draw_axes(struct hand *h, int rank, bool goes[])
{
	bool is_operand = h->opset >= (strcmp(h->onnx, "ReduceSum") == 0 ? 13 : 18);
	int64_t list[TN_MAX_RANK], other;
	int n = 0, i, k, all = rank;

	for (i = 0; i < rank; i++) {
		goes[i] = hand_coin(h);
		if (goes[i])
			list[n++] = hand_axis(h, i, rank);
	}
	for (i = n - 1; i > 0; i--) {
		k = (int)hand_between(h, 0, i);
		other = list[i], list[i] = list[k], list[k] = other;
	}
	if (n)
		hand_ints(h, "axes", is_operand, list, n);
	else if (is_operand && hand_coin(h))
		hand_ints(h, "axes", true, list, 0);
	if (is_operand && hand_coin(h)) {
		bool keeps = hand_coin(h);

		hand_int(h, "noop_with_empty_axes", keeps);
		h->may_stay |= keeps && n == 0;
		all = keeps ? 0 : rank;
	}
	for (i = 0; n == 0 && i < all; i++)
		goes[i] = true;
}

/* the value so far and one element more */
static double
fold(const struct hand *h, double v, double x, int64_t each)
{
	if (strcmp(h->onnx, "ReduceMax") == 0)
		return fmax(v, x);
	if (strcmp(h->onnx, "ReduceMin") == 0)
		return fmin(v, x);
	if (strcmp(h->onnx, "ReduceProd") == 0)
		return v * x;
	return v + x / (strcmp(h->onnx, "ReduceMean") == 0 ? (double)each : 1);
}

/* Products are none that Tenon has, but of whole numbers that are known. */
static void
reduce(struct hand *h)
{
	bool is_product = strcmp(h->onnx, "ReduceProd") == 0;
	struct nd *x = hand_any(h, 1, is_product && hand_coin(h) ? 1 : 5), *y = hand_result(h);
	bool goes[TN_MAX_RANK], keeps = true;
	double first = strcmp(h->onnx, "ReduceMax") == 0 ? -INFINITY : strcmp(h->onnx, "ReduceMin") == 0 ? INFINITY : is_product;
	int64_t k, flat, at[TN_MAX_RANK], each = 1;
	int i;

	h->may_stay = is_product;
	draw_axes(h, x->rank, goes);
	if (hand_coin(h)) {
		keeps = hand_coin(h);
		hand_int(h, "keepdims", keeps);
	}
	for (i = 0; i < x->rank; i++) {
		if (!goes[i] || keeps)
			y->dim[y->rank++] = goes[i] ? 1 : x->dim[i];
		each *= goes[i] ? x->dim[i] : 1;
	}
	for (k = 0; k < hand_count(y); k++)
		y->v[k] = first;
	for (k = 0; k < hand_count(x); k++) {
		hand_at(x, k, at);
		for (i = 0, flat = 0; i < x->rank; i++)
			flat = goes[i] ? flat : flat * x->dim[i] + at[i];
		y->v[flat] = fold(h, y->v[flat], x->v[k], each);
	}
}

/* ---- normalisations --------------------------------------------------------------------------- */

/* before opset 13 over all axes from the one that is named on, 1 if none is; since then over that one, or the last */
static void
softmax(struct hand *h)
{
	bool is_old = h->opset < 13, is_named = hand_coin(h);
	struct nd *x = hand_any(h, is_old && !is_named ? 2 : 1, 4), *y = hand_result(h);
	int axis = is_named ? (int)hand_between(h, 0, x->rank - 1) : is_old ? 1 : x->rank - 1, i;
	int64_t k, m, at[TN_MAX_RANK], other[TN_MAX_RANK];

	if (is_named)
		hand_int(h, "axis", hand_axis(h, axis, x->rank));
	*y = *x;
	for (k = 0; k < hand_count(x); k++) {
		double sum = 0;

		hand_at(x, k, at);
		for (m = 0; m < hand_count(x); m++) {
			bool is_with = true;

			hand_at(x, m, other);
			for (i = 0; i < x->rank; i++)
				is_with &= at[i] == other[i] || i == axis || (is_old && i > axis);
			sum += is_with ? exp(x->v[m]) : 0;
		}
		y->v[k] = exp(x->v[k]) / sum;
	}
}

static double
epsilon(struct hand *h)
{
	return hand_coin(h) ? hand_number(h, "epsilon", false, hand_coin(h) ? 0.125 : 1e-3) : (double)1e-5f;
}

/* Inference: (x - mean) / sqrt(var + epsilon) * scale + B for each channel.  spatial went with opset 9. */
static void
batch_norm(struct hand *h)
{
	struct nd *x = hand_any(h, 2, 5), *v[4], *y = hand_result(h);
	double eps = epsilon(h);
	int64_t k, at[TN_MAX_RANK];
	int i;

	for (i = 0; i < 4; i++)
		v[i] = hand_shaped(h, 1, &x->dim[1]);
	for (k = 0; k < x->dim[1]; k++)
		v[3]->v[k] = fabs(v[3]->v[k]);
	if (h->opset < 9 && hand_coin(h))
		hand_int(h, "spatial", 1);
	if (h->opset >= 14 && hand_coin(h))
		hand_int(h, "training_mode", 0);
	if (hand_coin(h))
		hand_number(h, "momentum", false, 0.75);
	*y = *x;
	for (k = 0; k < hand_count(y); k++) {
		hand_at(y, k, at);
		y->v[k] = (x->v[k] - v[2]->v[at[1]]) / sqrt(v[3]->v[at[1]] + eps) * v[0]->v[at[1]] + v[1]->v[at[1]];
	}
}

/* Mean and deviation over all axes from the one that is named on, the last if none is; scale and bias have those axes. */
static void
layer_norm(struct hand *h)
{
	struct nd *x = hand_any(h, 1, 4), *scale, *bias = NULL, *y = hand_result(h);
	bool is_named = hand_coin(h);
	int axis = is_named && hand_coin(h) ? (int)hand_between(h, 0, x->rank - 1) : x->rank - 1, i;
	int64_t each = 1, k, m;
	double eps = epsilon(h);

	scale = hand_shaped(h, x->rank - axis, &x->dim[axis]);
	if (hand_coin(h))
		bias = hand_shaped(h, x->rank - axis, &x->dim[axis]);
	if (is_named)
		hand_int(h, "axis", hand_axis(h, axis, x->rank));
	if (hand_coin(h))
		hand_int(h, "stash_type", 1);
	h->may_stay = axis != x->rank - 1;
	for (i = axis; i < x->rank; i++)
		each *= x->dim[i];
	*y = *x;
	for (k = 0; k < hand_count(x); k++) {
		const double *run = &x->v[k / each * each];
		double mean = 0, var = 0;

		for (m = 0; m < each; m++)
			mean += run[m] / (double)each;
		for (m = 0; m < each; m++)
			var += (run[m] - mean) * (run[m] - mean) / (double)each;
		y->v[k] = (x->v[k] - mean) / sqrt(var + eps) * scale->v[k % each] + (bias ? bias->v[k % each] : 0);
	}
	if (hand_coin(h))
		hand_unused(h);
}

const struct hand_row hand_reduce[] = {
	{"BatchNormalization", batch_norm, HAND_REAL, 0}, {"LayerNormalization", layer_norm, HAND_F32, 0},
	{"ReduceMax", reduce, HAND_REAL, 0}, {"ReduceMean", reduce, HAND_REAL, 0}, {"ReduceMin", reduce, HAND_REAL, 0},
	{"ReduceProd", reduce, HAND_INT, 1}, {"ReduceSum", reduce, HAND_REAL, 0}, {"Softmax", softmax, HAND_REAL, 0},
	{0},
};
