/* Tarjan's algorithm with its recursion on a stack of its own; see scc.h. */
#include "extract/scc.h"

#include "base/mem.h"

/* where the search stands in a class: its next node and child */
struct frame {
	uint32_t class, node, kid;
};

struct search {
	const struct prog *p;
	struct scc *s;
	uint32_t *number, *low;		/* 0: not seen yet */
	uint32_t seen, done;
	uint32_t *order;		/* classes as they were left */
	VEC(uint32_t) open;		/* classes without a component yet */
	VEC(struct frame) stack;
};

static uint32_t
least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static void
enter(struct search *t, uint32_t c)
{
	t->number[c] = t->low[c] = ++t->seen;
	vec_push(&t->open, c);
	vec_push(&t->stack, ((struct frame){c, 0, 0}));
}

/* all children of the class are done: its component may be complete */
static void
leave(struct search *t, uint32_t c)
{
	uint32_t member, above;

	t->stack.n--;
	t->order[t->done++] = c;
	if (t->stack.n) {
		above = t->stack.at[t->stack.n - 1].class;
		t->low[above] = least(t->low[above], t->low[c]);
	}
	if (t->low[c] != t->number[c])
		return;
	do {
		member = vec_pop(&t->open);
		t->s->of[member] = t->s->n;
	} while (member != c);
	t->s->n++;
}

static void
visit(struct search *t, uint32_t root)
{
	enter(t, root);
	while (t->stack.n) {
		struct frame *f = &t->stack.at[t->stack.n - 1];
		const struct prog_class *class = &t->p->class[f->class];
		uint32_t kid;

		if (f->node == class->nnode) {
			leave(t, f->class);
		} else if (f->kid == class->node[f->node].nkid) {
			f->node++;
			f->kid = 0;
		} else {
			kid = class->node[f->node].kid[f->kid++];
			if (!t->number[kid])
				enter(t, kid);
			else if (t->s->of[kid] == TN_NONE)
				t->low[f->class] = least(t->low[f->class], t->number[kid]);
		}
	}
}

void
scc_make(struct scc *s, const struct prog *p)
{
	struct search t = {.p = p, .s = s};
	uint32_t c;

	*s = (struct scc){0};
	s->of = mem_alloc(p->nclass * sizeof *s->of);
	s->member = mem_alloc(p->nclass * sizeof *s->member);
	t.number = mem_alloc(p->nclass * sizeof *t.number);
	t.low = mem_alloc(p->nclass * sizeof *t.low);
	t.order = mem_alloc(p->nclass * sizeof *t.order);
	for (c = 0; c < p->nclass; c++)
		s->of[c] = TN_NONE;
	for (c = 0; c < p->nclass; c++)
		if (!t.number[c])
			visit(&t, c);
	/* members by counting */
	s->first = mem_alloc(((size_t)s->n + 2) * sizeof *s->first);
	for (c = 0; c < p->nclass; c++)
		s->first[s->of[c] + 2]++;
	for (c = 2; c < s->n + 2; c++)
		s->first[c] += s->first[c - 1];
	for (c = 0; c < p->nclass; c++)
		s->member[s->first[s->of[t.order[c]] + 1]++] = t.order[c];
	mem_free(t.number);
	mem_free(t.low);
	mem_free(t.order);
	vec_free(&t.open);
	vec_free(&t.stack);
}

void
scc_free(struct scc *s)
{
	mem_free(s->of);
	mem_free(s->first);
	mem_free(s->member);
	*s = (struct scc){0};
}
