/*
 * A chain as text:
 *
 *	(explanation "tiny"
 *	  (let n9 (conv2d x k :act relu))	; f32 [1 8 4 4]
 *	  (step 1 rule conv-relu (at n5) (ends x k n4) (with (?x x) (?k k) (?b n4) (..c [1 1] …)) (is n9))
 *	  (output n9 "y"))
 */
#include <string.h>

#include "explain/chain.h"
#include "tensor/text.h"

struct writing {
	const struct tn_chain *c;
	struct text_writer *w;
	bool *is_there;			/* per node: written already, or of the original */
	FILE *f;
	struct buf b;
};

/* ---- nodes -------------------------------------------------------------------------------------------------- */

static void
put_let(struct writing *p, uint32_t node)
{
	if (p->is_there[node])
		return;
	p->is_there[node] = true;
	p->b.n = 0;
	text_writer_let(p->w, node, &p->b);
	fprintf(p->f, "\n  %s", p->b.at);
}

/* what the node is made of and was not written yet, and then the node */
static void
put_node(struct writing *p, uint32_t node)
{
	VEC(uint32_t) stack = {0};
	const struct tn_gnode *n;
	uint32_t k;

	vec_push(&stack, node);
	while (stack.n) {
		node = stack.at[stack.n - 1];
		n = &p->c->g->node[node];
		for (k = 0; k < n->nkid && p->is_there[p->c->g->kid[n->kid + k]]; k++)
			;
		if (!p->is_there[node] && k < n->nkid) {
			vec_push(&stack, p->c->g->kid[n->kid + k]);
			continue;
		}
		put_let(p, node);
		stack.n--;
	}
	vec_free(&stack);
}

/* ---- steps -------------------------------------------------------------------------------------------------- */

static void
put_names(struct writing *p, const char *head, const uint32_t node[], uint32_t n)
{
	uint32_t i;

	fprintf(p->f, " (%s", head);
	for (i = 0; i < n; i++)
		fprintf(p->f, " %s", p->c->name.at[node[i]]);
	fputc(')', p->f);
}

static void
put_step(struct writing *p, uint32_t i)
{
	const struct tn_chain *c = p->c;
	const struct step *s = &c->step.at[i];
	uint32_t k;

	for (k = 0; k < 2 * s->nat + s->nleaf; k++)
		put_node(p, step_at(c, s)[k]);
	fprintf(p->f, "\n  (step %u %s", i + 1, step_word[s->kind]);
	if (s->kind == STEP_RULE) {
		p->b.n = 0;
		sx_put_name(&p->b, c->g->program->rule[s->rule].name, strlen(c->g->program->rule[s->rule].name));
		fprintf(p->f, " %s", p->b.at);
	}
	put_names(p, "at", step_at(c, s), s->nat);
	if (s->kind != STEP_FOLD)
		put_names(p, "ends", step_leaves(c, s), s->nleaf);
	if (s->kind == STEP_RULE)
		fprintf(p->f, " (with%s%s)", *s->with ? " " : "", s->with);
	put_names(p, "is", step_is(c, s), s->nat);
	fputc(')', p->f);
}

/* all of it in order: the steps, each after what it speaks of, and the terms that put them together */
static void
put_all(struct writing *p)
{
	const struct tn_chain *c = p->c;
	uint32_t i;

	p->is_there = mem_alloc((size_t)c->g->nnode + 1);
	memset(p->is_there, true, c->ngiven);
	for (i = 0; i < c->step.n; i++)
		put_step(p, i);
	for (i = 0; i < c->wanted.n; i++)
		put_node(p, c->wanted.at[i]);
	for (i = 0; i < c->g->noutput; i++)
		put_node(p, c->g->output[i].node);
	mem_free(p->is_there);
}

void
chain_name(struct tn_chain *c)
{
	struct text_writer *w = text_writer_open(c->g);
	struct buf b = {0};
	char room[32];
	const char *name;
	uint32_t i;

	for (i = c->name.n; i < c->g->nnode; i++) {
		name = text_writer_name(w, i, room);
		b.n = 0;
		sx_put_name(&b, name, strlen(name));
		vec_push(&c->name, arena_str(&c->arena, b.at, b.n));
	}
	buf_free(&b);
	text_writer_close(w);
}

void
tn_chain_write(const struct tn_chain *c, FILE *f)
{
	struct writing p = {.c = c, .w = text_writer_open(c->g), .f = f};
	uint32_t i;

	sx_put_string(&p.b, c->g->name, strlen(c->g->name));
	fprintf(f, "(explanation %s", p.b.at);
	put_all(&p);
	for (i = 0; i < c->g->noutput; i++) {
		p.b.n = 0;
		sx_put_string(&p.b, c->g->output[i].name, strlen(c->g->output[i].name));
		fprintf(f, "\n  (output %s %s)", c->name.at[c->g->output[i].node], p.b.at);
	}
	fputs(")\n", f);
	buf_free(&p.b);
	text_writer_close(p.w);
}
