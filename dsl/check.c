/* The forms of rule files, in order: includes, enums, functions, devices; and the program they make. */
#include <string.h>

#include "dsl/check.h"
#include "dsl/prelude.h"
#include "tenon/ctx.h"

static void check_file(struct check *, int file, int depth);

/* the form's n-th part after the head, or NULL */
static const struct sexp *
part(const struct sexp *form, int n)
{
	const struct sexp *s = form->kid;

	for (; s && n >= 0; n--)
		s = s->next;
	return s;
}

/* a new name in one of the tables; false, said, if it is there already */
static bool
declare(struct check *c, struct map *m, const struct sexp *name, uint32_t index, const char *what)
{
	const char *full = arena_printf(c->arena, "%s %s", what, name->text);
	const uint32_t *first = map_get(&c->declared, full, strlen(full));

	if (first) {
		diag_at(c->diags, D_DUPLICATE, name->at, "%s '%s' is declared already", what, name->text);
		diag_note(c->diags, c->place.at[*first], "here");
		return false;
	}
	map_put(&c->declared, full, strlen(full), c->place.n, NULL);
	vec_push(&c->place, name->at);
	map_put(m, name->text, strlen(name->text), index, NULL);
	return true;
}

static bool
is_among(const char *name, const char *const names[], int n)
{
	while (n > 0)
		if (strcmp(names[--n], name) == 0)
			return true;
	return false;
}

/* (enum NAME VALUE …) */
static void
check_enum(struct check *c, const struct sexp *form)
{
	const struct sexp *name = part(form, 0), *v;
	struct tn_enum *e;
	const char **value;
	int n = 0;

	if (!name || name->kind != S_NAME || !name->next) {
		diag_at(c->diags, D_BAD_FORM, form->at, "an enum has a name and at least one value: (enum NAME VALUE …)");
		return;
	}
	if (!declare(c, &c->enum_named, name, c->enums.n, "enum"))
		return;
	value = arena_news(c->arena, form->nkid, const char *);
	/* an enum with a wrong value stays known: its uses are not wrong */
	for (v = name->next; v; v = v->next) {
		if (v->kind != S_NAME)
			diag_at(c->diags, D_BAD_FORM, v->at, "a value of an enum is a name");
		else if (is_among(v->text, value, n))
			diag_at(c->diags, D_DUPLICATE, v->at, "the value '%s' stands twice", v->text);
		else
			value[n++] = v->text;
	}
	e = arena_new(c->arena, struct tn_enum);
	*e = (struct tn_enum){name->text, n, value};
	vec_push(&c->enums, e);
}

/* (fn NAME (v …) EXPR); its body is checked here for the messages, and where it is called for its nodes */
static void
check_fn(struct check *c, const struct sexp *form)
{
	const struct sexp *name = part(form, 0), *params = part(form, 1), *p;
	struct fn_form fn = {.form = form, .file_order = (int)c->fn.n};

	if (form->nkid != 4 || name->kind != S_NAME || params->kind != S_LIST) {
		diag_at(c->diags, D_BAD_FORM, form->at, "a function has a name, parameters and a body: (fn NAME (v …) EXPR)");
		return;
	}
	for (p = params->kid; p; p = p->next)
		if (p->kind != S_NAME) {
			diag_at(c->diags, D_BAD_FORM, p->at, "a parameter is a name");
			return;
		}
	if (params->nkid > PARAMETERS) {
		diag_at(c->diags, D_TOO_LARGE, params->at, "a function has at most %d parameters", PARAMETERS);
		return;
	}
	if (!declare(c, &c->fn_named, name, c->fn.n, "function"))
		return;
	c->fn_limit = c->fn.n;
	fn.name = name->text;
	fn.is_broken = !check_fn_body(c, form);
	c->fn_limit = UINT32_MAX;
	vec_push(&c->fn, fn);
}

