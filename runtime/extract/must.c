/* Both fixpoints by iteration, component by component; see must.h. */
#include "extract/must.h"

#include <string.h>

#include "base/mem.h"

static bool
make(struct must *m, const struct prog *p, const struct watch *watch)
{
	size_t most = watch->limits->memory ? watch->limits->memory : (size_t)1 << 30;

	*m = (struct must){.words = p->nclass / 64 + 1};
	if (p->nclass > most / sizeof *m->set / m->words)
		return false;
	m->set = mem_alloc((size_t)p->nclass * m->words * sizeof *m->set);
	return true;
}

void
must_free(struct must *m)
{
	mem_free(m->set);
	*m = (struct must){0};
}

void
must_node(const struct must *m, const struct prog_node *node, uint64_t set[])
{
	uint32_t k;

	memset(set, 0, m->words * sizeof *set);
	for (k = 0; k < node->nkid; k++)
		bit_join(set, must_of(m, node->kid[k]), m->words);
}

/* set = what is in both; true if it shrank */
static bool
narrow(uint64_t set[], const uint64_t with[], uint32_t words)
{
	uint64_t gone = 0;
	uint32_t w;

	for (w = 0; w < words; w++) {
		gone |= set[w] & ~with[w];
		set[w] &= with[w];
	}
	return gone != 0;
}

/* words that are looked at for a class */
static uint64_t
work_of(const struct must *m, const struct prog_class *class)
{
	uint64_t sets = 2;
	uint32_t n;

	for (n = 0; n < class->nnode; n++)
		sets += 2 + class->node[n].nkid;
	return sets * m->words;
}

/* must(c) from its nodes; true if it shrank */
static bool
narrow_below(struct must *m, const struct prog *p, uint32_t c, uint64_t all[], uint64_t sum[])
{
	const struct prog_class *class = &p->class[c];
	uint32_t n;

	memset(all, 0xff, m->words * sizeof *all);
	for (n = 0; n < class->nnode; n++) {
		must_node(m, &class->node[n], sum);
		narrow(all, sum, m->words);
	}
	bit_put(all, c);
	return narrow(must_of(m, c), all, m->words);
}

bool
must_make(struct must *m, const struct prog *p, const struct scc *scc, struct watch *watch)
{
	uint64_t *all, *sum;
	uint32_t s, i;
	bool more, late = false;

	if (!make(m, p, watch))
		return false;
	memset(m->set, 0xff, (size_t)p->nclass * m->words * sizeof *m->set);
	all = mem_alloc(m->words * sizeof *all);
	sum = mem_alloc(m->words * sizeof *sum);
	for (s = 0; s < scc->n && !late; s++)
		do
			for (more = false, i = scc->first[s]; i < scc->first[s + 1] && !late; i++) {
				more |= narrow_below(m, p, scc->member[i], all, sum);
				late = watch_late(watch, work_of(m, &p->class[scc->member[i]]));
			}
		while (more && !late && scc_size(scc, s) > 1);
	mem_free(all);
	mem_free(sum);
	if (late)
		must_free(m);
	return !late;
}

/* what is always there with c, and with each of its nodes, is there with the children; true if any set shrank */
static bool
narrow_above(struct must *m, const struct prog *p, uint32_t c, const struct must *must, uint64_t sum[])
{
	const struct prog_class *class = &p->class[c];
	bool shrank = false;
	uint32_t n, k, u;

	for (n = 0; n < class->nnode; n++) {
		must_node(must, &class->node[n], sum);
		bit_join(sum, must_of(m, c), m->words);
		for (k = 0; k < class->node[n].nkid; k++) {
			u = class->node[n].kid[k];
			if (!p->class[u].is_root)
				shrank |= narrow(must_of(m, u), sum, m->words);
		}
	}
	return shrank;
}

bool
must_always(struct must *m, const struct prog *p, const struct scc *scc, const struct must *must, struct watch *watch)
{
	uint64_t *sum;
	uint32_t s, i, c;
	bool more, late = false;

	if (!make(m, p, watch))
		return false;
	sum = mem_alloc(m->words * sizeof *sum);
	for (c = 0; c < p->nclass; c++)
		if (p->class[c].is_root)
			bit_join(sum, must_of(must, c), m->words);
	for (c = 0; c < p->nclass; c++)
		if (p->class[c].is_root)
			memcpy(must_of(m, c), sum, m->words * sizeof *sum);
		else
			memset(must_of(m, c), 0xff, m->words * sizeof *sum);
	for (s = scc->n; s-- > 0 && !late; )
		do
			for (more = false, i = scc->first[s + 1]; i-- > scc->first[s] && !late; ) {
				more |= narrow_above(m, p, scc->member[i], must, sum);
				late = watch_late(watch, work_of(m, &p->class[scc->member[i]]));
			}
		while (more && !late && scc_size(scc, s) > 1);
	mem_free(sum);
	if (late)
		must_free(m);
	return !late;
}
