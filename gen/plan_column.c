/* What the matches of a pattern carry to the join: its columns, in the order of their places. */
#include "gen/plan_build.h"

static void
add_column(struct build *b, struct column c)
{
	struct column *at;
	uint32_t i = b->p->column.n;

	vec_push(&b->p->column, c);
	at = b->p->column.at;
	for (; i > 0 && ref_compare(c.ref, at[i - 1].ref) < 0; i--)
		at[i] = at[i - 1];
	at[i] = c;
}

uint64_t
plan_named(const struct tn_term *t)
{
	uint64_t named = 0;

	for (int i = 0; i < t->nbind; i++)
		named |= UINT64_C(1) << t->bind[i].attr;	/* below TN_MAX_ATTRS */
	return named;
}

/* Do several left sides of the rule have the very term? */
static bool
is_shared(const struct tn_rule *r, const struct tn_term *t)
{
	int n = 0;

	for (int i = 0; i < r->narrow; i++) {
		struct terms all = {0};

		terms_add(&all, r->arrow[i].from);
		n += map_get(&all.known, &t, sizeof t) != NULL;
		terms_free(&all);
	}
	return n > 1;
}

/* The variable that a let's term has, or -1. */
static int
term_var(const struct tn_rule *r, const struct tn_term *t)
{
	for (int i = 0; i < r->nvar; i++)
		if (r->var[i].kind == TN_R_TERM && r->var[i].term == t)
			return i;
	return -1;
}

/* Siblings agree in what a condition (= LIST [$i ..h]) binds, too: computed, it has no place of its own. */
static void
plan_keys(struct build *b)
{
	const struct tn_rule *r = b->p->rule;
	const struct tn_x *binder;
	int item;

	for (int i = 0; r->is_siblings && i < r->nvar; i++) {
		binder = r->var[i].kind == TN_R_ATTR || r->var[i].kind == TN_R_SEQ ? plan_binder(b->p, i, &item) : NULL;
		if (binder && plan_is_known(b->p, binder->kid[0]))
			add_column(b, (struct column){.ref = {.kind = REF_NONE, .node = -1, .i = i}, .kind = TN_NKINDS, .var = i, .x = binder});
	}
}

void
plan_columns(struct build *b)
{
	const struct tn_rule *r = b->p->rule;

	for (int i = 0; i < r->nvar; i++)
		if (b->p->place[i].kind != REF_NONE && b->p->place[i].kind != REF_ROOT)
			add_column(b, (struct column){.ref = b->p->place[i], .kind = b->kind[i], .var = i,
			    .named = b->p->captured[i] ? plan_named(b->p->captured[i]) : 0});
	plan_keys(b);
	for (uint32_t i = 0; i < b->seen.n; i++) {
		struct todo at = b->seen.at[i];

		if (at.class.at != NODE_EACH && term_var(r, at.term) < 0 && is_shared(r, at.term))
			add_column(b, (struct column){.ref = at.class, .kind = TN_NKINDS, .var = -1, .term = at.term});
	}
	for (uint32_t i = 0; i < b->waiting.n; i++)
		add_column(b, (struct column){.ref = b->waiting.at[i].attr, .kind = TN_NKINDS, .var = -1, .x = b->waiting.at[i].x});
}
