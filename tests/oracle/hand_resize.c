/* ONNX's operators by hand: Resize, and Upsample as it was called before. */
#include <math.h>
#include <string.h>

#include "tests/oracle/hand.h"

/* how coordinates are counted, and what of two neighbours is the nearest */
enum { HALF, SYMMETRIC, PYTORCH, CORNERS, ASYMMETRIC, SHIFTED, WAYS };
enum { PREFER_FLOOR, PREFER_CEIL, FLOOR, CEIL, ROUNDS };
static const char *const way_name[] = {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
    "tf_half_pixel_for_nn"};
static const char *const round_name[] = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};

struct resize {
	int way, round;
	bool is_linear;
	double scale[TN_MAX_RANK];
};

/* ---- the node --------------------------------------------------------------------------------- */

static void
put_scales(struct hand *h, bool is_operand, const double scale[], int n)
{
	int i;

	if (is_operand)
		buf_puts(&h->operands, " scales"), buf_puts(&h->given, "w scales f32 =");
	else
		buf_puts(&h->attrs, " scales=[");
	for (i = 0; i < n; i++)
		buf_printf(is_operand ? &h->given : &h->attrs, is_operand ? " %.3f" : i ? ",%.3f" : "%.3f", scale[i]);
	buf_puts(is_operand ? &h->given : &h->attrs, is_operand ? "; " : "]");
}

/* a region of interest, which has to be there in opsets 11 and 12, may be empty */
static void
put_region(struct hand *h)
{
	if (h->opset >= 13) {
		hand_absent(h);
		return;
	}
	buf_puts(&h->operands, " roi");
	buf_puts(&h->given, "w roi f32 =; ");
}

/* Before opset 11 there were neither ways nor rounds to be named. */
static void
draw_ways(struct hand *h, struct resize *r)
{
	*r = (struct resize){.way = ASYMMETRIC, .round = FLOOR, .is_linear = !hand_is_int(h) && hand_between(h, 0, 3) == 0};
	if (r->is_linear || hand_coin(h))
		buf_printf(&h->attrs, " mode=%s", r->is_linear ? "linear" : "nearest");
	if (h->opset < 11)
		return;
	do
		r->way = hand_between(h, 0, 2) ? (int)hand_between(h, 0, WAYS - 1) : ASYMMETRIC;
	while ((r->way == SHIFTED && h->opset >= 13) || (r->way == SYMMETRIC && h->opset < 19));
	r->round = hand_between(h, 0, 2) ? (int)hand_between(h, 0, ROUNDS - 1) : FLOOR;
	if (r->way != HALF || hand_coin(h))
		buf_printf(&h->attrs, " coordinate_transformation_mode=%s", way_name[r->way]);
	if (r->round != PREFER_FLOOR || hand_coin(h))
		buf_printf(&h->attrs, " nearest_mode=%s", round_name[r->round]);
}

/* some axes by name, since opset 18, or all */
static int
draw_axes(struct hand *h, int rank, int64_t axis[])
{
	int i, n = 0;
	bool is_named = h->opset >= 18 && hand_coin(h);

	for (i = 0; i < rank; i++)
		if (!is_named || hand_coin(h))
			axis[n++] = i;
	if (is_named && n)
		hand_ints(h, "axes", false, axis, n);
	for (i = 0; n == 0 && i < rank; i++)
		axis[i] = i;
	return n ? n : rank;
}

