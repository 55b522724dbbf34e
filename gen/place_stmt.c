/* Values that take statements: reductions, switches, branches, picks. */
#include "gen/place.h"

#include <string.h>

#define MAX_LIMITS 8

/* How conditions narrow a loop to base + step * i inside extent, each; or, with a divisor, to where it
 * divides that and the quotient is inside. */
struct range {
	int loop, n, divisor;
	int base[MAX_LIMITS], step[MAX_LIMITS], extent[MAX_LIMITS], cond[MAX_LIMITS];
};

static int
negative(struct def *d, int node)
{
	const struct node *n = &d->node.at[node];

	return n->kind == NODE_INT ? def_int(d, -n->num) : def_call(d, TN_F_NEG, TYPE_INT, node, NONE);
}

/* Index as base + step * loop's; false if it is not so. */
static bool
is_linear(struct def *d, int index, int loop, int *base, int *step)
{
	const struct node n = d->node.at[index];
	bool in_first, is_in[2] = {false, false};

	if (n.kind == NODE_LOOP && n.a == loop) {
		*base = def_int(d, 0);
		*step = def_int(d, 1);
		return true;
	}
	if (n.kind != NODE_CALL || n.type != TYPE_INT || n.nkid != 2)
		return false;
	for (int i = 0; i < 2; i++)
		is_in[i] = d->node.at[n.kid[i]].loops >> loop & 1;
	in_first = is_in[0];
	if (is_in[0] == is_in[1] || !is_linear(d, n.kid[in_first ? 0 : 1], loop, base, step))
		return false;
	switch (n.fn) {
	case TN_F_ADD:
		*base = in_first ? def_call(d, TN_F_ADD, TYPE_INT, *base, n.kid[1]) :
			def_call(d, TN_F_ADD, TYPE_INT, n.kid[0], *base);
		return true;
	case TN_F_SUB:
		if (!in_first)
			*base = def_call(d, TN_F_SUB, TYPE_INT, n.kid[0], *base);
		else if (d->node.at[*base].kind == NODE_INT && d->node.at[*base].num == 0)
			*base = negative(d, n.kid[1]);
		else
			*base = def_call(d, TN_F_SUB, TYPE_INT, *base, n.kid[1]);
		*step = in_first ? *step : negative(d, *step);
		return true;
	case TN_F_MUL:
		*base = def_call(d, TN_F_MUL, TYPE_INT, *base, n.kid[in_first]);
		*step = def_call(d, TN_F_MUL, TYPE_INT, *step, n.kid[in_first]);
		return true;
	default:
		return false;
	}
}

/* A condition that only narrows the loop's range, by a range known outside it. */
static bool
is_limit(struct place *p, int cond, int loop, int *base, int *step)
{
	const struct node n = p->d->node.at[cond];

	return n.kind == NODE_INSIDE && !(p->d->node.at[n.kid[1]].loops >> loop & 1) &&
		is_linear(p->d, n.kid[0], loop, base, step);
}

static bool
is_in_strip(const struct place *p, const struct block *b)
{
	while (b && b != p->strip)
		b = b->up;
	return b != NULL;
}

