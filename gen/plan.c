/* How a rule is matched; see plan.h. */
#include "gen/plan_build.h"

#include <string.h>

/* ---- places ---------------------------------------------------------------------------------------- */

static struct ref
ref_to(const struct build *b, enum ref_kind kind, int node, int i)
{
	struct ref r = {.kind = (uint8_t)kind, .node = node, .i = i};
	bool is_operand = kind == REF_CLASS || kind == REF_UNIFORM;

	if (b->p->node_is.at[node] == NODE_EACH)
		r.at = NODE_EACH;
	else if (b->p->node_is.at[node] == NODE_SWAPPED && is_operand && i < 2)
		r.at = NODE_SWAPPED;
	return r;
}

/* What stands for all nodes of a map: the first. */
static struct ref
first_of(struct ref r)
{
	if (r.at == NODE_EACH && r.kind != REF_MAPPED)
		r.at = NODE_FIRST;
	return r;
}

/* ---- steps ------------------------------------------------------------------------------------------ */

static struct step *
add(struct build *b, enum step_kind kind)
{
	vec_push(&b->p->step, ((struct step){.kind = (uint8_t)kind, .node = -1, .op = -1, .rule = -1}));
	return &b->p->step.at[b->p->step.n - 1];
}

static struct step *
add_test(struct build *b, enum step_kind kind, struct ref a)
{
	struct step *s = add(b, kind);

	s->a = a;
	return s;
}

static void
add_same(struct build *b, struct ref a, struct ref other, uint64_t mask)
{
	struct step *s = add_test(b, STEP_SAME, a);

	s->b = other;
	s->mask = mask;
}

/* The variable is at `ref`: its place if this is where it is first met, else a test.  In a map, one
 * on all its nodes. */
static void
meet(struct build *b, int var, struct ref ref, enum tn_kind kind, uint64_t mask)
{
	struct ref *place = &b->p->place[var];
	bool is_value = ref.kind != REF_CLASS && ref.kind != REF_REST && ref.kind != REF_MAPPED && ref.kind != REF_RECORD;
	struct step *s;

	if (place->kind == REF_NONE) {
		*place = first_of(ref);
		b->kind[var] = (uint8_t)kind;
		if (ref.kind == REF_UNIFORM)
			add_test(b, STEP_UNIFORM, ref);
		if (ref.at != NODE_EACH || ref.kind == REF_MAPPED)
			return;
	}
	if (!is_value) {
		add_same(b, ref, *place, mask);
		return;
	}
	s = add_test(b, STEP_SAME_VALUE, ref);
	s->b = *place;
	s->i = b->kind[var] == kind;
}

/* ---- attributes --------------------------------------------------------------------------------------- */

static bool
all_numbers(const struct tn_x *list)
{
	for (int i = 0; i < list->nkid; i++)
		if (list->kid[i]->kind != TN_X_NUM)
			return false;
	return list->nkid > 0;
}

static void
wait_for(struct build *b, struct ref attr, const struct tn_x *x)
{
	vec_push(&b->waiting, ((struct waiting){attr, x}));
}

/* Item j of a list pattern. */
static void
plan_item(struct build *b, struct ref item, const struct tn_x *x)
{
	if (x->kind == TN_X_VAR && b->p->slot[x->var] != SLOT_NONE)
		meet(b, x->var, item, x->sort == TN_S_LIST ? TN_K_DIMS : TN_K_DIM, 0);
	else if (x->kind == TN_X_NUM)
		add_test(b, STEP_ITEM, item)->num = x->num;
	else if (x->kind != TN_X_ANY)
		wait_for(b, item, x);
}

static void
plan_list(struct build *b, struct ref list, const struct tn_x *x)
{
	int run = plan_run(x), after = x->nkid - run - 1;
	struct step *s;

	if (all_numbers(x)) {
		add_test(b, STEP_IS_LIST, list)->x = x;
		return;
	}
	if (run == x->nkid || x->nkid > 1) {
		s = add_test(b, STEP_LENGTH, list);
		s->i = run < x->nkid ? x->nkid - 1 : x->nkid;
		s->or_more = run < x->nkid;
	}
	for (int j = 0; j < x->nkid; j++) {
		struct ref item = list;

		item.kind = j == run ? REF_ITEMS : REF_ITEM;
		item.j = (j > run ? j - x->nkid : j);
		item.k = (j == run ? after : 0);
		plan_item(b, item, x->kid[j]);
	}
}

