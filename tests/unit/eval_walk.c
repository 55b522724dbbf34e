/* What operators compute, held to loops written by hand: the tree walker and the compiled defs both. */
#include <math.h>

#include "base/rand.h"
#include "ref/execute.h"
#include "tests/oracle/use.h"
#include "tests/unit/graphs.h"

/* element of a row-major tensor; 0 outside */
static double
at(const struct tn_array *a, const int64_t i[])
{
	int64_t place = 0;
	int k;

	for (k = 0; k < a->rank; k++) {
		if (i[k] < 0 || i[k] >= a->dim[k])
			return 0;
		place = place * a->dim[k] + i[k];
	}
	return a->v[place];
}
#define AT(a, ...) at(a, (const int64_t[]){__VA_ARGS__})

/* ---- one use: a graph of inputs and one operator --------------------------------------------------------- */

struct use {
	struct tn_graph *g;
	struct tn_array in[4];
	struct tn_array out;		/* as walked */
	double *compiled;
};

static struct tn_array
random_array(tn_type type, struct rng *r)
{
	struct tn_array a = use_array(c, type);
	int64_t i;

	for (i = 0; i < array_count(&a); i++)
		a.v[i] = rng_normal(r);
	return a;
}

/* random inputs, and what the walker and the compiled def make of them */
static struct use
run(const char *forms)
{
	struct use u = {.g = graph(forms)};
	const struct tn_gnode *n = &u.g->node[u.g->nnode - 1];
	struct tn_array in[40];
	struct tn_eval ev = {.ctx = c, .op = &tn_builtin.op[n->op], .attrs = n->attrs, .nin = n->nkid, .in = in, .out = &u.out};
	struct rng r = {7};
	uint32_t i;
	int64_t k;

	for (i = 0; i < u.g->ninput; i++)
		u.in[i] = random_array(u.g->input[i].type, &r);
	u.out = use_array(c, n->type);
	for (i = 0; i < n->nkid; i++) {
		const struct tn_gnode *kid = &u.g->node[u.g->kid[n->kid + i]];
		const struct tn_value *first = tn_val_get(c, tn_attrs_get(c, kid->attrs, NULL)[0]);

		if (kid->op == TN_INPUT) {
			in[i] = u.in[first->u.i];
			continue;
		}
		in[i] = use_array(c, kid->type);
		for (k = 0; k < array_count(&in[i]); k++)
			in[i].v[k] = first->u.f;
	}
	ev.to = array_count(&u.out);
	tn_eval_walk(&ev);
	u.compiled = calloc((size_t)ev.to + 1, sizeof *u.compiled);
	ev.out = &(struct tn_array){u.out.dtype, u.out.rank, {0}, u.compiled};
	memcpy(ev.out->dim, u.out.dim, sizeof u.out.dim);
	tn_eval_run(&ev);
	for (i = 0; i < n->nkid; i++)
		if (u.g->node[u.g->kid[n->kid + i]].op != TN_INPUT)
			free(in[i].v);
	return u;
}

/* elements checked so far of this use, in row-major order */
static int64_t done;

static void
want(const struct use *u, double x, const char *what)
{
	double a = u->out.v[done], b = u->compiled[done], slack = 1e-12 * (1 + fabs(x));

	if (!(fabs(a - x) <= slack && fabs(b - x) <= slack)) {
		printf("%s: element %lld is %.17g walked, %.17g compiled, %.17g by hand\n", what, (long long)done, a, b, x);
		failures++;
	}
	done++;
}

static void
end(struct use *u, const char *what)
{
	uint32_t i;

	if (done != array_count(&u->out) || done == 0) {
		printf("%s: %lld elements by hand, %lld in the result\n", what, (long long)done, (long long)array_count(&u->out));
		failures++;
	}
	for (i = 0; i < u->g->ninput; i++)
		free(u->in[i].v);
	free(u->out.v);
	free(u->compiled);
	tn_graph_free(u->g);
	done = 0;
}

/* all indices of the result, innermost last */
#define FOR(i, n) for (int64_t i = 0; i < (n); i++)

/* ---- linear ------------------------------------------------------------------------------------------------ */

static void
conv2d(void)
{
	enum { N = 2, C = 4, H = 7, W = 6, F = 6, G = 2, R = 3, S = 2, SH = 2, SW = 1, DH = 1, DW = 2, PT = 1, PL = 2, PB = 0, PR = 1 };
	enum { P = 1 + (H + PT + PB - (1 + DH * (R - 1))) / SH, Q = 1 + (W + PL + PR - (1 + DW * (S - 1))) / SW };
	struct use u = run("(input x f32 [2 4 7 6]) (input k f32 [6 2 3 2]) (input b f32 [6]) (output (conv2d x k b :groups 2"
	    " :strides [2 1] :dilations [1 2] :pads [1 2 0 1] :act relu) y)");

	FOR(n, N) FOR(f, F) FOR(p, P) FOR(q, Q) {
		double sum = u.in[2].v[f];

		FOR(g, C / G) FOR(r, R) FOR(s, S)
			sum += AT(&u.in[0], n, f / (F / G) * (C / G) + g, p * SH + r * DH - PT, q * SW + s * DW - PL) * AT(&u.in[1], f, g, r, s);
		want(&u, sum > 0 ? sum : 0, "conv2d");
	}
	end(&u, "conv2d");
}

