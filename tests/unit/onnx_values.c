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
	    (long long)(between(0, 1) ? from : from - a.dim[axis]), (long long)(to == a.dim[axis] ? 1000 : to), axis - a.rank, (long long)step);
	for (i = 0; i < 2 * a.rank; i++)
		buf_printf(&model, " %d", i < a.rank || i - a.rank == axis);
	buf_puts(&model, "; Slice a f t x s -> c; Pad c p -> y; out y");
	expect(&model, (struct nd *[]){&a}, 1, &want);
}

int
main(void)
{
	static void (*const row[])(void) = {binary, gemm, reduce, softmax, slice_pad};
	size_t i;
	int k;

	load_program();
	for (i = 0; i < sizeof row / sizeof *row; i++)
		for (k = 0; k < TRIALS && failures < 5; k++)
			row[i]();
	unload_program();
	return failures != 0;
}
