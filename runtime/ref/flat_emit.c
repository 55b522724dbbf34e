/* Steps of the flat form: where each goes, what is known of its result, and those that need not be. */
#include "ref/flat_code.h"

#define FAR (INT64_C(1) << 62)		/* nothing is known beyond */

/* which registers a step has */
enum { TO_WHOLE = 1, TO_ELEM = 2, A_WHOLE = 4, A_ELEM = 8, B_WHOLE = 16, B_ELEM = 32, BY_MASK = 64 };

static const uint8_t uses[] = {
	[S_WHOLE_CONST] = TO_WHOLE, [S_WHOLE_FN] = TO_WHOLE | A_WHOLE | B_WHOLE, [S_WHOLE_INSIDE] = TO_WHOLE | A_WHOLE,
	[S_WHOLE_SELECT] = TO_WHOLE | A_WHOLE | B_WHOLE | BY_MASK, [S_INDEX] = TO_WHOLE | A_ELEM,
	[S_COMPARE] = TO_WHOLE | A_ELEM | B_ELEM, [S_NUMBER] = TO_ELEM, [S_ELEM_OF] = TO_ELEM | A_WHOLE,
	[S_FN] = TO_ELEM | A_ELEM | B_ELEM, [S_READ] = TO_ELEM | A_WHOLE | BY_MASK, [S_SELECT] = TO_ELEM | A_ELEM | B_ELEM | BY_MASK,
};

int
flat_new_reg(struct flattener *b, bool is_elem, struct reg r)
{
	if (is_elem) {
		vec_push(&b->f->elem, r);
		return (int)b->f->elem.n - 1;
	}
	vec_push(&b->f->whole, r);
	return (int)b->f->whole.n - 1;
}

struct reg *
flat_reg(const struct flattener *b, struct flat_number v)
{
	return v.is_real ? &b->f->elem.at[v.reg] : &b->f->whole.at[v.reg];
}

/* ---- what is known of a result ----------------------------------------------------------------------- */

struct range {
	int64_t least, most;
};

static int64_t
held(int64_t v)
{
	return v > FAR ? FAR : v < -FAR ? -FAR : v;
}

static bool
is_small(struct range r)
{
	return r.least > -INT32_MAX && r.most < INT32_MAX;
}

static struct range
range_of(const struct flattener *b, int whole)
{
	return (struct range){b->f->whole.at[whole].least, b->f->whole.at[whole].most};
}

/* of a product: the extremes are at corners */
static struct range
product(struct range x, struct range y)
{
	int64_t v[4] = {x.least * y.least, x.least * y.most, x.most * y.least, x.most * y.most};
	struct range r = {v[0], v[0]};
	int i;

	for (i = 1; i < 4; i++) {
		r.least = tn_int_min(r.least, v[i]);
		r.most = tn_int_max(r.most, v[i]);
	}
	return r;
}

static struct range
fn_range(enum tn_fn fn, struct range x, struct range y)
{
	if (fn >= TN_F_EQ && fn <= TN_F_DIVIDES)
		return (struct range){0, 1};
	if (!is_small(x) || !is_small(y))
		return (struct range){-FAR, FAR};
	switch (fn) {
	case TN_F_ADD: return (struct range){x.least + y.least, x.most + y.most};
	case TN_F_SUB: return (struct range){x.least - y.most, x.most - y.least};
	case TN_F_MUL: return product(x, y);
	case TN_F_FLOORDIV: case TN_F_EXACTDIV:
		if (y.least > 0 && y.least == y.most)
			return (struct range){tn_int_div(x.least, y.least), tn_int_div(x.most, y.least)};
		break;
	case TN_F_MOD:
		if (y.least > 0)
			return (struct range){0, x.least >= 0 ? tn_int_min(x.most, y.most - 1) : y.most - 1};
		break;
	case TN_F_MAX: return (struct range){tn_int_max(x.least, y.least), tn_int_max(x.most, y.most)};
	case TN_F_MIN: return (struct range){tn_int_min(x.least, y.least), tn_int_min(x.most, y.most)};
	default: break;
	}
	return (struct range){-FAR, FAR};
}

