/*
 * Patterns: operands that are terms are drawn first, then attributes, then the shapes of tensor variables: here it is
 * said what they begin with, in operands.c they are chosen.  What does not fit is drawn again, a few times here, then the
 * whole.
 */
#include <string.h>

#include "verify/operands.h"

enum { ATTEMPTS = 24, ATTEMPTS_AIMED = 32, ROUNDS = 2 };

/* An operand of the operator being drawn. */
struct slot {
	enum { OPEN, KNOWN } kind;	/* OPEN: a leaf whose shape is to be chosen */
	int node;
	int16_t var;			/* OPEN: the variable it becomes, or -1 */
	int elem;			/* and which element of it, or -1 */
};

struct slots {
	int n;
	struct slot at[KIDS_MAX];
};

/* the axes an operand has at least */
static int
least_rank(const struct tn_operand *d)
{
	int i, n = 0;

	for (i = 0; i < d->nitem; i++)
		n += !d->item[i].is_seq;
	return n;
}

static bool
put_slot(struct slots *s, struct slot one)
{
	if (s->n == KIDS_MAX)
		return false;
	s->at[s->n++] = one;
	return true;
}

/* ---- operands --------------------------------------------------------------------------------------------- */

static int
number_node(struct instance *in, const struct tn_term *t)
{
	struct vnode v = {.kind = V_NUMBER, .type = TN_NONE, .elem = -1};
	struct bound *b;

	v.num = t->num;
	if (t->kind == TN_T_ATTR) {
		b = &in->now.var[t->var];
		if (!b->is_set)
			b->value = choose_float(in);
		b->is_set = true;
		if (!instance_number(in, b->value, &v.num))
			return -1;
	}
	return instance_node(in, &v);
}

/* how long the run in a map is: as its variables are already, or as we like */
static int
map_length(struct instance *in, const struct tn_term *t)
{
	int i, n = 0;

	if (t->kind == TN_T_REST)
		return in->now.var[t->var].is_set ? in->now.var[t->var].n : 0;
	for (i = 0; i < t->nkid && n == 0; i++)
		n = map_length(in, t->kid[i]);
	return n;
}

static bool
put_run(struct instance *in, const struct tn_term *t, struct slots *s)
{
	const struct bound *b = &in->now.var[t->var];
	int n = b->is_set ? b->n : 1 + (int)rng_below(&in->rng, 3), i;

	for (i = 0; i < n; i++)
		if (!put_slot(s, b->is_set ? (struct slot){KNOWN, b->run[i], -1, -1} : (struct slot){OPEN, -1, t->var, i}))
			return false;
	return true;
}

/* the operands a term stands for that is no operator */
static bool
put_leaf(struct instance *in, const struct tn_term *t, int elem, struct slots *s)
{
	const struct bound *b = t->var >= 0 ? &in->now.var[t->var] : NULL;
	int node;

	switch (t->kind) {
	case TN_T_VAR:
		return put_slot(s, b->is_set ? (struct slot){KNOWN, b->node, -1, -1} : (struct slot){OPEN, -1, t->var, -1});
	case TN_T_ANY:
		return put_slot(s, (struct slot){OPEN, -1, -1, -1});
	case TN_T_REST:
		if (elem < 0)
			return put_run(in, t, s);
		return put_slot(s, b->is_set && elem < b->n ? (struct slot){KNOWN, b->run[elem], -1, -1} :
		    (struct slot){OPEN, -1, t->var, elem});
	case TN_T_NUM:
	case TN_T_ATTR:
		node = number_node(in, t);
		return node >= 0 && put_slot(s, (struct slot){KNOWN, node, -1, -1});
	default:
		return false;
	}
}

static bool
put_map(struct instance *in, const struct tn_term *t, struct slots *s)
{
	int n = map_length(in, t->kid[0]), i, node;

	if (n == 0)
		n = 1 + (int)rng_below(&in->rng, 3);
	for (i = 0; i < n; i++) {
		in->mapped = i;
		node = draw_term(in, t->kid[0], i);
		in->mapped = 0;
		if (node < 0 || !put_slot(s, (struct slot){KNOWN, node, -1, -1}))
			return false;
	}
	return true;
}

/* Operand i of a term.  Where the operand has a fixed number of axes, so should what is drawn for it. */
static int
draw_operand(struct instance *in, const struct tn_term *of, int i, int elem)
{
	const struct tn_operand *decl = infer_operand(&in->text->op[of->op], i);
	struct place here = {of, i, in->place};
	int outer = in->rank, node;

	in->place = &here;
	if (least_rank(decl) == decl->nitem)
		in->rank = decl->nitem;
	node = draw_term(in, of->kid[i], elem);
	in->rank = outer;
	in->place = here.up;
	return node;
}

