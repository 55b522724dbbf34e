/* Joins of several patterns; see join.h. */
#include "gen/join.h"

#include <string.h>

#include "gen/draw.h"

enum { NOT_YET = -1 };

/* Making one join. */
struct making {
	struct gen *g;
	struct join *j;
	const struct tn_rule *rule;
	bool *is_bound;			/* by word */
	uint8_t *kind;			/* by word: enum tn_kind of the value that bound it */
	bool *is_placed;		/* by condition */
	VEC(const struct tn_term *) term;	/* lets' terms that patterns share; term i has word extra + i */
	VEC(const struct column *) equation;	/* attributes that must equal an expression, which their words follow */
	int extra;
};

/* ---- patterns ------------------------------------------------------------------------------------------ */

/* The pattern's number, that of an equal one if there is any. */
static int
number_pattern(struct gen *g, const struct plan *p)
{
	for (uint32_t i = 0; i < g->pattern.n; i++)
		if (plan_same(g->pattern.at[i], p))
			return (int)i;
	vec_push(&g->pattern, p);
	return (int)g->pattern.n - 1;
}

static void
make_part(struct making *m, struct part *part, int arrow)
{
	struct gen *g = m->g;

	part->arrow = arrow;
	part->plan = m->j->plan;
	if (!m->rule->is_siblings) {
		part->plan = arena_new(g->arena, struct plan);
		plan_part(part->plan, &g->text, m->j->plan->number, arrow, g->arena);
	}
	part->pattern = number_pattern(g, part->plan);
	part->plan->step.at[part->plan->step.n - 1].rule = g->text.nrule + part->pattern;
	part->column = arena_news(g->arena, part->plan->column.n, struct join_column);
}

/* ---- words --------------------------------------------------------------------------------------------- */

/* Slots of lets' terms that patterns have; a root is one already. */
static void
place_lets(struct making *m)
{
	struct plan *p = m->j->plan;

	for (int i = 0; i < m->rule->nvar && !m->rule->is_siblings; i++)
		for (int k = 0; k < m->j->npart && m->rule->var[i].kind == TN_R_TERM; k++)
			if (m->j->part[k].plan->place[i].kind == REF_CLASS && p->slot[i] == SLOT_NONE)
				p->slot[i] = p->nslot++;
	m->j->root = p->nslot;
	m->extra = p->nslot + m->rule->narrow;
	for (int i = 0; i < m->rule->nvar; i++)
		for (int k = 0; k < m->j->npart && m->rule->var[i].kind == TN_R_TERM; k++)
			if (m->j->part[k].plan->place[i].kind == REF_ROOT && p->slot[i] == SLOT_NONE)
				p->slot[i] = m->j->root + m->j->part[k].arrow;
}

static int
term_word(struct making *m, const struct tn_term *t)
{
	for (uint32_t i = 0; i < m->term.n; i++)
		if (m->term.at[i] == t)
			return m->extra + (int)i;
	vec_push(&m->term, t);
	return m->extra + (int)m->term.n - 1;
}

static enum tn_column_kind
column_kind(const struct ref *r)
{
	return r->kind == REF_RECORD ? TN_COL_RECORD : r->kind == REF_REST || r->kind == REF_MAPPED ? TN_COL_RUN : TN_COL_WORD;
}

/* Words of variables and lets; those of equations come after all of these. */
static void
number_words(struct making *m)
{
	for (int k = 0; k < m->j->npart; k++) {
		struct part *part = &m->j->part[k];

		for (uint32_t i = 0; i < part->plan->column.n; i++) {
			const struct column *c = &part->plan->column.at[i];
			bool is_each = c->var >= 0 && m->rule->is_siblings && m->rule->var[c->var].kind == TN_R_TENSORS;

			part->column[i] = (struct join_column){.kind = column_kind(&c->ref), .is_each = is_each, .named = c->named,
			    .word = c->term ? term_word(m, c->term) : c->x ? NOT_YET : m->j->plan->slot[c->var]};
		}
	}
	m->j->nword = m->extra + (int)m->term.n;
	for (int k = 0; k < m->j->npart; k++)
		for (uint32_t i = 0; i < m->j->part[k].plan->column.n; i++)
			if (m->j->part[k].column[i].word == NOT_YET) {
				m->j->part[k].column[i].word = m->j->nword++;
				vec_push(&m->equation, &m->j->part[k].plan->column.at[i]);
			}
}

