/* Operators of a network as .graph text; see net.h. */
#include "models/net.h"

#include <stdarg.h>
#include <string.h>

void
net_begin(struct net *m, const char *name)
{
	buf_printf(&m->text, "(graph %s", name);
}

void
net_end(struct net *m)
{
	buf_puts(&m->text, ")\n");
}

void
net_note(struct net *m, const char *fmt, ...)
{
	va_list ap;

	buf_puts(&m->text, "\n  ; ");
	va_start(ap, fmt);
	buf_vprintf(&m->text, fmt, ap);
	va_end(ap);
}

/* ---- pieces of text ----------------------------------------------------------------------------- */

static void
put_list(struct net *m, int n, const int at[])
{
	int i;

	for (i = 0; i < n; i++)
		buf_printf(&m->text, "%s%d", i ? " " : "[", at[i]);
	buf_putc(&m->text, ']');
}

static struct value
make(const char *prefix, int number, int rank, const int dim[])
{
	struct value v = {prefix, number, rank, {0}};

	memcpy(v.dim, dim, (size_t)rank * sizeof *dim);
	return v;
}

/* "(let t12 (relu t11", up to the attributes; the new value has the first operand's extents */
static struct value
open_operator(struct net *m, const char *op, int n, const struct value in[])
{
	int i;

	buf_printf(&m->text, "\n  (let t%d (%s", ++m->nvalue, op);
	for (i = 0; i < n; i++)
		buf_printf(&m->text, " %s%d", in[i].prefix, in[i].number);
	return make("t", m->nvalue, in[0].rank, in[0].dim);
}

static void
close_operator(struct net *m)
{
	buf_puts(&m->text, "))");
}

static struct value
put_operator(struct net *m, const char *op, int n, const struct value in[])
{
	struct value v = open_operator(m, op, n, in);

	close_operator(m);
	return v;
}

/* ---- inputs, weights, outputs --------------------------------------------------------------------- */

struct value
net_input(struct net *m, int rank, const int dim[])
{
	buf_printf(&m->text, "\n  (input x%d f32 ", ++m->ninput);
	put_list(m, rank, dim);
	buf_putc(&m->text, ')');
	return make("x", m->ninput, rank, dim);
}

void
net_output(struct net *m, struct value v)
{
	buf_printf(&m->text, "\n  (output %s%d)", v.prefix, v.number);
}

static struct value
open_weight(struct net *m, int rank, const int dim[])
{
	buf_printf(&m->text, "\n  (weight w%d f32 ", ++m->nweight);
	put_list(m, rank, dim);
	buf_printf(&m->text, " :seed %lld", (long long)++m->seed);
	return make("w", m->nweight, rank, dim);
}

struct value
net_weight(struct net *m, int rank, const int dim[])
{
	struct value v = open_weight(m, rank, dim);

	buf_putc(&m->text, ')');
	return v;
}

struct value
net_weight_between(struct net *m, int rank, const int dim[], double low, double high)
{
	struct value v = open_weight(m, rank, dim);

	buf_printf(&m->text, " :between [%g %g])", low, high);
	return v;
}

/* ---- element by element ----------------------------------------------------------------------------- */

struct value
net_unary(struct net *m, const char *op, struct value x)
{
	return put_operator(m, op, 1, &x);
}

struct value
net_binary(struct net *m, const char *op, struct value x, struct value y)
{
	return put_operator(m, op, 2, (struct value[]){x, y});
}

struct value
net_scalar(struct net *m, const char *op, struct value x, double number)
{
	struct value v = open_operator(m, op, 1, &x);

	buf_printf(&m->text, " %.17g", number);
	close_operator(m);
	return v;
}

/* ---- linear ------------------------------------------------------------------------------------------- */

struct value
net_matmul(struct net *m, struct value x, struct value w, int batch)
{
	struct value v = open_operator(m, "matmul", 2, (struct value[]){x, w});

	if (batch)
		buf_printf(&m->text, " :batch %d", batch);
	close_operator(m);
	v.dim[v.rank - 1] = w.dim[w.rank - 1];
	return v;
}

struct value
net_product(struct net *m, struct value x, int columns)
{
	return net_matmul(m, x, net_weight(m, 2, (int[]){x.dim[x.rank - 1], columns}), 0);
}

struct value
net_linear(struct net *m, struct value x, int columns)
{
	struct value w = net_weight(m, 2, (int[]){x.dim[x.rank - 1], columns});
	struct value b = net_weight_between(m, 1, &columns, -0.1, 0.1);
	struct value v = put_operator(m, "matmul", 3, (struct value[]){x, w, b});

	v.dim[v.rank - 1] = columns;
	return v;
}

