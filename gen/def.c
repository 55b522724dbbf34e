/*
 * From the typed tree of a def to its graph: values and the conditions under which they are there.
 *
 * Inside a reduction a read outside its operand is absent: a product is absent if a factor is, a sum
 * takes the absent as 0, and the reduction leaves an absent body out.  Outside any reduction the read
 * itself is 0, so no condition goes further than the read.
 */
#include "gen/def.h"

#include <string.h>

#include "base/num.h"
#include "tenon/ctx.h"

static int
real(struct def *d, double v)
{
	return def_node(d, (struct node){.kind = NODE_REAL, .type = TYPE_REAL, .real = v}, NULL);
}

static enum node_type
type_of(const struct def *d, int node)
{
	return d->node.at[node].type;
}

/* The node as a real. */
static int
cast(struct def *d, int node)
{
	const struct node *n = &d->node.at[node];

	if (n->type == TYPE_REAL)
		return node;
	if (n->kind == NODE_INT)
		return real(d, (double)n->num);
	return def_node(d, (struct node){.kind = NODE_CAST, .type = TYPE_REAL, .nkid = 1}, &node);
}

/* The value, 0 where it is absent. */
static int
or_zero(struct def *d, struct val v)
{
	int kid[] = {v.node, v.cond};

	if (v.cond == NONE)
		return v.node;
	return def_node(d, (struct node){.kind = NODE_WHERE, .type = d->node.at[v.node].type, .nkid = 2}, kid);
}

static struct val
var_value(struct def *d, const struct tn_x *x)
{
	const struct tn_var *v = &d->op->var[x->var];

	if (d->bound[x->var].node != NONE)
		return (struct val){d->bound[x->var].node, d->bound[x->var].cond};
	switch (v->kind) {
	case TN_V_ATTR:
		if (x->sort == TN_S_LIST)
			return (struct val){def_decline(d), NONE};
		return (struct val){def_attr(d, v->attr), NONE};
	case TN_V_ELEM:
		return (struct val){def_text(d, TYPE_INT, v->name,
			arena_printf(d->arena, "tn_eval_elem(ev, %d, %d)", v->attr, v->elem), 0, NULL), NONE};
	case TN_V_DIM: case TN_V_LET:
		if (v->sort != TN_S_LIST)
			return (struct val){def_extent(d, x->var), NONE};
		/* fallthrough */
	default:
		return (struct val){def_decline(d), NONE};
	}
}

/* All kids hold, pairwise along the chain (< a b c). */
static struct val
compare(struct def *d, const struct tn_x *x)
{
	int *kid = arena_news(d->arena, x->nkid, int), all = NONE;
	bool is_real = false;

	for (int i = 0; i < x->nkid; i++) {
		if (x->kid[i]->sort == TN_S_LIST)
			return (struct val){def_decline(d), NONE};
		kid[i] = or_zero(d, def_value(d, x->kid[i]));
		is_real |= type_of(d, kid[i]) == TYPE_REAL;
	}
	for (int i = 0; is_real && i < x->nkid; i++)
		kid[i] = cast(d, kid[i]);
	for (int i = 0; i + 1 < x->nkid; i++) {
		int one = def_call(d, x->fn, TYPE_BOOL, kid[i], kid[i + 1]);

		all = all == NONE ? one : def_call(d, TN_F_AND, TYPE_BOOL, all, one);
	}
	return (struct val){all, NONE};
}

/* The value as a truth: is it other than 0. */
static int
truth(struct def *d, const struct tn_x *x)
{
	int node = or_zero(d, def_value(d, x));

	if (type_of(d, node) == TYPE_BOOL)
		return node;
	return def_call(d, TN_F_NE, TYPE_BOOL, node, type_of(d, node) == TYPE_INT ? def_int(d, 0) : real(d, 0));
}

static struct val
logic(struct def *d, const struct tn_x *x)
{
	int all = NONE;

	for (int i = 0; i < x->nkid; i++) {
		int one = truth(d, x->kid[i]);

		if (x->fn == TN_F_NOT)
			return (struct val){def_call(d, TN_F_NOT, TYPE_BOOL, one, NONE), NONE};
		all = all == NONE ? one : def_call(d, x->fn, TYPE_BOOL, all, one);
	}
	return (struct val){all, NONE};
}

