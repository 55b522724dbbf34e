/*
 * A def made flat: each expression becomes the register that holds it.  The functions go through the tree as
 * the walker does (walk.c), and say of each number in which lanes it is absent instead of finding out.
 */
#include "ref/flat_code.h"

#include "base/mem.h"

static struct flat_number
real(int reg)
{
	return (struct flat_number){.is_real = true, .reg = reg, .there = ALL};
}

static struct flat_number
constant(struct flattener *b, struct tn_number n)
{
	return real(flat_emit(b, (struct step){.kind = S_NUMBER, .mask = ALL, .num = n}));
}

static struct flat_number
real_fn(struct flattener *b, enum tn_fn fn, struct flat_number x, struct flat_number y)
{
	return real(flat_emit(b, (struct step){.kind = S_FN, .fn = (uint8_t)fn, .a = flat_elem_reg(b, x),
	    .b = flat_elem_reg(b, y), .mask = b->active}));
}

/* ---- reads ------------------------------------------------------------------------------------------- */

static struct flat_number
read(struct flattener *b, const struct tn_x *x)
{
	struct flat_number offset, v;
	int operand, there = flat_find(b, x, &operand, &offset);

	if (there == NONE)
		v = real(flat_elem_reg(b, flat_known(0)));
	else
		v = real(flat_emit(b, (struct step){.kind = S_READ, .a = flat_whole_reg(b, offset), .mask = there, .k = operand}));
	if (x->sort == TN_S_INT)
		v = (struct flat_number){.reg = flat_whole_reg(b, v)};
	v.is_zeroed = true;
	v.there = b->inner ? there : ALL;
	return v;
}

static struct flat_number
inside(struct flattener *b, const struct tn_x *x)
{
	struct flat_number offset, one = constant(b, (struct tn_number){1, 1, 0});
	int operand;

	return flat_select(b, flat_find(b, x, &operand, &offset), one, constant(b, (struct tn_number){0, 1, 0}));
}

/* where a read of the picked operand in x is inside */
static int
hit(struct flattener *b, const struct tn_x *x)
{
	struct flat_number offset;
	int operand, mask = NONE, i;

	if (x->kind == TN_X_READ && b->w.op->in[x->var].is_variadic)
		return flat_find(b, x, &operand, &offset);
	for (i = 0; i < x->nkid; i++)
		if (x->kid[i])
			mask = flat_or(b, mask, hit(b, x->kid[i]));
	return mask;
}

/* the first operand that is hit, in each lane */
static struct flat_number
pick(struct flattener *b, const struct tn_x *x)
{
	struct flat_number r = flat_known(0), v;
	int active = b->active, left = ALL, there = NONE, here;

	for (b->picked = x->var; b->picked < b->ev->nin && left != NONE; b->picked++) {
		here = flat_and(b, left, hit(b, x->kid[0]));
		if (here == NONE)
			continue;
		b->active = flat_and(b, active, here);
		v = flat_number(b, x->kid[0]);
		b->active = active;
		r = flat_select(b, here, v, r);
		there = flat_or(b, there, flat_and(b, here, v.there));
		left = flat_and(b, left, flat_not(b, here));
	}
	b->picked = -1;
	if (x->sort != TN_S_INT)
		r = real(flat_elem_reg(b, r));
	r.there = b->inner ? there : flat_or(b, there, left);
	return r;
}

static int64_t
before(const struct flattener *b, int var)
{
	int64_t sum = 0;
	int i, first = b->w.op->nin - 1;

	for (i = first; i < b->picked; i++)
		sum += b->w.star[var].list[i - first];
	return sum;
}

/* ---- functions --------------------------------------------------------------------------------------- */

/* -a, |a|, a */
static struct flat_number
sign(struct flattener *b, enum tn_fn fn, struct flat_number a)
{
	bool negate = fn == TN_F_SUB || fn == TN_F_NEG;
	struct flat_number minus;
	int there = a.there;

	if (!negate && fn != TN_F_ABS)
		return a;
	if (a.is_real) {
		a = real_fn(b, negate ? TN_F_NEG : TN_F_ABS, a, a);
	} else {
		minus = flat_whole_fn(b, TN_F_SUB, flat_known(0), a);
		a = negate ? minus : flat_whole_fn(b, TN_F_MAX, a, minus);
	}
	a.there = there;
	return a;
}

