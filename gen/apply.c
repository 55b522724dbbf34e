/*
 * apply_RULE: the result of one rule, operator by operator, and its union with the root.
 *
 *	static bool
 *	apply_conv_scale_in(struct tn_apply *ap, tn_id root, const uint32_t v[])
 *	{
 *		const tn_id x = v[0], k = v[1], b = v[2];
 *		…
 *		const tn_id num = tn_num_val(ap, u);
 *		const tn_id mul = tn_new(ap, OP_mul, 0, (const tn_id[]){k, num}, 2);
 *		…
 *		return tn_join(ap, root, conv2d);
 *	}
 *
 * Every node has a name and a statement: what C does inside one expression it may do in any order,
 * and the numbers of nodes must not depend on that.
 */
#include <string.h>

#include "gen/func.h"
#include "gen/join.h"

/* ---- attributes ---------------------------------------------------------------------------------------- */

/* Does the node that bound the capture say the same of the attributes named beside it? */
static bool
says_the_same(const struct func *f, const struct tn_term *t)
{
	const struct tn_term *from = f->p->captured[t->capture];
	bool same = from && from->nbind == t->nbind;

	for (int k = 0; same && k < t->nbind; k++)
		same = from->bind[k].attr == t->bind[k].attr && func_same(from->bind[k].x, t->bind[k].x);
	return same;
}

/* The record of a term's attributes: a name, or 0. */
static const char *
record_text(struct func *f, const struct tn_term *t)
{
	const struct tn_op *op = &f->g->text.op[t->op];
	struct arena *a = f->g->arena;
	const char *base = t->capture >= 0 ? func_var(f, t->capture) : "TN_NONE", *attrs = "", *values = "", *name;

	if (op->nattr == 0)
		return "0";
	if (t->capture >= 0 && says_the_same(f, t))
		return base;
	for (int i = 0; i < t->nbind; i++) {
		attrs = arena_printf(a, "%s%s%s", attrs, i ? ", " : "", f->g->attr[t->op][t->bind[i].attr]);
		values = arena_printf(a, "%s%s%s", values, i ? ", " : "", func_value(f, t->bind[i].x));
	}
	if (t->nbind == 0)
		return base;
	name = func_name(f, arena_printf(a, "%s_attrs", op->name));
	emit_line(&f->body, f->depth, "const tn_attrs %s = tn_rec(ap, %s, %s, %d, (const int[]){%s}, (const struct tn_v[]){%s});", name,
	    gen_op(f->g, t->op), base, t->nbind, attrs, values);
	return name;
}

/* ---- operands -------------------------------------------------------------------------------------------- */

const char *
apply_sequence(struct func *f, int var)
{
	const char *name;

	if (f->count[var])
		return f->name[var];
	name = func_var(f, var);
	f->count[var] = func_name(f, arena_printf(f->g->arena, "n_%s", name));
	return name;
}

static bool
is_list(const struct tn_term *t)
{
	return t->kind == TN_T_REST || t->kind == TN_T_MAP;
}

/* The first variable ?xs... in a map whose elements the term is made of, or -1.  A let is one for all. */
static int
find_sequence(const struct func *f, const struct tn_term *t)
{
	int var = -1;

	if ((t->kind == TN_T_VAR || t->kind == TN_T_REST) && f->p->rule->var[t->var].kind == TN_R_TENSORS)
		return t->var;
	for (int i = 0; i < t->nkid && var < 0; i++)
		if (!t->kid[i]->is_let)
			var = find_sequence(f, t->kid[i]);
	return var;
}

/* Does the value differ from sibling to sibling? */
static bool
is_siblings_value(const struct func *f, const struct tn_x *x)
{
	const struct tn_rvar *v = x->kind == TN_X_VAR ? &f->p->rule->var[x->var] : NULL;

	if (x->kind == TN_X_BEFORE || (v && v->kind == TN_R_TENSORS) || (v && v->kind == TN_R_LET && is_siblings_value(f, v->x)))
		return true;
	for (int i = 0; i < x->nkid; i++)
		if (is_siblings_value(f, x->kid[i]))
			return true;
	return false;
}