/* A range of the loop is set where it is known, most often far outside. */
static const struct placed *
place_range(struct place *p, const struct range *r)
{
	struct def *d = p->d;
	const struct loop *l = &d->loop.at[r->loop];
	uint64_t loops = d->node.at[l->extent].loops;
	int key = def_node(d, (struct node){.kind = NODE_AND, .type = TYPE_INT, .a = r->loop, .nkid = r->n}, r->cond);
	struct block *saved = p->at;
	const struct placed *known = place_find(p, key);
	const char *from, *to, *extent, *step = NULL;

	if (known)
		return known;
	for (int i = 0; i < r->n; i++) {
		d->node.at[r->base[i]].uses++;
		loops |= d->node.at[r->base[i]].loops | d->node.at[r->step[i]].loops | d->node.at[r->extent[i]].loops |
			(r->divisor == NONE ? 0 : d->node.at[r->divisor].loops);
	}
	p->at = place_target(p, loops);
	if (r->loop == p->lane && !is_in_strip(p, p->at))
		p->at = p->strip;
	extent = r->loop == p->lane ? p->lane_to : place_value(p, l->extent, PREC_ANY);
	from = name_new(&p->names, arena_printf(p->arena, "%s_from", l->name));
	to = name_new(&p->names, arena_printf(p->arena, "%s_to", l->name));
	place_stmt(p, "int64_t %s = %s, %s = %s;", from, r->loop == p->lane ? p->lane_at : "0", to, extent);
	for (int i = 0; i < r->n; i++) {
		const char *base = place_value(p, r->base[i], PREC_ANY), *by = place_value(p, r->step[i], PREC_ANY);

		extent = place_value(p, r->extent[i], PREC_ANY);
		if (r->divisor == NONE) {
			place_stmt(p, "tn_limit(&%s, &%s, %s, %s, %s);", from, to, base, by, extent);
			continue;
		}
		by = arena_printf(p->arena, "%s, %s", by, place_value(p, r->divisor, PREC_ANY));
		step = name_new(&p->names, arena_printf(p->arena, "%s_step", l->name));
		place_stmt(p, "int64_t %s = tn_stride(&%s, &%s, %s, %s, %s);", step, from, to, base, by, extent);
	}
	place_name(p, key, from, to);
	p->placed.at[p->placed.n - 1].step = step;
	p->at = saved;
	return place_find(p, key);
}

/* The index is a quotient that another condition says is whole: then those that are, are equal steps
 * apart.  False if it is not so. */
static bool
find_stride(struct place *p, struct range *r, int ncond, const int cond[])
{
	struct def *d = p->d;

	for (int i = 0; i < ncond; i++)
		for (int j = 0; j < ncond; j++) {
			const struct node divides = d->node.at[cond[i]], inside = d->node.at[cond[j]];
			const struct node *quotient = &d->node.at[inside.kid[0]];

			if (divides.kind != NODE_CALL || divides.fn != TN_F_DIVIDES || inside.kind != NODE_INSIDE ||
			    quotient->kind != NODE_CALL || quotient->fn != TN_F_EXACTDIV ||
			    quotient->kid[0] != divides.kid[1] || quotient->kid[1] != divides.kid[0])
				continue;
			if ((d->node.at[divides.kid[0]].loops | d->node.at[inside.kid[1]].loops) >> r->loop & 1 ||
			    !is_linear(d, divides.kid[1], r->loop, &r->base[0], &r->step[0]) ||
			    d->node.at[r->step[0]].kind != NODE_INT)
				continue;
			r->divisor = divides.kid[0];
			r->extent[0] = inside.kid[1];
			r->cond[0] = cond[i];
			r->cond[1] = cond[j];
			r->n = 1;
			return true;
		}
	return false;
}

/* What the conditions make of the loop's range; those that are met by it then hold. */
static void
find_range(struct place *p, struct range *r, int ncond, const int cond[])
{
	r->n = 0;
	r->divisor = NONE;
	if (find_stride(p, r, ncond, cond))
		return;
	for (int i = 0; i < ncond && r->n < MAX_LIMITS; i++)
		if (is_limit(p, cond[i], r->loop, &r->base[r->n], &r->step[r->n])) {
			r->extent[r->n] = p->d->node.at[cond[i]].kid[1];
			r->cond[r->n++] = cond[i];
		}
}

/* Open one loop of a reduction, with its conditions that are known in it; its head. */
static const char *
open_loop(struct place *p, int loop, uint64_t inner, int nall, const int all[])
{
	struct range r = {.loop = loop};
	int *cond = arena_news(p->arena, (size_t)nall + 1, int), ncond = 0;
	const char *from = "0", *to, *step = NULL, *var;

	for (int i = 0; i < nall; i++)
		if (!(p->d->node.at[all[i]].loops & inner) && !place_holds(p, all[i]))
			cond[ncond++] = all[i];
	find_range(p, &r, ncond, cond);
	if (r.n) {
		const struct placed *range = place_range(p, &r);

		from = range->name;
		to = range->second;
		step = range->step;
	} else if (loop == p->lane) {
		from = p->lane_at;
		to = p->lane_to;
	} else {
		to = place_value(p, p->d->loop.at[loop].extent, PREC_REL);
	}
	place_open(p, loop);
	for (int i = 0; i < r.n + (r.divisor != NONE); i++)
		vec_push(&p->at->holds, r.cond[i]);
	for (int i = 0; i < ncond; i++)
		if (!place_holds(p, cond[i])) {
			const char *text = place_value(p, cond[i], PREC_UNARY);

			place_skip(p, arena_printf(p->arena, "!%s", text));
			vec_push(&p->at->holds, cond[i]);
		}
	var = p->var.at[p->var_of[loop]].name;
	return arena_printf(p->arena, "for (%s = %s; %s < %s; %s%s%s)", var, from, var, to, var, step ? " += " : "++",
		step ? step : "");
}

