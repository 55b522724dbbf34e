/* ONNX's operators by hand: convolutions and pooling, along one to three axes. */
#include <math.h>
#include <string.h>

#include "tests/oracle/hand.h"

enum { SPACE = 3 };
enum pads { NOTSET, VALID, SAME_UPPER, SAME_LOWER };
static const char *const pads_name[] = {"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"};

/* Windows that slide along n axes: window o of an axis has its tap r at element o stride - before + r dilation. */
struct window {
	int n;
	enum pads pads;
	bool is_ceil;
	bool ignores;		/* one that would start in the padding behind is left out */
	int64_t in[SPACE], kernel[SPACE], stride[SPACE], dilation[SPACE], before[SPACE], after[SPACE], out[SPACE];
};

static int64_t
reach(const struct window *w, int i)
{
	return (w->kernel[i] - 1) * w->dilation[i] + 1;
}

/* ONNX's formulas of the result's extent along axis i, and of pads that it works out; false: no window fits */
static bool
slide(struct window *w, int i)
{
	int64_t total, room = w->in[i] + w->before[i] + w->after[i] - reach(w, i);

	if (w->pads == SAME_UPPER || w->pads == SAME_LOWER) {
		w->out[i] = (w->in[i] + w->stride[i] - 1) / w->stride[i];
		total = (w->out[i] - 1) * w->stride[i] + reach(w, i) - w->in[i];
		total = total > 0 ? total : 0;
		w->before[i] = w->pads == SAME_UPPER ? total / 2 : total - total / 2;
		w->after[i] = total - w->before[i];
		return true;
	}
	if (room < 0)
		return false;
	w->out[i] = (room + (w->is_ceil ? w->stride[i] - 1 : 0)) / w->stride[i] + 1;
	if (w->is_ceil && (w->out[i] - 1) * w->stride[i] >= w->in[i] + w->before[i]) {
		w->out[i]--;
		w->ignores = true;
	}
	return true;
}

/* pads are smaller than the kernel of a pool; a kernel may lie apart and steps may be wider than it */
static void
draw_axis(struct hand *h, struct window *w, int i, bool pools, bool dilates)
{
	int64_t most;

	do {
		w->in[i] = hand_between(h, 1, w->n == 3 ? 4 : 7);
		w->kernel[i] = hand_between(h, 1, w->n == 3 ? 2 : 3);
		w->stride[i] = hand_between(h, 1, w->n == 3 ? 2 : 4);
		w->dilation[i] = dilates ? hand_between(h, 1, 3) : 1;
		most = w->pads != NOTSET ? 0 : pools ? w->kernel[i] - 1 : 3;
		w->before[i] = hand_between(h, 0, most);
		w->after[i] = hand_between(h, 0, most);
	} while (!slide(w, i));
}

static bool
is_all(const int64_t list[], int n, int64_t v)
{
	int i;

	for (i = 0; i < n && list[i] == v; i++)
		;
	return i == n;
}

/* an attribute, which may be left out where it is the default */
static void
put(struct hand *h, const char *name, const int64_t list[], int n, int64_t otherwise)
{
	if (!is_all(list, n, otherwise) || hand_coin(h))
		hand_ints(h, name, false, list, n);
}

static void
put_group(struct hand *h, int64_t group)
{
	if (group != 1 || hand_coin(h))
		hand_int(h, "group", group);
}

static void
put_window(struct hand *h, const struct window *w, bool has_dilations)
{
	int64_t pads[2 * SPACE];

	memcpy(pads, w->before, (size_t)w->n * sizeof *pads);
	memcpy(pads + w->n, w->after, (size_t)w->n * sizeof *pads);
	put(h, "strides", w->stride, w->n, 1);
	if (has_dilations)
		put(h, "dilations", w->dilation, w->n, 1);
	if (w->pads == NOTSET)
		put(h, "pads", pads, 2 * w->n, 0);
	if (w->pads != NOTSET || hand_coin(h))
		buf_printf(&h->attrs, " auto_pad=%s", pads_name[w->pads]);
}

/* mostly along two axes, which are the ones that Tenon has words for */
static struct window
draw_window(struct hand *h, bool pools, bool dilates)
{
	struct window w = {.n = hand_between(h, 0, 3) ? 2 : (int)hand_between(h, 1, 3), .pads = (enum pads)hand_between(h, 0, 3)};
	int i;

	w.pads = hand_coin(h) ? NOTSET : w.pads;
	w.is_ceil = pools && h->opset >= 10 && hand_coin(h);
	for (i = 0; i < w.n; i++)
		draw_axis(h, &w, i, pools, dilates);
	h->may_stay = w.n != 2;
	return w;
}