/* Is the term another one for each element or sibling? */
static bool
is_each(const struct func *f, const struct tn_term *t)
{
	if (t->is_let)
		return false;
	if (find_sequence(f, t) >= 0)
		return true;
	for (int i = 0; i < t->nbind; i++)
		if (is_siblings_value(f, t->bind[i].x))
			return true;
	for (int i = 0; i < t->nkid; i++)
		if (is_each(f, t->kid[i]))
			return true;
	return false;
}

/* Terms that are the same for every element, made before the loop over them. */
static void
make_common(struct func *f, const struct tn_term *t)
{
	for (int i = 0; i < t->nkid; i++) {
		if (is_list(t->kid[i]))
			continue;
		if (t->kid[i]->kind == TN_T_OP && is_each(f, t->kid[i]))
			make_common(f, t->kid[i]);
		else if (t->kid[i]->kind == TN_T_OP)
			apply_term(f, t->kid[i]);
	}
}

static void
put_lengths(struct func *f, const struct tn_term *map, int first)
{
	struct terms all = {0};

	apply_sequence(f, first);
	terms_add(&all, map);
	for (uint32_t i = 0; i < all.list.n; i++) {
		const struct tn_term *t = all.list.at[i];

		if ((t->kind != TN_T_VAR && t->kind != TN_T_REST) || f->p->rule->var[t->var].kind != TN_R_TENSORS || t->var == first)
			continue;
		apply_sequence(f, t->var);
		emit_line(&f->body, f->depth, "if (%s != %s)", f->count[t->var], f->count[first]);
		emit_line(&f->body, f->depth + 1, "return false;");
	}
	terms_free(&all);
}

/* Lets whose values were computed inside a loop have no names after it. */
static void
forget_lets(struct func *f, const char **before)
{
	for (int i = 0; i < f->p->rule->nvar; i++)
		if (f->p->rule->var[i].kind == TN_R_LET)
			f->name[i] = before[i];
}

/* The map's term for each element of ?xs..., put into the operands `kids`.  Lists that it goes along
 * beside the first must be as long. */
static void
put_map(struct func *f, const struct tn_term *map, const char *kids)
{
	int var = find_sequence(f, map);
	uint32_t known;
	const char *each, **before;

	make_common(f, map);
	put_lengths(f, map, var);
	before = arena_dup(f->g->arena, f->name, (size_t)f->p->rule->nvar * sizeof *before);
	f->index = func_name(f, "i");
	emit_line(&f->body, f->depth, "for (int %s = 0; %s < %s; %s++) {", f->index, f->index, f->count[var], f->index);
	known = f->made.n;
	f->depth++;
	each = apply_term(f, map->kid[0]);
	emit_text(&f->body, f->made.n > known ? "\n" : "");
	emit_line(&f->body, f->depth, "tn_kids_put(&%s, &%s, 1);", kids, each);
	f->index = NULL;
	f->depth--;
	f->made.n = known;
	forget_lets(f, before);
	emit_line(&f->body, f->depth, "}");
}

/* Operands whose number is known only when it is applied: "&kids". */
static const char *
put_list(struct func *f, const struct tn_term *t)
{
	const char *kids = func_name(f, "kids"), *one;

	emit_line(&f->body, f->depth, "struct tn_kids %s;\n", kids);
	emit_line(&f->body, f->depth, "%s.n = 0;", kids);
	for (int i = 0; i < t->nkid; i++) {
		const struct tn_term *kid = t->kid[i];

		if (kid->kind == TN_T_MAP) {
			put_map(f, kid, kids);
			continue;
		}
		if (kid->kind == TN_T_REST && !f->index) {
			one = apply_sequence(f, kid->var);
			emit_line(&f->body, f->depth, "tn_kids_put(&%s, %s, %s);", kids, one, f->count[kid->var]);
			continue;
		}
		one = apply_term(f, kid);
		emit_line(&f->body, f->depth, "tn_kids_put(&%s, (const tn_id[]){%s}, 1);", kids, one);
	}
	return kids;
}

