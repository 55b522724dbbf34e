/*
 * A rule's conditions as functions, each with the variables it uses as parameters:
 *
 *	// (= $i $last)
 *	static bool
 *	when_matmul_bias(struct tn_search *search, tn_id x, tn_val i)
 *	{
 *		const struct tn_v last = tn_v_call2(search, TN_F_SUB, tn_v_rank(search, x), tn_v_int(1));
 *	#line 43 "rules/linear.rules"
 *		return tn_v_holds(tn_v_call2(search, TN_F_EQ, tn_v_attr(search, i), last));
 *	#line 219 "opt.c"
 *	}
 */
#include <string.h>

#include "gen/func.h"

const struct guard *
guard_of(const struct gen *g, const struct step *s)
{
	return s->kind == STEP_GUARD ? &g->when[s->rule][s->i] : &g->equals[s->rule][s->i];
}

/* ", tn_id x, tn_val a" */
static const char *
params_text(struct func *f, struct guard *guard)
{
	struct arena *a = f->g->arena;
	const struct tn_rule *r = f->p->rule;
	const char *text = "";
	bool is_class;

	for (int i = 0; i < r->nvar; i++) {
		if (!f->name[i] || r->var[i].kind == TN_R_LET)
			continue;
		guard->uses[i] = true;
		is_class = r->var[i].kind == TN_R_TENSOR || r->var[i].kind == TN_R_TENSORS || r->var[i].kind == TN_R_TERM;
		text = arena_printf(a, "%s, %s %s", text, is_class ? "tn_id" : "tn_val", f->name[i]);
	}
	return text;
}

static void
guard_function(struct gen *g, const struct plan *p, const struct step *s, struct guard *guard, const char *stem)
{
	bool is_when = s->kind == STEP_GUARD;
	struct emit *e = &g->out;
	struct func f;
	const char *condition, *is = "", *params, *source = gen_source(g, s->x->at);

	func_begin(&f, g, p, false);
	guard->uses = arena_news(g->arena, (size_t)p->rule->nvar, bool);
	guard->name = s->i ? arena_printf(g->arena, "%s%d_%s", stem, s->i + 1, g->rule[p->number]) :
	    arena_printf(g->arena, "%s_%s", stem, g->rule[p->number]);
	if (is_when)
		condition = func_condition(&f, s->x);
	else {
		is = func_name(&f, "is");
		condition = arena_printf(g->arena, "tn_v_holds(tn_v_call2(search, TN_F_EQ, tn_v_attr(search, %s), %s))", is,
		    func_value(&f, s->x));
		is = arena_printf(g->arena, ", tn_val %s", is);
	}
	params = params_text(&f, guard);
	if (f.body.text.n)
		emit_text(&f.body, "\n");
	gen_at(g, &f.body, s->x->at);
	emit_line(&f.body, 1, "return %s;", condition);
	emit_back(&f.body);
	emit_text(e, "\n/* ");
	emit_comment(e, source, strlen(source));
	emit_text(e, " */\nstatic bool\n");
	emit_line(e, 0, "%s(struct tn_search *search%s%s)", guard->name, is, params);
	emit_text(e, "{\n");
	if (!emit_has_word(f.body.text.at, "search"))
		emit_text(e, "\t(void)search;\n");
	emit_join(e, &f.body);
	emit_text(e, "}\n");
	func_end(&f);
}

void
guard_functions(struct gen *g, const struct plan *p)
{
	g->when[p->number] = arena_news(g->arena, (size_t)p->rule->nwhen, struct guard);
	g->equals[p->number] = arena_news(g->arena, (size_t)p->nequals, struct guard);
	for (uint32_t i = 0; i < p->step.n; i++) {
		const struct step *s = &p->step.at[i];

		if (s->kind == STEP_GUARD)
			guard_function(g, p, s, &g->when[p->number][s->i], "when");
		else if (s->kind == STEP_EQUALS)
			guard_function(g, p, s, &g->equals[p->number][s->i], "equals");
	}
}

static void
key_function(struct gen *g, const struct plan *p, int var)
{
	const struct tn_x x = {.kind = TN_X_VAR, .var = (int16_t)var};
	const struct tn_rvar *v = &p->rule->var[var];
	struct guard *key = &g->key[p->number][var];
	struct emit *e = &g->out;
	const char *value, *params;
	struct func f;

	func_begin(&f, g, p, false);
	key->uses = arena_news(g->arena, (size_t)p->rule->nvar, bool);
	key->name = arena_printf(g->arena, "key%d_%s", var, g->rule[p->number]);
	value = func_value(&f, &x);
	params = params_text(&f, key);
	emit_line(&f.body, 1, "return tn_v_val(search, %s, %s, NULL);", value, v->kind == TN_R_SEQ ? "TN_K_DIMS" : "TN_K_DIM");
	emit_text(e, "\n/* ");
	emit_comment(e, v->name, strlen(v->name));
	emit_text(e, " */\nstatic tn_val\n");
	emit_line(e, 0, "%s(struct tn_search *search%s)", key->name, params);
	emit_text(e, "{\n");
	emit_join(e, &f.body);
	emit_text(e, "}\n");
	func_end(&f);
}

void
guard_keys(struct gen *g, const struct plan *p)
{
	g->key[p->number] = arena_news(g->arena, (size_t)p->rule->nvar, struct guard);
	for (uint32_t i = 0; i < p->column.n; i++)
		if (p->column.at[i].ref.kind == REF_NONE)
			key_function(g, p, p->column.at[i].var);
}
