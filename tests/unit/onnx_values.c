/*
 * What ONNX's operators are lowered to computes what ONNX says they do, and what is written of it does so too: random uses of
 * every operator of the mapping table, executed, beside loops written by hand (tests/oracle/hand.h).  So are integers that are
 * evaluated as they are read, and the types of what stays opaque.  An operator of the table without such loops, or of whose uses
 * too few are known, fails the test.
 */
#include <math.h>

#include "onnx/apart.h"
#include "onnx/lower.h"
#include "onnx/raise.h"
#include "ref/execute.h"
#include "tests/oracle/hand.h"
#include "tests/unit/onnx_build.h"

enum { TRIALS = 30, ENOUGH = 4, MISTAKES = 5 };

static struct hand h;
static char model_path[300], again_path[300];

/* ---- the model of a use ----------------------------------------------------------------------- */

/* "in x0 f32 2 3; " or with the elements as a weight */
static void
put_operand(struct buf *b, int i, bool is_weight)
{
	const struct nd *a = &h.in[i];
	int64_t k;
	int axis;

	buf_printf(b, "%s x%d %s", !is_weight ? "in" : a->rank ? "w" : "i", i, dtype_name(h.type[i]));
	for (axis = 0; axis < a->rank; axis++)
		buf_printf(b, " %lld", (long long)a->dim[axis]);
	if (is_weight)
		buf_puts(b, " =");
	for (k = 0; is_weight && k < hand_count(a); k++)
		buf_printf(b, " %.17g", a->v[k]);
	buf_puts(b, "; ");
}

/* Weights for operands now and then, for the first one seldom: they are turned and reshaped themselves, and integers known. */
static void
put_model(struct buf *b)
{
	int i;

	buf_printf(b, "opset %d; ", h.opset);
	for (i = 0; i < h.nin; i++)
		put_operand(b, i, (i || hand_is_int(&h) || hand_between(&h, 0, 3) == 0) && hand_coin(&h));
	if (h.given.n)
		buf_puts(b, h.given.at);
	buf_printf(b, "%s%s ->%s%s", h.onnx, h.operands.n ? h.operands.at : "", h.results.at, h.attrs.n ? h.attrs.at : "");
	for (i = 0; i < h.nout; i++)
		buf_printf(b, "; out y%d", i);
}

/* ---- its values ------------------------------------------------------------------------------- */

static bool
is_opaque(const struct tn_graph *g)
{
	uint32_t i;

	for (i = 0; i < g->nnode && g->node[i].op != TN_OPAQUE; i++)
		;
	return i < g->nnode;
}

static bool
has_shape(const struct nd *want, enum tn_dtype dtype, int rank, const int64_t dim[], enum tn_dtype found)
{
	return rank == want->rank && found == dtype && memcmp(dim, want->dim, (size_t)rank * sizeof *dim) == 0;
}

/* What is inferred of a result, if anything is, is its shape. */
static const char *
types_fit(const struct tn_graph *g)
{
	const struct tn_shape *s;
	uint32_t i;

	for (i = 0; i < g->noutput; i++) {
		s = tn_type_get(ctx, g->node[g->output[i].node].type);
		if (s->rank >= 0 && !has_shape(&h.out[i], i ? h.dtype : h.result, s->rank, s->dim, s->dtype))
			return "another shape is inferred";
	}
	return NULL;
}

/* the graph's values beside those wanted, as far as numbers go, which a graph has in f32; NULL, or what is wrong */
static const char *
values_fit(const struct tn_graph *g)
{
	static struct tn_error e;
	struct tn_array arg[HAND_IN], *got;
	const char *what = NULL;
	uint32_t i;
	int64_t k;

	for (i = 0; i < g->ninput; i++) {
		struct nd *a = &h.in[atoi(g->input[i].name + 1)];

		arg[i] = (struct tn_array){.dtype = h.type[a - h.in], .rank = a->rank, .v = a->v};
		memcpy(arg[i].dim, a->dim, sizeof arg[i].dim);
	}
	got = tn_execute(g, &(struct tn_exec){.input = arg}, &e);
	if (!got)
		return e.msg;
	for (i = 0; !what && i < g->noutput; i++) {
		if (!has_shape(&h.out[i], i ? h.dtype : h.result, got[i].rank, got[i].dim, got[i].dtype))
			what = "another shape is computed";
		for (k = 0; !what && k < hand_count(&h.out[i]); k++)
			if (!(fabs(got[i].v[k] - h.out[i].v[k]) <= 1e-7 * (1 + fabs(h.out[i].v[k]))))
				what = "another value is computed";
	}
	tn_arrays_free(got, g->noutput);
	return what;
}

/* The graph has the values wanted, or is opaque if that may be; NULL, or what is wrong. */
static const char *
graph_fits(const struct tn_graph *g, bool may_stay)
{
	if (!is_opaque(g))
		return values_fit(g);
	return may_stay ? types_fit(g) : "it stays opaque";
}

static const char *
file_fits(const char *path, bool may_stay)
{
	static struct tn_error e;
	struct tn_onnx *x = tn_onnx_open(ctx, &program, path, NULL, &e);
	const char *what = x ? graph_fits(tn_onnx_graph(x), may_stay) : e.msg;

	tn_onnx_close(x);
	return what;
}

