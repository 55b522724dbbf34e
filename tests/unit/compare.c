/* The executor by hand, and graphs that are equal, differ, or share opaque operators. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tenon/tenon.h"

static struct tn_ctx *c;
static int failures;

static void
check(bool ok, const char *what)
{
	if (ok)
		return;
	printf("failed: %s\n", what);
	failures++;
}

static tn_type
type(enum tn_dtype d, int rank, const tn_dim dim[])
{
	struct tn_shape t = {.dtype = d, .rank = rank};

	memcpy(t.dim, dim, (size_t)rank * sizeof dim[0]);
	return tn_type_make(c, &t);
}

static tn_val
value(enum tn_kind kind, int64_t i)
{
	return tn_val_make(c, &(struct tn_value){.kind = kind, .u.i = i});
}

static tn_val
list(int n, const int64_t at[])
{
	return tn_val_make(c, &(struct tn_value){.kind = TN_K_INTS, .n = (uint32_t)n, .u.list = at});
}

static uint32_t
node(struct tn_graph *g, const char *op, tn_attrs attrs, int n, const uint32_t kid[])
{
	struct tn_error e = {0};
	uint32_t i = tn_graph_node(g, tn_op_named(&tn_builtin, op), attrs, kid, n, TN_NONE, &e);

	if (i == TN_NONE) {
		printf("%s\n", e.msg);
		exit(1);
	}
	return i;
}

static tn_attrs
none(void)
{
	return tn_attrs_make(c, NULL, 0);
}

static tn_attrs
act(int64_t batch, int64_t a)
{
	tn_val v[] = {value(TN_K_INT, batch), value(TN_K_ENUM, a)};

	return tn_attrs_make(c, v, 2);
}

static uint32_t
weight(struct tn_graph *g, tn_type t, const void *data, size_t size)
{
	struct tn_weight w = {.name = "w", .type = t, .data = data, .size_bytes = size};

	return tn_graph_weight(g, &w);
}

static const float w_data[] = {1, 0, -1, 2, 0.5f, 3};

/* relu(x w + c) for x of 2 by 3 by weights of every float type */
static void
run_matmul(void)
{
	static const uint16_t brain[] = {0x3f80, 0, 0xbf80, 0x4000, 0x3f00, 0x4040};
	static const uint16_t half[] = {0x3c00, 0, 0xbc00, 0x4000, 0x3800, 0x4200};
	static const double wide[] = {1, 0, -1, 2, 0.5, 3}, want[] = {0.5, 13, 2, 28};
	static const struct {
		enum tn_dtype dtype;
		const void *data;
		size_t size;
	} of[] = {
		{TN_F32, w_data, sizeof w_data}, {TN_F64, wide, sizeof wide}, {TN_F16, half, sizeof half},
		{TN_BF16, brain, sizeof brain},
	};
	double in[] = {1, 2, 3, 4, 5, 6};
	size_t k;
	int i;

	for (k = 0; k < sizeof of / sizeof of[0]; k++) {
		struct tn_graph *g = tn_graph_new(c, &tn_builtin, "g");
		struct tn_array x = {.dtype = of[k].dtype, .rank = 2, .dim = {2, 3}, .v = in}, *out;
		struct tn_exec exec = {.input = &x};
		struct tn_error e = {0};
		uint32_t kid[3];

		kid[0] = tn_graph_input(g, "x", type(of[k].dtype, 2, (tn_dim[]){2, 3}));
		kid[1] = weight(g, type(of[k].dtype, 2, (tn_dim[]){3, 2}), of[k].data, of[k].size);
		kid[2] = tn_graph_fill(g, 0, type(of[k].dtype, 1, (tn_dim[]){2}));
		tn_graph_output(g, "y", node(g, "matmul", act(0, 1), 3, kid));
		out = tn_execute(g, &exec, &e);
		check(out != NULL, e.msg);
		for (i = 0; out && i < 4; i++)
			check(out[0].v[i] == want[i], "an element of relu(x w)");
		tn_arrays_free(out, 1);
		tn_graph_free(g);
	}
}

/* ---- pairs ------------------------------------------------------------------------------------------------ */

/* (x y) z or x (y z), sizes by name */
static struct tn_graph *
product(bool left, double nudge)
{
	tn_dim h = tn_dim_sym(c, "h");
	struct tn_graph *g = tn_graph_new(c, &tn_builtin, "g");
	uint32_t x = tn_graph_input(g, "x", type(TN_F32, 2, (tn_dim[]){h, 4}));
	uint32_t y = tn_graph_input(g, "y", type(TN_F32, 2, (tn_dim[]){4, 5}));
	uint32_t z = tn_graph_input(g, "z", type(TN_F32, 2, (tn_dim[]){5, 4}));
	uint32_t zero = tn_graph_fill(g, 0, type(TN_F32, 1, (tn_dim[]){4})), five = tn_graph_fill(g, 0, type(TN_F32, 1, (tn_dim[]){5}));
	uint32_t r;

	if (left)
		r = node(g, "matmul", act(0, 0), 3, (uint32_t[]){node(g, "matmul", act(0, 0), 3, (uint32_t[]){x, y, five}), z, zero});
	else
		r = node(g, "matmul", act(0, 0), 3, (uint32_t[]){x, node(g, "matmul", act(0, 0), 3, (uint32_t[]){y, z, zero}), zero});
	if (nudge != 0)
		r = node(g, "add", none(), 2, (uint32_t[]){r, tn_graph_fill(g, nudge, type(TN_F32, 2, (tn_dim[]){h, 4}))});
	tn_graph_output(g, "r", r);
	return g;
}

