/*
 * Is the checker sharp?  Rules are changed in one place each, and every change that makes a rule wrong must be
 * refuted.
 *
 *	mutants FILE.rules …
 *
 * A mutant has operands exchanged, an operator left out, a number one off, a list's first items exchanged,
 * another value of an enum, or a guard dropped.  One that still holds is looked at again on larger shapes: if it
 * holds there too, it is taken to be equal in value, and listed with -v; if not, the checker missed it, which
 * is a failure, as is a mutant that crashes.  The last line counts them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/num.h"
#include "dsl/rule.h"
#include "tenon/compile.h"
#include "tenon/verify.h"

struct mutator {
	struct arena arena;
	const struct tn_program_text *text;
	int wanted, site;		/* which place is to be changed, and how many were passed */
	const char *what;		/* what was done there; NULL: the place was not reached */
};

static bool
is_here(struct mutator *m, const char *what)
{
	if (m->site++ != m->wanted)
		return false;
	m->what = what;
	return true;
}

/* ---- expressions ----------------------------------------------------------------------------------------- */

static struct tn_x *
copy_x(struct mutator *m, const struct tn_x *x)
{
	struct tn_x *c = arena_dup(&m->arena, x, sizeof *x);

	if (x->nkid)
		c->kid = arena_dup(&m->arena, x->kid, x->nkid * sizeof *x->kid);
	return c;
}

static void
exchange_x(struct tn_x *x)
{
	const struct tn_x **kid = (const struct tn_x **)x->kid, *t = kid[0];

	kid[0] = kid[1];
	kid[1] = t;
}

/* (+ x 1) */
static const struct tn_x *
one_more(struct mutator *m, const struct tn_x *x)
{
	struct tn_x *sum = arena_new(&m->arena, struct tn_x), *one = arena_new(&m->arena, struct tn_x);
	const struct tn_x **kid = arena_news(&m->arena, 2, const struct tn_x *);

	*one = (struct tn_x){.kind = TN_X_NUM, .sort = TN_S_INT, .num = {1, 1, 0}};
	*sum = (struct tn_x){.kind = TN_X_CALL, .sort = x->sort, .fn = TN_F_ADD, .nkid = 2, .kid = kid};
	kid[0] = x;
	kid[1] = one;
	return sum;
}

static const struct tn_x *
mutate_number(struct mutator *m, const struct tn_x *x)
{
	struct tn_x *c;

	if (!is_here(m, x->sort == TN_S_BOOL ? "other truth" : "number one more"))
		return x;
	c = copy_x(m, x);
	if (x->sort == TN_S_BOOL)
		c->num.num = !x->num.num;
	else
		c->num = number_make(x->num.num + x->num.den, x->num.den ? x->num.den : 1);
	return c;
}

static const struct tn_x *
mutate_enum(struct mutator *m, const struct tn_x *x, const struct tn_enum *e)
{
	struct tn_x *c;

	if (!e || e->nvalue < 2 || !is_here(m, "other value of an enum"))
		return x;
	c = copy_x(m, x);
	c->num.num = (x->num.num + 1) % e->nvalue;
	c->text = e->value[c->num.num];
	return c;
}

static const struct tn_x *
mutate_x(struct mutator *m, const struct tn_x *x, const struct tn_enum *e)
{
	const struct tn_x *kid;
	struct tn_x *c;
	int i;

	if (x->kind == TN_X_NUM)
		return mutate_number(m, x);
	if (x->kind == TN_X_TEXT)
		return x->sort == TN_S_ENUM ? mutate_enum(m, x, e) : x;
	if (x->kind == TN_X_VAR)
		return x->sort == TN_S_INT && is_here(m, "one more than a variable") ? one_more(m, x) : x;
	if (x->kind != TN_X_CALL && x->kind != TN_X_LIST)
		return x;
	if (x->nkid >= 2 && is_here(m, x->kind == TN_X_LIST ? "items exchanged" : "operands of a function exchanged")) {
		c = copy_x(m, x);
		exchange_x(c);
		return c;
	}
	for (i = 0; i < x->nkid; i++) {
		if (x->kid[i]->sort == TN_S_TENSOR)
			continue;
		kid = mutate_x(m, x->kid[i], NULL);
		if (kid != x->kid[i]) {
			c = copy_x(m, x);
			((const struct tn_x **)c->kid)[i] = kid;
			return c;
		}
	}
	return x;
}

/* ---- terms ------------------------------------------------------------------------------------------------- */

static struct tn_term *
copy_term(struct mutator *m, const struct tn_term *t)
{
	struct tn_term *c = arena_dup(&m->arena, t, sizeof *t);

	if (t->nkid)
		c->kid = arena_dup(&m->arena, t->kid, t->nkid * sizeof *t->kid);
	if (t->nbind)
		c->bind = arena_dup(&m->arena, t->bind, t->nbind * sizeof *t->bind);
	return c;
}

static bool
may_exchange(const struct mutator *m, const struct tn_term *t)
{
	return t->nkid >= 2 && t->kid[0] != t->kid[1] && !m->text->op[t->op].is_commutative &&
	    !(t->kid[0]->kind == TN_T_VAR && t->kid[1]->kind == TN_T_VAR && t->kid[0]->var == t->kid[1]->var);
}

static const struct tn_term *
mutate_attrs(struct mutator *m, const struct tn_term *t)
{
	const struct tn_x *x;
	struct tn_term *c;
	int i;

	for (i = 0; i < t->nbind; i++) {
		x = mutate_x(m, t->bind[i].x, m->text->op[t->op].attr[t->bind[i].attr].enums);
		if (x != t->bind[i].x) {
			c = copy_term(m, t);
			((struct tn_bind *)c->bind)[i].x = x;
			return c;
		}
	}
	return t;
}

