/* Buffers of matches: see matches.h. */
#include <string.h>

#include "saturate/apply.h"
#include "saturate/matches.h"

#ifdef TN_TEST
enum { FIRST_WORDS = 4, CHUNK_WORDS = 64 };
#else
enum { FIRST_WORDS = 256, CHUNK_WORDS = 1 << 16 };
#endif
#define MAX_WORDS (UINT64_C(1) << 30)	/* of one rule in one iteration: 4 GiB */

void
matches_open(struct tn_matches *m, uint32_t stride)
{
	*m = (struct tn_matches){.store = mem_alloc(sizeof *m->store)};
	m->store->stride = stride;
}

void
matches_close(struct tn_matches *m)
{
	uint32_t i;

	for (i = 0; i < m->store->chunk.n; i++)
		mem_free(m->store->chunk.at[i].at);
	vec_free(&m->store->chunk);
	vec_free(&m->store->seq);
	mem_free(m->store);
}

void
matches_reset(struct tn_matches *m)
{
	m->at = m->end = NULL;
	m->store->nchunk = 0;
	m->store->nclosed = 0;
	m->store->is_cut = false;
	m->store->seq.n = 0;
}

static uint32_t
words_in_last(const struct tn_matches *m)
{
	return m->store->nchunk ? (uint32_t)(m->at - m->store->chunk.at[m->store->nchunk - 1].at) : 0;
}

uint64_t
matches_count(const struct tn_matches *m)
{
	return (m->store->nclosed + words_in_last(m)) / m->store->stride;
}

uint32_t
matches_chunk(const struct tn_matches *m, uint32_t i, const uint32_t **at)
{
	const struct tn_match_store *s = m->store;

	if (i >= s->nchunk)
		return 0;
	*at = s->chunk.at[i].at;
	return i + 1 < s->nchunk ? s->chunk.at[i].n : words_in_last(m);
}

bool
tn_matches_grow(struct tn_matches *m, int n)
{
	struct tn_match_store *s = m->store;
	uint32_t cap = FIRST_WORDS << (s->nchunk < 16 ? s->nchunk : 16);
	struct match_chunk *c;

	if (s->nclosed + words_in_last(m) > MAX_WORDS) {
		s->is_cut = true;
		return false;
	}
	if (s->nchunk) {
		s->chunk.at[s->nchunk - 1].n = words_in_last(m);
		s->nclosed += words_in_last(m);
	}
	if (s->nchunk == s->chunk.n) {
		cap = cap > CHUNK_WORDS ? CHUNK_WORDS : cap;
		cap = cap < (uint32_t)n ? (uint32_t)n : cap;
		vec_push(&s->chunk, ((struct match_chunk){mem_alloc(cap * sizeof(uint32_t)), 0, cap}));
	}
	c = &s->chunk.at[s->nchunk++];
	m->at = c->at;
	m->end = c->at + c->cap;
	return true;
}

uint32_t
tn_seq_make(struct tn_matches *m, const tn_id class[], int n)
{
	uint32_t at = m->store->seq.n;
	int i;

	vec_push(&m->store->seq, (uint32_t)n);
	for (i = 0; i < n; i++)
		vec_push(&m->store->seq, class[i]);
	return at;
}

const tn_id *
tn_seq(const struct tn_apply *a, uint32_t seq, int *n)
{
	const uint32_t *at = &a->matches->store->seq.at[seq];

	*n = (int)at[0];
	return at + 1;
}
