/* What is legal and still wrong: a rule that another covers, and patterns that share no variable. */
#include "dsl/rule_scope.h"

/* ---- patterns without a common variable ------------------------------------------------------------------- */

static void
mark_value(const struct tn_x *x, bool in[])
{
	int i;

	if (x->kind == TN_X_VAR)
		in[x->var] = true;
	for (i = 0; i < x->nkid; i++)
		mark_value(x->kid[i], in);
}

/* the variables that stand in the term */
static void
mark(const struct tn_term *t, bool in[])
{
	int i;

	if (t->var >= 0)
		in[t->var] = true;
	if (t->capture >= 0)
		in[t->capture] = true;
	for (i = 0; i < t->nbind; i++)
		mark_value(t->bind[i].x, in);
	for (i = 0; i < t->nkid; i++)
		mark(t->kid[i], in);
}

/* does pattern `in` have a variable that is reached?  Then all of its are. */
static bool
reach(const bool in[], bool reached[], int nvar)
{
	bool meets = false;
	int i;

	for (i = 0; i < nvar; i++)
		meets |= in[i] && reached[i];
	for (i = 0; i < nvar && meets; i++)
		reached[i] |= in[i];
	return meets;
}

/* a pattern that cannot be reached from the first over common variables, or -1 */
static int
lone_pattern(struct check *c, const struct tn_rule *r)
{
	size_t n = (size_t)r->nvar;
	bool *in = arena_news(c->arena, (size_t)r->narrow * n, bool), *reached = arena_news(c->arena, n, bool);
	int i, round, lone = -1;

	for (i = 0; i < r->narrow; i++)
		mark(r->arrow[i].from, &in[(size_t)i * n]);
	mark(r->arrow[0].from, reached);
	for (round = 1; round < r->narrow; round++)	/* each reaches one more, or none */
		for (lone = -1, i = r->narrow - 1; i > 0; i--)
			if (!reach(&in[(size_t)i * n], reached, r->nvar))
				lone = i;
	return lone;
}

/* do all siblings have something in common: a variable that is not each one's own? */
static bool
are_related(struct check *c, const struct tn_rule *r)
{
	bool *in = arena_news(c->arena, (size_t)r->nvar, bool);
	int i;

	mark(r->arrow[0].from, in);
	for (i = 0; i < r->nvar; i++)
		if (in[i] && r->var[i].kind != TN_R_TENSORS)
			return true;
	return false;
}

static void
check_product(struct check *c, struct tn_rule *r)
{
	int lone = lone_pattern(c, r);

	if (r->is_siblings && !are_related(c, r)) {
		r->is_off = true;
		diag_at(c->diags, D_PRODUCT, r->arrow[0].at, "these siblings have no variable in common: all matches in the graph are one");
		diag_hint(c->diags, r->arrow[0].at, "'%s' is off unless it is enabled by name", r->name);
	}
	if (lone < 0)
		return;
	r->is_off = true;
	diag_at(c->diags, D_PRODUCT, r->arrow[lone].at, "this pattern shares no variable with the first: every match of one goes with "
	    "every match of the other");
	diag_note(c->diags, r->arrow[0].at, "the first");
	diag_hint(c->diags, r->arrow[lone].at, "'%s' is off unless it is enabled by name", r->name);
}

/* ---- rules that say what others say ------------------------------------------------------------------------- */

static bool
is_place(struct tn_span a, struct tn_span b)
{
	return a.file == b.file && a.from == b.from;
}

/* say that rule r is among those of k; instances of one form once */
static void
report(struct check *c, enum slug slug, const struct tn_rule *r, const struct tn_rule *k, struct tn_span said[2])
{
	if (is_place(said[0], r->at) && is_place(said[1], k->at))
		return;
	said[0] = r->at;
	said[1] = k->at;
	if (slug == D_DUPLICATE_RULE)
		diag_at(c->diags, slug, r->at, "'%s' says what '%s' says", r->name, k->name);
	else
		diag_at(c->diags, slug, r->at, "'%s' is a case of '%s'", r->name, k->name);
	if (is_place(r->at, k->at) && (r->is_backward || k->is_backward))
		diag_hint(c->diags, r->at, "'=>' says it once");
	else
		diag_note(c->diags, k->at, slug == D_DUPLICATE_RULE ? "here" : "the more general rule");
}

/* one message about rule i, if any; k goes through those that may say as much */
static void
check_covered(struct check *c, const struct tn_program_text *text, struct rule_index *x, uint32_t i, struct tn_span said[2])
{
	const struct tn_rule *r = &text->rule[i], *k;
	uint32_t n;

	rule_index_find(x, i);
	c->r->ncompared += x->found.n;
	for (n = 0; n < x->found.n && x->found.at[n] < i; n++) {
		k = &text->rule[x->found.at[n]];
		if (rule_is_same(text, k, r)) {
			report(c, D_DUPLICATE_RULE, r, k, said);
			return;
		}
	}
	for (n = 0; n < x->found.n; n++) {
		k = &text->rule[x->found.at[n]];
		if (rule_covers(text, k, r) && !rule_covers(text, r, k)) {
			report(c, D_COVERED_RULE, r, k, said);
			return;
		}
	}
}

void
lint_rules(struct check *c)
{
	struct tn_program_text text = {.op = c->op.at, .rule = c->rule.at, .nrule = (int)c->rule.n};
	struct tn_span said[2] = {{UINT32_MAX, 0, 0}, {UINT32_MAX, 0, 0}};
	struct rule_index x;
	uint32_t i;

	rule_index_make(&x, &text);
	for (i = 0; i < c->rule.n; i++) {
		check_product(c, &c->rule.at[i]);
		check_covered(c, &text, &x, i, said);
	}
	rule_index_free(&x);
}