static const struct tn_term *
mutate_term(struct mutator *m, const struct tn_term *t)
{
	const struct tn_term *kid;
	struct tn_term *c;
	int i;

	if (t->kind == TN_T_NUM && is_here(m, "number one more")) {
		c = copy_term(m, t);
		c->num = number_make(t->num.num + t->num.den, t->num.den ? t->num.den : 1);
		return c;
	}
	if (t->kind == TN_T_OP && may_exchange(m, t) && is_here(m, "operands exchanged")) {
		c = copy_term(m, t);
		((const struct tn_term **)c->kid)[0] = t->kid[1];
		((const struct tn_term **)c->kid)[1] = t->kid[0];
		return c;
	}
	if (t->kind == TN_T_OP && t->nkid == 1 && t->kid[0]->kind != TN_T_REST && t->kid[0]->kind != TN_T_MAP && is_here(m, "operator left out"))
		return t->kid[0];
	if (t->kind == TN_T_OP && (kid = mutate_attrs(m, t)) != t)
		return kid;
	for (i = 0; i < t->nkid; i++) {
		kid = mutate_term(m, t->kid[i]);
		if (kid != t->kid[i]) {
			c = copy_term(m, t);
			((const struct tn_term **)c->kid)[i] = kid;
			return c;
		}
	}
	return t;
}

/* ---- rules --------------------------------------------------------------------------------------------------- */

/* The rule changed at place m->wanted: results, then lets, then guards dropped. */
static struct tn_rule
mutate_rule(struct mutator *m, const struct tn_rule *r)
{
	struct tn_rule c = *r;
	struct tn_arrow *arrow = arena_dup(&m->arena, r->arrow, (size_t)r->narrow * sizeof *r->arrow);
	struct tn_rvar *var = r->nvar ? arena_dup(&m->arena, r->var, (size_t)r->nvar * sizeof *r->var) : NULL;
	int i;

	c.arrow = arrow;
	c.var = var;
	for (i = 0; i < r->narrow && !m->what; i++)
		arrow[i].to = mutate_term(m, r->arrow[i].to);
	for (i = 0; i < r->nvar && !m->what; i++)
		if (r->var[i].kind == TN_R_LET)
			var[i].x = mutate_x(m, r->var[i].x, NULL);
	for (i = 0; i < r->nwhen && !m->what; i++)
		if (is_here(m, "guard dropped")) {
			const struct tn_x **when = arena_dup(&m->arena, r->when, (size_t)r->nwhen * sizeof *r->when);

			memmove(&when[i], &when[i + 1], (size_t)(r->nwhen - i - 1) * sizeof *when);
			c.when = when;
			c.nwhen--;
		}
	return c;
}

struct count {
	unsigned all, refuted, idle, equal, missed, unchecked;
};

/* one mutant; what became of it */
static void
judge(const struct tn_program_text *text, const struct tn_rule *r, const char *what, int place, bool verbose, struct count *n)
{
	struct tn_verify_options how = {.seed = 1, .is_first = true};
	struct tn_verdict v = tn_verify_rule(text, r, &how);
	enum tn_verdict_kind small = v.kind;

	tn_verdict_free(&v);
	n->all++;
	if (small == TN_REFUTED) {
		n->refuted++;
		return;
	}
	if (small == TN_NO_INSTANCE || small == TN_UNCHECKABLE) {
		*(small == TN_NO_INSTANCE ? &n->idle : &n->unchecked) += 1;
		return;
	}
	how.is_larger = true;
	how.seed = 2;
	v = tn_verify_rule(text, r, &how);
	if (v.kind == TN_REFUTED) {
		n->missed++;
		printf("%s:%d: %s: %s (place %d): survived small shapes\n%s", r->file, r->line, r->name, what, place, v.text);
	} else {
		n->equal++;
		if (verbose)
			printf("%s:%d: %s: %s (place %d): equal\n", r->file, r->line, r->name, what, place);
	}
	tn_verdict_free(&v);
}

static void
mutate_all(const struct tn_program_text *text, const struct tn_rule *r, bool verbose, struct count *n)
{
	int place;

	for (place = 0;; place++) {
		struct mutator m = {.text = text, .wanted = place};
		struct tn_rule mutant = mutate_rule(&m, r);

		if (m.what)
			judge(text, &mutant, m.what, place, verbose, n);
		arena_free(&m.arena);
		if (!m.what)
			return;
	}
}

int
main(int argc, char **argv)
{
	bool verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
	struct tn_error e;
	struct tn_rules *rules = tn_rules_read((const char *const *)argv + 1 + verbose, argc - 1 - verbose, "rules", stderr, &e);
	const struct tn_program_text *text;
	struct count n = {0};
	int i;

	if (!rules) {
		fprintf(stderr, "mutants: %s\n", e.msg);
		return 2;
	}
	text = tn_rules_text(rules);
	for (i = 0; i < text->nrule; i++)
		mutate_all(text, &text->rule[i], verbose, &n);
	printf("%u mutants: %u refuted, %u that shape checks and guards never let apply, %u equal in value, %u missed, %u not checkable\n",
	    n.all, n.refuted, n.idle, n.equal, n.missed, n.unchecked);
	tn_rules_free(rules);
	return n.missed ? 1 : 0;
}
