/* The steps of a flat form done, `lanes` elements at a time. */
#include "ref/flat_code.h"

struct running {
	struct flat *f;
	struct domain_run *run;
	const union elem *const *in;
	int n;				/* lanes in use */
};

static int64_t *
whole(const struct running *r, int reg)
{
	return r->f->wholes + (size_t)reg * (size_t)r->f->lanes;
}

static union elem *
elem(const struct running *r, int reg)
{
	return r->f->elems + (size_t)reg * (size_t)r->f->lanes;
}

/* distance between lanes: 0 where all have the same */
static int
whole_gap(const struct running *r, int reg)
{
	return !r->f->whole.at[reg].is_uniform;
}

static int
elem_gap(const struct running *r, int reg)
{
	return !r->f->elem.at[reg].is_uniform;
}

/* The lanes of a mask. */
struct lanes {
	const int64_t *at;
	int gap;
};

static const int64_t one = 1, zero = 0;

static struct lanes
lanes_of(const struct running *r, int mask)
{
	if (mask < 0)
		return (struct lanes){mask == ALL ? &one : &zero, 0};
	return (struct lanes){whole(r, mask), whole_gap(r, mask)};
}

/* ---- whole numbers ---------------------------------------------------------------------------------------- */

/* out[i] = what is made of x and y, where either may be one for all lanes */
#define EACH(what) do { \
	if (xgap && ygap) \
		for (i = 0; i < n; i++) { int64_t x = a[i], y = b[i]; out[i] = what; } \
	else if (xgap) \
		for (i = 0; i < n; i++) { int64_t x = a[i], y = b[0]; out[i] = what; } \
	else \
		for (i = 0; i < n; i++) { int64_t x = a[0], y = b[i * ygap]; out[i] = what; } \
} while (0)

static void
whole_each(enum tn_fn fn, int n, const int64_t *a, int xgap, const int64_t *b, int ygap, int64_t *out)
{
	int i;

	switch (fn) {
	case TN_F_ADD: EACH(x + y); break;
	case TN_F_SUB: EACH(x - y); break;
	case TN_F_MUL: EACH(x * y); break;
	case TN_F_EQ: EACH(x == y); break;
	case TN_F_LT: EACH(x < y); break;
	case TN_F_AND: EACH(x & y); break;
	case TN_F_OR: EACH(x | y); break;
	default: EACH(whole_fn(fn, x, y));
	}
}

static void
inside_each(int n, const int64_t *a, int64_t extent, int64_t *out)
{
	int i;

	for (i = 0; i < n; i++)
		out[i] = tn_inside(a[i], extent);
}

static void
whole_step(const struct running *r, const struct step *s)
{
	int n = whole_gap(r, s->to) ? r->n : 1, i, agap, bgap;
	int64_t *out = whole(r, s->to);
	const int64_t *a, *b;
	struct lanes m;

	switch (s->kind) {
	case S_WHOLE_CONST:
		*out = s->k;
		break;
	case S_WHOLE_FN:
		whole_each((enum tn_fn)s->fn, n, whole(r, s->a), whole_gap(r, s->a), whole(r, s->b), whole_gap(r, s->b), out);
		break;
	case S_WHOLE_INSIDE:
		inside_each(n, whole(r, s->a), s->k, out);
		break;
	default:
		m = lanes_of(r, s->mask);
		a = whole(r, s->a);
		b = whole(r, s->b);
		agap = whole_gap(r, s->a);
		bgap = whole_gap(r, s->b);
		for (i = 0; i < n; i++)
			out[i] = m.at[i * m.gap] ? a[i * agap] : b[i * bgap];
	}
}

/* ---- elements --------------------------------------------------------------------------------------------- */

static bool
order_holds(const struct domain *d, enum tn_fn fn, union elem a, union elem b)
{
	int order = d->order(a, b);

	return order == 2 ? fn == TN_F_NE : whole_fn(fn, order, 0) != 0;
}

