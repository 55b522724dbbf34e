/*
 * Compiled defs against loops by hand, in the same run: nanoseconds a step (a multiplication with
 * its addition, or an element) and the ratio of the two.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ref/execute.h"

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- by hand ------------------------------------------------------------------------------------- */

/* 3x3 of 32 channels on 56x56, padded by 1 */
static void
conv_by_hand(const double *x, const double *k, double *out)
{
	for (int f = 0; f < 32; f++)
		for (int p = 0; p < 56; p++)
			for (int q = 0; q < 56; q++) {
				double sum = 0;

				for (int g = 0; g < 32; g++)
					for (int r = 0; r < 3; r++) {
						int h = p + r - 1;

						if (h < 0 || h >= 56)
							continue;
						for (int s = 0; s < 3; s++) {
							int w = q + s - 1;

							if (w >= 0 && w < 56)
								sum += x[(g * 56 + h) * 56 + w] * k[((f * 32 + g) * 3 + r) * 3 + s];
						}
					}
				out[(f * 56 + p) * 56 + q] = sum;
			}
}

static void
matmul_by_hand(const double *a, const double *w, double *out)
{
	for (int m = 0; m < 128; m++)
		for (int n = 0; n < 256; n++) {
			double sum = 0;

			for (int k = 0; k < 256; k++)
				sum += a[m * 256 + k] * w[k * 256 + n];
			out[m * 256 + n] = sum;
		}
}

static void
add_by_hand(const double *a, const double *b, double *out)
{
	for (int i = 0; i < 1 << 20; i++)
		out[i] = a[i] + b[i];
}

static void
transpose_by_hand(const double *x, const double *unused, double *out)
{
	(void)unused;
	for (int i = 0; i < 1024; i++)
		for (int j = 0; j < 1024; j++)
			out[i * 1024 + j] = x[j * 1024 + i];
}

static void
softmax_by_hand(const double *x, const double *unused, double *out)
{
	(void)unused;
	for (int i = 0; i < 256; i++) {
		double max = x[i * 512], sum = 0;

		for (int j = 1; j < 512; j++)
			max = x[i * 512 + j] > max ? x[i * 512 + j] : max;
		for (int j = 0; j < 512; j++)
			sum += exp(x[i * 512 + j] - max);
		for (int j = 0; j < 512; j++)
			out[i * 512 + j] = exp(x[i * 512 + j] - max) / sum;
	}
}

/* ---- cases ------------------------------------------------------------------------------------------- */

struct attr {
	const char *name;
	int64_t v[4];
};

static const struct {
	const char *op;
	int rank[3];
	int64_t dim[3][4];
	struct attr attr[2];
	double steps;
	void (*by_hand)(const double *, const double *, double *);
} cases[] = {
	{"conv2d", {4, 4, 1}, {{1, 32, 56, 56}, {32, 32, 3, 3}, {32}}, {{"pads", {1, 1, 1, 1}}}, 32. * 56 * 56 * 32 * 9,
		conv_by_hand},
	{"matmul", {2, 2, 1}, {{128, 256}, {256, 256}, {256}}, {{0}}, 128. * 256 * 256, matmul_by_hand},
	{"add", {1, 1}, {{1 << 20}, {1 << 20}}, {{0}}, 1 << 20, add_by_hand},
	{"transpose", {2}, {{1024, 1024}}, {{"perm", {1, 0}}}, 1 << 20, transpose_by_hand},
	{"softmax", {2}, {{256, 512}}, {{"axis", {1}}}, 256. * 512, softmax_by_hand},
};

