/*
 * match_OP: the decision tree of one root operator as nested loops and tests.
 *
 *	static void
 *	match_add(const struct tn_view *g, struct tn_matches *const out[])
 *	{
 *		struct tn_search *s = g->search;
 *
 *		tn_for_roots(g, OP_add, n0) {
 *			tn_for_orders(n0, swap0) {
 *				if (!tn_uniform_is(s, n0->kid[!swap0], 0, 1, 0))
 *					continue;
 *				…
 *
 * A test that is the last thing in the body of a loop is left by `continue`; any other is an if
 * around what depends on it.  What would be nested too deeply becomes a function of its own.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "gen/tree.h"

enum { DEEPEST = 4 };		/* tabs before a loop */

/* Making one matcher. */
struct match {
	struct gen *g;
	struct emit *e;		/* where statements go */
	int root;		/* operator */
	int nfunction;		/* functions of its own so far */
	VEC(int) op;		/* by node, those of the path that is being put */
	VEC(bool) is_map;
};

/* ---- places ------------------------------------------------------------------------------------------ */

/* "n1->", or the node of a map. */
static const char *
node_text(struct arena *a, const struct ref *r)
{
	switch (r->at) {
	case NODE_FIRST:
		return arena_printf(a, "n%d->row[0]->", r->node);
	case NODE_EACH:
		return arena_printf(a, "n%d->row[n%d->i]->", r->node, r->node);
	default:
		return arena_printf(a, "n%d->", r->node);
	}
}

static const char *
class_text(struct arena *a, const struct ref *r)
{
	switch (r->at) {
	case NODE_SWAPPED:
		return arena_printf(a, "n%d->kid[%sswap%d]", r->node, r->i ? "!" : "", r->node);
	case NODE_FIRST:
		return arena_printf(a, "tn_map_kid(n%d, 0, %d)", r->node, r->i);
	case NODE_EACH:
		return arena_printf(a, "tn_map_kid(n%d, n%d->i, %d)", r->node, r->node, r->i);
	default:
		return arena_printf(a, "n%d->kid[%d]", r->node, r->i);
	}
}

/* The record's attribute: "tn_attr(s, n0->attrs, A_conv2d_act)". */
static const char *
attr_text(struct match *m, const struct ref *r)
{
	struct arena *a = m->g->arena;

	return arena_printf(a, "tn_attr(s, %sattrs, %s)", node_text(a, r), m->g->attr[m->op.at[r->node]][r->i]);
}

static const char *
ref_text(struct match *m, const struct ref *r)
{
	struct arena *a = m->g->arena;

	switch (r->kind) {
	case REF_ROOT:
		return "n0->class";
	case REF_CLASS:
		return class_text(a, r);
	case REF_ATTR:
		return attr_text(m, r);
	case REF_ITEM:
		return arena_printf(a, "tn_item_val(s, %s, %d)", attr_text(m, r), r->j);
	case REF_ITEMS:
		return arena_printf(a, "tn_items_val(s, %s, %d, %d)", attr_text(m, r), r->j, r->k);
	case REF_RECORD:
		return arena_printf(a, "%sattrs", node_text(a, r));
	case REF_UNIFORM:
		return arena_printf(a, "tn_uniform(s, %s)", class_text(a, r));
	case REF_REST:
		return arena_printf(a, "tn_run_kids(n%d, %d)", r->node, r->i);
	default:
		return arena_printf(a, "tn_run_map(n%d, %d)", r->node, r->i);
	}
}

/* ---- tests --------------------------------------------------------------------------------------------- */

/* Is any node of those bound new? */
static const char *
new_text(struct match *m, int last)
{
	struct buf text = {0};
	const char *out;

	for (int i = 0; i <= last; i++)
		buf_printf(&text, m->is_map.at[i] ? "%stn_map_is_new(n%d)" : "%sn%d->is_new", i ? " | " : "", i);
	out = arena_str(m->g->arena, text.at, text.n);
	buf_free(&text);
	return out;
}

static const char *
same_text(struct match *m, const struct step *s, bool is_not)
{
	struct arena *a = m->g->arena;
	const char *x = ref_text(m, &s->a), *y = ref_text(m, &s->b);

	if (s->a.kind == REF_RECORD)
		return arena_printf(a, "%stn_attrs_same(s, %s, %s, 0x%llx)", is_not ? "!" : "", x, y, (unsigned long long)s->mask);
	if (s->a.kind == REF_REST || s->a.kind == REF_MAPPED)
		return arena_printf(a, "%stn_run_same(%s, %s)", is_not ? "!" : "", x, y);
	if (s->kind == STEP_SAME_VALUE && !s->i)
		return arena_printf(a, "%stn_val_equal(s, %s, %s)", is_not ? "!" : "", x, y);
	return arena_printf(a, "%s %s %s", x, is_not ? "!=" : "==", y);
}

