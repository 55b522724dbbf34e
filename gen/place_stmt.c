/* Values that take statements: reductions, switches, branches, picks. */
#include "gen/place.h"

#include <string.h>

/* Index as base + step * loop's; false if it is not so. */
static bool
is_linear(struct def *d, int index, int loop, int *base, int *step)
{
	const struct node n = d->node.at[index];
	uint64_t bit = UINT64_C(1) << loop;
	int term = index, sign = 1;

	*base = def_int(d, 0);
	if (n.kind == NODE_CALL && (n.fn == TN_F_ADD || n.fn == TN_F_SUB) && n.type == TYPE_INT) {
		*base = n.kid[0];
		term = n.kid[1];
		sign = n.fn == TN_F_ADD ? 1 : -1;
	}
	if (d->node.at[*base].loops & bit)
		return false;
	if (d->node.at[term].kind == NODE_LOOP && d->node.at[term].a == loop) {
		*step = def_int(d, sign);
		return true;
	}
	if (d->node.at[term].kind != NODE_CALL || d->node.at[term].fn != TN_F_MUL || sign < 0)
		return false;
	for (int i = 0; i < 2; i++) {
		const struct node *x = &d->node.at[d->node.at[term].kid[i]];

		*step = d->node.at[term].kid[1 - i];
		if (x->kind == NODE_LOOP && x->a == loop && !(d->node.at[*step].loops & bit))
			return true;
	}
	return false;
}

/* A condition that only narrows the loop's range, by a range known outside it. */
static bool
is_limit(struct place *p, int cond, int loop, int *base, int *step)
{
	const struct node n = p->d->node.at[cond];

	return n.kind == NODE_INSIDE && !(p->d->node.at[n.kid[1]].loops >> loop & 1) &&
		is_linear(p->d, n.kid[0], loop, base, step);
}

/* Names of the range of the loop where the conditions hold that only narrow it; they are set where
 * those are known, most often far outside. */
static const struct placed *
place_range(struct place *p, int loop, int ncond, const int cond[])
{
	const struct loop *l = &p->d->loop.at[loop];
	uint64_t loops = p->d->node.at[l->extent].loops;
	int key = def_node(p->d, (struct node){.kind = NODE_AND, .type = TYPE_INT, .a = loop, .nkid = ncond}, cond);
	struct block *saved = p->at;
	const struct placed *known = place_find(p, key);
	const char *from, *to, *extent;

	if (known)
		return known;
	for (int i = 0; i < ncond; i++) {
		int base, step;

		is_limit(p, cond[i], loop, &base, &step);
		p->d->node.at[base].uses++;
		loops |= p->d->node.at[base].loops | p->d->node.at[step].loops |
			p->d->node.at[p->d->node.at[cond[i]].kid[1]].loops;
	}
	p->at = place_target(p, loops);
	to = place_value(p, l->extent, PREC_ANY);
	from = name_new(&p->names, arena_printf(p->arena, "%s_from", l->name));
	extent = to;
	to = name_new(&p->names, arena_printf(p->arena, "%s_to", l->name));
	place_stmt(p, "int64_t %s = 0, %s = %s;", from, to, extent);
	for (int i = 0; i < ncond; i++) {
		int base, step;
		const char *b, *s;

		is_limit(p, cond[i], loop, &base, &step);
		b = place_value(p, base, PREC_ANY);
		s = place_value(p, step, PREC_ANY);
		place_stmt(p, "tn_limit(&%s, &%s, %s, %s, %s);", from, to, b, s,
			place_value(p, p->d->node.at[cond[i]].kid[1], PREC_ANY));
	}
	place_name(p, key, from, to);
	p->at = saved;
	return place_find(p, key);
}

/* Open one loop of a reduction, with its conditions that are known in it. */
static const char *
open_loop(struct place *p, int loop, uint64_t inner, int ncond, const int cond[])
{
	int *limit = arena_news(p->arena, (size_t)ncond + 1, int), nlimit = 0, base, step;
	const char *from = "0", *to, *var, *text;

	for (int i = 0; i < ncond; i++)
		if (!(p->d->node.at[cond[i]].loops & inner) && !place_holds(p, cond[i]) &&
		    is_limit(p, cond[i], loop, &base, &step))
			limit[nlimit++] = cond[i];
	if (nlimit) {
		const struct placed *range = place_range(p, loop, nlimit, limit);

		from = range->name;
		to = range->second;
	} else {
		to = place_value(p, p->d->loop.at[loop].extent, PREC_REL);
	}
	place_open(p, loop);
	for (int i = 0; i < nlimit; i++)
		vec_push(&p->at->holds, limit[i]);
	for (int i = 0; i < ncond; i++) {
		if (p->d->node.at[cond[i]].loops & inner || place_holds(p, cond[i]))
			continue;
		text = place_value(p, cond[i], PREC_UNARY);
		place_skip(p, arena_printf(p->arena, "!%s", text));
		vec_push(&p->at->holds, cond[i]);
	}
	var = p->var.at[p->var_of[loop]].name;
	return arena_printf(p->arena, "for (%s = %s; %s < %s; %s++)", var, from, var, to, var);
}

void
place_reduce(struct place *p, int node)
{
	const struct node n = p->d->node.at[node];
	const struct node conds = n.nkid == 2 ? p->d->node.at[n.kid[1]] : (struct node){0};
	const char **head = arena_news(p->arena, n.niter, const char *), *acc, *text, *outer = NULL;
	uint64_t own = 0;
	struct block *b;

	for (int i = 0; i < n.niter; i++)
		own |= UINT64_C(1) << n.iter[i];
	acc = name_new(&p->names, n.fn == TN_F_ADD ? "sum" : n.fn == TN_F_MAX ? "max" : "min");
	place_stmt(p, "double %s = %s;", acc, n.fn == TN_F_ADD ? "0" : n.fn == TN_F_MAX ? "-INFINITY" : "INFINITY");
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
	for (int i = 0; i < n.niter; i++) {
		own &= ~(UINT64_C(1) << n.iter[i]);
		head[i] = open_loop(p, n.iter[i], own, conds.nkid, conds.kid);
	}
	b = p->at;
	text = place_value(p, n.kid[0], PREC_ANY);
	p->at = b;
	if (n.fn == TN_F_ADD)
		place_stmt(p, "%s += %s;", acc, text);
	else
		place_stmt(p, "%s = tn_real_%s(%s, %s);", acc, n.fn == TN_F_MAX ? "max" : "min", acc, text);
	for (int i = n.niter - 1; i >= 0; i--)
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
