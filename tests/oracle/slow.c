/* Matching by trying everything; see slow.h. */
#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "tests/oracle/slow_rows.h"

enum { ARROWS = 4, KIDS = 16, WAITING = 32, SEEN = 64 };

/* an attribute that must be what is computed once all is bound */
struct equation {
	struct tn_v is;
	const struct tn_x *wanted;
};

/* all that changes on the way, so that a copy restores it */
struct state {
	struct bound var[VARS];
	struct equation waiting[WAITING];
	int nwaiting;
	struct { const struct tn_term *term; tn_id class; } seen[SEEN];
	int nseen;
};

struct matching {
	const struct slow *s;
	const struct tn_rule *rule;
	const int *slot;
	struct slow_rows *out;
	bool are_exchangeable;
	int arrow;			/* the one at hand */
	tn_id root[ARROWS], node[ARROWS];
	struct state now;
};

/* what is still to be found: term at class; of a map the element `elem`; no term: all runs of the map are `elem` long */
struct goal {
	const struct tn_term *term, *map;
	tn_id class;
	int elem;
	const struct goal *next;
	bool is_root;			/* of the arrow at hand */
};

static void find_all(struct matching *, const struct goal *);

/* ---- computing ------------------------------------------------------------------------------------------- */

/* *is_late: it needs something that only the result has */
static struct tn_v
compute(struct matching *m, const struct tn_x *x, bool *is_late)
{
	struct tn_search *s = m->s->search;
	const struct bound *v = x->kind == TN_X_VAR ? &m->now.var[x->var] : NULL;
	struct tn_v kid[KIDS] = {{0}};
	int i;

	if (x->nkid > KIDS)
		abort();

	switch (x->kind) {
	case TN_X_NUM:
		return x->sort == TN_S_BOOL ? tn_v_code(TN_VV_BOOL, x->num.num ? TN_TRUE : TN_FALSE) : tn_v_num(x->num.num, x->num.den, x->num.exp10);
	case TN_X_TEXT:
		return x->sort == TN_S_STRING ? tn_v_string(x->text) :
		    tn_v_code(x->sort == TN_S_DTYPE ? TN_VV_DTYPE : TN_VV_ENUM, (int)x->num.num);
	case TN_X_VAR:
		if (m->rule->var[x->var].kind == TN_R_LET)
			return compute(m, m->rule->var[x->var].x, is_late);
		*is_late |= !v->is_set;
		return v->is_set ? tn_v_attr(s, v->value) : (struct tn_v){0};
	case TN_X_LIST:
		for (i = 0; i < x->nkid; i++)
			kid[i] = compute(m, x->kid[i], is_late);
		return tn_v_list(s, x->nkid, kid);
	default:
		break;
	}
	if (x->kid[0]->sort == TN_S_TENSOR && x->fn == TN_F_NE) {
		const struct bound *y = &m->now.var[x->kid[1]->var];

		v = &m->now.var[x->kid[0]->var];
		*is_late |= !v->is_set || !y->is_set;
		return v->is_set && y->is_set ? tn_v_distinct(s, v->class, y->class) : (struct tn_v){0};
	}
	if (x->kid[0]->sort == TN_S_TENSOR) {
		v = &m->now.var[x->kid[0]->var];
		kid[1] = x->nkid > 1 ? compute(m, x->kid[1], is_late) : kid[1];
		*is_late |= !v->is_set;
		if (!v->is_set)
			return kid[0];
		switch (x->fn) {
		case TN_F_DIM:
			return tn_v_dim(s, v->class, kid[1]);
		case TN_F_SHAPE:
			return tn_v_shape(s, v->class);
		case TN_F_RANK:
			return tn_v_rank(s, v->class);
		case TN_F_CONSTANT:
			return tn_v_constant(s, v->class);
		default:
			return tn_v_dtype(s, v->class);
		}
	}
	for (i = 0; i < x->nkid; i++)
		kid[i] = compute(m, x->kid[i], is_late);
	return tn_v_call(s, (enum tn_fn)x->fn, x->nkid, kid);
}

static bool
says_same(struct matching *m, struct tn_v a, struct tn_v b)
{
	return tn_v_holds(tn_v_call2(m->s->search, TN_F_EQ, a, b));
}

/* ---- attributes --------------------------------------------------------------------------------------------- */

/* the same value; of two kinds, the same number or list */
static bool
is_same_value(struct matching *m, tn_val a, tn_val b)
{
	struct tn_search *s = m->s->search;

	if (tn_val_get(m->s->ctx, a)->kind == tn_val_get(m->s->ctx, b)->kind)
		return a == b;
	return says_same(m, tn_v_attr(s, a), tn_v_attr(s, b));
}