/* ---- geometry ----------------------------------------------------------------------------------------- */

struct value
net_reshape(struct net *m, struct value x, int rank, const int dim[])
{
	struct value v = open_operator(m, "reshape", 1, &x);

	buf_puts(&m->text, " :shape ");
	put_list(m, rank, dim);
	close_operator(m);
	return make("t", v.number, rank, dim);
}

struct value
net_transpose(struct net *m, struct value x, const int perm[])
{
	struct value v = open_operator(m, "transpose", 1, &x);
	int i;

	buf_puts(&m->text, " :perm ");
	put_list(m, x.rank, perm);
	close_operator(m);
	for (i = 0; i < x.rank; i++)
		v.dim[i] = x.dim[perm[i]];
	return v;
}

struct value
net_concat(struct net *m, int n, const struct value in[])
{
	struct value v = open_operator(m, "concat", n, in);
	int i;

	buf_puts(&m->text, " :axis 1");
	close_operator(m);
	for (i = 1; i < n; i++)
		v.dim[1] += in[i].dim[1];
	return v;
}

/* ---- images ------------------------------------------------------------------------------------------- */

/*
 * Padding of one side, so that the result has ceil(n / stride) places: as TASO counts it, the same on
 * both sides, rounded up.  In all networks here that gives just so many places.
 */
static int
same_pad(int n, int k, int stride)
{
	int total = k - (n % stride ? n % stride : stride);

	return total > 0 ? (total + 1) / 2 : 0;
}

/* :strides and :pads, and the extents that they leave */
static void
put_window(struct net *m, const struct value *x, const int k[], int stride, bool is_valid, struct value *v)
{
	int pad[2], i;

	for (i = 0; i < 2; i++) {
		pad[i] = is_valid ? 0 : same_pad(x->dim[2 + i], k[i], stride);
		v->dim[2 + i] = (x->dim[2 + i] + 2 * pad[i] - k[i]) / stride + 1;
	}
	if (stride != 1)
		buf_printf(&m->text, " :strides [%d %d]", stride, stride);
	if (pad[0] || pad[1])
		buf_printf(&m->text, " :pads [%d %d %d %d]", pad[0], pad[1], pad[0], pad[1]);
}

struct value
net_conv(struct net *m, struct value x, struct conv c)
{
	int groups = c.groups ? c.groups : 1;
	struct value w = net_weight(m, 4, (int[]){c.out, x.dim[1] / groups, c.k[0], c.k[1]});
	struct value v = open_operator(m, "conv2d", 2, (struct value[]){x, w});

	put_window(m, &x, c.k, c.stride ? c.stride : 1, c.is_valid, &v);
	if (groups != 1)
		buf_printf(&m->text, " :groups %d", groups);
	if (c.act)
		buf_printf(&m->text, " :act %s", c.act);
	close_operator(m);
	v.dim[1] = c.out;
	return v;
}

struct value
net_pool(struct net *m, struct value x, struct pool p)
{
	struct value v = open_operator(m, p.op, 1, &x);

	buf_printf(&m->text, " :kernel [%d %d]", p.k, p.k);
	put_window(m, &x, (int[]){p.k, p.k}, p.stride ? p.stride : 1, p.is_valid, &v);
	close_operator(m);
	return v;
}

/* ---- normalisation ------------------------------------------------------------------------------------ */

struct value
net_batch_norm(struct net *m, struct value x)
{
	struct value in[5] = {x};

	in[1] = net_weight_between(m, 1, &x.dim[1], 0.5, 1.5);
	in[2] = net_weight_between(m, 1, &x.dim[1], -0.5, 0.5);
	in[3] = net_weight_between(m, 1, &x.dim[1], -0.5, 0.5);
	in[4] = net_weight_between(m, 1, &x.dim[1], 0.5, 1.5);
	return put_operator(m, "batch-norm", 5, in);
}

struct value
net_layer_norm(struct net *m, struct value x)
{
	struct value in[3] = {x};

	in[1] = net_weight_between(m, 1, &x.dim[x.rank - 1], 0.5, 1.5);
	in[2] = net_weight_between(m, 1, &x.dim[x.rank - 1], -0.5, 0.5);
	return put_operator(m, "layer-norm", 3, in);
}

struct value
net_softmax(struct net *m, struct value x)
{
	struct value v = open_operator(m, "softmax", 1, &x);

	close_operator(m);
	return v;
}
