/*
 * Programs that differ in the numbers of their classes and the order of their nodes alone are solved once.
 *
 * Each class gets a number from its nodes, then from those and its neighbours' numbers, and so on; classes are put
 * in order of these, and the program is written out in that order.  Equal texts mean equal programs.  Where
 * classes share a number, equal programs may be taken for different ones, never the other way round.
 */
#ifndef EXTRACT_EQUAL_H
#define EXTRACT_EQUAL_H

#include "base/map.h"
#include "extract/prog.h"

/* The order of classes and nodes, and the program written in it. */
struct canon {
	uint32_t *class;	/* at each place */
	uint32_t **node;	/* of the class at a place: its nodes (index) in order */
	VEC(uint64_t) text;
};

void canon_make(struct canon *, const struct prog *, struct arena *);
void canon_free(struct canon *);	/* the text; the rest is the arena's */
/* Carry a choice of one program over to an equal one. */
void canon_carry(const struct canon *from, const uint32_t from_pick[], const struct canon *to, uint32_t to_pick[],
    uint32_t nclass);

#endif