/* order's answer for each lane; where there is no order, only = and != have one */
static void
compare_step(const struct running *r, const struct step *s)
{
	const struct domain *d = r->run->domain;
	int n = whole_gap(r, s->to) ? r->n : 1, i, agap = elem_gap(r, s->a), bgap = elem_gap(r, s->b);
	const union elem *a = elem(r, s->a), *b = elem(r, s->b);
	bool is_equality = s->fn == TN_F_EQ || s->fn == TN_F_NE;
	struct lanes m = lanes_of(r, s->mask);
	int64_t *out = whole(r, s->to);

	for (i = 0; i < n; i++) {
		if (d->order)
			out[i] = order_holds(d, (enum tn_fn)s->fn, a[i * agap], b[i * bgap]);
		else
			out[i] = is_equality && d->equal(a[i * agap], b[i * bgap]) == (s->fn == TN_F_EQ);
	}
	for (i = 0; i < r->n && !d->order && !is_equality; i++)
		if (m.at[i * m.gap])
			r->run->trouble = DOMAIN_LACKS;
}

static bool
is_any(const struct running *r, struct lanes m)
{
	int i;

	for (i = 0; i < r->n; i++)
		if (m.at[i * m.gap])
			return true;
	return false;
}

static void
fn_step(const struct running *r, const struct step *s)
{
	struct lanes m = lanes_of(r, s->mask);
	struct domain_span to = {.n = r->n, .a = elem(r, s->a), .agap = elem_gap(r, s->a), .b = elem(r, s->b), .bgap = elem_gap(r, s->b),
	    .mask = m.at, .mgap = m.gap, .out = elem(r, s->to)};

	if (!elem_gap(r, s->to)) {
		if (!is_any(r, m))
			return;
		to.n = 1;
		to.mask = &one;
	}
	r->run->domain->each(r->run, (enum tn_fn)s->fn, &to);
}

static void
read_step(const struct running *r, const struct step *s)
{
	int n = elem_gap(r, s->to) ? r->n : 1, i, gap = whole_gap(r, s->a);
	union elem nothing = r->run->domain->number(r->run, (struct tn_number){0, 1, 0}), *out = elem(r, s->to);
	struct lanes m = lanes_of(r, s->mask);
	const int64_t *offset = whole(r, s->a);
	const union elem *in = r->in[s->k];

	for (i = 0; i < n; i++)
		out[i] = m.at[i * m.gap] ? in[offset[i * gap]] : nothing;
}

static void
elem_step(const struct running *r, const struct step *s)
{
	int n = elem_gap(r, s->to) ? r->n : 1, i, agap, bgap;
	union elem *out = elem(r, s->to);
	const union elem *a, *b;
	struct lanes m;

	switch (s->kind) {
	case S_NUMBER:
		*out = r->run->domain->number(r->run, s->num);
		break;
	case S_ELEM_OF:
		for (i = 0; i < n; i++)
			out[i] = r->run->domain->number(r->run, (struct tn_number){whole(r, s->a)[i], 1, 0});
		break;
	default:
		m = lanes_of(r, s->mask);
		a = elem(r, s->a);
		b = elem(r, s->b);
		agap = elem_gap(r, s->a);
		bgap = elem_gap(r, s->b);
		for (i = 0; i < n; i++)
			out[i] = m.at[i * m.gap] ? a[i * agap] : b[i * bgap];
	}
}

static void
index_step(const struct running *r, const struct step *s)
{
	int n = whole_gap(r, s->to) ? r->n : 1, i;
	int64_t *out = whole(r, s->to);

	for (i = 0; i < n; i++)
		out[i] = r->run->domain->index(elem(r, s->a)[i]);
}

/* ---- reductions ---------------------------------------------------------------------------------------------- */

/* A sum begins with 0, the others with the first that they meet. */
static void
begin_step(const struct running *r, const struct step *s)
{
	union elem nothing = r->run->domain->number(r->run, (struct tn_number){0, 1, 0});
	int i;

	for (i = 0; i < r->n; i++) {
		elem(r, s->to)[i] = nothing;
		whole(r, s->b)[i] = s->fn == TN_F_ADD;
	}
}