/* batch, channels, then the extents of every axis */
static void
set_shape(struct nd *a, int64_t n, int64_t c, const int64_t extent[], int count)
{
	a->rank = 2 + count;
	a->dim[0] = n, a->dim[1] = c;
	memcpy(&a->dim[2], extent, (size_t)count * sizeof *extent);
}

static struct nd *
image(struct hand *h, int64_t n, int64_t c, const int64_t extent[], int count)
{
	struct nd *a = hand_operand(h);

	set_shape(a, n, c, extent, count);
	hand_draw(h, a);
	return a;
}

/* the element under a tap, in at[2 …], of the window at o; false: it is padding */
static bool
under(const struct window *w, const int64_t o[], const int64_t tap[], int64_t at[])
{
	bool is_inside = true;
	int i;

	for (i = 0; i < w->n; i++) {
		at[2 + i] = o[2 + i] * w->stride[i] - w->before[i] + tap[2 + i] * w->dilation[i];
		is_inside &= at[2 + i] >= 0 && at[2 + i] < w->in[i];
	}
	return is_inside;
}

/* ---- convolutions ----------------------------------------------------------------------------- */

static void
conv(struct hand *h)
{
	struct window w = draw_window(h, false, hand_coin(h));
	int64_t group = hand_between(h, 1, 3), g = hand_between(h, 1, 2), per = hand_between(h, 1, 2), k, t, o[5], tap[5], at[5];
	struct nd *x = image(h, hand_between(h, 1, 2), group * g, w.in, w.n), *kernel = image(h, group * per, g, w.kernel, w.n);
	struct nd *bias = hand_coin(h) ? hand_shaped(h, 1, (int64_t[]){group * per}) : NULL, *y = hand_result(h);

	put_window(h, &w, true);
	put_group(h, group);
	if (hand_coin(h))
		hand_ints(h, "kernel_shape", false, w.kernel, w.n);
	set_shape(y, x->dim[0], kernel->dim[0], w.out, w.n);
	for (k = 0; k < hand_count(y); k++) {
		hand_at(y, k, o);
		y->v[k] = bias ? bias->v[o[1]] : 0;
		for (t = 0; t < hand_count(kernel); t++) {
			hand_at(kernel, t, tap);
			at[0] = o[0];
			at[1] = o[1] / per * g + tap[1];
			if (tap[0] == o[1] && under(&w, o, tap, at))
				y->v[k] += kernel->v[t] * *hand_element_at(x, at);
		}
	}
}

/* The extents of what a transposed convolution makes; of the pads the larger part stands where SAME_UPPER does not say. */
static void
transpose_window(struct hand *h, struct window *w, int64_t extra[])
{
	bool has_shape = hand_between(h, 0, 5) == 0;
	int64_t total;
	int i;

	w->pads = hand_coin(h) ? NOTSET : w->pads;
	for (i = 0; i < w->n; i++) {
		extra[i] = hand_between(h, 0, 2) ? 0 : hand_between(h, 0, w->stride[i] - 1);
		total = w->stride[i] * (w->in[i] - 1) + extra[i] + reach(w, i);
		if (has_shape || w->pads == SAME_UPPER || w->pads == SAME_LOWER) {
			w->out[i] = has_shape ? hand_between(h, 1, total) : w->in[i] * w->stride[i];
			total = total > w->out[i] ? total - w->out[i] : 0;
			w->before[i] = w->pads == SAME_UPPER ? total / 2 : total - total / 2;
			w->after[i] = total - w->before[i];
		} else {
			while (w->before[i] + w->after[i] >= total)
				w->before[i] = w->after[i] = 0;
			w->out[i] = total - w->before[i] - w->after[i];
		}
	}
	h->may_stay |= has_shape || w->pads != NOTSET;
	if (has_shape)
		hand_ints(h, "output_shape", false, w->out, w->n);
	put(h, "output_padding", extra, w->n, 0);
}

/* every element of x, times the kernel, is added to where its taps lie in the result */
static void
conv_transpose(struct hand *h)
{
	struct window w = draw_window(h, false, hand_between(h, 0, 3) == 0);
	int64_t group = hand_between(h, 0, 3) ? 1 : hand_between(h, 2, 3), g = hand_between(h, 1, 2), per = hand_between(h, 1, 2);
	int64_t extra[SPACE], k, t, i[5], tap[5], at[5];
	struct nd *x = image(h, hand_between(h, 1, 2), group * g, w.in, w.n), *kernel = image(h, group * g, per, w.kernel, w.n);
	struct nd *bias = hand_coin(h) ? hand_shaped(h, 1, (int64_t[]){group * per}) : NULL, *y = hand_result(h);
	struct window back;

	transpose_window(h, &w, extra);
	put_window(h, &w, true);
	put_group(h, group);
	h->may_stay |= group != 1 || !is_all(w.dilation, w.n, 1);
	set_shape(y, x->dim[0], group * per, w.out, w.n);
	for (k = 0; k < hand_count(y); k++) {
		hand_at(y, k, at);
		y->v[k] = bias ? bias->v[at[1]] : 0;
	}
	back = w;
	memcpy(back.in, w.out, sizeof back.in);
	for (k = 0; k < hand_count(x); k++)
		for (t = 0; t < hand_count(kernel); t++) {
			hand_at(x, k, i);
			hand_at(kernel, t, tap);
			at[0] = i[0];
			at[1] = i[1] / g * per + tap[1];
			if (tap[0] == i[1] && under(&back, i, tap, at))
				*hand_element_at(y, at) += x->v[k] * kernel->v[t];
		}
}

