/* Dominators by semi-dominators; see dominator.h.  Vertices are numbered as met, the source is 0. */
#include "extract/dominator.h"

#include "base/mem.h"

struct edge {
	uint32_t from, next;		/* next: edge into the same vertex, TN_NONE at the end */
};

struct search {
	const struct prog *p;
	uint32_t *number;		/* of a class; 0: not met */
	uint32_t *class;		/* of a number */
	uint32_t *parent;		/* in the depth-first tree; of numbers, as all that follows */
	uint32_t *into;			/* last edge into it */
	uint32_t *semi, *label, *above;	/* above: link towards the root of the forest of finished vertices */
	uint32_t *idom;
	uint32_t n;
	VEC(struct edge) edge;
	VEC(uint32_t) path;
};

struct frame {
	uint32_t class, node, kid;
};
typedef VEC(struct frame) frames;

/* an edge; true if its end is met for the first time */
static bool
meet(struct search *s, uint32_t from, uint32_t c)
{
	bool is_new = !s->number[c];

	if (is_new) {
		s->number[c] = ++s->n;
		s->class[s->n] = c;
		s->parent[s->n] = from;
	}
	vec_push(&s->edge, ((struct edge){from, s->into[s->number[c]]}));
	s->into[s->number[c]] = s->edge.n - 1;
	return is_new;
}

static void
walk(struct search *s, uint32_t root, frames *stack)
{
	if (meet(s, 0, root))
		vec_push(stack, ((struct frame){root, 0, 0}));
	while (stack->n) {
		struct frame *f = &stack->at[stack->n - 1];
		const struct prog_class *class = &s->p->class[f->class];
		uint32_t u;

		if (f->node == class->nnode) {
			stack->n--;
		} else if (f->kid == class->node[f->node].nkid) {
			f->node++;
			f->kid = 0;
		} else {
			u = class->node[f->node].kid[f->kid++];
			if (meet(s, s->number[f->class], u))
				vec_push(stack, ((struct frame){u, 0, 0}));
		}
	}
}

/* the vertex of least semi-dominator on the way up from v to what is not finished; the way is shortened */
static uint32_t
eval(struct search *s, uint32_t v)
{
	uint32_t u;

	if (s->above[v] == TN_NONE)
		return v;
	for (u = v; s->above[s->above[u]] != TN_NONE; u = s->above[u])
		vec_push(&s->path, u);
	while (s->path.n) {
		u = vec_pop(&s->path);
		if (s->semi[s->label[s->above[u]]] < s->semi[s->label[u]])
			s->label[u] = s->label[s->above[u]];
		s->above[u] = s->above[s->above[u]];
	}
	return s->label[v];
}

static void
find_semi(struct search *s)
{
	uint32_t v, e, u;

	for (v = 0; v <= s->n; v++) {
		s->semi[v] = s->label[v] = v;
		s->above[v] = TN_NONE;
	}
	for (v = s->n; v > 0; v--) {
		for (e = s->into[v]; e != TN_NONE; e = s->edge.at[e].next) {
			u = eval(s, s->edge.at[e].from);
			if (s->semi[u] < s->semi[v])
				s->semi[v] = s->semi[u];
		}
		s->above[v] = s->parent[v];
	}
	for (v = 1; v <= s->n; v++)
		for (s->idom[v] = s->parent[v]; s->idom[v] > s->semi[v]; )
			s->idom[v] = s->idom[s->idom[v]];
}

/* number the tree so that a class's interval holds those of all it dominates */
static void
number_tree(struct dominators *d, const struct search *s)
{
	uint32_t *size = mem_alloc(((size_t)s->n + 1) * sizeof *size), *next = mem_alloc(((size_t)s->n + 1) * sizeof *next), v, c;

	for (v = s->n; v > 0; v--)
		size[s->idom[v]] += ++size[v];
	next[0] = 1;
	for (v = 1; v <= s->n; v++) {
		c = s->class[v];
		d->order[v - 1] = c;
		d->parent[c] = s->idom[v] ? s->class[s->idom[v]] : TN_NONE;
		d->enter[c] = next[s->idom[v]];
		next[s->idom[v]] += size[v];
		d->leave[c] = d->enter[c] + size[v];
		next[v] = d->enter[c] + 1;
	}
	d->n = s->n;
	mem_free(size);
	mem_free(next);
}

void
dominators_make(struct dominators *d, const struct prog *p)
{
	size_t bytes = ((size_t)p->nclass + 1) * sizeof(uint32_t);
	struct search s = {.p = p};
	uint32_t **array[] = {&s.number, &s.class, &s.parent, &s.into, &s.semi, &s.label, &s.above, &s.idom}, c;
	frames stack = {0};

	for (size_t i = 0; i < sizeof array / sizeof *array; i++)
		*array[i] = mem_alloc(bytes);
	d->parent = mem_alloc(bytes);
	d->order = mem_alloc(bytes);
	d->enter = mem_alloc(bytes);
	d->leave = mem_alloc(bytes);
	for (c = 0; c <= p->nclass; c++)
		s.into[c] = TN_NONE;
	for (c = 0; c < p->nclass; c++) {
		d->parent[c] = TN_NONE;
		if (p->class[c].is_root)
			walk(&s, c, &stack);
	}
	find_semi(&s);
	number_tree(d, &s);
	vec_free(&stack);
	vec_free(&s.edge);
	vec_free(&s.path);
	for (size_t i = 0; i < sizeof array / sizeof *array; i++)
		mem_free(*array[i]);
}

void
dominators_free(struct dominators *d)
{
	mem_free(d->parent);
	mem_free(d->order);
	mem_free(d->enter);
	mem_free(d->leave);
	*d = (struct dominators){0};
}
