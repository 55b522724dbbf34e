/* Values of an instance, operator by operator; see values.h. */
#include "verify/values.h"

#include <math.h>
#include <string.h>

#include "base/dtype.h"
#include "base/mem.h"
#include "base/num.h"
#include "ref/flat.h"
#include "tenon/eval.h"
#include "tensor/element.h"
#include "tensor/print.h"
#include "verify/whole.h"

enum { REDRAWS = 16, TERM_MOST = 10000 };

/* A node's elements, and how they are computed. */
struct value {
	bool is_needed;
	int64_t n;
	union elem *elem;
	struct tn_array in[KIDS_MAX], out;	/* shapes */
	struct tn_eval ev;
	struct flat *flat;			/* NULL: the walker does it */
};

struct values {
	const struct instance *in;
	struct value *at;			/* by node */
	bool has_defs, has_exp;
	struct domain_run run;
	unsigned way;
};

int64_t
values_size(const struct instance *in)
{
	int64_t n = 0;
	uint32_t i;

	for (i = 0; i < in->node.n; i++)
		if (!num_add(n, instance_count(in, (int)i), &n))
			return INT64_MAX;
	return n;
}

static bool
evaluate(struct values *v, int node)
{
	const struct vnode *x = &v->in->node.at[node];
	struct value *to = &v->at[node];
	const union elem *elem[KIDS_MAX];
	int i;

	for (i = 0; i < x->nkid; i++)
		elem[i] = v->at[x->kid[i]].elem;
	return to->flat ? flat_run(to->flat, &v->run, elem, to->elem) : domain_eval(&v->run, &to->ev, elem, to->elem);
}

/* are elements of this type whole numbers that are stored? */
static bool
is_whole(const struct values *v, enum tn_dtype type)
{
	return !dtype_is_float(v->in->dtype) && !dtype_is_float(type) && v->run.domain == &domain_ratio;
}

/* A result as an element of an integer type holds it; false: the domain does not know what that is. */
static bool
store_element(struct values *v, enum tn_dtype type, union elem *e)
{
	const struct domain *d = v->run.domain;
	int64_t x;

	if (d == &domain_real) {
		e->real = element_round(type, e->real);
		return true;
	}
	if (d == &domain_ratio && e->ratio.den == 0)
		return false;
	x = d == &domain_ratio ? e->ratio.num / e->ratio.den : d->index(*e);
	if (d != &domain_ratio && x == TN_OUTSIDE) {
		v->run.trouble = DOMAIN_LACKS;
		return false;
	}
	if (d == &domain_ratio || whole_stored(type, x) != x)
		*e = d->number(&v->run, (struct tn_number){whole_stored(type, x), 1, 0});
	return true;
}

/* the elements of one result, in the domain and in the result's type */
static bool
evaluate_stored(struct values *v, int node)
{
	enum tn_dtype type = instance_shape(v->in, node)->dtype;
	int64_t i;

	if (!evaluate(v, node))
		return false;
	for (i = 0; i < v->at[node].n && !dtype_is_float(type) && type != TN_STRING; i++)
		if (!store_element(v, type, &v->at[node].elem[i]))
			return false;
	return true;
}

/* Whole numbers among floats are conditions and indices: some of those lie outside. */
static int64_t
draw_index(struct values *v, enum tn_dtype type)
{
	static const int64_t index[] = {0, 1, 2, 3, 0, 1, 2, 3, 4, 6, 9, -1, -2};
	int64_t n = type == TN_BOOL ? 2 : sizeof index / sizeof *index;

	return whole_stored(type, index[rng_below(&v->run.rng, (uint32_t)n)]);
}

/* a variable's elements */
static void
draw_elements(struct values *v, int node)
{
	const struct domain *d = v->run.domain;
	enum tn_dtype type = instance_shape(v->in, node)->dtype;
	struct value *to = &v->at[node];
	int64_t i;

	for (i = 0; i < to->n; i++)
		if (dtype_is_float(type) && v->way & WAY_MENTIONED && rng_below(&v->run.rng, 2))
			to->elem[i] = d->number(&v->run, numbers_value(&v->in->numbers, &v->run.rng));
		else if (dtype_is_float(type))
			to->elem[i] = d->draw(&v->run, v->way);
		else
			to->elem[i] = d->number(&v->run, (struct tn_number){is_whole(v, type) ?
			    whole_draw(&v->run.rng, type, v->way) : draw_index(v, type), 1, 0});
}

