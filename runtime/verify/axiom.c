/*
 * Axioms: real facts about functions that the exact domains only have keyed stand-ins for.  An instance that does not
 * hold for every function is looked at once more with the axioms applied to both sides, left to right, until none
 * applies: where the sides are equal then, the rule holds given those.
 *
 * Only axioms of one arrow that ask for no attribute and have no guard are used, and none that is refuted in doubles.
 */
#include <string.h>

#include "base/num.h"
#include "verify/axiom.h"

enum { FUEL = 64, DEPTH = 32 };

/* One application to an instance's sides; node by node it was made for. */
struct applying {
	struct instance *in;
	struct axioms *axioms;
	int fuel;
	VEC(int) made;			/* by node as the instance was: what it has become, -1: not looked at */
};

/* ---- which ------------------------------------------------------------------------------------------------- */

static bool
is_plain_term(const struct tn_program_text *text, const struct tn_term *t)
{
	const struct tn_op *op = t->kind == TN_T_OP ? &text->op[t->op] : NULL;
	int i;

	if (op && (op->nattr || op->nin == 0 || op->in[op->nin - 1].is_variadic))
		return false;
	for (i = 0; i < t->nkid; i++)
		if (!is_plain_term(text, t->kid[i]))
			return false;
	return t->kind == TN_T_OP || t->kind == TN_T_VAR || t->kind == TN_T_NUM;
}

static bool
is_plain(const struct tn_program_text *text, const struct tn_rule *r)
{
	return r->is_axiom && !r->is_backward && !r->is_siblings && r->narrow == 1 && r->nwhen == 0 && r->nvar <= VARS_MAX &&
	    r->arrow[0].from->kind == TN_T_OP && is_plain_term(text, r->arrow[0].from) && is_plain_term(text, r->arrow[0].to);
}

void
axioms_find(struct axioms *a, const struct tn_program_text *text)
{
	struct tn_verify_options how = {.seed = 1, .is_first = true};
	struct tn_verdict v;
	int i;

	a->is_found = true;
	for (i = 0; i < text->nrule; i++) {
		if (!is_plain(text, &text->rule[i]))
			continue;
		v = tn_verify_rule(text, &text->rule[i], &how);
		if (v.kind == TN_HOLDS || v.kind == TN_TESTED)
			vec_push(&a->rule, ((struct axiom){&text->rule[i], false, false}));
		tn_verdict_free(&v);
	}
}

/* ---- matched ------------------------------------------------------------------------------------------------- */

static bool
is_equal(const struct instance *in, int a, int b, int depth)
{
	const struct vnode *x = &in->node.at[a], *y = &in->node.at[b];
	int i;

	if (a == b)
		return true;
	if (depth == 0 || x->kind != y->kind || x->type != y->type || x->kind == V_LEAF)
		return false;
	if (x->kind == V_NUMBER)
		return number_equal(x->num, y->num);
	if (x->op != y->op || x->attrs != y->attrs || x->nkid != y->nkid)
		return false;
	for (i = 0; i < x->nkid; i++)
		if (!is_equal(in, x->kid[i], y->kid[i], depth - 1))
			return false;
	return true;
}

static bool matches(const struct instance *, const struct tn_term *, int node, struct state *);

/* operands in order, or the first two exchanged */
static bool
operands_match(const struct instance *in, const struct tn_term *t, const struct vnode *x, bool is_exchanged, struct state *s)
{
	int i;

	for (i = 0; i < t->nkid; i++)
		if (!matches(in, t->kid[i], x->kid[is_exchanged && i < 2 ? 1 - i : i], s))
			return false;
	return true;
}

