/*
 * What ONNX operators that are more than one of ours are lowered to computes what ONNX says they do: random shapes and
 * attributes, executed, beside loops written by hand.
 */
#include <math.h>

#include "ref/execute.h"
#include "tests/unit/onnx_build.h"

enum { TRIALS = 40, AXES = 4 };

/* A tensor of the loops below. */
struct nd {
	int rank;
	int64_t dim[TN_MAX_RANK];
	double v[2000];
};

static struct rng rng = {1};

static int64_t
between(int64_t least, int64_t most)
{
	return least + rng_below(&rng, (uint32_t)(most - least + 1));
}

static int64_t
count(const struct nd *a)
{
	int64_t n = 1;
	int i;

	for (i = 0; i < a->rank; i++)
		n *= a->dim[i];
	return n;
}

static void
draw(struct nd *a)
{
	int64_t i;

	for (i = 0; i < count(a); i++)
		a->v[i] = (double)(float)rng_normal(&rng);
}

static void
any_shape(struct nd *a, int least)
{
	int i;

	a->rank = (int)between(least, AXES);
	for (i = 0; i < a->rank; i++)
		a->dim[i] = between(1, 4);
	draw(a);
}

/* the indices of a flat element */
static void
unflatten(const struct nd *a, int64_t flat, int64_t at[])
{
	int i;

	for (i = a->rank; i-- > 0; flat /= a->dim[i])
		at[i] = flat % a->dim[i];
}

/* an element, axes counted from the last; an extent of 1 repeats */
static double
spread(const struct nd *a, int rank, const int64_t at[])
{
	int64_t flat = 0, i;
	int k;

	for (k = 0; k < a->rank; k++) {
		i = at[rank - a->rank + k];
		flat = flat * a->dim[k] + (a->dim[k] == 1 ? 0 : i);
	}
	return a->v[flat];
}

static void
put_shape(struct buf *b, const char *name, const struct nd *a)
{
	int i;

	buf_printf(b, "in %s f32", name);
	for (i = 0; i < a->rank; i++)
		buf_printf(b, " %lld", (long long)a->dim[i]);
	buf_puts(b, "; ");
}

/* The model on the operands gives what is wanted. */
static void
expect(struct buf *model, struct nd *in[], int nin, const struct nd *want)
{
	const char *path = scratch("values.onnx");
	char name[300];
	struct tn_array arg[3], *got = NULL;
	struct tn_error e = {0};
	struct tn_onnx *x;
	int i;
	int64_t k;
	bool ok = true;

	snprintf(name, sizeof name, "%s", path);
	for (i = 0; i < nin; i++) {
		arg[i] = (struct tn_array){.dtype = TN_F32, .rank = in[i]->rank, .v = in[i]->v};
		memcpy(arg[i].dim, in[i]->dim, sizeof arg[i].dim);
	}
	x = open_text(model->at, name, &e);
	if (x)
		got = tn_execute(tn_onnx_graph(x), &(struct tn_exec){.input = arg}, &e);
	ok = got && got[0].rank == want->rank && memcmp(got[0].dim, want->dim, (size_t)want->rank * sizeof want->dim[0]) == 0;
	for (k = 0; ok && k < count(want); k++)
		ok = fabs(got[0].v[k] - want->v[k]) <= 1e-9 * (1 + fabs(want->v[k]));
	if (!ok) {
		printf("%s\n  %s\n", model->at, got ? "another shape or value" : e.msg);
		failures++;
	}
	if (got)
		tn_arrays_free(got, tn_onnx_graph(x)->noutput);
	tn_onnx_close(x);
	unlink(name);
	buf_free(model);
	*model = (struct buf){0};
}