/* fill the elements of one value */
static bool
fill(struct values *v, int node)
{
	const struct vnode *x = &v->in->node.at[node];
	const struct domain *d = v->run.domain;
	union elem number, *elem = v->at[node].elem;
	int64_t n = v->at[node].n, i;

	switch (x->kind) {
	case V_OPERATOR:
		return evaluate_stored(v, node);
	case V_NUMBER:
		number = d->number(&v->run, x->num);
		if (is_whole(v, instance_shape(v->in, node)->dtype) && (number.ratio.den != 1 ||
		    whole_stored(instance_shape(v->in, node)->dtype, number.ratio.num) != number.ratio.num))
			return false;
		for (i = 0; i < n; i++)
			elem[i] = number;
		return v->run.trouble == DOMAIN_FINE;
	default:
		draw_elements(v, node);
		return true;
	}
}

/* the size that differences are measured by: the largest element's */
static double
scale(const union elem *a, int64_t n)
{
	double most = 0;
	int64_t i;

	for (i = 0; i < n; i++)
		if (isfinite(a[i].real) && fabs(a[i].real) > most)
			most = fabs(a[i].real);
	return most;
}

static bool
is_far(const struct values *v)
{
	return domain_is_far(v->way) || v->way & WAY_MENTIONED;
}

/* Far out doubles end where the reals do not: has every element on the way digits to spare? */
static bool
is_moderate(const struct values *v)
{
	uint32_t i;
	int64_t k;

	for (i = 0; i < v->in->node.n; i++)
		for (k = 0; v->at[i].is_needed && k < v->at[i].n; k++) {
			double x = fabs(v->at[i].elem[k].real);

			if (!(x == 0 || (x > 1e-280 && x < 1e280)))
				return false;
		}
	return true;
}

/* What differences are measured by: far out a result may be what is left of larger terms. */
static double
scale_of(const struct values *v, int arrow)
{
	double most = scale(v->at[v->in->from[arrow]].elem, v->at[v->in->from[arrow]].n);
	uint32_t i;

	for (i = 0; i < v->in->node.n && is_far(v); i++)
		if (v->at[i].is_needed && v->in->node.at[i].kind != V_LEAF)
			most = fmax(most, fmin(scale(v->at[i].elem, v->at[i].n), TERM_MOST));
	return most;
}

/* What is near 0 may be what is left of numbers near 1, log(exp x): it is exact to their last digit, not to its own. */
static bool
is_same(const struct values *v, union elem a, union elem b, double most)
{
	if (v->run.domain->equal(a, b))
		return true;
	if (v->run.domain != &domain_real)
		return false;
	return isfinite(a.real) && isfinite(b.real) && fabs(a.real - b.real) <= 1e-9 * (most + fabs(a.real)) + 1e-15;
}

static uint32_t
larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* a/b = c/d is ad = cb: the degree of ad */
static uint32_t
cross_degree(union elem a, union elem b)
{
	return a.chain.degree + b.chain.below;
}

static void
compare_arrow(const struct values *v, int arrow, struct comparison *c)
{
	const union elem *left = v->at[v->in->from[arrow]].elem, *right = v->at[v->in->to[arrow]].elem;
	const struct domain *d = v->run.domain;
	int64_t n = v->at[v->in->from[arrow]].n, i;
	double most = d == &domain_real ? scale_of(v, arrow) : 0;
	bool is_chain = d == &domain_chain || d == &domain_chain_max;

	for (i = 0; i < n && c->outcome == SAME; i++) {
		if (is_chain)
			c->degree = larger(c->degree, larger(cross_degree(left[i], right[i]), cross_degree(right[i], left[i])));
		c->is_lowered |= is_chain && (left[i].chain.nlevel < v->run.nlevel || right[i].chain.nlevel < v->run.nlevel);
		c->is_seen |= d != &domain_real || !isnan(left[i].real);
		if (!is_same(v, left[i], right[i], most)) {
			c->outcome = DIFFERENT;
			c->arrow = arrow;
			c->element = i;
			c->left = left[i];
			c->right = right[i];
		}
	}
}

