/* Networks without their weights, so that they are read at once. */
#ifndef TESTS_WEIGHTS_H
#define TESTS_WEIGHTS_H

#include <string.h>

/* (weight w1 f32 [2 3] :seed 1) as (input w1 f32 [2 3]), in place: half a gigabyte less to draw */
static inline void
weights_to_inputs(char *text)
{
	static const char word[] = "(input  ";
	char *at, *end;

	for (at = text; (at = strstr(at, "(weight ")) != NULL; at++) {
		memcpy(at, word, sizeof word - 1);
		end = strchr(at, '\n');
		for (at = strchr(at, ']') + 1; at + 1 < end; at++)
			*at = ' ';
		*at = ')';
	}
}

#endif