/* an unknown operator on x + x, or on 2 x; its result transposed twice, or not */
static struct tn_graph *
opaque(bool doubled, double factor)
{
	tn_type t = type(TN_F32, 2, (tn_dim[]){3, 2});
	struct tn_graph *g = tn_graph_new(c, &tn_builtin, "g");
	uint32_t x = tn_graph_input(g, "x", t), two, r;
	tn_val perm = list(2, (int64_t[]){1, 0});
	tn_attrs turn = tn_attrs_make(c, &perm, 1);

	two = doubled ? node(g, "add", none(), 2, (uint32_t[]){x, x})
	    : node(g, "mul", none(), 2, (uint32_t[]){x, tn_graph_fill(g, factor, t)});
	r = tn_graph_result(g, tn_graph_opaque(g, &two, 1, 7), 0, t);
	if (doubled)
		r = node(g, "transpose", turn, 1, (uint32_t[]){node(g, "transpose", turn, 1, &r)});
	tn_graph_output(g, "r", r);
	return g;
}

/* Two operators of one model that say the same of themselves, on x turned twice and on x, or on x both; of
 * their results no shape is known. */
static struct tn_graph *
twins(bool turned)
{
	tn_type t = type(TN_F32, 2, (tn_dim[]){3, 2}), unknown = tn_type_make(c, &(struct tn_shape){TN_F32, -1, {0}});
	struct tn_graph *g = tn_graph_new(c, &tn_builtin, "g");
	uint32_t x = tn_graph_input(g, "x", t), kid[2] = {x, x}, o;
	tn_val perm = list(2, (int64_t[]){1, 0});
	tn_attrs turn = tn_attrs_make(c, &perm, 1);
	int i;

	g->source = c;
	if (turned)
		kid[0] = node(g, "transpose", turn, 1, (uint32_t[]){node(g, "transpose", turn, 1, &x)});
	for (i = 0; i < 2; i++) {
		o = tn_graph_opaque(g, &kid[i], 1, 7 + (uint32_t)i);
		tn_graph_describe(g, o, "Unknown 1");
		tn_graph_output(g, i ? "b" : "a", tn_graph_result(g, o, 0, unknown));
	}
	return g;
}

/* the graphs, freed here, compare so */
static void
compare(struct tn_graph *a, struct tn_graph *b, bool differs, const char *what)
{
	struct tn_difference d;
	struct tn_error e = {0};
	int64_t *sizes = calloc((size_t)tn_dim_nsym(c) + 1, sizeof *sizes);

	for (int i = 0; i < tn_dim_nsym(c); i++)
		sizes[i] = 3;
	check(tn_graphs_compare(a, b, 3, sizes, 0, &d, &e), e.msg);
	check(d.differs == differs, what);
	check(!d.differs || d.where[0], "a difference has words");
	check(d.differs == (d.worst > 1), "what differs is worse than 1");
	free(sizes);
	tn_graph_free(a);
	tn_graph_free(b);
}

static void
compare_pairs(void)
{
	struct tn_graph *a = product(true, 0), *b = product(false, 0), *none_of = tn_graph_new(c, &tn_builtin, "none");
	struct tn_difference d;
	struct tn_error e = {0};
	int64_t sizes[] = {1000, 1000, 1000};

	compare(product(true, 0), product(false, 0), false, "a product in another order is equal");
	compare(product(true, 0), product(false, 0.01), true, "0.01 more differs");
	compare(opaque(true, 2), opaque(false, 2), false, "an opaque operator on equal operands is equal");
	compare(opaque(true, 2), opaque(false, 2.1), true, "an opaque operator on others is not");
	compare(twins(true), twins(false), false, "of one model they are known by origin, whatever they stand on");
	compare(product(true, 0), none_of, true, "other outputs differ");
	check(!tn_graphs_compare(a, b, 1, sizes, 1e-9, &d, &e) && e.code == TN_E_DEFECT, "the time limit holds");
	check(tn_graphs_compare(a, a, 1, sizes, 1e-9, &d, &e) && !d.differs, "what is the same needs no time");
	check(tn_graphs_same(a, a) && !tn_graphs_same(a, b), "graphs are the same or not");
	tn_graph_free(a);
	tn_graph_free(b);
}

