/*
 * Does a number tell?  One operator's result is computed under two records, of operands that are drawn for this alone: in
 * doubles, a few of its last elements, where what stands behind is seen, and if these are equal its first.
 */
#include <string.h>

#include "base/dtype.h"
#include "base/mem.h"
#include "ref/flat.h"
#include "tenon/eval.h"
#include "verify/instance.h"
#include "verify/whole.h"

enum { LAST = 8, FIRST = 48 };

/* The operator, its shapes, and its operands' elements. */
struct alone {
	const struct vnode *x;
	struct tn_array in[KIDS_MAX], out;
	union elem *elem[KIDS_MAX];
	union elem *block;		/* all of those */
	struct tn_eval ev;
};

static union elem
draw(struct rng *r, enum tn_dtype type)
{
	static const int64_t index[] = {0, 1, 2, 3, 1, 4, -1, 6};

	if (dtype_is_float(type))
		return (union elem){.real = (double)(int64_t)(rng_next(r) >> 11) * 0x1p-51 - 2};
	return (union elem){.real = (double)whole_stored(type, index[rng_below(r, sizeof index / sizeof *index)])};
}

static void
start(struct alone *a, const struct instance *in, int node)
{
	const struct vnode *x = &in->node.at[node];
	struct rng r = {1};
	int64_t n = 0, i, k;

	a->x = x;
	for (k = 0; k < x->nkid; k++)
		n += instance_count(in, x->kid[k]);
	a->block = mem_alloc((size_t)n * sizeof *a->block + 1);
	for (k = n = 0; k < x->nkid; k++) {
		a->in[k] = instance_array(in, x->kid[k]);
		a->elem[k] = a->block + n;
		for (i = instance_count(in, x->kid[k]); i > 0; i--)
			a->block[n++] = draw(&r, a->in[k].dtype);
	}
	a->out = instance_array(in, node);
	a->ev = (struct tn_eval){.ctx = in->ctx, .op = x->op, .nin = x->nkid, .in = a->in, .out = &a->out};
}

/* elements from … to under a record */
static bool
elements(struct alone *a, tn_attrs attrs, int64_t from, int64_t to, union elem out[])
{
	struct domain_run run = domain_start(&domain_real, 1);
	const union elem *in[KIDS_MAX];
	struct flat *flat;
	bool ok;
	int i;

	a->ev.attrs = attrs;
	a->ev.from = from;
	a->ev.to = to;
	for (i = 0; i < a->x->nkid; i++)
		in[i] = a->elem[i];
	flat = flat_new(&a->ev);
	ok = flat ? flat_run(flat, &run, in, out) : domain_eval(&run, &a->ev, in, out);
	flat_free(flat);
	return ok;
}

/* Are they equal under both?  What cannot be computed is not. */
static bool
are_equal(struct alone *a, tn_attrs other, int64_t from, int64_t to)
{
	union elem x[FIRST], y[FIRST];
	int64_t i;

	if (!elements(a, a->x->attrs, from, to, x) || !elements(a, other, from, to, y))
		return false;
	for (i = 0; i < to - from && domain_real.equal(x[i], y[i]); i++)
		;
	return i == to - from;
}

bool
tells_apart(const struct instance *in, int node, tn_attrs other)
{
	int64_t n = instance_count(in, node);
	struct alone a;
	bool are_same;

	if (!in->node.at[node].op->def)
		return true;
	start(&a, in, node);
	are_same = are_equal(&a, other, n > LAST ? n - LAST : 0, n) && (n <= LAST || are_equal(&a, other, 0, n < FIRST ? n : FIRST));
	mem_free(a.block);
	return !are_same;
}