/* ---- pooling ---------------------------------------------------------------------------------- */

/* the taps of one window: the largest and the sum of those that lie inside, and how many do */
struct taps {
	double largest, sum;
	int64_t inside, padded;		/* and in the padding, but not beyond it */
};

static struct taps
look(const struct window *w, struct nd *x, const int64_t o[])
{
	struct nd kernel = {0};
	struct taps s = {.largest = -INFINITY};
	int64_t t, tap[5], at[5];
	int i;

	set_shape(&kernel, 1, 1, w->kernel, w->n);
	at[0] = o[0], at[1] = o[1];
	for (t = 0; t < hand_count(&kernel); t++) {
		bool is_beyond = false;

		hand_at(&kernel, t, tap);
		if (under(w, o, tap, at)) {
			s.inside++;
			s.sum += *hand_element_at(x, at);
			s.largest = fmax(s.largest, *hand_element_at(x, at));
		}
		for (i = 0; i < w->n; i++)
			is_beyond |= at[2 + i] >= w->in[i] + w->after[i];
		s.padded += !is_beyond;
	}
	return s;
}

/* Dilations and ceil_mode came in opset 10, to AveragePool the former in 19. */
static void
pool(struct hand *h)
{
	bool is_max = strcmp(h->onnx, "MaxPool") == 0, has_dilations = h->opset >= (is_max ? 10 : 19), counts = !is_max && hand_coin(h);
	struct window w = draw_window(h, true, has_dilations && hand_between(h, 0, 3) == 0);
	struct nd *x = image(h, hand_between(h, 1, 2), hand_between(h, 1, 2), w.in, w.n), *y = hand_result(h);
	int64_t k, o[5];

	hand_ints(h, "kernel_shape", false, w.kernel, w.n);
	put_window(h, &w, has_dilations);
	if (w.is_ceil || (h->opset >= 10 && hand_coin(h)))
		hand_int(h, "ceil_mode", w.is_ceil);
	if (counts || (!is_max && hand_coin(h)))
		hand_int(h, "count_include_pad", counts);
	h->may_stay |= !is_all(w.dilation, w.n, 1) || w.ignores || (w.is_ceil && (counts || w.pads == VALID));
	if (is_max && h->opset >= 8 && hand_between(h, 0, 4) == 0) {
		hand_int(h, "storage_order", 1);
		h->may_stay = true;
	}
	if (is_max && h->opset >= 8 && hand_coin(h))
		hand_unused(h);
	set_shape(y, x->dim[0], x->dim[1], w.out, w.n);
	for (k = 0; k < hand_count(y); k++) {
		struct taps s;

		hand_at(y, k, o);
		s = look(&w, x, o);
		y->v[k] = is_max ? s.largest : s.sum / (double)(counts ? s.padded : s.inside);
	}
}

/* of all that a channel has */
static void
global_pool(struct hand *h)
{
	bool is_max = strcmp(h->onnx, "GlobalMaxPool") == 0;
	struct nd *x = hand_any(h, 3, 5), *y = hand_result(h);
	int64_t k, at[TN_MAX_RANK], each = 1;
	int i;

	*y = *x;
	for (i = 2; i < x->rank; i++) {
		each *= x->dim[i];
		y->dim[i] = 1;
	}
	for (k = 0; k < hand_count(y); k++)
		y->v[k] = is_max ? -INFINITY : 0;
	for (k = 0; k < hand_count(x); k++) {
		double *to;

		hand_at(x, k, at);
		for (i = 2; i < x->rank; i++)
			at[i] = 0;
		to = hand_element_at(y, at);
		*to = is_max ? fmax(*to, x->v[k]) : *to + x->v[k] / (double)each;
	}
}

const struct hand_row hand_window[] = {
	{"AveragePool", pool, HAND_REAL, 0}, {"Conv", conv, HAND_REAL, 0}, {"ConvTranspose", conv_transpose, HAND_REAL, 0},
	{"GlobalAveragePool", global_pool, HAND_REAL, 0}, {"GlobalMaxPool", global_pool, HAND_REAL, 0}, {"MaxPool", pool, HAND_REAL, 0},
	{0},
};