static struct range
step_range(const struct flattener *b, const struct step *s)
{
	struct range x, y;

	switch (s->kind) {
	case S_WHOLE_CONST:
		return (struct range){held(s->k), held(s->k)};
	case S_WHOLE_FN:
		return fn_range((enum tn_fn)s->fn, range_of(b, s->a), range_of(b, s->b));
	case S_WHOLE_INSIDE: case S_COMPARE:
		return (struct range){0, 1};
	case S_WHOLE_SELECT:
		x = range_of(b, s->a);
		y = range_of(b, s->b);
		return (struct range){tn_int_min(x.least, y.least), tn_int_max(x.most, y.most)};
	default:
		return (struct range){-FAR, FAR};
	}
}

/* ---- steps ------------------------------------------------------------------------------------------- */

static void
depend(struct reg *r, struct reg on, bool is_value)
{
	if (on.depth > r->depth)
		r->depth = on.depth;
	if (is_value)
		r->is_uniform &= on.is_uniform;
}

/* what the step's register will be, by those it looks at */
static struct reg
result_of(const struct flattener *b, const struct step *s)
{
	const struct flat *f = b->f;
	struct range range = step_range(b, s);
	struct reg r = {.is_uniform = true, .least = range.least, .most = range.most};
	unsigned use = uses[s->kind];

	if (use & (A_WHOLE | A_ELEM))
		depend(&r, use & A_WHOLE ? f->whole.at[s->a] : f->elem.at[s->a], true);
	if (use & (B_WHOLE | B_ELEM))
		depend(&r, use & B_WHOLE ? f->whole.at[s->b] : f->elem.at[s->b], true);
	if (s->mask >= 0)
		depend(&r, f->whole.at[s->mask], use & BY_MASK);
	return r;
}

static bool
is_same_step(const struct step *a, const struct step *b)
{
	return a->kind == b->kind && a->fn == b->fn && a->a == b->a && a->b == b->b && a->mask == b->mask && a->k == b->k &&
	    a->num.num == b->num.num && a->num.den == b->num.den && a->num.exp10 == b->num.exp10;
}

static struct block *
block_at(struct flattener *b, int depth)
{
	return &b->f->block.at[b->open[depth]];
}

int
flat_emit(struct flattener *b, struct step s)
{
	struct reg r = result_of(b, &s);
	struct block *block = block_at(b, r.depth);
	uint32_t i;

	for (i = block->step.n; i-- > 0;)
		if (is_same_step(&block->step.at[i], &s))
			return block->step.at[i].to;
	s.to = flat_new_reg(b, uses[s.kind] & TO_ELEM, r);
	vec_push(&block_at(b, r.depth)->step, s);
	return s.to;
}

void
flat_put(struct flattener *b, struct step s)
{
	vec_push(&block_at(b, b->depth)->step, s);
}

/* ---- numbers ------------------------------------------------------------------------------------------- */

struct flat_number
flat_known(int64_t k)
{
	return (struct flat_number){.is_known = true, .k = k, .reg = -1, .there = ALL};
}

int
flat_whole_reg(struct flattener *b, struct flat_number v)
{
	if (v.is_real)
		return flat_emit(b, (struct step){.kind = S_INDEX, .a = v.reg, .mask = ALL});
	return v.is_known ? flat_emit(b, (struct step){.kind = S_WHOLE_CONST, .mask = ALL, .k = v.k}) : v.reg;
}

int
flat_elem_reg(struct flattener *b, struct flat_number v)
{
	if (v.is_real)
		return v.reg;
	if (v.is_known)
		return flat_emit(b, (struct step){.kind = S_NUMBER, .mask = ALL, .num = {v.k, 1, 0}});
	return flat_emit(b, (struct step){.kind = S_ELEM_OF, .a = v.reg, .mask = ALL});
}

/* does fn leave its first operand as it is? */
static bool
is_neutral(enum tn_fn fn, struct flat_number y)
{
	if (!y.is_known)
		return false;
	switch (fn) {
	case TN_F_ADD: case TN_F_SUB: return y.k == 0;
	case TN_F_MUL: case TN_F_FLOORDIV: case TN_F_EXACTDIV: return y.k == 1;
	default: return false;
	}
}