/* ---- the order ------------------------------------------------------------------------------------------- */

/* Words of the part that are known, or, if `all`, that any other part has. */
static int
shared_words(const struct making *m, const struct part *part, bool all)
{
	int n = 0;

	for (uint32_t i = 0; i < part->plan->column.n; i++) {
		bool found = m->is_bound[part->column[i].word];

		for (int k = 0; k < m->j->npart && all && !found; k++)
			for (uint32_t c = 0; c < m->j->part[k].plan->column.n && &m->j->part[k] != part; c++)
				found |= m->j->part[k].column[c].word == part->column[i].word;
		n += found;
	}
	return n;
}

static void
bind_part(struct making *m, struct part *part)
{
	for (uint32_t i = 0; i < part->plan->column.n; i++) {
		const struct column *c = &part->plan->column.at[i];
		struct join_column *j = &part->column[i];

		j->is_bound = m->is_bound[j->word];
		if (j->is_bound && j->kind == TN_COL_WORD && m->kind[j->word] != c->kind)
			j->kind = TN_COL_VALUE;
		if (j->is_bound)
			continue;
		m->is_bound[j->word] = true;
		m->kind[j->word] = c->kind;
		if (c->var >= 0 && !c->x) {
			m->j->plan->place[c->var] = c->ref;
			m->j->plan->captured[c->var] = part->plan->captured[c->var];
		}
	}
	for (int i = 0; i < m->rule->nvar; i++)
		if (part->plan->place[i].kind == REF_ROOT)
			m->j->plan->place[i] = part->plan->place[i];
}

/* Conditions that can be asked once the parts so far are bound. */
static void
place_conditions(struct making *m, int part)
{
	struct plan *p = m->j->plan;

	for (uint32_t i = 0; i < m->equation.n; i++) {
		const struct column *c = m->equation.at[i];
		int word = m->j->nword - (int)m->equation.n + (int)i;

		if (!m->is_bound[word] || !plan_is_known(p, c->x) || m->is_placed[m->rule->nwhen + (int)i])
			continue;
		vec_push(&p->step, ((struct step){.kind = STEP_EQUALS, .node = part, .op = -1, .i = p->nequals++, .x = c->x, .rule = p->number,
		    .a = {.i = word}}));
		m->is_placed[m->rule->nwhen + (int)i] = m->j->part[part].has_test = true;
	}
	for (int i = 0; i < m->rule->nwhen; i++) {
		p->is_late[i] &= !plan_is_known(p, m->rule->when[i]);
		if (p->is_late[i] || m->is_placed[i])
			continue;
		vec_push(&p->step, ((struct step){.kind = STEP_GUARD, .node = part, .op = -1, .i = i, .x = m->rule->when[i],
		    .rule = p->number}));
		m->is_placed[i] = m->j->part[part].has_test = true;
	}
}

/* The part that shares most with others comes first, then always the one that shares most with those before it. */
static void
order_parts(struct making *m)
{
	struct join *j = m->j;

	for (int k = 0; k < j->npart; k++) {
		int best = k, most = -1;

		for (int i = k; i < j->npart; i++) {
			int n = shared_words(m, &j->part[i], k == 0);

			if (n > most || (n == most && j->part[i].arrow < j->part[best].arrow)) {
				most = n;
				best = i;
			}
		}
		struct part first = j->part[best];

		j->part[best] = j->part[k];
		j->part[k] = first;
		bind_part(m, &j->part[k]);
		place_conditions(m, k);
	}
}