/* Declare what a reduction comes to, as one number or one for each lane, and start it; its name. */
static const char *
place_start(struct place *p, const struct node *n)
{
	const char *acc = name_new(&p->names, n->fn == TN_F_ADD ? "sum" : n->fn == TN_F_MAX ? "max" : "min");
	const char *init = n->fn == TN_F_ADD ? "0" : n->fn == TN_F_MAX ? "-INFINITY" : "INFINITY", *var;

	if (p->at != p->strip) {
		place_stmt(p, "double %s = %s;", acc, init);
		return acc;
	}
	var = p->var.at[p->var_of[p->lane]].name;
	place_stmt(p, "double %s[TN_LANES];", acc);
	acc = arena_printf(p->arena, "%s[%s - %s]", acc, var, p->lane_at);
	place_open(p, p->lane);
	place_stmt(p, "%s = %s;", acc, init);
	place_close(p, arena_printf(p->arena, "for (%s = %s; %s < %s; %s++)", var, p->lane_at, var, p->lane_to, var));
	return acc;
}

/*
 * Lanes go innermost: each still takes its terms in the order of the def, and next to each other they are
 * read from next to each other.
 */
void
place_reduce(struct place *p, int node)
{
	const struct node n = p->d->node.at[node];
	const struct node conds = n.nkid == 2 ? p->d->node.at[n.kid[1]] : (struct node){0};
	int *iter = arena_news(p->arena, (size_t)n.niter + 1, int), niter = n.niter;
	const char **head = arena_news(p->arena, (size_t)n.niter + 1, const char *), *acc, *text, *outer = NULL;
	uint64_t own = 0;
	struct block *b;

	memcpy(iter, n.iter, n.niter * sizeof *iter);
	if (p->at == p->strip)
		iter[niter++] = p->lane;
	for (int i = 0; i < niter; i++)
		own |= UINT64_C(1) << iter[i];
	acc = place_start(p, &n);
	place_name(p, node, acc, NULL);
	/* What no loop of ours changes is asked once. */
	for (int i = 0; i < conds.nkid; i++)
		if (!(p->d->node.at[conds.kid[i]].loops & own) && !place_holds(p, conds.kid[i])) {
			text = place_value(p, conds.kid[i], PREC_AND);
			outer = outer ? arena_printf(p->arena, "%s && %s", outer, text) : text;
		}
	if (outer)
		place_open(p, NONE);
	for (int i = 0; outer && i < conds.nkid; i++)
		if (!(p->d->node.at[conds.kid[i]].loops & own))
			vec_push(&p->at->holds, conds.kid[i]);
	for (int i = 0; i < niter; i++) {
		own &= ~(UINT64_C(1) << iter[i]);
		head[i] = open_loop(p, iter[i], own, conds.nkid, conds.kid);
	}
	b = p->at;
	text = place_value(p, n.kid[0], PREC_ANY);
	p->at = b;
	if (n.fn == TN_F_ADD)
		place_stmt(p, "%s += %s;", acc, text);
	else
		place_stmt(p, "%s = tn_real_%s(%s, %s);", acc, n.fn == TN_F_MAX ? "max" : "min", acc, text);
	for (int i = niter - 1; i >= 0; i--)
		place_close(p, head[i]);
	if (outer)
		place_close(p, arena_printf(p->arena, "if (%s)", outer));
}

/* ---- branches -------------------------------------------------------------------------------------------- */