static struct val
choose(struct def *d, const struct tn_x *x)
{
	int kid[3];

	kid[0] = truth(d, x->kid[0]);
	for (int i = 1; i < 3; i++)
		kid[i] = or_zero(d, def_value(d, x->kid[i]));
	if (type_of(d, kid[1]) != type_of(d, kid[2])) {
		kid[1] = cast(d, kid[1]);
		kid[2] = cast(d, kid[2]);
	}
	return (struct val){def_node(d, (struct node){.kind = NODE_IF, .type = d->node.at[kid[1]].type, .nkid = 3}, kid), NONE};
}

/* (fn a b …) as ((a fn b) fn …); of whole numbers if all are. */
static struct val
arith(struct def *d, const struct tn_x *x)
{
	struct val *v = arena_news(d->arena, x->nkid, struct val), all;
	bool is_real = x->fn == TN_F_DIVR, is_sum = x->fn == TN_F_ADD || x->fn == TN_F_SUB;

	for (int i = 0; i < x->nkid; i++) {
		v[i] = def_value(d, x->kid[i]);
		is_real |= type_of(d, v[i].node) != TYPE_INT;
	}
	for (int i = 0; i < x->nkid; i++) {
		if (is_real)
			v[i].node = cast(d, v[i].node);
		if (is_real && x->nkid > 1 && (is_sum || (x->fn != TN_F_MUL)))
			v[i] = (struct val){or_zero(d, v[i]), NONE};
	}
	all = v[0];
	if (x->nkid == 1 && (x->fn == TN_F_SUB || x->fn == TN_F_NEG || x->fn == TN_F_ABS))
		all.node = def_call(d, x->fn == TN_F_SUB ? TN_F_NEG : x->fn, is_real ? TYPE_REAL : TYPE_INT, all.node, NONE);
	for (int i = 1; i < x->nkid; i++) {
		if (x->fn == TN_F_EXACTDIV) {
			int divides = def_call(d, TN_F_DIVIDES, TYPE_BOOL, v[i].node, all.node);

			all.cond = def_and(d, all.cond, def_node(d, (struct node){.kind = NODE_AND, .type = TYPE_BOOL,
				.nkid = 1}, &divides));
		}
		all.node = def_call(d, x->fn, is_real ? TYPE_REAL : TYPE_INT, all.node, v[i].node);
		all.cond = def_and(d, all.cond, v[i].cond);
	}
	return all;
}

/* A function of element values. */
static struct val
real_fn(struct def *d, const struct tn_x *x)
{
	int kid[2] = {NONE, NONE};

	for (int i = 0; i < x->nkid; i++)
		kid[i] = cast(d, or_zero(d, def_value(d, x->kid[i])));
	return (struct val){def_call(d, x->fn, TYPE_REAL, kid[0], kid[1]), NONE};
}

/* A number made of a list. */
static struct val
list_fn(struct def *d, const struct tn_x *x)
{
	int cond = NONE, kid[2];
	const struct tn_x *l = x->kid[0];
	/* In a let or where a sequence's name is its extents. */
	bool is_extents = l->kind == TN_X_EXTENT || (l->kind == TN_X_VAR && d->bound[l->var].node == NONE &&
		(d->op->var[l->var].kind == TN_V_DIM || d->op->var[l->var].kind == TN_V_LET));

	if (x->fn == TN_F_PRODUCT && is_extents)
		return (struct val){def_extent(d, l->var), NONE};
	if (x->fn == TN_F_LENGTH && (l->kind == TN_X_EXTENT || (l->kind == TN_X_VAR &&
	    d->op->var[l->var].kind == TN_V_DIM)))
		return (struct val){def_length(d, l->var), NONE};
	if (x->fn == TN_F_FLATTEN && l->kind == TN_X_VAR && d->bound[l->var].node != NONE &&
	    d->mode[l->var] == SEQ_WHOLE)
		return (struct val){d->bound[l->var].node, NONE};
	kid[0] = def_list(d, l, &cond);
	if (x->fn == TN_F_PRODUCT)
		return (struct val){def_text(d, TYPE_INT, "t", "tn_list_product($0)", 1, kid), cond};
	if (x->fn == TN_F_LENGTH)
		return (struct val){def_text(d, TYPE_INT, "t", "tn_list_length($0)", 1, kid), cond};
	kid[1] = x->fn == TN_F_AT ? def_whole(d, x->kid[1], &cond) : def_list(d, x->kid[1], &cond);
	return (struct val){def_text(d, TYPE_INT, "t", x->fn == TN_F_AT ? "tn_list_at($0, $1)" :
		"tn_list_flatten($0, $1)", 2, kid), cond};
}