/* the variable is this value, or becomes it */
static bool
meet_value(struct matching *m, int var, tn_val value)
{
	struct bound *v = &m->now.var[var];

	if (v->is_set)
		return value != TN_NONE && is_same_value(m, v->value, value);
	v->is_set = value != TN_NONE;
	v->value = value;
	return v->is_set;
}

static bool
wait_for(struct matching *m, struct tn_v is, const struct tn_x *wanted)
{
	if (m->now.nwaiting == WAITING)
		abort();
	m->now.waiting[m->now.nwaiting++] = (struct equation){is, wanted};
	return true;
}

static bool
is_pattern_var(const struct matching *m, const struct tn_x *x)
{
	return x->kind == TN_X_VAR && (m->rule->var[x->var].kind == TN_R_ATTR || m->rule->var[x->var].kind == TN_R_SEQ);
}

/* items of a list, one run among them perhaps */
static bool
match_list(struct matching *m, struct tn_v list, const struct tn_x *x)
{
	struct tn_search *s = m->s->search;
	int i, at = 0, run, nrun = 0;

	for (i = 0; i < x->nkid; i++)
		nrun += x->kid[i]->sort == TN_S_LIST;
	if (list.kind != TN_VV_LIST || (nrun ? (int)list.n < x->nkid - 1 : (int)list.n != x->nkid))
		return false;
	for (i = 0; i < x->nkid; i++, at += run) {
		const struct tn_x *item = x->kid[i];
		bool is_run = item->sort == TN_S_LIST;
		struct tn_v v = tn_v_int(list.u.list[at]), part = {.kind = TN_VV_LIST, .n = list.n - (uint32_t)(x->nkid - 1), .u.list = list.u.list + at};

		run = is_run ? (int)part.n : 1;
		if (item->kind == TN_X_ANY)
			continue;
		if (!is_pattern_var(m, item))
			wait_for(m, is_run ? part : v, item);
		else if (!meet_value(m, item->var, tn_v_val(s, is_run ? part : v, is_run ? TN_K_DIMS : TN_K_DIM, NULL)))
			return false;
	}
	return true;
}

static bool
match_attr(struct matching *m, const struct tn_attr_decl *a, const struct tn_node *n, tn_val value, const struct tn_x *x)
{
	struct tn_search *s = m->s->search;

	if (x->kind == TN_X_ANY)
		return true;
	if (is_pattern_var(m, x))
		return meet_value(m, x->var, value);
	if (x->kind == TN_X_LIST)
		return match_list(m, tn_v_attr(s, value), x);
	if (x->kind == TN_X_NUM && x->sort == TN_S_BOOL)
		return tn_val_is_code(s, value, x->num.num != 0);
	if (x->kind == TN_X_NUM && a->kind == TN_K_AXIS && x->num.num < 0)
		return tn_val_is_axis(s, value, x->num.num, n->kid[a->axis_of]);
	if (x->kind == TN_X_NUM)
		return tn_val_is(s, value, x->num.num, x->num.den, x->num.exp10);
	return wait_for(m, tn_v_attr(s, value), x);
}

static bool
match_attrs(struct matching *m, const struct tn_term *t, const struct tn_node *n)
{
	const struct tn_op *op = &m->s->text->op[t->op];
	const tn_val *value;
	struct bound *c;
	int i, nvalue;

	value = tn_attrs_get(m->s->ctx, n->attrs, &nvalue);
	for (i = 0; i < t->nbind; i++)
		if (!match_attr(m, &op->attr[t->bind[i].attr], n, value[t->bind[i].attr], t->bind[i].x))
			return false;
	if (t->capture < 0)
		return true;
	c = &m->now.var[t->capture];
	if (c->is_set)
		return tn_attrs_same(m->s->search, c->record, n->attrs, c->named);
	*c = (struct bound){.is_set = true, .record = n->attrs, .named = slow_named_beside(t, t->capture)};
	return true;
}

/* ---- terms ----------------------------------------------------------------------------------------------------- */

static bool
meet_class(struct bound *v, tn_id class)
{
	if (v->is_set)
		return v->class == class;
	v->is_set = true;
	v->class = class;
	return true;
}

static bool
meet_element(struct bound *v, int elem, tn_id class)
{
	if (elem >= RUN)
		abort();
	if (elem < v->n)
		return v->run[elem] == class;
	v->is_set = true;
	v->run[v->n++] = class;
	return true;
}