static const char *
operator_text(struct func *f, const struct tn_term *t, bool is_scalar)
{
	struct arena *a = f->g->arena;
	const char *op = gen_op(f->g, t->op), *record, *kids = "", *name, *count = arena_printf(a, "%d", t->nkid);
	bool has_list = false, is_run;

	for (int i = 0; i < t->nkid; i++)
		has_list |= is_list(t->kid[i]) && !(t->kid[i]->kind == TN_T_REST && f->index);
	/* one list alone is passed on as it is */
	is_run = t->nkid == 1 && t->kid[0]->kind == TN_T_REST && !f->index;
	if (is_run) {
		kids = apply_sequence(f, t->kid[0]->var);
		count = f->count[t->kid[0]->var];
		has_list = false;
	} else if (has_list)
		kids = put_list(f, t);
	for (int i = 0; i < t->nkid && !has_list && !is_run; i++)
		kids = arena_printf(a, "%s%s%s", kids, i ? ", " : "", apply_term(f, t->kid[i]));
	kids = has_list || is_run || t->nkid == 0 ? kids : arena_printf(a, "(const tn_id[]){%s}", kids);
	record = is_scalar ? "" : record_text(f, t);
	name = func_name(f, f->g->text.op[t->op].name);
	if (has_list && is_scalar) {
		emit_line(&f->body, f->depth, "if (%s.n < 1)", kids);
		emit_line(&f->body, f->depth + 1, "return false;");
		emit_line(&f->body, f->depth, "const tn_id %s = tn_new_scalar(ap, %s, %s.at, %s.n);", name, op, kids, kids);
	} else if (has_list)
		emit_line(&f->body, f->depth, "const tn_id %s = tn_new_kids(ap, %s, %s, &%s);", name, op, record, kids);
	else if (is_scalar)
		emit_line(&f->body, f->depth, "const tn_id %s = tn_new_scalar(ap, %s, %s, %s);", name, op, *kids ? kids : "NULL", count);
	else
		emit_line(&f->body, f->depth, "const tn_id %s = tn_new(ap, %s, %s, %s, %s);", name, op, record, *kids ? kids : "NULL", count);
	return name;
}

/* $a as a tensor */
static const char *
value_term(struct func *f, const struct tn_term *t, const char *scalar)
{
	struct arena *a = f->g->arena;
	const struct tn_x x = {.kind = TN_X_VAR, .sort = TN_S_REAL, .var = t->var};
	const char *value, *name;

	if (f->p->slot[t->var] != SLOT_NONE)
		value = func_var(f, t->var);
	else
		value = arena_printf(a, "tn_v_val(search, %s, TN_K_FLOAT, NULL)", func_value(f, &x));
	name = func_name(f, arena_printf(a, "all_%s", f->p->rule->var[t->var].name));
	emit_line(&f->body, f->depth, "const tn_id %s = tn_num_val%s(ap, %s);", name, scalar, value);
	return name;
}

/* The name of a let's variable whose class the match carries, or NULL. */
static const char *
matched_let(struct func *f, const struct tn_term *t)
{
	for (int i = 0; i < f->p->rule->nvar; i++)
		if (f->p->rule->var[i].kind == TN_R_TERM && f->p->rule->var[i].term == t && f->p->slot[i] != SLOT_NONE)
			return func_var(f, i);
	return NULL;
}

static const char *
make_term(struct func *f, const struct tn_term *t)
{
	bool is_scalar = plan_is_scalar(f->p);
	const char *scalar = is_scalar ? "_scalar" : "", *name;

	switch (t->kind) {
	case TN_T_NUM:
		name = func_name(f, "num");
		emit_line(&f->body, f->depth, "const tn_id %s = tn_num%s(ap, %s);", name, scalar, gen_number(f->g->arena, t->num));
		return name;
	case TN_T_ATTR:
		return value_term(f, t, scalar);
	default:
		return operator_text(f, t, is_scalar);
	}
}

