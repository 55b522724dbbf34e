/*
 * Steps in words, for the comments above matchers and for tenonc -d plan:
 *
 *	n0.1: matmul n1		operand 1 of n0 has a node matmul, n1
 *	n1:act = none		attribute act of n1
 *	n0.0 = n1.1		the same class
 */
#include "gen/draw.h"

#include "base/num.h"

static const struct tn_op *
op_at(const struct draw *d, int node)
{
	return &d->g->text.op[d->op.at[node]];
}

static const char *
attr_text(struct draw *d, const struct ref *r)
{
	struct arena *a = d->g->arena;
	const char *name = op_at(d, r->node)->attr[r->i].name, *dots = r->at == NODE_EACH ? "..." : "";

	if (r->kind == REF_ITEM)
		return arena_printf(a, "n%d:%s[%d]%s", r->node, name, r->j, dots);
	if (r->kind == REF_ITEMS)
		return arena_printf(a, "n%d:%s[%d..-%d]%s", r->node, name, r->j, r->k + 1, dots);
	return arena_printf(a, "n%d:%s%s", r->node, name, dots);
}

const char *
draw_ref(struct draw *d, const struct ref *r)
{
	struct arena *a = d->g->arena;

	switch (r->kind) {
	case REF_ROOT:
		return "the root";
	case REF_CLASS:
	case REF_UNIFORM:
		return arena_printf(a, "n%d.%d%s", r->node, r->i, r->at == NODE_EACH ? "..." : "");
	case REF_ATTR:
	case REF_ITEM:
	case REF_ITEMS:
		return attr_text(d, r);
	case REF_RECORD:
		return arena_printf(a, "n%d:..%s", r->node, r->at == NODE_EACH ? "..." : "");
	case REF_REST:
	case REF_MAPPED:
		return arena_printf(a, "n%d.%d...", r->node, r->i);
	default:
		return "?";
	}
}

static const char *
draw_list(struct draw *d, const struct tn_x *list)
{
	const char *text = "";
	char num[64];

	for (int i = 0; i < list->nkid; i++) {
		number_print(list->kid[i]->num, num);
		text = arena_printf(d->g->arena, "%s%s%s", text, i ? " " : "", num);
	}
	return arena_printf(d->g->arena, "[%s]", text);
}

/* Steps that bind a node tell which operator it has. */
static void
note_node(struct draw *d, const struct step *s)
{
	if (s->kind != STEP_ROOT && s->kind != STEP_NODES && s->kind != STEP_MAPS)
		return;
	while (d->op.n <= (uint32_t)s->node)
		vec_push(&d->op, 0);
	d->op.at[s->node] = s->op;
}

static const char *
draw_loop(struct draw *d, const struct step *s)
{
	struct arena *a = d->g->arena;

	switch (s->kind) {
	case STEP_ROOT:
		return arena_printf(a, "%s n%d", d->g->text.op[s->op].name, s->node);
	case STEP_NODES:
		return arena_printf(a, "%s: %s n%d", draw_ref(d, &s->a), d->g->text.op[s->op].name, s->node);
	case STEP_MAPS:
		return arena_printf(a, "%s: %s n%d...%s", draw_ref(d, &s->a), d->g->text.op[s->op].name, s->node, s->i ? " either way" : "");
	default:
		return arena_printf(a, "n%d either way", s->node);
	}
}

static const char *
draw_test(struct draw *d, const struct step *s)
{
	struct arena *a = d->g->arena;
	const char *at = draw_ref(d, &s->a);
	char num[64];

	number_print(s->num, num);
	switch (s->kind) {
	case STEP_COUNT:
		return arena_printf(a, "n%d has %d operand%s%s", s->a.node, s->i, s->i == 1 ? "" : "s", s->or_more ? " or more" : "");
	case STEP_SAME:
	case STEP_SAME_VALUE:
		return arena_printf(a, "%s = %s", at, draw_ref(d, &s->b));
	case STEP_NUMBER:
	case STEP_IS_NUMBER:
	case STEP_ITEM:
	case STEP_IS_AXIS:
		return arena_printf(a, "%s = %s", at, num);
	case STEP_UNIFORM:
		return arena_printf(a, "%s holds one value", at);
	case STEP_IS_CODE:
		return arena_printf(a, "%s = %s", at, s->text);
	case STEP_IS_TEXT:
		return arena_printf(a, "%s = \"%s\"", at, s->text);
	case STEP_LENGTH:
		return arena_printf(a, "%s has %d item%s%s", at, s->i, s->i == 1 ? "" : "s", s->or_more ? " or more" : "");
	case STEP_IS_LIST:
		return arena_printf(a, "%s = %s", at, draw_list(d, s->x));
	default:
		return arena_printf(a, "%s = %s", at, gen_source(d->g, s->x->at));
	}
}

const char *
draw_step(struct draw *d, const struct step *s)
{
	note_node(d, s);
	switch (s->kind) {
	case STEP_ROOT:
	case STEP_NODES:
	case STEP_ORDERS:
	case STEP_MAPS:
		return draw_loop(d, s);
	case STEP_IS_NEW:
		return "new";
	case STEP_GUARD:
		return gen_source(d->g, s->x->at);
	case STEP_YIELD:
		if (s->rule >= d->g->text.nrule)
			return arena_printf(d->g->arena, "-> pattern %s", d->g->pattern_name[s->rule - d->g->text.nrule]);
		return arena_printf(d->g->arena, "-> %s", d->g->text.rule[s->rule].name);
	default:
		return draw_test(d, s);
	}
}

void
draw_end(struct draw *d)
{
	vec_free(&d->op);
}