/* Add Sub Mul Max Min of shapes that broadcast as NumPy's do */
static void
binary(void)
{
	static const char *const name[] = {"Add", "Sub", "Mul", "Max", "Min"};
	static struct nd a, b, want;
	struct buf model = {0};
	int which = (int)between(0, 4), i;
	int64_t at[TN_MAX_RANK], k;

	any_shape(&a, 1);
	b.rank = (int)between(1, a.rank);
	for (i = 0; i < b.rank; i++)
		b.dim[i] = between(0, 1) ? a.dim[a.rank - b.rank + i] : 1;
	draw(&b);
	want = a;
	if (between(0, 1))			/* an axis of the larger one that repeats instead */
		for (i = 0; i < b.rank; i++)
			if (b.dim[i] > 1 && between(0, 1))
				a.dim[a.rank - b.rank + i] = 1;
	for (k = 0; k < count(&want); k++) {
		double x, y;

		unflatten(&want, k, at);
		x = spread(&a, want.rank, at);
		y = spread(&b, want.rank, at);
		want.v[k] = which == 0 ? x + y : which == 1 ? x - y : which == 2 ? x * y : which == 3 ? fmax(x, y) : fmin(x, y);
	}
	put_shape(&model, "a", &a);
	put_shape(&model, "b", &b);
	buf_printf(&model, "%s a b -> y; out y", name[which]);
	expect(&model, (struct nd *[]){&a, &b}, 2, &want);
}

/* alpha a' b' + beta c */
static void
gemm(void)
{
	static struct nd a, b, c, want;
	struct buf model = {0};
	int64_t m = between(1, 4), n = between(1, 4), p = between(1, 4), i, j, k;
	bool ta = between(0, 1), tb = between(0, 1);

	a.rank = b.rank = want.rank = 2;
	a.dim[ta] = m, a.dim[!ta] = p, b.dim[tb] = p, b.dim[!tb] = n;
	want.dim[0] = m, want.dim[1] = n;
	c.rank = (int)between(1, 2);
	c.dim[0] = c.rank == 1 ? n : between(0, 1) ? m : 1;
	c.dim[1] = between(0, 1) ? n : 1;
	draw(&a), draw(&b), draw(&c);
	for (i = 0; i < m; i++)
		for (j = 0; j < n; j++) {
			double sum = 0;

			for (k = 0; k < p; k++)
				sum += a.v[ta ? k * m + i : i * p + k] * b.v[tb ? j * p + k : k * n + j];
			want.v[i * n + j] = 0.5 * sum + 2 * spread(&c, 2, (const int64_t[]){i, j});
		}
	put_shape(&model, "a", &a);
	put_shape(&model, "b", &b);
	put_shape(&model, "c", &c);
	buf_printf(&model, "Gemm a b c -> y alpha=0.5 beta=2.0 transA=%d transB=%d; out y", ta, tb);
	expect(&model, (struct nd *[]){&a, &b, &c}, 3, &want);
}