/* terms first, since they bind variables that stand beside them */
static bool
draw_operands(struct instance *in, const struct tn_term *t, int elem, struct slots *s)
{
	int drawn[KIDS_MAX], i;

	if (t->nkid > KIDS_MAX)
		return false;
	for (i = 0; i < t->nkid; i++) {
		drawn[i] = t->kid[i]->kind == TN_T_OP ? draw_operand(in, t, i, elem) : 0;
		if (drawn[i] < 0)
			return false;
	}
	for (i = 0; i < t->nkid; i++) {
		const struct tn_term *kid = t->kid[i];
		bool ok = kid->kind == TN_T_OP ? put_slot(s, (struct slot){KNOWN, drawn[i], -1, -1})
		    : kid->kind == TN_T_MAP ? put_map(in, kid, s) : put_leaf(in, kid, elem, s);

		if (!ok)
			return false;
	}
	return true;
}

/* ---- shapes ------------------------------------------------------------------------------------------------ */

static bool
bind_leaf(struct instance *in, struct slot *s, tn_type type)
{
	struct vnode v = {.kind = V_LEAF, .type = type, .elem = s->elem, .name = s->var >= 0 ? in->rule->var[s->var].name : "_"};
	struct bound *b = s->var >= 0 ? &in->now.var[s->var] : NULL;

	s->kind = KNOWN;
	if (b && b->is_set && s->elem < 0) {		/* the same variable at two operands */
		s->node = b->node;
		return in->node.at[b->node].type == type;
	}
	s->node = instance_node(in, &v);
	if (!b)
		return true;
	if (s->elem >= RUN_MAX)
		return false;
	b->is_set = true;
	if (s->elem < 0) {
		b->node = s->node;
	} else {
		b->run[s->elem] = s->node;
		b->n = s->elem + 1;
	}
	return true;
}

/* leaves for all open operands */
static bool
bind_leaves(struct instance *in, struct slots *s, const tn_type type[])
{
	int i;

	for (i = 0; i < s->n; i++)
		if (s->at[i].kind == OPEN && !bind_leaf(in, &s->at[i], type[i]))
			return false;
	return true;
}

/* does the operator's result have the very shape of its operand? */
static bool
keeps_shape(const struct tn_op *op, const struct tn_operand *d)
{
	int i;

	for (i = 0; i < op->nout && op->nout == d->nitem; i++)
		if (op->out[i] != d->item[i].var)
			return false;
	return op->nout == d->nitem;
}

bool
same_items(const struct tn_operand *a, const struct tn_operand *b)
{
	int i;

	for (i = 0; i < a->nitem && a->nitem == b->nitem; i++)
		if (a->item[i].var != b->item[i].var)
			return false;
	return a->nitem == b->nitem;
}

/* the node of an operand if it is there already, else -1 */
static int
node_there(const struct instance *in, const struct tn_term *t)
{
	int i;

	if (t->kind == TN_T_VAR)
		return in->now.var[t->var].is_set ? in->now.var[t->var].node : -1;
	for (i = 0; i < in->now.nseen; i++)
		if (in->now.seen[i].term == t && in->now.seen[i].elem < 0)
			return in->now.seen[i].node;
	return -1;
}

const struct tn_shape *
wanted_shape(const struct instance *in)
{
	const struct place *p;
	int i, node;

	for (p = in->place; p; p = p->up) {
		const struct tn_op *op = &in->text->op[p->term->op];
		const struct tn_operand *d = infer_operand(op, p->operand);

		for (i = 0; i < p->term->nkid; i++) {
			node = i == p->operand || !same_items(d, infer_operand(op, i)) ? -1 : node_there(in, p->term->kid[i]);
			if (node >= 0)
				return instance_shape(in, node);
		}
		if (!keeps_shape(op, d))
			return NULL;
	}
	return NULL;
}