/* (target NAME (KEY NUMBER) …) */
static void
check_target(struct check *c, const struct sexp *form)
{
	const struct sexp *name = part(form, 0), *pair;
	struct tn_device d = {0};
	const char **key;
	double *value;

	if (!name || name->kind != S_NAME) {
		diag_at(c->diags, D_BAD_FORM, form->at, "a target has a name: (target NAME (KEY NUMBER) …)");
		return;
	}
	key = arena_news(c->arena, form->nkid, const char *);
	value = arena_news(c->arena, form->nkid, double);
	for (pair = name->next; pair; pair = pair->next) {
		if (pair->kind != S_LIST || pair->nkid != 2 || pair->kid->kind != S_NAME || pair->kid->next->kind != S_NUMBER) {
			diag_at(c->diags, D_BAD_FORM, pair->at, "(KEY NUMBER) is wanted here");
			return;
		}
		if (is_among(pair->kid->text, key, d.nkey)) {
			diag_at(c->diags, D_DUPLICATE, pair->kid->at, "the key '%s' stands twice", pair->kid->text);
			return;
		}
		key[d.nkey] = pair->kid->text;
		value[d.nkey++] = tn_number_double(pair->kid->next->num);
	}
	if (!declare(c, &c->device_named, name, c->device.n, "target"))
		return;
	d.name = name->text;
	d.key = key;
	d.value = value;
	vec_push(&c->device, d);
}

/* the path beside the including file */
static const char *
beside(struct check *c, const char *from, const char *path)
{
	const char *slash = strrchr(from, '/');

	if (path[0] == '/' || !slash)
		return path;
	return arena_printf(c->arena, "%.*s/%s", (int)(slash - from), from, path);
}

/* beside the including file, else among the standard rules */
static int
find_include(struct check *c, const struct sexp *path, const char **why)
{
	const char *first = beside(c, c->r->sources.at[path->at.file].path, path->text), *other;
	int file = source_open(&c->r->sources, first, why);

	if (file >= 0 || !c->r->include_dir)
		return file;
	other = arena_printf(c->arena, "%s/%s", c->r->include_dir, path->text);
	return source_open(&c->r->sources, other, &(const char *){NULL});
}

enum { INCLUDING = 1, INCLUDED };

static void
check_include(struct check *c, const struct sexp *form, int depth)
{
	const struct sexp *path = part(form, 0);
	const char *why = "";
	uint32_t *state;
	int file;

	if (form->nkid != 2 || path->kind != S_STRING) {
		diag_at(c->diags, D_BAD_FORM, form->at, "an include names one file: (include \"FILE\")");
		return;
	}
	file = find_include(c, path, &why);
	if (file < 0) {
		diag_at(c->diags, D_READ, path->at, "%s: %s", path->text, why);
		return;
	}
	state = map_get(&c->included, &file, sizeof file);
	if (state && *state == INCLUDING)
		diag_at(c->diags, D_INCLUDE_CYCLE, path->at, "'%s' includes itself", path->text);
	else if (!state)
		check_file(c, file, depth + 1);
}

/* a form whose head is unknown, with the nearest one */
static void
unknown_form(struct check *c, const struct sexp *head)
{
	static const char *const names[] = {"include", "enum", "fn", "op", "rule", "axiom", "target"};
	const char *near = nearest_name(head->text, names, sizeof names / sizeof *names);

	diag_at(c->diags, D_UNKNOWN_FORM, head->at, "there is no form '%s'", head->text);
	if (near)
		diag_hint(c->diags, head->at, "did you mean '%s'?", near);
}

static void
check_form(struct check *c, const struct sexp *form, int depth)
{
	const char *head;

	if (form->kind != S_LIST || !form->kid || form->kid->kind != S_NAME) {
		diag_at(c->diags, D_BAD_FORM, form->at, "a form is wanted here: (op …), (rule …), …");
		return;
	}
	c->size = 0;
	head = form->kid->text;
	if (strcmp(head, "include") == 0)
		check_include(c, form, depth);
	else if (strcmp(head, "enum") == 0)
		check_enum(c, form);
	else if (strcmp(head, "fn") == 0)
		check_fn(c, form);
	else if (strcmp(head, "op") == 0)
		check_op(c, form);
	else if (strcmp(head, "rule") == 0 || strcmp(head, "axiom") == 0)
		check_rule(c, form);
	else if (strcmp(head, "target") == 0)
		check_target(c, form);
	else
		unknown_form(c, form->kid);
}

enum { INCLUDE_DEPTH = 64 };