/* A guard's call: the variables it uses are its arguments. */
static const char *
call_text(struct match *m, const struct step *s)
{
	struct arena *a = m->g->arena;
	const struct plan *p = &m->g->plan[s->rule];
	const struct guard *guard = guard_of(m->g, s);
	const char *text = arena_printf(a, "%s(s", guard->name);

	if (s->kind == STEP_EQUALS)
		text = arena_printf(a, "%s, %s", text, ref_text(m, &s->a));
	for (int i = 0; i < p->rule->nvar; i++)
		if (guard->uses[i])
			text = arena_printf(a, "%s, %s", text, ref_text(m, &p->place[i]));
	return arena_printf(a, "%s)", text);
}

static const char *
list_text(struct match *m, const struct step *s)
{
	struct arena *a = m->g->arena;
	const char *items = "";

	for (int i = 0; i < s->x->nkid; i++)
		items = arena_printf(a, "%s%s%lld", items, i ? ", " : "", (long long)s->x->kid[i]->num.num);
	return arena_printf(a, "tn_val_is_list(s, %s, %d, (const int64_t[]){%s})", ref_text(m, &s->a), s->x->nkid, items);
}

/* A test that is a call, which `!` negates. */
static const char *
ask_text(struct match *m, const struct step *s)
{
	struct arena *a = m->g->arena;
	const char *at = ref_text(m, &s->a);

	switch (s->kind) {
	case STEP_NUMBER:
		return arena_printf(a, "tn_uniform_is(s, %s, %s)", at, gen_number(a, s->num));
	case STEP_IS_NUMBER:
		return arena_printf(a, "tn_val_is(s, %s, %s)", at, gen_number(a, s->num));
	case STEP_IS_CODE:
		return arena_printf(a, "tn_val_is_code(s, %s, %s)", at, gen_code(m->g, s->x));
	case STEP_IS_TEXT:
		return arena_printf(a, "tn_val_is_text(s, %s, %s)", at, gen_string(a, s->text));
	case STEP_IS_AXIS:
		return arena_printf(a, "tn_val_is_axis(s, %s, %lld, %s)", at, (long long)s->num.num, ref_text(m, &s->b));
	case STEP_IS_LIST:
		return list_text(m, s);
	default:
		return call_text(m, s);
	}
}

/* The test, or its opposite, as a condition of C. */
static const char *
test_text(struct match *m, const struct step *s, bool is_not)
{
	const char *count = s->or_more ? is_not ? "<" : ">=" : is_not ? "!=" : "==";
	struct arena *a = m->g->arena;

	switch (s->kind) {
	case STEP_COUNT:
		return arena_printf(a, "%snkid %s %d", node_text(a, &s->a), count, s->i);
	case STEP_LENGTH:
		return arena_printf(a, "tn_val_length(s, %s) %s %d", ref_text(m, &s->a), count, s->i);
	case STEP_IS_NEW:
		return arena_printf(a, s->node == 0 ? is_not ? "g->is_delta && !%s" : "!g->is_delta || %s" :
		    is_not ? "g->is_delta && !(%s)" : "!g->is_delta || (%s)", new_text(m, s->node));
	case STEP_SAME:
	case STEP_SAME_VALUE:
		return same_text(m, s, is_not);
	case STEP_UNIFORM:
		return arena_printf(a, "%s %s TN_NONE", ref_text(m, &s->a), is_not ? "==" : "!=");
	case STEP_ITEM:
		return arena_printf(a, "tn_item(s, %s, %d) %s %lld", attr_text(m, &s->a), s->a.j, is_not ? "!=" : "==", (long long)s->num.num);
	default:
		return arena_printf(a, "%s%s", is_not ? "!" : "", ask_text(m, s));
	}
}

/* The test as one of several joined by &&. */
static const char *
conjunct_text(struct match *m, const struct step *s)
{
	return s->kind == STEP_IS_NEW ? arena_printf(m->g->arena, "(%s)", test_text(m, s, false)) : test_text(m, s, false);
}

/* The map each of whose nodes is tested; -1: the test is one. */
static int
each_of(const struct step *s)
{
	if (s->a.at == NODE_EACH && s->a.kind != REF_MAPPED && s->kind != STEP_MAPS)
		return s->a.node;
	return -1;
}

