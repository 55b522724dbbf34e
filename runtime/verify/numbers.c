/*
 * Numbers that are mentioned.  A rule that says 3 where a stride may be more is wrong for 4, one that says 100 for a
 * bound is wrong beyond 100: small draws never come there.  So some are taken from what the rule itself says, from its
 * guards, its attributes and lets, and for elements also from the definitions of its operators.
 */
#include "verify/numbers.h"

#include "base/num.h"
#include "tenon/eval.h"

enum { WHOLE_MOST = 256, LIMIT_LEAST = 3, ORDINARY = 6, MANY = 32 };

/* what is drawn around these fits the rationals for a few products more */
static const int64_t part_most = INT64_C(1) << 20, whole_value_most = INT64_C(1) << 40;

static void
put_whole(struct numbers *n, struct tn_number x)
{
	uint32_t i;

	if (!number_is_int(x) || x.exp10 || x.num < -WHOLE_MOST || x.num > WHOLE_MOST)
		return;
	for (i = 0; i < n->whole.n; i++)
		if (n->whole.at[i] == x.num)
			return;
	if (n->whole.n < MANY)
		vec_push(&n->whole, x.num);
}

/* as a fraction of small parts; false: it is none */
static bool
as_fraction(struct tn_number *x)
{
	for (; x->exp10 < 0 && x->den < part_most; x->exp10++)
		x->den *= 10;
	for (; x->exp10 > 0 && tn_int_abs(x->num) < whole_value_most; x->exp10--)
		x->num *= 10;
	if (x->exp10 || x->den <= 0)
		return false;
	*x = number_make(x->num, x->den);
	return x->den <= part_most && tn_int_abs(x->num) <= (x->den == 1 ? whole_value_most : part_most);
}

static void
put_value(struct numbers *n, struct tn_number x)
{
	int64_t size;
	uint32_t i;

	if (!as_fraction(&x) || (x.den <= 2 && tn_int_abs(x.num) <= ORDINARY))
		return;
	for (i = 0; i < n->value.n; i++)
		if (number_equal(n->value.at[i], x))
			return;
	if (n->value.n == MANY)
		return;
	vec_push(&n->value, x);
	size = tn_int_abs(x.num) / x.den + 1;
	n->most = size > n->most ? size : n->most;
}

/* something is computed with it, or compared: there a rule may stop */
static void
put_limit(struct numbers *n, const struct tn_x *x)
{
	if (x->kind == TN_X_NUM && number_is_int(x->num) && x->num.num >= LIMIT_LEAST && x->num.num <= WHOLE_MOST && n->limit.n < MANY)
		vec_push(&n->limit, x->num.num);
}

/* is_shape: it is about extents and attributes, not about elements alone */
static void
find_in_x(struct numbers *n, const struct tn_x *x, bool is_shape)
{
	int i;

	if (x->kind == TN_X_NUM && x->sort != TN_S_BOOL) {
		put_value(n, x->num);
		if (is_shape)
			put_whole(n, x->num);
	}
	for (i = 0; i < x->nkid; i++) {
		if (!x->kid[i])
			continue;
		if (is_shape && x->kind == TN_X_CALL)
			put_limit(n, x->kid[i]);
		find_in_x(n, x->kid[i], is_shape);
	}
}

static void
find_in_term(struct numbers *n, const struct tn_program_text *text, const struct tn_term *t)
{
	const struct tn_op *op = t->kind == TN_T_OP ? &text->op[t->op] : NULL;
	int i;

	if (t->kind == TN_T_NUM)
		put_value(n, t->num);
	if (op && op->def)
		find_in_x(n, op->def, false);
	for (i = 0; i < t->nbind; i++)
		find_in_x(n, t->bind[i].x, true);
	for (i = 0; i < t->nkid; i++)
		find_in_term(n, text, t->kid[i]);
}

void
numbers_find(struct numbers *n, const struct tn_program_text *text, const struct tn_rule *r)
{
	int i;

	*n = (struct numbers){0};
	for (i = 0; i < r->nwhen; i++)
		find_in_x(n, r->when[i], true);
	for (i = 0; i < r->nvar; i++)
		if (r->var[i].kind == TN_R_LET)
			find_in_x(n, r->var[i].x, true);
	for (i = 0; i < r->narrow; i++) {
		find_in_term(n, text, r->arrow[i].from);
		find_in_term(n, text, r->arrow[i].to);
	}
}

void
numbers_free(struct numbers *n)
{
	vec_free(&n->whole);
	vec_free(&n->limit);
	vec_free(&n->value);
}

bool
numbers_whole(const struct numbers *n, struct rng *rng, int64_t *out)
{
	if (n->whole.n == 0)
		return false;
	*out = n->whole.at[rng_below(rng, n->whole.n)] + (int64_t)rng_below(rng, 3) - 1;
	return true;
}

bool
numbers_limit(const struct numbers *n, struct rng *rng, int64_t *out)
{
	if (n->limit.n == 0)
		return false;
	*out = n->limit.at[rng_below(rng, n->limit.n)];
	return true;
}

static struct tn_number
middle(struct tn_number a, struct tn_number b)
{
	return number_make(a.num * b.den + b.num * a.den, 2 * a.den * b.den);
}

struct tn_number
numbers_value(const struct numbers *n, struct rng *rng)
{
	struct tn_number x = n->value.at[rng_below(rng, n->value.n)], y = n->value.at[rng_below(rng, n->value.n)];
	int64_t some = (int64_t)rng_below(rng, 5) - 2;

	switch (rng_below(rng, 6)) {
	case 0: return x;
	case 1: return number_make(x.num + some * x.den, x.den);
	case 2: return number_make(some * x.num + (int64_t)rng_below(rng, 2) * x.den, x.den);
	case 3: return middle(x, y);
	case 4: return x.num ? number_make(x.num < 0 ? -x.den : x.den, tn_int_abs(x.num)) : x;
	default: return number_make(n->most * ((int64_t)rng_below(rng, 17) - 8), 4);
	}
}