/* ---- the whole --------------------------------------------------------------------------------------------- */

static int
pattern_of(const struct join *j, int arrow)
{
	int k = 0;

	while (j->part[k].arrow != arrow)
		k++;
	return j->part[k].pattern;
}

static void
find_alike(struct making *m)
{
	m->j->alike = arena_news(m->g->arena, (size_t)m->rule->narrow, uint8_t);
	for (int i = 0; i < m->rule->narrow; i++) {
		int first = 0;

		while (first < i && !(pattern_of(m->j, first) == pattern_of(m->j, i) && alike_exchange(m->rule, first, i)))
			first++;
		m->j->alike[i] = (uint8_t)first;
	}
}

struct join *
join_make(struct gen *g, struct plan *p)
{
	struct join *j = arena_new(g->arena, struct join);
	struct making m = {.g = g, .j = j, .rule = p->rule};
	size_t nequation = 0;

	*j = (struct join){.plan = p, .npart = p->rule->narrow, .part = arena_news(g->arena, (size_t)p->rule->narrow, struct part)};
	for (int i = 0; i < j->npart; i++) {
		make_part(&m, &j->part[i], i);
		nequation += j->part[i].plan->column.n;
	}
	place_lets(&m);
	number_words(&m);
	m.is_bound = arena_news(g->arena, (size_t)j->nword, bool);
	m.kind = arena_news(g->arena, (size_t)j->nword, uint8_t);
	m.is_placed = arena_news(g->arena, (size_t)p->rule->nwhen + nequation, bool);
	if (p->rule->is_siblings)
		bind_part(&m, &j->part[0]);	/* its conditions are its pattern's */
	else {
		memset(p->is_late, true, (size_t)p->rule->nwhen);
		order_parts(&m);
	}
	find_alike(&m);
	vec_free(&m.term);
	vec_free(&m.equation);
	return j;
}

void
join_free(struct join *j)
{
	for (int i = 0; i < j->npart; i++)
		if (j->part[i].plan != j->plan)
			plan_free(j->part[i].plan);
}

/* ---- code ----------------------------------------------------------------------------------------------------- */

/* "when_share(s, v[0], v[3])" */
static const char *
condition_text(struct gen *g, const struct join *j, const struct step *s)
{
	struct arena *a = g->arena;
	const struct guard *guard = guard_of(g, s);
	const char *text = arena_printf(a, "%s(s", guard->name);

	if (s->kind == STEP_EQUALS)
		text = arena_printf(a, "%s, v[%d]", text, s->a.i);
	for (int i = 0; i < j->plan->rule->nvar; i++)
		if (guard->uses[i])
			text = arena_printf(a, "%s, v[%d]", text, j->plan->slot[i]);
	return arena_printf(a, "%s)", text);
}

void
join_functions(struct gen *g, const struct join *j)
{
	const struct plan *p = j->plan;

	if (p->rule->is_siblings)
		return;
	guard_functions(g, p);
	for (int k = 0; k < j->npart; k++) {
		const char *all = "";

		if (!j->part[k].has_test)
			continue;
		for (uint32_t i = 0; i < p->step.n; i++)
			if (p->step.at[i].node == k)
				all = arena_printf(g->arena, "%s%s%s", all, *all ? " && " : "", condition_text(g, j, &p->step.at[i]));
		emit(&g->out, "\nstatic bool\njoin%d_%s(struct tn_search *s, const uint32_t v[])\n{\n", k + 1, g->rule[p->number]);
		emit_line(&g->out, 1, "return %s;", all);
		emit_text(&g->out, "}\n");
	}
}

