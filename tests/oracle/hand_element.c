/* ONNX's operators by hand: those that work element by element. */
#include <math.h>
#include <string.h>

#include "base/dtype.h"
#include "tests/oracle/hand.h"

/* ---- one operand ------------------------------------------------------------------------------ */

static double
negative(double x)
{
	return -x;
}

static double
relu(double x)
{
	return x > 0 ? x : 0;
}

static double
sigmoid(double x)
{
	return 1 / (1 + exp(-x));
}

/* max(0, min(1, alpha x + beta)) with alpha 1/6 and beta 1/2, times x */
static double
hard_swish(double x)
{
	return x * fmax(0, fmin(1, x / 6 + 0.5));
}

static double
same(double x)
{
	return x;
}

static double
gelu(double x)
{
	return 0.5 * x * (1 + erf(x / sqrt(2)));
}

static double
gelu_by_tanh(double x)
{
	return 0.5 * x * (1 + tanh(sqrt(2 / acos(-1)) * (x + 0.044715 * x * x * x)));
}

/* y[i] = f(x[i]) */
static struct nd *
map(struct hand *h, const struct nd *x, double (*f)(double))
{
	struct nd *y = hand_result(h);
	int64_t k;

	*y = *x;
	for (k = 0; k < hand_count(y); k++)
		y->v[k] = f(x->v[k]);
	return y;
}

static void
unary(struct hand *h)
{
	static const struct {
		const char *onnx;
		double (*f)(double);
	} of[] = {
		{"Abs", fabs}, {"Erf", erf}, {"Exp", exp}, {"HardSwish", hard_swish}, {"Identity", same}, {"Log", log}, {"Neg", negative},
		{"Relu", relu}, {"Sigmoid", sigmoid}, {"Sqrt", sqrt}, {"Tanh", tanh},
	};
	struct nd *x = hand_any(h, 0, 4);
	bool is_positive = strcmp(h->onnx, "Log") == 0 || strcmp(h->onnx, "Sqrt") == 0;
	size_t i;
	int64_t k;

	for (k = 0; is_positive && k < hand_count(x); k++)
		x->v[k] = (double)(float)(fabs(x->v[k]) + 0.125);
	for (i = 0; i < sizeof of / sizeof *of; i++)
		if (strcmp(of[i].onnx, h->onnx) == 0)
			map(h, x, of[i].f);
}

static void
gelu_either(struct hand *h)
{
	struct nd *x = hand_any(h, 0, 4);
	int64_t which = hand_between(h, 0, 3);

	if (which)
		buf_puts(&h->attrs, which == 1 ? " approximate=tanh" : " approximate=none");
	h->may_stay = which == 1;
	map(h, x, which == 1 ? gelu_by_tanh : gelu);
}

/* To the type that it has, or to another one that holds all the numbers drawn. */
static void
cast(struct hand *h)
{
	static const struct {
		enum tn_dtype dtype;
		int onnx;
	} to[] = {{TN_F32, 1}, {TN_I32, 6}, {TN_I64, 7}, {TN_F64, 11}};
	struct nd *x = hand_any(h, 0, 4);
	int64_t which;

	do
		which = hand_between(h, 0, 3);
	while (!hand_is_int(h) && !dtype_is_float(to[which].dtype));
	hand_int(h, "to", to[which].onnx);
	h->result = to[which].dtype;
	h->may_stay = h->result != h->dtype;
	map(h, x, same);
}

/* inference: the data; the ratio was an attribute once */
static void
dropout(struct hand *h)
{
	struct nd *x = hand_any(h, 0, 4);

	if (hand_coin(h))
		hand_number(h, "ratio", h->opset >= 12, 0.25);
	else if (h->opset >= 12 && hand_coin(h)) {
		hand_absent(h);
		buf_puts(&h->operands, " t");
		buf_puts(&h->given, "i t bool = 0; ");
		h->may_stay = true;
	}
	map(h, x, same);
	if (hand_coin(h))
		hand_unused(h);
}

/* Bounds: attributes before opset 11, then operands, which need not be constants.  Since opset 13 they may cross. */
static void
clip(struct hand *h)
{
	struct nd *x = hand_any(h, 0, 4), *y, *bound;
	double limit[2] = {-INFINITY, INFINITY}, v = rng_normal(&h->rng);
	double step = h->opset >= 13 && hand_between(h, 0, 3) == 0 ? -0.5 : 0.5;
	int64_t k;
	int i;

	for (i = 0; i < 2; i++, v += step * rng_unit(&h->rng)) {
		if (hand_between(h, 0, 3) == 0) {
			if (h->opset >= 11)
				hand_absent(h);
		} else if (h->opset >= 11 && hand_between(h, 0, 3) == 0) {
			bound = hand_shaped(h, 0, NULL);
			limit[i] = bound->v[0] = (double)(float)v;
			h->may_stay = true;
		} else {
			limit[i] = hand_number(h, i ? "max" : "min", h->opset >= 11, v);
		}
	}
	y = hand_result(h);
	*y = *x;
	for (k = 0; k < hand_count(y); k++)
		y->v[k] = fmin(fmax(x->v[k], limit[0]), limit[1]);
}

