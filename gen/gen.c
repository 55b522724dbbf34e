/* The whole file, and what gen's parts share; see gen.h. */
#include <string.h>

#include "base/num.h"
#include "gen/draw.h"
#include "gen/join.h"
#include "gen/literal.h"
#include "gen/tree.h"

/* ---- names, numbers, places -------------------------------------------------------------------------- */

const char *
gen_op(const struct gen *g, int op)
{
	static const char *const core[] = {"TN_FILL", "TN_INPUT", "TN_WEIGHT", "TN_OPAQUE", "TN_RESULT"};

	return op < TN_CORE ? core[op] : arena_printf(g->arena, "OP_%s", g->op[op]);
}

const char *
gen_number(struct arena *a, struct tn_number n)
{
	return arena_printf(a, "%lld, %lld, %d", (long long)n.num, (long long)n.den, (int)n.exp10);
}

const char *
gen_code(const struct gen *g, const struct tn_x *x)
{
	static const char *const dtype[] = {
#define X(name, text, size, class) "TN_" #name,
		TN_DTYPES(X)
#undef X
	};
	int64_t n = x->num.num;

	if (x->sort == TN_S_DTYPE)
		return dtype[n];
	if (x->sort == TN_S_BOOL)
		return n ? "true" : "false";
	/* any enum with this name under this number will do */
	for (int i = 0; i < g->text.nenum; i++)
		if (n < g->text.enums[i]->nvalue && strcmp(g->text.enums[i]->value[n], x->text) == 0)
			return g->value[i][n];
	return arena_printf(g->arena, "%lld", (long long)n);
}

const char *
gen_string(struct arena *a, const char *text)
{
	struct buf b = {0};
	const char *out;

	literal_string(&b, text, strlen(text));
	out = arena_str(a, b.at, b.n);
	buf_free(&b);
	return out;
}

const char *
gen_source(const struct gen *g, struct tn_span at)
{
	size_t len, n = 0;
	const char *text = rules_source(g->rules, at, &len);
	char *out = arena_alloc(g->arena, len + 1);

	for (size_t i = 0; i < len; i++) {
		bool is_space = strchr(" \t\r\n", text[i]) && text[i];

		if (!is_space)
			out[n++] = text[i];
		else if (n && out[n - 1] != ' ')
			out[n++] = ' ';
	}
	return out;
}

const char *
gen_path(const struct gen *g, const char *path)
{
	for (int i = g->options->nmap; path && i-- > 0;) {
		const char *map = g->options->map[i], *eq = strrchr(map, '=');
		size_t len = eq ? (size_t)(eq - map) : 0;

		if (eq && strncmp(path, map, len) == 0)
			return arena_printf(g->arena, "%s%s", eq + 1, path + len);
	}
	return path;
}

void
gen_at(const struct gen *g, struct emit *e, struct tn_span at)
{
	const struct source *s = &g->rules->sources.at[at.file];
	int line, col;

	source_place(s, at.from, &line, &col);
	emit_at(e, gen_path(g, s->path), line);
}

const struct plan *
gen_plan(const struct gen *g, int number)
{
	return number < g->text.nrule ? &g->plan[number] : g->pattern.at[number - g->text.nrule];
}

bool
gen_is_root(const struct gen *g, int number, int op)
{
	const struct plan *p = gen_plan(g, number);

	return (number >= g->text.nrule || !g->join[number]) && p->step.at[0].op == op;
}

const char *
gen_yielded(const struct gen *g, int number)
{
	if (number < g->text.nrule)
		return arena_printf(g->arena, "R_%s", g->rule[number]);
	return arena_printf(g->arena, "P_%s", g->pattern_name[number - g->text.nrule]);
}

const char *
gen_slots(const struct gen *g, const struct plan *p)
{
	struct arena *a = g->arena;
	const char *text = "v:";

	for (int s = 0; s < p->nslot; s++) {
		const char *word = pattern_word(g, p, s);

		text = arena_printf(a, "%s%s %d %s", text, s ? " " : "", s, word + (word[0] == '$' && word[1] == '.'));
	}
	return text;
}

/* ---- begin and end ----------------------------------------------------------------------------------- */

/* The text as an identifier that no other of the map is. */
static const char *
unique(struct gen *g, struct map *used, const char *text)
{
	const char *stem = name_spell(g->arena, text), *name = stem;
	bool is_new;

	for (int i = 2; map_put(used, name, strlen(name), 0, &is_new), !is_new; i++)
		name = arena_printf(g->arena, "%s%d", stem, i);
	return name;
}

/* An instance's name, RULE/VALUE, as RULE-VALUE. */
static const char *
plain_name(struct gen *g, const char *name)
{
	char *out = arena_str(g->arena, name, strlen(name)), *at;

	for (at = out; *at; at++)
		if (at > out && at[1] && *at == '/')
			*at = '-';
	return out;
}

