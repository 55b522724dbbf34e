/*
 * ONNX's operators by hand: those that Tenon has none for, which are evaluated on integers that are known, or of which the
 * result's type is told.  Where only the type is, there are no values here either.
 */
#include <string.h>

#include "tests/oracle/hand.h"

/* ---- whole numbers ---------------------------------------------------------------------------- */

static struct nd *
whole_result(struct hand *h, int rank, int64_t extent)
{
	struct nd *y = hand_result(h);

	h->result = TN_I64;
	y->rank = rank;
	y->dim[0] = extent;
	return y;
}

/* a bound counted from either end and held within 0 and n */
static int
held(int64_t v, int n)
{
	v = v < 0 ? v + n : v;
	return v < 0 ? 0 : v > n ? n : (int)v;
}

/* the extents, since opset 15 of some of the axes */
static void
shape(struct hand *h)
{
	struct nd *x = hand_any(h, 0, 4), *y;
	int from = 0, to = x->rank, i;
	int64_t v;

	if (h->opset >= 15 && hand_coin(h)) {
		v = hand_between(h, -x->rank - 1, x->rank + 1);
		hand_int(h, "start", v);
		from = held(v, x->rank);
	}
	if (h->opset >= 15 && hand_coin(h)) {
		v = hand_between(h, -x->rank - 1, x->rank + 1);
		hand_int(h, "end", v);
		to = held(v, x->rank);
	}
	y = whole_result(h, 1, to > from ? to - from : 0);
	for (i = from; i < to; i++)
		y->v[i - from] = (double)x->dim[i];
}

static void
size(struct hand *h)
{
	struct nd *x = hand_any(h, 0, 4), *y = whole_result(h, 0, 1);

	y->v[0] = (double)hand_count(x);
}

/* Entries along an axis by their numbers, which count from either end; mostly of lists that are known. */
static void
gather(struct hand *h)
{
	bool is_list = hand_between(h, 0, 3);
	struct nd *x = hand_any(h, 1, is_list ? 1 : 4), listed, *index = is_list ? &listed : hand_operand(h), *y = hand_result(h);
	int axis = hand_coin(h) ? 0 : (int)hand_between(h, 0, x->rank - 1), i;
	int64_t list[9], at[TN_MAX_RANK], from[TN_MAX_RANK], k;

	h->type[1] = TN_I64;
	h->may_stay = true;
	if (axis || hand_coin(h))
		hand_int(h, "axis", hand_axis(h, axis, x->rank));
	index->rank = is_list ? 1 : (int)hand_between(h, 0, 2);
	for (i = 0; i < index->rank; i++)
		index->dim[i] = hand_between(h, 1, 3);
	for (k = 0; k < hand_count(index); k++)
		index->v[k] = (double)hand_between(h, h->opset >= 11 ? -x->dim[axis] : 0, x->dim[axis] - 1);
	for (k = 0; is_list && k < hand_count(index); k++)
		list[k] = (int64_t)index->v[k];
	if (is_list)
		hand_ints(h, "index", true, list, (int)hand_count(index));
	y->rank = x->rank - 1 + index->rank;
	memcpy(y->dim, x->dim, (size_t)axis * sizeof *y->dim);
	memcpy(y->dim + axis, index->dim, (size_t)index->rank * sizeof *y->dim);
	memcpy(y->dim + axis + index->rank, x->dim + axis + 1, (size_t)(x->rank - axis - 1) * sizeof *y->dim);
	for (k = 0; k < hand_count(y); k++) {
		hand_at(y, k, at);
		memcpy(from, at, (size_t)axis * sizeof *at);
		from[axis] = (int64_t)*hand_element_at(index, at + axis);
		from[axis] += from[axis] < 0 ? x->dim[axis] : 0;
		memcpy(from + axis + 1, at + axis + index->rank, (size_t)(x->rank - axis - 1) * sizeof *at);
		y->v[k] = *hand_element_at(x, from);
	}
}

/* ---- types alone ------------------------------------------------------------------------------ */