/* Types of what is there; where nothing is, the first operand gets a shape to begin with. */
static struct tn_shape
begin_types(struct instance *in, const struct tn_op *op, const struct slots *s, tn_type type[])
{
	struct tn_shape first = {.dtype = in->dtype};
	const struct tn_shape *wanted;
	int i, known = -1, least;

	for (i = s->n; i-- > 0;) {
		type[i] = s->at[i].kind == KNOWN ? in->node.at[s->at[i].node].type : TN_NONE;
		if (type[i] != TN_NONE)
			known = i;
	}
	if (known < 0 && s->n) {
		for (known = 0; known < s->n - 1 && s->at[known].kind == KNOWN; known++)
			;
		least = least_rank(infer_operand(op, known));
		wanted = keeps_shape(op, infer_operand(op, known)) ? wanted_shape(in) : NULL;
		if (wanted)
			first = *wanted;
		else
			choose_shape(in, least > in->rank ? least : in->rank, &first);
		if (infer_operand(op, known)->type >= 0)
			first.dtype = (enum tn_dtype)infer_operand(op, known)->type;
		type[known] = s->at[known].kind == KNOWN ? TN_NONE : tn_type_make(in->ctx, &first);
	} else if (s->n) {
		first = *tn_type_get(in->ctx, type[known]);
	}
	return first;
}

/* the same type but for one extent */
static tn_type
one_extent_other(struct instance *in, tn_type type)
{
	struct tn_shape t = *tn_type_get(in->ctx, type);

	if (t.rank == 0)
		return type;
	t.dim[rng_below(&in->rng, (uint32_t)t.rank)] = choose_extent(in);
	return tn_type_make(in->ctx, &t);
}

/*
 * Sometimes operands of the shapes they have at an operator of the same kind, or nearly: results are added, joined along
 * an axis, and so on.
 */
static void
take_types(struct instance *in, const struct tn_op *op, const struct slots *s, tn_type type[])
{
	const struct vnode *x;
	uint32_t i;
	int k;

	for (i = in->node.n; i-- > 0;) {
		x = &in->node.at[i];
		if (x->kind != V_OPERATOR || x->op != op || x->nkid != s->n)
			continue;
		for (k = 0; k < s->n && rng_below(&in->rng, 3); k++)
			if (type[k] == TN_NONE && s->at[k].kind == OPEN) {
				type[k] = in->node.at[x->kid[k]].type;
				if (rng_below(&in->rng, 2))
					type[k] = one_extent_other(in, type[k]);
			}
		return;
	}
}

/* Has it a computed extent of less than 2?  Along that axis a stride or dilation makes no difference. */
static bool
is_thin(const struct instance *in, int node)
{
	const struct vnode *x = &in->node.at[node];
	const struct tn_shape *t = instance_shape(in, node);
	int i;

	for (i = 0; i < x->op->nout && x->op->nout == t->rank; i++)
		if (x->op->var[x->op->out[i]].kind == TN_V_LET && x->op->var[x->op->out[i]].sort == TN_S_INT && t->dim[i] < 2)
			return true;
	return false;
}

/* types as they were in an instance that was found; the first shape, if it is one of them */
static bool
take_kept(struct instance *in, const struct kept *like, struct types *types, struct tn_shape *first)
{
	if (!near_types(in, like, types))
		return false;
	if (types->n && types->is_open[0])
		*first = *tn_type_get(in->ctx, types->type[0] != TN_NONE ? types->type[0] : like->type[0]);
	return true;
}

/* the operator on what was chosen; no thin result where none is wanted */
static int
put_operator(struct instance *in, const struct choice *c, struct slots *s)
{
	int kid[KIDS_MAX], i;

	if (!bind_leaves(in, s, c->types.type))
		return -1;
	for (i = 0; i < s->n; i++)
		kid[i] = s->at[i].node;
	i = instance_operator(in, c->types.op, c->attrs, kid, s->n);
	return i >= 0 && (c->least < 2 || !is_thin(in, i)) ? i : -1;
}

/* one attempt at attributes and shapes; thin results are kept half the time, and never where the draw is aimed at a number */
static int
draw_once(struct instance *in, const struct tn_term *t, int elem, struct slots s)
{
	const struct tn_op *op = &in->text->op[t->op];
	tn_type type[KIDS_MAX];
	int16_t var[KIDS_MAX];
	bool is_open[KIDS_MAX], is_aimed = aim_is_at(in, t);
	struct choice c = {.types = {op, s.n, is_open, type}, .var = var};
	struct tn_shape first = begin_types(in, op, &s, type);
	const struct kept *like = near_of(in, t, elem);
	int i;

	for (i = 0; i < s.n; i++) {
		is_open[i] = s.at[i].kind == OPEN;
		var[i] = is_open[i] && s.at[i].elem < 0 ? s.at[i].var : -1;
	}
	if (like && rng_below(&in->rng, 4) && take_kept(in, like, &c.types, &first))
		c.like = like;
	c.attrs = draw_attrs(in, t, like, &first);
	if (!c.like)
		take_types(in, op, &s, type);
	if (c.attrs != TN_NONE)
		c.attrs = tn_attrs_normalise(in->ctx, op, c.attrs, type, s.n);
	if (c.attrs == TN_NONE)
		return -1;
	c.other = aim_other(in, t, c.attrs);
	c.wanted = rng_below(&in->rng, 4) ? wanted_shape(in) : NULL;
	c.aim = is_aimed && in->aim->attr < 0 ? in->aim : NULL;
	c.least = (is_aimed && !c.aim) || rng_below(&in->rng, 2) ? 2 : 0;
	if ((is_aimed && c.other == TN_NONE) || !operands_choose(in, &c))
		return -1;
	i = put_operator(in, &c, &s);
	if (i >= 0 && is_aimed && !aim_hits(in, i, c.other))
		return -1;
	return i >= 0 && aim_allows(in) ? i : -1;
}

