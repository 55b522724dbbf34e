/*
 * Which rules may cover which, without looking at every pair.
 *
 * A feature is what stands at one place of a rule: an operator, a number, an attribute's constant, what a guard
 * calls.  Rule A covers rule B only where B has every feature of A (variables have none), so A is filed under
 * the one of its features that the fewest rules have, and B finds it by one of its own.  Places are hashed; two that
 * collide cost a comparison and no more.
 */
#include "dsl/rule_scope.h"

#include <stdlib.h>

/* what is hashed; zeroed first, as it has gaps */
struct feature {
	uint64_t place;
	int kind, which;		/* operator or attribute */
	struct tn_number num;
};

struct walk {
	struct rule_index *x;
	const struct tn_program_text *text;
	const struct tn_rule *rule;
	bool is_left;
};

static uint64_t
hash_feature(uint64_t place, int kind, int which, struct tn_number num)
{
	struct feature f;

	memset(&f, 0, sizeof f);
	f.place = place;
	f.kind = kind;
	f.which = which;
	f.num.num = num.num;
	f.num.den = num.den;
	f.num.exp10 = num.exp10;
	return hash_bytes(&f, sizeof f);
}

/* the features of t, which stands at `place`; the first two operands of a commutative operator share one */
static void
add_features(struct walk *w, const struct tn_term *t, uint64_t place)
{
	static const struct tn_number none;
	uint64_t here = hash_feature(place, t->kind, t->op, t->num);
	bool swaps = t->kind == TN_T_OP && w->text->op[t->op].is_commutative;
	int i;

	if (t->kind != TN_T_OP && t->kind != TN_T_MAP && t->kind != TN_T_NUM)
		return;
	vec_push(&w->x->feature, here);
	for (i = 0; i < t->nbind && w->is_left; i++) {	/* a result's may be spelt as a let */
		const struct tn_x *x = t->bind[i].x;

		if (x->kind == TN_X_NUM || x->kind == TN_X_TEXT)
			vec_push(&w->x->feature, hash_feature(here, -1 - x->kind, t->bind[i].attr, x->num));
	}
	for (i = 0; i < t->nkid; i++)
		add_features(w, t->kid[i], hash_feature(here, -1, i < 2 && swaps ? 0 : i, none));
}

/* The features of a guard, lets written out; guards stand in any order, so all of them at one place. */
static void
add_guard(struct walk *w, const struct tn_x *x, uint64_t place)
{
	uint64_t here;
	int i;

	while (x->kind == TN_X_VAR && w->rule->var[x->var].kind == TN_R_LET)
		x = w->rule->var[x->var].x;
	if (x->kind == TN_X_VAR || x->kind == TN_X_ANY)
		return;
	here = hash_feature(place, -1 - x->kind, x->fn, x->num);
	vec_push(&w->x->feature, here);
	for (i = 0; i < x->nkid; i++)
		add_guard(w, x->kid[i], hash_feature(here, -1, i, x->num));
}

static int
by_hash(const void *pa, const void *pb)
{
	uint64_t a = *(const uint64_t *)pa, b = *(const uint64_t *)pb;

	return (a > b) - (a < b);
}

static int
by_number(const void *pa, const void *pb)
{
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;

	return (a > b) - (a < b);
}

/* the rule's features, each once, at the end of the list */
static void
add_rule_features(struct walk *w, const struct tn_rule *r)
{
	struct rule_index *x = w->x;
	uint32_t from = x->feature.n, i, n = from;
	int k;

	w->rule = r;
	w->is_left = true;
	add_features(w, r->arrow[0].from, 0);
	w->is_left = false;
	add_features(w, r->arrow[0].to, 1);
	for (k = 0; k < r->nwhen; k++)
		add_guard(w, r->when[k], 2);
	qsort(x->feature.at + from, x->feature.n - from, sizeof *x->feature.at, by_hash);
	for (i = from; i < x->feature.n; i++)
		if (i == from || x->feature.at[i] != x->feature.at[i - 1])
			x->feature.at[n++] = x->feature.at[i];
	x->feature.n = n;
	vec_push(&x->first, n);
}

/* the number under a feature */
static uint32_t *
under(struct map *m, uint64_t feature, uint32_t otherwise)
{
	return map_put(m, &feature, sizeof feature, otherwise, NULL);
}

void
rule_index_make(struct rule_index *x, const struct tn_program_text *text)
{
	struct walk w = {.x = x, .text = text};
	struct map count = {0};
	uint32_t i, k;
	int r;

	*x = (struct rule_index){0};
	vec_push(&x->first, 0);
	for (r = 0; r < text->nrule; r++)
		add_rule_features(&w, &text->rule[r]);
	for (i = 0; i < x->feature.n; i++)
		++*under(&count, x->feature.at[i], 0);
	for (r = 0; r < text->nrule; r++) {
		uint32_t best = x->first.at[r], *head;

		for (k = best + 1; k < x->first.at[r + 1]; k++)
			if (*under(&count, x->feature.at[k], 0) < *under(&count, x->feature.at[best], 0))
				best = k;
		head = under(&x->filed, x->feature.at[best], UINT32_MAX);
		vec_push(&x->next, *head);
		*head = (uint32_t)r;
	}
	map_free(&count);
}

void
rule_index_find(struct rule_index *x, uint32_t rule)
{
	uint32_t k, r, *head;

	x->found.n = 0;
	for (k = x->first.at[rule]; k < x->first.at[rule + 1]; k++) {
		head = map_get(&x->filed, &x->feature.at[k], sizeof x->feature.at[k]);
		for (r = head ? *head : UINT32_MAX; r != UINT32_MAX; r = x->next.at[r])
			if (r != rule)
				vec_push(&x->found, r);
	}
	if (x->found.n)
		qsort(x->found.at, x->found.n, sizeof *x->found.at, by_number);
}

void
rule_index_free(struct rule_index *x)
{
	vec_free(&x->feature);
	vec_free(&x->first);
	vec_free(&x->next);
	vec_free(&x->found);
	map_free(&x->filed);
}
