/* Any bytes as a rule file: read, typed, linted, printed; canonical text parses again.  Nothing but messages comes of it. */
#include <stdlib.h>
#include <string.h>

#include "base/rand.h"
#include "dsl/rule.h"
#include "tests/unit/canonical.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

/* every form but includes, which would read whatever path the bytes name */
static void
load(const char *text, size_t size)
{
	struct rules r = {0};
	char *out = NULL;
	size_t len;
	FILE *f = open_memstream(&out, &len);

	if (rules_load_text(&r, "input", text, size))
		rules_dump(&r, f);
	diag_print(&r.diags, f, false);
	rules_free(&r);
	fclose(f);
	free(out);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *once, *twice;
	size_t n1, n2;

	memcpy(text, data, size);
	text[size] = '\0';
	once = canonical(text, size, &n1);
	if (once) {
		twice = canonical(once, n1, &n2);
		if (!twice || n1 != n2 || memcmp(once, twice, n1) != 0)
			abort();
		free(twice);
	}
	free(once);
	if (!strstr(text, "include"))
		load(text, size);
	free(text);
	return 0;
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

	if (rng_below(&r, 4) == 0 || !pick((char *)data, size, &r, &a, &b) || !pick((char *)data, size, &r, &c, &d))
		return LLVMFuzzerMutate(data, size, max);
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