/* A number: an axis below 0 counts from the end of its operand. */
static void
plan_number(struct build *b, const struct tn_attr_decl *decl, struct ref attr, struct tn_number num)
{
	bool from_end = decl->kind == TN_K_AXIS && num.num < 0 && decl->axis_of >= 0;
	struct step *s = add_test(b, from_end ? STEP_IS_AXIS : STEP_IS_NUMBER, attr);

	s->num = num;
	if (from_end)
		s->b = ref_to(b, REF_CLASS, attr.node, decl->axis_of);
}

static void
plan_attr(struct build *b, const struct tn_op *op, int node, const struct tn_bind *bind)
{
	const struct tn_attr_decl *decl = &op->attr[bind->attr];
	struct ref attr = ref_to(b, REF_ATTR, node, bind->attr);
	const struct tn_x *x = bind->x;
	bool is_code = decl->kind == TN_K_BOOL || decl->kind == TN_K_DTYPE || decl->kind == TN_K_ENUM;
	struct step *s;

	if (x->kind == TN_X_ANY)
		return;
	if (x->kind == TN_X_VAR && b->p->slot[x->var] != SLOT_NONE)
		meet(b, x->var, attr, (enum tn_kind)decl->kind, 0);
	else if (x->kind == TN_X_LIST)
		plan_list(b, attr, x);
	else if (is_code && (x->kind == TN_X_NUM || x->kind == TN_X_TEXT)) {
		s = add_test(b, STEP_IS_CODE, attr);
		s->num = x->num;
		s->text = x->text ? x->text : x->num.num ? "true" : "false";
		s->x = x;
	} else if (x->kind == TN_X_NUM)
		plan_number(b, decl, attr, x->num);
	else if (x->kind == TN_X_TEXT)
		add_test(b, STEP_IS_TEXT, attr)->text = x->text;
	else
		wait_for(b, attr, x);
}

static void
plan_attrs(struct build *b, const struct tn_term *t, int node)
{
	const struct tn_op *op = &b->p->text->op[t->op];

	for (int i = 0; i < t->nbind; i++)
		plan_attr(b, op, node, &t->bind[i]);
	if (t->capture < 0)
		return;
	if (b->p->place[t->capture].kind == REF_NONE)
		b->p->captured[t->capture] = t;
	meet(b, t->capture, ref_to(b, REF_RECORD, node, 0), TN_NKINDS, plan_named(t));
}

/* ---- conditions ------------------------------------------------------------------------------------------ */

/* Put what waits for its variables where they are first known. */
static void
plan_waiting(struct build *b)
{
	uint32_t i, left = 0;
	struct step *s;

	if (b->is_part)
		return;
	for (i = 0; i < b->waiting.n; i++) {
		struct waiting w = b->waiting.at[i];

		if (!plan_is_known(b->p, w.x)) {
			b->waiting.at[left++] = w;
			continue;
		}
		s = add_test(b, STEP_EQUALS, w.attr);
		s->x = w.x;
		s->i = b->p->nequals++;
		s->rule = b->p->number;
	}
	b->waiting.n = left;
	for (int k = 0; k < b->p->rule->nwhen; k++) {
		if (b->is_placed[k] || !plan_is_known(b->p, b->p->rule->when[k]))
			continue;
		s = add(b, STEP_GUARD);
		s->x = b->p->rule->when[k];
		s->i = k;
		s->rule = b->p->number;
		b->is_placed[k] = true;
	}
}

/* ---- operands ------------------------------------------------------------------------------------------ */

/* ?xs..., as far as it is not one of siblings'. */
static bool
is_sequence(const struct build *b, const struct tn_term *t)
{
	return !b->p->rule->is_siblings && (t->kind == TN_T_VAR || t->kind == TN_T_REST) && b->p->rule->var[t->var].kind == TN_R_TENSORS;
}

