/*
 * Floating-point operations and bytes of an operator at given sizes, counted from its def.
 *
 * A subexpression counts once for all indices that it does not depend on, as a compiled def computes
 * it in the outermost loop it depends on.  Padding counts as if it were read; terms that an exact
 * division rules out do not.  Without a def there are bytes only.
 */
#include <math.h>

#include "base/mem.h"
#include "cost/cost.h"
#include "tensor/at.h"
#include "tensor/element.h"
#include "tensor/infer.h"

enum { LOOPS = 64 };

/* One operator at sizes.  Loops are bits of a mask. */
struct work {
	struct walk w;
	double extent[LOOPS];		/* values that a loop takes */
	double fewer[LOOPS];		/* times fewer terms than that are there */
	int nloop;
	uint64_t *loops;		/* by variable: those that its value depends on */
	double *reads;			/* by declared operand: elements read of it */
	double flops;
};

/* how many different indices the loops have */
static double
times(const struct work *k, uint64_t loops)
{
	double product = 1;
	int i;

	for (i = 0; i < k->nloop; i++)
		if (loops >> i & 1)
			product *= k->extent[i];
	return product;
}

/* at how many of them something is computed */
static double
terms(const struct work *k, uint64_t loops)
{
	double n = times(k, loops);
	int i;

	for (i = 0; i < k->nloop; i++)
		if (loops >> i & 1)
			n /= k->fewer[i];
	return n;
}

/* a loop for the variable; where there are too many, their extents go to the last */
static uint64_t
open_loop(struct work *k, int var, double extent)
{
	if (k->nloop == LOOPS)
		k->extent[LOOPS - 1] *= extent;
	else {
		k->fewer[k->nloop] = 1;
		k->extent[k->nloop++] = extent;
	}
	return k->loops[var] = UINT64_C(1) << (k->nloop - 1);
}

/* elements under an extent or the extents of a sequence; 1 where that is not known */
static double
product(struct tn_v v)
{
	double n = 1;
	uint32_t i;

	if (v.kind == TN_VV_INT)
		return (double)v.u.i;
	for (i = 0; v.kind == TN_VV_LIST && i < v.n; i++)
		n *= (double)v.u.list[i];
	return n;
}

/* how many times fewer terms there are for the exact divisions in the indices of reads */
static double
sparsity(struct work *k, const struct tn_x *x)
{
	double n = 1;
	struct tn_v d;
	int i;

	if (x->kind == TN_X_REDUCE)
		return 1;
	if (x->kind == TN_X_CALL && x->fn == TN_F_EXACTDIV) {
		d = walk_eval(&k->w, x->kid[1]);
		if (d.kind == TN_VV_INT && d.u.i > 1)
			n = (double)d.u.i;
	}
	for (i = 0; i < x->nkid; i++)
		if (x->kid[i])
			n *= sparsity(k, x->kid[i]);
	return n;
}

static uint64_t count(struct work *, const struct tn_x *);

static uint64_t
count_kids(struct work *k, const struct tn_x *x)
{
	uint64_t loops = 0;
	int i;

	for (i = 0; i < x->nkid; i++)
		if (x->kid[i])
			loops |= count(k, x->kid[i]);
	return loops;
}

static uint64_t
count_reduce(struct work *k, const struct tn_x *x)
{
	uint64_t own = 0, inside, outside = 0;
	int i;

	for (i = 0; i < x->niter; i++) {
		const struct tn_x *extent = x->kid[1 + i];

		outside |= extent ? count(k, extent) : 0;
		own |= open_loop(k, x->iter[i], product(extent ? walk_eval(&k->w, extent) : k->w.var[x->iter[i]]));
	}
	k->fewer[k->nloop - 1] *= x->niter ? sparsity(k, x->kid[0]) : 1;
	inside = count(k, x->kid[0]);
	k->flops += terms(k, inside | own);
	return (inside & ~own) | outside;
}

static bool
is_arithmetic(const struct tn_x *x)
{
	return x->kind == TN_X_CALL && x->sort == TN_S_REAL && x->fn != TN_F_IF;
}

