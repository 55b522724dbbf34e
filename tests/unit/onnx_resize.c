/*
 * Resize by whole factors in every way of counting coordinates and rounding them, beside ONNX's formulas in whole
 * numbers: what is read as something else than an opaque operator is that, and what repeats elements is read so.
 */
#include "ref/execute.h"
#include "tests/unit/onnx_build.h"

enum { LONGEST = 5, LARGEST = 5, WIDTH = 2 };

static const char *const modes[] = {"asymmetric", "half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",
    "tf_half_pixel_for_nn", "align_corners"};
static const char *const rounds[] = {"floor", "ceil", "round_prefer_floor", "round_prefer_ceil"};
enum { ASYMMETRIC, HALF, SYMMETRIC, PYTORCH, SHIFTED, CORNERS, MODES };
enum { FLOOR, CEIL, PREFER_FLOOR, PREFER_CEIL, ROUNDS };

static int64_t
floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static int64_t
ceil_div(int64_t a, int64_t b)
{
	return -floor_div(-a, b);
}

/* the element of an axis of n that element i of the axis s times as long is */
static int64_t
source(int mode, int round, int64_t n, int64_t s, int64_t i)
{
	int64_t p = 2 * i + 1 - s, q = 2 * s, at;	/* the coordinate as p/q */

	if (mode == ASYMMETRIC)
		p = i, q = s;
	else if (mode == SHIFTED)
		p = 2 * i + 1;
	else if (mode == CORNERS)
		p = s * n == 1 ? 0 : i * (n - 1), q = s * n == 1 ? 1 : s * n - 1;
	else if (mode == PYTORCH && s * n == 1)
		p = 0;
	switch (round) {
	case FLOOR: at = floor_div(p, q); break;
	case CEIL: at = ceil_div(p, q); break;
	case PREFER_FLOOR: at = ceil_div(2 * p - q, 2 * q); break;
	default: at = floor_div(2 * p + q, 2 * q);
	}
	return at < 0 ? 0 : at >= n ? n - 1 : at;
}

static bool
repeats(int mode, int round, int64_t n, int64_t s)
{
	int64_t i;

	for (i = 0; i < n * s; i++)
		if (source(mode, round, n, s, i) != i / s)
			return false;
	return true;
}

/*
 * Corners that stay in place by a factor of 2 are too near to halves for floats where the axis is long; other kinds do
 * the same in the middle of any axis.
 */
static bool
is_known(int mode, int round, int64_t n, int64_t s)
{
	return n == 1 || (mode == CORNERS ? s == 1 : repeats(mode, round, LONGEST, s));
}

static bool
is_right(const struct tn_onnx *x, int mode, int round, int64_t n, int64_t s)
{
	double in[LONGEST * WIDTH];
	struct tn_array a = {.dtype = TN_F32, .rank = 4, .dim = {1, 1, n, WIDTH}, .v = in}, *got;
	int64_t i, k;
	bool ok;

	for (i = 0; i < n * WIDTH; i++)
		in[i] = (double)(i + 1);
	got = tn_execute(tn_onnx_graph(x), &(struct tn_exec){.input = &a}, NULL);
	ok = got && got->rank == 4 && got->dim[2] == n * s && got->dim[3] == WIDTH;
	for (i = 0; ok && i < n * s; i++)
		for (k = 0; k < WIDTH; k++)
			ok = ok && got->v[i * WIDTH + k] == in[source(mode, round, n, s, i) * WIDTH + source(mode, round, WIDTH, 1, k)];
	if (got)
		tn_arrays_free(got, 1);
	return ok;
}

static void
try_one(int mode, int round, int64_t n, int64_t s, bool has_sizes)
{
	struct buf model = {0}, text = {0};
	struct tn_error e = {0};
	char path[300];
	struct tn_onnx *x;
	bool is_opaque, is_meant;

	buf_printf(&model, "opset 19; in x f32 1 1 %d %d; ", (int)n, WIDTH);
	if (has_sizes)
		buf_printf(&model, "w s i64 = 1 1 %d %d; Resize x _ _ s", (int)(n * s), WIDTH);
	else
		buf_printf(&model, "w s f32 = 1 1 %d 1; Resize x _ s", (int)s);
	buf_printf(&model, " -> y coordinate_transformation_mode=%s nearest_mode=%s; out y", modes[mode], rounds[round]);
	snprintf(path, sizeof path, "%s", scratch("resize.onnx"));
	x = open_text(model.at, path, &e);
	if (x)
		graph_to_text(x, tn_onnx_graph(x), &text);
	is_opaque = x && *text.at == '?';
	is_meant = is_known(mode, round, n, s) && is_known(mode, round, WIDTH, 1);
	if (!x || is_opaque == is_meant || (!is_opaque && !is_right(x, mode, round, n, s))) {
		printf("%s: %s\n", model.at, x ? text.at : e.msg);
		failures++;
	}
	tn_onnx_close(x);
	unlink(path);
	buf_free(&model), buf_free(&text);
}

int
main(void)
{
	int mode, round;
	int64_t n, s;

	load_program();
	for (mode = 0; mode < MODES; mode++)
		for (round = 0; round < ROUNDS; round++)
			for (n = 1; n <= LONGEST; n++)
				for (s = 1; s <= LARGEST; s++)
					try_one(mode, round, n, s, (n + s) % 2 == 0);
	unload_program();
	return failures != 0;
}