/* Does nothing tell the two operands apart? */
static bool
are_alike(const struct tn_term *a, const struct tn_term *b)
{
	return a == b || (a->kind == b->kind && (a->kind == TN_T_ANY || (a->kind == TN_T_VAR && a->var == b->var)));
}

static void
plan_orders(struct build *b, const struct tn_term *t, int node)
{
	if (!b->p->text->op[t->op].is_commutative || t->nkid < 2 || are_alike(t->kid[0], t->kid[1]) ||
	    b->p->node_is.at[node] == NODE_EACH)
		return;
	b->p->node_is.at[node] = NODE_SWAPPED;
	add(b, STEP_ORDERS)->node = node;
}

/* A list of operands: how many there must be. */
static void
plan_count(struct build *b, const struct tn_term *t, int node)
{
	const struct tn_op *op = &b->p->text->op[t->op];
	const struct tn_term *last = t->nkid ? t->kid[t->nkid - 1] : NULL;
	struct step *s;
	bool or_more;

	if (op->nin == 0 || !op->in[op->nin - 1].is_variadic)
		return;
	or_more = last && b->p->node_is.at[node] != NODE_EACH &&
	    (last->kind == TN_T_MAP || (last->kind == TN_T_REST && is_sequence(b, last)));
	if (or_more && t->nkid == 1)
		return;
	s = add(b, STEP_COUNT);
	s->a = ref_to(b, REF_RECORD, node, 0);
	s->or_more = or_more;
	s->i = or_more ? t->nkid - 1 : t->nkid;
}

/* Variables: binding them needs no step, meeting them again is the cheapest test. */
static void
plan_variable(struct build *b, const struct tn_term *t, int node, int i)
{
	if (is_sequence(b, t) && t->kind == TN_T_REST && b->p->node_is.at[node] != NODE_EACH)
		meet(b, t->var, ref_to(b, REF_REST, node, i), TN_NKINDS, 0);
	else if (is_sequence(b, t))
		meet(b, t->var, ref_to(b, REF_MAPPED, node, i), TN_NKINDS, 0);
	else if (t->kind == TN_T_VAR || t->kind == TN_T_REST)
		meet(b, t->var, ref_to(b, REF_CLASS, node, i), TN_NKINDS, 0);
}

static void
plan_value(struct build *b, const struct tn_term *t, int node, int i)
{
	if (t->kind == TN_T_NUM)
		add_test(b, STEP_NUMBER, ref_to(b, REF_CLASS, node, i))->num = t->num;
	else if (t->kind == TN_T_ATTR)
		meet(b, t->var, ref_to(b, REF_UNIFORM, node, i), TN_K_FLOAT, 0);
}

/* Is one the class that the other is, or do both go along one list? */
static bool
are_comparable(const struct build *b, struct ref x, struct ref y)
{
	return (x.at == NODE_EACH) == (y.at == NODE_EACH) &&
	    (x.at != NODE_EACH || b->root_map.at[x.node] == b->root_map.at[y.node]);
}

/* An operator pattern, a let's perhaps, that stands for one class wherever it stands. */
static void
see(struct build *b, const struct tn_term *t, struct ref class)
{
	for (uint32_t i = 0; i < b->seen.n; i++)
		if (b->seen.at[i].term == t && are_comparable(b, class, b->seen.at[i].class)) {
			add_same(b, class, b->seen.at[i].class, 0);
			return;
		}
	vec_push(&b->todo, ((struct todo){t, class}));
	vec_push(&b->seen, ((struct todo){t, class}));
	for (int v = 0; class.at != NODE_EACH && v < b->p->rule->nvar; v++)
		if (b->p->rule->var[v].kind == TN_R_TERM && b->p->rule->var[v].term == t)
			b->p->place[v] = class;
}

