/*
 * Mutation of S-expressions form by form, and what makes runs quick: short inputs, and a sanitizer that keeps
 * little of what it has freed (tests of a millisecond spend most of it in its allocator otherwise).
 */
#ifndef TESTS_FORMS_H
#define TESTS_FORMS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/rand.h"

enum { LONGEST = 1024 };	/* bytes of an input: a few operators and a rule */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
const char *__asan_default_options(void);

const char *
__asan_default_options(void)
{
	return "malloc_context_size=4:quarantine_size_mb=4";
}

/* a random token or bracketed form: where it begins and ends */
static bool
pick(const char *text, size_t size, struct rng *r, size_t *from, size_t *to)
{
	int depth = 0;

	if (size == 0)
		return false;
	*from = rng_below(r, (uint32_t)size);
	while (*from < size && strchr(" \n\t)]", text[*from]))
		++*from;
	for (*to = *from; *to < size; ++*to) {
		char c = text[*to];

		if (c == ')' || c == ']')
			depth--;
		if (depth < 0 || (depth == 0 && *to > *from && strchr(" \n\t([", c)))
			break;
		depth += c == '(' || c == '[';
	}
	return *to > *from;
}

/* put one form of the text in the place of another, or before it; or drop it; else bytes at random */
size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	struct rng r = {seed};
	size_t a, b, c, d, len;
	char *form;

	max = max < LONGEST ? max : LONGEST;
	if (size > max || rng_below(&r, 4) == 0 || !pick((char *)data, size, &r, &a, &b) || !pick((char *)data, size, &r, &c, &d))
		return LLVMFuzzerMutate(data, size < max ? size : max, max);
	switch (rng_below(&r, 4)) {
	case 0:
		d = c;
		break;
	case 1:
		a = b;
	}
	len = b - a;
	if (size - (d - c) + len + 1 > max)
		return LLVMFuzzerMutate(data, size, max);
	form = malloc(len + 1);
	memcpy(form, data + a, len);
	form[len] = ' ';
	memmove(data + c + len + 1, data + d, size - d);
	memcpy(data + c, form, len + 1);
	free(form);
	return size - (d - c) + len + 1;
}

#endif
