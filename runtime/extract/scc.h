/*
 * Strongly connected components of the classes, a class pointing to the children of its nodes
 * (Tarjan, SIAM J. Comput. 1(2), 1972).
 */
#ifndef EXTRACT_SCC_H
#define EXTRACT_SCC_H

#include "extract/prog.h"

struct scc {
	uint32_t n;
	uint32_t *of;		/* component of each class; children's components have smaller numbers, or the same */
	uint32_t *first;	/* component s has classes member[first[s]] … member[first[s + 1] - 1] */
	uint32_t *member;	/* in each component children first, as far as cycles let them */
};

void scc_make(struct scc *, const struct prog *);
void scc_free(struct scc *);

static inline uint32_t
scc_size(const struct scc *s, uint32_t component)
{
	return s->first[component + 1] - s->first[component];
}

#endif