/* Has the opset words for all that the graph has?  An operator may be read as one that came later. */
static bool
has_words(const struct tn_graph *g, int64_t opset)
{
	const struct raise_row *row;
	uint32_t i;

	for (i = 0; i < g->nnode; i++) {
		row = g->node[i].op < TN_CORE ? NULL : raise_row(&program.op[g->node[i].op]);
		if (row && row->opset > opset)
			return false;
	}
	return true;
}

/* ---- the check -------------------------------------------------------------------------------- */

/* What is known of a use: nothing, its first result's type, or its values. */
enum known { NOTHING, TYPED, COMPUTED };

static enum known
known_of(const struct tn_graph *g)
{
	if (!is_opaque(g))
		return COMPUTED;
	return tn_type_get(ctx, g->node[g->output[0].node].type)->rank >= 0 ? TYPED : NOTHING;
}

/* read, raised anew, and as a model of its own; NULL, or what is wrong, after *step */
static const char *
check(const char **step, enum known *known)
{
	static struct tn_error e;
	struct tn_onnx *x = tn_onnx_open(ctx, &program, model_path, NULL, &e);
	const struct tn_graph *g = x ? tn_onnx_graph(x) : NULL;
	const char *what = x ? graph_fits(g, h.may_stay) : e.msg;

	*step = "read";
	*known = what ? NOTHING : known_of(g);
	if (!what) {
		*step = "raised anew";
		if (onnx_write_anew(x, g, again_path, &e))
			what = file_fits(again_path, *known != COMPUTED);
		else if (has_words(g, x->opset))
			what = e.msg;
	}
	if (!what && *known == COMPUTED) {
		*step = "exported";
		what = tn_onnx_export(g, again_path, &e) ? file_fits(again_path, false) : e.msg;
	}
	tn_onnx_close(x);
	return what;
}

/* one that the kind of operand admits */
static enum tn_dtype
draw_dtype(enum hand_type type)
{
	static const enum tn_dtype dtype[] = {TN_F32, TN_F32, TN_F64, TN_I64, TN_I32};
	static const struct {
		int first, last;
	} of[] = {[HAND_REAL] = {0, 2}, [HAND_F32] = {0, 0}, [HAND_ANY] = {0, 4}, [HAND_INT] = {3, 4}};

	return dtype[hand_between(&h, of[type].first, of[type].last)];
}

/* one random use of the operator */
static enum known
use(const struct hand_row *row)
{
	const struct lower_row *mapped = map_row((struct span){(const unsigned char *)row->onnx, strlen(row->onnx)});
	struct buf text = {0}, model = {0};
	const char *step = "", *what;
	enum known known;

	h = (struct hand){.onnx = row->onnx, .rng = {rng_next(&h.rng)}};
	h.opset = (int)hand_between(&h, mapped ? mapped->since : row->since, mapped && mapped->until ? mapped->until : HAND_OPSET);
	h.dtype = h.result = draw_dtype(row->type);
	row->use(&h);
	put_model(&text);
	build_model(text.at, &model);
	write_file(model_path, model.at, model.n);
	what = check(&step, &known);
	if (what) {
		printf("%s\n  %s: %s\n", text.at, step, what);
		failures++;
	}
	buf_free(&text), buf_free(&model);
	buf_free(&h.operands), buf_free(&h.attrs), buf_free(&h.results), buf_free(&h.given);
	return known;
}

/* an operator of the table by its loops: `least` has to be known of a few uses */
static void
try_operator(const char *onnx, enum known least)
{
	static const struct hand_row *const table[] = {hand_element, hand_linear, hand_window, hand_opaque, hand_reduce, hand_resize,
	    hand_shape};
	const struct hand_row *row = NULL;
	int i, k, enough = 0;

	for (i = 0; i < (int)(sizeof table / sizeof *table) && !row; i++) {
		for (row = table[i]; row->onnx && strcmp(row->onnx, onnx) != 0; row++)
			;
		row = row->onnx ? row : NULL;
	}
	if (!row) {
		printf("%s: no loops say what it does (tests/oracle/hand.h)\n", onnx);
		failures++;
		return;
	}
	for (k = 0; k < TRIALS && failures < MISTAKES; k++)
		enough += use(row) >= least;
	if (enough < ENOUGH && failures < MISTAKES) {
		printf("%s: of %d uses only %d are %s\n", onnx, TRIALS, enough, least == TYPED ? "typed" : "computed");
		failures++;
	}
}

int
main(void)
{
	static const struct {
		const char *onnx;
		enum known least;
	} mapped[] = {
#define LOWER(onnx, operands, attributes, since, until, lower, tenon) {#onnx, COMPUTED},
#include "onnx/map.def"
#define EVAL(onnx, eval, pair) {#onnx, COMPUTED},
#include "onnx/map.def"
#define TYPE(onnx, type) {#onnx, TYPED},
#include "onnx/map.def"
	};
	size_t i, k;

	snprintf(model_path, sizeof model_path, "%s", scratch("values.onnx"));
	snprintf(again_path, sizeof again_path, "%s", scratch("again.onnx"));
	load_program();
	for (i = 0; i < sizeof mapped / sizeof *mapped; i++) {
		for (k = 0; strcmp(mapped[k].onnx, mapped[i].onnx) != 0; k++)
			;
		if (k == i)
			try_operator(mapped[i].onnx, mapped[i].least);
	}
	unload_program();
	unlink(model_path);
	unlink(again_path);
	return failures != 0;
}
