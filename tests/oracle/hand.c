/* ONNX's operators by hand: what the loops are made of; see hand.h. */
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "tests/oracle/hand.h"

/* ---- drawing ---------------------------------------------------------------------------------- */

int64_t
hand_between(struct hand *h, int64_t least, int64_t most)
{
	return least + rng_below(&h->rng, (uint32_t)(most - least + 1));
}

bool
hand_coin(struct hand *h)
{
	return rng_below(&h->rng, 2);
}

bool
hand_is_int(const struct hand *h)
{
	return !dtype_is_float(h->dtype);
}

/* ---- tensors ---------------------------------------------------------------------------------- */

int64_t
hand_count(const struct nd *a)
{
	int64_t n = 1;
	int i;

	for (i = 0; i < a->rank; i++)
		n *= a->dim[i];
	if (n > HAND_ELEMENTS)
		abort();
	return n;
}

void
hand_at(const struct nd *a, int64_t flat, int64_t at[])
{
	int i;

	for (i = a->rank; i-- > 0; flat /= a->dim[i])
		at[i] = flat % a->dim[i];
}

double *
hand_element_at(struct nd *a, const int64_t at[])
{
	int64_t flat = 0;
	int i;

	for (i = 0; i < a->rank; i++) {
		if (at[i] < 0 || at[i] >= a->dim[i])
			abort();
		flat = flat * a->dim[i] + at[i];
	}
	return &a->v[flat];
}

double
hand_spread(const struct nd *a, int rank, const int64_t at[])
{
	int64_t flat = 0;
	int i;

	for (i = 0; i < a->rank; i++)
		flat = flat * a->dim[i] + (a->dim[i] == 1 ? 0 : at[rank - a->rank + i]);
	return a->v[flat];
}

/* ---- the node --------------------------------------------------------------------------------- */

struct nd *
hand_operand(struct hand *h)
{
	if (h->nin == HAND_IN)
		abort();
	buf_printf(&h->operands, " x%d", h->nin);
	h->type[h->nin] = h->dtype;
	return &h->in[h->nin++];
}

void
hand_draw(struct hand *h, struct nd *a)
{
	int64_t i;

	for (i = 0; i < hand_count(a); i++)
		a->v[i] = h->dtype == TN_BOOL ? hand_coin(h) : hand_is_int(h) ? (double)hand_between(h, -4, 9) :
		    (double)(float)rng_normal(&h->rng);
}

struct nd *
hand_shaped(struct hand *h, int rank, const int64_t dim[])
{
	struct nd *a = hand_operand(h);

	a->rank = rank;
	if (rank)
		memcpy(a->dim, dim, (size_t)rank * sizeof *dim);
	hand_draw(h, a);
	return a;
}

struct nd *
hand_any(struct hand *h, int least, int most)
{
	int64_t dim[TN_MAX_RANK];
	int rank = (int)hand_between(h, least, most), i;

	for (i = 0; i < rank; i++)
		dim[i] = hand_between(h, 1, 4);
	return hand_shaped(h, rank, dim);
}

struct nd *
hand_broadcast(struct hand *h, int n, bool is_alike)
{
	struct nd full = {.rank = (int)hand_between(h, 0, 4)}, *y = hand_result(h);
	int64_t dim[TN_MAX_RANK];
	int i, k, rank;

	for (i = 0; i < full.rank; i++)
		full.dim[i] = hand_between(h, 1, 4);
	for (k = 0; k < n; k++) {
		rank = is_alike ? full.rank : (int)hand_between(h, 0, full.rank);
		for (i = 0; i < rank; i++)
			dim[i] = is_alike || hand_between(h, 0, 2) ? full.dim[full.rank - rank + i] : 1;
		hand_shaped(h, rank, dim);
		y->rank = rank > y->rank ? rank : y->rank;
	}
	for (i = 0; i < y->rank; i++)
		y->dim[i] = 1;
	for (k = 0; k < n; k++)
		for (i = 1; i <= h->in[k].rank; i++)
			if (h->in[k].dim[h->in[k].rank - i] != 1)
				y->dim[y->rank - i] = h->in[k].dim[h->in[k].rank - i];
	return y;
}

void
hand_absent(struct hand *h)
{
	buf_puts(&h->operands, " _");
}

void
hand_ints(struct hand *h, const char *name, bool is_operand, const int64_t list[], int n)
{
	int i;

	if (is_operand) {
		buf_printf(&h->operands, " %s", name);
		buf_printf(&h->given, "w %s i64 =", name);
		for (i = 0; i < n; i++)
			buf_printf(&h->given, " %lld", (long long)list[i]);
		buf_puts(&h->given, "; ");
		return;
	}
	buf_printf(&h->attrs, " %s=[", name);
	for (i = 0; i < n; i++)
		buf_printf(&h->attrs, "%s%lld", i ? "," : "", (long long)list[i]);
	buf_puts(&h->attrs, "]");
}

double
hand_number(struct hand *h, const char *name, bool is_operand, double v)
{
	v = (double)(float)v;
	if (is_operand) {
		buf_printf(&h->operands, " %s", name);
		buf_printf(&h->given, "i %s %s = %.17g; ", name, dtype_name(h->dtype), v);
	} else {
		buf_printf(&h->attrs, " %s=%.17ef", name, v);
	}
	return v;
}

void
hand_int(struct hand *h, const char *name, int64_t v)
{
	buf_printf(&h->attrs, " %s=%lld", name, (long long)v);
}

int64_t
hand_axis(struct hand *h, int axis, int rank)
{
	return h->opset >= 11 && hand_coin(h) ? axis - rank : axis;
}

struct nd *
hand_result(struct hand *h)
{
	if (h->nout == HAND_OUT)
		abort();
	buf_printf(&h->results, " y%d", h->nout);
	return &h->out[h->nout++];
}

void
hand_unused(struct hand *h)
{
	buf_puts(&h->results, " unused");
}