static struct flat_number
arith2(struct flattener *b, enum tn_fn fn, struct flat_number x, struct flat_number y)
{
	bool is_real = x.is_real || y.is_real || fn == TN_F_DIVR;
	struct flat_number r;

	if (!is_real) {
		r = flat_whole_fn(b, fn, x, y);
		if (fn == TN_F_EXACTDIV)
			r.there = flat_and(b, r.there, flat_mask(b, flat_whole_fn(b, TN_F_DIVIDES, y, x)));
		return r;
	}
	if (fn != TN_F_MUL) {
		x = flat_or_zero(b, x);
		y = flat_or_zero(b, y);
	}
	r = real_fn(b, fn, x, y);
	r.there = flat_and(b, x.there, y.there);
	return r;
}

static struct flat_number
arith(struct flattener *b, const struct tn_x *x)
{
	struct flat_number r = flat_number(b, x->kid[0]), v;
	int i;

	if (x->nkid == 1)
		return sign(b, (enum tn_fn)x->fn, r);
	if (x->sort == TN_S_REAL && !r.is_real) {
		v = real(flat_elem_reg(b, r));
		v.there = r.there;
		r = v;
	}
	for (i = 1; i < x->nkid; i++)
		r = arith2(b, (enum tn_fn)x->fn, r, flat_number(b, x->kid[i]));
	return r;
}

/* a mask */
static int
compare2(struct flattener *b, enum tn_fn fn, struct flat_number x, struct flat_number y)
{
	x = flat_or_zero(b, x);
	y = flat_or_zero(b, y);
	if (x.is_real || y.is_real)
		return flat_emit(b, (struct step){.kind = S_COMPARE, .fn = (uint8_t)fn, .a = flat_elem_reg(b, x),
		    .b = flat_elem_reg(b, y), .mask = b->active});
	return flat_mask(b, flat_whole_fn(b, fn, x, y));
}

static int
compare_lists(struct flattener *b, enum tn_fn fn, struct flat_list x, struct flat_list y)
{
	int i, n = x.n >= 0 ? x.n : y.n, holds = ALL;

	if (x.n == -1 || y.n == -1 || n < 0 || (x.n >= 0 && y.n >= 0 && x.n != y.n))
		return NONE;
	for (i = 0; i < n; i++)
		holds = flat_and(b, holds, flat_mask(b, flat_whole_fn(b, fn, x.i[x.n < 0 ? 0 : i], y.i[y.n < 0 ? 0 : i])));
	return holds;
}

/* (fn a b c): each with its neighbour; none is looked at where one before it does not hold */
static int
compare(struct flattener *b, const struct tn_x *x)
{
	bool is_list = false;
	int holds = ALL, there = ALL, active = b->active, i, one;

	for (i = 0; i < x->nkid; i++)
		is_list |= x->kid[i]->sort == TN_S_LIST;
	for (i = 0; i + 1 < x->nkid && holds != NONE; i++) {
		b->active = flat_and(b, active, holds);
		if (is_list)
			one = compare_lists(b, (enum tn_fn)x->fn, flat_items(b, x->kid[i], &there), flat_items(b, x->kid[i + 1], &there));
		else
			one = compare2(b, (enum tn_fn)x->fn, flat_number(b, x->kid[i]), flat_number(b, x->kid[i + 1]));
		holds = flat_and(b, holds, one);
	}
	b->active = active;
	return flat_and(b, holds, there);
}

static int
truth(struct flattener *b, const struct tn_x *x)
{
	struct flat_number v = flat_or_zero(b, flat_number(b, x));

	return v.is_real ? compare2(b, TN_F_NE, v, flat_known(0)) : flat_mask(b, v);
}

/* an operand is not looked at where those before it have decided */
static int
logic(struct flattener *b, const struct tn_x *x)
{
	int active = b->active, open = ALL, one, i;

	if (x->fn == TN_F_NOT)
		return flat_not(b, truth(b, x->kid[0]));
	for (i = 0; i < x->nkid && open != NONE; i++) {
		b->active = flat_and(b, active, open);
		one = truth(b, x->kid[i]);
		open = flat_and(b, open, x->fn == TN_F_AND ? one : flat_not(b, one));
	}
	b->active = active;
	return x->fn == TN_F_AND ? open : flat_not(b, open);
}

