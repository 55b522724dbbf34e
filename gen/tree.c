/* Decision trees; see tree.h. */
#include "gen/tree.h"

#include <string.h>

#include "gen/draw.h"

static void
pass(struct tree *t, int rule)
{
	if (t->nrule < TREE_RULES)
		t->rule[t->nrule] = rule;
	t->nrule++;
}

/* The branch of `at` that begins with the step, made if there is none. */
static struct tree *
branch(struct gen *g, struct tree *at, const struct step *step)
{
	struct tree *t;

	for (t = at->kid; t; t = t->next)
		if (step_same(&t->step, step))
			return t;
	t = arena_new(g->arena, struct tree);
	t->step = *step;
	if (at->last)
		at->last->next = t;
	else
		at->kid = t;
	at->last = t;
	return t;
}

struct tree *
tree_make(struct gen *g, int op)
{
	struct tree *root = NULL, *at;

	for (int i = 0; i < g->text.nrule + (int)g->pattern.n; i++) {
		const struct plan *p = gen_plan(g, i);

		if (!gen_is_root(g, i, op))
			continue;
		if (!root) {
			root = arena_new(g->arena, struct tree);
			root->step = p->step.at[0];
		}
		pass(at = root, i);
		for (uint32_t k = 1; k < p->step.n; k++)
			pass(at = branch(g, at, &p->step.at[k]), i);
	}
	return root;
}

/* ---- drawing --------------------------------------------------------------------------------------- */

/* Steps from t on up to the next branching, or a yield, in one text; *end is the last of them. */
static const char *
draw_chain(struct draw *d, const struct tree *t, const struct tree **end)
{
	struct arena *a = d->g->arena;
	const char *text = "";

	for (;; t = t->kid) {
		const char *step = draw_step(d, &t->step);

		if (t->step.kind != STEP_IS_NEW)
			text = arena_printf(a, "%s%s%s", text, !*text ? "" : t->step.kind == STEP_YIELD ? " " : ", ", step);
		if (!t->kid || t->kid->next)
			break;
	}
	*end = t;
	return text;
}

/* The text after `first`, in lines of at most 90 columns; those after the first begin with `rest`. */
static void
put_wrapped(struct emit *e, const char *first, const char *rest, const char *text)
{
	size_t room, n;

	while (*text) {
		emit_text(e, first);
		room = EMIT_COLUMNS - EMIT_TAB - 4 - (strlen(first) < 40 ? strlen(first) : 40);
		n = strlen(text);
		if (n > room)
			for (n = room; n > room / 2 && text[n] != ' '; n--)
				;
		if (n <= room / 2 && strlen(text) > room)
			n = strcspn(text, " ");
		emit_comment(e, text, n);
		emit_text(e, "\n");
		text += n;
		text += strspn(text, " ");
		first = rest;
	}
}

typedef VEC(const struct tree *) branches;

/* The branches to draw: what is below a test for newness stands in its place. */
static void
find_branches(const struct tree *t, branches *out)
{
	for (const struct tree *k = t->kid; k; k = k->next) {
		if (k->step.kind == STEP_IS_NEW)
			find_branches(k, out);
		else
			vec_push(out, k);
	}
}

/* t and what is below: `head` begins each line, `mark` the first after it. */
static void
draw_below(struct draw *d, const struct tree *t, struct emit *e, const char *head, const char *mark)
{
	struct arena *a = d->g->arena;
	const char *under = !*mark ? head : arena_printf(a, "%s%s", head, *mark == '|' ? "|   " : "    ");
	const char *text;
	branches below = {0};
	uint32_t known;

	text = draw_chain(d, t, &t);
	find_branches(t, &below);
	put_wrapped(e, arena_printf(a, "%s%s", head, mark), arena_printf(a, "%s%s  ", under, below.n ? "| " : "  "), text);
	known = d->op.n;
	for (uint32_t i = 0; i < below.n; i++) {
		draw_below(d, below.at[i], e, under, i + 1 < below.n ? "|-- " : "`-- ");
		d->op.n = known;
	}
	vec_free(&below);
}

void
tree_draw(const struct gen *g, const struct tree *t, struct emit *e, const char *head)
{
	struct draw d = {.g = g};
	int nrule = 0, npattern = 0;

	for (int i = 0; i < g->text.nrule + (int)g->pattern.n; i++)
		if (gen_is_root(g, i, t->step.op))
			*(i < g->text.nrule ? &nrule : &npattern) += 1;
	emit(e, "%s%sRoot ", head, *head ? " " : "");
	emit_comment(e, g->text.op[t->step.op].name, strlen(g->text.op[t->step.op].name));
	if (nrule || !npattern)
		emit(e, ": %d rule%s", nrule, nrule == 1 ? "" : "s");
	if (npattern)
		emit(e, "%s%d pattern%s of joins", nrule ? ", " : ": ", npattern, npattern == 1 ? "" : "s");
	emit(e, ".\n%s\n", head);
	draw_below(&d, t, e, arena_printf(g->arena, "%s\t", head), "");
	draw_end(&d);
}