static void
spell_names(struct gen *g)
{
	struct map op = {0}, rule = {0}, attr = {0}, value = {0};

	for (int i = 0; i < g->text.nop; i++) {
		const struct tn_op *o = &g->text.op[i];

		g->op[i] = unique(g, &op, o->name);
		g->attr[i] = arena_news(g->arena, (size_t)o->nattr, const char *);
		for (int k = 0; k < o->nattr; k++)
			g->attr[i][k] = arena_printf(g->arena, "A_%s", unique(g, &attr, arena_printf(g->arena, "%s_%s", g->op[i], o->attr[k].name)));
	}
	for (int i = 0; i < g->text.nenum; i++) {
		const struct tn_enum *e = g->text.enums[i];

		g->value[i] = arena_news(g->arena, (size_t)e->nvalue, const char *);
		for (int k = 0; k < e->nvalue; k++)
			g->value[i][k] = arena_printf(g->arena, "E_%s", unique(g, &value, arena_printf(g->arena, "%s_%s", e->name, e->value[k])));
	}
	for (int i = 0; i < g->text.nrule; i++)
		g->rule[i] = unique(g, &rule, plain_name(g, g->text.rule[i].name));
	map_free(&op);
	map_free(&rule);
	map_free(&attr);
	map_free(&value);
}

/* A pattern goes by its root: matmul, matmul2. */
static void
spell_patterns(struct gen *g)
{
	struct map used = {0};

	g->pattern_name = arena_news(g->arena, g->pattern.n, const char *);
	for (uint32_t i = 0; i < g->pattern.n; i++)
		g->pattern_name[i] = unique(g, &used, g->text.op[g->pattern.at[i]->step.at[0].op].name);
	map_free(&used);
}

void
gen_begin(struct gen *g, const struct rules *rules, const struct gen_options *options, struct arena *arena)
{
	size_t nop = (size_t)rules->text.nop, nrule = (size_t)rules->text.nrule;
	struct tn_op *op = arena_dup(arena, rules->text.op, nop * sizeof *op);
	struct tn_rule *rule = arena_dup(arena, rules->text.rule, nrule * sizeof *rule);

	*g = (struct gen){.rules = rules, .text = rules->text, .options = options, .arena = arena, .out.no_lines = options->no_lines};
	for (size_t i = 0; i < nop; i++)
		op[i].file = gen_path(g, op[i].file);
	for (size_t i = 0; i < nrule; i++)
		rule[i].file = gen_path(g, rule[i].file);
	g->text.op = op;
	g->text.rule = rule;
	g->op = arena_news(arena, nop, const char *);
	g->attr = arena_news(arena, nop, const char **);
	g->value = arena_news(arena, (size_t)rules->text.nenum, const char **);
	g->rule = arena_news(arena, nrule, const char *);
	g->when = arena_news(arena, nrule, struct guard *);
	g->equals = arena_news(arena, nrule, struct guard *);
	g->key = arena_news(arena, nrule, struct guard *);
	g->plan = arena_news(arena, nrule, struct plan);
	spell_names(g);
	for (size_t i = 0; i < nrule; i++)
		plan_make(&g->plan[i], &g->text, (int)i, arena);
	g->join = arena_news(arena, nrule, struct join *);
	for (size_t i = 0; i < nrule; i++)
		if (plan_is_joined(g->plan[i].rule))
			g->join[i] = join_make(g, &g->plan[i]);
	spell_patterns(g);
}

void
gen_end(struct gen *g)
{
	for (int i = 0; i < g->text.nrule; i++) {
		if (g->join[i])
			join_free(g->join[i]);
		plan_free(&g->plan[i]);
	}
	vec_free(&g->pattern);
	emit_free(&g->out);
}

/* ---- dumps ---------------------------------------------------------------------------------------------- */

/* The steps of one pattern. */
static void
print_steps(const struct gen *g, const struct plan *p, FILE *f)
{
	struct draw d = {.g = g};

	for (uint32_t i = 0; i < p->step.n; i++)
		fprintf(f, "\t%s\n", draw_step(&d, &p->step.at[i]));
	draw_end(&d);
}

static void
print_plan(const struct gen *g, const struct plan *p, FILE *f)
{
	fprintf(f, "%s:%d: %s%s\n\t%s\n", p->rule->file, p->rule->line, p->rule->name, g->join[p->number] ? ", by a join" : "",
	    gen_slots(g, p));
	if (g->join[p->number])
		join_print(g, g->join[p->number], f);
	else
		print_steps(g, p, f);
	for (int i = 0; i < p->rule->nwhen; i++)
		if (p->is_late[i])
			fprintf(f, "\twhen applied: %s\n", gen_source(g, p->rule->when[i]->at));
}

void
gen_print_plans(const struct rules *rules, FILE *f)
{
	static const struct gen_options options = {0};
	struct arena arena = {0};
	struct gen g;

	gen_begin(&g, rules, &options, &arena);
	for (int i = 0; i < g.text.nrule; i++)
		print_plan(&g, &g.plan[i], f);
	gen_end(&g);
	arena_free(&arena);
}

void
gen_print_trees(const struct rules *rules, FILE *f)
{
	static const struct gen_options options = {0};
	struct arena arena = {0};
	const struct tree *t;
	const char *between = "";
	struct gen g;

	gen_begin(&g, rules, &options, &arena);
	for (int op = 0; op < g.text.nop; op++) {
		t = tree_make(&g, op);
		if (!t)
			continue;
		emit_text(&g.out, between);
		tree_draw(&g, t, &g.out, "");
		between = "\n";
	}
	if (g.out.text.n)
		fwrite(g.out.text.at, 1, g.out.text.n, f);
	gen_end(&g);
	arena_free(&arena);
}
