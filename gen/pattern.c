/*
 * What explains a match: the names of its words, and the rule's patterns as plain data, each term followed by its
 * operands.  Attributes are left out; they stand in the nodes that matched.
 *
 *	static const struct tn_place places_relu_fuse[] = {
 *		{TN_P_OP, 1, OP_relu, 0}, {TN_P_OP, 3, OP_conv2d, 0}, {TN_P_CLASS, 0, 0, 0}, …
 *	};
 */
#include "gen/join.h"

/* ---- words --------------------------------------------------------------------------------------------- */

static const char *
variable_text(struct arena *a, const struct tn_rvar *v)
{
	static const char *const before[] = {
		[TN_R_TENSOR] = "?", [TN_R_TENSORS] = "?", [TN_R_ATTR] = "$", [TN_R_CAPTURE] = "..", [TN_R_LET] = "$", [TN_R_SEQ] = "$..",
		[TN_R_TERM] = "?",
	};

	return arena_printf(a, "%s%s%s", before[v->kind], v->name, v->kind == TN_R_TENSORS ? "..." : "");
}

/* a root, or what only the join needs; of the latter nothing is told */
static const char *
other_text(const struct gen *g, const struct plan *p, int word)
{
	const struct join *j = g->join[p->number];

	if (!j || word < j->root || word >= j->root + p->rule->narrow)
		return "";
	return p->rule->is_siblings ? "@..." : "@";
}

const char *
pattern_word(const struct gen *g, const struct plan *p, int word)
{
	for (int i = 0; i < p->rule->nvar; i++)
		if (p->slot[i] == word)
			return variable_text(g->arena, &p->rule->var[i]);
	return other_text(g, p, word);
}

/* ---- patterns ------------------------------------------------------------------------------------------ */

struct places {
	struct gen *g;
	const struct plan *p;
	VEC(const struct tn_term *) term;	/* that of each place */
	const char *text;
};

static void
put(struct places *s, const struct tn_term *t, const char *text)
{
	vec_push(&s->term, t);
	s->text = arena_printf(s->g->arena, "%s%s{%s}", s->text, *s->text ? ", " : "", text);
}

/* the place of a term that stands elsewhere, too, and is one and the same there; -1: it is the first */
static int
first_place(const struct places *s, const struct tn_term *t)
{
	for (uint32_t i = 0; t->kind == TN_T_OP && i < s->term.n; i++)
		if (s->term.at[i] == t)
			return (int)i;
	return -1;
}

static void
put_term(struct places *s, const struct tn_term *t)
{
	struct arena *a = s->g->arena;
	int first = first_place(s, t), word = t->var >= 0 ? s->p->slot[t->var] : -1;

	if (first >= 0) {
		put(s, t, arena_printf(a, "TN_P_AGAIN, 0, 0, %d", first));
		return;
	}
	switch (t->kind) {
	case TN_T_OP:
		put(s, t, arena_printf(a, "TN_P_OP, %d, %s, 0", t->nkid, gen_op(s->g, t->op)));
		break;
	case TN_T_VAR:
	case TN_T_REST:
		put(s, t, arena_printf(a, "%s, 0, 0, %d", s->p->rule->var[t->var].kind == TN_R_TENSORS ? "TN_P_RUN" : "TN_P_CLASS", word));
		break;
	case TN_T_MAP:
		put(s, t, "TN_P_EACH, 1, 0, 0");
		break;
	default:
		put(s, t, t->kind == TN_T_ANY ? "TN_P_CLASS, 0, 0, -1" : "TN_P_NUMBER, 0, 0, 0");
	}
	for (int i = 0; i < t->nkid; i++)
		put_term(s, t->kid[i]);
}

void
pattern_tables(struct gen *g, const struct plan *p)
{
	int nword = g->join[p->number] ? g->join[p->number]->nword : p->nslot;
	struct places s = {.g = g, .p = p, .text = ""};
	const char *words = "";

	for (int i = 0; i < nword; i++)
		words = arena_printf(g->arena, "%s%s\"%s\"", words, i ? ", " : "", pattern_word(g, p, i));
	for (int i = 0; i < p->rule->narrow; i++)
		put_term(&s, p->rule->arrow[i].from);
	if (nword)
		emit_line(&g->out, 0, "static const char *const words_%s[] = {%s};", g->rule[p->number], words);
	emit_line(&g->out, 0, "static const struct tn_place places_%s[] = {%s};", g->rule[p->number], s.text);
	vec_free(&s.term);
}
