/*
 * Random graphs of operators that move, compute in place, and add up, drawn line by line as graph text (draw_graph.h).
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "tests/oracle/draw_graph.h"

enum { EXTENT_MOST = 6, ELEMENTS_MOST = 2000, KINDS = 19 };

#define BOUND_MOST 1e6		/* sums of such numbers are exact */

static int
below(struct draw *d, int n)
{
	return (int)rng_below(&d->rng, (uint32_t)n);
}

static const char *
one_of(struct draw *d, const char *const list[], int n)
{
	return list[below(d, n)];
}

/* ---- text --------------------------------------------------------------------------------------------------------- */

static struct tn_graph *
parse(const struct draw *d, const char *end, struct tn_error *e)
{
	struct buf whole = {0};
	struct tn_graph *g;

	buf_printf(&whole, "%s%s)", d->text.at, end);
	g = tn_graph_parse(d->c, &tn_builtin, "g", whole.at, whole.n, e);
	buf_free(&whole);
	return g;
}

int64_t
draw_elements(const struct tn_shape *s)
{
	int64_t n = 1;
	int i;

	for (i = 0; i < s->rank; i++)
		n *= s->dim[i];
	return n;
}

/* a line that makes the next value; none where its operator does not take its operands, or it grows too large */
static void
line(struct draw *d, double most, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void
line(struct draw *d, double most, const char *fmt, ...)
{
	size_t before = d->text.n;
	struct drawn *v = &d->v[d->n];
	struct tn_graph *g;
	char end[40];
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&d->text, fmt, ap);
	va_end(ap);
	snprintf(end, sizeof end, "(output v%d \"o\")", d->n);
	g = most <= BOUND_MOST ? parse(d, end, NULL) : NULL;
	if (g) {
		v->shape = *tn_type_get(d->c, g->node[g->output[0].node].type);
		v->most = most;
	}
	if (g && v->shape.rank < TN_MAX_RANK - 1 && draw_elements(&v->shape) <= ELEMENTS_MOST) {
		d->n++;
	} else {
		d->text.n = before;
		d->text.at[before] = '\0';
	}
	tn_graph_free(g);
}

static void
put_shape(struct buf *b, const struct tn_shape *s)
{
	int i;

	buf_putc(b, '[');
	for (i = 0; i < s->rank; i++)
		buf_printf(b, "%s%d", i ? " " : "", (int)s->dim[i]);
	buf_putc(b, ']');
}

static void
put_numbers(struct draw *d, struct buf *b, int n, int from, int to)
{
	int i;

	buf_putc(b, '[');
	for (i = 0; i < n; i++)
		buf_printf(b, "%s%d", i ? " " : "", from + below(d, to - from + 1));
	buf_putc(b, ']');
}

/* ---- leaves ------------------------------------------------------------------------------------------------------- */

/* an input, a number or a constant of the shape; its number, or -1 */
static int
leaf(struct draw *d, const struct tn_shape *s)
{
	struct buf b = {0};
	int before = d->n, kind = below(d, 5);

	put_shape(&b, s);
	if (d->n == LINES_MOST || draw_elements(s) > ELEMENTS_MOST)
		kind = -1;
	if (kind == 0) {
		line(d, 2, "(let v%d (fill :value %d :shape %s))\n", d->n, below(d, 5) - 2, b.at);
	} else if (kind == 1 || kind == 2) {
		buf_puts(&b, " :data ");
		put_numbers(d, &b, (int)draw_elements(s), -1, 1);
		line(d, 1, "(weight v%d f32 %s)\n", d->n, b.at);
	} else if (kind > 0) {
		line(d, 2, "(input v%d f32 %s)\n", d->n, b.at);
	}
	buf_free(&b);
	return d->n > before ? before : -1;
}

static void
random_leaf(struct draw *d, int rank)
{
	struct tn_shape s = {.dtype = TN_F32, .rank = rank};
	int i;

	for (i = 0; i < rank; i++)
		s.dim[i] = below(d, 12) ? 1 + below(d, EXTENT_MOST) : 1;
	leaf(d, &s);
}

/* another one of v's shape, one that is there if it can be */
static int
like(struct draw *d, int v)
{
	int i, other;

	for (i = 0; i < 6; i++) {
		other = below(d, d->n);
		if (d->v[other].most > 0 && d->v[other].shape.rank == d->v[v].shape.rank &&
		    memcmp(d->v[other].shape.dim, d->v[v].shape.dim, (size_t)d->v[v].shape.rank * sizeof(tn_dim)) == 0)
			return other;
	}
	return leaf(d, &d->v[v].shape);
}