/* Patterns below, so that the first is gone into first. */
static void
plan_below(struct build *b, const struct tn_term *t, int node)
{
	uint32_t first = b->todo.n;
	bool in_map = b->p->node_is.at[node] == NODE_EACH;

	for (int i = 0; i < t->nkid; i++) {
		const struct tn_term *kid = t->kid[i];

		if (kid->kind == TN_T_MAP)
			vec_push(&b->todo, ((struct todo){kid, ref_to(b, in_map ? REF_MAPPED : REF_REST, node, i)}));
		else if (kid->kind == TN_T_OP)
			see(b, kid, ref_to(b, REF_CLASS, node, i));
	}
	for (uint32_t i = first, k = b->todo.n; i + 1 < k; i++) {
		struct todo swap = b->todo.at[i];

		b->todo.at[i] = b->todo.at[--k];
		b->todo.at[k] = swap;
	}
}

/* All that is asked of one node once a loop has bound it. */
static void
plan_node(struct build *b, const struct tn_term *t, int node)
{
	plan_orders(b, t, node);
	plan_count(b, t, node);
	for (int i = 0; i < t->nkid; i++)
		plan_variable(b, t->kid[i], node, i);
	plan_below(b, t, node);
	plan_attrs(b, t, node);
	for (int i = 0; i < t->nkid; i++)
		plan_value(b, t->kid[i], node, i);
	plan_waiting(b);
}

/* `along`: the node whose map the new one goes along with, or -1. */
static int
new_node(struct build *b, enum ref_node is, int along)
{
	vec_push(&b->root_map, along >= 0 ? b->root_map.at[along] : (int)b->p->node_is.n);
	vec_push(&b->p->node_is, (uint8_t)is);
	return (int)b->p->node_is.n - 1;
}

/* The next pattern below: a loop over nodes of its class, or over choices of nodes for a list. */
static void
plan_loop(struct build *b)
{
	struct todo next = vec_pop(&b->todo);
	bool is_map = next.term->kind == TN_T_MAP || next.class.at == NODE_EACH;
	const struct tn_term *t = next.term->kind == TN_T_MAP ? next.term->kid[0] : next.term;
	int node = new_node(b, is_map ? NODE_EACH : NODE_ONE, next.class.at == NODE_EACH ? next.class.node : -1);
	struct step *s;

	if (next.class.kind == REF_CLASS && next.class.at == NODE_EACH)
		next.class.kind = REF_MAPPED;
	s = add_test(b, is_map ? STEP_MAPS : STEP_NODES, next.class);
	s->op = t->op;
	s->node = node;
	if (is_map)
		s->i = b->p->text->op[t->op].is_commutative && t->nkid > 1 && !are_alike(t->kid[0], t->kid[1]);
	plan_node(b, t, node);
}

/* ---- what is bound, what is new ------------------------------------------------------------------------ */

/* Variables that a pattern binds. */
static void
find_bound(const struct tn_rule *r, const struct tn_term *t, bool *is_bound)
{
	if (t->var >= 0)
		is_bound[t->var] = true;
	if (t->capture >= 0)
		is_bound[t->capture] = true;
	for (int i = 0; i < t->nbind; i++) {
		const struct tn_x *x = t->bind[i].x;

		if (x->kind == TN_X_VAR && r->var[x->var].kind != TN_R_LET)
			is_bound[x->var] = true;
		for (int k = 0; x->kind == TN_X_LIST && k < x->nkid; k++)
			if (x->kid[k]->kind == TN_X_VAR && r->var[x->kid[k]->var].kind != TN_R_LET)
				is_bound[x->kid[k]->var] = true;
	}
}

static void
find_slots(struct plan *p)
{
	bool *is_bound = mem_alloc((size_t)p->rule->nvar + 1);
	struct terms left = {0};

	for (int i = 0; i < p->rule->narrow; i++)
		terms_add(&left, p->rule->arrow[i].from);
	for (uint32_t i = 0; i < left.list.n; i++)
		find_bound(p->rule, left.list.at[i], is_bound);
	for (int i = 0; i < p->rule->nvar; i++)
		p->slot[i] = is_bound[i] ? p->nslot++ : SLOT_NONE;
	terms_free(&left);
	mem_free(is_bound);
}