/* Value of attribute i: what the case says, else its default, which is a list of numbers or one. */
static tn_val
attr_value(struct tn_ctx *c, const struct tn_op *op, int i, const struct attr given[])
{
	const struct tn_attr_decl *a = &op->attr[i];
	struct tn_value v = {.kind = (enum tn_kind)a->kind};
	int64_t list[4] = {0};

	for (int k = 0; a->init && k < a->init->nkid && k < 4; k++)
		list[k] = a->init->kid[k]->num.num;
	if (a->init && a->init->nkid == 0)
		list[0] = a->init->num.num;
	for (int k = 0; k < 2; k++)
		if (given[k].name && strcmp(given[k].name, a->name) == 0)
			memcpy(list, given[k].v, sizeof list);
	v.n = a->kind == TN_K_INTS ? (a->nelem ? (uint32_t)a->nelem : 2) : 0;
	if (a->kind == TN_K_INTS)
		v.u.list = list;
	else
		v.u.i = list[0];
	return tn_val_make(c, &v);
}

static struct tn_array
array(int rank, const int64_t dim[])
{
	struct tn_array a = {.dtype = TN_F32, .rank = rank};
	size_t n = 1;

	for (int i = 0; i < rank; i++)
		n *= (size_t)(a.dim[i] = dim[i]);
	a.v = calloc(n, sizeof *a.v);
	for (size_t i = 0; i < n; i++)
		a.v[i] = (double)(i * 2654435761u % 1000) / 500 - 1;
	return a;
}

/* The best of three runs each; false if the two differ. */
static bool
run(struct tn_ctx *c, const struct tn_op *op, size_t i)
{
	struct tn_array in[3], out, by_hand;
	tn_type type[3];
	tn_val val[8];
	struct tn_infer s = {.ctx = c, .op = op, .nin = op->nin, .in = type};
	struct tn_eval ev = {.ctx = c, .op = op, .nin = op->nin, .in = in, .out = &out};
	double compiled = 1e9, hand = 1e9, start;
	bool same = true;

	for (int k = 0; k < op->nattr; k++)
		val[k] = attr_value(c, op, k, cases[i].attr);
	s.attrs = ev.attrs = tn_attrs_make(c, val, op->nattr);
	for (int k = 0; k < op->nin; k++) {
		struct tn_shape t = {.dtype = TN_F32, .rank = cases[i].rank[k]};

		memcpy(t.dim, cases[i].dim[k], sizeof cases[i].dim[k]);
		type[k] = tn_type_make(c, &t);
		in[k] = array(t.rank, t.dim);
	}
	if (op->nin == 3)
		memset(in[2].v, 0, (size_t)array_count(&in[2]) * sizeof(double));
	if (!tn_infer_run(&s))
		return false;
	out = array(tn_type_get(c, s.out)->rank, tn_type_get(c, s.out)->dim);
	by_hand = array(out.rank, out.dim);
	ev.to = array_count(&out);
	for (int k = 0; k < 3; k++) {
		start = now();
		op->eval(&ev);
		compiled = now() - start < compiled ? now() - start : compiled;
		start = now();
		cases[i].by_hand(in[0].v, op->nin > 1 ? in[1].v : NULL, by_hand.v);
		hand = now() - start < hand ? now() - start : hand;
	}
	for (int64_t k = 0; k < ev.to; k++)
		same &= fabs(out.v[k] - by_hand.v[k]) <= 1e-12 * (1 + fabs(out.v[k]));
	printf("%-10s %8.2f ns a step, by hand %6.2f, ratio %5.2f%s\n", op->name, 1e9 * compiled / cases[i].steps,
		1e9 * hand / cases[i].steps, compiled / hand, same ? "" : ", NOT the same values");
	for (int k = 0; k < op->nin; k++)
		free(in[k].v);
	free(out.v);
	free(by_hand.v);
	return same;
}

int
main(void)
{
	const struct tn_program *p = &tn_builtin;
	struct tn_ctx *c = tn_ctx_new();
	bool ok = true;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (int k = 0; k < p->nop; k++)
			if (strcmp(p->op[k].name, cases[i].op) == 0)
				ok &= run(c, &p->op[k], i);
	tn_ctx_free(c);
	return !ok;
}