static void
depthwise(void)
{
	struct use u = run("(input x f32 [1 3 4 4]) (input k f32 [3 1 3 3]) (output (conv2d x k :groups 3 :pads [1 1 1 1]) y)");

	FOR(f, 3) FOR(p, 4) FOR(q, 4) {
		double sum = 0;

		FOR(r, 3) FOR(s, 3)
			sum += AT(&u.in[0], 0, f, p + r - 1, q + s - 1) * AT(&u.in[1], f, 0, r, s);
		want(&u, sum, "depthwise conv2d");
	}
	end(&u, "depthwise conv2d");
}

/* by scattering, as it is mostly defined, where the def gathers */
static void
conv_transpose(void)
{
	enum { N = 2, F = 3, H = 3, W = 4, C = 2, R = 3, S = 2, SH = 2, SW = 3, PT = 1, PL = 0, P = 5 + 1, Q = 10 };
	static double out[N][C][P][Q];
	struct use u = run("(input x f32 [2 3 3 4]) (input k f32 [3 2 3 2]) (input b f32 [2])"
	    " (output (conv-transpose2d x k b :strides [2 3] :pads [1 0 1 1] :extra [1 0]) y)");

	FOR(n, N) FOR(c_, C) FOR(p, P) FOR(q, Q)
		out[n][c_][p][q] = u.in[2].v[c_];
	FOR(n, N) FOR(f, F) FOR(h, H) FOR(w, W) FOR(c_, C) FOR(r, R) FOR(s, S) {
		int64_t p = h * SH + r - PT, q = w * SW + s - PL;

		if (p >= 0 && p < P && q >= 0 && q < Q)
			out[n][c_][p][q] += AT(&u.in[0], n, f, h, w) * AT(&u.in[1], f, c_, r, s);
	}
	FOR(n, N) FOR(c_, C) FOR(p, P) FOR(q, Q)
		want(&u, out[n][c_][p][q], "conv-transpose2d");
	end(&u, "conv-transpose2d");
}

static void
matmul(void)
{
	struct use u = run("(input a f32 [2 3 4 5]) (input w f32 [2 3 5 2]) (input b f32 [2]) (output (matmul a w b :batch 2 :act tanh) y)");

	FOR(i, 2) FOR(j, 3) FOR(m, 4) FOR(n, 2) {
		double sum = u.in[2].v[n];

		FOR(k, 5)
			sum += AT(&u.in[0], i, j, m, k) * AT(&u.in[1], i, j, k, n);
		want(&u, tanh(sum), "matmul");
	}
	end(&u, "matmul");
	u = run("(input a f32 [2 3 5]) (input w f32 [5 4]) (output (matmul a w) y)");
	FOR(i, 2) FOR(m, 3) FOR(n, 4) {
		double sum = 0;

		FOR(k, 5)
			sum += AT(&u.in[0], i, m, k) * AT(&u.in[1], k, n);
		want(&u, sum, "matmul without batch");
	}
	end(&u, "matmul without batch");
}

/* A grouped convolution's kernel merged: the convolution stays what it was. */
static void
group_merge(void)
{
	enum { F = 8, G = 2, GROUPS = 4, BY = 2 };
	struct use u = run("(input k f32 [8 2 2 1]) (output (group-merge k :groups 4 :by 2) y)");

	FOR(f, F) FOR(h, G * BY) FOR(r, 2) FOR(s, 1) {
		int64_t group = f / (F / GROUPS), first = group % BY * G;

		want(&u, h >= first && h < first + G ? AT(&u.in[0], f, h - first, r, s) : 0, "group-merge");
	}
	end(&u, "group-merge");
}

/* ---- windows and reductions --------------------------------------------------------------------------------- */

static void
pool(const char *forms, bool is_max, bool count_pads)
{
	enum { C = 2, H = 6, W = 5, KH = 3, KW = 2, SH = 2, SW = 2, PT = 1, PL = 1, P = 3, Q = 3 };
	struct use u = run(forms);

	FOR(k, C) FOR(p, P) FOR(q, Q) {
		double most = -INFINITY, sum = 0;
		int n = 0;

		FOR(r, KH) FOR(s, KW) {
			int64_t h = p * SH + r - PT, w = q * SW + s - PL;

			if (h < 0 || h >= H || w < 0 || w >= W)
				continue;
			most = fmax(most, AT(&u.in[0], 0, k, h, w));
			sum += AT(&u.in[0], 0, k, h, w);
			n++;
		}
		want(&u, is_max ? most : sum / (count_pads ? KH * KW : n), forms);
	}
	end(&u, forms);
}

