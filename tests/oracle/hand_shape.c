/* ONNX's operators by hand: those that move elements. */
#include <string.h>

#include "tests/oracle/hand.h"

/* the elements in order under another shape */
static void
reshaped(const struct nd *x, struct nd *y, int rank, const int64_t dim[])
{
	*y = *x;
	y->rank = rank;
	memcpy(y->dim, dim, (size_t)rank * sizeof *dim);
}

static void
shuffle(struct hand *h, int64_t list[], int n)
{
	int64_t other;
	int i, k;

	for (i = n - 1; i > 0; i--) {
		k = (int)hand_between(h, 0, i);
		other = list[i], list[i] = list[k], list[k] = other;
	}
}

/* ---- shapes ----------------------------------------------------------------------------------- */

/* neighbours become one axis, axes fall apart, axes of 1 come in; then -1, 0 and allowzero (opset 14) say what they can */
static void
reshape(struct hand *h)
{
	struct nd *x = hand_any(h, 0, 4), *y = hand_result(h);
	int64_t dim[TN_MAX_RANK] = {0}, said[TN_MAX_RANK];
	bool keeps_zero = h->opset >= 14 && hand_coin(h);
	int n = 0, i;

	for (i = 0; i < x->rank; i++) {
		if (n && hand_coin(h))
			dim[n - 1] *= x->dim[i];
		else
			dim[n++] = x->dim[i];
		if (n < 6 && hand_between(h, 0, 3) == 0)
			dim[n++] = 1;
		if (n < 6 && dim[n - 1] == 4 && hand_coin(h))
			dim[n - 1] = dim[n] = 2, n++;
	}
	memcpy(said, dim, (size_t)n * sizeof *dim);
	for (i = 0; i < n && i < x->rank && !keeps_zero; i++)
		if (dim[i] == x->dim[i] && hand_coin(h))
			said[i] = 0;
	if (n && hand_coin(h))
		said[hand_between(h, 0, n - 1)] = -1;
	hand_ints(h, "shape", true, said, n);
	if (h->opset >= 14 && (keeps_zero || hand_coin(h)))
		hand_int(h, "allowzero", keeps_zero);
	reshaped(x, y, n, dim);
}

/* all before the axis, all from it on */
static void
flatten(struct hand *h)
{
	struct nd *x = hand_any(h, 1, 4), *y = hand_result(h);
	int axis = (int)hand_between(h, 0, x->rank), i;
	int64_t dim[2] = {1, 1};

	if (hand_coin(h))
		axis = 1;
	else
		hand_int(h, "axis", axis < x->rank ? hand_axis(h, axis, x->rank) : axis);
	for (i = 0; i < x->rank; i++)
		dim[i >= axis] *= x->dim[i];
	reshaped(x, y, 2, dim);
}

/* Axes of 1, named or all; an operand since opset 13.  Of a list without any ONNX does not say which of both it is. */
static void
squeeze(struct hand *h)
{
	struct nd *x = hand_operand(h), *y = hand_result(h);
	int64_t axes[TN_MAX_RANK], dim[TN_MAX_RANK];
	bool is_named = hand_coin(h);
	int i, n = 0, kept = 0;

	x->rank = (int)hand_between(h, 0, 5);
	for (i = 0; i < x->rank; i++) {
		x->dim[i] = hand_between(h, 0, 1) ? 1 : hand_between(h, 2, 3);
		if (x->dim[i] == 1 && (!is_named || hand_coin(h)))
			axes[n++] = hand_axis(h, i, x->rank);
		else
			dim[kept++] = x->dim[i];
	}
	hand_draw(h, x);
	shuffle(h, axes, n);
	if (is_named)
		hand_ints(h, "axes", h->opset >= 13, axes, n);
	h->may_stay = is_named && n == 0;
	reshaped(x, y, kept, dim);
}