/* ---- arrays ------------------------------------------------------------------------------------------------ */

static void
compare_arrays(void)
{
	static const struct {
		enum tn_dtype dtype;
		double a, b;
		bool differs;
	} of[] = {
		{TN_F32, 1, 1.0001, false}, {TN_F32, 1, 1.0002, true}, {TN_F32, NAN, NAN, false}, {TN_F32, NAN, 1, true},
		{TN_F32, INFINITY, INFINITY, false}, {TN_F32, INFINITY, -INFINITY, true}, {TN_I64, 1e6, 1e6 + 1, true},
		{TN_I64, 3, 3, false}, {TN_F32, 0, -0.0, false}, {TN_F16, 1, 1.008, false}, {TN_F16, 1, 1.02, true}, {TN_F64, 1, 1.008, true},
	};
	size_t i;

	for (i = 0; i < sizeof of / sizeof of[0]; i++) {
		double va[] = {of[i].a, 1}, vb[] = {of[i].b, 1};
		struct tn_array a = {of[i].dtype, 1, {2}, va}, b = {of[i].dtype, 1, {2}, vb};
		struct tn_difference d = {0};

		tn_arrays_compare(&a, &b, "y", &d);
		check(d.differs == of[i].differs, "arrays compare as in the table");
		if (d.differs != of[i].differs)
			printf("\t%g and %g\n", of[i].a, of[i].b);
		b.dim[0] = 1;
		d = (struct tn_difference){0};
		tn_arrays_compare(&a, &b, "y", &d);
		check(d.differs, "other shapes differ");
	}
}

/* the largest that counts may be another one's, and whole numbers are exact whatever the slack */
static void
compare_within(void)
{
	double va[] = {1, 2}, vb[] = {1.1, 2}, of = 0.125;
	struct tn_array a = {TN_F32, 1, {2}, va}, b = {TN_F32, 1, {2}, vb};
	struct tn_slack slack[] = {{of, 0, 0}, {of / 4, 0, 0}, {of / 4, 0, 4}, {0, of, 0}};
	const bool differs[] = {false, true, false, false};
	struct tn_difference d;
	size_t i;

	for (i = 0; i < sizeof slack / sizeof *slack; i++) {
		d = (struct tn_difference){0};
		tn_arrays_compare_within(&a, &b, "y", &slack[i], &d);
		check(d.differs == differs[i], "elements are as far apart as the slack says");
	}
	a.dtype = b.dtype = TN_I32;
	d = (struct tn_difference){0};
	tn_arrays_compare_within(&a, &b, "y", &slack[0], &d);
	check(d.differs, "whole numbers are exact");
}

/* ---- costs -------------------------------------------------------------------------------------------------- */

/* A product of m by k by n is 2 m k n operations, and what is added; its bytes are the three tensors'. */
static void
count_work(void)
{
	const struct tn_op *matmul = &tn_builtin.op[tn_op_named(&tn_builtin, "matmul")];
	tn_dim h = tn_dim_sym(c, "h");
	tn_type in[] = {type(TN_F32, 2, (tn_dim[]){h, 30}), type(TN_F32, 2, (tn_dim[]){30, 20}), TN_NONE};
	tn_type out = type(TN_F32, 2, (tn_dim[]){h, 20}), bias = type(TN_F32, 1, (tn_dim[]){20});
	struct tn_source source[] = {{in[0], in[0], false}, {in[1], in[1], false}, {bias, TN_NONE, false}};
	int64_t *sizes = calloc((size_t)tn_dim_nsym(c) + 1, sizeof *sizes);
	double flops = 0, bytes = 0;
	struct tn_error e = {0};
	struct tn_costs *costs;

	for (int i = 0; i < tn_dim_nsym(c); i++)
		sizes[i] = 10;
	check(tn_op_work(c, matmul, act(0, 0), in, 3, out, sizes, &flops, &bytes), "the work is known");
	check(flops == 2.0 * 10 * 30 * 20 + 10 * 20, "operations of a product");
	check(bytes == 4.0 * (10 * 30 + 30 * 20 + 10 * 20), "bytes of a product");
	costs = tn_costs_device(c, &tn_builtin, "no such", &e);
	check(!costs && strstr(e.msg, "h200"), "an unknown device: those there are");
	costs = tn_costs_device(c, &tn_builtin, "t4", &e);
	check(costs && strcmp(tn_costs_label(costs), "modelled t4") == 0, "the label");
	check(costs && tn_costs_op(costs, matmul, act(0, 0), source, 3, out, sizes) == 4014, "launch and bytes of a small product");
	tn_costs_free(costs);
	free(sizes);
}

int
main(void)
{
	c = tn_ctx_new();
	run_matmul();
	compare_pairs();
	compare_arrays();
	compare_within();
	count_work();
	tn_ctx_free(c);
	return failures != 0;
}