/* Count the expression; the loops that its value depends on. */
static uint64_t
count(struct work *k, const struct tn_x *x)
{
	struct tn_v v;
	uint64_t loops;

	switch (x->kind) {
	case TN_X_VAR:
		return k->loops[x->var];
	case TN_X_LET:
		k->loops[x->var] = count(k, x->kid[0]);
		return count(k, x->kid[1]);
	case TN_X_SWITCH:
		v = k->w.var[x->var];
		return v.kind == TN_VV_ENUM && v.u.i >= 0 && v.u.i < x->nkid ? count(k, x->kid[v.u.i]) : 0;
	case TN_X_REDUCE:
		return count_reduce(k, x);
	case TN_X_READ:
		loops = count_kids(k, x);
		k->reads[x->var] += times(k, loops);
		return loops;
	default:
		loops = count_kids(k, x);
		if (is_arithmetic(x))
			k->flops += terms(k, loops) * (x->nkid > 2 ? x->nkid - 1 : 1);
		return loops;
	}
}

/* ---- bytes --------------------------------------------------------------------------------------------- */

static double
elements(const struct tn_shape *t)
{
	double n = 1;
	int i;

	for (i = 0; i < t->rank; i++)
		n *= (double)t->dim[i];
	return n;
}

/* The result is written; of each operand what is read of what is stored comes in once.  Numbers are nowhere. */
static double
count_bytes(const struct work *k, const tn_type stored[], int nin, tn_type out)
{
	struct tn_ctx *c = k->w.s->ctx;
	const struct tn_shape *t = tn_type_get(c, out);
	double bytes = elements(t) * (double)dtype_size(t->dtype), n;
	const struct tn_op *op = k->w.op;
	int i;

	for (i = 0; i < nin; i++) {
		if (stored[i] == TN_NONE)
			continue;
		t = tn_type_get(c, stored[i]);
		n = elements(t);
		if (op->def && i < op->nin && !op->in[i].is_variadic)
			n = fmin(n, k->reads[i]);
		bytes += n * (double)dtype_size(t->dtype);
	}
	return bytes;
}

/* ---- operators ------------------------------------------------------------------------------------------- */

/* The type at sizes, TN_NONE staying so; false: not known there. */
static bool
one_at(struct tn_ctx *c, tn_type type, const int64_t sizes[], tn_type *out)
{
	*out = type == TN_NONE ? TN_NONE : at_type(c, type, sizes);
	return *out != TN_NONE || type == TN_NONE;
}

static bool
bind(struct work *k, struct tn_infer *s)
{
	int i, var;

	if (s->attrs == TN_NONE || !walk_start(&k->w, s) || !walk_bind(&k->w))
		return false;
	for (i = 0; i < s->op->nlet; i++)
		k->w.var[s->op->let[i].var] = walk_eval(&k->w, s->op->let[i].x);
	for (i = 0; i < s->op->nout; i++) {
		var = s->op->out[i];
		open_loop(k, var, product(k->w.var[var]));
	}
	return true;
}

bool
op_work(struct tn_ctx *c, const struct tn_op *op, tn_attrs attrs, const struct tn_source in[], int nin, tn_type out,
    const int64_t sizes[], double *flops, double *bytes)
{
	struct work k = {.flops = 0};
	tn_type *type = mem_alloc(((size_t)nin + 1) * 2 * sizeof *type), *stored = type + nin + 1;
	struct tn_infer s = {.ctx = c, .op = op, .attrs = at_attrs(c, attrs, sizes), .nin = nin, .in = type};
	bool ok = one_at(c, out, sizes, &out) && out != TN_NONE;
	int i;

	for (i = 0; i < nin; i++)
		ok = ok && one_at(c, in[i].type, sizes, &type[i]) && one_at(c, in[i].stored, sizes, &stored[i]);
	k.loops = mem_alloc(((size_t)op->nvar + 1) * sizeof *k.loops);
	k.reads = mem_alloc(((size_t)op->nin + 1) * sizeof *k.reads);
	ok = ok && bind(&k, &s);
	if (ok) {
		if (op->def)
			count(&k, op->def);
		*flops = k.flops;
		*bytes = count_bytes(&k, stored, nin, out);
	}
	walk_end(&k.w);
	mem_free(k.loops);
	mem_free(k.reads);
	mem_free(type);
	return ok;
}

bool
tn_op_work(struct tn_ctx *c, const struct tn_op *op, tn_attrs attrs, const tn_type in[], int nin, tn_type out,
    const int64_t sizes[], double *flops, double *bytes)
{
	struct tn_source *source = mem_alloc(((size_t)nin + 1) * sizeof *source);
	bool ok;
	int i;

	for (i = 0; i < nin; i++)
		source[i] = (struct tn_source){.type = in[i], .stored = in[i]};
	ok = op_work(c, op, attrs, source, nin, out, sizes, flops, bytes);
	mem_free(source);
	return ok;
}