static void
mark(const struct def *d, int node, uint8_t *in, uint8_t bit)
{
	const struct node *n = &d->node.at[node];

	if (in[node] & bit)
		return;
	in[node] |= bit;
	for (int i = 0; i < n->nkid; i++)
		mark(d, n->kid[i], in, bit);
}

/* Make what every arm needs before the first: (act E) has E in all of them. */
static void
place_shared(struct place *p, int node, const uint8_t *in, uint64_t open)
{
	const struct node n = p->d->node.at[node];

	if (in[node] & 2) {
		if (n.nkid > 0 && n.type == TYPE_REAL && !(n.loops & ~open))
			place_value(p, node, PREC_ANY);
		return;
	}
	for (int i = 0; i < n.nkid; i++)
		place_shared(p, n.kid[i], in, open);
}

static void
share_arms(struct place *p, int narm, const int arm[])
{
	uint32_t nnode = p->d->node.n;
	uint8_t *in = arena_news(p->arena, nnode, uint8_t);
	uint64_t open = 0;

	for (const struct block *b = p->at; b; b = b->up)
		open |= b->loop == NONE ? 0 : UINT64_C(1) << b->loop;
	mark(p->d, arm[0], in, 2);
	for (int i = 1; i < narm; i++) {
		for (uint32_t j = 0; j < nnode; j++)
			in[j] &= 2;
		mark(p->d, arm[i], in, 1);
		for (uint32_t j = 0; j < nnode; j++)
			if (!(in[j] & 1))
				in[j] = 0;
	}
	place_shared(p, arm[0], in, open);
}

/* Give the result the arm's value, in a block of its own. */
static void
place_arm(struct place *p, const char *name, int value)
{
	const char *text;

	text = place_value(p, value, PREC_ANY);
	place_stmt(p, "%s = %s;", name, text);
}

void
place_switch(struct place *p, int node)
{
	const struct node n = p->d->node.at[node];
	const struct tn_enum *e = p->d->op->attr[n.a].enums;
	const char *name, *on;

	share_arms(p, n.nkid - 1, n.kid + 1);
	on = place_value(p, n.kid[0], PREC_ANY);
	name = name_new(&p->names, "v");
	place_stmt(p, "double %s;", name);
	place_name(p, node, name, NULL);
	place_open(p, NONE);
	p->at->is_braced = true;
	p->at->depth--;
	for (int i = 1; i < n.nkid; i++) {
		const char *label = i + 1 < n.nkid ? arena_printf(p->arena, "case %d", i - 1) : "default";

		place_stmt(p, "%s:\t/* %s */", label, e && i <= e->nvalue ? name_spell(p->arena, e->value[i - 1]) : "");
		place_open(p, NONE);
		place_arm(p, name, n.kid[i]);
		place_stmt(p, "break;");
		place_close(p, NULL);
	}
	place_close(p, arena_printf(p->arena, "switch (%s)", on));
}

void
place_if(struct place *p, int node)
{
	const struct node n = p->d->node.at[node];
	const char *name, *cond;

	share_arms(p, 2, n.kid + 1);
	cond = place_value(p, n.kid[0], PREC_ANY);
	name = name_new(&p->names, "v");
	place_stmt(p, "%s%s;", n.type == TYPE_INT ? "int64_t " : n.type == TYPE_BOOL ? "bool " : "double ", name);
	place_name(p, node, name, NULL);
	for (int i = 1; i <= 2; i++) {
		place_open(p, NONE);
		p->at->is_braced = true;
		place_arm(p, name, n.kid[i]);
		place_close(p, i == 1 ? arena_printf(p->arena, "if (%s)", cond) : "else");
	}
}

void
place_pick(struct place *p, int node)
{
	const struct node n = p->d->node.at[node];
	const char *index, *axis, *name, *second;

	index = place_value(p, n.kid[0], PREC_ANY);
	axis = place_value(p, n.kid[1], PREC_ANY);
	second = name_new(&p->names, "i");
	place_stmt(p, "int64_t %s = %s;", second, index);
	name = name_new(&p->names, arena_printf(p->arena, "%s_at", n.hint ? n.hint : "t"));
	place_stmt(p, "int64_t %s = tn_pick(ev, %d, %s, &%s);", name, n.a, axis, second);
	place_name(p, node, name, second);
}