static void
reductions(void)
{
	static const char *const op[] = {"reduce-sum", "reduce-mean", "reduce-max", "reduce-min"};
	char forms[200];
	int which;

	for (which = 0; which < 4; which++) {
		struct use u;

		snprintf(forms, sizeof forms, "(input x f32 [2 3 4 2]) (output (%s x :axis 1 :count 2) y)", op[which]);
		u = run(forms);
		FOR(i, 2) FOR(j, 2) {
			double sum = 0, most = -INFINITY, least = INFINITY;

			FOR(k, 3) FOR(l, 4) {
				double x = AT(&u.in[0], i, k, l, j);

				sum += x;
				most = fmax(most, x);
				least = fmin(least, x);
			}
			want(&u, which == 0 ? sum : which == 1 ? sum / 12 : which == 2 ? most : least, op[which]);
		}
		end(&u, op[which]);
	}
}

static void
norms(void)
{
	struct use u = run("(input x f32 [2 3 4]) (output (softmax x :axis 1) y)");

	FOR(i, 2) FOR(d, 3) FOR(z, 4) {
		double sum = 0;

		FOR(e, 3)
			sum += exp(AT(&u.in[0], i, e, z));
		want(&u, exp(AT(&u.in[0], i, d, z)) / sum, "softmax");
	}
	end(&u, "softmax");
	u = run("(input x f32 [2 3 4]) (input s f32 [4]) (input b f32 [4]) (output (layer-norm x s b :eps 0.25) y)");
	FOR(i, 2) FOR(j, 3) FOR(d, 4) {
		double mean = 0, var = 0;

		FOR(e, 4)
			mean += AT(&u.in[0], i, j, e) / 4;
		FOR(e, 4)
			var += (AT(&u.in[0], i, j, e) - mean) * (AT(&u.in[0], i, j, e) - mean) / 4;
		want(&u, u.in[2].v[d] + u.in[1].v[d] * (AT(&u.in[0], i, j, d) - mean) / sqrt(var + 0.25), "layer-norm");
	}
	end(&u, "layer-norm");
	u = run("(input x f32 [2 3 2]) (input s f32 [3]) (input m f32 [3]) (output (batch-norm x s 0.5 m 2 :eps 0.25) y)");
	FOR(n, 2) FOR(k, 3) FOR(i, 2)
		want(&u, 0.5 + u.in[1].v[k] * (AT(&u.in[0], n, k, i) - u.in[2].v[k]) / 1.5, "batch-norm");
	end(&u, "batch-norm");
}

/* ---- geometry ------------------------------------------------------------------------------------------------ */

static void
geometry(void)
{
	struct use u = run("(input a f32 [2 1 3]) (input b f32 [2 3 3]) (input d f32 [2 2 3]) (output (concat a b d :axis 1) y)");

	FOR(i, 2) FOR(e, 6) FOR(j, 3)
		want(&u, e < 1 ? AT(&u.in[0], i, e, j) : e < 4 ? AT(&u.in[1], i, e - 1, j) : AT(&u.in[2], i, e - 4, j), "concat");
	end(&u, "concat");
	u = run("(input x f32 [2 9 2]) (output (slice x :axis 1 :from 1 :to 8 :step 3) y)");
	FOR(i, 2) FOR(e, 3) FOR(j, 2)
		want(&u, AT(&u.in[0], i, 1 + 3 * e, j), "slice");
	end(&u, "slice");
	u = run("(input x f32 [2 3 4]) (output (pad x :before [1 -1 0] :after [0 2 -2]) y)");
	FOR(i, 3) FOR(j, 4) FOR(k, 2)
		want(&u, AT(&u.in[0], i - 1, j + 1, k), "pad");
	end(&u, "pad");
	u = run("(input x f32 [2 3 4]) (output (transpose x :perm [2 0 1]) y)");
	FOR(i, 4) FOR(j, 2) FOR(k, 3)
		want(&u, AT(&u.in[0], j, k, i), "transpose");
	end(&u, "transpose");
	u = run("(input x f32 [2 6]) (output (reshape x :shape [3 1 4]) y)");
	FOR(i, 12)
		want(&u, u.in[0].v[i], "reshape");
	end(&u, "reshape");
	u = run("(input x f32 [3 1]) (output (expand x :axes [1 3] :shape [2 3 2 4]) y)");
	FOR(i, 2) FOR(j, 3) FOR(k, 2) FOR(l, 4)
		want(&u, u.in[0].v[j + 0 * (i + k + l)], "expand");
	end(&u, "expand");
}

int
main(void)
{
#define POOL "pool2d x :kernel [3 2] :strides [2 2] :pads [1 1 0 1]"
	c = tn_ctx_new();
	conv2d();
	depthwise();
	conv_transpose();
	matmul();
	group_merge();
	pool("(input x f32 [1 2 6 5]) (output (max-" POOL ") y)", true, false);
	pool("(input x f32 [1 2 6 5]) (output (avg-" POOL ") y)", false, false);
	pool("(input x f32 [1 2 6 5]) (output (avg-" POOL " :count-pads true) y)", false, true);
	reductions();
	norms();
	geometry();
	tn_ctx_free(c);
	return failures != 0;
}