/* ---- statements ------------------------------------------------------------------------------------------- */

/*
 * Where a branch stands.  skip: how to leave what is around it ("continue;"), NULL where something
 * else follows; is_last: nothing follows in its block; asked: the number of rules of which it is
 * known that one is wanted, 0: it is not.
 */
struct spot {
	int depth;
	const char *skip;
	bool is_last;
	int asked;
};

static void put_branch(struct match *, const struct tree *, struct spot);

static void
put_branches(struct match *m, const struct tree *t, struct spot at)
{
	const char *skip = at.skip;

	for (const struct tree *k = t->kid; k; k = k->next) {
		at.is_last = !k->next;
		at.skip = at.is_last ? skip : NULL;
		put_branch(m, k, at);
	}
}

/* Loops tell which operator a node has. */
static void
note_node(struct match *m, const struct step *s)
{
	if (s->kind == STEP_ORDERS)
		return;
	while (m->op.n <= (uint32_t)s->node) {
		vec_push(&m->op, 0);
		vec_push(&m->is_map, false);
	}
	m->op.at[s->node] = s->op;
	m->is_map.at[s->node] = s->kind == STEP_MAPS;
}

static const char *
loop_text(struct match *m, const struct step *s)
{
	struct arena *a = m->g->arena;

	switch (s->kind) {
	case STEP_ROOT:
		return arena_printf(a, "tn_for_roots(g, %s, n%d)", gen_op(m->g, s->op), s->node);
	case STEP_NODES:
		return arena_printf(a, "tn_for_nodes(g, %s, %s, n%d)", ref_text(m, &s->a), gen_op(m->g, s->op), s->node);
	case STEP_ORDERS:
		return arena_printf(a, "tn_for_orders(n%d, swap%d)", s->node, s->node);
	default:
		return arena_printf(a, "tn_for_maps(g, %s, %s, %s, n%d)", ref_text(m, &s->a), gen_op(m->g, s->op),
		    s->i ? "true" : "false", s->node);
	}
}

static bool
is_loop(const struct step *s)
{
	return s->kind <= STEP_MAPS;
}

/* May a set of rules this small be asked for at once? */
static bool
is_askable(const struct tree *t, int asked)
{
	return t->nrule <= TREE_RULES && (!asked || t->nrule < asked);
}

static void
put_loop(struct match *m, const struct tree *t, struct spot at)
{
	note_node(m, &t->step);
	if (t->kid && !t->kid->next && t->kid->step.kind == STEP_ORDERS && !is_askable(t->kid, at.asked)) {
		emit_line(m->e, at.depth, "%s", loop_text(m, &t->step));
		t = t->kid;
	}
	emit_line(m->e, at.depth, "%s {", loop_text(m, &t->step));
	put_branches(m, t, (struct spot){at.depth + 1, "continue;", true, at.asked});
	emit_line(m->e, at.depth, "}");
}

/* Mark the numbers below n of the names that are `stem` and a number. */
static void
mark_named(const char *text, const char *stem, bool mark[], int n)
{
	size_t len = strlen(stem);
	long number;
	char *end;

	for (const char *at = strstr(text, stem); at; at = strstr(at + len, stem)) {
		if ((at > text && (isalnum((unsigned char)at[-1]) || at[-1] == '_')) || !isdigit((unsigned char)at[len]))
			continue;
		number = strtol(at + len, &end, 10);
		if (number < n && !isalnum((unsigned char)*end) && *end != '_')
			mark[number] = true;
	}
}

/* Of n0 … and swap0 … what the text names, as parameters and as arguments. */
static void
find_context(struct match *m, const char *text, int nnode, int nswap, struct buf *params, struct buf *args)
{
	bool *node = mem_alloc((size_t)nnode + 1), *swap = mem_alloc((size_t)nswap + 1);

	mark_named(text, "n", node, nnode);
	mark_named(text, "swap", swap, nswap);
	buf_puts(params, "");
	buf_puts(args, "");
	for (int i = 0; i < nnode; i++) {
		if (node[i]) {
			buf_printf(params, ", %sn%d", m->is_map.at[i] ? "struct tn_map *" : "const struct tn_row *", i);
			buf_printf(args, ", n%d", i);
		}
		if (i < nswap && swap[i]) {
			buf_printf(params, ", unsigned swap%d", i);
			buf_printf(args, ", swap%d", i);
		}
	}
	mem_free(node);
	mem_free(swap);
}