/* ---- operators ---------------------------------------------------------------------------------------------------- */

static void
unary(struct draw *d, int v)
{
	static const char *const ops[] = {"relu", "neg", "abs", "relu"}, *const rounding[] = {"sigmoid", "hard-swish", "tanh"};

	if (d->v[v].most > 0 && below(d, 5))
		line(d, d->v[v].most, "(let v%d (%s v%d))\n", d->n, one_of(d, ops, 4), v);
	else if (d->v[v].most > 0 && below(d, 2))
		line(d, 3, "(let v%d (clip v%d :min -3 :max 3))\n", d->n, v);
	else
		line(d, 0, "(let v%d (%s v%d))\n", d->n, one_of(d, rounding, 3), v);
}

static void
binary(struct draw *d, int v)
{
	static const char *const ops[] = {"add", "add", "sub", "max", "min"};
	int other = d->v[v].most > 0 ? like(d, v) : -1;

	if (other < 0 || d->n == LINES_MOST)
		return;
	if (below(d, 4) == 0)
		line(d, d->v[v].most * d->v[other].most, "(let v%d (mul v%d v%d))\n", d->n, v, other);
	else if (below(d, 2))
		line(d, d->v[v].most + d->v[other].most, "(let v%d (%s v%d v%d))\n", d->n, one_of(d, ops, 5), other, v);
	else
		line(d, d->v[v].most + d->v[other].most, "(let v%d (%s v%d v%d))\n", d->n, one_of(d, ops, 5), v, other);
}

static void
transpose(struct draw *d, int v)
{
	int perm[TN_MAX_RANK], i, k, t, rank = d->v[v].shape.rank;
	struct buf b = {0};

	for (i = 0; i < rank; i++)
		perm[i] = i;
	for (i = rank - 1; i > 0; i--) {
		k = below(d, 3) ? i - 1 : below(d, i + 1);
		t = perm[i], perm[i] = perm[k], perm[k] = t;
		if (below(d, 2))
			break;
	}
	buf_puts(&b, "[");
	for (i = 0; i < rank; i++)
		buf_printf(&b, " %d", perm[i]);
	line(d, d->v[v].most, "(let v%d (transpose v%d :perm %s]))\n", d->n, v, b.at);
	buf_free(&b);
}

/* two neighbours as one, or an axis of 1 more */
static void
reshape(struct draw *d, int v)
{
	struct tn_shape s = d->v[v].shape;
	struct buf b = {0};
	int i = s.rank > 1 ? below(d, s.rank - 1) : 0;

	if (s.rank > 1 && below(d, 2)) {
		s.dim[i] *= s.dim[i + 1];
		memmove(&s.dim[i + 1], &s.dim[i + 2], (size_t)(s.rank - i - 2) * sizeof s.dim[0]);
		s.rank--;
	} else {
		memmove(&s.dim[i + 1], &s.dim[i], (size_t)(s.rank - i) * sizeof s.dim[0]);
		s.dim[i] = s.rank && s.dim[i + 1] % 2 == 0 && below(d, 2) ? 2 : 1;
		if (s.dim[i] == 2)
			s.dim[i + 1] /= 2;
		s.rank++;
	}
	put_shape(&b, &s);
	line(d, d->v[v].most, "(let v%d (reshape v%d :shape %s))\n", d->n, v, b.at);
	buf_free(&b);
}

static void
slice(struct draw *d, int v, int axis)
{
	int extent = (int)d->v[v].shape.dim[axis], from = below(d, extent), to = from + 1 + below(d, extent - from);

	line(d, d->v[v].most, "(let v%d (slice v%d :axis %d :from %d :to %d :step %d))\n", d->n, v, axis, from, to, 1 + below(d, 2));
}

/* an axis more in front or behind, or repeats where an extent is 1 */
static void
expand(struct draw *d, int v)
{
	struct tn_shape s = d->v[v].shape;
	int i, at = below(d, s.rank + 1);
	struct buf b = {0};

	buf_puts(&b, ":axes [");
	for (i = 0; i < s.rank; i++)
		buf_printf(&b, " %d", i + (i >= at));
	buf_puts(&b, "] :shape ");
	memmove(&s.dim[at + 1], &s.dim[at], (size_t)(s.rank - at) * sizeof s.dim[0]);
	s.dim[at] = 1 + below(d, 3);
	s.rank++;
	for (i = 0; i < s.rank; i++)
		if (i != at && s.dim[i] == 1 && below(d, 2))
			s.dim[i] = 2 + below(d, 3);
	put_shape(&b, &s);
	line(d, d->v[v].most, "(let v%d (expand v%d %s))\n", d->n, v, b.at);
	buf_free(&b);
}