/* only what is in use: it is done for every attempt */
static void
copy_state(struct state *to, const struct state *from, int nvar)
{
	memcpy(to->var, from->var, (size_t)nvar * sizeof to->var[0]);
	memcpy(to->waiting, from->waiting, (size_t)from->nwaiting * sizeof to->waiting[0]);
	memcpy(to->seen, from->seen, (size_t)from->nseen * sizeof to->seen[0]);
	to->nwaiting = from->nwaiting;
	to->nseen = from->nseen;
}

/* how often it is worth trying: once if nothing is left to be chosen */
static int
attempts(const struct instance *in, const struct tn_term *t, const struct slots *s)
{
	int i;

	for (i = 0; i < s->n && s->at[i].kind == KNOWN; i++)
		;
	if (i == s->n && attrs_are_settled(in, t))
		return 1;
	return aim_is_at(in, t) ? ATTEMPTS_AIMED : ATTEMPTS;
}

/* an operator on these operands */
static int
draw_on(struct instance *in, const struct tn_term *t, int elem, const struct slots *s)
{
	struct state before;
	uint32_t nnode = in->node.n;
	int i, most = attempts(in, t, s), node = -1;

	copy_state(&before, &in->now, in->rule->nvar);
	for (i = 0; i < most && node < 0; i++) {
		copy_state(&in->now, &before, in->rule->nvar);
		in->node.n = nnode;
		node = draw_once(in, t, elem, *s);
	}
	return node;
}

/* Operands that are operators themselves are drawn each for itself: where several do not go together, others might. */
static int
draw_operator(struct instance *in, const struct tn_term *t, int elem)
{
	struct state before;
	uint32_t nnode = in->node.n;
	int i, most = 0, node = -1;

	for (i = 0; i < t->nkid; i++)
		most += t->kid[i]->kind == TN_T_OP;
	most = most > 1 ? ROUNDS : 1;
	copy_state(&before, &in->now, in->rule->nvar);
	for (i = 0; i < most && node < 0; i++) {
		struct slots s = {0};

		copy_state(&in->now, &before, in->rule->nvar);
		in->node.n = nnode;
		if (draw_operands(in, t, elem, &s))
			node = draw_on(in, t, elem, &s);
	}
	return node;
}

int
draw_term(struct instance *in, const struct tn_term *t, int elem)
{
	struct slots s = {0};
	tn_type type;
	struct tn_shape shape;
	int i, node;

	if (t->kind != TN_T_OP) {		/* a variable alone, at a root */
		if (!put_leaf(in, t, elem, &s) || s.n != 1)
			return -1;
		choose_shape(in, 1, &shape);
		type = tn_type_make(in->ctx, &shape);
		return s.at[0].kind == KNOWN || bind_leaf(in, &s.at[0], type) ? s.at[0].node : -1;
	}
	for (i = 0; elem < 0 && i < in->now.nseen; i++)
		if (in->now.seen[i].term == t)
			return in->now.seen[i].node;
	node = draw_operator(in, t, elem);
	if (node < 0)
		return node;
	if (in->now.nseen == SEEN_MAX)
		return -1;
	in->now.seen[in->now.nseen].term = t;
	in->now.seen[in->now.nseen].elem = elem;
	in->now.seen[in->now.nseen++].node = node;
	if (elem >= 0)
		return node;
	for (i = 0; i < in->rule->nvar; i++)
		if (in->rule->var[i].kind == TN_R_TERM && in->rule->var[i].term == t) {
			in->now.var[i].is_set = true;
			in->now.var[i].node = node;
		}
	return node;
}