static void
put_function(struct match *m, const char *name, const char *params, struct emit *body)
{
	struct emit *e = &m->g->out;

	emit_text(e, "static void\n");
	emit_line(e, 0, "%s(const struct tn_view *g, struct tn_matches *const out[]%s)", name, params);
	emit_text(e, "{\n");
	if (emit_has_word(body->text.at, "s"))
		emit_text(e, "\tstruct tn_search *s = g->search;\n\n");
	emit_join(e, body);
	emit_text(e, "}\n");
}

/* A loop that would be too deep here: a function, and the call of it. */
static void
put_apart(struct match *m, const struct tree *t, struct spot at)
{
	struct emit *body = arena_new(m->g->arena, struct emit), *outer = m->e;
	struct buf params = {0}, args = {0};
	int number = ++m->nfunction + 1, nswap = t->step.node, nnode = t->step.kind == STEP_ORDERS ? nswap + 1 : nswap;
	const char *name = arena_printf(m->g->arena, "match%d_%s", number, m->g->op[m->root]);

	body->no_lines = outer->no_lines;
	m->e = body;
	put_loop(m, t, (struct spot){1, NULL, true, at.asked});
	m->e = outer;
	find_context(m, body->text.at, nnode, nswap, &params, &args);
	emit_text(&m->g->out, "\n");
	put_function(m, name, params.at, body);
	emit_line(m->e, at.depth, "%s(g, out%s);", name, args.at);
	buf_free(&params);
	buf_free(&args);
}

/* "out[R_a] || out[R_b]", or that there is none. */
static const char *
wanted_text(struct match *m, const struct tree *t, bool is_not)
{
	struct arena *a = m->g->arena;
	const char *text = "";

	for (int i = 0; i < t->nrule; i++)
		text = arena_printf(a, "%s%s%sout[%s]", text, !i ? "" : is_not ? " && " : " || ", is_not ? "!" : "",
		    gen_yielded(m->g, t->rule[i]));
	return text;
}

/* One word of a match to `out`, whose runs are kept there. */
static void
put_word(struct match *m, const struct ref *r, const char *yielded, struct buf *out)
{
	buf_puts(out, out->n ? ", " : "");
	if (r->kind == REF_REST || r->kind == REF_MAPPED)
		buf_printf(out, "tn_seq_run(out[%s], %s)", yielded, ref_text(m, r));
	else
		buf_puts(out, ref_text(m, r));
}

/* "key2_conv_siblings(s, n0->kid[1])" */
static const char *
key_text(struct match *m, const struct plan *p, int var)
{
	const struct guard *key = &m->g->key[p->number][var];
	const char *text = arena_printf(m->g->arena, "%s(s", key->name);

	for (int i = 0; i < p->rule->nvar; i++)
		if (key->uses[i])
			text = arena_printf(m->g->arena, "%s, %s", text, ref_text(m, &p->place[i]));
	return arena_printf(m->g->arena, "%s)", text);
}

/* The words of a rule's match, its variables, or of a pattern's: how many. */
static int
put_words(struct match *m, int number, const char *yielded, struct buf *out)
{
	const struct plan *p = gen_plan(m->g, number);

	if (number >= m->g->text.nrule) {
		buf_puts(out, new_text(m, (int)p->node_is.n - 1));
		for (uint32_t i = 0; i < p->column.n; i++)
			if (p->column.at[i].ref.kind == REF_NONE)
				buf_printf(out, ", %s", key_text(m, p, p->column.at[i].var));
			else
				put_word(m, &p->column.at[i].ref, yielded, out);
		return 1 + (int)p->column.n;
	}
	for (int i = 0; i < p->rule->nvar; i++)
		if (p->slot[i] != SLOT_NONE)
			put_word(m, &p->place[i], yielded, out);
	return p->nslot;
}

static void
put_yield(struct match *m, const struct step *s, struct spot at)
{
	const struct plan *p = gen_plan(m->g, s->rule);
	const char *yielded = gen_yielded(m->g, s->rule);
	int depth = at.depth + !at.is_last, n;
	struct buf words = {0};

	n = put_words(m, s->rule, yielded, &words);
	if (!at.is_last)
		emit_line(m->e, at.depth, "{");
	if (n)
		emit_line(m->e, depth, "const uint32_t v[] = {%s};\n", words.at);
	gen_at(m->g, m->e, p->rule->at);
	emit_line(m->e, depth, "tn_yield(out[%s], %s, n0->class, %s, %d);", yielded, yielded, n ? "v" : "NULL", n);
	emit_back(m->e);
	if (!at.is_last)
		emit_line(m->e, at.depth, "}");
	buf_free(&words);
}

