/*
 * Force: what every choice holds is a root.
 *
 * The roots' must-sets are in every choice (must.h); where these were too large to make, the
 * children that all nodes of a root have in common are.  Calling them roots changes no choice.
 */
#include "base/mem.h"
#include "extract/reduce.h"

static bool
is_kid_of_all(const struct prog_class *class, uint32_t u)
{
	uint32_t n;

	for (n = 0; n < class->nnode; n++)
		if (!prog_has_kid(&class->node[n], u))
			return false;
	return true;
}

void
prog_spread_roots(struct prog *p, uint32_t most)
{
	VEC(uint32_t) todo = {0};
	uint32_t c, k, u;

	for (c = 0; c < p->nclass; c++)
		if (p->class[c].is_root)
			vec_push(&todo, c);
	while (todo.n) {
		const struct prog_class *class = &p->class[vec_pop(&todo)];

		for (k = 0; class->nnode && class->nnode <= most && k < class->node[0].nkid; k++) {
			u = class->node[0].kid[k];
			if (!p->class[u].is_root && is_kid_of_all(class, u)) {
				p->class[u].is_root = true;
				vec_push(&todo, u);
			}
		}
	}
	vec_free(&todo);
}

void
step_force(struct reduction *r)
{
	struct prog *p = r->p;
	uint64_t *all;
	uint32_t c;

	if (!r->must.set) {
		prog_spread_roots(p, UINT32_MAX);
		return;
	}
	all = mem_alloc(r->must.words * sizeof *all);
	for (c = 0; c < p->nclass; c++)
		if (p->class[c].is_root)
			bit_join(all, must_of(&r->must, c), r->must.words);
	for (c = 0; c < p->nclass; c++)
		if (p->class[c].nnode && bit_has(all, c))
			p->class[c].is_root = true;
	mem_free(all);
}
