/* ONNX's operators by hand: matrix products. */
#include <string.h>

#include "tests/oracle/hand.h"

/* leading axes that broadcast with the two of `full`, then rows and columns */
static struct nd *
matrix(struct hand *h, const int64_t full[2], int64_t rows, int64_t columns)
{
	int64_t dim[4];
	int rank = 0, lead = (int)hand_between(h, 0, 2);

	for (; rank < lead; rank++)
		dim[rank] = hand_between(h, 0, 2) ? full[2 - lead + rank] : 1;
	dim[rank++] = rows;
	dim[rank++] = columns;
	return hand_shaped(h, rank, dim);
}

/* the common shape of what stands before the last two axes of both */
static struct nd
leading(const struct nd *a, const struct nd *b)
{
	int ra = a->rank < 2 ? 0 : a->rank - 2, rb = b->rank < 2 ? 0 : b->rank - 2, i;
	struct nd lead = {.rank = ra > rb ? ra : rb};

	for (i = 1; i <= lead.rank; i++) {
		int64_t da = i <= ra ? a->dim[ra - i] : 1, db = i <= rb ? b->dim[rb - i] : 1;

		lead.dim[lead.rank - i] = da == 1 ? db : da;
	}
	return lead;
}

/* As numpy.matmul: a vector is a row on the left, a column on the right, and the axis goes again. */
static void
matmul(struct hand *h)
{
	const int64_t full[2] = {hand_between(h, 1, 3), hand_between(h, 1, 3)};
	bool row = hand_between(h, 0, 4) == 0, column = hand_between(h, 0, 4) == 0;
	int64_t m = row ? 1 : hand_between(h, 1, 3), n = column ? 1 : hand_between(h, 1, 3), p = hand_between(h, 1, 3);
	int64_t left[TN_MAX_RANK], right[TN_MAX_RANK], k, q;
	struct nd *a = row ? hand_shaped(h, 1, &p) : matrix(h, full, m, p);
	struct nd *b = column ? hand_shaped(h, 1, &p) : matrix(h, full, p, n), *y = hand_result(h), all = leading(a, b);
	int last = all.rank + 1;

	all.rank += 2;
	all.dim[last - 1] = m, all.dim[last] = n;
	for (k = 0; k < hand_count(&all); k++) {
		double sum = 0;

		hand_at(&all, k, left);
		memcpy(right, left, sizeof right);
		for (q = 0; q < p; q++) {
			left[last] = right[last - 1] = q;
			sum += hand_spread(a, all.rank, left) * (column ? b->v[q] : hand_spread(b, all.rank, right));
		}
		y->v[k] = sum;
	}
	memcpy(y->dim, all.dim, sizeof y->dim);
	y->rank = all.rank - 2;
	if (!row)
		y->dim[y->rank++] = m;
	if (!column)
		y->dim[y->rank++] = n;
}

/* a number as an attribute, or its default of 1 */
static double
factor(struct hand *h, const char *name)
{
	static const double value[] = {0.5, -1.25, 2, 1};

	return hand_coin(h) ? hand_number(h, name, false, value[hand_between(h, 0, 3)]) : 1;
}

/* C, of a shape that broadcasts to m by n; NULL: left out, as it may be since opset 11 */
static struct nd *
addend(struct hand *h, int64_t m, int64_t n)
{
	int rank = (int)hand_between(h, 0, 2);
	int64_t dim[2] = {hand_coin(h) ? m : 1, hand_coin(h) ? n : 1};

	if (h->opset >= 11 && hand_between(h, 0, 3) == 0)
		return NULL;
	return hand_shaped(h, rank, rank == 1 ? &dim[1] : dim);
}

/* alpha A' B' + beta C */
static void
gemm(struct hand *h)
{
	int64_t m = hand_between(h, 1, 4), n = hand_between(h, 1, 4), p = hand_between(h, 1, 4), i, j, k;
	bool ta = hand_coin(h), tb = hand_coin(h);
	struct nd *a = hand_shaped(h, 2, ta ? (int64_t[]){p, m} : (int64_t[]){m, p});
	struct nd *b = hand_shaped(h, 2, tb ? (int64_t[]){n, p} : (int64_t[]){p, n});
	struct nd *c = addend(h, m, n), *y = hand_result(h);
	double alpha = factor(h, "alpha"), beta = factor(h, "beta");

	if (ta || hand_coin(h))
		hand_int(h, "transA", ta);
	if (tb || hand_coin(h))
		hand_int(h, "transB", tb);
	y->rank = 2;
	y->dim[0] = m, y->dim[1] = n;
	for (i = 0; i < m; i++)
		for (j = 0; j < n; j++) {
			double sum = 0;

			for (k = 0; k < p; k++)
				sum += a->v[ta ? k * m + i : i * p + k] * b->v[tb ? j * p + k : k * n + j];
			y->v[i * n + j] = alpha * sum + (c ? beta * hand_spread(c, 2, (const int64_t[]){i, j}) : 0);
		}
}

const struct hand_row hand_linear[] = {
	{"Gemm", gemm, HAND_REAL, 0}, {"MatMul", matmul, HAND_REAL, 0}, {0},
};