/* f(x) = alpha x for x < 0, x for x >= 0 */
static void
leaky_relu(struct hand *h)
{
	struct nd *x = hand_any(h, 0, 4), *y = hand_result(h);
	double alpha = hand_coin(h) ? hand_number(h, "alpha", false, rng_normal(&h->rng)) : (double)0.01f;
	int64_t k;

	*y = *x;
	for (k = 0; k < hand_count(y); k++)
		y->v[k] = x->v[k] < 0 ? alpha * x->v[k] : x->v[k];
}

/* max(0, min(1, alpha x + beta)) */
static void
hard_sigmoid(struct hand *h)
{
	struct nd *x = hand_any(h, 0, 4), *y = hand_result(h);
	double alpha = hand_coin(h) ? hand_number(h, "alpha", false, rng_unit(&h->rng)) : (double)0.2f;
	double beta = hand_coin(h) ? hand_number(h, "beta", false, rng_unit(&h->rng)) : 0.5;
	int64_t k;

	*y = *x;
	for (k = 0; k < hand_count(y); k++)
		y->v[k] = fmax(0, fmin(1, alpha * x->v[k] + beta));
}

/* ---- several operands ------------------------------------------------------------------------- */

/* the two's result; whole numbers are divided towards zero */
static double
pair(const struct hand *h, double a, double b)
{
	const char *onnx = h->onnx;

	if (strcmp(onnx, "Div") == 0)
		return hand_is_int(h) ? trunc(a / b) : a / b;
	return strcmp(onnx, "Sub") == 0 ? a - b : strcmp(onnx, "Mul") == 0 ? a * b : strcmp(onnx, "Pow") == 0 ? pow(a, b) :
	    strcmp(onnx, "Max") == 0 ? fmax(a, b) : strcmp(onnx, "Min") == 0 ? fmin(a, b) : a + b;
}

/* the operands' elements taken together from the left */
static void
join(struct hand *h, struct nd *y)
{
	int64_t at[TN_MAX_RANK], k;
	int i;

	for (k = 0; k < hand_count(y); k++) {
		hand_at(y, k, at);
		y->v[k] = hand_spread(&h->in[0], y->rank, at);
		for (i = 1; i < h->nin; i++)
			y->v[k] = pair(h, y->v[k], hand_spread(&h->in[i], y->rank, at));
	}
}

/* what cannot be divided, or raised to a power, is made so */
static void
admit(struct hand *h)
{
	int64_t k;

	for (k = 0; strcmp(h->onnx, "Pow") == 0 && k < hand_count(&h->in[0]); k++)
		h->in[0].v[k] = (double)(float)(fabs(h->in[0].v[k]) + 0.125);
	for (k = 0; strcmp(h->onnx, "Div") == 0 && k < hand_count(&h->in[1]); k++)
		h->in[1].v[k] += h->in[1].v[k] == 0;
}

/* Before opset 7 they broadcast by attributes of their own; laws of whole numbers are not ours. */
static void
binary(struct hand *h)
{
	struct nd *y = hand_broadcast(h, 2, h->opset < 7);

	h->may_stay = hand_is_int(h);
	admit(h);
	join(h, y);
}

/* before opset 8 of one shape */
static void
variadic(struct hand *h)
{
	struct nd *y = hand_broadcast(h, (int)hand_between(h, 1, 4), h->opset < 8);

	h->may_stay = hand_is_int(h);
	join(h, y);
}

const struct hand_row hand_element[] = {
	{"Abs", unary, HAND_REAL, 0}, {"Add", binary, HAND_ANY, 0}, {"Cast", cast, HAND_ANY, 0},
	{"Clip", clip, HAND_REAL, 0}, {"Div", binary, HAND_ANY, 0}, {"Dropout", dropout, HAND_REAL, 0},
	{"Erf", unary, HAND_REAL, 0}, {"Exp", unary, HAND_REAL, 0}, {"Gelu", gelu_either, HAND_REAL, 0},
	{"HardSigmoid", hard_sigmoid, HAND_REAL, 0}, {"HardSwish", unary, HAND_REAL, 0},
	{"Identity", unary, HAND_ANY, 0}, {"LeakyRelu", leaky_relu, HAND_REAL, 0}, {"Log", unary, HAND_REAL, 0},
	{"Max", variadic, HAND_ANY, 0}, {"Min", variadic, HAND_ANY, 0}, {"Mul", binary, HAND_ANY, 0},
	{"Neg", unary, HAND_REAL, 0}, {"Pow", binary, HAND_REAL, 0}, {"Relu", unary, HAND_REAL, 0},
	{"Sigmoid", unary, HAND_REAL, 0}, {"Sqrt", unary, HAND_REAL, 0}, {"Sub", binary, HAND_ANY, 0},
	{"Sum", variadic, HAND_REAL, 0}, {"Tanh", unary, HAND_REAL, 0}, {0},
};
