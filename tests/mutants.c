/*
 * Is the checker sharp?  Rules are changed in one place each, and every change that makes a rule wrong must be
 * refuted.
 *
 *	mutants [-v] [-s SEED] [-r RULE] FILE.rules …
 *
 * A mutant has operands exchanged, an operand transposed, an operator left out, a number or variable one off (an
 * axis, a stride, a bound), a list's first items exchanged, another value of an enum, another value than was
 * captured (strides, pads, groups, the activation), or a guard dropped.
 *
 * One that never applies is told apart by what forbids it: guards and checks, or that the shapes of both sides
 * differ.  One that holds is looked at again on larger shapes: if it is refuted there, the checker missed it,
 * which is a failure, as is a mutant that crashes.  If it holds there too, it is equal in value where it
 * applies; if that is on far fewer tries than the rule itself, it is counted as narrower (a slice that only
 * fits where it cuts nothing).  -v lists what survives, -r looks at the rules of one name alone, and another seed
 * shows what was luck.  The last line counts them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static struct tn_number
number_more(struct tn_number n)
{
	return number_make(n.num + n.den, n.den ? n.den : 1);
}

/* one more than a number, or the other truth */
static void
change_number(struct tn_x *x)
{
	if (x->sort == TN_S_BOOL)
		x->num.num = !x->num.num;
	else
		x->num = number_more(x->num);
}