/* that of the first operand; the others are of a channel, of an axis, or broadcast to it */
static void
same_type(struct hand *h)
{
	struct nd *x = hand_any(h, strcmp(h->onnx, "InstanceNormalization") == 0 ? 2 : 1, 4), *y = hand_result(h);
	int64_t dim[TN_MAX_RANK];
	int i, rank;

	*y = *x;
	h->may_stay = true;
	if (strcmp(h->onnx, "InstanceNormalization") == 0) {
		hand_shaped(h, 1, &x->dim[1]);
		hand_shaped(h, 1, &x->dim[1]);
	} else if (strcmp(h->onnx, "CumSum") == 0) {
		buf_puts(&h->operands, " axis");
		buf_puts(&h->given, "i axis i64 = 0; ");
	} else if (strcmp(h->onnx, "LRN") == 0) {
		hand_int(h, "size", 3);
	} else if (strcmp(h->onnx, "PRelu") == 0) {
		rank = (int)hand_between(h, 0, x->rank);
		for (i = 0; i < rank; i++)
			dim[i] = hand_coin(h) ? x->dim[x->rank - rank + i] : 1;
		hand_shaped(h, rank, dim);
	}
}

/* a truth for each element, or for each pair as NumPy broadcasts them */
static void
truth(struct hand *h)
{
	static const char *const of_truths[] = {"And", "Not", "Or", "Xor"};
	size_t i;

	for (i = 0; i < sizeof of_truths / sizeof *of_truths; i++)
		if (strcmp(h->onnx, of_truths[i]) == 0)
			h->dtype = TN_BOOL;
	h->result = TN_BOOL;
	if (strcmp(h->onnx, "Not") == 0 || strcmp(h->onnx, "IsNaN") == 0)
		*hand_result(h) = *hand_any(h, 0, 4);
	else
		hand_broadcast(h, 2, false);
	h->may_stay = true;
}

static void
mod(struct hand *h)
{
	hand_broadcast(h, 2, false);
	if (!hand_is_int(h))
		hand_int(h, "fmod", 1);
	h->may_stay = true;
}

/* the type is that of the second and third operand */
static void
where(struct hand *h)
{
	hand_broadcast(h, 3, false);
	h->type[0] = TN_BOOL;
	h->may_stay = true;
}

const struct hand_row hand_opaque[] = {
	{"And", truth, HAND_REAL, 7}, {"Ceil", same_type, HAND_REAL, 1}, {"Cos", same_type, HAND_REAL, 7},
	{"CumSum", same_type, HAND_ANY, 11}, {"Elu", same_type, HAND_REAL, 6}, {"Equal", truth, HAND_ANY, 11},
	{"Floor", same_type, HAND_REAL, 1}, {"Gather", gather, HAND_INT, 1}, {"Greater", truth, HAND_ANY, 9},
	{"GreaterOrEqual", truth, HAND_ANY, 12}, {"InstanceNormalization", same_type, HAND_REAL, 6},
	{"IsNaN", truth, HAND_REAL, 9}, {"LRN", same_type, HAND_REAL, 1}, {"Less", truth, HAND_ANY, 9},
	{"LessOrEqual", truth, HAND_ANY, 12}, {"LogSoftmax", same_type, HAND_REAL, 1},
	{"Mish", same_type, HAND_REAL, 18}, {"Mod", mod, HAND_ANY, 10}, {"Not", truth, HAND_REAL, 1},
	{"Or", truth, HAND_REAL, 7}, {"PRelu", same_type, HAND_REAL, 9}, {"Reciprocal", same_type, HAND_REAL, 6},
	{"Round", same_type, HAND_REAL, 11}, {"Selu", same_type, HAND_REAL, 6}, {"Shape", shape, HAND_ANY, 1},
	{"Sign", same_type, HAND_ANY, 9}, {"Sin", same_type, HAND_REAL, 7}, {"Size", size, HAND_ANY, 1},
	{"Softplus", same_type, HAND_REAL, 1}, {"Softsign", same_type, HAND_REAL, 1}, {"Where", where, HAND_ANY, 9},
	{"Xor", truth, HAND_REAL, 7}, {0},
};