/* the axes are the result's */
static void
unsqueeze(struct hand *h)
{
	struct nd *x = hand_any(h, 0, 3), *y = hand_result(h);
	int64_t axes[TN_MAX_RANK], dim[TN_MAX_RANK];
	int rank = x->rank + (int)hand_between(h, 1, 3), n = rank - x->rank, left = n, from = 0, i;

	for (i = 0; i < rank; i++) {
		bool is_new = hand_between(h, 1, rank - i) <= left;

		if (is_new)
			axes[n - left--] = hand_axis(h, i, rank);
		dim[i] = is_new ? 1 : x->dim[from++];
	}
	shuffle(h, axes, n);
	hand_ints(h, "axes", h->opset >= 13, axes, n);
	reshaped(x, y, rank, dim);
}

/* broadcasting goes both ways: an extent of 1 in the shape, or an axis that it has not, is the operand's */
static void
expand(struct hand *h)
{
	int64_t full[4], shape[4], dim[4], at[TN_MAX_RANK], k;
	int rank = (int)hand_between(h, 0, 4), mine = (int)hand_between(h, 0, rank), said = (int)hand_between(h, 0, rank), i;
	struct nd *x, *y = hand_result(h);

	for (i = 0; i < rank; i++)
		full[i] = hand_between(h, 1, 4);
	for (i = 0; i < mine; i++)
		dim[i] = hand_coin(h) ? full[rank - mine + i] : 1;
	for (i = 0; i < said; i++)
		shape[i] = hand_coin(h) ? full[rank - said + i] : 1;
	x = hand_shaped(h, mine, dim);
	hand_ints(h, "shape", true, shape, said);
	y->rank = mine > said ? mine : said;
	for (i = 1; i <= y->rank; i++) {
		int64_t a = i <= mine ? dim[mine - i] : 1, b = i <= said ? shape[said - i] : 1;

		y->dim[y->rank - i] = a == 1 ? b : a;
	}
	for (k = 0; k < hand_count(y); k++) {
		hand_at(y, k, at);
		y->v[k] = hand_spread(x, y->rank, at);
	}
}

/* zeros of f32, if no value is given; whole numbers are evaluated if they are a list */
static void
constant_of_shape(struct hand *h)
{
	int64_t dim[3], k;
	int rank = (int)hand_between(h, 0, 3), i;
	struct nd *y = hand_result(h);
	double v = 0;

	for (i = 0; i < rank; i++)
		y->dim[i] = dim[i] = hand_between(h, 1, 4);
	hand_ints(h, "shape", true, dim, rank);
	if (hand_between(h, 0, 3) == 0) {
		h->result = TN_I64;
		v = (double)hand_between(h, -3, 9);
		buf_printf(&h->attrs, " value={%.0f}", v);
		h->may_stay = rank != 1;
	} else if (hand_coin(h)) {
		v = (double)(float)rng_normal(&h->rng);
		buf_printf(&h->attrs, " value={%.17ef}", v);
	}
	y->rank = rank;
	for (k = 0; k < hand_count(y); k++)
		y->v[k] = v;
}

/* ---- order ------------------------------------------------------------------------------------ */

/* result axis i is operand axis perm[i]; the axes reversed, if none is given */
static void
transpose(struct hand *h)
{
	struct nd *x = hand_any(h, 0, 4), *y = hand_result(h);
	int64_t perm[TN_MAX_RANK], at[TN_MAX_RANK], from[TN_MAX_RANK], k;
	int i;

	for (i = 0; i < x->rank; i++)
		perm[i] = x->rank - 1 - i;
	if (hand_between(h, 0, 3)) {
		shuffle(h, perm, x->rank);
		hand_ints(h, "perm", false, perm, x->rank);
	}
	y->rank = x->rank;
	for (i = 0; i < x->rank; i++)
		y->dim[i] = x->dim[perm[i]];
	for (k = 0; k < hand_count(y); k++) {
		hand_at(y, k, at);
		for (i = 0; i < x->rank; i++)
			from[perm[i]] = at[i];
		y->v[k] = *hand_element_at(x, from);
	}
}