static bool
matches(const struct instance *in, const struct tn_term *t, int node, struct state *s)
{
	const struct vnode *x = &in->node.at[node];
	struct bound *b;
	struct state before;

	if (t->kind == TN_T_VAR) {
		b = &s->var[t->var];
		if (b->is_set)
			return is_equal(in, b->node, node, DEPTH);
		b->is_set = true;
		b->node = node;
		return true;
	}
	if (t->kind == TN_T_NUM)
		return x->kind == V_NUMBER && number_equal(x->num, t->num);
	if (x->kind != V_OPERATOR || x->op != &in->text->op[t->op] || x->nkid != t->nkid)
		return false;
	before = *s;
	if (operands_match(in, t, x, false, s))
		return true;
	*s = before;
	return x->op->is_commutative && t->nkid == 2 && operands_match(in, t, x, true, s);
}

/* ---- applied ------------------------------------------------------------------------------------------------- */

/* the axiom's right side where its left side is this node; -1: it is not, or it has another type */
static int
apply(struct instance *in, const struct tn_rule *axiom, int node)
{
	const struct tn_rule *rule = in->rule;
	struct state now = in->now;
	int to = -1;

	memset(&in->now, 0, sizeof in->now);
	if (matches(in, axiom->arrow[0].from, node, &in->now)) {
		in->rule = axiom;
		to = build_term(in, axiom->arrow[0].to, -1);
		in->rule = rule;
	}
	in->now = now;
	if (to >= 0 && in->node.at[to].type == TN_NONE)
		in->node.at[to].type = in->node.at[node].type;
	return to >= 0 && in->node.at[to].type == in->node.at[node].type ? to : -1;
}

/* operands first, then the node itself, then what it has become */
static int
rewrite(struct applying *a, int node, int depth)
{
	struct instance *in = a->in;
	struct vnode x = in->node.at[node];
	int kid[KIDS_MAX], i, is = node, to;
	bool is_changed = false;
	uint32_t k;

	if (x.kind != V_OPERATOR || depth == 0)
		return node;
	if ((uint32_t)node < a->made.n && a->made.at[node] >= 0)
		return a->made.at[node];
	for (i = 0; i < x.nkid; i++) {
		kid[i] = rewrite(a, x.kid[i], depth - 1);
		is_changed |= kid[i] != x.kid[i];
	}
	if (is_changed && (is = instance_operator(in, x.op, x.attrs, kid, x.nkid)) < 0)
		is = node;
	for (k = 0; k < a->axioms->rule.n && a->fuel > 0; k++) {
		to = apply(in, a->axioms->rule.at[k].rule, is);
		if (to < 0)
			continue;
		a->fuel--;
		a->axioms->rule.at[k].is_tried = true;
		is = rewrite(a, to, depth - 1);
		break;
	}
	if ((uint32_t)node < a->made.n)
		a->made.at[node] = is;
	return is;
}

bool
axioms_apply(struct axioms *axioms, struct instance *in)
{
	struct applying a = {.in = in, .axioms = axioms, .fuel = FUEL};
	uint32_t i;
	int k;

	for (i = 0; i < axioms->rule.n; i++)
		axioms->rule.at[i].is_tried = false;
	for (i = 0; i < in->node.n; i++)
		vec_push(&a.made, -1);
	for (k = 0; k < in->narrow; k++) {
		in->from[k] = rewrite(&a, in->from[k], DEPTH);
		in->to[k] = rewrite(&a, in->to[k], DEPTH);
	}
	vec_free(&a.made);
	return a.fuel < FUEL;
}

void
axioms_note(struct axioms *axioms)
{
	uint32_t i;

	for (i = 0; i < axioms->rule.n; i++)
		axioms->rule.at[i].is_used |= axioms->rule.at[i].is_tried;
}

char *
axioms_text(const struct axioms *axioms)
{
	struct buf b = {0};
	uint32_t i;

	for (i = 0; i < axioms->rule.n; i++)
		if (axioms->rule.at[i].is_used)
			buf_printf(&b, "%s%s", b.n ? ", " : "", axioms->rule.at[i].rule->name);
	return b.at;
}