static void
take_step(const struct running *r, const struct step *s)
{
	struct lanes m = lanes_of(r, s->mask);
	union elem *to = elem(r, s->to), *a = elem(r, s->a);
	int64_t *any = whole(r, s->b), both[LANES];
	struct domain_span span = {.n = r->n, .a = to, .agap = 1, .b = a, .bgap = elem_gap(r, s->a), .mask = m.at, .mgap = m.gap,
	    .out = to};
	int i;

	if (s->fn != TN_F_ADD) {
		for (i = 0; i < r->n; i++) {
			both[i] = any[i] & m.at[i * m.gap];
			if (m.at[i * m.gap] && !any[i])
				to[i] = a[i * span.bgap];
			any[i] |= m.at[i * m.gap];
		}
		span.mask = both;
		span.mgap = 1;
	}
	r->run->domain->each(r->run, (enum tn_fn)s->fn, &span);
}

static void
end_step(const struct running *r, const struct step *s)
{
	struct lanes m = lanes_of(r, s->mask);
	int i;

	for (i = 0; i < r->n; i++)
		if (!whole(r, s->b)[i] && m.at[i * m.gap])
			elem(r, s->to)[i] = r->run->domain->number(r->run, s->num);
}

/* ---- blocks --------------------------------------------------------------------------------------------------- */

static void run_block(const struct running *, int block);

static void
loop_step(const struct running *r, const struct step *s)
{
	const int64_t *extent = whole(r, s->a);
	int64_t most = extent[0], k;
	int i;

	for (i = 1; i < r->n && whole_gap(r, s->a); i++)
		most = tn_int_max(most, extent[i]);
	for (k = 0; k < most && !r->run->trouble; k++) {
		*whole(r, s->to) = k;
		run_block(r, (int)s->k);
	}
}

static void
run_block(const struct running *r, int block)
{
	const struct block *b = &r->f->block.at[block];
	uint32_t i;

	for (i = 0; i < b->step.n; i++) {
		const struct step *s = &b->step.at[i];

		switch (s->kind) {
		case S_WHOLE_CONST: case S_WHOLE_FN: case S_WHOLE_INSIDE: case S_WHOLE_SELECT: whole_step(r, s); break;
		case S_INDEX: index_step(r, s); break;
		case S_COMPARE: compare_step(r, s); break;
		case S_NUMBER: case S_ELEM_OF: case S_SELECT: elem_step(r, s); break;
		case S_FN: fn_step(r, s); break;
		case S_READ: read_step(r, s); break;
		case S_BEGIN: begin_step(r, s); break;
		case S_TAKE: take_step(r, s); break;
		case S_END: end_step(r, s); break;
		case S_LOOP: loop_step(r, s); break;
		}
	}
}

/* the indices of elements from `flat` on, a lane each */
static void
place(const struct running *r, int64_t flat)
{
	const struct flat *f = r->f;
	int64_t at[TN_MAX_RANK];
	int i, a;

	for (a = f->nindex; a-- > 0;) {
		at[a] = tn_int_mod(flat, f->extent[a]);
		flat = tn_int_div(flat, f->extent[a]);
	}
	for (i = 0; i < r->n; i++) {
		for (a = 0; a < f->nindex; a++)
			whole(r, a)[i] = at[a];
		for (a = f->nindex; a-- > 0 && ++at[a] == f->extent[a];)
			at[a] = 0;
	}
}

bool
flat_run(struct flat *f, struct domain_run *run, const union elem *const in[], union elem *out)
{
	struct running r = {f, run, in, 0};
	int64_t at;
	int i;

	for (at = f->from; at < f->to && !run->trouble; at += r.n) {
		r.n = f->to - at < f->lanes ? (int)(f->to - at) : f->lanes;
		place(&r, at);
		run_block(&r, 0);
		for (i = 0; i < r.n; i++)
			out[at - f->from + i] = elem(&r, f->result)[i * elem_gap(&r, f->result)];
	}
	return !run->trouble;
}