/* One of the nodes must be new where only new matches are wanted: asked when all are bound, before
 * what costs more. */
static void
add_is_new(struct build *b)
{
	uint32_t i, at = 0;
	struct step *s;

	for (i = 0; i < b->p->step.n; i++)
		if (b->p->step.at[i].kind <= STEP_MAPS)
			at = i + 1;
	while (at < b->p->step.n && (b->p->step.at[at].kind == STEP_COUNT ||
	    (b->p->step.at[at].kind == STEP_SAME && b->p->step.at[at].a.kind == REF_CLASS)))
		at++;
	add(b, STEP_IS_NEW);
	s = b->p->step.at;
	memmove(&s[at + 1], &s[at], (b->p->step.n - 1 - at) * sizeof *s);
	s[at] = (struct step){.kind = STEP_IS_NEW, .node = (int)b->p->node_is.n - 1, .op = -1, .rule = -1};
}

/* ---- the whole of a pattern ------------------------------------------------------------------------------ */

static void
plan_pattern(struct build *b, const struct tn_term *root)
{
	struct step *s = add(b, STEP_ROOT);

	s->op = root->op;
	s->node = new_node(b, NODE_ONE, -1);
	for (int v = 0; v < b->p->rule->nvar; v++)
		if (b->p->rule->var[v].kind == TN_R_TERM && b->p->rule->var[v].term == root)
			b->p->place[v] = (struct ref){.kind = REF_ROOT};
	plan_node(b, root, 0);
	while (b->todo.n)
		plan_loop(b);
	plan_waiting(b);
	if (!plan_is_joined(b->p->rule))
		add_is_new(b);
	add(b, STEP_YIELD)->rule = b->p->number;
	for (int i = 0; i < b->p->rule->nwhen; i++)
		b->p->is_late[i] = !b->is_placed[i];
}

static void
build_begin(struct build *b, struct plan *p, const struct tn_program_text *text, int number, struct arena *arena)
{
	const struct tn_rule *r = &text->rule[number];

	*b = (struct build){.p = p};
	*p = (struct plan){.text = text, .rule = r, .number = number};
	p->place = arena_news(arena, (size_t)r->nvar, struct ref);
	p->captured = arena_news(arena, (size_t)r->nvar, const struct tn_term *);
	p->slot = arena_news(arena, (size_t)r->nvar, int);
	p->is_late = arena_news(arena, (size_t)r->nwhen, bool);
	p->depth = plan_depth(r);
	find_slots(p);
	b->kind = arena_news(arena, (size_t)r->nvar, uint8_t);
	memset(b->kind, TN_NKINDS, (size_t)r->nvar);
	b->is_placed = arena_news(arena, (size_t)r->nwhen, bool);
}

static void
build_end(struct build *b)
{
	vec_free(&b->todo);
	vec_free(&b->seen);
	vec_free(&b->waiting);
	vec_free(&b->root_map);
}

void
plan_make(struct plan *p, const struct tn_program_text *text, int number, struct arena *arena)
{
	const struct tn_rule *r = &text->rule[number];
	struct build b;

	build_begin(&b, p, text, number, arena);
	if (r->narrow == 1)
		plan_pattern(&b, r->arrow[0].from);
	/* a let that is a pattern is known to the applier, too */
	for (int i = 0; i < r->nvar; i++)
		if (r->var[i].kind == TN_R_TERM && p->place[i].kind != REF_NONE)
			p->slot[i] = p->nslot++;
	if (r->is_siblings)
		plan_columns(&b);
	build_end(&b);
}

void
plan_part(struct plan *p, const struct tn_program_text *text, int number, int arrow, struct arena *arena)
{
	struct build b;

	build_begin(&b, p, text, number, arena);
	b.is_part = true;
	plan_pattern(&b, text->rule[number].arrow[arrow].from);
	plan_columns(&b);
	build_end(&b);
}

void
plan_free(struct plan *p)
{
	vec_free(&p->step);
	vec_free(&p->column);
	vec_free(&p->node_is);
}
