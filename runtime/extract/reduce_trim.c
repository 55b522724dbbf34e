/*
 * Trim: only what can stand in a choice.
 *
 * A node with its own class as a child is on a cycle of length one.  A class is derivable if one of its nodes
 * has derivable children only, starting from nodes without children; by induction on height an acyclic
 * choice holds derivable classes only, so nodes with another child go.  If a root is not derivable, there is
 * no choice.  A class that no root reaches along nodes that are left is in no choice that has only what is needed.
 */
#include "base/mem.h"
#include "extract/reduce.h"

typedef VEC(uint32_t) list;

/* the classes that have a derivation */
static bool *
find_derivable(const struct prog *p)
{
	struct prog_user *user, *u;
	uint32_t *first, *number = mem_alloc(((size_t)p->nclass + 1) * sizeof *number), *missing, c, n, i;
	bool *derivable = mem_alloc(p->nclass);
	list todo = {0};

	for (c = 0; c < p->nclass; c++)
		number[c + 1] = number[c] + p->class[c].nnode;
	missing = mem_alloc(number[p->nclass] * sizeof *missing);
	for (c = 0; c < p->nclass; c++)
		for (n = 0; n < p->class[c].nnode; n++) {
			missing[number[c] + n] = p->class[c].node[n].nkid;
			if (p->class[c].node[n].nkid == 0 && !derivable[c]) {
				derivable[c] = true;
				vec_push(&todo, c);
			}
		}
	user = prog_users(p, &first);
	while (todo.n) {
		c = vec_pop(&todo);
		for (i = first[c]; i < first[c + 1]; i++) {
			u = &user[i];
			if (--missing[number[u->class] + u->node] == 0 && !derivable[u->class]) {
				derivable[u->class] = true;
				vec_push(&todo, u->class);
			}
		}
	}
	vec_free(&todo);
	mem_free(user);
	mem_free(first);
	mem_free(missing);
	mem_free(number);
	return derivable;
}

/* the classes that roots reach */
static bool *
find_reached(const struct prog *p)
{
	bool *reached = mem_alloc(p->nclass);
	list todo = {0};
	uint32_t c, n, k;

	for (c = 0; c < p->nclass; c++)
		if (p->class[c].is_root) {
			reached[c] = true;
			vec_push(&todo, c);
		}
	while (todo.n) {
		const struct prog_class *class = &p->class[vec_pop(&todo)];

		for (n = 0; n < class->nnode; n++)
			for (k = 0; k < class->node[n].nkid; k++) {
				c = class->node[n].kid[k];
				if (!reached[c]) {
					reached[c] = true;
					vec_push(&todo, c);
				}
			}
	}
	vec_free(&todo);
	return reached;
}

static bool
is_sound(const struct prog_node *node, uint32_t class, const bool derivable[])
{
	uint32_t k;

	for (k = 0; k < node->nkid; k++)
		if (!derivable[node->kid[k]] || node->kid[k] == class)
			return false;
	return true;
}

bool
step_trim(struct reduction *r)
{
	struct prog *p = r->p;
	bool *derivable = find_derivable(p), *keep = mem_alloc(prog_widest(p)), *reached, ok = true;
	uint32_t c, n;

	for (c = 0; c < p->nclass; c++) {
		for (n = 0; n < p->class[c].nnode; n++)
			keep[n] = is_sound(&p->class[c].node[n], c, derivable);
		prog_filter(p, c, keep);
		ok &= derivable[c] || !p->class[c].is_root;
	}
	reached = find_reached(p);
	for (c = 0; c < p->nclass; c++)
		if (!reached[c])
			p->class[c].nnode = 0;
	mem_free(derivable);
	mem_free(keep);
	mem_free(reached);
	return ok;
}