/* one after the other along an axis */
static void
concat(struct hand *h)
{
	struct nd *first = hand_any(h, 1, 4), *y = hand_result(h), *x;
	int axis = (int)hand_between(h, 0, first->rank - 1), n = (int)hand_between(h, 1, 4), i;
	int64_t dim[TN_MAX_RANK], at[TN_MAX_RANK], k;

	hand_int(h, "axis", hand_axis(h, axis, first->rank));
	memcpy(dim, first->dim, sizeof dim);
	for (i = 1; i < n; i++) {
		dim[axis] = hand_between(h, 1, 4);
		hand_shaped(h, first->rank, dim);
	}
	*y = *first;
	for (i = 1; i < n; i++)
		y->dim[axis] += h->in[i].dim[axis];
	for (k = 0; k < hand_count(y); k++) {
		hand_at(y, k, at);
		for (x = first; at[axis] >= x->dim[axis]; x++)
			at[axis] -= x->dim[axis];
		y->v[k] = *hand_element_at(x, at);
	}
}

/* ---- parts ------------------------------------------------------------------------------------ */

/* What is cut along one axis: the first element, how many, and how far apart. */
struct cut {
	int64_t from, n, step;
};

/* a bound as it may be given: from either end, beyond it, and as far as a number goes */
static int64_t
draw_bound(struct hand *h, int64_t d)
{
	int64_t which = hand_between(h, 0, 9);

	return which == 0 ? INT64_MAX : which == 1 ? -INT64_MAX : which == 2 ? INT32_MAX : hand_between(h, -d - 2, d + 2);
}

static int64_t
clamp(int64_t v, int64_t least, int64_t most)
{
	return v < least ? least : v > most ? most : v;
}

/* ONNX's words: counted from the end where negative, then held within 0 and d, or d - 1 and -1 where the step goes back */
static struct cut
cut(int64_t start, int64_t end, int64_t step, int64_t d)
{
	struct cut c = {.step = step};

	start = start < 0 ? start + d : start;
	end = end < 0 ? end + d : end;
	c.from = step > 0 ? clamp(start, 0, d) : clamp(start, 0, d - 1);
	end = step > 0 ? clamp(end, 0, d) : clamp(end, -1, d - 1);
	c.n = step > 0 ? (end - c.from + step - 1) / step : (c.from - end - step - 1) / -step;
	c.n = c.n < 0 ? 0 : c.n;
	return c;
}

/* y from x by a cut along every axis */
static void
take(struct nd *x, struct nd *y, const struct cut c[])
{
	int64_t at[TN_MAX_RANK], k;
	int i;

	y->rank = x->rank;
	for (i = 0; i < x->rank; i++)
		y->dim[i] = c[i].n;
	for (k = 0; k < hand_count(y); k++) {
		hand_at(y, k, at);
		for (i = 0; i < x->rank; i++)
			at[i] = c[i].from + at[i] * c[i].step;
		y->v[k] = *hand_element_at(x, at);
	}
}

/* bounds, axes and steps: the first three are attributes before opset 10, which has no steps */
static void
slice(struct hand *h)
{
	struct nd *x = hand_any(h, 1, 4), *y = hand_result(h);
	bool is_operand = h->opset >= 10, has_axes = hand_between(h, 0, 3), has_steps = is_operand && hand_coin(h);
	int64_t axes[TN_MAX_RANK], start[TN_MAX_RANK], end[TN_MAX_RANK], step[TN_MAX_RANK];
	struct cut c[TN_MAX_RANK];
	int n = has_axes ? (int)hand_between(h, 1, x->rank) : x->rank, i;

	for (i = 0; i < x->rank; i++) {
		axes[i] = i;
		c[i] = (struct cut){0, x->dim[i], 1};
	}
	if (has_axes)
		shuffle(h, axes, x->rank);
	for (i = 0; i < n; i++) {
		int64_t d = x->dim[axes[i]];

		start[i] = draw_bound(h, d);
		end[i] = draw_bound(h, d);
		step[i] = !has_steps ? 1 : hand_between(h, 0, 6) ? hand_between(h, 1, 5) : -hand_between(h, 1, 2);
		h->may_stay |= step[i] < 0;
		c[axes[i]] = cut(start[i], end[i], step[i], d);
		axes[i] = hand_axis(h, (int)axes[i], x->rank);
	}
	hand_ints(h, "starts", is_operand, start, n);
	hand_ints(h, "ends", is_operand, end, n);
	if (has_axes)
		hand_ints(h, "axes", is_operand, axes, n);
	else if (has_steps)
		hand_absent(h);
	if (has_steps)
		hand_ints(h, "steps", true, step, n);
	take(x, y, c);
}