static struct val
call(struct def *d, const struct tn_x *x)
{
	switch (x->fn) {
	case TN_F_ADD: case TN_F_SUB: case TN_F_MUL: case TN_F_DIVR: case TN_F_FLOORDIV: case TN_F_MOD:
	case TN_F_EXACTDIV: case TN_F_CEILDIV: case TN_F_MAX: case TN_F_MIN: case TN_F_ABS: case TN_F_NEG:
		return arith(d, x);
	case TN_F_POW: case TN_F_EXP: case TN_F_LOG: case TN_F_SQRT: case TN_F_ERF: case TN_F_TANH:
	case TN_F_SIGMOID:
		return real_fn(d, x);
	case TN_F_EQ: case TN_F_NE: case TN_F_LT: case TN_F_LE: case TN_F_GT: case TN_F_GE: case TN_F_DIVIDES:
		return compare(d, x);
	case TN_F_AND: case TN_F_OR: case TN_F_NOT:
		return logic(d, x);
	case TN_F_IF:
		return choose(d, x);
	case TN_F_PRODUCT: case TN_F_LENGTH: case TN_F_AT: case TN_F_FLATTEN:
		return list_fn(d, x);
	default:
		return (struct val){def_decline(d), NONE};
	}
}

/* What a let gives its name to. */
static struct val
let_operand(struct def *d, const struct tn_x *x)
{
	if (x->kid[0]->sort == TN_S_LIST)
		return (struct val){def_decline(d), NONE};
	return def_value(d, x->kid[0]);
}

static struct val
let_value(struct def *d, const struct tn_x *x, struct val v)
{
	struct bound saved = d->bound[x->var];

	if (d->node.at[v.node].hint == NULL)
		d->node.at[v.node].hint = d->op->var[x->var].name;
	d->bound[x->var] = (struct bound){v.node, v.cond, NONE, NONE};
	v = def_value(d, x->kid[1]);
	d->bound[x->var] = saved;
	return v;
}

/* Where arms differ in where they are, each is taken as 0 where it is not. */
static struct val
switch_value(struct def *d, const struct tn_x *x)
{
	struct val *v = arena_news(d->arena, x->nkid, struct val);
	int *kid = arena_news(d->arena, (size_t)x->nkid + 1, int), cond;
	struct val shared = {NONE, NONE};
	bool is_same = true;

	kid[0] = def_attr(d, d->op->var[x->var].attr);
	for (int i = 0; i < x->nkid; i++) {
		const struct tn_x *arm = x->kid[i], *before = i ? x->kid[i - 1] : NULL;

		/* (act E): each arm is a function's body with E for its parameter, and E is made once. */
		if (arm->kind == TN_X_LET && (!before || before->kind != TN_X_LET || before->kid[0] != arm->kid[0]))
			shared = let_operand(d, arm);
		v[i] = arm->kind == TN_X_LET ? let_value(d, arm, shared) : def_value(d, arm);
		is_same &= v[i].cond == v[0].cond;
	}
	cond = is_same ? v[0].cond : NONE;
	for (int i = 0; i < x->nkid; i++)
		kid[i + 1] = cast(d, is_same ? v[i].node : or_zero(d, v[i]));
	return (struct val){def_node(d, (struct node){.kind = NODE_SWITCH, .type = TYPE_REAL,
		.a = d->op->var[x->var].attr, .nkid = x->nkid + 1}, kid), cond};
}

/* Loop of that name, extent and depth: reductions that go over the same share it. */
static int
find_loop(struct def *d, const char *name, int extent, int depth)
{
	for (uint32_t i = 0; i < d->loop.n; i++)
		if (d->loop.at[i].depth == depth && depth > 0 && d->loop.at[i].extent == extent &&
		    strcmp(d->loop.at[i].name, name) == 0)
			return (int)i;
	if (d->loop.n == MAX_LOOPS) {
		d->is_declined = true;
		return 0;
	}
	vec_push(&d->loop, ((struct loop){name, extent, depth}));
	return (int)d->loop.n - 1;
}

