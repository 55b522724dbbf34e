/* Matches of one rule in chunks of words, which are kept from one iteration to the next. */
#ifndef SATURATE_MATCHES_H
#define SATURATE_MATCHES_H

#include "base/vec.h"
#include "tenon/match.h"

struct match_chunk {
	uint32_t *at;
	uint32_t n, cap;	/* n is set when the next one is begun */
};

struct tn_match_store {
	VEC(struct match_chunk) chunk;
	uint32_t nchunk;	/* in use */
	uint32_t stride;	/* words a match */
	uint64_t nclosed;	/* words in all chunks but the last in use */
	bool is_cut;		/* more were found than there may be */
	VEC(uint32_t) seq;	/* runs of classes: length, then ids */
};

void matches_open(struct tn_matches *, uint32_t stride);
void matches_close(struct tn_matches *);
/* Forget the matches, keep the memory. */
void matches_reset(struct tn_matches *);
uint64_t matches_count(const struct tn_matches *);
/* Words of chunk i; 0: there is no such chunk. */
uint32_t matches_chunk(const struct tn_matches *, uint32_t i, const uint32_t **at);

#endif