static bool
compute_all(struct values *v)
{
	uint32_t i;

	for (i = 0; i < v->in->node.n; i++)
		if (v->at[i].is_needed && !fill(v, (int)i))
			return false;
	return true;
}

struct comparison
values_compare(struct values *v, const struct domain *d, uint64_t seed, unsigned way)
{
	struct comparison c = {.outcome = v->has_defs ? LACKING : UNDEFINED};
	int i, redraw;

	v->way = way;
	for (redraw = 0; redraw < REDRAWS && c.outcome == LACKING; redraw++) {
		v->run = domain_start(d, seed + ((uint64_t)redraw << 40));
		v->run.reach = way & WAY_MENTIONED ? 2 * v->in->numbers.most : 0;
		if (!v->has_exp)
			v->run.nlevel = 1;
		if (compute_all(v) && (d != &domain_real || !is_far(v) || is_moderate(v))) {
			c.outcome = SAME;
			for (i = 0; i < v->in->narrow; i++)
				compare_arrow(v, i, &c);
		}
		c.is_keyed = v->run.is_keyed;
		if (v->run.trouble == DOMAIN_LACKS)
			break;
	}
	return c;
}

/* ---- the instance made ready ------------------------------------------------------------------------------ */

static bool
mentions(const struct tn_x *x, enum tn_fn fn)
{
	int i;

	if (x->kind == TN_X_CALL && x->fn == fn)
		return true;
	for (i = 0; i < x->nkid; i++)
		if (x->kid[i] && mentions(x->kid[i], fn))
			return true;
	return false;
}

static void
mark(struct values *v, int node)
{
	const struct vnode *x = &v->in->node.at[node];
	int i;

	if (v->at[node].is_needed)
		return;
	v->at[node].is_needed = true;
	v->has_defs &= x->kind != V_OPERATOR || x->op->def;
	v->has_exp |= x->kind == V_OPERATOR && x->op->def && mentions(x->op->def, TN_F_EXP);
	for (i = 0; i < x->nkid; i++)
		mark(v, x->kid[i]);
}

static void
make_ready(struct values *v, int node)
{
	const struct vnode *x = &v->in->node.at[node];
	struct value *to = &v->at[node];
	int i;

	to->n = instance_count(v->in, node);
	to->elem = mem_alloc((size_t)to->n * sizeof *to->elem + 1);
	if (x->kind != V_OPERATOR || !x->op->def)
		return;
	to->out = instance_array(v->in, node);
	for (i = 0; i < x->nkid; i++)
		to->in[i] = instance_array(v->in, x->kid[i]);
	to->ev = (struct tn_eval){.ctx = v->in->ctx, .op = x->op, .attrs = x->attrs, .nin = x->nkid, .in = to->in, .out = &to->out,
	    .to = to->n};
	to->flat = flat_new(&to->ev);
}

struct values *
values_new(const struct instance *in)
{
	struct values *v = mem_alloc(sizeof *v);
	uint32_t i;
	int arrow;

	*v = (struct values){.in = in, .at = mem_alloc((in->node.n + 1) * sizeof *v->at), .has_defs = true};
	for (arrow = 0; arrow < in->narrow; arrow++) {
		mark(v, in->from[arrow]);
		mark(v, in->to[arrow]);
	}
	for (i = 0; i < in->node.n && v->has_defs; i++)
		if (v->at[i].is_needed)
			make_ready(v, (int)i);
	return v;
}

void
values_free(struct values *v)
{
	uint32_t i;

	for (i = 0; i < v->in->node.n; i++) {
		mem_free(v->at[i].elem);
		flat_free(v->at[i].flat);
	}
	mem_free(v->at);
	mem_free(v);
}