const char *
apply_term(struct func *f, const struct tn_term *t)
{
	const char *name;

	if (t->kind == TN_T_VAR || t->kind == TN_T_REST) {
		if (f->p->rule->var[t->var].kind != TN_R_TENSORS)
			return func_var(f, t->var);
		return arena_printf(f->g->arena, "%s[%s]", apply_sequence(f, t->var), f->index);
	}
	name = t->kind == TN_T_OP ? matched_let(f, t) : NULL;
	if (name)
		return name;
	for (uint32_t i = 0; i < f->made.n; i++)
		if (f->made.at[i].term == t)
			return f->made.at[i].name;
	name = make_term(f, t);
	vec_push(&f->made, ((struct made){t, name}));
	return name;
}

const char *
func_tensor(struct func *f, int var)
{
	/* what siblings agree in is asked of the first */
	if (f->p->rule->var[var].kind == TN_R_TENSORS && f->in_apply)
		return arena_printf(f->g->arena, "%s[%s]", apply_sequence(f, var), f->index ? f->index : "0");
	if (f->p->slot[var] != SLOT_NONE)
		return func_var(f, var);
	return apply_term(f, f->p->rule->var[var].term);
}

/* ---- the function ------------------------------------------------------------------------------------------ */

/* The words of a match that are used, under the names of the rule's variables. */
static void
put_variables(struct func *f, struct emit *e)
{
	static const char *const type[] = {
		[TN_R_TENSOR] = "tn_id", [TN_R_TERM] = "tn_id", [TN_R_ATTR] = "tn_val", [TN_R_SEQ] = "tn_val", [TN_R_CAPTURE] = "tn_attrs",
	};
	const struct tn_rule *r = f->p->rule;

	for (int i = 0; i < r->nvar; i++) {
		int slot = f->p->slot[i];

		if (!f->name[i] || slot == SLOT_NONE)
			continue;
		if (r->var[i].kind != TN_R_TENSORS) {
			emit_line(e, 1, "const %s %s = v[%d];", type[r->var[i].kind], f->name[i], slot);
			continue;
		}
		emit_line(e, 1, "int %s;", f->count[i]);
		emit_line(e, 1, "const tn_id *%s = tn_seq(ap, v[%d], &%s);", f->name[i], slot, f->count[i]);
	}
}

/* The rule's place and source, and what the words of its matches are. */
static void
put_heading(struct gen *g, const struct func *f)
{
	const struct tn_rule *r = f->p->rule;
	struct emit *e = &g->out;
	const char *slots = gen_slots(g, f->p), *source;
	size_t len;

	source = rules_source(g->rules, r->at, &len);
	emit_text(e, "\n/*\n * ");
	emit_comment(e, r->file, strlen(r->file));
	emit(e, ":%d: ", r->line);
	emit_comment(e, r->name, strlen(r->name));
	emit_text(e, "\n *\n");
	emit_source(e, source, len);
	emit_text(e, " *\n");
	if (f->p->nslot) {
		emit_text(e, " * ");
		emit_comment(e, slots, strlen(slots));
		emit_text(e, "\n");
	}
	emit_text(e, " */\n");
}

/* Conditions on shapes that only the result has. */
static void
put_late(struct func *f)
{
	const struct tn_rule *r = f->p->rule;

	for (int i = 0; i < r->nwhen; i++) {
		const char *condition;

		if (!f->p->is_late[i])
			continue;
		condition = func_condition(f, r->when[i]);
		gen_at(f->g, &f->body, r->when[i]->at);
		emit_line(&f->body, 1, strstr(condition, " && ") ? "if (!(%s))" : "if (!%s)", condition);
		emit_back(&f->body);
		emit_line(&f->body, 2, "return false;");
	}
}

/* Sums over the siblings before the one at hand, that the value needs. */
static void
find_sums(struct func *f, const struct tn_x *x)
{
	if (x->kind == TN_X_VAR && f->p->rule->var[x->var].kind == TN_R_LET)
		find_sums(f, f->p->rule->var[x->var].x);
	for (int i = 0; i < x->nkid; i++)
		find_sums(f, x->kid[i]);
	if (x->kind == TN_X_BEFORE && !func_sum(f, x))
		vec_push(&f->sum, ((struct sum){x, func_name(f, "before")}));
}