/* Sizes as attribute, since opset 13 as operand; or equal parts, since opset 18 by number, of which the last may be smaller. */
static void
split(struct hand *h)
{
	struct nd *x = hand_operand(h);
	bool has_sizes = hand_coin(h), is_uneven = h->opset >= 18 && hand_coin(h);
	int axis, n = (int)hand_between(h, 1, HAND_OUT), i;
	int64_t size[HAND_OUT], each = hand_between(h, 1, 3);
	struct cut c[TN_MAX_RANK];

	x->rank = (int)hand_between(h, 1, 4);
	axis = hand_coin(h) ? 0 : (int)hand_between(h, 0, x->rank - 1);
	for (i = 0; i < x->rank; i++)
		x->dim[i] = hand_between(h, 1, 3);
	for (x->dim[axis] = 0, i = 0; i < n; i++) {
		size[i] = has_sizes ? hand_between(h, 0, 3) : each;
		if (!has_sizes && is_uneven && i == n - 1)
			size[i] = hand_between(h, each > n ? each - n + 1 : 1, each);
		x->dim[axis] += size[i];
	}
	hand_draw(h, x);
	if (axis || hand_coin(h))
		hand_int(h, "axis", hand_axis(h, axis, x->rank));
	if (has_sizes)
		hand_ints(h, "split", h->opset >= 13, size, n);
	else if (h->opset >= 18)
		hand_int(h, "num_outputs", n);
	for (i = 0; i < x->rank; i++)
		c[i] = (struct cut){0, x->dim[i], 1};
	c[axis].from = 0;
	for (i = 0; i < n; c[axis].from += size[i++]) {
		c[axis].n = size[i];
		take(x, hand_result(h), c);
	}
}

/* Numbers are of all starts, then of all ends; one that is negative cuts.  Modes but zeros are nothing that Tenon has. */
static void
pad(struct hand *h)
{
	struct nd *x = hand_any(h, 1, 4), *y = hand_result(h);
	bool is_operand = h->opset >= 11, is_edge = hand_between(h, 0, 4) == 0;
	int64_t pads[2 * TN_MAX_RANK], at[TN_MAX_RANK], k;
	double v = 0;
	int i;

	y->rank = x->rank;
	for (i = 0; i < x->rank; i++) {
		pads[i] = hand_between(h, is_edge ? 0 : -1, 2);
		pads[x->rank + i] = hand_between(h, is_edge || x->dim[i] + pads[i] == 0 ? 0 : -1, 2);
		y->dim[i] = pads[i] + x->dim[i] + pads[x->rank + i];
	}
	hand_ints(h, "pads", is_operand, pads, 2 * x->rank);
	if (is_edge || hand_coin(h))
		buf_puts(&h->attrs, is_edge ? " mode=edge" : " mode=constant");
	if (!is_edge && hand_coin(h))
		v = hand_number(h, is_operand ? "v" : "value", is_operand, hand_between(h, 0, 3) ? 0 : 2);
	h->may_stay = is_edge || v != 0 || hand_is_int(h);
	for (k = 0; k < hand_count(y); k++) {
		bool is_inside = true;

		hand_at(y, k, at);
		for (i = 0; i < x->rank; i++) {
			at[i] -= pads[i];
			is_inside &= at[i] >= 0 && at[i] < x->dim[i];
			at[i] = clamp(at[i], 0, x->dim[i] - 1);
		}
		y->v[k] = is_inside || is_edge ? *hand_element_at(x, at) : v;
	}
}

const struct hand_row hand_shape[] = {
	{"Concat", concat, HAND_ANY, 0}, {"ConstantOfShape", constant_of_shape, HAND_F32, 0},
	{"Expand", expand, HAND_ANY, 0}, {"Flatten", flatten, HAND_ANY, 0}, {"Pad", pad, HAND_ANY, 0},
	{"Reshape", reshape, HAND_ANY, 0}, {"Slice", slice, HAND_ANY, 0}, {"Split", split, HAND_ANY, 0},
	{"Squeeze", squeeze, HAND_ANY, 0}, {"Transpose", transpose, HAND_ANY, 0}, {"Unsqueeze", unsqueeze, HAND_ANY, 0},
	{0},
};
