/* The lets of an operator: extents by computation, put in order of use. */
#include <string.h>

#include "dsl/op_scope.h"

void
op_declare_let(struct check *c, struct op_scope *o, const struct sexp *clause)
{
	const struct sexp *name = clause->kid->next;

	if (clause->nkid != 3 || (name->kind != S_NAME && name->kind != S_REST) || name->at_name) {
		diag_at(c->diags, D_BAD_FORM, clause->at, "a let names an extent or a sequence: (let p E), (let ..e E)");
		return;
	}
	if (op_scope_find(o, name->text, name->kind == S_REST) >= 0)
		diag_at(c->diags, D_DUPLICATE, name->at, "the name '%s' is taken", name->text);
	else
		op_scope_add(o, name->text, TN_V_LET, name->kind == S_REST ? TN_S_LIST : TN_S_INT, -1, -1);
}

void
op_check_let(struct check *c, struct op_scope *o, const struct sexp *clause)
{
	const struct sexp *name = clause->kid->next;
	const struct tn_x *x;
	int var;

	if (clause->nkid != 3 || (name->kind != S_NAME && name->kind != S_REST))
		return;
	var = op_scope_find(o, name->text, name->kind == S_REST);
	if (var < 0 || o->var.at[var].kind != TN_V_LET)
		return;
	x = expr_check(c, &o->s, name->next, o->var.at[var].sort);
	if (x)
		vec_push(&o->let, ((struct tn_let){(int16_t)var, x}));
}

/* a set of variables */
struct names {
	uint64_t word[NAMES_LIMIT / 64];
};

static void
add(struct names *set, int var)
{
	set->word[var / 64] |= UINT64_C(1) << var % 64;
}

/* the variables that x names, added to the set */
static void
add_uses(const struct tn_x *x, struct names *set)
{
	int i;

	if (x->kind == TN_X_VAR || x->kind == TN_X_EXTENT || x->kind == TN_X_BEFORE)
		add(set, x->var);
	for (i = 0; i < x->niter; i++)
		add(set, x->iter[i]);
	for (i = 0; i < x->nkid; i++)
		if (x->kid[i])
			add_uses(x->kid[i], set);
}

static bool
is_used(const struct names *set, int var)
{
	return set->word[var / 64] >> var % 64 & 1;
}

/* lets being put in order */
struct order {
	const struct tn_let *let;
	uint32_t n, done;
	struct names *uses;		/* by let */
	enum { LET_NEW, LET_OPEN, LET_DONE } *state;
	struct tn_let *sorted;
};

/* a let after those that it names; false, said, if it is among them */
static bool
place(struct check *c, const struct op_scope *o, struct order *s, uint32_t i)
{
	uint32_t k;

	if (s->state[i] == LET_OPEN)
		diag_at(c->diags, D_CYCLIC_LET, s->let[i].x->at, "'%s' is defined by itself", o->var.at[s->let[i].var].name);
	if (s->state[i] != LET_NEW)
		return s->state[i] == LET_DONE;
	s->state[i] = LET_OPEN;
	for (k = 0; k < s->n; k++)
		if (is_used(&s->uses[i], s->let[k].var) && !place(c, o, s, k))
			return false;
	s->state[i] = LET_DONE;
	s->sorted[s->done++] = s->let[i];
	return true;
}

void
op_sort_lets(struct check *c, struct op_scope *o)
{
	struct order s = {.let = o->let.at, .n = o->let.n};
	uint32_t i;

	s.uses = arena_news(c->arena, s.n, struct names);
	s.state = mem_alloc(s.n * sizeof *s.state);
	s.sorted = arena_news(c->arena, s.n, struct tn_let);
	for (i = 0; i < s.n; i++)
		add_uses(s.let[i].x, &s.uses[i]);
	for (i = 0; i < s.n && place(c, o, &s, i); i++)
		;
	if (i == s.n && s.n)
		memcpy(o->let.at, s.sorted, s.n * sizeof *s.sorted);
	mem_free(s.state);
}

void
op_check_unused(struct check *c, const struct op_scope *o)
{
	struct names set = {{0}};
	uint32_t i;

	for (i = 0; i < o->let.n; i++)
		add_uses(o->let.at[i].x, &set);
	for (i = 0; i < o->where.n; i++)
		add_uses(o->where.at[i].cond, &set);
	for (i = 0; i < o->out.n; i++)
		add(&set, o->out.at[i]);
	if (o->op.def)
		add_uses(o->op.def, &set);
	if (o->op.cost)
		add_uses(o->op.cost, &set);
	for (i = 0; i < o->let.n; i++)
		if (!is_used(&set, o->let.at[i].var))
			diag_at(c->diags, D_UNUSED, o->let.at[i].x->at, "'%s%s' is never used",
			    o->var.at[o->let.at[i].var].sort == TN_S_LIST ? ".." : "", o->var.at[o->let.at[i].var].name);
}