/* A test whose failure leaves what is around; what depends on it follows. */
static void
put_test(struct match *m, const struct tree *t, struct spot at)
{
	const struct step *s = &t->step;
	int each = each_of(s);

	if (s->kind == STEP_GUARD)
		gen_at(m->g, m->e, s->x->at);
	if (each >= 0) {
		emit_line(m->e, at.depth, "for (n%d->i = 0; n%d->i < n%d->n && %s; n%d->i++)", each, each, each, test_text(m, s, false), each);
		emit_line(m->e, at.depth + 1, ";");
		emit_line(m->e, at.depth, "if (n%d->i < n%d->n)", each, each);
	} else
		emit_line(m->e, at.depth, "if (%s)", test_text(m, s, true));
	if (s->kind == STEP_GUARD)
		emit_back(m->e);
	emit_line(m->e, at.depth + 1, "%s", at.skip);
	put_branches(m, t, at);
}

/* Can the test stand with others in one condition? */
static bool
is_plain(const struct step *s)
{
	return !is_loop(s) && s->kind != STEP_GUARD && s->kind != STEP_YIELD && each_of(s) < 0;
}

/* A test around what depends on it, after a condition `first` if that is not NULL, with the tests
 * that follow it alone. */
static void
put_if(struct match *m, const struct tree *t, struct spot at, const char *first)
{
	struct arena *a = m->g->arena;
	const struct step *s = &t->step;
	const char *text;
	int each = each_of(s);

	if (each >= 0) {
		emit_line(m->e, at.depth, "for (n%d->i = 0; n%d->i < n%d->n && %s; n%d->i++)", each, each, each, test_text(m, s, false), each);
		emit_line(m->e, at.depth + 1, ";");
		text = arena_printf(a, "n%d->i == n%d->n", each, each);
	} else
		text = first || (t->kid && !t->kid->next) ? conjunct_text(m, s) : test_text(m, s, false);
	text = first ? arena_printf(a, "%s && %s", first, text) : text;
	while (is_plain(&t->step) && t->kid && !t->kid->next && is_plain(&t->kid->step) && !is_askable(t->kid, at.asked)) {
		text = arena_printf(a, "%s && %s", text, conjunct_text(m, &t->kid->step));
		t = t->kid;
	}
	if (s->kind == STEP_GUARD)
		gen_at(m->g, m->e, s->x->at);
	emit_line(m->e, at.depth, "if (%s) {", text);
	if (s->kind == STEP_GUARD)
		emit_back(m->e);
	put_branches(m, t, (struct spot){at.depth + 1, NULL, true, at.asked});
	emit_line(m->e, at.depth, "}");
}

static void
put_step(struct match *m, const struct tree *t, struct spot at)
{
	if (is_loop(&t->step)) {
		if (at.depth > DEEPEST)
			put_apart(m, t, at);
		else
			put_loop(m, t, at);
	} else if (t->step.kind == STEP_YIELD)
		put_yield(m, &t->step, at);
	else if (at.skip)
		put_test(m, t, at);
	else
		put_if(m, t, at, NULL);
}

/* A branch, after asking whether any of its rules is wanted where that has not been asked. */
static void
put_branch(struct match *m, const struct tree *t, struct spot at)
{
	const char *wanted;

	if (!is_askable(t, at.asked)) {
		put_step(m, t, at);
		return;
	}
	at.asked = t->nrule;
	if (at.skip) {
		emit_line(m->e, at.depth, "if (%s)", wanted_text(m, t, true));
		emit_line(m->e, at.depth + 1, "%s", at.skip);
		put_step(m, t, at);
		return;
	}
	wanted = wanted_text(m, t, false);
	if (is_plain(&t->step)) {
		put_if(m, t, at, t->nrule > 1 ? arena_printf(m->g->arena, "(%s)", wanted) : wanted);
		return;
	}
	emit_line(m->e, at.depth, "if (%s) {", wanted);
	put_step(m, t, (struct spot){at.depth + 1, NULL, true, at.asked});
	emit_line(m->e, at.depth, "}");
}

void
match_function(struct gen *g, const struct tree *t)
{
	struct emit body = {.no_lines = g->options->no_lines};
	struct match m = {.g = g, .e = &body, .root = t->step.op};

	put_branch(&m, t, (struct spot){1, "return;", true, 0});
	emit_text(&g->out, "\n/*\n");
	tree_draw(g, t, &g->out, " *");
	emit_text(&g->out, " */\n");
	put_function(&m, arena_printf(g->arena, "match_%s", g->op[m.root]), "", &body);
	vec_free(&m.op);
	vec_free(&m.is_map);
}