static void
put_columns(struct gen *g, const struct join *j, const struct part *part)
{
	static const char *const kind[] = {
		[TN_COL_WORD] = "TN_COL_WORD", [TN_COL_RECORD] = "TN_COL_RECORD", [TN_COL_VALUE] = "TN_COL_VALUE", [TN_COL_RUN] = "TN_COL_RUN",
	};

	emit(&g->out, "static const struct tn_column columns%d_%s[] = {\n", (int)(part - j->part) + 1, g->rule[j->plan->number]);
	for (uint32_t i = 0; i < part->plan->column.n; i++) {
		const struct join_column *c = &part->column[i];

		emit(&g->out, "\t{%s,%s%s .word = %d", kind[c->kind], c->is_bound ? " .is_bound = true," : "",
		    c->is_each ? " .is_each = true," : "", c->word);
		if (c->named)
			emit(&g->out, ", .named = 0x%llx", (unsigned long long)c->named);
		emit_text(&g->out, "},\n");
	}
	emit_text(&g->out, "};\n");
}

static void
put_part(struct gen *g, const struct join *j, const struct part *part)
{
	const char *rule = g->rule[j->plan->number];
	int k = (int)(part - j->part) + 1;
	struct arena *a = g->arena;

	emit_line(&g->out, 1, "{%d, %d, %d, %s, %s},", part->pattern, part->arrow, (int)part->plan->column.n,
	    part->plan->column.n ? arena_printf(a, "columns%d_%s", k, rule) : "NULL",
	    part->has_test ? arena_printf(a, "join%d_%s", k, rule) : "NULL");
}

void
join_table(struct gen *g, const struct join *j)
{
	const char *rule = g->rule[j->plan->number], *alike = "";

	emit_text(&g->out, "\n");
	for (int k = 0; k < j->npart; k++)
		if (j->part[k].plan->column.n)
			put_columns(g, j, &j->part[k]);
	emit(&g->out, "static const struct tn_part parts_%s[] = {\n", rule);
	for (int k = 0; k < j->npart; k++)
		put_part(g, j, &j->part[k]);
	emit_text(&g->out, "};\n");
	for (int i = 0; i < j->npart; i++)
		alike = arena_printf(g->arena, "%s%s%d", alike, i ? ", " : "", j->alike[i]);
	emit_line(&g->out, 0, "static const struct tn_join join_%s = {%d, %d, %d, %s, parts_%s, (const uint8_t[]){%s}};", rule, j->npart,
	    j->nword, j->root, j->plan->rule->is_siblings ? "true" : "false", rule, alike);
}

/* ---- in words --------------------------------------------------------------------------------------------------- */

static const char *
column_text(const struct gen *g, struct draw *d, const struct column *c)
{
	return c->ref.kind == REF_NONE ? gen_source(g, c->x->at) : draw_ref(d, &c->ref);
}

static void
print_part(const struct gen *g, const struct join *j, int k, FILE *f)
{
	const struct part *part = &j->part[k];
	struct draw d = {.g = g};

	fprintf(f, "\tarrow %d, pattern %s", part->arrow + 1, g->pattern_name[part->pattern]);
	if (j->alike[part->arrow] != part->arrow)
		fprintf(f, ", after arrow %d", j->alike[part->arrow] + 1);
	fprintf(f, "\n");
	for (uint32_t i = 0; i < part->plan->step.n; i++)
		fprintf(f, "\t\t%s\n", draw_step(&d, &part->plan->step.at[i]));
	for (uint32_t i = 0; i < part->plan->column.n; i++)
		fprintf(f, "\t\t%s %s %d%s\n", column_text(g, &d, &part->plan->column.at[i]), part->column[i].is_bound ? "=" : "->",
		    part->column[i].word, part->column[i].is_each ? "..." : "");
	for (uint32_t i = 0; i < j->plan->step.n; i++)
		if (part->has_test && j->plan->step.at[i].node == k)
			fprintf(f, "\t\twhen joined: %s\n", gen_source(g, j->plan->step.at[i].x->at));
	draw_end(&d);
}

void
join_print(const struct gen *g, const struct join *j, FILE *f)
{
	for (int k = 0; k < j->npart; k++)
		print_part(g, j, k, f);
}