static bool
meet_run(struct bound *v, const tn_id class[], int n)
{
	int i;

	if (n > RUN)
		abort();
	for (i = 0; v->is_set && i < n && v->n == n; i++)
		if (v->run[i] != class[i])
			return false;
	if (v->is_set)
		return v->n == n;
	v->is_set = true;
	v->n = n;
	memcpy(v->run, class, (size_t)n * sizeof *class);
	return true;
}

/* are all sequences in the map's term n long? */
static bool
runs_are(const struct matching *m, const struct tn_term *t, int n)
{
	int i;

	if (t->kind == TN_T_REST && m->now.var[t->var].n != n)
		return false;
	for (i = 0; i < t->nkid; i++)
		if (!runs_are(m, t->kid[i], n))
			return false;
	return true;
}

/* the operands of t at those of the node, the first two exchanged or not */
static void
match_kids(struct matching *m, const struct tn_term *t, const struct tn_node *n, int elem, int swap, const struct goal *next)
{
	struct goal goal[KIDS + RUN], *g = goal;
	const struct tn_term *last = t->nkid ? t->kid[t->nkid - 1] : NULL;
	bool is_rest = last && last->kind == TN_T_REST && elem < 0, is_map = last && last->kind == TN_T_MAP;
	int i, fixed = t->nkid - (is_rest || is_map);

	if (t->nkid > KIDS || n->nkid > RUN)
		abort();
	if (is_rest || is_map ? n->nkid < fixed : n->nkid != fixed)
		return;
	for (i = 0; i < fixed; i++)
		*g++ = (struct goal){t->kid[i], NULL, n->kid[i < 2 ? i ^ swap : i], elem, NULL, false};
	if (is_rest && !meet_run(&m->now.var[last->var], n->kid + fixed, n->nkid - fixed))
		return;
	if (is_map && n->nkid == fixed)
		return;		/* a map goes over at least one */
	for (i = fixed; is_map && i < n->nkid; i++)
		*g++ = (struct goal){last->kid[0], NULL, n->kid[i], i - fixed, NULL, false};
	if (is_map)
		*g++ = (struct goal){NULL, last->kid[0], 0, n->nkid - fixed, NULL, false};
	for (i = 0; &goal[i] < g; i++)
		goal[i].next = &goal[i + 1] < g ? &goal[i + 1] : next;
	find_all(m, g > goal ? goal : next);
}

static void
match_operator(struct matching *m, const struct goal *g)
{
	const struct tn_op *op = &m->s->text->op[g->term->op];
	struct state *before = mem_alloc(sizeof *before);
	const tn_id *id;
	uint32_t count, i;
	struct tn_node n;
	int swap;

	*before = m->now;
	id = tn_class_nodes(m->s->g, g->class, &count);
	for (i = 0; i < count; i++) {
		n = tn_node_at(m->s->g, id[i]);
		if (g->is_root)
			m->node[m->arrow] = id[i];
		for (swap = 0; n.op == g->term->op && swap <= (op->is_commutative && n.nkid > 1); swap++) {
			if (match_attrs(m, g->term, &n))
				match_kids(m, g->term, &n, g->elem, swap, g->next);
			m->now = *before;
		}
	}
	mem_free(before);
}

/* one term, a let's perhaps, is in one class wherever it stands */
static bool
is_where_seen(struct matching *m, const struct goal *g, bool *is_first)
{
	int i;

	*is_first = false;
	for (i = 0; i < m->now.nseen; i++)
		if (m->now.seen[i].term == g->term)
			return m->now.seen[i].class == g->class;
	*is_first = true;
	if (m->now.nseen == SEEN)
		abort();
	m->now.seen[m->now.nseen].term = g->term;
	m->now.seen[m->now.nseen++].class = g->class;
	for (i = 0; i < m->rule->nvar; i++)
		if (m->rule->var[i].kind == TN_R_TERM && m->rule->var[i].term == g->term)
			meet_class(&m->now.var[i], g->class);
	return true;
}

/* what one goal without choices asks */
static bool
meet(struct matching *m, const struct goal *g)
{
	struct tn_search *s = m->s->search;
	const struct tn_term *t = g->term;

	if (!t)
		return runs_are(m, g->map, g->elem);
	switch (t->kind) {
	case TN_T_VAR:
		return meet_class(&m->now.var[t->var], g->class);
	case TN_T_REST:
		return meet_element(&m->now.var[t->var], g->elem, g->class);
	case TN_T_NUM:
		return tn_uniform_is(s, g->class, t->num.num, t->num.den, t->num.exp10);
	case TN_T_ATTR:
		return meet_value(m, t->var, tn_uniform(s, g->class));
	default:
		return t->kind == TN_T_ANY;
	}
}

/* ---- the whole --------------------------------------------------------------------------------------------------- */