struct flat_number
flat_whole_fn(struct flattener *b, enum tn_fn fn, struct flat_number x, struct flat_number y)
{
	struct flat_number r = flat_known(0);
	int there = flat_and(b, x.there, y.there);

	if (x.is_known && y.is_known) {
		r.k = whole_fn(fn, x.k, y.k);
	} else if (is_neutral(fn, y)) {
		r = x;
	} else if (fn == TN_F_ADD && is_neutral(fn, x)) {
		r = y;
	} else if (fn != TN_F_MUL || ((!x.is_known || x.k) && (!y.is_known || y.k))) {
		r.is_known = false;
		r.reg = flat_emit(b, (struct step){.kind = S_WHOLE_FN, .fn = (uint8_t)fn, .a = flat_whole_reg(b, x),
		    .b = flat_whole_reg(b, y), .mask = ALL});
	}
	r.there = there;
	return r;
}

struct flat_number
flat_or_zero(struct flattener *b, struct flat_number v)
{
	struct flat_number zero = flat_known(0);

	if (v.there == ALL || v.is_zeroed) {
		v.there = ALL;
		return v;
	}
	if (v.is_real)
		zero = (struct flat_number){.is_real = true, .reg = flat_elem_reg(b, zero), .there = ALL};
	return flat_select(b, v.there, v, zero);
}

struct flat_number
flat_select(struct flattener *b, int mask, struct flat_number x, struct flat_number y)
{
	struct flat_number r = {.is_real = x.is_real || y.is_real, .there = ALL};

	if (mask == ALL || mask == NONE) {
		x = mask == ALL ? x : y;
		x.there = ALL;
		return x;
	}
	if (r.is_real)
		r.reg = flat_emit(b, (struct step){.kind = S_SELECT, .a = flat_elem_reg(b, x), .b = flat_elem_reg(b, y), .mask = mask});
	else
		r.reg = flat_emit(b, (struct step){.kind = S_WHOLE_SELECT, .a = flat_whole_reg(b, x), .b = flat_whole_reg(b, y), .mask = mask});
	return r;
}

/* ---- masks --------------------------------------------------------------------------------------------- */

int
flat_mask(struct flattener *b, struct flat_number v)
{
	if (v.is_known)
		return v.k ? ALL : NONE;
	if (flat_reg(b, v)->least == 0 && flat_reg(b, v)->most == 1)
		return v.reg;
	return flat_mask(b, flat_whole_fn(b, TN_F_NE, v, flat_known(0)));
}

struct flat_number
flat_of_mask(int mask)
{
	if (mask == ALL || mask == NONE)
		return flat_known(mask == ALL);
	return (struct flat_number){.reg = mask, .there = ALL};
}

int
flat_inside(struct flattener *b, struct flat_number v, int64_t extent)
{
	const struct reg *r;

	if (v.is_known)
		return tn_inside(v.k, extent) ? ALL : NONE;
	r = flat_reg(b, v);
	if (r->least >= 0 && r->most < extent)
		return ALL;
	return flat_emit(b, (struct step){.kind = S_WHOLE_INSIDE, .a = v.reg, .mask = ALL, .k = extent});
}

int
flat_and(struct flattener *b, int x, int y)
{
	if (x == NONE || y == NONE)
		return NONE;
	if (x == ALL || x == y)
		return y;
	return y == ALL ? x : flat_emit(b, (struct step){.kind = S_WHOLE_FN, .fn = TN_F_AND, .a = x, .b = y, .mask = ALL});
}

int
flat_or(struct flattener *b, int x, int y)
{
	if (x == ALL || y == ALL)
		return ALL;
	if (x == NONE || x == y)
		return y;
	return y == NONE ? x : flat_emit(b, (struct step){.kind = S_WHOLE_FN, .fn = TN_F_OR, .a = x, .b = y, .mask = ALL});
}

int
flat_not(struct flattener *b, int x)
{
	if (x == ALL || x == NONE)
		return x == ALL ? NONE : ALL;
	return flat_emit(b, (struct step){.kind = S_WHOLE_FN, .fn = TN_F_NOT, .a = x, .b = x, .mask = ALL});
}