static void
check_file(struct check *c, int file, int depth)
{
	int errors = c->diags->nerror;
	const struct sexp *form;

	map_put(&c->included, &file, sizeof file, INCLUDING, NULL);
	form = sexp_parse(&c->r->sources, file, c->arena, c->diags);
	if (depth > INCLUDE_DEPTH)
		diag_at(c->diags, D_TOO_DEEP, (struct tn_span){(uint32_t)file, 0, 0}, "includes more than %d deep", INCLUDE_DEPTH);
	/* what a broken text means is anybody's guess */
	for (; form && c->diags->nerror == errors; form = form->next) {
		int before = c->diags->nerror;

		check_form(c, form, depth);
		errors += c->diags->nerror - before;
	}
	*map_get(&c->included, &file, sizeof file) = INCLUDED;
}

/* input, weight, opaque and result carry the number of what they stand for, and take any operands */
static void
add_core(struct check *c)
{
	static const char *const name[] = {[TN_INPUT] = "input", [TN_WEIGHT] = "weight", [TN_OPAQUE] = "opaque", [TN_RESULT] = "result"};
	static const struct tn_var var[] = {{"index", TN_V_ATTR, TN_S_INT, 0, -1}};
	static const struct tn_attr_decl attr[] = {{"index", TN_K_INT, 0, NULL, NULL, -1, 0}};
	int op;

	for (op = TN_INPUT; op < TN_CORE; op++) {
		struct tn_op o = {.name = name[op], .file = PRELUDE_PATH, .nvar = 1, .nattr = 1, .var = var, .attr = attr, .out_type = -1};

		map_put(&c->op_named, o.name, strlen(o.name), c->op.n, NULL);
		vec_push(&c->op, o);
	}
}

/* the vectors as the program's arrays, in the arena */
static void
finish(struct check *c)
{
	struct tn_program_text *t = &c->r->text;

	t->nop = (int)c->op.n;
	t->op = arena_dup(c->arena, c->op.at, c->op.n * sizeof *c->op.at);
	t->nrule = (int)c->rule.n;
	t->rule = arena_dup(c->arena, c->rule.at, c->rule.n * sizeof *c->rule.at);
	t->nenum = (int)c->enums.n;
	t->enums = arena_dup(c->arena, c->enums.at, c->enums.n * sizeof *c->enums.at);
	t->ndevice = (int)c->device.n;
	t->device = arena_dup(c->arena, c->device.at, c->device.n * sizeof *c->device.at);
	vec_free(&c->op);
	vec_free(&c->rule);
	vec_free(&c->enums);
	vec_free(&c->device);
	vec_free(&c->fn);
	map_free(&c->op_named);
	map_free(&c->enum_named);
	map_free(&c->fn_named);
	map_free(&c->rule_named);
	map_free(&c->device_named);
	map_free(&c->included);
	map_free(&c->declared);
	vec_free(&c->place);
}

static void
begin(struct check *c, struct rules *r)
{
	*c = (struct check){.r = r, .arena = &r->arena, .diags = &r->diags, .fn_limit = UINT32_MAX};
	r->diags.sources = &r->sources;
	check_file(c, source_text(&r->sources, PRELUDE_PATH, prelude, sizeof prelude - 1), 0);
	add_core(c);
}

/* lint what was typed without a mistake, and close */
static bool
end(struct check *c)
{
	if (c->diags->nerror == 0)
		lint_rules(c);
	finish(c);
	return c->r->diags.nerror == 0;
}

bool
rules_load(struct rules *r, const char *const path[], int npath)
{
	struct check c;
	const char *why;
	int i, file;

	begin(&c, r);
	for (i = 0; i < npath; i++) {
		file = source_open(&r->sources, path[i], &why);
		if (file < 0) {
			r->failed = path[i];
			r->why = why;
			finish(&c);
			return false;
		}
		if (!map_get(&c.included, &file, sizeof file))
			check_file(&c, file, 0);
	}
	return end(&c);
}

bool
rules_load_text(struct rules *r, const char *path, const char *text, size_t size)
{
	struct check c;

	begin(&c, r);
	check_file(&c, source_text(&r->sources, path, text, size), 0);
	return end(&c);
}

const char *
rules_source(const struct rules *r, struct tn_span at, size_t *len)
{
	*len = at.to - at.from;
	return r->sources.at[at.file].text + at.from;
}

void
rules_free(struct rules *r)
{
	diag_free(&r->diags);
	sources_free(&r->sources);
	arena_free(&r->arena);
	*r = (struct rules){0};
}