/* a condition holds, or must wait for the result; a list pattern may bind */
static bool
holds(struct matching *m, const struct tn_x *cond)
{
	const struct tn_x *list = cond->kind == TN_X_CALL && cond->fn == TN_F_EQ && cond->nkid == 2 ? cond->kid[1] : NULL;
	bool is_late = false, binds = false;
	struct tn_v v;
	int i;

	for (i = 0; list && list->kind == TN_X_LIST && i < list->nkid; i++)
		binds |= list->kid[i]->kind == TN_X_ANY || (is_pattern_var(m, list->kid[i]) && !m->now.var[list->kid[i]->var].is_set);
	v = compute(m, binds ? cond->kid[0] : cond, &is_late);
	if (is_late)
		return true;
	return binds ? match_list(m, v, list) : tn_v_holds(v);
}

static bool
equations_hold(struct matching *m)
{
	bool is_late = false;
	int i;

	for (i = 0; i < m->now.nwaiting; i++)
		if (!says_same(m, m->now.waiting[i].is, compute(m, m->now.waiting[i].wanted, &is_late)))
			return false;
	m->now.nwaiting = 0;
	return true;
}

/* is class b below class a? */
static bool
is_below(const struct slow *s, tn_id a, tn_id b, bool seen[])
{
	const tn_id *node;
	uint32_t n, i, k;
	bool found = false;

	if (seen[a] || tn_v_holds(tn_v_constant(s->search, a)))
		return false;
	seen[a] = true;
	node = tn_class_nodes(s->g, a, &n);
	for (i = 0; i < n && !found; i++) {
		struct tn_node e = tn_node_at(s->g, node[i]);

		for (k = 0; k < e.nkid && !found; k++)
			found = tn_find(s->g, e.kid[k]) == b || is_below(s, tn_find(s->g, e.kid[k]), b, seen);
	}
	return found;
}

/* May the arrow at hand have this root beside the earlier ones? */
static bool
is_apart(const struct matching *m)
{
	bool *seen, ok = true;
	int i;

	for (i = 0; i < m->arrow && ok; i++) {
		ok = m->root[i] != m->root[m->arrow];
		seen = mem_alloc(tn_nids(m->s->g));
		ok = ok && !is_below(m->s, m->root[i], m->root[m->arrow], seen);
		memset(seen, 0, tn_nids(m->s->g));
		ok = ok && !is_below(m->s, m->root[m->arrow], m->root[i], seen);
		mem_free(seen);
	}
	return ok;
}

/* The arrow at hand in every class. */
static void
match_arrow(struct matching *m)
{
	struct goal goal = {.term = m->rule->arrow[m->arrow].from, .elem = -1, .is_root = true};
	tn_id class;

	for (class = 0; class < tn_nids(m->s->g); class++) {
		if (tn_find(m->s->g, class) != class)
			continue;
		m->root[m->arrow] = goal.class = class;
		if (is_apart(m))
			find_all(m, &goal);
	}
}

static void
finish(struct matching *m)
{
	bool ok;
	int i;

	for (i = 0; i < m->arrow; i++)
		if (m->are_exchangeable && m->node[i] > m->node[m->arrow])
			return;
	if (m->arrow + 1 < m->rule->narrow) {
		m->arrow++;
		match_arrow(m);
		m->arrow--;
		return;
	}
	ok = equations_hold(m);
	for (i = 0; i < m->rule->nwhen && ok; i++)
		ok = holds(m, m->rule->when[i]) && equations_hold(m);
	if (ok)
		slow_add_row(m->s, m->rule, m->slot, m->root, m->now.var, m->out);
}

static void
find_all(struct matching *m, const struct goal *g)
{
	struct state *before = mem_alloc(sizeof *before);
	bool is_first = true, is_operator = g && g->term && g->term->kind == TN_T_OP;

	*before = m->now;
	if (!g)
		finish(m);
	else if (is_operator && (g->elem >= 0 || is_where_seen(m, g, &is_first))) {
		if (is_first)
			match_operator(m, g);
		else
			find_all(m, g->next);
	} else if (!is_operator && meet(m, g))
		find_all(m, g->next);
	m->now = *before;
	mem_free(before);
}

void
slow_match(const struct slow *s, const struct tn_rule *rule, const int slot[], bool are_exchangeable, struct slow_rows *out)
{
	struct matching *m = mem_alloc(sizeof *m);

	*m = (struct matching){.s = s, .rule = rule, .slot = slot, .out = out, .are_exchangeable = are_exchangeable};
	if (rule->nvar > VARS || rule->narrow > ARROWS)
		abort();
	tn_search_reset(s->search);
	match_arrow(m);
	mem_free(m);
}