static void
upsample(struct draw *d, int v)
{
	struct buf b = {0};

	put_numbers(d, &b, d->v[v].shape.rank, 1, 2);
	line(d, d->v[v].most, "(let v%d (upsample v%d :scales %s))\n", d->n, v, b.at);
	buf_free(&b);
}

static void
pad(struct draw *d, int v)
{
	struct buf b = {0};

	buf_puts(&b, ":before ");
	put_numbers(d, &b, d->v[v].shape.rank, -1, 2);
	buf_puts(&b, " :after ");
	put_numbers(d, &b, d->v[v].shape.rank, -1, 2);
	line(d, d->v[v].most, "(let v%d (pad v%d %s))\n", d->n, v, b.at);
	buf_free(&b);
}

static void
concat(struct draw *d, int v, int axis)
{
	int a = d->v[v].most > 0 ? like(d, v) : v, b = below(d, 2) ? v : a;

	if (a < 0 || d->n == LINES_MOST)
		return;
	line(d, d->v[a].most > d->v[v].most ? d->v[a].most : d->v[v].most, "(let v%d (concat v%d v%d v%d :axis %d))\n", d->n, v, a, b, axis);
}

static void
reduce(struct draw *d, int v, int axis)
{
	static const char *const ops[] = {"reduce-max", "reduce-min"};
	int count = 1 + below(d, d->v[v].shape.rank - axis), i;
	double most = d->v[v].most;

	if (most <= 0) {
		line(d, 0, "(let v%d (softmax v%d :axis %d))\n", d->n, v, axis);
		return;
	}
	if (below(d, 2)) {
		line(d, most, "(let v%d (%s v%d :axis %d :count %d))\n", d->n, one_of(d, ops, 2), v, axis, count);
		return;
	}
	for (i = axis; i < axis + count; i++)
		most *= (double)d->v[v].shape.dim[i];
	line(d, most, "(let v%d (reduce-sum v%d :axis %d :count %d))\n", d->n, v, axis, count);
}

/* its sum with another one, or the relu of that, which a target may compute with it */
static void
residual(struct draw *d, int v)
{
	int other = below(d, 2) && d->n < LINES_MOST ? like(d, v) : -1;

	if (other < 0 || d->n == LINES_MOST)
		return;
	line(d, d->v[v].most + d->v[other].most, below(d, 2) ? "(let v%d (add v%d v%d))\n" : "(let v%d (relu (add v%d v%d)))\n", d->n,
	    below(d, 2) ? v : other, below(d, 8) ? other : v);
}

/* with another value, or a new one, transposed or not; both with the same leading axes, or the second a matrix */
static void
matmul(struct draw *d, int v)
{
	struct tn_shape s = d->v[v].shape;
	int batch = s.rank > 2 && below(d, 2) ? s.rank - 2 : 0, w, i;
	int64_t k = s.rank > 1 ? s.dim[s.rank - 1] : 0;
	bool is_transposed = below(d, 2);
	struct buf b = {0};

	if (k == 0 || d->v[v].most <= 0)
		return;
	s.rank = batch;
	s.dim[s.rank++] = k;
	s.dim[s.rank++] = 1 + below(d, EXTENT_MOST);
	if (is_transposed) {
		s.dim[batch] = s.dim[batch + 1];
		s.dim[batch + 1] = k;
	}
	w = leaf(d, &s);
	if (w < 0 || d->n == LINES_MOST)
		return;
	for (i = 0; i < s.rank; i++)
		buf_printf(&b, " %d", i < batch ? i : s.rank + batch - 1 - i);
	if (is_transposed)
		line(d, d->v[v].most * d->v[w].most * (double)k, "(let v%d (matmul v%d (transpose v%d :perm [%s]) :batch %d))\n", d->n, v, w, b.at, batch);
	else
		line(d, d->v[v].most * d->v[w].most * (double)k, "(let v%d (matmul v%d v%d :batch %d))\n", d->n, v, w, batch);
	buf_free(&b);
	residual(d, d->n - 1);
}