/* what `if` chooses, where lanes of mask are those that come here */
static struct flat_number
branch(struct flattener *b, const struct tn_x *x, int mask)
{
	int active = b->active;
	struct flat_number v = flat_known(0);

	if (mask == NONE)
		return v;
	b->active = flat_and(b, active, mask);
	v = flat_or_zero(b, flat_number(b, x));
	b->active = active;
	return v;
}

static struct flat_number
choose(struct flattener *b, const struct tn_x *x)
{
	int mask = truth(b, x->kid[0]);
	struct flat_number yes = branch(b, x->kid[1], mask), no = branch(b, x->kid[2], flat_not(b, mask));
	struct flat_number v = flat_select(b, mask, yes, no);

	return x->sort == TN_S_REAL ? real(flat_elem_reg(b, v)) : v;
}

/* the item at an index that may be counted from the end; outside of all axes if there is none */
static struct flat_number
item(struct flattener *b, struct flat_list l, struct flat_number i)
{
	struct flat_number r = flat_known(TN_OUTSIDE);
	int k;

	for (k = 0; k < l.n; k++) {
		struct flat_number here = flat_whole_fn(b, TN_F_EQ, i, flat_known(k)), end = flat_whole_fn(b, TN_F_EQ, i, flat_known(k - l.n));

		r = flat_select(b, flat_or(b, flat_mask(b, here), flat_mask(b, end)), l.i[k], r);
	}
	return r;
}

/* a number made of lists */
static struct flat_number
of_list(struct flattener *b, const struct tn_x *x)
{
	int there = ALL, i;
	struct flat_list l = flat_items(b, x->kid[0], &there), extents;
	struct flat_number v = flat_known(x->fn == TN_F_PRODUCT);

	switch (x->fn) {
	case TN_F_PRODUCT:
		for (i = 0; i < l.n; i++)
			v = flat_whole_fn(b, TN_F_MUL, v, l.i[i]);
		break;
	case TN_F_LENGTH:
		v = flat_known(l.n);
		break;
	case TN_F_AT:
		v = flat_or_zero(b, flat_number(b, x->kid[1]));
		if (v.is_real)
			v = (struct flat_number){.reg = flat_whole_reg(b, v), .there = ALL};
		v = item(b, l, v);
		break;
	default:
		extents = flat_items(b, x->kid[1], &there);
		if (l.n != extents.n)
			v = flat_known(TN_OUTSIDE);
		for (i = 0; i < l.n && l.n == extents.n; i++)
			v = flat_whole_fn(b, TN_F_ADD, flat_whole_fn(b, TN_F_MUL, v, extents.i[i]), l.i[i]);
	}
	v.there = there;
	return v;
}

static struct flat_number
call(struct flattener *b, const struct tn_x *x)
{
	struct flat_number v;

	switch (x->fn) {
	case TN_F_POW: case TN_F_EXP: case TN_F_LOG: case TN_F_SQRT: case TN_F_ERF: case TN_F_TANH: case TN_F_SIGMOID:
		v = flat_or_zero(b, flat_number(b, x->kid[0]));
		return real_fn(b, (enum tn_fn)x->fn, v, x->nkid > 1 ? flat_or_zero(b, flat_number(b, x->kid[1])) : v);
	case TN_F_EQ: case TN_F_NE: case TN_F_LT: case TN_F_LE: case TN_F_GT: case TN_F_GE: case TN_F_DIVIDES:
		return flat_of_mask(compare(b, x));
	case TN_F_AND: case TN_F_OR: case TN_F_NOT:
		return flat_of_mask(logic(b, x));
	case TN_F_IF:
		return choose(b, x);
	case TN_F_PRODUCT: case TN_F_LENGTH: case TN_F_AT: case TN_F_FLATTEN:
		return of_list(b, x);
	default:
		return arith(b, x);
	}
}

/* ---- reductions -------------------------------------------------------------------------------------- */