/* ---- for people ------------------------------------------------------------------------------------------ */

static void
put_type(const struct instance *in, int node, struct buf *b)
{
	print_type(b, in->ctx, in->node.at[node].type);
}

/* what a capture holds that is not the default */
static void
put_record(const struct instance *in, const struct bound *v, struct buf *b)
{
	const tn_val *value;
	int n, i;
	bool is_any = false;

	value = tn_attrs_get(in->ctx, v->record, &n);
	for (i = 0; i < n; i++) {
		if (value[i] == attr_default(in->ctx, &v->op->attr[i]))
			continue;
		buf_printf(b, " :%s ", v->op->attr[i].name);
		print_val(b, in->ctx, v->op->attr[i].enums, value[i]);
		is_any = true;
	}
	if (!is_any)
		buf_puts(b, " all as by default");
}

static void
put_variable(const struct instance *in, int var, struct buf *b)
{
	const struct tn_rvar *decl = &in->rule->var[var];
	const struct bound *v = &in->now.var[var];
	int i;

	if (!v->is_set)
		return;
	switch (decl->kind) {
	case TN_R_TENSOR:
		buf_printf(b, "    ?%s ", decl->name);
		put_type(in, v->node, b);
		break;
	case TN_R_TENSORS:
		buf_printf(b, "    ?%s...", decl->name);
		for (i = 0; i < v->n; i++) {
			buf_putc(b, ' ');
			put_type(in, v->run[i], b);
		}
		break;
	case TN_R_ATTR:
	case TN_R_SEQ:
		buf_printf(b, "    %s%s ", decl->kind == TN_R_SEQ ? ".." : "$", decl->name);
		print_val(b, in->ctx, NULL, v->value);
		break;
	case TN_R_CAPTURE:
		buf_printf(b, "    ..%s", decl->name);
		put_record(in, v, b);
		break;
	default:
		return;
	}
	buf_putc(b, '\n');
}

/* the element's indices */
static void
put_place(const struct tn_shape *t, int64_t flat, struct buf *b)
{
	int64_t at[TN_MAX_RANK];
	int i;

	for (i = t->rank; i-- > 0; flat /= t->dim[i])
		at[i] = flat % t->dim[i];
	buf_putc(b, '[');
	for (i = 0; i < t->rank; i++)
		buf_printf(b, i ? " %lld" : "%lld", (long long)at[i]);
	buf_putc(b, ']');
}

/* in what both sides are compared */
static void
put_domain(const struct instance *in, const struct domain *d, struct buf *b)
{
	if (dtype_is_float(in->dtype))
		buf_puts(b, d->name);
	else
		buf_printf(b, "stored as %s", dtype_name(in->dtype));
}

void
values_print(const struct instance *in, const struct domain *d, const struct comparison *c, struct buf *b)
{
	char left[64], right[64];
	int i;

	for (i = 0; i < in->rule->nvar; i++)
		put_variable(in, i, b);
	d->print(c->left, left, sizeof left);
	d->print(c->right, right, sizeof right);
	buf_puts(b, "    element ");
	put_place(instance_shape(in, in->from[c->arrow]), c->element, b);
	if (in->narrow > 1)
		buf_printf(b, " of %s %d", in->rule->is_siblings ? "sibling" : "arrow", c->arrow + 1);
	buf_printf(b, ": %s on the left, %s on the right (", left, right);
	put_domain(in, d, b);
	buf_puts(b, ")\n");
}

void
values_print_unlike(const struct instance *in, struct buf *b)
{
	int i;

	for (i = 0; i < in->rule->nvar; i++)
		put_variable(in, i, b);
	buf_puts(b, "    shape ");
	put_type(in, in->from[in->unlike], b);
	buf_puts(b, " on the left, ");
	put_type(in, in->to[in->unlike], b);
	buf_puts(b, " on the right");
	if (in->narrow > 1)
		buf_printf(b, ", of %s %d", in->rule->is_siblings ? "sibling" : "arrow", in->unlike + 1);
	buf_putc(b, '\n');
}