/* of axes counted from either end, kept or not */
static void
reduce(void)
{
	static const char *const name[] = {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin"};
	static struct nd a, want;
	struct buf model = {0};
	int which = (int)between(0, 3), keep = (int)between(0, 1), axis, wide, i;
	int64_t at[TN_MAX_RANK], k, flat, times = 1;

	any_shape(&a, 1);
	axis = (int)between(0, a.rank - 1);
	wide = (int)between(1, a.rank - axis);
	want.rank = 0;
	for (i = 0; i < a.rank; i++)
		if (i < axis || i >= axis + wide)
			want.dim[want.rank++] = a.dim[i];
		else if (keep)
			want.dim[want.rank++] = 1;
	for (i = axis; i < axis + wide; i++)
		times *= a.dim[i];
	for (k = 0; k < count(&want); k++)
		want.v[k] = which == 2 ? -INFINITY : which == 3 ? INFINITY : 0;
	for (k = 0; k < count(&a); k++) {
		unflatten(&a, k, at);
		for (i = 0, flat = 0; i < a.rank; i++)
			if (i < axis || i >= axis + wide)
				flat = flat * a.dim[i] + at[i];
		want.v[flat] = which == 2 ? fmax(want.v[flat], a.v[k]) : which == 3 ? fmin(want.v[flat], a.v[k]) :
		    want.v[flat] + a.v[k] / (which == 1 ? (double)times : 1);
	}
	buf_puts(&model, "opset 11; ");
	put_shape(&model, "a", &a);
	buf_printf(&model, "%s a -> y keepdims=%d axes=[", name[which], keep);
	for (i = 0; i < wide; i++)
		buf_printf(&model, "%s%d", i ? "," : "", axis + i - (between(0, 1) ? a.rank : 0));
	buf_puts(&model, "]; out y");
	expect(&model, (struct nd *[]){&a}, 1, &want);
}

/* before opset 13 over all axes from the one that is named on, since then over that one */
static void
softmax(void)
{
	static struct nd a, want;
	struct buf model = {0};
	bool is_old = between(0, 1);
	int axis, i;
	int64_t run = 1, step = 1, first, k, n;

	any_shape(&a, 1);
	axis = (int)between(0, a.rank - 1);
	for (i = axis; i < (is_old ? a.rank : axis + 1); i++)
		run *= a.dim[i];
	for (i = axis + 1; i < a.rank && !is_old; i++)
		step *= a.dim[i];
	want = a;
	n = count(&a);
	for (first = 0; first < n; first++) {
		double sum = 0;

		if (first / step % run != 0)
			continue;
		for (k = 0; k < run; k++)
			sum += exp(a.v[first + k * step]);
		for (k = 0; k < run; k++)
			want.v[first + k * step] = exp(a.v[first + k * step]) / sum;
	}
	buf_printf(&model, "opset %d; ", is_old ? 11 : 13);
	put_shape(&model, "a", &a);
	buf_printf(&model, "Softmax a -> y axis=%d; out y", axis - (between(0, 1) ? a.rank : 0));
	expect(&model, (struct nd *[]){&a}, 1, &want);
}

/* a slice with bounds counted from either end, or beyond it; then a pad of one number around */
static void
slice_pad(void)
{
	static struct nd a, cut, want;
	struct buf model = {0};
	int axis, i;
	int64_t at[TN_MAX_RANK], from, to, step = between(1, 2), k, flat;

	any_shape(&a, 1);
	axis = (int)between(0, a.rank - 1);
	from = between(0, a.dim[axis] - 1);
	to = between(from + 1, a.dim[axis]);
	cut = a;
	cut.dim[axis] = (to - from + step - 1) / step;
	want = cut;
	for (i = 0; i < want.rank; i++)
		want.dim[i] += 1 + (i == axis);
	for (k = 0; k < count(&want); k++) {
		bool is_inside = true;

		unflatten(&want, k, at);
		for (i = 0, flat = 0; i < a.rank; i++) {
			at[i] -= 1;
			is_inside &= at[i] >= 0 && at[i] < cut.dim[i];
			flat = flat * a.dim[i] + (i == axis ? from + step * at[i] : at[i]);
		}
		want.v[k] = is_inside ? a.v[flat] : 0;
	}
	put_shape(&model, "a", &a);
	buf_printf(&model, "w f i64 = %lld; w t i64 = %lld; w x i64 = %d; w s i64 = %lld; w p i64 =",
	    (long long)(between(0, 1) ? from : from - a.dim[axis]), (long long)(to == a.dim[axis] ? 1000 : to),
	    axis - a.rank, (long long)step);
	for (i = 0; i < 2 * a.rank; i++)
		buf_printf(&model, " %d", i < a.rank || i - a.rank == axis);
	buf_puts(&model, "; Slice a f t x s -> c; Pad c p -> y; out y");
	expect(&model, (struct nd *[]){&a}, 1, &want);
}

/* the pad before, and the extent of the result, along one axis: as given, or so that it is the input's over the stride */
static int64_t
window(int how, int64_t n, int64_t kernel, int64_t stride, int64_t before, int64_t after, int64_t *out)
{
	int64_t all;

	if (how == 0) {
		*out = (n + before + after - kernel) / stride + 1;
		return before;
	}
	if (how == 1) {
		*out = (n - kernel) / stride + 1;
		return 0;
	}
	*out = (n + stride - 1) / stride;
	all = (*out - 1) * stride + kernel - n;
	all = all > 0 ? all : 0;
	return how == 2 ? all / 2 : all - all / 2;
}

/* one element of a convolution by its kernel's taps */
static double
tap_sum(const struct nd *x, const struct nd *k, int64_t group, const int64_t at[4], const int64_t first[2], int64_t dilation)
{
	int64_t g = k->dim[1], f = at[1], c, r, s, h, w, per = k->dim[0] / group;
	double sum = 0;

	for (c = 0; c < g; c++)
		for (r = 0; r < k->dim[2]; r++)
			for (s = 0; s < k->dim[3]; s++) {
				h = first[0] + r * dilation;
				w = first[1] + s * dilation;
				if (h >= 0 && h < x->dim[2] && w >= 0 && w < x->dim[3])
					sum += k->v[((f * g + c) * k->dim[2] + r) * k->dim[3] + s] *
					    x->v[((at[0] * x->dim[1] + f / per * g + c) * x->dim[2] + h) * x->dim[3] + w];
			}
	return sum;
}

/* pads given, none, or to be worked out, the odd one behind or before; groups, strides, dilations */
static void
conv(void)
{
	static const char *const word[] = {"NOTSET", "VALID", "SAME_UPPER", "SAME_LOWER"};
	static struct nd x, k, want;
	struct buf model = {0};
	int how = (int)between(0, 3), i;
	int64_t group = between(1, 2), g = between(1, 2), d = between(1, 2), stride[2], pad[4] = {0}, before[2], at[4], n;

	x = (struct nd){.rank = 4, .dim = {between(1, 2), group * g, between(3, 6), between(3, 6)}};
	k = (struct nd){.rank = 4, .dim = {group * between(1, 2), g, between(1, 2), between(1, 2)}};
	want = (struct nd){.rank = 4, .dim = {x.dim[0], k.dim[0]}};
	draw(&x), draw(&k);
	for (i = 0; i < 2; i++) {
		stride[i] = between(1, 2);
		pad[i] = how ? 0 : between(0, 1);
		pad[2 + i] = how ? 0 : between(0, 1);
		before[i] = window(how, x.dim[2 + i], d * (k.dim[2 + i] - 1) + 1, stride[i], pad[i], pad[2 + i], &want.dim[2 + i]);
	}
	for (n = 0; n < count(&want); n++) {
		unflatten(&want, n, at);
		want.v[n] = tap_sum(&x, &k, group, at, (const int64_t[]){at[2] * stride[0] - before[0], at[3] * stride[1] - before[1]}, d);
	}
	put_shape(&model, "x", &x);
	put_shape(&model, "k", &k);
	buf_printf(&model, "Conv x k -> y group=%lld strides=[%lld,%lld] dilations=[%lld,%lld] auto_pad=%s", (long long)group,
	    (long long)stride[0], (long long)stride[1], (long long)d, (long long)d, word[how]);
	if (how == 0)
		buf_printf(&model, " pads=[%lld,%lld,%lld,%lld]", (long long)pad[0], (long long)pad[1], (long long)pad[2], (long long)pad[3]);
	buf_puts(&model, "; out y");
	expect(&model, (struct nd *[]){&x, &k}, 2, &want);
}

/* products of matrices for each of the axes before, which broadcast; an operand of one axis is a row or a column */
static void
matmul(void)
{
	static struct nd a, b, want;
	struct buf model = {0};
	bool row = between(0, 4) == 0, column = between(0, 4) == 0;
	int64_t m = between(1, 3), n = between(1, 3), p = between(1, 3), lead = between(1, 3), l, i, j, k;
	bool batched = !row && between(0, 1), both = batched && !column && between(0, 1);

	a.rank = row ? 1 : 2 + batched;
	b.rank = column ? 1 : 2 + both;
	lead = batched ? lead : 1;
	m = row ? 1 : m;
	n = column ? 1 : n;
	a.dim[0] = lead;
	a.dim[a.rank - 1] = p;
	if (!row)
		a.dim[a.rank - 2] = m;
	b.dim[0] = lead;
	b.dim[column ? 0 : b.rank - 2] = p;
	if (!column)
		b.dim[b.rank - 1] = n;
	draw(&a), draw(&b);
	want.rank = 0;
	if (batched)
		want.dim[want.rank++] = lead;
	if (!row)
		want.dim[want.rank++] = m;
	if (!column)
		want.dim[want.rank++] = n;
	for (l = 0; l < lead; l++)
		for (i = 0; i < m; i++)
			for (j = 0; j < n; j++) {
				double sum = 0;

				for (k = 0; k < p; k++)
					sum += a.v[(l * m + i) * p + k] * b.v[((both ? l * p : 0) + k) * n + j];
				want.v[(l * m + i) * n + j] = sum;
			}
	put_shape(&model, "a", &a);
	put_shape(&model, "b", &b);
	buf_puts(&model, "MatMul a b -> y; out y");
	expect(&model, (struct nd *[]){&a, &b}, 2, &want);
}

int
main(void)
{
	static void (*const row[])(void) = {binary, gemm, reduce, softmax, slice_pad, conv, matmul};
	size_t i;
	int k;

	load_program();
	for (i = 0; i < sizeof row / sizeof *row; i++)
		for (k = 0; k < TRIALS && failures < 5; k++)
			row[i]();
	unload_program();
	return failures != 0;
}