static int
loop_index(struct def *d, int loop)
{
	return def_node(d, (struct node){.kind = NODE_LOOP, .type = TYPE_INT, .a = loop,
		.loops = UINT64_C(1) << loop}, NULL);
}

static struct val
reduce(struct def *d, const struct tn_x *x)
{
	struct bound *saved = arena_news(d->arena, x->niter, struct bound);
	int *iter = arena_news(d->arena, x->niter, int), kid[2], cond;
	struct val body;

	for (int i = 0; i < x->niter; i++) {
		int var = x->iter[i], unused = NONE, extent;

		if (d->op->var[var].sort == TN_S_LIST && d->mode[var] != SEQ_WHOLE)
			return (struct val){def_decline(d), NONE};
		extent = x->kid[i + 1] ? def_whole(d, x->kid[i + 1], &unused) : def_extent(d, var);
		if (unused != NONE)
			return (struct val){def_decline(d), NONE};
		iter[i] = find_loop(d, d->op->var[var].name, extent, ++d->depth);
		saved[i] = d->bound[var];
		d->bound[var] = (struct bound){loop_index(d, iter[i]), NONE, NONE, NONE};
	}
	body = def_value(d, x->kid[0]);
	if (x->kid[0]->kind == TN_X_INSIDE && x->fn == TN_F_ADD) {
		/* The sum of ones counts: those that are 0 may as well be left out. */
		cond = def_read(d, x->kid[0]->kid[0]).cond;
		body = (struct val){real(d, 1), cond};
	}
	for (int i = x->niter - 1; i >= 0; i--)
		d->bound[x->iter[i]] = saved[i];
	d->depth -= x->niter;
	kid[0] = cast(d, body.node);
	kid[1] = body.cond;
	return (struct val){def_node(d, (struct node){.kind = NODE_REDUCE, .type = TYPE_REAL, .fn = x->fn,
		.niter = x->niter, .iter = iter, .nkid = body.cond == NONE ? 1 : 2}, kid), NONE};
}

struct val
def_value(struct def *d, const struct tn_x *x)
{
	struct val v = {NONE, NONE};

	if (d->is_declined)
		return (struct val){def_int(d, 0), NONE};
	switch (x->kind) {
	case TN_X_NUM:
		v.node = x->sort == TN_S_INT && number_is_int(x->num) && x->num.exp10 == 0 ? def_int(d, x->num.num) :
			real(d, tn_number_double(x->num));
		return v;
	case TN_X_TEXT:
		v.node = x->sort == TN_S_STRING ? def_decline(d) : def_int(d, x->num.num);
		return v;
	case TN_X_VAR:
		return var_value(d, x);
	case TN_X_EXTENT:
		v.node = d->op->var[x->var].sort == TN_S_LIST ? def_decline(d) : def_extent(d, x->var);
		return v;
	case TN_X_CALL:
		return call(d, x);
	case TN_X_LET:
		return let_value(d, x, let_operand(d, x));
	case TN_X_SWITCH:
		return switch_value(d, x);
	case TN_X_REDUCE:
		return reduce(d, x);
	case TN_X_READ:
		v = def_read(d, x);
		if (d->depth == 0)
			v.cond = NONE;
		if (x->sort == TN_S_INT)
			v.node = def_text(d, TYPE_INT, "i", "tn_real_index($0)", 1, &v.node);
		return v;
	case TN_X_INSIDE:
		v.cond = def_read(d, x->kid[0]).cond;
		return (struct val){v.cond == NONE ? real(d, 1) : cast(d, v.cond), NONE};
	case TN_X_PICK:
		if (x->kid[0]->kind == TN_X_READ) {
			int saved = d->picked;

			d->picked = x->var;
			v = def_value(d, x->kid[0]);
			d->picked = saved;
			return v;
		}
		/* fallthrough */
	default:
		v.node = def_decline(d);
		return v;
	}
}

int
def_whole(struct def *d, const struct tn_x *x, int *cond)
{
	struct val v;

	v = def_value(d, x);
	*cond = def_and(d, *cond, v.cond);
	if (type_of(d, v.node) != TYPE_INT)
		v.node = def_text(d, TYPE_INT, "i", "tn_real_index($0)", 1, &v.node);
	return v.node;
}