struct reduction {
	int to, any;			/* the accumulator, and the lanes that have met something */
	int mask;			/* of the lanes in which all iterators run */
};

static void reduce_from(struct flattener *, const struct tn_x *, int, struct reduction);

static void
take(struct flattener *b, const struct tn_x *x, struct reduction r)
{
	int active = b->active, mask;
	struct flat_number v;

	b->active = flat_and(b, active, r.mask);
	v = flat_number(b, x->kid[0]);
	b->active = active;
	mask = flat_and(b, r.mask, v.there);
	if (mask != NONE)
		flat_put(b, (struct step){.kind = S_TAKE, .fn = x->fn, .to = r.to, .a = flat_elem_reg(b, v), .b = r.any, .mask = mask});
}

/* axes from `axis` of iterator i, each a loop of its own */
static void
loop(struct flattener *b, const struct tn_x *x, int i, const struct flat_list *extents, int axis, struct reduction r)
{
	struct flat_number n = axis < extents->n ? extents->i[axis] : flat_known(0), at = {.there = ALL};
	int extent;

	if (axis == extents->n) {
		reduce_from(b, x, i + 1, r);
		return;
	}
	if (n.is_known && n.k <= 0)
		return;
	if (b->depth + 1 == DEPTH_MAX) {
		b->is_beyond = true;
		return;
	}
	extent = flat_whole_reg(b, n);
	vec_push(&b->f->block, (struct block){0});
	b->open[++b->depth] = (int)b->f->block.n - 1;
	at.reg = flat_new_reg(b, false, (struct reg){.depth = (int16_t)b->depth, .is_uniform = true,
	    .most = tn_int_max(b->f->whole.at[extent].most - 1, 0)});
	b->index[x->iter[i]].i[axis] = at;
	if (!n.is_known)
		r.mask = flat_and(b, r.mask, flat_mask(b, flat_whole_fn(b, TN_F_LT, at, n)));
	loop(b, x, i, extents, axis + 1, r);
	b->depth--;
	flat_put(b, (struct step){.kind = S_LOOP, .to = at.reg, .a = extent, .mask = ALL, .k = b->open[b->depth + 1]});
}

static void
reduce_from(struct flattener *b, const struct tn_x *x, int i, struct reduction r)
{
	struct flat_list extents;
	struct flat_number n;
	int var;

	if (i == x->niter) {
		take(b, x, r);
		return;
	}
	var = x->iter[i];
	if (x->kid[i + 1]) {
		n = flat_or_zero(b, flat_number(b, x->kid[i + 1]));
		if (n.is_real)
			n = (struct flat_number){.reg = flat_whole_reg(b, n), .there = ALL};
		extents = (struct flat_list){.n = 1};
		extents.i[0] = n;
	} else {
		extents = flat_bound(b, var);
	}
	if (extents.n < 0)
		return;
	b->is_index[var] = true;
	b->index[var].n = extents.n;
	loop(b, x, i, &extents, 0, r);
	b->is_index[var] = false;
}

static struct flat_number
reduce(struct flattener *b, const struct tn_x *x)
{
	struct reg varies = {.depth = (int16_t)b->depth, .least = 0, .most = 1};
	struct reduction r = {flat_new_reg(b, true, varies), flat_new_reg(b, false, varies), ALL};
	struct tn_number infinity = {.num = x->fn == TN_F_MAX ? -1 : 1};

	flat_put(b, (struct step){.kind = S_BEGIN, .fn = x->fn, .to = r.to, .b = r.any, .mask = ALL});
	b->inner++;
	reduce_from(b, x, 0, r);
	b->inner--;
	if (x->fn != TN_F_ADD)
		flat_put(b, (struct step){.kind = S_END, .to = r.to, .b = r.any, .mask = b->active, .num = infinity});
	return real(r.to);
}

/* ---- expressions --------------------------------------------------------------------------------------- */

static struct flat_number
variable(struct flattener *b, int var)
{
	if (b->w.op->var[var].kind == TN_V_VALUE)
		return b->let[var];
	if (b->is_index[var])
		return b->index[var].n > 0 ? b->index[var].i[0] : flat_known(0);
	if (b->w.var[var].kind == TN_VV_REAL)
		return constant(b, domain_meant(b->w.var[var].u.f));
	return flat_known(eval_bound(&b->w, b->picked, var).i[0]);
}