/* by scales, or since opset 11 by sizes: of the result's extents, which scales are rounded down to */
static void
draw_scales(struct hand *h, struct resize *r, const struct nd *x, struct nd *y)
{
	static const double some[] = {1, 2, 2, 3, 4, 1.5, 1.25, 2.25, 0.5};
	bool by_sizes = h->opset >= 11 && hand_coin(h);
	int64_t axis[TN_MAX_RANK], size[TN_MAX_RANK];
	double scale[TN_MAX_RANK];
	int n = draw_axes(h, x->rank, axis), i;

	memcpy(y->dim, x->dim, sizeof y->dim);
	for (i = 0; i < x->rank; i++)
		r->scale[i] = 1;
	for (i = 0; i < n; i++) {
		int64_t d = x->dim[axis[i]];

		do
			scale[i] = some[hand_between(h, 0, sizeof some / sizeof *some - 1)];
		while ((int64_t)((double)d * scale[i]) < 1 || (strcmp(h->onnx, "Upsample") == 0 && scale[i] < 1));
		size[i] = y->dim[axis[i]] = (int64_t)((double)d * scale[i]);
		r->scale[axis[i]] = by_sizes ? (double)size[i] / (double)d : scale[i];
	}
	if (h->opset >= 11)
		put_region(h);
	if (by_sizes) {
		hand_absent(h);
		hand_ints(h, "sizes", true, size, n);
	} else {
		put_scales(h, h->opset >= 9, scale, n);
	}
}

/* ---- its values ------------------------------------------------------------------------------- */

/* the coordinate among n elements that element i of m is made at */
static double
coordinate(const struct resize *r, double scale, int64_t i, int64_t n, int64_t m)
{
	double x = (double)i, half = (x + 0.5) / scale - 0.5;

	switch (r->way) {
	case HALF: return half;
	case SYMMETRIC: return (double)n / 2 * (1 - (double)m / (scale * (double)n)) + half;
	case PYTORCH: return m > 1 ? half : 0;
	case CORNERS: return m > 1 ? x * (double)(n - 1) / (double)(m - 1) : 0;
	case ASYMMETRIC: return x / scale;
	default: return (x + 0.5) / scale;
	}
}

static double
rounded(int how, double x)
{
	return how == PREFER_FLOOR ? ceil(x - 0.5) : how == PREFER_CEIL ? floor(x + 0.5) : how == FLOOR ? floor(x) : ceil(x);
}

static int64_t
clamp(double at, int64_t n)
{
	return at < 0 ? 0 : at > (double)(n - 1) ? n - 1 : (int64_t)at;
}

/* the nearest element, or those around the coordinate by how near they are; beyond the border its element */
static double
value_at(const struct resize *r, struct nd *x, const double at[])
{
	int64_t element[TN_MAX_RANK];
	double sum = 0, part, low;
	int corner, i;

	for (corner = 0; corner < 1 << (r->is_linear ? x->rank : 0); corner++) {
		for (i = 0, part = 1; i < x->rank; i++) {
			low = floor(at[i]);
			element[i] = clamp(r->is_linear ? low + (corner >> i & 1) : rounded(r->round, at[i]), x->dim[i]);
			if (r->is_linear)
				part *= corner >> i & 1 ? at[i] - low : 1 - (at[i] - low);
		}
		sum += part * *hand_element_at(x, element);
	}
	return sum;
}

/* Tenon has words for what repeats elements, which these do among others. */
static bool
repeats(const struct resize *r, const struct nd *x)
{
	bool is_whole = true;
	int i;

	for (i = 0; i < x->rank; i++)
		is_whole &= r->scale[i] == floor(r->scale[i]);
	return is_whole && !r->is_linear && ((r->way == ASYMMETRIC && r->round == FLOOR) || (r->way == HALF && r->round <= PREFER_CEIL));
}

static void
resize(struct hand *h)
{
	struct nd *x = hand_any(h, 1, 4), *y = hand_result(h);
	struct resize r;
	int64_t index[TN_MAX_RANK], k;
	double at[TN_MAX_RANK];
	int i;

	draw_ways(h, &r);
	draw_scales(h, &r, x, y);
	y->rank = x->rank;
	h->may_stay = !repeats(&r, x);
	for (k = 0; k < hand_count(y); k++) {
		hand_at(y, k, index);
		for (i = 0; i < x->rank; i++)
			at[i] = coordinate(&r, r.scale[i], index[i], x->dim[i], y->dim[i]);
		y->v[k] = value_at(&r, x, at);
	}
}

const struct hand_row hand_resize[] = {
	{"Resize", resize, HAND_ANY, 0}, {"Upsample", resize, HAND_ANY, 0}, {0},
};