/* or a pool, where it is no whole number */
static void
conv(struct draw *d, int v)
{
	const struct tn_shape *x = &d->v[v].shape;
	int c = x->rank == 4 ? (int)x->dim[1] : 0, groups = c % 2 == 0 && below(d, 2) ? 2 : 1, w;
	struct tn_shape s = {.dtype = TN_F32, .rank = 4, .dim = {groups * (1 + below(d, 3)), c / groups, 1 + below(d, 3), 1 + below(d, 3)}};
	struct buf b = {0};

	if (c == 0)
		return;
	buf_puts(&b, ":strides ");
	put_numbers(d, &b, 2, 1, 2);
	buf_puts(&b, " :pads ");
	put_numbers(d, &b, 4, 0, 1);
	w = d->v[v].most > 0 && below(d, 3) ? leaf(d, &s) : -1;
	if (d->n < LINES_MOST && w < 0)
		line(d, d->v[v].most, "(let v%d (max-pool2d v%d :kernel [2 2] %s))\n", d->n, v, b.at);
	else if (d->n < LINES_MOST)
		line(d, d->v[v].most * d->v[w].most * (double)draw_elements(&s) / (double)s.dim[0], "(let v%d (conv2d v%d v%d :groups %d :act %s %s))\n",
		    d->n, v, w, groups, below(d, 3) ? "none" : "relu", b.at);
	buf_free(&b);
	if (w >= 0)
		residual(d, d->n - 1);
}

/* with a part of itself that is repeated: it must not be overwritten before it was read */
static void
with_part(struct draw *d, int v, int axis)
{
	const struct tn_shape *s = &d->v[v].shape;
	int from = below(d, (int)s->dim[axis]), i;
	struct buf b = {0};

	buf_printf(&b, "(expand (slice v%d :axis %d :from %d :to %d) :axes [", v, axis, from, from + 1);
	for (i = 0; i < s->rank; i++)
		buf_printf(&b, " %d", i);
	buf_puts(&b, "] :shape ");
	put_shape(&b, s);
	line(d, 2 * d->v[v].most, "(let v%d (sub v%d %s)))\n", d->n, v, b.at);
	buf_free(&b);
}

/* two parts that lie alike but begin elsewhere, as they are copied out to be seen under another shape */
static void
two_parts(struct draw *d, int v, int axis)
{
	struct tn_shape s = d->v[v].shape;
	struct buf b = {0};
	int half = (int)s.dim[axis] / 2, i;

	if (half == 0)
		return;
	s.dim[axis] = half;
	s.dim[0] = draw_elements(&s);
	s.rank = 1;
	for (i = 0; i < 2; i++) {
		buf_printf(&b, " (reshape (slice v%d :axis %d :from %d :to %d) :shape ", v, axis, i * half, (i + 1) * half);
		put_shape(&b, &s);
		buf_puts(&b, ")");
	}
	line(d, 2 * d->v[v].most, "(let v%d (%s%s))\n", d->n, d->v[v].most > 0 ? "sub" : "concat :axis 0", b.at);
	buf_free(&b);
}

static void
draw_line(struct draw *d)
{
	int v = below(d, 3) ? d->n - 1 - below(d, d->n < 3 ? d->n : 3) : below(d, d->n), rank = d->v[v].shape.rank;
	int axis = rank ? below(d, rank) : -1;

	if (draw_elements(&d->v[v].shape) == 0)
		return;
	switch (below(d, KINDS)) {
	case 0: random_leaf(d, below(d, 5)); break;
	case 1: transpose(d, v); break;
	case 2: reshape(d, v); break;
	case 3: case 4: if (rank) slice(d, v, axis); break;
	case 5: expand(d, v); break;
	case 6: pad(d, v); break;
	case 7: if (rank) concat(d, v, axis); break;
	case 8: if (rank) reduce(d, v, axis); break;
	case 9: matmul(d, v); break;
	case 10: case 11: conv(d, v); break;
	case 12: unary(d, v); break;
	case 13: if (rank && d->v[v].most > 0) with_part(d, v, axis); break;
	case 14: if (rank) two_parts(d, v, axis); break;
	case 15: upsample(d, v); break;
	default: binary(d, v); break;
	}
}

/* outputs: the last value, and now and then another one, which steps may read too */
struct tn_graph *
draw_graph(struct draw *d)
{
	struct buf end = {0};
	struct tn_graph *g;
	struct tn_error e = {0};
	int i, lines = 4 + below(d, LINES_MOST - 4);

	buf_puts(&d->text, "(graph g\n");
	line(d, 2, "(input v0 f32 [%d %d %d %d])\n", 1 + below(d, 2), 2 * (1 + below(d, 4)), 2 + below(d, EXTENT_MOST), 2 + below(d, EXTENT_MOST));
	random_leaf(d, 2);
	for (i = 0; i < 4 * lines && d->n < lines; i++)
		draw_line(d);
	for (i = 0; i < d->n; i++)
		if (i == d->n - 1 || below(d, 4) == 0)
			buf_printf(&end, "(output v%d \"o%d\")", i, i);
	g = parse(d, end.at, &e);
	if (!g)
		printf("%s\n", e.msg);
	buf_free(&end);
	return g;
}