struct flat_number
flat_number(struct flattener *b, const struct tn_x *x)
{
	switch (x->kind) {
	case TN_X_NUM:
		return x->sort == TN_S_INT && x->num.den == 1 && x->num.exp10 == 0 ? flat_known(x->num.num) : constant(b, x->num);
	case TN_X_TEXT:
		return flat_known(x->num.num);
	case TN_X_VAR:
		return variable(b, x->var);
	case TN_X_EXTENT:
		return flat_known(eval_bound(&b->w, b->picked, x->var).i[0]);
	case TN_X_CALL:
		return call(b, x);
	case TN_X_LET:
		b->let[x->var] = flat_number(b, x->kid[0]);
		return flat_number(b, x->kid[1]);
	case TN_X_SWITCH:
		return flat_number(b, x->kid[b->w.var[x->var].u.i]);
	case TN_X_REDUCE:
		return reduce(b, x);
	case TN_X_READ:
		return read(b, x);
	case TN_X_INSIDE:
		return inside(b, x->kid[0]);
	case TN_X_PICK:
		return pick(b, x);
	case TN_X_BEFORE:
		return flat_known(before(b, x->var));
	default:
		b->is_beyond = true;
		return flat_known(0);
	}
}

/* ---- the whole ------------------------------------------------------------------------------------------- */

/* the axes of the result: one whole register each */
static void
index_result(struct flattener *b)
{
	const struct tn_op *op = b->w.op;
	struct tn_list extents;
	int i, k;

	for (i = 0; i < op->nout; i++) {
		extents = eval_bound(&b->w, -1, op->out[i]);
		b->is_index[op->out[i]] = true;
		b->index[op->out[i]].n = (int)extents.n;
		for (k = 0; k < extents.n; k++) {
			if (b->f->nindex == TN_MAX_RANK) {
				b->is_beyond = true;
				return;
			}
			b->f->extent[b->f->nindex++] = extents.i[k];
			b->index[op->out[i]].i[k] = (struct flat_number){.there = ALL,
			    .reg = flat_new_reg(b, false, (struct reg){.most = tn_int_max(extents.i[k] - 1, 0)})};
		}
	}
}

static void
make(struct flattener *b)
{
	size_t n = (size_t)b->ev->op->nvar + 1;

	b->index = mem_alloc(n * sizeof *b->index);
	b->let = mem_alloc(n * sizeof *b->let);
	b->is_index = mem_alloc(n);
	vec_push(&b->f->block, (struct block){0});
	index_result(b);
	if (!b->is_beyond)
		b->f->result = flat_elem_reg(b, flat_or_zero(b, flat_number(b, b->ev->op->def)));
	mem_free(b->index);
	mem_free(b->let);
	mem_free(b->is_index);
}

struct flat *
flat_new(const struct tn_eval *ev)
{
	struct flattener b = {.f = mem_alloc(sizeof *b.f), .ev = ev, .active = ALL, .picked = -1};
	struct tn_infer s;
	bool ok = ev->op->def && eval_bind(&b.w, &s, ev);

	b.f->from = ev->from;
	b.f->to = ev->to;
	b.f->lanes = ev->to - ev->from < LANES ? (int)(ev->to - ev->from) : LANES;
	if (ok)
		make(&b);
	if (ev->op->def)
		eval_unbind(&b.w, &s);
	if (!ok || b.is_beyond) {
		flat_free(b.f);
		return NULL;
	}
	b.f->wholes = mem_alloc((size_t)b.f->whole.n * (size_t)b.f->lanes * sizeof *b.f->wholes + 1);
	b.f->elems = mem_alloc((size_t)b.f->elem.n * (size_t)b.f->lanes * sizeof *b.f->elems + 1);
	return b.f;
}

void
flat_free(struct flat *f)
{
	uint32_t i;

	if (!f)
		return;
	for (i = 0; i < f->block.n; i++)
		vec_free(&f->block.at[i].step);
	vec_free(&f->block);
	vec_free(&f->whole);
	vec_free(&f->elem);
	mem_free(f->wholes);
	mem_free(f->elems);
	mem_free(f);
}