static void
find_all_sums(struct func *f, const struct tn_term *t)
{
	for (int i = 0; i < t->nbind; i++)
		find_sums(f, t->bind[i].x);
	for (int i = 0; i < t->nkid; i++)
		if (!t->kid[i]->is_let)
			find_all_sums(f, t->kid[i]);
}

/* The result for each sibling, all of them joined with their roots. */
static void
put_siblings(struct func *f, const struct join *j, const char *scalar)
{
	const struct tn_term *to = f->p->rule->arrow[0].to;
	const char *root = func_name(f, "sibling"), *n = func_name(f, "n_sibling"), *results = func_name(f, "results"), *one;

	if (is_each(f, to))
		make_common(f, to);
	else
		apply_term(f, to);
	find_all_sums(f, to);
	for (uint32_t i = 0; i < f->sum.n; i++)
		emit_line(&f->body, 1, "struct tn_v %s = tn_v_int(0);", f->sum.at[i].name);
	emit_line(&f->body, 1, "int %s;", n);
	emit_line(&f->body, 1, "const tn_id *%s = tn_seq(ap, v[%d], &%s);", root, j->root, n);
	emit_line(&f->body, 1, "struct tn_kids %s;\n", results);
	emit_line(&f->body, 1, "%s.n = 0;", results);
	f->index = func_name(f, "i");
	emit_line(&f->body, 1, "for (int %s = 0; %s < %s; %s++) {", f->index, f->index, n, f->index);
	f->depth++;
	one = apply_term(f, to);
	emit_line(&f->body, 2, "tn_kids_put(&%s, (const tn_id[]){%s}, 1);", results, one);
	for (uint32_t i = 0; i < f->sum.n; i++)
		emit_line(&f->body, 2, "%s = tn_v_call2(search, TN_F_ADD, %s, %s);", f->sum.at[i].name, f->sum.at[i].name,
		    func_value(f, f->sum.at[i].x->kid[0]));
	f->depth--;
	emit_line(&f->body, 1, "}");
	emit_line(&f->body, 1, "return %s.n == %s && tn_join_all%s(ap, %s, %s, %s.at);", results, n, scalar, n, root, results);
}

/* Results of all arrows, joined with their roots: all, or none. */
static void
put_results(struct func *f, const struct join *j, const char *scalar)
{
	const struct tn_rule *r = f->p->rule;
	const char *results = "";

	for (int i = 0; i < r->narrow; i++)
		results = arena_printf(f->g->arena, "%s%s%s", results, i ? ", " : "", apply_term(f, r->arrow[i].to));
	emit_line(&f->body, 1, "return tn_join_all%s(ap, %d, &v[%d], (const tn_id[]){%s});", scalar, r->narrow, j->root, results);
}

void
apply_function(struct gen *g, const struct plan *p)
{
	const char *scalar = plan_is_scalar(p) ? "_scalar" : "", *result;
	struct emit *e = &g->out, head = {0};
	struct func f;

	func_begin(&f, g, p, true);
	put_heading(g, &f);
	put_late(&f);
	if (p->rule->is_siblings)
		put_siblings(&f, g->join[p->number], scalar);
	else if (g->join[p->number])
		put_results(&f, g->join[p->number], scalar);
	else {
		result = apply_term(&f, p->rule->arrow[0].to);
		emit_line(&f.body, 1, "return tn_join%s(ap, root, %s);", scalar, result);
	}
	emit_text(&head, emit_has_word(f.body.text.at, "search") ? "\tstruct tn_search *search = tn_apply_search(ap);\n" : "");
	put_variables(&f, &head);
	if (!emit_has_word(head.text.at, "v") && !emit_has_word(f.body.text.at, "v"))
		emit_text(&head, "\t(void)v;\n");
	if (!emit_has_word(f.body.text.at, "root"))
		emit_text(&head, "\t(void)root;\n");
	emit(e, "static bool\napply_%s(struct tn_apply *ap, tn_id root, const uint32_t v[])\n{\n", g->rule[p->number]);
	emit_join(e, &head);
	emit_text(e, "\n");
	emit_join(e, &f.body);
	emit_text(e, "}\n");
	func_end(&f);
}