static const struct tn_x *
mutate_number(struct mutator *m, const struct tn_x *x)
{
	struct tn_x *c;

	if (!is_here(m, x->sort == TN_S_BOOL ? "other truth" : "number one more"))
		return x;
	c = copy_x(m, x);
	change_number(c);
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

static const struct tn_term *mutate_term(struct mutator *, const struct tn_term *);

/* ---- captured attributes ------------------------------------------------------------------------------------- */

/* a default, item `item` of it one more; NULL: it has no such number */
static const struct tn_x *
changed_default(struct mutator *m, const struct tn_attr_decl *a, int item)
{
	struct tn_x *c, *number;

	if (!a->init || (a->nelem ? a->init->kind != TN_X_LIST || item >= a->init->nkid : a->init->kind != TN_X_NUM || item > 0))
		return NULL;
	c = copy_x(m, a->init);
	number = c;
	if (a->nelem) {
		number = copy_x(m, c->kid[item]);
		((const struct tn_x **)c->kid)[item] = number;
	}
	if (number->kind != TN_X_NUM)
		return NULL;
	change_number(number);
	return c;
}

static const struct tn_x *
enum_value(struct mutator *m, const struct tn_enum *e, int value)
{
	struct tn_x *x = arena_new(&m->arena, struct tn_x);

	*x = (struct tn_x){.kind = TN_X_TEXT, .sort = TN_S_ENUM, .text = e->value[value], .num = {value, 1, 0}};
	return x;
}

/* A value of its own for an attribute that was captured; NULL: not here. */
static const struct tn_x *
mutate_captured(struct mutator *m, const struct tn_attr_decl *a)
{
	const struct tn_x *x = NULL;
	int i, n = a->enums ? a->enums->nvalue : a->nelem ? a->nelem : 1;

	for (i = 0; i < n && !x; i++)
		if (a->enums)
			x = is_here(m, "one value of an enum, whatever was captured") ? enum_value(m, a->enums, i) : NULL;
		else if (a->init && is_here(m, "a number, whatever was captured"))
			x = changed_default(m, a, i);
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

static bool
is_bound(const struct tn_term *t, int attr)
{
	int i;

	for (i = 0; i < t->nbind; i++)
		if (t->bind[i].attr == attr)
			return true;
	return false;
}

/* the term with one attribute more that is named */
static const struct tn_term *
with_bind(struct mutator *m, const struct tn_term *t, int attr, const struct tn_x *x)
{
	struct tn_term *c = arena_dup(&m->arena, t, sizeof *t);
	struct tn_bind *bind = arena_news(&m->arena, (size_t)t->nbind + 1, struct tn_bind);

	if (t->nbind)
		memcpy(bind, t->bind, (size_t)t->nbind * sizeof *bind);
	bind[t->nbind].attr = (int16_t)attr;
	bind[t->nbind].x = x;
	c->bind = bind;
	c->nbind++;
	return c;
}

static const struct tn_term *
mutate_attrs(struct mutator *m, const struct tn_term *t)
{
	const struct tn_op *op = &m->text->op[t->op];
	const struct tn_x *x;
	struct tn_term *c;
	int i;

	for (i = 0; i < op->nattr && t->capture >= 0; i++)
		if (!is_bound(t, i) && (x = mutate_captured(m, &op->attr[i])) != NULL)
			return with_bind(m, t, i, x);
	for (i = 0; i < t->nbind; i++) {
		x = mutate_x(m, t->bind[i].x, op->attr[t->bind[i].attr].enums);
		if (x != t->bind[i].x) {
			c = copy_term(m, t);
			((struct tn_bind *)c->bind)[i].x = x;
			return c;
		}
	}
	return t;
}

/* the axes that an operand has: all of them, or 2 if that is the least and any number; 0: fewer */
static int
axes_of(const struct tn_op *op, int operand)
{
	const struct tn_operand *d = &op->in[operand < op->nin ? operand : op->nin - 1];
	int i, least = 0;

	for (i = 0; i < d->nitem; i++)
		least += !d->item[i].is_seq;
	return least < 2 ? 0 : least;
}

/* (transpose x :perm [… n-1 n-2]); NULL: there is no such operator */
static const struct tn_term *
transposed(struct mutator *m, const struct tn_term *x, int naxis)
{
	struct tn_term *t = arena_new(&m->arena, struct tn_term);
	struct tn_x *list = arena_new(&m->arena, struct tn_x), *axis = arena_news(&m->arena, (size_t)naxis, struct tn_x);
	const struct tn_x **item = arena_news(&m->arena, (size_t)naxis, const struct tn_x *);
	int op, i;

	for (op = 0; op < m->text->nop && strcmp(m->text->op[op].name, "transpose") != 0; op++)
		;
	if (op == m->text->nop)
		return NULL;
	for (i = 0; i < naxis; i++) {
		axis[i] = (struct tn_x){.kind = TN_X_NUM, .sort = TN_S_INT, .num = {i < naxis - 2 ? i : 2 * naxis - 3 - i, 1, 0}};
		item[i] = &axis[i];
	}
	*list = (struct tn_x){.kind = TN_X_LIST, .sort = TN_S_LIST, .nkid = (uint16_t)naxis, .kid = item};
	*t = *x;
	t->kind = TN_T_OP;
	t->op = (int16_t)op;
	t->var = t->capture = -1;
	t->is_let = false;
	t->nkid = 1;
	t->kid = arena_dup(&m->arena, &x, sizeof x);
	t->nbind = 0;
	return with_bind(m, t, 0, list);
}

static const struct tn_term *
mutate_operand(struct mutator *m, const struct tn_term *of, int i)
{
	const struct tn_term *kid = of->kid[i], *t;
	int naxis = of->kind == TN_T_OP && kid->kind == TN_T_VAR ? axes_of(&m->text->op[of->op], i) : 0;

	if (naxis && is_here(m, "an operand's last axes exchanged") && (t = transposed(m, kid, naxis)) != NULL)
		return t;
	return mutate_term(m, kid);
}

static const struct tn_term *
mutate_term(struct mutator *m, const struct tn_term *t)
{
	const struct tn_term *kid;
	struct tn_term *c;
	int i;

	if (t->kind == TN_T_NUM && is_here(m, "number one more")) {
		c = copy_term(m, t);
		c->num = number_more(t->num);
		return c;
	}
	if (t->kind == TN_T_OP && may_exchange(m, t) && is_here(m, "operands exchanged")) {
		c = copy_term(m, t);
		((const struct tn_term **)c->kid)[0] = t->kid[1];
		((const struct tn_term **)c->kid)[1] = t->kid[0];
		return c;
	}
	if (t->kind == TN_T_OP && t->nkid == 1 && t->kid[0]->kind != TN_T_REST && t->kid[0]->kind != TN_T_MAP &&
	    is_here(m, "operator left out"))
		return t->kid[0];
	if (t->kind == TN_T_OP && (kid = mutate_attrs(m, t)) != t)
		return kid;
	for (i = 0; i < t->nkid; i++) {
		kid = mutate_operand(m, t, i);
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

/* What is asked, and what became of mutants. */
struct judging {
	const struct tn_program_text *text;
	uint64_t seed;
	bool is_verbose;
	unsigned all, refuted, forbidden, unlike, narrower, equal, missed, unchecked;
};

/* share of the tries that were instances */
static double
share(const struct tn_verdict *v)
{
	return v->ntry ? (double)v->ninstance / v->ntry : 0;
}

/* one that held on small shapes */
static void
judge_again(struct judging *j, const struct tn_rule *r, const struct mutator *m, bool is_narrower)
{
	struct tn_verify_options how = {.seed = j->seed + 1, .is_first = true, .is_larger = true};
	struct tn_verdict v = tn_verify_rule(j->text, r, &how);

	if (v.kind == TN_REFUTED) {
		j->missed++;
		printf("%s:%d: %s: %s (place %d): survived small shapes\n%s", r->file, r->line, r->name, m->what, m->wanted, v.text);
	} else {
		*(is_narrower ? &j->narrower : &j->equal) += 1;
		if (j->is_verbose)
			printf("%s:%d: %s: %s (place %d): %s\n", r->file, r->line, r->name, m->what, m->wanted,
			    is_narrower ? "equal, and applies to less" : "equal");
	}
	tn_verdict_free(&v);
}

/* one mutant; what became of it.  whole: the verdict on the rule itself */
static void
judge(struct judging *j, const struct tn_rule *r, const struct mutator *m, const struct tn_verdict *whole)
{
	struct tn_verify_options how = {.seed = j->seed, .is_first = true, .tries = 4000};
	struct tn_verdict v;

	if (share(whole) > 0 && 40 / share(whole) > how.tries)
		how.tries = (uint32_t)(40 / share(whole));
	v = tn_verify_rule(j->text, r, &how);
	j->all++;
	switch (v.kind) {
	case TN_REFUTED: j->refuted++; break;
	case TN_NO_INSTANCE: *(v.nunlike ? &j->unlike : &j->forbidden) += 1; break;
	case TN_UNCHECKABLE: j->unchecked++; break;
	default: judge_again(j, r, m, share(&v) < share(whole) / 2);
	}
	tn_verdict_free(&v);
}

static void
mutate_all(struct judging *j, const struct tn_rule *r)
{
	struct tn_verify_options how = {.seed = j->seed};
	struct tn_verdict whole = tn_verify_rule(j->text, r, &how);
	bool more = true;
	int place;

	for (place = 0; more; place++) {
		struct mutator m = {.text = j->text, .wanted = place};
		struct tn_rule mutant = mutate_rule(&m, r);

		more = m.what != NULL;
		if (more)
			judge(j, &mutant, &m, &whole);
		arena_free(&m.arena);
	}
	tn_verdict_free(&whole);
}

/* the number of arguments that are options, or -1 */
static int
read_options(int argc, char **argv, struct judging *j, const char **name)
{
	int c;

	while ((c = getopt(argc, argv, "vs:r:")) != -1)
		switch (c) {
		case 'v': j->is_verbose = true; break;
		case 's': j->seed = strtoull(optarg, NULL, 10); break;
		case 'r': *name = optarg; break;
		default: return -1;
		}
	return optind;
}

int
main(int argc, char **argv)
{
	struct judging j = {.seed = 1};
	const char *name = NULL;
	int first = read_options(argc, argv, &j, &name), i;
	struct tn_rules *rules;
	struct tn_error e;

	if (first < 0)
		return 2;
	rules = tn_rules_read((const char *const *)argv + first, argc - first, "rules", stderr, &e);
	if (!rules) {
		fprintf(stderr, "mutants: %s\n", e.msg);
		return 2;
	}
	j.text = tn_rules_text(rules);
	for (i = 0; i < j.text->nrule; i++)
		if (!name || strcmp(j.text->rule[i].name, name) == 0)
			mutate_all(&j, &j.text->rule[i]);
	printf("%u mutants: %u refuted, %u that guards and checks never let apply, %u whose sides never have one shape, "
	    "%u equal but of fewer cases, %u equal in value, %u missed, %u not checkable\n",
	    j.all, j.refuted, j.forbidden, j.unlike, j.narrower, j.equal, j.missed, j.unchecked);
	tn_rules_free(rules);
	return j.missed ? 1 : 0;
}
